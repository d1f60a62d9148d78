// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The shipped scenes that compare ways of avoiding show what they were made for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "support/walk_scene.hpp"

namespace sidestep::test {
namespace {

class AvoidanceScenes : public WorldTest {};

/// How restless a walker is, from the velocities after each step.
struct Unrest {
    int reversals = 0;       ///< changes of sign between successive changes of v_y
    double variation = 0.0;  ///< sum of |change of v_x| + |change of v_y| [m/s]
};

Unrest unrest_of(const Walk& walk)
{
    Unrest unrest;
    double last = 0.0;
    for (std::size_t k = 2; k < walk.velocity.size(); ++k) {
        const Vec2 change = walk.velocity[k] - walk.velocity[k - 1];
        unrest.variation += std::fabs(change.x) + std::fabs(change.y);
        if (std::fabs(change.y) <= 1e-6) continue;
        if (change.y * last < 0.0) ++unrest.reversals;
        last = change.y;
    }
    return unrest;
}

/// The unrest of the first of two who meet, who must not touch.
Unrest meet(std::string_view scene, const std::vector<Override>& overrides = {})
{
    const Walks walks = walk_scene(scene, overrides);
    EXPECT_EQ(walks.of.size(), 2u);
    if (walks.of.size() != 2) return {};
    EXPECT_EQ(walks[0].velocity.size(), 61u);  // the start and 60 steps
    EXPECT_GT(min_distance(walks), 1.0 - 1e-3);
    const Unrest unrest = unrest_of(walks[0]);
    std::printf("%s%s: %d reversals, variation %.3f m/s, closest %.4f m\n",
                std::string(scene).c_str(), overrides.empty() ? "" : " otherwise", unrest.reversals,
                unrest.variation, min_distance(walks));
    return unrest;
}

// Reference values in double: 14 reversals and a variation of 4.18 m/s without reciprocity, 0 and
// 0.139 m/s with it, for RVO and ORCA alike.
TEST_F(AvoidanceScenes, velocity_obstacles_oscillate_and_reciprocal_ones_do_not)
{
    const Unrest alone = meet("vo-oscillation");
    EXPECT_GE(alone.reversals, 8);
    EXPECT_NEAR(alone.variation, 4.18, 0.4);
    for (const Unrest& shared :
         {meet("rvo-calm"), meet("rvo-calm", {{"profiles.default.model", "orca"}})}) {
        EXPECT_LE(shared.reversals, 1);
        EXPECT_NEAR(shared.variation, 0.139, 0.014);
    }
}

/// How people shuttle who are not as the scene has them.
struct Shuttle {
    std::string filter = "none";
    int variant = 2;  ///< of clearpath
    std::uint64_t seed = 1;
    std::string solid_bodies{};  ///< as the scene has them
};

/// What became of so many people who shuttle for two minutes.
RunSummary shuttle(const std::string& scene, const std::string& model, int people,
                   const Shuttle& how = {})
{
    std::vector<Override> overrides{{"agents", std::to_string(people)},
                                    {"profiles.default.filter", how.filter}};
    if (!how.solid_bodies.empty()) overrides.push_back({"world.solid_bodies", how.solid_bodies});
    if (model == "clearpath")
        overrides.push_back({"profiles.default.variant", std::to_string(how.variant)});
    const std::optional<Scenario> scenario = read_scene(scene, overrides, model);
    Problems problems;
    SimulationOptions options;
    options.model = model;
    options.seed = how.seed;
    std::optional<Simulation> simulation = Simulation::create(*scenario, options, problems);
    EXPECT_TRUE(simulation) << list(problems);
    if (!simulation) return {};
    while (!simulation->finished()) EXPECT_FALSE(simulation->step().fault);
    const RunSummary summary = simulation->summary();
    std::printf(
        "%d people, %s %d, filter %s, seed %d: %.3f pairs per frame, deepest %.3f m, way "
        "%.2f\n",
        people, model.c_str(), how.variant, how.filter.c_str(), static_cast<int>(how.seed),
        summary.overlap_pairs_per_frame, summary.deepest_overlap, summary.median_progress);
    EXPECT_EQ(summary.wall_penetrations, 0u);
    EXPECT_EQ(summary.present, static_cast<std::uint64_t>(people));
    return summary;
}

// [CP09] Fig. 9 has about 16 for 80 people of plain steering.
TEST_F(AvoidanceScenes, plain_steering_overlaps_back_and_forth_as_in_the_paper)
{
    const double seek = shuttle("back-and-forth-tight", "seek", 80).overlap_pairs_per_frame;
    EXPECT_GT(seek, 12.0);
    EXPECT_LT(seek, 20.0);
    const double fewer = shuttle("back-and-forth-tight", "seek", 40).overlap_pairs_per_frame;
    EXPECT_LT(fewer, 0.5 * seek);
    EXPECT_LT(shuttle("back-and-forth-tight", "social_force", 40).overlap_pairs_per_frame,
              0.7 * fewer);
}

// The target: at most 0.05 at every density. What follows is the models alone, without solid
// bodies.
TEST_F(AvoidanceScenes, clearpath_by_itself_keeps_shuttling_people_apart)
{
    for (int people = 10; people <= 100; people += 10) {
        const RunSummary summary =
            shuttle("back-and-forth", "clearpath", people, {.solid_bodies = "off"});
        EXPECT_LE(summary.overlap_pairs_per_frame, 0.05) << people;
        EXPECT_GT(summary.median_progress, 0.8) << people;
    }
    for (const char* model : {"clearpath", "clearpath-safe"}) {
        SCOPED_TRACE(model);
        for (const int people : {40, 80, 100}) {
            for (const std::uint64_t seed : {1u, 2u, 3u}) {
                const RunSummary summary =
                    shuttle("back-and-forth", model, people, {.seed = seed, .solid_bodies = "off"});
                EXPECT_LE(summary.overlap_pairs_per_frame, 0.05) << people << ", seed " << seed;
                EXPECT_GT(summary.median_progress, 0.8) << people << ", seed " << seed;
            }
        }
    }
    // Variant 1 keeps to its sides, and is slower. Of 100 people it has up to 0.08.
    for (const int people : {40, 60}) {
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            const Shuttle how{.variant = 1, .seed = seed, .solid_bodies = "off"};
            const RunSummary summary = shuttle("back-and-forth", "clearpath", people, how);
            EXPECT_LE(summary.overlap_pairs_per_frame, 0.05) << people << ", seed " << seed;
            EXPECT_GT(summary.median_progress, 0.7) << people << ", seed " << seed;
        }
    }
    EXPECT_GT(shuttle("back-and-forth", "seek", 100).overlap_pairs_per_frame, 2.0);
}

TEST_F(AvoidanceScenes, either_clearpath_keeps_people_apart_in_the_hall_as_it_is_shipped)
{
    for (int people = 10; people <= 100; people += 10) {
        for (const int variant : {1, 2}) {
            SCOPED_TRACE(std::to_string(people) + ", variant " + std::to_string(variant));
            const RunSummary summary =
                shuttle("back-and-forth", "clearpath", people, {.variant = variant});
            EXPECT_LE(summary.overlap_pairs_per_frame, 0.05);
            EXPECT_LE(summary.deepest_overlap, 0.001);
            EXPECT_GT(summary.median_progress, variant == 1 ? 0.7 : 0.85);
        }
    }
}

// In the tight hall the velocities that ClearPath leaves are too few: by itself it has 1.4 pairs at
// 80. The scene as it is shipped makes the bodies of those who avoid solid, and only theirs. That
// costs way where it is fullest: 0.55 instead of 0.68 at 100.
TEST_F(AvoidanceScenes, clearpath_keeps_people_apart_in_a_tight_hall_at_every_density)
{
    for (int people = 10; people <= 100; people += 10) {
        SCOPED_TRACE(people);
        const RunSummary summary = shuttle("back-and-forth-tight", "clearpath", people);
        EXPECT_LE(summary.overlap_pairs_per_frame, 0.05);
        EXPECT_LE(summary.deepest_overlap, 0.001);
        EXPECT_GT(summary.median_progress, people < 100 ? 0.6 : 0.4);
    }
    for (const int people : {20, 80}) {
        SCOPED_TRACE(people);
        const Shuttle sides{.variant = 1};
        const Shuttle filtered{.filter = "clearpath"};
        for (const RunSummary& summary :
             {shuttle("back-and-forth-tight", "clearpath", people, sides),
              shuttle("back-and-forth-tight", "clearpath-safe", people),
              shuttle("back-and-forth-tight", "social_force", people, filtered)}) {
            EXPECT_LE(summary.overlap_pairs_per_frame, 0.05);
            EXPECT_GT(summary.median_progress, 0.2);
        }
    }
}

TEST_F(AvoidanceScenes, a_filter_keeps_those_apart_who_steer_by_forces)
{
    const double alone =
        shuttle("back-and-forth-tight", "social_force", 40).overlap_pairs_per_frame;
    EXPECT_GT(alone, 1.0);
    for (const char* filter : {"orca", "clearpath"}) {
        SCOPED_TRACE(filter);
        const Shuttle by_itself{.filter = filter, .solid_bodies = "off"};
        const RunSummary filtered = shuttle("back-and-forth-tight", "social_force", 40, by_itself);
        EXPECT_LT(filtered.overlap_pairs_per_frame, 0.2 * alone);
        EXPECT_GT(filtered.median_progress, 0.7);
    }
}

}  // namespace
}  // namespace sidestep::test
