#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Draws one moment of a recording as SVG: the floor, everybody in it coloured by speed, and a scale.

    tools/draw_frame.py RECORDING.sqlite --at 30 [--trail 4] [--radius 0.25] [--width 900] -o picture.svg

Reads the tables that docs/formats/recording.md describes, with nothing but Python's standard library. The pictures in
the README and in docs/ are made by it.
"""

import argparse
import re
import sqlite3
import sys
from typing import NamedTuple

# Dark blue to yellow through green: lightness grows all the way, so it survives colour blindness and grey printing.
COLOURS = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]
TOP_SPEED = 1.5  # [m/s], the end of the colour scale


class Agent(NamedTuple):
    x: float
    y: float
    speed: float


def colour_of(speed: float) -> str:
    place = min(max(speed / TOP_SPEED, 0.0), 1.0) * (len(COLOURS) - 1)
    i = min(int(place), len(COLOURS) - 2)
    part = place - i
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(COLOURS[i], COLOURS[i + 1]))


def read_rings(wkt: str) -> list[list[tuple[float, float]]]:
    rings = []
    for ring in re.findall(r"\(([^()]+)\)", wkt):
        points = [tuple(map(float, pair.split()[:2])) for pair in ring.split(",")]
        rings.append(points)
    return rings


def read_frame(db: sqlite3.Connection, frame: int) -> dict[int, tuple[float, float]]:
    rows = db.execute("SELECT id, pos_x, pos_y FROM trajectory_data WHERE frame = ?", (frame,))
    return {row[0]: (row[1], row[2]) for row in rows}


def agents_at(db: sqlite3.Connection, frame: int, fps: float) -> list[Agent]:
    now, before = read_frame(db, frame), read_frame(db, max(frame - 1, 0))
    agents = []
    for agent, (x, y) in sorted(now.items()):
        x0, y0 = before.get(agent, (x, y))
        agents.append(Agent(x, y, ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5 * fps))
    return agents


def trails(db: sqlite3.Connection, first: int, last: int) -> dict[int, list[tuple[float, float]]]:
    rows = db.execute("SELECT id, pos_x, pos_y FROM trajectory_data WHERE frame BETWEEN ? AND ? ORDER BY id, frame",
                      (first, last))
    paths: dict[int, list[tuple[float, float]]] = {}
    for agent, x, y in rows:
        paths.setdefault(agent, []).append((x, y))
    return paths


def draw(db: sqlite3.Connection, at: float, trail: float, radius: float, width: float) -> str:
    facts = dict(db.execute("SELECT key, value FROM metadata"))
    fps = float(facts["fps"])
    frame = round(at * fps)
    rings = [ring for (wkt,) in db.execute("SELECT wkt FROM geometry") for ring in read_rings(wkt)]
    xs = [x for ring in rings for x, _ in ring]
    ys = [y for ring in rings for _, y in ring]
    low_x, high_x, low_y, high_y = min(xs) - 1, max(xs) + 1, min(ys) - 1, max(ys) + 1
    scale = width / (high_x - low_x)
    height = (high_y - low_y) * scale + 46

    def place(x: float, y: float) -> str:
        return f"{(x - low_x) * scale:.1f} {(high_y - y) * scale:.1f}"

    def path(points: list[tuple[float, float]]) -> str:
        return "M" + "L".join(place(x, y) for x, y in points)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
             f'font-family="sans-serif" font-size="13">',
             f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>']
    floor = " ".join(path(ring) + "Z" for ring in rings)
    parts.append(f'<path d="{floor}" fill="#f1f1ee" stroke="#333333" stroke-width="1.2" fill-rule="evenodd"/>')
    if trail > 0:
        lines = "".join(path(points) for points in trails(db, frame - round(trail * fps), frame).values()
                        if len(points) > 1)
        parts.append(f'<path d="{lines}" fill="none" stroke="#8a8a8a" stroke-width="0.7" stroke-opacity="0.6"/>')
    agents = agents_at(db, frame, fps)
    for agent in agents:
        x, y = place(agent.x, agent.y).split()
        parts.append(f'<circle cx="{x}" cy="{y}" r="{max(radius * scale, 1.2):.1f}" fill="{colour_of(agent.speed)}"/>')
    parts += legend(width, height, scale, at, len(agents))
    parts.append("</svg>\n")
    return "\n".join(parts)


def legend(width: float, height: float, scale: float, at: float, count: int) -> list[str]:
    base = height - 14
    metres = 10 if 10 * scale < width / 3 else 2
    steps = 40
    bar = width - 330
    parts = [f'<path d="M14 {base - 4}h{metres * scale:.1f}" stroke="#333333" stroke-width="2"/>',
             f'<text x="{20 + metres * scale:.0f}" y="{base}" fill="#333333">{metres} m</text>',
             f'<text x="{width / 2 - 60:.0f}" y="{base}" fill="#333333">t = {at:g} s, {count:,} people</text>',
             f'<text x="{bar - 56}" y="{base}" fill="#333333">speed</text>']
    for i in range(steps):
        parts.append(f'<rect x="{bar + i * 5}" y="{base - 11}" width="5.5" height="12" '
                     f'fill="{colour_of(TOP_SPEED * i / (steps - 1))}"/>')
    parts.append(f'<text x="{bar - 14}" y="{base}" fill="#333333">0</text>')
    parts.append(f'<text x="{bar + steps * 5 + 6}" y="{base}" fill="#333333">{TOP_SPEED} m/s</text>')
    return parts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording")
    parser.add_argument("--at", type=float, default=0.0, help="simulated time [s]")
    parser.add_argument("--trail", type=float, default=0.0, help="seconds of the way behind everybody")
    parser.add_argument("--radius", type=float, default=0.2, help="of the bodies [m]")
    parser.add_argument("--width", type=float, default=900.0, help="of the picture [px]")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    try:
        with sqlite3.connect(f"file:{options.recording}?mode=ro", uri=True) as db:
            last = db.execute("SELECT max(frame) FROM frame_data").fetchone()[0]
            end = last / float(dict(db.execute("SELECT key, value FROM metadata"))["fps"])
            if not 0 <= options.at <= end:
                print(f"error: --at must be between 0 and {end:g} s, got {options.at:g}", file=sys.stderr)
                return 2
            picture = draw(db, options.at, options.trail, options.radius, options.width)
    except (sqlite3.Error, KeyError, TypeError) as fault:
        print(f"error: {options.recording} is no recording that can be read: {fault}", file=sys.stderr)
        return 2
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
