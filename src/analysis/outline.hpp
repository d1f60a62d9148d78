// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "floorplan/floor_tiles.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// The outline of a floor, for many questions of where somebody is: on the floor or not, how far
/// from the outline, and whether a move crosses it. Cells of a grid list the edges near them, and
/// know whether their centre is on the floor; so a question costs the few edges that are near.
class Outline {
public:
    /// Distances up to `reach` >= 0 [m] are told. The grid has at most about `max_cells` cells. The
    /// floor is no open plane.
    Outline(const WalkableArea& floor, double reach, std::size_t max_cells);

    struct Spot {
        bool on_floor = false;  ///< the outline itself counts
        double distance = 0.0;  ///< to the outline [m]; infinity: beyond the reach
    };
    Spot look(Vec2 position) const;
    /// At least the reach that was asked for [m].
    double reach() const { return reach_; }

    /// Whether the straight move goes through an edge of the outline; to touch one or to pass a
    /// corner exactly is not to cross.
    bool crosses(Vec2 from, Vec2 to) const;

private:
    /// The floor is on the left of a -> b.
    struct Edge {
        Vec2 a{}, b{};
        Vec2 normal_a{},
            normal_b{};  ///< into the floor, of both edges at the corner; 0: ask covers
    };
    struct Nearest;

    void add_ring(const std::vector<Vec2>& ring, bool is_hole);
    void mark_shared_corners();
    void choose_cells(std::size_t max_cells);
    void list_edges();
    void find_centres_on_floor();
    /// visit(row, first column, last column) for the cells within reach_ of an edge, and some more.
    template <class Visit>
    void for_each_run(const Edge& edge, Visit&& visit) const;
    /// Likewise for the segment a b and any margin [m].
    template <class Visit>
    void for_each_run(Vec2 a, Vec2 b, double margin, Visit&& visit) const;
    std::size_t cell_at(Vec2 p) const;
    Nearest nearest_edge(std::size_t cell, Vec2 p) const;
    bool is_inside(const Nearest& nearest, Vec2 p) const;

    WalkableArea floor_;
    std::vector<Edge> edges_;
    double reach_;
    Vec2 low_{}, high_{};  ///< box of the floor, less its origin [m]
    double cell_ = 1.0;    ///< side [m]
    std::size_t columns_ = 0, rows_ = 0;
    std::vector<std::uint32_t> begin_;    ///< of each cell in listed_, and the number listed
    std::vector<std::uint32_t> listed_;   ///< edges
    std::vector<std::uint8_t> on_floor_;  ///< the centre of each cell
};

}  // namespace sidestep
