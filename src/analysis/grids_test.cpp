// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/grids.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::one_thread;
using test::TrajectoryMaker;

std::vector<GridResult> grids_of(const Trajectories& t, double cell = 0.5)
{
    std::vector<std::string> notes;
    const LevelFloors floors = LevelFloors::read(t.info, notes);
    return measure_grids(t, floors, individual_velocities(t, 1, one_thread()), cell, one_thread());
}

double people_in(const GridResult& grid)
{
    return std::accumulate(grid.mean_density.begin(), grid.mean_density.end(), 0.0) * grid.cell *
           grid.cell;
}

float at(const std::vector<float>& values, const GridResult& grid, double x, double y)
{
    const auto column = static_cast<std::size_t>((x - grid.x0) / grid.cell);
    const auto row = static_cast<std::size_t>((y - grid.y0) / grid.cell);
    return values[row * grid.columns + column];
}

TEST(Grids, spread_one_who_stands_over_nine_cells)
{
    TrajectoryMaker maker(10.0);
    for (int i = 0; i < 5; ++i) maker.frame(i, {{1, {1.2, 3.3}}});
    const GridResult grid = grids_of(maker.finish())[0];
    EXPECT_EQ(grid.columns, 3u);
    EXPECT_EQ(grid.rows, 3u);
    EXPECT_DOUBLE_EQ(grid.x0, 0.5);
    EXPECT_DOUBLE_EQ(grid.y0, 2.5);
    // a quarter of a person in a quarter of a square metre; then an eighth and a sixteenth
    const float expected[] = {0.25f, 0.5f, 0.25f, 0.5f, 1.0f, 0.5f, 0.25f, 0.5f, 0.25f};
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_FLOAT_EQ(grid.mean_density[i], expected[i]) << i;
        EXPECT_FLOAT_EQ(grid.peak_density[i], expected[i]) << i;
        EXPECT_EQ(std::isnan(grid.mean_speed[i]), i != 4) << i;
    }
    EXPECT_EQ(grid.mean_speed[4], 0.0f);
}

TEST(Grids, take_means_over_all_frames_and_peaks_over_a_second)
{
    TrajectoryMaker maker(10.0, "POLYGON ((0 0, 20 0, 20 2, 0 2, 0 0))");
    for (int i = 0; i < 40; ++i) {  // one second at one place, one elsewhere, two gone
        if (i < 10) {
            maker.frame(i, {{1, {5.25, 1.25}}, {2, {5.25, 1.25}}});
        } else if (i < 20) {
            maker.frame(i, {{1, {15.25, 1.25}}});
        } else {
            maker.frame(i, {});
        }
    }
    const GridResult grid = grids_of(maker.finish())[0];
    EXPECT_FLOAT_EQ(at(grid.peak_density, grid, 5.25, 1.25), 2.0f);
    EXPECT_FLOAT_EQ(at(grid.mean_density, grid, 5.25, 1.25), 0.5f);
    EXPECT_FLOAT_EQ(at(grid.peak_density, grid, 15.25, 1.25), 1.0f);
    EXPECT_FLOAT_EQ(at(grid.mean_density, grid, 15.25, 1.25), 0.25f);
    EXPECT_EQ(at(grid.mean_density, grid, 10.25, 1.25), 0.0f);
    EXPECT_EQ(grid.columns, 43u);  // the plan, and a cell on each side
}

TEST(Grids, take_a_last_window_that_is_not_full_with_the_one_before)
{
    const auto peak = [](int frames) {  // one who stands; in the last of 41 frames all of ten
        TrajectoryMaker maker(10.0);
        for (int i = 0; i < frames; ++i) {
            std::vector<TrajectoryMaker::Row> rows{{1, {1.25, 1.25}}};
            for (int id = 2; id <= 10 && i == 40; ++id) rows.push_back({id, {1.25, 1.25}});
            maker.frame(i, rows);
        }
        const GridResult grid = grids_of(maker.finish())[0];
        return at(grid.peak_density, grid, 1.25, 1.25);
    };
    EXPECT_FLOAT_EQ(peak(40), 1.0f);
    EXPECT_FLOAT_EQ(peak(41), 20.0f / 11.0f);  // eleven frames, nine more people in one of them
    EXPECT_FLOAT_EQ(peak(50), 1.9f);           // a full window of its own
    TrajectoryMaker one_frame(10.0);
    one_frame.frame(3, {{1, {1.25, 1.25}}});
    const GridResult grid = grids_of(one_frame.finish())[0];
    EXPECT_FLOAT_EQ(at(grid.peak_density, grid, 1.25, 1.25), 1.0f);
}

TEST(Grids, are_the_same_where_memory_allows_fewer_counters_than_threads)
{
    TrajectoryMaker maker(10.0, "POLYGON ((0 0, 900 0, 900 900, 0 900, 0 0))");  // 3.2 million
    for (int i = 0; i < 50; ++i) maker.frame(i, {{1, {10.0 * i, 1}}, {2, {1, 10.0 * i}}});
    const Trajectories t = maker.finish();
    std::vector<std::string> notes;
    const LevelFloors floors = LevelFloors::read(t.info, notes);
    Workers several(3, Executor{});
    const Velocities velocities = individual_velocities(t, 1, several);
    const auto a = measure_grids(t, floors, velocities, 0.5, several);
    const auto b = grids_of(t);
    EXPECT_EQ(a[0].mean_density, b[0].mean_density);
    EXPECT_EQ(a[0].peak_density, b[0].peak_density);
    EXPECT_NEAR(people_in(a[0]), 2.0, 1e-4);
}

TEST(Grids, have_the_mean_speed_of_those_in_a_cell)
{
    TrajectoryMaker maker(10.0);
    for (int i = 0; i < 30; ++i) maker.frame(i, {{1, {0.1 * i, 0.1}}, {2, {0.2 * i, 0.1}}});
    const GridResult grid = grids_of(maker.finish(), 100.0)[0];
    EXPECT_NEAR(at(grid.mean_speed, grid, 1, 0.1), 1.5f, 1e-4f);
}

TEST(Grids, keep_the_number_of_people_whatever_the_cell)
{
    const Trajectories t = test::random_crowd(3, 40, 50, 12.0, 3).finish();
    for (const double cell : {0.1, 0.5, 1.7}) {
        double people = 0.0;
        for (const GridResult& grid : grids_of(t, cell)) people += people_in(grid);
        EXPECT_NEAR(people, static_cast<double>(t.position.size()) / 50.0, 1e-3) << cell;
    }
}

TEST(Grids, take_larger_cells_for_large_plans)
{
    const Trajectories t = TrajectoryMaker(10.0, "POLYGON ((0 0, 5000 0, 5000 5000, 0 5000, 0 0))")
                               .frame(0, {{1, {1, 1}}})
                               .finish();
    const GridResult grid = grids_of(t)[0];
    EXPECT_EQ(grid.cell, 4.0);
    EXPECT_LE(std::size_t{grid.columns} * grid.rows, std::size_t{1} << 22);
    EXPECT_NEAR(people_in(grid), 1.0, 1e-6);
}

TEST(Grids, of_nobody_in_an_open_plane_are_empty)
{
    const auto grids = grids_of(TrajectoryMaker().frame(0, {}).finish());
    ASSERT_EQ(grids.size(), 1u);
    EXPECT_EQ(grids[0].columns, 0u);
    EXPECT_TRUE(grids[0].mean_density.empty());
}

}  // namespace
}  // namespace sidestep
