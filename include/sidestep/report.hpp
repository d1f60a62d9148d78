// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sidestep/analysis.hpp"
#include "sidestep/result.hpp"
#include "sidestep/world.hpp"

namespace sidestep {

/// A run and what was measured in it; both must live while the report is made.
struct ReportRun {
    const Trajectories* trajectories = nullptr;
    const Analysis* analysis = nullptr;
    std::string label;  ///< in legends; empty: the name of the file
};

struct ReportOptions {
    std::string title;  ///< empty: the scene's name
    /// Of the animation, in bytes of the page; above it frames, then walkers are left out, and
    /// said.
    std::size_t animation_bytes = 3 << 20;
    /// The level shown first; none: that with most rows.
    std::optional<std::uint16_t> level{};
};

/// One HTML page that needs nothing else: of one run, or of two side by side. Equal runs and
/// options give equal bytes. docs/report.md tells what is in it.
Result<std::string> make_report(std::span<const ReportRun> runs, const ReportOptions& options = {});

struct StillOptions {
    double time = 0.0;                     ///< [s]; the nearest frame
    std::optional<std::uint16_t> level{};  ///< none: that with most rows
    std::uint32_t width = 1200;            ///< [pixels], 200 to 8,000
    bool dark = false;
    bool tracks = false;  ///< also the way of each walker up to then
};

/// A moment of a run as a picture: an SVG text, or the bytes of a PNG file.
Result<std::string> draw_still_svg(const Trajectories& trajectories, const StillOptions& options);
Result<std::string> draw_still_png(const Trajectories& trajectories, const StillOptions& options);

/// The velocities that an agent chose from, as an SVG text: what others and walls forbid, its
/// limits, what it wanted and what it took. `title` stands above, the explanation's reason under
/// it.
Result<std::string> draw_velocities_svg(const Explanation& explanation, const std::string& title);

}  // namespace sidestep
