// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/check_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "scenario/limits.hpp"

namespace sidestep {
namespace {

/// Length of the UTF-8 sequence at the front, 0 if it is none (also overlong forms, surrogates and
/// what lies beyond Unicode).
std::size_t utf8_length(std::string_view s)
{
    const auto byte = [&](std::size_t i) {
        return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if ((first & 0xF0u) == 0xE0u) {
        if (!follows(1) || !follows(2)) return 0;
        if (first == 0xE0 && byte(1) < 0xA0) return 0;
        if (first == 0xED && byte(1) > 0x9F) return 0;
        return 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        if (!follows(1) || !follows(2) || !follows(3)) return 0;
        if (first == 0xF0 && byte(1) < 0x90) return 0;
        if (first == 0xF4 && byte(1) > 0x8F) return 0;
        return 4;
    }
    return 0;
}

class Scan {
public:
    /// What is no comment is added to `kept`, where there is one.
    explicit Scan(std::string_view text, std::string* kept = nullptr) : text_(text), kept_(kept) {}
    std::optional<Problem> run();
    std::size_t comment_bytes() const { return comment_bytes_; }

private:
    /// One character on; false where it is none.
    bool advance();
    bool at(std::string_view what) const { return text_.substr(i_).starts_with(what); }
    bool skip_comment();
    bool skip_text(std::string_view quotes, bool escapes);
    bool look_at(char c);
    bool fail(std::string code, std::string message, std::string hint = {});

    std::string_view text_;
    std::string* kept_ = nullptr;
    std::size_t i_ = 0;
    TextPlace place_{1, 1};
    std::size_t depth_ = 0;
    std::size_t dots_ = 0;  ///< in the key at hand
    std::size_t values_ = 0;
    std::size_t string_bytes_ = 0;
    std::size_t blank_bytes_ = 0;
    std::size_t comment_bytes_ = 0;
    std::optional<Problem> fault_;
};

bool Scan::fail(std::string code, std::string message, std::string hint)
{
    fault_ = Problem{std::move(code), std::move(message), {}, place_, std::move(hint)};
    return false;
}

bool Scan::advance()
{
    const char c = text_[i_];
    if (c >= ' ' && c < 0x7F) {
        ++i_;
        ++place_.column;
        return true;
    }
    if (c == '\n') {
        ++place_.line;
        place_.column = 1;
        ++i_;
        return place_.line <= kMaxLines ||
               fail("too-many", fmt::format("more than {} lines", kMaxLines));
    }
    if (c == '\0') {
        return fail("nul-byte", "a NUL byte: this is no text",
                    "a scenario is a TOML file in UTF-8");
    }
    const std::size_t length = utf8_length(text_.substr(i_));
    if (length == 0) {
        return fail("bad-utf8",
                    fmt::format("byte 0x{:02x} is no UTF-8", static_cast<unsigned char>(c)),
                    "save the file as UTF-8");
    }
    i_ += length;
    ++place_.column;
    return true;
}

bool Scan::skip_comment()
{
    const std::size_t begin = i_;
    while (i_ < text_.size() && text_[i_] != '\n') {
        if (!advance()) return false;
    }
    comment_bytes_ += i_ - begin;
    return true;
}

/// A text that does not end is left to the parser to complain about.
bool Scan::skip_text(std::string_view quotes, bool escapes)
{
    const std::size_t begin = i_;
    const TextPlace begin_place = place_;
    const bool one_line = quotes.size() == 1;
    for (std::size_t n = 0; n < quotes.size(); ++n) {
        if (!advance()) return false;
    }
    while (i_ < text_.size() && !at(quotes)) {
        if (one_line && text_[i_] == '\n') return true;
        if (escapes && text_[i_] == '\\' && i_ + 1 < text_.size() && !advance()) return false;
        if (!advance()) return false;
    }
    string_bytes_ += i_ - begin;
    if (string_bytes_ > kMaxStringBytes) {
        place_ = begin_place;
        return fail(
            "too-long",
            fmt::format("texts of {} bytes up to here, at most {}", string_bytes_, kMaxStringBytes),
            "large plans are better kept in a GeoJSON or WKT file");
    }
    for (std::size_t n = 0; n < quotes.size() && i_ < text_.size(); ++n) {
        if (!advance()) return false;
    }
    return true;
}

bool Scan::look_at(char c)
{
    switch (c) {
        case '[':
        case '{':
            dots_ = 0;
            // A table takes about twice the memory of a value.
            values_ += depth_ == 0 || c == '{' ? 2 : 1;
            if (++depth_ > kMaxNesting) {
                return fail(
                    "too-deep",
                    fmt::format("more than {} tables or lists within each other", kMaxNesting));
            }
            break;
        case ']':
        case '}':
            dots_ = 0;
            depth_ -= depth_ > 0 ? 1 : 0;
            break;
        case '.':
            if (++dots_ > kMaxNesting) {
                return fail(
                    "too-deep",
                    fmt::format("more than {} tables or lists within each other", kMaxNesting));
            }
            break;
        case '=': ++values_; [[fallthrough]];  // a key takes about as much as its value
        case ',':
            dots_ = 0;
            ++values_;
            break;
        case ' ':
        case '\t':
            if (++blank_bytes_ > kMaxBlankBytes) {
                return fail("too-many", fmt::format("more than {} blanks", kMaxBlankBytes));
            }
            break;
        case '\n': dots_ = 0; break;
        default: break;
    }
    if (values_ > kMaxValues) {
        return fail("too-many", fmt::format("more than {} values in the file", kMaxValues),
                    "large plans are better kept in a GeoJSON or WKT file");
    }
    return true;
}

std::optional<Problem> Scan::run()
{
    while (i_ < text_.size() && !fault_) {
        const char c = text_[i_];
        const std::size_t begin = i_;
        if (c == '#') {
            skip_comment();
            continue;
        }
        if (c == '"') {
            skip_text(at("\"\"\"") ? "\"\"\"" : "\"", true);
        } else if (c == '\'') {
            skip_text(at("'''") ? "'''" : "'", false);
        } else if (look_at(c)) {
            advance();
        }
        if (kept_ != nullptr) kept_->append(text_, begin, i_ - begin);
    }
    return fault_;
}

}  // namespace

std::optional<Problem> find_text_fault(std::string_view text, std::size_t* comment_bytes)
{
    Scan scan(text);
    std::optional<Problem> fault = scan.run();
    if (comment_bytes != nullptr) *comment_bytes = scan.comment_bytes();
    return fault;
}

std::string strip_comments(std::string_view text)
{
    std::string kept;
    Scan(text, &kept).run();
    return kept;
}

}  // namespace sidestep
