// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "navigation/locator.hpp"
#include "navigation/topology.hpp"

namespace sidestep {

// Shortest ways from everywhere to a goal, exactly.
//
// A shortest way is a chain of straight pieces that bends at corners of walls only. So what an
// agent needs to know is which corner to walk to: the *root* it sees from where it stands with the
// least (distance to the root) + (way from there on). Light spreads from the goal over the mesh,
// through intervals of edges ("windows") as in [Polyanya17]; where it grazes a corner that hides
// something, that corner becomes a root of its own and lights what is behind. Windows are taken in
// the order of their distance; what a window adds to an edge is cut down to the part where no
// earlier window is nearer. Each triangle keeps the windows that light it, as wedges.
//
//        goal *- - - - - - - ,.-'   The wedge behind the corner r belongs to root r.
//              \          ,.'  :
//               \   ####r'     :    p sees r: it walks to r, |p - r| + g(r) in all.
//                \  ####  p    :

/// A point that ways lead to: a part of the goal, or a corner.
struct Root {
    plane::Point place{};
    double beyond = 0.0;              ///< length of the way from here to the goal [m]
    std::uint32_t parent = kNoIndex;  ///< the root after this one; kNoIndex: this is the goal
    std::uint32_t fan = kNoIndex;     ///< of a corner
    std::uint32_t part = 0;           ///< of the goal
    std::int8_t turn = 0;             ///< of a corner: +1 ways turn left there, -1 right
};

/// What a root lights of a triangle: the wedge from direction `right` counter-clockwise to `left`.
struct Sight {
    std::uint32_t root = kNoIndex;
    plane::Point left{};  ///< unit vectors; both 0: all of the triangle
    plane::Point right{};
};

/// Where a search starts from.
struct Source {
    plane::Point place{};
    std::uint32_t part = 0;
};

/// The way from everywhere, for all who fit through the same passages.
struct Field {
    std::vector<Root> roots;
    std::vector<std::uint32_t> first;  ///< triangle -> into sights
    std::vector<Sight> sights;
};

/// [m] A goal beside the mesh counts as on it within this.
inline constexpr double kSourceReach = 0.01;

/// Searches the whole mesh from the sources outwards; passages narrower than `width` are closed.
Field search_everywhere(const Topology& mesh, const Locator& locator,
                        std::span<const Source> sources, double width);

/// The roots on the shortest way from a point to another, the goal last; empty: there is none. The
/// search starts at `to`, and is led to `from` by the least length that any way through a window
/// can have; `from` may lie beside the mesh by up to `reach` [m].
std::vector<Root> search_way(const Topology& mesh, const Locator& locator, plane::Point from,
                             double reach, plane::Point to, double width);

/// The root with the shortest way from a point of a triangle, and that length; kNoIndex: there is
/// no way.
struct Lookup {
    std::uint32_t root = kNoIndex;
    double length = 0.0;
};
Lookup look_up(const Field& field, std::uint32_t triangle, plane::Point p);

}  // namespace sidestep
