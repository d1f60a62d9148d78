// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "run/floors.hpp"

namespace sidestep {

// Ways round people who stand.
//
// The navigation mesh knows walls; its triangles may be as long as a corridor, and a jam fills a
// part of one. So the floor is also laid out in cells of half a metre, each with the roomiest of
// nine points, joined to those of the cells about it that it sees. To cross a cell costs its
// length, times (1 + what stands there). People who want the same way are a queue, and time in it
// is their number by what gets through: how long they have stood says nothing. Who wants nowhere,
// or the other way, counts for more the longer it stands:
//
//     two ways to the goal          . . . . . . .        the agent's way costs 6 m, and through the
//     ######################        . ######### .        crowd 30 m; the way round costs 14 m, and
//     agent   crowd     goal        a . c c c . G        leads over `via`, the first cell from
//     which
//     ######################        . ######### .        the shortest way to the goal is free
//     .   . via  .  .   .  .        . . v . . . .
//
// One search from a goal over all cells serves everybody with that goal and about that radius; the
// one with crowds is made again when somebody asks and it is older than some seconds.

/// Somebody who stands, or walks slower than people do.
struct Standing {
    Vec2 place{};
    double seconds = 0.0;  ///< for how long; infinite: for good
    Vec2 way{};            ///< where it wants to, unit vector; 0: nowhere
};

class JamMap {
public:
    explicit JamMap(const Floor& floor);

    /// Who stands where from now on; searches with crowds are made anew.
    void set_crowd(std::span<const Standing> people);

    /// What a search starts from: a goal, by its number, and its distance from a point [m].
    struct Goal {
        std::uint32_t number = 0;
        double (*distance)(const void* shape, Vec2 from) = nullptr;
        const void* shape = nullptr;
    };
    struct Detour {
        Vec2 via{};
        double cost = 0.0;  ///< of the way there, with the people on it [m]
    };
    /// Where to walk first to get to the goal round the crowd; none: the way that the agent has is
    /// about as good. `radius` [m].
    std::optional<Detour> find_detour(const Goal& goal, Vec2 from, double radius);
    /// What a way costs with the people on it [m].
    double cost_of_way(std::span<const Vec2> way) const;

private:
    using Costs = std::vector<float>;
    struct Fields {
        Costs plain, crowded;  ///< to the goal, by cell [m]; empty: not searched for
    };

    std::int64_t cell_of(Vec2 place) const;
    std::optional<std::uint32_t> usable_cell(Vec2 place, float radius) const;
    template <class Visit>
    void for_each_link(std::uint32_t cell, float radius, Visit&& visit) const;
    float cost_of(std::uint32_t from, std::uint32_t to, bool with_crowd) const;
    float crowd_on_way(std::size_t cell, Vec2 way) const;
    void search(const Goal& goal, float radius, bool with_crowd, Costs& costs) const;
    std::uint32_t next_cell(const Costs& costs, std::uint32_t cell, float radius,
                            bool with_crowd) const;

    const Floor* floor_;
    Vec2 low_{};
    double cell_ = 0.5;  ///< [m]
    std::int64_t columns_ = 0, rows_ = 0;
    std::vector<Vec2> point_;          ///< the roomiest of each cell
    std::vector<float> clearance_;     ///< of that [m]; negative: no floor
    std::vector<std::uint8_t> links_;  ///< a bit for each of the eight cells about it
    std::vector<float> crowd_;         ///< what standing people add to a metre through the cell [m]
    std::vector<float> pull_x_, pull_y_;  ///< what those add who come the other way, by direction
    std::map<std::pair<std::uint32_t, int>, Fields> fields_;  ///< by goal and class of radii
};

}  // namespace sidestep
