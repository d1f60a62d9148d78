// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/page.hpp"
#include "report/plan.hpp"
#include "report/plot.hpp"
#include "sidestep/report.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

// A page is a list of sections, each made from one run or from two:
//
//   Trajectories, Analysis --> plan, plots, maps (SVG in C++; they print, and need no script)
//                          \-> animation (numbers in base64, drawn by the script)
//   sections + src/report/page/* --> one HTML text
//
// Nothing here looks at a clock or at hash maps: equal runs give equal pages.

/// A fact of a recording, the last of that name: facts of the end come after those of the
/// beginning. Empty: none.
std::string_view fact_of(const Trajectories& trajectories, std::string_view name);

/// A run as the sections see it.
struct PageRun {
    const Trajectories& trajectories;
    const Analysis& analysis;
    std::string label;  ///< in legends of two runs
    char letter = 'a';  ///< in ids of the page
    Plan plan;
    std::size_t first_level = 0;  ///< shown first: index into plan.levels

    std::string_view fact(std::string_view name) const { return fact_of(trajectories, name); }
    /// Whether it says who arrived; else who is gone before the last frame is taken for it.
    bool says_ends() const
    {
        return !trajectories.notes.ends.empty() || !trajectories.notes.walkers.empty() ||
               !fact("version").empty();
    }
};
using Runs = std::span<const PageRun>;

Section summary_section(Runs runs);
Section animation_section(Runs runs, std::span<const std::string> remarks);
Section arrivals_section(Runs runs);
Result<Section> maps_section(Runs runs);
Section flow_section(Runs runs);
Section density_section(Runs runs);
Section closeness_section(Runs runs);
/// Doors, journeys and the like; what people did about stalls left out.
std::vector<RecordedEvent> events_of_plan(std::vector<RecordedEvent> events);
Section events_section(Runs runs);
Section details_section(Runs runs);

// ---------------------------------------------------------------------------------- shared parts

/// Name of a run's line: `what` of one run, the run's label of two.
std::string series_name(Runs runs, std::size_t run, std::string_view what);
/// Legend of two runs; none of one.
std::vector<Figure::Entry> run_legend(Runs runs, Figure::Sign sign = Figure::Sign::line);

/// Cells are HTML.
struct HtmlTable {
    std::string caption;
    std::vector<std::string> header;
    std::vector<bool> is_number;  ///< of each column
    std::vector<std::vector<std::string>> rows;
};
std::string to_html(const HtmlTable& table);

/// Numbers of the levels that some run has, ascending.
std::vector<std::uint16_t> levels_of(Runs runs);
/// "text, level 2", or the text alone where there is one level only.
std::string with_level(Runs runs, std::uint16_t level, std::string_view text);
std::string figures(std::span<const Figure> all);

}  // namespace sidestep
