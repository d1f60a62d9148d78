// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/page.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "report/page_parts.hpp"
#include "report/text.hpp"
#include "sidestep/version.hpp"

namespace sidestep {
namespace {

/// Hexadecimal digits to base64, as a Content-Security-Policy wants a hash.
std::string hash_source(std::string_view hex)
{
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(static_cast<std::uint8_t>(digit(hex[i]) * 16 + digit(hex[i + 1])));
    }
    return to_base64(bytes);
}

/// Puts the values of {{names}} into a part of the page; values are not looked at again.
std::string fill_in(std::string_view part,
                    std::span<const std::pair<std::string_view, std::string>> values)
{
    std::string out;
    for (;;) {
        const std::size_t begin = part.find("{{"), end = part.find("}}", begin);
        out += part.substr(0, begin);
        if (begin == std::string_view::npos || end == std::string_view::npos) return out;
        const std::string_view name = part.substr(begin + 2, end - begin - 2);
        for (const auto& [key, value] : values) {
            if (key == name) out += value;
        }
        part.remove_prefix(end + 2);
    }
}

}  // namespace

std::string to_page(const PageContent& page)
{
    std::string navigation, content = page.before;
    for (const Section& section : page.sections) {
        if (section.html.empty()) continue;
        navigation += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, section.title);
        content += fmt::format(
            "<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1}</h2>\n{2}"
            "</section>\n",
            section.id, section.title, section.html);
    }
    const PageParts& parts = page_parts();
    const std::pair<std::string_view, std::string> values[] = {
        {"title", escape_html(page.title)},
        {"subtitle", page.subtitle},
        {"version", escape_html(version())},
        {"style", std::string(parts.style)},
        {"script", std::string(parts.script)},
        {"style_hash", hash_source(parts.style_hash)},
        {"script_hash", hash_source(parts.script_hash)},
        {"navigation", navigation},
        {"content", content},
        {"data", page.data}};
    return fill_in(parts.page, values);
}

}  // namespace sidestep
