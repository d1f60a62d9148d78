// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What each preset does to a walker, in numbers: against the default adult it meets head on, or
// alone.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "support/walks.hpp"

namespace sidestep::test {
namespace {

class Presets : public WorldTest {};

constexpr double kStep = 0.05;      ///< [s]
constexpr double kRounding = 1e-5;  ///< [m/s], far below what anybody changes in a step

ProfileId add_preset(World& world, const std::string& preset,
                     const std::vector<ParamValue>& changes = {}, double horizon = 6.0)
{
    ProfileSpec spec{.model = "personality",
                     .values = {{"time_horizon", horizon}, {"neighbour_range", 30.0}},
                     .preset = preset};
    spec.values.insert(spec.values.end(), changes.begin(), changes.end());
    return must(world.add_profile(spec));
}

double value_of(World& world, ProfileId profile, std::string_view trait)
{
    const AgentHandle probe = must(world.add({.position = {500.0, 500.0}, .profile = profile}));
    const double value = must(world.trait(probe, trait));
    must(world.remove(probe));
    return value;
}

/// One of a preset comes from the left, and somebody comes towards it from the right.
struct Meeting {
    double own = 0.0;       ///< largest deviation of the one of the preset [m]
    double others = 0.0;    ///< of the other [m]
    double closest = 0.0;   ///< of the centres [m]
    double reaction = 0.0;  ///< time of the first change of velocity of the one of the preset [s]
    double passed = 0.0;    ///< time at which it is 6 m beyond the middle [s]

    double share() const { return own / (own + others); }
};

Meeting meet(World& world, ProfileId who, ProfileId other, double half_way)
{
    const double speed = value_of(world, who, "preferred_speed");
    const double towards = value_of(world, other, "preferred_speed");
    // A little to the side, so that both agree where to pass.
    const auto a = add_walker(world, {-half_way, 0.0}, {speed, 0.0}, who);
    const auto b = add_walker(world, {half_way, 0.05}, {-towards, 0.0}, other);
    const Walks walks = follow(world, {a, b}, 20.0);
    Meeting m{deviation(walks[0], {1.0, 0.0}), deviation(walks[1], {1.0, 0.0}),
              min_distance(walks)};
    std::size_t k = 0;
    while (k < walks.frames() && length(walks[0].velocity[k] - walks[0].velocity[0]) < kRounding)
        ++k;
    m.reaction = static_cast<double>(k) * kStep;
    k = 0;
    while (k < walks.frames() && walks[0].position[k].x < 6.0) ++k;
    m.passed = static_cast<double>(k) * kStep;
    return m;
}

/// With a default adult, when both have observed each other: who observes first would else have
/// stepped aside before the other thinks of it.
Meeting meet_adult(const std::string& preset)
{
    World world = make_world({.dt = kStep});
    const ProfileId who = add_preset(world, preset, {{"observation_time", 0.0}});
    const ProfileId adult = add_preset(world, "default", {{"observation_time", 0.0}});
    const Meeting m = meet(world, who, adult, 9.0);
    std::printf("%-10s own %.3f other %.3f m, share %.2f, closest %.3f m, passed after %.2f s\n",
                preset.c_str(), m.own, m.others, m.share(), m.closest, m.passed);
    return m;
}

/// With somebody who avoids nobody.
Meeting meet_seeker(const std::string& preset, double half_way)
{
    World world = make_world({.dt = kStep});
    const ProfileId who = add_preset(world, preset, {}, 10.0);
    const ProfileId seeker = must(world.add_profile({.model = "seek", .values = {}}));
    return meet(world, who, seeker, half_way);
}

TEST_F(Presets, default_adults_share_the_way_and_keep_both_personal_spaces)
{
    const Meeting m = meet_adult("default");
    EXPECT_NEAR(m.share(), 0.5, 0.02);
    EXPECT_NEAR(m.own, 0.36, 0.03);
    EXPECT_NEAR(m.closest, 0.76, 0.01);
}

TEST_F(Presets, elder_leaves_three_quarters_of_the_way_to_the_other_and_is_slow)
{
    const Meeting m = meet_adult("elder");
    const Meeting adult = meet_adult("default");
    EXPECT_NEAR(m.share(), 0.25, 0.04);
    EXPECT_LT(m.own, 0.6 * adult.own);
    EXPECT_NEAR(m.closest, 0.42 + 0.38, 0.01);
    EXPECT_NEAR(m.passed, 15.0, 0.3);
}

TEST_F(Presets, leader_leaves_four_fifths_of_the_way_to_the_other)
{
    const Meeting m = meet_adult("leader");
    EXPECT_NEAR(m.share(), 0.2, 0.04);
    EXPECT_LT(m.own, 0.5 * meet_adult("default").own);
}

TEST_F(Presets, hurried_passes_sooner_and_closer)
{
    const Meeting m = meet_adult("hurried");
    const Meeting adult = meet_adult("default");
    EXPECT_NEAR(m.passed, 8.85, 0.3);
    EXPECT_LT(m.passed, 0.85 * adult.passed);
    EXPECT_NEAR(m.share(), 1.0 / 3.0, 0.04);
    EXPECT_NEAR(m.closest, 0.33 + 0.38, 0.01);
}

TEST_F(Presets, passive_goes_out_of_the_way_and_keeps_its_distance)
{
    const Meeting m = meet_adult("passive");
    const Meeting adult = meet_adult("default");
    EXPECT_GT(m.share(), 0.55);
    EXPECT_GT(m.own, 1.2 * adult.own);
    EXPECT_NEAR(m.closest, 0.45 + 0.38, 0.01);
}

TEST_F(Presets, aggressive_makes_others_step_aside_and_comes_close)
{
    const Meeting m = meet_adult("aggressive");
    const Meeting adult = meet_adult("default");
    EXPECT_NEAR(m.share(), 0.25, 0.05);
    EXPECT_NEAR(m.closest, 0.30 + 0.38, 0.01);
    EXPECT_LT(m.passed, 0.9 * adult.passed);
}

TEST_F(Presets, phone_walks_into_somebody_whom_others_avoid)
{
    // 8 m apart at 2.44 m/s: after 2.5 s it is too late.
    EXPECT_LT(meet_seeker("phone", 4.0).closest, 0.4);
    EXPECT_GT(meet_seeker("default", 4.0).closest, 0.55);
    // From farther it is not.
    EXPECT_GT(meet_seeker("phone", 9.0).closest, 0.55);
}

TEST_F(Presets, phone_does_not_see_who_comes_from_the_side)
{
    // At right angles and always 50 degrees off the heading: never in a view of 90 degrees.
    for (const bool on_the_phone : {true, false}) {
        World world = make_world({.dt = kStep});
        const ProfileId who = add_preset(world, on_the_phone ? "phone" : "default");
        const ProfileId seeker = must(world.add_profile({.model = "seek", .values = {}}));
        const double speed = value_of(world, who, "preferred_speed");
        const double from_side = speed * std::tan(50.0 * 3.141592653589793 / 180.0);
        const auto a = add_walker(world, {-speed * 6.0, 0.0}, {speed, 0.0}, who);
        const auto b = add_walker(world, {0.0, -from_side * 6.0}, {0.0, from_side}, seeker);
        const Walks walks = follow(world, {a, b}, 5.5);
        if (on_the_phone) {
            EXPECT_LT(velocity_change(walks[0]), kRounding);
        } else {
            EXPECT_GT(velocity_change(walks[0]), 0.1);
        }
    }
}

TEST_F(Presets, child_gives_way_a_little_more_and_comes_closer)
{
    const Meeting m = meet_adult("child");
    EXPECT_NEAR(m.share(), 0.6, 0.04);
    EXPECT_NEAR(m.closest, 0.30 + 0.38, 0.01);
}

TEST_F(Presets, strolling_takes_its_time)
{
    const Meeting m = meet_adult("strolling");
    EXPECT_NEAR(m.passed, 16.7, 0.3);
    EXPECT_GT(m.passed, 1.4 * meet_adult("default").passed);
    EXPECT_NEAR(m.closest, 0.40 + 0.38, 0.01);
}

/// A row of the table of presets.
struct Row {
    const char* name;
    double speed, limit, observation;
};
constexpr Row kRows[] = {
    {"default", 1.34, 1.5, 0.4}, {"elder", 1.0, 0.8, 0.7},   {"leader", 1.34, 1.5, 0.4},
    {"hurried", 1.7, 2.5, 0.3},  {"passive", 1.2, 1.2, 0.5}, {"aggressive", 1.6, 2.5, 0.3},
    {"phone", 1.1, 1.0, 2.5},    {"child", 1.2, 2.0, 0.6},   {"strolling", 0.9, 1.0, 0.5},
};

TEST_F(Presets, all_react_when_their_observation_time_is_over_and_not_before)
{
    for (const Row& row : kRows) {
        SCOPED_TRACE(row.name);
        // Seen in step 0, observed in the first step that begins later, moved at its end.
        double first = 0.0;
        while (first <= row.observation + 1e-6) first += kStep;
        EXPECT_NEAR(meet_seeker(row.name, 9.0).reaction, first + kStep, 0.5 * kStep);
    }
}

TEST_F(Presets, alone_speed_up_at_their_own_limit_to_their_own_speed)
{
    for (const Row& row : kRows) {
        SCOPED_TRACE(row.name);
        World world = make_world({.dt = kStep});
        const auto agent = must(world.add({.position = {0.0, 0.0},
                                           .goal = Vec2{100.0, 0.0},
                                           .profile = add_preset(world, row.name),
                                           .traits = {{"alpha", 0.0}}}));
        const Walks walks = follow(world, {agent}, 10.0);
        EXPECT_NEAR(walks[0].speed(walks.frames() - 1), row.speed, 1e-3);
        // Halfway up it has had half the time that the limit asks for.
        std::size_t k = 0;
        while (walks[0].speed(k) < 0.5 * row.speed) ++k;
        EXPECT_NEAR(static_cast<double>(k) * kStep, 0.5 * row.speed / row.limit, 1.1 * kStep);
    }
}

}  // namespace
}  // namespace sidestep::test
