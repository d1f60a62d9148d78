// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace sidestep {

struct Section {
    std::string id, title;
    std::string html;  ///< without its heading; empty: there is nothing to say
};

/// What stands in the frame of src/report/page/page.html.
struct PageContent {
    std::string title;     ///< plain text
    std::string subtitle;  ///< HTML
    std::string before;    ///< HTML in front of the sections
    std::span<const Section> sections;
    std::string data;  ///< HTML at the end, for the script
};

/// One HTML page that needs nothing else.
std::string to_page(const PageContent& content);

}  // namespace sidestep
