// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <numeric>

#include "sidestep/scenario.hpp"

namespace sidestep {
namespace {

/// Words longer than this are no slip of a finger.
constexpr std::size_t kLongestWord = 60;

char to_lower(char c)
{
    if (c == '-') return '_';  // which of the two it was is easily forgotten
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    using Row = std::array<std::uint8_t, kLongestWord + 1>;
    Row before{}, row{}, next{};
    std::iota(row.begin(), row.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        next[0] = static_cast<std::uint8_t>(i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const bool same = to_lower(a[i]) == to_lower(b[j]);
            next[j + 1] = static_cast<std::uint8_t>(
                std::min({row[j] + (same ? 0 : 1), row[j + 1] + 1, next[j] + 1}));
            if (i > 0 && j > 0 && to_lower(a[i]) == to_lower(b[j - 1]) &&
                to_lower(a[i - 1]) == to_lower(b[j])) {
                next[j + 1] =
                    static_cast<std::uint8_t>(std::min(next[j + 1] + 0, before[j - 1] + 1));
            }
        }
        before = row;
        row = next;
    }
    return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names)
{
    std::string_view best;
    if (word.empty() || word.size() > kLongestWord) return best;
    // A third of the word may be wrong: "exti" is "exit", "foo" is not "box", "c" is not "a".
    std::size_t least = (word.size() + 1) / 3 + 1;
    for (const std::string_view name : names) {
        const std::size_t longer = std::max(name.size(), word.size());
        if (longer > kLongestWord || longer - std::min(name.size(), word.size()) >= least) continue;
        const std::size_t distance = edit_distance(word, name);
        if (distance < least) {
            least = distance;
            best = name;
        }
    }
    return best;
}

}  // namespace sidestep
