// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "report/plot.hpp"
#include "report/text.hpp"
#include "sidestep/bench.hpp"
#include "sidestep/version.hpp"

namespace sidestep {

namespace {

/// Rows that were measured, scene by scene.
using Rows = std::vector<const BenchRow*>;
std::vector<std::pair<std::string, Rows>> by_scene(const BenchResult& result)
{
    std::vector<std::pair<std::string, Rows>> scenes;
    for (const BenchRow& row : result.rows) {
        if (row.repetitions == 0) continue;
        auto scene = std::find_if(scenes.begin(), scenes.end(),
                                  [&](const auto& other) { return other.first == row.scene; });
        if (scene == scenes.end()) scene = scenes.insert(scene, {row.scene, {}});
        scene->second.push_back(&row);
    }
    return scenes;
}

std::size_t series_of(const BenchRow& row)
{
    if (row.engine == "sidestep") return 0;
    if (row.engine == "rvo2") return 1;
    return row.engine == "rvo2-sorted" ? 2 : 3;
}

std::string label_of(const BenchRow& row)
{
    if (row.engine != "sidestep") return row.engine;
    std::string label = row.model;
    if (row.threads > 1) label += fmt::format(", {} threads", row.threads);
    return label + ", " + row.isa;
}

// ---------------------------------------------------------------------------------------- drawings

constexpr double kBarHeight = 16.0, kLineHeight = 25.0, kLabelWidth = 190.0, kWidth = 520.0,
                 kValueWidth = 60.0;

struct Part {
    double size = 0.0;  ///< in [0, 1] of the width
    std::size_t series = 0;
    std::string title;
};
struct BarLine {
    std::string label, value;
    std::vector<Part> parts;
};

/// Horizontal bars with words in front and numbers behind.
std::string draw_bars(std::span<const BarLine> lines, const std::string& label)
{
    const double width = kWidth - kLabelWidth - kValueWidth;
    std::string out = fmt::format(
        "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", kWidth,
        kLineHeight * static_cast<double>(lines.size()) + 4.0, escape_html(label));
    double y = 2.0;
    for (const BarLine& line : lines) {
        fmt::format_to(std::back_inserter(out),
                       "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLabelWidth - 8.0,
                       to_coordinate(y + 13.0), escape_html(line.label));
        double x = kLabelWidth;
        for (const Part& part : line.parts) {
            const double length = std::max(part.size * width, 0.5);
            fmt::format_to(std::back_inserter(out),
                           "<rect class=\"bar s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">"
                           "<title>{}</title></rect>",
                           part.series, to_coordinate(x), to_coordinate(y), to_coordinate(length),
                           kBarHeight, escape_html(part.title));
            x += length;
        }
        fmt::format_to(std::back_inserter(out), "<text x=\"{}\" y=\"{}\">{}</text>",
                       to_coordinate(x + 6.0), to_coordinate(y + 13.0), escape_html(line.value));
        y += kLineHeight;
    }
    return out + "</svg>\n";
}

std::string draw_times(const std::string& scene, const Rows& rows)
{
    double most = 0.0;
    for (const BenchRow* row : rows) most = std::max(most, row->us_per_update.median);
    std::vector<BarLine> lines;
    for (const BenchRow* row : rows) {
        const BenchSpread& us = row->us_per_update;
        lines.push_back(
            {label_of(*row),
             fmt::format("{} us", to_short(us.median)),
             {{us.median / most, series_of(*row),
               fmt::format("{} {}: {} to {} us, {} repetitions", row->model, row->variant,
                           to_short(us.low), to_short(us.high), row->repetitions)}}});
    }
    return to_html(
        {.title = scene,
         .sentence = fmt::format("{} agents, {} steps after {}; CPU time of one agent and step.",
                                 group_digits(rows.front()->agents), rows.front()->steps,
                                 rows.front()->warm_up),
         .drawing = draw_bars(lines, "CPU time per update on " + scene),
         .legend = {}});
}

/// Stages by colour: those that cost most in some scene have one of their own.
struct StageColour {
    const char* name;
    std::size_t series;
    std::vector<Stage> stages;
};
const std::vector<StageColour>& stage_colours()
{
    static const std::vector<StageColour> colours{
        {"neighbours", 0, {Stage::neighbours}},
        {"choose", 1, {Stage::choose}},
        {"stalls", 2, {Stage::stalls}},
        {"advance", 3, {Stage::advance}},
        {"sort, index", 4, {Stage::sort, Stage::index}},
        {"the rest", 5, {Stage::wishes, Stage::perceive, Stage::apart, Stage::keep}}};
    return colours;
}

std::string draw_stages(const BenchResult& result)
{
    std::vector<BarLine> lines;
    for (const BenchRow& row : result.rows) {
        if (row.repetitions == 0 || row.engine != "sidestep" || row.threads > 1) continue;
        BarLine line{row.scene + ", " + row.model, fmt::format("{:.0f} ns", row.ns_per_update), {}};
        for (const StageColour& colour : stage_colours()) {
            double share = 0.0;
            for (const Stage stage : colour.stages)
                share += row.shares[static_cast<std::size_t>(stage)];
            line.parts.push_back({share, colour.series,
                                  fmt::format("{}: {:.0f} %, {:.0f} ns", colour.name, 100.0 * share,
                                              share * row.ns_per_update)});
        }
        lines.push_back(std::move(line));
    }
    if (lines.empty()) return {};
    Figure figure{.title = "Where the time of a step goes",
                  .sentence = "On one thread; navigation apart.",
                  .drawing = draw_bars(lines, "Share of the stages of a step"),
                  .legend = {}};
    for (const StageColour& colour : stage_colours())
        figure.legend.push_back({colour.name, colour.series, Figure::Sign::box});
    return to_html(figure);
}

/// Cost per update against the size of the crowd, where an engine was measured on several.
std::string draw_growth(const BenchResult& result)
{
    struct Line {
        std::string name;
        std::size_t series;
        std::vector<Vec2> points;
    };
    std::vector<Line> lines;
    double most = 0.0, fewest = HUGE_VAL, largest = 0.0;
    for (const char* engine : {"sidestep", "rvo2", "rvo2-sorted", "detour"}) {
        Line line{engine, lines.size(), {}};
        for (const BenchRow& row : result.rows) {
            const bool is_plain = row.engine != "sidestep" ||
                                  (row.model == "orca" && row.threads == 1 && row.variant.empty());
            if (row.repetitions == 0 || row.engine != engine || !is_plain ||
                !row.scene.starts_with("open-")) {
                continue;
            }
            const double place = std::log10(static_cast<double>(row.agents));
            if (std::any_of(line.points.begin(), line.points.end(),
                            [&](Vec2 point) { return point.x == place; }))
                continue;
            line.points.push_back({place, row.us_per_update.median});
        }
        std::sort(line.points.begin(), line.points.end(), [](Vec2 a, Vec2 b) { return a.x < b.x; });
        if (line.points.size() < 2) continue;
        for (const Vec2 point : line.points) {
            most = std::max(most, point.y);
            fewest = std::min(fewest, point.x);
            largest = std::max(largest, point.x);
        }
        lines.push_back(std::move(line));
    }
    if (lines.empty()) return {};
    Plot plot(make_axis("agents, as a power of ten", fewest, largest, Plot::kXSteps,
                        AxisEnds::tight, AxisValues::whole),
              make_axis("CPU time per update [us]", 0.0, most, Plot::kYSteps),
              "CPU time per update against the number of agents");
    Figure figure{.title = "How the cost grows",
                  .sentence = "0.5 agents per square metre in the open.",
                  .drawing = {},
                  .legend = {}};
    for (const Line& line : lines) {
        plot.marks(line.points, line.series, line.name);
        figure.legend.push_back({line.name, line.series, Figure::Sign::line});
    }
    figure.drawing = plot.finish();
    return to_html(figure);
}

// ------------------------------------------------------------------------------------------ tables

struct Cells {
    std::vector<std::string> cells;  ///< plain text; the first is a heading
};

std::string to_table(std::span<const std::string> header, std::span<const Cells> rows,
                     std::size_t words)
{
    std::string out = "<div class=\"card plain\"><div class=\"table\"><table><thead><tr>";
    for (std::size_t i = 0; i < header.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "<th{}>{}</th>", i < words ? "" : " class=\"n\"",
                       escape_html(header[i]));
    }
    out += "</tr></thead><tbody>\n";
    for (const Cells& row : rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const char* tag = i == 0 ? "th" : "td";
            const std::string text = escape_html(row.cells[i]);
            if (i < words) {
                fmt::format_to(std::back_inserter(out),
                               "<{0}><span class=\"label\">{1}</span></{0}>", tag, text);
            } else {
                fmt::format_to(std::back_inserter(out), "<{0} class=\"n\">{1}</{0}>", tag, text);
            }
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div></div>\n";
}

std::string times_table(const BenchResult& result)
{
    const std::string header[] = {"Scene",          "Engine",    "Model",         "Set",
                                  "Threads",        "us/update", "from",          "to",
                                  "Cycles",         "ms/step",   "Navigation us", "B/agent",
                                  "Overlaps/frame", "Arrived",   "From RVO2 [m]", "> 1 mm"};
    std::vector<Cells> rows;
    for (const BenchRow& row : result.rows) {
        if (row.repetitions == 0) continue;
        const std::string model =
            row.variant.empty() ? row.model : fmt::format("{} ({})", row.model, row.variant);
        rows.push_back(
            {{row.scene, row.engine, model, row.isa, fmt::format("{}", row.threads),
              to_short(row.us_per_update.median), to_short(row.us_per_update.low),
              to_short(row.us_per_update.high), to_fixed(row.cycles_per_update, 0),
              to_short(row.ms_per_step.median), to_short(row.navigation_us_per_update.median),
              to_fixed(row.bytes_per_agent, 0), to_short(row.overlap_pairs_per_frame),
              group_digits(row.arrived),
              row.farthest_from_rvo2 ? fmt::format("{:.1e}", *row.farthest_from_rvo2) : ""}});
    }
    return to_table(header, rows, 4);
}

std::string verdict(std::optional<bool> met)
{
    if (!met) return "not measured";
    return *met ? "✓ met" : "✗ not met";
}

std::string floors_table(const BenchPage& page)
{
    const std::string header[] = {"Workload", "Reference", "Target",        "Floor",
                                  "Goal",     "Measured",  "Floor reached", "Goal reached"};
    std::vector<Cells> rows;
    for (const BenchFloor& floor : page.floors) {
        for (const BenchTarget& target : floor.targets) {
            const bool first = &target == &floor.targets.front();
            const std::string sign = target.at_most ? "≤ " : "≥ ";
            const auto number = [&](double value) { return to_short(value) + ' ' + target.unit; };
            rows.push_back(
                {{first ? floor.workload : "", first ? floor.reference : "", target.what,
                  target.has_floor ? sign + number(target.floor) : "", sign + number(target.goal),
                  !page.ratios       ? "machine too busy"
                  : !target.measured ? "–"
                                     : number(*target.measured),
                  page.ratios && target.has_floor ? verdict(target.meets_floor()) : "",
                  page.ratios ? verdict(target.meets_goal()) : ""}});
        }
    }
    return to_table(header, rows, 3);
}

std::string paper_table(const BenchPage& page)
{
    const std::string header[] = {"Scene",         "Reported in 2009", "Per core then",
                                  "Ours per core", "with navigation",  "Ours / then"};
    std::vector<Cells> rows;
    for (const PaperFigure& figure : page.paper) {
        const auto number = [](std::optional<double> value) {
            return value ? to_short(*value) : std::string("–");
        };
        const bool has_both = figure.ours && figure.reported_per_core > 0.0;
        rows.push_back(
            {{figure.scene, figure.reported,
              figure.reported_per_core > 0.0 ? to_short(figure.reported_per_core) : "–",
              number(figure.ours), number(figure.ours_with_navigation),
              has_both ? to_short(*figure.ours / figure.reported_per_core) + "x" : "–"}});
    }
    return to_table(header, rows, 2);
}

}  // namespace

std::string make_bench_page(const BenchPage& page)
{
    const BenchMachine& machine = page.result.machine;
    std::vector<Section> sections;
    if (!page.floors.empty())
        sections.push_back({"floors", "Floors and goals", floors_table(page)});
    if (!page.paper.empty())
        sections.push_back({"paper", "Beside the paper of 2009, steps per second",
                            "<p>Model clearpath on one thread; the figures of the paper are of "
                            "whole machines, divided by their cores.</p>\n" +
                                paper_table(page)});
    std::string times;
    for (const auto& [scene, rows] : by_scene(page.result)) times += draw_times(scene, rows);
    sections.push_back(
        {"times", "Time of a step", "<div class=\"figures\">\n" + times + "</div>\n"});
    const std::string more = draw_growth(page.result) + draw_stages(page.result);
    if (!more.empty())
        sections.push_back(
            {"parts", "Growth and stages", "<div class=\"figures\">\n" + more + "</div>\n"});
    sections.push_back({"numbers", "All numbers", times_table(page.result)});
    std::string subtitle = escape_html(fmt::format(
        "Sidestep {} ({}), {}. {}, {} hardware threads, {:.2f} GHz by {}; others used {:.0f} % of "
        "the processors while it was measured.",
        version(), commit(), compiler(), machine.processor, machine.hardware_threads,
        machine.gigahertz, machine.frequency_from, 100.0 * machine.others));
    if (!page.ratios) subtitle += " <strong>Too busy for ratios.</strong>";
    return to_page({.title = "How fast a step is",
                    .subtitle = subtitle,
                    .before = {},
                    .sections = sections,
                    .data = {}});
}

}  // namespace sidestep
