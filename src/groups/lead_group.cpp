// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "groups/lead_group.hpp"

#include <algorithm>
#include <cmath>

#include "math/sight_line.hpp"
#include "math/trig.hpp"
#include "motion/advance.hpp"
#include "motion/edge_geometry.hpp"

namespace sidestep {

namespace {

constexpr double kRelaxation = 0.5;       ///< tau [s]: what turns accelerations into wishes
constexpr double kCohesion = 3.0;         ///< towards the centre [m/s2]
constexpr double kCohesionPerHead = 0.5;  ///< (n - 1) times this is near enough [m]
constexpr double kGaze = 4.0;             ///< of the velocity, per radian of head turn [1/s]
constexpr double kRepulsion = 1.0;        ///< away from a member that is too close [m/s2]
constexpr double kOwnSpace = 0.8;         ///< closer than this is too close [m]
constexpr double kSlotSpacing = 0.8;      ///< from slot to slot, across the way [m]
constexpr double kSlotLead = 0.4;         ///< how far a slot is ahead, per metre to the side
constexpr double kSlotPull = 1.0;         ///< most a slot pulls [m/s2]
constexpr double kBehindLeader = 1.0;     ///< where followers gather [m]

// Ours, from here on.

/// One who hurries to catch up is at most this much faster than it would walk alone: v_max of
/// social forces.
constexpr double kHurry = 1.3;
/// One who waits for others still makes this much of its way: nobody is kept from its goal for ever
/// by those who cannot come.
constexpr double kCreep = 0.2;
/// Who lags behind counts from kOwnSpace sqrt(n) on, the depth of a cluster of n. This much farther
/// [m] one walks no faster than it; kWaitRamp farther than that, one creeps.
constexpr double kPaceRamp = 1.0;
constexpr double kWaitRamp = 2.0;
/// Below this speed [m/s] one looks where it wants to go, not where it is moved to.
constexpr double kLooksAhead = 0.05;

/// A member that is on its way.
struct Walker {
    std::uint32_t row;
    std::uint32_t id;
    std::uint16_t level;
    Spot position;   ///< [m] about the origin
    Spot velocity;   ///< [m/s]
    Spot preferred;  ///< [m/s]
    double speed;    ///< of `preferred`, above 0
};

/// v / |v|, or zero.
Spot unit(const Spot& v)
{
    const double size = length(v);
    return size > 0.0 ? v * (1.0 / size) : Spot{};
}

Spot left_of(const Spot& v)
{
    return {-v.y, v.x};
}

/// The walkers of a group that are on one level, n >= 2 of them, in the order of ids.
struct Party {
    const Walker* walker;
    std::size_t n;
    Spot centre;                     ///< of all
    const Walker* leader = nullptr;  ///< whom the others follow
    Spot behind_leader{};            ///< where they gather then
};

Spot looks_to(const Walker& walker)
{
    return unit(length(walker.velocity) > kLooksAhead ? walker.velocity : walker.preferred);
}

Spot mean_heading(const Party& party)
{
    Spot moving{};
    Spot wanted{};
    for (std::size_t i = 0; i < party.n; ++i) {
        moving = moving + party.walker[i].velocity;
        wanted = wanted + party.walker[i].preferred;
    }
    const double slow = kLooksAhead * static_cast<double>(party.n);
    return unit(length(moving) > slow ? moving : wanted);
}

Party make_party(const Walker* walkers, std::size_t n, const Group& group)
{
    Party party{walkers, n, {}};
    for (std::size_t i = 0; i < n; ++i) party.centre = party.centre + walkers[i].position;
    party.centre = party.centre * (1.0 / static_cast<double>(n));
    if (group.formation != Formation::leader) return party;
    for (std::size_t i = 0; i < n; ++i) {
        if (walkers[i].id != group.leader) continue;
        party.leader = &walkers[i];
        party.behind_leader = walkers[i].position - looks_to(walkers[i]) * kBehindLeader;
    }
    return party;
}

/// Whether a wall stands between two places: one cannot walk from one to the other straight.
bool is_walled_off(const GroupInput& input, std::uint16_t level, const Spot& from, const Spot& to)
{
    if (input.walls.size() == 0) return false;
    const Box box{
        static_cast<float>(std::min(from.x, to.x)), static_cast<float>(std::min(from.y, to.y)),
        static_cast<float>(std::max(from.x, to.x)), static_cast<float>(std::max(from.y, to.y))};
    bool found = false;
    for_each_edge_near(input.walls, box, 0.01f, level, [&](std::size_t row) {
        const WallEdge<float>& edge = input.walls.edges[row].shape;
        found = found || hides({edge.a.x, edge.a.y}, {edge.b.x, edge.b.y}, from, to);
    });
    return found;
}

/// Velocity towards the centre of those who are too far from it. Never farther than near enough in
/// one step: a model without inertia would swing about the edge.
Spot cohesion(const GroupInput& input, const Party& party, const Walker& walker)
{
    const Spot centre = party.leader != nullptr ? party.behind_leader : party.centre;
    const Spot way = centre - walker.position;
    const double excess = length(way) - kCohesionPerHead * static_cast<double>(party.n - 1);
    if (!(excess > 0.0) || is_walled_off(input, walker.level, walker.position, centre)) return {};
    return unit(way) * std::min(kRelaxation * kCohesion, excess / double{input.dt});
}

/// Velocity away from members who are too close; each of a pair makes at most half of what lacks.
Spot repulsion(const GroupInput& input, const Party& party, const Walker& walker)
{
    Spot sum{};
    for (std::size_t i = 0; i < party.n; ++i) {
        const Walker& other = party.walker[i];
        if (other.id == walker.id) continue;
        const Spot apart = walker.position - other.position;
        const double distance = length(apart);
        if (!(distance < kOwnSpace)) continue;
        const Vec2 by_id = apart_direction(walker.id, other.id, input.passing_side);
        const Spot away = distance > 0.0 ? apart * (1.0 / distance) : Spot{by_id.x, by_id.y};
        const double lacks = kOwnSpace - distance;
        sum = sum + away * std::min(kRelaxation * kRepulsion, 0.5 * lacks / double{input.dt});
    }
    return sum;
}

/// Where a walker's slot of the V is, about the centre.
Spot slot_of(const Party& party, const Walker& walker, const Spot& heading)
{
    // Members take slots in the order in which they are beside each other, equals by id.
    const Spot left = left_of(heading);
    const double own = dot(walker.position - party.centre, left);
    std::size_t place = 0;
    for (std::size_t i = 0; i < party.n; ++i) {
        const Walker& other = party.walker[i];
        const double side = dot(other.position - party.centre, left);
        place += side < own || (side == own && other.id < walker.id) ? 1 : 0;
    }
    const auto side_of_place = [&](std::size_t i) {
        return (static_cast<double>(i) - 0.5 * static_cast<double>(party.n - 1)) * kSlotSpacing;
    };
    double mean = 0.0;
    for (std::size_t i = 0; i < party.n; ++i) mean += std::fabs(side_of_place(i));
    mean /= static_cast<double>(party.n);
    const double side = side_of_place(place);
    return left * side + heading * (kSlotLead * (std::fabs(side) - mean));
}

/// Velocity towards a place in the formation.
Spot slot_pull(const GroupInput& input, const Party& party, const Walker& walker, const Spot& slot)
{
    const Spot place = party.centre + slot;
    if (is_walled_off(input, walker.level, walker.position, place)) return {};
    const Spot way = place - walker.position;
    return unit(way) * (kRelaxation * std::min(length(way), kSlotPull));
}

/// By how much one must turn its head beyond a right angle to look that way [rad].
double head_turn(const Spot& looks, const Spot& way)
{
    return arc_sine(std::max(0.0, -dot(looks, unit(way))));
}

/// The same to see the others, or the one it follows.
double gaze_turn(const Party& party, const Walker& walker)
{
    const double n = static_cast<double>(party.n);
    const Spot others = party.leader != nullptr
                            ? party.leader->position
                            : (party.centre * n - walker.position) * (1.0 / (n - 1.0));
    return head_turn(looks_to(walker), others - walker.position);
}

/// Differs from [CMSC425]: the part of its speed at which a member walks when others lag behind it
/// on their way. Cohesion and gaze alone leave one slow walker behind many fast ones, whose centre
/// is their own, and a leader, who looks ahead, would not wait at all.
double pace_of(const Party& party, const Walker& walker)
{
    const double depth = kOwnSpace * std::sqrt(static_cast<double>(party.n));
    double pace = 1.0;
    for (std::size_t i = 0; i < party.n; ++i) {
        const Walker& other = party.walker[i];
        const double lag =
            dot(walker.position - other.position, other.preferred) / other.speed - depth;
        if (!(lag > 0.0)) continue;
        const double theirs = std::clamp(other.speed / walker.speed, kCreep, 1.0);
        const double slower = std::min(lag / kPaceRamp, 1.0);
        const double waits = std::clamp((lag - kPaceRamp) / kWaitRamp, 0.0, 1.0);
        pace = std::min(pace, 1.0 + (theirs - 1.0) * slower + (kCreep - theirs) * waits);
    }
    return pace;
}

/// Differs from [CMSC425]: a wish that never turns a member back, and is neither faster than it can
/// walk nor than it would hurry.
Spot keep_in_bounds(const Spot& wish, const Walker& walker, double max_speed)
{
    const Spot ahead = walker.preferred * (1.0 / walker.speed);
    const double lacks = kCreep * walker.speed - dot(wish, ahead);
    const Spot kept = lacks > 0.0 ? wish + ahead * lacks : wish;
    const double top = std::min(max_speed, kHurry * walker.speed);
    const double size = length(kept);
    return size > top ? kept * (top / size) : kept;
}

/// What a member wants because of its group [m/s].
Spot wish_of(const GroupInput& input, const Party& party, const Walker& walker, Formation formation,
             const Spot& heading)
{
    const double max_speed = param_of(input.agents, input.profiles, walker.row, kMaxSpeed);
    const double pace = pace_of(party, walker);
    if (&walker == party.leader) return keep_in_bounds(walker.preferred * pace, walker, max_speed);
    Spot pull = cohesion(input, party, walker) + repulsion(input, party, walker);
    double turn = gaze_turn(party, walker);
    if (formation == Formation::v && length(heading) > 0.0) {
        const Spot slot = slot_of(party, walker, heading);
        pull = pull + slot_pull(input, party, walker, slot);
        // Differs from [CMSC425]: the turn that its slot asks for is not one too many. Else gaze
        // and slots pull against each other, and the outer members lead by 0.10 m for n = 3 and 4.
        // Seen from a slot the others' centre is opposite to it.
        turn = std::max(0.0, turn - head_turn(heading, slot * -1.0));
    }
    // -4 theta v with the velocity that comes of it, not the present one: a model without inertia
    // would stop and go with each step as soon as 4 theta tau is above 1. Gaze and pace are two
    // reasons to wait for the same people: the slower holds, not both.
    const double gaze = 1.0 / (1.0 + kGaze * kRelaxation * turn);
    const Spot wish = walker.preferred * std::min(gaze, pace) + pull * gaze;
    return keep_in_bounds(wish, walker, max_speed);
}

/// The members on their way, level by level, those of a level in the order of ids; then all others.
/// Returns how many are on their way.
std::size_t gather(const GroupInput& input, const Group& group, Walker* walkers, GroupPull* idle)
{
    const AgentTable& agents = input.agents;
    std::size_t n = 0;
    std::size_t standing = 0;
    for (const Group::Member& member : group.members) {
        const std::uint32_t row = agents.slots[member.slot].row;
        const AgentRecord& record = agents.record[row];
        const Point<float> wish = preferred_velocity_of(agents, input.profiles, input.dt, row);
        const Spot preferred{wish.x, wish.y};
        const double speed = length(preferred);
        // A host's wish that is no number is a fault of its own, and no neighbour's.
        if (!(speed > 0.0) || !std::isfinite(speed)) {
            idle[standing++] = {row, {}};
            continue;
        }
        walkers[n++] = {row,
                        member.id,
                        agents.leaf_level[row / kLeafRows],
                        {record.x, record.y},
                        {record.vx, record.vy},
                        preferred,
                        speed};
    }
    std::sort(walkers, walkers + n, [](const Walker& a, const Walker& b) {
        return a.level != b.level ? a.level < b.level : a.id < b.id;
    });
    return n;
}

}  // namespace

std::size_t lead_group(const GroupInput& input, const Group& group, GroupPull* pulls) noexcept
{
    Walker walkers[kMostMembers];
    const std::size_t n = gather(input, group, walkers, pulls);
    std::size_t filled = group.members.size() - n;
    for (std::size_t first = 0; first < n;) {
        std::size_t last = first + 1;
        while (last < n && walkers[last].level == walkers[first].level) ++last;
        const Party party = make_party(walkers + first, last - first, group);
        const Spot heading = mean_heading(party);
        for (; first < last; ++first) {
            const Walker& walker = walkers[first];
            pulls[filled] = {walker.row, {}};
            if (party.n > 1) {
                const Spot change =
                    wish_of(input, party, walker, group.formation, heading) - walker.preferred;
                pulls[filled].change = {static_cast<float>(change.x) + 0.0f,
                                        static_cast<float>(change.y) + 0.0f};
            }
            ++filled;
        }
    }
    return filled;
}

}  // namespace sidestep
