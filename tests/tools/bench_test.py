#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The command bench: bench_test.py PROGRAM. Nothing here looks at how long anything took."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]
SHORT = ("--warm-up", "1", "--steps", "3", "--engine", "sidestep")
QUICK = ("--repeat", "1", *SHORT)


def run(*arguments):
    return subprocess.run([PROGRAM, "bench", *arguments], capture_output=True, text=True)


def rows(*arguments):
    done = run(*arguments, "--json")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Bench(unittest.TestCase):
    def test_a_row_has_times_memory_and_what_came_of_it(self):
        answer = rows("open-1k", *SHORT, "--repeat", "2")
        (row,) = answer["rows"]
        self.assertEqual((row["scene"], row["engine"]), ("open-1k", "sidestep"))
        self.assertEqual((row["model"], row["threads"]), ("orca", 1))
        self.assertEqual((row["agents"], row["warm_up"], row["steps"], row["updates"]), (1000, 1, 3, 3000))
        self.assertEqual(row["repetitions"], 2)
        for name in ("us_per_update", "ms_per_step", "ns_per_update", "cycles_per_update", "bytes_per_agent",
                     "navigation_us_per_update", "updates_per_second"):
            self.assertGreater(row[name], 0, name)
        self.assertAlmostEqual(row["ns_per_update"], 1000 * row["us_per_update"])
        spread = row["spread"]["us_per_update"]
        self.assertLessEqual(spread["min"], spread["median"])
        self.assertLessEqual(spread["median"], spread["max"])
        self.assertEqual(row["overlap_pairs_per_frame"], 0)
        self.assertAlmostEqual(sum(row["stages"].values()), 1.0)
        self.assertGreater(row["stages"]["neighbours"], 0)
        self.assertGreater(row["stages"]["choose"], 0)
        for name in ("processor", "hardware_threads", "gigahertz", "others", "busy"):
            self.assertIn(name, answer["machine"])

    def test_models_threads_and_instruction_sets_are_combined(self):
        found = rows("open-1k", *QUICK, "--model", "seek,orca", "--threads", "1,2",
                     "--isa", "scalar,automatic")["rows"]
        self.assertEqual(len(found), 8)
        for model in ("seek", "orca"):
            hashes = {row["state_hash"] for row in found if row["model"] == model}
            self.assertEqual(len(hashes), 1, "threads and instruction sets must not matter")
        self.assertEqual(sum(row["isa"] == "scalar" for row in found), 4)

    def test_scenes_may_follow_lists(self):
        found = rows("--threads", "1,2", "--set", "world.seed=7", "open-1k", *QUICK)["rows"]
        self.assertEqual((len(found), found[0]["scene"], found[0]["threads"]), (2, "open-1k", 1))

    def test_the_state_is_that_of_a_run(self):
        row = rows("evac-500", *QUICK)["rows"][0]
        alone = subprocess.run([PROGRAM, "run", "evac-500", "--until", "0.4", "--json", "--quiet"],
                               capture_output=True, text=True)
        self.assertEqual(row["state_hash"], json.loads(alone.stdout)["state_hash"])

    def test_a_full_run_ends_when_everybody_has_arrived(self):
        row = rows("circle-1k-jitter", "--repeat", "1", "--engine", "sidestep",
                   "--set", "agents.0.count=20")["rows"][0]
        self.assertEqual((row["arrived"], row["warm_up"]), (20, 0))
        self.assertLess(row["sim_time"], 600)

    def test_table_and_markdown_tell_the_same(self):
        text = run("open-1k", *QUICK).stdout
        self.assertIn("us/update", text)
        self.assertIn("Where the time of a step goes", text)
        self.assertIn("| open-1k | sidestep | orca |", run("open-1k", *QUICK, "--markdown").stdout)

    def test_a_page_has_plots_and_is_not_replaced_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "bench.html"
            done = run("open-1k", *QUICK, "--quiet", "--html", str(page))
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            text = page.read_text(encoding="utf-8")
            self.assertIn('<svg class="plot"', text)
            self.assertIn("open-1k", text)
            self.assertNotIn("http://", text.replace("http://www.w3.org", ""))
            again = run("open-1k", *QUICK, "--html", str(page))
            self.assertEqual(again.returncode, 2)
            self.assertIn("--force", again.stderr)
            self.assertEqual(run("open-1k", *QUICK, "--html", folder + "/no/page.html").returncode, 3)

    def test_peers_get_the_same_people_or_say_why_not(self):
        answer = rows("open-1k", "--repeat", "1", "--warm-up", "1", "--steps", "5",
                      "--engine", "sidestep,rvo2,rvo2-sorted,detour")
        for why in answer["not_measured"]:
            self.assertIn(why["engine"], ("rvo2", "rvo2-sorted", "detour"))
            self.assertIn("SIDESTEP_BENCH_PEERS", why["why"])
        for row in answer["rows"]:
            self.assertEqual((row["agents"], row["updates"]), (1000, 5000))
        self.assertEqual(len(answer["rows"]) + len(answer["not_measured"]), 4)
        self.assertEqual({peer["engine"] for peer in answer["absent"]},
                         {why["engine"] for why in answer["not_measured"]})
        ours = answer["rows"][0]
        if any(row["engine"] == "rvo2" for row in answer["rows"]):
            self.assertLess(ours["farthest_from_rvo2"], 1e-3)

    def test_what_is_not_there_is_bad_usage(self):
        for arguments, words in ((("open-2k",), "there is no file and no scene 'open-2k'"),
                                 (("open-1k", "--model", "orcq"), "there is no model 'orcq'"),
                                 (("open-1k", "--isa", "mmx"), "there is no instruction set 'mmx'"),
                                 (("open-1k", "--engine", "rvo3"), "there is no engine 'rvo3'"),
                                 (("open-1k", "--repeat", "0"), "--repeat: must be in"),
                                 (("open-1k", "--threads", "-1"), "--threads: must be in"),
                                 (("open-1k", "--growth"), "has scenes of its own"),
                                 (("--floors", "--model", "orca"), "decides itself"),
                                 (("open-1k", "--set", "nonsense"), "key=value")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_ratios_are_refused_on_a_busy_machine_unless_told(self):
        answer = rows("open-1k", *QUICK)
        self.assertEqual(answer["ratios"], not answer["machine"]["busy"])
        self.assertTrue(rows("open-1k", *QUICK, "--busy")["ratios"])

    def test_help_has_an_example(self):
        text = run("--help").stdout
        self.assertIn("Example:", text)
        self.assertIn("sidestep bench", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
