// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "policy/stalls.hpp"

namespace sidestep {

// Who holds a place (World::hold_place).
//
// It gives way as its model says, not faster than 0.6 m/s, and motion/ leads it back; on the way it
// is as stalled as others, at it never. Models know nothing of places, so three things are added:
//
//   - room: whoever walks straight at it is let through by a step aside, across the walker's way.
//     By itself a model gives way along it as well, and is pushed ahead.
//   - a leash: who gives way to one after the other would be led through the room. The farther from
//     its place the slower it goes on, and at the end of the leash only back or along; others go
//     round it, and it never comes to stand behind somebody else for good.
//   - rest: forces, and wishes for more room than there is, push those who stand together apart for
//     ever. While all around it stand, too, it is where it wants to be, and nothing moves it.

/// Who stands wants to step aside for somebody who comes; `answers` says for whom. False: nobody.
bool make_room(const StallInput& input, std::size_t row, const NeighbourLists& lists,
               Wishes& wishes, StallAnswers& answers) noexcept;

/// Corrects what the models chose for those of a leaf who hold a place. `vx`, `vy` [m/s] by lane.
void hold_places(const StallInput& input, std::size_t leaf, const NeighbourLists& lists,
                 const StallAnswers& answers, float* vx, float* vy) noexcept;

}  // namespace sidestep
