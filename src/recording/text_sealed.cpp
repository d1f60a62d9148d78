// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_sealed.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <variant>

#include "recording/seal.hpp"

namespace sidestep {
namespace {

constexpr std::string_view kRecoverHint = "--recover takes the whole frames before";

}  // namespace

bool is_sealed_text(const std::string& path, RemarkStyle style)
{
    auto lines = TextLines::open(path, style.begin);
    if (!lines) return false;
    std::string_view line;
    const auto first = lines->next(line);
    return (first && *first && style.begins(line)) || style.begins(last_line(path));
}

// ----------------------------------------------------------------------------------------- opening

SealedText::SealedText(TextLines lines, bool recover, std::unique_ptr<TextLayout> layout)
    : lines_(std::move(lines)), recover_(recover), layout_(std::move(layout))
{}

Result<std::unique_ptr<RecordingSource>> SealedText::open(const std::string& path,
                                                          const RecordingReadOptions& options,
                                                          std::unique_ptr<TextLayout> layout)
{
    if (options.unit || !options.columns.empty()) {
        return text_error(path, "is a recording of Sidestep: its unit and columns are known",
                          "leave --unit and --columns away");
    }
    const RemarkStyle style = layout->remark_style();
    auto lines = TextLines::open(path, style.begin);
    if (!lines) return lines.error();
    std::unique_ptr<SealedText> source(
        new SealedText(*std::move(lines), options.recover, std::move(layout)));
    std::string_view line;
    const auto first = source->lines_.next(line);
    if (!first) return first.error();
    const auto remark = *first ? read_remark(line, style) : std::nullopt;
    if (!remark || !std::holds_alternative<HeadRemark>(*remark)) return source->head_error();
    const auto& head = std::get<HeadRemark>(*remark);
    if (head.format != kTextFormat) {
        return Error{ErrorCode::unsupported,
                     fmt::format("{}: has format {} of Sidestep's text files, and this version "
                                 "reads {}",
                                 path, head.format, kTextFormat)};
    }
    source->info = head.info;
    source->hash_.add_bytes(source->lines_.raw().data(), source->lines_.raw().size());
    // The first check is that of the head. Without it nothing is worth reading: what would the
    // numbers of the frames mean?
    if (auto read = source->read_block();
        !read || source->fault_ || !source->damage.empty() || source->whole_frames_ > 0) {
        return source->head_error();
    }
    return std::unique_ptr<RecordingSource>(std::move(source));
}

Error SealedText::head_error() const
{
    return text_error(lines_.path(), "the head of this recording is damaged or missing",
                      "the lines that begin with `" + std::string(layout_->remark_style().begin) +
                          "` are Sidestep's; without all of them it is read as any other file");
}

// ---------------------------------------------------------------------------------------- reading

Result<bool> SealedText::next(RecordedFrame& frame)
{
    while (next_ == ready_.size() && !ended_) {
        if (auto read = read_block(); !read) return read.error();
    }
    if (next_ < ready_.size()) {
        frame = std::move(ready_[next_++]);
        return true;
    }
    if (fault_) return *fault_;
    return false;
}

Result<void> SealedText::read_block()
{
    for (;;) {
        std::string_view line;
        const auto got = lines_.next(line);
        if (!got) {
            if (got.error().code == ErrorCode::io) return got.error();
            return end_with(changed("this is no text"), "what is behind it is not read");
        }
        if (!*got) return end_cut(false);
        const auto confirmed = take(line);
        if (!confirmed) {
            // The last line of a file that was cut is broken off; a remark stands behind a whole
            // frame.
            if (!lines_.has_end()) return end_cut(layout_->remark_style().begins(line));
            return end_with(confirmed.error(), "what is behind it is not read");
        }
        hash_.add_bytes(lines_.raw().data(), lines_.raw().size());
        if (!*confirmed) continue;
        confirm_pending();
        if (!ended_) return {};
        const auto more = lines_.next(line);
        if (!more || *more) {
            return end_with(changed("something follows the end of this recording"),
                            "what follows its end is not read");
        }
        return {};
    }
}

Result<bool> SealedText::take(std::string_view line)
{
    const RemarkStyle style = layout_->remark_style();
    if (style.begins(line)) {
        const auto remark = read_remark(line, style);
        if (!remark) return changed("a line of Sidestep's that makes no sense");
        return take(*remark);
    }
    // A row without its line end may have lost digits.
    TextRow row;
    switch (lines_.has_end() ? layout_->read(line, row) : TextLayout::Line::wrong) {
        case TextLayout::Line::row:
            if (auto done = take(row); !done) return done.error();
            return false;
        case TextLayout::Line::other: return false;
        case TextLayout::Line::wrong: break;
    }
    return changed("a row that makes no sense");
}

Result<bool> SealedText::take(const Remark& remark)
{
    if (const auto* empty = std::get_if<EmptyFrameRemark>(&remark)) {
        if (auto begun = begin_frame(empty->frame); !begun) return begun.error();
        return false;
    }
    if (const auto* check = std::get_if<CheckRemark>(&remark)) {
        if (check->hash != hash_.digest()) return changed("lines before this one were changed");
        return true;
    }
    if (const auto* end = std::get_if<EndRemark>(&remark)) {
        if (end->hash != hash_.digest() || end->frames != frames_ || end->rows != rows_) {
            return changed("lines before this one were changed");
        }
        ended_ = true;
        return true;
    }
    return changed("a second head");
}

Result<void> SealedText::take(const TextRow& row)
{
    if (!last_number_ || row.frame != *last_number_) {
        if (auto begun = begin_frame(row.frame); !begun) return begun;
    } else if (pending_.empty() || pending_.back().agents.empty() ||
               pending_.back().agents.back().id >= row.agent.id) {
        return changed("a row out of order");
    }
    pending_.back().agents.push_back(row.agent);
    ++rows_;
    return {};
}

Result<void> SealedText::begin_frame(std::int64_t number)
{
    if (last_number_ && *last_number_ >= number) return changed("a frame out of order");
    last_number_ = number;
    pending_.emplace_back().number = number;
    ++frames_;
    return {};
}

void SealedText::confirm_pending()
{
    whole_frames_ += pending_.size();
    ready_.clear();
    next_ = 0;
    std::swap(ready_, pending_);
}

// ----------------------------------------------------------------------------------------- damage

Error SealedText::changed(std::string_view what) const
{
    return text_error(lines_.path(), lines_.number(),
                      fmt::format("{}; {}", what, whole_before(whole_frames_)), kRecoverHint);
}

/// With recovery the fault is noted; without, it comes behind the frames that are whole.
Result<void> SealedText::end_with(Error fault, std::string_view missing)
{
    ended_ = true;
    pending_.clear();
    if (recover_) {
        damage.push_back(
            fmt::format("{}; {}", fault.message.substr(0, fault.message.find('\n')), missing));
    } else {
        fault_ = std::move(fault);
    }
    return {};
}

Result<void> SealedText::end_cut(bool last_is_whole)
{
    if (!last_is_whole && !pending_.empty() && !pending_.back().agents.empty()) pending_.pop_back();
    Error fault = text_error(
        lines_.path(), lines_.number(),
        fmt::format("the file is cut here; {}", whole_before(whole_frames_ + pending_.size())),
        kRecoverHint);
    if (recover_) confirm_pending();
    return end_with(std::move(fault), "the rest is missing");
}

}  // namespace sidestep
