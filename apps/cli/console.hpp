// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/scenario.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What commands share when they talk to a person: errors, hints, tables.
namespace sidestep::cli {

// ----------------------------------------------------------------------------------------- errors

/// Prints `error: message` and, where there is one, `hint: ...`; returns the exit code.
int fail(int exit_code, std::string_view message, std::string_view hint = {});
/// Prints all of them; returns exit_code_of.
int fail(const Problems& problems);
/// kExitBadUsage, or kExitFault where something other than the input is at fault.
int exit_code_of(const Problems& problems);
/// Whether what was printed on standard output has got there; else says so and answers kExitFault.
int finish_output(int exit_code);

/// "did you mean 'orca'?", or if nothing is near the other hint, or "there are: orca, seek".
std::string hint_from(std::string_view word, std::span<const std::string_view> known,
                      std::string_view otherwise = {});

// ---------------------------------------------------------------------------------------- streams

/// What --json and --quiet leave of an answer.
enum class Output { text, json, none };

/// Writes text. What cannot be written is no reason to stop a run: finish_output tells.
void say(std::FILE* to, const std::string& text);
/// A terminal that can move its cursor.
bool is_terminal(std::FILE* stream);
/// Of the terminal; 80 where it does not say.
int columns_of(std::FILE* stream);
/// Whether the locale of the user shows characters beyond ASCII.
bool speaks_utf8();
/// Colours on a terminal, unless NO_COLOR is set.
bool shows_colour(std::FILE* stream);

// ------------------------------------------------------------------------------------------- text

std::string group_digits(std::uint64_t number);  ///< 1,234,567
/// Three digits that count, and no powers of ten.
std::string short_number(double value);
/// "1 agent", "25,000 agents"
std::string count_of(std::uint64_t count, std::string_view one, std::string_view several);
std::string to_hex(std::uint64_t hash);  ///< 16 digits

/// Columns of text under a header. On a terminal the last column is wrapped into what is left.
class Table {
public:
    explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    /// Numbers stand on the right of their column.
    void align_right(std::size_t column) { right_.push_back(column); }
    void print(std::FILE* to) const;

private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> right_;
};

}  // namespace sidestep::cli
