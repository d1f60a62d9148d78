// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "navigation/routes.hpp"
#include "support/floor_cases.hpp"

namespace sidestep {
namespace {

using namespace testing_floors;

FloorInput make_floor(unsigned seed, Dice& dice)
{
    switch (seed % 5) {
        case 0: return star_floor(dice);
        case 1: return room_floor(dice, 3, 3, 0.8);
        case 2: return comb_floor(dice);
        case 3: return spiral_floor(dice.whole(1, 3));
        default: return thin_floor(dice);
    }
}

Vec2 place_inside(Dice& dice, const BuiltFloor& floor, const Oracle& oracle)
{
    for (;;) {
        const Polygon& polygon = floor.space[static_cast<std::size_t>(
            dice.whole(0, static_cast<int>(floor.space.size()) - 1))];
        Vec2 low = polygon.shell[0], high = low;
        for (const Vec2 p : polygon.shell) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const Vec2 p{dice.between(low.x, high.x), dice.between(low.y, high.y)};
        if (covers(floor.space, p) && oracle.walls().clearance(p) > 1e-3) return p;
    }
}

double length_of(Vec2 from, const std::vector<PathCorner>& path)
{
    if (path.empty()) return std::numeric_limits<double>::infinity();
    return length(path[0].place - from) + path[0].beyond;
}

TEST(Routes, are_as_short_as_a_brute_force_search_says)
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        Dice dice(seed);
        const FloorInput input = make_floor(seed, dice);
        const auto floor = build_floor(input);
        ASSERT_TRUE(floor) << floor.error().message;
        const Oracle oracle(*floor, input.thin);
        Routes routes(floor->mesh, 0);
        for (int k = 0; k < 3; ++k) {
            const Vec2 to = place_inside(dice, *floor, oracle);
            const std::uint32_t goal = routes.add_goal({{to}, {}, {}});
            routes.prepare(goal, 0.0);
            for (int i = 0; i < 5; ++i) {
                const Vec2 from = place_inside(dice, *floor, oracle);
                const double expected = oracle.distance(from, to);
                const double shared = routes.distance(goal, from, 0.0);
                const double own = length_of(from, routes.find_path(from, to, 0.0));
                if (std::isinf(expected)) {
                    EXPECT_EQ(shared, expected);
                    EXPECT_EQ(own, expected);
                    continue;
                }
                EXPECT_NEAR(shared, expected, 1e-9 * expected)
                    << from.x << " " << from.y << " -> " << to.x << " " << to.y;
                EXPECT_NEAR(own, expected, 1e-9 * expected)
                    << from.x << " " << from.y << " -> " << to.x << " " << to.y;
            }
        }
        if (testing::Test::HasFailure()) return;
    }
}

TEST(Routes, to_lines_are_too_long_by_no_more_than_the_sampling_of_the_line)
{
    for (unsigned seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        Dice dice(1000 + seed);
        const FloorInput input = make_floor(seed, dice);
        const auto floor = build_floor(input);
        ASSERT_TRUE(floor);
        const Oracle oracle(*floor, input.thin);
        Routes routes(floor->mesh, 0);
        const Vec2 middle = place_inside(dice, *floor, oracle);
        const double half = std::min(0.9 * oracle.walls().clearance(middle), 2.0);
        const Vec2 a = middle - Vec2{half, 0}, b = middle + Vec2{half, 0};
        const std::uint32_t goal = routes.add_goal({{}, {{a, b}}, {}});
        routes.prepare(goal, 0.0);
        for (int i = 0; i < 4; ++i) {
            const Vec2 from = place_inside(dice, *floor, oracle);
            double expected = std::numeric_limits<double>::infinity();
            for (int k = 0; k <= 40; ++k) {
                expected = std::min(expected, oracle.distance(from, a + (b - a) * (k / 40.0)));
            }
            const double found = routes.distance(goal, from, 0.0);
            if (std::isinf(expected)) {
                EXPECT_EQ(found, expected);
                continue;
            }
            EXPECT_GT(found, expected - 2 * half / 40);
            EXPECT_LT(found, expected + 0.5);  // the ends do not count, by a quarter of a metre
        }
    }
}

/// Places that the centre of a disc can get to from a point, on a grid.
class Flood {
public:
    Flood(const Walls& walls, const std::vector<Polygon>& space, Vec2 from, double radius)
    {
        low_ = high_ = from;
        for (const Walls::Wall& wall : walls.all) {
            low_ = {std::min(low_.x, wall.a.x), std::min(low_.y, wall.a.y)};
            high_ = {std::max(high_.x, wall.a.x), std::max(high_.y, wall.a.y)};
        }
        columns_ = static_cast<int>((high_.x - low_.x) / kCell) + 1;
        rows_ = static_cast<int>((high_.y - low_.y) / kCell) + 1;
        reached_.assign(static_cast<std::size_t>(columns_ * rows_), 0);
        std::vector<int> todo{cell(from)};
        reached_[static_cast<std::size_t>(todo[0])] = 1;
        while (!todo.empty()) {
            const int at = todo.back();
            todo.pop_back();
            for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
                const int x = at % columns_ + dx, y = at / columns_ + dy;
                if (x < 0 || y < 0 || x >= columns_ || y >= rows_) continue;
                std::uint8_t& seen = reached_[static_cast<std::size_t>(y * columns_ + x)];
                if (seen != 0) continue;
                const Vec2 p{low_.x + (x + 0.5) * kCell, low_.y + (y + 0.5) * kCell};
                if (!covers(space, p) || walls.clearance(p) < radius) continue;
                seen = 1;
                todo.push_back(y * columns_ + x);
            }
        }
    }
    bool reaches(Vec2 p) const { return reached_[static_cast<std::size_t>(cell(p))] != 0; }
    static constexpr double kCell = 0.08;

private:
    int cell(Vec2 p) const
    {
        return static_cast<int>((p.y - low_.y) / kCell) * columns_ +
               static_cast<int>((p.x - low_.x) / kCell);
    }
    Vec2 low_{}, high_{};
    int columns_ = 0, rows_ = 0;
    std::vector<std::uint8_t> reached_;
};

TEST(Routes, exist_where_a_disc_can_be_pushed_through)
{
    int open = 0, closed = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        Dice dice(2000 + seed);
        const FloorInput input = seed % 3 == 0   ? star_floor(dice)
                                 : seed % 3 == 1 ? thin_floor(dice)
                                                 : room_floor(dice, 3, 3, 0.9);
        const auto floor = build_floor(input);
        ASSERT_TRUE(floor);
        const Walls walls(floor->space, input.thin);
        const double radius = dice.between(0.3, 0.8);
        const auto roomy = [&] {
            for (int attempt = 0; attempt < 1000; ++attempt) {
                const Vec2 p{dice.between(-15, 20), dice.between(-15, 20)};
                if (covers(floor->space, p) && walls.clearance(p) > radius + 0.2) return p;
            }
            return Vec2{1e9, 1e9};
        };
        const Vec2 to = roomy();
        if (to.x > 1e8) continue;
        // A grid is not exact: only where more and less room say the same.
        const Flood fat(walls, floor->space, to, radius + 0.1),
            slim(walls, floor->space, to, radius - 0.1);
        Routes routes(floor->mesh, 0);
        const std::uint32_t goal = routes.add_goal({{to}, {}, {}});
        routes.prepare(goal, radius);
        for (int i = 0; i < 20; ++i) {
            const Vec2 from = roomy();
            const bool sure = fat.reaches(from), possible = slim.reaches(from);
            const double found = routes.distance(goal, from, radius);
            EXPECT_EQ(std::isfinite(found), !routes.find_path(from, to, radius).empty());
            if (sure != possible) continue;
            EXPECT_EQ(std::isfinite(found), sure)
                << from.x << " " << from.y << " -> " << to.x << " " << to.y << " radius " << radius;
            ++(sure ? open : closed);
        }
    }
    EXPECT_GT(open, 100);
    EXPECT_GT(closed, 20);
}

/// Overlapping, self-crossing, touching: on a coarse grid, so that much coincides.
TEST(Routes, are_as_long_there_as_back_on_any_floor)
{
    int compared = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        Dice dice(3000 + seed);
        const auto points = [&](int count) {
            Ring ring;
            for (int i = 0; i < count; ++i)
                ring.push_back({1.0 * dice.whole(0, 12), 1.0 * dice.whole(0, 12)});
            return ring;
        };
        FloorInput input;
        input.floors = {{box(0, 0, 12, 12), {}}};
        for (int i = dice.whole(1, 5); i > 0; --i) input.solids.push_back(points(dice.whole(3, 4)));
        for (int i = dice.whole(0, 4); i > 0; --i) input.thin.push_back(points(dice.whole(2, 3)));
        const auto floor = build_floor(input);
        if (!floor) continue;
        Routes routes(floor->mesh, 0);
        std::vector<Vec2> places;
        for (int i = 0; i < 8; ++i) places.push_back({dice.between(0, 12), dice.between(0, 12)});
        for (int i = 0; i < 8; ++i)
            places.push_back({1.0 * dice.whole(0, 12), dice.between(0, 12)});
        std::erase_if(places, [&](Vec2 p) { return !covers(floor->space, p); });
        std::vector<std::uint32_t> goals;
        for (const Vec2 p : places) {
            goals.push_back(routes.add_goal({{p}, {}, {}}));
            routes.prepare(goals.back(), 0.0);
        }
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const double there = routes.distance(goals[i], places[j], 0.0);
                const double back = routes.distance(goals[j], places[i], 0.0);
                const double own =
                    length_of(places[j], routes.find_path(places[j], places[i], 0.0));
                EXPECT_EQ(std::isfinite(there), std::isfinite(back)) << i << " " << j;
                EXPECT_EQ(std::isfinite(there), std::isfinite(own)) << i << " " << j;
                if (!std::isfinite(there) || !std::isfinite(back)) continue;
                EXPECT_NEAR(there, back, 1e-8) << i << " " << j;
                EXPECT_NEAR(there, own, 1e-8) << i << " " << j;
                ++compared;
            }
        }
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(compared, 3000);
}

// ---------------------------------------------------------------------------------------------
// walking

/// A place, turned and shifted.
struct Motion {
    double cosine = 1.0, sine = 0.0;
    Vec2 shift{};

    Vec2 operator()(Vec2 p) const
    {
        return {cosine * p.x - sine * p.y + shift.x, sine * p.x + cosine * p.y + shift.y};
    }
    Ring operator()(Ring ring) const
    {
        for (Vec2& p : ring) p = (*this)(p);
        return ring;
    }
    FloorInput operator()(FloorInput input) const
    {
        for (Polygon& floor : input.floors) {
            floor.shell = (*this)(floor.shell);
            for (Ring& hole : floor.holes) hole = (*this)(hole);
        }
        for (auto* rings : {&input.solids, &input.thin, &input.doors}) {
            for (Ring& ring : *rings) ring = (*this)(ring);
        }
        for (auto& line : input.exits) line = {(*this)(line[0]), (*this)(line[1])};
        return input;
    }
};

struct Scene {
    const char* name;
    FloorInput input;
    Vec2 from;
    RouteGoal goal;
};

std::vector<Scene> make_scenes()
{
    std::vector<Scene> scenes;
    Scene u_turn{"u-turn", {}, {1, 1}, {{{1, 3}}, {}, {}}};
    u_turn.input.floors = {{box(0, 0, 20, 4), {}}};
    u_turn.input.thin = {{{0, 2}, {18, 2}}};
    scenes.push_back(u_turn);

    Scene trap{"c-trap", {}, {5, 5}, {{{15, 5}}, {}, {}}};
    trap.input.floors = {{box(0, 0, 20, 10), {}}};
    trap.input.solids = {
        {{2, 2}, {8, 2}, {8, 8}, {2, 8}, {2, 7.6}, {7.6, 7.6}, {7.6, 2.4}, {2, 2.4}}};
    scenes.push_back(trap);

    Scene junction{"t-junction", {}, {1, 11}, {{}, {{Vec2{22, 0}, Vec2{22, 2}}}, {}}};
    junction.input.floors = {
        {box(0, 10, 22, 12), {}}, {box(10, 0, 12, 10), {}}, {box(12, 0, 22, 2), {}}};
    junction.input.exits = {{Vec2{22, 0}, Vec2{22, 2}}};
    scenes.push_back(junction);

    scenes.push_back({"spiral", spiral_floor(3), {0, 0}, {{spiral_line(3).back()}, {}, {}}});

    Dice dice(7);
    Scene maze{"maze", room_floor(dice, 20, 20, 0.72), {2, 2}, {{{97, 97}}, {}, {}}};
    scenes.push_back(maze);

    Scene hall{"hall", {}, {2, 2}, {{}, {}, {{box(40, 20, 46, 26), {}}}}};
    hall.input.floors = {{box(0, 0, 50, 30), {}}};
    for (int i = 0; i < 6; ++i)
        hall.input.solids.push_back(
            box(6.0 * i + 5, 4.0 * (i % 3), 6.0 * i + 8, 4.0 * (i % 3) + 14));
    scenes.push_back(hall);
    return scenes;
}

struct Walk {
    bool arrived = false;
    double length = 0.0;
    double shortest = 0.0;
    double least_clearance = 1e9;
};

Walk walk(const Scene& scene, const Motion& motion, double radius, double lateral)
{
    const FloorInput input = motion(scene.input);
    const auto floor = build_floor(input);
    EXPECT_TRUE(floor) << floor.error().message;
    Walk result;
    if (!floor) return result;
    const Walls walls(floor->space, input.thin);
    Routes routes(floor->mesh, 0);
    RouteGoal moved;
    for (const Vec2 p : scene.goal.points) moved.points.push_back(motion(p));
    for (const auto& line : scene.goal.lines)
        moved.lines.push_back({motion(line[0]), motion(line[1])});
    for (const RouteArea& area : scene.goal.areas) moved.areas.push_back({motion(area.shell), {}});
    const std::uint32_t goal = routes.add_goal(moved);
    routes.prepare(goal, radius);
    Vec2 p = motion(scene.from);
    RouteMemory memory;
    result.shortest = routes.distance(goal, p, radius);
    EXPECT_TRUE(std::isfinite(result.shortest));
    const double step = 0.02;
    const auto steps = static_cast<int>(1.5 * result.shortest / step) + 100;
    for (int i = 0; i < steps; ++i) {
        const Heading heading = routes.steer(goal, p, radius, lateral, memory);
        EXPECT_TRUE(heading.reachable) << i << ": " << p.x << " " << p.y;
        if (!heading.reachable) return result;
        if (heading.distance < 0.03) {
            result.arrived = true;
            return result;
        }
        EXPECT_NEAR(length(heading.direction), 1.0, 1e-9);
        p += heading.direction * step;
        result.length += step;
        if (i % 5 != 0) continue;  // nobody leaves and comes back within 0.1 m
        result.least_clearance = std::min(result.least_clearance, walls.clearance(p));
        if (!covers(floor->space, p)) {
            ADD_FAILURE() << "left the floor at " << p.x << " " << p.y << " after "
                          << result.length;
            return result;
        }
    }
    ADD_FAILURE() << "did not arrive: at " << p.x << " " << p.y;
    return result;
}

TEST(Routes, lead_a_body_to_the_goal_on_a_way_hardly_longer_than_the_shortest)
{
    const double angle = 23.0 / 180.0 * M_PI;
    const Motion motions[] = {
        {}, {std::cos(angle), std::sin(angle), {317.5, -88.25}}, {1, 0, {1e6, -1e6}}};
    for (const Scene& scene : make_scenes()) {
        for (const double lateral : {0.0, 0.5, 0.99}) {
            double first = 0;
            for (const Motion& motion : motions) {
                SCOPED_TRACE(std::string(scene.name) + " lateral " + std::to_string(lateral) +
                             " shift " + std::to_string(motion.shift.x));
                const Walk walked = walk(scene, motion, 0.2, lateral);
                EXPECT_TRUE(walked.arrived);
                EXPECT_LE(walked.length, 1.1 * walked.shortest);
                EXPECT_GT(walked.least_clearance, 0.14) << "a body of 0.2 m";
                if (first == 0) first = walked.length;
                EXPECT_NEAR(walked.length, first, 0.02 * first);
            }
        }
    }
}

TEST(Routes, lead_anybody_from_anywhere_without_touching_a_wall_with_the_centre)
{
    int walks = 0;
    for (unsigned seed = 0; seed < 100; ++seed) {
        Dice dice(4000 + seed);
        const FloorInput input = make_floor(seed, dice);
        const auto floor = build_floor(input);
        ASSERT_TRUE(floor);
        const Oracle oracle(*floor, input.thin);
        Routes routes(floor->mesh, 0);
        for (int k = 0; k < 4; ++k) {
            const double radius = dice.between(0.15, 0.35), lateral = dice.unit();
            const Vec2 to = place_inside(dice, *floor, oracle),
                       from = place_inside(dice, *floor, oracle);
            const std::uint32_t goal = routes.add_goal({{to}, {}, {}});
            routes.prepare(goal, radius);
            const double shortest = routes.distance(goal, from, radius);
            if (std::isinf(shortest)) continue;
            SCOPED_TRACE("seed " + std::to_string(seed) + " radius " + std::to_string(radius) +
                         " lateral " + std::to_string(lateral) + " from " + std::to_string(from.x) +
                         " " + std::to_string(from.y) + " to " + std::to_string(to.x) + " " +
                         std::to_string(to.y));
            Vec2 p = from;
            RouteMemory memory;
            double walked = 0;
            bool arrived = false;
            while (walked < 1.3 * shortest + 2 && !arrived) {
                const Heading heading = routes.steer(goal, p, radius, lateral, memory);
                ASSERT_TRUE(heading.reachable);
                arrived = heading.distance < 0.03;
                const Vec2 next = p + heading.direction * 0.02;
                ASSERT_TRUE(oracle.sees(p, next))
                    << "through a wall at " << p.x << " " << p.y << " after " << walked;
                p = next;
                walked += 0.02;
            }
            EXPECT_TRUE(arrived) << "stuck at " << p.x << " " << p.y;
            EXPECT_LT(walked, 1.1 * shortest + 1.0 + 3.0 * lateral);
            ++walks;
        }
    }
    EXPECT_GT(walks, 200);
}

}  // namespace
}  // namespace sidestep
