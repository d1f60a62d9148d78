#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what `sidestep bench` measures into docs/performance.md.

    tools/performance_page.py PROGRAM [OPTION...]      runs PROGRAM bench --floors --paper --markdown OPTION...
    tools/performance_page.py --from FILE              takes what that command printed

The part between the two marks of the page is replaced; the rest is written by hand. Takes as long as the benchmarks:
half an hour on a quiet machine with RVO2.
"""

import datetime
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
COMMAND = ["bench", "--floors", "--paper", "--markdown"]


def measure(program: str, options: list[str]) -> str:
    done = subprocess.run([program, *COMMAND, *options], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):  # 1: a floor is missed, and the table says so
        sys.exit(f"error: {program} bench ended with {done.returncode}")
    version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    facts = f"{version[0]}, {version[1]}, {version[2]}, {datetime.date.today().isoformat()}"
    told = [option for option in options if "/" not in option and option not in ("--html", "--force")]  # no paths
    text = "".join(line for line in done.stdout.splitlines(keepends=True) if line.strip() not in options)
    return f"`sidestep {' '.join(COMMAND + told)}`; {facts}.\n\n{text}"


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    if arguments[0] == "--from":
        text = Path(arguments[1]).read_text(encoding="utf-8")
    else:
        text = measure(arguments[0], arguments[1:])
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{text.strip()}\n\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
