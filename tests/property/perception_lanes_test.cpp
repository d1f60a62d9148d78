// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What a leaf perceives with its neighbours as lanes is what each agent perceives alone, for every
// instruction set, and whether all neighbours are looked for at once or only where few are not
// enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "perception/perceive.hpp"
#include "support/agent_tables.hpp"
#include "support/test_worlds.hpp"
#include "support/wall_tables.hpp"
#include "world/limited_sight.hpp"

namespace sidestep::test {
namespace {

/// A few agents among walls, who remember each other.
struct Scene {
    SeededRandom random;
    bool on_grid;  ///< places that touch, are in line, and are equally far
    TestTable table;
    Walls walls;
    SightPool sights;
    BodyTable bodies;

    explicit Scene(std::uint64_t seed) : random(seed), on_grid(random.chance(0.4)), table(200, 0, 4)
    {
        for (int i = 0; i < 3; ++i) {
            table.add_profile(0, static_cast<float>(random.one_of({0.0, 0.1, 0.25, 0.5})),
                              static_cast<float>(random.one_of({0.0, 0.38})),
                              static_cast<float>(random.one_of({3.0, 5.0, 20.0})),
                              static_cast<float>(random.one_of({0, 1, 3, 10, 10, 15, 16, 40})));
            auto& value = table.profiles[table.profiles.size() - 1].value;
            value[kObservationTime] = static_cast<float>(random.one_of({0.0, 0.1, 0.3, 0.79}));
            value[kForgetTime] = static_cast<float>(random.one_of({0.0, 0.1, 0.3, 2.0}));
            value[kFieldOfView] = random.chance(0.2) ? 120.0f : 360.0f;
            value[kSight] = static_cast<float>(random.one_of({0, 1, 1, 1, 2}));
        }
        const std::size_t profiles = random.one_of({1, 3});
        const std::size_t count = 2 + random.below(120);
        const double half = random.one_of({1.0, 3.0, 6.0});
        for (std::uint32_t id = 0; id < count; ++id) {
            const Vec2 place = somewhere(half);
            table.add({.id = id,
                       .x = static_cast<float>(place.x),
                       .y = static_cast<float>(place.y),
                       .profile = static_cast<ProfileId>(random.below(profiles))});
        }
        add_walls(random.one_of({0, 1, 5, 20, 150}), half);
        own_tables();
    }

    Vec2 somewhere(double half)
    {
        const Vec2 place = random.in_box(half);
        if (!on_grid) return place;
        return {std::round(place.x * 4.0) / 4.0, std::round(place.y * 4.0) / 4.0};
    }

    void add_walls(std::size_t count, double half)
    {
        for (std::size_t i = 0; i < count; ++i) {
            const Vec2 a = somewhere(half);
            Vec2 b = somewhere(half);
            if (a == b) b.x += 1.0;
            walls.add(WallKind::thin, {a, b});
        }
        walls.build();
    }

    void own_tables()
    {
        AgentTable& agents = table.agents;
        ASSERT_TRUE(agents.sight.reserve(agents.rows()) && sights.reserve(agents.rows()) &&
                    agents.heading_x.reserve(agents.rows()) &&
                    agents.heading_y.reserve(agents.rows()));
        agents.sight.resize(agents.rows(), kNoSight);
        agents.heading_x.resize(agents.rows(), 1.0f);
        agents.heading_y.resize(agents.rows(), 0.0f);
        for (std::size_t row = 0; row < agents.rows(); ++row) {
            if (agents.holds(row) && param_of(agents, table.profiles, row, kObservationTime) > 0.0f)
                agents.sight[row] = sights.take();
        }
    }

    /// Everybody a step farther, and some far away.
    void move(double half)
    {
        AgentTable& agents = table.agents;
        for (std::size_t row = 0; row < agents.rows(); ++row) {
            if (!agents.holds(row) || random.chance(0.5)) continue;
            Vec2 place = somewhere(on_grid ? 0.5 : 0.1);
            place = {place.x + agents.x[row], place.y + agents.y[row]};
            if (random.chance(0.05)) place = somewhere(half);
            agents.x[row] = agents.record[row].x = static_cast<float>(place.x);
            agents.y[row] = agents.record[row].y = static_cast<float>(place.y);
        }
        table.refit();
    }

    PerceptionInput input() const
    {
        return {table.agents, table.profiles,
                sights,       walls.index,
                bodies,       {},
                0.1,          table.tree.root().max_radius};
    }
};

using Entry = std::tuple<std::uint32_t, bool, int, int>;

/// In the order of ids: where in its table an entry is does not matter.
std::vector<Entry> entries_of(const SightTable& table)
{
    std::vector<Entry> entries;
    for (std::size_t place = 0; place < kSightEntries; ++place) {
        const SightEntry entry = table.entry(place);
        entries.emplace_back(entry.id, entry.is_body, entry.first, entry.last);
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::string difference(const Scene& scene, std::size_t leaf, const NeighbourLists& lists,
                       const NeighbourLists& twin, const Perceived& perceived,
                       const Perceived& alone)
{
    if (perceived.crowded != alone.crowded) return "crowded";
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!scene.table.agents.holds(row)) continue;
        const std::string where = " of lane " + std::to_string(lane);
        const std::uint32_t count = lists.count[lane];
        if (count != twin.count[lane]) return "count" + where;
        if (lists.cap_hit[lane] != twin.cap_hit[lane]) return "cap_hit" + where;
        if (lists.complete_sq[lane] != twin.complete_sq[lane]) return "complete_sq" + where;
        if (!std::equal(lists.row[lane], lists.row[lane] + count, twin.row[lane]) ||
            !std::equal(lists.dist_sq[lane], lists.dist_sq[lane] + count, twin.dist_sq[lane]))
            return "list" + where;
        if (scene.table.agents.sight[row] != kNoSight &&
            entries_of(perceived.memory[lane]) != entries_of(alone.memory[lane]))
            return "memory" + where;
    }
    return {};
}

/// Each agent by itself, from all of its neighbours.
void perceive_each(const Scene& scene, std::size_t leaf, NeighbourLists& lists, Perceived& alone)
{
    alone.crowded = 0;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!scene.table.agents.holds(row) ||
            !sight_traits_of(scene.table.agents, scene.table.profiles, row).limited())
            continue;
        lists.complete_sq[lane] = 0.0f;
        perceive_alone(scene.input(), leaf, lane, lists, alone, nullptr);
    }
}

class PerceptionLanes : public WorldTest {};

TEST_F(PerceptionLanes, perceive_what_each_agent_perceives_alone)
{
    const std::vector<Isa> isas = isas_under_test();
    const auto twin = std::make_unique<NeighbourLists>();
    const auto alone = std::make_unique<Perceived>();
    const auto perceived = std::make_unique<Perceived>();
    for (Perceived* each : {alone.get(), perceived.get()}) {
        ASSERT_TRUE(each->edges.reserve(400));
        ASSERT_TRUE(each->bodies.reserve(1) && each->unnoticed_bodies.reserve(1));
    }
    std::size_t enough = 0, again = 0, crowded = 0, avoided = 0, hidden_or_new = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scene scene(seed);
        scene.table.refit();
        for (int step = 0; step < 12; ++step) {
            for (std::size_t leaf = 0; leaf < scene.table.agents.leaves(); ++leaf) {
                find_neighbours_brute_force(scene.table.input(), leaf, *twin);
                std::size_t listed = 0, kept = 0;
                for (const std::uint32_t count : twin->count) listed += count;
                perceive_each(scene, leaf, *twin, *alone);
                for (const std::uint32_t count : twin->count) kept += count;
                avoided += kept;
                hidden_or_new += listed - kept;
                crowded += alone->crowded;
                for (const Isa isa : isas) {
                    NeighbourInput search = scene.table.input();
                    NeighbourLists& lists = scene.table.scratch.lists;
                    const auto look = [&](SearchDepth depth) {
                        search.depth = depth;
                        find_neighbours_for(isa)(search, leaf, scene.table.scratch);
                        return perceive_for(isa)(scene.input(), leaf, lists, *perceived, nullptr,
                                                 0);
                    };
                    const Looked full = look(SearchDepth::full);
                    ASSERT_NE(full, Looked::too_few);
                    ASSERT_EQ(difference(scene, leaf, lists, *twin, *perceived, *alone), "")
                        << to_string(isa) << ", leaf " << leaf << ", step " << step;
                    const Looked first = look(SearchDepth::first);
                    if (first == Looked::few) {
                        ++enough;
                        ASSERT_EQ(full, Looked::few);
                    } else if (first == Looked::too_few) {
                        ++again;
                        ASSERT_EQ(full, Looked::many);
                        ASSERT_EQ(look(SearchDepth::again), Looked::many);
                    }
                    ASSERT_EQ(difference(scene, leaf, lists, *twin, *perceived, *alone), "")
                        << to_string(isa) << ", leaf " << leaf << ", step " << step
                        << ", few at first";
                }
                remember(*perceived, leaf, scene.table.agents, scene.sights);
            }
            scene.move(3.0);
        }
    }
    EXPECT_GT(enough, 1000u);
    EXPECT_GT(again, 1000u);
    EXPECT_GT(crowded, 1000u);
    EXPECT_GT(avoided, 10'000u);
    EXPECT_GT(hidden_or_new, 10'000u);
}

}  // namespace
}  // namespace sidestep::test
