// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "analysis/areas.hpp"
#include "analysis/check_input.hpp"
#include "analysis/encounters.hpp"
#include "analysis/flow.hpp"
#include "analysis/grids.hpp"
#include "analysis/lanes.hpp"
#include "analysis/level_floors.hpp"
#include "analysis/overlaps.hpp"
#include "analysis/spread.hpp"
#include "analysis/track.hpp"
#include "analysis/velocities.hpp"
#include "analysis/walks.hpp"
#include "analysis/walls.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {
namespace {

void measure_frames(const Trajectories& t, const Velocities& velocities, Workers& workers,
                    Analysis& analysis)
{
    analysis.present_of_frame.resize(t.frames.size());
    analysis.mean_speed_of_frame.resize(t.frames.size());
    parallel_for(workers, t.frames.size(), [&](std::size_t frame, std::uint32_t) {
        const std::size_t begin = t.frame_begin[frame];
        const std::size_t end = t.frame_begin[frame + 1];
        double sum = 0.0;
        std::size_t known = 0;
        for (std::size_t row = begin; row < end; ++row) {
            if (!velocities.known(row)) continue;
            sum += velocities.speed(row);
            ++known;
        }
        analysis.present_of_frame[frame] = static_cast<std::uint32_t>(end - begin);
        analysis.mean_speed_of_frame[frame] =
            known > 0 ? static_cast<float>(sum / static_cast<double>(known))
                      : std::numeric_limits<float>::quiet_NaN();
    });
}

Spread spread_of_speeds(const Velocities& velocities)
{
    std::vector<float> speeds(velocities.x.size());
    for (std::size_t row = 0; row < speeds.size(); ++row)
        speeds[row] = static_cast<float>(velocities.speed(row));  // NaN where it is not known
    return make_spread(speeds);
}

void measure_walkers(const Trajectories& t, const Velocities& velocities, Workers& workers,
                     Analysis& analysis)
{
    analysis.walkers = measure_walks(t, velocities, workers);
    analysis.stalls = sum_stalls(analysis.walkers);
    Arrivals arrivals = find_arrivals(t, analysis.walkers);
    analysis.arrival_times = std::move(arrivals.times);
    analysis.travel_time = make_spread(arrivals.travel_times);
    std::vector<double> ratios, energies;
    for (const WalkerResult& walker : analysis.walkers) {
        if (!walker.has_arrived) continue;
        if (walker.is_whole) energies.push_back(walker.energy);
        if (walker.path_ratio > 0.0) ratios.push_back(walker.path_ratio);
    }
    analysis.path_ratio = make_spread(ratios);
    analysis.energy = make_spread(energies);
}

Result<Analysis> measure(const Trajectories& t, const AnalysisOptions& options)
{
    Workers workers(options.threads, Executor{});
    Analysis analysis;
    analysis.options = options;
    analysis.options.frame_step = frame_step_of(t, options.frame_step);
    analysis.rows = t.position.size();
    if (!t.frames.empty()) analysis.duration = t.seconds_between(0, t.frames.size() - 1);

    const Velocities velocities = individual_velocities(t, analysis.options.frame_step, workers);
    measure_frames(t, velocities, workers, analysis);
    analysis.speed = spread_of_speeds(velocities);
    measure_walkers(t, velocities, workers, analysis);
    const std::vector<double> radii = radii_of(t, options.radius);
    analysis.overlaps = measure_overlaps(t, radii, workers);
    analysis.encounters = measure_encounters(t, velocities, joined_rows(t, workers),
                                             options.encounter_range, workers);
    analysis.lanes = measure_lanes(t, velocities, options.lane_axis, workers);
    analysis.options.lane_axis = analysis.lanes.axis;

    const LevelFloors floors = LevelFloors::read(t.info, analysis.notes);
    analysis.walls = measure_walls(t, floors, radii, workers);
    analysis.grids = measure_grids(t, floors, velocities, options.cell, workers);
    auto areas = measure_areas(t, floors, velocities, options, workers);
    if (!areas) return areas.error();
    analysis.areas = *std::move(areas);
    auto sample = sample_density_speed(t, floors, velocities, options, workers);
    if (!sample) return sample.error();
    analysis.density_speed = *std::move(sample);
    analysis.lines = line_flows(t, velocities, options.lines);
    analysis.exits = exit_flows(t, velocities);
    return analysis;
}

}  // namespace

Result<Analysis> analyze(const Trajectories& trajectories, const AnalysisOptions& options)
{
    if (auto checked = check_options(options); !checked) return checked.error();
    if (auto checked = check_trajectories(trajectories); !checked) return checked.error();
    if (auto checked = check_levels(options, trajectories); !checked) return checked.error();
    try {
        return measure(trajectories, options);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory,
                     trajectories.name + ": no memory to analyse it; take fewer frames"};
    }
}

}  // namespace sidestep
