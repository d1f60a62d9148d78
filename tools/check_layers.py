#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
"""Checks who includes whom, and that every source file names its licence.

    tools/check_layers.py [ROOT]

Folders of src/ are the stages of the algorithm, and a stage may use only what lies below it. The tables here are the
rules; docs/architecture.md draws them. Prints one line `file:line: message` per fault and exits with 1 if there is one.
"""

import re
import sys
from pathlib import Path
from typing import Iterator, NamedTuple

# ---------------------------------------------------------------- the rules

# Folder of src/ -> folders it may include besides itself.
BASE = {"base"}
MATH = BASE | {"math"}
WIDE = MATH | {"simd"}
STAGE = WIDE | {"world", "parallel"}
MODEL = WIDE | {"constraints", "solvers", "world", "neighbours", "perception"}
SIM = STAGE | MODEL | {"navigation", "perception", "models", "policy", "motion", "solid", "groups"}
ALL = SIM | {"floorplan", "scenario", "recording", "run", "analysis"}
MAY_USE = {
    "base": set(),
    "math": BASE,
    "simd": MATH,
    "parallel": MATH,
    "world": MATH,
    "neighbours": STAGE,
    "navigation": STAGE,
    "perception": STAGE | {"neighbours"},
    "motion": STAGE,
    "solid": STAGE | {"motion", "neighbours"},
    "groups": STAGE | {"motion"},
    "constraints": WIDE,
    "solvers": WIDE,
    "models": MODEL,
    "policy": STAGE | {"navigation", "neighbours", "motion"},
    "sim": SIM,
    "floorplan": MATH | {"navigation"},
    "scenario": MATH | {"floorplan"},
    "recording": MATH | {"world"},
    "run": SIM | {"floorplan", "scenario", "sim"},
    "analysis": MATH | {"parallel", "floorplan", "recording"},
    "report": ALL,
    "server": ALL | {"report"},
    "studies": ALL | {"report"},
    "benchmarks": ALL | {"sim", "report"},
}

# Public headers that hold plain values: any folder of src/ may use them.
VALUE_HEADERS = {"result.hpp", "vec2.hpp", "models.hpp", "version.hpp"}

# Public headers with behaviour -> the folders that implement them or stand above those. world.hpp also holds plain
# types (handles, options, column views) that the stages of a step pass on; pure geometry and optimisation do without.
PURE = {"base", "math", "constraints", "solvers"}
HEADER_USERS = {
    "forces.hpp": {"constraints", "solvers", "models", "sim", "report", "server", "studies"},
    "geometry.hpp": {"constraints", "solvers", "models", "sim", "report", "server", "studies"},
    "nonholonomic.hpp": {"motion", "navigation", "sim", "report", "server", "studies", "benchmarks"},
    "world.hpp": (SIM | {"sim", "run", "recording", "analysis", "report", "server", "studies", "benchmarks"}) - PURE,
    "scenario.hpp": {"floorplan", "scenario", "run", "report", "server", "studies", "benchmarks"},
    "simulation.hpp": {"run", "report", "server", "studies", "benchmarks"},
    "recording.hpp": {"recording", "run", "analysis", "report", "server", "studies"},
    "analysis.hpp": {"analysis", "report", "server", "studies"},
    "report.hpp": {"report", "server", "studies"},
    "studies.hpp": {"studies"},
    "bench.hpp": {"benchmarks"},
}

# sidestep::core needs Highway and threads only, and knows no files. The other folders choose their libraries freely.
CORE = SIM | {"sim"}
CORE_LIBRARIES = {
    "hwy/": CORE,
    "oneapi/tbb": {"parallel"},
    "tbb/": {"parallel"},
    "xxhash.h": {"base"},
    "Random123/": {"base"},
}
NOT_IN_CORE = {"filesystem", "fstream"}
# The library never prints: it returns values, and the program prints them.
NOT_IN_SRC = {"iostream", "print"}

# ---------------------------------------------------------------- reading

SOURCE_FOLDERS = ("src", "include", "apps", "examples", "tests", "bench", "python", "tools", "scripts", "cmake", ".ci")
CPP = {".cpp", ".hpp", ".h"}
SPDX = ("SPDX-FileCopyrightText: 2026 The Sidestep authors", "SPDX-License-Identifier: Apache-2.0")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


class Include(NamedTuple):
    line: int
    quoted: bool
    path: str

    @property
    def public(self) -> str:
        """The public header this names, without `sidestep/`; empty if it names another kind of file."""
        return self.path.removeprefix("sidestep/") if self.path.startswith("sidestep/") else ""

    @property
    def standard(self) -> bool:
        """<vector> is standard; <zlib.h> and <fmt/format.h> belong to others, and <math.h> is written <cmath>."""
        return not self.quoted and "/" not in self.path and "." not in self.path


class Fault(NamedTuple):
    path: Path
    line: int
    message: str


def plain_name(path: Path) -> str:
    """The name without the .in of a template."""
    return path.name.removesuffix(".in")


def is_cpp(path: Path) -> bool:
    return Path(plain_name(path)).suffix in CPP


def is_test(path: Path) -> bool:
    return Path(plain_name(path)).stem.endswith("_test")


def read_includes(path: Path) -> list[Include]:
    text = path.read_text(encoding="utf-8", errors="replace")
    text = BLOCK_COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if match := INCLUDE.match(line):
            found.append(Include(number, match.group(1) == '"', match.group(2)))
    return found


# ---------------------------------------------------------------- checking

def check_public_header(include: Include, headers: set[str]) -> Iterator[str]:
    if include.standard:
        return
    if not include.public:
        yield f"a public header includes only public headers and the standard library, not {include.path}"
    elif include.public not in headers:
        yield f"there is no public header {include.path}"


def check_library_use(module: str, include: Include) -> Iterator[str]:
    if include.standard:
        if include.path in NOT_IN_SRC:
            yield f"the library never prints: no <{include.path}> in src/"
        elif module in CORE and include.path in NOT_IN_CORE:
            yield f"sidestep::core knows no files: no <{include.path}> in {module}"
        return
    if include.quoted:
        yield f'include by path from src ("{module}/...") or, for other libraries, in angle brackets: "{include.path}"'
        return
    if module not in CORE:
        return
    users = next((users for start, users in CORE_LIBRARIES.items() if include.path.startswith(start)), None)
    if users is None:
        yield f"sidestep::core uses Highway and threads only, not <{include.path}>"
    elif module not in users:
        yield f"only {' and '.join(sorted(users))} may include <{include.path}>"


def check_model(parts: tuple[str, ...], target: list[str]) -> Iterator[str]:
    """A file models/<name>/x may use its own folder and models/*.hpp; the registry, above all models, knows each."""
    own = parts[1] if len(parts) > 2 else None
    other = target[1] if len(target) > 2 else None
    if own and other and own != other:
        yield f"model {own} includes model {other}: what both need moves down into constraints/ or solvers/"


def check_src(parts: tuple[str, ...], include: Include) -> Iterator[str]:
    module = parts[0]
    if include.public:
        if include.public == "sidestep.hpp":
            yield "src/ includes the public headers it needs, not <sidestep/sidestep.hpp>"
        elif include.public not in VALUE_HEADERS and module not in HEADER_USERS.get(include.public, set()):
            yield f"{module} may not use the public header {include.public}"
        return
    target = include.path.split("/")
    if not include.quoted or target[0] not in MAY_USE or len(target) < 2:
        yield from check_library_use(module, include)
    elif Path(include.path).stem.endswith("_test"):
        yield f"only tests may include {include.path}"
    elif target[0] == module:
        if module == "models":
            yield from check_model(parts, target)
    elif target[0] not in MAY_USE[module]:
        allowed = ", ".join(sorted(MAY_USE[module])) or "no other folder"
        yield f"{module} may not include {target[0]} (allowed: {allowed})"


def check_user(folder: str, include: Include, siblings: set[str]) -> Iterator[str]:
    """Programs see what any user sees: the public headers. An example shows that nothing else is needed."""
    if include.public or include.standard:
        return
    if folder == "examples":
        yield f"an example includes only <sidestep/...> and the standard library, not {include.path}"
    elif include.quoted and include.path not in siblings:
        yield f"apps/ include <sidestep/...>, other libraries and files beside them, not {include.path}"


def check_includes(root: Path, path: Path, headers: set[str]) -> Iterator[Fault]:
    parts = path.relative_to(root).parts
    folder = parts[0]
    if folder == "src":
        if len(parts) < 3:
            yield Fault(path, 1, "a source file of src/ belongs into one of its folders")
            return
        if parts[1] not in MAY_USE:
            yield Fault(path, 1, f"tools/check_layers.py has no rule for src/{parts[1]}")
            return
        if is_test(path):
            return
    for include in read_includes(path):
        if folder == "include":
            messages = check_public_header(include, headers)
        elif folder == "src":
            messages = check_src(parts[1:], include)
        else:
            messages = check_user(folder, include, {other.name for other in path.parent.iterdir()})
        for message in messages:
            yield Fault(path, include.line, message)


def needs_licence(path: Path) -> bool:
    name = plain_name(path)
    return Path(name).suffix in CPP | {".py", ".sh", ".cmake"} or name == "CMakeLists.txt" or path.parent.name == ".ci"


def check_licence(path: Path) -> Iterator[Fault]:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    first = 1 if lines and lines[0].startswith("#!") else 0
    comment = "// " if is_cpp(path) else "# "
    for offset, expected in enumerate(SPDX):
        number = first + offset
        if number >= len(lines) or lines[number] != comment + expected:
            yield Fault(path, number + 1, f"expected the line `{comment}{expected}`")


def source_files(root: Path) -> Iterator[Path]:
    for folder in SOURCE_FOLDERS:
        yield from sorted(path for path in (root / folder).rglob("*") if path.is_file())


def check_tree(root: Path) -> list[Fault]:
    headers = {plain_name(path) for path in (root / "include" / "sidestep").glob("*")}
    faults = []
    for path in source_files(root):
        if needs_licence(path):
            faults.extend(check_licence(path))
        if is_cpp(path) and path.relative_to(root).parts[0] in ("src", "include", "apps", "examples"):
            faults.extend(check_includes(root, path, headers))
    return faults


def main(arguments: list[str]) -> int:
    root = Path(arguments[0] if arguments else ".")
    if not (root / "src").is_dir():
        print(f"error: {root} has no folder src", file=sys.stderr)
        return 2
    faults = check_tree(root)
    for fault in faults:
        print(f"{fault.path.relative_to(root)}:{fault.line}: {fault.message}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
