// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/recording.hpp"
#include "support/damage.hpp"
#include "support/data_sets.hpp"

namespace sidestep {
namespace {

/// What is known of a data set, and what its reader is told.
struct DataSet {
    std::string file;
    RecordingReadOptions options;
    double fps = 0.0;
    std::size_t people = 0, rows = 0;
    double least_speed = 0.0, most_speed = 0.0;  ///< mean over all that walk [m/s]
};

/// People who stand say nothing of a unit or a rate [m/s].
constexpr double kWalks = 0.3;

/// Mean over all steps of all who walk [m/s].
double walking_speed(const test::ReadBack& read)
{
    std::map<std::int64_t, std::pair<double, Vec2>> last;  // time and place of each
    double sum = 0.0;
    std::size_t steps = 0;
    for (const RecordedFrame& frame : read.frames) {
        const double time = static_cast<double>(frame.number) / read.info.fps;
        for (const RecordedAgent& agent : frame.agents) {
            const auto [before, is_new] = last.try_emplace(agent.id, time, agent.position);
            if (is_new) continue;
            const Vec2 way = agent.position - before->second.second;
            const double speed = std::hypot(way.x, way.y) / (time - before->second.first);
            before->second = {time, agent.position};
            if (speed < kWalks) continue;
            sum += speed;
            ++steps;
        }
    }
    return sum / static_cast<double>(steps);
}

const std::vector<std::string> kObsmat{"frame", "id", "x", "-", "y"};

TEST(DataSets, of_real_walkers_are_read_with_their_rates_units_and_columns)
{
    const std::string folder = test::data_folder();
    if (folder.empty()) GTEST_SKIP() << "SIDESTEP_DATA does not name a folder of data sets";
    const std::vector<DataSet> sets{
        // Hurried, in centimetres as the comments say.
        {"circle_antipode/circle-10m-64-2x.txt", {}, 25.0, 64, 29504, 1.2, 2.4},
        {"circle_antipode/circle-5m-16-1.txt", {}, 25.0, 16, 4032, 0.8, 2.0},
        {"wuppertal_bottleneck/040_c_56_h-.txt", {}, 25.0, 75, 63110, 0.3, 1.2},
        {"hermes_bidirectional/bo-360-050-050.txt",
         {.fps = 16.0, .unit = 0.01},
         16.0,
         118,
         18261,
         1.0,
         1.6},
        {"hermes_unidirectional/uo-050-180-180.txt",
         {.fps = 16.0, .unit = 0.01},
         16.0,
         61,
         9712,
         1.0,
         1.8},
        {"hermes_closed_corridor/ug-180-015_combined_MB.txt",
         {.fps = 16.0, .unit = 0.01},
         16.0,
         54,
         9158,
         1.0,
         1.3},
        {"eth_ucy/hotel_obsmat.txt", {.fps = 25.0, .columns = kObsmat}, 25.0, 390, 6544, 0.9, 1.5},
        {"eth_ucy/zara02_obsmat.txt", {.fps = 25.0, .columns = kObsmat}, 25.0, 204, 9537, 0.9, 1.5},
        {"eth_ucy/students003.txt",
         {.fps = 25.0, .columns = {"frame", "id", "x", "y"}},
         25.0,
         434,
         17953,
         0.7,
         1.4},
        {"citr/bidirection_no_vehicle_3v7_01_traj_ped_filtered.csv",
         {.fps = 29.97},
         29.97,
         10,
         3480,
         1.0,
         1.8},
        {"zucker/0_0.csv", {}, 60.0, 1, 629, 0.7, 1.5},
        {"zucker/0_98.csv", {}, 60.0, 4, 3592, 0.5, 1.5},
    };
    for (const DataSet& set : sets) {
        SCOPED_TRACE(set.file);
        const auto read = test::read_back(std::filesystem::path(folder) / set.file, set.options);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->info.fps, set.fps);
        std::set<std::int64_t> people;
        std::size_t rows = 0;
        for (const RecordedFrame& frame : read->frames) {
            rows += frame.agents.size();
            for (const RecordedAgent& agent : frame.agents) people.insert(agent.id);
        }
        EXPECT_EQ(people.size(), set.people);
        EXPECT_EQ(rows, set.rows);
        const double speed = walking_speed(*read);
        EXPECT_GE(speed, set.least_speed);
        EXPECT_LE(speed, set.most_speed);
    }
}

TEST(DataSets, annotated_every_tenth_frame_keep_their_numbers)
{
    const std::string folder = test::data_folder();
    if (folder.empty()) GTEST_SKIP() << "SIDESTEP_DATA does not name a folder of data sets";
    const auto read =
        test::read_back(folder + "/eth_ucy/hotel_obsmat.txt", {.fps = 25.0, .columns = kObsmat});
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->frames.size(), 1168u);
    EXPECT_EQ(read->frames[0].number, 1);
    EXPECT_EQ(read->frames[1].number, 11);
    EXPECT_EQ(read->frames.back().number, 18061);
    EXPECT_EQ(read->frames[0].agents[0].position, (Vec2{1.3983781, -5.7433032}));
}

}  // namespace
}  // namespace sidestep
