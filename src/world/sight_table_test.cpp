// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/sight_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace sidestep {
namespace {

/// Owners of tables that hold their own number, in an order that is none.
struct Owners {
    SightPool pool;
    Column<std::uint32_t> places;
    Column<std::uint32_t> scratch;

    explicit Owners(std::uint32_t count)
    {
        EXPECT_TRUE(pool.reserve(count) && places.reserve(2 * count) && scratch.reserve(count));
        std::vector<std::uint32_t> taken;
        for (std::uint32_t i = 0; i < count; ++i) taken.push_back(pool.take());
        for (std::uint32_t i = 0; i < count; ++i) {
            places.push_back(taken[i * 7 % count]);
            pool[places[i]].set(0, {i, 1, 2, false});
        }
    }

    void expect_own_tables()
    {
        for (std::uint32_t i = 0; i < places.size(); ++i) {
            if (places[i] != kNoSight) {
                EXPECT_EQ(pool[places[i]].id[0], i);
            }
        }
    }
};

TEST(SightPool, puts_tables_into_the_order_of_their_owners)
{
    Owners owners(20);
    owners.pool.put_in_order(owners.places, owners.scratch);
    owners.expect_own_tables();
    for (std::uint32_t i = 0; i < owners.places.size(); ++i) EXPECT_EQ(owners.places[i], i);
}

TEST(SightPool, keeps_free_tables_apart_from_those_in_order)
{
    Owners owners(20);
    for (const std::uint32_t i : {3u, 4u, 19u}) {
        owners.pool.give_back(owners.places[i]);
        owners.places[i] = kNoSight;
    }
    owners.pool.put_in_order(owners.places, owners.scratch);
    owners.expect_own_tables();
    EXPECT_EQ(owners.pool.owned(), 17u);
    std::set<std::uint32_t> all;
    for (const std::uint32_t place : owners.places)
        if (place != kNoSight) all.insert(place);
    for (int i = 0; i < 3; ++i) all.insert(owners.pool.take());
    EXPECT_EQ(all.size(), 20u);  // nobody got another's
    owners.expect_own_tables();
}

TEST(SightPool, leaves_the_order_where_it_has_no_room_to_make_one)
{
    Owners owners(20);
    Column<std::uint32_t> none;
    owners.pool.put_in_order(owners.places, none);
    owners.expect_own_tables();
}

}  // namespace
}  // namespace sidestep
