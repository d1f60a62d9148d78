// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "report/animation.hpp"
#include "report/map.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Levels that get maps of their own; a tower of more would be a page of maps.
constexpr std::size_t kMostLevels = 12;

/// A field of a grid that is drawn.
struct HeatMap {
    std::string title, sentence, bar_title, unit;
    std::vector<float> GridResult::*field;
    bool shows_zero = false;
    bool keeps_peaks = false;
};

std::vector<HeatMap> heat_maps()
{
    return {{"Mean density", "People per square metre, averaged over the whole recording.",
             "mean density [1/m²]", "per m²", &GridResult::mean_density},
            {"Peak density", "The highest mean over one second.", "peak density [1/m²]", "per m²",
             &GridResult::peak_density, false, true},
            {"Mean speed", "Of those who were there; left blank where nobody ever was.",
             "mean speed [m/s]", "m/s", &GridResult::mean_speed, true}};
}

/// The grid of a level; none where the run does not have the level, or nobody was there.
const GridResult* grid_of(const PageRun& run, std::uint16_t level)
{
    const std::size_t index = run.plan.index_of(level);
    if (index == run.plan.levels.size() || run.plan.levels[index].rows == 0) return nullptr;
    for (const GridResult& grid : run.analysis.grids) {
        if (grid.level == level) return &grid;
    }
    return nullptr;
}

/// Of a single frame no speed is known anywhere.
bool any_known(Runs runs, std::uint16_t level, std::vector<float> GridResult::*field)
{
    return std::any_of(runs.begin(), runs.end(), [&](const PageRun& run) {
        const GridResult* grid = grid_of(run, level);
        return grid != nullptr && std::any_of((grid->*field).begin(), (grid->*field).end(),
                                              [](float value) { return !std::isnan(value); });
    });
}

HeatScale common_scale(Runs runs, std::vector<float> GridResult::*field)
{
    std::vector<std::span<const float>> fields;
    for (const PageRun& run : runs) {
        for (const GridResult& grid : run.analysis.grids) fields.push_back(grid.*field);
    }
    return scale_of(fields);
}

/// One map, or two beside each other.
std::string beside(Runs runs, std::span<const std::string> drawings)
{
    if (runs.size() == 1) return drawings[0];
    std::string out = "<div class=\"pair\">\n";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        out += fmt::format(
            "<div><h4>{}</h4>\n{}</div>\n", escape_html(runs[i].label),
            drawings[i].empty() ? "<p class=\"note\">Nobody was here.</p>" : drawings[i]);
    }
    out += "</div>\n";
    return out;
}

Result<Figure> heat_figure(Runs runs, std::uint16_t level, const HeatMap& map)
{
    const HeatScale scale = common_scale(runs, map.field);
    std::vector<std::string> drawings(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const PageRun& run = runs[i];
        const GridResult* grid = grid_of(run, level);
        if (grid == nullptr) continue;
        const std::size_t index = run.plan.index_of(level);
        const auto image = heat_image(run.plan, run.letter, index, *grid, grid->*map.field, scale,
                                      map.shows_zero, map.keeps_peaks);
        if (!image) return image.error();
        drawings[i] =
            map_svg(run.plan, run.letter, index, *image,
                    fmt::format("Map: {}, from 0 to {}", map.bar_title, to_short(scale.top)));
    }
    Figure figure;
    figure.title = with_level(runs, level, map.title);
    figure.sentence = map.sentence;
    figure.drawing = fmt::format("<div data-unit=\"{}\">{}</div>{}", map.unit,
                                 beside(runs, drawings), colour_bar(scale, map.bar_title));
    figure.wide = runs.size() > 1;
    return figure;
}

/// Colours of ways: by the exit taken where there are several, else by group.
std::vector<std::uint8_t> series_of_walkers(const PageRun& run, std::vector<std::string>& names,
                                            std::string& by)
{
    const Trajectories& t = run.trajectories;
    std::vector<std::string> exits;
    std::vector<std::uint8_t> series(t.walkers.size(), kSeries - 1);
    bool has_others = false;
    for (std::size_t w = 0; w < t.walkers.size(); ++w) {
        const std::uint32_t end = t.walkers[w].end;
        const std::string place = end < t.notes.ends.size() ? t.notes.ends[end].place : "";
        auto at = std::find(exits.begin(), exits.end(), place);
        if (at == exits.end() && !place.empty() && exits.size() + 1 < kSeries) {
            at = exits.insert(exits.end(), place);
        }
        if (at == exits.end()) {
            has_others = true;
        } else {
            series[w] = static_cast<std::uint8_t>(at - exits.begin());
        }
    }
    if (exits.size() > 1) {
        names = exits;
        names.resize(kSeries);
        if (has_others) names.back() = "others";
        by = "where they went";
        return series;
    }
    const Trajectories* const one[] = {&t};
    const Groups groups = find_groups(one);
    names = groups.names;
    if (names.size() > 1) by = "group";
    return group_walkers(t, groups);
}

/// None where nobody was there for two frames.
std::optional<Figure> ways_figure(Runs runs, std::uint16_t level)
{
    Figure figure;
    figure.title = with_level(runs, level, "Trajectories");
    std::vector<std::string> drawings(runs.size());
    std::string by, left_out;
    bool any = false;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const PageRun& run = runs[i];
        if (grid_of(run, level) == nullptr) continue;
        const std::size_t index = run.plan.index_of(level);
        std::vector<std::string> names;
        std::vector<std::uint8_t> series(run.trajectories.walkers.size(),
                                         static_cast<std::uint8_t>(i));
        if (runs.size() == 1) {
            series = series_of_walkers(run, names, by);
            for (std::size_t n = 0; n < names.size() && !by.empty(); ++n) {
                if (!names[n].empty()) figure.legend.push_back({names[n], n, Figure::Sign::box});
            }
        }
        const PathsOnMap paths = draw_paths(run.trajectories, run.plan, index, series);
        drawings[i] = map_svg(run.plan, run.letter, index, paths.content, "Map of all ways walked");
        any = any || paths.walkers > 0;
        if (paths.walkers < paths.of_walkers) {
            left_out += fmt::format(" {} of {} ways are drawn.", group_digits(paths.walkers),
                                    group_digits(paths.of_walkers));
        }
    }
    if (!any) return std::nullopt;
    figure.sentence =
        (by.empty() ? "All ways." : fmt::format("All ways, coloured by {}.", by)) + left_out;
    figure.drawing = beside(runs, drawings);
    figure.wide = runs.size() > 1;
    return figure;
}

}  // namespace

Result<Section> maps_section(Runs runs)
{
    Section section{"maps", "Maps", {}};
    std::vector<Figure> all;
    std::size_t drawn = 0, left_out = 0;
    for (const std::uint16_t level : levels_of(runs)) {
        const bool any = std::any_of(runs.begin(), runs.end(), [&](const PageRun& run) {
            return grid_of(run, level) != nullptr;
        });
        if (!any) continue;
        if (drawn == kMostLevels) {
            ++left_out;
            continue;
        }
        ++drawn;
        for (const HeatMap& map : heat_maps()) {
            if (!any_known(runs, level, map.field)) continue;
            auto figure = heat_figure(runs, level, map);
            if (!figure) return figure.error();
            all.push_back(*std::move(figure));
        }
        if (auto figure = ways_figure(runs, level)) all.push_back(*std::move(figure));
    }
    if (all.empty()) {
        section.html = "<p class=\"note\">Nobody was anywhere: there is nothing to map.</p>\n";
        return section;
    }
    for (const PageRun& run : runs) {
        const bool has_floor =
            std::any_of(run.plan.levels.begin(), run.plan.levels.end(),
                        [](const PlanLevel& level) { return !level.floor.empty(); });
        if (has_floor) continue;
        section.html += fmt::format(
            "<p class=\"note\">{} has no floor plan: people walked on an open plane, or the file "
            "does not say where walls are.</p>\n",
            escape_html(runs.size() > 1 ? run.label : "The recording"));
    }
    if (left_out > 0) {
        section.html += fmt::format("<p class=\"note\">Maps of {} are left out.</p>\n",
                                    count_of(left_out, "further level", "further levels"));
    }
    section.html += figures(all);
    return section;
}

}  // namespace sidestep
