// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solve_input.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace sidestep::cli {
namespace {

/// What `read` gives; a fault says in which object it is.
template <class Read>
auto within(std::string_view name, Read read)
{
    try {
        return read();
    } catch (const BadInput& fault) {
        throw BadInput(fmt::format("in '{}': {}", name, fault.what()));
    }
}

}  // namespace

const Json& member(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end()) throw BadInput(fmt::format("'{}' is missing", key));
    return *found;
}

const Json* optional_member(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

double to_number(const Json& value, std::string_view name)
{
    if (!value.is_number()) throw BadInput(fmt::format("'{}' must be a number", name));
    return value.get<double>();
}

double number(const Json& in, const char* key)
{
    return to_number(member(in, key), key);
}

double to_number_or_inf(const Json& value, std::string_view key)
{
    if (value.is_string() && value.get_ref<const std::string&>() == "inf") {
        return std::numeric_limits<double>::infinity();
    }
    if (!value.is_number()) throw BadInput(fmt::format("'{}' must be a number or \"inf\"", key));
    return value.get<double>();
}

double number_or_inf(const Json& in, const char* key)
{
    return to_number_or_inf(member(in, key), key);
}

const Json& list(const Json& value, std::string_view name)
{
    if (!value.is_array()) throw BadInput(fmt::format("'{}' must be a list", name));
    return value;
}

const Json& object(const Json& value, std::string_view name)
{
    if (!value.is_object()) throw BadInput(fmt::format("'{}' must be an object", name));
    return value;
}

Vec2 to_vec(const Json& value, std::string_view name)
{
    if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) {
        throw BadInput(fmt::format("'{}' must be a vector of two numbers", name));
    }
    return {value[0].get<double>(), value[1].get<double>()};
}

Vec2 vec(const Json& in, const char* key)
{
    return to_vec(member(in, key), key);
}

std::uint64_t to_whole(const Json& value, std::string_view name, std::uint64_t largest)
{
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= largest)
        return value.get<std::uint64_t>();
    if (value.is_number_float()) {
        const double x = value.get<double>();
        if (x >= 0.0 && x <= static_cast<double>(largest) && x == std::floor(x))
            return static_cast<std::uint64_t>(x);
    }
    throw BadInput(fmt::format("'{}' must be a whole number in [0, {}]", name, largest));
}

double positive_share(const Json& in)
{
    const double share = number(in, "share");
    if (!(share > 0.0 && share <= 1.0)) throw BadInput("'share' must be in (0, 1]");
    return share;
}

std::uint32_t to_agent_id(const Json& agent)
{
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(to_whole(member(agent, "id"), "id", kLargest));
}

MovingDisc to_agent(const Json& value, std::string_view name)
{
    const Json& agent = object(value, name);
    return within(name, [&agent] {
        return MovingDisc{vec(agent, "p"), vec(agent, "v"), number(agent, "r"), to_agent_id(agent)};
    });
}

MovingDisc agent(const Json& in, const char* key)
{
    return to_agent(member(in, key), key);
}

Encounter encounter(const Json& in)
{
    return {vec(in, "P"), number(in, "R"), vec(in, "v")};
}

HalfPlane to_half_plane(const Json& value, std::string_view name)
{
    const Json& line = object(value, name);
    return within(name, [&line] {
        const Json& hard = member(line, "hard");
        if (!hard.is_boolean()) throw BadInput("'hard' must be true or false");
        return HalfPlane{vec(line, "q"), vec(line, "n"), hard.get<bool>()};
    });
}

std::optional<VelocityDisc> acceleration_disc(const Json& in)
{
    const Json* acc = optional_member(in, "acc");
    if (acc == nullptr) return std::nullopt;
    const Json& disc = object(*acc, "acc");
    return within("acc", [&disc] { return VelocityDisc{vec(disc, "c"), number(disc, "r")}; });
}

WallPolygon to_polygon(const Json& value, std::string_view name)
{
    return to_items(value, name, to_vec);
}

std::vector<WallPolygon> to_polygons(const Json& value)
{
    return to_items(value, "polygons", to_polygon);
}

std::vector<WallPolygon> polygons(const Json& in)
{
    return to_polygons(member(in, "polygons"));
}

OrcaNeighbour to_neighbour(const Json& value, std::string_view name)
{
    const MovingDisc disc = to_agent(value, name);
    const Json* share = optional_member(value, "w");
    if (share == nullptr) return {disc, 0.5};
    return within(name, [&] { return OrcaNeighbour{disc, to_number(*share, "w")}; });
}

SightSegment to_segment(const Json& value, std::string_view name)
{
    if (!value.is_array() || value.size() != 2)
        throw BadInput(fmt::format("'{}' must be a wall [[x, y], [x, y]]", name));
    return {to_vec(value[0], item_name(name, 0)), to_vec(value[1], item_name(name, 1))};
}

std::string item_name(std::string_view list, std::size_t index)
{
    return fmt::format("{}[{}]", list, index);
}

Json to_json(Vec2 v)
{
    // No vector of an answer is meant to be infinite: numbers of 1e-160 have squares of 0.
    if (std::isinf(v.x) || std::isinf(v.y)) throw BadInput("the result is too large for a number");
    return Json::array({v.x, v.y});
}

}  // namespace sidestep::cli
