// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_lines.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace sidestep {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
/// How far back last_line looks [bytes].
constexpr long kTail = 1L << 16;

Error no_access(const std::string& path)
{
    return {ErrorCode::io, fmt::format("{}: {}", path, std::generic_category().message(errno))};
}

std::string with_hint(std::string text, std::string_view hint)
{
    if (!hint.empty()) text += fmt::format("\nhint: {}", hint);
    return text;
}

}  // namespace

Error text_error(const std::string& path, std::uint64_t line, std::string_view message,
                 std::string_view hint)
{
    return {ErrorCode::invalid_argument,
            with_hint(fmt::format("{}:{}: {}", path, line, message), hint)};
}

Error text_error(const std::string& path, std::string_view message, std::string_view hint)
{
    return {ErrorCode::invalid_argument, with_hint(fmt::format("{}: {}", path, message), hint)};
}

TextLines::TextLines(std::string path, std::string_view long_prefix, std::FILE* file)
    : path_(std::move(path)), long_prefix_(long_prefix), file_(file), block_(kBlock)
{}

Result<TextLines> TextLines::open(const std::string& path, std::string_view long_prefix)
{
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return no_access(path);
    std::setvbuf(file, nullptr, _IONBF, 0);  // the block is the buffer
    return TextLines(path, long_prefix, file);
}

/// Of a line, or of as much as there is of it.
std::optional<Error> TextLines::check_length(std::string_view line) const
{
    const std::size_t longest = line.starts_with(long_prefix_) ? kLongestRemark : kLongestLine;
    if (line.size() <= longest) return std::nullopt;
    return text_error(path_, number_ + 1, fmt::format("a line of more than {} bytes", longest),
                      "is this a text file?");
}

/// Reads more behind what is left; the block grows where a line fills it.
std::optional<Error> TextLines::refill()
{
    if (begin_ > 0) {
        std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (end_ == block_.size()) {
        if (auto error = check_length({block_.data(), end_})) return error;
        block_.resize(2 * block_.size());
    }
    const std::size_t got = std::fread(block_.data() + end_, 1, block_.size() - end_, file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0) return no_access(path_);
    at_end_ = got == 0;
    end_ += got;
    return std::nullopt;
}

Result<bool> TextLines::next(std::string_view& line)
{
    std::size_t searched = 0;
    const char* found = nullptr;
    for (;;) {
        const char* from = block_.data() + begin_ + searched;
        const std::size_t size = end_ - begin_ - searched;
        found = static_cast<const char*>(std::memchr(from, '\n', size));
        if (found != nullptr || at_end_) break;
        searched += size;
        if (auto error = refill()) return *std::move(error);
    }
    const char* first = block_.data() + begin_;
    const char* last = found != nullptr ? found + 1 : block_.data() + end_;
    raw_ = {first, static_cast<std::size_t>(last - first)};
    if (raw_.empty()) return false;
    if (auto error = check_length(raw_)) return *std::move(error);
    begin_ += raw_.size();
    ++number_;
    line = raw_;
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (std::memchr(line.data(), '\0', line.size()) != nullptr) {
        return text_error(path_, number_, "a NUL byte", "is this a text file in UTF-8?");
    }
    if (number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // a BOM
    return true;
}

std::string last_line(const std::string& path)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (file == nullptr) return {};
    // A file that is shorter is read from its beginning.
    if (std::fseek(file.get(), -kTail, SEEK_END) != 0) std::rewind(file.get());
    std::string tail(static_cast<std::size_t>(kTail), '\0');
    tail.resize(std::fread(tail.data(), 1, tail.size(), file.get()));
    tail.erase(tail.find_last_not_of(" \t\r\n") + 1);
    return tail.substr(tail.find_last_of('\n') + 1);  // npos + 1 is 0
}

}  // namespace sidestep
