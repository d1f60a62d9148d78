// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <optional>

#include "sim/world_state.hpp"

namespace sidestep {

// The border: what a call brings is checked here, before anything is changed.

/// Farthest from the origin [m] that anything may be: there the spacing of floats is 0.25 mm.
inline constexpr double kHalfExtent = 4000.0;

/// Fastest [m/s] anything may be told to move.
inline constexpr double kTopSpeed = 1000.0;

/// Farthest [rad] a heading may be told to be turned.
inline constexpr double kMostHeading = 1000.0;

inline constexpr std::uint16_t kTopLevel = 0xfffe;

std::optional<Error> check_position(const WorldState& world, Vec2 position, std::string_view what);
std::optional<Error> check_velocity(Vec2 velocity, std::string_view what);
std::optional<Error> check_heading(double heading);
std::optional<Error> check_level(std::uint16_t level);
std::optional<Error> check_free(const WorldState& world, Vec2 position, std::uint16_t level);

/// Place of a trait, or of a parameter of this model, in a profile; or an Error that names what
/// there is.
Result<std::size_t> find_param(std::uint8_t model, std::string_view name);
Result<float> check_value(std::uint8_t model, std::size_t param, double value);
Result<std::uint8_t> find_model(std::string_view name);
/// The number that stands for a word, for a trait or parameter that is a choice.
Result<double> find_choice(std::uint8_t model, std::string_view name, std::string_view choice);
Result<const PresetInfo*> find_preset(std::string_view name);

Error dead_agent();
/// Takes no memory itself.
Error out_of_memory() noexcept;

/// What a call answers. Memory that runs short anywhere in it, be it for the words of a message, is
/// an Error like any other.
template <class Call>
auto answer(Call&& call) noexcept -> decltype(call())
{
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    }
}

/// Numbers for messages: six significant digits, "nan" and "inf" as words.
std::string to_words(double value);
std::string to_words(Vec2 value);

inline float local_x(const WorldState& world, double x)
{
    return static_cast<float>(x - world.options.origin.x);
}
inline float local_y(const WorldState& world, double y)
{
    return static_cast<float>(y - world.options.origin.y);
}

/// Ends all shares that set_share gave this agent towards others, and others towards it.
void forget_shares(WorldState& world, std::uint32_t id) noexcept;

/// Takes the agent in a row out of the group it is in, if any.
void forget_group(WorldState& world, std::size_t row) noexcept;

/// Room in every table, index and scratch for this many rows and agents; Error where memory is
/// short.
std::optional<Error> ensure_room(WorldState& world, std::size_t more_rows,
                                 std::size_t more_agents) noexcept;
/// Room in the scratch of all workers for the lines of this many wall edges and disc bodies.
std::optional<Error> ensure_line_room(WorldState& world, std::size_t edges,
                                      std::size_t bodies) noexcept;

}  // namespace sidestep
