// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The walls that eight agents find together are those that each finds by itself, for every
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "property/wall_search_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <vector>

#include "models/wall_lanes-inl.hpp"

#ifndef SIDESTEP_WALL_SEARCH_TEST_TYPES
#define SIDESTEP_WALL_SEARCH_TEST_TYPES
namespace sidestep::test {

/// Agents that look for walls; reach is horizon times speed and radius.
struct Seekers {
    float x[kLeafRows], y[kLeafRows], radius[kLeafRows], speed[kLeafRows], horizon[kLeafRows];
    bool alive[kLeafRows];
    std::uint16_t level;
};

/// Rows of edges of each, nearest first.
using Found = std::vector<std::vector<std::uint32_t>>;

}  // namespace sidestep::test
#endif

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

test::Found search(const WallIndex& index, const test::Seekers& seekers, WallScratch& scratch)
{
    const AgentTable agents;
    const Column<Profile> profiles;
    const BodyTable bodies;
    const PairShares shares;
    const Snapshot snapshot{agents, profiles, index, bodies, shares, {}, 0.1f, PassingSide::right};
    const std::size_t count = hn::Lanes(FloatLanes());
    test::Found found;
    for (std::size_t first = 0; first < kLeafRows; first += count) {
        Lanes lanes{};
        for (std::size_t l = 0; l < count; ++l) {
            lanes.alive[l] = seekers.alive[first + l] ? 1.0f : 0.0f;
            lanes.x[l] = seekers.x[first + l];
            lanes.y[l] = seekers.y[first + l];
            lanes.wall_radius[l] = seekers.radius[first + l];
            lanes.max_speed[l] = seekers.speed[first + l];
            lanes.wall_tau[l] = seekers.horizon[first + l];
            lanes.mode[l] = AccelerationMode::disc;
        }
        const WallHits hits = find_lane_walls(snapshot, seekers.level, lanes, count, scratch);
        for (std::size_t l = 0; l < count; ++l) {
            const std::uint32_t* rows = scratch.leaf_rows.data() + hits.first[l];
            found.emplace_back(rows, rows + hits.count[l]);
        }
    }
    return found;
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "simd/isa.hpp"
#include "support/wall_tables.hpp"

namespace sidestep {
HWY_EXPORT(search);

namespace test {
namespace {

Seekers random_seekers(SeededRandom& random, const Walls& walls, Vec2 centre, double size)
{
    Seekers seekers{};
    seekers.level = static_cast<std::uint16_t>(random.below(4));
    const Vec2 middle = centre + random.in_box(1.2 * size);
    const double spread = random.log_uniform(0.1, size);
    for (std::size_t l = 0; l < kLeafRows; ++l) {
        Vec2 at = middle + random.in_box(spread);
        if (random.chance(0.2) && !walls.table.walls.empty()) {  // exactly on a vertex
            const Wall& wall = walls.table.walls[random.below(walls.table.walls.size())];
            at = wall.vertices[random.below(wall.vertices.size())];
        }
        if (random.chance(0.2)) at = {std::round(at.x), std::round(at.y)};  // in line with some
        seekers.alive[l] = random.chance(0.9);
        seekers.x[l] = static_cast<float>(at.x);
        seekers.y[l] = static_cast<float>(at.y);
        seekers.radius[l] = static_cast<float>(random.uniform(0.1, 0.5));
        seekers.speed[l] = static_cast<float>(random.uniform(0.0, 0.5 * size));
        seekers.horizon[l] = static_cast<float>(random.one_of({0.0, 1.0, 3.0}));
    }
    return seekers;
}

TEST(WallSearch, of_eight_agents_finds_what_each_finds_by_itself)
{
    std::size_t hits = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const double size = random.log_uniform(0.5, 200.0);
        const Vec2 centre = random.one_of({Vec2{}, Vec2{3900.0, -3900.0}, Vec2{-700.0, 12.0}});
        Walls walls = random_walls(random, random.below(120), size, centre);
        walls.build();
        for (int query = 0; query < 10; ++query) {
            const Seekers seekers = random_seekers(random, walls, centre, size);
            Found expected(kLeafRows);
            for (std::size_t l = 0; l < kLeafRows; ++l) {
                if (!seekers.alive[l]) continue;
                find_walls(walls.index, seekers.x[l], seekers.y[l], seekers.level,
                           seekers.horizon[l] * seekers.speed[l] + seekers.radius[l],
                           seekers.horizon[l], walls.scratch);
                for (const WallHit& hit : walls.scratch.hits) expected[l].push_back(hit.row);
                hits += expected[l].size();
            }
            for (const Isa isa : available_isas()) {
                ASSERT_EQ(kernel_for(HWY_DISPATCH_TABLE(search), isa)(walls.index, seekers,
                                                                      walls.scratch),
                          expected)
                    << to_string(isa);
            }
        }
    }
    EXPECT_GT(hits, 50'000u);
}

}  // namespace
}  // namespace test
}  // namespace sidestep
#endif
