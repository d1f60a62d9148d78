// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sidestep {
namespace {

constexpr double kLaneHalfWidth = 0.75;  // [m]
/// One in so many must go either way: a few who turn back make no counterflow.
constexpr std::size_t kLeastShare = 10;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Of vx^2 - vy^2 and of 2 vx vy, whose direction is twice that of the axis.
struct Doubled {
    double x = 0.0, y = 0.0;
};

/// Along which most of the walking is done; 0 where nobody walks.
double principal_axis(const Trajectories& t, const Velocities& velocities, Workers& workers)
{
    std::vector<Doubled> of_frame(t.frames.size());
    parallel_for(workers, t.frames.size(), [&](std::size_t frame, std::uint32_t) {
        for (std::size_t row = t.frame_begin[frame]; row < t.frame_begin[frame + 1]; ++row) {
            if (!velocities.known(row)) continue;
            const double vx = velocities.x[row];
            const double vy = velocities.y[row];
            of_frame[frame].x += vx * vx - vy * vy;
            of_frame[frame].y += 2.0 * vx * vy;
        }
    });
    Doubled sum;
    for (const Doubled& part : of_frame) {
        sum.x += part.x;
        sum.y += part.y;
    }
    return sum.x == 0.0 && sum.y == 0.0 ? 0.0 : 0.5 * std::atan2(sum.y, sum.x);
}

struct Laner {
    double across = 0.0;  ///< [m]
    std::uint16_t level = 0;
    bool forward = false;
};

/// Of walkers sorted by (level, across); NaN: they go one way, or nobody has company.
double order_of(const std::vector<Laner>& laners)
{
    const auto forward = static_cast<std::size_t>(std::count_if(
        laners.begin(), laners.end(), [](const Laner& laner) { return laner.forward; }));
    if (std::min(forward, laners.size() - forward) * kLeastShare < laners.size()) return kNone;
    double sum = 0.0;
    std::size_t walkers = 0;
    std::size_t first = 0;
    std::size_t end = 0;
    std::int64_t inside[2] = {0, 0};  // of [first, end), backward and forward
    for (const Laner& laner : laners) {
        const auto is_before = [&](const Laner& other) {
            return other.level < laner.level ||
                   (other.level == laner.level && laner.across - other.across >= kLaneHalfWidth);
        };
        const auto is_beside = [&](const Laner& other) {
            return other.level < laner.level ||
                   (other.level == laner.level && other.across - laner.across < kLaneHalfWidth);
        };
        for (; end < laners.size() && is_beside(laners[end]); ++end)
            ++inside[laners[end].forward ? 1 : 0];
        for (; is_before(laners[first]); ++first) --inside[laners[first].forward ? 1 : 0];
        const auto same = static_cast<double>(inside[laner.forward ? 1 : 0] - 1);
        const auto opposite = static_cast<double>(inside[laner.forward ? 0 : 1]);
        if (same + opposite == 0.0) continue;
        const double ratio = (same - opposite) / (same + opposite);
        sum += ratio * ratio;
        ++walkers;
    }
    if (walkers == 0) return kNone;
    return sum / static_cast<double>(walkers);
}

}  // namespace

LaneResult measure_lanes(const Trajectories& t, const Velocities& velocities,
                         std::optional<double> axis, Workers& workers)
{
    LaneResult result;
    result.axis = axis ? *axis : principal_axis(t, velocities, workers);
    const double ux = std::cos(result.axis);
    const double uy = std::sin(result.axis);
    result.order_of_frame.assign(t.frames.size(), 0.0);
    std::vector<std::vector<Laner>> scratch(workers.count());
    parallel_for(workers, t.frames.size(), [&](std::size_t frame, std::uint32_t worker) {
        std::vector<Laner>& laners = scratch[worker];
        laners.clear();
        for (std::size_t row = t.frame_begin[frame]; row < t.frame_begin[frame + 1]; ++row) {
            const double along = velocities.x[row] * ux + velocities.y[row] * uy;
            if (!(std::abs(along) >= kLeastWalkingSpeed)) continue;
            const Vec2 p = t.position[row];
            laners.push_back({p.y * ux - p.x * uy, t.level[row], along > 0.0});
        }
        std::sort(laners.begin(), laners.end(), [](const Laner& a, const Laner& b) {
            return a.level != b.level ? a.level < b.level : a.across < b.across;
        });
        result.order_of_frame[frame] = order_of(laners);
    });
    double sum = 0.0;
    for (const double order : result.order_of_frame) {
        if (std::isnan(order)) continue;
        sum += order;
        ++result.frames;
    }
    if (result.frames > 0) result.order = sum / static_cast<double>(result.frames);
    return result;
}

}  // namespace sidestep
