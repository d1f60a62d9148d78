// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/areas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::random_crowd;
using test::TrajectoryMaker;

const std::string kRoom = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))";

LevelFloors floors_of(const Trajectories& made)
{
    std::vector<std::string> notes;
    return LevelFloors::read(made.info, notes);
}

Result<std::vector<AreaResult>> measure(const Trajectories& made, const AnalysisOptions& options,
                                        std::uint32_t threads = 1)
{
    Workers workers(threads, {});
    return measure_areas(made, floors_of(made), individual_velocities(made, 1, workers), options,
                         workers);
}

std::vector<DensitySpeed> sample(const Trajectories& made, const AnalysisOptions& options,
                                 std::uint32_t threads = 1)
{
    Workers workers(threads, {});
    const Velocities velocities = individual_velocities(made, 1, workers);
    auto points = sample_density_speed(made, floors_of(made), velocities, options, workers);
    EXPECT_TRUE(points) << points.error().message;
    return points ? *points : std::vector<DensitySpeed>{};
}

AnalysisOptions with_area(const std::string& wkt, double cutoff = 100.0)
{
    AnalysisOptions options;
    options.voronoi_cutoff = cutoff;
    options.areas = {{"box", wkt, 0}};
    return options;
}

/// Two in a square of 4 m, one at 1 m/s, the other at 2 m/s; then only the first.
TrajectoryMaker two_walkers()
{
    TrajectoryMaker maker(10.0, kRoom);
    maker.frame(0, {{1, {1, 2.0}}, {2, {3, 2.0}}})
        .frame(1, {{1, {1, 2.1}}, {2, {3, 2.2}}})
        .frame(2, {{1, {1, 2.2}}})
        .frame(3, {});
    return maker;
}

TEST(MeasureAreas, of_two_walkers_in_a_square_is_as_computed_by_hand)
{
    // The left half and a quarter of the right one: x <= 2.5.
    const auto results =
        measure(two_walkers().finish(), with_area("POLYGON ((0 0, 2.5 0, 2.5 4, 0 4, 0 0))"));
    ASSERT_TRUE(results) << results.error().message;
    const AreaResult& area = results->front();
    EXPECT_EQ(area.name, "box");
    EXPECT_NEAR(area.size, 10.0, 1e-12);
    EXPECT_EQ(area.time, (std::vector<double>{0.0, 0.1, 0.2, 0.3}));
    EXPECT_EQ(area.count, (std::vector<double>{1, 1, 1, 0}));
    EXPECT_NEAR(area.density[0], 0.1, 1e-12);
    EXPECT_NEAR(area.speed[0], 1.0, 1e-6);
    EXPECT_TRUE(std::isnan(area.speed[3]));
    EXPECT_NEAR(area.voronoi_density[0], (8.0 / 8.0 + 2.0 / 8.0) / 10.0, 1e-12);
    EXPECT_NEAR(area.voronoi_speed[0], (1.0 * 8.0 + 2.0 * 2.0) / 10.0, 1e-6);
    EXPECT_NEAR(area.voronoi_density[2], (10.0 / 16.0) / 10.0, 1e-12);
    EXPECT_NEAR(area.voronoi_speed[2], 1.0, 1e-6);
    EXPECT_EQ(area.voronoi_density[3], 0.0);
    EXPECT_EQ(area.voronoi_speed[3], 0.0);
    EXPECT_NEAR(area.mean_density, 0.075, 1e-12);
    EXPECT_NEAR(area.mean_speed, 1.0, 1e-6);
    EXPECT_GT(area.mean_voronoi_density, 0.0);
}

TEST(MeasureAreas, takes_means_over_frames)
{
    TrajectoryMaker maker(10.0, kRoom);
    maker.frame(0, {{1, {1, 2.0}}}).frame(1, {{1, {1, 2.1}}}).frame(2, {}).frame(3, {});
    const auto results = measure(maker.finish(), with_area(kRoom));
    ASSERT_TRUE(results);
    const AreaResult& area = results->front();
    EXPECT_NEAR(area.mean_density, 0.5 / 16.0, 1e-12);
    EXPECT_NEAR(area.mean_voronoi_density, 0.5 / 16.0, 1e-12);
    EXPECT_NEAR(area.mean_speed, 1.0, 1e-6);          // of the frames with somebody
    EXPECT_NEAR(area.mean_voronoi_speed, 1.0, 1e-6);  // likewise
    EXPECT_NEAR(area.specific_flow, 0.5 / 16.0, 1e-6);
}

TEST(MeasureAreas, has_the_size_of_its_part_on_the_floor)
{
    const auto results =
        measure(two_walkers().finish(), with_area("POLYGON ((2 -3, 9 -3, 9 3, 2 3, 2 -3))"));
    ASSERT_TRUE(results);
    EXPECT_NEAR(results->front().size, 6.0, 1e-12);
    EXPECT_NEAR(results->front().voronoi_density[0], 1.0 / 8.0, 1e-12);
}

TEST(MeasureAreas, does_not_count_who_is_on_its_outline)
{
    TrajectoryMaker maker(10.0);
    maker.frame(0, {{1, {1, 1}}, {2, {2, 1.5}}, {3, {1.5, 1.5}}, {4, {3, 3}}});
    const auto results =
        measure(maker.finish(), with_area("POLYGON ((1 1, 2 1, 2 2, 1 2, 1 1))", 0.1));
    ASSERT_TRUE(results);
    EXPECT_EQ(results->front().count[0], 1.0);
}

TEST(MeasureAreas, conserves_people_also_where_they_stand_on_each_other)
{
    TrajectoryMaker maker(10.0, kRoom);
    maker.frame(0, {{1, {1, 2}}, {2, {1, 2}}, {3, {3, 2}}});
    maker.frame(1, {{1, {1, 2.1}}, {2, {1, 2.3}}, {3, {3, 2.1}}});
    const auto results = measure(maker.finish(), with_area(kRoom));
    ASSERT_TRUE(results);
    EXPECT_NEAR(results->front().voronoi_density[0], 3.0 / 16.0, 1e-12);
    // 1 and 3 m/s share the left half, 1 m/s has the right one
    EXPECT_NEAR(results->front().voronoi_speed[0], (2.0 * 8.0 + 1.0 * 8.0) / 16.0, 1e-6);
}

TEST(MeasureAreas, is_not_reached_by_cells_beyond_the_cut_off)
{
    TrajectoryMaker maker(10.0);
    maker.frame(0, {{1, {0, 0}}});
    const auto near =
        measure(maker.finish(), with_area("POLYGON ((0.9 -1, 2 -1, 2 1, 0.9 1, 0.9 -1))", 1.0));
    const auto far =
        measure(maker.finish(), with_area("POLYGON ((1.1 -1, 2 -1, 2 1, 1.1 1, 1.1 -1))", 1.0));
    ASSERT_TRUE(near && far);
    EXPECT_GT(near->front().voronoi_density[0], 0.0);
    EXPECT_EQ(near->front().voronoi_speed[0], 0.0);  // no speed is known of one row
    EXPECT_EQ(far->front().voronoi_density[0], 0.0);
}

TEST(MeasureAreas, looks_at_its_own_level_only)
{
    TrajectoryMaker maker(10.0, kRoom);
    maker.info.levels.push_back({5, kRoom});
    maker.frame(0, {{1, {1, 1}, 0}, {2, {1, 1.5}, 5}, {3, {2, 2}, 5}});
    AnalysisOptions options = with_area(kRoom);
    options.areas.push_back({"upstairs", kRoom, 5});
    const auto results = measure(maker.finish(), options);
    ASSERT_TRUE(results);
    EXPECT_EQ((*results)[0].count[0], 1.0);
    EXPECT_NEAR((*results)[0].voronoi_density[0], 1.0 / 16.0, 1e-12);
    EXPECT_EQ((*results)[1].count[0], 2.0);
    EXPECT_NEAR((*results)[1].voronoi_density[0], 2.0 / 16.0, 1e-12);
}

TEST(MeasureAreas, says_what_is_wrong_with_an_area)
{
    const Trajectories made = two_walkers().finish();
    const auto message = [&](const AnalysisOptions& options) {
        const auto results = measure(made, options);
        return results ? std::string("no error") : results.error().message;
    };
    EXPECT_EQ(message(with_area("POLYGON ((9 9, 10 9, 10 10, 9 9))")),
              "area 'box': no part of it is on the floor");
    EXPECT_EQ(message(with_area("LINESTRING (0 0, 1 1)")),
              "area 'box': a measurement area is one POLYGON");
    EXPECT_EQ(message(with_area("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))")).substr(0, 11),
              "area 'box':");
    EXPECT_EQ(message(with_area("POLYGON ((0 0, 1 1, 2 2, 0 0))")).substr(0, 11), "area 'box':");
    EXPECT_EQ(message(with_area("rubbish")).substr(0, 11), "area 'box':");
    EXPECT_EQ(message(with_area("POLYGON ((0 0, 1e300 0, 1e300 1e300, 0 1e300, 0 0))")),
              "area 'box': it reaches farther than 1e+09 m from (0, 0)");
    for (const double cutoff : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
        EXPECT_NE(message(with_area(kRoom, cutoff)).find("cut-off"), std::string::npos);
    }
}

TEST(MeasureAreas, of_nothing_is_empty)
{
    const auto none = measure(TrajectoryMaker(10.0).finish(), with_area(kRoom));
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->front().time.empty());
    EXPECT_EQ(none->front().mean_density, 0.0);
    EXPECT_TRUE(sample(TrajectoryMaker(10.0).finish(), {}).empty());
}

TEST(DensitySpeedSample, holds_all_rows_of_a_short_recording)
{
    AnalysisOptions options;
    options.voronoi_cutoff = 100.0;
    const auto points = sample(two_walkers().finish(), options);
    ASSERT_EQ(points.size(), 5u);
    EXPECT_NEAR(points[0].density, 1.0 / 8.0, 1e-7);
    EXPECT_NEAR(points[0].speed, 1.0, 1e-6);
    EXPECT_NEAR(points[1].speed, 2.0, 1e-6);
    EXPECT_NEAR(points[4].density, 1.0 / 16.0, 1e-7);
    options.voronoi = false;
    EXPECT_TRUE(sample(two_walkers().finish(), options).empty());
}

TEST(DensitySpeedSample, leaves_out_rows_off_the_floor_and_without_speed)
{
    TrajectoryMaker maker(10.0, kRoom);
    maker.frame(0, {{1, {1, 1}}, {2, {9, 9}}, {3, {2, 2}}});
    maker.frame(1, {{1, {1, 1}}, {2, {9, 9}}});
    EXPECT_EQ(sample(maker.finish(), {}).size(), 2u);
}

TEST(DensitySpeedSample, takes_at_most_20000_rows_and_all_walkers_come_up)
{
    // 100 walkers in a row, each at a speed of its own; 500 frames: every 2.5th row.
    TrajectoryMaker maker(10.0);
    for (int f = 0; f < 500; ++f) {
        std::vector<TrajectoryMaker::Row> rows;
        for (int i = 0; i < 100; ++i) rows.push_back({i, {0.01 * (i + 1) * f, 10.0 * i}});
        maker.frame(f, rows);
    }
    const auto points = sample(maker.finish(), {});
    EXPECT_EQ(points.size(), kDensitySpeedRows);
    std::vector<int> seen(101, 0);
    for (const DensitySpeed& point : points) {
        EXPECT_NEAR(point.density, 1.0 / 3.0, 1e-6);
        ++seen[static_cast<std::size_t>(std::lround(point.speed * 10.0))];
    }
    for (std::size_t i = 1; i <= 100; ++i) {
        EXPECT_GT(seen[i], 150) << i;
        EXPECT_LT(seen[i], 250) << i;
    }
}

TEST(VoronoiMeasures, do_not_depend_on_the_number_of_threads)
{
    TrajectoryMaker maker = random_crowd(3, 60, 80, 12.0, 2);
    maker.info.levels = {
        {0, "POLYGON ((-5 -5, 17 -5, 17 17, -5 17, -5 -5), (3 3, 5 3, 5 4, 3 4, 3 3))"}, {1, ""}};
    const Trajectories made = maker.finish();
    AnalysisOptions options = with_area("POLYGON ((2 2, 9 2, 9 8, 5 8, 5 6, 2 6, 2 2))", 1.5);
    const auto one = measure(made, options, 1);
    const auto points = sample(made, options, 1);
    ASSERT_TRUE(one);
    EXPECT_GT(points.size(), 500u);
    for (const std::uint32_t threads : {2u, 5u}) {
        const auto many = measure(made, options, threads);
        ASSERT_TRUE(many);
        EXPECT_EQ(one->front().voronoi_density, many->front().voronoi_density);
        EXPECT_EQ(one->front().voronoi_speed, many->front().voronoi_speed);
        EXPECT_EQ(one->front().specific_flow, many->front().specific_flow);
        const auto again = sample(made, options, threads);
        ASSERT_EQ(points.size(), again.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            EXPECT_EQ(points[i].density, again[i].density);
            EXPECT_EQ(points[i].speed, again[i].speed);
        }
    }
}

}  // namespace
}  // namespace sidestep
