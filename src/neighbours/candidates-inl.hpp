// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Whoever may be a neighbour of somebody in a leaf: a list without gaps, from which each lane takes
// its nearest.
#if defined(SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP
#undef SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP
#else
#define SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "neighbours/nearest_lanes-inl.hpp"
#include "neighbours/neighbours.hpp"
#include "simd/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatLanes = hn::CappedTag<float, kLeafRows>;
using RowLanes = hn::RebindToSigned<FloatLanes>;
using FloatV = hn::Vec<FloatLanes>;
using RowV = hn::Vec<RowLanes>;

/// Most candidates at a time; their numbers take the lowest bits of a key.
inline constexpr std::size_t kMostCandidates = 512;
inline constexpr std::int32_t kCandidateBits = kMostCandidates - 1;

/// Keys from here on are of rows that hold nobody, and of the padding (the bits of 1e30f).
inline constexpr std::int32_t kFarKey = 0x7149f2ca;

/// What all lanes of a leaf have in common.
struct LeafReach {
    Box box;
    float max_radius;
    float reach_sq;  ///< nobody farther from the box is wanted, but who could touch somebody in it
};

/// The list, and what was found in it so far. The first eight candidates are the rows of the leaf
/// itself.
struct Candidates {
    alignas(64) float x[kMostCandidates + kLeafRows];
    alignas(64) float y[kMostCandidates + kLeafRows];
    alignas(64) std::int32_t row[kMostCandidates + kLeafRows];
    std::size_t count = 0;
    std::size_t merged = 0;   ///< those before this one are in the lists
    float max_radius = 0.0f;  ///< of all leaves looked at

    void start(const AgentTable& agents, std::size_t leaf, float radius)
    {
        for (std::size_t i = 0; i < kLeafRows; ++i) {
            x[i] = agents.x[leaf * kLeafRows + i];
            y[i] = agents.y[leaf * kLeafRows + i];
            row[i] = static_cast<std::int32_t>(leaf * kLeafRows + i);
        }
        count = kLeafRows;
        merged = 0;
        max_radius = radius;
    }

    bool is_full() const { return count + kLeafRows > kMostCandidates; }

    /// Adds those of a leaf that are near. Needs room for all of them.
    HWY_INLINE void add_near(const AgentTable& agents, std::size_t leaf, float leaf_radius,
                             const LeafReach& own)
    {
        const FloatLanes d;
        const RowLanes di;
        const FloatV zero = hn::Zero(d);
        const RowV lane_number = hn::Iota(di, 0);
        const float touch = own.max_radius + leaf_radius;
        const FloatV reach_sq = hn::Set(d, std::max(own.reach_sq, touch * touch));
        max_radius = std::max(max_radius, leaf_radius);
        for (std::size_t i = 0; i < kLeafRows; i += hn::Lanes(d)) {
            const std::size_t first = leaf * kLeafRows + i;
            const FloatV px = hn::Load(d, agents.x.data() + first);
            const FloatV py = hn::Load(d, agents.y.data() + first);
            const FloatV dx = hn::Max(
                hn::Max(px - hn::Set(d, own.box.max_x), hn::Set(d, own.box.min_x) - px), zero);
            const FloatV dy = hn::Max(
                hn::Max(py - hn::Set(d, own.box.max_y), hn::Set(d, own.box.min_y) - py), zero);
            const Packing<FloatLanes> near(d, dx * dx + dy * dy <= reach_sq);
            near.store(d, px, x + count);
            near.store(d, py, y + count);
            near.store(di, lane_number + hn::Set(di, static_cast<std::int32_t>(first)),
                       row + count);
            count += near.count();
        }
    }

    /// Candidates up to the next whole number of merges are far away.
    HWY_INLINE void pad()
    {
        for (std::size_t i = count; i % kMergedKeys != 0; ++i) {
            x[i] = y[i] = kFarAway;
            row[i] = row[0];
        }
    }

    /// Keeps only those that are in a list, under new numbers: makes room for others.
    template <std::size_t kPlaces>
    HWY_NOINLINE void compact(std::int32_t (&key)[kPlaces][kLeafRows])
    {
        std::int32_t number[kMostCandidates];
        std::fill_n(number, kMostCandidates, -1);
        for (const auto& place : key) {
            for (const std::int32_t k : place)
                if (k < kFarKey) number[k & kCandidateBits] = 0;
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (number[i] < 0) continue;
            x[kept] = x[i];
            y[kept] = y[i];
            row[kept] = row[i];
            number[i] = static_cast<std::int32_t>(kept++);
        }
        // Numbers keep their order, and with it so do keys that differ in nothing else.
        for (auto& place : key) {
            for (std::int32_t& k : place)
                if (k < kFarKey) k = (k & ~kCandidateBits) | number[k & kCandidateBits];
        }
        count = merged = (kept + kMergedKeys - 1) / kMergedKeys * kMergedKeys;
        for (std::size_t i = kept; i < count; ++i) {
            x[i] = y[i] = kFarAway;
            row[i] = row[0];
        }
    }
};

/// Merges the candidates that are not in the lists yet into those of the lanes from `first_lane`
/// on, whose agents stand at `x`, `y`.
template <std::size_t kPlaces>
HWY_INLINE void merge_nearest(const Candidates& candidates, std::size_t first_lane, FloatV x,
                              FloatV y, std::int32_t (&key)[kPlaces][kLeafRows])
{
    const FloatLanes d;
    const RowLanes di;
    const RowV distance_bits = hn::Set(di, ~kCandidateBits);
    const RowV one = hn::Set(di, 1);
    NearestLanes<RowLanes, kPlaces> nearest;
    HWY_UNROLL(33)
    for (std::size_t i = 0; i < kPlaces; ++i) nearest.key[i] = hn::Load(di, key[i] + first_lane);

    RowV number = hn::Set(di, static_cast<std::int32_t>(candidates.merged));
    const auto key_of = [&](std::size_t i) {
        const FloatV dx = hn::Set(d, candidates.x[i]) - x;
        const FloatV dy = hn::Set(d, candidates.y[i]) - y;
        const RowV k = hn::Or(hn::And(hn::BitCast(di, dx * dx + dy * dy), distance_bits), number);
        number = number + one;
        return k;
    };
    std::size_t i = candidates.merged;
    if (i == 0) {  // nobody is its own neighbour
        const RowV lane = hn::Iota(di, static_cast<std::int32_t>(first_lane));
        const RowV nobody = hn::Set(di, kNobody);
        for (; i < kLeafRows; i += kMergedKeys) {
            const auto other_key_of = [&](std::size_t other) {
                const auto own = hn::Eq(lane, number);
                return hn::IfThenElse(own, nobody, key_of(other));
            };
            RowV more[kMergedKeys] = {other_key_of(i), other_key_of(i + 1), other_key_of(i + 2),
                                      other_key_of(i + 3)};
            nearest.merge(di, more);
        }
    }
    for (; i < candidates.count; i += kMergedKeys) {
        RowV more[kMergedKeys] = {key_of(i), key_of(i + 1), key_of(i + 2), key_of(i + 3)};
        nearest.merge(di, more);
    }
    HWY_UNROLL(33)
    for (std::size_t place = 0; place < kPlaces; ++place)
        hn::Store(nearest.key[place], di, key[place] + first_lane);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
