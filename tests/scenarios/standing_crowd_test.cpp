// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "support/run_scene.hpp"
#include "support/steering.hpp"

// People who stand: they let others through, go back to their places, and are still when nobody
// comes.

namespace sidestep {
namespace {

/// Where everybody is, by id [m].
std::map<std::uint32_t, Vec2> places_of(const World& world)
{
    std::map<std::uint32_t, Vec2> places;
    const AgentColumns columns = world.columns();
    for (std::size_t row = 0; row < columns.rows; ++row) {
        const AgentRecord& record = columns.record[row];
        if (record.id != kNoAgent) places[record.id] = world.origin() + Vec2{record.x, record.y};
    }
    return places;
}

double length(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

struct CrowdFigures {
    RunSummary summary;
    double fastest = 0.0;   ///< of those who stand [m/s]
    double farthest = 0.0;  ///< from one's place, at any time [m]
    double at_end = 0.0;    ///< from one's place, some time after the last walker has left [m]
};

std::optional<Simulation> make(const Scenario& scenario, const std::string& model,
                               std::uint64_t seed)
{
    SimulationOptions options;
    options.threads = 1;
    options.isa = test::isa_asked_for().value_or(Isa::automatic);
    options.model = model;
    options.seed = seed;
    Problems problems;
    auto simulation = Simulation::create(scenario, options, problems);
    EXPECT_TRUE(simulation) << test::list(problems);
    return simulation;
}

/// The scene until the last walker has left, and 60 s more for those who still return.
CrowdFigures walk_through_crowd(const std::string& model, std::uint64_t seed,
                                const std::vector<Override>& overrides = {})
{
    CrowdFigures figures;
    const auto scenario = test::read_scene("standing-crowd", overrides, model);
    if (!scenario) return figures;
    auto simulation = make(*scenario, model, seed);
    if (!simulation) return figures;
    constexpr std::uint32_t kStanding = 25;  // they are listed first: ids below this
    const auto homes = places_of(simulation->world());
    const auto look = [&] {
        const World& world = simulation->world();
        figures.at_end = 0.0;
        for (const auto& [id, place] : places_of(world)) {
            if (id >= kStanding) continue;
            const AgentState state = test::must(world.agent(*world.find(id)));
            figures.fastest = std::max(figures.fastest, length(state.velocity));
            figures.at_end = std::max(figures.at_end, length(place - homes.at(id)));
        }
        figures.farthest = std::max(figures.farthest, figures.at_end);
    };
    while (!simulation->finished()) {
        simulation->step();
        look();
    }
    figures.summary = simulation->summary();
    for (double rest = 60.0; rest > 0.0; rest -= simulation->world().dt()) {
        simulation->step();
        look();
    }
    std::printf(
        "%-15s seed %d: %d of 30 through, last at %.1f s; of the standing: fastest %.2f m/s, up "
        "to %.2f m from their places, %.2f m at the end; deepest overlap %.3f m\n",
        model.c_str(), int(seed), int(figures.summary.left), figures.summary.last_arrival,
        figures.fastest, figures.farthest, figures.at_end, figures.summary.deepest_overlap);
    return figures;
}

void expect_passed(const CrowdFigures& figures)
{
    EXPECT_EQ(figures.summary.left, 30u);
    EXPECT_LE(figures.fastest, 0.6 * (1.0 + 1e-6));  // speeds are floats
    EXPECT_LE(figures.at_end, 0.5);
    // In its way it must have stood: else the scene shows nothing.
    EXPECT_GE(figures.farthest, 0.1);
}

TEST(StandingCrowd, lets_thirty_through_and_stands_where_it_stood)
{
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        SCOPED_TRACE(seed);
        expect_passed(walk_through_crowd("orca", seed));
    }
}

TEST(StandingCrowdLong, lets_thirty_through_and_is_back_whatever_the_model)
{
    for (const std::string& model : test::avoiding_models()) {
        for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
            SCOPED_TRACE(model + ", seed " + std::to_string(seed));
            expect_passed(walk_through_crowd(model, seed));
        }
    }
}

/// Five who stand abreast with the personal space of rcap and one who walks need 4.56 m, the
/// passage has 4.5 m: who is stalled gives up some.
TEST(StandingCrowd, lets_those_through_whose_personal_space_does_not_fit)
{
    for (const std::uint64_t seed : {1, 2, 3}) {
        SCOPED_TRACE(seed);
        expect_passed(walk_through_crowd("rcap", seed));
    }
}

/// The crowd alone, this far apart [m]: how far anybody gets in ten minutes from where it was after
/// `settling` seconds [m].
double farthest_at_rest(const std::string& model, const std::string& spacing, double settling)
{
    auto scenario = test::read_scene("standing-crowd", {{"agents.0.lattice.spacing", spacing}});
    if (!scenario) return HUGE_VAL;
    scenario->agents.resize(1);
    auto simulation = make(*scenario, model, 1);
    if (!simulation) return HUGE_VAL;
    const auto go_on_until = [&](double time) {
        while (simulation->world().time() < time - 1e-9) simulation->step();
    };
    go_on_until(settling);
    const auto homes = places_of(simulation->world());
    EXPECT_EQ(homes.size(), 25u);
    double farthest = 0.0;
    for (int second = 1; second <= 600; ++second) {
        go_on_until(settling + second);
        for (const auto& [id, place] : places_of(simulation->world()))
            farthest = std::max(farthest, length(place - homes.at(id)));
    }
    return farthest;
}

TEST(StandingCrowd, does_not_move_when_nobody_comes)
{
    for (const std::string& model : test::avoiding_models()) {
        SCOPED_TRACE(model);
        EXPECT_LE(farthest_at_rest(model, "0.9", 0.0), 0.01);
    }
}

TEST(StandingCrowdLong, does_not_move_shoulder_to_shoulder)
{
    for (const std::string& model : test::avoiding_models()) {
        for (const char* spacing : {"0.5", "0.501", "0.55", "0.6"}) {
            SCOPED_TRACE(model + ", " + spacing + " m apart");
            EXPECT_LE(farthest_at_rest(model, spacing, 60.0), 0.01);
        }
    }
}

}  // namespace
}  // namespace sidestep
