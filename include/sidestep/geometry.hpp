// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The building blocks of collision avoidance, one question at a time and in double precision: the
// same source that steps a world in float answers here. All units are SI. Every function checks its
// input and returns an Error where it makes no sense: not finite, a negative radius, a horizon that
// is not > 0.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Two discs A and B as A sees them.
struct Encounter {
    Vec2 rel_pos;         ///< p_B - p_A [m]
    double radius = 0.0;  ///< r_A + r_B [m], >= 0
    Vec2 rel_vel;         ///< v_A - v_B [m/s]
};

struct VelocityObstacleTest {
    bool inside = false;  ///< the discs come closer than `radius` within tau
    std::optional<double>
        time_to_collision;  ///< [s], 0 if they overlap, none if they never meet; no horizon
};

/// Whether rel_vel is in the velocity obstacle VO^tau. tau > 0 [s] may be infinite. Touching at the
/// rim is not inside.
Result<VelocityObstacleTest> vo_contains(const Encounter& pair, double tau);

/// Part of the boundary of a velocity obstacle.
enum class BoundaryFeature : std::uint8_t { arc, left, right, overlap };

/// The nearest way across the boundary of a velocity obstacle.
struct VelocityObstacleExit {
    Vec2 u;                        ///< smallest change of rel_vel that ends on the boundary [m/s]
    Vec2 normal;                   ///< outward unit normal there, whatever the direction of u
    double signed_distance = 0.0;  ///< [m/s], negative inside
    BoundaryFeature feature = BoundaryFeature::arc;

    bool inside() const { return signed_distance < 0.0; }
};

/// Nearest boundary point of VO^tau; an exact tie between the legs goes right. Discs that touch or
/// overlap have no such boundary: an Error.
Result<VelocityObstacleExit> vo_project(const Encounter& pair, double tau);

/// The same for a neighbour whose velocity is known up to a disc of radius rho >= 0 [m/s].
Result<VelocityObstacleExit> vo_uncertain(const Encounter& pair, double tau, double rho);

/// A disc that moves.
struct MovingDisc {
    Vec2 position;
    Vec2 velocity;
    double radius = 0.0;   ///< [m], >= 0
    std::uint32_t id = 0;  ///< decides who goes where when two centres coincide
};

/// { v : dot(v - point, normal) >= 0 }; the normal is a unit vector. Hard lines (walls) are kept
/// before soft ones (agents).
struct HalfPlane {
    Vec2 point;
    Vec2 normal;
    bool hard = false;
};

/// The half-plane that A keeps to because of B, and how it came about.
struct OrcaLine {
    Vec2 u;  ///< smallest change of the relative velocity that avoids the collision [m/s]
    Vec2 normal;
    Vec2 point;
    BoundaryFeature feature = BoundaryFeature::arc;
};

/// ORCA half-plane of `a` against `b` for a horizon tau [s]. Discs that touch or overlap shall be
/// apart after t_res [s]. `a` takes `share` in [0, 1] of the change. rho >= 0 [m/s] is the
/// uncertainty of b's velocity.
Result<OrcaLine> orca_line(const MovingDisc& a, const MovingDisc& b, double tau, double t_res,
                           double share, double rho = 0.0);

/// { v : |v - centre| <= radius }.
struct VelocityDisc {
    Vec2 centre;
    double radius = 0.0;  ///< [m/s], >= 0
};

/// What velocity to take: the one nearest to `preferred` that keeps to all lines and discs.
struct VelocityProgram {
    std::span<const HalfPlane> lines;
    double v_max = 0.0;  ///< [m/s], >= 0
    Vec2 preferred;
    std::optional<VelocityDisc> acceleration;  ///< velocities that are reachable in this step
};

struct ProgramSolution {
    Vec2 velocity;
    double t_hard = 0.0;   ///< smallest distance hard lines had to move back [m/s]
    double t_soft = 0.0;   ///< after that, the same for soft lines
    bool relaxed = false;  ///< not everything could be kept
    bool discs_apart =
        false;  ///< the discs do not meet: the answer brakes towards 0, lines are ignored
};

/// Solves the program; where not everything fits first hard lines, then soft lines move back by the
/// least possible distance. The answer does not depend on the order of the lines. Normals must have
/// length 1 within 1e-6.
Result<ProgramSolution> solve_program(const VelocityProgram& program);

/// A wall: 2 points are a thin wall, more a closed polygon, counter-clockwise = solid, clockwise =
/// a room around the agents.
using WallPolygon = std::vector<Vec2>;

/// Hard lines that walls demand of an agent at `position` with this velocity and wall radius,
/// horizon tau_o [s]. Only edges within `range` [m] count. An agent in contact with a wall gets a
/// line that lets it stay.
Result<std::vector<HalfPlane>> obstacle_lines(
    Vec2 position, Vec2 velocity, double radius, double tau_o, std::span<const WallPolygon> walls,
    double range = std::numeric_limits<double>::infinity());

/// A neighbour and the share of the avoidance that the planning agent takes towards it.
struct OrcaNeighbour {
    MovingDisc disc;
    double share = 0.5;
};

/// All that one agent needs for one ORCA step; walls within tau_o * v_max + radius count.
struct OrcaStep {
    MovingDisc agent;
    std::span<const OrcaNeighbour> neighbours;
    std::span<const WallPolygon> walls;
    double tau = 0.0;    ///< horizon against agents [s]
    double tau_o = 0.0;  ///< horizon against walls [s]
    double dt = 0.0;     ///< step, and the time to resolve an overlap [s]
    double v_max = 0.0;  ///< [m/s]
    Vec2 preferred;      ///< [m/s]
};

/// The next velocity of the agent. No retreat: what does not fit is relaxed, walls last.
Result<ProgramSolution> orca_step(const OrcaStep& step);

/// What an agent looks past.
struct SightSegment {
    Vec2 a;
    Vec2 b;
};

struct SightQuery {
    Vec2 from;
    Vec2 to;
    std::optional<Vec2> heading;                             ///< none or 0: sees all round
    double field_of_view = 6.283185307179586;                ///< [rad], full angle
    double range = std::numeric_limits<double>::infinity();  ///< [m]
    std::span<const SightSegment> walls;
};

/// Whether `to` is seen from `from`: in range, in the field of view, no wall between. A wall that
/// only touches the line of sight blocks it, one exactly in line with it does not.
Result<bool> visible(const SightQuery& query);

/// In which steps somebody who is in view counts as observed, [RCAP10] eq. (6): `seen` tells for
/// each step whether they are visible. They count once they are visible and came into view more
/// than observation_time [s] ago; out of view for longer than memory [s] they are new. Both times
/// are >= 0 and may be infinite; dt > 0 [s]. An observation time of 0 still costs one step: the
/// rule is strict.
Result<std::vector<bool>> rcap_gate(const std::vector<bool>& seen, double observation_time,
                                    double memory, double dt);

/// Velocity reached on the way from v_old to v_wanted within a_max * dt; a_max >= 0 [m/s^2] may be
/// infinite, dt > 0 [s].
Result<Vec2> accel_clamp(Vec2 v_old, Vec2 v_wanted, double a_max, double dt);

struct BrakeLine {
    double c_max = 0.0;  ///< largest closing speed from which both can still stop [m/s]
    Vec2 normal;
    Vec2 point;
};

/// Half-plane that keeps `a` slow enough towards `b` to stop before contact. a_sum >= 0 [m/s^2] is
/// the sum of both acceleration limits, dt > 0 [s] the step, share in [0, 1].
Result<BrakeLine> brake_plane(const MovingDisc& a, const MovingDisc& b, double a_sum, double dt,
                              double share);

/// { v : dot(v, normal) >= bound }.
struct VelocityBound {
    Vec2 normal;
    double bound = 0.0;  ///< [m/s]
};

struct ResponseTest {
    bool inside = false;    ///< the discs overlap at one of the sampled moments
    double min_dist = 0.0;  ///< smallest distance of the centres at those moments [m]
};

/// Whether the discs come into contact within tau > 0 [s] while A turns from its present relative
/// velocity, `pair.rel_vel`, to the wanted one `v_target` as a first-order lag: v(t) = v' + (v -
/// v') e^(-t / delta). delta >= 0 [s] may be infinite; 0 turns at once. Looks at the 4001 moments
/// tau * k / 4000.
Result<ResponseTest> avo_contains(const Encounter& pair, Vec2 v_target, double delta, double tau);

/// Line that an infinite wall through `point` with unit normal to the free side demands of a disc:
/// stay out for tau [s] (may be infinite), or, where the disc is in the wall, leave within t_res
/// [s].
Result<VelocityBound> wall_line(Vec2 position, double radius, Vec2 point, Vec2 normal, double tau,
                                double t_res);

/// Areas of velocities left to A and B near their present ones.
struct FairAreas {
    double a = 0.0;  ///< [m^2/s^2]
    double b = 0.0;
};

/// Area of each agent's half-plane in the disc of radius q > 0 [m/s] about its velocity, when A
/// takes `share` of the avoidance and B the rest. Discs that touch or overlap: an Error.
Result<FairAreas> fair_area(const Encounter& pair, double tau, double share, double q);

/// Share of the avoidance that an agent of rank_i takes towards one of rank_j: rank_j / (rank_i +
/// rank_j). Ranks >= 0, infinity allowed; 0 against 0 and infinity against infinity share equally.
Result<double> share_from_ranks(double rank_i, double rank_j);

/// All that one agent with a personality needs for one step, [LI13] eqs. (9) to (11).
struct LiStep {
    MovingDisc agent;
    std::span<const OrcaNeighbour> neighbours;
    std::span<const WallPolygon> walls;  ///< those within tau_o * v_max + radius count
    double tau = 0.0;                    ///< horizon against agents [s], may be infinite
    double tau_o = 1.0;                  ///< horizon against walls [s]
    double t_res = 0.0;                  ///< time to resolve an overlap [s]
    double dt = 0.0;                     ///< [s]
    double v_max = 0.0;                  ///< [m/s]
    double a_max = 0.0;                  ///< [m/s^2], may be infinite
    double alpha = 0.5;                  ///< in [0, 1]: 1 keeps the present velocity, 0 the goal's
    Vec2 preferred;                      ///< [m/s]
};

/// The velocities on the way to the next one [m/s].
struct LiVelocities {
    Vec2 calm;             ///< allowed velocity nearest to the present one
    Vec2 goal;             ///< allowed velocity nearest to the preferred one
    Vec2 set;              ///< alpha calm + (1 - alpha) goal
    Vec2 next;             ///< `set` as far as a_max * dt reaches
    bool relaxed = false;  ///< nothing was allowed: lines moved back as in solve_program
};

/// The next velocity of an agent with a personality. Where nothing is allowed, `calm` and `goal`
/// are the answers of the relaxed programs: the same least distance for both, then the nearest
/// velocity.
Result<LiVelocities> li_step(const LiStep& step);

/// The velocities forbidden to A because of B: a cone cut by a line, and the side of its axis that
/// A passes on, [CP09].
struct ForbiddenCone {
    Vec2 apex;      ///< (1 - share) v_A + share v_B [m/s]
    Vec2 left_leg;  ///< unit vectors from the apex
    Vec2 right_leg;
    Vec2 cut_middle;              ///< the cut is across the way to B
    double cut_half_width = 0.0;  ///< [m/s]
    Vec2 cut_left;                ///< ends of the cut, on the legs
    Vec2 cut_right;
    Vec2 side_normal;  ///< unit normal of the axis, to the allowed side
};

/// The forbidden cone of `b` for `a`, which takes `share` in (0, 1] of the avoidance: 1 if b keeps
/// its velocity, 1/2 if both do alike. Contacts later than `horizon` > 0 [s] (may be infinite) are
/// not forbidden; the cone contains all velocities that lead to earlier ones. A relative velocity
/// along the axis goes to the own right. Discs that touch or overlap: an Error.
Result<ForbiddenCone> fvo(const MovingDisc& a, const MovingDisc& b, double horizon, double share);

/// Legs and ends of the cut of a segment's cone.
struct SegmentLegs {
    Vec2 left_leg;  ///< unit vectors from the apex, the segment's velocity
    Vec2 right_leg;
    Vec2 cut_left;  ///< ends of the cut relative to the apex [m/s]
    Vec2 cut_right;
};

/// The velocities forbidden to a disc because of a segment: beyond the cut and between the legs.
struct SegmentObstacle {
    Vec2 axis;                        ///< unit vector towards the nearest point of the segment
    double cut = 0.0;                 ///< distance of the cut from the apex [m/s]
    std::optional<SegmentLegs> legs;  ///< none at contact: then all with v . axis > 0 is forbidden
};

/// The forbidden cone of a segment from `a` to `b`, given relative to the centre of a disc of this
/// radius [m], for a horizon > 0 [s] (may be infinite). A segment through the centre counts as on
/// the left of a -> b; if it is also a single point: an Error.
Result<SegmentObstacle> seg_fvo(Vec2 a, Vec2 b, double radius, double horizon);

/// How two discs come apart within one step.
enum class CollisionKind : std::uint8_t { none, unreachable, cone, plane };

struct CollisionResolution {
    CollisionKind kind = CollisionKind::none;
    Vec2 best;          ///< unreachable: the reachable velocity that comes nearest to it [m/s]
    Vec2 apex;          ///< cone: forbidden is what is inside [m/s]
    Vec2 axis;          ///< cone: unit vector along which it opens
    double half = 0.0;  ///< cone: half of its angle [rad]
    Vec2 point;         ///< plane: allowed is dot(v - point, normal) >= 0 [m/s]
    Vec2 normal;
};

/// What `a`, which changes its velocity by at most a_max * dt, has to keep out of for the discs to
/// be apart after the step dt > 0 [s] while `b` keeps its velocity. a_max >= 0 [m/s^2] may be
/// infinite. None: whatever a does they are apart; unreachable: whatever it does they are not.
Result<CollisionResolution> cp_collision(const MovingDisc& a, const MovingDisc& b, double a_max,
                                         double dt);

/// The nearest velocity that no cone forbids.
struct ChosenVelocity {
    bool feasible = false;  ///< there is one within the speed limit
    Vec2 velocity;          ///< [m/s], if feasible
    double distance = 0.0;  ///< from the wanted velocity [m/s], if feasible
};

/// All that one agent needs to choose among the velocities that linear cones leave, [CP09].
struct ClearPathStep {
    MovingDisc agent;
    /// Apart from the agent; each does half of the work.
    std::span<const MovingDisc> neighbours = {};
    double horizon = 0.0;     ///< T [s], may be infinite
    double v_max = 0.0;       ///< [m/s]
    Vec2 preferred = {};      ///< [m/s]
    bool keep_sides = false;  ///< pass everyone on the side of the present velocity (ClearPath-1)
};

/// The allowed velocity nearest to the preferred one; of equally near ones the one to the right of
/// the way to the nearest neighbour (by distance, then id). No retreat where nothing is allowed. A
/// neighbour that touches or overlaps the agent: an Error.
Result<ChosenVelocity> clearpath(const ClearPathStep& step);

/// All that one agent needs to choose among the velocities that velocity obstacles leave.
struct VelocityObstacleStep {
    MovingDisc agent;
    std::span<const MovingDisc> neighbours = {};
    double tau = 0.0;     ///< horizon [s], may be infinite
    double share = 1.0;   ///< in (0, 1]: 1 others keep their velocities [VO98], 1/2 [RVO08]
    double v_max = 0.0;   ///< [m/s]
    Vec2 preferred = {};  ///< [m/s]
    /// Time to resolve an overlap [s]; needed if a neighbour touches or overlaps the agent.
    std::optional<double> t_res = {};
};

/// The same as clearpath for cones with their true, round cut. A neighbour that touches or overlaps
/// the agent demands the half-plane of orca_line with this share.
Result<ChosenVelocity> vo_exact(const VelocityObstacleStep& step);

/// All that one agent needs to choose among sampled velocities, [RVO08].
struct SampledStep {
    MovingDisc agent;
    std::span<const MovingDisc> neighbours = {};
    double share = 0.5;                ///< in (0, 1]
    double weight = 1.0;               ///< w [m], >= 0
    std::size_t samples = 250;         ///< N, at most 1,000,000
    double v_max = 0.0;                ///< [m/s]
    Vec2 preferred = {};               ///< [m/s]
    std::optional<double> reach = {};  ///< largest change of velocity [m/s], >= 0
};

struct SampledVelocity {
    std::size_t index = 0;  ///< 0 preferred (within the limit), 1 present, 2 zero, then the samples
    Vec2 velocity;          ///< [m/s]
    double penalty = 0.0;   ///< weight / contact time + distance from the preferred velocity
    std::optional<double> contact_time;  ///< [s], at least 1e-3; none if there is no contact
};

/// The sampled velocity of least penalty; of equal ones the first. If every candidate is too fast
/// or too far from the present velocity, the present one.
Result<SampledVelocity> rvo_sample(const SampledStep& step);

}  // namespace sidestep
