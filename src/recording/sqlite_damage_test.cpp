// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "support/damage.hpp"
#include "support/recordings.hpp"

namespace sidestep {
namespace {

constexpr std::int64_t kFrames = 24;

class SqliteDamageTest : public test::RecordingFolder {};

TEST_F(SqliteDamageTest, of_any_bit_is_found_or_changes_nothing)
{
    ASSERT_TRUE(test::write_sample(path(), kFrames, 60));
    const test::DamageCounts counts = test::check_damage(path(), 0, 2'000, 1);
    EXPECT_GT(counts.detected, 500u);         // the rest hits empty space and indices
    EXPECT_GT(counts.recovered_files, 500u);  // nearly all frames of most
    EXPECT_GT(counts.recovered_frames, 20 * counts.recovered_files);
}

TEST_F(SqliteDamageTest, of_a_file_that_was_cut_is_found)
{
    ASSERT_TRUE(test::write_sample(path(), kFrames, 60));
    const test::DamageCounts counts = test::check_damage(path(), 200, 0, 2);
    EXPECT_EQ(counts.detected, 200u);
    EXPECT_GT(counts.recovered_files, 50u);
}

TEST_F(SqliteDamageTest, by_a_cut_costs_the_frames_behind_it)
{
    ASSERT_TRUE(test::write_sample(path(), kFrames, 60));
    test::DamageCheck check(path());
    constexpr std::size_t kPage = 4096;
    EXPECT_GE(check.cut_to(check.size() - 1), std::size_t{kFrames - 5});
    std::size_t last = kFrames;
    for (std::size_t pages = 1; pages < 6; ++pages) {
        const std::size_t frames = check.cut_to(check.size() - pages * kPage);
        EXPECT_LE(frames, last);
        EXPECT_GT(frames, 0u) << pages;
        last = frames;
    }
    EXPECT_LT(last, std::size_t{kFrames});
}

TEST_F(SqliteDamageTest, by_a_cut_leaves_what_is_before_it_also_where_tables_have_lost_their_top)
{
    constexpr std::size_t kMany = 300;  // enough for a table of three levels of pages
    ASSERT_TRUE(test::write_sample(path(), kMany, 120));
    test::DamageCheck check(path());
    EXPECT_GT(check.size(), std::size_t{1'500'000});
    for (const std::size_t percent : {60u, 75u, 90u, 99u}) {
        EXPECT_GT(check.cut_to(check.size() * percent / 100), kMany * (percent - 15) / 100);
    }
}

TEST_F(SqliteDamageTest, by_a_cut_leaves_what_is_before_it_where_lists_have_just_outgrown_a_page)
{
    constexpr std::size_t kMany = 200;  // a page lists some 180 frames
    ASSERT_TRUE(test::write_sample(path(), kMany, 300));
    test::DamageCheck check(path());
    for (const std::size_t percent : {10u, 30u, 50u, 70u, 90u, 95u}) {
        EXPECT_GT(check.cut_to(check.size() * percent / 100), kMany * percent * 6 / 1000)
            << percent;
    }
}

}  // namespace
}  // namespace sidestep
