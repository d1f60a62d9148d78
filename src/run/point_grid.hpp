// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sidestep/vec2.hpp"

namespace sidestep {

/// Points in square cells: who is within one cell's width of here? Points are visited in an order
/// that depends on the points alone: the map of cells is looked up, never walked through.
class PointGrid {
public:
    explicit PointGrid(double cell) : cell_(cell) {}

    /// `tag` is what a visit gets to see.
    void add(std::uint32_t tag, Vec2 point)
    {
        const auto index = static_cast<std::uint32_t>(points_.size());
        auto [head, is_new] = heads_.try_emplace(key(column(point.x), column(point.y)), index);
        points_.push_back({tag, point});
        next_.push_back(is_new ? kEnd : head->second);
        head->second = index;
    }

    /// visit(tag, point) for all points in the 3 x 3 cells about `centre`; ends early on false.
    template <class Visit>
    bool for_each_near(Vec2 centre, Visit&& visit) const
    {
        const std::int64_t x = column(centre.x);
        const std::int64_t y = column(centre.y);
        for (std::int64_t dy = -1; dy <= 1; ++dy) {
            for (std::int64_t dx = -1; dx <= 1; ++dx) {
                const auto head = heads_.find(key(x + dx, y + dy));
                if (head == heads_.end()) continue;
                for (std::uint32_t i = head->second; i != kEnd; i = next_[i]) {
                    if (!visit(points_[i].tag, points_[i].place)) return false;
                }
            }
        }
        return true;
    }

private:
    static constexpr std::uint32_t kEnd = 0xffffffffu;

    std::int64_t column(double v) const { return static_cast<std::int64_t>(std::floor(v / cell_)); }
    static std::uint64_t key(std::int64_t x, std::int64_t y)
    {
        return (static_cast<std::uint64_t>(x) << 32) ^
               (static_cast<std::uint64_t>(y) & 0xffffffffu);
    }

    double cell_;
    std::unordered_map<std::uint64_t, std::uint32_t> heads_;
    std::vector<std::uint32_t> next_;
    struct Tagged {
        std::uint32_t tag;
        Vec2 place;
    };
    std::vector<Tagged> points_;
};

}  // namespace sidestep
