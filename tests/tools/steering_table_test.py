#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/steering_table.py: steering_table_test.py PROGRAM."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]
TOOL = Path(__file__).resolve().parents[2] / "tools" / "steering_table.py"


class SteeringTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = Path(folder.name) / "page.md"

    def make(self, *arguments):
        command = [sys.executable, TOOL, "--program", PROGRAM, "--page", self.page, *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def rows(self, heading):
        """The cells of the table below a heading, by the first of each row."""
        lines = self.page.read_text().split(f"## {heading}\n")[1].split("\n## ")[0].splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        return {row[0]: row[1:] for row in cells}

    def test_measures_time_effort_and_collisions(self):
        done = self.make("--case", "steer-simple-2", "--case", "steer-crossing-5", "--models", "orca,vo")
        self.assertEqual(done.returncode, 0, done.stderr)
        # 11 m less the reach of the goal at 1.3 m/s, seen at the end of a step; 2.23 + 1.26 * 1.3^2 W/kg.
        time = 8.3
        self.assertEqual(self.rows("Time to the goal t [s]")["steer-simple-2"], [str(time)] * 2)
        effort = float(self.rows("Effort e [J/kg]")["steer-simple-2"][0])
        self.assertAlmostEqual(effort, (2.23 + 1.26 * 1.69) * time, delta=0.3)
        # Two who touch once have one collision each; what fails by the list is bold.
        self.assertEqual(self.rows("Collisions c"), {"case": ["`orca`", "`vo`"], "---": ["---"] * 2,
                                                     "steer-crossing-5": ["0.00", "**1.00**"]})
        self.assertEqual(self.rows("Models")["`vo`"][0], "1 of 2")

    def test_compares_stand_offs_with_and_without_the_policy(self):
        done = self.make("--case", "steer-circle-20", "--models", "orca")
        self.assertEqual(done.returncode, 0, done.stderr)
        with_policy, without = self.rows("Stand-offs")["steer-circle-20"][0].split(" / ")
        self.assertLess(float(with_policy), 60.0)
        self.assertEqual(without, "0 of 20")

    def test_what_cannot_be_run_is_told(self):
        for arguments, word in ((("--case", "steer-moonwalk"), "moonwalk"), (("--models", "quantum"), "quantum")):
            done = self.make(*arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(word, done.stderr)
            self.assertFalse(self.page.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
