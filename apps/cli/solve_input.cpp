// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solve_input.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>

namespace sidestep::cli {

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
    return to_number(value, key);
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
    if (!value.is_array() || value.size() != 2) {
        throw BadInput(fmt::format("'{}' must be a vector [x, y]", name));
    }
    return {to_number(value[0], name), to_number(value[1], name)};
}

Vec2 vec(const Json& in, const char* key)
{
    return to_vec(member(in, key), key);
}

std::uint32_t to_agent_id(const Json& agent)
{
    const Json& value = member(agent, "id");
    constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kLargest) {
        throw BadInput("'id' of an agent must be a whole number in [0, 4294967295]");
    }
    return static_cast<std::uint32_t>(value.get<std::uint64_t>());
}

MovingDisc to_agent(const Json& value, std::string_view name)
{
    const Json& agent = object(value, name);
    return {vec(agent, "p"), vec(agent, "v"), number(agent, "r"), to_agent_id(agent)};
}

MovingDisc agent(const Json& in, const char* key)
{
    return to_agent(member(in, key), key);
}

Encounter encounter(const Json& in)
{
    return {vec(in, "P"), number(in, "R"), vec(in, "v")};
}

HalfPlane to_half_plane(const Json& value)
{
    const Json& line = object(value, "lines");
    const Json& hard = member(line, "hard");
    if (!hard.is_boolean()) throw BadInput("'hard' must be true or false");
    return {vec(line, "q"), vec(line, "n"), hard.get<bool>()};
}

std::optional<VelocityDisc> acceleration_disc(const Json& in)
{
    const Json* acc = optional_member(in, "acc");
    if (acc == nullptr) return std::nullopt;
    const Json& disc = object(*acc, "acc");
    return VelocityDisc{vec(disc, "c"), number(disc, "r")};
}

WallPolygon to_polygon(const Json& value)
{
    WallPolygon polygon;
    for (const Json& vertex : list(value, "polygons"))
        polygon.push_back(to_vec(vertex, "polygons"));
    return polygon;
}

std::vector<WallPolygon> to_polygons(const Json& value)
{
    std::vector<WallPolygon> result;
    for (const Json& p : list(value, "polygons")) result.push_back(to_polygon(p));
    return result;
}

std::vector<WallPolygon> polygons(const Json& in)
{
    return to_polygons(member(in, "polygons"));
}

OrcaNeighbour to_neighbour(const Json& value, std::string_view name)
{
    const MovingDisc disc = to_agent(value, name);
    const Json* share = optional_member(value, "w");
    return {disc, share != nullptr ? to_number(*share, "w") : 0.5};
}

SightSegment to_segment(const Json& value)
{
    if (!value.is_array() || value.size() != 2) throw BadInput("a wall must be [[x, y], [x, y]]");
    return {to_vec(value[0], "walls"), to_vec(value[1], "walls")};
}

Json to_json(Vec2 v)
{
    return Json::array({v.x, v.y});
}

}  // namespace sidestep::cli
