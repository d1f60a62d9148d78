// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sidestep {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

enum class Kind { unknown, known, id, frame, time, x, y, level };

struct Synonyms {
    Kind kind;
    std::string_view names;  ///< between blanks
};
constexpr auto kSynonyms = std::to_array<Synonyms>({
    {Kind::id,
     " id agent agent_id agentid ped ped_id pedid pedestrian pedestrian_id person "
     "person_id personid persid pers_id pid track_id trackid p "},
    {Kind::frame, " frame fr frame_id frameid frame_number frame_num framenumber f "},
    {Kind::time, " time t ts timestamp time_stamp seconds "},
    {Kind::x, " x x_est pos_x x_pos posx x_m x_world world_x pos.x "},
    {Kind::y, " y y_est pos_y y_pos posy y_m y_world world_y pos.y "},
    {Kind::level, " level "},
    {Kind::known, " z z_est pos_z z_pos vx vy vz - "},
});

Kind kind_of(std::string_view name)
{
    const std::string word = ' ' + to_lower(name) + ' ';
    for (const Synonyms& s : kSynonyms) {
        if (s.names.find(word) != std::string_view::npos) return s.kind;
    }
    return Kind::unknown;
}

/// A name and its unit: x/cm, x[cm], "x (cm)".
std::pair<std::string_view, std::string_view> split_unit(std::string_view name)
{
    const std::size_t at = name.find_first_of("/[(");
    if (at == std::string_view::npos) return {name, {}};
    std::string_view unit = trim(name.substr(at + 1));
    if (unit.ends_with(']') || unit.ends_with(')')) unit.remove_suffix(1);
    return {trim(name.substr(0, at)), trim(unit)};
}

/// A comma or semicolon inside quotation marks separates nothing.
std::size_t find_end(std::string_view line, std::size_t from, char sign)
{
    bool quoted = false;
    for (std::size_t i = from; i < line.size(); ++i) {
        if (line[i] == '"') quoted = !quoted;
        if (line[i] == sign && !quoted) return i;
    }
    return line.size();
}

}  // namespace

std::string_view trim(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string to_lower(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

std::optional<double> metres_of(std::string_view name)
{
    const std::string unit = to_lower(name);
    if (unit == "m") return 1.0;
    if (unit == "dm") return 0.1;
    if (unit == "cm") return 0.01;
    if (unit == "mm") return 0.001;
    return std::nullopt;
}

double scaled(double value, double unit)
{
    const double parts = std::round(1.0 / unit);
    return 1.0 / parts == unit ? value / parts : value * unit;
}

// -------------------------------------------------------------------------------------- separators

Separator Separator::of(std::string_view line)
{
    for (const char sign : {';', ','}) {
        if (line.find(sign) != std::string_view::npos) return {sign};
    }
    return {};
}

void Separator::split(std::string_view line, std::size_t most,
                      std::vector<std::string_view>& fields) const
{
    fields.clear();
    if (sign == ' ') {
        for (std::size_t at = line.find_first_not_of(kBlanks);
             at != std::string_view::npos && fields.size() < most;) {
            const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
            fields.push_back(line.substr(at, end - at));
            at = line.find_first_not_of(kBlanks, end);
        }
        return;
    }
    for (std::size_t at = 0; at <= line.size() && fields.size() < most;) {
        const std::size_t end = find_end(line, at, sign);
        std::string_view field = trim(line.substr(at, end - at));
        if (field.size() >= 2 && field.front() == '"' && field.back() == '"') {
            field = trim(field.substr(1, field.size() - 2));
        }
        fields.push_back(field);
        at = end + 1;
    }
}

// ----------------------------------------------------------------------------------------- columns

TableColumns TableColumns::from_names(std::span<const std::string_view> names)
{
    TableColumns columns;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto [name, unit] = split_unit(names[i]);
        const auto take = [i](std::optional<std::size_t>& column) {
            if (!column) column = i;
        };
        switch (kind_of(name)) {
            case Kind::id: take(columns.id); break;
            case Kind::frame: take(columns.frame); break;
            case Kind::time:
                take(columns.time);
                if (to_lower(unit) == "ms") columns.time_unit = 1e-3;
                break;
            case Kind::x:
                take(columns.x);
                if (const auto length = metres_of(unit)) columns.length_unit = *length;
                break;
            case Kind::y: take(columns.y); break;
            case Kind::level: take(columns.level); break;
            case Kind::known:
            case Kind::unknown: break;
        }
    }
    return columns;
}

std::optional<TableColumns> TableColumns::from_line(std::string_view line)
{
    const Separator separator = Separator::of(line);
    std::vector<std::string_view> names;
    separator.split(line, std::numeric_limits<std::size_t>::max(), names);
    const TableColumns columns = from_names(names);
    if (!columns.is_complete()) return std::nullopt;
    const auto needed = std::span(names).first(columns.count());
    const bool sentence =
        separator.sign == ' ' && std::any_of(needed.begin(), needed.end(), [](auto name) {
            return kind_of(split_unit(name).first) == Kind::unknown;
        });
    if (sentence) return std::nullopt;
    return columns;
}

std::string TableColumns::missing() const
{
    std::string text;
    const auto add = [&](bool there, std::string_view name) {
        if (!there) text += (text.empty() ? "" : ", ") + std::string(name);
    };
    add(id.has_value(), "id");
    add(frame || time, "frame or time");
    add(x.has_value(), "x");
    add(y.has_value(), "y");
    return text;
}

std::size_t TableColumns::count() const
{
    std::size_t count = 0;
    for (const auto& column : {id, frame, frame ? std::nullopt : time, x, y, level}) {
        if (column) count = std::max(count, *column + 1);
    }
    return count;
}

}  // namespace sidestep
