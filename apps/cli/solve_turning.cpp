// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Operations about agents that must turn before they go.
#include "solve_operations.hpp"

#include <sidestep/nonholonomic.hpp>

#include <cmath>

namespace sidestep::cli {
namespace {

constexpr double kPi = 3.141592653589793;
/// A bearing beyond pi by less [rad] is pi, written down with ten digits.
constexpr double kRoundedPi = 1e-9;

double number_or(const Json& in, const char* key, double otherwise)
{
    const Json* given = optional_member(in, key);
    return given != nullptr ? to_number(*given, key) : otherwise;
}

/// For "inf" the largest number that the library takes: who speeds up by 1e30 m/s2 does so at once,
/// to the last digit, and no bearing exceeds such a threshold.
double large_number(const Json& value, const char* key)
{
    constexpr double kLargest = 1e30;
    const double x = to_number_or_inf(value, key);
    return std::isinf(x) && x > 0.0 ? kLargest : x;
}

double threshold(const Json& in)
{
    return large_number(member(in, "at"), "at");
}

/// Everything but where to. Who says nothing of it starts at rest, brakes as it accelerates and
/// passes through.
TurningTask task(const Json& in, Vec2 destination)
{
    TurningTask task;
    task.destination = destination;
    task.limits.max_speed = number(in, "vm");
    task.limits.acceleration = large_number(member(in, "a"), "a");
    task.limits.turn_rate = number(in, "w");
    const Json* braking = optional_member(in, "bm");
    task.limits.braking =
        braking != nullptr ? large_number(*braking, "bm") : task.limits.acceleration;
    task.speed = number_or(in, "v0", 0.0);
    if (const Json* stop = optional_member(in, "stop")) {
        if (!stop->is_boolean()) throw BadInput("'stop' must be true or false");
        task.stop = stop->get<bool>();
    }
    return task;
}

TurningTask task(const Json& in)
{
    return task(in, {number(in, "Dx"), number(in, "Dy")});
}

const char* name_of(ArrivalKind kind)
{
    switch (kind) {
        case ArrivalKind::pre: return "pre";
        case ArrivalKind::post: return "post";
        case ArrivalKind::cannot_stop: return "cannot_stop";
        case ArrivalKind::unreachable: break;
    }
    return "unreachable";
}

Json solve_arrival(const Json& in)
{
    const Arrival a = value_of(arrival(task(in), threshold(in)));
    Json out{{"kind", name_of(a.kind)}, {"t_turn", a.turn_time}};
    if (a.kind != ArrivalKind::unreachable) {
        out["t_face"] = a.face_time;
        out["x_face"] = a.face_place.x;
        out["y_face"] = a.face_place.y;
        out["heading"] = a.heading;
        out["v_face"] = a.face_speed;
        out["d"] = a.straight;
        if (a.arrives()) out["v_end"] = a.end_speed;
    }
    out["T"] = a.time;
    return out;
}

Json solve_state(const Json& in)
{
    const TurningState s = value_of(turning_state(task(in), threshold(in), number(in, "t")));
    return {{"x", s.place.x}, {"y", s.place.y}, {"heading", s.heading}, {"v", s.speed}};
}

Json solve_best_at(const Json& in)
{
    const double r = number(in, "Dr"), angle = number(in, "Dth");
    if (!(r >= 0.0)) throw BadInput("Dr must be >= 0");
    if (!(std::fabs(angle) <= kPi + kRoundedPi)) throw BadInput("Dth must be in [-pi, pi]");
    // Straight behind means so: the sine of the nearest number to pi is not quite 0.
    const double y = std::fabs(angle) >= kPi ? 0.0 : r * std::sin(angle);
    const auto best = value_of(best_threshold(task(in, {r * std::cos(angle), y})));
    return {{"at", best.threshold}, {"T", best.time}};
}

Json solve_best_brake(const Json& in)
{
    const auto best = value_of(best_brake(task(in)));
    return {{"tb", best.brake_time}, {"T", best.time}};
}

// clang-format off
constexpr Operation kOperations[] = {
    {"arrival",    solve_arrival},
    {"state",      solve_state},
    {"best_at",    solve_best_at},
    {"best_brake", solve_best_brake},
};
// clang-format on

}  // namespace

std::span<const Operation> turning_operations()
{
    return kOperations;
}

}  // namespace sidestep::cli
