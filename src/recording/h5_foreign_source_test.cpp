// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "recording/h5_layout.hpp"
#include "support/h5_recordings.hpp"
#include "support/damage.hpp"

namespace sidestep {
namespace {

using test::H5Test;
using test::read_back;
using ::testing::HasSubstr;

/// A row of the archive's kind: small numbers, and a height above the floor.
struct ArchiveRow {
    std::int32_t id;
    std::uint16_t frame;
    float x, y, z;
};

/// What a file of another program is made with.
struct Making {
    std::vector<ArchiveRow> rows{{2, 10, 1.5f, 2.5f, 1.76f},
                                 {2, 11, 1.75f, 2.5f, 1.7f},
                                 {5, 10, -3.0f, 0.25f, 1.8f},
                                 {5, 12, -3.5f, 0.25f, 1.8f}};
    std::vector<const char*> left_out{};
    double fps = 16.0;  ///< 0: it does not say
    std::string wkt = "POLYGON ((-9 -9, 9 -9, 9 9, -9 9, -9 -9))";
    bool fixed_text = false;
    bool whole_as_float = false;
    hsize_t claimed_rows = 0;  ///< more than it has
};

class H5ForeignSourceTest : public H5Test {
protected:
    /// With HDF5's own driver and its oldest format, as the archive's files are.
    void make(const Making& making)
    {
        const H5Lock lock;
        const H5Handle file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                            H5Fclose);
        const H5Handle type = row_type(making, false), memory = row_type(making, true);
        const hsize_t count = std::max<hsize_t>(making.rows.size(), making.claimed_rows);
        const H5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const H5Handle dataset(H5Dcreate2(file.get(), "trajectory", type.get(), space.get(),
                                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               H5Dclose);
        if (making.claimed_rows == 0) {
            ASSERT_GE(H5Dwrite(dataset.get(), memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                               making.rows.data()),
                      0);
        }
        const H5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
        if (making.fps != 0.0) {
            const H5Handle fps(H5Acreate2(dataset.get(), "fps", H5T_IEEE_F32BE, scalar.get(),
                                          H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
            H5Awrite(fps.get(), H5T_NATIVE_DOUBLE, &making.fps);
        }
        if (making.wkt.empty()) return;
        H5Handle text = h5_text_type();
        if (making.fixed_text) {
            text = {H5Tcopy(H5T_C_S1), H5Tclose};
            H5Tset_size(text.get(), making.wkt.size() + 3);
        }
        const H5Handle wkt(H5Acreate2(file.get(), "wkt_geometry", text.get(), scalar.get(),
                                      H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
        std::string padded = making.wkt + std::string(3, '\0');
        const char* value = making.wkt.c_str();
        const void* bytes = making.fixed_text ? static_cast<const void*>(padded.data()) : &value;
        H5Awrite(wkt.get(), text.get(), bytes);
    }

    static H5Handle row_type(const Making& making, bool in_memory)
    {
        H5Handle type(H5Tcreate(H5T_COMPOUND, in_memory ? sizeof(ArchiveRow) : 40), H5Tclose);
        const auto add = [&](const char* name, std::size_t memory_at, std::size_t file_at,
                             hid_t memory, hid_t file) {
            for (const char* other : making.left_out) {
                if (std::strcmp(name, other) == 0) return;
            }
            H5Tinsert(type.get(), name, in_memory ? memory_at : file_at, in_memory ? memory : file);
        };
        const bool floats = making.whole_as_float;
        add("id", offsetof(ArchiveRow, id), 0, H5T_NATIVE_INT32,
            floats ? H5T_IEEE_F64BE : H5T_STD_I32BE);
        add("frame", offsetof(ArchiveRow, frame), 8, H5T_NATIVE_UINT16,
            floats ? H5T_IEEE_F32LE : H5T_STD_U16LE);
        add("x", offsetof(ArchiveRow, x), 16, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE);
        add("y", offsetof(ArchiveRow, y), 24, H5T_NATIVE_FLOAT, H5T_IEEE_F64BE);
        add("z", offsetof(ArchiveRow, z), 32, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE);
        return type;
    }

    std::string complaint(const Making& making, const RecordingReadOptions& options = {})
    {
        make(making);
        const auto read = read_back(path(), options);
        return read ? "it was read" : read.error().message;
    }
};

TEST_F(H5ForeignSourceTest, reads_rows_that_are_sorted_by_walker_frame_by_frame)
{
    for (const bool floats : {false, true}) {
        SCOPED_TRACE(floats);
        Making making;
        making.whole_as_float = making.fixed_text = floats;
        make(making);
        const auto read = read_back(path());
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->info.fps, 16.0);
        ASSERT_EQ(read->info.levels.size(), 1u);
        EXPECT_EQ(read->info.levels[0].wkt, making.wkt);
        ASSERT_EQ(read->frames.size(), 3u);
        EXPECT_EQ(read->frames[0].number, 10);
        ASSERT_EQ(read->frames[0].agents.size(), 2u);
        EXPECT_EQ(read->frames[0].agents[0].id, 2);
        EXPECT_EQ(read->frames[0].agents[1].id, 5);
        EXPECT_EQ(read->frames[0].agents[1].position, (Vec2{-3.0, 0.25}));
        EXPECT_EQ(read->frames[0].agents[1].level, 0);  // 1.8 m is a head, not a level
        EXPECT_EQ(read->frames[0].agents[1].orientation, (Vec2{0.0, 0.0}));
        EXPECT_EQ(read->frames[1].number, 11);
        EXPECT_EQ(read->frames[2].agents[0].id, 5);
    }
}

TEST_F(H5ForeignSourceTest, does_without_heights_and_without_a_geometry)
{
    make({.left_out = {"z"}, .wkt = ""});
    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->frames.size(), 3u);
    EXPECT_EQ(read->info.levels[0].wkt, "");
}

TEST_F(H5ForeignSourceTest, frames_per_second_come_from_the_file_or_the_caller)
{
    EXPECT_THAT(complaint({.fps = 0.0}), HasSubstr("does not say its frames per second"));
    const auto read = read_back(path(), {.fps = 25.0});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->info.fps, 25.0);
    EXPECT_THAT(complaint({.fps = -5.0}, {.fps = 25.0}), HasSubstr("fps of trajectory must be"));
}

TEST_F(H5ForeignSourceTest, refuses_what_cannot_be_right)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(complaint({.rows = {{1, 7, 0, 0, 0}, {2, 7, 0, 0, 0}, {1, 7, 1, 0, 0}}}),
                HasSubstr("run.h5: id 1 is twice in frame 7"));
    EXPECT_THAT(complaint({.rows = {{1, 7, 0, 0, 0}, {4, 8, 0, nan, 0}}}),
                HasSubstr("row 1: id 4 is nowhere in frame 8"));
    EXPECT_THAT(complaint({.left_out = {"frame"}}), HasSubstr("has no column `frame`"));
    EXPECT_THAT(complaint({.claimed_rows = hsize_t{1} << 50}),
                HasSubstr("cannot have 1125899906842624 rows"));
    EXPECT_THAT(complaint({.claimed_rows = 20'000}),
                HasSubstr("trajectory claims 20000 rows, and not all of them are in the file"));
}

TEST_F(H5ForeignSourceTest, refuses_other_hdf5_files)
{
    {
        const H5Lock lock;
        const H5Handle file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                            H5Fclose);
    }
    EXPECT_THAT(read_back(path()).error().message, HasSubstr("has no dataset `trajectory`"));
    {
        const H5Lock lock;
        const H5Handle file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                            H5Fclose);
        const hsize_t sizes[] = {3, 4};
        const H5Handle space(H5Screate_simple(2, sizes, nullptr), H5Sclose);
        const H5Handle dataset(H5Dcreate2(file.get(), "trajectory", H5T_IEEE_F64LE, space.get(),
                                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               H5Dclose);
    }
    EXPECT_THAT(read_back(path()).error().message, HasSubstr("it needs id, frame, x and y"));
}

TEST_F(H5ForeignSourceTest, an_empty_trajectory_has_no_frames)
{
    make({.rows = {}});
    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->frames.empty());
}

}  // namespace
}  // namespace sidestep
