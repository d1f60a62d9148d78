// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "base/id_map.hpp"

#include <gtest/gtest.h>

#include <unordered_map>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

/// An IdMap and the standard one, told the same.
struct Twins {
    IdMap map;
    std::unordered_map<std::uint32_t, std::uint32_t> twin;

    void insert(std::uint32_t id, std::uint32_t slot)
    {
        ASSERT_TRUE(map.reserve(twin.size() + 1));
        map.insert(id, slot);
        twin[id] = slot;
    }
    void erase(std::uint32_t id)
    {
        map.erase(id);
        twin.erase(id);
    }
    void expect_same(std::uint32_t id) const
    {
        const auto slot = map.find(id);
        const auto known = twin.find(id);
        ASSERT_EQ(slot.has_value(), known != twin.end()) << "id " << id;
        ASSERT_EQ(slot.value_or(0), slot ? known->second : 0) << "id " << id;
        ASSERT_EQ(map.size(), twin.size());
    }
    void expect_all_same() const
    {
        for (const auto& [id, slot] : twin) {
            const auto found = map.find(id);
            ASSERT_TRUE(found) << "id " << id;
            ASSERT_EQ(*found, slot) << "id " << id;
        }
    }
};

TEST(IdMap, finds_nobody_before_anybody_was_inserted)
{
    IdMap map;
    EXPECT_FALSE(map.find(0));
    EXPECT_FALSE(map.find(0xffffffffu));
    map.erase(3);  // nobody: nothing happens
    EXPECT_EQ(map.size(), 0u);
}

TEST(IdMap, agrees_with_the_standard_map_over_100k_random_operations)
{
    for (const std::uint32_t id_range : {64u, 3'000u, 0xffffffffu}) {
        SCOPED_TRACE(id_range);
        test::SeededRandom random(id_range);
        Twins twins;
        std::vector<std::uint32_t> used;
        for (int i = 0; i < 100'000; ++i) {
            const bool known = !used.empty() && random.chance(0.5);
            const std::uint32_t id = known ? used[random.below(used.size())]
                                           : static_cast<std::uint32_t>(random.below(id_range));
            if (twins.twin.contains(id) ? random.chance(0.4) : random.chance(0.1)) {
                twins.erase(id);  // some of them not there
            } else if (!twins.twin.contains(id)) {
                twins.insert(id, static_cast<std::uint32_t>(i));
                if (used.size() < 2000) used.push_back(id);
            }
            twins.expect_same(id);
            twins.expect_same(static_cast<std::uint32_t>(random.below(id_range)));
            if (HasFatalFailure()) FAIL() << "operation " << i;
            if (i % 10'000 == 0) twins.expect_all_same();
        }
        twins.expect_all_same();
    }
}

TEST(IdMap, keeps_everybody_findable_while_a_full_table_is_emptied)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        SCOPED_TRACE(seed);
        test::SeededRandom random(seed);
        Twins twins;
        std::vector<std::uint32_t> ids;
        const std::uint32_t stride = random.one_of({1u, 16u, 4096u, 0x10000u, 0x9e3779b9u});
        for (std::uint32_t i = 0; i < 170; ++i) {
            ids.push_back(i * stride);
            twins.insert(ids.back(), i);
        }
        random.shuffle(ids);
        for (const std::uint32_t id : ids) {
            twins.erase(id);
            ASSERT_FALSE(twins.map.find(id));
            twins.expect_all_same();
        }
        EXPECT_EQ(twins.map.size(), 0u);
    }
}

TEST(IdMap, says_when_there_is_not_enough_memory_and_keeps_what_it_has)
{
    Twins twins;
    twins.insert(7, 70);
    EXPECT_FALSE(twins.map.reserve(std::size_t{1} << 40));
    twins.expect_all_same();
}

}  // namespace
}  // namespace sidestep
