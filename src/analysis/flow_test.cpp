// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::TrajectoryMaker;

const MeasureLine kGate{"gate", {0, 0}, {2, 0}, 0};  // forward is +y

FlowResult flow_through(const TrajectoryMaker& maker, const MeasureLine& line = kGate)
{
    const Trajectories made = maker.finish();
    Workers workers(1, {});
    const Velocities velocities = individual_velocities(made, 1, workers);
    return line_flows(made, velocities, std::span(&line, 1)).front();
}

/// One walker at x = 1, its y frame by frame, 10 frames a second.
TrajectoryMaker walk(const std::vector<double>& ys, double x = 1.0)
{
    TrajectoryMaker maker(10.0);
    for (std::size_t i = 0; i < ys.size(); ++i)
        maker.frame(static_cast<std::int64_t>(i), {{7, {x, ys[i]}}});
    return maker;
}

TEST(LineFlow, takes_the_time_of_a_crossing_inside_the_step)
{
    const FlowResult flow = flow_through(walk({-0.3, -0.1, 0.3, 0.7}));
    ASSERT_EQ(flow.crossings.size(), 1u);
    EXPECT_EQ(flow.crossings[0].id, 7);
    EXPECT_TRUE(flow.crossings[0].forward);
    EXPECT_NEAR(flow.crossings[0].time, 0.1 + 0.1 * 0.25, 1e-12);
    EXPECT_NEAR(flow.crossings[0].speed, 4.0, 1e-6);  // (0.7 + 0.1) / 0.2 of the row after it
    EXPECT_EQ(flow.name, "gate");
    EXPECT_EQ(flow.width, 2.0);
    EXPECT_EQ(flow.forward, 1u);
    EXPECT_EQ(flow.backward, 0u);
    EXPECT_NEAR(flow.mean_speed, 4.0, 1e-6);
}

TEST(LineFlow, calls_forward_what_goes_to_the_left_of_the_line)
{
    MeasureLine turned = kGate;
    std::swap(turned.a, turned.b);
    EXPECT_EQ(flow_through(walk({-0.1, 0.1})).forward, 1u);
    EXPECT_EQ(flow_through(walk({0.1, -0.1})).backward, 1u);
    EXPECT_EQ(flow_through(walk({-0.1, 0.1}), turned).backward, 1u);
}

TEST(LineFlow, counts_a_walker_that_stops_on_the_line_when_it_leaves_it)
{
    const FlowResult flow = flow_through(walk({-0.1, 0.0, 0.0, 0.0, 0.2}));
    ASSERT_EQ(flow.crossings.size(), 1u);
    EXPECT_NEAR(flow.crossings[0].time, 0.3, 1e-12);
}

TEST(LineFlow, does_not_count_touching_the_line_and_turning_back)
{
    EXPECT_TRUE(flow_through(walk({-0.1, 0.0, -0.1})).crossings.empty());
    EXPECT_TRUE(flow_through(walk({-0.1, 0.0, 0.0, -0.2})).crossings.empty());
    EXPECT_TRUE(flow_through(walk({-0.1, -0.01, -0.1})).crossings.empty());
}

TEST(LineFlow, does_not_count_one_that_begins_or_ends_on_the_line)
{
    EXPECT_TRUE(flow_through(walk({0.0, 0.1})).crossings.empty());
    EXPECT_TRUE(flow_through(walk({-0.1, 0.0})).crossings.empty());
}

TEST(LineFlow, does_not_count_walking_along_the_line_and_counts_leaving_it_across)
{
    TrajectoryMaker along(10.0);
    along.frame(0, {{1, {0.5, -0.1}}})
        .frame(1, {{1, {0.5, 0.0}}})
        .frame(2, {{1, {1.0, 0.0}}})
        .frame(3, {{1, {1.5, 0.0}}});
    EXPECT_TRUE(flow_through(along).crossings.empty());
    TrajectoryMaker across = along;
    across.frame(4, {{1, {1.5, 0.1}}});
    ASSERT_EQ(flow_through(across).crossings.size(), 1u);
    EXPECT_NEAR(flow_through(across).crossings[0].time, 0.3, 1e-12);
    // Past the end of the gate along its line, and across only there.
    TrajectoryMaker beyond = along;
    beyond.frame(4, {{1, {2.5, 0.0}}}).frame(5, {{1, {2.5, 0.1}}});
    EXPECT_TRUE(flow_through(beyond).crossings.empty());
}

TEST(LineFlow, counts_between_the_ends_of_the_line_ends_included)
{
    EXPECT_EQ(flow_through(walk({-0.1, 0.1}, 0.0)).forward, 1u);
    EXPECT_EQ(flow_through(walk({-0.1, 0.1}, 2.0)).forward, 1u);
    EXPECT_EQ(flow_through(walk({-0.1, 0.1}, -0.001)).forward, 0u);
    EXPECT_EQ(flow_through(walk({-0.1, 0.1}, 2.001)).forward, 0u);
    MeasureLine point{"point", {1, 0}, {1, 0}, 0};
    EXPECT_TRUE(flow_through(walk({-0.1, 0.1}), point).crossings.empty());
    EXPECT_EQ(flow_through(walk({-0.1, 0.1}), point).specific_flow, 0.0);
}

TEST(LineFlow, does_not_cross_in_a_gap_of_the_track)
{
    TrajectoryMaker maker(10.0);
    for (int i = 0; i < 20; ++i) {
        if (i >= 9 && i <= 11) {
            maker.frame(i, {});
        } else {
            maker.frame(i, {{1, {1.0, -0.95 + 0.1 * i}}});
        }
    }
    EXPECT_TRUE(flow_through(maker).crossings.empty());
}

TEST(LineFlow, looks_at_its_own_level_only)
{
    TrajectoryMaker maker(10.0);
    maker.info.levels.push_back({1, ""});
    maker.frame(0, {{1, {1, -0.1}, 1}, {2, {1, -0.1}, 0}, {3, {1, -0.1}, 0}})
        .frame(1, {{1, {1, 0.1}, 1}, {2, {1, 0.1}, 1}, {3, {1, 0.1}, 0}})
        .frame(2, {{1, {1, 0.3}, 1}, {2, {1, 0.3}, 1}, {3, {1, 0.3}, 0}});
    const FlowResult flow = flow_through(maker);
    ASSERT_EQ(flow.crossings.size(), 1u);
    EXPECT_EQ(flow.crossings[0].id, 3);
}

TEST(LineFlow, keeps_all_crossings_and_counts_the_first_of_each_in_n_t)
{
    const FlowResult flow = flow_through(walk({-0.1, 0.1, -0.1, 0.1}));
    EXPECT_EQ(flow.forward, 2u);
    EXPECT_EQ(flow.backward, 1u);
    const auto curve = n_t(flow);
    ASSERT_EQ(curve.size(), 1u);
    EXPECT_NEAR(curve[0].first, 0.05, 1e-12);
    EXPECT_EQ(curve[0].second, 1u);
}

/// `count` walkers in a row that cross upwards, one each `every` s from 0.5 s.
TrajectoryMaker stream(int count, double every)
{
    TrajectoryMaker maker(20.0);
    const int frames = static_cast<int>((count * every + 2.0) * 20.0);
    for (int f = 0; f < frames; ++f) {
        std::vector<TrajectoryMaker::Row> rows;
        for (int i = 0; i < count; ++i)
            rows.push_back({i, {1.0, 1.0 * (f / 20.0 - 0.5 - i * every)}});
        maker.frame(f, rows);
    }
    return maker;
}

TEST(LineFlow, of_a_steady_stream_is_its_rate)
{
    for (const int count : {3, 4, 5, 11, 50}) {
        SCOPED_TRACE(count);
        const FlowResult flow = flow_through(stream(count, 0.4));
        EXPECT_EQ(flow.forward, static_cast<std::uint64_t>(count));
        EXPECT_NEAR(flow.flow, 2.5, 1e-9);
        EXPECT_NEAR(flow.specific_flow, 1.25, 1e-9);
        EXPECT_NEAR(flow.mean_speed, 1.0, 1e-5);
        const auto curve = n_t(flow);
        ASSERT_EQ(curve.size(), static_cast<std::size_t>(count));
        EXPECT_NEAR(curve.back().first, 0.5 + 0.4 * (count - 1), 1e-9);
        EXPECT_EQ(curve.back().second, static_cast<std::uint64_t>(count));
    }
}

TEST(LineFlow, needs_three_walkers)
{
    EXPECT_EQ(flow_through(stream(2, 0.4)).flow, 0.0);
    EXPECT_EQ(flow_through(stream(2, 0.4)).forward, 2u);
    EXPECT_EQ(flow_through(TrajectoryMaker(10.0)).flow, 0.0);
}

TEST(FlowOf, leaves_out_the_first_and_the_last_fifth)
{
    // 11 times: from the third to the ninth there are 6 intervals in 3 s.
    const std::vector<double> times{0, 5, 10, 10.5, 11, 11.5, 12, 12.5, 13, 20, 40};
    EXPECT_NEAR(flow_of(times), 6.0 / 3.0, 1e-12);
    // 3 times: from 0.4 of the first interval to 0.6 of the second.
    EXPECT_NEAR(flow_of(std::vector<double>{0, 1, 3}), 1.2 / (0.6 + 1.2), 1e-12);
    EXPECT_EQ(flow_of(std::vector<double>{4, 4, 4, 4}), 0.0);
    EXPECT_EQ(flow_of({}), 0.0);
}

TEST(ExitFlow, takes_exact_times_from_the_notes_and_names_every_exit)
{
    TrajectoryMaker maker(10.0);
    maker.frame(0, {{1, {0, 0}}, {2, {0, 1}}, {3, {0, 2}}, {4, {0, 3}}});
    maker.frame(1, {{1, {0.1, 0}}, {2, {0.2, 1}}, {3, {0.3, 2}}, {4, {0, 3}}});
    maker.info.places = {{"west", "exit", 0, "LINESTRING (0 0, 0 1.5, 1 1.5)"},
                         {"hall", "zone", 0, "POLYGON ((0 0, 1 0, 1 1, 0 0))"},
                         {"east", "exit", 0, "POLYGON ((0 0, 1 0, 1 1, 0 0))"}};
    maker.notes.ends = {{3, 2.25, "left", "west", 0, 0, true},
                        {1, 0.75, "left", "west", 0, 0, true},
                        {2, 1.25, "left", "west", 0, 0, true},
                        {4, 1.00, "stays", "hall", 0, 0, true}};
    const Trajectories made = maker.finish();
    Workers workers(1, {});
    const auto flows = exit_flows(made, individual_velocities(made, 1, workers));
    ASSERT_EQ(flows.size(), 2u);
    EXPECT_EQ(flows[0].name, "west");
    EXPECT_EQ(flows[0].width, 2.5);
    ASSERT_EQ(flows[0].crossings.size(), 3u);
    EXPECT_EQ(flows[0].crossings[0].id, 1);
    EXPECT_EQ(flows[0].crossings[2].time, 2.25);
    EXPECT_NEAR(flows[0].mean_speed, 2.0, 1e-6);  // 1, 2 and 3 m/s
    EXPECT_NEAR(flows[0].flow, 1.2 / (0.3 + 0.6), 1e-12);
    EXPECT_NEAR(flows[0].specific_flow, 1.2 / 0.9 / 2.5, 1e-12);
    EXPECT_EQ(flows[1].name, "east");
    EXPECT_EQ(flows[1].width, 0.0);
    EXPECT_TRUE(flows[1].crossings.empty());
    EXPECT_EQ(flows[1].specific_flow, 0.0);
}

}  // namespace
}  // namespace sidestep
