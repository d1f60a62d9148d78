#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""What holds for the program whatever its commands are: command_line_test.py PROGRAM VERSION."""

import json
import subprocess
import sys
import unittest

PROGRAM, VERSION = sys.argv[1:3]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class CommandLine(unittest.TestCase):
    def test_version_names_version_commit_compiler_and_instruction_sets(self):
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], f"sidestep {VERSION}")
        for line, name in zip(lines[1:], ("commit", "compiler", "instruction sets"), strict=True):
            self.assertRegex(line, f"^{name}: .+")
        self.assertIn("scalar", lines[3])

    def test_help_has_an_example_and_goes_to_standard_output(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("Example", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_no_arguments_show_the_help_as_bad_usage(self):
        done = run()
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn("Usage", done.stderr)

    def test_an_unknown_command_is_bad_usage_and_is_named(self):
        done = run("fly")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertIn("'fly'", done.stderr)

    def test_an_unknown_option_is_bad_usage_and_is_named(self):
        for arguments in (("--fly",), ("solve", "--fly")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--fly", done.stderr)

    def test_quiet_leaves_errors_and_json(self):
        for arguments in (("check", "two-head-on"), ("scenes",), ("scenes", "two-head-on"), ("models",),
                          ("models", "orca"), ("traits",), ("traits", "elder"), ("traits", "street"),
                          ("traits", "sight"), ("help",), ("help", "scenario"), ("help", "run")):
            with self.subTest(arguments):
                done = run(*arguments, "--quiet")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
                done = run(*arguments, "--quiet", "--json")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                json.loads(done.stdout)
        for arguments in (("check", "nowhere"), ("scenes", "nowhere"), ("models", "nowhere"),
                          ("traits", "nowhere"), ("help", "nowhere")):
            with self.subTest(arguments):
                done = run(*arguments, "--quiet")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("error: ", done.stderr)

    def test_help_as_json_has_the_topic_and_its_text(self):
        for topic in ((), ("scenario",), ("scenario", "agents"), ("exit-codes",), ("schema",), ("run",)):
            with self.subTest(topic):
                self.assertEqual(json.loads(run("help", *topic, "--json").stdout),
                                 {"topic": " ".join(topic), "text": run("help", *topic).stdout})

    def test_every_command_has_help_with_an_example(self):
        done = run("solve", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("xample", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
