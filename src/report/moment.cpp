// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/moment.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/track.hpp"
#include "report/plan.hpp"

namespace sidestep {
namespace {

/// Speeds of walkers in a frame, from the rows before and after that are no farther than usual.
class SpeedReader {
public:
    explicit SpeedReader(const Trajectories& t)
        : t_(t), longest_gap_(1.5 * static_cast<double>(usual_spacing(t))), cursor_(t)
    {}

    double speed_at(std::uint32_t walker, std::uint32_t row)
    {
        const auto begin =
            t_.walker_row.begin() + static_cast<std::ptrdiff_t>(t_.walker_begin[walker]);
        const auto end =
            t_.walker_row.begin() + static_cast<std::ptrdiff_t>(t_.walker_begin[walker + 1]);
        const auto at = std::lower_bound(begin, end, row);
        const std::uint32_t before = at != begin && is_joined(*(at - 1), row) ? *(at - 1) : row;
        const std::uint32_t after = at + 1 != end && is_joined(row, *(at + 1)) ? *(at + 1) : row;
        const double elapsed = time_of(after) - time_of(before);
        if (!(elapsed > 0.0)) return NAN;
        const Vec2 way = t_.position[after] - t_.position[before];
        return std::hypot(way.x, way.y) / elapsed;
    }

private:
    bool is_joined(std::uint32_t before, std::uint32_t after)
    {
        const auto first = static_cast<double>(t_.frames[cursor_.frame_of(before)]);
        const auto last = static_cast<double>(t_.frames[cursor_.frame_of(after)]);
        return last - first <= longest_gap_ && t_.level[before] == t_.level[after];
    }

    double time_of(std::uint32_t row) { return t_.time_of(cursor_.frame_of(row)); }

    const Trajectories& t_;
    double longest_gap_;  ///< [frames]
    FrameCursor cursor_;
};

}  // namespace

std::vector<SeenWalker> walkers_at(const Trajectories& t, std::size_t frame, std::uint16_t level)
{
    std::vector<SeenWalker> seen;
    SpeedReader reader(t);
    for (std::size_t row = t.frame_begin[frame]; row < t.frame_begin[frame + 1]; ++row) {
        if (t.level[row] != level) continue;
        const std::uint32_t walker = t.walker[row];
        const double radius = t.walkers[walker].radius;
        seen.push_back({t.position[row], radius > 0.0 ? radius : kUsualRadius,
                        reader.speed_at(walker, static_cast<std::uint32_t>(row))});
    }
    return seen;
}

std::size_t frame_near(const Trajectories& t, double time)
{
    std::size_t low = 0, high = t.frames.size();
    while (low < high) {  // first frame that is not before `time`
        const std::size_t middle = (low + high) / 2;
        if (t.time_of(middle) < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == t.frames.size()) return low - 1;
    if (low > 0 && time - t.time_of(low - 1) <= t.time_of(low) - time) return low - 1;
    return low;
}

}  // namespace sidestep
