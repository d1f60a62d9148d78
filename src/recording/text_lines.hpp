// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/result.hpp"

namespace sidestep {

/// `path:line: message`, and on a line of its own `hint: ...` where there is one.
Error text_error(const std::string& path, std::uint64_t line, std::string_view message,
                 std::string_view hint = {});
/// The same for a file as a whole.
Error text_error(const std::string& path, std::string_view message, std::string_view hint = {});

/// Reads a text file line by line through one block of memory, whatever its size.
class TextLines {
public:
    /// Longer lines are no rows of anybody [bytes].
    static constexpr std::size_t kLongestLine = std::size_t{1} << 20;
    /// The same for lines that begin with `long_prefix`: outlines of a city may be in them.
    static constexpr std::size_t kLongestRemark = std::size_t{1} << 26;

    static Result<TextLines> open(const std::string& path, std::string_view long_prefix);

    /// The next line without its line end (LF, CR LF or the end of the file); false at the end. It
    /// stays until the next call. A NUL byte, a line that is too long and a disk that fails are
    /// Errors.
    Result<bool> next(std::string_view& line);
    std::uint64_t number() const { return number_; }  ///< of that line, from 1
    /// That line with its line end, as it is in the file.
    std::string_view raw() const { return raw_; }
    /// Whether that line had a line end: the last one of a file that was cut has none.
    bool has_end() const { return !raw_.empty() && raw_.back() == '\n'; }
    const std::string& path() const { return path_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    TextLines(std::string path, std::string_view long_prefix, std::FILE* file);
    std::optional<Error> refill();
    std::optional<Error> check_length(std::string_view line) const;

    std::string path_;
    std::string long_prefix_;
    std::unique_ptr<std::FILE, Close> file_;
    std::vector<char> block_;
    std::size_t begin_ = 0, end_ = 0;  ///< what is read and not handed out
    bool at_end_ = false;              ///< of the file
    std::uint64_t number_ = 0;
    std::string_view raw_;
};

/// The last line of a file that is not blank, as far as it lies in its last 64 KiB; empty where
/// there is none.
std::string last_line(const std::string& path);

}  // namespace sidestep
