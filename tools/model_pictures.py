#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of the pages of models by the commands that stand on these pages.

    tools/model_pictures.py            runs them and writes docs/images
    tools/model_pictures.py --check    only says which pictures are not what their commands make

A picture's commands are the block of code before it; its last word of --svg is the name of the picture.
"""

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"


class Failure(Exception):
    """What a person has to be told."""


class Picture(NamedTuple):
    page: Path
    name: str
    commands: list[list[str]]


def pictures_of(page: Path) -> list[Picture]:
    """The pictures that a page shows, each with the commands of the block before it."""
    text = page.read_text()
    found = []
    for shown in re.finditer(r"!\[[^\]]*\]\(\S*/docs/images/([\w-]+\.svg)\)", text):
        blocks = re.findall(r"^```\w*\n(.*?)^```$", text[:shown.start()], re.DOTALL | re.MULTILINE)
        lines = blocks[-1].splitlines() if blocks else []
        commands = [shlex.split(line) for line in lines if line.startswith("sidestep ")]
        if not any("--svg" in command and command[command.index("--svg") + 1] == shown[1] for command in commands):
            raise Failure(f"{page}: no command above {shown[1]} makes it")
        found.append(Picture(page, shown[1], commands))
    return found


def make(program: Path, picture: Picture) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        for command in picture.commands:
            done = subprocess.run([program, *command[1:]], cwd=folder, capture_output=True, text=True)
            if done.returncode not in (0, 1):  # 1: an expectation of the scene is not met, which may be what it shows
                raise Failure(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stderr}")
        return (Path(folder) / picture.name).read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build" / "release" / "sidestep", help="what to run")
    parser.add_argument("--check", action="store_true", help="write nothing")
    args = parser.parse_args()
    program = args.program.resolve()
    differ = []
    try:
        pictures = [picture for page in sorted(ROOT.glob("src/models/*/README.md")) for picture in pictures_of(page)]
        for picture in pictures:
            made = make(program, picture)
            image = IMAGES / picture.name
            if image.exists() and image.read_bytes() == made:
                continue
            differ.append(picture)
            if not args.check:
                image.write_bytes(made)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 2
    for picture in differ:
        print(f"{picture.name}: {'not what the command makes' if args.check else 'made anew'}, see {picture.page}")
    print(f"{len(pictures)} pictures, {len(differ)} {'differ' if args.check else 'made anew'}")
    return 1 if args.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
