// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "recording/text_columns.hpp"
#include "recording/text_formats.hpp"
#include "recording/text_layout.hpp"
#include "recording/text_numbers.hpp"
#include "recording/text_sealed.hpp"
#include "recording/text_table.hpp"
#include "recording/text_writer.hpp"

namespace sidestep {
namespace {

class TxtLayout final : public TextLayout {
public:
    RemarkStyle remark_style() const override { return kCommentRemark; }

    std::string head_lines(const RecordingInfo& info) const override
    {
        // PedPy takes the unit from the last comment that has one.
        std::string lines = "# framerate: ";
        append_exact(lines, info.fps);
        return lines + "\n# id frame x/m y/m z/m\n";
    }

    void append_rows(std::string& out, const RecordedFrame& frame) override
    {
        for (const RecordedAgent& agent : frame.agents) {
            append_whole(out, agent.id);
            out += ' ';
            append_whole(out, frame.number);
            out += ' ';
            append_fixed(out, agent.position.x);
            out += ' ';
            append_fixed(out, agent.position.y);
            out += ' ';
            append_whole(out, agent.level);
            out += '\n';
        }
    }

    Line read(std::string_view line, TextRow& row) const override
    {
        if (line.starts_with('#')) return Line::other;
        Separator{}.split(line, kColumns + 1, fields_);
        if (fields_.size() != kColumns) return Line::wrong;
        const auto id = to_whole(fields_[0]), frame = to_whole(fields_[1]);
        const auto x = to_real(fields_[2]), y = to_real(fields_[3]);
        const auto level = to_whole(fields_[4]);
        if (!id || !frame || !x || !y || !level || *level < 0 ||
            *level > std::numeric_limits<std::uint16_t>::max()) {
            return Line::wrong;
        }
        row.frame = *frame;
        row.agent = {*id, static_cast<std::uint16_t>(*level), {*x, *y}, {}};
        return Line::row;
    }

private:
    static constexpr std::size_t kColumns = 5;
    mutable std::vector<std::string_view> fields_;  ///< of the line being read
};

}  // namespace

Result<std::unique_ptr<RecordingWriter>> create_txt(const RecordingTarget& target,
                                                    const RecordingInfo& info)
{
    return TextWriter::create(target, info, std::make_unique<TxtLayout>());
}

Result<std::unique_ptr<RecordingSource>> open_txt(const std::string& path,
                                                  const RecordingReadOptions& options)
{
    if (is_sealed_text(path, kCommentRemark)) {
        return SealedText::open(path, options, std::make_unique<TxtLayout>());
    }
    return open_table(path, options, "id frame x y");
}

}  // namespace sidestep
