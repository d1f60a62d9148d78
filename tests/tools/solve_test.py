#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the command solve, and what it says about bad questions: solve_test.py PROGRAM PAGE."""

import json
import math
import re
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM, PAGE = sys.argv[1], Path(sys.argv[2])
A = {"p": [0, 0], "v": [1, 0], "r": 0.5, "id": 0}
B = {"p": [4, 0], "v": [-1, 0], "r": 0.5, "id": 1}
ORCA_LINE = {"a": A, "b": B, "tau": 2, "t_res": 0.1, "w": 0.5}
CLEARPATH = {"a": A, "nbs": [B], "T": 1, "v_max": 2, "v_des": [1, 0], "type2": False}
VO_EXACT = {"a": A, "nbs": [B], "tau": 1, "share": 1, "v_max": 2, "v_pref": [1, 0]}
RVO_SAMPLE = {"a": A, "nbs": [B], "share": 0.5, "w": 1, "N": 250, "v_max": 2, "v_pref": [1, 0]}


def answers(text):
    done = subprocess.run([PROGRAM, "solve"], input=text, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(op, question, **changes):
    return answers(json.dumps({"id": 1, "op": op, "in": {**question, **changes}}))[0]


def error_of(op, question, **changes):
    return ask(op, question, **changes).get("error")


def operations():
    text = subprocess.run([PROGRAM, "solve", "--help"], capture_output=True, text=True).stdout
    return re.search(r"Operations: (.*?)\n\n", text, re.S).group(1).split()


class Page(unittest.TestCase):
    def assert_close(self, want, got):
        if isinstance(want, float):
            self.assertAlmostEqual(want, got, delta=1e-9)
        elif isinstance(want, list):
            self.assertEqual(len(want), len(got))
            for pair in zip(want, got, strict=True):
                self.assert_close(*pair)
        elif isinstance(want, dict):
            self.assertEqual(list(want), list(got))
            for key, value in want.items():
                self.assert_close(value, got[key])
        else:
            self.assertEqual(want, got)

    def test_examples_give_what_the_page_says(self):
        blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
        lines = [line for block in blocks for line in block.splitlines()]
        self.assertGreater(len(lines), 40)
        for want, got in zip(lines[1::2], answers("\n".join(lines[0::2])), strict=True):
            with self.subTest(want):
                self.assert_close(json.loads(want), got)

    def test_every_operation_has_a_heading_and_an_example(self):
        text = PAGE.read_text(encoding="utf-8")
        headings = re.findall(r"^### (.*)$", text, re.M)
        self.assertEqual(sorted(name for heading in headings for name in heading.split(", ")), sorted(operations()))
        self.assertLessEqual(set(operations()), set(re.findall(r'"op":"(\w+)"', text)))

    def test_the_help_names_the_page(self):
        text = subprocess.run([PROGRAM, "solve", "--help"], capture_output=True, text=True).stdout
        self.assertIn("docs/solve.md", text)


class Messages(unittest.TestCase):
    def test_a_number_that_is_too_large_is_told_the_limit(self):
        self.assertEqual(error_of("orca_line", ORCA_LINE, a={**A, "p": [1e100, 0]}),
                         "p must be finite and at most 1e70 in magnitude")
        self.assertEqual(error_of("orca_line", ORCA_LINE, t_res=1e100), "t_res must be > 0 and at most 1e70")

    def test_what_may_be_infinite_says_so(self):
        self.assertEqual(error_of("orca_line", ORCA_LINE, tau="long"), "'tau' must be a number or \"inf\"")
        self.assertEqual(error_of("orca_line", ORCA_LINE, t_res="inf"), "'t_res' must be a number")
        self.assertEqual(error_of("visible", {"pa": [0, 0], "pb": [1, 0], "fov_deg": -1, "range": 1, "walls": []}),
                         "fov_deg must be >= 0")

    def test_a_vector_with_something_else_in_it_is_named_with_its_place(self):
        for p in ([0, "1"], [0], [0, 0, 0], [0, None], 3):
            self.assertEqual(error_of("orca_line", ORCA_LINE, a={**A, "p": p}),
                             "in 'a': 'p' must be a vector of two numbers")
        self.assertEqual(error_of("vo_exact", VO_EXACT, nbs=[B, {**B, "v": [True, 0]}]),
                         "in 'nbs[1]': 'v' must be a vector of two numbers")
        self.assertEqual(error_of("energy", {"v": [[1, 0], [1]], "dt": 1, "m": 1}),
                         "'v[1]' must be a vector of two numbers")

    def test_an_item_of_a_list_is_named_by_its_number(self):
        self.assertEqual(error_of("clearpath", CLEARPATH, nbs=[3]), "'nbs[0]' must be an object")
        self.assertEqual(error_of("lp", {"lines": [[]], "v_max": 1, "v_pref": [0, 0]}), "'lines[0]' must be an object")
        self.assertEqual(error_of("lp", {"lines": [{"hard": 1}], "v_max": 1, "v_pref": [0, 0]}),
                         "in 'lines[0]': 'hard' must be true or false")
        self.assertEqual(error_of("visible", {"pa": [0, 0], "pb": [1, 0], "fov_deg": 90, "range": 1,
                                              "walls": [[[0, 1], [0, 2]], [[0, 1]]]}),
                         "'walls[1]' must be a wall [[x, y], [x, y]]")

    def test_whole_numbers_may_be_written_as_reals_and_have_a_range(self):
        self.assertEqual(ask("rvo_sample", RVO_SAMPLE, N=250.0), ask("rvo_sample", RVO_SAMPLE))
        for samples in (1e18, 2.5, -1, 1000001, "250"):
            self.assertEqual(error_of("rvo_sample", RVO_SAMPLE, N=samples),
                             "'N' must be a whole number in [0, 1000000]")
        self.assertEqual(error_of("orca_line", ORCA_LINE, b={**B, "id": 4294967296}),
                         "in 'b': 'id' must be a whole number in [0, 4294967295]")

    def test_a_share_of_nothing_and_of_more_than_all_is_told_the_range(self):
        for op, question in (("vo_exact", VO_EXACT), ("rvo_sample", RVO_SAMPLE),
                             ("fvo", {"a": A, "b": B, "T": 1})):
            for share in (0, -1, 1.5):
                self.assertEqual(error_of(op, question, share=share), "'share' must be in (0, 1]")
        self.assertEqual(error_of("orca_line", ORCA_LINE, w=1.5), "w must be in [0, 1]")

    def test_agents_that_must_turn_are_refused_what_makes_no_sense(self):
        question = {"Dx": 1, "Dy": 2, "at": 1, "vm": 1, "a": 1, "w": 1}
        for change, words in (({"vm": 0}, "vm must be > 0, from 1e-30 to 1e30"),
                              ({"a": -1}, "a must be > 0, from 1e-30 to 1e30"),
                              ({"w": -1}, "w must be 0 or from 1e-30 to 1e30"),
                              ({"v0": 2}, "v0 must be in [0, vm]"),
                              ({"at": -1}, "at must be >= 0 and at most 1e30"),
                              ({"at": "never"}, "'at' must be a number or \"inf\""),
                              ({"a": -1}, "a must be > 0, from 1e-30 to 1e30"),
                              ({"vm": "inf"}, "'vm' must be a number"),
                              ({"bm": 0}, "bm must be > 0, from 1e-30 to 1e30"),
                              ({"stop": 1}, "'stop' must be true or false"),
                              ({"Dx": None}, "'Dx' must be a number")):
            self.assertEqual(error_of("arrival", question, **change), words)
        self.assertEqual(error_of("best_at", {**question, "Dr": 1, "Dth": 4}), "Dth must be in [-pi, pi]")
        self.assertEqual(error_of("best_at", {**question, "Dr": -1, "Dth": 0}), "Dr must be >= 0")
        self.assertEqual(error_of("state", {**question, "t": -1}), "t must be >= 0 and at most 1e30")
        self.assertEqual(error_of("state", question), "'t' is missing")
        self.assertEqual(error_of("best_brake", question, v0=2), "v0 must be in [0, vm]")

    def test_agents_that_must_turn_take_numbers_that_were_rounded(self):
        body = {"vm": 1, "a": 1, "w": 1}
        behind = {**body, "Dr": 8, "Dth": math.pi}
        for bearing in (3.14159265359, 3.1415926536, -3.14159265359):
            self.assertAlmostEqual(ask("best_at", behind, Dth=bearing)["out"]["T"], ask("best_at", behind)["out"]["T"])
        late = {**body, "Dx": 0.38, "Dy": 0.08, "at": 0, "v0": 1, "stop": True}
        faced = ask("arrival", late)["out"]
        self.assertEqual(faced["kind"], "cannot_stop")
        there = ask("state", late, t=float(f"{faced['t_face']:.11g}") * (1 + 1e-11))["out"]
        self.assertAlmostEqual(there["x"], faced["x_face"])
        self.assertAlmostEqual(there["v"], faced["v_face"])
        self.assertIn("t_face", error_of("state", late, t=faced["t_face"] + 1e-3))

    def test_agents_that_must_turn_may_speed_up_and_brake_at_once(self):
        question = {"vm": 1.3, "a": "inf", "w": 1, "Dx": -3, "Dy": 1, "at": "inf"}
        at_once = ask("arrival", question)["out"]
        self.assertEqual(at_once, ask("arrival", question, a=1, v0=1.3, at=math.pi)["out"])
        self.assertEqual(ask("arrival", question, stop=True)["out"]["T"], at_once["T"])
        self.assertEqual(ask("arrival", question, a=1, v0=1.3, at=0, bm="inf")["out"]["v_face"], 0)

    def test_what_is_not_json_is_told_with_line_and_column_of_the_file(self):
        got = answers('\n{"id":1,"op":nul}\n{"name":"Zoë",}\n{"id":1,"op":"li_weight","in":{"rank_i":1e999}}\n')
        self.assertEqual([answer["id"] for answer in got], [None] * 3)
        self.assertRegex(got[0]["error"], "^line 2, column 17: not JSON: .*invalid literal")
        self.assertRegex(got[1]["error"], "^line 3, column 15: not JSON: .*unexpected '}'")
        self.assertEqual(got[2]["error"], "line 4: number overflow parsing '1e999'")
        self.assertNotIn("exception", json.dumps(got))
        self.assertLess(len(answers('"' + "x" * 100000)[0]["error"]), 300)

    def test_an_exact_choice_takes_a_thousand_neighbours_and_no_more(self):
        def far(count):
            return [{"p": [100, i], "v": [0, 0], "r": 0.2, "id": i + 1} for i in range(count)]
        for op, question in (("clearpath", CLEARPATH), ("vo_exact", VO_EXACT)):
            self.assertTrue(ask(op, question, nbs=far(1000))["out"]["feasible"])
            self.assertEqual(error_of(op, question, nbs=far(1001)),
                             "'nbs' must hold at most 1000 neighbours, got 1001: "
                             "at worst the cost grows with their cube")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
