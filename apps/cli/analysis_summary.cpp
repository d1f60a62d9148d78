// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis_summary.hpp"

#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kMillimetres = 1000.0;

/// The densest cell of all maps.
struct Densest {
    double density = 0.0;  ///< [1/m2]
    std::uint16_t level = 0;
    double x = 0.0, y = 0.0;  ///< its centre [m]
};

Densest find_densest(const Analysis& analysis)
{
    Densest densest;
    for (const GridResult& grid : analysis.grids) {
        for (std::size_t i = 0; i < grid.peak_density.size(); ++i) {
            if (double{grid.peak_density[i]} <= densest.density) continue;
            const auto column = static_cast<double>(i % grid.columns);
            const auto row = static_cast<double>(i / grid.columns);
            densest = {double{grid.peak_density[i]}, grid.level,
                       grid.x0 + (column + 0.5) * grid.cell, grid.y0 + (row + 0.5) * grid.cell};
        }
    }
    return densest;
}

std::uint32_t most_present(const Analysis& analysis)
{
    const auto& present = analysis.present_of_frame;
    return present.empty() ? 0 : *std::max_element(present.begin(), present.end());
}

// ------------------------------------------------------------------------------------------- text

std::string describe(const Spread& spread, std::string_view unit)
{
    return fmt::format("{:.2f}{} (median; 5 % below {:.2f}, 95 % below {:.2f})", spread.median,
                       unit, spread.p5, spread.p95);
}

/// With the rate of those that were read: --every passes over some. A frame that is lost does not
/// change how far apart the others are.
std::string describe_frames(const Trajectories& t, const Analysis& a)
{
    std::string text = count_of(t.frames.size(), "frame", "frames");
    if (a.duration > 0.0) {
        std::vector<double> steps;
        for (std::size_t i = 1; i < t.frames.size(); ++i)
            steps.push_back(t.seconds_between(i - 1, i));
        text += fmt::format(", {:.3g} per second", 1.0 / spread_of(std::move(steps)).median);
    }
    return text;
}

std::string describe_time(const Trajectories& t, const Analysis& a)
{
    if (t.frames.empty()) return "no frames";
    return fmt::format("from {:.2f} to {:.2f} s", t.time_of(0), t.time_of(0) + a.duration);
}

std::string describe_people(const Trajectories& t, const Analysis& a)
{
    std::string text =
        fmt::format("{}, at most {} at once", count_of(a.walkers.size(), "walker", "walkers"),
                    group_digits(most_present(a)));
    const bool knows_ends = !t.notes.walkers.empty() || !t.notes.ends.empty();
    if (a.arrival_times.empty())
        return text + (knows_ends ? "; nobody has arrived" : "; nobody has left");
    return text + fmt::format("; {} {}, the last at {:.2f} s", group_digits(a.arrival_times.size()),
                              knows_ends ? "arrived" : "were gone before the last frame",
                              a.arrival_times.back());
}

std::size_t without_radius(const Trajectories& t)
{
    return static_cast<std::size_t>(
        std::count_if(t.walkers.begin(), t.walkers.end(),
                      [](const Trajectories::Walker& w) { return std::isnan(w.radius); }));
}

std::string describe_way(const Analysis& a)
{
    std::string text = "travel time " + describe(a.travel_time, " s");
    if (a.path_ratio.count > 0) {
        const bool knows_ways =
            std::any_of(a.walkers.begin(), a.walkers.end(),
                        [](const WalkerResult& walker) { return walker.shortest_way > 0.0; });
        text += fmt::format("; way {:.2f} times the {} (mean)", a.path_ratio.mean,
                            knows_ways ? "shortest" : "straight line");
    }
    return text;
}

std::string describe_overlaps(const Trajectories& t, const Analysis& a)
{
    const OverlapResult& o = a.overlaps;
    std::string text = "none";
    if (o.pairs > 0) {
        text = fmt::format(
            "{} pairs per frame, {}, the deepest {:.1f} mm (walkers {} and {}, {:.2f} s)",
            short_number(o.pairs_per_frame), count_of(o.contacts, "contact", "contacts"),
            o.deepest * kMillimetres, o.deepest_a, o.deepest_b, o.deepest_time);
    }
    if (const std::size_t unknown = without_radius(t); unknown > 0) {
        text += fmt::format("; {} m is assumed for the radius of {} (--radius)", a.options.radius,
                            count_of(unknown, "walker", "walkers"));
    }
    return text;
}

std::string describe_walls(const WallResult& w)
{
    if (!w.has_walls) return "no walls are known";
    return fmt::format(
        "{} off the floor, {}, {}; the deepest {:.1f} mm", group_digits(w.centres_outside),
        count_of(w.crossings, "crossing", "crossings"),
        count_of(w.penetrations, "penetration", "penetrations"), w.deepest * kMillimetres);
}

std::string describe_stalls(const StallResult& s)
{
    if (s.stalls == 0) return "none";
    return fmt::format("{}, by {}, {:.1f} s in all", group_digits(s.stalls),
                       count_of(s.walkers, "walker", "walkers"), s.time);
}

std::string describe_encounters(const EncounterResult& e)
{
    if (e.encounters == 0) return "none";
    return fmt::format("{}; passing distance {}; projected {:.2f} m", group_digits(e.encounters),
                       describe(e.passing_distance, " m"), e.projected_distance.median);
}

std::string describe_lanes(const LaneResult& lanes)
{
    if (lanes.frames == 0) return "none: nobody walks against anybody";
    const double degrees = std::round(lanes.axis * kDegrees) + 0.0;  // no "-0"
    return fmt::format("order {:.2f} along {:.0f} degrees, in {}", lanes.order, degrees,
                       count_of(lanes.frames, "frame", "frames"));
}

std::string describe_rate(const FlowResult& f)
{
    std::string text = fmt::format("J {:.3f} /s", f.flow);
    if (f.width > 0.0)
        text += fmt::format(", Js {:.3f} /(m s) over {:.2f} m", f.specific_flow, f.width);
    return text + fmt::format("; {:.2f} m/s", f.mean_speed);
}

void add_exits(const std::vector<FlowResult>& exits, std::string& text)
{
    for (const FlowResult& f : exits) {
        text += fmt::format("  {:<11} {}: {} left; {}\n", "exit", f.name, group_digits(f.forward),
                            describe_rate(f));
    }
}

void add_lines(const std::vector<FlowResult>& lines, std::string& text)
{
    for (const FlowResult& f : lines) {
        text += fmt::format("  {:<11} {}: {} forward, {} back; {}\n", "line", f.name,
                            group_digits(f.forward), group_digits(f.backward), describe_rate(f));
    }
}

void add_areas(const std::vector<AreaResult>& areas, std::string& text)
{
    for (const AreaResult& a : areas) {
        text += fmt::format(
            "  {:<11} {}: {:.2f} m2; {:.3f} per m2 at {:.2f} m/s; Voronoi {:.3f} per m2 at {:.2f} "
            "m/s, "
            "Js {:.3f} /(m s)\n",
            "area", a.name, a.size, a.mean_density, a.mean_speed, a.mean_voronoi_density,
            a.mean_voronoi_speed, a.specific_flow);
    }
}

// ------------------------------------------------------------------------------------------- JSON

/// What is not a number is null.
Json number(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json to_json(const Spread& s)
{
    return {{"count", s.count},   {"mean", s.mean}, {"min", s.min}, {"p5", s.p5},
            {"median", s.median}, {"p95", s.p95},   {"max", s.max}};
}

Json to_json(const std::vector<FlowResult>& flows)
{
    Json all = Json::array();
    for (const FlowResult& f : flows) {
        all.push_back({{"name", f.name},
                       {"width", f.width > 0.0 ? Json(f.width) : Json(nullptr)},
                       {"crossings", f.crossings.size()},
                       {"forward", f.forward},
                       {"backward", f.backward},
                       {"flow", f.flow},
                       {"specific_flow", f.width > 0.0 ? Json(f.specific_flow) : Json(nullptr)},
                       {"mean_speed", number(f.mean_speed)}});
    }
    return all;
}

Json to_json(const std::vector<AreaResult>& areas)
{
    Json all = Json::array();
    for (const AreaResult& a : areas) {
        all.push_back({{"name", a.name},
                       {"size", a.size},
                       {"mean_density", number(a.mean_density)},
                       {"mean_speed", number(a.mean_speed)},
                       {"mean_voronoi_density", number(a.mean_voronoi_density)},
                       {"mean_voronoi_speed", number(a.mean_voronoi_speed)},
                       {"specific_flow", number(a.specific_flow)}});
    }
    return all;
}

Json options_json(const AnalysisOptions& o)
{
    return {{"radius", o.radius},
            {"frame_step", o.frame_step},
            {"cell", o.cell},
            {"voronoi_cutoff", o.voronoi_cutoff},
            {"encounter_range", o.encounter_range},
            {"lane_axis", number(o.lane_axis.value_or(0.0))},
            {"voronoi", o.voronoi}};
}

Json density_json(const Analysis& a)
{
    const Densest densest = find_densest(a);
    Json cells = Json::array();
    for (const GridResult& grid : a.grids) {
        cells.push_back({{"level", grid.level},
                         {"cell", grid.cell},
                         {"columns", grid.columns},
                         {"rows", grid.rows}});
    }
    return {{"peak", densest.density},
            {"peak_level", densest.level},
            {"peak_place", {densest.x, densest.y}},
            {"maps", cells}};
}

Json encounters_json(const EncounterResult& e)
{
    return {{"encounters", e.encounters},
            {"passing_distance", to_json(e.passing_distance)},
            {"projected_distance", to_json(e.projected_distance)},
            {"time_to_closest", to_json(e.time_to_closest)},
            {"passing_histogram", e.passing_histogram},
            {"projected_histogram", e.projected_histogram}};
}

}  // namespace

std::string to_text(const Trajectories& t, const Analysis& a)
{
    fmt::memory_buffer out;
    const auto line = [&](std::string_view name, std::string_view text) {
        fmt::format_to(std::back_inserter(out), "  {:<11} {}\n", name, text);
    };
    fmt::format_to(std::back_inserter(out), "{}: {}, {}\n", t.name, describe_frames(t, a),
                   count_of(a.rows, "row", "rows"));
    line("time", describe_time(t, a));
    line("people", describe_people(t, a));
    if (a.travel_time.count > 0) line("way", describe_way(a));
    if (a.energy.count > 0) line("energy", describe(a.energy, " J/kg"));
    if (a.speed.count > 0) {
        line("speed", fmt::format("{}; over {} before and after", describe(a.speed, " m/s"),
                                  count_of(a.options.frame_step, "frame", "frames")));
    }
    line("overlaps", describe_overlaps(t, a));
    line("walls", describe_walls(a.walls));
    line("stalls", describe_stalls(a.stalls));
    if (const Densest densest = find_densest(a); densest.density > 0.0) {
        line("density",
             fmt::format("at most {:.2f} per m2 over 1 s, about ({:.1f}, {:.1f}) on level {}",
                         densest.density, densest.x, densest.y, densest.level));
    }
    for (const GridResult& grid : a.grids) {
        if (grid.columns == 0 || grid.cell == a.options.cell) continue;
        line("map", fmt::format("level {} in cells of {:g} m: of {:g} m there would be too many",
                                grid.level, grid.cell, a.options.cell));
    }
    line("encounters", describe_encounters(a.encounters));
    line("lanes", describe_lanes(a.lanes));
    std::string text = fmt::to_string(out);
    add_exits(a.exits, text);
    add_lines(a.lines, text);
    add_areas(a.areas, text);
    return text;
}

std::string to_json(const Trajectories& t, const Analysis& a)
{
    const OverlapResult& o = a.overlaps;
    const WallResult& w = a.walls;
    const Json json{
        {"recording", t.name},
        {"damage", t.damage},
        {"cautions", cautions_of(t)},
        {"notes", a.notes},
        {"fps", t.info.fps},
        {"frames", t.frames.size()},
        {"rows", a.rows},
        {"walkers", a.walkers.size()},
        {"without_radius", without_radius(t)},
        {"most_present", most_present(a)},
        {"duration", a.duration},
        {"options", options_json(a.options)},
        {"arrived", a.arrival_times.size()},
        {"last_arrival", a.arrival_times.empty() ? Json(nullptr) : Json(a.arrival_times.back())},
        {"travel_time", to_json(a.travel_time)},
        {"path_ratio", to_json(a.path_ratio)},
        {"energy", to_json(a.energy)},
        {"speed", to_json(a.speed)},
        {"overlaps",
         {{"pairs", o.pairs},
          {"pairs_per_frame", o.pairs_per_frame},
          {"contacts", o.contacts},
          {"deepest", o.deepest},
          {"deepest_time", o.deepest_time},
          {"deepest_ids", {o.deepest_a, o.deepest_b}}}},
        {"walls",
         {{"has_walls", w.has_walls},
          {"centres_outside", w.centres_outside},
          {"crossings", w.crossings},
          {"penetrations", w.penetrations},
          {"deepest", w.deepest}}},
        {"stalls",
         {{"stalls", a.stalls.stalls}, {"walkers", a.stalls.walkers}, {"time", a.stalls.time}}},
        {"density", density_json(a)},
        {"encounters", encounters_json(a.encounters)},
        {"lanes", {{"axis", a.lanes.axis}, {"order", a.lanes.order}, {"frames", a.lanes.frames}}},
        {"lines", to_json(a.lines)},
        {"exits", to_json(a.exits)},
        {"areas", to_json(a.areas)}};
    // A name of a file need not be UTF-8.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sidestep::cli
