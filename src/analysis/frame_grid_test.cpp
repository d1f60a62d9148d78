// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/frame_grid.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

double distance_sq(const Trajectories& t, std::size_t a, std::size_t b)
{
    const double dx = t.position[b].x - t.position[a].x;
    const double dy = t.position[b].y - t.position[a].y;
    return dx * dx + dy * dy;
}

Pairs brute_force_pairs(const Trajectories& t, double range)
{
    Pairs made;
    for (std::uint32_t a = 0; a < t.frame_begin[1]; ++a) {
        for (std::uint32_t b = a + 1; b < t.frame_begin[1]; ++b) {
            if (t.level[a] == t.level[b] && distance_sq(t, a, b) <= range * range)
                made.insert({a, b});
        }
    }
    return made;
}

Trajectories random_frame(std::uint64_t seed, std::size_t walkers, double side)
{
    test::SeededRandom random(seed);
    std::vector<test::TrajectoryMaker::Row> rows;
    for (std::size_t i = 0; i < walkers; ++i) {
        Vec2 p = random.in_box(side);
        // on corners of cells, and twice at one place
        if (random.chance(0.3)) p = {std::round(p.x), std::round(p.y)};
        rows.push_back(
            {static_cast<std::int64_t>(i), p, static_cast<std::uint16_t>(random.below(3))});
    }
    return test::TrajectoryMaker().frame(0, rows).finish();
}

TEST(FrameGrid, finds_the_pairs_that_brute_force_finds_each_once)
{
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const double range = seed % 2 == 0 ? 1.0 : 0.37;
        const Trajectories t = random_frame(seed, 5 * seed, seed % 3 == 0 ? 3.0 : 2e4);
        FrameGrid grid;
        grid.build(t, 0, seed % 5 == 0 ? 2.0 * range : range);
        Pairs found;
        grid.for_each_pair(range, [&](std::uint32_t a, std::uint32_t b, double d) {
            EXPECT_LT(a, b);
            EXPECT_EQ(d, distance_sq(t, a, b));
            EXPECT_TRUE(found.insert({a, b}).second) << "twice; seed " << seed;
        });
        EXPECT_EQ(found, brute_force_pairs(t, range)) << "seed " << seed;
    }
}

TEST(FrameGrid, of_nobody_and_of_people_a_world_apart_has_no_pairs)
{
    const Trajectories t = test::TrajectoryMaker()
                               .frame(0, {})
                               .frame(1, {{1, {-1e12, 1e12}}, {2, {1e12, -1e12}, 65535}})
                               .finish();
    FrameGrid grid;
    for (const std::size_t frame : {0u, 1u}) {
        grid.build(t, frame, 0.1);
        grid.for_each_pair(0.1, [&](std::uint32_t, std::uint32_t, double) { ADD_FAILURE(); });
    }
}

}  // namespace
}  // namespace sidestep
