// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "recording/h5_layout.hpp"
#include "recording/h5_reading.hpp"

namespace sidestep {
namespace {

/// Rows that are read at a time.
constexpr std::size_t kPart = 65'536;
/// Above this a double does not tell whole numbers apart.
constexpr double kMostWhole = 9'007'199'254'740'992.0;

/// As HDF5 hands it over. A file may have its whole numbers as floats; then these are the bits.
struct RawRow {
    std::int64_t id, frame;
    double x, y;
};

struct Column {
    const char* name;
    std::size_t offset;
    bool is_whole;
    bool is_float = false;  ///< in the file
};

/// Recordings of experiments and of other programs: rows of id, frame, x and y, in any order and in
/// numbers of any size. z, where there is one, is a height above the floor and says nothing of
/// levels.
class H5ForeignSource final : public RecordingSource {
public:
    explicit H5ForeignSource(H5OpenFile file) : file_(std::move(file)) {}

    Result<void> open(const RecordingReadOptions& options);
    Result<bool> next(RecordedFrame& frame) override;

private:
    Result<H5Handle> row_type();
    Result<void> read_fps(const H5Rows& rows, const RecordingReadOptions& options);
    void read_geometry();
    Result<void> read_rows(const H5Rows& rows);
    Result<void> sort_rows();
    bool to_whole(RawRow& row) const;

    H5OpenFile file_;
    Column columns_[4] = {{"id", offsetof(RawRow, id), true},
                          {"frame", offsetof(RawRow, frame), true},
                          {"x", offsetof(RawRow, x), false},
                          {"y", offsetof(RawRow, y), false}};
    std::vector<RawRow> rows_;
    std::size_t next_ = 0;
};

Result<void> H5ForeignSource::open(const RecordingReadOptions& options)
{
    const H5Lock lock;
    if (!file_.damage.empty()) {
        return file_.error(file_.damage.front() +
                           "; only files that Sidestep has written can be recovered");
    }
    if (!has_h5_dataset(file_, kH5Trajectory)) {
        return file_.error("has no dataset `trajectory`: not a file of trajectories");
    }
    auto type = row_type();
    if (!type) return type.error();
    const auto rows = open_h5_rows(file_, kH5Trajectory, *std::move(type), 4);
    if (!rows) return rows.error();
    if (auto done = read_fps(*rows, options); !done) return done;
    read_geometry();
    if (auto done = read_rows(*rows); !done) return done;
    return sort_rows();
}

/// What rows are read as.
Result<H5Handle> H5ForeignSource::row_type()
{
    const H5Handle dataset(H5Dopen2(file_.file.get(), kH5Trajectory, H5P_DEFAULT), H5Dclose);
    const H5Handle stored(dataset ? H5Dget_type(dataset.get()) : -1, H5Tclose);
    H5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(RawRow)), H5Tclose);
    if (!stored || !type) {
        return file_.error(fmt::format("trajectory cannot be read: {}", last_h5_error()));
    }
    const bool is_compound = H5Tget_class(stored.get()) == H5T_COMPOUND;
    for (Column& column : columns_) {
        const int index = is_compound ? H5Tget_member_index(stored.get(), column.name) : -1;
        const H5T_class_t kind =
            index < 0 ? H5T_NO_CLASS
                      : H5Tget_member_class(stored.get(), static_cast<unsigned>(index));
        if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
            return file_.error(
                fmt::format("trajectory has no column `{}` of numbers; it needs id, frame, x and y",
                            column.name));
        }
        column.is_float = kind == H5T_FLOAT;
        const bool as_whole = column.is_whole && !column.is_float;
        H5Tinsert(type.get(), column.name, column.offset,
                  as_whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
    }
    return type;
}

Result<void> H5ForeignSource::read_fps(const H5Rows& rows, const RecordingReadOptions& options)
{
    if (H5Aexists(rows.dataset.get(), kH5Fps) <= 0) {
        if (!options.fps) {
            return file_.error("does not say its frames per second (attribute fps of trajectory)");
        }
        info.fps = *options.fps;
        return {};
    }
    const H5Handle attribute(H5Aopen(rows.dataset.get(), kH5Fps, H5P_DEFAULT), H5Aclose);
    const H5Handle space(attribute ? H5Aget_space(attribute.get()) : -1, H5Sclose);
    const bool is_one = space && H5Sget_simple_extent_npoints(space.get()) == 1;
    if (!is_one || H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &info.fps) < 0 ||
        !(info.fps > 0.0) || !std::isfinite(info.fps)) {
        return file_.error("the attribute fps of trajectory must be a number > 0");
    }
    return {};
}

/// None where there is no text: analysis takes it for an open plane.
void H5ForeignSource::read_geometry()
{
    info.levels = {{0, {}}};
    if (H5Aexists(file_.file.get(), kH5Geometry) <= 0) return;
    const H5Handle attribute(H5Aopen(file_.file.get(), kH5Geometry, H5P_DEFAULT), H5Aclose);
    const H5Handle space(attribute ? H5Aget_space(attribute.get()) : -1, H5Sclose);
    const H5Handle type(attribute ? H5Aget_type(attribute.get()) : -1, H5Tclose);
    if (!space || !type || H5Sget_simple_extent_npoints(space.get()) != 1 ||
        H5Tget_class(type.get()) != H5T_STRING) {
        return;
    }
    std::string& wkt = info.levels.front().wkt;
    if (H5Tis_variable_str(type.get()) > 0) {
        char* text = nullptr;
        if (H5Aread(attribute.get(), type.get(), static_cast<void*>(&text)) < 0) return;
        if (text != nullptr) wkt = text;
        H5free_memory(text);
    } else if (const std::size_t size = H5Tget_size(type.get()); size <= file_.size) {
        wkt.resize(size);
        if (H5Aread(attribute.get(), type.get(), wkt.data()) < 0) wkt.clear();
        wkt.resize(std::min(wkt.find('\0'), wkt.size()));
    }
}

/// False: a float that is no whole number.
bool H5ForeignSource::to_whole(RawRow& row) const
{
    const auto convert = [](const Column& column, std::int64_t& value) {
        if (!column.is_float) return true;
        const auto number = std::bit_cast<double>(value);
        if (!(std::abs(number) < kMostWhole) || number != std::floor(number)) return false;
        value = static_cast<std::int64_t>(number);
        return true;
    };
    return convert(columns_[0], row.id) && convert(columns_[1], row.frame);
}

Result<void> H5ForeignSource::read_rows(const H5Rows& rows)
{
    std::vector<RawRow> part(kPart);
    for (std::uint64_t first = 0; first < rows.count; first += kPart) {
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(kPart, rows.count - first));
        if (!rows.read(first, count, part.data())) {
            return file_.error(fmt::format("trajectory is damaged in the rows {} to {}: {}", first,
                                           first + count - 1, last_h5_error()));
        }
        for (std::size_t i = 0; i < count; ++i) {
            RawRow row = part[i];
            if (!to_whole(row)) {
                return file_.error(
                    fmt::format("row {}: id and frame must be whole numbers", first + i));
            }
            if (!std::isfinite(row.x) || !std::isfinite(row.y)) {
                return file_.error(fmt::format("row {}: id {} is nowhere in frame {}", first + i,
                                               row.id, row.frame));
            }
            rows_.push_back(row);
        }
    }
    return {};
}

/// The archive has its rows walker by walker.
Result<void> H5ForeignSource::sort_rows()
{
    const auto comes_before = [](const RawRow& a, const RawRow& b) {
        return std::pair(a.frame, a.id) < std::pair(b.frame, b.id);
    };
    if (!std::is_sorted(rows_.begin(), rows_.end(), comes_before)) {
        std::sort(rows_.begin(), rows_.end(), comes_before);
    }
    const auto twin = std::adjacent_find(
        rows_.begin(), rows_.end(),
        [](const RawRow& a, const RawRow& b) { return a.frame == b.frame && a.id == b.id; });
    if (twin == rows_.end()) return {};
    return file_.error(fmt::format("id {} is twice in frame {}", twin->id, twin->frame));
}

Result<bool> H5ForeignSource::next(RecordedFrame& frame)
{
    if (next_ == rows_.size()) return false;
    frame.number = rows_[next_].frame;
    frame.agents.clear();
    frame.bodies.clear();
    for (; next_ < rows_.size() && rows_[next_].frame == frame.number; ++next_) {
        const RawRow& row = rows_[next_];
        frame.agents.push_back({row.id, 0, {row.x, row.y}, {}});
    }
    return true;
}

}  // namespace

Result<std::unique_ptr<RecordingSource>> open_foreign_h5(H5OpenFile file,
                                                         const RecordingReadOptions& options)
{
    auto source = std::make_unique<H5ForeignSource>(std::move(file));
    if (auto opened = source->open(options); !opened) return opened.error();
    return std::unique_ptr<RecordingSource>(std::move(source));
}

}  // namespace sidestep
