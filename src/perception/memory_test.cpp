// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace sidestep {
namespace {

struct Seen {
    std::uint32_t id;
    bool is_body = false;
};

/// An agent's memory over several steps.
class Observer {
public:
    Observer(double dt, double observation_time, double forget_time)
        : steps_(
              steps_of({dt, static_cast<float>(observation_time), static_cast<float>(forget_time)}))
    {
        table.clear();
    }

    /// One step with these in sight, nearest first; the ids of those that are avoided.
    std::set<std::uint32_t> step(const std::vector<Seen>& in_sight)
    {
        SightTable after;
        Memory memory(table, after, steps_);
        std::set<std::uint32_t> avoided;
        for (const Seen& other : in_sight) {
            if (memory.sees(other.id, other.is_body)) avoided.insert(other.id);
        }
        memory.keep_unseen();
        crowded = memory.crowded();
        table = after;
        return avoided;
    }

    bool knows(std::uint32_t id) const
    {
        bool known = false;
        for (std::size_t place = 0; place < kSightEntries; ++place)
            known = known || table.entry(place).names(id, false);
        return known;
    }

    SightTable table;
    std::uint32_t crowded = 0;

private:
    MemorySteps steps_;
};

/// First step at which somebody in sight from step 0 on is avoided.
int first_active(double dt, double observation_time, int limit = 100'000)
{
    Observer observer(dt, observation_time, 2.0);
    for (int step = 0; step < limit; ++step) {
        if (!observer.step({{7}}).empty()) return step;
    }
    return -1;
}

std::vector<Seen> numbers(std::uint32_t first, std::uint32_t count)
{
    std::vector<Seen> list;
    for (std::uint32_t i = 0; i < count; ++i) list.push_back({first + i});
    return list;
}

TEST(Memory, at_120_steps_per_second_079_s_are_over_at_step_95)
{
    EXPECT_EQ(first_active(1.0 / 120.0, 0.79), 95);
}

TEST(Memory, somebody_seen_for_exactly_the_observation_time_is_not_yet_avoided)
{
    EXPECT_EQ(first_active(0.05, 0.7), 15);
    for (const double dt :
         {0.05, 0.1, 0.25, 0.02, 0.01, 0.04, 1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0}) {
        for (int steps = 1; steps <= 300 && steps * dt <= 60.0; ++steps) {
            // As a person writes it: a decimal number, then a float.
            EXPECT_EQ(first_active(dt, steps * dt), steps + 1) << steps << " steps of " << dt;
            EXPECT_EQ(first_active(dt, (steps - 0.5) * dt), steps) << steps << " steps of " << dt;
        }
    }
}

TEST(Memory, who_is_back_within_the_time_to_forget_is_still_known)
{
    for (const int gap : {1, 5, 39, 40, 41, 60}) {
        SCOPED_TRACE(gap);
        Observer observer(0.05, 0.5, 2.0);
        for (int step = 0; step <= 20; ++step) observer.step({{3}});
        EXPECT_EQ(observer.step({{3}}).size(), 1u);
        // Not seen in gap - 1 steps: between the two sightings lie gap steps.
        for (int step = 1; step < gap; ++step) EXPECT_TRUE(observer.step({}).empty());
        EXPECT_EQ(observer.step({{3}}).size(), gap * 0.05 <= 2.0 + 1e-9 ? 1u : 0u);
    }
}

TEST(Memory, the_time_out_of_sight_counts_as_time_of_observation)
{
    Observer observer(0.1, 0.5, 2.0);
    observer.step({{3}});
    for (int step = 0; step < 5; ++step) observer.step({});
    EXPECT_EQ(observer.step({{3}}).size(), 1u);  // 0.6 s after it was first seen
}

TEST(Memory, who_is_forgotten_leaves_the_table)
{
    Observer observer(0.5, 1.0, 1.0);
    observer.step({{3}});
    observer.step({});
    EXPECT_TRUE(observer.knows(3));
    observer.step({});
    EXPECT_TRUE(observer.knows(3));  // out of sight for 1.0 s
    observer.step({});
    EXPECT_FALSE(observer.knows(3));
}

TEST(Memory, a_body_and_an_agent_of_the_same_number_are_two)
{
    Observer observer(0.5, 0.7, 2.0);
    observer.step({{3, false}});
    observer.step({{3, false}, {3, true}});
    EXPECT_EQ(observer.table.entry(0).first, 1);
    EXPECT_EQ(observer.table.entry(1).first, 0);
    EXPECT_EQ(observer.table.entry(1).is_body, 1);
}

TEST(Memory, holds_the_16_nearest_and_takes_those_farther_for_observed)
{
    Observer observer(0.1, 10.0, 2.0);
    EXPECT_EQ(observer.step(numbers(0, 16)).size(), 0u);
    EXPECT_EQ(observer.crowded, 0u);
    const auto avoided = observer.step(numbers(0, 20));
    EXPECT_EQ(avoided, (std::set<std::uint32_t>{16, 17, 18, 19}));
    EXPECT_EQ(observer.crowded, 4u);
    for (std::uint32_t id = 0; id < 16; ++id) EXPECT_TRUE(observer.knows(id));
}

TEST(Memory, who_comes_in_while_the_table_is_full_counts_as_observed_from_then_on)
{
    Observer observer(0.1, 10.0, 2.0);
    observer.step(numbers(0, 16));
    std::vector<Seen> with_a_newcomer{{99}};
    for (const Seen& known : numbers(0, 15)) with_a_newcomer.push_back(known);
    EXPECT_EQ(observer.step(with_a_newcomer), (std::set<std::uint32_t>{99}));
    EXPECT_EQ(observer.crowded, 1u);
    EXPECT_EQ(observer.step({{99}}), (std::set<std::uint32_t>{99}));
    EXPECT_EQ(observer.crowded, 0u);
}

TEST(Memory, those_in_sight_take_the_places_of_those_longest_out_of_sight)
{
    Observer observer(0.1, 10.0, 5.0);
    observer.step({{1}, {2}, {3}});
    observer.step({{2}, {3}});
    for (int step = 0; step < 3; ++step) observer.step({{4}, {5}});
    std::vector<Seen> crowd = numbers(20, 12);
    crowd.push_back({4});
    observer.step(crowd);  // 13 in sight, 3 places for 1, 2, 3, 5
    EXPECT_FALSE(observer.knows(1));
    for (const std::uint32_t id : {2u, 3u, 4u, 5u}) EXPECT_TRUE(observer.knows(id)) << id;
    crowd.push_back({40});
    observer.step(crowd);  // of 2 and 3, equally long out of sight, the lower id stays
    EXPECT_TRUE(observer.knows(2));
    EXPECT_FALSE(observer.knows(3));
    EXPECT_TRUE(observer.knows(5));
}

TEST(Memory, a_lost_name_keeps_its_place_and_is_matched_by_nobody)
{
    Observer observer(0.1, 0.5, 1.0);
    for (int step = 0; step < 10; ++step) observer.step(numbers(0, 16));
    observer.table.lose_name(4, false);
    EXPECT_FALSE(observer.knows(4));
    // The table was full: whoever comes in may have been there before.
    EXPECT_EQ(observer.step({{4}, {30}}).size(), 2u);
    for (int step = 0; step < 20; ++step) observer.step({});
    EXPECT_EQ(observer.step({{4}}).size(), 0u);
}

TEST(Memory, steps_are_counted_to_the_end_of_their_range_and_no_further)
{
    Observer observer(1e-4, 60.0, 60.0);  // 600,000 steps
    int active = -1;
    for (int step = 0; step < 70'000 && active < 0; ++step) {
        if (!observer.step({{1}}).empty()) active = step;
    }
    EXPECT_EQ(active, kMostStepsSeen);
    int known = 0;
    while (observer.knows(1) && known < 70'000) {
        observer.step({});
        ++known;
    }
    EXPECT_EQ(known, kMostStepsUnseen);
}

}  // namespace
}  // namespace sidestep
