// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solid/keep_ground.hpp"

#include "math/trig.hpp"
#include "motion/wall_contact.hpp"
#include "solid/nearest_allowed.hpp"

namespace sidestep {

namespace {

/// Room that is left between two grounds, or a ground and a wall [m]: positions are floats, and far
/// from the origin rounded by up to 1.2e-4.
constexpr double kMargin = 2e-4;

/// By how much [m] a point may be beyond a line: rounding in double.
constexpr double kBeyond = 1e-9;

/// Halvings of the range of speeds that is searched: to 1/64 of what a step can change.
constexpr int kHalvings = 6;

/// How much a turn other than the wanted one costs, in speed [m/s per rad].
constexpr double kTurnCost = 2.0;

/// One that stands looks for room for so long [s] before it turns to it.
constexpr double kStartTime = 1.0;

/// A velocity breaks a line beyond this [m/s].
constexpr double kRounding = 1e-6;

double support(const Capsule& ground, const Spot& towards)
{
    return std::max(dot(ground.way, towards), 0.0);
}

}  // namespace

Ground::Ground(const SolidInput& input, std::size_t row, const Pose& pose, const Reach& reach)
    : pose_(pose),
      reach_(reach),
      own_(ground_of(input, row)),
      level_(input.agents.leaf_level[row / kLeafRows])
{
    const double fastest = std::max(reach.most_speed, pose.speed);
    const double beyond = reach.circle > 0.0 ? reach.circle + fastest * reach.dt
                                             : stopping_distance(fastest, reach.braking);
    farthest_ = own_.radius + fastest * reach.dt + beyond + kMargin;
    aside_ = circle_side(input, row, pose.heading);
    add_agents(input, row);
    add_bodies(input);
    if (input.walls.size() > 0) add_walls(input);
}

void Ground::add(const GroundLine& line)
{
    if (count_ == kMost) {
        too_many_ = true;
        return;
    }
    lines_[count_++] = line;
}

void Ground::add_agents(const SolidInput& input, std::size_t row)
{
    const AgentTable& agents = input.agents;
    const AgentRecord& record = agents.record[row];
    const Spot velocity{record.vx, record.vy};
    const Box here{record.x, record.y, record.x, record.y};
    const auto look_at = [&](std::size_t other_row) {
        const AgentRecord& other = agents.record[other_row];
        const Capsule ground = ground_of(input, other_row);
        const Spot theirs{other.vx, other.vy};
        const double range =
            farthest_ + ground.radius + length(ground.way) + length(theirs) * input.dt;
        const Spot between = ground.centre - pose_.place;
        if (dot(between, between) > range * range) return;
        const Vec2 apart = apart_direction(record.id, other.id, input.passing_side);
        const Separation s = separate(own_, ground, {apart.x, apart.y});
        const double share =
            share_of_gap(s.gap, dot(velocity, s.towards), -dot(theirs, s.towards), input.dt);
        add({s.towards, support(own_, s.towards) + std::max(share * input.dt - kMargin, 0.0),
             Explanation::Source::agent, other.id});
    };
    input.tree.walk(
        [&](const BoxNode& node) {
            const double range =
                farthest_ + node.max_radius + input.longest_way + node.max_speed * input.dt;
            return node.min_level <= level_ && level_ <= node.max_level &&
                   double{dist_sq(node.box, here)} <= range * range;
        },
        [&](std::size_t leaf) {
            if (agents.leaf_level[leaf] != level_) return;
            for (std::size_t other = leaf * kLeafRows; other < (leaf + 1) * kLeafRows; ++other) {
                if (other != row && agents.holds(other)) look_at(other);
            }
        });
}

/// A scripted body goes on as it does and takes what it needs; what it will do later is unknown.
void Ground::add_bodies(const SolidInput& input)
{
    for (std::uint32_t i = 0; i < input.bodies.bodies.size(); ++i) {
        const Body& body = input.bodies.bodies[i];
        if (!body.live || !body.is_disc() || body.level != level_) continue;
        const Capsule ground{
            {body.position.x - input.origin.x, body.position.y - input.origin.y}, {}, body.radius};
        const Spot velocity{body.velocity.x, body.velocity.y};
        const Spot between = ground.centre - pose_.place;
        const double range = farthest_ + body.radius + length(velocity) * input.dt;
        if (dot(between, between) > range * range) continue;
        const Separation s = separate(own_, ground, {1.0, 0.0});
        const double left = s.gap + dot(velocity, s.towards) * input.dt - kMargin;
        add({s.towards, support(own_, s.towards) + std::max(left, 0.0), Explanation::Source::body,
             i});
    }
}

void Ground::add_walls(const SolidInput& input)
{
    const Spot& p = pose_.place;
    const Box here{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.x),
                   static_cast<float>(p.y)};
    const double range = farthest_ + double{input.walls.top_speed} * input.dt;
    for_each_edge_near(input.walls, here, static_cast<float>(range), level_, [&](std::size_t row) {
        const WallEdgeRow& edge = input.walls.edges[row];
        const Segment segment = segment_of(edge);
        if (!faces(segment, p)) return;
        const Separation s =
            separate(own_, {segment.a, segment.b - segment.a, 0.0}, away_from(segment, p));
        const double comes = -dot(Spot{edge.velocity.x, edge.velocity.y}, s.towards);
        const double left = s.gap - std::max(comes, 0.0) * input.dt - kMargin;
        add({s.towards, support(own_, s.towards) + std::max(left, 0.0), Explanation::Source::wall,
             edge.wall});
    });
}

/// The circle of a vehicle rolls along its heading: its centre goes (v + w r) ahead, where w is the
/// turn rate away from it. At full turn towards it, it lies still.
bool Ground::keeps(const Arc& arc, const Command& command, const GroundLine& line) const noexcept
{
    const double most = line.most + kBeyond;
    if (reach_.circle > 0.0) {
        const bool left = det(pose_.heading, aside_) > 0.0;
        const Spot after =
            left ? Spot{-arc.heading.y, arc.heading.x} : Spot{arc.heading.y, -arc.heading.x};
        const Spot end = arc.end + (after - aside_) * reach_.circle;
        const Spot corner = corner_of(end, pose_.heading, arc.heading);
        return dot(end, line.towards) <= most && dot(corner, line.towards) <= most;
    }
    const Spot stop = arc.end + arc.heading * stopping_distance(command.speed, reach_.braking);
    return dot(arc.corner, line.towards) <= most && dot(arc.end, line.towards) <= most &&
           dot(stop, line.towards) <= most;
}

const GroundLine* Ground::broken_by(const Command& command) const noexcept
{
    const Arc arc = arc_of(pose_, reach_, command);
    for (std::size_t i = 0; i < count_; ++i) {
        if (!keeps(arc, command, lines_[i])) return &lines_[i];
    }
    return nullptr;
}

Command Ground::nearest_allowed(const Command& wanted) const noexcept
{
    if (!too_many_ && broken_by(wanted) == nullptr) return wanted;
    return reach_.circle > 0.0 ? nearest_turn(wanted) : nearest_speed(wanted);
}

Spot Ground::nearest_free(const Spot& wanted) const noexcept
{
    NearestAllowed free(wanted);
    while (free.count() < NearestAllowed::kMost) {
        const GroundLine* worst = nullptr;
        double by = kRounding;
        for (std::size_t i = 0; i < count_; ++i) {
            const double excess =
                dot(free.answer(), lines_[i].towards) - lines_[i].most / kStartTime;
            if (!(excess > by)) continue;
            worst = &lines_[i];
            by = excess;
        }
        if (worst == nullptr) return free.answer();
        free.add({worst->towards, worst->most / kStartTime});
    }
    return {};
}

/// The least turn towards its circle that is allowed: it rolls its circle round those of others.
Command Ground::nearest_turn(const Command& wanted) const noexcept
{
    const double side = det(pose_.heading, aside_) > 0.0 ? 1.0 : -1.0;
    const Command hold{pose_.speed, side * pose_.speed * reach_.dt / reach_.circle};
    Command best = hold;
    if (too_many_) return hold;
    for (const double speed : {std::max(wanted.speed, pose_.speed), pose_.speed}) {
        double allowed = hold.turn;
        double broken = wanted.turn;
        bool any = false;
        for (int i = 0; i < kHalvings; ++i) {
            const Command middle = reach_.nearest({speed, 0.5 * (allowed + broken)});
            const bool is_allowed = broken_by(middle) == nullptr;
            (is_allowed ? allowed : broken) = 0.5 * (allowed + broken);
            if (is_allowed) best = middle;
            any = any || is_allowed;
        }
        if (any) break;
    }
    return best;
}

Command Ground::nearest_speed(const Command& wanted) const noexcept
{
    const Command brake{reach_.least_speed, 0.0};
    if (too_many_) return brake;
    const double most = reach_.most_turn(std::max(wanted.speed, reach_.least_speed));
    const double turns[] = {wanted.turn, 0.5 * wanted.turn, 0.0,        most,
                            -most,       0.5 * most,        -0.5 * most};
    Command best = brake;
    double best_cost = std::numeric_limits<double>::infinity();
    for (const double turn : turns) {
        double low = reach_.least_speed;
        double high = std::max(wanted.speed, low);
        Command command = reach_.nearest({high, turn});
        if (broken_by(command) != nullptr) {
            command = reach_.nearest({low, turn});
            if (broken_by(command) != nullptr) continue;
            for (int i = 0; i < kHalvings; ++i) {
                const Command middle = reach_.nearest({0.5 * (low + high), turn});
                const bool allowed = broken_by(middle) == nullptr;
                (allowed ? low : high) = middle.speed;
                if (allowed) command = middle;
            }
        }
        const double slower = wanted.speed - command.speed;
        const double off = kTurnCost * (command.turn - wanted.turn);
        const double cost = slower * slower + off * off;
        if (!(cost < best_cost)) continue;
        best = command;
        best_cost = cost;
    }
    return best;
}

}  // namespace sidestep
