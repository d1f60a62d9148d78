// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A room that changes while people walk in it: a door closes and opens, people come and go, change
// their minds and hurry, and a cart drives through.

#include <sidestep/world.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace sidestep;

/// The value of a call, or the end of the program: a real host would show the message.
template <class T>
T check(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "error: %s\n", result.error().message.c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

void tell(const World& world, const char* what)
{
    std::printf("%5.1f s  %s\n", world.time(), what);
}

/// How many people are right of the wall at x = 0.
int people_through(const World& world)
{
    int through = 0;
    const AgentColumns agents = world.columns();
    for (std::size_t row = 0; row < agents.rows; ++row) {
        through += agents.record[row].id != kNoAgent && agents.x[row] > 0.0f ? 1 : 0;
    }
    return through;
}

}  // namespace

int main()
{
    World world = check(World::create({.dt = 0.05}));

    // A room of 20 m by 10 m, a wall across it with a gap of 2 m, and a door in the gap.
    check(world.add_wall(
        {.vertices = {{-10, -5}, {10, -5}, {10, 5}, {-10, 5}}, .kind = WallKind::room}));
    check(world.add_wall({.vertices = {{0, -5}, {0, -1}}, .kind = WallKind::thin}));
    check(world.add_wall({.vertices = {{0, 1}, {0, 5}}, .kind = WallKind::thin}));
    WallHandle door =
        check(world.add_wall({.vertices = {{0, -1}, {0, 1}}, .kind = WallKind::thin}));
    tell(world, "the door is closed");

    std::vector<AgentHandle> people;
    for (int i = 0; i < 12; ++i) {
        const double y = -0.9 + 0.6 * (i % 4);
        people.push_back(
            check(world.add({.position = {-6.0 + i / 4, y}, .goal = Vec2{6.0 + i / 4, y}})));
    }
    tell(world, "12 people want to go through it");
    while (world.time() < 6.0) world.step();
    const int while_closed = people_through(world);
    std::printf("%5.1f s  %d are through\n", world.time(), while_closed);

    check(world.remove_wall(door));
    tell(world, "the door opens");
    check(world.remove(people[0]));
    check(world.set_goal(people[1], {-6, 0}));
    check(world.set_preferred_speed(people[2], 1.8));
    tell(world, "one leaves, one changes their mind, one hurries");

    const BodyHandle cart = check(world.add_body(
        {.outline = {{3, -4.5}, {4, -4.5}, {4, -3.5}, {3, -3.5}}, .velocity = {0, 0.5}}));
    tell(world, "a cart crosses their way and stops for nobody");
    while (world.time() < 20.0) world.step();
    std::printf("%5.1f s  %d are through, the cart is at y = %.1f m\n", world.time(),
                people_through(world), check(world.body_position(cart)).y);
    check(world.remove_body(cart));

    door = check(world.add_wall({.vertices = {{0, -1}, {0, 1}}, .kind = WallKind::thin}));
    tell(world, "the cart is gone and the door closes");
    const bool as_told = while_closed == 0 && people_through(world) == 10 && world.size() == 11 &&
                         !world.alive(people[0]);
    std::printf("%s\n", as_told ? "All as it should be: 10 through, 1 stayed, 1 left."
                                : "Something is not as it should be.");
    return as_told ? 0 : 1;
}
