// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "motion/advance.hpp"
#include "neighbours/neighbours.hpp"
#include "simd/isa.hpp"
#include "world/wishes.hpp"

namespace sidestep {

// Nobody stuck for ever.
//
// Velocity obstacles keep people apart; they do not make them agree who goes first. Four who meet
// in the middle of a square, two against one in a gap for one: each is content to stand for as long
// as the others do. Here is what people do about that, whatever the model: it changes what they
// want, never what the model allows.
//
// Each agent has a stall clock. It runs while the agent makes less than 0.6 of the way that it
// wants to make, and three times faster back while it does; it waits before the first answer while
// the agent speeds up as its acceleration allows, and at an answer while nobody is in the way. Who
// is not stalled is not touched, to the bit. For who is, the clock goes through a round of answers,
// and the neighbours say which of them makes sense:
//
//   0       0.5          2                     6             8        9           12 s
//   | as ever | side-step | gives way on its side | goes by order | replan | back up | and again
//
//   in front of it is                      answer
//   one that has the same way              none: this is a queue, and pushing helps nobody
//   one that stands                        side-step; later half of them back up
//   one that comes, or crosses, or wants   side-step, each to the passing side; then the one on the
//   to the same place from the side        wrong side gives way; then the lower one yields
//
// Side-step: the wish turns to the passing side, further the longer it takes; about one who stands
// in every other round to the other side. Giving way: whoever has one that comes on the side where
// it is to pass itself walks back as far as it is in the way, and aside. Both of two may, and that
// is what frees the others. By order: of two the one of lower rank, or the one that a random number
// keyed by (seed, id, time) puts last, does so, and the other goes straight on. Replan is for those
// who know the ways: the engine says when. Back up: half of those who are still there, by another
// keyed number, walk backwards.
//
// From the third round on, before people who want the opposite way, all who want one way walk back
// together, and then those who want the other: sides take turns. Two who hold places argue for one
// round only.
//
// Who avoids alone, as model vo does, leaps out of the way and back, step by step, or runs before
// one in whose way nobody is then. It makes the way of the mean of two steps, and none while it
// drives somebody back; it lets those at its side be while people who want the opposite way are
// still to come; and once it is on the right side it steps farther aside.
//
// Those who stand are the matter of policy/places.

/// Slower wishes than this [m/s] are none: one so near to where it stands is there.
inline constexpr float kWants = 0.1f;

/// What is read: rows as the step found them.
struct StallInput {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    float dt;  ///< [s]
    std::uint64_t seed;
    std::uint64_t step_index;
    PassingSide passing_side;
    bool has_bodies;            ///< scripted ones, anywhere
    bool wishes_are_set;        ///< in the columns, of everybody; a look ahead computes them
    std::uint32_t class_alone;  ///< of models that take all of the avoidance on themselves
};

/// Whether somebody takes all of the avoidance on itself, as if nobody met it half way, and can
/// leap out of the way: vehicles cannot.
inline bool avoids_alone(const StallInput& input, const AgentRecord& agent)
{
    return agent.flags >> 24 == input.class_alone && (agent.flags & kVehicle) == 0;
}

/// What somebody wants [m/s] before all answers.
inline Point<float> wish_of(const StallInput& input, std::size_t row)
{
    if (input.wishes_are_set)
        return {input.agents.preferred_vx[row], input.agents.preferred_vy[row]};
    return preferred_velocity_of(input.agents, input.profiles, input.dt, row);
}

/// Answers for the agents of a leaf.
struct StallAnswers {
    bool any = false;         ///< somebody has an answer
    bool any_places = false;  ///< somebody holds a place
    bool any_turn = false;    ///< some `turns` is set
    bool any_drive = false;   ///< some `drives` is set
    StallAnswer answer[kLeafRows] = {};
    float base_vx[kLeafRows] = {}, base_vy[kLeafRows] = {};  ///< wishes before the answers [m/s]
    float most_way[kLeafRows] = {};      ///< no more way than this can be expected of it [m/s]
    bool turns[kLeafRows] = {};          ///< stands and turns, as vehicles must: the clock waits
    bool drives[kLeafRows] = {};         ///< drives somebody back: way that it makes is none
    bool faced[kLeafRows] = {};          ///< somebody is in the way with whom one has to agree
    std::uint32_t whom[kLeafRows] = {};  ///< id of whom it is about, where there is an answer
    Vec2 wish[kLeafRows] = {};           ///< what it wants instead [m/s], likewise
};

/// Changes the wishes of stalled agents, and says how. Reads of others what they wanted before.
void answer_stalls(const StallInput& input, std::size_t leaf, const NeighbourLists& lists,
                   Wishes& wishes, StallAnswers& answers) noexcept;

/// The clock runs while an agent makes less way than this part of what it wants.
inline constexpr float kMakesWay = 0.6f;

/// Whether an agent that takes a velocity [m/s] is only on its way to the speed it wants: no more
/// can be expected of one whose acceleration is limited, until it has come to an answer. `wish`
/// [m/s] is not 0.
bool gets_under_way(const StallInput& input, std::size_t row, Point<float> wish,
                    Point<float> velocity) noexcept;

/// The stall clock after a step in which its agent wanted something and made hardly any way, in
/// steps.
std::uint16_t next_stall_clock(const StallInput& input, std::uint16_t clock,
                               bool is_faced) noexcept;

/// Sets the stall clocks of a leaf [steps] after a step in which its agents took the velocities
/// (vx, vy) [m/s].
using KeepStallClocks = void (*)(const StallInput& input, std::size_t leaf,
                                 const StallAnswers& answers, const float* vx, const float* vy,
                                 std::uint16_t* clocks);
KeepStallClocks keep_stall_clocks_for(Isa isa);

}  // namespace sidestep
