#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the steering cases with every model that avoids others and writes docs/steering.md.

    tools/steering_table.py                                              everything, then the page
    tools/steering_table.py --case steer-4way --models orca,rvo          only these; the page has no others

Each case is run by `sidestep run`, recorded in every step and measured by `sidestep analyze`. Nothing but Python's
standard library is used.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "tests/scenarios/steering"
NOT_AVOIDING = ("seek",)  # made to show what happens without avoidance
STAND_OFFS = ("steer-head-on", "steer-4way", "steer-4way-obstacle", "steer-circle-20", "steer-squeeze-3",
              "steer-squeeze-wall", "steer-squeeze-double", "steer-doorway-2")
POLICY_OFF = "world.deadlock_policy=off"


class Failure(Exception):
    """What a person has to be told."""


class Scores(NamedTuple):
    agents: int
    arrived: int
    last: float  # [s]
    c: float  # collisions of each
    t: float  # mean time of those who arrived [s]
    e: float  # mean effort [J/kg]

    def composite(self) -> float:
        return 50.0 * self.c + self.t + self.e


def run(command: list, *good: int) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode not in (0, *good):
        raise Failure(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def avoiding_models(program: str) -> list[str]:
    names = [line.split()[0] for line in run([program, "models"]).splitlines()[1:] if line]
    return [name for name in names if name not in NOT_AVOIDING]


def measure(program: str, case: str, model: str, folder: Path, *settings: str) -> Scores:
    recording = folder / "run.sqlite"
    command = [program, "run", CASES / f"{case}.toml", "--model", model, "-o", recording, "--force", "--every", "0.05",
               "--threads", "1", "--json", "--no-progress"]
    for setting in settings:
        command += ["--set", setting]
    summary = json.loads(run(command, 1))  # 1: an expectation is not met, which is a result too
    # Speeds over one step, not smoothed: the effort is that of the velocities that were walked.
    figures = json.loads(run([program, "analyze", recording, "--json", "--no-voronoi", "--frame-step", "1"]))
    agents = summary["agents"]
    return Scores(agents, summary["arrived"], summary["last_arrival"], 2.0 * figures["overlaps"]["contacts"] / agents,
                  summary["mean_travel_time"], figures["energy"]["mean"])


# ----------------------------------------------------------------------------------------------------------- the page

def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head)] + rows
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def read_expected_failures() -> dict[tuple[str, str], str]:
    lines = (CASES / "expected_failures.txt").read_text().splitlines()
    rows = [line.split(" | ", 2) for line in lines if line and not line.startswith("#")]
    return {(case, model): reason for case, model, reason in rows}


def mark(text: str, failed: bool) -> str:
    return f"**{text}**" if failed else text


def per_model(scores: dict, cases: list[str], models: list[str], failed: dict, show) -> str:
    rows = [[case] + [mark(show(scores[case, model]), (case, model) in failed) for model in models] for case in cases]
    return table(["case"] + [f"`{model}`" for model in models], rows)


def time_cell(s: Scores) -> str:
    return f"{s.t:.1f}" if s.arrived == s.agents else f"{s.arrived} of {s.agents}"


def effort_cell(s: Scores) -> str:
    return f"{s.e:.1f}" if s.arrived == s.agents else "-"


def summary_table(scores: dict, cases: list[str], models: list[str], failed: dict) -> tuple[str, int]:
    comparable = [case for case in cases if all(scores[case, m].arrived == scores[case, m].agents for m in models)]
    rows = []
    for model in models:
        passed = sum((case, model) not in failed for case in cases)
        own = [scores[case, model] for case in comparable]
        columns = zip(*((s.c, s.t, s.e, s.composite()) for s in own))
        mean = [sum(column) / len(own) for column in columns] or [float("nan")] * 4
        rows.append([f"`{model}`", f"{passed} of {len(cases)}"] + [f"{value:.2f}" for value in mean])
    return table(["model", "passed", "c", "t [s]", "e [J/kg]", "S = 50 c + t + e"], rows), len(comparable)


def stand_off_cell(on: Scores, off: Scores) -> str:
    def one(s: Scores) -> str:
        return f"{s.last:.1f}" if s.arrived == s.agents else f"{s.arrived} of {s.agents}"

    return f"{one(on)} / {one(off)}"


PAGE = """# Steering cases

<!-- Made by `tools/steering_table.py`, which runs the cases. Do not edit. -->

A few people who meet, cross or stand in each other's way, after [SteerBench09]: each case is a short scenario file in
`tests/scenarios/steering/`, and `sidestep run FILE --model MODEL` repeats it. Bodies of 0.5 m radius set out from rest
at 1.3 m/s where the file has no other speed; they look 4 s ahead, 2 s at walls, and 10 m far; the step is 0.05 s.

Everybody has to arrive, without a touch deeper than 1 mm, within the bound of the file or within a quarter more than
the straight way takes and 2 s. What does not is **bold** below; why is said in
[expected_failures.txt](../tests/scenarios/steering/expected_failures.txt), which the tests hold to be complete: a case
that fails and is not listed, or is listed and passes, is an error.

- c: collisions of each, one from touch to release;
- t: mean time to the goal; where not all arrive, how many do;
- e: effort, the integral of 2.23 + 1.26 v^2 over the way there, per kilogram [PLE10].

## Models

Means are over the {comparable} cases in which everybody arrives with every model.

{summary}
## Time to the goal t [s]

{times}
## Effort e [J/kg]

{efforts}
## Collisions c

Only cases in which bodies touch.

{collisions}
## Stand-offs

When the last one arrives [s], or how many do, with the policy against deadlock / with
`--set {policy_off}`. These are the cases as written, exactly symmetric where they can be; the tests repeat them with 20
seeds that give the agents other ids and move their starts by up to 0.1 mm.

{stand_offs}"""


def make_page(scores: dict, off: dict, cases: list[str], models: list[str]) -> str:
    failed = read_expected_failures()
    touching = [case for case in cases if any(scores[case, model].c > 0.0 for model in models)]
    summary, comparable = summary_table(scores, cases, models, failed)
    rows = [[case] + [stand_off_cell(scores[case, model], off[case, model]) for model in models]
            for case in cases if case in STAND_OFFS]
    return PAGE.format(policy_off=POLICY_OFF, comparable=comparable, summary=summary,
                       times=per_model(scores, cases, models, failed, time_cell),
                       efforts=per_model(scores, cases, models, failed, effort_cell),
                       collisions=per_model(scores, touching, models, failed, lambda s: f"{s.c:.2f}"),
                       stand_offs=table(["case"] + [f"`{model}`" for model in models], rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/sidestep"), help="the program to run")
    parser.add_argument("--case", action="append", help="only this case; repeatable")
    parser.add_argument("--models", type=lambda text: text.split(","), help="only these, separated by commas")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/steering.md", help="the page to write")
    args = parser.parse_args()
    try:
        models = args.models or avoiding_models(args.program)
        cases = args.case or sorted(path.stem for path in CASES.glob("*.toml"))
        scores, off = {}, {}
        with tempfile.TemporaryDirectory() as folder:
            for case in cases:
                for model in models:
                    scores[case, model] = measure(args.program, case, model, Path(folder))
                    if case in STAND_OFFS:
                        off[case, model] = measure(args.program, case, model, Path(folder), POLICY_OFF)
                print(case, file=sys.stderr)
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    args.page.write_text(make_page(scores, off, cases, models))
    return 0


if __name__ == "__main__":
    sys.exit(main())
