// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/recording.hpp"
#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

// ---------------------------------------------------------------------------------------------
// formulas of two or one

/// When and how close two walkers will pass if nobody changes velocity.
struct ClosestApproach {
    double time = 0.0;      ///< from now [s], 0 if they separate already
    double distance = 0.0;  ///< between centres then [m]
};

/// Projected closest approach of a and b: positions [m], velocities [m/s], all finite.
Result<ClosestApproach> closest_approach(Vec2 pos_a, Vec2 vel_a, Vec2 pos_b, Vec2 vel_b);

/// Energy of a walk [J] given one velocity per step of dt > 0 [s] and the walker's mass >= 0 [kg]:
/// m * sum (2.23 + 1.26 |v|^2) dt, a fit for people on level ground.
Result<double> walking_energy(std::span<const Vec2> velocities, double dt, double mass);

// ---------------------------------------------------------------------------------------------
// a recording in columns

/// A whole recording in memory, some 40 bytes a row. Rows are in the order (frame, id).
struct Trajectories {
    std::string name;  ///< of the file, without its folder
    RecordingInfo info;
    RecordedNotes notes;
    std::vector<std::string> damage;  ///< what was passed over
    bool is_closed = true;            ///< see RecordingReader::is_closed

    std::vector<std::int64_t> frames;      ///< numbers, ascending; also those with nobody in them
    std::vector<std::size_t> frame_begin;  ///< first row of each frame, and the number of rows
    std::vector<std::uint32_t> walker;     ///< of each row: index into `walkers`
    std::vector<std::uint16_t> level;      ///< of each row
    std::vector<Vec2> position;            ///< of each row [m]
    std::vector<Vec2> body_position;       ///< of each frame, info.bodies.size() each [m]

    struct Walker {
        std::int64_t id = 0;
        double radius = 0.0;               ///< [m]; NaN: the recording does not say
        std::uint32_t note = 0xffffffffu;  ///< index into notes.walkers, if any
        std::uint32_t end = 0xffffffffu;   ///< index into notes.ends, if any
    };
    std::vector<Walker> walkers;            ///< in id order
    std::vector<std::size_t> walker_begin;  ///< first in walker_row of each, and the number of rows
    std::vector<std::uint32_t> walker_row;  ///< rows of each walker, in the order of time

    double time_of(std::size_t frame_index) const
    {
        return static_cast<double>(frames[frame_index]) / info.fps;
    }
    /// From a frame to one that is not before it [s]. Of large numbers of frames the difference has
    /// digits that times do not have.
    double seconds_between(std::size_t frame_index, std::size_t later) const
    {
        return static_cast<double>(static_cast<std::uint64_t>(frames[later]) -
                                   static_cast<std::uint64_t>(frames[frame_index])) /
               info.fps;
    }
};

struct LoadOptions {
    RecordingReadOptions read{};
    double every = 0.0;  ///< at least this between two frames [s]; 0: all
    double from = -std::numeric_limits<double>::infinity();  ///< frames, events, ends from then [s]
    double to = std::numeric_limits<double>::infinity();     ///< to then [s]
};

/// Reads a whole recording.
Result<Trajectories> load_trajectories(const std::string& path, const LoadOptions& options = {});

/// Why figures of a recording are to be taken with care, in sentences: damage that was passed over,
/// a run that did not end by itself, people who were changed by events while their notes were not,
/// speeds that nobody has.
/// Empty: nothing is known against it.
std::vector<std::string> cautions_of(const Trajectories& trajectories);

// ---------------------------------------------------------------------------------------------
// what to measure

struct MeasureLine {
    std::string name;
    Vec2 a{}, b{};  ///< [m]; forward is to the left of a -> b
    std::uint16_t level = 0;
};

struct MeasureArea {
    std::string name;
    std::string wkt;  ///< POLYGON [m]
    std::uint16_t level = 0;
};

struct AnalysisOptions {
    double radius = 0.2;  ///< of those whose radius the recording does not say [m]
    /// Speeds are taken over this many frames before and after ([PedPy] frame_step); 0: as many as
    /// make about 0.4 s in all, at least 1.
    std::uint32_t frame_step = 0;
    double cell = 0.5;             ///< side of a cell of the heat maps [m]
    double voronoi_cutoff = 1.0;   ///< a cell reaches no farther than this [m]
    double encounter_range = 2.0;  ///< two that come closer than this meet [m]
    std::vector<MeasureLine> lines;
    std::vector<MeasureArea> areas;
    /// Axis of lanes [rad]; none: that along which most of the walking is done.
    std::optional<double> lane_axis{};
    std::uint32_t threads = 0;  ///< 0: one per hardware thread
    bool voronoi = true;        ///< local densities of everybody, for speed over density
};

// ---------------------------------------------------------------------------------------------
// what was measured

/// Of a list of values; all 0 where it is empty.
struct Spread {
    std::uint64_t count = 0;
    double mean = 0.0, min = 0.0, p5 = 0.0, median = 0.0, p95 = 0.0, max = 0.0;
};
Spread spread_of(std::vector<double> values);

struct OverlapResult {
    std::uint64_t pairs = 0;       ///< pair-frames in which two discs overlap by more than 1 mm
    double pairs_per_frame = 0.0;  ///< over frames with somebody in them
    std::uint64_t contacts = 0;    ///< from touch to release, each once; these, too
    double deepest = 0.0;          ///< [m]
    double deepest_time = 0.0;     ///< [s]
    std::int64_t deepest_a = 0, deepest_b = 0;  ///< ids
    std::vector<std::uint32_t> pairs_of_frame;
    std::vector<float> deepest_of_frame;  ///< [m]
};

struct WallResult {
    bool has_walls = false;             ///< else all is 0: no walls are known
    std::uint64_t centres_outside = 0;  ///< rows whose centre is not on the floor
    std::uint64_t crossings = 0;        ///< moves between two frames that cross a wall
    std::uint64_t penetrations = 0;  ///< rows whose disc is more than 1 cm in a wall; all of those
                                     ///< whose centre is off the floor, too
    double deepest = 0.0;            ///< of a disc whose centre is on the floor [m]
};

/// Below 0.2 m/s for 2 s or more, while under way: from setting off to the end of the journey as
/// the notes say; else from the first 0.2 m/s to the last row.
struct StallResult {
    std::uint64_t stalls = 0;
    std::uint64_t walkers = 0;  ///< who stalled at least once
    double time = 0.0;          ///< in all [s]
};

struct WalkerResult {
    std::int64_t id = 0;
    double first_time = 0.0, last_time = 0.0;  ///< in the recording [s]
    double travel_time = 0.0;  ///< from setting off to the end of the journey [s]; without notes
                               ///< last_time - first_time
    bool has_arrived = false;  ///< as the notes say; without notes: was gone before the last frame
    /// Recorded from setting off to the end of the journey, as the notes say, without a gap;
    /// without notes: without a gap.
    bool is_whole = false;
    double path_length = 0.0;   ///< of what was recorded, to the end of the journey [m]
    double straight = 0.0;      ///< from the first to the last position [m]
    double shortest_way = 0.0;  ///< as the notes say [m]; 0: not known
    /// path_length / shortest_way, else / straight; 0: the track is not whole, or no way to speak
    /// of
    double path_ratio = 0.0;
    double mean_speed = 0.0;  ///< path_length over the time it took [m/s]
    double energy = 0.0;      ///< of what was recorded, to the end of the journey [J/kg]
    std::uint32_t stalls = 0;
    double stalled_time = 0.0;  ///< [s]
};

struct Crossing {
    double time = 0.0;  ///< inside the step between two frames [s]
    std::int64_t id = 0;
    bool forward = true;
    double speed = 0.0;  ///< [m/s]
};

/// Through a line or an exit.
struct FlowResult {
    std::string name;
    double width = 0.0;               ///< [m]; 0: not known
    std::vector<Crossing> crossings;  ///< by time; each walker counts once in n_t, its first
    std::uint64_t forward = 0, backward = 0;
    double flow = 0.0;           ///< J of the 20-80 % part of first crossings [1/s]
    double specific_flow = 0.0;  ///< J / width [1/(m s)]
    double mean_speed = 0.0;     ///< of crossings [m/s]
};

/// N(t): times of each walker's first crossing [s], ascending, and how many have crossed by then.
/// The crossings of `flow` are by time, as they are measured.
std::vector<std::pair<double, std::uint64_t>> n_t(const FlowResult& flow);

/// In an area, frame by frame: the points of its fundamental diagram.
struct AreaResult {
    std::string name;
    double size = 0.0;         ///< on the floor [m2]
    std::vector<double> time;  ///< [s]
    std::vector<double> count;
    std::vector<double> density;          ///< count / size [1/m2]
    std::vector<double> speed;            ///< mean of those inside [m/s]; NaN: nobody
    std::vector<double> voronoi_density;  ///< [1/m2]
    std::vector<double> voronoi_speed;    ///< [m/s]
    double mean_density = 0.0, mean_speed = 0.0, mean_voronoi_density = 0.0,
           mean_voronoi_speed = 0.0;  ///< over frames (speeds: with somebody inside)
    double specific_flow = 0.0;       ///< mean of voronoi density x voronoi speed [1/(m s)]
};

/// Cells of a level, row by row from (x0, y0).
struct GridResult {
    std::uint16_t level = 0;
    double x0 = 0.0, y0 = 0.0, cell = 0.0;  ///< [m]
    std::uint32_t columns = 0, rows = 0;
    std::vector<float> mean_density;  ///< over all frames, smoothed over neighbouring cells [1/m2]
    std::vector<float> peak_density;  ///< highest mean over 1 s [1/m2]
    std::vector<float> mean_speed;    ///< of those in it [m/s]; NaN: nobody ever
};

/// Width of a bin of the histograms of encounters [m].
inline constexpr double kEncounterBin = 0.1;

/// Two that walk, at more than 30 degrees to each other, and come within the range; from then until
/// they are 1.25 x the range apart.
struct EncounterResult {
    std::uint64_t encounters = 0;
    Spread passing_distance;    ///< least distance of centres of each [m]
    Spread projected_distance;  ///< of the closest approach projected where they meet [m]
    Spread time_to_closest;     ///< projected then [s]
    std::vector<std::uint32_t> passing_histogram;    ///< bins of kEncounterBin
    std::vector<std::uint32_t> projected_histogram;  ///< bins of kEncounterBin
};

struct LaneResult {
    double axis = 0.0;         ///< [rad]
    double order = 0.0;        ///< mean over frames in which a tenth or more go either way; 0..1
    std::uint64_t frames = 0;  ///< such frames
    std::vector<double> order_of_frame;  ///< NaN in the others
};

/// A walker at a moment.
struct DensitySpeed {
    float density = 0.0f;  ///< 1 / area of its Voronoi cell [1/m2]
    float speed = 0.0f;    ///< [m/s]
};

struct Analysis {
    AnalysisOptions options;         ///< with frame_step and lane axis as used
    std::vector<std::string> notes;  ///< what of the recording could not be used, and why
    double duration = 0.0;           ///< from the first to the last frame [s]
    std::uint64_t rows = 0;
    std::vector<std::uint32_t> present_of_frame;
    std::vector<float> mean_speed_of_frame;  ///< [m/s]; NaN: nobody
    Spread speed;                            ///< of all rows [m/s]
    Spread travel_time;                      ///< of those who arrived [s]
    Spread path_ratio, energy;  ///< of those who arrived and whose track is whole [1], [J/kg]
    std::vector<double> arrival_times;  ///< ascending [s]
    OverlapResult overlaps;
    WallResult walls;
    StallResult stalls;
    std::vector<WalkerResult> walkers;  ///< in id order
    std::vector<FlowResult> lines;      ///< of the options
    std::vector<FlowResult> exits;      ///< of the recording's places, by its notes
    std::vector<AreaResult> areas;
    std::vector<GridResult> grids;  ///< one per level
    EncounterResult encounters;
    LaneResult lanes;
    std::vector<DensitySpeed> density_speed;  ///< a sample of at most 20,000, evenly spread
};

/// Measures everything. docs/metrics has the formulas.
Result<Analysis> analyze(const Trajectories& trajectories, const AnalysisOptions& options = {});

}  // namespace sidestep
