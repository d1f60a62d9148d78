#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The command analyze: its table, its JSON, its CSV files and what it refuses: analyze_test.py PROGRAM."""

import csv
import json
import math
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]

# Two who walk against each other along x, 0.3 m apart, 1 m/s, 10 frames a second.
HEAD_ON = "# framerate: 10\n# id frame x/m y/m z/m\n" + "".join(
    f"1 {n} {0.1 * n:.3f} 0.0 0\n2 {n} {10 - 0.1 * n:.3f} 0.3 0\n" for n in range(101))

KEYS = """recording damage cautions notes fps frames rows walkers without_radius most_present duration options arrived
last_arrival travel_time path_ratio energy speed overlaps walls stalls density encounters lanes lines exits
areas""".split()


def analyze(*arguments):
    return subprocess.run([PROGRAM, "analyze", *map(str, arguments)], capture_output=True, text=True, timeout=100,
                          stdin=subprocess.DEVNULL)


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class AnalyzeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.recording = self.folder / "two.txt"
        self.recording.write_text(HEAD_ON, encoding="utf-8")

    def answer(self, *arguments):
        done = analyze(self.recording, "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("\n"), 1)
        return json.loads(done.stdout)

    def refused(self, *arguments):
        done = analyze(*arguments)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        return done.stderr

    def test_json_has_all_figures(self):
        answer = self.answer()
        self.assertEqual(list(answer), KEYS)
        self.assertEqual((answer["rows"], answer["frames"], answer["walkers"]), (202, 101, 2))
        self.assertEqual(answer["duration"], 10.0)
        self.assertAlmostEqual(answer["speed"]["mean"], 1.0, places=4)
        self.assertEqual(answer["encounters"]["encounters"], 1)
        self.assertAlmostEqual(answer["encounters"]["passing_distance"]["mean"], 0.3, places=4)
        # 0.2 m radius each: closer than 0.4 m while within 0.2646 m along: frames 49, 50, 51
        self.assertEqual(answer["overlaps"]["pairs"], 3)
        self.assertEqual(answer["overlaps"]["contacts"], 1)
        self.assertAlmostEqual(answer["overlaps"]["deepest"], 0.1, places=6)
        self.assertEqual(answer["overlaps"]["deepest_ids"], [1, 2])
        self.assertFalse(answer["walls"]["has_walls"])

    def test_options_change_what_they_say(self):
        self.assertEqual(self.answer("--radius", 0.1)["overlaps"]["pairs"], 0)
        self.assertEqual(self.answer("--from", 2, "--to", 3)["frames"], 11)
        self.assertEqual(self.answer("--every", 1)["frames"], 11)
        self.assertEqual(self.answer("--frame-step", 3)["options"]["frame_step"], 3)
        self.assertEqual(self.answer("--cell", 0.25)["density"]["maps"][0]["cell"], 0.25)
        self.assertEqual(self.answer("--unit", 2)["walkers"], 2)
        self.assertEqual(self.answer("--threads", 1), self.answer("--threads", 2))

    def test_a_radius_that_is_assumed_is_said(self):
        self.assertIn("0.2 m is assumed for the radius of 2 walkers (--radius)", analyze(self.recording).stdout)
        self.assertEqual(self.answer()["without_radius"], 2)

    def test_who_is_gone_in_a_recording_without_notes_is_not_said_to_have_arrived(self):
        self.recording.write_text(HEAD_ON + "1 101 10.1 0 0\n", encoding="utf-8")
        self.assertIn("; 1 were gone before the last frame, the last at 10.00 s", analyze(self.recording).stdout)

    def test_a_time_without_frames_is_refused(self):
        self.assertIn("has no frame in that time; it goes from 0 to 10 s", self.refused(self.recording, "--from", 20))

    def test_a_rate_for_a_file_that_says_its_own_is_said_to_be_of_no_use(self):
        done = analyze(self.recording, "--fps", 25)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: " + str(self.recording) + " says itself that 10 frames make a second; --fps", done.stderr)
        self.assertNotIn("--fps", analyze(self.recording, "--fps", 10).stderr)
        self.assertEqual(analyze(self.recording, "--fps", 25, "--quiet").stderr, "")

    def test_speeds_that_nobody_has_ask_for_units_and_columns(self):
        self.recording.write_text("# framerate: 10\n" + "".join(
            f"{walker} {n} {13 * n} {40 * walker}\n" for walker in range(3) for n in range(50)), encoding="utf-8")
        for options, is_senseless in ([], True), (["--unit", "cm"], False):
            done = analyze(self.recording, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("Half of all walk faster than 130 m/s: are lengths in metres" in done.stderr, is_senseless)
            self.assertEqual("See --unit, --fps, --columns." in done.stderr, is_senseless)

    def test_what_is_damaged_is_said_with_its_name_once_and_leaves_the_rate_as_it_is(self):
        run = self.folder / "run.sqlite"
        subprocess.run([PROGRAM, "convert", self.recording, run, "--quiet"], check=True, timeout=100)
        with sqlite3.connect(run) as data:
            data.execute("UPDATE trajectory_data SET pos_x = pos_x + 1 WHERE frame = 50")
        done = analyze(run, "--recover")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"warning: {run}: frame 50 is damaged; it is left out\n", done.stderr)
        self.assertIn("100 frames, 10 per second", done.stdout)
        self.assertIn("21 frames, 2 per second", analyze(self.recording, "--every", "0.5").stdout)

    def test_a_damaged_recording_without_a_whole_frame_is_refused(self):
        whole, cut = self.folder / "whole.ndjson", self.folder / "cut.ndjson"
        subprocess.run([PROGRAM, "convert", self.recording, whole, "--quiet"], check=True, timeout=100)
        lines = whole.read_bytes().splitlines(keepends=True)
        is_row = [b'"track"' in line for line in lines]
        cut.write_bytes(b"".join(lines[:is_row.index(True)]) + lines[is_row.index(True)][:10])
        for command in (["analyze", cut], ["convert", cut, self.folder / "out.txt"],
                        ["report", cut, "-o", self.folder / "out.html"]):
            done = subprocess.run([PROGRAM, *map(str, command), "--recover"], capture_output=True, text=True,
                                  timeout=100, stdin=subprocess.DEVNULL)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn("warning: " + str(cut), done.stderr)
            self.assertIn("error: " + str(cut) + ": there is no whole frame to take", done.stderr)

    def test_a_recording_that_was_never_closed_is_called_so(self):
        run = self.folder / "run.sqlite"
        subprocess.run([PROGRAM, "run", "two-head-on", "-o", run, "--quiet"], check=True, timeout=100)
        self.assertEqual(analyze(run).stderr, "")
        killed = self.folder / "killed.sqlite"
        with subprocess.Popen([PROGRAM, "run", "evac-500", "-o", killed, "--quiet"]) as program:
            log = Path(f"{killed}-wal")
            while not log.exists() or log.stat().st_size < 100_000:  # some frames are in it
                self.assertIsNone(program.poll())
                time.sleep(0.01)
            program.kill()
        done = analyze(killed)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The recording was not closed: the run was cut short, or still goes on.", done.stderr)

    def test_lines_and_areas_are_measured(self):
        answer = self.answer("--line", "middle:5,-1,5,1", "--area", "box:4,-1,6,1",
                             "--area", "shape:POLYGON ((4 -1, 6 -1, 6 1, 4 1, 4 -1))@0")
        line = answer["lines"][0]
        self.assertEqual((line["name"], line["width"], line["forward"], line["backward"]), ("middle", 2.0, 1, 1))
        box, shape = answer["areas"]
        self.assertEqual(box["size"], 4.0)
        self.assertEqual({**box, "name": ""}, {**shape, "name": ""})
        self.assertAlmostEqual(box["mean_speed"], 1.0, places=4)

    def test_table_is_for_people(self):
        done = analyze(self.recording, "--line", "middle:5,-1,5,1")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("two.txt: 101 frames, 10 per second, 202 rows\n", "no walls are known", "overlaps", "stalls",
                     "m/s", "middle: 1 forward, 1 back"):
            self.assertIn(word, done.stdout)
        self.assertEqual(analyze(self.recording, "--quiet").stdout, "")

    def test_tables_are_written_all_or_none(self):
        tables = self.folder / "tables"
        self.answer("--line", "middle:5,-1,5,1", "--area", "box:4,-1,6,1", "--tables", tables)
        self.assertEqual({path.name for path in tables.iterdir()},
                         {"frames.csv", "walkers.csv", "encounters.csv", "density_speed.csv", "n_t_middle.csv",
                          "area_box.csv", "grid_0.csv"})
        self.assertEqual(len(rows_of(tables / "frames.csv")), 101)
        walkers = rows_of(tables / "walkers.csv")
        self.assertAlmostEqual(float(walkers[0]["path_length_m"]), 10.0, places=6)
        crossings = rows_of(tables / "n_t_middle.csv")
        self.assertEqual([row["n"] for row in crossings], ["2", "2"])  # both at 5 s
        self.assertAlmostEqual(float(crossings[0]["time_s"]), 5.0, places=6)
        area = rows_of(tables / "area_box.csv")
        self.assertEqual(len(area), 101)
        self.assertEqual(area[0]["speed_m_s"], "")
        self.assertEqual(walkers[0]["shortest_way_m"], "")
        people = sum(float(row["mean_density_1_m2"]) * 0.25 for row in rows_of(tables / "grid_0.csv"))
        self.assertAlmostEqual(people, 2.0, places=4)
        self.assertFalse(any(math.isnan(float(row["density_1_m2"])) for row in rows_of(tables / "density_speed.csv")))

        # An existing file is kept, and nothing else is written beside it.
        (tables / "walkers.csv").write_text("mine", encoding="utf-8")
        (tables / "frames.csv").unlink()
        message = self.refused(self.recording, "--tables", tables)
        self.assertIn("walkers.csv", message)
        self.assertIn("hint: --force", message)
        self.assertEqual((tables / "walkers.csv").read_text(encoding="utf-8"), "mine")
        self.assertFalse((tables / "frames.csv").exists())
        self.assertEqual(analyze(self.recording, "--tables", tables, "--force").returncode, 0)
        self.assertEqual(len(rows_of(tables / "walkers.csv")), 2)
        self.assertEqual([path.name for path in tables.iterdir() if path.suffix != ".csv"], [])

    def test_tables_leave_files_of_others_alone(self):
        tables = self.folder / "tables"
        tables.mkdir()
        mine = tables / "frames.csv.part"
        mine.write_text("mine", encoding="utf-8")
        self.answer("--tables", tables)
        self.assertEqual(mine.read_text(encoding="utf-8"), "mine")
        self.assertEqual({path.name for path in tables.iterdir() if "part" in path.name}, {"frames.csv.part"})

        (tables / "frames.csv").unlink()
        (tables / "frames.csv").mkdir()
        (tables / "walkers.csv").write_text("mine, too", encoding="utf-8")
        done = analyze(self.recording, "--tables", tables, "--force")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("frames.csv: is not a file", done.stderr)
        self.assertEqual((tables / "walkers.csv").read_text(encoding="utf-8"), "mine, too")

        # a file that is a link: what it leads to is replaced
        (tables / "frames.csv").rmdir()
        (self.folder / "elsewhere.csv").write_text("old", encoding="utf-8")
        (tables / "frames.csv").symlink_to(self.folder / "elsewhere.csv")
        self.answer("--tables", tables, "--force")
        self.assertTrue((tables / "frames.csv").is_symlink())
        self.assertEqual(len(rows_of(self.folder / "elsewhere.csv")), 101)

    def write_walk(self, numbers, place=lambda n: (0.1 * n, 0.0)):
        """One who walks along x, in frames of any numbers."""
        self.recording.write_text("# framerate: 10\n# id frame x/m y/m z/m\n" + "".join(
            "1 {} {} {} 0\n".format(number, *place(n)) for n, number in enumerate(numbers)), encoding="utf-8")

    def test_positions_that_are_nowhere_are_refused(self):
        for far in (5e15, 1e16, 1e300):
            self.write_walk(range(20), lambda n: (far, far) if n == 7 else (0.1 * n, 0.0))
            message = self.refused(self.recording)
            for word in ("two.txt", "walker 1", "frame 7"):
                self.assertIn(word, message)

    def test_one_who_is_far_away_makes_cells_larger_and_that_is_said(self):
        self.write_walk(range(20), lambda n: (1e6, 1e6) if n == 7 else (0.1 * n, 0.0))
        done = analyze(self.recording)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("map         level 0 in cells of 512 m: of 0.5 m there would be too many", done.stdout)
        self.assertNotIn("in cells of", analyze(self.recording, "--to", 0.5).stdout)

    def test_large_numbers_of_frames_keep_their_steps(self):
        tables = self.folder / "tables"
        self.write_walk(range(2**52 - 49, 2**52 + 1))
        answer = self.answer("--tables", tables)
        self.assertAlmostEqual(answer["duration"], 4.9)
        self.assertAlmostEqual(answer["speed"]["mean"], 1.0, places=4)
        walker = rows_of(tables / "walkers.csv")[0]
        self.assertAlmostEqual(float(walker["travel_time_s"]), 4.9)
        self.assertAlmostEqual(float(walker["mean_speed_m_s"]), 1.0)
        for path in tables.iterdir():
            self.assertNotIn("nan", path.read_text(encoding="utf-8"))
        self.assertEqual(self.answer("--every", 1)["frames"], 5)

    def test_stalls_are_told_with_who_stalled(self):
        # walks for 2 s, stands for 5 s, twice
        self.write_walk(range(140), lambda n: (0.1 * (20 * (n // 70) + min(n % 70, 20)), 0.0))
        self.assertRegex(analyze(self.recording).stdout, r"stalls +2, by 1 walker, [0-9.]+ s in all")

    def test_geometry_that_cannot_be_read_is_passed_over_with_a_warning(self):
        recording = self.folder / "made.sqlite"
        base = sqlite3.connect(recording)
        base.executescript("""
            CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
            INSERT INTO metadata VALUES ('version', '2'), ('fps', '10');
            CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
            INSERT INTO geometry VALUES (1, 'LINESTRING (0 0, 1 1)');
            CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
            INSERT INTO frame_data VALUES (0, 1), (1, 1);
            CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
                pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
            INSERT INTO trajectory_data VALUES (0, 1, 0, 0, 1, 0), (1, 1, 0.1, 0, 1, 0);""")
        base.commit()
        base.close()
        done = analyze(recording)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: ", done.stderr)
        self.assertIn("made.sqlite: the geometry of level 0 is passed over", done.stderr)
        self.assertIn("no walls are known", done.stdout)
        answer = json.loads(analyze(recording, "--json").stdout)
        self.assertEqual(len(answer["notes"]), 1)
        self.assertEqual(analyze(recording, "--quiet").stderr, "")

    def test_bad_usage_is_refused_with_the_option_named(self):
        for arguments, word in (
                (["--line", "middle"], "--line"),
                (["--line", "middle:1,2,3"], "four numbers"),
                (["--line", "middle:1,2,3,nan"], "four numbers"),
                (["--line", "middle:1,2,1,2"], "no length"),
                (["--line", "a/b:1,2,3,4"], "name"),
                (["--line", ":1,2,3,4"], "name"),
                (["--line", "a:1,2,3,4@70000"], "level"),
                (["--line", "a:1,2,3,4", "--line", "a:1,2,3,5"], "two lines named 'a'"),
                (["--area", "a:2,2,1,1"], "x0 < x1"),
                (["--area", "a:POLYGON ((0 0, 1 1"], "a"),
                (["--area", "a:POINT (1 1)"], "POLYGON"),
                (["--area", "a:0,0,1,1@3"], "area 'a': the recording has no level 3"),
                (["--line", "a:0,0,1,1@3"], "line 'a': the recording has no level 3"),
                (["--area", "a:0,0,1e300,1e300"], "area 'a': it reaches farther"),
                (["--line", "a:0,0,1e300,1e300"], "line 'a' reaches farther"),
                (["--radius", "-1"], "radius"),
                (["--cell", "0"], "cell"),
                (["--cutoff", "nan"], "cut-off"),
                (["--frame-step", "-2"], "--frame-step"),
                (["--threads", "-1"], "--threads"),
                (["--from", "3", "--to", "2"], "--to"),
                (["--every", "-1"], "--every"),
                (["--fps", "0"], "--fps"),
                (["--unit", "inf"], "--unit"),
                (["--tables", self.recording], "not a folder"),
                (["--tables", self.folder / "no" / "where"], "no folder"),
                (["--nonsense"], "--nonsense")):
            with self.subTest(arguments=arguments):
                self.assertIn(word, self.refused(self.recording, *arguments))

    def test_bad_recordings_are_refused_with_the_file_named(self):
        for name, text in (("none.txt", None), ("empty.txt", ""),
                           ("words.txt", "# framerate: 10\none two three four\n"),
                           ("nan.txt", "# framerate: 10\n# id frame x/m y/m z/m\n1 0 nan 0 0\n"),
                           ("none.xyz", ""), ("broken.sqlite", "SQLite format 3")):
            with self.subTest(name=name):
                path = self.folder / name
                if text is not None:
                    path.write_text(text, encoding="utf-8")
                done = analyze(path)
                self.assertEqual(done.returncode, 2, done)
                self.assertIn(name, done.stderr)

    def test_runs_agree_with_their_own_summary(self):
        recording = self.folder / "run.sqlite"
        done = subprocess.run([PROGRAM, "run", "room-two-exits", "--json", "--no-progress", "-o", str(recording)],
                              capture_output=True, text=True, timeout=100)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        summary = json.loads(done.stdout)
        answer = json.loads(analyze(recording, "--json").stdout)
        self.assertEqual(answer["arrived"], summary["arrived"])
        self.assertAlmostEqual(answer["last_arrival"], summary["last_arrival"], places=6)
        self.assertAlmostEqual(answer["travel_time"]["mean"], summary["mean_travel_time"], places=6)
        self.assertEqual(answer["walls"]["penetrations"], summary["wall_penetrations"])
        self.assertEqual(sum(exit["forward"] for exit in answer["exits"]), summary["left"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
