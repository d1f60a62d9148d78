// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_writer.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <thread>

#include "recording/h5_file_check.hpp"
#include "support/h5_recordings.hpp"
#include "support/damage.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;
using test::as_read;
using test::H5Test;
using test::is_equal;
using test::read_back;
using test::station;
using test::station_frame;
using ::testing::HasSubstr;

class H5WriterTest : public H5Test {
protected:
    std::string bytes_of(const std::string& name)
    {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// As h5py gives it; empty: there is none.
    std::string geometry_of(const std::string& file)
    {
        const H5Lock lock;
        H5FileState state;
        const H5Handle access = h5_access(state);
        const auto check = check_h5_file(file);
        const unsigned flags = H5F_ACC_RDONLY | (check && check->is_swmr ? H5F_ACC_SWMR_READ : 0u);
        const H5Handle opened(H5Fopen(file.c_str(), flags, access.get()), H5Fclose);
        const H5Handle attribute(H5Aopen(opened.get(), kH5Geometry, H5P_DEFAULT), H5Aclose);
        char* text = nullptr;
        const H5Handle type = h5_text_type();
        if (H5Aread(attribute.get(), type.get(), static_cast<void*>(&text)) < 0) return {};
        std::string value = text;
        H5free_memory(text);
        // The outline of an open plane is padded.
        value.erase(std::unique(value.begin(), value.end(),
                                [](char a, char b) { return a == ' ' && b == ' '; }),
                    value.end());
        return value;
    }
};

// ------------------------------------------------------------------------------------ round trip

TEST_F(H5WriterTest, gives_back_frames_levels_bodies_places_notes_and_facts)
{
    auto recorder = Recorder::open(path(), station());
    ASSERT_TRUE(recorder) << recorder.error().message;
    RecordedNotes notes;
    for (std::int64_t i = 0; i < 25; ++i) {
        ASSERT_TRUE(recorder->append(station_frame(i)));
        RecordedNotes some = test::station_notes(i);
        notes.events.push_back(some.events[0]);
        notes.walkers.push_back(some.walkers[0]);
        notes.ends.push_back(some.ends[0]);
        ASSERT_TRUE(recorder->append(std::move(some)));
    }
    ASSERT_TRUE(recorder->close({{"state_hash", "0123"}}));

    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->frames.size(), 25u);
    for (std::size_t i = 0; i < 25; ++i) {
        EXPECT_TRUE(is_equal(read->frames[i], as_read(station_frame(static_cast<int>(i))))) << i;
    }
    RecordingInfo expected = station();
    expected.facts.emplace_back("state_hash", "0123");
    EXPECT_EQ(test::to_text(read->info, read->notes), test::to_text(expected, notes));
}

TEST_F(H5WriterTest, keeps_positions_to_the_last_bit_and_directions_as_floats)
{
    const double third = 1.0 / 3.0;
    auto recorder = Recorder::open(path(), {});
    ASSERT_TRUE(recorder);
    const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    ASSERT_TRUE(
        recorder->append(RecordedFrame{-4, {{-7, 65'535, {third, -1e300}, {third, -0.0}}}, {}}));
    ASSERT_TRUE(recorder->append(
        RecordedFrame{kLargestFrameNumber, {{largest, 0, {-0.0, 5e-324}, {0, 0}}}, {}}));
    ASSERT_TRUE(recorder->close());

    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->frames.size(), 2u);
    EXPECT_EQ(read->frames[0].number, -4);
    EXPECT_EQ(read->frames[0].agents[0].id, -7);
    EXPECT_EQ(read->frames[0].agents[0].level, 65'535);
    EXPECT_EQ(read->frames[0].agents[0].position, (Vec2{third, -1e300}));
    EXPECT_EQ(read->frames[0].agents[0].orientation.x, double{static_cast<float>(third)});
    EXPECT_EQ(read->frames[1].number, kLargestFrameNumber);
    EXPECT_EQ(read->frames[1].agents[0].id, largest);
    EXPECT_EQ(read->frames[1].agents[0].position, (Vec2{0.0, 5e-324}));
}

TEST_F(H5WriterTest, writes_many_chunks_and_frames_larger_than_a_chunk)
{
    auto recorder = Recorder::open(path(), {});
    ASSERT_TRUE(recorder);
    const auto crowd = [](std::int64_t number) {
        RecordedFrame frame{number, {}, {}};
        const std::int64_t count = number == 3 ? 50'000 : 7'001;
        for (std::int64_t id = 0; id < count; ++id) {
            const double at = static_cast<double>((id * 7919 + number) % 10'007) / 64.0;
            frame.agents.push_back({id, 0, {at, -at}, {1.0, 0.0}});
        }
        return frame;
    };
    for (std::int64_t i = 0; i < 9; ++i) ASSERT_TRUE(recorder->append(crowd(i)));
    ASSERT_TRUE(recorder->close());

    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->frames.size(), 9u);
    for (std::int64_t i = 0; i < 9; ++i) {
        EXPECT_TRUE(is_equal(read->frames[static_cast<std::size_t>(i)], crowd(i))) << i;
    }
}

TEST_F(H5WriterTest, a_recording_without_frames_and_one_with_nobody_can_be_read)
{
    ASSERT_TRUE(Recorder::open(path("none.h5"), {})->close());
    const auto none = read_back(path("none.h5"));
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_TRUE(none->frames.empty());
    EXPECT_EQ(none->info.fps, 10.0);

    auto recorder = Recorder::open(path("nobody.h5"), {});
    for (std::int64_t i = 0; i < 3000; ++i) ASSERT_TRUE(recorder->append(RecordedFrame{i, {}, {}}));
    ASSERT_TRUE(recorder->close());
    const auto nobody = read_back(path("nobody.h5"));
    ASSERT_TRUE(nobody) << nobody.error().message;
    EXPECT_EQ(nobody->frames.size(), 3000u);
    EXPECT_EQ(nobody->frames.back().number, 2999);
}

TEST_F(H5WriterTest, equal_runs_give_equal_files)
{
    test::write_station(path("a.h5"), 40);
    test::write_station(path("b.h5"), 40);
    EXPECT_GT(bytes_of("a.h5").size(), 10'000u);
    EXPECT_EQ(bytes_of("a.h5"), bytes_of("b.h5"));
}

// --------------------------------------------------------------------------------------- geometry

TEST_F(H5WriterTest, the_geometry_of_one_level_is_as_it_was_also_that_of_a_city)
{
    RecordingInfo info;
    std::string wkt = "POLYGON ((0 0, 9000 0, 9000 5, 0 5, 0 0)";
    for (int i = 0; i < 20'000; ++i) wkt += fmt::format(", ({0} 1, {0}.5 1, {0}.5 2, {0} 1)", i);
    wkt += ")";
    ASSERT_GT(wkt.size(), std::size_t{500'000});
    info.levels = {{0, wkt}};
    ASSERT_TRUE(Recorder::open(path(), info)->close());
    EXPECT_EQ(geometry_of(path()), wkt);
    EXPECT_EQ(read_back(path())->info.levels[0].wkt, wkt);
}

TEST_F(H5WriterTest, several_levels_are_one_collection_for_others)
{
    ASSERT_TRUE(Recorder::open(path(), station())->close());
    EXPECT_EQ(geometry_of(path()),
              "GEOMETRYCOLLECTION (POLYGON ((0 0, 90 0, 90 50, 0 50, 0 0)), "
              "POLYGON ((0 0, 20 0, 20 50, 0 50, 0 0)))");
    EXPECT_EQ(read_back(path())->info.levels[1].level, 3);
}

TEST_F(H5WriterTest, an_open_plane_is_the_box_of_all_positions_and_2_m_also_while_it_grows)
{
    const auto target = check_target(path(), false);
    ASSERT_TRUE(target);
    auto writer = H5Writer::create(*target, {}, {.chunk_rows = 8});
    ASSERT_TRUE(writer);
    EXPECT_EQ(geometry_of(path()), "POLYGON ((-2 -2, 2 -2, 2 2, -2 2, -2 -2 ))");
    std::vector<RecordedItem> items;
    for (std::int64_t i = 0; i < 8; ++i) {
        items.emplace_back(RecordedFrame{i, {{1, 0, {static_cast<double>(i), 2.5}, {}}}, {}});
    }
    ASSERT_TRUE((*writer)->write(items));
    EXPECT_EQ(geometry_of(path()), "POLYGON ((-2 0.5, 9 0.5, 9 4.5, -2 4.5, -2 0.5 ))");
    items = {RecordedFrame{8, {{1, 0, {-1e300, 2.5}, {}}}, {}}};
    ASSERT_TRUE((*writer)->write(items));
    ASSERT_TRUE((*writer)->finish({}));
    EXPECT_EQ(geometry_of(path()),
              "POLYGON ((-1e+300 0.5, 9 0.5, 9 4.5, -1e+300 4.5, -1e+300 0.5 ))");
    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->info.levels.empty());  // as it was given: nobody drew a box
}

// --------------------------------------------------------------------------- names, crashes, disks

TEST_F(H5WriterTest, a_new_recording_has_its_name_from_the_start_and_one_that_replaces_at_the_end)
{
    {
        auto recorder = Recorder::open(path(), station());
        ASSERT_TRUE(recorder);
        EXPECT_TRUE(fs::exists(path()));
        EXPECT_FALSE(fs::exists(path() + ".part"));
    }
    const std::string before = bytes_of("run.h5");
    EXPECT_FALSE(Recorder::open(path(), {}));
    auto recorder = Recorder::open(path(), {}, true);
    ASSERT_TRUE(recorder);
    EXPECT_EQ(bytes_of("run.h5"), before);
    EXPECT_TRUE(fs::exists(path() + ".part"));
    ASSERT_TRUE(recorder->close());
    EXPECT_FALSE(fs::exists(path() + ".part"));
    EXPECT_TRUE(read_back(path())->info.levels.empty());
}

TEST_F(H5WriterTest, a_reader_in_the_same_program_sees_whole_frames_while_it_grows)
{
    auto writer = test::make_station(path());
    ASSERT_TRUE(writer);
    const auto items = test::station_items(60);
    std::size_t seen = 0;
    for (std::size_t i = 0; i < items.size(); i += 10) {
        const std::size_t count = std::min<std::size_t>(10, items.size() - i);
        ASSERT_TRUE((*writer)->write({items.data() + i, count}));
        const auto read = read_back(path());
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_GE(read->frames.size(), seen);
        seen = read->frames.size();
        for (const RecordedFrame& frame : read->frames) {
            EXPECT_TRUE(is_equal(frame, as_read(station_frame(frame.number))));
        }
    }
    EXPECT_GT(seen, 40u);
    auto reader = RecordingReader::open(path());  // holds the file open while it is closed
    ASSERT_TRUE((*writer)->finish({}));
    EXPECT_EQ(read_back(path())->frames.size(), 60u);
}

/// A writer that stops after any number of bytes, in the middle of a write too: what a killed
/// program, or a full disk, leaves.
TEST_F(H5WriterTest, whatever_the_moment_it_stops_the_frames_in_the_file_are_whole)
{
    const auto items = test::station_items(60);
    auto whole = test::make_station(path("whole.h5"));
    ASSERT_TRUE(whole);
    ASSERT_TRUE((*whole)->write(items));
    ASSERT_TRUE((*whole)->finish({}));
    // Chunks that are not full are written over and over.
    const std::uint64_t total = 8 * fs::file_size(path("whole.h5"));

    std::size_t most = 0, readable = 0, stopped = 0;
    for (std::uint64_t limit = 2'000; limit < total; limit += 1'009) {
        SCOPED_TRACE(limit);
        fs::remove(path());
        auto writer = test::make_station(path(), {.most_written = limit, .chunk_rows = 64});
        if (!writer) {
            EXPECT_THAT(writer.error().message, HasSubstr("no space is left on the disk"));
            EXPECT_FALSE(fs::exists(path()));
            EXPECT_FALSE(fs::exists(path() + ".part"));
            continue;
        }
        const auto written = (*writer)->write(items);
        if (!written) {
            EXPECT_THAT(written.error().message, HasSubstr("no space is left on the disk"));
            (*writer)->give_up();
        } else if (!(*writer)->finish({})) {
            ++stopped;
        }
        const auto read = read_back(path());
        ASSERT_TRUE(read) << read.error().message;
        std::int64_t number = 0;
        for (const RecordedFrame& frame : read->frames) {
            ASSERT_TRUE(is_equal(frame, as_read(station_frame(number))));
            ++number;
        }
        readable += read->frames.empty() ? 0 : 1;
        most = std::max(most, read->frames.size());
    }
    EXPECT_EQ(most, 60u);
    EXPECT_GT(readable, 20u);
    EXPECT_GT(stopped, 0u);
}

/// Frames with hardly anybody in them fill no chunk, and yet do not wait for ever.
TEST_F(H5WriterTest, at_most_1024_frames_wait)
{
    const auto target = check_target(path(), false);
    ASSERT_TRUE(target);
    auto writer = H5Writer::create(*target, {});
    ASSERT_TRUE(writer);
    std::vector<RecordedItem> items{RecordedFrame{0, {{1, 0, {1, 2}, {}}}, {}}};
    for (std::int64_t i = 1; i < 1023; ++i) items.emplace_back(RecordedFrame{i, {}, {}});
    ASSERT_TRUE((*writer)->write(items));
    EXPECT_EQ(read_back(path())->frames.size(), 0u);
    ASSERT_TRUE((*writer)->write(std::vector<RecordedItem>{RecordedFrame{1023, {}, {}}}));
    EXPECT_EQ(read_back(path())->frames.size(), 1024u);
    (*writer)->give_up();
}

TEST_F(H5WriterTest, a_frame_without_its_bodies_is_refused)
{
    auto writer = test::make_station(path());
    ASSERT_TRUE(writer);
    const std::vector<RecordedItem> items{RecordedFrame{0, {}, {{1, 2}}}};
    const auto written = (*writer)->write(items);
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("frame 0 has 1 bodies, the recording 2"));
    (*writer)->give_up();
    EXPECT_TRUE(read_back(path()));
}

TEST_F(H5WriterTest, hdf5_prints_nothing_and_keeps_the_callers_way_of_printing)
{
    ::testing::internal::CaptureStderr();
    std::thread([&] {
        H5E_auto2_t before = nullptr, after = nullptr;
        void* data = nullptr;
        H5Eget_auto2(H5E_DEFAULT, &before, &data);
        std::ofstream(path()) << "\x89HDF\r\n\x1a\n and then nothing of the kind";
        EXPECT_FALSE(RecordingReader::open(path()));
        fs::remove(path());
        auto writer = test::make_station(path(), {.most_written = 30'000, .chunk_rows = 64});
        ASSERT_TRUE(writer);
        EXPECT_FALSE((*writer)->write(test::station_items(60)));
        (*writer)->give_up();
        H5Eget_auto2(H5E_DEFAULT, &after, &data);
        EXPECT_EQ(before, after);
        EXPECT_NE(after, nullptr);
    }).join();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace sidestep
