// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/recording.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "recording/frame_queue.hpp"
#include "support/recordings.hpp"
#include "support/sqlite.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;
using test::query;
using test::query_one;
using ::testing::HasSubstr;

class RecorderTest : public test::RecordingFolder {};

std::string fact(const std::string& path, const std::string& key)
{
    return query_one(path, fmt::format("SELECT value FROM sidestep_facts WHERE key = '{}'", key));
}

RecordedAgent standing(std::int64_t id, Vec2 position, std::uint16_t level = 0)
{
    return {id, level, position, {1.0, 0.0}};
}

RecordingInfo room()
{
    RecordingInfo info;
    info.levels = {{0, "POLYGON ((0 0, 9 0, 9 5, 0 5, 0 0))"}};
    info.scenario_text = "format = 1\n";
    info.facts = {{"scene", "a room"}};
    return info;
}

// ---------------------------------------------------------------------------------------- writing

TEST_F(RecorderTest, writes_the_schema_that_pedestrian_tools_read)
{
    auto recorder = Recorder::open(path(), room());
    ASSERT_TRUE(recorder) << recorder.error().message;
    ASSERT_TRUE(recorder->append(RecordedFrame{0, {standing(1, {1, 2}), standing(7, {3, 4})}, {}}));
    ASSERT_TRUE(recorder->append(RecordedFrame{1, {standing(7, {3.25, 4.5})}, {}}));
    ASSERT_TRUE(recorder->append(RecordedNotes{{{0.1, "door-closed", "door A closes"}}, {}, {}}));
    ASSERT_TRUE(recorder->close({{"state_hash", "0123"}}));

    EXPECT_EQ(query(path(), "SELECT * FROM trajectory_data ORDER BY frame, id"),
              (std::vector<std::string>{"0|1|1.0|2.0|1.0|0.0", "0|7|3.0|4.0|1.0|0.0",
                                        "1|7|3.25|4.5|1.0|0.0"}));
    EXPECT_EQ(query(path(), "SELECT key, value FROM metadata ORDER BY key"),
              (std::vector<std::string>{"fps|10", "version|2", "xmax|3.25", "xmin|1", "ymax|4.5",
                                        "ymin|2"}));
    EXPECT_EQ(query_one(path(), "SELECT wkt FROM geometry"), room().levels[0].wkt);
    EXPECT_EQ(query(path(), "SELECT frame FROM frame_data JOIN geometry ON hash = geometry_hash"),
              (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(query_one(path(), "SELECT sql FROM sqlite_master WHERE name = 'frame_id_idx'"),
              "CREATE INDEX frame_id_idx ON trajectory_data(frame, id)");
    EXPECT_EQ(query_one(path(), "SELECT * FROM sidestep_events"), "0.1|door-closed|door A closes");
    EXPECT_EQ(query(path(), "SELECT * FROM sidestep_levels").size(), 0u);
    EXPECT_EQ(fact(path(), "scenario"), "format = 1\n");
    EXPECT_EQ(fact(path(), "scene"), "a room");
    EXPECT_EQ(fact(path(), "state_hash"), "0123");
    EXPECT_EQ(fact(path(), "closed"), "yes");
    EXPECT_EQ(query_one(path(), "PRAGMA integrity_check"), "ok");
    EXPECT_EQ(query_one(path(), "PRAGMA journal_mode"), "delete");
    EXPECT_EQ(files(), std::vector<std::string>{"run.sqlite"});
}

TEST_F(RecorderTest, hashes_each_frame_as_documented_also_where_a_zero_has_a_sign)
{
    {
        auto recorder = Recorder::open(path(), room());
        ASSERT_TRUE(recorder);
        ASSERT_TRUE(recorder->append(RecordedFrame{3, {{5, 0, {-0.0, 1.5}, {0.6, -0.8}}}, {}}));
    }
    std::vector<unsigned char> bytes;
    const auto add = [&](const auto& value) {
        const auto* first = reinterpret_cast<const unsigned char*>(&value);
        bytes.insert(bytes.end(), first, first + sizeof(value));
    };
    add(std::int64_t{3});
    add(std::int64_t{5});
    add(std::int64_t{0});
    for (const double value : {0.0, 1.5, 0.6, -0.8}) add(value);
    EXPECT_EQ(query_one(path(), "SELECT rows, xxh3 FROM sidestep_frames WHERE frame = 3"),
              fmt::format("1|{:016x}", XXH3_64bits(bytes.data(), bytes.size())));
}

TEST_F(RecorderTest, gives_an_open_plane_the_box_of_its_walkers_and_two_metres)
{
    RecordingInfo info;
    info.levels = {{0, ""}};
    auto recorder = Recorder::open(path(), info);
    ASSERT_TRUE(recorder);
    EXPECT_EQ(query_one(path(), "SELECT wkt FROM geometry"),
              "POLYGON ((-2 -2, 2 -2, 2 2, -2 2, -2 -2))");
    ASSERT_TRUE(recorder->append(RecordedFrame{0, {standing(1, {10, 20})}, {}}));
    ASSERT_TRUE(recorder->append(RecordedFrame{1, {standing(1, {11, 18})}, {}}));
    ASSERT_TRUE(recorder->close());
    EXPECT_EQ(query_one(path(), "SELECT wkt FROM geometry"),
              "POLYGON ((8 16, 13 16, 13 22, 8 22, 8 16))");
    EXPECT_EQ(query_one(path(),
                        "SELECT count(*) FROM frame_data JOIN geometry "
                        "ON hash = geometry_hash"),
              "2");
}

TEST_F(RecorderTest, says_of_several_levels_who_is_where_once_and_at_each_change)
{
    RecordingInfo info = room();
    info.levels.push_back({1, "POLYGON ((0 0, 4 0, 4 4, 0 0))"});
    info.levels.push_back({2, info.levels[0].wkt});  // the same outline again
    auto recorder = Recorder::open(path(), info);
    ASSERT_TRUE(recorder) << recorder.error().message;
    ASSERT_TRUE(
        recorder->append(RecordedFrame{0, {standing(1, {1, 1}), standing(2, {2, 2}, 1)}, {}}));
    ASSERT_TRUE(
        recorder->append(RecordedFrame{1, {standing(1, {1, 1}, 1), standing(2, {2, 2}, 1)}, {}}));
    ASSERT_TRUE(
        recorder->append(RecordedFrame{2, {standing(1, {1, 1}, 1), standing(2, {2, 2}, 2)}, {}}));
    ASSERT_TRUE(recorder->close());
    EXPECT_EQ(query(path(), "SELECT * FROM sidestep_levels ORDER BY frame, id"),
              (std::vector<std::string>{"1|0|0", "2|0|1", "1|1|1", "2|2|2"}));
    EXPECT_EQ(query_one(path(), "SELECT count(*) FROM geometry"), "2");
    EXPECT_EQ(fact(path(), "level.2.geometry_hash"), fact(path(), "level.0.geometry_hash"));
    EXPECT_EQ(query_one(path(), "SELECT count(*) FROM trajectory_data"), "6");
}

TEST_F(RecorderTest, can_be_read_while_it_is_written)
{
    auto recorder = Recorder::open(path(), room());
    ASSERT_TRUE(recorder);
    EXPECT_EQ(fact(path(), "closed"), "no");
    EXPECT_EQ(query_one(path(), "SELECT value FROM metadata WHERE key = 'version'"), "2");
    for (std::int64_t frame = 0; frame < 40; ++frame) {
        ASSERT_TRUE(recorder->append(RecordedFrame{frame, {standing(1, {1, 1})}, {}}));
        const std::string frames = query_one(path(), "SELECT count(*) FROM sidestep_frames");
        EXPECT_LE(std::stoul(frames), frame + 1);
    }
    ASSERT_TRUE(recorder->close());
    EXPECT_EQ(query_one(path(), "SELECT count(*) FROM sidestep_frames"), "40");
    EXPECT_EQ(files(), std::vector<std::string>{"run.sqlite"});
}

// ------------------------------------------------------------------------------------------ names

TEST_F(RecorderTest, keeps_an_existing_file)
{
    std::ofstream(path()) << "precious";
    const auto recorder = Recorder::open(path(), room());
    ASSERT_FALSE(recorder);
    EXPECT_EQ(recorder.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(recorder.error().message, HasSubstr("exists"));
    EXPECT_FALSE(Recorder::check(path()));
    std::string content;
    std::ifstream(path()) >> content;
    EXPECT_EQ(content, "precious");
    EXPECT_EQ(files(), std::vector<std::string>{"run.sqlite"});
}

TEST_F(RecorderTest, that_replaces_leaves_the_old_file_until_it_is_closed)
{
    std::ofstream(path()) << "precious";
    std::ofstream(path() + "-wal") << "left by a crash";
    ASSERT_TRUE(Recorder::check(path(), true));
    auto recorder = Recorder::open(path(), room(), true);
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(recorder->append(RecordedFrame{0, {standing(1, {1, 1})}, {}}));
    std::string content;
    std::ifstream(path()) >> content;
    EXPECT_EQ(content, "precious");
    ASSERT_TRUE(recorder->close());
    EXPECT_EQ(query_one(path(), "SELECT count(*) FROM trajectory_data"), "1");
    EXPECT_EQ(files(), std::vector<std::string>{"run.sqlite"});
}

TEST_F(RecorderTest, that_replaces_nothing_has_its_name_from_the_start)
{
    auto recorder = Recorder::open(path(), room(), true);
    ASSERT_TRUE(recorder);
    EXPECT_EQ(fact(path(), "closed"), "no");
    EXPECT_FALSE(fs::exists(path() + ".part"));
}

TEST_F(RecorderTest, leaves_the_part_of_a_run_that_crashed_alone)
{
    std::ofstream(path() + ".part") << "of a crash";
    auto recorder = Recorder::open(path(), room());
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(recorder->close());
    EXPECT_EQ(files(), (std::vector<std::string>{"run.sqlite", "run.sqlite.part"}));
}

TEST_F(RecorderTest, leaves_nothing_behind_where_it_cannot_begin)
{
    fs::create_directories(path() + "-journal/in the way");  // SQLite cannot open its journal
    const auto recorder = Recorder::open(path(), room());
    ASSERT_FALSE(recorder);
    EXPECT_EQ(recorder.error().code, ErrorCode::io);
    EXPECT_EQ(files(), std::vector<std::string>{"run.sqlite-journal"});
}

TEST_F(RecorderTest, names_the_endings_it_knows_and_the_folder_it_lacks)
{
    const auto ending = Recorder::open(path("run.mp4"), room());
    ASSERT_FALSE(ending);
    EXPECT_EQ(ending.error().code, ErrorCode::unsupported);
    EXPECT_THAT(ending.error().message, HasSubstr(".sqlite"));
    EXPECT_FALSE(Recorder::open("", room()));
    EXPECT_FALSE(Recorder::open(":memory:", room()));

    const auto folder = Recorder::open(path("nowhere/run.sqlite"), room());
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, ErrorCode::io);
    EXPECT_THAT(folder.error().message, HasSubstr("nowhere"));

    fs::create_directory(path("folder.sqlite"));
    const auto not_a_file = Recorder::open(path("folder.sqlite"), room(), true);
    ASSERT_FALSE(not_a_file);
    EXPECT_EQ(not_a_file.error().code, ErrorCode::io);
    EXPECT_EQ(files(), std::vector<std::string>{"folder.sqlite"});
}

TEST_F(RecorderTest, replaces_what_a_link_leads_to)
{
    std::ofstream(path("real.sqlite")) << "old";
    fs::create_symlink(path("real.sqlite"), path());
    auto recorder = Recorder::open(path(), room(), true);
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(recorder->close());
    EXPECT_TRUE(fs::is_symlink(path()));
    EXPECT_EQ(fact(path("real.sqlite"), "closed"), "yes");
}

// ------------------------------------------------------------------------------------------ faults

TEST_F(RecorderTest, refuses_what_is_not_a_frame_and_goes_on)
{
    auto recorder = Recorder::open(path(), room());
    ASSERT_TRUE(recorder);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(recorder->append(RecordedFrame{0, {standing(1, {nan, 0})}, {}}));
    EXPECT_FALSE(
        recorder->append(RecordedFrame{0, {standing(2, {0, 0}), standing(1, {0, 0})}, {}}));
    EXPECT_FALSE(recorder->append(RecordedNotes{{{nan, "", ""}}, {}, {}}));
    EXPECT_FALSE(recorder->append(RecordedNotes{{}, {{1, nan, 1.3, "", "", ""}}, {}}));
    EXPECT_FALSE(recorder->append(RecordedNotes{{}, {}, {{1, 1.0, "left", "", nan, 0, true}}}));
    EXPECT_FALSE(recorder->append(RecordedFrame{0, {}, {{1, 1}}}));  // it has no bodies
    ASSERT_TRUE(recorder->append(RecordedFrame{0, {standing(1, {0, 0})}, {}}));
    EXPECT_FALSE(recorder->append(RecordedFrame{0, {standing(1, {0, 0})}, {}}));  // not once more
    ASSERT_TRUE(recorder->append(RecordedFrame{1, {}, {}}));
    ASSERT_TRUE(recorder->close());
    EXPECT_EQ(query(path(), "SELECT frame, rows FROM sidestep_frames ORDER BY frame"),
              (std::vector<std::string>{"0|1", "1|0"}));

    EXPECT_FALSE(recorder->append(RecordedFrame{2, {}, {}}));  // closed
    EXPECT_TRUE(recorder->close());

    RecordingInfo info = room();
    info.fps = 0.0;
    EXPECT_FALSE(Recorder::open(path("other.sqlite"), info));
    info.fps = 10.0;
    info.bodies = {{"ghost", 0, nan, {}}};
    EXPECT_FALSE(Recorder::open(path("other.sqlite"), info));
}

TEST_F(RecorderTest, hands_the_fault_of_an_earlier_write_to_append_and_close)
{
    auto recorder = Recorder::open(path(), room());
    ASSERT_TRUE(recorder);
    ASSERT_TRUE(recorder->append(RecordedFrame{0, {standing(1, {0, 0})}, {}}));
    while (query_one(path(), "SELECT count(*) FROM sidestep_frames") != "1") {
        std::this_thread::yield();
    }
    query(path(), "DROP TABLE sidestep_frames");  // whoever does this, the next frame cannot be
    std::optional<Error> error;
    for (std::int64_t frame = 1; !error && frame < 1'000'000; ++frame) {
        if (auto done = recorder->append(RecordedFrame{frame, {standing(1, {0, 0})}, {}}); !done) {
            error = done.error();
        }
    }
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::io);
    EXPECT_THAT(error->message, HasSubstr("sidestep_frames"));
    EXPECT_FALSE(recorder->append(RecordedNotes{{{1.0, "", ""}}, {}, {}}));
    EXPECT_FALSE(recorder->close());
    EXPECT_EQ(query(path(), "SELECT frame FROM trajectory_data"), std::vector<std::string>{"0"});
}

TEST(FrameQueue, makes_a_run_wait_that_is_faster_than_the_disk)
{
    FrameQueue queue;
    std::atomic<std::size_t> pushed{0};
    constexpr std::size_t kFrames = 1000;
    std::thread run([&] {
        for (std::size_t i = 0; i < kFrames; ++i) {
            EXPECT_FALSE(queue.push(RecordedFrame{static_cast<std::int64_t>(i), {}, {}}));
            pushed = i + 1;
        }
        queue.close();
    });
    while (pushed < FrameQueue::kMaxFrames) std::this_thread::yield();
    // Only gives a queue without bounds the time to show itself.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(pushed, FrameQueue::kMaxFrames);

    std::size_t next = 0;
    for (auto batch = queue.take(); !batch.empty(); batch = queue.take()) {
        EXPECT_LE(queue.frames(), FrameQueue::kMaxFrames);
        for (const RecordedItem& item : batch) {
            EXPECT_EQ(std::get<RecordedFrame>(item).number, next++);
        }
        queue.release();
    }
    EXPECT_EQ(next, kFrames);
    run.join();
}

TEST(FrameQueue, counts_bytes_and_lets_a_frame_pass_that_is_larger_than_all_room)
{
    FrameQueue queue;
    RecordedFrame large{0, {}, {}};
    large.agents.resize(FrameQueue::kMaxBytes / sizeof(RecordedAgent) + 1);
    EXPECT_FALSE(queue.push(std::move(large)));
    std::atomic<bool> passed{false};
    std::thread run([&] {
        EXPECT_FALSE(queue.push(RecordedFrame{1, {}, {}}));
        passed = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(passed);
    EXPECT_EQ(queue.take().size(), 1u);
    queue.release();
    run.join();
    EXPECT_TRUE(passed);
}

TEST(FrameQueue, wakes_who_waits_when_writing_has_failed)
{
    FrameQueue queue;
    for (std::size_t i = 0; i < FrameQueue::kMaxFrames; ++i) {
        EXPECT_FALSE(queue.push(RecordedFrame{static_cast<std::int64_t>(i), {}, {}}));
    }
    std::optional<Error> seen;
    std::thread run([&] { seen = queue.push(RecordedFrame{99, {}, {}}); });
    queue.fail({ErrorCode::io, "no space"});
    run.join();
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->message, "no space");
}

}  // namespace
}  // namespace sidestep
