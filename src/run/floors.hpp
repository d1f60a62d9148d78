// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "floorplan/floorplan.hpp"
#include "navigation/routes.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/world.hpp"
#include "world/wall_index.hpp"

namespace sidestep {

/// One level of a scenario that runs: its walls, and the ways over it.
struct Floor {
    std::uint16_t level = 0;
    bool open_plane = false;
    std::vector<Polygon> space;  ///< with all doors open
    std::uint64_t mesh_hash = 0;
    std::vector<WallSpec> walls;            ///< what the engine gets, closed doors apart
    std::vector<std::uint32_t> door_plans;  ///< DoorPlan of each of this floor's doors
    /// None: there is nothing to walk round, and every way is straight.
    std::optional<Routes> routes;

    // How far from the walls is a point? Walls about `origin`, in float.
    Vec2 origin{};
    WallTable wall_table;
    WallIndex wall_index;

    std::vector<std::vector<Vec2>> thin_walls() const;
    std::vector<std::vector<Vec2>> closed_doors;  ///< as they are now

    /// Whether the centre of a body may be here at all.
    bool holds(Vec2 point) const;
    /// Distance to the nearest wall or closed door [m]; at most `reach`.
    double clearance(Vec2 point, double reach) const;
    /// Whether a body has room here.
    bool fits(Vec2 point, double radius) const;
};

/// Whether a point of an open plane lies beyond its mesh: nothing is there to walk round.
bool is_outside(const Floor& floor, Vec2 point);

/// The floors of all levels that the scenario names, in the order of levels. Problems say where a
/// floor cannot be built; then there is none.
std::vector<Floor> build_floors(const Scenario& scenario, Problems& problems);

}  // namespace sidestep
