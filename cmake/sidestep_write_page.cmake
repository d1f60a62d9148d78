# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DFOLDER= -DOUTPUT= -P sidestep_write_page.cmake
# Writes a C++ file that holds the parts of a report's page. The page allows the one script and the one style sheet that
# have these hashes, and nothing else.

foreach(name IN ITEMS page.html player.html style.css)
    file(READ "${FOLDER}/${name}" text)
    string(MAKE_C_IDENTIFIER "${name}" key)
    set(${key} "${text}")
endforeach()
set(script "")
foreach(name IN ITEMS start tips tracks player)  # one script, in this order
    file(READ "${FOLDER}/${name}.js" text)
    string(APPEND script "${text}")
endforeach()
string(SHA256 script_hash "${script}")
string(SHA256 style_hash "${style_css}")

file(WRITE "${OUTPUT}" "// Made from src/report/page by cmake/sidestep_write_page.cmake.
#include \"report/page_parts.hpp\"

namespace sidestep {

const PageParts& page_parts()
{
    static constexpr PageParts kParts{
R\"~~page~~(${page_html})~~page~~\",
R\"~~page~~(${player_html})~~page~~\",
R\"~~page~~(${style_css})~~page~~\",
R\"~~page~~(${script})~~page~~\",
\"${script_hash}\",
\"${style_hash}\"};
    return kParts;
}

}  // namespace sidestep
")
