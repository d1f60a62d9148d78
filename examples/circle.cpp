// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// 250 people stand on a circle and all want to cross it.

#include <sidestep/world.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv)
{
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const int people = quick ? 50 : 250;
    const double radius = people * 0.12;  // [m]

    auto world = sidestep::World::create({.dt = 0.05});
    for (int i = 0; i < people; ++i) {
        const double angle = 2.0 * 3.14159265358979 * i / people;
        const sidestep::Vec2 start{radius * std::cos(angle), radius * std::sin(angle)};
        if (auto agent = world->add({.position = start, .goal = -start}); !agent)
            return std::puts(agent.error().message.c_str()), 1;
    }

    std::uint64_t overlaps = 0;
    double deepest = 0.0;
    int arrived = 0;
    while (arrived < people && world->time() < 300.0) {
        const sidestep::StepReport report = world->step();
        overlaps += report.overlaps;
        deepest = std::fmax(deepest, report.deepest_overlap);
        if (world->step_index() % 20 != 0) continue;
        arrived = 0;
        const sidestep::AgentColumns agents = world->columns();
        for (std::size_t row = 0; row < agents.rows; ++row) {
            const bool there = std::hypot(agents.x[row] - agents.goal_x[row],
                                          agents.y[row] - agents.goal_y[row]) < 0.25;
            arrived += agents.record[row].id != sidestep::kNoAgent && there ? 1 : 0;
        }
        std::printf("\rt = %5.1f s  arrived %3d of %d", world->time(), arrived, people);
        std::fflush(stdout);
    }
    std::printf(
        "\n%d of %d people crossed a circle of %.0f m in %.1f s: %llu overlapping pairs in %llu "
        "steps, deepest %.3f m, state %016llx\n",
        arrived, people, 2.0 * radius, world->time(), static_cast<unsigned long long>(overlaps),
        static_cast<unsigned long long>(world->step_index()), deepest,
        static_cast<unsigned long long>(world->state_hash()));
    return arrived == people ? 0 : 1;
}
