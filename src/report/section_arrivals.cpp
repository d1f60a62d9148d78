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

/// First and last time over all runs [s].
Axis time_axis(Runs runs)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const PageRun& run : runs) {
        const Trajectories& t = run.trajectories;
        if (t.frames.empty()) continue;
        low = std::min(low, t.time_of(0));
        high = std::max(high, t.time_of(t.frames.size() - 1));
    }
    return make_axis("time [s]", low, high, Plot::kXSteps, AxisEnds::tight);
}

std::vector<Vec2> present_over_time(const PageRun& run)
{
    std::vector<Vec2> points;
    const auto& present = run.analysis.present_of_frame;
    for (std::size_t i = 0; i < std::min(present.size(), run.trajectories.frames.size()); ++i) {
        points.push_back({run.trajectories.time_of(i), static_cast<double>(present[i])});
    }
    return points;
}

std::vector<Vec2> arrivals_over_time(const PageRun& run)
{
    std::vector<Vec2> points;
    if (run.trajectories.frames.empty()) return points;
    points.push_back({run.trajectories.time_of(0), 0.0});
    for (const double time : run.analysis.arrival_times) {
        points.push_back({time, points.back().y + 1.0});
    }
    return points;
}

double end_of(const PageRun& run)
{
    const Trajectories& t = run.trajectories;
    return t.frames.empty() ? 0.0 : t.time_of(t.frames.size() - 1);
}

void add_event_rules(Runs runs, Plot& plot)
{
    constexpr std::size_t kMost = 12;
    if (runs.size() > 1) return;
    const std::vector<RecordedEvent> events = events_of_plan(runs[0].trajectories.notes.events);
    if (events.size() > kMost) return;
    for (const RecordedEvent& event : events) {
        plot.rule(event.time, fmt::format("{} s: {}", to_fixed(event.time, 1), event.text));
    }
}

Figure egress_figure(Runs runs)
{
    double most = 1.0;
    for (const PageRun& run : runs) {
        most = std::max({most, static_cast<double>(run.trajectories.walkers.size()),
                         static_cast<double>(run.analysis.arrival_times.size())});
    }
    Figure figure;
    figure.title = "Egress";
    const Axis y = make_axis(runs.size() > 1 ? "arrived" : "people", 0.0, most, Plot::kYSteps,
                             AxisEnds::round, AxisValues::whole);
    Plot plot(time_axis(runs), y, "How many have arrived over time, and how many are present");
    if (runs.size() == 1) {
        add_event_rules(runs, plot);
        plot.steps(arrivals_over_time(runs[0]), end_of(runs[0]), 0, "arrived");
        plot.line(present_over_time(runs[0]), 1, "present");
        figure.sentence = "Who has arrived, and who is there, over time.";
        figure.legend = {{"arrived", 0}, {"present", 1}};
    } else {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            plot.steps(arrivals_over_time(runs[i]), end_of(runs[i]), i, runs[i].label);
        }
        figure.sentence = "Who has arrived, over time.";
        figure.legend = run_legend(runs);
    }
    figure.drawing = plot.finish();
    return figure;
}

Figure present_figure(Runs runs)
{
    double most = 1.0;
    for (const PageRun& run : runs) {
        for (const std::uint32_t n : run.analysis.present_of_frame) {
            most = std::max(most, static_cast<double>(n));
        }
    }
    Plot plot(
        time_axis(runs),
        make_axis("people present", 0.0, most, Plot::kYSteps, AxisEnds::round, AxisValues::whole),
        "How many people are present over time");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        plot.line(present_over_time(runs[i]), i, series_name(runs, i, "present"));
    }
    return {"Present", "Who is there, over time.", plot.finish(), run_legend(runs)};
}

Figure speed_figure(Runs runs)
{
    double top = 0.1;
    std::vector<std::vector<Vec2>> lines(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& speeds = runs[i].analysis.mean_speed_of_frame;
        const Trajectories& t = runs[i].trajectories;
        for (std::size_t f = 0; f < std::min(speeds.size(), t.frames.size()); ++f) {
            const double speed = double{speeds[f]};
            lines[i].push_back({t.time_of(f), speed});
            if (speed > top) top = speed;  // false for NaN
        }
    }
    Plot plot(time_axis(runs), make_axis("mean speed [m/s]", 0.0, top, Plot::kYSteps),
              "Mean speed of everybody present over time");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        plot.line(lines[i], i, series_name(runs, i, "mean speed"));
    }
    return {"Mean speed", "Of everybody present, over time.", plot.finish(), run_legend(runs)};
}

Figure travel_time_figure(Runs runs)
{
    std::vector<std::vector<double>> values(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const WalkerResult& walker : runs[i].analysis.walkers) {
            if (walker.has_arrived) values[i].push_back(walker.travel_time);
        }
    }
    Figure figure;
    figure.title = "Travel times";
    figure.sentence = "Of those who arrived, from setting off to the end of the journey.";
    figure.drawing = draw_histogram(runs, values, "travel time [s]", "walkers",
                                    "How many walkers took how long");
    figure.legend = run_legend(runs, Figure::Sign::box);
    return figure;
}

}  // namespace

Section arrivals_section(Runs runs)
{
    Section section{"arrivals", "Arrivals", {}};
    const bool anybody = std::any_of(runs.begin(), runs.end(), [](const PageRun& run) {
        return !run.trajectories.walkers.empty() && run.trajectories.frames.size() > 1;
    });
    if (!anybody) {
        section.html =
            "<p class=\"note\">There is nothing to draw over time: it needs two frames and "
            "somebody in them.</p>\n";
        return section;
    }
    std::vector<Figure> all{egress_figure(runs)};
    if (runs.size() > 1) all.push_back(present_figure(runs));
    const bool arrived = std::any_of(runs.begin(), runs.end(), [](const PageRun& run) {
        return !run.analysis.arrival_times.empty();
    });
    if (arrived) all.push_back(travel_time_figure(runs));
    all.push_back(speed_figure(runs));
    if (!arrived)
        section.html = "<p class=\"note\">Nobody arrived: there are no travel times.</p>\n";
    section.html += figures(all);
    return section;
}

}  // namespace sidestep
