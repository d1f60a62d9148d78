// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>

namespace sidestep {
namespace {

/// 10^4 times a length below this is a whole number that a double holds exactly.
constexpr double kLargestFixed = 1e11;
/// Beyond it a double does not tell whole numbers apart.
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

/// std::from_chars knows no +.
std::string_view without_plus(std::string_view text)
{
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    return text;
}

}  // namespace

void append_whole(std::string& out, std::int64_t value)
{
    const fmt::format_int text(value);
    out.append(text.data(), text.size());
}

void append_fixed(std::string& out, double value)
{
    if (!(std::abs(value) < kLargestFixed)) {
        fmt::format_to(std::back_inserter(out), "{:.4f}", value);
        return;
    }
    const std::int64_t units = std::llround(value * 1e4);
    const std::uint64_t size = static_cast<std::uint64_t>(units < 0 ? -units : units);
    if (units < 0) out += '-';
    const fmt::format_int whole(size / 10000);
    out.append(whole.data(), whole.size());
    const auto rest = static_cast<int>(size % 10000);
    const std::array<char, 5> decimals{
        '.', static_cast<char>('0' + rest / 1000), static_cast<char>('0' + rest / 100 % 10),
        static_cast<char>('0' + rest / 10 % 10), static_cast<char>('0' + rest % 10)};
    out.append(decimals.data(), decimals.size());
}

void append_exact(std::string& out, double value)
{
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value + 0.0).ptr;
    out.append(text.data(), end);
}

std::optional<double> to_real(std::string_view text)
{
    text = without_plus(text);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> to_whole(std::string_view text)
{
    text = without_plus(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return value;
    const std::optional<double> real = to_real(text);
    if (!real || std::abs(*real) > kLargestWhole || *real != std::trunc(*real)) return std::nullopt;
    return static_cast<std::int64_t>(*real);
}

}  // namespace sidestep
