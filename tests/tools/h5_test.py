#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings .h5 as another program reads them, here Debian's h5py: h5_test.py PROGRAM."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py  # Debian: python3-h5py. Without it this test fails: nothing else would notice.
import numpy

PROGRAM = sys.argv[1]
ROW = numpy.dtype([("id", "<i8"), ("frame", "<i8"), ("x", "<f8"), ("y", "<f8"), ("z", "<f8")])

# Two storeys, a cart, and a door that closes.
STATION = """
format = 1
[world]
name = "station"
duration = 4
[[floors]]
level = 0
box = [0, 0, 12, 6]
[[floors]]
level = 2
box = [0, 0, 8, 6]
[[goals]]
name = "out"
level = 0
line = [[12, 2], [12, 4]]
[[goals]]
name = "up"
level = 2
point = [7, 3]
[[agents]]
level = 0
area = { box = [1, 1, 6, 5] }
count = 9
exit = "out"
[[agents]]
level = 2
area = { box = [1, 1, 4, 5] }
count = 5
goal = "up"
[[bodies]]
name = "cart"
level = 0
radius = 0.4
path = [[1, 0.5], [9, 0.5]]
speed = 1
"""

ENDLESS = """
format = 1
[world]
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
lattice = { centre = [0, 0], columns = 10, rows = 10, spacing = 1.5 }
journey = "patrol"
"""


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=100)


def rows_of_sqlite(path):
    """Rows as in the .h5, and (ori_x, ori_y) beside them."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT id, frame, pos_x, pos_y, ori_x, ori_y FROM trajectory_data "
                                "ORDER BY frame, id").fetchall()
    table = numpy.array(rows, dtype=float).reshape(-1, 6)
    return table[:, :4], table[:, 4:]


class H5(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def record(self, name, scene, *arguments):
        path = self.folder / name
        done = run("run", scene, "-o", path, "--quiet", *arguments)
        # 1: not all have left when it ends early.
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return path

    def scene(self, text):
        path = self.folder / "scene.toml"
        path.write_text(text)
        return path

    def check_layout(self, file):
        trajectory = file["trajectory"]
        self.assertEqual(trajectory.dtype, ROW)
        self.assertEqual((trajectory.compression, trajectory.compression_opts), ("gzip", 1))
        self.assertTrue(trajectory.shuffle and trajectory.fletcher32 and trajectory.chunks)
        for dataset in file.values():
            self.assertTrue(dataset.fletcher32)
        self.assertEqual(file["sidestep_orientations"].shape, trajectory.shape)
        frames = file["sidestep_frames"][:]
        self.assertEqual(frames["rows"].sum(), len(trajectory))
        self.assertTrue((frames["first"] == numpy.cumsum(frames["rows"]) - frames["rows"]).all())

    def test_an_open_plane_has_the_box_of_its_walkers(self):
        path = self.record("x.h5", "two-head-on")
        with h5py.File(path, "r") as file:
            self.check_layout(file)
            self.assertEqual(file["trajectory"].attrs["fps"], 10.0)
            wkt = file.attrs["wkt_geometry"]
            self.assertIsInstance(wkt, str)
            self.assertTrue(wkt.startswith("POLYGON ((") and wkt.endswith("))"))
            corners = [tuple(map(float, corner.split())) for corner in wkt[10:-2].split(",")]
            rows = file["trajectory"][:]
            self.assertEqual(min(corners)[0], rows["x"].min() - 2)
            self.assertEqual(max(corners)[0], rows["x"].max() + 2)
            self.assertEqual(min(y for _, y in corners), rows["y"].min() - 2)
            self.assertEqual(corners[0], corners[-1])

    def test_it_holds_what_the_sqlite_of_the_same_run_holds(self):
        for scene, options in (("two-head-on", ()), ("evac-1k", ("--until", 5, "--every", 0.1))):
            with self.subTest(scene):
                database = self.record(f"{scene}.sqlite", scene, *options)
                path = self.record(f"{scene}.h5", scene, *options)
                positions, directions = rows_of_sqlite(database)
                with h5py.File(path, "r") as file:
                    self.check_layout(file)
                    rows = file["trajectory"][:]
                    for i, name in enumerate(("id", "frame", "x", "y")):
                        self.assertTrue((rows[name] == positions[:, i]).all(), name)
                    self.assertTrue((rows["z"] == 0).all())
                    stored = file["sidestep_orientations"][:]
                    self.assertTrue((stored["ori_x"] == directions[:, 0].astype("<f4")).all())
                    self.assertTrue((stored["ori_y"] == directions[:, 1].astype("<f4")).all())
                    wkt = file.attrs["wkt_geometry"]
                if scene == "evac-1k":
                    self.assertGreater(len(rows), 40_000)
                    with sqlite3.connect(database) as other:
                        self.assertEqual([(wkt,)], other.execute("SELECT wkt FROM geometry").fetchall())
                    self.assertLess(path.stat().st_size, database.stat().st_size / 3)

    def test_the_height_of_a_row_is_its_level(self):
        path = self.record("station.h5", self.scene(STATION))
        with h5py.File(path, "r") as file:
            self.check_layout(file)
            rows = file["trajectory"][:]
            self.assertEqual(set(rows["z"]), {0.0, 2.0})
            self.assertEqual(((rows["frame"] == 0) & (rows["z"] == 2)).sum(), 5)
            self.assertTrue(file.attrs["wkt_geometry"].startswith("GEOMETRYCOLLECTION (POLYGON (("))
            self.assertEqual(len(file["sidestep_bodies"]), len(file["sidestep_frames"]))
            self.assertAlmostEqual(file["sidestep_bodies"][20]["x"], 3.0)
            head = json.loads(bytes(file["sidestep_head"][:]))
            self.assertEqual(head["sidestep"]["bodies"][0]["name"], "cart")
            log = [json.loads(line) for line in bytes(file["sidestep_log"][:]).splitlines()]
            self.assertEqual([next(iter(line)) for line in log[-2:]], ["facts", "seal"])

    def test_equal_runs_give_equal_files(self):
        first = self.record("a.h5", "evac-1k", "--until", 2, "--threads", 1)
        second = self.record("b.h5", "evac-1k", "--until", 2, "--threads", 2)
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_it_can_be_read_while_it_grows_and_after_the_program_was_killed(self):
        path = self.folder / "endless.h5"
        with subprocess.Popen([PROGRAM, "run", self.scene(ENDLESS), "-o", path, "--quiet"]) as process:
            try:
                deadline = time.monotonic() + 60
                seen = 0
                while seen < 50_000 and time.monotonic() < deadline:
                    time.sleep(0.1)
                    if not path.exists():
                        continue
                    with h5py.File(path, "r", libver="latest", swmr=True) as file:
                        seen = len(file["trajectory"])
                        self.assertEqual(seen % 100, 0)  # whole frames of 100 walkers
                self.assertGreaterEqual(seen, 50_000)
            finally:
                process.send_signal(signal.SIGKILL)
        with h5py.File(path, "r", libver="latest", swmr=True) as file:
            frames = file["sidestep_frames"][:]
            rows = file["trajectory"][:int(frames["rows"].sum())]
            self.assertTrue((frames["frame"] == numpy.arange(len(frames))).all())
            self.assertTrue((rows["frame"] == numpy.repeat(frames["frame"], 100)).all())
        with self.assertRaises(OSError):
            h5py.File(path, "r")  # as h5py is told that somebody writes it
        self.assertFalse(os.path.exists(f"{path}.part"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
