// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "neighbours/neighbours.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "world/limited_sight.hpp"

namespace sidestep {

void refit_leaves(const AgentTable& agents, const Column<Profile>& profiles, BoxTree& tree,
                  std::size_t first, std::size_t last) noexcept
{
    for (std::size_t leaf = first; leaf < last; ++leaf) {
        BoxNode node;
        float speed_sq = 0.0f;
        for (std::size_t row = leaf * kLeafRows; row < (leaf + 1) * kLeafRows; ++row) {
            if (!agents.holds(row)) continue;
            const float x = agents.x[row];
            const float y = agents.y[row];
            node.box = merge(node.box, Box{x, y, x, y});
            node.max_radius = std::max(node.max_radius, agents.record[row].radius);
            node.min_level = node.max_level = agents.leaf_level[leaf];
            const AgentRecord& record = agents.record[row];
            speed_sq = std::max(speed_sq, record.vx * record.vx + record.vy * record.vy);
            node.max_speed = std::max(node.max_speed, param_of(agents, profiles, row, kMaxSpeed));
        }
        node.max_speed = std::max(node.max_speed, std::sqrt(speed_sq));
        tree.set_leaf(leaf, node);
    }
}

void find_neighbours_brute_force(const NeighbourInput& input, std::size_t leaf,
                                 NeighbourLists& lists)
{
    const AgentTable& agents = input.agents;
    lists.overlaps = 0;
    lists.deepest_overlap = 0.0f;
    lists.any_coincide = true;  // not looked for
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t self = leaf * kLeafRows + lane;
        lists.count[lane] = 0;
        lists.cap_hit[lane] = lists.is_cut_short[lane] = false;
        lists.complete_sq[lane] = 0.0f;
        if (!agents.holds(self)) continue;
        const float range = param_of(agents, input.profiles, self, kNeighbourRange);
        const std::size_t cap = search_cap(agents, input.profiles, self);
        const float body = param_of(agents, input.profiles, self, kRadius);
        std::vector<std::pair<float, std::uint32_t>> in_range;  // dist_sq, row
        for (std::uint32_t other = 0; other < agents.rows(); ++other) {
            if (other == self || !agents.holds(other)) continue;
            if (agents.leaf_level[other / kLeafRows] != agents.leaf_level[leaf]) continue;
            const float dx = agents.x[other] - agents.x[self];
            const float dy = agents.y[other] - agents.y[self];
            const float d = dx * dx + dy * dy;
            if (d <= range * range) in_range.emplace_back(d, other);
            const float depth =
                body + param_of(agents, input.profiles, other, kRadius) - std::sqrt(d);
            if (depth > kOverlapSlop && agents.record[self].id < agents.record[other].id) {
                ++lists.overlaps;
                lists.deepest_overlap = std::max(lists.deepest_overlap, depth);
            }
        }
        std::sort(in_range.begin(), in_range.end(), [&](const auto& a, const auto& b) {
            return comes_before(a.first, agents.record[a.second].id, b.first,
                                agents.record[b.second].id);
        });
        lists.cap_hit[lane] = in_range.size() > cap;
        lists.complete_sq[lane] = range * range;
        if (in_range.size() > cap)
            lists.complete_sq[lane] = cap > 0 ? in_range[cap - 1].first : -1.0f;
        lists.count[lane] = static_cast<std::uint32_t>(std::min(cap, in_range.size()));
        for (std::size_t i = 0; i < lists.count[lane]; ++i) {
            lists.dist_sq[lane][i] = in_range[i].first;
            lists.row[lane][i] = in_range[i].second;
        }
    }
}

}  // namespace sidestep
