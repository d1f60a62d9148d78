// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random manoeuvres of agents that must turn, and oracles for them: small steps instead of closed
// forms, and a search instead of the best threshold.

#include <gtest/gtest.h>

#include <sidestep/nonholonomic.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep::test {

inline constexpr double kPi = 3.141592653589793;

enum class FirstSpeed { rest, any };

/// k = w v_m / a from 3e-4 to 6e2 and distances from 1e-3 to 1e3 of the smaller of b and R, evenly
/// over their logarithms; one destination in twenty is straight ahead, behind or aside.
inline TurningTask random_task(SeededRandom& random, FirstSpeed first, bool stop)
{
    TurningTask task;
    const double k = random.log_uniform(3e-4, 6e2);
    task.limits.max_speed = random.log_uniform(0.1, 10.0);
    task.limits.turn_rate = random.log_uniform(0.05, 10.0);
    task.limits.acceleration = task.limits.turn_rate * task.limits.max_speed / k;
    task.limits.braking = task.limits.acceleration * random.log_uniform(0.1, 10.0);
    task.stop = stop;
    if (first == FirstSpeed::any) {
        task.speed = task.limits.max_speed *
                     random.one_of({0.0, 1.0, random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)});
    }
    const double radius = task.limits.max_speed / task.limits.turn_rate;
    const double scale = radius * std::min(1.0, 1.0 / k);
    const double distance = scale * random.log_uniform(1e-3, 1e3);
    const double angle = random.uniform(-kPi, kPi);
    task.destination = {distance * std::cos(angle), distance * std::sin(angle)};
    if (random.chance(0.05)) {
        task.destination = random.one_of<Vec2>({{distance, 0.0},
                                                {-distance, 0.0},
                                                {-distance, -0.0},
                                                {0.0, distance},
                                                {0.0, -distance},
                                                {0.0, 0.0}});
    }
    return task;
}

inline double bearing_of(const TurningTask& task)
{
    return std::atan2(std::fabs(task.destination.y), task.destination.x);
}

/// Earliest arrival among `points` thresholds, evenly over [0, bearing].
inline double searched_arrival(const TurningTask& task, std::size_t points)
{
    std::vector<double> thresholds(points), times(points);
    const std::vector<double> x(points, task.destination.x), y(points, task.destination.y);
    for (std::size_t i = 0; i < points; ++i) {
        thresholds[i] = bearing_of(task) * static_cast<double>(i) / static_cast<double>(points - 1);
    }
    const TurningColumns columns{.x = x,
                                 .y = y,
                                 .speed = {&task.speed, 1},
                                 .max_speed = {&task.limits.max_speed, 1},
                                 .acceleration = {&task.limits.acceleration, 1},
                                 .turn_rate = {&task.limits.turn_rate, 1},
                                 .braking = {&task.limits.braking, 1},
                                 .stop = task.stop};
    ArrivalColumns out;
    out.time = times;
    if (!arrivals(columns, thresholds, out)) return std::numeric_limits<double>::quiet_NaN();
    return *std::min_element(times.begin(), times.end());
}

/// An agent in small steps: Simpson's rule for its place, events by bisection, each phase by its
/// words and none of the formulas.
class SteppedAgent {
public:
    SteppedAgent(const TurningTask& task, double threshold)
        : task_(task), threshold_(threshold), side_(task.destination.y < 0.0 ? -1.0 : 1.0)
    {
        task_.destination.y = std::fabs(task.destination.y);
        v_ = task.speed;
        if (bearing_of(task_) <= threshold) phase_ = 2;
        if (phase_ == 2 && task_.destination.y == 0.0 && task_.destination.x >= 0.0) phase_ = 3;
        longest_ = 0.01 / task.limits.turn_rate;
    }

    /// Runs up to t; false if it arrived before.
    bool run_to(double t)
    {
        while (time_ < t && !arrived_) advance(std::min(longest_, t - time_));
        return !arrived_;
    }
    bool arrived() const { return arrived_; }
    double time() const { return time_; }
    int phase() const { return phase_; }
    TurningState state() const { return {{x_, side_ * y_}, side_ * heading_, v_}; }

private:
    struct Rates {
        double accel, turn;
    };
    struct Seen {
        double p, q;
    };

    Rates rates() const
    {
        const TurningLimits& l = task_.limits;
        const double gain = v_ < l.max_speed ? l.acceleration : 0.0;
        if (phase_ == 1) return {v_ > 0.0 ? -l.braking : 0.0, l.turn_rate};
        if (phase_ == 2) return {gain, l.turn_rate};
        return {braking_ ? -l.braking : gain, 0.0};
    }
    Seen seen() const
    {
        const double dx = task_.destination.x - x_, dy = task_.destination.y - y_;
        const double c = std::cos(heading_), s = std::sin(heading_);
        return {dx * c + dy * s, dy * c - dx * s};
    }
    /// > 0 before the event that ends what is going on.
    double ahead_of_event() const
    {
        const auto [p, q] = seen();
        if (phase_ == 1) {
            const double c = std::cos(threshold_), s = std::sin(threshold_);
            return p * c + q * s > 0.0 ? q * c - p * s : 1.0;
        }
        if (phase_ == 2) return p >= 0.0 ? q : 1.0;
        if (task_.stop && !braking_) return p - 0.5 * v_ * v_ / task_.limits.braking;
        return p;
    }
    void move(Rates r, double dt)
    {
        const auto way = [&](double part, double& dx, double& dy) {
            const double v = v_ + r.accel * part * dt, th = heading_ + r.turn * part * dt;
            dx = v * std::cos(th);
            dy = v * std::sin(th);
        };
        double x0, y0, x1, y1, x2, y2;
        way(0.0, x0, y0);
        way(0.5, x1, y1);
        way(1.0, x2, y2);
        x_ += dt / 6.0 * (x0 + 4.0 * x1 + x2);
        y_ += dt / 6.0 * (y0 + 4.0 * y1 + y2);
        v_ = std::clamp(v_ + r.accel * dt, 0.0, task_.limits.max_speed);
        heading_ += r.turn * dt;
        time_ += dt;
    }
    /// A step [s] that a destination cannot be passed in, unless it is reached; `gain` [m/s].
    double short_of_destination(double gain) const
    {
        const double way =
            std::hypot(task_.destination.x - x_, task_.destination.y - y_) / (v_ + gain + 1e-300);
        return std::max(0.02 * way, 1e-4 * longest_);
    }
    void advance(double dt)
    {
        const Rates r = rates();
        if (phase_ < 3) dt = std::min(dt, short_of_destination(std::max(r.accel, 0.0) * dt));
        bool rests = false;
        if (r.accel > 0.0) {
            const double full = (task_.limits.max_speed - v_) / r.accel;
            if (full <= dt) {
                dt = full;
                SteppedAgent end = *this;
                end.move(r, dt);
                if (end.ahead_of_event() > 0.0) {
                    *this = end;
                    v_ = task_.limits.max_speed;
                    return;
                }
            }
        } else if (r.accel < 0.0 && v_ / -r.accel <= dt) {
            dt = v_ / -r.accel;
            rests = true;
        }
        SteppedAgent end = *this;
        end.move(r, dt);
        if (rests) end.v_ = 0.0;
        if (rests && phase_ == 3) {
            *this = end;
            arrived_ = true;
            return;
        }
        if (end.ahead_of_event() > 0.0 || (phase_ == 3 && braking_)) {
            *this = end;
            return;
        }
        double before = 0.0, after = dt;
        for (int round = 0; round < 60; ++round) {
            const double middle = 0.5 * (before + after);
            SteppedAgent at = *this;
            at.move(r, middle);
            (at.ahead_of_event() > 0.0 ? before : after) = middle;
        }
        move(r, after);
        if (phase_ < 3) {
            ++phase_;
            // With the threshold 0 it faces the destination at once.
            if (phase_ == 2 && ahead_of_event() <= 0.0) ++phase_;
        } else if (task_.stop) {
            braking_ = true;
        } else {
            arrived_ = true;
        }
    }

    TurningTask task_;
    double threshold_, side_, longest_ = 0.0;
    int phase_ = 1;
    bool braking_ = false, arrived_ = false;
    double x_ = 0.0, y_ = 0.0, heading_ = 0.0, v_ = 0.0, time_ = 0.0;
};

/// States at eight times and the arrival, compared with small steps.
inline void expect_as_stepped(const TurningTask& task, double threshold)
{
    const auto a = arrival(task, threshold);
    ASSERT_TRUE(a);
    const bool known = a->arrives() || a->kind == ArrivalKind::unreachable;
    const double end = a->arrives() ? a->time
                       : known      ? a->turn_time + 12.0 / task.limits.turn_rate
                                    : a->face_time;
    // Simpson's rule errs by some 1e-11 per radian; events near a graze magnify it.
    const double reach = std::hypot(task.destination.x, task.destination.y) +
                         task.limits.max_speed / task.limits.turn_rate;
    SteppedAgent agent(task, threshold);
    for (int i = 1; i <= 8; ++i) {
        const double t = end * i / 8.25;  // at the very end of braking speed is ill conditioned
        agent.run_to(t);
        const auto s = turning_state(task, threshold, t);
        ASSERT_TRUE(s) << t;
        const TurningState stepped = agent.state();
        ASSERT_NEAR(s->place.x, stepped.place.x, 1e-7 * reach) << t << " of " << end;
        ASSERT_NEAR(s->place.y, stepped.place.y, 1e-7 * reach) << t << " of " << end;
        ASSERT_NEAR(s->heading, stepped.heading, 1e-6) << t << " of " << end;
        ASSERT_NEAR(s->speed, stepped.speed, 1e-6 * task.limits.max_speed) << t << " of " << end;
    }
    if (a->arrives()) {
        agent.run_to(end * 1.001 + 1e-3);
        ASSERT_TRUE(agent.arrived());
        ASSERT_NEAR(agent.time(), a->time, 1e-7 * (1.0 + a->time));
    }
}

/// The same of `count` random manoeuvres that turn, or could turn while they last, by at most
/// `longest` [rad]: each step is a hundredth of a radian. How many were checked.
inline int go_where_small_steps_go(std::uint64_t seed, int count, double longest)
{
    SeededRandom random(seed);
    int checked = 0;
    for (int i = 0; checked < count && i < 20 * count; ++i) {
        SCOPED_TRACE(i);
        const TurningTask task = random_task(random, FirstSpeed::any, i % 3 == 0);
        const double threshold =
            random.one_of({0.0, kPi, random.uniform(0.0, kPi), random.uniform(0.0, 1.5)});
        const auto a = arrival(task, threshold);
        // Grazes magnify the error of the steps.
        const double end = a && std::isfinite(a->time) ? a->time : 12.0 / task.limits.turn_rate;
        if (end * task.limits.turn_rate > longest) continue;
        if (a->straight > 0.0 && a->straight < 1e-3 * task.limits.max_speed / task.limits.turn_rate)
            continue;
        expect_as_stepped(task, threshold);
        if (testing::Test::HasFatalFailure()) break;
        ++checked;
    }
    return checked;
}

/// What is checked of one query of many: nothing that is not a number, times in order, and a best
/// threshold that arrives.
struct QueryFault {
    bool not_a_number = false, unreachable_best = false, out_of_order = false;

    bool any() const { return not_a_number || unreachable_best || out_of_order; }
};

inline QueryFault check_query(const TurningTask& task, double threshold, double t)
{
    QueryFault fault;
    const auto a = arrival(task, threshold);
    if (!a) return {.not_a_number = true};
    for (const double value : {a->turn_time, a->face_time, a->face_place.x, a->face_place.y,
                               a->heading, a->face_speed, a->straight, a->end_speed, a->time})
        fault.not_a_number = fault.not_a_number || std::isnan(value);
    fault.out_of_order = !(a->turn_time >= 0.0 && a->turn_time <= a->face_time &&
                           a->face_time <= a->time && a->straight >= 0.0);
    if (a->kind != ArrivalKind::cannot_stop || t <= a->face_time) {
        const auto s = turning_state(task, threshold, t);
        fault.not_a_number = fault.not_a_number || !s ||
                             !std::isfinite(s->place.x + s->place.y + s->heading + s->speed);
        if (s) fault.out_of_order = fault.out_of_order || !(s->speed <= task.limits.max_speed);
    }
    if (task.speed == 0.0) {
        const auto best = best_threshold(task);
        fault.not_a_number =
            fault.not_a_number || !best || std::isnan(best->threshold) || std::isnan(best->time);
        fault.unreachable_best = best && !(best->time < 1e300);
    }
    return fault;
}

}  // namespace sidestep::test
