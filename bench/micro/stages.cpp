// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// One kernel at a time, in the middle of a crowd: the time of one stage of a step, for each model,
// instruction set and kind of crowd. Names are stage/model/crowd/isa; the counter is ns per agent,
// the time is of 4,096 agents.
#include <benchmark/benchmark.h>

#include <sidestep/world.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace sidestep;

constexpr std::size_t kSide = 64;  // agents along a side: 4,096 of them
constexpr int kWarmUpSteps = 12;

enum class Crowd { open, dense, pillars };

struct Kernel {
    Stage stage;
    const char* model;
    Crowd crowd;
    std::vector<ParamValue> values{};  // of the model, besides what all have
    const char* note = "";
};

const char* name_of(Crowd crowd)
{
    return crowd == Crowd::open ? "open" : crowd == Crowd::dense ? "dense" : "pillars";
}

/// People on a jittered lattice, each on the way to somewhere far away; 0.5 or 2.5 of them on a
/// square metre, or 0.5 between pillars of 1 m that stand 6 m apart.
World make_world(const Kernel& kernel, Isa isa)
{
    World world = *World::create({.dt = 0.1, .threads = 1, .isa = isa});
    ProfileSpec profile{.model = kernel.model, .values = kernel.values};
    for (const auto& [name, value] :
         {std::pair{"radius", 0.25}, std::pair{"preferred_speed", 1.3}, std::pair{"max_speed", 2.0},
          std::pair{"neighbour_range", 5.0}, std::pair{"max_neighbours", 10.0}}) {
        profile.values.emplace_back(name, value);
    }
    const ProfileId id = *world.add_profile(profile);
    const double spacing = kernel.crowd == Crowd::dense ? 0.63 : 1.41;
    std::mt19937_64 random(7);
    const auto uniform = [&](double high) {
        return high * static_cast<double>(random() >> 11) * 0x1p-53;
    };
    if (kernel.crowd == Crowd::pillars) {
        for (double x = 3.0; x < spacing * kSide; x += 6.0) {
            for (double y = 3.0; y < spacing * kSide; y += 6.0)
                (void)world.add_wall(
                    {.vertices = {{x, y}, {x + 1.0, y}, {x + 1.0, y + 1.0}, {x, y + 1.0}}});
        }
    }
    for (std::size_t i = 0; i < kSide * kSide; ++i) {
        const Vec2 place{spacing * static_cast<double>(i % kSide) + uniform(0.1),
                         spacing * static_cast<double>(i / kSide) + uniform(0.1)};
        const double angle = uniform(6.283185307179586);
        (void)world.add(
            {.position = place,  // who would stand in a pillar is left out
             .goal = Vec2{place.x + 2e3 * std::cos(angle), place.y + 2e3 * std::sin(angle)},
             .profile = id});
    }
    for (int step = 0; step < kWarmUpSteps; ++step) (void)world.step();
    return world;
}

void time_stage(benchmark::State& state, const Kernel& kernel, Isa isa)
{
    World world = make_world(kernel, isa);
    const auto index = static_cast<std::size_t>(kernel.stage);
    StageTimes times;
    world.time_stages(&times);
    double sum = 0.0;
    for (auto _ : state) {
        const double before = times.seconds[index];
        (void)world.step();
        const double passed = times.seconds[index] - before;
        state.SetIterationTime(passed);
        sum += passed;
    }
    state.counters["ns/agent"] =
        1e9 * sum / static_cast<double>(state.iterations()) / static_cast<double>(world.size());
}

const std::vector<Kernel>& kernels()
{
    static const std::vector<Kernel> all{
        {Stage::sort, "orca", Crowd::open},
        {Stage::index, "orca", Crowd::open},
        {Stage::neighbours, "orca", Crowd::open},
        {Stage::neighbours, "orca", Crowd::dense},
        {Stage::perceive, "rcap", Crowd::open, {{"observation_time", 0.79}}},
        {Stage::perceive, "rcap", Crowd::pillars, {{"observation_time", 0.79}}},
        {Stage::stalls, "orca", Crowd::dense},
        {Stage::choose, "seek", Crowd::open},
        {Stage::choose, "orca", Crowd::open},
        {Stage::choose, "orca", Crowd::dense},
        {Stage::choose, "orca", Crowd::pillars},
        {Stage::choose, "rcap", Crowd::open, {{"max_acceleration", 1.5}}},
        {Stage::choose, "personality", Crowd::open, {{"alpha", 0.5}}},
        {Stage::choose, "clearpath", Crowd::open},
        {Stage::choose, "clearpath", Crowd::dense},
        {Stage::choose, "clearpath", Crowd::pillars},
        {Stage::choose, "clearpath-safe", Crowd::open},
        {Stage::choose, "vo", Crowd::open},
        {Stage::choose, "rvo", Crowd::open},
        {Stage::choose, "rvo", Crowd::open, {{"chooser", 1.0}}, "-sampled"},
        {Stage::choose, "social_force", Crowd::open},
        {Stage::choose, "social_force", Crowd::pillars},
        {Stage::advance, "orca", Crowd::open},
        {Stage::advance, "orca", Crowd::pillars},
    };
    return all;
}

const bool kRegistered = [] {
    for (const Kernel& kernel : kernels()) {
        for (const Isa isa : available_isas()) {
            const std::string name = std::string(to_string(kernel.stage)) + '/' + kernel.model +
                                     kernel.note + '/' + name_of(kernel.crowd) + '/' +
                                     std::string(to_string(isa));
            benchmark::RegisterBenchmark(
                name.c_str(),
                [&kernel, isa](benchmark::State& state) { time_stage(state, kernel, isa); })
                ->UseManualTime()
                ->Unit(benchmark::kMicrosecond);
        }
    }
    return true;
}();

}  // namespace
