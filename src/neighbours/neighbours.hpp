// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "math/box_tree.hpp"
#include "world/agent_table.hpp"

namespace sidestep {

// Who is near whom.
//
// In: the rows of one leaf (eight agents close to each other), the box tree over all leaves. Out:
// for each of the eight the k nearest agents of its level in its range (k is search_cap, in
// world/limited_sight.hpp), ordered by (distance, id), in a list of this worker that the next leaf
// overwrites. The distance is the float dx*dx + dy*dy, so equal distances are exact ties and the
// lower id comes first; the answer is a function of positions and ids alone, whatever the order of
// rows. One walk of the tree serves the whole leaf.

/// The lists of the eight agents of a leaf.
struct NeighbourLists {
    alignas(kColumnAlignment) std::uint32_t count[kLeafRows];
    bool cap_hit[kLeafRows];  ///< more were in range than were searched for, or than are avoided
    bool is_cut_short[kLeafRows];  ///< more were, and would have been listed by a full search
    float complete_sq[kLeafRows];  ///< everybody nearer than the root of this [m2] is listed
    alignas(kColumnAlignment) std::uint32_t row[kLeafRows][kNeighbourListCapacity];
    alignas(kColumnAlignment) float dist_sq[kLeafRows][kNeighbourListCapacity];
    bool any_coincide = true;  ///< else nobody stands exactly where somebody else does

    // Over pairs whose lower id is in this leaf: bodies deeper than kOverlapSlop into each other.
    std::uint64_t overlaps;
    float deepest_overlap;  ///< [m]
};

/// Bodies that share less than this [m] touch, they do not overlap: the counting rule of all our
/// statistics.
inline constexpr float kOverlapSlop = 1e-3f;

/// How many are listed for agents of limited sight.
enum class SearchDepth : std::uint8_t {
    full,   ///< search_cap
    first,  ///< first_search_cap: nearly always enough
    again,  ///< search_cap, of a leaf for which the first search was not enough
};

/// What a search reads.
struct NeighbourInput {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    const BoxTree& tree;
    SearchDepth depth = SearchDepth::full;
    float largest_body = std::numeric_limits<float>::infinity();  ///< no radius is larger [m]
};

/// The leaves near a group of eight leaves, which are searched one after the other: the tree is
/// walked once for all of them.
struct NearLeaves {
    static constexpr std::size_t kMost = 256;
    alignas(64) float min_x[kMost], min_y[kMost], max_x[kMost], max_y[kMost], radius[kMost];
    alignas(64) std::int32_t leaf[kMost];
    std::size_t count = 0;
    bool complete = false;    ///< else there were more
    float max_radius = 0.0f;  ///< of all of them

    // Which group, and how far was looked.
    std::uint64_t tree_version = 0;
    std::size_t group = 0;
    std::uint16_t level = 0;
    float reach_sq = -1.0f;
};

/// Per worker.
struct NeighbourScratch {
    NeighbourLists lists;

    // Squared reach [m2] that was enough the last time, or 0: for each leaf, where that is kept, or
    // for the leaf before. The search begins with it; no answer depends on it.
    float* leaf_reach_sq = nullptr;
    float reach_sq = 0.0f;
    std::uint8_t* leaf_looks_far = nullptr;  ///< of each leaf: the first search was not enough

    NearLeaves near;
};

/// Boxes of the leaves [first, last) from the rows as they are now; BoxTree::refit() then does the
/// rest.
void refit_leaves(const AgentTable& agents, const Column<Profile>& profiles, BoxTree& tree,
                  std::size_t first, std::size_t last) noexcept;

using FindNeighbours = void (*)(const NeighbourInput& input, std::size_t leaf,
                                NeighbourScratch& scratch);
FindNeighbours find_neighbours_for(Isa isa);

/// The same answer by looking at everybody; the oracle of the tests.
void find_neighbours_brute_force(const NeighbourInput& input, std::size_t leaf,
                                 NeighbourLists& lists);

/// A total order, so that the cap keeps the same agents on every run.
inline bool comes_before(float dist_sq_a, std::uint32_t id_a, float dist_sq_b, std::uint32_t id_b)
{
    return dist_sq_a != dist_sq_b ? dist_sq_a < dist_sq_b : id_a < id_b;
}

}  // namespace sidestep
