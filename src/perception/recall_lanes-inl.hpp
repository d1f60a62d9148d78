// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The memory of one agent, all places at once: each of those in sight is a lane, and the table of
// the last step is compared with them place by place.
#if defined(SIDESTEP_PERCEPTION_RECALL_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_PERCEPTION_RECALL_LANES_INL_HPP
#undef SIDESTEP_PERCEPTION_RECALL_LANES_INL_HPP
#else
#define SIDESTEP_PERCEPTION_RECALL_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "perception/memory.hpp"
#include "simd/mask_bits-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// As many places of a table as a vector has; numbers are signed, because all but ids are small.
using PlaceLanes = hn::CappedTag<std::int32_t, kSightEntries>;
using AgeLanes = hn::Rebind<std::uint16_t, PlaceLanes>;

/// One number in all lanes. As floats, of which nothing but the bits is used: gcc takes integers
/// through a register of another kind, at twice the cost.
HWY_INLINE hn::Vec<PlaceLanes> set_from(const std::int32_t* number)
{
    const PlaceLanes d;
    const hn::RebindToFloat<PlaceLanes> bits;
    float same;
    std::memcpy(&same, number, sizeof same);
    return hn::BitCast(d, hn::Set(bits, same));
}

/// What a table says of its places.
struct Known {
    /// steps since first sight by the end of this step; -1: forgotten
    alignas(kColumnAlignment) std::int32_t first[kSightEntries];
    std::uint32_t lasting = 0;  ///< those who are not forgotten
    bool is_full = true;
    bool any_body = false;
};

HWY_INLINE void read_table(const SightTable& table, const MemorySteps& steps, Known& known)
{
    const PlaceLanes d;
    const AgeLanes ages;
    const auto nobody = hn::Set(d, -1);
    const auto one = hn::Set(d, 1);
    for (std::size_t i = 0; i < kSightEntries; i += hn::Lanes(d)) {
        const auto id = hn::Load(d, reinterpret_cast<const std::int32_t*>(table.id) + i);
        const auto last = hn::PromoteTo(d, hn::Load(ages, table.last + i));
        const auto first = hn::PromoteTo(d, hn::Load(ages, table.first + i));
        const auto is_body = last > hn::Set(d, kMostStepsUnseen);
        const auto unseen = hn::And(last, hn::Set(d, kMostStepsUnseen)) + one;
        const auto forgotten = hn::Not(unseen < hn::Set(d, steps.forgotten));
        const auto longer = hn::Min(first + one, hn::Set(d, kMostStepsSeen));
        const auto taken = hn::Or(is_body, hn::Ne(id, nobody));
        known.is_full = known.is_full && hn::AllTrue(d, taken);
        known.any_body = known.any_body || !hn::AllFalse(d, is_body);
        known.lasting |= mask_bits(d, hn::AndNot(forgotten, taken)) << i;
        hn::Store(hn::IfThenElse(forgotten, nobody, longer), d, known.first + i);
    }
}

/// Ids of the places of a table where agents are, the others with kNobodySeen.
inline HWY_NOINLINE void copy_agents(const SightTable& table, std::uint32_t* id)
{
    for (std::size_t place = 0; place < kSightEntries; ++place) {
        const SightEntry entry = table.entry(place);
        id[place] = entry.is_body ? SightEntry::kNobodySeen : entry.id;
    }
}

/// Places of a table whose owners are among `id`.
HWY_INLINE std::uint32_t places_of(const std::int32_t* owners, const std::int32_t* id,
                                   std::size_t count)
{
    const PlaceLanes d;
    std::uint32_t places = 0;
    for (std::size_t i = 0; i < kSightEntries; i += hn::Lanes(d)) {
        const auto there = hn::Load(d, owners + i);
        auto matched = hn::Ne(there, there);
        for (std::size_t k = 0; k < count; ++k)
            matched = hn::Or(matched, hn::Eq(there, set_from(id + k)));
        places |= mask_bits(d, matched) << i;
    }
    return places;
}

/// Known::first of the place of each face, or -1 where it has none.
HWY_INLINE hn::Vec<PlaceLanes> first_sight_of(hn::Vec<PlaceLanes> face, const std::int32_t* owners,
                                              const Known& known)
{
    const PlaceLanes d;
    const auto nobody = hn::Set(d, -1);
    if constexpr (hn::MaxLanes(d) == kSightEntries) {
        auto place = nobody;
        HWY_UNROLL(16)
        for (std::size_t i = 0; i < kSightEntries; ++i)
            place = hn::IfThenElse(hn::Eq(face, set_from(owners + i)),
                                   hn::Set(d, static_cast<std::int32_t>(i)), place);
        const auto wrapped = hn::And(place, hn::Set(d, kSightEntries - 1));
        const auto first =
            hn::TableLookupLanes(hn::Load(d, known.first), hn::IndicesFromVec(d, wrapped));
        return hn::IfThenElse(place < hn::Zero(d), nobody, first);
    } else {
        auto first = nobody;
        HWY_UNROLL(16)
        for (std::size_t i = 0; i < kSightEntries; ++i)
            first = hn::IfThenElse(hn::Eq(face, set_from(owners + i)), set_from(known.first + i),
                                   first);
        return first;
    }
}

/// What became of agents in sight, a bit for each.
struct Recalled {
    std::uint32_t observed;  ///< to be avoided
    std::uint32_t crowded;   ///< of these, those that are because the table was full
};

/// The whole of a step's memory at once: what Memory says of the agents `id`, the nearest in
/// sight, who all fit into the table, and writes down. `id` is aligned and has kSightEntries
/// places, those from `count` on with kNobodySeen.
HWY_INLINE Recalled recall(const SightTable& before, const std::uint32_t* id, std::size_t count,
                           const MemorySteps& steps, SightTable& after)
{
    const PlaceLanes d;
    const AgeLanes ages;
    const auto* names = reinterpret_cast<const std::int32_t*>(id);
    Known known;
    read_table(before, steps, known);
    const auto* owners = reinterpret_cast<const std::int32_t*>(before.id);
    alignas(kColumnAlignment) std::uint32_t agents_only[kSightEntries];
    if (HWY_UNLIKELY(known.any_body)) {
        copy_agents(before, agents_only);
        owners = reinterpret_cast<const std::int32_t*>(agents_only);
    }

    const auto nobody = hn::Set(d, -1);
    const auto newcomer = hn::Set(d, known.is_full ? std::int32_t{kMostStepsSeen} : 0);
    std::uint32_t observed = 0, unknown = 0;
    for (std::size_t i = 0; i < kSightEntries; i += hn::Lanes(d)) {
        const auto face = hn::Load(d, names + i);
        auto first = first_sight_of(face, owners, known);
        const auto is_new = first < hn::Zero(d);
        first = hn::IfThenElse(is_new, newcomer, first);
        first = hn::IfThenZeroElse(hn::Eq(face, nobody), first);
        hn::Store(face, d, reinterpret_cast<std::int32_t*>(after.id) + i);
        hn::Store(hn::DemoteTo(ages, first), ages, after.first + i);
        hn::Store(hn::Zero(ages), ages, after.last + i);
        observed |= mask_bits(d, hn::Not(first < hn::Set(d, steps.observed))) << i;
        unknown |= mask_bits(d, is_new) << i;
    }
    const std::uint32_t asked = (1u << count) - 1u;
    if (count < kSightEntries) {
        const std::uint32_t unseen = known.lasting & ~places_of(owners, names, count);
        if (unseen != 0) keep_unseen(before, unseen, after, count);
    }
    return {observed & asked, known.is_full ? unknown & asked : 0u};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
