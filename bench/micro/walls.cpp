// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The walls of an office: looking for those in reach of eight agents, and the lines they demand.
// Times are per agent; `edges` are how many an agent has in reach, `rows` of how many lines the
// program is made, for whichever of the eight.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "micro/walls.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include "models/half_plane_lines-inl.hpp"

#ifndef SIDESTEP_BENCH_WALLS_TYPES
#define SIDESTEP_BENCH_WALLS_TYPES
namespace sidestep::bench {

/// Eight agents that stand together.
struct Leaf {
    float x[kLeafRows], y[kLeafRows], vx[kLeafRows], vy[kLeafRows];
};

struct Work {
    const Snapshot* snapshot;
    const Leaf* leaves;
    std::size_t count;
    WallScratch* walls;
    LineScratch* lines;
};

}  // namespace sidestep::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

/// Looks for walls, and makes their lines if told to. Returns how many edges there are, or rows of
/// lines for all.
template <bool kMakeLines>
std::size_t find_and_make(const bench::Work& work)
{
    const FloatLanes d;
    const std::size_t count = hn::Lanes(d);
    alignas(64) float keep[kLeafRows], alone[kLeafRows] = {};
    std::fill(std::begin(keep), std::end(keep), 1.0f);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < work.count; ++i) {
        for (std::size_t first = 0; first < kLeafRows; first += count) {
            Lanes lanes{};
            for (std::size_t l = 0; l < count; ++l) {
                lanes.alive[l] = 1.0f;
                lanes.x[l] = work.leaves[i].x[first + l];
                lanes.y[l] = work.leaves[i].y[first + l];
                lanes.vx[l] = work.leaves[i].vx[first + l];
                lanes.vy[l] = work.leaves[i].vy[first + l];
                lanes.wall_radius[l] = 0.25f;
                lanes.max_speed[l] = 2.0f;
                lanes.wall_tau[l] = 1.0f;
                lanes.overlap_time[l] = 0.1f;
                lanes.mode[l] = AccelerationMode::disc;
            }
            const WallHits hits = find_lane_walls(*work.snapshot, 0, lanes, count, *work.walls);
            if constexpr (kMakeLines) {
                LineRows lines(*work.lines, count);
                add_wall_lines(d, *work.snapshot, lanes, keep, alone, work.walls->leaf_rows.data(),
                               hits.first, hits.count, lines);
                sum += lines.rows * count;
            } else {
                for (std::size_t l = 0; l < count; ++l) sum += hits.count[l];
            }
        }
    }
    return sum;
}

std::size_t find_walls_of(const bench::Work& work)
{
    return find_and_make<false>(work);
}
std::size_t make_lines_of(const bench::Work& work)
{
    return find_and_make<true>(work);
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "simd/isa.hpp"

namespace sidestep {
HWY_EXPORT(find_walls_of);
HWY_EXPORT(make_lines_of);

namespace bench {
namespace {

constexpr int kRooms = 20;     // in a row and in a column
constexpr double kRoom = 5.0;  // side [m]
constexpr double kDoor = 1.0;  // [m]
constexpr std::size_t kLeaves = 4096;

/// Rooms of 5 m with a door each, and people in all of them.
struct Office {
    AgentTable agents;
    Column<Profile> profiles;
    BodyTable bodies;
    PairShares shares;
    WallTable table;
    WallIndex index;
    WallScratch walls;
    LineScratch lines;
    std::vector<Leaf> leaves;

    Office()
    {
        for (int i = 0; i < kRooms; ++i) {
            for (int j = 0; j < kRooms; ++j) {
                const Vec2 at{kRoom * i, kRoom * j};
                add_thin(at, at + Vec2{kRoom, 0.0});
                add_thin(at + Vec2{0.0, kDoor}, at + Vec2{0.0, kRoom});
            }
        }
        const std::size_t cells = table.edge_count * kLeafRows;
        if (!reserve(index, table.edge_count) || !walls.reserve(table.edge_count, kLeafRows) ||
            !lines.nx.reserve(cells) || !lines.ny.reserve(cells) || !lines.c.reserve(cells) ||
            !lines.source.reserve(cells) || !lines.source_kind.reserve(cells))
            std::abort();
        rebuild(index, table);
        std::mt19937_64 random(1);
        const auto uniform = [&](double low, double high) {
            return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
        };
        for (std::size_t i = 0; i < kLeaves; ++i) {
            Leaf leaf{};
            const double x = uniform(0.0, kRoom * kRooms - 2.0);
            const double y = uniform(0.0, kRoom * kRooms - 2.0);
            for (std::size_t l = 0; l < kLeafRows; ++l) {
                leaf.x[l] = static_cast<float>(uniform(x, x + 2.0));
                leaf.y[l] = static_cast<float>(uniform(y, y + 2.0));
                leaf.vx[l] = static_cast<float>(uniform(-1.0, 1.0));
                leaf.vy[l] = static_cast<float>(uniform(-1.0, 1.0));
            }
            leaves.push_back(leaf);
        }
    }

    void add_thin(Vec2 a, Vec2 b)
    {
        const Vec2 ends[] = {a, b};
        Wall wall;
        wall.live = true;
        wall.kind = WallKind::thin;
        wall.vertices = {a, b};
        wall.set_edges(*make_wall_edges(WallKind::thin, ends));
        table.edge_count += wall.edges.size();
        table.walls.push_back(std::move(wall));
    }
};

template <class Kernel>
void run(benchmark::State& state, Kernel kernel, const char* counted)
{
    static Office office;
    const Snapshot snapshot{office.agents, office.profiles,   office.index,
                            office.bodies, office.shares,     {},
                            0.1f,          PassingSide::right};
    const Work work{&snapshot, office.leaves.data(), kLeaves, &office.walls, &office.lines};
    std::size_t sum = 0;
    for (auto _ : state) benchmark::DoNotOptimize(sum = kernel(work));
    const double agents = static_cast<double>(kLeaves * kLeafRows);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kLeaves * kLeafRows));
    state.counters["per_agent"] = benchmark::Counter(
        agents, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.counters[counted] = static_cast<double>(sum) / agents;
}

void find_walls(benchmark::State& state, Isa isa)
{
    run(state, kernel_for(HWY_DISPATCH_TABLE(find_walls_of), isa), "edges");
}

void find_walls_and_make_lines(benchmark::State& state, Isa isa)
{
    run(state, kernel_for(HWY_DISPATCH_TABLE(make_lines_of), isa), "rows");
}

const bool registered = [] {
    for (const Isa isa : available_isas()) {
        const std::string name(to_string(isa));
        benchmark::RegisterBenchmark(("find_walls/" + name).c_str(), find_walls, isa);
        benchmark::RegisterBenchmark(("find_walls_and_make_lines/" + name).c_str(),
                                     find_walls_and_make_lines, isa);
    }
    return true;
}();

}  // namespace
}  // namespace bench
}  // namespace sidestep
#endif
