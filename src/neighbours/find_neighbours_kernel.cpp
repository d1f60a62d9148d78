// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbours/find_neighbours_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <cmath>

#include "neighbours/neighbours.hpp"
#include "simd/isa.hpp"
#include "world/limited_sight.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The search of one agent: what it may list, and how far it still has to look.
struct Searcher {
    std::uint32_t row;
    std::uint32_t id;
    float x, y;
    float range_sq;
    std::uint32_t cap;
    float body;           ///< body radius [m]
    float planning;       ///< planning radius [m]
    float list_reach_sq;  ///< nobody farther than this can still enter the list, or tell that it is
                          ///< full
};

/// Puts a candidate in range into the sorted list of a lane.
HWY_INLINE void insert(const AgentTable& agents, Searcher& self, float dist_sq, std::uint32_t row,
                       std::size_t lane, NeighbourLists& lists)
{
    float* dist = lists.dist_sq[lane];
    std::uint32_t* rows = lists.row[lane];
    const std::uint32_t id = agents.record[row].id;
    std::uint32_t place = lists.count[lane];
    if (place < self.cap) {
        ++lists.count[lane];
    } else {  // full: from now on only the nearer, or equally near with a lower id, matter
        lists.cap_hit[lane] = true;
        if (self.cap == 0) {
            self.list_reach_sq = -1.0f;
            return;
        }
        --place;
        self.list_reach_sq = dist[place];
        if (!comes_before(dist_sq, id, dist[place], agents.record[rows[place]].id)) return;
    }
    while (place > 0 &&
           comes_before(dist_sq, id, dist[place - 1], agents.record[rows[place - 1]].id)) {
        dist[place] = dist[place - 1];
        rows[place] = rows[place - 1];
        --place;
    }
    dist[place] = dist_sq;
    rows[place] = row;
    if (lists.cap_hit[lane]) self.list_reach_sq = dist[self.cap - 1];
}

/// Counts a pair whose bodies overlap, on the side of the lower id.
HWY_INLINE void count_overlap(const NeighbourInput& input, const Searcher& self, float dist_sq,
                              std::uint32_t row, NeighbourLists& lists)
{
    if (self.id > input.agents.record[row].id) return;
    const float depth =
        self.body + param_of(input.agents, input.profiles, row, kRadius) - std::sqrt(dist_sq);
    if (!(depth > kOverlapSlop)) return;
    ++lists.overlaps;
    lists.deepest_overlap = std::max(lists.deepest_overlap, depth);
}

/// Looks at the eight rows of one leaf on behalf of one agent.
HWY_INLINE void search_leaf(const NeighbourInput& input, std::size_t leaf, Searcher& self,
                            std::size_t lane, NeighbourLists& lists)
{
    const hn::CappedTag<float, kLeafRows> d;
    const AgentTable& agents = input.agents;
    const BoxNode& node = input.tree.leaf(leaf);
    const float touch = self.planning + node.max_radius;
    const float reach_sq = std::max(self.list_reach_sq, touch * touch);
    if (dist_sq(node.box, Box{self.x, self.y, self.x, self.y}) > reach_sq) return;

    alignas(kColumnAlignment) float distances[kLeafRows];
    std::uint32_t near = 0;
    for (std::size_t i = 0; i < kLeafRows; i += hn::Lanes(d)) {
        const auto dx = hn::Load(d, agents.x.data() + leaf * kLeafRows + i) - hn::Set(d, self.x);
        const auto dy = hn::Load(d, agents.y.data() + leaf * kLeafRows + i) - hn::Set(d, self.y);
        const auto dist = dx * dx + dy * dy;
        hn::Store(dist, d, distances + i);
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(d, dist <= hn::Set(d, reach_sq), bits);
        near |= static_cast<std::uint32_t>(bits[0]) << i;
    }
    for (; near != 0; near &= near - 1) {
        const std::size_t i = hwy::Num0BitsBelowLS1Bit_Nonzero32(near);
        const auto row = static_cast<std::uint32_t>(leaf * kLeafRows + i);
        if (row == self.row) continue;
        if (distances[i] <= self.range_sq && distances[i] <= self.list_reach_sq)
            insert(agents, self, distances[i], row, lane, lists);
        if (distances[i] <= touch * touch) count_overlap(input, self, distances[i], row, lists);
    }
}

void find_neighbours(const NeighbourInput& input, std::size_t leaf, NeighbourScratch& scratch)
{
    const AgentTable& agents = input.agents;
    NeighbourLists& lists = scratch.lists;
    lists.overlaps = 0;
    lists.deepest_overlap = 0.0f;

    alignas(kColumnAlignment) float range[kLeafRows], body[kLeafRows];
    params_of_leaf(agents, input.profiles, leaf, kNeighbourRange, range);
    params_of_leaf(agents, input.profiles, leaf, kRadius, body);
    float widest_range = 0.0f;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        lists.count[lane] = 0;
        lists.cap_hit[lane] = false;
        if (agents.holds(leaf * kLeafRows + lane))
            widest_range = std::max(widest_range, range[lane]);
    }

    const BoxNode& own = input.tree.leaf(leaf);
    const std::uint16_t level = agents.leaf_level[leaf];
    scratch.leaves.clear();
    scratch.leaves.push_back(static_cast<std::uint32_t>(
        leaf));  // the nearest first: the lists fill early and the reach shrinks
    input.tree.walk(
        [&](const BoxNode& node) {
            const float reach = std::max(widest_range, own.max_radius + node.max_radius);
            return node.min_level <= level && level <= node.max_level &&
                   dist_sq(node.box, own.box) <= reach * reach;
        },
        [&](std::size_t candidate) {
            if (candidate != leaf) scratch.leaves.push_back(static_cast<std::uint32_t>(candidate));
        });

    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!agents.holds(row)) continue;
        Searcher self{.row = static_cast<std::uint32_t>(row),
                      .id = agents.record[row].id,
                      .x = agents.x[row],
                      .y = agents.y[row],
                      .range_sq = range[lane] * range[lane],
                      .cap = search_cap(agents, input.profiles, row),
                      .body = body[lane],
                      .planning = agents.record[row].radius,
                      .list_reach_sq = range[lane] * range[lane]};
        for (const std::uint32_t candidate : scratch.leaves)
            search_leaf(input, candidate, self, lane, lists);
    }
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(find_neighbours);

FindNeighbours find_neighbours_for(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(find_neighbours), isa);
}

}  // namespace sidestep
#endif
