// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "models/model.hpp"

namespace sidestep {

// Who of two takes how much of the avoidance.
//
// Between agents that split by the same rule the share follows from their ranks, or from what
// set_share said, [LI13]; the two shares add up to 1 and both may rely on it. Between classes of
// models the other's part is only known from below: on a collision course too much is safe and too
// little is not, and without one there is slack that both would spend if each took its part of it.

/// What an agent takes of a pair's change of velocity, in [0, 1].
struct PairShare {
    float conflict = 0.5f;  ///< on a collision course
    float slack = 0.5f;     ///< of the way to one
};

/// The least that an agent of this class takes, towards one of another class, of a change of which
/// `assigned` would be its part. A new class gets its line here; one without is not relied upon.
constexpr float least_taken(AvoidanceClass other, float assigned)
{
    switch (other) {
        case AvoidanceClass::none: return 0.0f;             // goes its own way
        case AvoidanceClass::half_planes: return assigned;  // keeps to its half-plane
        case AvoidanceClass::full_cones:
            return 1.0f;  // leaves the other's cone by itself
        // These take a part, but on a side, or of a set, that another class does not know.
        case AvoidanceClass::linear_half_planes:
        case AvoidanceClass::reciprocal_cones:
        case AvoidanceClass::linear_cones:
        case AvoidanceClass::forces: return 0.0f;
    }
    return 0.0f;
}

/// The part of an agent whose share by rank or role is `share`, towards another that takes at least
/// `other_takes`.
constexpr PairShare split(bool same_class, float share, float other_takes)
{
    if (same_class) return {share, share};
    return {other_takes >= 1.0f - share ? share : 1.0f, 0.0f};
}

/// What an agent of class `own` takes towards one of class `other` that reacts.
constexpr PairShare pair_share(AvoidanceClass own, AvoidanceClass other, float share)
{
    return split(own == other, share, least_taken(other, 1.0f - share));
}

constexpr AvoidanceClass class_of(const AgentRecord& record)
{
    return static_cast<AvoidanceClass>(record.flags >> 24);
}

/// rank_j / (rank_i + rank_j), [LI13]: the share of i towards j. Equal extremes share equally.
constexpr float share_by_rank(float rank_i, float rank_j)
{
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    if (rank_i == kInfinite) return rank_j == kInfinite ? 0.5f : 0.0f;
    if (rank_j == kInfinite) return 1.0f;
    const float i = rank_i * 0.5f;  // halved: the sum cannot overflow
    const float j = rank_j * 0.5f;
    return i + j == 0.0f ? 0.5f : j / (i + j);
}

/// What one agent is to another.
struct Role {
    float share = 0.5f;     ///< of the avoidance that the one takes, by role or rank
    PairShare pair{};       ///< the same, as far as the other's class can be relied upon
    bool ignored = false;   ///< the one does not yield and the other does: no notice is taken
    bool obstacle = false;  ///< the other does not yield: all of it is ours, slack or not
};

/// An agent of infinite rank is to others an obstacle with a velocity, and like one it takes no
/// notice of those who avoid it. (The line of share 0 would keep it from setting off towards them.)
/// So it is between two of one class of whom one takes everything. Another class may spend the
/// slack of a pair: there the line of share 0 stays.
inline Role role_towards(const PairShares& shares, const AgentRecord& own, const AgentRecord& other)
{
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    constexpr Role kIgnored{.share = 0.0f, .pair = {0.0f, 0.0f}, .ignored = true};
    constexpr Role kObstacle{.share = 1.0f, .pair = {1.0f, 1.0f}, .obstacle = true};
    if ((other.flags & kReacts) == 0) return kObstacle;
    float share = -1.0f;
    if ((own.flags & other.flags & kHasShares) != 0) share = find_share(shares, own.id, other.id);
    if (share < 0.0f) {
        if (own.rank == kInfinite && other.rank != kInfinite) return kIgnored;
        if (other.rank == kInfinite && own.rank != kInfinite) return kObstacle;
        share = share_by_rank(own.rank, other.rank);
    }
    if (class_of(own) == class_of(other)) {
        if (share == 0.0f) return kIgnored;
        if (share == 1.0f) return kObstacle;
    }
    return {.share = share, .pair = pair_share(class_of(own), class_of(other), share)};
}

}  // namespace sidestep
