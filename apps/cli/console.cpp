// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include "commands.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace sidestep::cli {
namespace {

/// The environment's value, or empty.
std::string_view environment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// Characters, not bytes; good enough for the Latin text we print.
std::size_t width_of(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

/// Breaks text at spaces into lines of at most `width` characters; a longer word stands alone.
std::vector<std::string> wrap(const std::string& text, std::size_t width)
{
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        std::string& line = lines.back();
        if (line.empty()) {
            line = word;
        } else if (width_of(line) + 1 + width_of(word) <= width) {
            line += ' ' + word;
        } else {
            lines.push_back(word);
        }
        at = end + 1;
    }
    return lines;
}

}  // namespace

// ----------------------------------------------------------------------------------------- errors

int fail(int exit_code, std::string_view message, std::string_view hint)
{
    say(stderr, fmt::format("error: {}\n", message));
    if (!hint.empty()) say(stderr, fmt::format("hint: {}\n", hint));
    return exit_code;
}

int fail(const Problems& problems)
{
    for (const Problem& problem : problems) say(stderr, to_text(problem) + '\n');
    return exit_code_of(problems);
}

int exit_code_of(const Problems& problems)
{
    const bool fault = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.code == "out-of-memory" || problem.code == "fault";
    });
    return fault ? kExitFault : kExitBadUsage;
}

int finish_output(int exit_code)
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
    return fail(kExitFault, "the output could not be written");
}

std::string hint_from(std::string_view word, std::span<const std::string_view> known,
                      std::string_view otherwise)
{
    const std::string_view nearest = nearest_name(word, known);
    if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
    if (!otherwise.empty()) return std::string(otherwise);
    return fmt::format("there are: {}", fmt::join(known, ", "));
}

// ---------------------------------------------------------------------------------------- streams

void say(std::FILE* to, const std::string& text)
{
    std::fwrite(text.data(), 1, text.size(), to);
}

bool is_terminal(std::FILE* stream)
{
    return isatty(fileno(stream)) != 0 && environment("TERM") != "dumb";
}

int columns_of(std::FILE* stream)
{
    constexpr int kUsual = 80;
    winsize size{};
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return kUsual;
}

bool speaks_utf8()
{
    // As setlocale decides it, without changing how numbers are printed.
    std::string_view locale = environment("LC_ALL");
    if (locale.empty()) locale = environment("LC_CTYPE");
    if (locale.empty()) locale = environment("LANG");
    std::string lower(locale);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
}

bool shows_colour(std::FILE* stream)
{
    return environment("NO_COLOR").empty() && is_terminal(stream);
}

// ------------------------------------------------------------------------------------------- text

std::string group_digits(std::uint64_t number)
{
    std::string digits = fmt::format("{}", number);
    for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
    return digits;
}

std::string short_number(double value)
{
    return value < 1000.0 ? fmt::format("{:.3g}", value)
                          : group_digits(static_cast<std::uint64_t>(std::llround(value)));
}

std::string count_of(std::uint64_t count, std::string_view one, std::string_view several)
{
    return fmt::format("{} {}", group_digits(count), count == 1 ? one : several);
}

std::string to_hex(std::uint64_t hash)
{
    return fmt::format("{:016x}", hash);
}

void Table::print(std::FILE* to) const
{
    constexpr std::size_t kGap = 2, kNarrowest = 18;
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    }
    const std::size_t last = widths.size() - 1;
    const std::size_t before =
        std::accumulate(widths.begin(), widths.end() - 1, kGap * last);  // the last column
    std::size_t room = widths[last];
    if (is_terminal(to)) {
        const auto columns = static_cast<std::size_t>(columns_of(to));
        room = std::min(room, columns > before + kNarrowest ? columns - before : kNarrowest);
    }
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < last; ++i) {
            const std::string padding(widths[i] - width_of(row[i]), ' ');
            const bool right = std::find(right_.begin(), right_.end(), i) != right_.end();
            line += right ? padding + row[i] : row[i] + padding;
            line.append(kGap, ' ');
        }
        for (const std::string& part : wrap(row[last], room)) {
            std::string whole = line + part;
            whole.erase(whole.find_last_not_of(' ') + 1);
            say(to, whole + '\n');
            line.assign(before, ' ');
        }
    }
}

}  // namespace sidestep::cli
