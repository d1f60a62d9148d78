// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
//
// What is measured in a recording of every step agrees with what the run counted of itself.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/trajectories.hpp"
#include "sidestep/analysis.hpp"
#include "sidestep/simulation.hpp"
#include "support/run_scene.hpp"

namespace sidestep {
namespace {

struct Recorded {
    RunSummary summary;
    Trajectories trajectories;
};

void append(RecordedNotes& all, RecordedNotes notes)
{
    all.events.insert(all.events.end(), notes.events.begin(), notes.events.end());
    all.walkers.insert(all.walkers.end(), notes.walkers.begin(), notes.walkers.end());
    all.ends.insert(all.ends.end(), notes.ends.begin(), notes.ends.end());
}

/// Runs a scene with a frame for every step.
std::optional<Recorded> record_all(std::string_view scene, double until)
{
    const std::optional<Scenario> scenario = test::read_scene(scene);
    if (!scenario) return std::nullopt;
    Problems problems;
    SimulationOptions options;
    options.duration = until;
    std::optional<Simulation> simulation = Simulation::create(*scenario, options, problems);
    if (!simulation) {
        ADD_FAILURE() << test::list(problems);
        return std::nullopt;
    }
    RecordingInfo info = simulation->recording_info();
    info.fps = 1.0 / scenario->world.step;
    TrajectoryCollector collector(info);
    RecordedNotes notes;
    RecordedFrame frame;
    for (;;) {
        append(notes, simulation->take_notes());
        simulation->fill(frame);
        frame.number = static_cast<std::int64_t>(simulation->world().step_index());
        EXPECT_TRUE(collector.add(frame));
        if (simulation->finished()) break;
        EXPECT_FALSE(simulation->step().fault);
    }
    return Recorded{simulation->summary(), collector.finish(notes)};
}

class RecordedRun : public testing::TestWithParam<const char*> {};

TEST_P(RecordedRun, is_measured_as_the_run_counted)
{
    const std::optional<Recorded> run = record_all(GetParam(), 60.0);
    ASSERT_TRUE(run);
    const auto measured = analyze(run->trajectories);
    ASSERT_TRUE(measured) << measured.error().message;
    const RunSummary& s = run->summary;
    const Analysis& a = *measured;

    EXPECT_EQ(a.walkers.size(), s.spawned);
    EXPECT_EQ(a.arrival_times.size(), s.arrived);
    if (s.arrived > 0) {
        EXPECT_NEAR(a.arrival_times.back(), s.last_arrival, 1e-9);
        EXPECT_NEAR(a.travel_time.mean, s.mean_travel_time, 1e-6);
        EXPECT_NEAR(a.travel_time.max, s.slowest_travel_time, 1e-6);
    }
    // A run counts overlaps at the start of each step, in single precision.
    std::uint64_t pairs = 0;
    for (std::uint64_t i = 0; i < s.steps; ++i) pairs += a.overlaps.pairs_of_frame[i];
    const double counted = s.overlap_pairs_per_frame * static_cast<double>(s.steps);
    EXPECT_NEAR(static_cast<double>(pairs), counted, 1.0);
    EXPECT_NEAR(a.overlaps.deepest, s.deepest_overlap, 1e-5);

    EXPECT_EQ(a.walls.penetrations, s.wall_penetrations);
    EXPECT_EQ(a.walls.centres_outside, 0u);
    EXPECT_EQ(a.walls.crossings, 0u);
    if (s.arrived > 0) {
        EXPECT_NEAR(a.path_ratio.mean, s.mean_path_ratio, 0.01);
    }
    // Its speeds are those of one step, ours are taken over 0.4 s: not the same stalls, but as
    // many.
    EXPECT_LE(static_cast<double>(a.stalls.stalls), 1.5 * static_cast<double>(s.stalls) + 3.0);
    EXPECT_GE(static_cast<double>(a.stalls.stalls), 0.5 * static_cast<double>(s.stalls) - 3.0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, RecordedRun,
                         testing::Values("bottleneck", "two-streams", "room-two-exits",
                                         "two-head-on", "evac-500"),
                         [](const auto& scene) {
                             std::string name = scene.param;
                             for (char& c : name) c = c == '-' ? '_' : c;
                             return name;
                         });

}  // namespace
}  // namespace sidestep
