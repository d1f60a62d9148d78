// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "recording/ndjson_track.hpp"
#include "recording/text_columns.hpp"
#include "recording/text_formats.hpp"
#include "recording/text_layout.hpp"
#include "recording/text_lines.hpp"
#include "recording/text_numbers.hpp"
#include "recording/text_rows.hpp"
#include "recording/text_sealed.hpp"
#include "recording/text_writer.hpp"

namespace sidestep {
namespace {

constexpr std::uint64_t kNoStep = std::numeric_limits<std::uint64_t>::max();

/// Numbers between two frames, the later one first; of any two there is one.
std::uint64_t step_between(std::int64_t later, std::int64_t earlier)
{
    return static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
}

// ----------------------------------------------------------------------------------------- writing

/// A scene of TrajNet++ is the time in which somebody is watched; here everybody is, from the first
/// frame to the last. Its fps is that of the frames there are: where every tenth number of 25 a
/// second has a frame it is 2.5.
class NdjsonLayout final : public TextLayout {
public:
    explicit NdjsonLayout(double fps = 1.0) : fps_(fps) {}

    RemarkStyle remark_style() const override { return kJsonRemark; }
    std::string head_lines(const RecordingInfo&) const override { return {}; }

    void append_rows(std::string& out, const RecordedFrame& frame) override
    {
        if (last_frame_) step_ = std::min(step_, step_between(frame.number, *last_frame_));
        last_frame_ = frame.number;
        for (const RecordedAgent& agent : frame.agents) {
            const auto [seen, is_new] = watched_.try_emplace(agent.id, frame.number, frame.number);
            seen->second.second = frame.number;
            out += "{\"track\": {\"f\": ";
            append_whole(out, frame.number);
            out += ", \"p\": ";
            append_whole(out, agent.id);
            out += ", \"x\": ";
            append_fixed(out, agent.position.x);
            out += ", \"y\": ";
            append_fixed(out, agent.position.y);
            if (agent.level != 0) {
                out += ", \"level\": ";
                append_whole(out, agent.level);
            }
            out += "}}\n";
        }
    }

    void append_last_lines(std::string& out) override
    {
        const double fps = step_ == kNoStep ? fps_ : fps_ / static_cast<double>(step_);
        const std::map<std::int64_t, FrameSpan> in_order(watched_.begin(), watched_.end());
        std::int64_t scene = 0;
        for (const auto& [id, frames] : in_order) {
            fmt::format_to(std::back_inserter(out),
                           "{{\"scene\": {{\"id\": {}, \"p\": {}, \"s\": {}, \"e\": {}, \"fps\": "
                           "{}}}}}\n",
                           scene++, id, frames.first, frames.second, fps);
        }
    }

    Line read(std::string_view line, TextRow& row) const override
    {
        const TrajnetLine read = read_trajnet_line(line);
        if (read.kind == TrajnetLine::wrong) return Line::wrong;
        if (read.kind != TrajnetLine::track) return Line::other;
        row = read.row;
        return Line::row;
    }

private:
    using FrameSpan = std::pair<std::int64_t, std::int64_t>;  ///< the first and the last

    double fps_ = 1.0;
    std::optional<std::int64_t> last_frame_;
    std::uint64_t step_ = kNoStep;  ///< smallest between two frames
    std::unordered_map<std::int64_t, FrameSpan> watched_;
};

// ----------------------------------------------------------------------------------------- reading

/// Frame numbers between two rows of one walker, at least: rows are resampled, their numbers are
/// not.
std::uint64_t row_step(const std::vector<CollectedRow>& sorted)
{
    std::unordered_map<std::int64_t, std::int64_t> last;
    std::uint64_t step = kNoStep;
    for (const CollectedRow& row : sorted) {
        const auto [seen, is_new] = last.try_emplace(row.id, row.frame);
        if (!is_new) step = std::min(step, step_between(row.frame, seen->second));
        seen->second = row.frame;
    }
    return step == kNoStep ? 1 : step;
}

Result<CollectedRows> read_rows(TextLines& lines, double unit, std::optional<double>& scene_fps)
{
    CollectedRows rows;
    rows.path = lines.path();
    const auto error_here = [&](std::string_view message, std::string_view hint = {}) {
        return text_error(lines.path(), lines.number(), message, hint);
    };
    for (;;) {
        std::string_view line;
        const auto got = lines.next(line);
        if (!got) return got.error();
        if (!*got) return rows;
        if (trim(line).empty()) continue;
        if (kJsonRemark.begins(line)) {
            return error_here("a line of Sidestep's in a file that does not begin with one",
                              "the file was cut or put together; without these lines it is read "
                              "as any other");
        }
        const TrajnetLine read = read_trajnet_line(line);
        if (read.kind == TrajnetLine::wrong) {
            return error_here("is no track",
                              "a line is an object such as {\"track\": {\"f\": 0, \"p\": 1, \"x\": "
                              "0.5, \"y\": 2.0}}");
        }
        if (read.kind == TrajnetLine::scene && read.fps) {
            if (!(*read.fps > 0.0) || (scene_fps && *scene_fps != *read.fps)) {
                return error_here(fmt::format("scenes of {} and {} frames per second",
                                              scene_fps.value_or(0.0), *read.fps));
            }
            scene_fps = read.fps;
        }
        if (read.kind != TrajnetLine::track) continue;
        const RecordedAgent& agent = read.row.agent;
        const auto number = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(lines.number(), std::numeric_limits<std::uint32_t>::max()));
        const double x = scaled(agent.position.x, unit), y = scaled(agent.position.y, unit);
        if (!std::isfinite(x) || !std::isfinite(y)) return error_here("is too far away");
        rows.rows.push_back({read.row.frame, agent.id, x, y, number, agent.level});
    }
}

Result<std::unique_ptr<RecordingSource>> open_trajnet(const std::string& path,
                                                      const RecordingReadOptions& options)
{
    if (!options.columns.empty()) {
        return text_error(path, "has names in each line: columns cannot be given");
    }
    auto lines = TextLines::open(path, kJsonRemark.begin);
    if (!lines) return lines.error();
    std::optional<double> scene_fps;
    auto rows = read_rows(*lines, options.unit.value_or(1.0), scene_fps);
    if (!rows) return rows.error();
    if (rows->rows.empty()) return text_error(path, "there are no tracks in it");
    if (auto sorted = sort_rows(*rows); !sorted) return sorted.error();
    if (scene_fps) {
        rows->fps = *scene_fps * static_cast<double>(row_step(rows->rows));
    } else {
        rows->fps = options.fps;
    }
    if (!rows->fps) {
        return text_error(path, "no scene says how many frames make a second", "say it with --fps");
    }
    return open_rows(*std::move(rows));
}

}  // namespace

Result<std::unique_ptr<RecordingWriter>> create_ndjson(const RecordingTarget& target,
                                                       const RecordingInfo& info)
{
    return TextWriter::create(target, info, std::make_unique<NdjsonLayout>(info.fps));
}

Result<std::unique_ptr<RecordingSource>> open_ndjson(const std::string& path,
                                                     const RecordingReadOptions& options)
{
    if (is_sealed_text(path, kJsonRemark)) {
        return SealedText::open(path, options, std::make_unique<NdjsonLayout>());
    }
    return open_trajnet(path, options);
}

}  // namespace sidestep
