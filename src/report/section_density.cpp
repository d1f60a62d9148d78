// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Points drawn of a run; more hide each other.
constexpr std::size_t kMostDots = 4000;
/// Values an interval of densities needs for its median to be drawn.
constexpr std::size_t kLeastValues = 20;

/// Every so many, so that at most kMostDots are left.
std::vector<Vec2> thinned(const std::vector<Vec2>& points)
{
    const std::size_t stride = points.size() / kMostDots + 1;
    std::vector<Vec2> out;
    for (std::size_t i = 0; i < points.size(); i += stride) out.push_back(points[i]);
    return out;
}

/// Median of y in intervals of x, placed in the middle of each.
std::vector<Vec2> medians(const std::vector<Vec2>& points, double width)
{
    std::map<std::int64_t, std::vector<double>> bins;
    for (const Vec2 p : points) bins[static_cast<std::int64_t>(p.x / width)].push_back(p.y);
    std::vector<Vec2> out;
    for (auto& [bin, values] : bins) {
        if (values.size() < kLeastValues) continue;
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        out.push_back({(static_cast<double>(bin) + 0.5) * width, *middle});
    }
    return out;
}

/// Value below which 99.5 % of the points lie: a few outliers do not squeeze the rest.
double high_of(const std::vector<std::vector<Vec2>>& lists, double Vec2::*part)
{
    std::vector<double> values;
    for (const auto& list : lists) {
        for (const Vec2 p : list) values.push_back(p.*part);
    }
    if (values.empty()) return 1.0;
    const std::size_t at = values.size() - 1 - values.size() / 200;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return std::max(values[at], 0.1);
}

/// Points of one run each, density [1/m2] and speed [m/s].
Figure diagram(Runs runs, const std::vector<std::vector<Vec2>>& points, std::string title,
               std::string sentence, const std::string& y_title = "speed [m/s]",
               std::string_view median_name = "median speed")
{
    const Axis x = make_axis("density [1/m²]", 0.0, high_of(points, &Vec2::x), Plot::kXSteps);
    const Axis y = make_axis(y_title, 0.0, high_of(points, &Vec2::y), Plot::kYSteps);
    const double width = (x.high - x.low) / 24.0;
    Plot plot(x, y, title + ": points and medians");
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<Vec2> inside;
        for (const Vec2 p : points[i]) {
            if (p.x <= x.high && p.y <= y.high) inside.push_back(p);
        }
        left_out += points[i].size() - inside.size();
        plot.dots(thinned(inside), i);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        // Dark on light dots in one run; the run's colour in two.
        plot.marks(medians(points[i], width), runs.size() > 1 ? i : 5,
                   series_name(runs, i, median_name));
    }
    if (left_out > 0) {
        sentence += fmt::format(" {} outside.", count_of(left_out, "point lies", "points lie"));
    }
    Figure figure{std::move(title), std::move(sentence), plot.finish(),
                  run_legend(runs, Figure::Sign::dot)};
    if (runs.size() == 1) {
        figure.legend = {{"a walker at a moment", 0, Figure::Sign::point},
                         {"median", 5, Figure::Sign::dot}};
    }
    return figure;
}

/// Specific flow, density times speed, over density.
Figure flow_diagram(Runs runs, const std::vector<std::vector<Vec2>>& points)
{
    std::vector<std::vector<Vec2>> flows = points;
    for (auto& list : flows) {
        for (Vec2& p : list) p.y *= p.x;
    }
    return diagram(runs, flows, "Specific flow over density",
                   "The same sample: density times speed, the flow per metre of width.",
                   "specific flow [1/(m s)]", "median specific flow");
}

std::vector<Vec2> sample_of(const PageRun& run)
{
    std::vector<Vec2> points;
    for (const DensitySpeed& one : run.analysis.density_speed) {
        const Vec2 p{double{one.density}, double{one.speed}};
        if (std::isfinite(p.x) && std::isfinite(p.y)) points.push_back(p);
    }
    return points;
}

std::vector<Vec2> points_of(const AreaResult& area)
{
    std::vector<Vec2> points;
    const std::size_t count = std::min(area.voronoi_density.size(), area.voronoi_speed.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 p{area.voronoi_density[i], area.voronoi_speed[i]};
        if (p.x > 0.0 && std::isfinite(p.x) && std::isfinite(p.y)) points.push_back(p);
    }
    return points;
}

const AreaResult* area_named(const PageRun& run, const std::string& name)
{
    for (const AreaResult& area : run.analysis.areas) {
        if (area.name == name) return &area;
    }
    return nullptr;
}

Figure area_over_time(Runs runs, const std::string& name)
{
    double low = HUGE_VAL, high = -HUGE_VAL, top = 0.1;
    std::vector<std::vector<Vec2>> lines(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const AreaResult* area = area_named(runs[i], name);
        if (area == nullptr) continue;
        const bool has_voronoi = area->voronoi_density.size() == area->time.size();
        const auto& density = has_voronoi ? area->voronoi_density : area->density;
        for (std::size_t f = 0; f < std::min(area->time.size(), density.size()); ++f) {
            lines[i].push_back({area->time[f], density[f]});
            low = std::min(low, area->time[f]);
            high = std::max(high, area->time[f]);
            if (density[f] > top) top = density[f];
        }
    }
    Plot plot(make_axis("time [s]", low, high, Plot::kXSteps, AxisEnds::tight),
              make_axis("density [1/m²]", 0.0, top, Plot::kYSteps),
              "Density in " + name + " over time");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        plot.line(lines[i], i, series_name(runs, i, "density"));
    }
    return {name + ": density over time", "Voronoi density in the area.", plot.finish(),
            run_legend(runs)};
}

std::string areas_table(Runs runs)
{
    HtmlTable table;
    table.caption = "Means over frames; speeds over frames with somebody inside.";
    table.header = {"area",
                    "size [m²]",
                    "density [1/m²]",
                    "speed [m/s]",
                    "Voronoi density [1/m²]",
                    "Voronoi speed [m/s]",
                    "specific flow [1/(m s)]"};
    table.is_number = {false, true, true, true, true, true, true};
    for (const PageRun& run : runs) {
        for (const AreaResult& area : run.analysis.areas) {
            const std::string name =
                runs.size() > 1 ? fmt::format("{} ({})", area.name, run.label) : area.name;
            table.rows.push_back(
                {escape_html(name), to_fixed(area.size, 2), to_fixed(area.mean_density, 2),
                 to_fixed(area.mean_speed, 2), to_fixed(area.mean_voronoi_density, 2),
                 to_fixed(area.mean_voronoi_speed, 2), to_fixed(area.specific_flow, 2)});
        }
    }
    return to_html(table);
}

}  // namespace

Section density_section(Runs runs)
{
    Section section{"density", "Speed and density", {}};
    std::vector<std::vector<Vec2>> samples;
    for (const PageRun& run : runs) samples.push_back(sample_of(run));
    const bool any =
        std::any_of(samples.begin(), samples.end(), [](const auto& list) { return !list.empty(); });
    std::vector<Figure> all;
    if (any) {
        all.push_back(diagram(runs, samples, "Speed over density",
                              "A sample of everybody at every moment; the density of a walker is 1 "
                              "/ area of its Voronoi cell."));
        all.push_back(flow_diagram(runs, samples));
    } else {
        section.html =
            "<p class=\"note\">Densities of single walkers were not measured, or nobody moved."
            "</p>\n";
    }
    std::vector<std::string> names;
    for (const PageRun& run : runs) {
        for (const AreaResult& area : run.analysis.areas) {
            if (std::find(names.begin(), names.end(), area.name) == names.end()) {
                names.push_back(area.name);
            }
        }
    }
    for (const std::string& name : names) {
        std::vector<std::vector<Vec2>> points(runs.size());
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (const AreaResult* area = area_named(runs[i], name)) points[i] = points_of(*area);
        }
        const bool somebody = std::any_of(points.begin(), points.end(),
                                          [](const auto& list) { return !list.empty(); });
        if (!somebody) {
            section.html += fmt::format("<p class=\"note\">Nobody was in the area {}.</p>\n",
                                        escape_html(name));
            continue;
        }
        Figure fundamental = diagram(runs, points, name + ": fundamental diagram",
                                     "Voronoi density and speed in the area, frame by frame.");
        if (runs.size() == 1) fundamental.legend.front().name = "a frame";
        all.push_back(std::move(fundamental));
        all.push_back(area_over_time(runs, name));
    }
    section.html += figures(all);
    if (!names.empty()) {
        section.html += "<div class=\"card flows\">" + areas_table(runs) + "</div>\n";
    }
    return section;
}

}  // namespace sidestep
