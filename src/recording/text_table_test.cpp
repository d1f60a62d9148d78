// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/damage.hpp"
#include "support/text_files.hpp"

namespace sidestep {
namespace {

using test::read_back;
using test::ReadBack;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Files of other programs.
class ForeignText : public test::TextFilesTest {
protected:
    ReadBack read(const std::string& name, const std::string& text,
                  const RecordingReadOptions& options = {}) const
    {
        auto read = read_back(write(name, text), options);
        EXPECT_TRUE(read) << read.error().message;
        return read ? *std::move(read) : ReadBack{};
    }
    std::string error(const std::string& name, const std::string& text,
                      const RecordingReadOptions& options = {}) const
    {
        const auto read = read_back(write(name, text), options);
        EXPECT_FALSE(read) << text.substr(0, 200);
        return read ? "" : read.error().message;
    }
};

/// `frame: id (x, y) ...` of each frame, between semicolons.
std::string text_of(const ReadBack& read)
{
    std::string text;
    for (const RecordedFrame& frame : read.frames) {
        text += fmt::format("{}{}:", text.empty() ? "" : "; ", frame.number);
        for (const RecordedAgent& a : frame.agents) {
            text += fmt::format(" {} ({:.6g}, {:.6g})", a.id, a.position.x, a.position.y);
        }
    }
    return text;
}

// --------------------------------------------------------------------------------------------- txt

TEST_F(ForeignText, sorted_by_walkers_comes_frame_by_frame)
{
    const ReadBack r = read("a.txt",
                            "# PeTrack project: a.pet\n# framerate: 16 fps\n"
                            "# id frame x/cm y/cm z/cm\n"
                            "1 0 100 50 170\n1 1 110 50 170\n2 -1 0 -50 160\n2 1 5 5 160\n");
    EXPECT_EQ(r.info.fps, 16.0);
    EXPECT_EQ(text_of(r), "-1: 2 (0, -0.5); 0: 1 (1, 0.5); 1: 1 (1.1, 0.5) 2 (0.05, 0.05)");
    EXPECT_EQ(r.frames[0].agents[0].level, 0);  // z is how tall somebody is
    EXPECT_EQ(r.frames[0].agents[0].orientation, (Vec2{0.0, 0.0}));
    ASSERT_EQ(r.info.levels.size(), 1u);
    EXPECT_EQ(r.info.levels[0].wkt, "");
}

TEST_F(ForeignText, may_have_blanks_tabs_and_line_ends_of_any_kind)
{
    const std::string wanted = "1: 3 (0.5, -1)";
    for (const char* rows : {"3 1 0.5 -1\n", "3\t1\t0.5\t-1\t1.7\n", "  3   1  0.5 -1 \r\n",
                             "3 1 0.5 -1", "\n\n3 1 +0.5 -1e0\n\n", "3.0 1.0000000e+00 .5 -1\r\n",
                             "3,1,0.5,-1\n", "3;1;0.5;-1\n", "\xef\xbb\xbf# hello\n3 1 .5 -1\n",
                             "# h\xf6he in Metern\n3 1 .5 -1\n# framerate: 99\n"}) {
        EXPECT_EQ(text_of(read("a.txt", rows, {.fps = 10.0})), wanted) << rows;
    }
}

TEST_F(ForeignText, says_its_rate_and_unit_in_comments)
{
    const auto fps_of = [&](const std::string& comment) {
        return read("a.txt", comment + "\n1 0 100 0\n").info.fps;
    };
    EXPECT_EQ(fps_of("# framerate: 25.00"), 25.0);
    EXPECT_EQ(fps_of("#framerate:16 fps"), 16.0);
    EXPECT_EQ(fps_of("# Frame rate = 29.97"), 29.97);
    EXPECT_EQ(fps_of("# fps: 60"), 60.0);
    const auto x_of = [&](const std::string& comment, const RecordingReadOptions& options = {}) {
        return read("a.txt", "# framerate: 1\n" + comment + "\n1 0 100 0\n", options)
            .frames[0]
            .agents[0]
            .position.x;
    };
    EXPECT_DOUBLE_EQ(x_of("# id frame x/m y/m z/m"), 100.0);
    EXPECT_DOUBLE_EQ(x_of("# id frame x/cm y/cm z/cm"), 1.0);
    EXPECT_DOUBLE_EQ(x_of("#ID\tFR\tX[mm]\tY[mm]"), 0.1);
    EXPECT_DOUBLE_EQ(x_of("# positions in cm."), 1.0);
    EXPECT_DOUBLE_EQ(x_of("# people in motion"), 100.0);
    EXPECT_DOUBLE_EQ(x_of("# id frame x/cm y/cm z/cm", {.unit = 0.5}), 50.0);
    EXPECT_DOUBLE_EQ(x_of("# nothing", {.unit = 0.3048}), 30.48);
}

TEST_F(ForeignText, has_columns_as_its_names_or_the_user_say)
{
    const std::string wanted = "5: 1 (2, 3)";
    const RecordingReadOptions fps{.fps = 1.0};
    EXPECT_EQ(text_of(read("a.txt", "#FR ID X Y\n5 1 2 3\n", fps)), wanted);
    EXPECT_EQ(text_of(read("a.txt", "frame id x y\n5 1 2 3\n", fps)), wanted);
    EXPECT_EQ(text_of(read("a.txt", "# each id and frame has an x and y\n1 5 2 3\n", fps)), wanted);
    const RecordingReadOptions obsmat{.fps = 1.0,
                                      .columns = {"frame", "id", "x", "-", "y", "-", "-", "-"}};
    EXPECT_EQ(text_of(read("a.txt", "  5.0e+00 1.0e+00 2.0 9.9 3.0 1 1 1\r\n", obsmat)), wanted);
    EXPECT_EQ(text_of(read("a.csv", "a,b,c,d,e\n5,1,2,9,3\n", obsmat)), wanted);
    EXPECT_THAT(error("a.txt", "5 1 2 9 3 1 1 1\n", fps),
                AllOf(HasSubstr("a.txt:1: 8 columns"), HasSubstr("hint: --columns")));
    EXPECT_THAT(error("a.txt", "5 1 2 3\n", {.fps = 1.0, .columns = {"frame", "x", "y"}}),
                HasSubstr("no column is called id"));
}

TEST_F(ForeignText, without_a_rate_needs_one)
{
    EXPECT_THAT(error("a.txt", "1 0 0 0\n"), AllOf(HasSubstr("a.txt: does not say how many frames"),
                                                   HasSubstr("hint: "), HasSubstr("--fps")));
    EXPECT_THAT(error("a.txt", "# framerate: 0\n1 0 0 0\n"), HasSubstr("a.txt:1: "));
    EXPECT_THAT(error("a.txt", "# framerate: -5\n1 0 0 0\n"), HasSubstr("must be > 0"));
}

// --------------------------------------------------------------------------------------------- csv

TEST_F(ForeignText, csv_goes_by_names_in_any_order)
{
    const std::string wanted = "7: 3 (0.5, 1.5) 4 (1, 2)";
    const RecordingReadOptions fps{.fps = 10.0};
    EXPECT_EQ(text_of(read("a.csv",
                           "id,frame,label,x_est,y_est,vx_est,vy_est\n"
                           "4,7,ped,1,2,0,0\n3,7,\"ped, old\",0.5,1.5,0,0\n",
                           fps)),
              wanted);
    EXPECT_EQ(
        text_of(read("a.csv", "\"y\";\"x\";\"Frame\";\"ID\"\n2;1;7;4\n1.5;\"0.5\";7;3\n", fps)),
        wanted);
    EXPECT_EQ(
        text_of(read("a.csv", "x [cm], y [cm], ped_id, frame_id\n100,200,4,7\n50,150,3,7\n", fps)),
        wanted);
    const ReadBack levels = read("a.csv", "id,frame,x,y,level\n1,0,0,0,2\n2,0,0,0,0\n", fps);
    EXPECT_EQ(levels.frames[0].agents[0].level, 2);
    ASSERT_EQ(levels.info.levels.size(), 2u);
    EXPECT_EQ(levels.info.levels[1].level, 2);
}

TEST_F(ForeignText, csv_finds_frames_in_times)
{
    const ReadBack r = read("a.csv",
                            "# id,ts,x,y,gx,gy\n-1.000000,0.416667,5,1,0,0\n"
                            "3.000000,0.433333,5,1,0,0\n3.000000,0.466667,6,1,0,0\n");
    EXPECT_EQ(r.info.fps, 60.0);
    EXPECT_EQ(text_of(r), "25: -1 (5, 1); 26: 3 (5, 1); 28: 3 (6, 1)");

    const auto rate_of = [&](const std::string& name, double step, double from, int digits) {
        std::string text = "id," + name + ",x,y\n";
        for (int i = 0; i < 3000; ++i) {
            text += fmt::format("1,{:.{}f},0,0\n", from + i * step, digits);
        }
        const ReadBack back = read("a.csv", text);
        EXPECT_EQ(back.frames.size(), 3000u);
        return back.info.fps;
    };
    EXPECT_EQ(rate_of("t", 0.4, 0.0, 1), 2.5);
    EXPECT_EQ(rate_of("time", 0.1, 0.0, 6), 10.0);
    EXPECT_EQ(rate_of("time", 1001.0 / 30000.0, 10.0, 6), 30.0 * (1000.0 / 1001.0));
    EXPECT_EQ(rate_of("time", 1.0 / 60.0, 1651234567.123, 4), 60.0);  // seconds since 1970
    EXPECT_EQ(rate_of("timestamp [ms]", 40.0, 0.0, 0), 25.0);

    EXPECT_EQ(read("a.csv", "id,t,x,y\n1,0.5,0,0\n", {.fps = 4.0}).frames[0].number, 2);
    EXPECT_EQ(read("a.csv", "id,t,x,y\n1,0,0,0\n1,1,0,0\n", {.fps = 4.0}).frames[1].number, 4);
}

TEST_F(ForeignText, csv_times_must_fall_on_frames)
{
    EXPECT_THAT(error("a.csv", "id,t,x,y\n1,0,0,0\n1,0.1,0,0\n1,0.25,0,0\n1,0.35,0,0\n"),
                AllOf(HasSubstr("a.csv:4: the time 0.25 s"), HasSubstr("--fps")));
    EXPECT_THAT(error("a.csv", "id,t,x,y\n1,0,0,0\n1,0.15,0,0\n", {.fps = 10.0}),
                HasSubstr("a.csv:3: "));
    EXPECT_THAT(error("a.csv", "id,t,x,y\n1,0,0,0\n"), HasSubstr("--fps"));
    EXPECT_THAT(error("a.csv", "id,t,x,y\n1,1e300,0,0\n1,0,0,0\n", {.fps = 10.0}),
                HasSubstr("a.csv:2: "));
}

TEST_F(ForeignText, csv_without_names_says_so)
{
    EXPECT_THAT(error("a.csv", "1,0,0,0\n", {.fps = 1.0}),
                AllOf(HasSubstr("a.csv:1: 4 columns, and no line above says what they are"),
                      HasSubstr("hint: --columns")));
    EXPECT_THAT(error("a.csv", "Trial Number,Controller,Scene\n0,1,2\n"),
                HasSubstr("no column is called id, frame or time, x, y"));
}

// ------------------------------------------------------------------------------------------ ndjson

TEST_F(ForeignText, trajnet_rows_are_resampled_and_their_numbers_are_not)
{
    const ReadBack r =
        read("a.ndjson",
             R"({"scene": {"id": 266, "p": 254, "s": 10238, "e": 10250, "fps": 2.5, "tag": 2}}
{"track": {"f": 10238, "p": 248, "x": 13.2, "y": 5.85}}
{"track": {"p": 254, "f": 10238, "y": 1, "x": -2e0, "prediction_number": 0, "scene_id": 266}}

{ "track" : { "f":10244.0, "p":254, "x":13.2 , "y":5.85, "who": "pedestrian"} }
{"something": "else"}
{"track": {"f": 10250, "p": 254, "x": 13.5, "y": 5.85}}
)");
    EXPECT_EQ(r.info.fps, 15.0);  // 2.5 rows a second, six numbers apart
    EXPECT_EQ(
        text_of(r),
        "10238: 248 (13.2, 5.85) 254 (-2, 1); 10244: 254 (13.2, 5.85); 10250: 254 (13.5, 5.85)");
}

TEST_F(ForeignText, trajnet_lines_that_are_wrong_are_named)
{
    const std::string good = "{\"track\": {\"f\": 0, \"p\": 1, \"x\": 0, \"y\": 0}}\n";
    for (const char* line : {"hello", "[1]", "{\"track\": {\"f\": 0, \"p\": 2, \"x\": 0}}",
                             "{\"track\": {\"f\": 0.5, \"p\": 2, \"x\": 0, \"y\": 0}}",
                             "{\"track\": {\"f\": 0, \"p\": 2, \"x\": null, \"y\": 0}}",
                             "{\"track\": {\"f\": 0, \"p\": 2, \"x\": 1e999, \"y\": 0}}",
                             "{\"track\": {\"f\": 0, \"p\": 18446744073709551615, \"x\": 0, "
                             "\"y\": 0}}",
                             "{\"track\": {\"f\": 18446744073709551615, \"p\": 2, \"x\": 0, "
                             "\"y\": 0}}",
                             "{\"track\": {\"f\": 0, \"p\": 2, \"x\": 0, \"y\": 0, "
                             "\"level\": \"x\"}}",
                             "{\"track\": {\"f\": 0, \"p\": 2, \"x\": 0, \"y\": 0, "
                             "\"level\": 0.5}}",
                             "{\"track\": {\"f\": 0, \"p\": 2, \"x\": 0, \"y\": 0, "
                             "\"level\": 18446744073709551615}}",
                             "{\"track\": {\"f\": 0, \"p\": 2, \"x\": 0, \"y\": 0}"}) {
        EXPECT_THAT(error("a.ndjson", good + line + "\n", {.fps = 1.0}), HasSubstr("a.ndjson:2: "))
            << line;
    }
    EXPECT_THAT(error("a.ndjson", good), HasSubstr("--fps"));
    EXPECT_THAT(error("a.ndjson", good + good, {.fps = 1.0}), HasSubstr("in line 1"));
    EXPECT_THAT(error("a.ndjson", good + "{\"scene\": {\"fps\": 1}}\n{\"scene\": {\"fps\": 2}}\n"),
                HasSubstr("a.ndjson:3: "));
    EXPECT_THAT(error("a.ndjson", "{\"scene\": {\"fps\": 1}}\n"), HasSubstr("no tracks"));
}

TEST_F(ForeignText, frame_numbers_beyond_all_reason_are_refused)
{
    for (const char* far :
         {"-9223372036854775808", "9223372036854775807", "4503599627370497", "-4503599627370497"}) {
        const std::string row = fmt::format("1 {} 0 0\n", far);
        EXPECT_THAT(error("a.txt", row + "1 0 0 0\n", {.fps = 1.0}),
                    AllOf(HasSubstr("a.txt: "), HasSubstr(far)));
        const std::string track = "{{\"track\": {{\"f\": {}, \"p\": 1, \"x\": 0, \"y\": 0}}}}\n";
        EXPECT_THAT(error("a.ndjson", fmt::format(fmt::runtime(track), far) +
                                          fmt::format(fmt::runtime(track), 0) +
                                          "{\"scene\": {\"fps\": 1}}\n"),
                    HasSubstr(far));
    }
    const ReadBack r =
        read("a.txt", "1 -4503599627370496 0 0\n1 4503599627370496 0 0\n", {.fps = 1.0});
    EXPECT_EQ(text_of(r), "-4503599627370496: 1 (0, 0); 4503599627370496: 1 (0, 0)");
}

// ---------------------------------------------------------------------------------------- bad
// lines

TEST_F(ForeignText, that_is_wrong_is_said_with_file_line_and_a_hint)
{
    const auto of = [&](const std::string& rows) {
        return error("a.txt", "# framerate: 10\n1 0 0 0\n" + rows, {});
    };
    EXPECT_THAT(of("2 0 nan 0\n"),
                AllOf(HasSubstr("a.txt:3: column 3: 'nan' is no number"), HasSubstr("\nhint: ")));
    EXPECT_THAT(of("2 0 0 inf\n"), HasSubstr("a.txt:3: column 4: 'inf'"));
    EXPECT_THAT(of("2 0 1e400 0\n"), HasSubstr("a.txt:3: column 3"));
    EXPECT_THAT(of("2.5 0 0 0\n"), HasSubstr("column 1: '2.5' is no whole number"));
    EXPECT_THAT(of("2 0 1,5 0\n"), HasSubstr("'1,5' is no number"));
    EXPECT_THAT(of("2 0 0\n"), HasSubstr("a.txt:3: 3 columns"));
    EXPECT_THAT(of("walker 2\n"), HasSubstr("a.txt:3: "));
    EXPECT_THAT(of("1 0 9 9\n"), HasSubstr("a.txt:3: agent 1 is in frame 0 already, in line 2"));
    EXPECT_THAT(of(std::string("2 0 0 0\0\n", 9)), HasSubstr("a.txt:3: a NUL byte"));
    EXPECT_THAT(of("99999999999999999999 0 0 0\n"), HasSubstr("a.txt:3: column 1"));
    EXPECT_THAT(of("2 0 " + std::string(100, '9') + "x 0\n"), HasSubstr("a.txt:3: column 3"));
    EXPECT_THAT(error("a.csv", "id,frame,x,y,level\n1,0,0,0,-1\n", {.fps = 1.0}),
                HasSubstr("a.csv:2: there is no level -1"));
}

TEST_F(ForeignText, with_nothing_in_it_is_no_recording)
{
    for (const char* name : {"a.txt", "a.csv", "a.ndjson"}) {
        EXPECT_THAT(error(name, "", {.fps = 1.0}), HasSubstr("there are no ")) << name;
        EXPECT_THAT(error(name, "\n\n  \n", {.fps = 1.0}), HasSubstr("there are no ")) << name;
    }
    EXPECT_THAT(error("a.txt", "# framerate: 25\n# id frame x/m y/m\n"),
                HasSubstr("there are no "));
    EXPECT_FALSE(RecordingReader::open(path("nowhere.txt")));
    EXPECT_FALSE(RecordingReader::open(folder_.string()));
}

TEST_F(ForeignText, that_is_binary_or_random_never_ends_in_more_than_an_error)
{
    test::SeededRandom random(11);
    const std::string letters = "0123456789 .,;-+eE#\"{}[]:\n\t\rabxyframeid";
    for (int i = 0; i < 150; ++i) {
        std::string text;
        const std::size_t size = random.below(300);
        while (text.size() < size) text += letters[random.below(letters.size())];
        for (const char* name : {"a.txt", "a.csv", "a.ndjson"}) {
            for (const bool recover : {false, true}) {
                (void)read_back(write(name, text), {.fps = 10.0, .recover = recover});
            }
        }
    }
}

}  // namespace
}  // namespace sidestep
