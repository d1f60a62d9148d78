// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What it means to be in a wall, in plain double geometry that shares nothing with the engine:
// walls as their vertices (rounded to float about the origin, as the engine keeps them), agents as
// their centres before and after.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep::test {

inline double norm(Vec2 a)
{
    return std::sqrt(dot(a, a));
}

/// A wall as the test knows it.
struct OracleWall {
    std::vector<Vec2> vertices;
    WallKind kind = WallKind::solid;
    std::uint16_t level = 0;

    std::size_t segments() const { return kind == WallKind::thin ? 1 : vertices.size(); }
    Vec2 a(std::size_t i) const { return vertices[i]; }
    Vec2 b(std::size_t i) const { return vertices[(i + 1) % vertices.size()]; }
};

inline OracleWall to_oracle(const WallSpec& spec, Vec2 origin = {})
{
    OracleWall wall{{}, spec.kind, spec.level};
    for (const Vec2& v : spec.vertices) {
        wall.vertices.push_back(
            Vec2{static_cast<float>(v.x - origin.x), static_cast<float>(v.y - origin.y)} + origin);
    }
    return wall;
}

inline double distance_to_segment(Vec2 p, Vec2 a, Vec2 b)
{
    const Vec2 e = b - a;
    const double t = std::clamp(dot(p - a, e) / dot(e, e), 0.0, 1.0);
    return norm(p - (a + e * t));
}

inline double distance_to_wall(const OracleWall& wall, Vec2 p)
{
    double nearest = 1e30;
    for (std::size_t i = 0; i < wall.segments(); ++i)
        nearest = std::min(nearest, distance_to_segment(p, wall.a(i), wall.b(i)));
    return nearest;
}

/// How often the outline winds round p, counted at the upward and downward edges that have p on
/// their left or right.
inline bool is_inside(const OracleWall& wall, Vec2 p)
{
    int winds = 0;
    for (std::size_t i = 0; i < wall.segments(); ++i) {
        const Vec2 a = wall.a(i);
        const Vec2 b = wall.b(i);
        if (a.y <= p.y && b.y > p.y && det(b - a, p - a) > 0.0) ++winds;
        if (a.y > p.y && b.y <= p.y && det(b - a, p - a) < 0.0) --winds;
    }
    return winds != 0;
}

/// Inside by more than rounding.
inline bool is_well_inside(const OracleWall& wall, Vec2 p)
{
    return is_inside(wall, p) && distance_to_wall(wall, p) > 1e-7;
}
inline bool is_well_outside(const OracleWall& wall, Vec2 p)
{
    return !is_inside(wall, p) && distance_to_wall(wall, p) > 1e-7;
}

/// Whether the way from p to q goes through the segment from one side to the other. Touching is not
/// crossing.
inline bool crosses_segment(Vec2 p, Vec2 q, Vec2 a, Vec2 b)
{
    const double p_side = det(b - a, p - a);
    const double q_side = det(b - a, q - a);
    const double a_side = det(q - p, a - p);
    const double b_side = det(q - p, b - p);
    return ((p_side > 0.0 && q_side < 0.0) || (p_side < 0.0 && q_side > 0.0)) &&
           ((a_side > 0.0 && b_side < 0.0) || (a_side < 0.0 && b_side > 0.0));
}

inline bool crosses_wall(const OracleWall& wall, Vec2 p, Vec2 q)
{
    for (std::size_t i = 0; i < wall.segments(); ++i) {
        if (crosses_segment(p, q, wall.a(i), wall.b(i))) return true;
    }
    return false;
}

/// Whether a wall that goes straight from one place to another runs over a point that goes from p
/// to q meanwhile: seen in many small steps, in each of which the side of the edge is taken beside
/// it.
inline bool runs_over(const OracleWall& from, const OracleWall& to, Vec2 p, Vec2 q)
{
    constexpr int kParts = 64;
    double travel = norm(q - p);
    for (std::size_t i = 0; i < from.vertices.size(); ++i)
        travel = std::max(travel, norm(to.vertices[i] - from.vertices[i]));
    if (distance_to_wall(from, p) > 2.0 * travel) return false;
    const auto at = [](Vec2 x, Vec2 y, double t) { return x * (1.0 - t) + y * t; };
    for (std::size_t i = 0; i < from.segments(); ++i) {
        double last = 0.0;
        bool last_beside = false;
        for (int k = 0; k <= kParts; ++k) {
            const double t = static_cast<double>(k) / kParts;
            const Vec2 a = at(from.a(i), to.a(i), t);
            const Vec2 e = at(from.b(i), to.b(i), t) - a;
            const Vec2 w = at(p, q, t) - a;
            const double side = det(e, w) / norm(e);
            const double along = dot(w, e) / dot(e, e);
            const bool beside = along > 1e-6 && along < 1.0 - 1e-6 && std::fabs(side) > 1e-7;
            if (last_beside && beside && (side > 0.0) != (last > 0.0)) return true;
            last = side;
            last_beside = beside;
        }
    }
    return false;
}

/// Points just off the vertices of a wall: who was squeezed out round a corner or an end came by
/// one of them.
inline std::vector<Vec2> points_round_corners(const OracleWall& wall)
{
    std::vector<Vec2> points;
    for (const Vec2& vertex : wall.vertices) {
        for (int k = 0; k < 16; ++k) {
            const double angle = k * 0.39269908169872414;
            for (const double off : {0.002, 0.02, 0.1})
                points.push_back(vertex + Vec2{std::cos(angle), std::sin(angle)} * off);
        }
    }
    return points;
}

/// Where everybody is, by id.
struct Watched {
    Vec2 position;  ///< as stored: the float about the origin
    Vec2 velocity;
    AgentHandle handle;
    std::uint16_t level;
};

inline std::map<std::uint32_t, Watched> everybody(const World& world)
{
    std::map<std::uint32_t, Watched> all;
    const AgentColumns columns = world.columns();
    for (std::size_t row = 0; row < columns.rows; ++row) {
        const AgentRecord& record = columns.record[row];
        if (record.id == kNoAgent) continue;
        all[record.id] = {world.origin() + Vec2{record.x, record.y},
                          {record.vx, record.vy},
                          world.handle_at(row),
                          columns.leaf_level[row / 8]};
    }
    return all;
}

inline std::string text(Vec2 v)
{
    std::ostringstream out;
    out.precision(9);
    out << "(" << v.x << ", " << v.y << ")";
    return out.str();
}

/// Goes through a world step by step and says what is wrong; nothing is asserted here, so that a
/// search can shrink a case.
class WallInspector {
public:
    std::vector<OracleWall> walls;
    double allowed_penetration = 0.01;  ///< [m]; negative: not checked

    explicit WallInspector(const World& world) : world_(world) {}

    /// Remember where everybody is.
    void look()
    {
        before_ = everybody(world_);
        for (const auto& [id, agent] : before_) {
            for (std::size_t w = 0; w < walls.size(); ++w) {
                if (walls[w].kind == WallKind::room && walls[w].level == agent.level) {
                    in_room_.try_emplace({id, w}, is_inside(walls[w], agent.position));
                }
            }
        }
    }

    /// The first thing that is wrong with where everybody is now, after a step; empty if nothing.
    std::string find_fault_after_step(const StepReport& report)
    {
        const auto now = everybody(world_);
        const auto cut = who_was_cut();
        if (report.body_contacts != cut.size())
            return std::to_string(report.body_contacts) + " contacts were counted, " +
                   std::to_string(cut.size()) + " are in the columns";
        std::uint64_t too_sharp = 0;
        std::string sharp;
        for (const auto& [id, agent] : now) {
            const auto who = [&, id = id, at = agent.position] { return name_of(id, at); };
            if (!std::isfinite(norm(agent.position) + norm(agent.velocity)))
                return who() + "not finite";
            const double max_speed = *world_.trait(agent.handle, "max_speed");
            if (norm(agent.velocity) > max_speed * (1.0 + 1e-6)) {
                return who() + "speed " + std::to_string(norm(agent.velocity));
            }
            if (std::string fault = find_place_fault(id, agent); !fault.empty())
                return who() + fault;
            const auto old = before_.find(id);
            if (old == before_.end()) continue;
            for (std::size_t w = 0; w < walls.size(); ++w) {
                if (walls[w].level == agent.level &&
                    crosses_wall(walls[w], old->second.position, agent.position)) {
                    return who() + "went through wall " + std::to_string(w) + " from " +
                           text(old->second.position);
                }
            }
            // Who runs into somebody is stopped by that body: physics, counted as a contact.
            if (cut.count(id) != 0) continue;
            const double reach = *world_.trait(agent.handle, "max_acceleration") * world_.dt();
            if (norm(agent.velocity - old->second.velocity) > reach * (1.0 + 1e-6)) {
                ++too_sharp;
                sharp += " " + std::to_string(id) + " (" +
                         std::string(world_.agent(agent.handle)->model) + ") from " +
                         text(old->second.velocity) + " to " + text(agent.velocity) + ", limit " +
                         std::to_string(reach);
            }
        }
        if (too_sharp > report.acceleration_exceeded) {
            return "step " + std::to_string(world_.step_index()) + ": " +
                   std::to_string(too_sharp) + " agents changed velocity too fast, " +
                   std::to_string(report.acceleration_exceeded) + " were counted:" + sharp;
        }
        before_ = now;
        return {};
    }

    /// Agents whose velocity was cut at another body in the last step.
    std::set<std::uint32_t> who_was_cut() const
    {
        std::set<std::uint32_t> ids;
        const AgentColumns columns = world_.columns();
        for (std::size_t row = 0; row < columns.rows; ++row) {
            if (columns.body_contact[row] == BodyContact::cut) ids.insert(columns.record[row].id);
        }
        return ids;
    }

    /// The same after a wall was added, which is the last of `walls`: those it expelled went
    /// through no other.
    std::string find_fault_after_adding()
    {
        const auto now = everybody(world_);
        for (const auto& [id, agent] : now) {
            const auto who = [&, id = id, at = agent.position] { return name_of(id, at); };
            if (std::string fault = find_place_fault(id, agent); !fault.empty())
                return who() + fault;
            const auto old = before_.find(id);
            for (std::size_t w = 0; old != before_.end() && w + 1 < walls.size(); ++w) {
                if (walls[w].level == agent.level &&
                    crosses_wall(walls[w], old->second.position, agent.position)) {
                    return who() + "was expelled through wall " + std::to_string(w) + " from " +
                           text(old->second.position);
                }
            }
        }
        before_ = now;
        return {};
    }

    /// The same after wall `moved` went to its new place; updates what is known of it.
    std::string find_fault_after_move(std::size_t moved, const OracleWall& to)
    {
        const OracleWall from = walls[moved];
        walls[moved] = to;
        const auto now = everybody(world_);
        for (const auto& [id, agent] : now) {
            const auto who = [&, id = id, at = agent.position] { return name_of(id, at); };
            if (std::string fault = find_place_fault(id, agent); !fault.empty())
                return who() + fault;
            const auto old = before_.find(id);
            if (old == before_.end() || agent.level != to.level) continue;
            const Vec2 was = old->second.position;
            if (got_there(from, to, moved, was, agent.position)) continue;
            bool round_a_corner = false;
            for (std::size_t w = 0; w < walls.size() && !round_a_corner; ++w) {
                for (const Vec2& via : points_round_corners(w == moved ? from : walls[w])) {
                    const bool first_leg = got_there(from, from, moved, was, via);
                    round_a_corner = round_a_corner ||
                                     (first_leg && got_there(from, to, moved, via, agent.position));
                }
            }
            if (!round_a_corner)
                return who() + "came through a wall from " + text(was) + " when wall " +
                       std::to_string(moved) + " was moved";
        }
        before_ = now;
        return {};
    }

private:
    /// Whether a point can have gone straight from p to q while a wall was moved, without any wall
    /// having gone over it.
    bool got_there(const OracleWall& from, const OracleWall& to, std::size_t moved, Vec2 p,
                   Vec2 q) const
    {
        for (std::size_t w = 0; w < walls.size(); ++w) {
            if (w != moved && walls[w].level == to.level && crosses_wall(walls[w], p, q))
                return false;
        }
        return from.segments() != to.segments() || !runs_over(from, to, p, q);
    }

    std::string name_of(std::uint32_t id, Vec2 position) const
    {
        return "agent " + std::to_string(id) + " at " + text(position) + ", after " +
               std::to_string(world_.step_index()) + " steps: ";
    }

    std::string find_place_fault(std::uint32_t id, const Watched& agent) const
    {
        const double radius = *world_.trait(agent.handle, "radius");
        for (std::size_t w = 0; w < walls.size(); ++w) {
            const OracleWall& wall = walls[w];
            if (wall.level != agent.level) continue;
            const auto name = [w] { return "wall " + std::to_string(w); };
            if (wall.kind == WallKind::solid && is_well_inside(wall, agent.position))
                return "inside " + name();
            const auto was_in = in_room_.find({id, w});
            if (wall.kind == WallKind::room && was_in != in_room_.end() && was_in->second &&
                is_well_outside(wall, agent.position)) {
                return "outside " + name();
            }
            const double depth = radius - distance_to_wall(wall, agent.position);
            if (allowed_penetration >= 0.0 && depth > allowed_penetration) {
                return name() + " is " + std::to_string(depth) + " m deep in its body";
            }
        }
        return {};
    }

    const World& world_;
    std::map<std::uint32_t, Watched> before_;
    std::map<std::pair<std::uint32_t, std::size_t>, bool> in_room_;
};

}  // namespace sidestep::test
