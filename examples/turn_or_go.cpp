// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A robot stands at the origin and looks along +x. Its destination is 8 m behind it: should it turn
// on the spot first, or go at once and turn on the way?

#include <sidestep/nonholonomic.hpp>

#include <cstdio>

int main()
{
    constexpr double kPi = 3.141592653589793;
    const sidestep::TurningTask task{
        .destination = {-8.0, 0.0},
        .limits = {.max_speed = 1.0, .acceleration = 1.0, .turn_rate = 1.0, .braking = 1.0}};

    const auto best = sidestep::best_threshold(task);
    if (!best) return std::puts(best.error().message.c_str()), 1;
    const struct {
        const char* name;
        double threshold;
    } ways[] = {{"turn on the spot", 0.0},
                {"go at pi/2", 0.5 * kPi},
                {"go at once", kPi},
                {"best", best->threshold}};
    double earliest = 1e9;
    for (const auto& way : ways) {
        const auto a = sidestep::arrival(task, way.threshold);
        if (!a) return std::puts(a.error().message.c_str()), 1;
        std::printf("%-17s threshold %.4f rad: faces it after %.3f s, arrives after %.3f s\n",
                    way.name, way.threshold, a->face_time, a->time);
        earliest = a->time < earliest ? a->time : earliest;
    }
    std::printf("\nthe best way, second by second:\n");
    for (double t = 0.0; t < best->time + 1.0; t += 1.0) {
        const auto s = sidestep::turning_state(task, best->threshold, t);
        std::printf("%4.0f s  x %7.3f m  y %6.3f m  heading %6.3f rad  %.3f m/s\n", t, s->place.x,
                    s->place.y, s->heading, s->speed);
    }
    return earliest == best->time ? 0 : 1;
}
