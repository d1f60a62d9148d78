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

/// Who is in 16 places of an agent's list; itself where nobody is.
HWY_INLINE Shadows targets_of(const Leaf& leaf, std::size_t lane, std::size_t first)
{
    const hn::RebindToUnsigned<SeenLanes> d;
    const auto itself = static_cast<std::uint32_t>(leaf.index * kLeafRows + lane);
    const AgentRecord* all = leaf.input.agents.record.data();
    const auto end = hn::Set(d, leaf.lists.count[lane]);
    alignas(kColumnAlignment) std::uint32_t rows[kTargetsAtOnce];
    for (std::size_t k = 0; k < kTargetsAtOnce; k += hn::Lanes(d)) {
        const auto number = hn::Iota(d, static_cast<std::uint32_t>(first + k));
        const auto listed = hn::Load(d, leaf.lists.row[lane] + first + k);
        hn::Store(hn::IfThenElse(number < end, listed, hn::Set(d, itself)), d, rows + k);
    }
    return Shadows(all, rows, all[itself].x, all[itself].y);
}

/// Places of an agent's list whom a wall hides. Of the first 16 those walls do that are nearer than
/// the last of them.
HWY_INLINE std::uint32_t hidden_places(const Leaf& leaf, std::size_t lane)
{
    const std::size_t count = leaf.lists.count[lane];
    const float* dist_sq = leaf.lists.dist_sq[lane];
    const AgentRecord& own = leaf.input.agents.record[leaf.index * kLeafRows + lane];
    const float near = sight_reach(dist_sq[std::min(count, kTargetsAtOnce) - 1]);
    const float far = sight_reach(dist_sq[count - 1]);
    EdgesSeen edges;
    edges.look(leaf.perceived.edges_near, own.x, own.y, near * near, far * far);
    if (edges.near_count + edges.far_count == 0) return 0;

    std::uint32_t hidden = 0, unsure = 0;
    Shadows nearer = targets_of(leaf, lane, 0);
    if (count <= kTargetsAtOnce) {
        look_past(edges, edges.near, edges.near_count, nearer);
    } else {
        static_assert(kMostTargets == 2 * kTargetsAtOnce);
        Shadows farther = targets_of(leaf, lane, kTargetsAtOnce);
        look_past(edges, edges.near, edges.near_count, nearer, farther);
        look_past(edges, edges.far, edges.far_count, farther);
        farther.judge(edges, hidden, unsure);
        hidden <<= kTargetsAtOnce;
        unsure <<= kTargetsAtOnce;
    }
    nearer.judge(edges, hidden, unsure);
    for (unsure &= lowest_bits(count); HWY_UNLIKELY(unsure != 0); unsure &= unsure - 1) {
        const std::size_t place = hwy::Num0BitsBelowLS1Bit_Nonzero32(unsure);
        if (is_hidden(leaf, lane, place)) hidden |= 1u << place;
    }
    return hidden & lowest_bits(count);
}

/// Leaves in an agent's list those of these bits, in their order.
HWY_INLINE void pack_list(const Leaf& leaf, std::size_t lane, std::uint32_t places)
{
    using D = hn::CappedTag<float, 8>;
    const D d;
    const hn::RebindToUnsigned<D> du;
    std::uint32_t* row = leaf.lists.row[lane];
    float* dist_sq = leaf.lists.dist_sq[lane];
    std::size_t kept = 0;
    for (std::size_t first = 0; (places >> first) != 0; first += hn::Lanes(d)) {
        alignas(8) const std::uint8_t bits[8] = {static_cast<std::uint8_t>(places >> first)};
        const Packing<D> packing(d, hn::LoadMaskBits(d, bits));
        const auto rows = packing.pack(du, hn::Load(du, row + first));
        const auto distances = packing.pack(d, hn::Load(d, dist_sq + first));
        hn::StoreU(rows, du, row + kept);
        hn::StoreU(distances, d, dist_sq + kept);
        kept += packing.count();
        if (first + hn::Lanes(d) >= 32) break;
    }
    leaf.lists.count[lane] = static_cast<std::uint32_t>(kept);
}

/// What of an agent's traits matters to how it perceives.
struct Eye {
    SightTraits traits;
    MemorySteps steps;
    float radius;     ///< [m]
    std::size_t cap;  ///< it avoids no more
};

HWY_INLINE Eye eye_of(const Leaf& leaf, std::size_t lane)
{
    const SightTraits traits = leaf.traits(lane);
    return {traits, steps_of_lane(leaf, lane, traits.observation_time), leaf.param(lane, kRadius),
            static_cast<std::size_t>(leaf.param(lane, kMaxNeighbours))};
}

/// Of those in sight, whom the list of the agent has now, the places of those whom it touches; of
/// `asked` only.
HWY_INLINE std::uint32_t touched(const Leaf& leaf, std::size_t lane, float own, std::uint32_t asked)
{
    const float most = own + leaf.input.largest_body;
    std::uint32_t felt = 0;
    for (; asked != 0; asked &= asked - 1) {
        const std::size_t place = hwy::Num0BitsBelowLS1Bit_Nonzero32(asked);
        const float dist_sq = leaf.lists.dist_sq[lane][place];
        if (HWY_LIKELY(!(dist_sq < most * most))) break;
        const float reach = own + param_of(leaf.input.agents, leaf.input.profiles,
                                           leaf.lists.row[lane][place], kRadius);
        if (dist_sq < reach * reach) felt |= 1u << place;
    }
    return felt;
}

/// What the agent remembers of those in sight, and whom of the first 16 it is to avoid.
HWY_INLINE std::uint32_t recall_lane(const Leaf& leaf, std::size_t lane, const SightTable& before,
                                     const Eye& eye)
{
    const hn::RebindToUnsigned<PlaceLanes> du;
    alignas(kColumnAlignment) std::uint32_t id[kSightEntries];
    const std::uint32_t* rows = leaf.lists.row[lane];
    const std::size_t count = std::min<std::size_t>(leaf.lists.count[lane], kSightEntries);
    const AgentRecord* records = leaf.input.agents.record.data();
    if (HWY_LIKELY(count == kSightEntries)) {
        HWY_UNROLL(16)
        for (std::size_t k = 0; k < kSightEntries; k += hn::MaxLanes(PlaceLanes()))
            hn::Store(load_ids(du, records, rows + k), du, id + k);
    } else {
        for (std::size_t k = 0; k < count; ++k) id[k] = records[rows[k]].id;
        for (std::size_t k = count; k < kSightEntries; ++k) id[k] = SightEntry::kNobodySeen;
    }
    const Recalled recalled = recall(before, id, count, eye.steps, leaf.perceived.memory[lane]);
    leaf.perceived.crowded += static_cast<std::uint32_t>(hwy::PopCount(recalled.crowded));
    const std::uint32_t asked = lowest_bits(count) & ~recalled.observed;
    if (asked == 0) return recalled.observed;
    return recalled.observed | touched(leaf, lane, eye.radius, asked);
}

/// Leaves in the list the first `cap` of those in sight whose bit is set.
HWY_INLINE void keep_listed(const Leaf& leaf, std::size_t lane, std::uint32_t avoided,
                            std::size_t cap)
{
    const std::size_t most = std::min<std::size_t>(cap, hwy::PopCount(avoided));
    if (HWY_LIKELY((~avoided & lowest_bits(most)) == 0)) {  // they are where they were
        leaf.lists.count[lane] = static_cast<std::uint32_t>(most);
        return;
    }
    if (hwy::PopCount(avoided) > cap) avoided &= lowest_bits(place_of_bit(avoided, cap));
    pack_list(leaf, lane, avoided);
}

/// How many of the nearest an agent had to be told of that had `listed` in its list and saw those
/// in the places `visible`, and who of them it avoids.
HWY_INLINE Looked how_many_looked_at(std::size_t listed, std::uint32_t visible,
                                     std::uint32_t avoided, std::size_t cap, bool remembers)
{
    if (listed <= kSightEntries) return Looked::few;
    std::size_t last = remembers ? kSightEntries : 0;
    if (hwy::PopCount(avoided & lowest_bits(last)) <= cap)
        last = std::max(last, place_of_bit(avoided, cap) + 1);
    return hwy::PopCount(visible & lowest_bits(kSightEntries)) < last ? Looked::many : Looked::few;
}

/// One agent that looks all round, and sees nobody but agents.
HWY_INLINE Looked perceive_lane(const Leaf& leaf, std::size_t lane, const Eye& eye)
{
    NeighbourLists& lists = leaf.lists;
    const std::uint32_t listed = lists.count[lane];
    std::uint32_t visible = lowest_bits(listed);
    if (eye.traits.sight != Sight::through_walls && leaf.perceived.edges_near.count > 0 &&
        listed > 0)
        visible &= ~hidden_places(leaf, lane);
    if (visible != lowest_bits(listed)) pack_list(leaf, lane, visible);
    const std::size_t seen = lists.count[lane];
    const AgentTable& agents = leaf.input.agents;
    const std::uint32_t table =
        agents.sight.empty() ? kNoSight : agents.sight[leaf.index * kLeafRows + lane];
    std::uint32_t avoided = lowest_bits(seen);
    if (table != kNoSight) {
        avoided = recall_lane(leaf, lane, leaf.input.sights[table], eye);
        // Whoever is farther than a full memory counts as observed, until one too many is.
        const std::size_t known = hwy::PopCount(avoided);
        if (seen > kSightEntries && known <= eye.cap) {
            const std::size_t more = std::min(seen - kSightEntries, eye.cap + 1 - known);
            avoided |= lowest_bits(more) << kSightEntries;
            leaf.perceived.crowded += static_cast<std::uint32_t>(more);
        }
    }
    const bool is_cut = hwy::PopCount(avoided) > eye.cap;
    lists.cap_hit[lane] = lists.cap_hit[lane] || is_cut;
    keep_listed(leaf, lane, avoided, eye.cap);

    // Nobody farther than a full memory and one too many to avoid changes anything.
    const std::size_t remembered = table == kNoSight ? 0 : kSightEntries;
    if (!is_cut || seen < remembered)
        return lists.is_cut_short[lane] ? Looked::too_few
               : listed > kSightEntries ? Looked::many
                                        : Looked::few;
    return how_many_looked_at(listed, visible, avoided, eye.cap, table != kNoSight);
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
                    common_profile(input.agents, input.profiles, index,
                                   {kObservationTime, kFieldOfView, kSight})};
    const bool alike = leaf.profile != nullptr;
    if (alike && !leaf.traits(0).limited()) return Looked::few;
    fetch_tables(input, index + 1);
    const bool all_alike = alike && input.agents.overrides[kForgetTime].empty() &&
                           input.agents.overrides[kRadius].empty() &&
                           input.agents.overrides[kMaxNeighbours].empty();
    Eye eye{};
    if (HWY_LIKELY(all_alike)) eye = eye_of(leaf, 0);
    bool found_edges = false;
    Looked looked = Looked::few;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if (!input.agents.holds(index * kLeafRows + lane)) continue;
        if (!all_alike) eye = eye_of(leaf, lane);
        if (!eye.traits.limited()) continue;
        if (!found_edges && eye.traits.sight != Sight::through_walls) {
            find_edges(leaf);
            found_edges = true;
        }
        lists.complete_sq[lane] = 0.0f;  // from here on the list holds whom it minds
        const bool is_explained = explain != nullptr && lane == explain_lane;
        const bool alone = is_explained || needs_looking_alone(leaf, lane, eye.traits);
        looked = std::max(looked, alone ? perceive_alone(input, index, lane, lists, perceived,
                                                         is_explained ? explain : nullptr)
                                        : perceive_lane(leaf, lane, eye));
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
