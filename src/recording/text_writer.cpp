// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <variant>

#include "recording/text_lines.hpp"

namespace sidestep {
namespace {

/// What is gathered before it goes to the disk [bytes].
constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

TextWriter::TextWriter(RecordingTarget target, std::unique_ptr<TextLayout> layout, std::FILE* file)
    : target_(std::move(target)), layout_(std::move(layout)), file_(file)
{
    std::setvbuf(file_, nullptr, _IONBF, 0);  // the block is the buffer
}

TextWriter::~TextWriter()
{
    close();
}

Result<std::unique_ptr<RecordingWriter>> TextWriter::create(const RecordingTarget& target,
                                                            const RecordingInfo& info,
                                                            std::unique_ptr<TextLayout> layout)
{
    std::string head = to_text(HeadRemark{info}, layout->remark_style());
    if (head.size() > TextLines::kLongestRemark) {
        return Error{
            ErrorCode::unsupported,
            fmt::format("{}: the outline of the plan is too large for a text file", target.file)};
    }
    head += layout->head_lines(info);
    RecordingTarget made = target;
    if (auto part = make_part(made); !part) return part.error();
    std::FILE* file = std::fopen(made.part.c_str(), "r+b");
    if (file == nullptr) {
        std::remove(made.part.c_str());
        return Error{ErrorCode::io,
                     fmt::format("{}: {}", target.file, std::generic_category().message(errno))};
    }
    std::unique_ptr<TextWriter> writer(new TextWriter(made, std::move(layout), file));
    writer->block_ = std::move(head);
    writer->append_check();
    if (auto done = writer->flush(); !done) {
        writer->close();
        std::remove(made.part.c_str());
        return done.error();
    }
    return std::unique_ptr<RecordingWriter>(std::move(writer));
}

void TextWriter::append(const RecordedFrame& frame)
{
    if (frame.agents.empty()) {
        block_ += to_text(EmptyFrameRemark{frame.number}, layout_->remark_style());
    } else {
        layout_->append_rows(block_, frame);
    }
    ++frames_;
    rows_ += frame.agents.size();
}

Result<void> TextWriter::write(std::span<const RecordedItem> batch)
{
    for (const RecordedItem& item : batch) {
        const auto* frame = std::get_if<RecordedFrame>(&item);
        if (frame == nullptr) continue;  // notes are not kept
        append(*frame);
        if (block_.size() < kBlock) continue;
        append_check();
        if (auto done = flush(); !done) return done;
    }
    return {};
}

void TextWriter::append_check()
{
    hash_.add_bytes(block_.data(), block_.size());
    const std::string check = to_text(CheckRemark{hash_.digest()}, layout_->remark_style());
    hash_.add_bytes(check.data(), check.size());
    block_ += check;
}

Result<void> TextWriter::flush()
{
    if (std::fwrite(block_.data(), 1, block_.size(), file_) != block_.size()) return no_write();
    written_ += block_.size();
    block_.clear();
    return {};
}

Error TextWriter::no_write() const
{
    Error error{ErrorCode::io,
                fmt::format("{}: {}", target_.file, std::generic_category().message(errno))};
    if (target_.replaces) error.message += fmt::format("; {} is as it was", target_.file);
    return error;
}

Result<void> TextWriter::finish(const RecordedFacts&)
{
    layout_->append_last_lines(block_);
    hash_.add_bytes(block_.data(), block_.size());
    block_ += to_text(EndRemark{frames_, rows_, hash_.digest()}, layout_->remark_style());
    // On the disk before it has its name: a name without content would be worse than none.
    if (auto done = flush(); !done || fsync(fileno(file_)) != 0) {
        Error error = done ? no_write() : done.error();
        give_up();
        return error;
    }
    close();
    return name_part(target_);
}

void TextWriter::close()
{
    if (file_ != nullptr) std::fclose(file_);
    file_ = nullptr;
}

void TextWriter::give_up()
{
    // Whole frames and no more. What cannot be cut off is found by its missing end.
    if (file_ != nullptr) (void)!ftruncate(fileno(file_), static_cast<off_t>(written_));
    close();
}

}  // namespace sidestep
