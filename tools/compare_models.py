#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Runs scenes with several models and writes the tables of docs/compared.md.

    tools/compare_models.py                                        everything, then the page
    tools/compare_models.py --scene circle-1k-jitter --models orca,rvo:chooser=sampled --seeds 1-5
    tools/compare_models.py --no-runs                              the page again, from the results that are there

A model is NAME, with values of its own NAME:key=value and with avoidance as a filter NAME+FILTER, as in
social_force+orca; NAME@solid has solid bodies and NAME@policy the deadlock policy. Each run is kept in the file of
results as one line of JSON, and a later one takes the place of an earlier one of the same scene, model, seed and number
of agents: parts can be run again. The page is made of all results for which a table has a row; rows of the page that is
there are kept where there are no results, if they were run with the same seeds and as long. Nothing but Python's
standard library is used.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

CROWD_MODELS = ("vo", "rvo", "orca", "rcap", "personality", "clearpath", "clearpath:overlap_wish=stand",
                "clearpath-safe", "orca@solid", "clearpath@solid", "clearpath-safe@solid", "vo@policy", "rvo@policy",
                "orca@policy", "rcap@policy", "personality@policy", "clearpath@policy", "clearpath-safe@policy")
COUNTS = tuple(range(10, 101, 10))
SHUTTLE_MODELS = ("seek", "social_force", "social_force+clearpath", "clearpath", "clearpath:variant=1",
                  "clearpath-safe", "orca", "social_force+clearpath@solid", "clearpath@solid",
                  "clearpath:variant=1@solid", "clearpath-safe@solid", "orca@solid")


class Scene(NamedTuple):
    models: tuple[str, ...]
    seeds: tuple[int, ...]
    counts: tuple[int, ...]  # of agents; 0: as the file has them
    until: float  # [s]


SCENES = {
    "back-and-forth": Scene(SHUTTLE_MODELS, (1, 2, 3), COUNTS, 120.0),
    "back-and-forth-tight": Scene(SHUTTLE_MODELS, (1, 2, 3), COUNTS, 120.0),
    "circle-1k-jitter": Scene(CROWD_MODELS, (1, 2, 3, 4, 5), (0,), 600.0),
    "four-streams": Scene(CROWD_MODELS, (1,), (0,), 600.0),
}
# What is kept of a run's summary.
KEPT = ("agents", "arrived", "last_arrival", "sim_time", "overlap_pairs_per_frame", "deepest_overlap", "us_per_update",
        "stalls", "median_progress", "wall_penetrations", "infeasible_programs", "isa", "state_hash")
# RVO2 with the same settings, measured elsewhere: (pairs per frame, time of the last [s], arrived, us per update).
RVO2 = {"circle-1k-jitter": ("143 to 193", "250 to 350", "", "0.7"),
        "four-streams": ("466", "", "1978", "")}


class Failure(Exception):
    """What a person has to be told."""


def read_seeds(text: str) -> tuple[int, ...]:
    """'1-3,7' is 1, 2, 3, 7."""
    seeds = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part.strip())
        if not match:
            raise argparse.ArgumentTypeError(f"'{text}' is no list of whole numbers such as 1-5 or 1,2,7")
        first = int(match[1])
        seeds.extend(range(first, int(match[2] or first) + 1))
    return tuple(seeds)


def model_arguments(model: str) -> list[str]:
    """Arguments of `sidestep run` for a model written as above."""
    match = re.fullmatch(r"([a-z_-]+)((?::[a-z_]+=[^:+@]+)*)(?:\+([a-z-]+))?(@solid|@policy)?", model)
    if not match:
        raise Failure(f"'{model}' is no model such as orca, rvo:chooser=sampled, social_force+orca or orca@solid")
    arguments = ["--model", match[1]]
    for key, suffix in (("solid_bodies", "@solid"), ("deadlock_policy", "@policy")):
        arguments += ["--set", f"world.{key}={'on' if match[4] == suffix else 'off'}"]
    settings = [part for part in match[2].split(":") if part]
    if match[3]:
        settings.append(f"filter={match[3]}")
    for setting in settings:
        arguments += ["--set", f"profiles.default.{setting}"]
    return arguments


def run_one(program: str, scene: str, model: str, seed: int, count: int, until: float) -> dict:
    command = [program, "run", scene, "--seed", str(seed), "--until", f"{until:g}", "--threads", "1", "--json",
               "--no-progress"] + model_arguments(model)
    if count:
        command += ["--set", f"agents={count}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: an expectation of the scene is not met, which is a result too
        raise Failure(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    summary = json.loads(done.stdout)
    result = {"scene": scene, "model": model, "seed": seed, "count": count, "until": until}
    result.update({key: summary[key] for key in KEPT})
    return result


def describe(result: dict) -> str:
    return (f"{result['scene']} {result['model']}, {result['agents']} agents, seed {result['seed']}: "
            f"{result['overlap_pairs_per_frame']:.2f} pairs per frame, {result['arrived']} arrived by "
            f"{result['last_arrival']:.1f} s, {result['us_per_update']:.2f} us per update")


def key_of(result: dict) -> tuple:
    return tuple(result[key] for key in ("scene", "model", "seed", "count"))


def read_results(path: Path) -> dict[tuple, dict]:
    if not path.exists():
        return {}
    results = (json.loads(line) for line in path.read_text().splitlines() if line)
    return {key_of(result): result for result in results}


def run_all(args: argparse.Namespace, out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    for name in args.scene or SCENES:
        scene = SCENES[name]
        for model in args.models or scene.models:
            for count in args.agents or scene.counts:
                for seed in args.seeds or scene.seeds:
                    result = run_one(args.program, name, model, seed, count, args.until or scene.until)
                    with out.open("a") as file:
                        file.write(json.dumps(result) + "\n")
                    print(describe(result), file=sys.stderr)


# ----------------------------------------------------------------------------------------------------------- the page

def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head)] + rows
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def spread(values: list[float], form: str) -> str:
    """'143 to 193', or one number where they look alike."""
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low} to {high}"


def of(results: list[dict], key: str) -> list[float]:
    return [result[key] for result in results]


def pick(results: dict[tuple, dict], scene: str, model: str, count: int) -> list[dict]:
    return [result for result in results.values()
            if (result["scene"], result["model"], result["count"]) == (scene, model, count)]


def shown_models(results: dict[tuple, dict], scene: str) -> list[str]:
    """Those that were run: first in the order of the table, then the others."""
    ran = {result["model"] for result in results.values() if result["scene"] == scene}
    usual = [model for model in SCENES[scene].models if model in ran]
    return usual + sorted(ran - set(usual))


def shuttle_rows(results: dict[tuple, dict], scene: str, key: str) -> list[list[str]]:
    """For each model the mean over the seeds, by number of people."""
    rows = []
    for model in shown_models(results, scene):
        cells = [of(pick(results, scene, model, count), key) for count in COUNTS]
        rows.append([f"`{model}`"] + [f"{sum(cell) / len(cell):.2f}" if cell else "" for cell in cells])
    return rows


def shuttle_table(results: dict[tuple, dict], scene: str) -> str:
    rows = shuttle_rows(results, scene, "overlap_pairs_per_frame")
    for name, at_80 in (("[CP09], plain steering", "about 16"), ("[CP09], with ClearPath", "0")):
        rows.append([name] + [at_80 if count == 80 else "" for count in COUNTS])
    return table(["overlapping pairs per frame"] + [str(count) for count in COUNTS], rows)


BOUND = 0.05  # pairs per frame


def bound_words(text: str) -> str:
    """Which rows with ClearPath of a table of overlaps keep the bound, and how far those go that do not."""
    (_, *counts), *rows = read_table(text)
    always, partly = [], []
    for name, *cells in rows:
        if not name.startswith("`") or "clearpath" not in name:
            continue
        known = [(count, float(cell)) for count, cell in zip(counts, cells) if cell]
        above = next((i for i, (_, pairs) in enumerate(known) if pairs > BOUND), len(known))
        if above == len(counts):
            always.append(name)
        else:
            partly.append(f"{name} up to {known[above - 1][0]} people" if above else f"{name} with no number of people")
    return "; ".join(([", ".join(always)] if always else []) + partly) or "none"


def progress_table(results: dict[tuple, dict], scene: str) -> str:
    rows = shuttle_rows(results, scene, "median_progress")
    return table(["way made good"] + [str(count) for count in COUNTS], rows)


def crowd_table(results: dict[tuple, dict], scene: str) -> str:
    rows = []
    for model in shown_models(results, scene):
        runs = pick(results, scene, model, 0)
        if not runs:
            continue
        whole = [run for run in runs if run["arrived"] == run["agents"]]
        rows.append([f"`{model}`", str(len(runs)), spread(of(runs, "arrived"), "d"), f"{len(whole)} of {len(runs)}",
                     spread(of(runs, "last_arrival"), ".0f"), spread(of(runs, "overlap_pairs_per_frame"), ".2f"),
                     spread(of(runs, "deepest_overlap"), ".2f"), spread(of(runs, "us_per_update"), ".2f")])
    pairs, last, arrived, cost = RVO2[scene]
    rows.append(["RVO2", "", arrived, "", last, pairs, "", cost])
    head = ["model", "runs", "arrived", "runs in which all did", "last arrival [s]", "overlapping pairs per frame",
            "deepest overlap [m]", "CPU us per update"]
    return table(head, rows)


PAGE = """# Models compared

<!-- Made by `tools/compare_models.py`, which runs the scenes and keeps the results; `--no-runs` writes the page again
from what is kept. Do not edit. -->

Each run is `sidestep run SCENE --model MODEL --seed N --threads 1 --set world.deadlock_policy=off
--set world.solid_bodies=off`: what the models do by themselves; `NAME@solid` has [solid bodies](solid.md),
`NAME@policy` the [deadlock policy](stalls.md), which worlds have by default. `NAME:key=value` sets a parameter of the
model and `NAME+FILTER` the trait `filter`; `clearpath` is ClearPath-2. Two bodies overlap where their centres are
nearer than the sum of their radii less 1 mm; pairs are counted in every step and divided by the number of steps. Single
runs of dense crowds are chaotic: look at the range over the seeds, not at the last digit. CPU time is that of the step
without navigation, on one core of {machine}{isas}, whatever else it had to do.

## Back and forth

`back-and-forth`: N people shuttle in a hall of 40 m x 10 m for {shuttle_until} s; mean of seeds {shuttle_seeds}. `seek`
avoids nobody, `social_force` steers by forces, and a filter is avoidance added to it. The figures of [CP09] are for 80
people in a box of unknown size.

{shuttle}
What ClearPath is held to, at most 0.05 pairs per frame with any number of people, these rows keep (to two digits):
{shuttle_bound}.

What avoiding costs: the median of the way made good, over preferred speed times time. A crowd that stands still does
not overlap either.

{progress}
Both scenes are shipped with `solid_bodies = "avoiders"`, solid bodies of those who avoid by their model or a filter:
run as they are, `seek` and `social_force` have the rows without `@solid` and all others those with it. Then it is not
the model alone that keeps bodies apart: a stage of the engine stops whoever the model would let into somebody.

The same in `back-and-forth-tight`, a hall of 20 m x 5 m in which people turn a metre before the wall: 100 of them are
one person per square metre. {tight_until} s, seeds {tight_seeds}. Nobody's avoidance keeps so dense a crowd
apart; solid bodies do.

{tight}
The bound of 0.05 pairs per frame is kept here by:
{tight_bound}.

{tight_progress}
## Circle of 1,000

`circle-1k-jitter`, to the last arrival or {circle_until} s, seeds {circle_seeds}: each has another jitter. The ideal
time is 154 s. RVO2 had the same settings; its arrival times differ as much between equal programs.

{circle}
## Four streams

`four-streams`: 2,000 people, to the last arrival or {streams_until} s, seeds {streams_seeds}. Whoever has arrived
stands, and may stand in the way: with RVO2 22 stay stuck.

{streams}
What the models leave here is for an answer to deadlock, which none of them has: in `four-streams` those who are missing
stand before others who have arrived or who face them, and nobody gives way; in `circle-1k-jitter` most overlaps come
from the minute in which all of them meet in the middle and push, because each wants to go on however full it is. The
deadlock policy lets people step back, give way and go round. What it may still improve: nobody waits outside a middle
that is full, so that orca has as many overlaps in the circle with it as without; whom it frees in `four-streams` pushes
through those who stand, with more overlaps; and `rcap` arrives because it gives up personal space, and overlaps more
for it. [stalls.md](stalls.md) has the policy and its other limits."""


def machine_name() -> str:
    try:
        match = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        match = None
    return match[1].strip() if match else "an unknown processor"


class Facts(NamedTuple):
    """How the rows of a scene were run, in the words of the page."""
    until: str
    seeds: str


SHORT = {"shuttle": "back-and-forth", "tight": "back-and-forth-tight", "circle": "circle-1k-jitter",
         "streams": "four-streams"}


def facts_of(results: dict[tuple, dict], scene: str) -> Facts | None:
    """None without runs. All models and numbers of people have to have been run alike."""
    cells: dict[tuple, list[dict]] = {}
    for result in results.values():
        if result["scene"] == scene:
            cells.setdefault((result["model"], result["count"]), []).append(result)
    found: dict[Facts, str] = {}
    for (model, count), runs in cells.items():
        facts = Facts(" or ".join(f"{end:g}" for end in sorted(set(of(runs, "until")))),
                      ", ".join(map(str, sorted(of(runs, "seed")))))
        found.setdefault(facts, f"{model}{f' with {count} agents' if count else ''}")
    if len(found) > 1 or any(" or " in facts.until for facts in found):
        listed = "; ".join(f"{name}: {facts.until} s, seeds {facts.seeds}" for facts, name in found.items())
        raise Failure(f"the results of {scene} were not all run alike ({listed}): run what differs again")
    return next(iter(found), None)


TABLE_LINES = r"(?:\|.*\n)+"


def read_page(path: Path) -> dict[str, str]:
    """What stands at each place of PAGE; nothing if there is no such file."""
    if not path.exists():
        return {}
    table_names = ("shuttle", "progress", "tight", "tight_progress", "circle", "streams")

    def place(found: re.Match) -> str:
        return f"(?P<{found[1]}>{TABLE_LINES if found[1] in table_names else '.*?'})"

    pattern = re.sub(r"\\\{(\w+)\\\}", place, re.escape(PAGE))
    match = re.fullmatch(pattern, path.read_text())
    if not match:
        raise Failure(f"{path} is not a page of this tool as it is now: its rows cannot be kept. Delete it first")
    return match.groupdict()


def read_table(text: str) -> list[list[str]]:
    """Cells of its rows, the head first."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line]
    return rows[:1] + rows[2:]


def merge(fresh: str, old: str, scene: str, by_cell: bool) -> tuple[str, bool]:
    """The fresh table with those rows, or cells, of the old one for which it has none; and whether there are any."""
    (head, *rows), old_rows = read_table(fresh), read_table(old)[1:]
    known = {row[0]: row for row in rows}
    kept = False
    for row in old_rows:
        mine = known.get(row[0])
        if mine is None:
            known[row[0]] = row
            kept = True
        elif by_cell:
            known[row[0]] = [new or before for new, before in zip(mine, row)]
            kept = kept or known[row[0]] != mine
    usual = [f"`{model}`" for model in SCENES[scene].models]

    def place(name: str) -> tuple:  # as shown_models has it; what others measured comes last
        return (not name.startswith("`"), usual.index(name) if name in usual else len(usual))

    others = [row[0] for row in rows if not row[0].startswith("`")]
    names = sorted((name for name in known if name.startswith("`")), key=lambda name: (place(name), name))
    return table(head, [known[name] for name in names + others]), kept


def make_page(results: dict[tuple, dict], machine: str, old: dict[str, str]) -> str:
    timed = [result for result in results.values() if result["scene"] in RVO2]  # only these tables have times
    isas = sorted({result["isa"] for result in timed or results.values()})
    values = {"machine": machine, "isas": f" ({', '.join(isas)})" if isas else ""}
    any_kept = False
    for short, scene in SHORT.items():
        is_crowd = scene in RVO2
        tables = {short: crowd_table(results, scene)} if is_crowd else {
            short: shuttle_table(results, scene),
            {"shuttle": "progress", "tight": "tight_progress"}[short]: progress_table(results, scene)}
        facts, kept = facts_of(results, scene), False
        for name, fresh in tables.items():
            values[name], from_old = merge(fresh, old[name], scene, not is_crowd) if old else (fresh, False)
            kept = kept or from_old
        if not is_crowd:
            values[f"{short}_bound"] = bound_words(values[short])
        before = Facts(old[f"{short}_until"], old[f"{short}_seeds"]) if old else Facts("", "")
        if facts and kept and facts != before:
            raise Failure(f"the page has rows of {scene} that were run for {before.until} s with seeds {before.seeds}, "
                          f"and there are results only of others, for {facts.until} s with seeds {facts.seeds}: "
                          "run all of them alike, or write another --page")
        values[f"{short}_until"], values[f"{short}_seeds"] = facts or before
        any_kept = any_kept or (kept and is_crowd)
    where = values["machine"] + values["isas"]
    if any_kept and (not timed or where != old["machine"] + old["isas"]):
        values["machine"], values["isas"] = old["machine"] + old["isas"], f" or {where}" if timed else ""
    return PAGE.format(**values)


def main() -> int:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(root / "build/release/sidestep"), help="the program to run")
    parser.add_argument("--scene", action="append", choices=SCENES, help="only this scene; repeatable")
    parser.add_argument("--models", type=lambda text: tuple(text.split(",")), help="only these, separated by commas")
    parser.add_argument("--seeds", type=read_seeds, help="such as 1-5 or 1,2,7")
    parser.add_argument("--agents", type=read_seeds, help="of back-and-forth, such as 80 or 10,20")
    parser.add_argument("--until", type=float, help="simulated seconds")
    parser.add_argument("--results", type=Path, default=root / "build/compared.jsonl", help="where runs are kept")
    parser.add_argument("--page", type=Path, default=root / "docs/compared.md", help="the page to write")
    parser.add_argument("--machine", default=machine_name(), help="its name on the page")
    parser.add_argument("--no-runs", action="store_true", help="only write the page")
    args = parser.parse_args()
    try:
        if not args.no_runs:
            run_all(args, args.results)
        results, old = read_results(args.results), read_page(args.page)
        if not results and not old:
            raise Failure(f"there are no results in {args.results}, and no page {args.page} to keep")
        page = make_page(results, args.machine, old)
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    args.page.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
