#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Flow and Voronoi density once more, by other means: metrics_oracle_test.py PROGRAM.

Runs scenes, reads the recordings with sqlite3 alone, and compares what `sidestep analyze` says with plain loops:
a cell is the polygon of the cut-off clipped by the bisector with everybody else; what of it is on the floor and joined
to the walker is found by cutting both into upright trapezoids.
"""

import csv
import json
import math
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = sys.argv[1]
SLIVER = 1e-11  # thinner trapezoids and shorter doors between them are none [m]

PILLARS = """
format = 1
[world]
name = "pillars"
duration = 40
[[floors]]
polygon = [[0, 0], [9, -1], [12, 2], [12, 4], [8, 7], [0, 6]]
[[walls]]
box = [4, 2.5, 4.6, 3.5]
[[walls]]
polygon = [[7, 1.5], [7.8, 2], [7, 2.5]]
[[walls]]
polygon = [[6, 4], [6.3, 4], [8.3, 6.9], [8, 7]]
[[goals]]
name = "out"
line = [[12, 2], [12, 4]]
[[agents]]
area = { box = [0.5, 0.5, 3.5, 5.5] }
count = 45
exit = "out"
"""


# ------------------------------------------------------------------------------------------- what is measured

def read_recording(path):
    """Frames as {number: {id: (x, y)}}, frames per second, and the rings of the floor."""
    with sqlite3.connect(path) as file:
        fps = float(file.execute("SELECT value FROM metadata WHERE key = 'fps'").fetchone()[0])
        wkt = file.execute("SELECT wkt FROM geometry").fetchone()[0]
        frames = {}
        for frame, walker, x, y in file.execute("SELECT frame, id, pos_x, pos_y FROM trajectory_data"):
            frames.setdefault(frame, {})[walker] = (x, y)
    rings = [[tuple(map(float, point.split())) for point in ring.split(",")]
             for ring in re.findall(r"\(([^()]+)\)", wkt)]
    return frames, fps, rings


def speeds_of(frames, fps, step):
    """{(frame, id): m/s}: central difference over `step` frames each way, fewer near the ends of a track."""
    tracks = {}
    for frame, people in frames.items():
        for walker in people:
            tracks.setdefault(walker, []).append(frame)
    speeds = {}
    for walker, track in tracks.items():
        track.sort()
        assert track == list(range(track[0], track[-1] + 1)), "tracks of ours have no gaps"
        for frame in track:
            k = min(step, frame - track[0], track[-1] - frame)
            first, last = (frame - k, frame + k) if k else (
                (frame, frame + 1) if frame == track[0] else (frame - 1, frame))
            if first >= track[0] and last <= track[-1]:
                speeds[frame, walker] = math.dist(frames[first][walker], frames[last][walker]) / (last - first) * fps
    return speeds


# ------------------------------------------------------------------------------------------- cells

def clip(polygon, nx, ny, limit):
    """The part of a convex polygon where nx x + ny y <= limit."""
    kept = []
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        a, b = nx * ax + ny * ay - limit, nx * bx + ny * by - limit
        if a <= 0:
            kept.append((ax, ay))
        if (a < 0 < b) or (b < 0 < a):
            kept.append((ax + (bx - ax) * a / (a - b), ay + (by - ay) * a / (a - b)))
    return kept


def area_of(polygon):
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1])) / 2


def open_cell(people, walker, cutoff):
    x, y = people[walker]
    cell = [(x + cutoff * math.cos(i * math.pi / 6), y + cutoff * math.sin(i * math.pi / 6)) for i in range(12)]
    for other, (ox, oy) in people.items():
        if other != walker:
            cell = clip(cell, ox - x, oy - y, ((ox * ox - x * x) + (oy * oy - y * y)) / 2)
    return cell


def crossing_x(a, b, c, d):
    """Where the segments a-b and c-d cross, by x."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if turn == 0:
        return None
    s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
    t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
    return ax + s * (bx - ax) if 0 <= s <= 1 and 0 <= t <= 1 else None


def height(edge, x):
    (ax, ay), (bx, by) = edge
    return ay + (by - ay) * (x - ax) / (bx - ax)


def edges_of(ring):
    closed = ring if ring[0] == ring[-1] else ring + ring[:1]
    return list(zip(closed, closed[1:]))


def trapezoids_of(cell, rings):
    """Cell and floor in common, column by column: lists of corners (x0 low, x1 low, x1 high, x0 high)."""
    outline = edges_of(cell)
    walls = [edge for ring in rings for edge in edges_of(ring)]
    xs = {x for x, _ in cell} | {x for edge in walls for x, _ in edge}
    xs |= {crossing_x(*wall, *side) for wall in walls for side in outline} - {None}
    low, high = min(x for x, _ in cell), max(x for x, _ in cell)
    xs = sorted(x for x in xs if low <= x <= high)
    columns = []
    for x0, x1 in zip(xs, xs[1:]):
        if x1 - x0 < SLIVER:
            continue
        middle = (x0 + x1) / 2

        def spanning(edges):
            found = [edge for edge in edges if min(edge[0][0], edge[1][0]) <= middle < max(edge[0][0], edge[1][0])]
            return sorted(found, key=lambda edge: height(edge, middle))
        bottom, top = spanning(outline)
        column = []
        floor = spanning(walls)
        for lower, upper in zip(floor[::2], floor[1::2]):
            lower = max(lower, bottom, key=lambda edge: height(edge, middle))
            upper = min(upper, top, key=lambda edge: height(edge, middle))
            if height(upper, middle) - height(lower, middle) > SLIVER:
                column.append([(x0, height(lower, x0)), (x1, height(lower, x1)),
                               (x1, height(upper, x1)), (x0, height(upper, x0))])
        columns.append(column)
    return columns


def joined_to(columns, place):
    """The trapezoids that can be reached from that with `place` in it; it may be on the border of two."""
    x, y = place
    slack = 1e-9
    start = [(i, k) for i, column in enumerate(columns) for k, t in enumerate(column)
             if t[0][0] - slack <= x <= t[1][0] + slack
             and height((t[0], t[1]), x) - slack <= y <= height((t[3], t[2]), x) + slack]
    reached, todo = set(start[:1]), start[:1]
    while todo:
        i, k = todo.pop()
        here = columns[i][k]
        for j in (i - 1, i + 1):
            if not 0 <= j < len(columns):
                continue
            for m, there in enumerate(columns[j]):
                left, right = (there, here) if j < i else (here, there)
                door = min(left[2][1], right[3][1]) - max(left[1][1], right[0][1])
                if door > SLIVER and (j, m) not in reached:
                    reached.add((j, m))
                    todo.append((j, m))
    return [columns[i][k] for i, k in reached]


def inside(polygon, x, y):
    """Strictly inside of a convex counter-clockwise polygon."""
    return all((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0
               for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]))


def measure_frame(people, speeds, frame, rings, area, cutoff):
    """count, mean speed, Voronoi density and Voronoi speed in a convex area that is on the floor."""
    size = area_of(area)
    here = [walker for walker, (x, y) in people.items() if inside(area, x, y)]
    known = [speeds[frame, walker] for walker in here if (frame, walker) in speeds]
    box = [f(p[i] for p in area) for i in (0, 1) for f in (min, max)]
    density = speed = 0.0
    for walker, (x, y) in people.items():
        if not (box[0] - cutoff < x < box[1] + cutoff and box[2] - cutoff < y < box[3] + cutoff):
            continue
        # about the walker, so that no digits are lost
        moved = {other: (ox - x, oy - y) for other, (ox, oy) in people.items()}
        columns = trapezoids_of(open_cell(moved, walker, cutoff), [[(a - x, b - y) for a, b in ring] for ring in rings])
        parts = joined_to(columns, (0.0, 0.0))
        whole = sum(area_of(part) for part in parts)
        common = 0.0
        for part in parts:
            for (ax, ay), (bx, by) in zip(area, area[1:] + area[:1]):
                if part:
                    nx, ny = by - ay, ax - bx
                    part = clip(part, nx, ny, nx * (ax - x) + ny * (ay - y))
            common += area_of(part) if part else 0.0
        density += common / whole
        speed += speeds.get((frame, walker), 0.0) * common
    return len(here), sum(known) / len(known) if known else math.nan, density / size, speed / size


# ------------------------------------------------------------------------------------------- flow

def crossings_of(frames, fps, a, b):
    """(time, id, forward) of each move from one side of a-b to the other, between the two ends."""
    found = []
    for frame in sorted(frames)[1:]:
        for walker, (x1, y1) in frames[frame].items():
            if walker not in frames.get(frame - 1, {}):
                continue
            x0, y0 = frames[frame - 1][walker]
            turn = (x1 - x0) * (b[1] - a[1]) - (y1 - y0) * (b[0] - a[0])
            if turn == 0:
                continue
            s = ((a[0] - x0) * (b[1] - a[1]) - (a[1] - y0) * (b[0] - a[0])) / turn  # along the move
            t = ((a[0] - x0) * (y1 - y0) - (a[1] - y0) * (x1 - x0)) / turn  # along the line
            if 0 < s < 1 and 0 <= t <= 1:
                found.append(((frame - 1 + s) / fps, walker, turn < 0))
    return sorted(found)


def flow_of(times):
    """Slope of N(t) between 20 % and 80 %."""
    def time_at(share):
        place = share * (len(times) - 1)
        low = math.floor(place)
        return times[low] + (times[low + 1] - times[low]) * (place - low)
    return 0.6 * (len(times) - 1) / (time_at(0.8) - time_at(0.2))


# ------------------------------------------------------------------------------------------- tests

class Oracle(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def call(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def analyze(self, recording, *arguments):
        text = self.call("analyze", recording, "--json", "--tables", self.folder / "tables", "--force", *arguments)
        return json.loads(text)

    def table(self, name):
        with open(self.folder / "tables" / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def check_area(self, recording, area, cutoff, every):
        frames, fps, rings = read_recording(recording)
        wkt = "POLYGON ((" + ", ".join(f"{x} {y}" for x, y in area + area[:1]) + "))"
        said = self.analyze(recording, "--area", "m:" + wkt, "--cutoff", cutoff, "--frame-step", 2)
        rows = self.table("area_m.csv")
        speeds = speeds_of(frames, fps, 2)
        self.assertAlmostEqual(said["areas"][0]["size"], area_of(area), delta=1e-9)
        self.assertAlmostEqual(sum(float(row["voronoi_density_1_m2"]) for row in rows) / len(rows),
                               said["areas"][0]["mean_voronoi_density"], delta=1e-6)
        busy = 0
        for frame in sorted(frames)[::every]:
            row = rows[frame]
            count, speed, density, voronoi_speed = measure_frame(frames[frame], speeds, frame, rings, area, cutoff)
            with self.subTest(frame=frame):
                self.assertEqual(float(row["count"]), count)
                self.assertAlmostEqual(float(row["density_1_m2"]), count / area_of(area), delta=1e-9)
                self.assertAlmostEqual(float(row["speed_m_s"] or "nan"), speed, delta=1e-5) if count else None
                self.assertAlmostEqual(float(row["voronoi_density_1_m2"]), density, delta=1e-9)
                self.assertAlmostEqual(float(row["voronoi_speed_m_s"]), voronoi_speed, delta=1e-5)
            busy += density > 0
        self.assertGreater(busy, 5, "frames with somebody near the area")

    def check_line(self, recording, a, b, at_least):
        frames, fps, _ = read_recording(recording)
        said = self.analyze(recording, "--line", f"gate:{a[0]},{a[1]},{b[0]},{b[1]}")["lines"][0]
        found = crossings_of(frames, fps, a, b)
        first = {}
        for time, walker, _ in found:
            first.setdefault(walker, time)
        self.assertGreaterEqual(len(first), at_least)
        self.assertEqual(said["forward"], sum(forward for _, _, forward in found))
        self.assertEqual(said["backward"], sum(not forward for _, _, forward in found))
        curve = self.table("n_t_gate.csv")
        self.assertEqual([int(row["id"]) for row in curve if row["n"]], [walker for walker in first])
        for row, time in zip(curve, first.values()):
            self.assertAlmostEqual(float(row["time_s"]), time, delta=1e-9)
        self.assertAlmostEqual(said["flow"], flow_of(list(first.values())), delta=1e-9)
        self.assertAlmostEqual(said["specific_flow"], said["flow"] / math.dist(a, b), delta=1e-9)

    def test_bottleneck(self):
        recording = self.folder / "bottleneck.sqlite"
        self.call("run", "bottleneck", "--quiet", "--set", "agents=60", "-o", recording)
        self.check_line(recording, (0.0, 0.6), (0.0, -0.6), 60)
        self.check_line(recording, (3.0, -5.0), (2.0, 6.0), 40)
        self.check_area(recording, [(-1.5, -0.5), (-0.5, -0.5), (-0.5, 0.5), (-1.5, 0.5)], 1.0, 25)
        self.check_area(recording, [(-3.0, -2.0), (-0.5, -0.6), (-0.5, 0.6), (-2.0, 3.0)], 2.5, 25)

    def test_pillars_and_slanted_walls(self):
        scene = self.folder / "pillars.toml"
        scene.write_text(PILLARS, encoding="utf-8")
        recording = self.folder / "pillars.sqlite"
        self.call("run", scene, "--quiet", "-o", recording)
        self.check_line(recording, (10.0, 0.0), (10.0, 6.0), 40)
        self.check_area(recording, [(5.0, 0.0), (6.9, 0.0), (6.9, 3.5), (5.0, 3.5)], 1.0, 10)
        self.check_area(recording, [(1.0, 1.0), (3.5, 1.5), (3.0, 4.5), (1.5, 5.0)], 1.7, 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
