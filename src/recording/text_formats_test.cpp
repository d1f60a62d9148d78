// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_formats.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "recording/text_lines.hpp"
#include "recording/text_numbers.hpp"
#include "support/damage.hpp"
#include "support/text_files.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;
using test::read_back;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kRoom = "POLYGON ((0 0, 9 0, 9 5, 0 5, 0 0))";

using TextFormats = test::TextFilesTest;

RecordingInfo room()
{
    RecordingInfo info;
    info.fps = 12.5;
    info.levels = {{0, kRoom}, {1, ""}};
    return info;
}

/// Two frames with somebody, one without.
std::vector<RecordedFrame> three_frames()
{
    return {{0, {{1, 0, {1.0, -2.00006}, {1.0, 0.0}}, {7, 1, {0.1 + 0.2, 4.0}, {0.6, -0.8}}}, {}},
            {1, {}, {}},
            {2, {{-7, 0, {1e-9, 1234.5}, {0.0, 1.0}}}, {}}};
}

std::string to_file(const std::string& path, const RecordingInfo& info,
                    const std::vector<RecordedFrame>& frames)
{
    auto recorder = Recorder::open(path, info, true);
    EXPECT_TRUE(recorder) << recorder.error().message;
    if (!recorder) return {};
    for (const RecordedFrame& frame : frames) EXPECT_TRUE(recorder->append(frame));
    EXPECT_TRUE(recorder->close());
    return test::content_of(path);
}

/// Of all that stands before, as `# sidestep {"check":...}` and the end have it.
std::string hash_before(const std::string& text, const std::string& line)
{
    return fmt::format("{:016x}", XXH3_64bits(text.data(), text.find(line)));
}

// ------------------------------------------------------------------------------------------
// writing

TEST_F(TextFormats, txt_is_what_archives_of_walkers_have)
{
    const std::string text = to_file(path("run.txt"), room(), three_frames());
    const std::string end = "# sidestep {\"frames\"";
    EXPECT_EQ(text,
              "# sidestep {\"format\":1,\"fps\":12.5,\"levels\":[{\"level\":0,\"wkt\":\"POLYGON "
              "((0 0, 9 0, 9 5, 0 5, 0 0))\"},{\"level\":1,\"wkt\":\"\"}]}\n"
              "# framerate: 12.5\n"
              "# id frame x/m y/m z/m\n"
              "# sidestep {\"check\":\"" +
                  hash_before(text, "# sidestep {\"check\"") +
                  "\"}\n"
                  "1 0 1.0000 -2.0001 0\n"
                  "7 0 0.3000 4.0000 1\n"
                  "# sidestep {\"empty_frame\":1}\n"
                  "-7 2 0.0000 1234.5000 0\n"
                  "# sidestep {\"frames\":3,\"rows\":3,\"xxh3\":\"" +
                  hash_before(text, end) + "\"}\n");
    EXPECT_EQ(files(), std::vector<std::string>{"run.txt"});
}

TEST_F(TextFormats, the_sample_on_the_page_is_what_is_written)
{
    const std::string page = test::content_of(SIDESTEP_TEST_DATA_DIR "/../../docs/formats/text.md");
    const std::size_t begin = page.find("# sidestep {\"format\"");
    ASSERT_NE(begin, std::string::npos);
    const std::string sample = page.substr(begin, page.find("```", begin) - begin);
    EXPECT_EQ(sample, to_file(path("run.txt"), room(), three_frames()));
    const auto read = read_back(write("page.txt", sample));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->frames.size(), 3u);
}

TEST_F(TextFormats, csv_keeps_every_digit)
{
    const std::string text = to_file(path("run.csv"), room(), three_frames());
    EXPECT_THAT(text, HasSubstr("\n# framerate: 12.5\nid,frame,x,y,level,ori_x,ori_y\n"));
    EXPECT_THAT(text, HasSubstr("\n1,0,1,-2.00006,0,1,0\n7,0,0.30000000000000004,4,1,0.6,-0.8\n"
                                "# sidestep {\"empty_frame\":1}\n-7,2,1e-09,1234.5,0,0,1\n"));
}

TEST_F(TextFormats, ndjson_has_tracks_and_a_scene_of_each_walker)
{
    std::vector<RecordedFrame> frames = three_frames();
    frames.push_back({12, {{7, 0, {2.0, 4.0}, {}}}, {}});
    const std::string text = to_file(path("run.ndjson"), room(), frames);
    EXPECT_THAT(text, HasSubstr("{\"track\": {\"f\": 0, \"p\": 1, \"x\": 1.0000, \"y\": -2.0001}}\n"
                                "{\"track\": {\"f\": 0, \"p\": 7, \"x\": 0.3000, \"y\": 4.0000, "
                                "\"level\": 1}}\n"
                                "{\"sidestep\":{\"empty_frame\":1}}\n"));
    // Frames that somebody is in are two numbers apart at least: 6.25 a second.
    EXPECT_THAT(text, HasSubstr("{\"scene\": {\"id\": 0, \"p\": -7, \"s\": 2, \"e\": 2, \"fps\": "
                                "6.25}}\n"
                                "{\"scene\": {\"id\": 1, \"p\": 1, \"s\": 0, \"e\": 0, \"fps\": "
                                "6.25}}\n"
                                "{\"scene\": {\"id\": 2, \"p\": 7, \"s\": 0, \"e\": 12, \"fps\": "
                                "6.25}}\n"
                                "{\"sidestep\":{\"frames\":4,\"rows\":4,\"xxh3\":\""));
}

TEST(TextNumbers, are_rounded_to_the_nearest_tenth_of_a_millimetre_once)
{
    const auto fixed = [](double value) {
        std::string text;
        append_fixed(text, value);
        return text;
    };
    EXPECT_EQ(fixed(-0.0), "0.0000");
    EXPECT_EQ(fixed(-0.00004), "0.0000");
    EXPECT_EQ(fixed(-0.00006), "-0.0001");
    EXPECT_EQ(fixed(99.99996), "100.0000");
    EXPECT_EQ(fixed(1e300).substr(0, 5), "10000");
    test::SeededRandom random(1);
    for (int i = 0; i < 10000; ++i) {
        const double value = random.uniform(-1.0, 1.0) * random.log_uniform(1e-6, 1e10);
        const std::string text = fixed(value);
        const auto back = to_real(text);
        ASSERT_TRUE(back) << text;
        EXPECT_NEAR(*back, value, 0.5001e-4 + std::abs(value) * 1e-15);
        EXPECT_EQ(fixed(*back), text);
    }
}

TEST(TextNumbers, are_numbers_as_a_whole_or_not_at_all)
{
    EXPECT_EQ(to_whole("12"), 12);
    EXPECT_EQ(to_whole("-12"), -12);
    EXPECT_EQ(to_whole("+12"), 12);
    EXPECT_EQ(to_whole("1.0000000e+01"), 10);
    EXPECT_EQ(to_whole("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(to_real("+1.5"), 1.5);
    for (const char* text : {"", "-", "+", "+-1", "1.5", "1e300", "nan", "inf", "0x10", "1 2",
                             "1,5", "12a", "9223372036854775808"}) {
        EXPECT_FALSE(to_whole(text)) << text;
    }
    for (const char* text : {"", "-", "nan", "inf", "-inf", "1e999", "1.5.2", "1,5", "0x1p3"}) {
        EXPECT_FALSE(to_real(text)) << text;
    }
}

// ------------------------------------------------------------------------------------------- parts

TEST_F(TextFormats, have_their_name_when_they_are_whole_and_not_before)
{
    for (const char* name : {"run.txt", "run.csv", "run.ndjson"}) {
        auto recorder = Recorder::open(path(name), room());
        ASSERT_TRUE(recorder) << recorder.error().message;
        EXPECT_EQ(files(), std::vector<std::string>{std::string(name) + ".part"});
        ASSERT_TRUE(recorder->append(three_frames()[0]));
        ASSERT_TRUE(recorder->close());
        EXPECT_EQ(files(), std::vector<std::string>{name});
        const auto kept = Recorder::open(path(name), room());
        ASSERT_FALSE(kept);
        EXPECT_THAT(kept.error().message, HasSubstr("exists"));
        fs::remove(path(name));
    }
}

/// A crowd of more than one block of the file.
std::vector<RecordedFrame> crowd()
{
    std::vector<RecordedFrame> frames;
    test::SeededRandom random(9);
    for (std::int64_t number = 0; number < 60; ++number) {
        RecordedFrame frame{number, {}, {}};
        for (std::int64_t id = 0; id < 100 && number % 20 != 7; ++id) {
            frame.agents.push_back({id, 0, random.in_box(50.0), {1.0, 0.0}});
        }
        frames.push_back(std::move(frame));
    }
    return frames;
}

TEST_F(TextFormats, a_part_left_by_a_crash_is_recovered_under_another_name)
{
    for (const std::string ending : {".txt", ".csv", ".ndjson"}) {
        SCOPED_TRACE(ending);
        auto recorder = Recorder::open(path("run" + ending), room());
        ASSERT_TRUE(recorder);
        for (const RecordedFrame& frame : crowd()) ASSERT_TRUE(recorder->append(frame));
        // Blocks come at their own time; wait for the second one.
        while (fs::file_size(path("run" + ending + ".part")) < 100'000) std::this_thread::yield();
        fs::copy_file(path("run" + ending + ".part"), path("part" + ending));
        recorder->discard();
        const auto refused = read_back(path("part" + ending));
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, AllOf(HasSubstr("cut here"), HasSubstr("--recover")));
        const auto read = read_back(path("part" + ending), {.recover = true});
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_GE(read->frames.size(), 20u);
        EXPECT_EQ(read->frames[19].agents.size(), 100u);
        ASSERT_EQ(read->damage.size(), 1u);
        EXPECT_THAT(read->damage[0], HasSubstr(fmt::format("{} frames", read->frames.size())));
        fs::remove(path("part" + ending));
    }
}

// ------------------------------------------------------------------------------------------ damage

TEST_F(TextFormats, give_the_whole_frames_before_a_cut)
{
    const std::string text = to_file(path("run.txt"), room(), three_frames());
    const auto frames_before = [&](std::size_t size) {
        write("cut.txt", text.substr(0, size));
        const auto strict = read_back(path("cut.txt"));
        EXPECT_FALSE(strict);
        const auto read = read_back(path("cut.txt"), {.recover = true});
        return read ? static_cast<int>(read->frames.size()) : -1;
    };
    const std::size_t rows = text.find("\n1 0 ") + 1;
    EXPECT_EQ(frames_before(rows - 10), -1);  // in the head: nothing is certain
    EXPECT_EQ(frames_before(rows), 0);
    EXPECT_EQ(frames_before(text.find("# sidestep {\"empty")), 0);  // is frame 0 whole?
    EXPECT_EQ(frames_before(text.find("\"empty")), 1);              // something stands behind it
    EXPECT_EQ(frames_before(text.find("-7 2")), 2);
    EXPECT_EQ(frames_before(text.find("1234.5") + 4), 2);
    EXPECT_EQ(frames_before(text.find("{\"frames\"") + 20), 3);
    write("cut.txt", text.substr(0, text.size() - 1));  // the last line end is nothing
    const auto whole = read_back(path("cut.txt"));
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->frames.size(), 3u);
}

TEST_F(TextFormats, say_where_a_digit_was_changed_and_pass_nothing_wrong_on)
{
    to_file(path("run.txt"), room(), crowd());
    std::string text = test::content_of(path("run.txt"));
    const std::size_t at = text.rfind("\n5 40 ") + 8;
    text[at] = text[at] == '1' ? '2' : '1';
    write("run.txt", text);
    auto reader = RecordingReader::open(path("run.txt"));
    ASSERT_TRUE(reader) << reader.error().message;
    RecordedFrame frame;
    std::int64_t frames = 0;
    Result<bool> more = reader->next(frame);
    for (; more && *more; more = reader->next(frame)) EXPECT_EQ(frame.number, frames++);
    ASSERT_FALSE(more);
    EXPECT_GT(frames, 10);
    EXPECT_LT(frames, 41);
    EXPECT_THAT(more.error().message,
                AllOf(HasSubstr("run.txt:"), HasSubstr("were changed"),
                      HasSubstr(fmt::format("{} frames before are whole\nhint: ", frames))));
    EXPECT_FALSE(reader->next(frame));  // and so it stays

    const auto read = read_back(path("run.txt"), {.recover = true});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->frames.size(), static_cast<std::size_t>(frames));
    EXPECT_EQ(read->damage.size(), 1u);
}

TEST_F(TextFormats, are_known_as_ours_by_their_end_if_their_head_is_damaged)
{
    const std::string text = to_file(path("run.csv"), room(), three_frames());
    for (const std::string& changed : {"x" + text, text.substr(text.find('\n') + 1),
                                       text + "1,3,0,0,0,0,0\n", text.substr(2), text + text}) {
        write("changed.csv", changed);
        const auto read = read_back(path("changed.csv"));
        EXPECT_FALSE(read) << changed;
    }
    std::string lines = text.substr(text.find('\n') + 1);
    lines.resize(lines.find("# sidestep {\"frames\""));  // neither head nor end
    write("changed.csv", lines);
    const auto read = read_back(path("changed.csv"));
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("line of Sidestep's"));
}

TEST_F(TextFormats, are_refused_where_they_contradict_themselves_under_a_good_hash)
{
    const std::string head =
        "# sidestep {\"format\":1,\"fps\":10.0,\"levels\":[]}\n# framerate: 10\n";
    const auto sealed = [&](const std::string& rows, int frames, int count) {
        const auto hash = [](const std::string& s) {
            return fmt::format("{:016x}", XXH3_64bits(s.data(), s.size()));
        };
        std::string text = head + "# sidestep {\"check\":\"" + hash(head) + "\"}\n" + rows;
        text += fmt::format("# sidestep {{\"frames\":{},\"rows\":{},\"xxh3\":\"{}\"}}\n", frames,
                            count, hash(text));
        return text;
    };
    const auto reads = [&](const std::string& text) {
        write("run.txt", text);
        return read_back(path("run.txt")).has_value();
    };
    EXPECT_TRUE(reads(sealed("1 0 0 0 0\n2 0 0 0 0\n1 1 0 0 0\n", 2, 3)));
    EXPECT_FALSE(reads(sealed("1 0 0 0 0\n2 0 0 0 0\n1 1 0 0 0\n", 2, 4)));
    EXPECT_FALSE(reads(sealed("2 0 0 0 0\n1 0 0 0 0\n", 1, 2)));
    EXPECT_FALSE(reads(sealed("1 0 0 0 0\n1 0 0 0 0\n", 1, 2)));
    EXPECT_FALSE(reads(sealed("1 1 0 0 0\n1 0 0 0 0\n", 2, 2)));
    EXPECT_FALSE(reads(sealed("1 0 nan 0 0\n", 1, 1)));
    EXPECT_FALSE(reads(sealed("1 0 0 0 70000\n", 1, 1)));
    EXPECT_FALSE(reads(sealed("1 0 0 0\n", 1, 1)));
    EXPECT_FALSE(reads(sealed("# sidestep {\"empty_frame\":0}\n1 0 0 0 0\n", 2, 1)));
    EXPECT_FALSE(reads(sealed("# sidestep {\"empty_frame\":\"x\"}\n", 1, 0)));
    EXPECT_FALSE(reads(sealed(head, 0, 0)));
}

TEST_F(TextFormats, of_a_later_version_are_called_that)
{
    for (const char* name : {"run.txt", "run.csv", "run.ndjson"}) {
        std::string text = to_file(path(name), room(), three_frames());
        text.replace(text.find("\"format\":1"), 10, "\"format\":2");
        write(name, text);
        const auto read = RecordingReader::open(path(name));
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, ErrorCode::unsupported);
        EXPECT_THAT(read.error().message,
                    AllOf(HasSubstr(name), HasSubstr("has format 2"), HasSubstr("reads 1")));
    }
}

TEST_F(TextFormats, of_ours_know_their_unit_and_rate)
{
    to_file(path("run.txt"), room(), three_frames());
    const auto unit = RecordingReader::open(path("run.txt"), {.unit = 0.01});
    ASSERT_FALSE(unit);
    EXPECT_THAT(unit.error().message, HasSubstr("known"));
    EXPECT_FALSE(RecordingReader::open(path("run.txt"), {.columns = {"id", "frame", "x", "y"}}));
    const auto fps = RecordingReader::open(path("run.txt"), {.fps = 99.0});
    ASSERT_TRUE(fps);
    EXPECT_EQ(fps->info().fps, 12.5);
}

TEST_F(TextFormats, take_outlines_of_any_length_but_not_rows)
{
    RecordingInfo info = room();
    info.levels[0].wkt = "POLYGON ((0 0";
    while (info.levels[0].wkt.size() < 3'000'000) info.levels[0].wkt += ", 12345.678 9876.54321";
    info.levels[0].wkt += "))";
    to_file(path("run.txt"), info, three_frames());
    const auto read = read_back(path("run.txt"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->info.levels[0].wkt, info.levels[0].wkt);

    write("long.txt", "# framerate: 10\n1 0 0 0" + std::string(3'000'000, ' ') + "0\n");
    const auto row = read_back(path("long.txt"));
    ASSERT_FALSE(row);
    EXPECT_THAT(row.error().message, HasSubstr("long.txt:2: a line of more than 1048576 bytes"));
}

}  // namespace
}  // namespace sidestep
