# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DFOLDER= -DOUTPUT= -P sidestep_write_scenes.cmake
# Writes a C++ file that holds the text of every scenario of the folder, in alphabetical order.

file(GLOB names RELATIVE "${FOLDER}" "${FOLDER}/*.toml")
list(TRANSFORM names REPLACE "\\.toml$" "")  # before sorting: a-b comes after a, but a-b.toml before a.toml
list(SORT names)
set(rows "")
foreach(name IN LISTS names)
    file(READ "${FOLDER}/${name}.toml" text)
    string(APPEND rows "    {\"${name}\", R\"~~scene~~(${text})~~scene~~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made from scenarios/*.toml by cmake/sidestep_write_scenes.cmake.
#include <array>

#include \"sidestep/scenario.hpp\"

namespace sidestep {
namespace {
const auto kScenes = std::to_array<SceneInfo>({
${rows}});
}  // namespace

std::span<const SceneInfo> scenes()
{
    return kScenes;
}

}  // namespace sidestep
")
