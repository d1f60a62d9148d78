// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/histogram.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Width of the intervals of encounters, as in EncounterResult [m].
constexpr double kPassingInterval = 0.1;
/// Lanes are worth a diagram if there are two directions for this part of the frames.
constexpr double kLanePart = 0.1;

template <class Value>
std::vector<Vec2> over_time(const PageRun& run, const std::vector<Value>& values)
{
    std::vector<Vec2> points;
    for (std::size_t i = 0; i < std::min(values.size(), run.trajectories.frames.size()); ++i) {
        points.push_back({run.trajectories.time_of(i), static_cast<double>(values[i])});
    }
    return points;
}

Figure time_figure(Runs runs, std::vector<std::vector<Vec2>> lines, const std::string& title,
                   const std::string& sentence, const std::string& y_title, double least_top,
                   AxisValues values)
{
    double low = HUGE_VAL, high = -HUGE_VAL, top = least_top;
    for (const auto& line : lines) {
        for (const Vec2 p : line) {
            low = std::min(low, p.x);
            high = std::max(high, p.x);
            if (p.y > top) top = p.y;
        }
    }
    Plot plot(make_axis("time [s]", low, high, Plot::kXSteps, AxisEnds::tight),
              make_axis(y_title, 0.0, top, Plot::kYSteps, AxisEnds::round, values),
              title + " over time");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        plot.line(lines[i], i, series_name(runs, i, y_title));
    }
    return {title, sentence, plot.finish(), run_legend(runs)};
}

bool any(Runs runs, bool (*says_something)(const PageRun&))
{
    return std::any_of(runs.begin(), runs.end(), says_something);
}

void add_overlaps(Runs runs, std::vector<Figure>& all, std::string& notes)
{
    if (!any(runs, [](const PageRun& run) { return run.analysis.overlaps.pairs > 0; })) {
        notes += "<p class=\"note\">No two bodies overlapped by more than 1 mm.</p>\n";
        return;
    }
    std::vector<std::vector<Vec2>> pairs, depths;
    std::string sentence;
    for (const PageRun& run : runs) {
        const OverlapResult& o = run.analysis.overlaps;
        pairs.push_back(over_time(run, o.pairs_of_frame));
        depths.push_back(over_time(run, o.deepest_of_frame));
        for (Vec2& p : depths.back()) p.y *= 1000.0;
        if (o.pairs == 0) continue;
        sentence += fmt::format(
            "{}{}the deepest, {} mm, at {} s between walkers {} and {}",
            sentence.empty() ? "" : "; ", runs.size() > 1 ? escape_html(run.label) + ": " : "",
            to_fixed(o.deepest * 1000.0, 1), to_fixed(o.deepest_time, 1), o.deepest_a, o.deepest_b);
    }
    all.push_back(time_figure(runs, std::move(pairs), "Overlaps",
                              "Pairs of bodies that overlap by more than 1 mm, frame by frame.",
                              "pairs", 1.0, AxisValues::whole));
    all.push_back(time_figure(runs, std::move(depths), "Deepest overlap",
                              "In each frame; " + sentence + ".", "deepest overlap [mm]", 0.1,
                              AxisValues::real));
}

void add_encounters(Runs runs, std::vector<Figure>& all)
{
    if (!any(runs, [](const PageRun& run) { return run.analysis.encounters.encounters > 0; })) {
        return;
    }
    std::vector<std::vector<std::uint32_t>> counts;
    std::string sentence;
    for (const PageRun& run : runs) {
        const EncounterResult& e = run.analysis.encounters;
        counts.push_back(e.passing_histogram);
        sentence += fmt::format("{}{}{}, median {} m.", sentence.empty() ? "" : " ",
                                runs.size() > 1 ? escape_html(run.label) + ": " : "",
                                count_of(e.encounters, "encounter", "encounters"),
                                to_fixed(e.passing_distance.median, 2));
    }
    all.push_back({"Passing distances",
                   "How close the centres of two came who met (within " +
                       to_short(runs[0].analysis.options.encounter_range) + " m). " + sentence,
                   draw_counts(runs, counts, kPassingInterval, "least distance of centres [m]",
                               "encounters", "How many pairs came how close"),
                   run_legend(runs, Figure::Sign::box)});
}

void add_lanes(Runs runs, std::vector<Figure>& all)
{
    const auto has_lanes = [](const PageRun& run) {
        return static_cast<double>(run.analysis.lanes.frames) >
               kLanePart * static_cast<double>(run.trajectories.frames.size());
    };
    if (!any(runs, has_lanes)) return;
    std::vector<std::vector<Vec2>> lines;
    std::string sentence = "1: all who walk in one file walk one way; 0: mixed.";
    for (const PageRun& run : runs) {
        lines.push_back(over_time(run, run.analysis.lanes.order_of_frame));
        sentence += fmt::format(" {}Mean {}.", runs.size() > 1 ? escape_html(run.label) + ": " : "",
                                to_fixed(run.analysis.lanes.order, 2));
    }
    all.push_back(time_figure(runs, std::move(lines), "Lane order", sentence, "lane order [1]", 1.0,
                              AxisValues::real));
}

}  // namespace

Section closeness_section(Runs runs)
{
    Section section{"closeness", "Overlaps and encounters", {}};
    const bool anybody = any(runs, [](const PageRun& run) {
        return run.trajectories.walkers.size() > 1 && run.trajectories.frames.size() > 1;
    });
    if (!anybody) return section;
    std::vector<Figure> all;
    add_overlaps(runs, all, section.html);
    add_encounters(runs, all);
    add_lanes(runs, all);
    section.html += figures(all);
    return section;
}

}  // namespace sidestep
