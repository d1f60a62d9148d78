// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "models/half_plane_model.hpp"
#include "sim/world_state.hpp"
#include "world/vehicle.hpp"

namespace sidestep {

// What an agent keeps from step to step because its traits ask for it: the way it faces, whom it
// has seen, how long it has waited. Others keep nothing, so that nobody's behaviour, and no hash,
// depends on what somebody else's traits are. Memory is taken by `reserve_kept`, before anything is
// written; `refresh_kept` then follows the traits.

struct Kept {
    bool vehicle = false;  ///< a motion that is not free
    bool heading = false;  ///< vehicles, field of view, or a lateral limit of acceleration
    bool sight = false;    ///< observation time
    bool waited = false;   ///< waits when stuck (model personality)

    Kept& operator|=(const Kept& other)
    {
        vehicle = vehicle || other.vehicle;
        heading = heading || other.heading;
        sight = sight || other.sight;
        waited = waited || other.waited;
        return *this;
    }
};

/// Whether agents of this model have the parameter when_stuck.
bool may_wait(std::uint8_t model) noexcept;

/// `value_of(param)` gives the value of a parameter of an agent of this model.
template <class ValueOf>
Kept kept_by(std::uint8_t model, ValueOf&& value_of)
{
    const bool vehicle = is_vehicle(value_of);
    return {.vehicle = vehicle,
            .heading = vehicle || value_of(kFieldOfView) < 360.0f ||
                       value_of(kLateralAcceleration) < std::numeric_limits<float>::infinity(),
            .sight = value_of(kObservationTime) > 0.0f,
            .waited = may_wait(model) && value_of(kWhenStuck) != 0.0f};
}

/// What the agent in a row keeps at present.
Kept kept_by(const WorldState& world, std::size_t row) noexcept;

/// Room for columns of what is kept, and for this many more tables of sight; false where memory is
/// short. Needs room for the rows; nothing that counts has changed.
[[nodiscard]] bool reserve_kept(WorldState& world, const Kept& kept, std::size_t more) noexcept;

/// Starts and ends what an agent keeps as its traits are now. Needs room.
void refresh_kept(WorldState& world, std::size_t row) noexcept;

/// The agent in a row leaves: its table is free.
void end_kept(WorldState& world, std::size_t row) noexcept;

/// The agent in a row sees everybody anew.
void clear_sight(WorldState& world, std::size_t row) noexcept;

/// Nobody takes the agent or body that now gets this id or index for the one that had it before.
///
/// Done when a name is given again, not when it is given up: ids are hardly ever used twice, while
/// agents leave all the time, and those who remember them may be anywhere.
void lose_name(WorldState& world, std::uint32_t id, bool is_body) noexcept;

/// One that becomes a vehicle faces where it goes, else its goal, else along +x; what it does
/// across that way is lost.
void start_vehicle(AgentTable& agents, std::size_t row) noexcept;

/// The vehicle in a row faces along this unit vector, and goes there.
void face(AgentTable& agents, std::size_t row, Point<double> heading) noexcept;

/// The heading is the last velocity above kHeadingSpeed.
void refresh_heading(AgentTable& agents, std::size_t row) noexcept;

/// Whether it keeps more clear of others than its body.
bool keeps_space(const WorldState& world, std::size_t row) noexcept;

/// What others keep clear of [m]: personal space, at least the body. One that has waited for longer
/// than its patience gives up a tenth of it per second, and one whose stall clock is past 1 s a
/// fifth, down to the body. One that was held back at somebody in the last step has elbow room at
/// least. Vehicles give up nothing to a stall, they need their space to turn; nor do those who wait
/// when stuck, whose patience says what they do.
float planning_radius_of(const AgentTable& agents, const Column<Profile>& profiles, std::size_t row,
                         double dt) noexcept;

/// After a step, for the leaves [first, last): headings, and the radii of those who wait or are
/// stalled. Space that was given up to a stall comes back slowly: one that has just squeezed past
/// somebody will have to again, and nobody is shoved by one that arrives.
void follow_step(WorldState& world, std::size_t first, std::size_t last) noexcept;

}  // namespace sidestep
