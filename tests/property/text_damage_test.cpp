// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "sidestep/recording.hpp"
#include "support/damage.hpp"
#include "support/seeded_random.hpp"
#include "support/text_files.hpp"

namespace sidestep {
namespace {

using TextDamage = test::TextFilesTest;

/// More than one block of a file, so that there are checks in its middle.
void write_crowd(const std::string& path)
{
    RecordingInfo info;
    info.levels = {{0, "POLYGON ((0 0, 9 0, 9 5, 0 5, 0 0))"}, {1, ""}};
    auto recorder = Recorder::open(path, info);
    ASSERT_TRUE(recorder) << recorder.error().message;
    test::SeededRandom random(3);
    for (std::int64_t number = 0; number < 80; ++number) {
        RecordedFrame frame{number, {}, {}};
        for (std::int64_t id = 0; id < 30 && number % 20 != 7; ++id) {
            frame.agents.push_back({id, static_cast<std::uint16_t>(id % 7 == 0 ? 1 : 0),
                                    random.in_box(500.0), random.direction()});
        }
        ASSERT_TRUE(recorder->append(std::move(frame)));
    }
    ASSERT_TRUE(recorder->close());
}

/// Wrong data would be a failure inside check_damage.
void check(const std::string& path, std::size_t cuts, std::size_t flips)
{
    write_crowd(path);
    const test::DamageCounts counts = test::check_damage(path, cuts, flips, 17);
    EXPECT_LE(counts.equal, 1 + flips / 200);  // capitals in a hash, the last line end
    EXPECT_GE(counts.recovered_files, cuts / 2);
}

TEST_F(TextDamage, of_txt_is_found_or_changes_nothing)
{
    check(path("run.txt"), 200, 1000);
}

TEST_F(TextDamage, of_csv_is_found_or_changes_nothing)
{
    check(path("run.csv"), 200, 1000);
}

TEST_F(TextDamage, of_ndjson_is_found_or_changes_nothing)
{
    check(path("run.ndjson"), 200, 1000);
}

}  // namespace
}  // namespace sidestep
