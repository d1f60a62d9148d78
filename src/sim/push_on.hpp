// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/column.hpp"

namespace sidestep {

struct WorldState;

// Whoever a body or a moving wall pushes is pushed into others, who have nowhere to look that up:
// it happens after everybody has moved. Where bodies are solid they push these on in turn,
//
//     (body) -> (i)(j) (k)      i where the body leaves it, then j where i leaves it, and so on,
//
// one after the other, until there is room or a wall. Directly pushed ones come first, each time in
// the order of ids, so it does not matter how rows are sorted.

/// Nobody farther [m] from what moves is pushed on: a crowd gives way within that, or not at all.
inline constexpr float kPushedOnWithin = 3.0f;

/// Who is near something that moves, and who of these was pushed and has not pushed others yet.
/// Scratch.
struct PushScratch {
    struct Near {
        std::uint32_t row;
        float from_x, from_y;     ///< where it was before anybody was pushed [m]
        float radius;             ///< of the body [m]
        std::uint32_t is_pushed;  ///< and waits for its turn
    };
    Column<Near> near;
    Column<std::uint32_t> turns;  ///< of `near`, a ring

    /// Room for this many rows; false where memory is short.
    [[nodiscard]] bool reserve(std::size_t rows) noexcept;
};

/// Puts an agent to another place [m] about the world's origin.
void put_agent(WorldState& world, std::size_t row, float x, float y) noexcept;

/// Pushes those of `near` on whom others of them were pushed into, and so forth; returns how often
/// somebody was. Gives up after some pushes for each of them: a crowd that has no room left stays
/// in itself, as it does where models decide.
std::uint64_t push_on(WorldState& world, std::uint16_t level) noexcept;

}  // namespace sidestep
