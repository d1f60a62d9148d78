// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "report/page.hpp"
#include "report/text.hpp"
#include "sidestep/studies.hpp"

namespace sidestep {
namespace {

std::string number_table(const StudyResult& result)
{
    std::string out =
        "<div class=\"card plain\"><div class=\"table\"><table><thead><tr><th>What</th>"
        "<th class=\"n\">Paper</th><th class=\"n\">Expected</th><th class=\"n\">Ours</th>"
        "<th class=\"n\">Allowed</th><th>Verdict</th><th>As printed</th></tr></thead><tbody>\n";
    for (const StudyNumber& n : result.numbers) {
        const std::string unit = n.unit.empty() ? "" : fmt::format(" [{}]", n.unit);
        fmt::format_to(
            std::back_inserter(out),
            "<tr><th>{}{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td>"
            "<td class=\"n\">{}</td><td class=\"n\">± {}</td><td>{}</td><td>{}</td></tr>\n",
            escape_html(n.what), escape_html(unit), escape_html(n.paper),
            to_fixed(n.expected, n.decimals), to_fixed(n.ours, n.decimals), to_short(n.tolerance),
            n.holds() ? "✓ agrees" : "✗ differs",
            !n.as_printed   ? ""
            : *n.as_printed ? "✓ yes"
                            : "✗ no");
    }
    return out + "</tbody></table></div></div>\n";
}

}  // namespace

std::string make_studies_page(std::span<const StudyResult> results)
{
    std::size_t hold = 0, printed = 0, failed = 0;
    std::vector<Section> sections;
    for (const StudyResult& result : results) {
        hold += result.holds() ? 1 : 0;
        printed += result.printed();
        failed += result.not_as_printed();
        sections.push_back(
            {std::string(result.info.name),
             escape_html(fmt::format("[{}] {}", result.info.paper, result.info.figure)),
             fmt::format("<p>{}. {}</p>\n<div class=\"figures\">\n{}</div>\n{}",
                         escape_html(result.info.title), escape_html(result.finding),
                         result.drawing, number_table(result))});
    }
    return to_page(
        {.title = "Figures of the papers, computed again",
         .subtitle = fmt::format(
             "{} of {} figures agree with what is expected (from an independent computation). {} "
             "of "
             "{} numbers of the papers, printed or given by an equation as printed, come out.",
             hold, results.size(), printed - failed, printed),
         .before = {},
         .sections = sections,
         .data = {}});
}

}  // namespace sidestep
