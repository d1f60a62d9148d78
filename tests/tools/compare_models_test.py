#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/compare_models.py: compare_models_test.py PROGRAM."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]
TOOL = Path(__file__).resolve().parents[2] / "tools" / "compare_models.py"


class CompareModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = Path(folder.name) / "results.jsonl"
        self.page = Path(folder.name) / "page.md"

    def compare(self, *arguments):
        command = [sys.executable, TOOL, "--program", PROGRAM, "--results", self.results, "--page", self.page,
                   "--machine", "a machine", *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def shuttle(self, models, *more):
        return self.compare("--scene", "back-and-forth", "--models", models, "--agents", "10,20", "--seeds", "1-2",
                            "--until", "5", *more)

    def row(self, name):
        """The cells of the first row of the page that has this name."""
        for line in self.page.read_text().splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if cells[0] == name:
                return cells[1:]
        return None

    def kept(self):
        return [json.loads(line) for line in self.results.read_text().splitlines()]

    def crowd(self, scene="circle-1k-jitter", **values):
        """A result as a line of the file of results."""
        run = {"scene": scene, "model": "orca", "count": 0, "until": 600.0, "agents": 1000, "arrived": 1000,
               "last_arrival": 250.4, "overlap_pairs_per_frame": 160.0, "deepest_overlap": 0.4, "us_per_update": 0.25,
               "median_progress": 1.0, "isa": "avx2", "seed": 1}
        return json.dumps({**run, **values}) + "\n"

    def test_runs_what_it_is_asked_for_and_writes_means_over_seeds(self):
        done = self.shuttle("seek,social_force:strength=3+orca")
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = self.kept()
        self.assertEqual(len(kept), 2 * 2 * 2)
        for model in ("seek", "social_force:strength=3+orca"):
            for column, count in enumerate((10, 20)):
                pairs = [run["overlap_pairs_per_frame"] for run in kept
                         if (run["model"], run["agents"]) == (model, count)]
                self.assertEqual(len(pairs), 2)
                self.assertEqual(self.row(f"`{model}`")[column], f"{sum(pairs) / 2:.2f}")
        self.assertGreater(float(self.row("`seek`")[1]), 0.0)
        self.assertEqual(self.row("`seek`")[2], "")  # 30 were not run
        self.assertEqual(self.row("[CP09], plain steering")[7], "about 16")
        self.assertEqual(self.row("RVO2")[4], "143 to 193")

    def test_runs_with_solid_bodies_keep_other_settings(self):
        done = self.shuttle("clearpath:variant=1@solid,seek+orca@solid,seek@solid")
        self.assertEqual(done.returncode, 0, done.stderr)
        for model in ("clearpath:variant=1@solid", "seek+orca@solid", "seek@solid"):
            self.assertEqual(self.row(f"`{model}`")[:2], ["0.00", "0.00"])

    def test_runs_with_the_deadlock_policy_differ_once_people_stall(self):
        done = self.compare("--scene", "four-streams", "--models", "orca,orca@policy", "--seeds", "1", "--until", "60")
        self.assertEqual(done.returncode, 0, done.stderr)
        alone, helped = self.kept()
        self.assertNotEqual(alone["state_hash"], helped["state_hash"])
        self.assertEqual(self.row("`orca@policy`")[0], "1")

    def test_the_page_says_which_rows_keep_clearpath_below_its_bound(self):
        def pairs(model, *values):
            return "".join(self.crowd("back-and-forth", model=model, count=10 * (i + 1), until=120.0,
                                      overlap_pairs_per_frame=value) for i, value in enumerate(values))
        self.results.write_text(pairs("seek", 0.0, 0.0) + pairs("clearpath", 0.05, 0.054, *[0.0] * 8) +
                                pairs("clearpath:variant=1", 0.0, 0.06, 0.0) + pairs("seek+clearpath", 0.4) +
                                pairs("clearpath-safe@solid", 0.0, 0.0))
        done = self.compare("--no-runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = self.page.read_text().splitlines()
        self.assertIn("`clearpath`; `clearpath:variant=1` up to 10 people; `clearpath-safe@solid` up to 20 people; "
                      "`seek+clearpath` with no number of people.", lines)
        self.assertEqual(lines[lines.index("The bound of 0.05 pairs per frame is kept here by:") + 1], "none.")

    def test_a_later_run_takes_the_place_of_an_earlier_one(self):
        self.assertEqual(self.shuttle("seek").returncode, 0)
        before = self.row("`seek`")
        lines = self.kept()
        with self.results.open("a") as file:
            for line in lines:
                file.write(json.dumps({**line, "overlap_pairs_per_frame": 77.0}) + "\n")
        self.assertEqual(self.compare("--no-runs").returncode, 0)
        self.assertEqual(self.row("`seek`")[:2], ["77.00", "77.00"])
        self.assertEqual(self.shuttle("seek").returncode, 0)
        self.assertEqual(self.row("`seek`"), before)

    def test_ranges_over_the_seeds_of_a_crowd(self):
        self.results.write_text(self.crowd() + self.crowd(seed=2, arrived=998, last_arrival=300.0))
        done = self.compare("--no-runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row("`orca`"), ["2", "998 to 1000", "1 of 2", "250 to 300", "160.00", "0.40", "0.25"])

    def test_rows_without_results_are_kept(self):
        shipped = (TOOL.parents[1] / "docs" / "compared.md").read_text()
        self.page.write_text(shipped)
        done = self.compare("--no-runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.page.read_text(), shipped)
        # Results of one model with one number of people, run as all others were, change its cells alone.
        with self.results.open("w") as file:
            for seed in (1, 2, 3):
                file.write(self.crowd("back-and-forth", model="clearpath", count=30, until=120.0, seed=seed,
                                      overlap_pairs_per_frame=77.0, median_progress=0.55))
        done = self.compare("--no-runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        before, after = shipped.splitlines(), self.page.read_text().splitlines()
        changed = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        told = [(before[i], after[i]) for i in changed if after[i].startswith("|")]
        self.assertEqual(len(told), 2, told)
        for (old, new), value in zip(told, ("77.00", "0.55")):
            cells = old.split("|")
            cells[4] = f" {value} "
            self.assertEqual(new, "|".join(cells))
        # The machine is that of times, which are in other tables; what else differs is who keeps the bound.
        self.assertEqual(len(changed), 3)
        self.assertIn("`clearpath` up to 20 people", after[[i for i in changed if not after[i].startswith("|")][0]])
        # Times of one model by another machine: the page tells of both.
        self.results.write_text("".join(self.crowd(model="vo", seed=seed) for seed in range(1, 6)))
        done = self.compare("--no-runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("or a machine (avx2)", self.page.read_text())

    def test_a_new_model_joins_the_rows_that_are_there(self):
        self.results.write_text(self.crowd() + self.crowd(model="vo", arrived=9))
        self.assertEqual(self.compare("--no-runs").returncode, 0)
        self.results.write_text(self.crowd(model="rvo:chooser=sampled", arrived=7) + self.crowd(model="rvo"))
        self.assertEqual(self.compare("--no-runs").returncode, 0)
        names = [line.split("|")[1].strip() for line in self.page.read_text().splitlines()
                 if line.startswith("| `")]
        self.assertEqual(names, ["`vo`", "`rvo`", "`orca`", "`rvo:chooser=sampled`"])
        self.assertEqual((self.row("`vo`")[1], self.row("`rvo:chooser=sampled`")[1]), ("9", "7"))

    def test_rows_that_were_run_otherwise_are_not_mixed_in(self):
        self.results.write_text(self.crowd() + self.crowd(model="vo"))
        self.assertEqual(self.compare("--no-runs").returncode, 0)
        page = self.page.read_text()
        for name, other in (("seeds", {"seed": 2}), ("until", {"until": 60.0})):
            for where in ("page", "results"):
                with self.subTest(f"{name} of {where}"):
                    vo = self.crowd(model="vo") if where == "results" else ""
                    self.results.write_text(self.crowd(**other) + vo)
                    done = self.compare("--no-runs")
                    self.assertEqual(done.returncode, 1)
                    self.assertTrue(done.stderr.startswith("error: "), done.stderr)
                    for part in ("circle-1k-jitter", "600 s", "seeds 1", "run"):
                        self.assertIn(part, done.stderr)
                    self.assertEqual(self.page.read_text(), page)
        # All of them anew: nothing is left to be mixed.
        self.results.write_text(self.crowd(seed=2) + self.crowd(model="vo", seed=2))
        self.assertEqual(self.compare("--no-runs").returncode, 0)
        self.assertIn("seeds 2:", self.page.read_text())

    def test_a_page_of_another_making_is_not_written_over(self):
        self.page.write_text("mine")
        self.results.write_text(self.crowd())
        done = self.compare("--no-runs")
        self.assertEqual((done.returncode, self.page.read_text()), (1, "mine"))
        self.assertIn("is not a page of this tool", done.stderr)
        self.page.unlink()
        self.results.unlink()
        done = self.compare("--no-runs")
        self.assertEqual((done.returncode, self.page.exists()), (1, False))
        self.assertIn("no results", done.stderr)

    def test_what_cannot_be_run_is_told(self):
        for models, word in (("quantum", "quantum"), ("seek+magic", "magic"), ("Seek!", "is no model such as")):
            done = self.shuttle(models)
            self.assertEqual(done.returncode, 1, models)
            self.assertIn(word, done.stderr)
            self.assertFalse(self.page.exists())
        self.assertEqual(self.compare("--seeds", "one").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
