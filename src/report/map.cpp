// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "report/colours.hpp"
#include "report/moment.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// More places than this on a level are not labelled: the labels would cover the plan.
constexpr std::size_t kMostLabels = 14;
/// Height of labels, in parts of the width of the map.
constexpr double kLabelSize = 0.021;
/// Length of a scale bar at most, and the room for it below a map; in parts of the width, too.
constexpr double kScaleBar = 0.2, kScaleRoom = 0.055;

std::string place_shape(const Plan& plan, const PlanPlace& place)
{
    std::string path = rings_path(plan, place.polygons) + lines_path(plan, place.lines);
    for (const Vec2 p : place.points) {
        const MapPoint at = plan.to_map(p);
        const auto r = static_cast<std::int64_t>(std::llround(0.3 / plan.unit));
        fmt::format_to(std::back_inserter(path), "M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
                       at.x - r, at.y, fmt::arg("r", r), fmt::arg("d", 2 * r));
    }
    return path;
}

/// Kinds the style sheet knows; any other is drawn like a waypoint.
std::string_view class_of(const std::string& kind)
{
    for (const std::string_view known : {"exit", "door", "zone", "stay", "wall"}) {
        if (kind == known) return known;
    }
    return "waypoint";
}

/// When a door is closed, for the script: from, to, from, to, ... [s]
std::string closed_attribute(const PlanPlace& place)
{
    constexpr double kEver = 1e12;
    std::string times;
    for (const TimeSpan& span : place.closed) {
        fmt::format_to(std::back_inserter(times), "{}{} {}", times.empty() ? "" : " ",
                       std::max(span.from, -kEver), std::min(span.to, kEver));
    }
    return times.empty() ? times : fmt::format(" data-closed=\"{}\"", times);
}

void append_places(const Plan& plan, const PlanLevel& level, std::string& out)
{
    const bool has_labels = level.places.size() <= kMostLabels;
    const double size = static_cast<double>(plan.map_width()) * kLabelSize;
    for (const PlanPlace& place : level.places) {
        fmt::format_to(std::back_inserter(out),
                       "<path class=\"place {}{}\"{} vector-effect=\"non-scaling-stroke\" "
                       "d=\"{}\"><title>{} {}</title></path>\n",
                       class_of(place.kind), place.polygons.empty() ? "" : " area",
                       closed_attribute(place), place_shape(plan, place), escape_html(place.kind),
                       escape_html(place.name));
        if (!has_labels || place.name.empty()) continue;
        const MapPoint at = plan.to_map(place.label);
        // Names at the border of the map move inwards.
        const auto width = static_cast<double>(plan.map_width());
        const double half = static_cast<double>(place.name.size()) * size * 0.3;
        const double x = std::clamp(static_cast<double>(at.x), std::min(half, width / 2.0),
                                    std::max(width - half, width / 2.0));
        fmt::format_to(
            std::back_inserter(out),
            "<text class=\"name\" x=\"{:.0f}\" y=\"{}\" dy=\"{}em\" font-size=\"{:.0f}\">"
            "{}</text>\n",
            x, at.y, place.polygons.empty() ? "-.5" : ".35", size, escape_html(place.name));
    }
}

/// A bar of a round length below the map, at its left.
std::string scale_bar(const Plan& plan)
{
    const auto width = static_cast<double>(plan.map_width());
    const double metres = round_length(kScaleBar * width * plan.unit);
    const double left = 0.01 * width, tick = 0.012 * width;
    const double y = static_cast<double>(plan.map_height()) + kScaleRoom * width * 0.7;
    return fmt::format(
        "<g class=\"scalebar\" font-size=\"{:.0f}\"><path "
        "vector-effect=\"non-scaling-stroke\" d=\"M{:.0f} {:.0f}v{:.0f}h{:.0f}v-{:.0f}\"/><text "
        "x=\"{:.0f}\" y=\"{:.0f}\">{}</text></g>\n",
        width * kLabelSize, left, y - tick, tick, metres / plan.unit, tick,
        left + metres / plan.unit + 0.01 * width, y, length_text(metres));
}

std::string draw_bodies(const Trajectories& t, const Plan& plan, std::uint16_t level,
                        std::size_t frame)
{
    std::string out;
    const std::size_t bodies = t.info.bodies.size();
    for (std::size_t i = 0; i < bodies; ++i) {
        const RecordingInfo::Body& body = t.info.bodies[i];
        if (body.level != level) continue;
        const Vec2 at = t.body_position[frame * bodies + i];
        if (body.radius > 0.0) {
            const MapPoint centre = plan.to_map(at);
            fmt::format_to(std::back_inserter(out),
                           "<circle class=\"body\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", centre.x,
                           centre.y, std::llround(body.radius / plan.unit));
            continue;
        }
        Polygon outline;
        for (const Vec2 p : body.outline) outline.shell.push_back(at + p);
        fmt::format_to(std::back_inserter(out), "<path class=\"body\" d=\"{}\"/>\n",
                       rings_path(plan, {&outline, 1}));
    }
    return out;
}

}  // namespace

std::string plan_definitions(const Plan& plan, char run)
{
    std::string out = "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\">\n";
    for (std::size_t i = 0; i < plan.levels.size(); ++i) {
        fmt::format_to(std::back_inserter(out),
                       "<path id=\"floor-{0}{1}\" vector-effect=\"non-scaling-stroke\" "
                       "d=\"{2}\"/>\n<clipPath id=\"clip-{0}{1}\"><use "
                       "href=\"#floor-{0}{1}\" clip-rule=\"evenodd\"/></clipPath>\n<g "
                       "id=\"places-{0}{1}\">\n",
                       run, i, rings_path(plan, plan.levels[i].floor));
        append_places(plan, plan.levels[i], out);
        out += "</g>\n";
    }
    out += "</svg>\n";
    return out;
}

std::string map_svg(const Plan& plan, char run, std::size_t level, std::string_view content,
                    std::string_view label)
{
    return fmt::format(
        "<svg class=\"map\" viewBox=\"0 0 {2} {3}\" role=\"img\" aria-label=\"{4}\">\n<use "
        "class=\"floor\" href=\"#floor-{0}{1}\"/>\n{5}<use class=\"outline\" "
        "href=\"#floor-{0}{1}\"/>\n<use href=\"#places-{0}{1}\"/>\n{6}</svg>\n",
        run, level, plan.map_width(),
        plan.map_height() + std::llround(kScaleRoom * static_cast<double>(plan.map_width())),
        escape_html(label), content, scale_bar(plan));
}

MomentOnMap draw_moment(const Trajectories& t, const Plan& plan, std::size_t level,
                        std::size_t frame)
{
    // Discs of one size and colour are the dots of one path; the step beyond the last: not known.
    std::map<std::pair<std::int64_t, std::size_t>, std::string> paths;
    MomentOnMap out;
    for (const SeenWalker& walker : walkers_at(t, frame, plan.levels[level].level)) {
        const bool is_known = !std::isnan(walker.speed);
        const double place = is_known ? std::clamp(walker.speed / kTopSpeed, 0.0, 1.0) : 0.0;
        const std::size_t step =
            is_known ? std::min(static_cast<std::size_t>(place * kScaleSteps), kScaleSteps - 1)
                     : kScaleSteps;
        const MapPoint at = plan.to_map(walker.position);
        std::string& path = paths[{std::llround(2.0 * walker.radius / plan.unit), step}];
        fmt::format_to(std::back_inserter(path), "M{} {}h0", at.x, at.y);
        ++out.walkers;
        if (!is_known) ++out.unknown;
    }
    for (const PlanPlace& place : plan.levels[level].places) {
        if (!place.is_closed(t.time_of(frame))) continue;
        fmt::format_to(std::back_inserter(out.content),
                       "<path class=\"closed\" vector-effect=\"non-scaling-stroke\" "
                       "d=\"{}\"/>\n",
                       place_shape(plan, place));
    }
    out.content += draw_bodies(t, plan, plan.levels[level].level, frame);
    // On a large plan people would be too small to see.
    const std::int64_t least = plan.map_width() / 300;
    for (const auto& [key, path] : paths) {
        const double place =
            (static_cast<double>(key.second) + 0.5) / static_cast<double>(kScaleSteps);
        fmt::format_to(std::back_inserter(out.content),
                       "<path class=\"walkers{} stroke-width=\"{}\" d=\"{}\"/>\n",
                       key.second == kScaleSteps
                           ? " unknown\""
                           : fmt::format("\" stroke=\"{}\"", to_hex(viridis(place))),
                       std::max(key.first, least), path);
    }
    return out;
}

}  // namespace sidestep
