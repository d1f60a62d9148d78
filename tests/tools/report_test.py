#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The command report and the pages it makes: report_test.py PROGRAM.

Pages are read with the standard library; where Chromium is installed they are opened in it, too.
"""

import base64
import contextlib
import hashlib
import json
import re
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

PROGRAM = sys.argv[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

# A name that would end the script and the title if it were not escaped.
EVIL = "</script></title><script>alert(1)</script>"

ROOM = """
format = 1
[world]
name = "room {name}"
duration = 60
seed = {seed}
[[floors]]
box = [0, 0, 12, 6]
[[goals]]
name = "out"
line = [[12, 2], [12, 4]]
[[goals]]
name = "back"
line = [[0, 2], [0, 4]]
[[agents]]
name = "<b>people</b>"
area = {{ box = [1, 1, 11, 5] }}
count = {count}
exit = ["out", "back"]
[[agents]]
name = "visitor"
position = [6, 5.5]
exit = "out"
[[bodies]]
name = "cart"
radius = 0.4
path = [[3, 1], [9, 1]]
speed = 0.5
mode = "shuttle"
[[events]]
time = 1.5
remove = "visitor"
"""

VOID = {"meta", "br", "input", "link", "img", "hr"}
SECTIONS = ["summary", "animation", "arrivals", "maps", "flow", "density", "closeness", "details"]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=100,
                          stdin=subprocess.DEVNULL)


class Page(HTMLParser):
    """Checks that elements nest, and keeps what the tests ask for."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.faults, self.attributes = [], [], [], []
        self.scripts, self.styles, self.title, self.policy = [], [], "", ""
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"left open: {self.open}")

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.attributes.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        if tag == "script":
            self.scripts.append([attributes, ""])
        if tag == "style":
            self.styles.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> within {self.open[-3:]} at {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1][1] += data
        elif self.open and self.open[-1] == "style":
            self.styles[-1] += data
        elif self.open and self.open[-1] == "title" and "svg" not in self.open:
            self.title += data


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="sidestep-report-")
        cls.addClassCleanup(folder.cleanup)
        cls.shared = Path(folder.name)
        cls.recording = cls.record("a", seed=1, count=20)
        cls.other = cls.record("b", seed=2, count=15)

    @classmethod
    def record(cls, name, seed, count):
        scenario, recording = cls.shared / f"{name}.toml", cls.shared / f"{name}.sqlite"
        scenario.write_text(ROOM.format(name=EVIL, seed=seed, count=count))
        done = run("run", scenario, "-o", recording, "--quiet")
        assert done.returncode == 0, done.stderr
        return recording

    def record_nobody(self):
        scenario, recording = self.folder / "empty.toml", self.folder / "empty.sqlite"
        scenario.write_text('format = 1\n[world]\nname = "empty"\nduration = 1\n[[floors]]\nbox = [0, 0, 4, 4]\n')
        done = run("run", scenario, "-o", recording, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return recording

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sidestep-report-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.page = self.folder / "page.html"

    def report(self, *arguments):
        done = run("report", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def assert_fails(self, done, exit_code, *words):
        self.assertEqual(done.returncode, exit_code, done.stderr)
        self.assertTrue(done.stderr.startswith("error: "), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def assert_good_page(self, path):
        text = path.read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertEqual(len(page.ids), len(set(page.ids)), "an id is there twice")
        for _, attributes in page.attributes:
            for key, value in attributes.items():
                self.assertFalse(key.startswith("on"), f"{key} is a script in an attribute")
                self.assertNotEqual(key, "style")
                if key in ("src", "href", "action", "data", "poster"):
                    self.assertRegex(value, "^(#|data:image/png;base64,)")
                if key == "href" and value.startswith("#"):
                    self.assertIn(value[1:], page.ids)
        outside = text.replace("http://www.w3.org/2000/svg", "")
        self.assertEqual(re.findall(r"https?:|url\((?!#)|@import|//[a-z]+\.[a-z]+/", outside), [])
        self.assert_policy(page)
        return page, text

    def assert_policy(self, page):
        self.assertIn("default-src 'none'", page.policy)
        self.assertNotIn("unsafe", page.policy)
        running = [content for attributes, content in page.scripts if attributes.get("type") is None]
        self.assertEqual(len(running), 1)
        for content in [running[0], *page.styles]:
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self.assertIn(f"'sha256-{digest}'", page.policy)
        for attributes, content in page.scripts:
            if attributes.get("type") == "application/json":
                json.loads(content)


class Pages(ReportTest):
    def test_page_is_well_formed_needs_nothing_else_and_has_all_sections(self):
        said = self.report(self.recording, "-o", self.page)
        self.assertIn("page.html (", said)
        page, text = self.assert_good_page(self.page)
        for section in [*SECTIONS, "events"]:
            self.assertIn(section, page.ids)
        self.assertEqual(page.title, f"room {EVIL}")
        self.assertNotIn("<b>people</b>", text)
        self.assertIn("state_hash", text)
        self.assertLess(len(text), 600_000)

    def test_equal_recordings_give_equal_bytes(self):
        self.report(self.recording, "-o", self.page)
        self.report(self.recording, "-o", self.folder / "again.html")
        self.assertEqual(self.page.read_bytes(), (self.folder / "again.html").read_bytes())

    def test_two_runs_side_by_side_in_both_ways_of_asking(self):
        self.report("--compare", self.recording, self.other, "-o", self.page)
        page, text = self.assert_good_page(self.page)
        self.assertEqual([a["data-run"] for t, a in page.attributes if t == "script" and "data-run" in a], ["a", "b"])
        self.assertIn("difference", text)
        self.report(self.recording, "--compare", self.other, "-o", self.folder / "again.html")
        self.assertEqual(self.page.read_bytes(), (self.folder / "again.html").read_bytes())

    def test_lines_areas_and_title_are_in_the_page(self):
        self.report(self.recording, "-o", self.page, "--title", "A & B", "--line", "middle:6,0,6,6",
                    "--area", "corner:1,1,4,4")
        page, text = self.assert_good_page(self.page)
        self.assertEqual(page.title, "A & B")
        self.assertIn("middle", text)
        self.assertIn("corner: fundamental diagram", text)

    def test_animation_holds_every_row(self):
        self.report(self.recording, "-o", self.page)
        page, _ = self.assert_good_page(self.page)
        data = next(json.loads(c) for a, c in page.scripts if "data-run" in a)
        numbers, value, shift = [], 0, 0
        for byte in base64.b64decode(data["tracks"]):
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                numbers.append(value)
                value = shift = 0
        frames = numbers[0]
        walkers, rows = numbers[1 + frames], numbers[2 + frames]
        said = json.loads(run("report", self.recording, "-o", self.folder / "x.html", "--json").stdout)
        self.assertEqual((frames, walkers), (said["runs"][0]["frames"], said["runs"][0]["walkers"]))
        analysis = json.loads(run("analyze", self.recording, "--json").stdout)
        self.assertEqual(rows, analysis["rows"])
        self.assertEqual(len(data["bodies"]), 1)

    def test_a_page_of_nobody_says_so(self):
        self.report(self.record_nobody(), "-o", self.page)
        _, text = self.assert_good_page(self.page)
        self.assertIn("Nobody is in this recording", text)
        self.assertIn("Nobody was anywhere", text)


class Files(ReportTest):
    def test_page_has_the_recordings_name_and_is_kept(self):
        copy = self.folder / "run.sqlite"
        shutil.copy(self.recording, copy)
        self.report(copy)
        page = self.folder / "run.html"
        before = page.read_bytes()
        self.assert_fails(run("report", copy), 2, "exists and is kept", "hint: --force")
        page.write_bytes(b"mine")
        self.assert_fails(run("report", copy), 2, "exists")
        self.assertEqual(page.read_bytes(), b"mine")
        self.report(copy, "--force")
        self.assertEqual(page.read_bytes(), before)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["run.html", "run.sqlite"])

    def test_what_was_made_is_told_as_json(self):
        said = json.loads(self.report(self.recording, "-o", self.page, "--png", self.folder / "p.png", "--json"))
        self.assertEqual({file["kind"] for file in said["files"]}, {"html", "png"})
        for file in said["files"]:
            self.assertEqual(Path(file["path"]).stat().st_size, file["bytes"])
        self.assertEqual(self.report(self.recording, "-o", self.folder / "q.html", "--quiet"), "")

    def test_bad_use_is_refused_and_nothing_is_written(self):
        page = ["-o", self.page]
        cases = [(["--compare", self.recording], "two recordings"),
                 ([self.recording, self.other], "--compare"),
                 (["--compare", self.recording, self.other, "--png", self.folder / "p.png"], "without --compare"),
                 ([self.recording, "--at", "3"], "--png FILE"),
                 ([self.recording, "--level", "70000"], "--level"),
                 ([self.recording, "--level", "5"], "no level 5"),
                 ([self.recording, "--png", self.folder / "p.png", "--width", "9"], "--width"),
                 ([self.recording, "--png", self.folder / "p.png", "--at", "nan"], "--at"),
                 ([self.recording, "--line", "x:0,0,0,0"], "--line"),
                 ([self.folder / "none.sqlite"], "none.sqlite")]
        for arguments, word in cases:
            with self.subTest(word=word):
                self.assert_fails(run("report", *arguments, *page), 2, word)
        self.assert_fails(run("report", self.recording, "-o", self.recording, "--force"), 2, "recording itself")
        self.assert_fails(run("report", self.recording, "-o", self.folder / "no" / "p.html"), 3, "no folder")
        self.assert_fails(run("report", self.recording, "-o", self.folder), 3, "not a file")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_full_disk_leaves_nothing(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))  # the page is larger
        for arguments in [["-o", self.page], ["--png", self.folder / "p.png", "--width", "4000"]]:
            done = subprocess.run([PROGRAM, "report", *map(str, [self.recording, *arguments])], capture_output=True,
                                  text=True, timeout=100, stdin=subprocess.DEVNULL, preexec_fn=limit)
            self.assert_fails(done, 3, "File too large")
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_page_that_fails_leaves_no_picture(self):
        done = run("report", self.recording, "-o", self.page, "--png", self.folder / "p.png",
                   "--area", "bow:POLYGON ((1 1, 4 4, 4 1, 1 4, 1 1))")
        self.assert_fails(done, 2, "polygon")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_files_are_what_their_endings_say(self):
        for option, name in [("-o", "x.txt"), ("--png", "x.svg"), ("--svg", "x.png"), ("--png", "png")]:
            self.assert_fails(run("report", self.recording, option, self.folder / name), 2, "does not end in", "hint: ")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.report(self.recording, "--png", self.folder / "X.PNG", "--width", "300")

    def test_what_is_wrong_with_a_recording_is_said_in_the_terminal_too(self):
        text = self.folder / "cut.sqlite"
        shutil.copy(self.recording, text)
        with contextlib.closing(sqlite3.connect(text)) as data, data:
            frame = data.execute("SELECT max(frame) FROM trajectory_data").fetchone()[0] // 2
            data.execute("UPDATE trajectory_data SET pos_x = pos_x + 1 WHERE frame = ?", (frame,))
        self.assertEqual(run("report", text, "-o", self.page).returncode, 2)
        done = run("report", text, "-o", self.page, "--recover")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stderr.startswith("warning: "), done.stderr)
        self.assertIn("take this report with care", self.page.read_text())


class Stills(ReportTest):
    def test_a_moment_beyond_the_end_is_said(self):
        done = run("report", self.recording, "--png", self.folder / "p.png", "--width", "300", "--at", "1e6")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "note: --at 1000000: .* from 0 to [0-9.]+ s; the picture shows")
        done = run("report", self.recording, "--png", self.folder / "q.png", "--width", "300", "--at", "1")
        self.assertEqual(done.stderr, "")

    def test_png_is_a_picture_of_the_moment(self):
        path = self.folder / "still.png"
        self.report(self.recording, "--png", path, "--at", "2", "--width", "500")
        data = path.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
        self.assertEqual((width, depth, kind), (500, 8, 2))
        at, rows = 8, b""
        while at < len(data):
            size, name = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            self.assertEqual(struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], zlib.crc32(name + body))
            rows += body if name == b"IDAT" else b""
            at += size + 12
        self.assertEqual(len(zlib.decompress(rows)), height * (1 + 3 * width))
        self.assertFalse((self.shared / "a.html").exists())

    def test_svg_is_xml_with_everybody_in_it(self):
        path = self.folder / "still.svg"
        self.report(self.recording, "--svg", path, "--at", "0.5", "--dark")
        root = ElementTree.parse(path).getroot()
        self.assertEqual(root.get("width"), "1200")
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("t = 0.5 s, 21 walkers", texts)
        self.assertEqual(root[0].get("fill"), "#0f1214")


@unittest.skipUnless(CHROMIUM, "Chromium is not installed: pages are not opened in a browser")
class Browser(ReportTest):
    def open(self, path, width=1280):
        """What the page says on its console, and the document after its script has run."""
        flags = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
        --disable-component-update --disable-sync --disable-dev-shm-usage --enable-logging=stderr
        --v=0 --virtual-time-budget=3000 --dump-dom""".split() + [f"--window-size={width},900"]
        done = subprocess.run([CHROMIUM, *flags, f"--user-data-dir={self.folder / 'browser'}", path.as_uri()],
                              capture_output=True, text=True, timeout=100)
        if done.returncode != 0 or "<html" not in done.stdout:
            self.skipTest(f"Chromium does not run here: {done.stderr[-300:]}")
        return [line for line in done.stderr.splitlines() if "CONSOLE" in line], done.stdout

    def test_pages_open_without_a_word_on_the_console(self):
        self.report(self.recording, "-o", self.page)
        self.report("--compare", self.recording, self.other, "-o", self.folder / "both.html")
        for path, stages in [(self.page, 1), (self.folder / "both.html", 2)]:
            console, document = self.open(path)
            self.assertEqual(console, [])
            self.assertRegex(document, 'data-first-picture="[0-9]+"')
            self.assertEqual(document.count("<canvas"), stages)

    def test_a_page_of_nobody_opens_too(self):
        self.report(self.record_nobody(), "-o", self.page)
        console, document = self.open(self.page)
        self.assertEqual(console, [])
        self.assertIn("<canvas", document)

    def test_a_narrow_page_opens_without_a_word_on_the_console(self):
        self.report(self.recording, "-o", self.page)
        console, document = self.open(self.page, width=400)
        self.assertEqual(console, [])
        self.assertIn("<canvas", document)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
