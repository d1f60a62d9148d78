// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "perception/perceive_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/sight_line.hpp"
#include "neighbours/record_lanes-inl.hpp"
#include "perception/hidden_lanes-inl.hpp"
#include "perception/perceive.hpp"
#include "perception/recall_lanes-inl.hpp"
#include "simd/isa.hpp"
#include "world/leaf_profile.hpp"
#include "world/limited_sight.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Bits of the lowest `count` places, of 32.
HWY_INLINE std::uint32_t lowest_bits(std::size_t count)
{
    return count < 32 ? (1u << count) - 1u : ~0u;
}

/// Where the bit number `which` of those that are set is; there must be one.
HWY_INLINE std::size_t place_of_bit(std::uint32_t bits, std::size_t which)
{
    for (; which > 0; --which) bits &= bits - 1;
    return hwy::Num0BitsBelowLS1Bit_Nonzero32(bits);
}

/// One leaf that perceives.
struct Leaf {
    const PerceptionInput& input;
    std::size_t index;
    NeighbourLists& lists;
    Perceived& perceived;
    const Profile* profile;  ///< of all, or null

    HWY_INLINE float param(std::size_t lane, std::size_t which) const
    {
        return profile != nullptr && input.agents.overrides[which].empty()
                   ? profile->value[which]
                   : param_of(input.agents, input.profiles, index * kLeafRows + lane, which);
    }
    HWY_INLINE SightTraits traits(std::size_t lane) const
    {
        return {param(lane, kObservationTime), param(lane, kFieldOfView),
                static_cast<Sight>(static_cast<std::uint8_t>(param(lane, kSight)))};
    }
    HWY_INLINE const AgentRecord& other(std::size_t lane, std::size_t place) const
    {
        return input.agents.record[lists.row[lane][place]];
    }
};

/// The steps of an agent's times: those of the agent before, mostly.
HWY_INLINE MemorySteps steps_of_lane(const Leaf& leaf, std::size_t lane, float observation_time)
{
    const MemoryTimes times{leaf.input.dt, observation_time, leaf.param(lane, kForgetTime)};
    Perceived& perceived = leaf.perceived;
    if (HWY_UNLIKELY(!(times == perceived.times))) {
        perceived.steps = steps_of(times);
        perceived.times = times;
    }
    return perceived.steps;
}

/// Finds the edges that may hide from somebody in the leaf whom it has listed.
HWY_INLINE void find_edges(const Leaf& leaf)
{
    HidingEdges& edges = leaf.perceived.edges_near;
    edges.count = 0;
    edges.complete = true;
    const AgentTable& agents = leaf.input.agents;
    if (leaf.input.walls.size() == 0) return;
    Box box = kEmptyBox;
    float farthest_sq = -1.0f;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::uint32_t count = leaf.lists.count[lane];
        if (count == 0) continue;  // nor is there anybody where nobody is listed
        const std::size_t row = leaf.index * kLeafRows + lane;
        box = merge(box, Box{agents.x[row], agents.y[row], agents.x[row], agents.y[row]});
        farthest_sq = std::max(farthest_sq, leaf.lists.dist_sq[lane][count - 1]);
    }
    if (farthest_sq < 0.0f) return;
    gather_edges(leaf.input.walls, box, agents.leaf_level[leaf.index], sight_reach(farthest_sq),
                 edges);
}

/// Whether an edge near the leaf hides somebody of an agent's list from it.
HWY_NOINLINE bool is_hidden(const Leaf& leaf, std::size_t lane, std::size_t place)
{
    const HidingEdges& edges = leaf.perceived.edges_near;
    const AgentRecord& own = leaf.input.agents.record[leaf.index * kLeafRows + lane];
    const AgentRecord& other = leaf.other(lane, place);
    for (std::size_t i = 0; i < edges.count; ++i) {
        if (hides({edges.ax[i], edges.ay[i]}, {edges.bx[i], edges.by[i]}, {own.x, own.y},
                  {other.x, other.y}))
            return true;
    }
    return false;
}

/// Places of an agent's list whom a wall hides. They are looked at eight at a time, near to far.
/// Walls that are nearer than the 16th come first: most of the time they hide all that are farther.
HWY_INLINE std::uint32_t hidden_places(const Leaf& leaf, std::size_t lane)
{
    const TargetLanes d;
    const HidingEdges& edges = leaf.perceived.edges_near;
    const std::size_t count = leaf.lists.count[lane];
    if (edges.count == 0 || count == 0) return 0;
    const float* dist_sq = leaf.lists.dist_sq[lane];
    const auto own_row = static_cast<std::uint32_t>(leaf.index * kLeafRows + lane);
    const AgentRecord& own = leaf.input.agents.record[own_row];
    const std::size_t first_far = std::min(count, kSightEntries);
    const float near = sight_reach(dist_sq[first_far - 1]), far = sight_reach(dist_sq[count - 1]);
    EdgesSeen seen;
    seen.look(edges, own.x, own.y, near * near, far * far);
    if (seen.near_count + seen.far_count == 0) return 0;

    std::uint32_t hidden = 0;
    for (std::size_t first = 0; first < count; first += hn::Lanes(d)) {
        std::uint32_t rows[hn::MaxLanes(d)];
        for (std::size_t k = 0; k < hn::Lanes(d); ++k)
            rows[k] = first + k < count ? leaf.lists.row[lane][first + k] : own_row;
        const Vec2<hn::Vec<TargetLanes>> target =
            load_positions(d, leaf.input.agents.record.data(), rows) -
            Vec2<hn::Vec<TargetLanes>>{hn::Set(d, own.x), hn::Set(d, own.y)};
        const auto size = hn::Abs(target.x) + hn::Abs(target.y);
        const auto error = size * hn::Set(d, seen.error_per_size) + hn::Set(d, seen.error);
        auto depth = hn::Set(d, -std::numeric_limits<float>::max());
        look_past(seen, seen.near, seen.near_count, target, depth);
        if (first + hn::Lanes(d) > first_far && !hn::AllTrue(d, depth > error))
            look_past(seen, seen.far, seen.far_count, target, depth);
        hidden |= mask_bits(d, depth > error) << first;
        std::uint32_t unsure = mask_bits(d, hn::Abs(depth) <= error) << first & lowest_bits(count);
        for (; HWY_UNLIKELY(unsure != 0); unsure &= unsure - 1) {
            const std::size_t place = hwy::Num0BitsBelowLS1Bit_Nonzero32(unsure);
            if (is_hidden(leaf, lane, place)) hidden |= 1u << place;
        }
    }
    return hidden & lowest_bits(count);
}

/// Those of an agent's list whom it sees, near to far.
struct InSight {
    std::uint8_t place[kMostTargets];
    std::size_t count;
    bool all;  ///< everybody listed

    HWY_INLINE InSight(std::uint32_t listed, std::uint32_t hidden) : count(listed), all(hidden == 0)
    {
        if (HWY_LIKELY(all)) return;  // places are their own numbers
        count = 0;
        for (std::uint32_t left = lowest_bits(listed) & ~hidden; left != 0; left &= left - 1)
            place[count++] = static_cast<std::uint8_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
    }
    HWY_INLINE std::size_t place_of(std::size_t face) const { return all ? face : place[face]; }
};

/// Faces of those in sight whom the agent touches; of `asked` only.
HWY_INLINE std::uint32_t touched(const Leaf& leaf, std::size_t lane, const InSight& seen,
                                 std::uint32_t asked)
{
    const float own = leaf.param(lane, kRadius);
    const float most = own + leaf.input.largest_body;
    std::uint32_t felt = 0;
    for (; asked != 0; asked &= asked - 1) {
        const std::size_t k = hwy::Num0BitsBelowLS1Bit_Nonzero32(asked);
        const std::size_t place = seen.place_of(k);
        const float dist_sq = leaf.lists.dist_sq[lane][place];
        if (HWY_LIKELY(!(dist_sq < most * most))) break;
        const float reach = own + param_of(leaf.input.agents, leaf.input.profiles,
                                           leaf.lists.row[lane][place], kRadius);
        if (dist_sq < reach * reach) felt |= 1u << k;
    }
    return felt;
}

/// What the agent remembers of those in sight, and whom of the first 16 it is to avoid.
HWY_INLINE std::uint32_t recall_lane(const Leaf& leaf, std::size_t lane, const SightTable& before,
                                     const InSight& seen, const MemorySteps& steps)
{
    alignas(kColumnAlignment) std::uint32_t id[kSightEntries];
    const std::size_t count = std::min(seen.count, kSightEntries);
    if (HWY_LIKELY(seen.all && count == kSightEntries)) {
        HWY_UNROLL(16)
        for (std::size_t k = 0; k < kSightEntries; ++k) id[k] = leaf.other(lane, k).id;
    } else {
        for (std::size_t k = 0; k < count; ++k) id[k] = leaf.other(lane, seen.place_of(k)).id;
        for (std::size_t k = count; k < kSightEntries; ++k) id[k] = SightEntry::kNobodySeen;
    }
    const Recalled recalled = recall(before, id, count, steps, leaf.perceived.memory[lane]);
    leaf.perceived.crowded += static_cast<std::uint32_t>(hwy::PopCount(recalled.crowded));
    const std::uint32_t asked = lowest_bits(count) & ~recalled.observed;
    return recalled.observed | touched(leaf, lane, seen, asked);
}

/// Leaves in the list the first `cap` of those in sight whose bit is set.
HWY_INLINE void keep_listed(const Leaf& leaf, std::size_t lane, const InSight& seen,
                            std::uint32_t avoided, std::size_t cap)
{
    std::uint32_t* row = leaf.lists.row[lane];
    float* dist_sq = leaf.lists.dist_sq[lane];
    const std::size_t most = std::min<std::size_t>(cap, hwy::PopCount(avoided));
    if (HWY_LIKELY(seen.all && (~avoided & lowest_bits(most)) == 0)) {  // they are where they were
        leaf.lists.count[lane] = static_cast<std::uint32_t>(most);
        return;
    }
    std::size_t kept = 0;
    for (; avoided != 0 && kept < cap; avoided &= avoided - 1) {
        const std::size_t place = seen.place_of(hwy::Num0BitsBelowLS1Bit_Nonzero32(avoided));
        row[kept] = row[place];
        dist_sq[kept] = dist_sq[place];
        ++kept;
    }
    leaf.lists.count[lane] = static_cast<std::uint32_t>(kept);
}

/// One agent that looks all round, and sees nobody but agents.
HWY_INLINE Looked perceive_lane(const Leaf& leaf, std::size_t lane, const SightTraits& traits)
{
    NeighbourLists& lists = leaf.lists;
    const std::uint32_t hidden =
        traits.sight == Sight::through_walls ? 0u : hidden_places(leaf, lane);
    const std::uint32_t listed = lists.count[lane];
    const InSight seen(listed, hidden);
    const auto cap = static_cast<std::size_t>(leaf.param(lane, kMaxNeighbours));
    const AgentTable& agents = leaf.input.agents;
    const std::uint32_t table =
        agents.sight.empty() ? kNoSight : agents.sight[leaf.index * kLeafRows + lane];
    std::uint32_t avoided = lowest_bits(seen.count);
    if (table != kNoSight) {
        avoided = recall_lane(leaf, lane, leaf.input.sights[table], seen,
                              steps_of_lane(leaf, lane, traits.observation_time));
        // Whoever is farther than a full memory counts as observed, until one too many is.
        const std::size_t known = hwy::PopCount(avoided);
        if (seen.count > kSightEntries && known <= cap) {
            const std::size_t more = std::min(seen.count - kSightEntries, cap + 1 - known);
            avoided |= lowest_bits(more) << kSightEntries;
            leaf.perceived.crowded += static_cast<std::uint32_t>(more);
        }
    }
    const bool is_cut = hwy::PopCount(avoided) > cap;
    lists.cap_hit[lane] = lists.cap_hit[lane] || is_cut;
    keep_listed(leaf, lane, seen, avoided, cap);

    // Nobody farther than a full memory and one too many to avoid changes anything.
    const std::size_t remembered = table == kNoSight ? 0 : kSightEntries;
    if (!is_cut || seen.count < remembered)
        return lists.is_cut_short[lane] ? Looked::too_few
               : listed > kSightEntries ? Looked::many
                                        : Looked::few;
    if (listed <= kSightEntries) return Looked::few;
    const std::size_t last = std::max(remembered, place_of_bit(avoided, cap) + 1);
    return seen.place_of(last - 1) >= kSightEntries ? Looked::many : Looked::few;
}

/// Whether lanes do not do for this agent: it has a field of view, there are bodies to notice, its
/// list is longer than kMostTargets, or edges alone do not say whom walls hide from it.
HWY_INLINE bool needs_looking_alone(const Leaf& leaf, std::size_t lane, const SightTraits& traits)
{
    const PerceptionInput& input = leaf.input;
    return traits.field_of_view_deg < 360.0f || !input.bodies.bodies.empty() ||
           leaf.lists.count[lane] > kMostTargets ||
           (traits.sight != Sight::through_walls &&
            (!leaf.perceived.edges_near.complete ||
             (traits.sight == Sight::body && input.walls.size() != 0)));
}

/// The tables of the next leaf are on their way while this one perceives.
HWY_INLINE void fetch_tables(const PerceptionInput& input, std::size_t leaf)
{
    if (input.agents.sight.empty() || leaf >= input.agents.leaves()) return;
    for (std::size_t row = leaf * kLeafRows; row < (leaf + 1) * kLeafRows; ++row) {
        if (input.agents.sight[row] == kNoSight) continue;
        const SightTable& table = input.sights[input.agents.sight[row]];
        __builtin_prefetch(table.id);
        __builtin_prefetch(table.first);
    }
}

Looked perceive(const PerceptionInput& input, std::size_t index, NeighbourLists& lists,
                Perceived& perceived, Explanation* explain, std::size_t explain_lane)
{
    perceived.crowded = 0;
    perceived.unnoticed_bodies.clear();
    const Leaf leaf{input, index, lists, perceived,
                    common_profile(input.agents, input.profiles, index, {})};
    const bool alike =
        leaf.profile != nullptr && input.agents.overrides[kObservationTime].empty() &&
        input.agents.overrides[kFieldOfView].empty() && input.agents.overrides[kSight].empty();
    if (alike && !leaf.traits(0).limited()) return Looked::few;
    fetch_tables(input, index + 1);
    bool found_edges = false;
    Looked looked = Looked::few;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if (!input.agents.holds(index * kLeafRows + lane)) continue;
        const SightTraits traits = leaf.traits(lane);
        if (!traits.limited()) continue;
        if (!found_edges && traits.sight != Sight::through_walls) {
            find_edges(leaf);
            found_edges = true;
        }
        lists.complete_sq[lane] = 0.0f;  // from here on the list holds whom it minds
        const bool is_explained = explain != nullptr && lane == explain_lane;
        const bool alone = is_explained || needs_looking_alone(leaf, lane, traits);
        looked = std::max(looked, alone ? perceive_alone(input, index, lane, lists, perceived,
                                                         is_explained ? explain : nullptr)
                                        : perceive_lane(leaf, lane, traits));
    }
    return looked;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(perceive);

Perceive perceive_for(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(perceive), isa);
}

}  // namespace sidestep
#endif
