// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "neighbours/neighbours.hpp"
#include "solid/separating_line.hpp"
#include "world/body_table.hpp"
#include "world/wall_index.hpp"

namespace sidestep {

// Bodies are solid.
//
// A model chooses what it thinks best, and in a crowd that is often somebody else's place. This
// stage comes after it and cuts what would take a body into another one, whatever the models are,
// and whether they see each other or not.
//
//             |  e         The snapshot gives any two people a line between them that both know
//     (i) --->|<--- (j)    without asking: across the gap between their bodies, cut in two by their
//             |            present velocities (share_of_gap). Whoever keeps to its own side during
//      A_i dt |  A_j dt    the step, v.e <= A, cannot meet the other, whatever that one does.
//
// These are the buffered Voronoi cells of [BVC17], moved by the velocities of the snapshot so that
// people who follow each other are not held back at the middle. All allowances are at least 0, so
// standing is always allowed, and nobody ever gets deeper into another body than it was: who
// overlaps already (it was put there, grew, or was carried by a moving body) may only come out
// again.
//
// In: the chosen velocities of a leaf, its neighbour lists. Out: the nearest velocities that keep
// to all lines, for those agents that break one; the others are not touched, to the bit. Walls near
// such an agent are lines too, so that nobody is led from a body into a wall; scripted bodies,
// which yield to nobody, take what they need of the gap.
//
// These velocities are safe, but timid: who follows somebody waits until that one has gone. So when
// everybody has chosen, those who were cut look again, twice. About velocities that are safe
// together the lines are drawn anew, and what is left of each gap is shared anew: what was safe
// remains allowed, and people who walk one behind the other walk as fast as the first.
//
// That keeps bodies apart; it does not make people give way who stand in a crowd and touch. So who
// was held back in a step has elbow room in the next: it and others plan with a radius larger than
// its body (elbow_room), and their models make them step apart.
//
// Nobody is left out: where the list of an agent may lack somebody it could meet (lists are short,
// and perception takes those away that are not seen) the tree over all agents is searched.

/// What the stage reads.
struct SolidInput {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    const BoxTree& tree;  ///< over the leaves of agents
    const WallIndex& walls;
    const BodyTable& bodies;
    Vec2 origin;
    double dt;  ///< [s]
    PassingSide passing_side;
    double longest_way;  ///< by which the ground of anybody reaches beyond its body [m]
    bool all_bodies;     ///< else only who may meet a vehicle is kept apart
};

/// By how much [m] bodies may sink into each other before a velocity is cut: who touches walks on
/// without being stopped by the rounding of a position.
inline constexpr double kBodySlop = 2e-5;

/// Radius [m] with which one plans, and is planned for, who was held back in the last step. Chosen
/// so that crowds flow which meet in corridors and circles: with a tenth more than the body some of
/// those in docs/solid.md jam for minutes that do not with three tenths.
constexpr float elbow_room(float body_radius)
{
    return 1.3f * body_radius;
}

/// What the agents of a leaf were held back from.
struct BodyContacts {
    std::uint8_t bodies = 0;  ///< a bit for each lane: velocity was cut at somebody
    std::uint8_t walls = 0;   ///< the same: at a wall before the next body, and at nobody
    float wanted_vx[kLeafRows] = {}, wanted_vy[kLeafRows] = {};  ///< before it was cut [m/s]
};

/// What everybody wanted and chose, by rows. Scratch of one step.
struct Negotiation {
    Column<float> wanted_vx, wanted_vy;  ///< before anything was cut [m/s]
    Column<float> second_vx, second_vy;  ///< chosen by a second look [m/s]
    Column<std::uint8_t> is_cut;         ///< at somebody, at the first look

    /// Room for this many rows; false where memory is short.
    [[nodiscard]] bool reserve(std::size_t rows) noexcept;
    /// Needs room.
    void resize(std::size_t rows) noexcept;
};

/// Velocities of all rows that are safe together [m/s], and whose may still change.
struct SafeVelocities {
    const float* vx;
    const float* vy;
    const std::uint8_t* may_change;
};

/// How often those who were cut look again. Even: the answers are back where they came from.
inline constexpr int kSecondLooks = 2;

/// What an agent reserves: its body; of a vehicle also the way on which it stops, or its circle.
Capsule ground_of(const SolidInput& input, std::size_t row) noexcept;

/// Unit vector from a vehicle that faces along `heading` to the centre of the circle it keeps free.
Spot circle_side(const SolidInput& input, std::size_t row, const Spot& heading) noexcept;

/// The first look: cuts the velocities [m/s] of the agents of a leaf so that nobody gets deeper
/// into anybody within a step. `explain`, where set, is told what is cut of lane `explain_lane`,
/// and why.
BodyContacts keep_apart(const SolidInput& input, std::size_t leaf, const NeighbourLists& lists,
                        float* vx, float* vy, Explanation* explain, std::size_t explain_lane);

/// A second look: the velocity [m/s] nearest to the wanted one that keeps clear of all others, who
/// have these velocities and may change them by the same rule.
Point<float> look_again(const SolidInput& input, std::size_t row, const SafeVelocities& safe,
                        float wanted_vx, float wanted_vy, Explanation* explain);

/// Nobody farther [m] from an agent than this matters to any look.
double farthest_seen(const SolidInput& input) noexcept;

}  // namespace sidestep
