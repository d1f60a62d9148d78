// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/problem_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "scenario/limits.hpp"

namespace sidestep {
namespace {

/// Lists of names in hints: more than this are left out.
constexpr std::size_t kMaxListedNames = 24;
constexpr std::size_t kMaxQuotedBytes = 60;

bool comes_before(const Problem& a, const Problem& b)
{
    // Line 0: an override, after all lines of the file.
    return std::tuple{a.at.line - 1u, a.at.column} < std::tuple{b.at.line - 1u, b.at.column};
}

}  // namespace

std::string to_text(const Problem& problem)
{
    std::string text = "error: ";
    if (!problem.file.empty()) text += problem.file + ':';
    if (problem.at.line > 0) {
        text += fmt::format("{}:{}:", problem.at.line, problem.at.column);
    }
    if (text.back() == ':' && text.size() > 7) text += ' ';
    text += problem.message;
    if (!problem.hint.empty()) text += "\nhint: " + problem.hint;
    return text;
}

TextPlace place_of(const toml::source_region& region)
{
    if (region.path) return {};
    return {region.begin.line, region.begin.column};
}

std::string quote(std::string_view text)
{
    const bool cut = text.size() > kMaxQuotedBytes;
    std::size_t end = cut ? kMaxQuotedBytes : text.size();
    // never through the middle of a UTF-8 sequence
    while (cut && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
    std::string out = "'";
    for (const char c : text.substr(0, end)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) {
            out += fmt::format("\\x{:02x}", byte);
        } else {
            out += c;
        }
    }
    return out + (cut ? "...'" : "'");
}

std::string hint_names(std::string_view word, const std::vector<std::string_view>& names,
                       std::string_view what)
{
    if (const std::string_view near = nearest_name(word, names); !near.empty()) {
        return fmt::format("did you mean {}?", quote(near));
    }
    if (names.empty()) return fmt::format("there are no {}", what);
    const std::size_t shown = std::min(names.size(), kMaxListedNames);
    std::string list;
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) list += ", ";
        const std::string quoted = quote(names[i]);
        list += quoted.substr(1, quoted.size() - 2);
    }
    return fmt::format("{}: {}{}", what, list, shown < names.size() ? ", ..." : "");
}

void ProblemList::keep(Problem problem)
{
    if (problems_.size() >= kMaxProblems) {
        ++left_out_;
        return;
    }
    problems_.push_back(std::move(problem));
}

void ProblemList::add(TextPlace where, std::string code, std::string message, std::string hint)
{
    keep({std::move(code), std::move(message), file_, where, std::move(hint)});
}

void ProblemList::add(const toml::source_region& where, std::string code, std::string message,
                      std::string hint)
{
    if (where.path) {
        add_override(*where.path, std::move(code), std::move(message), std::move(hint));
    } else {
        add(place_of(where), std::move(code), std::move(message), std::move(hint));
    }
}

void ProblemList::add(const toml::node& where, std::string code, std::string message,
                      std::string hint)
{
    add(where.source(), std::move(code), std::move(message), std::move(hint));
}

void ProblemList::add_override(const std::string& override_text, std::string code,
                               std::string message, std::string hint)
{
    keep({std::move(code), std::move(message), override_text, {}, std::move(hint)});
}

Problems ProblemList::take()
{
    std::stable_sort(problems_.begin(), problems_.end(), comes_before);
    if (left_out_ > 0) {
        problems_.push_back({"too-many-problems",
                             fmt::format("{} more problems are not shown", left_out_),
                             file_,
                             {},
                             "mend the first ones and check again"});
    }
    return std::move(problems_);
}

}  // namespace sidestep
