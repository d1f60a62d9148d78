// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Crowds that follow forces, at steps far longer than the forces are stiff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "support/run_scene.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class SocialForceScenes : public WorldTest {};

struct Box {
    double low_x = HUGE_VAL, low_y = HUGE_VAL, high_x = -HUGE_VAL, high_y = -HUGE_VAL;

    void add(double x, double y)
    {
        low_x = std::min(low_x, x);
        low_y = std::min(low_y, y);
        high_x = std::max(high_x, x);
        high_y = std::max(high_y, y);
    }
    bool is_near(double x, double y) const
    {
        constexpr double kCorridor = 5.0;  // [m] from the rooms to the outside
        return x > low_x - kCorridor && x < high_x + kCorridor && y > low_y - kCorridor &&
               y < high_y + kCorridor;
    }
};

template <class Visit>
void for_each_agent(const World& world, Visit&& visit)
{
    const AgentColumns columns = world.columns();
    for (std::size_t row = 0; row < columns.rows; ++row) {
        if (columns.record[row].id != kNoAgent) visit(columns.record[row]);
    }
}

/// Runs evac-1k for a time and holds everybody to the speed limit and to the building.
RunSummary evacuate(const std::vector<Override>& changes, double until)
{
    const std::optional<Scenario> scenario = read_scene("evac-1k", changes, "social_force");
    if (!scenario) return {};
    Problems problems;
    SimulationOptions options;
    options.model = "social_force";
    std::optional<Simulation> simulation = Simulation::create(*scenario, options, problems);
    EXPECT_TRUE(simulation) << list(problems);
    if (!simulation) return {};
    Box start;
    for_each_agent(simulation->world(),
                   [&](const AgentRecord& agent) { start.add(double{agent.x}, double{agent.y}); });
    double fastest = 0.0;
    std::uint64_t outside = 0;
    while (simulation->world().time() < until && !simulation->finished()) {
        EXPECT_FALSE(simulation->step().fault);
        for_each_agent(simulation->world(), [&](const AgentRecord& agent) {
            fastest = std::max(fastest, std::hypot(double{agent.vx}, double{agent.vy}));
            outside += start.is_near(double{agent.x}, double{agent.y}) ? 0 : 1;
        });
    }
    const RunSummary summary = simulation->summary();
    std::printf("%.2f s steps: %llu left by %.0f s, fastest %.3f m/s, deepest overlap %.3f m\n",
                simulation->world().dt(), static_cast<unsigned long long>(summary.left),
                simulation->world().time(), fastest, summary.deepest_overlap);
    EXPECT_LE(fastest, 2.0 * (1.0 + 1e-6));
    EXPECT_EQ(outside, 0u);
    EXPECT_EQ(summary.wall_penetrations, 0u);
    EXPECT_EQ(summary.left + summary.present, 1000u);
    return summary;
}

// A well-known program throws people 6 km at this step.
TEST_F(SocialForceScenes, an_office_is_left_at_steps_of_a_tenth_of_a_second)
{
    const RunSummary summary = evacuate({{"world.step", "0.1"}}, 40.0);
    EXPECT_GT(summary.left, 120u);
}

TEST_F(SocialForceScenes, nothing_explodes_at_the_longest_step_and_with_every_force)
{
    const std::vector<Override> longest{{"world.step", "0.25"}, {"world.output", "0.25"}};
    for (const char* repulsion : {"circular", "elliptical_1", "elliptical_2", "power_law"}) {
        SCOPED_TRACE(repulsion);
        std::vector<Override> changes = longest;
        changes.push_back({"profiles.default.repulsion", repulsion});
        EXPECT_GT(evacuate(changes, 20.0).left, 20u);
    }
    std::vector<Override> contact = longest;
    contact.push_back({"profiles.default.contact", "helbing_2000"});
    EXPECT_GT(evacuate(contact, 20.0).left, 20u);
}

}  // namespace
}  // namespace sidestep::test
