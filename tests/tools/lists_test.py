#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""The commands scenes, models and traits, which list what there is: lists_test.py PROGRAM."""

import json
import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv[1]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


class Lists(unittest.TestCase):
    def test_scenes_are_listed_and_printed(self):
        scenes = json.loads(run("scenes", "--json").stdout)
        self.assertIn("two-head-on", [scene["name"] for scene in scenes])
        table = run("scenes")
        self.assertEqual(table.returncode, 0, table.stderr)
        for scene in scenes:
            self.assertGreater(scene["agents"] + scene["more_come"], 0, scene)
            self.assertIn(scene["name"], table.stdout)
            self.assertIn(scene["description"], table.stdout)
        one = run("scenes", "two-head-on")
        self.assertIn("format = 1", one.stdout)
        self.assertEqual(json.loads(run("scenes", "two-head-on", "--json").stdout)["text"], one.stdout)
        wrong = run("scenes", "two-heads-on")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("did you mean 'two-head-on'?", wrong.stderr)

    def test_models_are_listed_with_all_a_profile_can_set(self):
        everything = json.loads(run("models", "--json").stdout)
        self.assertIn("orca", [model["name"] for model in everything["models"]])
        radius = [trait for trait in everything["traits"] if trait["name"] == "radius"]
        self.assertEqual((radius[0]["default"], radius[0]["unit"]), (0.2, "m"))
        for model in everything["models"]:
            text = run("models", model["name"]).stdout
            for param in everything["traits"] + model["params"]:
                self.assertLessEqual({"name", "unit", "default", "meaning"}, set(param))
                if "choices" in param:
                    self.assertIn(param["default"], param["choices"])
                    self.assertIn("|".join(param["choices"]), text)
                else:
                    self.assertLessEqual({"min", "max", "may_be_infinite"}, set(param))
                self.assertRegex(text, rf"(?m)^{param['name']} +{re.escape(param['unit'])} ")
                self.assertIn(param["meaning"], text)
            self.assertIn(model["summary"], run("models").stdout)
        wrong = run("models", "orac")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("did you mean 'orca'?", wrong.stderr)

    def test_the_defaults_of_a_model_are_shown_with_it(self):
        rcap = json.loads(run("models", "rcap", "--json").stdout)
        shown = {trait["name"]: trait["default"] for trait in rcap["traits"]}
        self.assertEqual((shown["observation_time"], shown["sight"], shown["radius"]), (0.79, "centre", 0.2))
        self.assertEqual(rcap["trait_defaults"]["planning_radius"], 0.38)
        self.assertRegex(run("models", "rcap").stdout, r"(?m)^observation_time +s +0\.79 ")

    def test_traits_presets_and_populations_are_listed_and_shown(self):
        everything = json.loads(run("traits", "--json").stdout)
        text = run("traits").stdout
        for trait in everything["traits"]:
            self.assertIn(trait["meaning"], text)
            self.assertEqual(json.loads(run("traits", trait["name"], "--json").stdout), trait)
        elder = [preset for preset in everything["presets"] if preset["name"] == "elder"][0]
        self.assertEqual((elder["values"]["rank"], elder["values"]["preferred_speed"]), (3, 1))
        self.assertEqual(json.loads(run("traits", "elder", "--json").stdout), elder)
        self.assertRegex(run("traits", "elder").stdout, r"(?m)^preferred_speed +1 +m/s ")
        street = json.loads(run("traits", "street", "--json").stdout)
        self.assertEqual(street["shares"], {"hurried": 0.1, "strolling": 0.2, "phone": 0.7})
        self.assertRegex(run("traits", "rank").stdout, r"(?m)^preset elder +3$")
        self.assertTrue(run("traits", "--markdown").stdout.startswith("# "))
        wrong = run("traits", "eldre")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("did you mean 'elder'?", wrong.stderr)

    def test_a_choice_can_be_set_from_the_command_line(self):
        self.assertEqual(run("check", "two-head-on", "--set", "profiles.default.acceleration_mode=clamp").returncode, 0)
        wrong = run("check", "two-head-on", "--set", "profiles.default.acceleration_mode=clam")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean 'clamp'?", wrong.stderr)

    def test_help_has_examples(self):
        for command in ("run", "scenes", "models", "traits"):
            done = run(command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
