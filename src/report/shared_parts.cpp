// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {

std::string_view fact_of(const Trajectories& trajectories, std::string_view name)
{
    std::string_view found;
    for (const auto& [key, value] : trajectories.info.facts) {
        if (key == name) found = value;
    }
    return found;
}

std::string series_name(Runs runs, std::size_t run, std::string_view what)
{
    return runs.size() > 1 ? runs[run].label : std::string(what);
}

std::vector<Figure::Entry> run_legend(Runs runs, Figure::Sign sign)
{
    std::vector<Figure::Entry> legend;
    if (runs.size() < 2) return legend;
    for (std::size_t i = 0; i < runs.size(); ++i) legend.push_back({runs[i].label, i, sign});
    return legend;
}

std::string to_html(const HtmlTable& table)
{
    const auto cell = [&](std::string_view tag, std::size_t column, std::string_view text) {
        const bool number = column < table.is_number.size() && table.is_number[column];
        return fmt::format("<{}{}>{}</{}>", tag, number ? " class=\"n\"" : "", text,
                           tag.substr(0, tag.find(' ')));
    };
    // Outside the table: it must not scroll sideways with it.
    std::string out =
        table.caption.empty() ? "" : fmt::format("<p class=\"caption\">{}</p>\n", table.caption);
    out += "<div class=\"table\" tabindex=\"0\"><table>";
    if (!table.header.empty()) {
        out += "<thead><tr>";
        for (std::size_t i = 0; i < table.header.size(); ++i) {
            out += cell("th scope=\"col\"", i, table.header[i]);
        }
        out += "</tr></thead>";
    }
    out += "<tbody>\n";
    for (const auto& row : table.rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            out += i == 0 ? cell("th scope=\"row\"", i, row[i]) : cell("td", i, row[i]);
        }
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
    return out;
}

std::vector<std::uint16_t> levels_of(Runs runs)
{
    std::set<std::uint16_t> levels;
    for (const PageRun& run : runs) {
        for (const PlanLevel& level : run.plan.levels) levels.insert(level.level);
    }
    return {levels.begin(), levels.end()};
}

std::string with_level(Runs runs, std::uint16_t level, std::string_view text)
{
    if (levels_of(runs).size() < 2) return std::string(text);
    return fmt::format("{}, level {}", text, level);
}

std::string figures(std::span<const Figure> all)
{
    if (all.empty()) return {};
    const bool is_row =
        all.size() == 3 &&
        std::none_of(all.begin(), all.end(), [](const Figure& figure) { return figure.wide; });
    std::string out = fmt::format("<div class=\"figures{}\">\n", is_row ? " three" : "");
    for (const Figure& figure : all) out += to_html(figure);
    out += "</div>\n";
    return out;
}

}  // namespace sidestep
