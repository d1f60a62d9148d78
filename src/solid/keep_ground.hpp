// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "motion/vehicle.hpp"
#include "solid/keep_apart.hpp"

namespace sidestep {

// Vehicles are solid too, and cannot stop at once.
//
//        ______________
//      (      way       )        A vehicle reserves its body swept along the straight way on which
//     ( o -------------> )  |    it comes to rest. The grounds of any two agents are disjoint, and
//      (________________)   |    clear of walls; the snapshot gives a line between each two of them
//                           | e  that both know (separate, share_of_gap).
//
// A command is allowed if the arc of the step and the ground that is reserved after it both stay on
// the own side of all these lines. Then the grounds are disjoint after the step as well, whatever
// the others do on their sides. Braking straight on is always allowed: its ground lies within the
// present one. So there is always an answer, and by induction no two bodies ever meet, for the real
// paths and not for what was planned. People stop at once: their ground is their body, and
// keep_apart holds them to the same lines.

/// Points q about the place of a vehicle with dot(q, towards) <= most are on its own side.
struct GroundLine {
    Spot towards{};     ///< unit vector
    double most = 0.0;  ///< [m]
    Explanation::Source source = Explanation::Source::agent;
    std::uint32_t id = 0;  ///< agent id, body index or wall index
};

/// What became of the wish of a vehicle in a step.
struct Steered {
    Plan plan{};
    Spot chosen{};         ///< by its model [m/s]
    Command wanted{};      ///< what it makes of that
    Command taken{};       ///< what its ground allows of that
    bool is_held = false;  ///< not what it wanted
    GroundLine held_by{};  ///< what it would have come too near to, where it is held
};

/// The lines about one vehicle.
class Ground {
public:
    Ground(const SolidInput& input, std::size_t row, const Pose& pose, const Reach& reach);

    /// The first line that a command breaks, or none.
    const GroundLine* broken_by(const Command& command) const noexcept;
    /// Of the commands that are allowed the best in place of a wanted one: as fast as possible with
    /// the wanted turn or with one of a few others, whichever is nearest.
    Command nearest_allowed(const Command& wanted) const noexcept;
    /// Of the velocities [m/s] that lead nowhere beyond its lines the nearest to a wanted one:
    /// where one that stands can go.
    Spot nearest_free(const Spot& wanted) const noexcept;

private:
    /// Whether all of an arc and of the ground after it is on its own side of a line.
    bool keeps(const Arc& arc, const Command& command, const GroundLine& line) const noexcept;
    Command nearest_speed(const Command& wanted) const noexcept;
    Command nearest_turn(const Command& wanted) const noexcept;
    void add_agents(const SolidInput& input, std::size_t row);
    void add_bodies(const SolidInput& input);
    void add_walls(const SolidInput& input);
    void add(const GroundLine& line);

    /// More than ever fit around a vehicle and count: with more it brakes.
    static constexpr std::size_t kMost = 160;

    Pose pose_;
    Reach reach_;
    Capsule own_;
    Spot aside_{};  ///< to the centre of its circle, unit vector
    std::uint16_t level_ = 0;
    double farthest_ = 0.0;  ///< from its place that any part of its ground gets in this step [m]
    std::array<GroundLine, kMost> lines_;
    std::size_t count_ = 0;
    bool too_many_ = false;
};

}  // namespace sidestep
