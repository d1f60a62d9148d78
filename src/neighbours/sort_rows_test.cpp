// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "neighbours/sort_rows.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "math/hilbert.hpp"
#include "parallel/workers.hpp"
#include "support/agent_tables.hpp"
#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

using test::SeededRandom;
using test::TableAgent;
using test::TestTable;

/// Place on the curve of 1/8 m cells, from the definition.
std::uint32_t place_of(float x, float y)
{
    return hilbert_index(static_cast<std::uint32_t>(x * 8.0f + 32768.0f),
                         static_cast<std::uint32_t>(y * 8.0f + 32768.0f));
}

void add_profiles(TestTable& table)
{
    for (std::uint8_t model = 0; model < 2; ++model)
        table.add_profile(model, 0.2f, 0.0f, 5.0f, 10.0f);
}

std::vector<TableAgent> random_agents(SeededRandom& random, std::size_t count, double half_side)
{
    std::vector<TableAgent> agents;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec2 p = random.in_box(half_side);
        agents.push_back({.id = i * 7 + 3,
                          .x = static_cast<float>(p.x),
                          .y = static_cast<float>(p.y),
                          .level = static_cast<std::uint16_t>(random.below(3)),
                          .profile = static_cast<ProfileId>(random.below(2))});
    }
    return agents;
}

std::vector<std::uint32_t> ids_in_row_order(const AgentTable& agents)
{
    std::vector<std::uint32_t> ids;
    for (std::size_t row = 0; row < agents.rows(); ++row) ids.push_back(agents.record[row].id);
    return ids;
}

/// Every column of a row says which agent it is of, so that a row torn apart is seen.
void stamp(AgentTable& agents)
{
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (!agents.holds(row)) continue;
        const auto mark = static_cast<float>(agents.record[row].id);
        agents.remainder_x[row] = mark + 0.125f;
        agents.remainder_y[row] = mark + 0.25f;
        agents.preferred_vx[row] = mark + 0.375f;
        agents.preferred_vy[row] = mark + 0.5f;
        agents.next_vx[row] = mark + 0.625f;
        agents.next_vy[row] = mark + 0.75f;
        agents.goal_x[row] = mark + 0.875f;
        agents.goal_y[row] = -mark;
    }
}

void expect_whole_rows(const TestTable& table, const std::map<std::uint32_t, TableAgent>& living)
{
    const AgentTable& agents = table.agents;
    std::size_t found = 0;
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (!agents.holds(row)) {
            EXPECT_EQ(agents.slot[row], kNoRow);
            EXPECT_EQ(agents.x[row], kFarAway);
            EXPECT_EQ(agents.record[row].x, kFarAway);
            continue;
        }
        ++found;
        const std::uint32_t id = agents.record[row].id;
        SCOPED_TRACE("agent " + std::to_string(id));
        ASSERT_TRUE(living.contains(id));
        const TableAgent& agent = living.at(id);
        const auto mark = static_cast<float>(id);
        EXPECT_EQ(agents.x[row], agent.x);
        EXPECT_EQ(agents.y[row], agent.y);
        EXPECT_EQ(agents.record[row].x, agent.x);
        EXPECT_EQ(agents.record[row].y, agent.y);
        EXPECT_EQ(agents.profile[row], agent.profile);
        EXPECT_EQ(agents.leaf_level[row / kLeafRows], agent.level);
        EXPECT_EQ(agents.leaf_model[row / kLeafRows], table.profiles[agent.profile].model);
        EXPECT_EQ(agents.slots[agents.slot[row]].row, row);
        EXPECT_EQ(agents.remainder_x[row], mark + 0.125f);
        EXPECT_EQ(agents.remainder_y[row], mark + 0.25f);
        EXPECT_EQ(agents.preferred_vx[row], mark + 0.375f);
        EXPECT_EQ(agents.preferred_vy[row], mark + 0.5f);
        EXPECT_EQ(agents.next_vx[row], mark + 0.625f);
        EXPECT_EQ(agents.next_vy[row], mark + 0.75f);
        EXPECT_EQ(agents.goal_x[row], mark + 0.875f);
        EXPECT_EQ(agents.goal_y[row], -mark);
        if (!agents.overrides[kRank].empty()) {
            EXPECT_EQ(agents.overrides[kRank][row], id % 5 == 0 ? mark : 0.0f);
        }
    }
    EXPECT_EQ(found, living.size());
    EXPECT_EQ(agents.rows() % kLeafRows, 0u);
    EXPECT_EQ(agents.leaves(), agents.rows() / kLeafRows);
}

/// Rows in order of (level, model, place, id), and rows that hold nobody only at the ends of
/// leaves.
void expect_space_order(const AgentTable& agents)
{
    const auto key = [&](std::size_t row) {
        const std::size_t leaf = row / kLeafRows;
        return std::tuple(agents.leaf_level[leaf], agents.leaf_model[leaf],
                          place_of(agents.x[row], agents.y[row]), agents.record[row].id);
    };
    std::size_t previous = kNoRow;
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (!agents.holds(row)) {
            EXPECT_NE(row % kLeafRows, 0u) << "leaf " << row / kLeafRows << " is empty";
            continue;
        }
        ASSERT_TRUE(row % kLeafRows == 0 || agents.holds(row - 1)) << "a hole before row " << row;
        if (previous != kNoRow) {
            ASSERT_LT(key(previous), key(row)) << "rows " << previous << " and " << row;
        }
        previous = row;
    }
    EXPECT_EQ(agents.unsorted_edits, 0u);
}

TEST(SortRows, moves_whole_rows_into_space_order_and_closes_gaps)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        const auto count = static_cast<std::size_t>(random.log_uniform(1.0, 600.0));
        const auto all = random_agents(random, count, random.one_of({0.5, 20.0, 3900.0}));
        TestTable table(count, 64, 2);
        add_profiles(table);
        std::map<std::uint32_t, TableAgent> living;
        for (std::size_t i = 0; i < count; ++i) {
            table.add(all[i]);
            living[all[i].id] = all[i];
            if (i == count / 2)
                sort_rows(table.agents, table.sort);  // the rest is appended after it
        }
        const bool with_ranks = random.chance(0.5);
        for (std::size_t i = 0; i < count && with_ranks; ++i) {
            if (all[i].id % 5 == 0) table.set(i, kRank, static_cast<float>(all[i].id));
        }
        stamp(table.agents);
        for (std::size_t i = 0; i < count; ++i) {
            if (!random.chance(0.3)) continue;
            table.remove(i);
            living.erase(all[i].id);
        }
        sort_rows(table.agents, table.sort);
        expect_whole_rows(table, living);
        expect_space_order(table.agents);

        const auto once = ids_in_row_order(table.agents);
        sort_rows(table.agents, table.sort);
        EXPECT_EQ(ids_in_row_order(table.agents), once) << "sorting twice is not sorting once";
    }
}

TEST(SortRows, gives_the_same_rows_whatever_their_order_was)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        auto all = random_agents(random, 300, 30.0);
        for (std::size_t i = 0; i + 1 < all.size(); i += 3) {  // equal places: the id decides
            all[i + 1].x = all[i].x;
            all[i + 1].y = all[i].y;
        }
        std::vector<std::uint32_t> first;
        for (int round = 0; round < 3; ++round) {
            TestTable table(all.size(), 64, 2);
            add_profiles(table);
            for (const TableAgent& agent : all) table.add(agent);
            sort_rows(table.agents, table.sort);
            const auto ids = ids_in_row_order(table.agents);
            if (round == 0) first = ids;
            EXPECT_EQ(ids, first);
            random.shuffle(all);
        }
    }
}

TEST(SortRows, ends_a_leaf_at_a_wide_gap_while_there_is_room)
{
    TestTable table(6, 8 * kLeafRows, 2);
    add_profiles(table);
    for (std::uint32_t i = 0; i < 6; ++i)
        table.add({.id = i, .x = i < 3 ? 0.0f : 100.0f, .y = static_cast<float>(i)});
    sort_rows(table.agents, table.sort);
    EXPECT_EQ(table.agents.leaves(), 2u);
    table.refit();
    EXPECT_LT(table.tree.leaf(0).box.max_x, 1.0f);
    EXPECT_GT(table.tree.leaf(1).box.min_x, 99.0f);
}

TEST(SortRows, fills_leaves_across_gaps_when_told_to)
{
    TestTable table(6, 8 * kLeafRows, 2);
    add_profiles(table);
    for (std::uint32_t i = 0; i < 6; ++i) {
        table.add({.id = i, .x = 100.0f * static_cast<float>(i), .y = 0.0f});
    }
    sort_rows(table.agents, table.sort);
    EXPECT_EQ(table.agents.leaves(), 6u);
    sort_rows(table.agents, table.sort, LeafFill::full);
    EXPECT_EQ(table.agents.leaves(), 1u);
    expect_space_order(table.agents);
}

TEST(SortRows, never_uses_more_rows_than_there_is_memory_for)
{
    // Everybody is far from everybody: each wants a leaf of its own.
    for (const std::size_t spare_leaves : {0u, 1u, 3u, 10u, 60u}) {
        SCOPED_TRACE(spare_leaves);
        for (const unsigned levels : {1u, 2u, 5u}) {
            AgentTable agents;
            SortScratch scratch;
            const std::size_t count = 64;
            const std::size_t rows = (count / kLeafRows + levels + spare_leaves) * kLeafRows;
            ASSERT_TRUE(agents.reserve_rows(rows) && agents.reserve_slots(count) &&
                        scratch.reserve(rows));
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::size_t row =
                    agents.append_row(static_cast<std::uint16_t>(i * levels / count), 0);
                agents.x[row] = 50.0f * static_cast<float>(i % 8);
                agents.y[row] = 50.0f * static_cast<float>(i / 8);
                agents.record[row] = {.x = agents.x[row], .y = agents.y[row], .id = i};
                agents.slot[row] = i;
                agents.slots.push_back({static_cast<std::uint32_t>(row), 0});
            }
            agents.live = count;
            const std::size_t capacity = scratch.source.capacity();
            for (int i = 0; i < 3; ++i) {
                sort_rows(agents, scratch);
                ASSERT_LE(agents.rows(), capacity);
                ASSERT_LE(agents.leaves(), agents.leaf_level.capacity());
                ASSERT_LE(agents.rows(), agents.x.capacity());
                expect_space_order(agents);
            }
        }
    }
}

/// Several blocks of rows, all of one level and model, and many in one cell whose ids fall: sorted
/// by digits, in parallel.
TEST(SortRows, of_ten_thousand_are_the_same_for_any_number_of_workers)
{
    constexpr std::uint32_t kCount = 10'000;
    std::vector<std::uint32_t> alone;
    for (const std::uint32_t threads : {0u, 1u, 2u, 3u}) {
        SCOPED_TRACE(threads);
        SeededRandom random(17);
        TestTable table(kCount, kLeafRows, 2);
        add_profiles(table);
        std::map<std::uint32_t, TableAgent> living;
        for (std::uint32_t i = 0; i < kCount; ++i) {
            const Vec2 p = i % 3 == 0 ? Vec2{1.0, 1.0} : random.in_box(30.0);
            const TableAgent agent{
                .id = kCount - i, .x = static_cast<float>(p.x), .y = static_cast<float>(p.y)};
            table.add(agent);
            living[agent.id] = agent;
        }
        stamp(table.agents);
        if (threads == 0) {
            sort_rows(table.agents, table.sort);
        } else {
            Workers workers(threads, {});
            sort_rows(table.agents, table.sort, LeafFill::near, &workers);
        }
        expect_space_order(table.agents);
        expect_whole_rows(table, living);
        if (alone.empty()) alone = ids_in_row_order(table.agents);
        EXPECT_EQ(ids_in_row_order(table.agents), alone);
    }
}

TEST(SortRows, leaves_no_rows_when_everybody_is_gone)
{
    TestTable table(11, 8, 2);
    add_profiles(table);
    for (std::uint32_t i = 0; i < 10; ++i) table.add({.id = i, .x = 1.0f, .y = 1.0f});
    table.set(3, kRank, 2.0f);
    for (std::size_t i = 0; i < 10; ++i) table.remove(i);
    sort_rows(table.agents, table.sort);
    EXPECT_EQ(table.agents.rows(), 0u);
    EXPECT_EQ(table.agents.leaves(), 0u);
    table.add({.id = 77, .x = 2.0f, .y = 2.0f, .profile = 1});
    sort_rows(table.agents, table.sort);
    EXPECT_EQ(table.agents.record[0].id, 77u);
}

TEST(SortRows, is_due_every_eighth_step_and_after_many_edits)
{
    AgentTable agents;
    agents.live = 8000;
    for (std::uint64_t step = 0; step < 32; ++step)
        EXPECT_EQ(sort_is_due(agents, step), step % 8 == 0) << step;
    agents.unsorted_edits = 1256;
    EXPECT_FALSE(sort_is_due(agents, 1));
    agents.unsorted_edits = 1257;
    EXPECT_TRUE(sort_is_due(agents, 1));
}

}  // namespace
}  // namespace sidestep
