// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sidestep {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// Bytes of the valid UTF-8 character at `at`; 0: there is none.
std::size_t character_length(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80) return 1;
    std::size_t length = 0;
    unsigned char low = 0x80, high = 0xbf;  // of the second byte
    if (first >= 0xc2 && first <= 0xdf) {
        length = 2;
    } else if (first >= 0xe0 && first <= 0xef) {
        length = 3;
        if (first == 0xe0) low = 0xa0;
        if (first == 0xed) high = 0x9f;  // surrogates
    } else if (first >= 0xf0 && first <= 0xf4) {
        length = 4;
        if (first == 0xf0) low = 0x90;
        if (first == 0xf4) high = 0x8f;
    }
    if (length == 0 || at + length > text.size()) return 0;
    if (byte(at + 1) < low || byte(at + 1) > high) return 0;
    for (std::size_t i = at + 2; i < at + length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
    }
    return length;
}

/// Groups the digits before the point of a plain decimal number.
std::string group(std::string digits)
{
    const std::size_t begin = digits.starts_with('-') ? 1 : 0;
    std::size_t end = digits.find('.');
    if (end == std::string::npos) end = digits.size();
    for (; end > begin + 3; end -= 3) digits.insert(end - 3, 1, ',');
    return digits;
}

}  // namespace

std::string escape_html(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        const char c = text[i];
        if (length == 0 || (c >= 0 && c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
            if (c != '\r') out += kReplacement;
            ++i;
            continue;
        }
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += text.substr(i, length);
        }
        i += length;
    }
    return out;
}

std::string escape_json_script(std::string_view json)
{
    std::string out;
    out.reserve(json.size());
    for (const char c : json) {
        switch (c) {
            case '<': out += "\\u003c"; break;
            case '>': out += "\\u003e"; break;
            case '&': out += "\\u0026"; break;
            default: out += c;
        }
    }
    return out;
}

std::string group_digits(std::uint64_t number)
{
    return group(fmt::format("{}", number));
}

std::string to_fixed(double value, int decimals)
{
    if (!std::isfinite(value)) return "–";
    std::string text = group(fmt::format("{:.{}f}", value, decimals));
    if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) {
        text.erase(0, 1);
    }
    return text;
}

std::string to_short(double value)
{
    if (!std::isfinite(value)) return "–";
    const double size = std::fabs(value);
    if (size == 0.0) return "0";
    if (size < 1e-4 || size >= 1e9) return fmt::format("{:.3g}", value);
    const int whole_digits = static_cast<int>(std::floor(std::log10(size))) + 1;
    const int decimals = whole_digits >= 3 ? 0 : 3 - whole_digits;
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.')) text.pop_back();
    }
    return group(text);
}

std::string to_coordinate(double value)
{
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

std::string count_of(std::uint64_t count, std::string_view one, std::string_view several)
{
    return fmt::format("{} {}", group_digits(count), count == 1 ? one : several);
}

std::string to_base64(std::span<const std::uint8_t> bytes)
{
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        const std::uint32_t three = (std::uint32_t{bytes[i]} << 16) |
                                    (left > 1 ? std::uint32_t{bytes[i + 1]} << 8 : 0u) |
                                    (left > 2 ? std::uint32_t{bytes[i + 2]} : 0u);
        out += kDigits[three >> 18];
        out += kDigits[(three >> 12) & 63];
        out += left > 1 ? kDigits[(three >> 6) & 63] : '=';
        out += left > 2 ? kDigits[three & 63] : '=';
    }
    return out;
}

std::string to_base64(std::string_view bytes)
{
    return to_base64(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

}  // namespace sidestep
