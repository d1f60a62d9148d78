// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random worlds that every model has to get through, and what it has to keep in them.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/wall_scenes.hpp"

namespace sidestep::test {

/// What most agents of a world are.
struct ContractCase {
    std::string model;
    std::string mode;  ///< acceleration mode
};

inline bool avoids_walls(std::string_view model)
{
    return model != "seek" && model != "social_force";
}

/// Every registered model, with every acceleration mode where it has them.
inline std::vector<ContractCase> contract_cases()
{
    std::vector<ContractCase> cases;
    for (const ModelInfo& model : models()) {
        if (!avoids_walls(model.name)) {
            cases.push_back({std::string(model.name), "disc"});
            continue;
        }
        for (const char* mode : {"disc", "clamp", "brake", "avo"})
            cases.push_back({std::string(model.name), mode});
    }
    return cases;
}

/// The model with a mode that the seed draws.
inline ContractCase random_case(std::string_view model, std::uint64_t seed)
{
    SeededRandom random(seed);
    const char* mode = random.one_of({"disc", "clamp", "brake", "avo"});
    return {std::string(model), avoids_walls(model) ? mode : "disc"};
}

/// Plain threads, also where the machine has fewer processors: task i goes to thread i modulo their
/// number.
class PlainThreads {
public:
    explicit PlainThreads(std::uint32_t workers) : workers_(workers) {}
    Executor executor() { return {.workers = workers_, .host = this, .run = run}; }
    /// The most threads that had a task at the same time.
    std::uint32_t most_started() const { return most_started_; }

private:
    static void run(void* host, std::uint32_t tasks,
                    void (*task)(void*, std::uint32_t, std::uint32_t), void* data)
    {
        auto& self = *static_cast<PlainThreads*>(host);
        const std::uint32_t workers = self.workers_;
        self.most_started_ = std::max(self.most_started_, std::min(workers, tasks));
        std::vector<std::thread> threads;
        for (std::uint32_t worker = 0; worker < std::min(workers, tasks); ++worker) {
            threads.emplace_back([=] {
                for (std::uint32_t i = worker; i < tasks; i += workers) task(data, i, worker);
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    std::uint32_t workers_;
    std::uint32_t most_started_ = 0;
};

/// A room with ten walls that may cross, and 2 to 60 agents of mixed traits at up to three per m2.
///
/// Some worlds are tame: there nobody's acceleration limit may be exceeded, counted or not. In a
/// tame world everybody
/// - has a model that keeps clear of walls (seek walks into them and social_force may be pushed
///   into them, and they stop it at once);
/// - has max_acceleration >= max_speed / wall_time_horizon, in all directions: then a velocity that
///   is clear of walls for the horizon can be slowed so that it stays so (of a filter: of 1 s);
/// - starts from rest and outside its wall radius: not too fast, and clear of walls;
/// - does not stop dead when stuck (when_stuck = wait), which is a jump by definition.
class ContractWorld {
public:
    ContractWorld(const ContractCase& kind, std::uint64_t seed, Executor executor = {},
                  Isa isa = Isa::automatic, bool solid_bodies = false)
        : scene_(options(executor, isa, solid_bodies)),
          random_(seed),
          own_random_(seed ^ 0x5eedu),
          tame_(random_.chance(0.3))
    {
        const std::size_t agents = 2 + random_.below(59);
        const double density = random_.log_uniform(0.1, 3.0);
        size_ = std::max(1.0, 0.5 * std::sqrt(static_cast<double>(agents) / density));
        add_walls();
        for (std::size_t i = 0; i < agents; ++i) add_agent(kind);
    }

    World& world() { return scene_.world; }
    const StepReport& sum() const { return sum_; }  ///< of what tests look at
    bool is_tame() const { return tame_; }
    std::size_t filtered() const { return filtered_; }  ///< agents with a filter

    /// One step; the first thing that is wrong with it: see WallInspector, which looks at the ways
    /// between two frames too, so that nobody jumps over a thin wall unseen.
    std::string step()
    {
        std::string fault = scene_.step();
        const StepReport& report = scene_.last;
        sum_.agents += report.agents;
        sum_.acceleration_exceeded += report.acceleration_exceeded;
        sum_.infeasible_programs += report.infeasible_programs;
        sum_.wall_contacts += report.wall_contacts;
        sum_.waiting += report.waiting;
        sum_.body_contacts += report.body_contacts;
        return fault;
    }

private:
    static WorldOptions options(Executor executor, Isa isa, bool solid_bodies)
    {
        WorldOptions chosen;
        if (solid_bodies) chosen.solid_bodies = SolidBodies::on;
        chosen.isa = isa;
        chosen.threads = 1;
        chosen.executor = executor;
        return chosen;
    }

    /// A room, five blocks and four thin walls.
    void add_walls()
    {
        scene_.add({rectangle({-size_, -size_}, {size_, size_}), WallKind::room});
        for (int i = 0; i < 9; ++i) {
            const Vec2 at = random_.in_box(size_);
            const double length = random_.uniform(0.05, 0.4) * size_;
            const double turn = random_.uniform(-3.0, 3.0);
            if (i % 2 == 0)
                scene_.add({placed(random_outline(random_, length), at, turn), WallKind::solid});
            else scene_.add({{at, at + turned({length, 0}, turn)}, WallKind::thin});
        }
    }

    std::string other_model()
    {
        const auto all = models();
        std::string name(all[random_.below(all.size())].name);
        return tame_ && !avoids_walls(name) ? "orca" : name;
    }

    /// What only some models have: how cone models choose.
    void set_own_params(AgentHandle agent, std::string_view model)
    {
        const auto set = [&](const char* name, const char* word) {
            must(world().set_trait(agent, name, word));
        };
        if (model == "vo" || model == "rvo") {
            set("chooser", own_random_.chance(0.3) ? "sampled" : "exact");
        } else if (model == "clearpath") {
            must(world().set_trait(agent, "variant", own_random_.one_of({1.0, 2.0})));
            set("overlap_wish", own_random_.one_of({"stand", "walk"}));
        }
    }

    /// Every fifth passes what its model wants through a filter; in tame worlds not those whose
    /// limit is made for longer horizons than a filter's.
    void set_filter(AgentHandle agent)
    {
        const char* filter = own_random_.one_of({"orca", "clearpath"});
        const double horizon = own_random_.log_uniform(0.3, 5.0);
        if (!own_random_.chance(0.2)) return;
        if (tame_ && must(world().trait(agent, "max_acceleration")) <
                         must(world().trait(agent, "max_speed")))
            return;
        must(world().set_trait(agent, "filter", filter));
        must(world().set_trait(agent, "filter_horizon", horizon));
        ++filtered_;
    }

    struct Place {
        Vec2 at;
        double radius, clearance;  ///< [m]
    };

    /// Where somebody is clear of walls; bodies of others may be there. Walls may leave no such
    /// place.
    std::optional<Place> find_place()
    {
        for (int i = 0; i < 1'000; ++i) {
            const double radius = random_.uniform(0.1, 0.3);
            const double clearance = random_.chance(0.2) ? 0.1 : 0.0;
            const Vec2 at = random_.in_box(size_);
            if (is_free(scene_.inspector->walls, at, radius + clearance + 1e-4))
                return Place{at, radius, clearance};
        }
        return {};
    }

    void add_agent(const ContractCase& kind)
    {
        const auto place = find_place();
        if (!place) return;
        const auto [at, radius, clearance] = *place;
        const Vec2 goal = random_.in_box(1.5 * size_);
        const bool usual = random_.chance(0.7);
        ProfileSpec profile;
        profile.model = usual ? kind.model : other_model();
        if (tame_ && !avoids_walls(profile.model)) tame_ = false;
        if (random_.chance(0.5)) profile.preset = presets()[random_.below(presets().size())].name;
        AgentSpec spec{.position = at, .goal = goal, .profile = must(world().add_profile(profile))};
        const AgentHandle agent = must(world().add(spec));
        const auto set = [&](const char* name, double value) {
            must(world().set_trait(agent, name, value));
        };
        must(world().set_trait(agent, "acceleration_mode",
                               usual ? kind.mode : random_.one_of({"disc", "clamp", "brake"})));
        set("radius", radius);
        set("wall_clearance", clearance);
        const double speed = random_.uniform(0.5, 3.0);
        set("max_speed", speed);
        set("alpha", random_.uniform(0.0, 1.0));
        if (random_.chance(0.5)) set("max_acceleration", random_.log_uniform(0.1, 20.0));
        if (random_.chance(0.3)) set("lateral_acceleration", random_.log_uniform(0.1, 20.0));
        if (tame_) {
            const double horizon = random_.one_of({0.5, 1.0, 1.0, 2.0});
            const double more = random_.chance(0.3) ? 1.0 : random_.uniform(1.0, 3.0);
            set("wall_time_horizon", horizon);
            set("max_acceleration", more * speed / horizon);
            set("lateral_acceleration", HUGE_VAL);
        }
        if (random_.chance(0.3)) set("passing_side", random_.one_of({1.0, 2.0}));
        if (random_.chance(0.2)) set("rank", random_.one_of({0.0, 3.0, HUGE_VAL}));
        if (profile.model == "personality")
            set("when_stuck", tame_ ? random_.one_of({0.0, 1.0}) : random_.one_of({0.0, 1.0, 2.0}));
        if (!tame_ && random_.chance(0.3))
            must(world().set_velocity(agent, random_.in_disc(1.5 * speed)));
        set_own_params(agent, profile.model);
        set_filter(agent);
    }

    WallScene scene_;
    SeededRandom random_;
    SeededRandom own_random_;  ///< of what was added later: the worlds stay what they were
    bool tame_;
    double size_ = 1.0;
    std::size_t filtered_ = 0;
    StepReport sum_;
};

}  // namespace sidestep::test
