// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "base/column.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

struct alignas(32) AlignedValue {
    std::uint64_t value;
};

template <class T>
bool aligned(const Column<T>& column)
{
    return reinterpret_cast<std::uintptr_t>(column.data()) % kColumnAlignment == 0;
}

template <class T>
std::vector<T> values(const Column<T>& column)
{
    return {column.begin(), column.end()};
}

TEST(Column, is_empty_and_owns_nothing_at_first)
{
    const Column<float> column;
    EXPECT_TRUE(column.empty());
    EXPECT_EQ(column.capacity(), 0u);
    EXPECT_EQ(column.data(), nullptr);
    EXPECT_EQ(column.span().size(), 0u);
}

TEST(Column, keeps_its_values_and_alignment_when_it_grows)
{
    Column<std::uint16_t> column;
    std::vector<std::uint16_t> twin;
    for (std::uint16_t i = 0; i < 1000; ++i) {
        ASSERT_TRUE(column.reserve_growing(column.size() + 1));
        column.push_back(i);
        twin.push_back(i);
        ASSERT_TRUE(aligned(column));
    }
    EXPECT_EQ(values(column), twin);
}

TEST(Column, grows_one_by_one_in_few_allocations)
{
    Column<int> column;
    std::size_t growths = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::size_t before = column.capacity();
        ASSERT_TRUE(column.reserve_growing(column.size() + 1));
        growths += column.capacity() != before ? 1 : 0;
        column.push_back(i);
    }
    EXPECT_LE(growths, 18u);
}

TEST(Column, does_not_move_when_there_is_room)
{
    Column<int> column;
    ASSERT_TRUE(column.reserve(100));
    const int* place = column.data();
    ASSERT_TRUE(column.reserve(7));
    column.resize(100, 5);
    EXPECT_EQ(column.data(), place);
    EXPECT_EQ(column.capacity(), 100u);
}

TEST(Column, fills_only_what_resize_adds)
{
    Column<int> column;
    ASSERT_TRUE(column.reserve(6));
    column.resize(2, 1);
    column.resize(4, 2);
    column.resize(3);
    column.resize(6, 3);
    EXPECT_EQ(values(column), (std::vector{1, 1, 2, 3, 3, 3}));
}

TEST(Column, is_unchanged_when_there_is_not_enough_memory)
{
    Column<AlignedValue> column;
    ASSERT_TRUE(column.reserve(2));
    column.push_back({7});
    const AlignedValue* place = column.data();
    EXPECT_FALSE(column.reserve(std::numeric_limits<std::size_t>::max()));
    EXPECT_FALSE(column.reserve(std::numeric_limits<std::size_t>::max() / sizeof(AlignedValue)));
    EXPECT_EQ(column.data(), place);
    EXPECT_EQ(column.size(), 1u);
    EXPECT_EQ(column.capacity(), 2u);
    EXPECT_EQ(column[0].value, 7u);
}

TEST(Column, gives_its_memory_away_when_moved_from)
{
    Column<int> a;
    ASSERT_TRUE(a.reserve(3));
    a.resize(3, 4);
    Column<int> b(std::move(a));
    EXPECT_EQ(values(b), (std::vector{4, 4, 4}));
    Column<int> c;
    c = std::move(b);
    EXPECT_EQ(values(c), (std::vector{4, 4, 4}));
}

TEST(Column, behaves_like_a_vector)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        test::SeededRandom random(seed);
        Column<std::uint32_t> column;
        std::vector<std::uint32_t> twin;
        for (int i = 0; i < 2000; ++i) {
            const auto value = static_cast<std::uint32_t>(random.bits());
            switch (random.below(8)) {
                case 0:
                    if (!twin.empty()) column.pop_back(), twin.pop_back();
                    break;
                case 1: {
                    const std::size_t size = random.below(2 * twin.size() + 2);
                    ASSERT_TRUE(column.reserve(size));
                    column.resize(size, value);
                    twin.resize(size, value);
                    break;
                }
                case 2:
                    if (random.chance(0.1)) column.clear(), twin.clear();
                    break;
                default:
                    ASSERT_TRUE(column.reserve_growing(column.size() + 1));
                    column.push_back(value);
                    twin.push_back(value);
                    ASSERT_EQ(column.back(), twin.back());
            }
            ASSERT_GE(column.capacity(), column.size());
        }
        EXPECT_EQ(values(column), twin);
    }
}

}  // namespace
}  // namespace sidestep
