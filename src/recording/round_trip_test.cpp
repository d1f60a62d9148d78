// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recording/seal.hpp"
#include "sidestep/recording.hpp"
#include "support/damage.hpp"
#include "support/seeded_random.hpp"
#include "support/text_files.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;
using test::ReadBack;

/// What becomes of numbers in a format.
struct Loss {
    double position = 0.0;     ///< [m]
    double orientation = 0.0;  ///< [1]
    bool keeps_orientation = true;

    friend Loss operator|(const Loss& a, const Loss& b)
    {
        return {std::max(a.position, b.position), std::max(a.orientation, b.orientation),
                a.keeps_orientation && b.keeps_orientation};
    }
};

Loss loss_of(std::string_view ending)
{
    constexpr double kHalfDigit = 0.5e-4 + 1e-9;
    if (ending == ".txt" || ending == ".ndjson") return {kHalfDigit, 0.0, false};
    if (ending == ".h5") return {0.0, 1e-7, true};  // directions are floats in it
    return {};
}

struct Recording {
    std::string name;
    RecordingInfo info;
    std::vector<RecordedFrame> frames;
};

constexpr const char* kHall =
    "POLYGON ((0 0, 12.5 0, 12.5 8, 0 8, 0 0), (3 3, 3 4, 4.0625 4, 4.0625 3, 3 3))";
constexpr const char* kGallery =
    "MULTIPOLYGON (((0 0, 5 0, 5 2, 0 2, 0 0)), ((7 0, 12 0, 12 2, 7 2, 7 0)))";

Recording two_floors()
{
    Recording r{"two floors", {}, {}};
    r.info.fps = 30000.0 / 1001.0;
    r.info.levels = {{0, kHall}, {3, kGallery}};
    test::SeededRandom random(4);
    for (std::int64_t number = 0; number < 40; ++number) {
        RecordedFrame frame{number, {}, {}};
        for (std::int64_t id = 1; id <= 30 && number % 13 != 0; ++id) {  // 0, 13, ... are empty
            if (random.chance(0.2)) continue;
            const Vec2 position = random.in_box(300.0);
            const bool upstairs = (id + number / 10) % 3 == 0;
            frame.agents.push_back(
                {id, static_cast<std::uint16_t>(upstairs ? 3 : 0), position, random.direction()});
        }
        r.frames.push_back(std::move(frame));
    }
    r.frames.push_back({40, {}, {}});  // nobody is left
    return r;
}

std::vector<Recording> recordings()
{
    const RecordedAgent anna{7, 0, {1.25, -2.5}, {0.6, 0.8}};
    std::vector<Recording> all{two_floors()};

    Recording one_frame{"one frame", {}, {{0, {anna}, {}}}};
    one_frame.info.levels = {{0, kHall}};
    all.push_back(one_frame);

    Recording nobody{"nobody in three frames", {}, {{0, {}, {}}, {1, {}, {}}, {2, {}, {}}}};
    nobody.info.levels = {{0, kHall}};
    all.push_back(nobody);

    Recording nothing{"no frames", {}, {}};
    nothing.info.levels = {{0, kHall}};
    all.push_back(nothing);

    Recording open{"an open plane, odd numbers", {}, {}};
    open.info.fps = 2.5;
    open.info.levels = {{0, ""}};
    const RecordedAgent far{5'000'000'000, 0, {-3999.99995, 3999.5}, {-1.0, 0.0}};
    open.frames = {{-20, {anna}, {}}, {-10, {anna, far}, {}}, {0, {}, {}}, {1'000'000, {far}, {}}};
    all.push_back(open);

    Recording upstairs{"one level that is not 0", {}, {{0, {anna}, {}}}};
    upstairs.frames[0].agents[0].level = 2;
    upstairs.info.levels = {{2, kGallery}};
    all.push_back(upstairs);
    return all;
}

using RoundTrip = test::TextFilesTest;

void record(const std::string& path, const RecordingInfo& info,
            const std::vector<RecordedFrame>& frames)
{
    auto recorder = Recorder::open(path, info, true);
    ASSERT_TRUE(recorder) << recorder.error().message;
    for (const RecordedFrame& frame : frames) ASSERT_TRUE(recorder->append(frame));
    const auto closed = recorder->close();
    ASSERT_TRUE(closed) << closed.error().message;
}

void expect_near(Vec2 a, Vec2 b, double tolerance)
{
    EXPECT_LE(std::abs(a.x - b.x), tolerance);
    EXPECT_LE(std::abs(a.y - b.y), tolerance);
}

void expect_equal(const ReadBack& read, const Recording& original, const Loss& loss)
{
    EXPECT_EQ(read.info.fps, original.info.fps);
    ASSERT_EQ(read.info.levels.size(), original.info.levels.size());
    for (std::size_t i = 0; i < read.info.levels.size(); ++i) {
        EXPECT_EQ(read.info.levels[i].level, original.info.levels[i].level);
        EXPECT_EQ(read.info.levels[i].wkt, original.info.levels[i].wkt);
    }
    ASSERT_EQ(read.frames.size(), original.frames.size());
    for (std::size_t i = 0; i < read.frames.size(); ++i) {
        const RecordedFrame &a = read.frames[i], &b = original.frames[i];
        SCOPED_TRACE(b.number);
        EXPECT_EQ(a.number, b.number);
        ASSERT_EQ(a.agents.size(), b.agents.size());
        for (std::size_t k = 0; k < a.agents.size(); ++k) {
            EXPECT_EQ(a.agents[k].id, b.agents[k].id);
            EXPECT_EQ(a.agents[k].level, b.agents[k].level);
            expect_near(a.agents[k].position, b.agents[k].position, loss.position);
            const Vec2 walks = loss.keeps_orientation ? b.agents[k].orientation : Vec2{};
            expect_near(a.agents[k].orientation, walks, loss.orientation);
        }
    }
    EXPECT_TRUE(read.damage.empty());
}

TEST_F(RoundTrip, every_format_gives_back_what_another_one_made_of_a_recording)
{
    for (const Recording& original : recordings()) {
        for (const RecordingFormatInfo& first : recording_formats()) {
            const std::string one = path("first" + std::string(first.ending));
            record(one, original.info, original.frames);
            const auto through_one = test::read_back(one);
            ASSERT_TRUE(through_one) << through_one.error().message;
            const Loss lost = loss_of(first.ending);
            SCOPED_TRACE(fmt::format("{}: {}", original.name, first.ending));
            expect_equal(*through_one, original, lost);
            for (const RecordingFormatInfo& second : recording_formats()) {
                SCOPED_TRACE(second.ending);
                const std::string two = path("second" + std::string(second.ending));
                record(two, through_one->info, through_one->frames);
                const auto through_two = test::read_back(two);
                ASSERT_TRUE(through_two) << through_two.error().message;
                // What was rounded once is not rounded again.
                expect_equal(*through_two, original, lost | loss_of(second.ending));
            }
        }
    }
}

TEST_F(RoundTrip, notes_go_along_between_formats_that_keep_them)
{
    RecordingInfo info;
    info.levels = {{0, kHall}};
    info.places = {{"door \"A\"", "exit", 0, "LINESTRING (12.5 3, 12.5 4)"}};
    info.bodies = {{"cart", 0, 0.4, {}}};
    info.scenario_text = "format = 1\n";
    info.facts = {{"scene", "a hall"}};
    const RecordedNotes notes{{{0.1, "door-closed", "door A closes"}},
                              {{7, 0.2, 1.34, "people", "default", "orca"}},
                              {{7, 0.15, "left", "door \"A\"", 0.05, 3.25, true}}};
    std::optional<ReadBack> first;
    for (const RecordingFormatInfo& format : recording_formats()) {
        if (!format.keeps_notes) continue;
        SCOPED_TRACE(format.ending);
        const std::string file = path("run" + std::string(format.ending));
        auto recorder = Recorder::open(file, first ? first->info : info);
        ASSERT_TRUE(recorder) << recorder.error().message;
        ASSERT_TRUE(recorder->append(first ? first->notes : notes));
        ASSERT_TRUE(recorder->append(RecordedFrame{0, {}, {{2.0, 3.0}}}));
        ASSERT_TRUE(recorder->close());
        const auto read = test::read_back(file);
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_EQ(read->frames.size(), 1u);
        EXPECT_EQ(read->frames[0].bodies, (std::vector<Vec2>{{2.0, 3.0}}));
        EXPECT_EQ(test::to_text(info, read->notes), test::to_text(info, notes));
        ASSERT_EQ(read->info.places.size(), 1u);
        EXPECT_EQ(read->info.places[0].name, "door \"A\"");
        EXPECT_EQ(read->info.scenario_text, "format = 1\n");
        EXPECT_NE(std::find(read->info.facts.begin(), read->info.facts.end(), info.facts[0]),
                  read->info.facts.end());
        if (!first) first = *read;
    }
}

TEST_F(RoundTrip, endings_may_be_in_capitals)
{
    for (const RecordingFormatInfo& format : recording_formats()) {
        std::string ending(format.ending);
        for (char& c : ending) c = static_cast<char>(std::toupper(c));
        SCOPED_TRACE(ending);
        const Recording original = two_floors();
        record(path("RUN" + ending), original.info, original.frames);
        const auto read = test::read_back(path("RUN" + ending));
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->frames.size(), original.frames.size());
        const auto known = recording_format_of("RUN" + ending);
        ASSERT_TRUE(known);
        EXPECT_EQ(known->ending, format.ending);
    }
    EXPECT_FALSE(recording_format_of("run.mp4"));
}

TEST_F(RoundTrip, frame_numbers_that_no_reader_takes_are_not_written)
{
    for (const RecordingFormatInfo& format : recording_formats()) {
        SCOPED_TRACE(format.ending);
        auto recorder = Recorder::open(path("run" + std::string(format.ending)), {});
        ASSERT_TRUE(recorder) << recorder.error().message;
        constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
        EXPECT_FALSE(recorder->append(RecordedFrame{kLeast, {}, {}}));
        EXPECT_TRUE(recorder->append(RecordedFrame{-kLargestFrameNumber, {}, {}}));
        EXPECT_TRUE(recorder->append(RecordedFrame{kLargestFrameNumber, {}, {}}));
        EXPECT_FALSE(recorder->append(RecordedFrame{kLargestFrameNumber + 1, {}, {}}));
        EXPECT_TRUE(recorder->close());
        const auto read = test::read_back(path("run" + std::string(format.ending)));
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->frames.size(), 2u);
    }
}

TEST_F(RoundTrip, unit_and_columns_are_for_text_alone)
{
    for (const RecordingFormatInfo& format : recording_formats()) {
        SCOPED_TRACE(format.ending);
        const std::string file = path("run" + std::string(format.ending));
        record(file, two_floors().info, two_floors().frames);
        for (const RecordingReadOptions& options :
             {RecordingReadOptions{.unit = 0.01}, RecordingReadOptions{.columns = {"id", "x"}}}) {
            const auto read = RecordingReader::open(file, options);
            ASSERT_FALSE(read);
            EXPECT_THAT(read.error().message, ::testing::HasSubstr("--unit and --columns"));
        }
    }
}

TEST_F(RoundTrip, a_recording_that_still_grows_is_not_closed)
{
    for (const std::string ending : {".sqlite", ".h5"}) {
        SCOPED_TRACE(ending);
        const Recording original = two_floors();
        auto recorder = Recorder::open(path("run" + ending), original.info);
        ASSERT_TRUE(recorder) << recorder.error().message;
        EXPECT_EQ(recorder->unfinished_file(), path("run" + ending));
        ASSERT_TRUE(recorder->append(original.frames[0]));
        {
            const auto growing = RecordingReader::open(path("run" + ending));
            ASSERT_TRUE(growing) << growing.error().message;
            EXPECT_FALSE(growing->is_closed());
        }
        ASSERT_TRUE(recorder->close());
        EXPECT_EQ(recorder->unfinished_file(), "");
        const auto closed = RecordingReader::open(path("run" + ending));
        ASSERT_TRUE(closed) << closed.error().message;
        EXPECT_TRUE(closed->is_closed());
    }
}

TEST_F(RoundTrip, a_link_that_leads_nowhere_is_no_place_for_a_recording)
{
    for (const RecordingFormatInfo& format : recording_formats()) {
        const std::string file = path("run" + std::string(format.ending));
        fs::create_symlink(path("nothing"), file);
        for (const bool replace : {false, true}) {
            const auto usable = Recorder::check(file, replace);
            ASSERT_FALSE(usable) << file;
            EXPECT_THAT(usable.error().message, ::testing::HasSubstr("leads nowhere"));
        }
    }
}

TEST_F(RoundTrip, a_recording_that_is_discarded_leaves_nothing_and_spares_what_was_there)
{
    for (const RecordingFormatInfo& format : recording_formats()) {
        SCOPED_TRACE(format.ending);
        const Recording original = two_floors();
        const std::string file = path("run" + std::string(format.ending));
        const auto record_and_discard = [&] {
            auto recorder = Recorder::open(file, original.info, true);
            ASSERT_TRUE(recorder) << recorder.error().message;
            for (const RecordedFrame& frame : original.frames) {
                ASSERT_TRUE(recorder->append(frame));
            }
            recorder->discard();
            EXPECT_FALSE(recorder->append(original.frames[0]));
        };
        record_and_discard();
        EXPECT_TRUE(fs::is_empty(folder_));
        record(file, original.info, {original.frames[0]});
        record_and_discard();
        const auto kept = test::read_back(file);
        ASSERT_TRUE(kept) << kept.error().message;
        EXPECT_EQ(kept->frames.size(), 1u);
        EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
        fs::remove(file);
    }
}

}  // namespace
}  // namespace sidestep
