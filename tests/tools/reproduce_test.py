#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The command reproduce: reproduce_test.py PROGRAM."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]


def run(*arguments):
    return subprocess.run([PROGRAM, "reproduce", *arguments], capture_output=True, text=True)


class Reproduce(unittest.TestCase):
    def test_lists_figures_without_computing_them(self):
        figures = json.loads(run("--list", "--json").stdout)["figures"]
        self.assertIn("ricks14-fig1", [figure["name"] for figure in figures])
        self.assertIn("ricks14-fig1", run("--list").stdout)

    def test_a_figure_has_paper_expectation_ours_and_verdict(self):
        done = run("ricks14-fig1", "--json")
        self.assertEqual(done.returncode, 0)
        answer = json.loads(done.stdout)
        self.assertEqual((answer["agree"], answer["of"]), (1, 1))
        number = answer["figures"][0]["numbers"][-1]
        self.assertEqual((number["paper"], number["agrees"], number["as_printed"]), ("1.33", True, False))
        self.assertEqual((answer["printed"], answer["not_as_printed"]), (2, 1))
        self.assertAlmostEqual(number["ours"], 1.3210, delta=1e-4)
        self.assertIn("agrees", run("ricks14-fig1").stdout)
        self.assertEqual(run("ricks14-fig1", "--quiet").stdout, "")

    def test_a_paper_stands_for_its_figures_in_their_order(self):
        answer = json.loads(run("ricks14-fig8", "ricks14-fig1", "ricks14-fig1", "--json").stdout)
        self.assertEqual([figure["name"] for figure in answer["figures"]], ["ricks14-fig1", "ricks14-fig8"])
        self.assertEqual(json.loads(run("ricks14", "--json").stdout)["of"], 10)

    def test_a_page_is_whole_and_is_not_replaced_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            self.assertEqual(run("ricks14-fig2", "-o", str(page)).returncode, 0)
            text = page.read_text(encoding="utf-8")
            self.assertIn('<svg class="plot"', text)
            self.assertNotIn("http://", text.replace("http://www.w3.org", ""))
            again = run("ricks14-fig2", "-o", str(page))
            self.assertEqual(again.returncode, 2)
            self.assertIn("--force", again.stderr)
            self.assertEqual(run("ricks14-fig2", "-o", str(page), "--force", "--quiet").returncode, 0)
            self.assertEqual(page.read_text(encoding="utf-8"), text)
            self.assertEqual(run("ricks14-fig2", "-o", folder + "/no/page.html").returncode, 3)

    def test_a_figure_that_is_not_there_is_bad_usage(self):
        done = run("ricks14-fig6")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no figure 'ricks14-fig6'", done.stderr)
        self.assertIn("hint:", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
