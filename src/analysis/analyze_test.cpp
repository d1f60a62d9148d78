// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sidestep/analysis.hpp"
#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::TrajectoryMaker;

constexpr const char* kRoom =
    "POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1), (3 3, 4 3, 4 4, 3 4, 3 3))";

AnalysisOptions busy_options(Vec2 shift = {}, std::uint32_t threads = 1)
{
    AnalysisOptions options;
    options.threads = threads;
    options.lines = {{"gate", Vec2{4, 0} + shift, Vec2{4, 8} + shift, 0}};
    return options;
}

/// Everything that may not depend on threads or on where the recording is.
std::vector<double> figures_of(const Analysis& a)
{
    std::vector<double> all;
    const auto add = [&](const Spread& s) {
        for (const double v : {s.mean, s.min, s.p5, s.median, s.p95, s.max}) all.push_back(v);
    };
    for (const Spread* s : {&a.speed, &a.travel_time, &a.path_ratio, &a.energy,
                            &a.encounters.passing_distance, &a.encounters.projected_distance})
        add(*s);
    for (const std::uint64_t v :
         {a.overlaps.pairs, a.overlaps.contacts, a.walls.centres_outside, a.walls.crossings,
          a.walls.penetrations, a.stalls.stalls, a.encounters.encounters, a.lanes.frames})
        all.push_back(static_cast<double>(v));
    for (const double v : {a.overlaps.deepest, a.walls.deepest, a.lanes.axis, a.lanes.order,
                           a.stalls.time, a.lines.empty() ? 0.0 : a.lines[0].flow})
        all.push_back(v);
    for (const GridResult& grid : a.grids) {
        for (std::size_t i = 0; i < grid.mean_density.size(); ++i) {
            all.push_back(grid.mean_density[i]);
            all.push_back(grid.peak_density[i]);
            if (!std::isnan(grid.mean_speed[i])) all.push_back(grid.mean_speed[i]);
        }
    }
    for (const DensitySpeed& point : a.density_speed) all.push_back(point.density);
    for (const float v : a.mean_speed_of_frame) all.push_back(std::isnan(v) ? -1.0 : double{v});
    for (const double v : a.lanes.order_of_frame) all.push_back(std::isnan(v) ? -1.0 : v);
    return all;
}

TEST(Analyze, has_a_row_for_each_frame_and_walker)
{
    TrajectoryMaker maker = test::random_crowd(1, 50, 60, 8.0);
    maker.info.levels[0].wkt = kRoom;
    const Trajectories t = maker.finish();
    const auto a = analyze(t, busy_options());
    ASSERT_TRUE(a) << a.error().message;
    EXPECT_EQ(a->rows, t.position.size());
    EXPECT_DOUBLE_EQ(a->duration, 5.9);
    EXPECT_EQ(a->present_of_frame.size(), 60u);
    EXPECT_EQ(a->overlaps.pairs_of_frame.size(), 60u);
    EXPECT_EQ(a->lanes.order_of_frame.size(), 60u);
    EXPECT_EQ(a->walkers.size(), t.walkers.size());
    EXPECT_EQ(a->options.frame_step, 2u);
    EXPECT_TRUE(a->options.lane_axis.has_value());
    EXPECT_EQ(a->lines.size(), 1u);
    EXPECT_GT(a->density_speed.size(), 0u);
    EXPECT_GT(a->overlaps.pairs, 0u);
    EXPECT_GT(a->walls.crossings, 0u);
}

TEST(Analyze, gives_the_same_bits_for_any_number_of_threads)
{
    TrajectoryMaker maker = test::random_crowd(2, 300, 130, 12.0, 2);
    maker.info.levels = {{0, kRoom}, {1, ""}};
    const Trajectories t = maker.finish();
    const auto one = analyze(t, busy_options({}, 1));
    ASSERT_TRUE(one) << one.error().message;
    for (const std::uint32_t threads : {2u, 3u, 0u}) {
        const auto several = analyze(t, busy_options({}, threads));
        ASSERT_TRUE(several);
        EXPECT_EQ(figures_of(*one), figures_of(*several)) << threads;
    }
}

TEST(Analyze, does_not_depend_on_where_the_recording_is)
{
    const Vec2 shift{1024, -4096};  // whole cells of the maps
    TrajectoryMaker here = test::random_crowd(3, 60, 50, 8.0);
    here.info.levels[0].wkt = "POLYGON ((-1 -1, 9 -1, 9 9, -1 9, -1 -1))";
    TrajectoryMaker there = here;
    there.info.levels[0].wkt =
        "POLYGON ((1023 -4097, 1033 -4097, 1033 -4087, 1023 -4087, 1023 -4097))";
    for (RecordedFrame& frame : there.frames) {
        for (RecordedAgent& agent : frame.agents) agent.position = agent.position + shift;
    }
    const auto a = analyze(here.finish(), busy_options());
    const auto b = analyze(there.finish(), busy_options(shift));
    ASSERT_TRUE(a);
    ASSERT_TRUE(b);
    const std::vector<double> of_a = figures_of(*a);
    const std::vector<double> of_b = figures_of(*b);
    ASSERT_EQ(of_a.size(), of_b.size());
    for (std::size_t i = 0; i < of_a.size(); ++i)
        EXPECT_NEAR(of_a[i], of_b[i], 1e-4 * (1.0 + std::abs(of_a[i]))) << i;
}

TEST(Analyze, does_not_depend_on_how_walkers_are_numbered)
{
    TrajectoryMaker maker = test::random_crowd(4, 60, 50, 8.0);
    TrajectoryMaker renumbered = maker;
    for (RecordedFrame& frame : renumbered.frames) {
        for (RecordedAgent& agent : frame.agents) agent.id = 1000 - agent.id;
        std::reverse(frame.agents.begin(), frame.agents.end());
    }
    const auto a = analyze(maker.finish(), busy_options());
    const auto b = analyze(renumbered.finish(), busy_options());
    ASSERT_TRUE(a);
    ASSERT_TRUE(b);
    EXPECT_EQ(a->overlaps.pairs, b->overlaps.pairs);
    EXPECT_EQ(a->overlaps.contacts, b->overlaps.contacts);
    EXPECT_EQ(a->overlaps.deepest, b->overlaps.deepest);
    EXPECT_EQ(a->encounters.encounters, b->encounters.encounters);
    EXPECT_EQ(a->encounters.passing_histogram, b->encounters.passing_histogram);
    EXPECT_EQ(a->speed.median, b->speed.median);
    EXPECT_NEAR(a->lanes.order, b->lanes.order, 1e-12);
    EXPECT_EQ(a->grids[0].mean_density, b->grids[0].mean_density);
}

TEST(Analyze, takes_recordings_of_nothing_and_of_next_to_nothing)
{
    TrajectoryMaker many_levels(10.0);
    many_levels.info.levels.clear();
    std::vector<TrajectoryMaker::Row> rows;
    for (std::uint32_t level = 0; level <= 0xffff; ++level) {
        many_levels.info.levels.push_back({static_cast<std::uint16_t>(level), ""});
        if (level % 97 == 0)
            rows.push_back({level, {1.0 * level, 0}, static_cast<std::uint16_t>(level)});
    }
    many_levels.frame(0, rows).frame(1, rows);
    TrajectoryMaker one_place(10.0, kRoom);
    for (int i = 0; i < 30; ++i) {
        std::vector<TrajectoryMaker::Row> all;
        for (int id = 0; id < 20; ++id) all.push_back({id, {1, 1}});
        one_place.frame(i, all);
    }
    TrajectoryMaker no_levels;
    no_levels.info.levels.clear();
    const Trajectories cases[] = {
        TrajectoryMaker().finish(),
        TrajectoryMaker(10.0, kRoom).frame(0, {}).finish(),
        TrajectoryMaker(10.0, kRoom).frame(7, {{1, {0, 0}}}).finish(),
        TrajectoryMaker().frame(7, {{1, {1e9, -1e9}}}).frame(9, {{1, {-1e9, 3}}}).finish(),
        TrajectoryMaker().frame(0, {{1, {0, 0}}, {2, {0, 0}}}).finish(),
        TrajectoryMaker().frame(0, {{1, {0, 0}}}).frame(1, {}).frame(2, {{1, {1, 0}}}).finish(),
        no_levels.frame(0, {{1, {0, 0}, 3}}).frame(1, {{1, {0.1, 0}, 3}}).finish(),
        many_levels.finish(),
        one_place.finish(),
    };
    for (const Trajectories& t : cases) {
        const auto a = analyze(t, busy_options());
        ASSERT_TRUE(a) << a.error().message;
        EXPECT_EQ(a->rows, t.position.size());
        EXPECT_EQ(a->present_of_frame.size(), t.frames.size());
        for (const double v : figures_of(*a)) EXPECT_TRUE(std::isfinite(v));
    }
}

TEST(Analyze, refuses_options_that_measure_nothing)
{
    const Trajectories t = TrajectoryMaker().frame(0, {{1, {0, 0}}}).finish();
    const auto message = [&](auto change) {
        AnalysisOptions options;
        change(options);
        const auto a = analyze(t, options);
        return a ? std::string() : a.error().message;
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(message([&](auto& o) { o.radius = nan; }), "");
    EXPECT_NE(message([&](auto& o) { o.radius = -1.0; }), "");
    EXPECT_NE(message([&](auto& o) { o.cell = 0.0; }), "");
    EXPECT_NE(message([&](auto& o) { o.encounter_range = nan; }), "");
    EXPECT_NE(message([&](auto& o) { o.voronoi_cutoff = -1.0; }), "");
    EXPECT_NE(message([&](auto& o) { o.lane_axis = nan; }), "");
    EXPECT_EQ(message([&](auto& o) {
                  o.lines = {{"a", {1, 1}, {1, 1}, 0}};
              }),
              "line 'a' has no length: both ends are (1, 1)");
    EXPECT_EQ(message([&](auto& o) {
                  o.lines = {{"", {1, 1}, {1, 2}, 0}};
              }),
              "a line needs a name");
    EXPECT_EQ(message([&](auto& o) {
                  o.lines = {{"a", {1, 1}, {1, 2}, 0}, {"a", {1, 1}, {3, 2}, 0}};
              }),
              "there are two lines named 'a'");
    EXPECT_NE(message([&](auto& o) {
                  o.areas = {{"a", "POINT (1 1)", 0}};
              }).find("area"),
              std::string::npos);
    EXPECT_EQ(message([&](auto& o) {
                  o.areas = {{"a", "POLYGON ((0 0, 1 0, 1 1, 0 0))", 9}};
              }),
              "area 'a': the recording has no level 9");
    EXPECT_EQ(message([&](auto& o) {
                  o.lines = {{"a", {0, 0}, {1, 0}, 9}};
              }),
              "line 'a': the recording has no level 9");
    EXPECT_EQ(message([&](auto& o) {
                  o.lines = {{"a", {0, 0}, {1e300, 0}, 0}};
              }),
              "line 'a' reaches farther than 1e+09 m from (0, 0)");
    EXPECT_EQ(message([](auto&) {}), "");
}

TEST(Analyze, knows_a_level_that_somebody_is_on)
{
    const Trajectories t = TrajectoryMaker().frame(0, {{1, {0, 0}, 9}}).finish();
    AnalysisOptions options;
    options.lines = {{"a", {0, 0}, {1, 0}, 9}};
    EXPECT_TRUE(analyze(t, options));
}

TEST(Analyze, refuses_positions_that_are_nowhere)
{
    for (const double far : {5e15, 1e16, 1e300}) {
        const Trajectories t = TrajectoryMaker()
                                   .frame(0, {{1, {0, 0}}, {4, {0, 0}}})
                                   .frame(17, {{1, {0, 0}}, {4, {far, far}}})
                                   .finish();
        const auto a = analyze(t);
        ASSERT_FALSE(a) << far;
        EXPECT_EQ(a.error().message.find("made.sqlite: walker 4 is at ("), 0u) << a.error().message;
        EXPECT_NE(a.error().message.find("in frame 17"), std::string::npos) << a.error().message;
    }
}

TEST(Analyze, takes_a_geometry_it_cannot_read_for_an_open_plane_and_says_so)
{
    for (const char* wkt :
         {"POLYGON ((0 0, 1 0", "LINESTRING (0 0, 1 1)", "rubbish",
          "POLYGON ((0 0, 1 1, 2 2, 0 0))", "POLYGON ((0 0, 1e16 0, 1e16 1e16, 0 1e16, 0 0))",
          "POLYGON ((0 0, 1e300 0, 1e300 1e300, 0 1e300, 0 0))"}) {
        TrajectoryMaker maker = test::random_crowd(5, 10, 20, 8.0, 2);
        maker.info.levels = {{0, kRoom}, {1, wkt}};
        AnalysisOptions options = busy_options();
        options.areas = {{"box", "POLYGON ((4 4, 6 4, 6 6, 4 6, 4 4))", 1}};
        const auto a = analyze(maker.finish(), options);
        ASSERT_TRUE(a) << wkt << ": " << a.error().message;
        ASSERT_EQ(a->notes.size(), 1u) << wkt;
        EXPECT_EQ(a->notes[0].find("the geometry of level 1 is passed over"), 0u) << a->notes[0];
        EXPECT_TRUE(a->walls.has_walls);
        EXPECT_DOUBLE_EQ(a->areas[0].size, 4.0);
    }
    EXPECT_TRUE(analyze(TrajectoryMaker(10.0, kRoom).frame(0, {}).finish())->notes.empty());
}

TEST(Analyze, leaves_walks_that_are_not_whole_out_of_ratio_and_energy)
{
    TrajectoryMaker maker(10.0);
    for (int i = 0; i < 60; ++i) {
        std::vector<TrajectoryMaker::Row> rows{{1, {0.1 * i, 0}}, {2, {0.1 * i, 5}}};
        if (i >= 20 && i < 40) rows.pop_back();
        maker.frame(i, rows);
    }
    maker.frame(60, {});
    const auto a = analyze(maker.finish());
    ASSERT_TRUE(a);
    EXPECT_EQ(a->travel_time.count, 2u);
    EXPECT_EQ(a->path_ratio.count, 1u);
    EXPECT_NEAR(a->path_ratio.min, 1.0, 1e-9);
    EXPECT_EQ(a->energy.count, 1u);
}

TEST(Analyze, tells_frames_apart_whose_times_are_the_same_number)
{
    const auto figures = [](std::int64_t first) {
        TrajectoryMaker maker = test::random_crowd(6, 20, 40, 8.0);
        for (RecordedFrame& frame : maker.frames) frame.number += first;
        const auto a = analyze(maker.finish(), busy_options());
        EXPECT_TRUE(a);
        std::vector<double> all = figures_of(*a);
        for (const WalkerResult& w : a->walkers) {
            for (const double v : {w.travel_time, w.mean_speed, w.energy, w.path_ratio})
                all.push_back(v);
        }
        all.push_back(a->duration);
        return all;
    };
    // A line's flow is made from times themselves; the rest must not lose a digit.
    std::vector<double> near = figures(0), far = figures(std::int64_t{1} << 61);
    ASSERT_EQ(near.size(), far.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < near.size(); ++i) different += near[i] != far[i] ? 1 : 0;
    EXPECT_LE(different, 1u);
    for (const double v : far) EXPECT_TRUE(std::isfinite(v));
}

TEST(Analyze, refuses_columns_that_do_not_fit_together)
{
    const Trajectories good =
        TrajectoryMaker().frame(0, {{1, {0, 0}}, {2, {1, 1}}}).frame(1, {{2, {1, 2}}}).finish();
    const auto breaks = [&](auto change) {
        Trajectories t = good;
        change(t);
        return !analyze(t);
    };
    EXPECT_FALSE(breaks([](auto&) {}));
    EXPECT_TRUE(breaks([](auto& t) { t.position[1].x = std::nan(""); }));
    EXPECT_TRUE(breaks([](auto& t) { t.position.pop_back(); }));
    EXPECT_TRUE(breaks([](auto& t) { t.walker[0] = 99; }));
    EXPECT_TRUE(breaks([](auto& t) { t.walker_row[0] = 99; }));
    EXPECT_TRUE(breaks([](auto& t) { t.frames[1] = 0; }));
    EXPECT_TRUE(breaks([](auto& t) { t.frame_begin.back() = 17; }));
    EXPECT_TRUE(breaks([](auto& t) { t.info.fps = 0.0; }));
    EXPECT_TRUE(breaks([](auto& t) { t.walkers[0].radius = 1e9; }));
}

TEST(SpreadOf, has_quantiles_between_values_and_passes_over_what_is_not_finite)
{
    const Spread s = spread_of({5.0, 1.0, std::nan(""), 2.0, 4.0, 3.0, HUGE_VAL});
    EXPECT_EQ(s.count, 5u);
    EXPECT_DOUBLE_EQ(s.mean, 3.0);
    EXPECT_DOUBLE_EQ(s.min, 1.0);
    EXPECT_DOUBLE_EQ(s.p5, 1.2);
    EXPECT_DOUBLE_EQ(s.median, 3.0);
    EXPECT_DOUBLE_EQ(s.p95, 4.8);
    EXPECT_DOUBLE_EQ(s.max, 5.0);
    EXPECT_DOUBLE_EQ(spread_of({1.0, 2.0}).median, 1.5);
    EXPECT_EQ(spread_of({7.0}).p95, 7.0);
    EXPECT_EQ(spread_of({}).count, 0u);
    EXPECT_EQ(spread_of({}).max, 0.0);
}

}  // namespace
}  // namespace sidestep
