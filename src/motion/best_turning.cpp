// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The best threshold and the best time of braking. From rest there is a closed form. A moving agent
// that passes through follows the switching law, which is one root, unless a search finds a better
// time (the law is blind to ways round a near destination); to a stop only the search is left.
#include <algorithm>
#include <cmath>

#include "motion/check_turning.hpp"
#include "motion/one_turning.hpp"

namespace sidestep {
namespace {

using namespace one_turning;

struct Found {
    double place = 0.0, value = 0.0;
};

/// Least value over [begin, end], along which the agent turns by `turned` [rad]: a scan and the
/// golden section about its best point. Sixteen looks per radian, 100 at least; more than 1,600
/// cost too much.
template <class Value>
Found least_over(double begin, double end, double turned, const Value& value)
{
    const int points = static_cast<int>(std::clamp(std::ceil(16.0 * turned), 100.0, 1600.0));
    constexpr double kGolden = 0.6180339887498949;
    const auto place = [&](int point) { return begin + (end - begin) * point / points; };
    Found best{end, value(end)};
    int best_point = points;
    for (int i = 0; i < points; ++i) {
        if (const double v = value(place(i)); v < best.value) {
            best = {place(i), v};
            best_point = i;
        }
    }
    double left = place(std::max(best_point - 1, 0)),
           right = place(std::min(best_point + 1, points));
    Found low{right - kGolden * (right - left), 0.0}, high{left + kGolden * (right - left), 0.0};
    low.value = value(low.place);
    high.value = value(high.place);
    // 40 rounds shrink the bracket by 4e-9: near a smooth least value nothing more is to be seen.
    for (int round = 0; round < 40; ++round) {
        // Where neither arrives the least is on the side of the best so far.
        if (low.value < high.value || (low.value == high.value && best.place < high.place)) {
            right = high.place;
            high = low;
            low.place = right - kGolden * (right - left);
            low.value = value(low.place);
        } else {
            left = low.place;
            low = high;
            high.place = left + kGolden * (right - left);
            high.value = value(high.place);
        }
        for (const Found& point : {low, high})
            if (point.value < best.value) best = point;
    }
    return best;
}

/// Time until an agent that brakes and turns rests and faces its destination.
double longest_brake(const TurningTask& task)
{
    const BrakeTurn turn = brake_turn(task);
    const double stop_time = turn.speed / turn.braking;
    return stop_time + bearing_to_left(brake_for(turn, stop_time).destination) / turn.rate;
}

/// How far the bearing is above the switching law after t of braking.
double above_law(const TurningTask& task, const BrakeTurn& turn, double t)
{
    const BrakePose pose = brake_for(turn, t);
    const double distance = std::sqrt(pose.destination.x * pose.destination.x +
                                      pose.destination.y * pose.destination.y);
    const double law = one_double::out(lane::best_bearing(
        D(), in(task.limits), one_double::in(distance), one_double::in(pose.speed), false));
    return bearing_to_left(pose.destination) - law;
}

/// The first time at which the bearing is within the law: a scan of the braking, then bisection. At
/// rest the law stays and the bearing falls evenly.
double first_within_law(const TurningTask& task)
{
    const BrakeTurn turn = brake_turn(task);
    if (above_law(task, turn, 0.0) <= 0.0) return 0.0;
    const double stop_time = turn.speed / turn.braking;
    // Sixteen looks per radian and at least 64: the law varies with the turned angle.
    const int looks = static_cast<int>(
        std::clamp(std::ceil(16.0 * turn.rate * stop_time), 64.0, 16.0 * kMostTurnedBraking));
    double before = 0.0;
    for (int i = 1; i <= looks; ++i) {
        double after = stop_time * (static_cast<double>(i) / looks);
        if (above_law(task, turn, after) > 0.0) {
            before = after;
            continue;
        }
        for (int round = 0; round < 60; ++round) {
            const double middle = 0.5 * (before + after);
            if (middle <= before || middle >= after) break;
            (above_law(task, turn, middle) > 0.0 ? before : after) = middle;
        }
        return after;
    }
    return stop_time + std::max(0.0, above_law(task, turn, stop_time)) / turn.rate;
}

}  // namespace

Result<BestThreshold> best_threshold(const TurningTask& task)
{
    InputCheck c;
    if (check(c, task).failed()) return c.error();
    if (task.speed == 0.0) {
        const auto lanes = in(task);
        const V best = lane::best_threshold_lanes(D(), lanes, task.stop);
        const auto a = lane::arrival_lanes(D(), lanes, best, task.stop);
        return BestThreshold{one_double::out(best), one_double::out(a.time)};
    }
    const double bearing = bearing_to_left({task.destination.x, std::fabs(task.destination.y)});
    const Found found = least_over(0.0, bearing, bearing,
                                   [&](double at) { return one_turning::arrival(task, at).time; });
    return BestThreshold{found.place, found.value};
}

Result<BestBrake> best_brake(const TurningTask& task)
{
    InputCheck c;
    if (check(c, task).failed()) return c.error();
    const auto time_after = [&](double tb) {
        return one_turning::arrival_after_braking(task, tb).time;
    };
    if (task.limits.turn_rate == 0.0) return BestBrake{0.0, time_after(0.0)};
    if (task.speed > 0.0) {
        const double longest = longest_brake(task);
        // Braking may be over in a small part of the time that turning takes.
        const double stop_time = task.speed / task.limits.braking, w = task.limits.turn_rate;
        Found best = least_over(0.0, stop_time, stop_time * w, time_after);
        const Found rests = least_over(stop_time, longest, (longest - stop_time) * w, time_after);
        if (rests.value < best.value) best = rests;
        if (!task.stop) {
            const double tb = first_within_law(task);
            // The margin of the law costs less than this; it is no reason to prefer the search.
            constexpr double kBetter = 1.0 - 1e-6;
            if (const double time = time_after(tb); !(best.value < time * kBetter))
                best = {tb, time};
        }
        return BestBrake{best.place, best.value};
    }
    if (task.stop) {
        const double bearing = bearing_to_left({task.destination.x, std::fabs(task.destination.y)});
        const double best = one_double::out(lane::best_threshold_lanes(D(), in(task), task.stop));
        const double tb = (bearing - best) / task.limits.turn_rate;
        return BestBrake{tb, time_after(tb)};
    }
    const double tb = first_within_law(task);
    return BestBrake{tb, time_after(tb)};
}

}  // namespace sidestep
