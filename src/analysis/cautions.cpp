// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sidestep/analysis.hpp"

namespace sidestep {
namespace {

/// Nobody runs faster for long, and most who are recorded walk at 1 to 2 [m/s].
constexpr double kSenselessSpeed = 10.0;
/// As many tell the middle of all well enough.
constexpr std::size_t kMostSpeeds = 100'000;

/// The middle of the speeds from row to row [m/s], of rows spread evenly; 0 where there is none.
double usual_speed(const Trajectories& t)
{
    const auto frame_of = [&](std::uint32_t row) {
        const auto after = std::upper_bound(t.frame_begin.begin(), t.frame_begin.end(), row);
        return static_cast<std::size_t>(after - t.frame_begin.begin()) - 1;
    };
    std::vector<double> speeds;
    const std::size_t stride = t.walker_row.size() / kMostSpeeds + 1;
    for (std::size_t walker = 0; walker + 1 < t.walker_begin.size(); ++walker) {
        for (std::size_t i = t.walker_begin[walker]; i + 1 < t.walker_begin[walker + 1]; ++i) {
            if (i % stride != 0) continue;
            const std::uint32_t row = t.walker_row[i], next = t.walker_row[i + 1];
            const Vec2 way = t.position[next] - t.position[row];
            speeds.push_back(std::hypot(way.x, way.y) /
                             t.seconds_between(frame_of(row), frame_of(next)));
        }
    }
    return spread_of(std::move(speeds)).median;
}

}  // namespace

std::vector<std::string> cautions_of(const Trajectories& t)
{
    std::vector<std::string> cautions = t.damage;
    for (const auto& [name, value] : t.info.facts) {
        if (name == "interrupted" || name == "fault") {
            cautions.push_back(fmt::format("The run did not end by itself: {}.", value));
        } else if (name == "unfinished" || name == "recovered") {  // of the file this is a copy of
            cautions.push_back(fmt::format("The recording is a copy of a part: {}.", value));
        }
    }
    for (const RecordedEvent& event : t.notes.events) {
        if (event.kind != "agents-changed") continue;
        cautions.push_back(fmt::format(
            "People were changed at {:.6g} s ({}): radii and speeds are those they came with.",
            event.time, event.text));
    }
    if (const double speed = usual_speed(t); speed > kSenselessSpeed) {
        cautions.push_back(fmt::format(
            "Half of all walk faster than {:.3g} m/s: are lengths in metres, {:.6g} frames in a "
            "second, and the columns in the order id, frame, x, y? See --unit, --fps, --columns.",
            speed, t.info.fps));
    }
    // Damage explains itself.
    if (!t.is_closed && t.damage.empty()) {
        cautions.emplace_back(
            "The recording was not closed: the run was cut short, or still goes on.");
    }
    return cautions;
}

}  // namespace sidestep
