// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "recording/h5_file_check.hpp"

namespace sidestep {
namespace {

/// Room for the outline of an open plane with numbers of any length. HDF5 cannot change an
/// attribute in SWMR mode, but a text of the same length can be written over it where it is.
constexpr std::size_t kBoxText = 300;
/// Frames that wait to be published, at most: those with nobody in them fill no chunk.
constexpr std::size_t kMaxWaiting = 1024;
/// Rows on their way into a chunk: as many as the first-level cache has room for.
constexpr std::size_t kRowsAtATime = 256;
/// Longest time until a frame is in the file, if others follow it.
constexpr std::chrono::seconds kPatience(10);

/// Of kBoxText bytes.
std::string box_text(double x0, double x1, double y0, double y1)
{
    std::string text =
        fmt::format("POLYGON (({0} {2}, {1} {2}, {1} {3}, {0} {3}, {0} {2}", x0, x1, y0, y1);
    text.resize(kBoxText - 2, ' ');
    return text + "))";
}

bool put_attribute(const H5Handle& object, const char* name, hid_t file_type, hid_t memory_type,
                   const void* value)
{
    const H5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const H5Handle attribute(
        H5Acreate2(object.get(), name, file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute && H5Awrite(attribute.get(), memory_type, value) >= 0;
}

}  // namespace

// ------------------------------------------------------------------------------------- beginning

H5Writer::H5Writer(const RecordingTarget& target, const Limits& limits)
    : target_(target), chunk_rows_(limits.chunk_rows)
{
    state_.most_written = limits.most_written;
}

Result<std::unique_ptr<RecordingWriter>> H5Writer::create(const RecordingTarget& target,
                                                          const RecordingInfo& info)
{
    return create(target, info, Limits{});
}

Result<std::unique_ptr<RecordingWriter>> H5Writer::create(const RecordingTarget& target,
                                                          const RecordingInfo& info,
                                                          const Limits& limits)
{
    std::unique_ptr<H5Writer> writer(new H5Writer(target, limits));
    RecordingTarget& made = writer->target_;
    if (auto part = make_part(made); !part) return part.error();
    Result<void> named;
    const bool ok = writer->create_file(info);
    if (ok && !made.replaces) named = name_part(made);
    if (!ok || !named) {
        Error error = ok ? named.error() : writer->error();
        writer->give_up();
        std::remove(made.part.c_str());
        return error;
    }
    if (!made.replaces) made.part.clear();
    return std::unique_ptr<RecordingWriter>(std::move(writer));
}

bool H5Writer::create_file(const RecordingInfo& info)
{
    const H5Lock lock;
    published_ = std::chrono::steady_clock::now();
    bodies_per_frame_ = info.bodies.size();
    seal_.add(info);
    const H5Handle access = h5_access(state_);
    const H5Handle how(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    if (!access || !how || H5Pset_obj_track_times(how.get(), false) < 0) return false;
    file_ = {H5Fcreate(path().c_str(), H5F_ACC_TRUNC, how.get(), access.get()), H5Fclose};
    return file_ && create_datasets(info) && write_geometry(info) && write_head(to_line(info)) &&
           H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0 && state_.write_error == 0 &&
           find_box_text() && H5Fstart_swmr_write(file_.get()) >= 0 && state_.write_error == 0;
}

bool H5Writer::create_datasets(const RecordingInfo& info)
{
    const H5Handle byte(H5Tcopy(H5T_STD_U8LE), H5Tclose);
    return trajectory_.create(file_, kH5Trajectory, h5_row_type(), chunk_rows_, true) &&
           orientations_.create(file_, kH5Orientations, h5_orientation_type(), chunk_rows_, true) &&
           frames_.create(file_, kH5Frames, h5_frame_type(), kH5ChunkFrames, false) &&
           bodies_.create(file_, kH5Bodies, h5_body_type(), kH5ChunkBodies, false) &&
           log_.create(file_, kH5Log, byte, kH5ChunkLog, false) &&
           put_attribute(trajectory_.dataset(), kH5Fps, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                         &info.fps) &&
           put_attribute(file_, kH5FormatName, H5T_STD_I64LE, H5T_NATIVE_INT64, &kH5Format);
}

bool H5Writer::write_head(const std::string& line)
{
    const hsize_t size = line.size(), chunk = std::min<hsize_t>(size, kH5ChunkHead);
    const H5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const H5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (!space || !how || H5Pset_chunk(how.get(), 1, &chunk) < 0 ||
        H5Pset_deflate(how.get(), 1) < 0 || H5Pset_fletcher32(how.get()) < 0 ||
        H5Pset_obj_track_times(how.get(), false) < 0) {
        return false;
    }
    const H5Handle head(H5Dcreate2(file_.get(), kH5Head, H5T_STD_U8LE, space.get(), H5P_DEFAULT,
                                   how.get(), H5P_DEFAULT),
                        H5Dclose);
    return head &&
           H5Dwrite(head.get(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, line.data()) >= 0;
}

/// One level as it is; several as a collection, which PedPy makes one area of.
bool H5Writer::write_geometry(const RecordingInfo& info)
{
    std::string text;
    bool has_open_plane = info.levels.empty();
    for (const RecordingInfo::Level& level : info.levels) {
        has_open_plane |= level.wkt.empty();
        if (!level.wkt.empty()) text += (text.empty() ? "" : ", ") + level.wkt;
    }
    if (has_open_plane) {
        box_text_at_ = 1;  // to be found
        text += (text.empty() ? "" : ", ") +
                box_text(-kOpenMargin, kOpenMargin, -kOpenMargin, kOpenMargin);
    }
    if (info.levels.size() > 1) text = fmt::format("GEOMETRYCOLLECTION ({})", text);
    const H5Handle type = h5_text_type();
    const char* value = text.c_str();
    return type && put_attribute(file_, kH5Geometry, type.get(), type.get(), &value);
}

bool H5Writer::find_box_text()
{
    if (box_text_at_ == 0) return true;
    std::ifstream in(path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::string text = box_text(-kOpenMargin, kOpenMargin, -kOpenMargin, kOpenMargin);
    box_text_at_ = bytes.find(text);
    return box_text_at_ != std::string::npos && bytes.find(text, box_text_at_ + 1) == bytes.npos;
}

// ---------------------------------------------------------------------------------------- frames

Result<void> H5Writer::write(std::span<const RecordedItem> batch)
{
    for (const RecordedItem& item : batch) {
        const auto* frame = std::get_if<RecordedFrame>(&item);
        if (frame != nullptr && frame->bodies.size() != bodies_per_frame_) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("{}: frame {} has {} bodies, the recording {}", path(),
                                     frame->number, frame->bodies.size(), bodies_per_frame_)};
        }
        std::visit([&](const auto& it) { add(it); }, item);
        if (frame == nullptr) continue;
        const bool chunk_is_full = trajectory_.whole_rows() > whole_rows_;
        const bool is_much = waiting_.size() >= kMaxWaiting;
        if ((chunk_is_full || is_much) && !publish(is_much)) return error();
    }
    if (std::chrono::steady_clock::now() - published_ > kPatience && !publish(true)) {
        return error();
    }
    return {};
}

void H5Writer::add(const RecordedFrame& frame)
{
    FrameHash hash(frame.number);  // as a reader will find it
    std::array<H5Row, kRowsAtATime> rows;
    std::array<H5Orientation, kRowsAtATime> orientations;
    std::size_t filled = 0;
    const auto append = [&] {
        trajectory_.append(rows.data(), filled);
        orientations_.append(orientations.data(), std::exchange(filled, 0));
    };
    const std::uint64_t first = trajectory_.rows();
    for (const RecordedAgent& agent : frame.agents) {
        const H5Orientation o{static_cast<float>(agent.orientation.x),
                              static_cast<float>(agent.orientation.y)};
        hash.add({agent.id, agent.level, agent.position, {o.x, o.y}});
        rows[filled] = {agent.id, frame.number, agent.position.x, agent.position.y,
                        static_cast<double>(agent.level)};
        orientations[filled] = o;
        if (++filled == kRowsAtATime) append();
        box_grew_ |= box_.include(agent.position);
    }
    append();
    const std::uint64_t digest = hash.digest_with(frame.bodies);
    seal_.add_frame(digest);
    waiting_.push_back({frame.number, first, frame.agents.size(), digest});
    for (const Vec2 body : frame.bodies) {
        const H5Body row{body.x, body.y};
        bodies_.append(&row, 1);
    }
}

void H5Writer::add(const RecordedNotes& notes)
{
    seal_.add(notes);
    for (const RecordedEvent& event : notes.events) add_line(to_line(event));
    for (const RecordedWalker& walker : notes.walkers) add_line(to_line(walker));
    for (const RecordedEnd& end : notes.ends) add_line(to_line(end));
}

void H5Writer::add_line(std::string_view line)
{
    log_.append(line.data(), line.size());
    log_.append("\n", 1);
}

/// Frames whose rows fill whole chunks, or all. The trajectory has no row of a frame that is not
/// published: others, too, find whole frames only. The list of frames begins in front of all rows,
/// so that a cut takes rows and not what tells them apart.
bool H5Writer::publish(bool all)
{
    whole_rows_ = trajectory_.whole_rows();
    const std::uint64_t most = all ? trajectory_.rows() : whole_rows_;
    const auto is_ready = [&](const H5Frame& f) { return f.first + f.rows <= most; };
    const auto end = std::find_if_not(waiting_.begin(), waiting_.end(), is_ready);
    if (!all && end == waiting_.begin()) return true;

    if (end != waiting_.begin()) {
        const H5Frame& last = *(end - 1);
        const std::uint64_t rows = last.first + last.rows;
        frames_.append(waiting_.data(), static_cast<std::size_t>(end - waiting_.begin()));
        if (frames_.is_empty() && !frames_.place(frames_.rows())) return false;
        if (!trajectory_.publish(rows) || !orientations_.publish(rows)) return false;
        waiting_.erase(waiting_.begin(), end);
    }
    published_ = std::chrono::steady_clock::now();
    return bodies_.publish(bodies_.rows()) && log_.publish(log_.rows()) && write_box() &&
           frames_.publish(frames_.rows()) && state_.write_error == 0;
}

bool H5Writer::write_box()
{
    if (box_text_at_ == 0 || !box_grew_ || state_.write_error != 0) return true;
    const std::string text = box_text(box_.x_min - kOpenMargin, box_.x_max + kOpenMargin,
                                      box_.y_min - kOpenMargin, box_.y_max + kOpenMargin);
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(box_text_at_));
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.flush()) {
        state_.write_error = EIO;
        return false;
    }
    box_grew_ = false;
    return true;
}

Error H5Writer::error() const
{
    std::string cause = state_.write_error == ENOSPC ? "no space is left on the disk"
                        : state_.write_error != 0
                            ? std::generic_category().message(state_.write_error)
                            : last_h5_error();
    std::string message = fmt::format("{}: cannot be written: {}", path(), cause);
    if (target_.replaces) message += fmt::format("; {} is as it was", target_.file);
    return {ErrorCode::io, std::move(message)};
}

// ----------------------------------------------------------------------------------------- ending

bool H5Writer::close_file()
{
    bool ok = true;
    for (H5Growing* dataset : {&trajectory_, &orientations_, &bodies_, &log_, &frames_}) {
        ok = dataset->close() && ok;
    }
    return file_.close() && ok && state_.write_error == 0;
}

void H5Writer::give_up()
{
    close_file();  // what waits is not written: it may be half a frame
}

/// The seal comes last: a file that has one has all frames.
bool H5Writer::write_seal(const RecordedFacts& facts)
{
    seal_.add(facts);
    add_line(to_line(facts));
    nlohmann::ordered_json parts;
    for (std::size_t i = 0; i < Seal::kNames.size(); ++i) {
        parts[std::string(Seal::kNames[i])] =
            to_hash_text(seal_.digest(static_cast<Seal::Part>(i)));
    }
    add_line(nlohmann::ordered_json{{"seal", parts}}.dump());
    return log_.publish(log_.rows());
}

Result<void> H5Writer::finish(const RecordedFacts& facts)
{
    if (!publish(true) || !write_seal(facts) || !close_file()) {
        Error failure = error();
        give_up();
        return failure;
    }
    if (auto sealed = add_h5_trailer(path()); !sealed) return sealed;
    return target_.replaces ? name_part(target_) : Result<void>{};
}

}  // namespace sidestep
