#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The command explain and its drawing: explain_test.py PROGRAM."""

import contextlib
import json
import math
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

PROGRAM = sys.argv[1]

# Somebody leaves after some seconds, somebody stays, and others come.
SOURCE = """
format = 1
[world]
duration = 20
[[floors]]
box = [0, 0, 10, 4]
[[goals]]
name = "out"
line = [[10, 1], [10, 3]]
[[agents]]
position = [9, 2]
exit = "out"
[[agents]]
position = [1, 3.5]
{more}
"""
COMERS = """
[[sources]]
area = { box = [0.5, 0.5, 2, 2] }
rate = 0.5
exit = "out"
"""
# Six close in on somebody from all sides, each from a little farther than the one before.
CRUSH = """
format = 1
[world]
duration = 5
[[floors]]
box = [-20, -20, 20, 20]
[[goals]]
name = "east"
line = [[9, -1], [9, 1]]
[[agents]]
position = [0, 0]
velocity = [1, 0]
goal = "east"
""" + "".join(f"""
[[agents]]
position = [{r * math.cos(a):.4f}, {r * math.sin(a):.4f}]
velocity = [{-3 * r * math.cos(a):.4f}, {-3 * r * math.sin(a):.4f}]
""" for a, r in ((math.radians(60 * i), 0.41 + 0.005 * i) for i in range(6)))


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def explain(*arguments):
    done = run("explain", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, ""), done
    return json.loads(done.stdout)


class Explain(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def scene(self, more=""):
        file = self.path / "scene.toml"
        file.write_text(SOURCE.replace("{more}", more))
        return file

    def assert_refused(self, arguments, *parts):
        done = run("explain", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        self.assertIn("\nhint: ", done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_text_has_where_what_why_and_whom(self):
        done = run("explain", "two-head-on", "--agent", 0, "--at", 2)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("two-head-on, agent 0 at 2.00 s, orca\n", done.stdout)
        for word in ("position", "velocity", "preferred", "chosen", "reason", "neighbour", "is avoided", "agent 1",
                     "1 line"):
            self.assertIn(word, done.stdout)

    def test_it_tells_what_the_run_does(self):
        # Of every model: where the agent is, and the velocity of its next step.
        steps = ("--set", "world.step=0.05", "--set", "world.output=0.05")
        for model in ("orca", "vo", "rvo", "clearpath", "clearpath-safe", "seek"):
            with self.subTest(model):
                recording = self.path / f"{model}.sqlite"
                done = run("run", "rcap-fig10", "--model", model, "--until", 3, *steps, "-o", recording, "--quiet")
                self.assertIn(done.returncode, (0, 1))  # nobody arrives that early
                why = explain("rcap-fig10", "--model", model, "--agent", 2, "--at", 2.5, *steps)
                self.assertEqual(why["step"], 50)
                with contextlib.closing(sqlite3.connect(recording)) as rows:
                    places = rows.execute("SELECT pos_x, pos_y FROM trajectory_data WHERE id = 2 ORDER BY frame"
                                          ).fetchall()
                for axis in (0, 1):
                    self.assertAlmostEqual(why["position"][axis], places[50][axis], delta=1e-5)
                    moved = (places[51][axis] - places[50][axis]) / 0.05
                    self.assertAlmostEqual(why["chosen_velocity"][axis], moved, delta=1e-4)

    def test_the_first_step_has_the_wish_of_the_first_step(self):
        why = explain("two-head-on", "--agent", 0)
        self.assertEqual((why["step"], why["time"]), (0, 0.0))
        self.assertGreater(math.hypot(*why["preferred_velocity"]), 1.0)

    def test_cones_have_legs_of_length_one_and_the_choice_is_outside_of_them(self):
        why = explain("rcap-fig10", "--model", "rvo", "--agent", 0, "--at", 2)
        self.assertEqual(len(why["cones"]), 4)
        self.assertEqual({cone["id"] for cone in why["cones"]}, {other["id"] for other in why["neighbours"]})
        for cone in why["cones"]:
            for leg in ("left_direction", "right_direction"):
                self.assertAlmostEqual(math.hypot(*cone[leg]), 1.0, places=5)
            self.assertGreater(cone["arc_radius"], 0.0)
            apart = math.dist(why["chosen_velocity"], cone["arc_centre"])
            self.assertGreater(apart, cone["arc_radius"] - 1e-4)
        self.assertLessEqual(math.hypot(*why["chosen_velocity"]), why["max_speed"] + 1e-5)

    def test_a_filter_has_a_wish(self):
        why = explain("two-head-on", "--agent", 0, "--at", 2, "--model", "seek", "--set",
                      "profiles.default.filter=clearpath")
        self.assertEqual(why["model"], "seek, filter clearpath")
        self.assertLess(math.dist(why["wish"], why["preferred_velocity"]), 1e-6)
        self.assertGreater(math.dist(why["wish"], why["chosen_velocity"]), 0.01)

    def test_a_stall_has_a_clock_an_answer_and_whom_it_is_about(self):
        calm = explain("two-head-on", "--agent", 0, "--at", 2)["stall"]
        self.assertEqual(calm, {"clock": 0.0, "answer": "none", "whom": None, "wish": None})
        answers = set()
        for time in range(5, 13):
            why = explain("standing-crowd", "--agent", 2, "--at", time)
            stall = why["stall"]
            answers.add(stall["answer"])
            self.assertEqual(stall["whom"] is None, stall["answer"] == "none")
            self.assertEqual(stall["wish"] is None, stall["answer"] == "none")
            if stall["whom"] is not None:
                self.assertIn(f"agent {stall['whom']}", why["reason"])
        self.assertIn("side-step", answers)

    def test_what_is_given_up_is_told_alike_by_reason_tables_and_drawing(self):
        for model, shape in (("clearpath", "cone"), ("clearpath-safe", "line")):
            with self.subTest(model):
                file, drawing = self.path / "crush.toml", self.path / f"{model}.svg"
                file.write_text(CRUSH)
                arguments = (file, "--model", model, "--agent", 0, "--at", 0)
                done = run("explain", *arguments, "--svg", drawing)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                kept, listed = map(int, re.search(rf"not every {shape} leaves room: the nearest (\d+) of (\d+)",
                                                  done.stdout).groups())
                self.assertEqual(listed, 6)
                self.assertEqual(done.stdout.count("is avoided"), kept)
                self.assertEqual(done.stdout.count("is given up"), listed - kept)
                self.assertEqual(done.stdout.count(f"1 {shape}, given up"), listed - kept)
                self.assertIn(f"{shape} of an agent, given up ({listed - kept})", drawing.read_text())
                told = explain(*arguments)[f"{shape}s"]
                self.assertEqual(sum(one["given_up"] for one in told), listed - kept)

    def test_agents_that_are_not_there_are_told_from_those_that_never_are(self):
        self.assert_refused((self.scene(), "--agent", 7), "there is no such agent", "agents 0 to 1")
        self.assert_refused((self.scene(COMERS), "--agent", 0, "--at", 10), "no longer there at 10.00 s", "earlier")
        self.assert_refused((self.scene(COMERS), "--agent", 5), "has not come by 0.00 s", "later time")
        why = explain(self.scene(COMERS), "--agent", 3, "--at", 6)
        self.assertEqual(why["agent"], 3)

    def test_times_after_the_end_are_refused(self):
        self.assert_refused((self.scene(), "--agent", 1, "--at", 20), "the run ends at 20 s")
        self.assert_refused((self.scene(), "--agent", 1, "--at", 10), "is over after 0.80 s", "earlier")
        self.assert_refused(("two-head-on", "--agent", 0, "--at", 1e9), "the run ends at")
        self.assert_refused(("two-head-on", "--agent", 0, "--set", "world.duration=100", "--at", 99), "is over after")

    def test_bad_words_and_numbers_are_refused(self):
        self.assert_refused(("two-head-on", "--agent", -1), "--agent: -1")
        self.assert_refused(("two-head-on", "--agent", 0, "--model", "orka"), "no model 'orka'", "'orca'")
        self.assert_refused(("two-head-off", "--agent", 0), "'two-head-off'", "'two-head-on'")
        for arguments in ((), ("two-head-on",), ("two-head-on", "--agent", 0, "--at", -1),
                          ("two-head-on", "--agent", 0, "--at", "nan"),
                          ("two-head-on", "--agent", 0, "--svg", "drawing.png")):
            done = run("explain", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("error: ", done.stderr)

    def test_quiet_leaves_errors_and_json(self):
        done = run("explain", "two-head-on", "--agent", 0, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(run("explain", "two-head-on", "--agent", 0, "--quiet", "--json").stdout,
                         run("explain", "two-head-on", "--agent", 0, "--json").stdout)

    def test_the_drawing_is_whole_equal_every_time_and_replaced_only_with_force(self):
        for model in ("orca", "vo", "rvo", "clearpath", "clearpath-safe", "personality", "rcap"):
            with self.subTest(model):
                file = self.path / f"{model}.svg"
                call = ("rcap-fig10", "--agent", 1, "--at", 2, "--model", model, "--svg", file)
                self.assertEqual(explain(*call)["drawing"], str(file))
                first = file.read_bytes()
                words = "".join(ElementTree.fromstring(first).itertext())
                self.assertIn(f"agent 1 at 2.00 s, {model}", words)
                self.assert_refused(call, "exists and is kept", "--force")
                self.assertEqual(file.read_bytes(), first)
                file.write_text("old")
                explain(*call, "--force")
                self.assertEqual(file.read_bytes(), first)
        self.assertEqual(sorted(file.suffix for file in self.path.iterdir()), [".svg"] * 7)

    def test_a_drawing_that_cannot_be_written_is_a_fault_and_leaves_nothing(self):
        done = run("explain", "two-head-on", "--agent", 0, "--svg", self.path / "nowhere" / "a.svg")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("no folder", done.stderr)
        self.assertEqual(list(self.path.iterdir()), [])

    def test_help_has_an_example_that_runs(self):
        done = run("explain", "--help")
        self.assertEqual(done.returncode, 0)
        example = next(line.split()[1:] for line in done.stdout.splitlines() if line.startswith("  sidestep explain"))
        self.assertEqual(run(*example).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
