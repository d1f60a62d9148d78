// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbours/find_neighbours_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "neighbours/candidates-inl.hpp"
#include "neighbours/leaf_limits-inl.hpp"
#include "neighbours/near_leaves-inl.hpp"
#include "neighbours/record_lanes-inl.hpp"
#include "simd/box_walk-inl.hpp"
#include "simd/isa.hpp"
#include "simd/mask_bits-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sorts everybody in range of one agent: for caps that no list in lanes has places for, and where
/// the last who may be listed and the first who may not are as far, or nearly.
HWY_NOINLINE void search_alone(const NeighbourInput& input, std::size_t leaf, std::size_t lane,
                               const LeafLimits& limits, NeighbourScratch& scratch)
{
    const AgentTable& agents = input.agents;
    const std::size_t self = leaf * kLeafRows + lane;
    const std::uint16_t level = agents.leaf_level[leaf];
    const Box here{agents.x[self], agents.y[self], agents.x[self], agents.y[self]};
    const float range_sq = limits.range_sq[lane];
    const std::uint32_t cap = limits.cap[lane];
    float* dist = scratch.lists.dist_sq[lane];
    std::uint32_t* rows = scratch.lists.row[lane];
    std::uint32_t count = 0;
    float reach_sq = range_sq;
    bool left_out = false;

    const auto insert = [&](float distance_sq, std::uint32_t row) {
        const std::uint32_t id = agents.record[row].id;
        std::uint32_t place = count;
        if (count < cap) {
            ++count;
        } else {
            left_out = true;
            if (cap == 0) return;
            --place;
            if (!comes_before(distance_sq, id, dist[place], agents.record[rows[place]].id)) return;
        }
        for (; place > 0 &&
               comes_before(distance_sq, id, dist[place - 1], agents.record[rows[place - 1]].id);
             --place) {
            dist[place] = dist[place - 1];
            rows[place] = rows[place - 1];
        }
        dist[place] = distance_sq;
        rows[place] = row;
        if (left_out) reach_sq = dist[cap - 1];  // ties go on to be compared by their ids
    };
    input.tree.walk(
        [&](const BoxNode& node) {
            return node.min_level <= level && level <= node.max_level &&
                   dist_sq(node.box, here) <= reach_sq;
        },
        [&](std::size_t candidates) {
            for (std::size_t row = candidates * kLeafRows; row < (candidates + 1) * kLeafRows;
                 ++row) {
                const float dx = agents.x[row] - here.min_x;
                const float dy = agents.y[row] - here.min_y;
                const float distance_sq = dx * dx + dy * dy;
                if (row != self && distance_sq <= reach_sq)
                    insert(distance_sq, static_cast<std::uint32_t>(row));
            }
        });
    scratch.lists.count[lane] = count;
    scratch.lists.cap_hit[lane] = left_out;
    scratch.lists.complete_sq[lane] = !left_out ? range_sq : count > 0 ? dist[count - 1] : -1.0f;
}

/// A search of one leaf: its candidates, and the nearest of them so far of each lane, sorted. There
/// is a place more than anybody may list, so that the last one tells who was left out.
template <std::size_t kPlaces>
struct Search {
    const NeighbourInput& input;
    std::size_t leaf;
    const LeafLimits& limits;
    NeighbourLists& lists;
    float max_radius = 0.0f;  ///< of the leaf
    Candidates candidates;
    alignas(kColumnAlignment) std::int32_t key[kPlaces][kLeafRows];

    Search(const NeighbourInput& in, std::size_t of, const LeafLimits& may, NeighbourLists& out)
        : input(in), leaf(of), limits(may), lists(out)
    {}
    std::size_t first_row() const { return leaf * kLeafRows; }
};

/// Counts a pair whose bodies overlap, on the side of the lower id.
HWY_INLINE void count_overlap(const NeighbourInput& input, std::size_t self, std::size_t other,
                              float dist_sq, NeighbourLists& lists)
{
    const AgentTable& agents = input.agents;
    if (!agents.holds(self) || agents.record[self].id >= agents.record[other].id ||
        !agents.holds(other))
        return;
    const float depth = param_of(agents, input.profiles, self, kRadius) +
                        param_of(agents, input.profiles, other, kRadius) - std::sqrt(dist_sq);
    if (!(depth > kOverlapSlop)) return;
    ++lists.overlaps;
    lists.deepest_overlap = std::max(lists.deepest_overlap, depth);
}

/// Counts the overlaps of the leaf with its candidates from `first` on, where there may be any: the
/// nearest of some lane is near enough to touch.
template <std::size_t kPlaces>
HWY_INLINE void count_overlaps(Search<kPlaces>& search, std::size_t first)
{
    const FloatLanes d;
    const RowLanes di;
    const AgentTable& agents = search.input.agents;
    const float most =
        std::max(search.max_radius + search.candidates.max_radius - 0.5f * kOverlapSlop, 0.0f);
    const FloatV most_sq = hn::Set(d, most * most);
    for (std::size_t part = 0; part < kLeafRows; part += hn::Lanes(d)) {
        const RowV nearest =
            hn::AndNot(hn::Set(di, kCandidateBits), hn::Load(di, search.key[0] + part));
        if (HWY_LIKELY(hn::AllFalse(d, hn::BitCast(d, nearest) <= most_sq))) continue;
        const std::size_t row = search.first_row() + part;
        alignas(kColumnAlignment) float radius[kLeafRows];
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) radius[l] = agents.record[row + l].radius;
        // Half of the slop is more than all rounding.
        const FloatV bodies =
            hn::Min(hn::Load(d, radius) + hn::Set(d, search.candidates.max_radius),
                    hn::Set(d, 2.0f * search.input.largest_body));
        const FloatV touch = hn::Max(bodies - hn::Set(d, 0.5f * kOverlapSlop), hn::Zero(d));
        const FloatV touch_sq = touch * touch;
        if (HWY_LIKELY(hn::AllFalse(d, hn::BitCast(d, nearest) <= touch_sq))) continue;
        const FloatV x = hn::Load(d, agents.x.data() + row);
        const FloatV y = hn::Load(d, agents.y.data() + row);
        for (std::size_t i = first; i < search.candidates.count; ++i) {
            const FloatV dx = hn::Set(d, search.candidates.at[i].x) - x;
            const FloatV dy = hn::Set(d, search.candidates.at[i].y) - y;
            const FloatV dist_sq = dx * dx + dy * dy;
            const auto touching = dist_sq <= touch_sq;
            if (hn::AllFalse(d, touching)) continue;
            alignas(kColumnAlignment) float distances[kLeafRows];
            hn::Store(dist_sq, d, distances);
            for (std::uint32_t left = mask_bits(d, touching); left != 0; left &= left - 1) {
                const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(left);
                count_overlap(search.input, row + lane,
                              static_cast<std::size_t>(search.candidates.at[i].row),
                              distances[lane], search.lists);
            }
        }
    }
}

/// Merges what there are of candidates into the lists, and counts overlaps with them.
template <std::size_t kPlaces>
HWY_INLINE void take_candidates(Search<kPlaces>& search)
{
    const FloatLanes d;
    const AgentTable& agents = search.input.agents;
    Candidates& candidates = search.candidates;
    const std::size_t first = candidates.merged;
    candidates.pad();
    for (std::size_t part = 0; part < kLeafRows; part += hn::Lanes(d)) {
        const std::size_t row = search.first_row() + part;
        merge_nearest(candidates, part, hn::Load(d, agents.x.data() + row),
                      hn::Load(d, agents.y.data() + row), search.key);
    }
    count_overlaps(search, first);
    candidates.merged = candidates.count;
}

/// Empties the list of candidates but for those that somebody lists.
template <std::size_t kPlaces>
HWY_NOINLINE void make_room(Search<kPlaces>& search)
{
    take_candidates(search);
    search.candidates.compact(search.key);
}

/// Adds those of a leaf that are near to the candidates.
template <std::size_t kPlaces>
struct LookAt {
    Search<kPlaces>& search;
    const LeafReach& own;

    HWY_INLINE void operator()(std::size_t leaf) const
    {
        if (HWY_UNLIKELY(search.candidates.is_full())) make_room(search);
        search.candidates.add_near(search.input.agents, leaf, own);
    }
};

/// Looks at everybody within reach of the leaf's box, and at whoever could touch somebody in it.
template <std::size_t kPlaces>
HWY_INLINE void look_around(Search<kPlaces>& search, float reach_sq, NeighbourScratch& scratch)
{
    const NeighbourInput& input = search.input;
    for (auto& place : search.key) std::fill_n(place, kLeafRows, kNobody);
    search.lists.overlaps = 0;
    search.lists.deepest_overlap = 0.0f;
    const BoxNode node = input.tree.leaf(search.leaf);
    const bool knows = HWY_LIKELY(know_near_leaves(input, search.leaf, reach_sq, scratch));
    const float radius = knows ? scratch.near.max_radius : input.tree.root().max_radius;
    search.max_radius = node.max_radius;
    search.candidates.start(input.agents, search.leaf, std::max(node.max_radius, radius));
    const float touch = node.max_radius + radius;
    const LeafReach own(FloatLanes(), node.box, std::max(reach_sq, touch * touch));
    const LookAt<kPlaces> look_at{search, own};
    if (knows) {
        visit_near_leaves(scratch.near, search.leaf, own, reach_sq, node.max_radius, look_at);
    } else {
        walk_near(input.tree, node.box, node.max_radius, input.agents.leaf_level[search.leaf],
                  reach_sq, [&](std::size_t leaf) {
                      if (leaf != search.leaf) look_at(leaf);
                  });
    }
    take_candidates(search);
}

/// What became of the lanes of a search, a bit for each.
struct Listed {
    std::uint32_t short_of = 0;   ///< more must be looked at
    std::uint32_t disorder = 0;   ///< two are too near to each other to be told apart by their keys
    std::uint32_t undecided = 0;  ///< so are the last who is listed and the first who is not
    bool coincide = false;        ///< somebody may stand exactly where another does
    float needed_sq = 0.0f;       ///< the reach that would have been enough
};

/// The lists of some lanes, place by place, until they are written lane by lane.
template <std::size_t kPlaces>
struct ListedPlaces {
    static constexpr std::size_t kRows = (kPlaces + kLeafRows - 1) / kLeafRows * kLeafRows;
    alignas(kColumnAlignment) std::int32_t row[kRows][kLeafRows];
    alignas(kColumnAlignment) float dist_sq[kRows][kLeafRows];
    alignas(kColumnAlignment) std::int32_t number[kPlaces][kLeafRows];  ///< of the candidate

    /// Of places that nobody is in, the first candidate. All at once: what is stored and read again
    /// in one piece of code goes from lane to lane in registers, which takes longer.
    HWY_INLINE void set_numbers(const std::int32_t (&key)[kPlaces][kLeafRows], std::size_t part)
    {
        const RowLanes di;
        for (std::size_t slot = 0; slot < kPlaces; ++slot) {
            const RowV k = hn::Load(di, key[slot] + part);
            const auto present = k < hn::Set(di, kFarKey);
            hn::Store(hn::IfThenElseZero(present, hn::And(k, hn::Set(di, kCandidateBits))), di,
                      number[slot]);
        }
    }

    /// Writes the first `count` places, and what follows up to a whole vector.
    HWY_INLINE void write(std::size_t count, std::size_t part, NeighbourLists& lists) const
    {
        const FloatLanes d;
        const RowLanes di;
        const hn::RebindToUnsigned<FloatLanes> du;
        constexpr std::size_t kLanes = hn::MaxLanes(FloatLanes());
        for (std::size_t first = 0; first < count; first += kLanes) {
            FloatV rows[kLanes], distances[kLanes];
            HWY_UNROLL(8)
            for (std::size_t i = 0; i < kLanes; ++i) {
                rows[i] = hn::BitCast(d, hn::Load(di, row[first + i]));
                distances[i] = hn::Load(d, dist_sq[first + i]);
            }
            transpose(d, rows);
            transpose(d, distances);
            HWY_UNROLL(8)
            for (std::size_t l = 0; l < kLanes; ++l) {
                hn::Store(hn::BitCast(du, rows[l]), du, &lists.row[part + l][first]);
                hn::Store(distances[l], d, &lists.dist_sq[part + l][first]);
            }
        }
    }
};

/// One place of the lists of some lanes.
struct Place {
    RowV key;
    FloatV dist_sq;
    hn::Mask<FloatLanes> present;
};

/// Reads a place, and notes its rows and distances, present or not.
template <std::size_t kPlaces>
HWY_INLINE Place list_place(const Search<kPlaces>& search, std::size_t part, std::size_t slot,
                            FloatV x, FloatV y, ListedPlaces<kPlaces>& listed)
{
    const FloatLanes d;
    const RowLanes di;
    const RowV key = hn::Load(di, search.key[slot] + part);
    const auto present = key < hn::Set(di, kFarKey);
    RowV row;
    const Vec2<FloatV> at = load_candidates(d, search.candidates.at, listed.number[slot], row);
    const FloatV dx = at.x - x;
    const FloatV dy = at.y - y;
    const FloatV dist_sq = dx * dx + dy * dy;
    hn::Store(row, di, listed.row[slot]);
    hn::Store(dist_sq, d, listed.dist_sq[slot]);
    return {key, dist_sq, hn::RebindMask(d, present)};
}

/// Writes the lists of the lanes from `part` on, from their keys.
template <std::size_t kPlaces>
HWY_INLINE void list_lanes(Search<kPlaces>& search, std::size_t part, float reach_sq,
                           Listed& listed)
{
    const FloatLanes d;
    const RowLanes di;
    const std::size_t lanes = hn::Lanes(d);
    NeighbourLists& lists = search.lists;
    const FloatV x = hn::Load(d, search.input.agents.x.data() + search.first_row() + part);
    const FloatV y = hn::Load(d, search.input.agents.y.data() + search.first_row() + part);
    const FloatV range_sq = hn::Load(d, search.limits.range_sq + part);
    const FloatV cap = hn::Load(d, search.limits.cap_lanes + part);
    const RowV number_bits = hn::Set(di, kCandidateBits);
    const FloatV one = hn::Set(d, 1.0f);

    FloatV before = hn::Set(d, -1.0f);
    FloatV farthest = before;
    RowV key_before = hn::Set(di, -1);
    FloatV count = hn::Zero(d);
    auto disorder = hn::Lt(one, before);
    std::size_t slot = 0;
    bool any = true;
    ListedPlaces<kPlaces> places;
    places.set_numbers(search.key, part);
    // As long as everybody may list more.
    for (; slot < search.limits.fewest && any; ++slot) {
        const Place place = list_place(search, part, slot, x, y, places);
        const auto counts = hn::And(place.present, place.dist_sq <= range_sq);
        count = count + hn::IfThenElseZero(counts, one);
        farthest = hn::IfThenElse(counts, hn::Max(farthest, place.dist_sq), farthest);
        disorder = hn::Or(disorder, hn::And(place.present, place.dist_sq <= before));
        before = place.dist_sq;
        key_before = place.key;
        any = !hn::AllFalse(d, place.present);
    }
    auto hit = hn::Lt(one, hn::Zero(d));
    auto undecided = hit;
    FloatV found_sq = hn::BitCast(d, hn::Set(di, kNobody));  // nobody nearer is missing
    for (; slot <= search.limits.most && any; ++slot) {
        const Place place = list_place(search, part, slot, x, y, places);
        const FloatV number = hn::Set(d, static_cast<float>(slot));
        const auto last = hn::Eq(number, cap);
        const auto in_list = hn::And(place.present, number < cap);
        const auto in_range = hn::And(place.present, place.dist_sq <= range_sq);
        const auto counts = hn::And(in_list, in_range);
        count = count + hn::IfThenElseZero(counts, one);
        farthest = hn::IfThenElse(counts, hn::Max(farthest, place.dist_sq), farthest);
        disorder = hn::Or(disorder, hn::And(in_list, place.dist_sq <= before));
        hit = hn::Or(hit, hn::And(last, in_range));
        const FloatV most_sq = hn::BitCast(d, hn::Or(place.key, number_bits));
        const auto same = hn::Eq(most_sq, hn::BitCast(d, hn::Or(key_before, number_bits)));
        // Somebody who differs from this one in the lowest bits may be in range where it is not.
        const auto may_be_in_range = hn::BitCast(d, hn::AndNot(number_bits, place.key)) <= range_sq;
        const auto unclear = hn::Or(hn::And(in_range, same), hn::AndNot(in_range, may_be_in_range));
        undecided = hn::Or(undecided, hn::And(last, unclear));
        found_sq = hn::IfThenElse(last, most_sq, found_sq);
        before = place.dist_sq;
        key_before = place.key;
        any = !hn::AllFalse(d, place.present);
    }

    places.write(slot, part, lists);
    const auto short_of = hn::And(range_sq > hn::Set(d, reach_sq), found_sq > hn::Set(d, reach_sq));
    const RowV nearest = hn::Load(di, search.key[0] + part);
    listed.coincide = listed.coincide || !hn::AllTrue(di, nearest > number_bits);
    listed.short_of |= mask_bits(d, short_of) << part;
    listed.disorder |= mask_bits(d, disorder) << part;
    listed.undecided |= mask_bits(d, undecided) << part;
    listed.needed_sq =
        std::max(listed.needed_sq, hn::GetLane(hn::MaxOfLanes(d, hn::Min(range_sq, found_sq))));

    const hn::RebindToUnsigned<FloatLanes> du;
    hn::Store(hn::BitCast(du, hn::ConvertTo(di, count)), du, lists.count + part);
    const std::uint32_t hits = mask_bits(d, hit);
    HWY_UNROLL(8)
    for (std::size_t l = 0; l < lanes; ++l) lists.cap_hit[part + l] = ((hits >> l) & 1u) != 0;
    hn::StoreU(hn::IfThenElse(hit, farthest, range_sq), d, lists.complete_sq + part);
}

/// Places of a lane's list that are filled, in range or not.
template <std::size_t kPlaces>
std::uint32_t filled_places(const Search<kPlaces>& search, std::size_t lane)
{
    std::uint32_t places = 0;
    while (places < search.limits.cap[lane] && search.key[places][lane] < kFarKey) ++places;
    return places;
}

/// Puts a list into the order of (distance, id).
HWY_NOINLINE void sort_list(const AgentTable& agents, std::size_t lane, std::uint32_t places,
                            NeighbourLists& lists)
{
    float* dist = lists.dist_sq[lane];
    std::uint32_t* rows = lists.row[lane];
    for (std::uint32_t i = 1; i < places; ++i) {
        const float dist_sq = dist[i];
        const std::uint32_t row = rows[i];
        std::uint32_t place = i;
        for (; place > 0 && comes_before(dist_sq, agents.record[row].id, dist[place - 1],
                                         agents.record[rows[place - 1]].id);
             --place) {
            dist[place] = dist[place - 1];
            rows[place] = rows[place - 1];
        }
        dist[place] = dist_sq;
        rows[place] = row;
    }
}

/// Squared reach to begin with where nothing is known: a leaf and its surroundings.
HWY_INLINE float first_reach_sq(const Box& box)
{
    const float reach = 0.5f * ((box.max_x - box.min_x) + (box.max_y - box.min_y));
    return reach * reach;
}

/// Fills the lists of the leaf; nobody may list more than kPlaces - 1. Looks as far as was enough
/// in the last step, and farther until it is: only how long it takes depends on that.
template <std::size_t kPlaces>
HWY_INLINE void search_together(const NeighbourInput& input, std::size_t leaf,
                                const LeafLimits& limits, NeighbourScratch& scratch)
{
    Search<kPlaces> search(input, leaf, limits, scratch.lists);
    float& hint_sq =
        scratch.leaf_reach_sq != nullptr ? scratch.leaf_reach_sq[leaf] : scratch.reach_sq;
    const bool again = input.depth == SearchDepth::again;
    float reach_sq = hint_sq > 0.0f ? hint_sq * (again ? kFullReach : kReachMargin)
                                    : first_reach_sq(input.tree.leaf(leaf).box);
    Listed listed;
    for (int tries = 0;; ++tries) {
        if (tries == 3 || !(reach_sq < limits.farthest_sq)) reach_sq = limits.farthest_sq;
        look_around(search, reach_sq, scratch);
        listed = {};
        for (std::size_t part = 0; part < kLeafRows; part += hn::Lanes(FloatLanes()))
            list_lanes(search, part, reach_sq, listed);
        if (HWY_LIKELY(listed.short_of == 0)) break;
        reach_sq = 2.0f * std::max(reach_sq, 0.01f);
    }
    if (!again) hint_sq = listed.needed_sq;
    scratch.lists.any_coincide = listed.coincide;
    for (std::uint32_t left = listed.disorder; HWY_UNLIKELY(left != 0); left &= left - 1) {
        const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(left);
        sort_list(input.agents, lane, filled_places(search, lane), scratch.lists);
    }
    for (std::uint32_t left = listed.undecided; HWY_UNLIKELY(left != 0); left &= left - 1)
        search_alone(input, leaf, hwy::Num0BitsBelowLS1Bit_Nonzero32(left), limits, scratch);
}

void find_neighbours(const NeighbourInput& input, std::size_t leaf, NeighbourScratch& scratch)
{
    const LeafLimits limits = limits_of(input, leaf);
    if (limits.most <= 10) {  // the default
        search_together<11>(input, leaf, limits, scratch);
    } else if (limits.most <= kSightEntries) {
        search_together<kSightEntries + 1>(input, leaf, limits, scratch);
    } else if (limits.most <= kSearchedIfLimited) {
        search_together<kSearchedIfLimited + 1>(input, leaf, limits, scratch);
    } else {
        LeafLimits overlaps_only = limits;
        std::fill_n(overlaps_only.range_sq, kLeafRows, -1.0f);
        std::fill_n(overlaps_only.cap, kLeafRows, 0u);
        std::fill_n(overlaps_only.cap_lanes, kLeafRows, 0.0f);
        overlaps_only.most = overlaps_only.fewest = 0;
        overlaps_only.farthest_sq = -1.0f;
        search_together<1>(input, leaf, overlaps_only, scratch);
        for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
            if (input.agents.holds(leaf * kLeafRows + lane))
                search_alone(input, leaf, lane, limits, scratch);
        }
    }
    for (std::size_t lane = 0; lane < kLeafRows; ++lane)
        scratch.lists.is_cut_short[lane] = limits.is_short[lane] && scratch.lists.cap_hit[lane];
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
