// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/separation/separation.hpp"

#include <algorithm>
#include <cmath>

#include "math/exp_log.hpp"
#include "math/trig.hpp"
#include "models/roles.hpp"
#include "models/within_limits.hpp"

namespace sidestep::separation {

namespace {

/// Places of the parameters, after the traits.
enum SeparationParam : std::size_t {
    kRelaxationTime = kTraitCount,
    kStrength,
    kReach,
    kWallStrength,
    kWallReach,
};

// clang-format off
constexpr ParamInfo kParams[] = {
    // name              unit    default  min    max     meaning
    {"relaxation_time",  "s",    0.5f,    0.05f, 60.0f,  "in which the velocity would become the preferred one; never less than a step"},
    {"strength",         "m/s2", 2.0f,    0.0f,  100.0f, "push of a neighbour at contact"},
    {"reach",            "m",    0.3f,    0.01f, 5.0f,   "way from contact on which that push falls to 1/e"},
    {"wall_strength",    "m/s2", 5.0f,    0.0f,  100.0f, "push of a wall at contact"},
    {"wall_reach",       "m",    0.1f,    0.01f, 5.0f,   "way from contact on which that push falls to 1/e"},
};
// clang-format on

/// Farther than so many reaches from contact the push is below a millionth of its strength: none.
constexpr float kFarthest = 14.0f;
/// Deeper than so many reaches into each other it grows no more: the sum of all stays finite.
constexpr float kDeepest = 20.0f;

/// A push [m/s2] of a kind: of agents and bodies, or of walls.
struct Push {
    float strength;
    float reach;

    /// At `gap` [m] between rims, negative where they overlap.
    float at(float gap) const
    {
        const float reaches = gap / reach;
        if (reaches > kFarthest) return 0.0f;
        const double factor = portable_exp(-double{std::max(reaches, -kDeepest)});
        return strength * static_cast<float>(factor);
    }
};

/// One agent, and the acceleration it is pushed by.
struct Walker {
    const Snapshot& snapshot;
    std::size_t row;
    const AgentRecord& record;
    float ax = 0.0f, ay = 0.0f;  ///< [m/s2]

    float param(std::size_t p) const
    {
        return param_of(snapshot.agents, snapshot.profiles, row, p);
    }

    /// Away from (x, y), which is `radii` [m] from it at contact. At the very place: along `apart`.
    template <class Apart>
    void push_away(const Push& push, float x, float y, float radii, Apart&& apart)
    {
        const float dx = record.x - x;
        const float dy = record.y - y;
        const float distance = std::sqrt(dx * dx + dy * dy);
        const float size = push.at(distance - radii);
        if (distance > 0.0f) {
            ax += dx / distance * size;
            ay += dy / distance * size;
            return;
        }
        const Vec2 direction = apart();
        ax += static_cast<float>(direction.x) * size;
        ay += static_cast<float>(direction.y) * size;
    }
};

/// Two or more at the very place of an agent are not parted pair by pair: each goes in the
/// direction of its own id, as if the other's were higher.
bool in_a_heap(const NeighbourLists& lists, std::size_t lane)
{
    return lists.count[lane] >= 2 && lists.dist_sq[lane][1] == 0.0f;
}

void push_from_agents(const NeighbourLists& lists, std::size_t lane, const Push& push,
                      Walker& walker)
{
    const bool heap = in_a_heap(lists, lane);
    for (std::size_t i = 0; i < lists.count[lane]; ++i) {
        const AgentRecord& other = walker.snapshot.agents.record[lists.row[lane][i]];
        if (role_towards(walker.snapshot.shares, walker.record, other).ignored) continue;
        walker.push_away(push, other.x, other.y, walker.record.radius + other.radius, [&] {
            return apart_direction(walker.record.id, heap ? kNoAgent : other.id,
                                   walker.snapshot.passing_side);
        });
    }
}

/// Of the disc bodies on this level, as of agents.
void push_from_bodies(std::uint16_t level, std::size_t lane, const Perceived& perceived,
                      const Push& push, Walker& walker)
{
    const auto& bodies = walker.snapshot.bodies.bodies;
    const Vec2 origin = walker.snapshot.origin;
    for (std::size_t index = 0; index < bodies.size(); ++index) {
        const Body& body = bodies[index];
        if (!body.live || !body.is_disc() || body.level != level) continue;
        if (!perceived.unnoticed_bodies.empty() &&
            (perceived.unnoticed_bodies[index] >> lane & 1u) != 0)
            continue;
        walker.push_away(push, static_cast<float>(body.position.x - origin.x),
                         static_cast<float>(body.position.y - origin.y),
                         walker.record.radius + static_cast<float>(body.radius), [&] {
                             return apart_direction(walker.record.id,
                                                    static_cast<std::uint32_t>(index),
                                                    walker.snapshot.passing_side);
                         });
    }
}

/// Whether the edge beyond the vertex `at` of this one comes nearer to the agent than that vertex
/// does: then it is that edge which pushes.
bool next_edge_is_nearer(const WallEdge<float>& edge, Point<float> at, const AgentRecord& record)
{
    const float dx = record.x - at.x;
    const float dy = record.y - at.y;
    if (at.x == edge.a.x && at.y == edge.a.y)
        return dx * edge.prev_dir.x + dy * edge.prev_dir.y < 0.0f;
    if (at.x == edge.b.x && at.y == edge.b.y)
        return dx * edge.next_dir.x + dy * edge.next_dir.y > 0.0f;
    return false;
}

/// Of the nearest point of each edge that the agent faces. A corner pushes once, however many edges
/// meet in it, and a straight wall like one edge, however many it is made of.
void push_from_walls(std::uint16_t level, WallScratch& scratch, Walker& walker)
{
    const Snapshot& snapshot = walker.snapshot;
    const Push push{walker.param(kWallStrength), walker.param(kWallReach)};
    if (snapshot.walls.size() == 0 || push.strength == 0.0f) return;
    const float radius = walker.param(kRadius) + walker.param(kWallClearance);
    find_walls(snapshot.walls, walker.record.x, walker.record.y, level,
               radius + kFarthest * push.reach, 0.0f, scratch);
    Point<float> last{};
    bool any = false;
    for (const WallHit& hit : scratch.hits) {
        const WallEdge<float>& edge = snapshot.walls.edges[hit.row].shape;
        const Point<float> at = nearest_point(edge, walker.record.x, walker.record.y);
        if (any && at.x == last.x && at.y == last.y) continue;
        if (next_edge_is_nearer(edge, at, walker.record)) continue;
        last = at;
        any = true;
        walker.push_away(push, at.x, at.y, radius, [&] {
            return Vec2{edge.direction.y, -edge.direction.x};  // to the free side
        });
    }
}

/// v + dt ((v_pref - v) / relaxation_time + pushes), before the limits are applied.
void want(std::uint16_t level, std::size_t lane, ModelScratch& scratch, Walker& walker, float& vx,
          float& vy)
{
    const AgentTable& agents = walker.snapshot.agents;
    const float dt = walker.snapshot.dt;
    const Push push{walker.param(kStrength), walker.param(kReach)};
    push_from_agents(scratch.neighbours.lists, lane, push, walker);
    push_from_bodies(level, lane, scratch.perceived, push, walker);
    push_from_walls(level, scratch.walls, walker);
    // Within less than a step the velocity would go beyond the preferred one.
    const float part = dt / std::max(walker.param(kRelaxationTime), dt);
    const AgentRecord& record = walker.record;
    vx = record.vx + (scratch.wishes.vx[lane] - record.vx) * part + walker.ax * dt;
    vy = record.vy + (scratch.wishes.vy[lane] - record.vy) * part + walker.ay * dt;
}

void explain_lane(const Snapshot& snapshot, std::size_t row, ModelScratch& scratch)
{
    Explanation& out = *scratch.explain;
    const NeighbourLists& lists = scratch.neighbours.lists;
    const std::size_t lane = scratch.explain_lane;
    for (std::size_t i = 0; i < lists.count[lane]; ++i) {
        const AgentRecord& other = snapshot.agents.record[lists.row[lane][i]];
        const Role role = role_towards(snapshot.shares, snapshot.agents.record[row], other);
        out.neighbours.push_back(
            {.id = other.id,
             .distance = std::sqrt(double{lists.dist_sq[lane][i]}),
             .share = role.ignored ? 0.0f : role.pair.conflict,
             .notice = role.ignored ? Explanation::Notice::ignored : Explanation::Notice::avoided});
    }
    out.reason =
        "separation: towards the preferred velocity, pushed by all who are near and by "
        "walls; nothing is foreseen";
}

void choose_velocities(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                       Choice& choice)
{
    const AgentTable& agents = snapshot.agents;
    const std::uint16_t level = agents.leaf_level[leaf];
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        choice.vx[lane] = choice.vy[lane] = 0.0f;
        if (!agents.holds(row)) continue;
        Walker walker{snapshot, row, agents.record[row]};
        float vx = 0.0f, vy = 0.0f;
        want(level, lane, scratch, walker, vx, vy);
        const LimitedVelocity v = within_limits(snapshot, row, vx, vy);
        choice.vx[lane] = v.x;
        choice.vy[lane] = v.y;
        choice.acceleration_exceeded |= lane_bit(lane, v.acceleration_exceeded);
        if (scratch.explain != nullptr && scratch.explain_lane == lane) {
            explain_lane(snapshot, row, scratch);
            scratch.explain->acceleration_exceeded = v.acceleration_exceeded;
        }
    }
}

ChooseVelocities choose_for(Isa)
{
    return choose_velocities;
}

}  // namespace

const Model kModel{
    .info = {.name = "separation",
             .summary = "steering by forces: pushed by who is near and by walls, foresees nothing",
             .params = kParams},
    .avoidance = AvoidanceClass::forces,
    .reacts = true,
    .choose_for = choose_for};

}  // namespace sidestep::separation
