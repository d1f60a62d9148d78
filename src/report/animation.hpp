// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "report/plan.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

// Who was where, small enough to be part of a page. Numbers are variable-length integers, seven
// bits a byte, the lowest first; signed ones are folded (0, -1, 1, -2, ...).
//
//   frames    count, then each number less the one before
//   walkers   count, rows in all; then of each: id less the id before (signed), group, radius [mm],
//             tracks; of each track: frames since the end of the track before, rows, index of the
//             level, x and y of its begin (signed), then for each further row how far x and y are
//             from where the last step, made again, would have led (signed)
//   bodies    of each frame and body: x and y less those of the frame before (signed)
//
// A track ends where a walker is missing in a frame or changes its level. Coordinates are those of
// the plan. People walk straight most of the time: a row takes some two bytes.

struct Animation {
    std::string tracks;      ///< base64 of the above
    std::size_t frames = 0;  ///< that are kept
    std::size_t of_frames = 0;
    std::size_t walkers = 0;  ///< that are kept
    std::size_t of_walkers = 0;
};

/// The groups of walkers, one colour each.
struct Groups {
    std::vector<std::string> names;  ///< as shown; empty: nothing is told of groups
    std::map<std::string, std::uint8_t, std::less<>> index;  ///< into `names`, by the recorded name
};
/// In the order of the first ids, recording by recording, so that two runs share their colours.
/// Groups beyond the last category share one, "others".
Groups find_groups(std::span<const Trajectories* const> recordings);
/// Index of the group of each walker into `names`.
std::vector<std::uint8_t> group_walkers(const Trajectories& trajectories, const Groups& groups);

/// `budget` is in bytes of base64. Above it frames are left out, evenly, until two are some two
/// seconds apart; then walkers, evenly; what is left of each is said by the counts.
Animation make_animation(const Trajectories& trajectories, const Plan& plan, const Groups& groups,
                         std::size_t budget);

}  // namespace sidestep
