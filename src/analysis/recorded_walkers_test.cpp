// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sidestep/analysis.hpp"
#include "support/data_sets.hpp"

namespace sidestep {
namespace {

// People of the laboratory, where the folder with their tracks is known. The expected figures were
// computed from the files by the loops of tests/tools/metrics_oracle_test.py.

/// In front of a door 0.5 m wide that narrows from 0.8 m, as [PedPy]'s guide draws it.
constexpr const char* kBarriers =
    "POLYGON ((3.5 -2, 3.5 8, -3.5 8, -3.5 -2, 3.5 -2), (-0.7 -1.1, -0.25 -1.1, -0.25 -0.15, -0.4 "
    "0, -2.8 0, -2.8 6.7, -3.05 6.7, -3.05 -0.3, -0.7 -0.3, -0.7 -1.1), (0.25 -1.1, 0.7 -1.1, 0.7 "
    "-0.3, 3.05 -0.3, 3.05 6.7, 2.8 6.7, 2.8 0, 0.4 0, 0.25 -0.15, 0.25 -1.1))";

TEST(RecordedWalkers, in_front_of_a_door_are_measured_as_by_plain_loops)
{
    const std::string file = test::find_data_file("wuppertal_bottleneck/040_c_56_h-.txt");
    if (file.empty()) GTEST_SKIP() << "SIDESTEP_DATA names no folder with the recording";
    auto walkers = load_trajectories(file);
    ASSERT_TRUE(walkers) << walkers.error().message;
    ASSERT_EQ(walkers->info.fps, 25.0);
    walkers->info.levels = {{0, kBarriers}};
    AnalysisOptions options;
    options.lines = {{"door", {0.4, 0.0}, {-0.4, 0.0}, 0}};
    options.areas = {{"before", "POLYGON ((-0.4 0.5, 0.4 0.5, 0.4 1.3, -0.4 1.3, -0.4 0.5))", 0}};
    const auto measured = analyze(*walkers, options);
    ASSERT_TRUE(measured) << measured.error().message;

    const FlowResult& door = measured->lines.front();
    EXPECT_EQ(door.forward, 75u);
    EXPECT_EQ(door.backward, 0u);
    EXPECT_NEAR(door.crossings.front().time, 0.500472440945, 1e-9);
    EXPECT_NEAR(door.crossings.back().time, 64.972575757576, 1e-9);
    EXPECT_NEAR(door.flow, 1.152635906213, 1e-9);
    EXPECT_NEAR(door.specific_flow, door.flow / 0.8, 1e-12);

    const AreaResult& before = measured->areas.front();
    EXPECT_NEAR(before.size, 0.64, 1e-12);
    EXPECT_EQ(before.count[100], 6.0);
    EXPECT_NEAR(before.voronoi_density[0], 3.520630155967, 1e-8);
    EXPECT_NEAR(before.voronoi_density[100], 8.245530219493, 1e-8);
    EXPECT_NEAR(before.voronoi_density[1000], 5.641321944629, 1e-8);

    EXPECT_EQ(measured->walkers.size(), 75u);
    EXPECT_EQ(measured->present_of_frame.front(), 75u);
    EXPECT_GT(measured->speed.median, 0.02);
    EXPECT_LT(measured->speed.p95, 1.5);
    EXPECT_GT(measured->stalls.walkers, 30u);  // they stand in a queue
    const std::vector<float>& peaks = measured->grids[0].peak_density;
    const float densest = *std::max_element(peaks.begin(), peaks.end());
    EXPECT_GT(densest, 5.0f);
    EXPECT_LT(densest, 12.0f);
}

TEST(RecordedWalkers, change_places_across_a_circle)
{
    const auto file = test::find_data_file("circle_antipode/circle-10m-16-1.txt");
    if (file.empty()) GTEST_SKIP() << "SIDESTEP_DATA names no folder with the recording";
    const auto t = load_trajectories(file);
    ASSERT_TRUE(t) << t.error().message;
    const auto a = analyze(*t);
    ASSERT_TRUE(a) << a.error().message;
    ASSERT_EQ(a->walkers.size(), 16u);
    for (const WalkerResult& walker : a->walkers) {
        EXPECT_NEAR(walker.straight, 20.0, 1.5) << walker.id;
        EXPECT_GE(walker.path_ratio, 1.0) << walker.id;
        EXPECT_LE(walker.path_ratio, 1.3) << walker.id;
    }
    EXPECT_GT(a->encounters.encounters, 16u);
    EXPECT_GT(a->encounters.passing_distance.median, 0.5);
    EXPECT_LT(a->encounters.passing_distance.median, 1.7);
    EXPECT_GT(a->encounters.passing_distance.min, 0.15);
    EXPECT_LT(a->overlaps.pairs_per_frame, 0.5);
}

}  // namespace
}  // namespace sidestep
