// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sidestep {

// What a scenario may hold. The limits keep a bad file from eating time and memory; each is far
// above what a useful scenario needs.

inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;  ///< 64 MiB
/// Tables and arrays within each other.
inline constexpr std::size_t kMaxNesting = 64;
/// Values written in a file itself: the parser takes about 100 bytes for each. Larger plans are
/// files of their own.
inline constexpr std::size_t kMaxValues = 1'000'000;
/// Texts of a file together, and blanks outside them: the parser takes 30 ns for each byte.
inline constexpr std::size_t kMaxStringBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxBlankBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxLines = 4'000'000;
/// With more comments than this the parser gets a copy without them.
inline constexpr std::size_t kManyCommentBytes = std::size_t{1} << 20;
inline constexpr std::uint64_t kMaxAgents = 20'000'000;
inline constexpr std::size_t kMaxVertices = 1'000'000;
/// Of each kind of table.
inline constexpr std::size_t kMaxTables = 10'000;
/// More problems than this are counted, not kept.
inline constexpr std::size_t kMaxProblems = 1'000;
/// Looking for the name that was meant costs as many comparisons as there are names: with more than
/// this many names, only so many problems get such a hint.
inline constexpr std::size_t kManyNames = 1'000;
inline constexpr std::size_t kHintsAmongManyNames = 100;
/// Shortest step and longest run [s]: steps are counted in 32 bits.
inline constexpr double kMinStep = 0.001;
inline constexpr double kMaxDuration = 1e6;
static_assert(kMaxDuration / kMinStep < 4294967295.0);
/// Of somebody at the start, in x and in y [m/s]: as the traits.
inline constexpr double kMaxSpeed = 50.0;
/// Pairs of agents that have roles of their own.
inline constexpr std::uint64_t kMaxRolePairs = 1'000'000;
/// Text of a name.
inline constexpr std::size_t kMaxNameBytes = 100;
inline constexpr std::size_t kMaxTextBytes = 10'000;
/// Everything lies within this of the origin, in x and in y [m]: positions are float about it.
inline constexpr double kMaxFromOrigin = 4000.0;
/// Largest coordinate [m]: national grids stay below.
inline constexpr double kMaxCoordinate = 1e8;

}  // namespace sidestep
