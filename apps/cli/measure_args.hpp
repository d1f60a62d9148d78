// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/analysis.hpp>
#include <sidestep/result.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sidestep::cli {

/// How a recording is read and what is measured in it: options that several commands share.
struct MeasureArgs {
    std::vector<std::string> lines;
    std::vector<std::string> areas;
    AnalysisOptions options{};  ///< filled by the options of one value
    std::int64_t frame_step = 0;
    std::int64_t threads = 0;
    bool no_voronoi = false;
    LoadOptions load{};
    std::optional<double> from, to;
    std::string unit;
    std::string columns;
};

/// Declares the options on a command; `args` must live as long as it.
void add_measure_options(CLI::App& command, MeasureArgs& args);

/// What the options say, checked; an Error names the option.
Result<AnalysisOptions> to_analysis_options(const MeasureArgs& args);
Result<LoadOptions> to_load_options(const MeasureArgs& args);

/// Says that --fps was given for a file that knows its own.
void note_unused_fps(const std::string& recording, std::optional<double> asked, double fps);
/// Says what of a recording was passed over.
void warn_of_damage(const std::vector<std::string>& damage);
/// Says why its figures are to be taken with care. What names the file itself (damage) is said as
/// it is.
void warn_of(const std::string& recording, const std::string& caution);
/// Reads a recording. An exit code other than kExitDone has been explained: also that of a damaged
/// one of which no frame is whole.
int load_recording(const std::string& recording, const LoadOptions& options, bool quiet,
                   Trajectories& into);

/// "NAME:x1,y1,x2,y2" or "NAME:x1,y1,x2,y2@LEVEL".
Result<MeasureLine> parse_line(const std::string& text);
/// "NAME:x0,y0,x1,y1" or "NAME:POLYGON ((...))", both with "@LEVEL" if it is not 0.
Result<MeasureArea> parse_area(const std::string& text);

/// Metres of `cm`, `m`, `mm` or a number; none: neither.
std::optional<double> to_unit(const std::string& text);

}  // namespace sidestep::cli
