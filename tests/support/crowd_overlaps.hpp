// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How deep bodies are in each other, in plain double geometry, and whether these two could have
// known better.

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "support/test_worlds.hpp"
#include "support/wall_oracle.hpp"

namespace sidestep::test {

/// Looks at every frame of a crowd. An overlap is judged by how it began: two who got into each
/// other because one had not noticed the other stay excused until they have parted.
class OverlapInspector {
public:
    /// What two in each other's way can be held to.
    enum Kind : std::size_t {
        both_avoid,   ///< both react, notice at once and yield: these must keep apart
        pressed,      ///< so do these, but a third who will not give way is in the personal space
                      ///< of one: who steps out of its way steps into the other
        cones,        ///< both are of vo, rvo or clearpath, which promise nothing to each other
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
        std::uint64_t pairs = 0;        ///< deeper than 1 mm, summed over frames
        std::uint64_t deep_frames = 0;  ///< with a pair deeper than half the smaller radius
        double deepest = 0.0;           ///< in parts of the smaller radius
    };

    explicit OverlapInspector(const World& world) : world_(world) {}

    /// Looks at the world as it is; bodies have their middle within `body_reach` [m] of these
    /// points.
    void look(const std::vector<Vec2>& bodies, double body_reach)
    {
        const auto people = read_people(bodies, body_reach);
        std::map<std::pair<std::uint32_t, std::uint32_t>, Kind> pairs;
        std::array<double, kind_count> worst{};
        for (std::size_t i = 0; i < people.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Person &a = people[i], &b = people[j];
                const double reach = a.radius + b.radius;
                const Vec2 between = a.at - b.at;
                if (dot(between, between) >= reach * reach) continue;
                const auto before = pairs_.find({a.id, b.id});
                const Kind kind = before != pairs_.end() && before->second != both_avoid
                                      ? before->second
                                      : excuse_of(a, b, people);
                pairs[{a.id, b.id}] = kind;
                const double depth = reach - norm(between);
                if (depth <= 0.001) continue;
                ++figures_[kind].pairs;
                worst[kind] = std::max(worst[kind], depth / std::min(a.radius, b.radius));
            }
        }
        for (std::size_t kind = 0; kind < kind_count; ++kind) {
            figures_[kind].deepest = std::max(figures_[kind].deepest, worst[kind]);
            figures_[kind].deep_frames += worst[kind] > 0.5 ? 1 : 0;
        }
        pairs_ = std::move(pairs);
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
                "  %-30s %7.2f overlaps a frame, deepest %.2f of the smaller radius, more "
                "than half in %.2f %% of frames\n",
                kNames[kind], double(f.pairs) / double(frames_), f.deepest,
                100.0 * double(f.deep_frames) / double(frames_));
        }
    }

private:
    struct Person {
        std::uint32_t id;
        AgentHandle handle;
        Vec2 at;
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
            people.push_back({id, agent.handle, agent.position, radius, std::max(radius, space),
                              kind, has_cones(agent.handle)});
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
        for (const Person& third : people) {
            if (third.id != a.id && third.id != b.id && (presses(third, a) || presses(third, b)))
                return pressed;
        }
        return both_avoid;
    }

    bool has_cones(AgentHandle agent) const
    {
        const std::string_view model = must(world_.agent(agent)).model;
        const double filter = must(world_.trait(agent, "filter"));
        if (filter != 0.0) return filter == 2.0;  // clearpath
        return model == "vo" || model == "rvo" || model == "clearpath";
    }

    /// Whether one is in the personal space of the other and will not make room for it.
    bool presses(const Person& one, const Person& other) const
    {
        if (norm(one.at - other.at) >= one.space + other.space) return false;
        if (one.kind == both_avoid) return must(world_.share(one.handle, other.handle)) < 0.1;
        return one.kind == no_reaction || one.kind == no_yielding || one.kind == not_noticed;
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
    std::map<std::pair<std::uint32_t, std::uint32_t>, Kind> pairs_;  ///< that overlap now
    std::array<Figures, kind_count> figures_{};
    std::uint64_t frames_ = 0;
};

}  // namespace sidestep::test
