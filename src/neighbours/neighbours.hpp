// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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
    std::uint32_t count[kLeafRows];
    bool cap_hit[kLeafRows];  ///< more were in range than were searched for, or than are avoided
    std::uint32_t row[kLeafRows][kNeighbourListCapacity];
    float dist_sq[kLeafRows][kNeighbourListCapacity];

    // Over pairs whose lower id is in this leaf: bodies deeper than kOverlapSlop into each other.
    std::uint64_t overlaps;
    float deepest_overlap;  ///< [m]
};

/// Bodies that share less than this [m] touch, they do not overlap: the counting rule of all our
/// statistics.
inline constexpr float kOverlapSlop = 1e-3f;

/// What a search reads.
struct NeighbourInput {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    const BoxTree& tree;
};

/// Per worker.
struct NeighbourScratch {
    Column<std::uint32_t> leaves;  ///< room for all leaves of the world
    NeighbourLists lists;
};

/// Boxes of the leaves [first, last) from the rows as they are now; BoxTree::refit() then does the
/// rest.
void refit_leaves(const AgentTable& agents, BoxTree& tree, std::size_t first,
                  std::size_t last) noexcept;

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
