// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How deep bodies are in each other, in plain double geometry, and whether these two could have
// known better.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "support/test_worlds.hpp"
#include "support/wall_oracle.hpp"

namespace sidestep::test {

/// Looks at every frame of a crowd. An overlap is judged by how it began, until the two have
/// parted: who got into somebody it had not noticed stays excused, and who should have known better
/// is not excused by what comes later.
class OverlapInspector {
public:
    /// What two in each other's way can be held to.
    enum Kind : std::size_t {
        both_avoid,   ///< both react, notice at once and yield: these must keep apart
        pressed,      ///< so do these, but a third who walks on is in the personal space of
                      ///< one, and on its other side there is a wall, or a second such person
        cones,        ///< both are of vo, rvo, clearpath or clearpath-safe, see expect_people_apart
        no_reaction,  ///< one walks straight on (seek), or as far aside as forces push
                      ///< (social_force)
        no_yielding,  ///< one leaves all but a tenth of the avoidance to the other, by rank or role
        not_noticed,  ///< one observes for a while first, or does not see all round or past walls
        no_promise,   ///< one cuts its velocity back, samples it or stops dead: modes and a policy
                      ///< that are known to let people into each other
        at_a_body,    ///< a body that yields to nobody is near and carries people along
        kind_count,
    };
    struct Figures {
        std::uint64_t meetings = 0;     ///< of two who would run into each other, see kNear
        std::uint64_t pairs = 0;        ///< deeper than 1 mm, summed over frames
        std::uint64_t deep_frames = 0;  ///< with a pair deeper than half the smaller radius
        double deepest = 0.0;           ///< in parts of the smaller radius
        double deepest_m = 0.0;         ///< [m]
    };
    /// Two meet where they are this near [m] and would touch this soon [s] if both walked as they
    /// want: somebody has to step aside. It is one meeting until they are farther apart again.
    static constexpr double kNear = 2.0, kSoon = 2.0;

    /// `walls` are those of the world, and outlive this.
    OverlapInspector(const World& world, const std::vector<OracleWall>& walls)
        : world_(world), walls_(walls)
    {}

    /// Looks at the world as it is; bodies have their middle within `body_reach` [m] of these
    /// points.
    void look(const std::vector<Vec2>& bodies, double body_reach)
    {
        const auto people = read_people(bodies, body_reach);
        std::map<Pair, Meeting> meetings;
        std::array<double, kind_count> worst{};
        for (std::size_t i = 0; i < people.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Person &a = people[i], &b = people[j];
                const double reach = a.radius + b.radius;
                const Vec2 between = a.at - b.at;
                if (dot(between, between) >= (reach + kNear) * (reach + kNear)) continue;
                const auto before = meetings_.find({a.id, b.id});
                Meeting& meeting = meetings[{a.id, b.id}];
                if (before != meetings_.end()) meeting = before->second;
                if (!meeting.is_counted && would_touch(a, b)) {
                    meeting.is_counted = true;
                    ++figures_[excuse_of(a, b, people)].meetings;
                }
                const double depth = reach - norm(between);
                if (depth <= kTouch) {
                    meeting.overlap.reset();
                    continue;
                }
                if (!meeting.overlap) meeting.overlap = excuse_of(a, b, people);
                const Kind kind = *meeting.overlap;
                ++figures_[kind].pairs;
                figures_[kind].deepest_m = std::max(figures_[kind].deepest_m, depth);
                worst[kind] = std::max(worst[kind], depth / std::min(a.radius, b.radius));
            }
        }
        for (std::size_t kind = 0; kind < kind_count; ++kind) {
            figures_[kind].deepest = std::max(figures_[kind].deepest, worst[kind]);
            figures_[kind].deep_frames += worst[kind] > 0.5 ? 1 : 0;
        }
        meetings_ = std::move(meetings);
        ++frames_;
    }

    std::uint64_t frames() const { return frames_; }
    const Figures& of(Kind kind) const { return figures_[kind]; }

    void print() const
    {
        constexpr const char* kNames[] = {"both avoid",
                                          "one is pressed by a third",
                                          "both keep out of cones",
                                          "one does not react",
                                          "one leaves it to the other",
                                          "one may not have noticed",
                                          "one in a mode without promise",
                                          "at a body"};
        for (std::size_t kind = 0; kind < kind_count; ++kind) {
            const Figures& f = figures_[kind];
            std::printf(
                "  %-30s %7llu meetings, %7.2f overlaps a frame, deepest %.2f of the smaller "
                "radius, more "
                "than half in %.2f %% of frames\n",
                kNames[kind], static_cast<unsigned long long>(f.meetings),
                double(f.pairs) / double(frames_), f.deepest,
                100.0 * double(f.deep_frames) / double(frames_));
        }
    }

private:
    static constexpr double kTouch = 0.001;  ///< what rounding may make of touching [m]

    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    struct Meeting {
        bool is_counted = false;
        std::optional<Kind> overlap;  ///< what it was when it began, while there is one
    };
    struct Person {
        std::uint32_t id;
        AgentHandle handle;
        Vec2 at;
        Vec2 wish;  ///< preferred velocity [m/s]
        double radius;
        double space;  ///< planning radius: what it would like to keep free [m]
        Kind kind;
        bool has_cones;  ///< keeps out of cones, by itself or by its filter
    };

    std::vector<Person> read_people(const std::vector<Vec2>& bodies, double body_reach) const
    {
        std::vector<Person> people;
        for (const auto& [id, agent] : everybody(world_)) {
            Kind kind = excuse_of(agent.handle);
            for (const Vec2& body : bodies) {
                if (norm(body - agent.position) < body_reach) kind = at_a_body;
            }
            const double radius = must(world_.trait(agent.handle, "radius"));
            const double space = must(world_.trait(agent.handle, "planning_radius"));
            people.push_back({id, agent.handle, agent.position,
                              must(world_.agent(agent.handle)).preferred_velocity, radius,
                              std::max(radius, space), kind, has_cones(agent.handle)});
        }
        return people;
    }

    Kind excuse_of(const Person& a, const Person& b, const std::vector<Person>& people) const
    {
        const Kind kind = std::max(a.kind, b.kind);
        if (kind != both_avoid) return kind;
        if (a.has_cones && b.has_cones) return cones;
        const double share = must(world_.share(a.handle, b.handle));
        if (share < 0.1 || share > 0.9) return no_yielding;
        return is_pressed(a, b, people) || is_pressed(b, a, people) ? pressed : both_avoid;
    }

    static bool would_touch(const Person& a, const Person& b)
    {
        const Vec2 between = b.at - a.at, closing = a.wish - b.wish;
        const double speed_sq = dot(closing, closing);
        if (speed_sq == 0.0) return false;
        const double when = std::clamp(dot(between, closing) / speed_sq, 0.0, kSoon);
        return norm(between - closing * when) < a.radius + b.radius;
    }

    bool has_cones(AgentHandle agent) const
    {
        const std::string_view model = must(world_.agent(agent)).model;
        const double filter = must(world_.trait(agent, "filter"));
        if (filter != 0.0) return filter == 2.0;  // clearpath
        return model == "vo" || model == "rvo" || model.starts_with("clearpath");
    }

    /// Whether somebody who does not react, or may not have noticed it, drives `one` on, and
    /// neither it nor `other` can step aside to the side away from it: see
    /// tests/property/pressed_test.cpp.
    bool is_pressed(const Person& one, const Person& other, const std::vector<Person>& people) const
    {
        const auto presses = [&](const Person& third, const Person& who) {
            return third.id != one.id && third.id != other.id &&
                   (third.kind == no_reaction || third.kind == not_noticed) &&
                   norm(third.at - who.at) < third.space + who.space;
        };
        for (const Person& third : people) {
            if (!presses(third, one)) continue;
            for (const Person* who : {&one, &other}) {
                if (has_wall_opposite(*who, third.at)) return true;
                for (const Person& fourth : people) {
                    if (fourth.id != third.id && presses(fourth, *who) &&
                        is_opposite(fourth.at, third.at, who->at))
                        return true;
                }
            }
        }
        return false;
    }

    /// Whether there is a wall in its personal space, on the other side than a point.
    bool has_wall_opposite(const Person& who, Vec2 point) const
    {
        for (const OracleWall& wall : walls_) {
            for (std::size_t i = 0; i < wall.segments(); ++i) {
                const Vec2 near = nearest_on_segment(who.at, wall.a(i), wall.b(i));
                if (norm(near - who.at) < who.space && is_opposite(near, point, who.at))
                    return true;
            }
        }
        return false;
    }

    static Vec2 nearest_on_segment(Vec2 p, Vec2 a, Vec2 b)
    {
        const Vec2 e = b - a;
        return a + e * std::clamp(dot(p - a, e) / dot(e, e), 0.0, 1.0);
    }

    /// Seen from the middle more than 60 degrees apart.
    static bool is_opposite(Vec2 a, Vec2 b, Vec2 middle)
    {
        return dot(a - middle, b - middle) < 0.5 * norm(a - middle) * norm(b - middle);
    }

    /// What excuses one, whoever the other is.
    Kind excuse_of(AgentHandle agent) const
    {
        const auto trait = [&](std::string_view name) { return must(world_.trait(agent, name)); };
        const std::string_view model = must(world_.agent(agent)).model;
        const double filter = trait("filter");
        if ((model == "seek" || model == "social_force") && filter == 0.0) return no_reaction;
        if (std::isinf(trait("rank"))) return no_yielding;  // also two of these
        const bool sees_all = trait("field_of_view_deg") == 360.0 && trait("sight") == 0.0;
        if (trait("observation_time") > 0.0 || !sees_all) return not_noticed;
        const double mode = trait("acceleration_mode");
        const bool is_disc_or_brake = mode == 0.0 || mode == 2.0;
        const bool stops = model == "personality" && trait("when_stuck") != 0.0;
        const bool samples = (model == "vo" || model == "rvo") && trait("chooser") != 0.0;
        const bool excused = filter == 0.0 && (stops || samples);
        return is_disc_or_brake && !excused ? both_avoid : no_promise;
    }

    const World& world_;
    const std::vector<OracleWall>& walls_;
    std::map<Pair, Meeting> meetings_;  ///< of those who are near each other now
    std::array<Figures, kind_count> figures_{};
    std::uint64_t frames_ = 0;
};

}  // namespace sidestep::test
