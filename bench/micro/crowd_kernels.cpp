// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The kernels of an open field: neighbour search, lines of pairs, the program and its infeasible
// case. Times are per agent, by instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "micro/crowd_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/aligned_allocator.h>

#include <cstddef>

#include "constraints/velocity_obstacle-inl.hpp"
#include "solvers/program-inl.hpp"

#ifndef SIDESTEP_BENCH_CROWD_KERNELS_TYPES
#define SIDESTEP_BENCH_CROWD_KERNELS_TYPES
namespace sidestep::bench {

/// Agents of a batch, and lines of each.
inline constexpr std::size_t kAgents = 512;
inline constexpr std::size_t kLines = 10;

/// Columns of kAgents numbers; those of pairs have kLines rows of them.
struct CrowdColumns {
    hwy::AlignedFreeUniquePtr<float[]> memory;
    float *x, *y, *vx, *vy, *nx, *ny, *c, *px, *py, *work;
};

}  // namespace sidestep::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

using bench::CrowdColumns;
using bench::kAgents;
using bench::kLines;
using Lanes8 = hn::CappedTag<float, 8>;

/// Half-planes of kLines pairs for each agent, for discs of 0.25 m and a horizon of 2 s.
void make_pair_lines(const CrowdColumns& in)
{
    const Lanes8 d;
    using V = hn::Vec<Lanes8>;
    const V radius = hn::Set(d, 0.5f), tau = hn::Set(d, 2.0f), t_res = hn::Set(d, 0.1f);
    const V half = hn::Set(d, 0.5f), zero = hn::Zero(d);
    static constexpr std::uint32_t kIds[8] = {};
    for (std::size_t i = 0; i < kAgents * kLines; i += hn::Lanes(d)) {
        const Pair<V> pair{{hn::Load(d, in.x + i), hn::Load(d, in.y + i)},
                           {hn::Load(d, in.vx + i), hn::Load(d, in.vy + i)},
                           radius};
        const auto plane =
            orca_half_plane(d, pair, zero2(d), tau, t_res, half, zero, PairIds{kIds, kIds});
        hn::Store(plane.normal.x, d, in.nx + i);
        hn::Store(plane.normal.y, d, in.ny + i);
        hn::Store(dot(plane.normal, plane.point), d, in.c + i);
    }
}

/// The program of each agent over the lines there are; returns how many were relaxed.
std::size_t solve_programs(const CrowdColumns& in)
{
    const Lanes8 d;
    using V = hn::Vec<Lanes8>;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t relaxed = 0;
    for (std::size_t first = 0; first < kAgents; first += lanes) {
        // Lines of kLines rows of one vector after the other.
        const std::size_t at = first * kLines;
        const ProgramLines<float> lines{in.nx + at, in.ny + at, in.c + at};
        const ProgramScratch<float> scratch(in.work, kLines, lanes);
        const Discs<Lanes8> discs{hn::Set(d, 2.0f), zero2(d), hn::Set(d, 1.0f), program::none(d)};
        const Vec2<V> wish{hn::Load(d, in.px + first), hn::Load(d, in.py + first)};
        const auto r = solve_program(d, lines, 0, kLines, discs, wish, hn::Set(d, 2.0f), scratch,
                                     hn::FirstN(d, lanes));
        relaxed += hn::CountTrue(d, r.relaxed);
    }
    return relaxed;
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "neighbours/neighbours.hpp"
#include "neighbours/sort_rows.hpp"
#include "simd/isa.hpp"

namespace sidestep {
HWY_EXPORT(make_pair_lines);
HWY_EXPORT(solve_programs);

namespace bench {
namespace {

using PairLines = void (*)(const CrowdColumns&);
using Programs = std::size_t (*)(const CrowdColumns&);

class Uniform {
public:
    float operator()(double low, double high)
    {
        const double part = static_cast<double>(bits_() >> 11) * 0x1p-53;
        return static_cast<float>(low + (high - low) * part);
    }

private:
    std::mt19937_64 bits_{1};
};

/// Lines whose bounds are drawn from (low, high) [m/s]: the higher, the more programs are
/// infeasible.
CrowdColumns make_columns(double low, double high)
{
    constexpr std::size_t kPairs = kAgents * kLines;
    CrowdColumns made{hwy::AllocateAligned<float>(7 * kPairs + 2 * kAgents + 8 * kLines * 8),
                      {},
                      {},
                      {},
                      {},
                      {},
                      {},
                      {},
                      {},
                      {},
                      {}};
    float* next = made.memory.get();
    for (float** column : {&made.x, &made.y, &made.vx, &made.vy, &made.nx, &made.ny, &made.c}) {
        *column = next;
        next += kPairs;
    }
    made.px = next;
    made.py = next + kAgents;
    made.work = next + 2 * kAgents;
    Uniform uniform;
    for (std::size_t i = 0; i < kPairs; ++i) {
        const double angle = double{uniform(0.0, 6.283185307)};
        const double distance = 2.5 * std::sqrt(double{uniform(0.05, 1.0)});
        made.x[i] = static_cast<float>(distance * std::cos(angle));
        made.y[i] = static_cast<float>(distance * std::sin(angle));
        made.vx[i] = uniform(-2.0, 2.0);
        made.vy[i] = uniform(-2.0, 2.0);
        const double turn = double{uniform(0.0, 6.283185307)};
        made.nx[i] = static_cast<float>(std::cos(turn));
        made.ny[i] = static_cast<float>(std::sin(turn));
        made.c[i] = uniform(low, high);
    }
    for (std::size_t i = 0; i < kAgents; ++i) {
        made.px[i] = uniform(-1.3, 1.3);
        made.py[i] = uniform(-1.3, 1.3);
    }
    return made;
}

void per_agent(benchmark::State& state, std::size_t agents)
{
    state.counters["per_agent"] = benchmark::Counter(
        static_cast<double>(agents),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void pair_lines(benchmark::State& state, PairLines kernel)
{
    const CrowdColumns columns = make_columns(-2.0, 0.0);
    for (auto _ : state) {
        kernel(columns);
        benchmark::ClobberMemory();
    }
    per_agent(state, kAgents);
}

void programs(benchmark::State& state, Programs kernel, double low, double high)
{
    const CrowdColumns columns = make_columns(low, high);
    std::size_t relaxed = 0;
    for (auto _ : state) benchmark::DoNotOptimize(relaxed = kernel(columns));
    per_agent(state, kAgents);
    state.counters["infeasible"] = static_cast<double>(relaxed) / kAgents;
}

/// A field of 10,000 people, one on 2 m2.
struct Field {
    static constexpr std::size_t kPeople = 10000;
    AgentTable agents;
    Column<Profile> profiles;
    SortScratch sort;
    BoxTree tree;
    NeighbourScratch scratch;
    Column<float> reach_sq;

    explicit Field(float most)
    {
        constexpr std::size_t kRows = kPeople + 64;
        if (!agents.reserve_rows(kRows) || !agents.reserve_slots(kPeople) ||
            !sort.reserve(kPeople, kRows) || !tree.reserve(kRows / kLeafRows) ||
            !profiles.reserve(1) || !reach_sq.reserve(kRows / kLeafRows))
            std::abort();
        Profile profile;
        profile.value[kRadius] = 0.25f;
        profile.value[kNeighbourRange] = 5.0f;
        profile.value[kMaxNeighbours] = most;
        profile.value[kFieldOfView] = 360.0f;
        profiles.push_back(profile);
        Uniform uniform;
        for (std::uint32_t i = 0; i < kPeople; ++i) {
            const std::size_t row = agents.append_row(0, 0);
            agents.x[row] = uniform(-70.7, 70.7);
            agents.y[row] = uniform(-70.7, 70.7);
            agents.record[row] = {.x = agents.x[row], .y = agents.y[row], .radius = 0.25f, .id = i};
            agents.slot[row] = i;
            agents.slots.push_back({static_cast<std::uint32_t>(row), 0});
        }
        agents.live = kPeople;
        sort_rows(agents, sort);
        tree.set_leaves(agents.leaves());
        refit_leaves(agents, profiles, tree, 0, agents.leaves());
        tree.refit();
        reach_sq.resize(agents.leaves(), 0.0f);
        scratch.leaf_reach_sq = reach_sq.data();
    }
};

void neighbours(benchmark::State& state, Isa isa, float most)
{
    const auto field = std::make_unique<Field>(most);
    const FindNeighbours find = find_neighbours_for(isa);
    for (auto _ : state) {
        for (std::size_t leaf = 0; leaf < field->agents.leaves(); ++leaf)
            find({field->agents, field->profiles, field->tree}, leaf, field->scratch);
        benchmark::ClobberMemory();
    }
    per_agent(state, Field::kPeople);
}

void register_for(Isa isa, const char* name)
{
    const std::string of = std::string("/") + name;
    const auto add = [&](const char* what, const auto& run) {
        benchmark::RegisterBenchmark((what + of).c_str(), run);
    };
    const PairLines lines = kernel_for(HWY_DISPATCH_TABLE(make_pair_lines), isa);
    const Programs solve = kernel_for(HWY_DISPATCH_TABLE(solve_programs), isa);
    add("find_10_nearest", [=](benchmark::State& s) { neighbours(s, isa, 10.0f); });
    add("find_32_nearest", [=](benchmark::State& s) { neighbours(s, isa, 32.0f); });
    add("ten_pair_lines", [=](benchmark::State& s) { pair_lines(s, lines); });
    add("program", [=](benchmark::State& s) { programs(s, solve, -2.0, 0.0); });
    add("program_infeasible", [=](benchmark::State& s) { programs(s, solve, -0.5, 1.0); });
}

}  // namespace
}  // namespace bench
}  // namespace sidestep

int main(int argc, char** argv)
{
    using sidestep::Isa;
    for (const auto& [isa, name] : {std::pair{Isa::scalar, "scalar"},
                                    {Isa::sse4, "sse4"},
                                    {Isa::avx2, "avx2"},
                                    {Isa::avx3, "avx3"}}) {
        if (std::ranges::count(sidestep::available_isas(), isa) > 0)
            sidestep::bench::register_for(isa, name);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
#endif
