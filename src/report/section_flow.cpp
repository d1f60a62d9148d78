// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Diagrams of single exits or lines of two runs.
constexpr std::size_t kMostDiagrams = 8;

/// N over t: each walker counts with its first crossing.
std::vector<Vec2> n_over_t(const FlowResult& flow, double begin)
{
    std::vector<Vec2> points{{begin, 0.0}};
    std::set<std::int64_t> seen;
    for (const Crossing& crossing : flow.crossings) {
        if (!seen.insert(crossing.id).second) continue;
        points.push_back({crossing.time, points.back().y + 1.0});
    }
    return points;
}

double first_time(Runs runs)
{
    double low = HUGE_VAL;
    for (const PageRun& run : runs) {
        if (!run.trajectories.frames.empty()) low = std::min(low, run.trajectories.time_of(0));
    }
    return std::isfinite(low) ? low : 0.0;
}

double last_time(Runs runs)
{
    double high = first_time(runs);
    for (const PageRun& run : runs) {
        const Trajectories& t = run.trajectories;
        if (!t.frames.empty()) high = std::max(high, t.time_of(t.frames.size() - 1));
    }
    return high;
}

struct Line {
    std::vector<Vec2> points;
    std::size_t series = 0;
    std::string name;
};

std::string draw_lines(Runs runs, const std::vector<Line>& lines, const std::string& label)
{
    double most = 1.0;
    for (const Line& line : lines) most = std::max(most, line.points.back().y);
    const double end = last_time(runs);
    Plot plot(
        make_axis("time [s]", first_time(runs), end, Plot::kXSteps, AxisEnds::tight),
        make_axis("people through", 0.0, most, Plot::kYSteps, AxisEnds::round, AxisValues::whole),
        label);
    for (const Line& line : lines) plot.steps(line.points, end, line.series, line.name);
    return plot.finish();
}

/// People through per second, in equal intervals from `begin` to `end`.
std::vector<Vec2> rate_over_t(const FlowResult& flow, double begin, double end, double width)
{
    const double intervals = std::clamp(std::ceil((end - begin) / width), 1.0, 1000.0);
    std::vector<double> counts(static_cast<std::size_t>(intervals), 0.0);
    for (const Crossing& crossing : flow.crossings) {
        const double place = std::clamp((crossing.time - begin) / width, 0.0, intervals - 1.0);
        counts[static_cast<std::size_t>(place)] += 1.0;
    }
    std::vector<Vec2> points;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double middle = begin + (static_cast<double>(i) + 0.5) * width;
        points.push_back({std::min(middle, end), counts[i] / width});
    }
    return points;
}

Figure rate_figure(Runs runs, const std::vector<Line>& rates, double width)
{
    double most = 0.1;
    for (const Line& line : rates) {
        for (const Vec2 p : line.points) most = std::max(most, p.y);
    }
    Plot plot(
        make_axis("time [s]", first_time(runs), last_time(runs), Plot::kXSteps, AxisEnds::tight),
        make_axis("people per second [1/s]", 0.0, most, Plot::kYSteps),
        "People through per second over time");
    Figure figure;
    figure.title = "Flow over time";
    figure.sentence = fmt::format("In intervals of {} s.", to_short(width));
    for (const Line& line : rates) {
        plot.line(line.points, line.series, line.name);
        if (rates.size() > 1) figure.legend.push_back({line.name, line.series});
    }
    figure.drawing = plot.finish();
    return figure;
}

/// A round length that cuts the time into some thirty intervals [s].
double rate_interval(Runs runs)
{
    const Axis axis = make_axis({}, 0.0, last_time(runs) - first_time(runs), 30);
    return axis.ticks.size() > 1 ? std::max(axis.ticks[1] - axis.ticks[0], 1.0) : 1.0;
}

/// The most used, at most as many as there are colours, in their own order.
std::vector<std::size_t> most_used(const std::vector<FlowResult>& flows, std::size_t most)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        if (!flows[i].crossings.empty()) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return flows[a].crossings.size() > flows[b].crossings.size();
    });
    if (order.size() > most) order.resize(most);
    std::sort(order.begin(), order.end());
    return order;
}

using Flows = const std::vector<FlowResult> Analysis::*;

/// A column of the table; it is left out where it says nothing.
struct FlowColumn {
    std::string title;
    double (*value)(const FlowResult&);
    int decimals = 0;
};

std::vector<FlowColumn> flow_columns()
{
    return {{"forward", [](const FlowResult& f) { return static_cast<double>(f.forward); }},
            {"backward", [](const FlowResult& f) { return static_cast<double>(f.backward); }},
            {"width [m]", [](const FlowResult& f) { return f.width; }, 2},
            {"J [1/s]", [](const FlowResult& f) { return f.flow; }, 2},
            {"Js [1/(m s)]", [](const FlowResult& f) { return f.specific_flow; }, 2},
            {"mean speed [m/s]", [](const FlowResult& f) { return f.mean_speed; }, 2}};
}

bool says_something(Runs runs, Flows flows, const FlowColumn& column)
{
    return std::any_of(runs.begin(), runs.end(), [&](const PageRun& run) {
        const std::vector<FlowResult>& all = run.analysis.*flows;
        return std::any_of(all.begin(), all.end(),
                           [&](const FlowResult& flow) { return column.value(flow) > 0.0; });
    });
}

HtmlTable flow_table(Runs runs, Flows flows, const std::string& what)
{
    HtmlTable table;
    table.header = {what};
    table.is_number = {false};
    if (runs.size() > 1) {
        table.header.emplace_back("run");
        table.is_number.push_back(false);
    }
    std::vector<FlowColumn> columns = flow_columns();
    std::erase_if(columns, [&](const FlowColumn& column) {
        return column.title != "forward" && !says_something(runs, flows, column);
    });
    for (const FlowColumn& column : columns) {
        table.header.push_back(column.title == "forward" &&
                                       (columns.size() < 2 || columns[1].title != "backward")
                                   ? "people"
                                   : column.title);
        table.is_number.push_back(true);
    }
    table.caption = "J is the flow over the middle 60 % of the first crossings";
    const bool has_width =
        std::any_of(columns.begin(), columns.end(),
                    [](const FlowColumn& column) { return column.title.starts_with("Js"); });
    table.caption += has_width ? "; Js = J / width, the specific flow." : ".";
    for (const PageRun& run : runs) {
        for (const FlowResult& flow : run.analysis.*flows) {
            std::vector<std::string> row{escape_html(flow.name)};
            if (runs.size() > 1) {
                row.push_back("<span class=\"label\">" + escape_html(run.label) + "</span>");
            }
            for (const FlowColumn& column : columns) {
                const double value = column.value(flow);
                row.push_back(
                    column.decimals > 0 && value <= 0.0 ? "–" : to_fixed(value, column.decimals));
            }
            table.rows.push_back(std::move(row));
        }
    }
    if (runs.size() > 1) {  // runs of one exit below each other
        std::stable_sort(table.rows.begin(), table.rows.end(),
                         [](const auto& a, const auto& b) { return a.front() < b.front(); });
    }
    return table;
}

std::vector<Figure> single_run_figures(Runs runs, Flows flows, const std::string& title)
{
    const std::vector<FlowResult>& all = runs[0].analysis.*flows;
    const std::vector<std::size_t> shown = most_used(all, kSeries);
    if (shown.empty()) return {};
    Figure figure;
    figure.title = title;
    figure.sentence = "Each walker counts once, when it first crosses.";
    std::vector<Line> lines;
    for (const std::size_t i : shown) {
        lines.push_back({n_over_t(all[i], first_time(runs)), lines.size(), all[i].name});
        figure.legend.push_back({all[i].name, lines.size() - 1});
    }
    const auto used = static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [](const FlowResult& flow) { return !flow.crossings.empty(); }));
    if (used > shown.size()) {
        figure.sentence += fmt::format(" The {} most used of {} are drawn.", shown.size(), used);
    }
    figure.drawing = draw_lines(runs, lines, "People through each over time");
    const double width = rate_interval(runs);
    std::vector<Line> rates;
    for (const std::size_t i : shown) {
        rates.push_back({rate_over_t(all[i], first_time(runs), last_time(runs), width),
                         rates.size(), all[i].name});
    }
    return {figure, rate_figure(runs, rates, width)};
}

std::vector<Figure> two_run_figures(Runs runs, Flows flows)
{
    std::vector<std::string> names;
    for (const PageRun& run : runs) {
        for (const std::size_t i : most_used(run.analysis.*flows, kMostDiagrams)) {
            const std::string& name = (run.analysis.*flows)[i].name;
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    if (names.size() > kMostDiagrams) names.resize(kMostDiagrams);
    std::vector<Figure> made;
    for (const std::string& name : names) {
        std::vector<Line> lines;
        for (std::size_t r = 0; r < runs.size(); ++r) {
            for (const FlowResult& flow : runs[r].analysis.*flows) {
                if (flow.name != name) continue;
                lines.push_back({n_over_t(flow, first_time(runs)), r, runs[r].label});
                break;
            }
        }
        made.push_back({name, "Each walker counts once, when it first crosses.",
                        draw_lines(runs, lines, "People through " + name + " over time"),
                        run_legend(runs)});
    }
    return made;
}

std::string describe(Runs runs, Flows flows, const std::string& what, const std::string& title)
{
    const bool any = std::any_of(runs.begin(), runs.end(), [&](const PageRun& run) {
        return !(run.analysis.*flows).empty();
    });
    if (!any) return {};
    const std::vector<Figure> made =
        runs.size() == 1 ? single_run_figures(runs, flows, title) : two_run_figures(runs, flows);
    const std::string table = to_html(flow_table(runs, flows, what));
    std::string out = figures(made) + "<div class=\"card flows\">" + table + "</div>\n";
    if (made.empty()) out += "<p class=\"note\">Nobody came through.</p>\n";
    return out;
}

}  // namespace

Section flow_section(Runs runs)
{
    Section section{"flow", "Flow", {}};
    section.html = describe(runs, &Analysis::exits, "exit", "Through the exits") +
                   describe(runs, &Analysis::lines, "line", "Over the lines");
    if (section.html.empty()) {
        section.html =
            "<p class=\"note\">The recording names no exits. <code>--line "
            "NAME:x1,y1,x2,y2</code> measures the flow over a line.</p>\n";
    }
    return section;
}

}  // namespace sidestep
