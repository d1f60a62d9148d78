// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/wall_contact.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "motion/wall_carry.hpp"
#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

using test::SeededRandom;

/// Walls without a world around them.
struct Place {
    WallTable table;
    WallIndex index;

    std::uint32_t add(WallKind kind, const std::vector<Vec2>& vertices, std::uint16_t level = 0)
    {
        auto edges = make_wall_edges(kind, vertices);
        EXPECT_TRUE(edges);
        Wall wall;
        wall.live = true;
        wall.kind = kind;
        wall.level = level;
        wall.edges = *std::move(edges);
        table.edge_count += wall.edges.size();
        table.walls.push_back(std::move(wall));
        EXPECT_TRUE(reserve(index, table.edge_count));
        rebuild(index, table);
        return static_cast<std::uint32_t>(table.walls.size() - 1);
    }

    WallsAround around(std::uint16_t level = 0) const { return {index, level}; }

    std::vector<WallEdgeRow> edges_of(std::uint32_t wall) const
    {
        std::vector<WallEdgeRow> rows;
        for (std::size_t i = 0; i < table.walls[wall].edges.size(); ++i)
            rows.push_back(edge_row(table.walls[wall], wall, i));
        return rows;
    }
};

constexpr double kRadius = 0.2;

void expect_near(const Spot& a, const Spot& b, double tolerance)
{
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
}

// ------------------------------------------------------------------------------------------ moves

TEST(WallContact, leaves_a_move_alone_that_comes_near_no_wall)
{
    Place place;
    place.add(WallKind::thin, {{1, -1}, {1, 1}});
    const Move move = move_disc(place.around(), {0, 0}, {0.7, 0.1}, kRadius);
    EXPECT_FALSE(move.cut);
    EXPECT_EQ(move.displacement.x, 0.7);
    EXPECT_EQ(move.displacement.y, 0.1);
}

TEST(WallContact, cuts_a_move_where_the_disc_touches)
{
    Place place;
    place.add(WallKind::thin, {{1, -1}, {1, 1}});
    for (const double way : {0.9, 2.0, 100.0}) {
        const Move move = move_disc(place.around(), {0, 0}, {way, 0.1 * way}, kRadius);
        EXPECT_TRUE(move.cut);
        expect_near(move.displacement, {0.8, 0.08}, kContactSlop * 1.01);
        EXPECT_GE(move.displacement.x, 0.8);
    }
}

TEST(WallContact, cuts_a_move_at_an_end_and_at_a_corner)
{
    Place place;
    place.add(WallKind::thin, {{1, 0}, {3, 0}});
    const Move at_end = move_disc(place.around(), {0, 0}, {2, 0}, kRadius);  // exactly in line
    EXPECT_NEAR(at_end.displacement.x, 0.8, 2 * kContactSlop);
    const Move past_end = move_disc(place.around(), {0, 0.1}, {2, 0}, kRadius);
    EXPECT_NEAR(past_end.displacement.x, 1.0 - std::sqrt(0.03), 2 * kContactSlop);
    const Move beside = move_disc(place.around(), {0, kRadius + 1e-6}, {2, 0}, kRadius);
    EXPECT_FALSE(beside.cut);
}

TEST(WallContact, sees_walls_of_its_own_level_only_and_not_the_ignored_one)
{
    Place place;
    const std::uint32_t wall = place.add(WallKind::thin, {{1, -1}, {1, 1}}, 3);
    EXPECT_FALSE(move_disc(place.around(0), {0, 0}, {2, 0}, kRadius).cut);
    EXPECT_TRUE(move_disc(place.around(3), {0, 0}, {2, 0}, kRadius).cut);
    EXPECT_FALSE(move_disc({place.index, 3, wall}, {0, 0}, {2, 0}, kRadius).cut);
    EXPECT_FALSE(crosses_wall(place.around(0), {0, 0}, {2, 0}));
    EXPECT_TRUE(crosses_wall(place.around(3), {0, 0}, {2, 0}));
}

TEST(WallContact, slides_along_what_it_touches)
{
    Place place;
    place.add(WallKind::thin, {{-9, 0}, {9, 0}});
    const Move move = move_disc(place.around(), {0, kRadius - kContactSlop}, {0.3, -0.2}, kRadius);
    EXPECT_TRUE(move.cut);
    expect_near(move.displacement, {0.3, 0.0}, 1e-12);
    const Move away = move_disc(place.around(), {0, kRadius - kContactSlop}, {0.3, 0.2}, kRadius);
    EXPECT_FALSE(away.cut);
}

TEST(WallContact, stops_in_a_concave_corner_and_slides_out_of_it_along_either_wall)
{
    Place place;
    place.add(WallKind::room, {{0, 0}, {9, 0}, {9, 9}, {0, 9}});
    const double held = kRadius - kContactSlop;
    expect_near(move_disc(place.around(), {held, held}, {-0.3, -0.2}, kRadius).displacement, {0, 0},
                1e-12);
    expect_near(move_disc(place.around(), {held, held}, {0.3, -0.2}, kRadius).displacement,
                {0.3, 0}, 1e-12);
    expect_near(move_disc(place.around(), {held, held}, {-0.3, 0.2}, kRadius).displacement,
                {0, 0.2}, 1e-12);
    expect_near(move_disc(place.around(), {held, held}, {0.3, 0.2}, kRadius).displacement,
                {0.3, 0.2}, 0.0);
}

TEST(WallContact, lets_a_disc_that_is_in_two_walls_move_along_between_them)
{
    Place place;
    place.add(WallKind::thin, {{-9, 0.15}, {9, 0.15}});
    place.add(WallKind::thin, {{-9, -0.1}, {9, -0.1}});
    const Move move = move_disc(place.around(), {0, 0}, {0.3, 0.05}, kRadius);
    expect_near(move.displacement, {0.3, 0.0}, 1e-12);
    EXPECT_NEAR(move.clearance, 0.1, 1e-8);
}

TEST(WallContact, never_lets_a_walk_of_random_moves_into_a_wall)
{
    std::size_t cuts = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        Place place;
        place.add(WallKind::room, {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}});
        for (int i = 0; i < 5; ++i) {
            const Vec2 a = random.in_box(3.0);
            place.add(WallKind::thin, {{static_cast<float>(a.x), static_cast<float>(a.y)},
                                       {static_cast<float>(a.y), 1.0f}});
        }
        Spot p{random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)};
        double before = clearance(place.around(), p, kRadius);
        for (int step = 0; step < 200; ++step) {
            const double longest = random.one_of({0.01, 0.1, 5.0});
            const Move move = move_disc(
                place.around(), p,
                {random.uniform(-longest, longest), random.uniform(-longest, longest)}, kRadius);
            const Spot q = p + move.displacement;
            ASSERT_FALSE(crosses_wall(place.around(), p, q));
            const double after = clearance(place.around(), q, kRadius);
            ASSERT_GE(after, std::min(before, kRadius - kContactSlop) - 1e-6);
            cuts += move.cut ? 1 : 0;
            before = after;
            p = q;
        }
    }
    EXPECT_GT(cuts, 1000u);
}

// ------------------------------------------------------------------------------------------
// passing

TEST(EdgePassing, happens_from_the_free_side_only_and_only_beside_the_edge)
{
    const Segment from{{0, -1}, {0, 1}};  // up: free side at positive x
    const Segment to{{2, -1}, {2, 1}};
    EXPECT_NEAR(time_of_passing(from, to, {1, 0}, {1, 0}), 0.5, 1e-12);
    EXPECT_NEAR(time_of_passing(from, to, {1, 1}, {1, 1}), 0.5, 1e-12);  // by its very end
    EXPECT_EQ(time_of_passing(from, to, {1, 1.1}, {1, 1.1}), 2.0);
    EXPECT_EQ(time_of_passing(from, to, {2.1, 0}, {2.1, 0}), 2.0);
    EXPECT_EQ(time_of_passing(to, from, {1, 0}, {1, 0}), 2.0);  // from behind
    EXPECT_EQ(time_of_passing(from, to, {1, 0}, {3, 0}), 2.0);  // it runs away in time
    EXPECT_NEAR(time_of_passing(from, from, {1, 0}, {-1, 0}), 0.5,
                1e-12);  // it runs into a standing edge
}

TEST(EdgePassing, agrees_with_many_small_looks)
{
    std::size_t passed = 0, between_looks = 0;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const auto spot = [&] {
            return Spot{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
        };
        const Segment from{spot(), spot(), random.chance(0.3)};
        const Segment to{spot(), spot(), from.second_copy};
        const Spot p = spot();
        const Spot q = random.chance(0.5) ? p : spot();
        const double t = time_of_passing(from, to, p, q);
        constexpr int kLooks = 2000;
        double seen = 2.0;
        bool close_call = false;  // just at an end: either answer will do
        double last = 0.0;
        for (int i = 0; i <= kLooks; ++i) {
            const double s = static_cast<double>(i) / kLooks;
            const Spot a = from.a * (1.0 - s) + to.a * s;
            const Spot e = from.b * (1.0 - s) + to.b * s - a;
            const Spot w = p * (1.0 - s) + q * s - a;
            const double side = det(e, w);
            const double along = dot(w, e) / dot(e, e);
            if (i > 0 && last <= 0.0 && side > 0.0) {
                close_call = close_call || std::fabs(along) < 0.02 ||
                             std::fabs(along - 1.0) < 0.02 || length(e) < 0.05;
                if (along >= 0.0 && along <= 1.0 && seen > 1.0) seen = s;
            }
            last = side;
        }
        if (close_call || std::fabs(det(from.b - from.a, p - from.a)) < 1e-9) continue;
        if (seen > 1.0 && t <= 1.0) {  // to and fro between two looks
            ++between_looks;
            continue;
        }
        EXPECT_NEAR(t, seen, 1.0 / kLooks);
        passed += t <= 1.0 ? 1 : 0;
    }
    EXPECT_GT(passed, 1000u);
    EXPECT_LT(between_looks, 3u);
}

// ------------------------------------------------------------------------------------------
// carrying

Carried carried(const Place& place, std::uint32_t wall, const std::vector<WallEdgeRow>& before,
                float x, float y)
{
    const std::vector<WallEdgeRow> after = place.edges_of(wall);
    const MovingWall moving{
        before, after, place.table.walls[wall].kind, {place.index, 0, wall}, place.table};
    return carry(moving, x, y, static_cast<float>(kRadius));
}

TEST(WallCarry, pushes_a_disc_to_just_in_front_of_the_face_that_meets_it)
{
    for (const double way : {0.1, 1.0, 5.0}) {
        Place place;
        const std::uint32_t wall = place.add(WallKind::solid, {{-2, -1}, {0, -1}, {0, 1}, {-2, 1}});
        const auto before = place.edges_of(wall);
        place.table.walls[wall].moved = {way, 0};
        rebuild(place.index, place.table);
        const Carried front = carried(place, wall, before, 0.25f, 0.3f);
        EXPECT_TRUE(front.moved);
        EXPECT_NEAR(front.x, way + kRadius, 1e-3);
        EXPECT_EQ(front.y, 0.3f);
        EXPECT_FALSE(carried(place, wall, before, 0.25f, 1.21f).moved);  // beside its way
        EXPECT_FALSE(carried(place, wall, before, -2.25f, 0.3f).moved);  // behind it
    }
}

TEST(WallCarry, pushes_a_disc_into_a_corner_of_a_room_that_shrinks_out_again)
{
    Place place;
    const std::uint32_t room = place.add(WallKind::room, {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}});
    const auto before = place.edges_of(room);
    Place smaller;
    smaller.add(WallKind::room, {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}});
    const Carried corner = carried(smaller, room, before, 2.7f, -2.6f);
    EXPECT_TRUE(corner.moved);
    EXPECT_NEAR(corner.x, 1.8, 2e-3);
    EXPECT_NEAR(corner.y, -1.8, 2e-3);
}

TEST(WallCarry, squeezes_a_disc_between_two_walls_rather_than_passing_over_it)
{
    Place place;
    place.add(WallKind::thin, {{1, -5}, {1, 5}});
    const std::uint32_t wall = place.add(WallKind::thin, {{0, -2}, {0, 2}});
    const auto before = place.edges_of(wall);
    place.table.walls[wall].moved = {0.99, 0};
    rebuild(place.index, place.table);
    const Carried squeezed = carried(place, wall, before, 0.5f, 0.0f);
    EXPECT_TRUE(squeezed.moved);
    EXPECT_GT(squeezed.x, 0.99f);
    EXPECT_LT(squeezed.x, 1.0f);
    place.table.walls[wall].moved = {
        1.5, 0};  // right through the other: out past an end of the one that moves
    rebuild(place.index, place.table);
    const Carried out = carried(place, wall, before, 0.5f, 0.0f);
    EXPECT_LT(out.x, 1.0f);
    EXPECT_GT(std::fabs(out.y), 2.0f);
}

TEST(WallCarry, expels_from_a_solid_to_the_nearest_place_that_no_wall_is_in_the_way_of)
{
    Place place;
    const std::uint32_t solid = place.add(WallKind::solid, {{0, 0}, {2, 0}, {2, 2}, {0, 2}});
    const auto after = place.edges_of(solid);
    const MovingWall appeared{{}, after, WallKind::solid, {place.index, 0, solid}, place.table};
    EXPECT_TRUE(is_misplaced(appeared, 1.7f, 1.0f));
    EXPECT_FALSE(is_misplaced(appeared, 2.1f, 1.0f));
    const Carried right = expel(appeared, 1.7f, 1.0f, static_cast<float>(kRadius));
    EXPECT_NEAR(right.x, 2.2, 1e-6);
    EXPECT_NEAR(right.y, 1.0, 1e-6);

    Place walled;
    walled.add(WallKind::solid, {{0, 0}, {2, 0}, {2, 2}, {0, 2}});
    walled.add(WallKind::thin, {{1.9, -4}, {1.9, 4}});
    const MovingWall beside_wall{
        {}, after, WallKind::solid, {walled.index, 0, solid}, walled.table};
    const Carried elsewhere = expel(beside_wall, 1.7f, 0.9f, static_cast<float>(kRadius));
    EXPECT_TRUE(elsewhere.moved);
    EXPECT_LT(elsewhere.x, 1.9f);
    EXPECT_FALSE(is_misplaced(beside_wall, elsewhere.x, elsewhere.y));
}

TEST(WallCarry, a_disc_body_pushes_aside_whom_it_meets_and_never_deeper_than_he_was)
{
    const Place place;
    const float r = static_cast<float>(kRadius);
    // Head-on, it carries along; beside its way it does not touch; half beside, it pushes aside and
    // ahead.
    const Carried ahead = carry_by_disc(place.around(), {0, 0}, {1, 0}, 0.5, 0.8f, 0.0f, r);
    EXPECT_NEAR(ahead.x, 1.7, 1e-6);
    EXPECT_FALSE(carry_by_disc(place.around(), {0, 0}, {1, 0}, 0.5, 0.8f, 0.71f, r).moved);
    const Carried aside = carry_by_disc(place.around(), {0, 0}, {1, 0}, 0.5, 0.8f, 0.3f, r);
    EXPECT_GT(aside.y, 0.3f);
    EXPECT_NEAR(std::hypot(aside.x - 1.0, aside.y), 0.7, 1e-5);
    // Already in it by 0.1 m: not deeper. Leaving it behind: not moved.
    const Carried in_it = carry_by_disc(place.around(), {0, 0}, {0.05, 0}, 0.5, 0.6f, 0.0f, r);
    EXPECT_NEAR(in_it.x, 0.65, 1e-6);
    EXPECT_FALSE(carry_by_disc(place.around(), {0, 0}, {-0.05, 0}, 0.5, 0.6f, 0.0f, r).moved);
    // Far in one step: nobody is jumped over.
    const Carried far = carry_by_disc(place.around(), {0, 0}, {12, 0}, 0.5, 3.0f, 0.0f, r);
    EXPECT_NEAR(far.x, 12.7, 1e-5);
}

TEST(WallCarry, a_disc_body_pushes_nobody_through_a_wall)
{
    Place place;
    place.add(WallKind::thin, {{1, -5}, {1, 5}});
    const Carried held = carry_by_disc(place.around(), {0, 0}, {0.6, 0}, 0.5, 0.75f, 0.0f,
                                       static_cast<float>(kRadius));
    EXPECT_LE(held.x, 0.801f);
    const Carried aside = carry_by_disc(place.around(), {0, 0}, {0.6, 0}, 0.5, 0.75f, 0.05f,
                                        static_cast<float>(kRadius));
    EXPECT_LE(aside.x, 0.801f);
    EXPECT_GT(aside.y, 0.05f);
}

}  // namespace
}  // namespace sidestep
