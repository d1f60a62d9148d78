// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "navigation/topology.hpp"

namespace sidestep {

/// Finds the triangle of a point: from a hint by walking, else by a uniform grid of the triangles.
class Locator {
public:
    explicit Locator(const Topology& mesh);

    /// The triangle that holds the point (edges count), else the nearest within `reach` [m], else
    /// kNoIndex. `mesh` is the one it was made of, whatever its doors are now.
    std::uint32_t find(const Topology& mesh, plane::Point p, std::uint32_t hint,
                       double reach) const;
    /// The same, and `p` becomes the nearest point of that triangle.
    std::uint32_t enter(const Topology& mesh, plane::Point& p, std::uint32_t hint,
                        double reach) const;

private:
    std::uint32_t walk(const Topology& mesh, plane::Point p, std::uint32_t hint) const;
    bool meets(const Topology& mesh, std::uint32_t t, std::int64_t x, std::int64_t y) const;
    std::uint32_t search(const Topology& mesh, plane::Point p, double reach) const;
    std::int64_t column(double x) const;
    std::int64_t row(double y) const;

    double low_x_ = 0.0, low_y_ = 0.0, per_cell_ = 1.0;
    std::int64_t columns_ = 0, rows_ = 0;
    std::vector<std::uint32_t> first_;      ///< cell -> into triangles_
    std::vector<std::uint32_t> triangles_;  ///< whose boxes meet the cell
};

/// [m] A point this near to an edge lies on it: far above the roundings of points of a floor of
/// some km about its own origin.
inline constexpr double kOnEdge = 1e-9;

/// Whether a triangle holds a point; its edges count, and kOnEdge beyond them.
bool holds(const Topology& mesh, std::uint32_t triangle, plane::Point p);
/// The point of a triangle that is nearest to p.
plane::Point nearest_in(const Topology& mesh, std::uint32_t triangle, plane::Point p);

}  // namespace sidestep
