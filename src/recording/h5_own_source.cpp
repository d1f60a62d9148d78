// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "recording/h5_layout.hpp"
#include "recording/h5_reading.hpp"
#include "recording/seal.hpp"

namespace sidestep {
namespace {

/// Of the log [bytes]; ours have some hundred.
constexpr std::size_t kLongestLine = std::size_t{1} << 24;

/// The parts of a seal by their names, in the order of Seal::Part; none: it is not that line.
std::optional<std::vector<std::string>> seal_from_line(std::string_view line)
{
    const auto j = nlohmann::json::parse(line, nullptr, false);
    if (!j.is_object() || !j.contains("seal")) return std::nullopt;
    std::vector<std::string> parts;
    for (const std::string_view name : Seal::kNames) {
        const auto part = j["seal"].is_object() ? j["seal"].find(std::string(name)) : j.end();
        const bool is_there = part != j["seal"].end() && part->is_string();
        parts.push_back(is_there ? part->get<std::string>() : std::string());
    }
    return parts;
}

/// Rows of a chunk, within reason: somebody may have packed the file anew.
std::uint64_t chunk_of(const H5Rows& rows)
{
    const H5Handle how(H5Dget_create_plist(rows.dataset.get()), H5Pclose);
    hsize_t chunk = 0;
    const bool has_chunks =
        how && H5Pget_layout(how.get()) == H5D_CHUNKED && H5Pget_chunk(how.get(), 1, &chunk) == 1;
    return has_chunks && chunk <= kH5ChunkRows ? chunk : kH5ChunkRows;
}

class H5OwnSource final : public RecordingSource {
public:
    H5OwnSource(H5OpenFile file, bool recovers) : file_(std::move(file)), recovers_(recovers)
    {
        for (const std::string& what : file_.damage) note(what);
    }

    Result<void> open();
    Result<bool> next(RecordedFrame& frame) override;

private:
    /// A chunk of the trajectory, so that each is unpacked once.
    struct Slab {
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
        std::vector<H5Row> rows;  ///< empty: damaged
        std::vector<H5Orientation> orientations;
    };
    struct Entry {
        H5Frame frame;
        std::uint64_t index;  ///< in the file
    };

    Result<void> open_rows();
    Result<void> read_head();
    Result<void> read_log();
    Result<void> read_frames();
    bool continues(const std::vector<H5Frame>& part) const;
    Result<void> check_seal();
    bool take_line(std::string_view line);
    Result<void> complain(const std::string& what);
    void note(const std::string& what) { damage.push_back(file_.error(what).message); }
    /// In a file that grows one of the two may be ahead; what the list of frames has is in both.
    std::uint64_t row_count() const { return std::min(trajectory_.count, orientations_.count); }
    const Slab& slab_of(std::uint64_t row);
    bool load(const Entry& entry, RecordedFrame& frame);
    bool load_rows(const H5Frame& from, RecordedFrame& frame);
    bool load_bodies(std::uint64_t index, RecordedFrame& frame);
    void note_lost_frames();

    H5OpenFile file_;
    bool recovers_;
    H5Rows trajectory_, orientations_, bodies_, frame_rows_, log_, head_;
    std::vector<Entry> entries_;
    std::optional<std::vector<std::string>> seal_;
    std::optional<RecordedFacts> last_facts_;
    bool is_complete_ = true;  ///< frames and log: nothing was passed over
    bool has_ended_ = false;   ///< and what is missing was said
    std::size_t next_ = 0, whole_ = 0;
    std::vector<std::int64_t> lost_;  ///< frames in a row
    std::uint64_t slab_rows_ = kH5ChunkRows;
    Slab slab_;
};

/// Damage: an Error, or a note where it is recovered from.
Result<void> H5OwnSource::complain(const std::string& what)
{
    if (!recovers_) return file_.damage_error(what);
    is_complete_ = false;
    note(what);
    return {};
}

// ------------------------------------------------------------------------------------------ head

Result<void> H5OwnSource::open()
{
    for (const auto step :
         {&H5OwnSource::open_rows, &H5OwnSource::read_head, &H5OwnSource::read_frames,
          &H5OwnSource::read_log, &H5OwnSource::check_seal}) {
        if (auto done = (this->*step)(); !done) return done;
    }
    is_closed = seal_.has_value() || !is_complete_;
    if (last_facts_) {
        info.facts.insert(info.facts.end(), last_facts_->begin(), last_facts_->end());
    }
    return {};
}

Result<void> H5OwnSource::open_rows()
{
    const H5Lock lock;
    std::int64_t format = 0;
    const H5Handle attribute(H5Aopen(file_.file.get(), kH5FormatName, H5P_DEFAULT), H5Aclose);
    if (!attribute || H5Aread(attribute.get(), H5T_NATIVE_INT64, &format) < 0) {
        return file_.error(fmt::format("{} cannot be read: {}", kH5FormatName, last_h5_error()));
    }
    if (format != kH5Format) {
        return file_.error(
            fmt::format("is of format {}, and this version reads {}", format, kH5Format));
    }
    const auto byte = [] { return H5Handle(H5Tcopy(H5T_NATIVE_UINT8), H5Tclose); };
    const auto open = [&](H5Rows& rows, const char* name, H5Handle type,
                          std::uint64_t least_bytes) -> Result<void> {
        auto opened = open_h5_rows(file_, name, std::move(type), least_bytes);
        if (!opened) return opened.error();
        rows = *std::move(opened);
        return {};
    };
    if (auto r = open(trajectory_, kH5Trajectory, h5_row_type(), sizeof(H5Row)); !r) return r;
    slab_rows_ = chunk_of(trajectory_);
    if (auto r = open(orientations_, kH5Orientations, h5_orientation_type(), sizeof(H5Orientation));
        !r) {
        return r;
    }
    if (auto r = open(bodies_, kH5Bodies, h5_body_type(), sizeof(H5Body)); !r) return r;
    if (auto r = open(frame_rows_, kH5Frames, h5_frame_type(), sizeof(H5Frame)); !r) return r;
    if (auto r = open(log_, kH5Log, byte(), 1); !r) return r;
    return open(head_, kH5Head, byte(), 1);
}

Result<void> H5OwnSource::read_head()
{
    std::string line;
    while (line.size() < head_.count) {
        const std::size_t at = line.size();
        line.resize(
            static_cast<std::size_t>(std::min<std::uint64_t>(head_.count, at + kH5ChunkHead)));
        if (!head_.read(at, line.size() - at, line.data() + at)) {
            return file_.error("its head is damaged; nothing can be read without it");
        }
    }
    auto read = info_from_line(line);
    if (!read) return file_.error("its head is damaged; nothing can be read without it");
    info = *std::move(read);
    if (!(info.fps > 0.0) || !std::isfinite(info.fps)) {
        return file_.error("its head has no frames per second");
    }
    return {};
}

Result<void> H5OwnSource::read_frames()
{
    std::uint64_t lost = 0;
    std::vector<H5Frame> part;
    for (std::uint64_t first = 0; first < frame_rows_.count; first += kH5ChunkFrames) {
        part.resize(static_cast<std::size_t>(
            std::min<std::uint64_t>(kH5ChunkFrames, frame_rows_.count - first)));
        if (!frame_rows_.read(first, part.size(), part.data()) || !continues(part)) {
            lost += part.size();
            continue;
        }
        for (std::uint64_t i = 0; i < part.size(); ++i) entries_.push_back({part[i], first + i});
    }
    if (lost == 0) return {};
    return complain(fmt::format("the list of its frames is damaged: {} of its {} lines are lost",
                                lost, frame_rows_.count));
}

/// What a cut took away reads as zeros, and the checksum of zeros is zero.
bool H5OwnSource::continues(const std::vector<H5Frame>& part) const
{
    const H5Frame* last = entries_.empty() ? nullptr : &entries_.back().frame;
    for (const H5Frame& frame : part) {
        if (last != nullptr && (frame.frame <= last->frame || frame.first < last->first)) {
            return false;
        }
        last = &frame;
    }
    return true;
}

// ------------------------------------------------------------------------------------------- log

Result<void> H5OwnSource::read_log()
{
    std::string pending;
    std::vector<char> part(kH5ChunkLog);
    bool skips = false;  // to the end of a line that is damaged
    std::uint64_t damaged = 0, lines = 0;
    for (std::uint64_t first = 0; first < log_.count; first += part.size()) {
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), log_.count - first));
        if (!log_.read(first, count, part.data())) {
            ++damaged;
            skips = true;
            pending.clear();
            continue;
        }
        std::string_view rest(part.data(), count);
        for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
            pending += rest.substr(0, end);
            rest.remove_prefix(end + 1);
            ++lines;
            if (!std::exchange(skips, false) && !take_line(pending)) ++damaged;
            pending.clear();
        }
        pending += rest;
        if (pending.size() > kLongestLine) {
            ++damaged;
            skips = true;
            pending.clear();
        }
    }
    if (!pending.empty()) ++damaged;
    if (damaged == 0) return {};
    return complain(fmt::format("its notes are damaged; {} lines of them are read", lines));
}

bool H5OwnSource::take_line(std::string_view line)
{
    if (seal_) return false;  // it is the last
    if (add_line(line, notes)) return true;
    if (!last_facts_ && (last_facts_ = facts_from_line(line))) return true;
    seal_ = seal_from_line(line);
    return seal_.has_value();
}

/// A file that was never closed has no seal: its frames have their hashes, and that is all there
/// is.
Result<void> H5OwnSource::check_seal()
{
    if (!seal_ || !is_complete_) return {};
    Seal seal;
    seal.add(info);
    seal.add(notes);
    if (last_facts_) seal.add(*last_facts_);
    for (const Entry& entry : entries_) seal.add_frame(entry.frame.xxh3);
    for (std::size_t i = 0; i < Seal::kNames.size(); ++i) {
        if ((*seal_)[i] == to_hash_text(seal.digest(static_cast<Seal::Part>(i)))) continue;
        auto done =
            complain(fmt::format("its {} are not those it was closed with", Seal::kNames[i]));
        if (!done) return done;
    }
    return {};
}

// ---------------------------------------------------------------------------------------- frames

Result<bool> H5OwnSource::next(RecordedFrame& frame)
{
    for (; next_ < entries_.size(); ++next_) {
        const Entry& entry = entries_[next_];
        if (load(entry, frame)) {
            note_lost_frames();
            ++next_;
            ++whole_;
            return true;
        }
        if (!recovers_) {
            return file_.damage_error(
                fmt::format("frame {} is damaged; {}", entry.frame.frame, whole_before(whole_)));
        }
        lost_.push_back(entry.frame.frame);
    }
    note_lost_frames();
    if (!std::exchange(has_ended_, true)) {
        const std::uint64_t missing = entries_.size() - whole_;
        if (const auto text = missing_text(whole_, missing, frame_rows_.count)) note(*text);
    }
    return false;
}

void H5OwnSource::note_lost_frames()
{
    if (lost_.empty()) return;
    note(lost_.size() == 1 ? fmt::format("frame {} is damaged; it is left out", lost_.front())
                           : fmt::format("frames {} to {} ({}) are damaged; they are left out",
                                         lost_.front(), lost_.back(), lost_.size()));
    lost_.clear();
}

bool H5OwnSource::load(const Entry& entry, RecordedFrame& frame)
{
    frame.number = entry.frame.frame;
    return load_rows(entry.frame, frame) && load_bodies(entry.index, frame) &&
           hash_of(frame) == entry.frame.xxh3;
}

bool H5OwnSource::load_rows(const H5Frame& from, RecordedFrame& frame)
{
    frame.agents.clear();
    const std::uint64_t count = row_count();
    if (from.first > count || from.rows > count - from.first) return false;
    const std::uint64_t end = from.first + from.rows;
    for (std::uint64_t row = from.first; row < end; ++row) {
        const Slab& slab = slab_of(row);
        if (slab.rows.empty()) return false;
        const H5Row& r = slab.rows[row - slab.first];
        const H5Orientation& o = slab.orientations[row - slab.first];
        const bool is_level = r.z >= 0.0 && r.z <= 65'535.0 && r.z == std::floor(r.z);
        const bool is_next = frame.agents.empty() || frame.agents.back().id < r.id;
        if (!is_level || !is_next || r.frame != from.frame || !std::isfinite(r.x) ||
            !std::isfinite(r.y) || !std::isfinite(o.x) || !std::isfinite(o.y)) {
            return false;
        }
        frame.agents.push_back({r.id, static_cast<std::uint16_t>(r.z), {r.x, r.y}, {o.x, o.y}});
    }
    return true;
}

bool H5OwnSource::load_bodies(std::uint64_t index, RecordedFrame& frame)
{
    frame.bodies.clear();
    std::vector<H5Body> bodies(info.bodies.size());
    if (!bodies_.read(index * bodies.size(), bodies.size(), bodies.data())) return false;
    for (const H5Body& body : bodies) {
        if (!std::isfinite(body.x) || !std::isfinite(body.y)) return false;
        frame.bodies.push_back({body.x, body.y});
    }
    return true;
}

const H5OwnSource::Slab& H5OwnSource::slab_of(std::uint64_t row)
{
    const std::uint64_t first = row / slab_rows_ * slab_rows_;
    if (slab_.first == first) return slab_;
    slab_.first = first;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(slab_rows_, row_count() - first));
    slab_.rows.resize(count);
    slab_.orientations.resize(count);
    if (!trajectory_.read(first, count, slab_.rows.data()) ||
        !orientations_.read(first, count, slab_.orientations.data())) {
        slab_.rows.clear();
    }
    return slab_;
}

}  // namespace

Result<std::unique_ptr<RecordingSource>> open_own_h5(H5OpenFile file,
                                                     const RecordingReadOptions& options)
{
    auto source = std::make_unique<H5OwnSource>(std::move(file), options.recover);
    if (auto opened = source->open(); !opened) return opened.error();
    return std::unique_ptr<RecordingSource>(std::move(source));
}

}  // namespace sidestep
