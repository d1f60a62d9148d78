// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <sidestep/sidestep.hpp>

#ifdef USE_ANALYSIS
#include <sidestep/analysis.hpp>
#endif

#include <array>
#include <cstdio>

namespace {

int fail(const char* what)
{
    std::fprintf(stderr, "%s\n", what);
    return 1;
}

}  // namespace

int main()
{
    auto world = sidestep::World::create({});
    if (!world) return fail("no world");
    const auto walker = world->add({.position = {0, 0}, .goal = sidestep::Vec2{5, 0}});
    if (!walker) return fail("no agent");
    world->step();
    const auto agent = world->agent(*walker);
    if (!agent || !(agent->position.x > 0)) return fail("the agent did not walk");

#ifdef USE_ANALYSIS
    const std::array<sidestep::Vec2, 3> velocities{{{1, 0}, {1, 0}, {1, 0}}};
    const auto energy = sidestep::walking_energy(velocities, 0.1, 70.0);
    if (!energy || !(*energy > 0)) return fail("walking costs no energy");
#endif

    std::printf("sidestep %s: walked %g m\n", sidestep::version(), agent->position.x);
    return 0;
}
