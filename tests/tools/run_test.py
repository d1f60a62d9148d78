#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The command run and the recordings it leaves: run_test.py PROGRAM."""

import contextlib
import fcntl
import json
import os
import pty
import re
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]

ROOM = """
format = 1
[world]
name = "room"
description = "twenty people leave a room"
duration = 60
[[floors]]
box = [0, 0, 12, 6]
[[goals]]
name = "out"
line = [[12, 2], [12, 4]]
[[agents]]
name = "people"
area = { box = [1, 1, 6, 5] }
count = 20
exit = "out"
[expect]
all_left = true
wall_penetrations_max = 0
"""

# Without what is expected of it.
UNTOLD = ROOM.split("[expect]", maxsplit=1)[0]

# To and fro for a day: it runs until somebody stops it.
ENDLESS = """
format = 1
[world]
name = "endless"
duration = 100000
[[goals]]
name = "west"
line = [[-30, -8], [-30, 8]]
[[goals]]
name = "east"
line = [[30, -8], [30, 8]]
[journeys.patrol]
stages = [{ waypoint = "west" }, { waypoint = "east" }]
repeat = true
[[agents]]
name = "block"
lattice = { centre = [0, 0], columns = 10, rows = 10, spacing = 1.5 }
journey = "patrol"
"""

KEYS = """scene model filter agents steps dt sim_time spawned arrived left removed present last_arrival mean_travel_time
slowest_travel_time overlap_pairs_per_frame deepest_overlap wall_contacts wall_penetrations stalls median_progress
mean_path_ratio without_goal acceleration_exceeded crowded_sights waiting body_contacts held_vehicles
ms_per_step us_per_update navigation_us_per_update threads isa state_hash recording expect
interrupted""".split()


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=100,
                          stdin=subprocess.DEVNULL, **options)


def start(*arguments, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, **options)


def query(path, sql, *values):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql, values).fetchall()


def fact(path, key):
    rows = query(path, "SELECT value FROM sidestep_facts WHERE key = ?", key)
    return rows[0][0] if rows else None


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sidestep-run-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.room = self.write("room.toml", ROOM)
        self.endless = self.write("endless.toml", ENDLESS)
        self.recording = self.folder / "run.sqlite"

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def summary(self, *arguments, exit_code=0):
        done = run("run", *arguments, "--json")
        self.assertEqual(done.returncode, exit_code, done.stderr)
        return json.loads(done.stdout)

    def assert_fails(self, done, exit_code, *words):
        self.assertEqual(done.returncode, exit_code, done.stderr)
        self.assertIn("error: ", done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def assert_whole(self, path):
        """Every frame has the rows it says it has, and there are no others."""
        self.assertEqual(query(path, "PRAGMA integrity_check"), [("ok",)])
        said = query(path, "SELECT frame, rows FROM sidestep_frames WHERE rows > 0 ORDER BY frame")
        held = query(path, "SELECT frame, count(*) FROM trajectory_data GROUP BY frame ORDER BY frame")
        self.assertEqual(said, held)
        frames = query(path, "SELECT frame FROM sidestep_frames ORDER BY frame")
        self.assertEqual(frames, [(i,) for i in range(len(frames))])
        self.assertEqual(query(path, "SELECT frame FROM frame_data JOIN geometry ON hash = geometry_hash"), frames)
        return len(frames)

    def wait_for_frames(self, process, path, frames):
        """Waits until the file holds some frames; the process is ended with the test whatever happens."""
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while process.poll() is None:
            with contextlib.suppress(sqlite3.Error):
                if path.exists() and query(path, "SELECT count(*) FROM sidestep_frames")[0][0] >= frames:
                    return
            time.sleep(0.01)
        self.fail(f"ended early: {process.communicate()}")


class Summary(RunTest):
    def test_json_has_the_promised_keys_and_adds_up(self):
        summary = self.summary(self.room)
        self.assertEqual([key for key in KEYS if key not in summary], [])
        self.assertEqual(summary["agents"], 20)
        self.assertEqual(summary["spawned"], summary["present"] + summary["left"] + summary["removed"])
        self.assertEqual(summary["left"], 20)
        self.assertAlmostEqual(summary["sim_time"], summary["steps"] * summary["dt"])
        self.assertRegex(summary["state_hash"], "^[0-9a-f]{16}$")
        self.assertIsNone(summary["recording"])
        self.assertFalse(summary["interrupted"])
        self.assertEqual([(e["key"], e["met"]) for e in summary["expect"]],
                         [("all_left", True), ("wall_penetrations_max", True)])

    def test_text_is_for_a_person(self):
        done = run("run", self.room, "-o", self.recording)
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("room", "20 agents", "orca", "20 left", "state hash", "run.sqlite", "all_left", "met"):
            self.assertIn(word, done.stdout)
        self.assertNotIn("\033", done.stdout)

    def kind(self, text, *arguments):
        summary = self.summary(self.write("kind.toml", text), "--until", 2, *arguments)
        return summary["model"], summary["filter"]

    def test_the_filter_is_told_beside_the_model(self):
        filtered = ("--model", "social_force", "--set", "profiles.default.filter=orca")
        self.assertEqual(self.kind(UNTOLD), ("orca", "none"))
        self.assertEqual(self.kind(UNTOLD, *filtered), ("social_force", "orca"))
        self.assertIn("20 agents, social_force filtered by orca\n", run("run", self.room, *filtered).stdout)
        self.assertNotIn("filter", run("run", self.room).stdout)
        change = '[[events]]\ntime = 1\nset = { filter = "clearpath" }\n'
        self.assertEqual(self.kind(UNTOLD + change), ("orca", "clearpath"))
        half = change + "area = { box = [0, 0, 4, 6] }\n"
        self.assertEqual(self.kind(UNTOLD + half), ("orca", "mixed"))
        self.assertIn("orca, filters mixed\n", run("run", self.write("half.toml", UNTOLD + half)).stdout)

    def test_the_model_is_what_agents_ended_with(self):
        change = '[[events]]\ntime = 1\nmodel = "vo"\n'
        self.assertEqual(self.kind(UNTOLD + change), ("vo", "none"))
        self.assertEqual(self.kind(UNTOLD + change, "--model", "seek"), ("seek", "none"))
        some = change + "area = { box = [0, 0, 4, 6] }\n"
        self.assertEqual(self.kind(UNTOLD + some), ("mixed", "none"))
        # Whoever left before the change counts with the model it had.
        late = change.replace("time = 1", "time = 7")
        path = self.write("late.toml", UNTOLD + late)
        self.assertIn(self.summary(path, "--until", 6.9)["left"], range(1, 20))
        self.assertEqual(self.summary(path)["model"], "mixed")

    def test_agents_of_sources_count_when_they_have_come(self):
        source = """
[profiles.calm]
model = "rcap"
[[sources]]
area = { box = [0.5, 2, 1, 4] }
profile = "calm"
exit = "out"
count = 1
rate = 10
from = 1
"""
        path = self.write("source.toml", UNTOLD + source)
        self.assertEqual(self.summary(path, "--until", 0.5, "-o", self.recording)["model"], "orca")
        self.assertEqual(fact(self.recording, "model"), "mixed")  # written before the first step: what will come
        self.assertEqual(self.summary(path, "--until", 3)["model"], "mixed")

    def test_quiet_says_nothing_and_json_stays(self):
        done = run("run", self.room, "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        done = run("run", self.room, "--quiet", "--json")
        self.assertEqual(json.loads(done.stdout)["left"], 20)
        self.assertEqual(done.stderr, "")

    def test_an_expectation_that_is_not_met_exits_with_1(self):
        summary = self.summary(self.room, "--set", "expect.last_arrival_max=0.5", exit_code=1)
        unmet = [e for e in summary["expect"] if not e["met"]]
        self.assertEqual([e["key"] for e in unmet], ["last_arrival_max"])
        self.assertGreater(unmet[0]["measured"], 0.5)
        done = run("run", self.room, "--set", "expect.last_arrival_max=0.5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("NOT MET", done.stdout)
        done = run("run", self.room, "--set", "expect.last_arrival_max=0.5", "--quiet")
        self.assert_fails(done, 1, "last_arrival_max")

    def test_a_way_is_compared_only_where_somebody_arrived(self):
        self.assertRegex(run("run", self.room).stdout, r"(?m)^  way .*times the shortest")
        done = run("run", self.endless, "--until", 1)
        self.assertRegex(done.stdout, r"(?m)^  way +progress [0-9]+ % of the preferred \(median\)$")

    def test_output_that_cannot_be_written_is_a_fault(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "run", self.room, "--json"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=100)
        self.assert_fails(done, 3, "could not be written")


class Repeatability(RunTest):
    def test_the_hash_depends_on_the_seed_alone(self):
        first = self.summary(self.room)["state_hash"]
        for options in (("--threads", 1), ("--threads", 2), ("--threads", 4), ("--isa", "scalar"),
                        ("-o", self.recording), ("--every", 0.5)):
            self.assertEqual(self.summary(self.room, *options)["state_hash"], first, options)
        self.assertNotEqual(self.summary(self.room, "--seed", 7)["state_hash"], first)
        self.assertEqual(self.summary(self.room, "--seed", 7)["state_hash"],
                         self.summary(self.room, "--set", "seed=7")["state_hash"])

    def test_two_runs_record_the_same_rows(self):
        other = self.folder / "other.sqlite"
        self.summary(self.room, "-o", self.recording, "--threads", 1)
        self.summary(self.room, "-o", other, "--threads", 4)
        tables = [name for name, in query(self.recording, "SELECT name FROM sqlite_master WHERE type = 'table'")]
        self.assertEqual(len(tables), 14)
        for table in tables:
            self.assertEqual(query(self.recording, f"SELECT * FROM {table}"), query(other, f"SELECT * FROM {table}"))

    def test_a_scene_is_the_same_by_name_and_by_file(self):
        scene = min(json.loads(run("scenes", "--json").stdout), key=lambda s: s["agents"])["name"]
        copy = self.write("copy.toml", run("scenes", scene).stdout)
        by_name = json.loads(run("run", scene, "--until", 2, "--json").stdout)
        by_file = json.loads(run("run", copy, "--until", 2, "--json").stdout)
        self.assertEqual(by_name["state_hash"], by_file["state_hash"])
        self.assertGreater(by_name["steps"], 0)


class Recording(RunTest):
    def test_reads_back_through_the_documented_schema(self):
        summary = self.summary(self.room, "-o", self.recording)
        frames = self.assert_whole(self.recording)
        self.assertEqual(frames, summary["frames"])
        self.assertEqual(frames, summary["steps"] // 2 + 1)  # every 0.1 s, and the start
        metadata = dict(query(self.recording, "SELECT key, value FROM metadata"))
        self.assertEqual(metadata["version"], "2")
        self.assertEqual(float(metadata["fps"]), 10.0)
        self.assertEqual(query(self.recording, "SELECT min(pos_x), max(pos_x), min(pos_y), max(pos_y) "
                                               "FROM trajectory_data"),
                         [tuple(float(metadata[key]) for key in ("xmin", "xmax", "ymin", "ymax"))])
        (wkt,), = query(self.recording, "SELECT wkt FROM geometry")
        self.assertRegex(wkt, r"^(MULTI)?POLYGON ?\(\(")
        columns = [row[1:4] for row in query(self.recording, "PRAGMA table_info(trajectory_data)")]
        self.assertEqual(columns, [("frame", "INTEGER", 1), ("id", "INTEGER", 1), ("pos_x", "REAL", 1),
                                   ("pos_y", "REAL", 1), ("ori_x", "REAL", 1), ("ori_y", "REAL", 1)])
        self.assertEqual([row[2] for row in query(self.recording, "PRAGMA index_info(frame_id_idx)")], ["frame", "id"])

        self.assertEqual(query(self.recording, "SELECT count(DISTINCT id) FROM trajectory_data"),
                         [(summary["spawned"],)])
        self.assertEqual(query(self.recording, "SELECT count(*) FROM trajectory_data WHERE frame = 0"),
                         [(summary["agents"],)])
        self.assertEqual(query(self.recording, "SELECT count(*) FROM trajectory_data "
                                               "WHERE abs(ori_x * ori_x + ori_y * ori_y - 1) > 1e-6"), [(0,)])
        hashes = [xxh3 for xxh3, in query(self.recording, "SELECT xxh3 FROM sidestep_frames WHERE rows > 0")]
        self.assertTrue(all(re.fullmatch("[0-9a-f]{16}", xxh3) for xxh3 in hashes))
        self.assertEqual(len(set(hashes)), len(hashes))

        self.assertEqual(fact(self.recording, "state_hash"), summary["state_hash"])
        self.assertEqual(fact(self.recording, "closed"), "yes")
        self.assertIn("twenty people leave a room", fact(self.recording, "scenario"))
        self.assertEqual(fact(self.recording, "scene"), "room")
        self.assertEqual(fact(self.recording, "model"), "orca")
        self.assertEqual(fact(self.recording, "seed"), "1")
        self.assertIsNotNone(fact(self.recording, "version"))
        self.assertIsNone(fact(self.recording, "interrupted"))
        self.assertEqual(query(self.recording, "PRAGMA journal_mode"), [("delete",)])
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["endless.toml", "room.toml", "run.sqlite"])

    def test_says_who_walked_and_how_each_journey_ended(self):
        summary = self.summary(self.room, "-o", self.recording)
        walkers = query(self.recording, "SELECT id, group_name, profile, model FROM sidestep_walkers")
        self.assertEqual(walkers, [(i, "people", "default", "orca") for i in range(20)])
        ends = query(self.recording, "SELECT id, time, kind, place, is_arrival FROM sidestep_ends")
        self.assertEqual(sorted(end[0] for end in ends), list(range(20)))
        self.assertEqual({end[2:] for end in ends}, {("left", "out", 1)})
        self.assertEqual(ends, sorted(ends, key=lambda end: end[1]))
        self.assertEqual(ends[-1][1], summary["last_arrival"])
        mean, = query(self.recording, "SELECT avg(time - set_off) FROM sidestep_ends")[0]
        self.assertAlmostEqual(mean, summary["mean_travel_time"])
        self.assertEqual(query(self.recording, "SELECT * FROM sidestep_places"),
                         [("out", "exit", 0, "LINESTRING (12 2, 12 4)")])
        seal = dict(query(self.recording, "SELECT part, xxh3 FROM sidestep_seal"))
        self.assertEqual(sorted(seal), ["ends", "events", "facts", "frames", "head", "walkers"])
        self.assertTrue(all(re.fullmatch("[0-9a-f]{16}", xxh3) for xxh3 in seal.values()))

    def test_says_where_scripted_bodies_are(self):
        cart = self.write("cart.toml", ROOM + """
[[bodies]]
name = "cart"
radius = 0.4
path = [[8, 5], [10, 5]]
speed = 0.5
""")
        self.summary(cart, "-o", self.recording, "--until", 2, exit_code=1)  # nobody has left by then
        self.assertEqual(query(self.recording, "SELECT * FROM sidestep_bodies"), [(0, "cart", 0, 0.4, "[]")])
        places = query(self.recording, "SELECT frame, x, y FROM sidestep_body_places WHERE body = 0")
        self.assertEqual([frame for frame, _, _ in places], list(range(21)))
        for frame, x, y in places:
            self.assertAlmostEqual(x, 8 + 0.05 * frame, places=4)
            self.assertAlmostEqual(y, 5, places=4)

    def test_an_open_plane_has_the_box_of_its_walkers(self):
        self.summary(self.endless, "--until", 2, "-o", self.recording)
        self.assert_whole(self.recording)
        metadata = dict(query(self.recording, "SELECT key, value FROM metadata"))
        (wkt,), = query(self.recording, "SELECT wkt FROM geometry")
        numbers = [float(n) for n in re.findall(r"-?[0-9.]+(?:e-?[0-9]+)?", wkt)]
        self.assertAlmostEqual(min(numbers[0::2]), float(metadata["xmin"]) - 2)
        self.assertAlmostEqual(max(numbers[1::2]), float(metadata["ymax"]) + 2)

    def test_every_sets_the_time_between_frames(self):
        summary = self.summary(self.endless, "--until", 2, "--every", 0.5, "-o", self.recording)
        self.assertEqual(summary["frames"], 5)
        self.assertEqual(query(self.recording, "SELECT value FROM metadata WHERE key = 'fps'"), [("2",)])

    def test_an_existing_file_is_kept_unless_forced(self):
        self.recording.write_text("precious")
        done = run("run", self.room, "-o", self.recording)
        self.assert_fails(done, 2, "run.sqlite", "--force")
        self.assertEqual(self.recording.read_text(), "precious")
        self.summary(self.room, "-o", self.recording, "--force")
        self.assert_whole(self.recording)
        self.assertEqual([p.name for p in self.folder.iterdir() if "sqlite" in p.name], ["run.sqlite"])

    def test_names_that_cannot_be_are_refused_before_a_step(self):
        self.assert_fails(run("run", self.room, "-o", self.folder / "run.mp4"), 2, ".sqlite")
        self.assert_fails(run("run", self.room, "-o", self.folder / "nowhere" / "run.sqlite"), 3, "nowhere")
        self.assert_fails(run("run", self.room, "-o", self.room / "run.sqlite"), 3)
        self.assert_fails(run("run", self.room, "-o", ""), 2)
        (self.folder / "folder.sqlite").mkdir()
        self.assert_fails(run("run", self.room, "-o", self.folder / "folder.sqlite", "--force"), 3)
        scenario = self.write("odd.sqlite", ROOM)
        self.assert_fails(run("run", scenario, "-o", scenario, "--force"), 2, "scenario")
        self.assertEqual(scenario.read_text(), ROOM)

    def test_a_full_disk_is_a_fault_and_what_was_written_stays_readable(self):
        limit = 300_000  # bytes of one file; frames of 100 agents need more after a second or two
        process = start("run", self.endless, "-o", self.recording,
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.addCleanup(process.kill)
        _, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("run.sqlite", errors)
        self.assertGreater(self.assert_whole(self.recording), 0)

    def test_a_full_disk_leaves_the_file_that_was_to_be_replaced(self):
        self.summary(self.room, "-o", self.recording)
        before = self.recording.read_bytes()
        limit = 300_000
        process = start("run", self.endless, "-o", self.recording, "--force",
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.addCleanup(process.kill)
        _, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 3, errors)
        self.assertEqual(self.recording.read_bytes(), before)


class Signals(RunTest):
    def test_the_first_signal_closes_the_recording(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                path = self.folder / f"{number.name}.sqlite"
                process = start("run", self.endless, "-o", path, "--json")
                self.wait_for_frames(process, path, 3)
                process.send_signal(number)
                output, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 3)
                self.assertIn(number.name, errors)
                summary = json.loads(output)
                self.assertTrue(summary["interrupted"])
                self.assertEqual(self.assert_whole(path), summary["frames"])
                self.assertIn(number.name, fact(path, "interrupted"))
                self.assertEqual(fact(path, "closed"), "yes")
                self.assertEqual(fact(path, "state_hash"), summary["state_hash"])
                self.assertFalse(Path(f"{path}-wal").exists())

    def test_a_signal_while_loading_ends_at_once_with_a_message(self):
        process = start("run", "stadium-25k", "-o", self.recording, "--json")
        self.addCleanup(process.kill)
        while process.poll() is None:  # until the signal is caught
            caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())[1]
            if int(caught, 16) >> (signal.SIGINT - 1) & 1:
                break
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output, errors),
                         (3, "", "error: stopped by SIGINT before the first step\n"))
        self.assertFalse(self.recording.exists())

    def test_a_reader_that_goes_away_does_not_cost_the_recording(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([PROGRAM, "run", self.room, "-o", self.recording], stdout=writer, timeout=100,
                              stderr=subprocess.PIPE, text=True)
        os.close(writer)
        self.assert_fails(done, 3, "could not be written")
        self.assert_whole(self.recording)
        self.assertEqual(fact(self.recording, "closed"), "yes")

    def test_the_second_signal_ends_at_once(self):
        process = start("run", self.endless, "-o", self.recording)
        self.wait_for_frames(process, self.recording, 3)
        process.send_signal(signal.SIGSTOP)  # so that both are there when it goes on
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (128 + signal.SIGINT, 128 + signal.SIGTERM))
        self.assert_whole(self.recording)

    def test_a_killed_run_leaves_whole_frames(self):
        process = start("run", self.endless, "-o", self.recording)
        self.wait_for_frames(process, self.recording, 20)
        process.kill()
        process.communicate()
        self.assertGreaterEqual(self.assert_whole(self.recording), 20)
        self.assertEqual(fact(self.recording, "closed"), "no")
        self.assertEqual(query(self.recording, "SELECT value FROM metadata WHERE key = 'version'"), [("2",)])
        self.assertEqual(len(query(self.recording, "SELECT wkt FROM geometry")), 1)

    def test_a_killed_run_leaves_the_file_it_was_to_replace(self):
        self.recording.write_text("precious")
        part = self.folder / "run.sqlite.part"
        process = start("run", self.endless, "-o", self.recording, "--force")
        self.wait_for_frames(process, part, 3)
        process.kill()
        process.communicate()
        self.assertEqual(self.recording.read_text(), "precious")
        self.assert_whole(part)


class Terminal(RunTest):
    def open_terminal(self):
        try:
            return pty.openpty()
        except OSError as fault:
            self.skipTest(f"there are no pseudo-terminals here: {fault}")

    def watch(self, columns, **environment):
        """What a run draws on a terminal that wide within a while, picture by picture."""
        leader, follower = self.open_terminal()
        self.addCleanup(os.close, leader)
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = start("run", self.endless, stdout=subprocess.DEVNULL, stderr=follower,
                        env={**os.environ, "TERM": "xterm", **environment})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(follower)
        drawn = b""
        while drawn.count(b"\r") < 4:
            drawn += os.read(leader, 4096)
        process.terminate()
        with contextlib.suppress(OSError):  # the other end is closed
            while more := os.read(leader, 4096):
                drawn += more
        process.wait(60)
        pictures = drawn.decode().split("\r\033[K")
        self.assertIn("SIGTERM", pictures.pop())
        return [picture for picture in pictures if picture]

    def test_a_bar_shows_time_people_speed_and_what_remains(self):
        pictures = self.watch(120, LC_ALL="C.UTF-8")
        for word in ("░", "%", "/100000 s", "100 present", "steps/s", "to go"):
            self.assertIn(word, pictures[0])

    def test_a_bar_fits_a_narrow_terminal_and_speaks_plain_ascii_where_it_must(self):
        for columns in (10, 30, 60):
            for picture in self.watch(columns, LC_ALL="C"):
                self.assertTrue(picture.isascii(), picture)
                self.assertLess(len(picture), columns)
                self.assertIn("%", picture)

    def test_no_bar_where_nobody_wants_one(self):
        done = run("run", self.endless, "--until", 1)
        self.assertEqual(done.stderr, "")
        leader, follower = self.open_terminal()
        self.addCleanup(os.close, leader)
        done = subprocess.run([PROGRAM, "run", self.endless, "--until", "20", "--no-progress"],
                              stdout=subprocess.DEVNULL, stderr=follower, timeout=100)
        self.assertEqual(done.returncode, 0)
        os.write(follower, b"end\n")
        self.assertEqual(os.read(leader, 4096), b"end\r\n")
        os.close(follower)

    def test_tables_are_wrapped_to_the_terminal(self):
        leader, follower = self.open_terminal()
        self.addCleanup(os.close, leader)
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 90, 0, 0))
        process = start("models", "orca", stdout=follower, env={**os.environ, "TERM": "xterm"})
        os.close(follower)
        text = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while more := os.read(leader, 4096):
                text += more
        process.communicate(timeout=60)
        lines = text.decode().splitlines()
        self.assertGreater(len(lines), len(run("models", "orca").stdout.splitlines()))
        self.assertLessEqual(max(map(len, lines)), 90)


class Memory(RunTest):
    def test_too_little_memory_is_a_fault_and_no_fault_of_the_file(self):
        crowd = self.write("crowd.toml", "format = 1\n[[agents]]\n"
                                         "lattice = { columns = 4000, rows = 4000, spacing = 1 }\n")
        limit = 400_000_000  # bytes of address space

        def run_in_little(*arguments):
            return run(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

        if run_in_little("--version").returncode != 0:
            self.skipTest("needs more address space than that to begin: a sanitizer")
        for command in ("run", "check"):
            with self.subTest(command):
                done = run_in_little(command, crowd)
                self.assert_fails(done, 3, "memory")


class Usage(RunTest):
    def test_bad_options_are_named(self):
        for arguments, words in (
                (("--until", "-1"), ("--until", "-1")),
                (("--until", "nan"), ("--until",)),
                (("--until", "2e6"), ("--until", "1000000")),
                (("--until", "soon"), ("--until", "soon")),
                (("--every", "0"), ("--every",)),
                (("--threads", "-2"), ("--threads", "-2")),
                (("--seed", "-1"), ("--seed", "-1")),
                (("--isa", "mmx"), ("mmx", "scalar")),
                (("--model", "orcs"), ("orcs", "did you mean 'orca'")),
                (("--model", "quantum"), ("quantum", "there are", "orca")),
                (("--set", "seed"), ("--set", "seed")),
                (("--fly",), ("--fly",))):
            with self.subTest(arguments):
                done = run("run", self.room, *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stdout, "")
                for word in words:
                    self.assertIn(word, done.stderr)

    def test_a_scenario_that_is_wrong_is_shown_where(self):
        wrong = self.write("wrong.toml", ROOM.replace("count = 20", "count = 20\ncuont = 3"))
        done = run("run", wrong)
        self.assert_fails(done, 2, "wrong.toml:", "cuont")
        self.assert_fails(run("run", self.folder / "nothing.toml"), 2, "nothing.toml")
        self.assertEqual(run("run").returncode, 2)

    def test_the_scenario_can_be_changed_from_the_command_line(self):
        self.assertEqual(self.summary(self.room, "--set", "agents.0.count=3")["agents"], 3)
        summary = self.summary(self.endless, "--until", 1, "--set", "world.step=0.1", "--model", "seek")
        self.assertEqual((summary["dt"], summary["steps"], summary["model"]), (0.1, 10, "seek"))

    def test_parameters_of_the_model_that_was_asked_for_can_be_set(self):
        def hash_of(*settings):
            arguments = [word for setting in settings for word in ("--set", f"profiles.default.{setting}")]
            return self.summary(self.room, "--model", "social_force", *arguments)["state_hash"]

        usual = hash_of()
        self.assertEqual(hash_of("strength=2"), usual)
        self.assertNotEqual(hash_of("strength=4"), usual)
        self.assertEqual(hash_of("time_horizon=4"), usual)  # of the file's own model: known, and without effect
        self.assert_fails(run("run", self.room, "--model", "social_force", "--set", "profiles.default.strength=400"), 2,
                          "strength", "100")
        self.assert_fails(run("run", self.room, "--model", "seek", "--set", "profiles.default.strength=4"), 2,
                          "strength", "social_force")
        self.assert_fails(run("run", self.room, "--set", "profiles.default.strength=4"), 2, "strength", "social_force")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
