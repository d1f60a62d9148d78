// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sidestep {

/// The files of src/report/page as they are; the hashes are SHA-256 in hexadecimal digits.
struct PageParts {
    std::string_view page, player, style, script;
    std::string_view script_hash, style_hash;
};

/// Defined in a file that cmake/sidestep_write_page.cmake makes.
const PageParts& page_parts();

}  // namespace sidestep
