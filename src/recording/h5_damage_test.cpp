// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <thread>

#include "recording/h5_file_check.hpp"
#include "support/h5_recordings.hpp"
#include "support/damage.hpp"

/// HDF5 1.10 loses memory when it meets a damaged header. Asked by the leak check of sanitizers.
extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions()   // NOLINT(bugprone-reserved-identifier)
{
    return "leak:libhdf5";
}

namespace sidestep {
namespace {

namespace fs = std::filesystem;
using test::DamageCheck;
using test::DamageCounts;
using test::H5Test;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr std::int64_t kFrames = 60;

class H5DamageTest : public H5Test {};

TEST_F(H5DamageTest, no_cut_gives_other_data)
{
    test::write_station(path(), kFrames);
    const DamageCounts counts = test::check_damage(path(), 300, 0, 3);
    EXPECT_GT(counts.detected, 295u);  // but for a cut in the checksum at the end
    EXPECT_GT(counts.recovered_files, 50u);
}

TEST_F(H5DamageTest, no_flipped_bit_gives_other_data)
{
    test::write_station(path(), kFrames);
    const DamageCounts counts = test::check_damage(path(), 0, 2'000, 4);
    EXPECT_GT(counts.detected, 1'990u);  // but for the word the checksum is known by
    EXPECT_GT(counts.recovered_files, 1'000u);
}

/// The checksum of the whole file comes before everything else; where the writer was killed it is
/// not there, and the checksums inside must do.
TEST_F(H5DamageTest, nor_where_the_file_was_never_closed)
{
    auto writer = test::make_station(path(), {.most_written = 100'000, .chunk_rows = 64});
    ASSERT_TRUE(writer);
    ASSERT_FALSE((*writer)->write(test::station_items(kFrames)));
    (*writer)->give_up();
    const auto check_file = check_h5_file(path());
    ASSERT_TRUE(check_file && check_file->is_swmr && !check_file->has_trailer);
    const DamageCounts counts = test::check_damage(path(), 100, 600, 5);
    EXPECT_GT(counts.detected, 400u);
    EXPECT_GT(counts.recovered_files, 200u);
}

TEST_F(H5DamageTest, a_cut_costs_what_is_behind_it)
{
    test::write_station(path(), 300);
    DamageCheck check(path());
    const std::size_t half = check.cut_to(check.size() / 2);
    const std::size_t most = check.cut_to(check.size() * 9 / 10);
    EXPECT_GT(half, 100u);
    EXPECT_GT(most, 220u);
    EXPECT_GT(most, half);
    EXPECT_EQ(check.cut_to(check.size() - 1), 300u);  // of the checksum, and nothing else
}

/// With the chunks that recordings have.
std::size_t frames_after_cut(const std::string& path, std::int64_t people, std::int64_t frames,
                             std::size_t percent)
{
    fs::remove(path);
    auto recorder = Recorder::open(path, test::station());
    EXPECT_TRUE(recorder);
    for (std::int64_t i = 0; i < frames; ++i) {
        RecordedFrame frame{i, {}, {{0, 0}, {1, 1}}};
        for (std::int64_t id = 0; id < people; ++id) {
            const double t = static_cast<double>(i), angle = static_cast<double>(id);
            frame.agents.push_back({id,
                                    0,
                                    {50.0 + 0.13 * t * std::cos(angle), std::sin(angle + t / 9.0)},
                                    {std::cos(angle), std::sin(angle)}});
        }
        EXPECT_TRUE(recorder->append(std::move(frame)));
        if (i % 8 != 0) continue;
        EXPECT_TRUE(recorder->append(test::station_notes(i)));
    }
    EXPECT_TRUE(recorder->close());
    DamageCheck check(path);
    return check.cut_to(check.size() * percent / 100);
}

TEST_F(H5DamageTest, a_cut_of_a_short_recording_costs_in_proportion)
{
    for (const std::size_t percent : {50, 75, 95}) {
        SCOPED_TRACE(percent);
        const std::size_t kept = frames_after_cut(path(), 100, 200, percent);
        EXPECT_GT(kept, 2 * percent - 35);
        EXPECT_LE(kept, 2 * percent);
    }
    EXPECT_GE(frames_after_cut(path(), 100, 100, 95), 80u);
}

TEST_F(H5DamageTest, the_last_bytes_of_a_very_short_recording_are_not_its_frames)
{
    for (const std::size_t percent : {80, 90, 95, 99}) {
        SCOPED_TRACE(percent);
        EXPECT_EQ(frames_after_cut(path(), 2, 74, percent), 74u);
    }
}

TEST_F(H5DamageTest, says_what_is_wrong_and_what_is_lost)
{
    test::write_station(path(), 300);
    const auto size = fs::file_size(path());
    fs::resize_file(path(), size * 3 / 4);
    const auto strict = RecordingReader::open(path());
    ASSERT_FALSE(strict);
    EXPECT_THAT(strict.error().message, HasSubstr("run.h5: it is cut: "));
    EXPECT_THAT(strict.error().message, HasSubstr("\nhint: --recover "));
    const auto read = test::read_back(path(), {.recover = true});
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_GE(read->damage.size(), 2u);
    EXPECT_THAT(read->damage.front(), HasSubstr("it is cut"));
    EXPECT_THAT(read->damage[1], HasSubstr("the list of its frames is damaged"));
    EXPECT_THAT(
        read->damage[read->damage.size() - 2],
        MatchesRegex(".*run.h5: frames [0-9]+ to [0-9]+ .[0-9]+. are damaged; they are left out"));
    const std::size_t whole = read->frames.size();
    EXPECT_EQ(read->damage.back(), fmt::format("{}: {} of 300 frames are whole; {} are missing",
                                               path(), whole, 300 - whole));
    for (const std::string& damage : read->damage) {
        EXPECT_THAT(damage, Not(HasSubstr("to 0")));
        EXPECT_THAT(damage, HasSubstr("run.h5: "));
    }
}

/// Object headers begin with OHDR and have checksums: HDF5 says so, and nothing is printed.
TEST_F(H5DamageTest, a_damaged_header_is_named_with_its_cause_and_the_caller_prints_as_before)
{
    test::write_station(path(), kFrames);
    std::ifstream in(path(), std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(in), {}};
    ::testing::internal::CaptureStderr();
    std::thread([&] {
        H5E_auto2_t before = nullptr, after = nullptr;
        void* data = nullptr;
        H5Eget_auto2(H5E_DEFAULT, &before, &data);
        EXPECT_NE(before, nullptr);
        std::size_t headers = 0;
        for (auto at = whole.find("OHDR"); at != whole.npos; at = whole.find("OHDR", at + 1)) {
            std::string damaged = whole;
            damaged[at + 10] = static_cast<char>(damaged[at + 10] ^ 1);
            std::ofstream(path("damaged.h5"), std::ios::binary) << damaged;
            const auto read = test::read_back(path("damaged.h5"), {.recover = true});
            if (read) continue;
            ++headers;
            EXPECT_THAT(read.error().message, Not(HasSubstr("does not say why")));
            EXPECT_THAT(read.error().message, HasSubstr("checksum"));
        }
        EXPECT_GE(headers, 7u);
        H5Eget_auto2(H5E_DEFAULT, &after, &data);
        EXPECT_EQ(before, after);
    }).join();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

/// Chunks that were never written read as zeros.
TEST_F(H5DamageTest, rows_that_were_never_written_are_refused)
{
    for (const char* name : {kH5Log, kH5Frames, kH5Bodies, kH5Trajectory, kH5Orientations}) {
        SCOPED_TRACE(name);
        fs::remove(path());
        test::write_station(path(), kFrames);
        {
            const H5Lock lock;
            const H5Handle file(H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
            const H5Handle dataset(H5Dopen2(file.get(), name, H5P_DEFAULT), H5Dclose);
            const hsize_t rows = 20'000;
            ASSERT_GE(H5Dset_extent(dataset.get(), &rows), 0);
        }
        const auto opened = RecordingReader::open(path());
        ASSERT_FALSE(opened);
        EXPECT_THAT(opened.error().message,
                    HasSubstr(std::string(name) + " claims 20000 rows, and not all"));
    }
}

TEST_F(H5DamageTest, what_is_no_hdf5_file_at_all_is_refused)
{
    for (const std::string text : {"", "x", "\x89HDF\r\n\x1a\n", "SQLite format 3"}) {
        SCOPED_TRACE(text);
        std::ofstream(path(), std::ios::trunc | std::ios::binary) << text;
        for (const bool recovers : {false, true}) {
            const auto opened = RecordingReader::open(path(), {.recover = recovers});
            ASSERT_FALSE(opened);
            EXPECT_THAT(opened.error().message, HasSubstr("run.h5: "));
        }
    }
}

}  // namespace
}  // namespace sidestep
