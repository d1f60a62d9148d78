// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/velocities.hpp"

#include <algorithm>
#include <limits>

#include "analysis/track.hpp"

namespace sidestep {
namespace {

/// Speeds are taken over about this in all [s].
constexpr double kWindow = 0.4;
constexpr double kMaxStep = 1e6;

/// Rows [first, end) of the track are a stretch.
void fill_stretch(const Trajectories& t, const Track& track, std::size_t first, std::size_t end,
                  std::size_t step, Velocities& made)
{
    if (end - first < 2) return;
    for (std::size_t i = first; i < end; ++i) {
        const std::size_t reach = std::min({step, i - first, end - 1 - i});
        const std::size_t from = reach > 0 ? i - reach : (i == first ? i : i - 1);
        const std::size_t to = reach > 0 ? i + reach : (i == first ? i + 1 : i);
        const double dt = t.seconds_between(track.frame[from], track.frame[to]);
        const Vec2 a = t.position[track.row[from]];
        const Vec2 b = t.position[track.row[to]];
        made.x[track.row[i]] = static_cast<float>((b.x - a.x) / dt);
        made.y[track.row[i]] = static_cast<float>((b.y - a.y) / dt);
    }
}

}  // namespace

std::uint32_t frame_step_of(const Trajectories& t, std::uint32_t asked)
{
    if (asked > 0) return asked;
    const double rows = 0.5 * kWindow * t.info.fps / static_cast<double>(usual_spacing(t));
    return static_cast<std::uint32_t>(std::clamp(std::round(rows), 1.0, kMaxStep));
}

Velocities individual_velocities(const Trajectories& t, std::uint32_t frame_step, Workers& workers)
{
    Velocities made;
    made.x.assign(t.position.size(), std::numeric_limits<float>::quiet_NaN());
    made.y.assign(t.position.size(), std::numeric_limits<float>::quiet_NaN());
    for_each_track(t, workers, [&](std::size_t, const Track& track) {
        for (std::size_t first = 0, end = 0; first < track.size(); first = end) {
            end = track.end_of_stretch(first);
            fill_stretch(t, track, first, end, frame_step, made);
        }
    });
    return made;
}

}  // namespace sidestep
