// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sidestep/vec2.hpp"

namespace sidestep {

/// Puts points that lie beside an edge within a step or two into that edge. Outlines that touch
/// along a slanted line are off each other by the snapping of their ends; with the same points they
/// coincide, and neither a slit nor a sliver is left between them.
class Stitcher {
public:
    void add(std::span<const Vec2> ring)
    {
        points_.insert(points_.end(), ring.begin(), ring.end());
    }

    void prepare()
    {
        std::sort(points_.begin(), points_.end(),
                  [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
        points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    }

    std::vector<Vec2> stitch(const std::vector<Vec2>& line, bool closed) const
    {
        std::vector<Vec2> out;
        const std::size_t edges = closed ? line.size() : line.empty() ? 0 : line.size() - 1;
        for (std::size_t i = 0; i < edges; ++i) {
            out.push_back(line[i]);
            add_between(line[i], line[(i + 1) % line.size()], out);
        }
        if (!closed && !line.empty()) out.push_back(line.back());
        return out;
    }

private:
    static constexpr double kBeside = 1.6;  ///< two roundings of 0.71 each
    std::vector<Vec2> points_;

    void add_between(Vec2 a, Vec2 b, std::vector<Vec2>& out) const
    {
        const double dx = b.x - a.x, dy = b.y - a.y;
        const double length_sq = dx * dx + dy * dy;
        if (dx == 0 || dy == 0 || !(length_sq > 0)) return;  // exact as it is
        std::vector<std::pair<double, Vec2>> found;
        auto at = std::lower_bound(points_.begin(), points_.end(), std::min(a.x, b.x) - kBeside,
                                   [](Vec2 p, double x) { return p.x < x; });
        for (; at != points_.end() && at->x <= std::max(a.x, b.x) + kBeside; ++at) {
            const Vec2 p = *at;
            const double across = (p.x - a.x) * dy - (p.y - a.y) * dx;
            if (across * across > kBeside * kBeside * length_sq || p == a || p == b) continue;
            const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / length_sq;
            if (along > 0 && along < 1) found.push_back({along, p});
        }
        std::sort(found.begin(), found.end(),
                  [](const auto& u, const auto& v) { return u.first < v.first; });
        for (const auto& [along, p] : found) out.push_back(p);
    }
};

}  // namespace sidestep
