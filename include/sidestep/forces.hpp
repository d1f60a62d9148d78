// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Social forces, one question at a time and in double precision: the same source that steps agents
// of model social_force in float answers here. All units are SI. Every function checks its input
// and returns an Error where it makes no sense: not finite, a negative radius, a reach that is not
// > 0, or a force too large for a number.

#include <optional>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Acceleration [m/s2] of a pedestrian of velocity v towards its preferred velocity
/// v0 * direction within the relaxation time tau > 0 [s], [SF95].
Result<Vec2> sf_goal(Vec2 v, double v0, Vec2 direction, double tau);

/// How a repulsion falls with distance.
struct RepulsionLaw {
    double strength = 0.0;    ///< A [m/s2]
    double reach = 1.0;       ///< B > 0 [m]: on so much the push falls to 1/e
    double anisotropy = 1.0;  ///< lambda in [0, 1]: what counts of a push from behind
};

/// The round repulsion of j on i [m/s2], [SF07]: W A e^((r_i + r_j - |p_i - p_j|) / B) away from j.
/// At the very place of j there is no direction: 0.
Result<Vec2> sf_circ(Vec2 p_i, Vec2 v_i, double r_i, Vec2 p_j, double r_j, const RepulsionLaw& law);

/// Where two pedestrians are and go.
struct WalkingPair {
    Vec2 p_i, v_i, p_j, v_j;
};

/// The repulsion of j on i [m/s2] by ellipses about j's way of the next look_ahead >= 0 [s]: of its
/// own velocity (I) [SF95] or of the relative one (II) [SF07]. The semi-minor axis is at least 0.05
/// m.
Result<Vec2> sf_ell1(const WalkingPair& pair, double look_ahead, const RepulsionLaw& law);
Result<Vec2> sf_ell2(const WalkingPair& pair, double look_ahead, const RepulsionLaw& law);

/// Force [N] on i of bodies that press each other, [SF00]: k >= 0 [kg/s2] apart, kappa >= 0
/// [kg/(m s)] against sliding. 0 where they do not touch, and at the very place of j.
Result<Vec2> sf_contact(const WalkingPair& pair, double r_i, double r_j, double k, double kappa);

/// The force of a collision that is foreseen.
struct AnticipatoryForce {
    std::optional<double> time_to_collision;  ///< [s], 0 where the discs overlap
    Vec2 force;                               ///< [m/s2]; 0 without a collision ahead
};

/// The negative gradient of the energy k t^-2 e^(-t / t0), t the time to collision, [KSG14].
/// rel_pos = p_i - p_j, rel_vel = v_i - v_j; radius >= 0 is the sum of both; t0 > 0 [s] may be
/// infinite.
Result<AnticipatoryForce> sf_power(Vec2 rel_pos, Vec2 rel_vel, double radius, double k, double t0);

/// The push [m/s2] of a wall from a to b on a disc at p of this radius: A e^((r - distance) / B)
/// away from the nearest point of the wall; on the wall, to the left of a -> b. An Error where the
/// wall is a point and p is on it.
Result<Vec2> sf_wall(Vec2 p, Vec2 a, Vec2 b, double radius, double strength, double reach);

/// One step of a pedestrian that is pushed.
struct ForceStep {
    Vec2 position{}, velocity{};
    double v0 = 0.0;     ///< preferred speed [m/s]
    Vec2 direction{};    ///< where to
    Vec2 force{};        ///< everything but the goal's part [m/s2]
    double tau = 0.5;    ///< relaxation time > 0 [s]
    double dt = 0.0;     ///< > 0 [s]
    double v_max = 0.0;  ///< >= 0 [m/s]
};

struct ForceStepEnd {
    Vec2 position, velocity;
};

/// v' = (v + dt (v0 e / tau + f)) / (1 + dt / tau), shortened to v_max; p' = p + dt v'.
Result<ForceStepEnd> sf_step(const ForceStep& step);

}  // namespace sidestep
