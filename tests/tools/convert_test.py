#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The command convert: convert_test.py PROGRAM."""

import contextlib
import csv
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]

ROOM = """
format = 1
[world]
name = "room"
duration = 20
output = 0.1
[[floors]]
box = [0, 0, 12, 6]
[[goals]]
name = "out"
line = [[12, 2], [12, 4]]
[[agents]]
area = { box = [1, 1, 6, 5] }
count = 8
exit = "out"
[[doors]]
name = "gate"
polygon = { box = [8, 0, 8.2, 1] }
[[events]]
time = 1
close = "gate"
"""

# Two walkers at 25 frames a second, one of them later; sorted by walker, in centimetres.
WALKERS = "# framerate: 25 fps\n# id frame x/cm y/cm z/cm\n" + "".join(
    f"{walker} {frame} {100 * walker + 4 * frame} {-frame} 170\n"
    for walker, frames in ((1, range(0, 101)), (2, range(50, 76))) for frame in frames)

ENDINGS = (".sqlite", ".h5", ".txt", ".csv", ".ndjson")


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=100,
                          stdin=subprocess.DEVNULL, **options)


class ConvertTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sidestep-convert-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def convert(self, source, name, *options):
        """The JSON of a conversion that must succeed."""
        done = run("convert", source, self.folder / name, *options, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refuse(self, exit_code, *arguments, **options):
        """The message of one that must fail and leave everything as it is."""
        before = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        done = run("convert", *arguments, **options)
        self.assertEqual(done.returncode, exit_code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        after = {path: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        self.assertEqual(before, after)
        return done.stderr

    def walkers(self):
        return self.write("walkers.txt", WALKERS)


def rows_of_txt(path):
    """As a reader that skips comments sees it."""
    return [tuple(map(float, line.split())) for line in path.read_text().splitlines() if not line.startswith("#")]


def rows_of_csv(path):
    with open(path) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [(int(r["id"]), int(r["frame"]), float(r["x"]), float(r["y"])) for r in rows]


class Formats(ConvertTest):
    def test_a_run_goes_through_every_format(self):
        scenario = self.write("room.toml", ROOM)
        last = self.folder / "run.sqlite"
        done = run("run", scenario, "-o", last)
        self.assertEqual(done.returncode, 0, done.stderr)
        first = self.convert(last, "first.csv")
        self.assertEqual((first["fps"], first["agents"]), (10.0, 8))
        for turn in range(2):
            for ending in ENDINGS:
                name = f"{turn}{ending}"
                summary = self.convert(last, name)
                for key in ("fps", "frames", "rows", "agents", "first_time", "last_time"):
                    self.assertEqual(summary[key], first[key], (key, ending))
                for ours, theirs in zip(summary["box"], first["box"]):
                    self.assertAlmostEqual(ours, theirs, delta=1e-4)
                last = self.folder / name

    def test_others_read_the_text_formats(self):
        source = self.walkers()
        self.convert(source, "run.txt")
        rows = rows_of_txt(self.folder / "run.txt")
        self.assertEqual(len(rows), 127)
        self.assertEqual(rows[0], (1, 0, 1.0, 0.0, 0))
        self.assertEqual(rows[-1], (1, 100, 5.0, -1.0, 0))
        self.assertEqual([row[1] for row in rows], sorted(row[1] for row in rows))
        head = (self.folder / "run.txt").read_text().splitlines()[:4]
        self.assertIn("# framerate: 25", head)
        self.assertIn("# id frame x/m y/m z/m", head)

        self.convert(source, "run.csv")
        self.assertEqual([(int(i), int(f), x, y) for i, f, x, y, z in rows], rows_of_csv(self.folder / "run.csv"))

        self.convert(source, "run.ndjson")
        lines = [json.loads(line) for line in (self.folder / "run.ndjson").read_text().splitlines()]
        tracks = [line["track"] for line in lines if "track" in line]
        self.assertEqual([(t["p"], t["f"], t["x"], t["y"], 0) for t in tracks], rows)
        scenes = [line["scene"] for line in lines if "scene" in line]
        self.assertEqual(scenes, [{"id": 0, "p": 1, "s": 0, "e": 100, "fps": 25},
                                  {"id": 1, "p": 2, "s": 50, "e": 75, "fps": 25}])
        self.assertTrue(all(len(line) == 1 for line in lines))

    def test_what_a_format_cannot_keep_is_said_in_a_line(self):
        scenario = self.write("room.toml", ROOM)
        source = self.folder / "run.sqlite"
        self.assertEqual(run("run", scenario, "-o", source).returncode, 0)
        done = run("convert", source, self.folder / "run.txt")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for words in ("note: ", "1 event", "8 walkers", "8 ends", "2 places", "1 scenario", " directions"):
            self.assertIn(words, done.stderr)
        self.assertIn("8 agents", done.stdout)
        left_out = self.convert(source, "other.csv")["left_out"]
        self.assertEqual((left_out["events"], left_out["walkers"]), (1, 8))
        self.assertNotIn("directions", left_out)
        self.assertEqual(self.convert(source, "copy.h5")["left_out"], {})
        quiet = run("convert", source, self.folder / "quiet.txt", "--quiet")
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (0, "", ""))

    def test_notes_go_along_where_they_are_kept(self):
        scenario = self.write("room.toml", ROOM)
        source = self.folder / "run.sqlite"
        self.assertEqual(run("run", scenario, "-o", source).returncode, 0)
        self.convert(source, "there.h5")
        self.convert(self.folder / "there.h5", "back.sqlite")
        one = self.convert(source, "one.csv")["left_out"]
        two = self.convert(self.folder / "back.sqlite", "two.csv")["left_out"]
        self.assertEqual(one, two)
        self.assertEqual((self.folder / "one.csv").read_bytes()[:100], (self.folder / "two.csv").read_bytes()[:100])

    def test_a_part_has_the_notes_of_its_time(self):
        scenario = self.write("room.toml", ROOM)
        source = self.folder / "run.sqlite"
        self.assertEqual(run("run", scenario, "-o", source).returncode, 0)
        last = self.convert(source, "whole.csv")["last_time"]
        late = self.convert(source, "late.sqlite", "--from", last)
        self.assertEqual((late["frames"], late["first_time"]), (1, last))
        self.assertLess(late["agents"], 8)
        left_out = self.convert(self.folder / "late.sqlite", "late.csv")["left_out"]
        self.assertNotIn("events", left_out)
        self.assertEqual(left_out.get("walkers", 0), late["agents"])
        self.convert(source, "early.sqlite", "--to", "2")
        left_out = self.convert(self.folder / "early.sqlite", "early.csv")["left_out"]
        self.assertEqual((left_out["events"], left_out["walkers"]), (1, 8))
        self.assertNotIn("ends", left_out)


class Selection(ConvertTest):
    def test_every_thins_and_keeps_times(self):
        summary = self.convert(self.walkers(), "thin.csv", "--every", "0.4")
        self.assertEqual((summary["fps"], summary["frames"], summary["last_time"]), (2.5, 11, 4.0))
        rows = rows_of_csv(self.folder / "thin.csv")
        self.assertEqual([frame for _, frame, _, _ in rows], [0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10])
        self.assertEqual(rows[-1], (1, 10, 5.0, -1.0))

    def test_frames_that_do_not_begin_at_zero_are_thinned_from_their_first(self):
        source = self.write("odd.csv", "id,frame,x,y\n" + "".join(f"1,{f},{f},0\n" for f in range(-9, 60, 10)))
        summary = self.convert(source, "thin.csv", "--fps", "25", "--every", "0.8")
        self.assertEqual((summary["fps"], summary["frames"]), (1.25, 4))
        self.assertEqual([row[1:3] for row in rows_of_csv(self.folder / "thin.csv")],
                         [(-1, -9.0), (0, 11.0), (1, 31.0), (2, 51.0)])

    def test_every_must_be_a_multiple(self):
        for every in ("0.05", "0.01"):
            message = self.refuse(2, self.walkers(), self.folder / "thin.csv", "--every", every)
            self.assertIn("0.04 s apart", message)
            self.assertIn("hint: ", message)

    def test_a_part_keeps_its_numbers(self):
        summary = self.convert(self.walkers(), "part.csv", "--from", "1.96", "--to", "2.04")
        self.assertEqual((summary["first_time"], summary["last_time"], summary["rows"]), (1.96, 2.04, 5))
        self.assertEqual([row[:2] for row in rows_of_csv(self.folder / "part.csv")],
                         [(1, 49), (1, 50), (2, 50), (1, 51), (2, 51)])
        empty = self.convert(self.walkers(), "empty.csv", "--from", "100")
        self.assertEqual((empty["frames"], empty["box"]), (0, None))


class OtherPrograms(ConvertTest):
    def test_what_a_file_does_not_say_is_given(self):
        source = self.write("obsmat.txt", "  1.0e+00  3.0e+00 150 0 250 0 0 0\r\n 1.1e+01 3.0e+00 190 0 250 0 0 0\r\n")
        message = self.refuse(2, source, self.folder / "out.csv")
        self.assertIn("obsmat.txt:1: ", message)
        self.assertIn("hint: --columns", message)
        columns = ("--columns", "frame,id,x,-,y")
        self.assertIn("--fps", self.refuse(2, source, self.folder / "out.csv", *columns))
        summary = self.convert(source, "out.csv", *columns, "--fps", "25", "--unit", "cm")
        self.assertEqual(summary["fps"], 25.0)
        self.assertEqual(rows_of_csv(self.folder / "out.csv"), [(3, 1, 1.5, 2.5), (3, 11, 1.9, 2.5)])
        summary = self.convert(source, "feet.csv", *columns, "--fps", "25", "--unit", "0.3048")
        self.assertAlmostEqual(summary["box"][0], 45.72)

    def test_a_rate_that_the_file_knows_better_is_said(self):
        done = run("convert", self.walkers(), self.folder / "out.csv", "--fps", "30")
        self.assertEqual(done.returncode, 0)
        self.assertIn("says itself that 25 frames", done.stderr)

    def test_bad_lines_are_named(self):
        source = self.write("bad.txt", WALKERS + "3 7 nan 0 170\n")
        message = self.refuse(2, source, self.folder / "out.csv")
        self.assertIn(f"bad.txt:{WALKERS.count(chr(10)) + 1}: ", message)


class Damage(ConvertTest):
    def cut(self, name, size):
        self.convert(self.walkers(), "whole" + name[name.index("."):])
        data = (self.folder / ("whole" + name[name.index("."):])).read_bytes()
        (self.folder / name).write_bytes(data[:size])
        return self.folder / name

    def test_a_file_that_was_cut_is_refused_or_recovered(self):
        for ending in (".txt", ".csv", ".ndjson"):
            with self.subTest(ending):
                source = self.cut("cut" + ending, 1500)
                message = self.refuse(2, source, self.folder / f"out{ending}.sqlite")
                self.assertIn("cut", message)
                self.assertIn("hint: --recover", message)
                done = run("convert", source, self.folder / f"out{ending}.sqlite", "--recover", "--quiet")
                self.assertEqual((done.returncode, done.stdout), (0, ""))
                self.assertIn("warning: ", done.stderr)
                self.assertIn("the rest is missing", done.stderr)
                summary = self.convert(source, f"out{ending}.csv", "--recover")
                self.assertGreater(summary["frames"], 5)
                self.assertEqual(len(summary["damage"]), 1)
                self.assertGreaterEqual(summary["rows"], summary["frames"])

    def test_a_file_that_would_be_replaced_stays_where_the_input_is_damaged(self):
        source = self.cut("cut.txt", 1500)
        for ending in ENDINGS:
            with self.subTest(ending):
                self.convert(self.walkers(), "out" + ending, "--force")
                self.refuse(2, source, self.folder / ("out" + ending), "--force")

    def test_nothing_recovered_is_a_failure(self):
        whole = self.cut("whole.txt", None).read_text()
        source = self.write("cut.txt", whole[:whole.index("\n1 0 ") + 1])
        for ending in ENDINGS:
            with self.subTest(ending):
                done = run("convert", source, self.folder / ("out" + ending), "--recover")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("warning: ", done.stderr)
                self.assertIn("cut.txt: there is no whole frame to take", done.stderr)
                self.assertEqual(self.files(), ["cut.txt", "walkers.txt", "whole.txt"])

    def test_a_digit_that_was_changed_is_found(self):
        source = self.cut("changed.csv", None)
        source.write_text(source.read_text().replace("\n1,30,2.2,", "\n1,30,2.3,"))
        self.assertIn("were changed", self.refuse(2, source, self.folder / "out.txt"))


class Facts(ConvertTest):
    ENDS = {"steps", "sim_time", "state_hash"}

    def record(self):
        source = self.folder / "run.sqlite"
        self.assertEqual(run("run", self.write("room.toml", ROOM), "-o", source).returncode, 0)
        return source

    def facts(self, name):
        with contextlib.closing(sqlite3.connect(self.folder / name)) as base:
            return dict(base.execute("SELECT key, value FROM sidestep_facts WHERE part IN ('begin', 'end')"))

    def test_of_the_end_stay_with_a_whole_copy_alone(self):
        source = self.record()
        self.convert(source, "whole.sqlite")
        self.convert(source, "through.h5")
        self.convert(self.folder / "through.h5", "again.sqlite")
        for name in ("whole.sqlite", "again.sqlite"):
            self.assertEqual({key: self.facts(name)[key] for key in self.ENDS},
                             {key: self.facts("run.sqlite")[key] for key in self.ENDS})
        for option, value in (("--from", "1"), ("--to", "1"), ("--every", "0.2")):
            with self.subTest(option):
                self.convert(source, "part.sqlite", option, value, "--force")
                self.assertFalse(self.ENDS & set(self.facts("part.sqlite")))
                self.assertIn("model", self.facts("part.sqlite"))

    def test_say_what_was_recovered(self):
        source = self.record()
        self.convert(source, "whole.csv")
        text = (self.folder / "whole.csv").read_text()
        cut = self.write("cut.csv", text[:len(text) * 2 // 3])
        self.convert(cut, "out.sqlite", "--recover")
        self.assertIn("cut here", self.facts("out.sqlite")["recovered"])
        self.convert(self.folder / "out.sqlite", "copy.sqlite")
        self.assertIn("cut here", self.facts("copy.sqlite")["recovered"])

    def test_say_that_a_run_was_killed(self):
        endless = ROOM.replace("duration = 20", "duration = 100000").replace('exit = "out"', "")
        scenario = self.write("room.toml", endless)
        for ending in (".sqlite", ".h5"):
            with self.subTest(ending):
                source = self.folder / ("run" + ending)
                process = subprocess.Popen([PROGRAM, "run", scenario, "-o", source, "--quiet"],
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(1.5)
                self.assertIsNone(process.poll(), "the run is over before it is killed")
                process.kill()
                process.wait()
                done = run("convert", source, self.folder / f"out{ending}.sqlite", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"run{ending} was never closed", done.stderr)
                self.assertFalse(json.loads(done.stdout)["closed"])
                self.assertIn("unfinished", self.facts(f"out{ending}.sqlite"))
                again = self.convert(self.folder / f"out{ending}.sqlite", f"again{ending}.sqlite")
                self.assertTrue(again["closed"])
                self.assertIn("unfinished", self.facts(f"again{ending}.sqlite"))


class Faults(ConvertTest):
    def test_a_link_that_leads_nowhere_is_named(self):
        source = self.walkers()
        (self.folder / "out.csv").symlink_to(self.folder / "nothing.csv")
        for force in ((), ("--force",)):
            self.assertIn("leads nowhere", self.refuse(3, source, self.folder / "out.csv", *force))

    def test_unit_and_columns_are_for_text(self):
        source = self.walkers()
        for ending in (".sqlite", ".h5"):
            self.convert(source, "in" + ending)
            for option in (("--unit", "cm"), ("--columns", "id,frame,x,y")):
                message = self.refuse(2, self.folder / ("in" + ending), self.folder / "out.csv", *option)
                self.assertIn("is no text", message)

    def test_a_run_on_a_full_disk_names_what_is_left(self):
        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (80_000, 80_000))

        crowd = ROOM.replace("count = 8", "count = 40").replace('exit = "out"', "")
        done = run("run", self.write("room.toml", crowd), "-o", self.folder / "run.txt", preexec_fn=little_room)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("run.txt.part: give it a name that ends in .txt", done.stderr)
        self.assertIn("--recover", done.stderr)
        (self.folder / "run.txt.part").rename(self.folder / "left.txt")
        self.assertGreater(self.convert(self.folder / "left.txt", "out.csv", "--recover")["frames"], 5)

    def test_a_file_is_not_converted_into_itself(self):
        source = self.walkers()
        (self.folder / "link.txt").symlink_to(source)
        for name in ("walkers.txt", "link.txt"):
            self.assertIn("is what is to be read", self.refuse(2, source, self.folder / name, "--force"))

    def test_a_file_that_is_there_is_kept_unless_force(self):
        source = self.walkers()
        self.write("out.csv", "precious")
        self.assertIn("--force", self.refuse(2, source, self.folder / "out.csv"))
        self.convert(source, "out.csv", "--force")
        self.assertEqual(len(rows_of_csv(self.folder / "out.csv")), 127)

    def test_a_disk_that_is_full_is_a_fault_and_leaves_nothing(self):
        lines = "".join(f"{i} {f} {i}.123 {f}.456\n" for f in range(200) for i in range(100))
        source = self.write("crowd.txt", "# framerate: 25\n" + lines)

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

        for ending in ENDINGS:
            with self.subTest(ending):
                message = self.refuse(3, source, self.folder / ("out" + ending), preexec_fn=little_room)
                self.assertIn("out" + ending, message)

    def test_a_signal_ends_it_and_leaves_nothing(self):
        lines = "".join(f"{i} {f} {i}.123 {f}.456\n" for f in range(3000) for i in range(300))
        source = self.write("crowd.txt", "# framerate: 25\n" + lines)
        process = subprocess.Popen([PROGRAM, "convert", source, self.folder / "out.csv"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while process.poll() is None and self.files() == ["crowd.txt"]:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("this machine was faster than the signal")
        self.assertEqual(process.returncode, 3)
        self.assertIn("SIGINT", errors)
        self.assertEqual(self.files(), ["crowd.txt"])

    def test_bad_usage_is_named(self):
        source = self.walkers()
        out = self.folder / "out.csv"
        for arguments, exit_code, words in (
                ((source, self.folder / "out.mp4"), 2, (".mp4", ".sqlite", ".ndjson")),
                ((self.folder / "nothing.txt", out), 2, ("nothing.txt", "no such file")),
                ((self.folder, out), 2, ("ending",)),
                ((source, self.folder / "nowhere" / "out.csv"), 3, ("nowhere",)),
                ((source, out, "--fps", "0"), 2, ("--fps",)),
                ((source, out, "--fps", "nan"), 2, ("--fps",)),
                ((source, out, "--every", "-1"), 2, ("--every",)),
                ((source, out, "--from", "3", "--to", "2"), 2, ("--from 3",)),
                ((source, out, "--from", "inf"), 2, ("--from",)),
                ((source, out, "--unit", "parsec"), 2, ("parsec", "hint: ")),
                ((source, out, "--unit", "-1"), 2, ("--unit",)),
                ((source, out, "--columns", "a,b"), 2, ("no column is called id",)),
                ((source,), 2, ("OUT",)),
                ((source, out, "--fly"), 2, ("--fly",))):
            with self.subTest(arguments):
                message = self.refuse(exit_code, *arguments)
                for word in words:
                    self.assertIn(word, message)

    def test_help_has_examples_and_formats(self):
        done = run("convert", "--help")
        self.assertEqual(done.returncode, 0)
        for word in ("Examples", "--columns frame,id,x,-,y", *ENDINGS):
            self.assertIn(word, done.stdout)

    def test_an_output_that_nobody_reads_is_a_fault(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("needs /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "convert", self.walkers(), self.folder / "out.csv"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
