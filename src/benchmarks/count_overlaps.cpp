// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "benchmarks/measure.hpp"

namespace sidestep {

namespace {

/// Less of an overlap does not count [m].
constexpr double kSlack = 1e-3;

struct Disc {
    std::int64_t row = 0, column = 0;  ///< cell
    double x = 0.0, y = 0.0, radius = 0.0;
    std::uint16_t level = 0;

    bool operator<(const Disc& other) const
    {
        if (level != other.level) return level < other.level;
        return row != other.row ? row < other.row : column < other.column;
    }
};

bool overlaps(const Disc& a, const Disc& b)
{
    const double reach = a.radius + b.radius - kSlack;
    const double dx = a.x - b.x, dy = a.y - b.y;
    return reach > 0.0 && dx * dx + dy * dy < reach * reach;
}

}  // namespace

std::uint64_t count_overlaps(const WorldState& world)
{
    const AgentTable& agents = world.agents;
    std::vector<Disc> discs;
    discs.reserve(agents.live);
    double largest = 1e-3;
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (!agents.holds(row)) continue;
        const double radius = double{param_of(agents, world.profiles, row, kRadius)};
        largest = std::max(largest, radius);
        discs.push_back({0, 0, double{agents.x[row]}, double{agents.y[row]}, radius,
                         agents.leaf_level[row / kLeafRows]});
    }
    const double cell = 2.0 * largest;
    for (Disc& disc : discs) {
        disc.row = static_cast<std::int64_t>(std::floor(disc.y / cell));
        disc.column = static_cast<std::int64_t>(std::floor(disc.x / cell));
    }
    std::sort(discs.begin(), discs.end());
    // Each with those after it: the rest of its cell, the cell to the right, three cells above.
    std::uint64_t pairs = 0;
    auto above = discs.begin();
    for (auto disc = discs.begin(); disc != discs.end(); ++disc) {
        const auto in_order = [](const Disc& a, const Disc& b) { return a < b; };
        for (auto other = disc + 1; other != discs.end() && other->level == disc->level &&
                                    other->row == disc->row && other->column <= disc->column + 1;
             ++other) {
            pairs += overlaps(*disc, *other) ? 1 : 0;
        }
        Disc first = *disc;
        first.row = disc->row + 1;
        first.column = disc->column - 1;
        above = std::max(above, disc);
        while (above != discs.end() && in_order(*above, first)) ++above;
        for (auto other = above; other != discs.end() && other->level == disc->level &&
                                 other->row == first.row && other->column <= disc->column + 1;
             ++other) {
            pairs += overlaps(*disc, *other) ? 1 : 0;
        }
    }
    return pairs;
}

}  // namespace sidestep
