#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/check_layers.py: it is silent about a good tree and names the line of each fault in a bad one."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"
LICENCE = "SPDX-FileCopyrightText: 2026 The Sidestep authors\n{}SPDX-License-Identifier: Apache-2.0\n"
CPP_LICENCE = "// " + LICENCE.format("// ")
SCRIPT_LICENCE = "# " + LICENCE.format("# ")


class CheckLayers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for header in ("vec2.hpp", "geometry.hpp", "world.hpp", "sidestep.hpp"):
            self.write(f"include/sidestep/{header}")
        self.write("src/base/hash.hpp")

    def write(self, path, *lines, licence=CPP_LICENCE):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(licence + "".join(line + "\n" for line in lines))

    def check(self):
        done = subprocess.run([sys.executable, CHECKER, self.root], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def assert_fine(self):
        self.assertEqual(self.check(), (0, ""))

    def assert_fault(self, place, words):
        code, output = self.check()
        self.assertEqual(code, 1)
        self.assertEqual(len(output.splitlines()), 1, output)
        self.assertTrue(output.startswith(place + ": "), output)
        self.assertIn(words, output)

    def test_a_good_tree_passes(self):
        self.write("include/sidestep/world.hpp", "#include <vector>", '#include "sidestep/vec2.hpp"')
        self.write("src/base/hash.cpp", '#include "base/hash.hpp"', "#include <xxhash.h>",
                   "#include <sidestep/vec2.hpp>")
        self.write("src/models/registry.cpp", '#include "models/orca/orca.hpp"', '#include "models/seek/seek.hpp"')
        self.write("src/models/orca/orca.cpp", '#include "models/model.hpp"', '#include "constraints/orca-inl.hpp"',
                   "#include <hwy/highway.h>")
        self.write("src/solvers/lp.cpp", "#include <sidestep/geometry.hpp>", '#include "math/half_plane.hpp"')
        self.write("src/sim/step.cpp", '#include "policy/stalls.hpp"', '#include "sidestep/world.hpp"')
        self.write("src/base/hash_test.cpp", '#include "sim/step.hpp"', "#include <gtest/gtest.h>")
        self.write("apps/cli/main.cpp", '#include "commands.hpp"', "#include <CLI/CLI.hpp>")
        self.write("apps/cli/commands.hpp", "#include <sidestep/sidestep.hpp>")
        self.write("examples/circle.cpp", "#include <sidestep/sidestep.hpp>", "#include <cstdio>")
        self.write("tools/x.py", licence="#!/usr/bin/env python3\n" + SCRIPT_LICENCE)
        self.assert_fine()

    def test_a_stage_may_not_include_a_later_one(self):
        self.write("src/world/table.cpp", "#include <vector>", '#include "neighbours/neighbours.hpp"')
        self.assert_fault("src/world/table.cpp:4", "world may not include neighbours")

    def test_pure_geometry_does_not_know_the_world(self):
        self.write("src/constraints/orca-inl.hpp", '#include "world/agent_table.hpp"')
        self.assert_fault("src/constraints/orca-inl.hpp:3", "constraints may not include world")

    def test_the_step_does_not_know_recordings(self):
        self.write("src/sim/step.cpp", '#include "recording/sqlite.hpp"')
        self.assert_fault("src/sim/step.cpp:3", "sim may not include recording")

    def test_a_model_may_not_include_another(self):
        self.write("src/models/rcap/rcap.cpp", '#include "models/orca/orca.hpp"')
        self.assert_fault("src/models/rcap/rcap.cpp:3", "model rcap includes model orca")

    def test_a_model_may_not_start_threads(self):
        self.write("src/models/orca/orca.cpp", '#include "parallel/parallel_for.hpp"')
        self.assert_fault("src/models/orca/orca.cpp:3", "models may not include parallel")

    def test_a_stage_may_not_use_a_public_header_implemented_above_it(self):
        self.write("src/solvers/lp.cpp", "#include <sidestep/world.hpp>")
        self.assert_fault("src/solvers/lp.cpp:3", "solvers may not use the public header world.hpp")

    def test_a_public_header_may_not_include_src(self):
        self.write("include/sidestep/world.hpp", '#include "base/hash.hpp"')
        self.assert_fault("include/sidestep/world.hpp:3", "a public header includes only")

    def test_a_public_header_may_not_include_another_library(self):
        self.write("include/sidestep/world.hpp", "#include <hwy/highway.h>")
        self.assert_fault("include/sidestep/world.hpp:3", "not hwy/highway.h")

    def test_a_template_of_a_public_header_is_checked_too(self):
        self.write("include/sidestep/version.hpp.in", "#include <fmt/format.h>")
        self.assert_fault("include/sidestep/version.hpp.in:3", "not fmt/format.h")

    def test_the_program_may_not_include_src(self):
        self.write("apps/cli/cmd_solve.cpp", '#include "solvers/lp.hpp"')
        self.assert_fault("apps/cli/cmd_solve.cpp:3", "not solvers/lp.hpp")

    def test_an_example_uses_nothing_but_the_public_headers(self):
        self.write("examples/circle.cpp", "#include <fmt/format.h>")
        self.assert_fault("examples/circle.cpp:3", "an example includes only")

    def test_core_uses_no_other_libraries(self):
        self.write("src/sim/step.cpp", "#include <nlohmann/json.hpp>")
        self.assert_fault("src/sim/step.cpp:3", "Highway and threads only")

    def test_tbb_stays_behind_parallel_for(self):
        self.write("src/sim/step.cpp", "#include <oneapi/tbb/parallel_for.h>")
        self.assert_fault("src/sim/step.cpp:3", "only parallel may include")

    def test_core_knows_no_files(self):
        self.write("src/sim/step.cpp", "#include <fstream>")
        self.assert_fault("src/sim/step.cpp:3", "knows no files")

    def test_the_library_never_prints(self):
        self.write("src/analysis/flow.cpp", "#include <iostream>")
        self.assert_fault("src/analysis/flow.cpp:3", "never prints")

    def test_includes_are_written_by_path_from_src(self):
        self.write("src/base/hash.cpp", '#include "hash.hpp"')
        self.assert_fault("src/base/hash.cpp:3", "include by path from src")

    def test_code_may_not_include_test_helpers(self):
        self.write("src/sim/step.cpp", '#include "sim/worlds_test.hpp"')
        self.assert_fault("src/sim/step.cpp:3", "only tests may include")

    def test_a_folder_without_a_rule_is_named(self):
        self.write("src/misc/things.cpp")
        self.assert_fault("src/misc/things.cpp:1", "no rule for src/misc")

    def test_an_include_inside_a_comment_is_no_include(self):
        self.write("src/base/hash.cpp", "/* was:", '#include "sim/step.hpp"', "*/", '// #include "sim/step.hpp"')
        self.assert_fine()

    def test_a_source_without_a_licence_is_named(self):
        self.write("tests/golden/circle_test.cpp", "int x;", licence=CPP_LICENCE.splitlines(keepends=True)[0])
        self.assert_fault("tests/golden/circle_test.cpp:2", "expected the line `// SPDX-License-Identifier")

    def test_a_script_without_a_licence_is_named(self):
        self.write("src/base/CMakeLists.txt", "x()", licence="")
        code, output = self.check()
        self.assertEqual(code, 1)
        self.assertIn("src/base/CMakeLists.txt:1: expected the line `# SPDX-FileCopyrightText", output)

    def test_a_folder_that_is_no_tree_is_an_error(self):
        done = subprocess.run([sys.executable, CHECKER, self.root / "tests"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no folder src", done.stderr)


if __name__ == "__main__":
    unittest.main()
