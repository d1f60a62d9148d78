// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Manoeuvres of agents that must turn: against small steps, against a search, row by row against
// columns, and where they degenerate.
#include <gtest/gtest.h>

#include <sidestep/nonholonomic.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "motion/turning_kernel.hpp"
#include "simd/isa.hpp"
#include "simd/one_double.hpp"
#include "simd/trig-inl.hpp"
#include "support/turning_cases.hpp"

namespace sidestep {
namespace {

using test::FirstSpeed;
using test::kPi;
using test::random_task;
using test::SeededRandom;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// ------------------------------------------------------------------------------- trigonometry

TEST(LaneTrig, agrees_with_the_standard_library)
{
    using namespace one_double;
    SeededRandom random(1);
    for (int i = 0; i < 20000; ++i) {
        const double x = random.one_of({-1.0, 1.0}) * random.log_uniform(1e-9, 1e6);
        const auto found = lane::sin_cos_lanes(D(), in(x));
        ASSERT_NEAR(out(found.sin), std::sin(x), 3e-16) << x;
        ASSERT_NEAR(out(found.cos), std::cos(x), 3e-16) << x;
        const double y = random.one_of({-1.0, 1.0}) * random.log_uniform(1e-9, 1e6);
        ASSERT_NEAR(out(lane::arc_tangent_lanes(D(), in(y), in(x))), std::atan2(y, x), 6e-16)
            << y << ' ' << x;
        const double s = random.uniform(-1.0, 1.0);
        ASSERT_NEAR(out(lane::arc_sine_lanes(D(), in(s))), std::asin(s), 6e-16) << s;
    }
}

TEST(LaneTrig, is_exact_where_geometry_needs_it)
{
    using namespace one_double;
    const auto angle = [](double y, double x) {
        return out(lane::arc_tangent_lanes(D(), in(y), in(x)));
    };
    EXPECT_EQ(angle(0.0, -8.0), kPi);
    EXPECT_EQ(angle(-0.0, -8.0), kPi);  // straight behind is on the left
    EXPECT_EQ(angle(0.0, 0.0), 0.0);
    EXPECT_EQ(angle(3.0, 0.0), 0.5 * kPi);
    EXPECT_EQ(angle(0.0, 3.0), 0.0);
    EXPECT_EQ(out(lane::sin_cos_lanes(D(), in(0.0)).sin), 0.0);
    EXPECT_EQ(out(lane::sin_cos_lanes(D(), in(0.0)).cos), 1.0);
    const auto far = lane::sin_cos_lanes(D(), in(1e300));
    EXPECT_EQ(out(far.sin), 0.0);
    EXPECT_EQ(out(lane::arc_sine_lanes(D(), in(1.0 + 1e-9))), 0.5 * kPi);
}

// -------------------------------------------------------------------------------- against steps

TEST(Turning, goes_where_small_steps_go)
{
    EXPECT_EQ(test::go_where_small_steps_go(7, 300, 60.0), 300);
}

TEST(Turning, brakes_for_a_time_as_for_a_bearing)
{
    SeededRandom random(17);
    for (int i = 0; i < 2000; ++i) {
        SCOPED_TRACE(i);
        const TurningTask task = random_task(random, FirstSpeed::any, i % 2 == 0);
        const double threshold = random.uniform(0.0, kPi);
        const auto by_bearing = arrival(task, threshold);
        const auto by_time = arrival_after_braking(task, by_bearing->turn_time);
        ASSERT_TRUE(by_bearing && by_time);
        if (!std::isfinite(by_bearing->time) || !std::isfinite(by_time->time)) continue;
        ASSERT_NEAR(by_time->time, by_bearing->time, 1e-6 * (1.0 + by_bearing->time));
        const double t = random.uniform(0.0, 1.2) * by_bearing->time;
        const auto s = turning_state(task, threshold, t);
        const auto s_time = turning_state_after_braking(task, by_bearing->turn_time, t);
        const double size = 1.0 + std::hypot(task.destination.x, task.destination.y);
        ASSERT_NEAR(s->place.x, s_time->place.x, 1e-6 * size);
        ASSERT_NEAR(s->place.y, s_time->place.y, 1e-6 * size);
    }
}

// ------------------------------------------------------------------------------ best manoeuvres

TEST(Turning, is_never_without_an_answer)
{
    SeededRandom random(3);
    for (int i = 0; i < 20000; ++i) {
        const TurningTask task = random_task(random, FirstSpeed::any, i % 2 == 0);
        const double threshold = random.uniform(0.0, kPi);
        const test::QueryFault fault =
            test::check_query(task, threshold, random.uniform(0.0, 20.0) / task.limits.turn_rate);
        ASSERT_FALSE(fault.any()) << i;
    }
}

TEST(BestThreshold, is_as_good_as_a_search)
{
    SeededRandom random(11);
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(i);
        const TurningTask task = random_task(random, FirstSpeed::rest, i % 2 == 0);
        const auto best = best_threshold(task);
        ASSERT_TRUE(best);
        ASSERT_LE(best->time, test::searched_arrival(task, 4001) * (1.0 + 1e-5));
    }
}

/// Also where the destination is nearer than a millionth of the circle at full speed, or of the way
/// until then.
TEST(BestThreshold, arrives_at_any_distance_with_any_limits)
{
    SeededRandom random(31);
    for (int i = 0; i < 20000; ++i) {
        TurningTask task;
        TurningLimits& limits = task.limits;
        limits.max_speed = random.log_uniform(1e-3, 1e3);
        limits.turn_rate = random.log_uniform(1e-6, 1e3);
        limits.acceleration = limits.turn_rate * limits.max_speed / random.log_uniform(1e-9, 1e8);
        limits.braking = limits.acceleration * random.log_uniform(1e-3, 1e3);
        task.stop = i % 3 == 0;
        const double radius = std::min(limits.max_speed / limits.turn_rate,
                                       limits.acceleration / (limits.turn_rate * limits.turn_rate));
        const double distance = radius * random.log_uniform(1e-9, 1e9);
        const double angle = random.uniform(-kPi, kPi);
        task.destination = {distance * std::cos(angle), distance * std::sin(angle)};
        if (i % 4 == 0) task.destination = {-distance, 0.0};
        const auto best = best_threshold(task);
        ASSERT_TRUE(best) << i;
        ASSERT_LE(best->time, arrival(task, 0.0)->time) << i;
    }
    // At once at full speed, where the circle at any bearing is 100,000 times as wide.
    const auto best = best_threshold({{-1e-5, 0.0}, 0.0, {1.0, 1e30, 1.0, 1.0}});
    EXPECT_NEAR(best->threshold, 0.5e-5, 1e-11);
    EXPECT_TRUE(std::isfinite(best->time));
}

TEST(BestBrake, is_as_good_as_a_search_over_brake_times)
{
    SeededRandom random(5);
    for (int i = 0; i < 1500; ++i) {
        SCOPED_TRACE(i);
        TurningTask task = random_task(random, FirstSpeed::any, i % 3 == 0);
        const auto best = best_brake(task);
        ASSERT_TRUE(best);
        const double w = task.limits.turn_rate;
        const double longest = task.speed / task.limits.braking + 2.0 * kPi / w;
        double searched = kInfinity;
        for (int n = 0; n <= 1500; ++n) {
            const auto a = arrival_after_braking(task, longest * n / 1500.0);
            searched = std::min(searched, a->time);
        }
        // To a stop, where k is large, a search can miss a narrow minimum: 12 of 5,000 such cases
        // lose up to 4 %, none of these.
        ASSERT_LE(best->time, searched * (1.0 + 1e-5));
        const auto threshold = best_threshold(task);
        ASSERT_LE(best->time, threshold->time * (1.0 + 1e-5));
    }
}

/// The law, step by step: an agent that decides anew in each of many steps takes no longer.
TEST(SwitchingBearing, led_by_it_an_agent_arrives_on_time)
{
    const TurningLimits limits;
    for (const Vec2 destination : {Vec2{-3.0, 0.5}, Vec2{0.0, 1.0}, Vec2{-8.0, 0.0}}) {
        for (const double speed : {0.0, 1.0}) {
            const auto best = best_brake({destination, speed, limits, false});
            double x = 0.0, y = 0.0, heading = 0.0, v = speed, t = 0.0;
            const double dt = 1e-4;
            for (; std::hypot(destination.x - x, destination.y - y) > 2e-3 && t < 20.0; t += dt) {
                const double dx = destination.x - x, dy = destination.y - y;
                double bearing = std::atan2(dy, dx) - heading;
                while (bearing < -0.1) bearing += 2.0 * kPi;
                const auto law = switching_bearing(std::hypot(dx, dy), v, limits);
                v = std::clamp(v + (bearing > *law ? -dt : dt), 0.0, 1.0);
                heading += std::clamp(bearing, -dt, dt);
                x += v * dt * std::cos(heading);
                y += v * dt * std::sin(heading);
            }
            EXPECT_NEAR(t, best->time, 0.01) << destination.x << ' ' << speed;
        }
    }
}

// ------------------------------------------------------------------------------------- columns

std::uint64_t bits_of(double x)
{
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

TEST(TurningColumns, have_the_bits_of_single_answers_on_every_instruction_set)
{
    constexpr std::size_t kRows = 2003;  // no multiple of any number of lanes
    for (const bool stop : {false, true}) {
        SeededRandom random(23);
        std::vector<TurningTask> tasks;
        std::vector<double> x, y, v, vm, a, w, bm, at, t;
        for (std::size_t i = 0; i < kRows; ++i) {
            tasks.push_back(
                random_task(random, i % 4 == 0 ? FirstSpeed::any : FirstSpeed::rest, stop));
            const TurningTask& task = tasks.back();
            x.push_back(task.destination.x);
            y.push_back(task.destination.y);
            v.push_back(task.speed);
            vm.push_back(task.limits.max_speed);
            a.push_back(task.limits.acceleration);
            w.push_back(task.limits.turn_rate);
            bm.push_back(task.limits.braking);
            at.push_back(random.uniform(0.0, kPi));
            const auto end = arrival(task, at.back());
            t.push_back(random.uniform(0.0, 1.2) * std::min(end->face_time, 10.0));
            if (end->kind == ArrivalKind::cannot_stop) t.back() = 0.5 * end->face_time;
        }
        const TurningColumns columns{x, y, v, vm, a, w, bm, stop};
        for (const Isa isa : available_isas()) {
            SCOPED_TRACE(to_string(isa));
            const TurningKernels kernels = turning_kernels_for(isa);
            std::vector<double> time(kRows), face_x(kRows), heading(kRows);
            std::vector<ArrivalKind> kind(kRows);
            ArrivalColumns out;
            out.kind = kind;
            out.time = time;
            out.face_x = face_x;
            out.heading = heading;
            kernels.arrivals(columns, at, out);
            std::vector<double> sx(kRows), sy(kRows), sh(kRows), sv(kRows);
            kernels.states(columns, at, t, {sx, sy, sh, sv});
            std::vector<double> best(kRows), best_time(kRows);
            kernels.best_thresholds(columns, best, best_time);
            for (std::size_t i = 0; i < kRows; ++i) {
                const auto one = arrival(tasks[i], at[i]);
                ASSERT_EQ(one->kind, kind[i]) << i;
                ASSERT_EQ(bits_of(one->time), bits_of(time[i])) << i;
                ASSERT_EQ(bits_of(one->face_place.x), bits_of(face_x[i])) << i;
                ASSERT_EQ(bits_of(one->heading), bits_of(heading[i])) << i;
                const auto s = turning_state(tasks[i], at[i], t[i]);
                ASSERT_TRUE(s) << i;
                ASSERT_EQ(bits_of(s->place.x), bits_of(sx[i])) << i;
                ASSERT_EQ(bits_of(s->place.y), bits_of(sy[i])) << i;
                ASSERT_EQ(bits_of(s->heading), bits_of(sh[i])) << i;
                ASSERT_EQ(bits_of(s->speed), bits_of(sv[i])) << i;
                if (tasks[i].speed > 0.0) continue;
                const auto b = best_threshold(tasks[i]);
                ASSERT_EQ(bits_of(b->threshold), bits_of(best[i])) << i;
                ASSERT_EQ(bits_of(b->time), bits_of(best_time[i])) << i;
            }
        }
    }
}

TEST(TurningColumns, take_one_number_for_all_rows_and_name_the_row_that_is_wrong)
{
    const std::vector<double> x{-8.0, 3.0, 0.4}, y{0.0, 2.0, 0.05};
    const double one = 1.0, none = 0.0;
    TurningColumns columns{.x = x,
                           .y = y,
                           .speed = {&none, 1},
                           .max_speed = {&one, 1},
                           .acceleration = {&one, 1},
                           .turn_rate = {&one, 1},
                           .braking = {&one, 1}};
    std::vector<double> time(3), threshold(3);
    ArrivalColumns out;
    out.time = time;
    ASSERT_TRUE(arrivals(columns, {&kPi, 1}, out));
    EXPECT_NEAR(time[0], 10.905836037, 1e-9);
    EXPECT_NEAR(time[1], 4.110636498, 1e-9);
    EXPECT_NEAR(time[2], 0.897911996, 1e-9);
    ASSERT_TRUE(best_thresholds(columns, threshold, {}));
    EXPECT_NEAR(threshold[0], 1.945469, 1e-6);

    const std::vector<double> bad{0.0, 0.0, -1.0};
    columns.speed = bad;
    const auto refused = arrivals(columns, {&kPi, 1}, out);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "row 2: v0 must be in [0, vm]");
    const std::vector<double> late{1.0, 1.0, 1.0, 1.5};
    const std::vector<double> far{-8.0, 3.0, 0.4, 1.0}, aside{0.0, 2.0, 0.05, 1.0},
        v0{0.0, 0.0, 0.0, 0.9};
    const double weak = 0.4;
    const TurningColumns stopping{far,       aside,     v0,         {&one, 1},
                                  {&one, 1}, {&one, 1}, {&weak, 1}, true};
    std::vector<double> place(4);
    StateColumns states;
    states.x = place;
    EXPECT_TRUE(turning_states(stopping, {&kPi, 1}, {&one, 1}, states));
    EXPECT_EQ(turning_states(stopping, {&kPi, 1}, late, states).error().message,
              "row 3: t must be at most t_face: the agent cannot stop at D");
    columns.speed = std::span(bad).first(2);
    EXPECT_FALSE(arrivals(columns, {&kPi, 1}, out));
}

// ---------------------------------------------------------------------------------- odd cases

TEST(Turning, mirrors_what_lies_to_the_right)
{
    SeededRandom random(29);
    for (int i = 0; i < 500; ++i) {
        TurningTask task = random_task(random, FirstSpeed::any, false);
        if (task.destination.y == 0.0) continue;
        const double threshold = random.uniform(0.0, kPi);
        const auto left = arrival(task, threshold);
        const auto left_state = turning_state(task, threshold, 1.0);
        task.destination.y = -task.destination.y;
        const auto right = arrival(task, threshold);
        const auto right_state = turning_state(task, threshold, 1.0);
        ASSERT_EQ(left->time, right->time);
        ASSERT_EQ(left->heading, -right->heading);
        ASSERT_EQ(left_state->place.y, -right_state->place.y);
        ASSERT_EQ(left_state->place.x, right_state->place.x);
    }
}

TEST(Turning, has_answers_where_it_degenerates)
{
    const auto time = [](Vec2 d, double at, TurningLimits limits, double v0 = 0.0,
                         bool stop = false) {
        return arrival({d, v0, limits, stop}, at)->time;
    };
    const TurningLimits unit;
    EXPECT_EQ(time({0.0, 0.0}, kPi, unit), 0.0);
    EXPECT_EQ(time({0.0, 0.0}, kPi, unit, 1.0), 0.0);
    EXPECT_EQ(time({0.0, 0.0}, kPi, unit, 1.0, true), kInfinity);  // cannot stop where it is
    EXPECT_EQ(time({5.0, 0.0}, 0.0, unit), 5.5);
    EXPECT_EQ(time({5.0, 0.0}, kPi, {1.0, 1.0, 0.0, 1.0}), 5.5);  // no turning needed
    EXPECT_EQ(time({5.0, 1e-9}, kPi, {1.0, 1.0, 0.0, 1.0}), kInfinity);
    EXPECT_EQ(best_threshold({{5.0, 1.0}, 0.0, {1.0, 1.0, 0.0, 1.0}})->time, kInfinity);
    EXPECT_EQ(best_brake({{5.0, 0.0}, 1.0, {1.0, 1.0, 0.0, 1.0}})->time, 5.0);
    // Straight behind, on whichever zero: to the left.
    EXPECT_EQ(arrival({{-8.0, -0.0}}, 0.0)->heading, kPi);
    EXPECT_NEAR(time({-3.0, 0.0}, kPi, unit, 1.0), 6.785093762, 1e-9);
    // Hardly any turning: R = 1e6 m; the arc is one of a circle of chord 20 m.
    const double slow = time({20.0, 1e-4}, kPi, {1.0, 1.0, 1e-6, 1.0});
    EXPECT_NEAR(slow, 20.5, 1e-6);
    EXPECT_TRUE(std::isinf(time({20.0, 1.0}, kPi, {1.0, 1.0, 1e-6, 1.0})));
    // At once at full speed: a circle about (0, R).
    const double fast = time({-3.0, 1.0}, kPi, {1.3, 1e12, 1.0, 1.0});
    EXPECT_NEAR(fast, time({-3.0, 1.0}, kPi, {1.3, 1.0, 1.0, 1.0}, 1.3), 1e-9);
    EXPECT_LT(best_threshold({{-0.1, 0.0}, 0.0, {1.0, 1e12, 1.0, 1.0}})->time, 4.0);
    // Hardly any acceleration: k = 1e6, many turns before full speed.
    EXPECT_TRUE(std::isfinite(best_threshold({{-5.0, 0.0}, 0.0, {1.0, 1e-6, 1.0, 1.0}})->time));
    // The state after arrival stays; one that never arrives circles on.
    EXPECT_EQ(turning_state({{-8.0, 0.0}}, 0.0, 1e9)->place, (Vec2{-8.0, 0.0}));
    const auto orbit = turning_state({{-0.5, 0.8}}, kPi, 1e5);
    EXPECT_NEAR(std::hypot(orbit->place.x + 0.459698, orbit->place.y - 0.841471), 1.0, 1e-5);
}

TEST(Turning, refuses_what_makes_no_sense)
{
    const double nan = std::nan("");
    const auto refused = [](TurningTask task, double at = 1.0) {
        const auto a = arrival(task, at);
        return a ? std::string() : a.error().message;
    };
    EXPECT_EQ(refused({{nan, 0.0}}), "D must be finite and at most 1e30 in magnitude");
    EXPECT_EQ(refused({{1.0, 0.0}, 2.0}), "v0 must be in [0, vm]");
    EXPECT_EQ(refused({{1.0, 0.0}, nan}), "v0 must be in [0, vm]");
    EXPECT_EQ(refused({{1.0, 0.0}, 0.0, {0.0}}), "vm must be > 0, from 1e-30 to 1e30");
    EXPECT_EQ(refused({{1.0, 0.0}, 0.0, {1.0, -1.0}}), "a must be > 0, from 1e-30 to 1e30");
    EXPECT_EQ(refused({{1.0, 0.0}, 0.0, {1.0, 1.0, -1.0}}), "w must be 0 or from 1e-30 to 1e30");
    EXPECT_EQ(refused({{1.0, 0.0}, 0.0, {1.0, 1.0, 1.0, nan}}),
              "bm must be > 0, from 1e-30 to 1e30");
    EXPECT_EQ(refused({{1.0, 0.0}, 0.0, {1.0, 1e-10, 1.0, 1.0}}), "w vm / a must be at most 1e9");
    EXPECT_EQ(refused({{1.0, 0.0}}, -0.1), "at must be >= 0 and at most 1e30");
    EXPECT_EQ(turning_state({{1.0, 0.0}}, 1.0, -1.0).error().message,
              "t must be >= 0 and at most 1e30");
    const TurningTask too_fast{{1.0, 1.0}, 0.9, {1.0, 1.0, 1.0, 0.4}, true};
    EXPECT_TRUE(turning_state(too_fast, kPi, 1.4));
    EXPECT_EQ(turning_state(too_fast, kPi, 1.5).error().message,
              "t must be at most t_face: the agent cannot stop at D");
    // At the last moment that is known it faces D, also where it has braked up to then.
    for (const double at : {0.0, 0.05, 0.1}) {
        const TurningTask late{{0.38, 0.08}, 1.0, {}, true};
        const auto a = arrival(late, at);
        ASSERT_EQ(a->kind, ArrivalKind::cannot_stop);
        for (const double t : {a->face_time, a->face_time * (1.0 + 1e-10)}) {
            const auto s = turning_state(late, at, t);
            ASSERT_TRUE(s);
            EXPECT_NEAR(s->place.x, a->face_place.x, 1e-9);
            EXPECT_NEAR(s->place.y, a->face_place.y, 1e-9);
            EXPECT_NEAR(s->heading, a->heading, 1e-9);
            EXPECT_NEAR(s->speed, a->face_speed, 1e-9);
        }
        EXPECT_FALSE(turning_state(late, at, a->face_time + 1e-6));
    }
    EXPECT_FALSE(switching_bearing(1.0, 0.5, {}, true));
    EXPECT_FALSE(switching_bearing(-1.0, 0.5, {}));
}

/// Written down once: other bits on another machine would be another path.
TEST(Turning, has_these_bits)
{
    const auto a = arrival({{-2.0, 0.4}, 0.0, {1.4, 0.7, 2.5, 0.7}}, kPi);
    const auto best = best_threshold({{-1.2, 0.1}, 0.0, {1.5, 0.8, 2.0, 0.8}});
    EXPECT_EQ(bits_of(a->time), bits_of(0x1.54f8140bba408p+1));
    EXPECT_EQ(bits_of(a->face_place.x), bits_of(-0x1.b75c91671e3d8p-3));
    EXPECT_EQ(bits_of(best->threshold), bits_of(0x1.634dfc8de4835p+1));
    EXPECT_EQ(bits_of(best->time), bits_of(0x1.1e9a3e49ca487p+1));
}

}  // namespace
}  // namespace sidestep
