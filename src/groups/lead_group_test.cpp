// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "groups/lead_group.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/agent_tables.hpp"

namespace sidestep {
namespace {

using test::TestTable;

constexpr double kNear = 1e-6;  // [m/s]; floats about 1

/// Members in the open, driven by their host along +x at 1.2 m/s unless told otherwise.
struct Company {
    TestTable table{80, 8, 1};
    WallIndex walls;
    Group group;
    float dt = 0.05f;

    explicit Company(Formation formation = Formation::abreast)
    {
        table.add_profile(0, 0.2f, 0.0f, 5.0f, 10.0f);
        table.profiles[0].value[kMaxSpeed] = 2.0f;
        group.formation = formation;
        group.members.reserve(kMostMembers);
    }
    std::uint32_t add(float x, float y, Point<float> velocity = {1.2f, 0.0f},
                      Point<float> preferred = {1.2f, 0.0f}, std::uint16_t level = 0)
    {
        const auto index = static_cast<std::uint32_t>(table.agents.slots.size());
        table.add({.id = 10 * index, .x = x, .y = y, .level = level});
        const std::uint32_t row = table.agents.slots[index].row;
        AgentRecord& record = table.agents.record[row];
        record.vx = velocity.x;
        record.vy = velocity.y;
        record.flags = kHostDriven;
        table.agents.preferred_vx[row] = preferred.x;
        table.agents.preferred_vy[row] = preferred.y;
        insert_member(group, {10 * index, index});
        return index;
    }
    std::vector<Point<float>> changes() const
    {
        GroupPull pulls[kMostMembers];
        const std::size_t count =
            lead_group({table.agents, table.profiles, walls, dt, PassingSide::right}, group, pulls);
        std::vector<Point<float>> change(table.agents.slots.size(), {-99.0f, -99.0f});
        for (std::size_t i = 0; i < count; ++i)
            change[table.agents.slot[pulls[i].row]] = pulls[i].change;
        return change;
    }
    void expect_change(std::uint32_t member, double x, double y) const
    {
        const Point<float> change = changes()[member];
        EXPECT_NEAR(double{change.x}, x, kNear) << "member " << member;
        EXPECT_NEAR(double{change.y}, y, kNear) << "member " << member;
    }
    /// A thin wall from a to b.
    void add_wall(Vec2 a, Vec2 b)
    {
        const Vec2 ends[] = {a, b};
        WallTable table_of_walls;
        table_of_walls.walls.emplace_back();
        Wall& wall = table_of_walls.walls.back();
        wall.live = true;
        wall.kind = WallKind::thin;
        wall.set_edges(*make_wall_edges(WallKind::thin, ends));
        table_of_walls.edge_count = wall.edges.size();
        ASSERT_TRUE(reserve(walls, 8));
        rebuild(walls, table_of_walls);
    }
};

TEST(LeadGroup, changes_nothing_for_two_abreast_at_arms_length)
{
    Company company;
    company.add(0.0f, 0.0f);
    company.add(0.0f, 0.9f);
    company.expect_change(0, 0.0, 0.0);
    company.expect_change(1, 0.0, 0.0);
}

TEST(LeadGroup, pulls_those_who_are_far_towards_the_centre)
{
    Company company;
    company.add(0.0f, -3.0f);  // (n - 1) / 2 = 0.5 m is near enough
    company.add(0.0f, 3.0f);
    // 3 m/s2 for 0.5 s across the way, then no faster than 1.3 times what it would walk alone.
    const double scale = 1.3 * 1.2 / std::hypot(1.2, 1.5);
    company.expect_change(0, 1.2 * scale - 1.2, 1.5 * scale);
    company.expect_change(1, 1.2 * scale - 1.2, -1.5 * scale);
}

TEST(LeadGroup, pulls_nobody_farther_in_one_step_than_near_enough)
{
    Company company;
    company.add(0.0f, 0.0f);
    company.add(0.0f, 1.02f);  // each is 1 cm too far from the centre
    company.expect_change(0, 0.0, 0.2);
    company.expect_change(1, 0.0, -0.2);
}

TEST(LeadGroup, keeps_members_an_arms_length_apart)
{
    Company company;
    company.add(0.0f, 0.0f);
    company.add(0.0f, 0.5f);
    company.expect_change(0, 0.0, -0.5);  // 1 m/s2 for 0.5 s
    company.expect_change(1, 0.0, 0.5);
    Company almost;
    almost.add(0.0f, 0.0f);
    almost.add(0.0f, 0.79f);
    almost.expect_change(0, 0.0, -0.1);  // half of the centimetre each
    almost.expect_change(1, 0.0, 0.1);
}

TEST(LeadGroup, takes_members_at_one_place_apart_by_their_ids)
{
    Company company;
    company.add(1.0f, 1.0f, {}, {0.0f, 1.0f});
    company.add(1.0f, 1.0f, {}, {0.0f, 1.0f});
    const auto change = company.changes();
    EXPECT_NEAR(double{change[0].x}, 0.5, kNear);
    EXPECT_NEAR(double{change[1].x}, -0.5, kNear);
    EXPECT_EQ(change[0].x, -change[1].x);
}

TEST(LeadGroup, slows_those_down_who_would_have_to_turn_their_heads_too_far)
{
    Company company;
    company.add(0.0f, 0.0f);
    company.add(0.5f, 0.0f, {1.2f, 0.0f}, {1.2f, 0.0f});
    company.dt = 1e-6f;  // so that only their distance from each other caps the repulsion
    // The one ahead sees nobody without turning round by pi / 2 too much: (1.2 + 0.5) / (1 + pi).
    company.expect_change(1, 1.7 / (1.0 + std::acos(-1.0)) - 1.2, 0.0);
    company.expect_change(0, -0.5, 0.0);
    Company aside;
    aside.add(0.0f, 0.0f);
    aside.add(0.7f, 0.7f);  // 45 degrees too many
    aside.expect_change(1, 1.2 / (1.0 + std::acos(-1.0) / 2.0) - 1.2, 0.0);
    aside.expect_change(0, 0.0, 0.0);
}

TEST(LeadGroup, leaves_a_group_alone_that_walks_in_its_slots)
{
    for (const int n : {2, 3, 4, 5, 8}) {
        Company company(Formation::v);
        for (int i = 0; i < n; ++i) {
            const float side = (static_cast<float>(i) - 0.5f * static_cast<float>(n - 1)) * 0.8f;
            company.add(0.4f * std::fabs(side), side);
        }
        for (int i = 0; i < n; ++i) {
            const Point<float> change = company.changes()[static_cast<std::size_t>(i)];
            EXPECT_NEAR(double{change.x}, 0.0, 1e-5) << i << " of " << n;
            EXPECT_NEAR(double{change.y}, 0.0, 1e-5) << i << " of " << n;
        }
    }
}

TEST(LeadGroup, gives_slots_in_the_order_in_which_members_are_beside_each_other)
{
    Company company(Formation::v);
    company.add(0.0f, 1.0f);
    company.add(0.0f, -1.0f);
    company.add(0.0f, 0.0f);
    // slot = s L(h) + 0.4 (|s| - mean |s|) h with s = -0.8, 0, 0.8 and the centre at 0; the pull is
    // half of the way, and for the outer two to the inside.
    const double ahead = 0.4 * (0.8 - 1.6 / 3.0);
    company.expect_change(0, 0.5 * ahead, -0.1);
    company.expect_change(1, 0.5 * ahead, 0.1);
    company.expect_change(2, 0.5 * (-0.4 * 1.6 / 3.0), 0.0);
}

TEST(LeadGroup, gathers_followers_behind_their_leader_who_goes_its_own_way)
{
    Company company(Formation::leader);
    company.add(0.0f, 0.0f);
    company.add(-1.0f, 3.0f);
    company.group.leader = 0;
    const double scale = 1.3 * 1.2 / std::hypot(1.2, 1.5);  // straight across, to (-1, 0)
    company.expect_change(1, 1.2 * scale - 1.2, -1.5 * scale);
    company.expect_change(0, 0.0, 0.0);
    company.group.leader = kNoAgent;  // it left: the group walks abreast
    EXPECT_NE(company.changes()[0].y, 0.0f);
}

TEST(LeadGroup, has_the_faster_wait_for_one_who_lags_behind)
{
    const double depth = 0.8 * std::sqrt(2.0);
    const auto speed_when_ahead_by = [&](double metres) {
        Company company(Formation::leader);
        company.add(static_cast<float>(metres), 0.0f);
        company.add(0.0f, 0.0f, {0.5f, 0.0f}, {0.5f, 0.0f});
        company.group.leader = 0;
        return 1.2 + double{company.changes()[0].x};
    };
    EXPECT_NEAR(speed_when_ahead_by(1.0), 1.2, kNear);
    EXPECT_NEAR(speed_when_ahead_by(depth + 0.5), 0.85, kNear);
    EXPECT_NEAR(speed_when_ahead_by(depth + 1.0), 0.5, kNear);  // at the other's pace
    EXPECT_NEAR(speed_when_ahead_by(depth + 2.0), 0.37, kNear);
    EXPECT_NEAR(speed_when_ahead_by(depth + 3.0), 0.24, kNear);
    EXPECT_NEAR(speed_when_ahead_by(100.0), 0.24, kNear);  // a fifth of its own, for ever
}

TEST(LeadGroup, has_nobody_wait_for_those_who_are_ahead_on_their_way)
{
    Company company(Formation::leader);
    company.add(0.0f, 0.0f);
    company.add(20.0f, 0.0f, {0.5f, 0.0f}, {0.5f, 0.0f});
    company.group.leader = 0;
    company.expect_change(0, 0.0, 0.0);
}

TEST(LeadGroup, turns_nobody_back)
{
    Company company;
    company.add(10.0f, 0.0f);
    company.add(-10.0f, 0.0f);
    const auto change = company.changes();
    EXPECT_NEAR(double{change[0].x}, 0.24 - 1.2, kNear);
    EXPECT_NEAR(double{change[1].x}, 0.3 * 1.2, kNear);
}

TEST(LeadGroup, hurries_nobody_beyond_its_top_speed)
{
    Company company;
    company.table.profiles[0].value[kMaxSpeed] = 1.25f;
    company.add(10.0f, 0.0f);
    company.add(-10.0f, 0.0f);
    company.expect_change(1, 0.05, 0.0);
}

TEST(LeadGroup, pulls_nobody_into_a_wall)
{
    Company company;
    company.add(0.0f, -3.0f);
    company.add(0.0f, 3.0f);
    company.add_wall({-5.0, 0.5}, {5.0, 0.5});
    const auto change = company.changes();
    EXPECT_NE(change[0].y, 0.0f);  // the centre is on this side
    EXPECT_EQ(change[1].y, 0.0f);
}

TEST(LeadGroup, counts_only_those_who_are_on_their_way)
{
    for (const float wish :
         {0.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Company company;
        company.add(0.0f, 0.0f);
        company.add(0.0f, 9.0f, {}, {wish, 0.0f});
        company.expect_change(0, 0.0, 0.0);
        company.expect_change(1, 0.0, 0.0);
    }
}

TEST(LeadGroup, holds_on_each_level_for_itself)
{
    Company company;
    company.add(0.0f, 0.0f);
    company.add(0.0f, 9.0f, {1.2f, 0.0f}, {1.2f, 0.0f}, 3);
    company.add(0.0f, 0.5f);
    company.expect_change(0, 0.0, -0.5);
    company.expect_change(1, 0.0, 0.0);
    company.expect_change(2, 0.0, 0.5);
}

TEST(LeadGroup, has_nothing_to_do_for_one_or_nobody)
{
    Company company;
    EXPECT_TRUE(company.changes().empty());
    company.add(0.0f, 0.0f);
    company.expect_change(0, 0.0, 0.0);
}

TEST(GroupTable, keeps_members_in_the_order_of_ids_and_forgets_a_leader_that_leaves)
{
    Group group;
    group.members.reserve(4);
    for (const std::uint32_t id : {7u, 3u, 9u, 5u}) insert_member(group, {id, 100 + id});
    group.leader = 9;
    std::vector<std::uint32_t> ids;
    for (const Group::Member& member : group.members) ids.push_back(member.id);
    EXPECT_EQ(ids, (std::vector<std::uint32_t>{3, 5, 7, 9}));
    erase_member(group, 5);
    EXPECT_EQ(group.leader, 9u);
    erase_member(group, 9);
    EXPECT_EQ(group.leader, kNoAgent);
    erase_member(group, 8);  // nobody
    EXPECT_EQ(group.members.size(), 2u);
}

}  // namespace
}  // namespace sidestep
