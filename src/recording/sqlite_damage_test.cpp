// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "support/damage.hpp"
#include "support/recordings.hpp"
#include "support/sqlite.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

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

/// Of a cut list of frames only the count, which lies before it, tells how long it was.
TEST_F(SqliteDamageTest, by_a_cut_is_said_with_all_the_frames_that_are_missing)
{
    constexpr std::int64_t kMany = 300;
    ASSERT_TRUE(test::write_sample(path(), kMany, 120));
    fs::resize_file(path(), fs::file_size(path()) / 2);
    const auto read = test::read_back(path(), {.recover = true});
    ASSERT_TRUE(read) << read.error().message;
    const auto whole = static_cast<std::int64_t>(read->frames.size());
    ASSERT_GT(whole, 100);
    EXPECT_THAT(read->damage, Contains(HasSubstr("its list of frames is not what was written")));
    EXPECT_EQ(read->damage.back(), fmt::format("{}: {} of {} frames are whole; {} are missing",
                                               path(), whole, kMany, kMany - whole));
}

TEST_F(SqliteDamageTest, by_a_cut_is_said_to_be_of_unknown_size_where_the_count_is_lost)
{
    constexpr std::int64_t kMany = 300;
    ASSERT_TRUE(test::write_sample(path(), kMany, 120));
    test::query(path(), "DELETE FROM sidestep_facts WHERE key = 'frames'");  // of earlier builds
    EXPECT_TRUE(test::read_back(path()));
    fs::resize_file(path(), fs::file_size(path()) / 2);
    const auto read = test::read_back(path(), {.recover = true});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(read->damage.back(),
                MatchesRegex(".* frames are whole; at least [1-9][0-9]* are missing, how many "
                             "there were is not known"));
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
