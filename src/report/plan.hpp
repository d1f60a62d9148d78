// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sidestep/analysis.hpp"
#include "sidestep/result.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

// The floor plan as pictures need it: shapes instead of WKT, and one box around everything that is
// ever drawn. Maps of a page and its animation share one system of coordinates: whole numbers of
// `unit` (a centimetre, unless the plan is enormous) from the upper left corner of the box, y down.

struct Box {
    Vec2 low{}, high{};  ///< [m]

    double width() const { return high.x - low.x; }
    double height() const { return high.y - low.y; }
};

/// [s], without its end; infinite where nothing is known to change before or after.
struct TimeSpan {
    double from = 0.0, to = 0.0;
};

struct PlanPlace {
    std::string name;
    std::string kind;  ///< exit, waypoint, stay, door, zone, wall
    std::vector<Polygon> polygons;
    std::vector<std::vector<Vec2>> lines;
    std::vector<Vec2> points;
    Vec2 label{};                  ///< where its name stands [m]
    std::vector<TimeSpan> closed;  ///< of a door: when it is known to be closed, in order

    bool is_closed(double time) const;
};

struct PlanLevel {
    std::uint16_t level = 0;
    std::vector<Polygon> floor;  ///< empty: the open plane
    std::vector<PlanPlace> places;
    std::size_t rows = 0;  ///< of the recording on this level
};

struct MapPoint {
    std::int64_t x = 0, y = 0;

    friend bool operator==(const MapPoint&, const MapPoint&) = default;
};

struct Plan {
    Box box;                          ///< at least 2 m wide and high, not too long and thin
    double unit = 0.01;               ///< of map coordinates [m]
    std::vector<PlanLevel> levels;    ///< ascending; at least one
    std::vector<std::string> faults;  ///< shapes that could not be read, in words

    MapPoint to_map(Vec2 point) const;
    std::int64_t map_width() const;
    std::int64_t map_height() const;
    /// Index into `levels`; levels.size() where there is none.
    std::size_t index_of(std::uint16_t level) const;
    /// Index of the wanted level, else of that with most rows. An Error: there is no such level.
    Result<std::size_t> choose_level(std::optional<std::uint16_t> wanted) const;
};

Plan make_plan(const Trajectories& trajectories);

/// Radius drawn for those whose radius the recording does not say [m].
inline constexpr double kUsualRadius = 0.2;

/// For scale bars: the longest of 1, 2 and 5 times a power of ten that is no longer than `most`
/// [m], and its name: 20 m, 5 km.
double round_length(double most);
std::string length_text(double metres);

/// Path data of closed rings and of lines in map coordinates. Corners that fall on one point are
/// written once.
std::string rings_path(const Plan& plan, std::span<const Polygon> polygons);
std::string lines_path(const Plan& plan, std::span<const std::vector<Vec2>> lines);

}  // namespace sidestep
