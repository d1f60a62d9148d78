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
        run = {"scene": "circle-1k-jitter", "model": "orca", "count": 0, "until": 600.0, "agents": 1000,
               "arrived": 1000, "last_arrival": 250.4, "overlap_pairs_per_frame": 160.0, "deepest_overlap": 0.4,
               "us_per_update": 0.25, "median_progress": 1.0, "isa": "avx2"}
        with self.results.open("w") as file:
            file.write(json.dumps({**run, "seed": 1}) + "\n")
            file.write(json.dumps({**run, "seed": 2, "arrived": 998, "last_arrival": 300.0}) + "\n")
        done = self.compare("--no-runs")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.row("`orca`"), ["2", "998 to 1000", "1 of 2", "250 to 300", "160.00", "0.40", "0.25"])

    def test_what_cannot_be_run_is_told(self):
        for models, word in (("quantum", "quantum"), ("seek+magic", "magic"), ("Seek!", "is no model such as")):
            done = self.shuttle(models)
            self.assertEqual(done.returncode, 1, models)
            self.assertIn(word, done.stderr)
            self.assertFalse(self.page.exists())
        self.assertEqual(self.compare("--seeds", "one").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
