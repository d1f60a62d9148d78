// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The questions of `sidestep solve` as JSON: members that must be there, of the right kind. What is
// wrong is thrown as BadInput and answered as the error of that line.

#include <sidestep/geometry.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sidestep::cli {

using Json = nlohmann::ordered_json;

/// What is wrong with a line of input; answered as that line's error.
struct BadInput : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const Json& member(const Json& object, const char* key);
/// The value of an optional key; null counts as absent.
const Json* optional_member(const Json& object, const char* key);
double to_number(const Json& value, std::string_view name);
double number(const Json& in, const char* key);
/// A number or the string "inf".
double to_number_or_inf(const Json& value, std::string_view key);
double number_or_inf(const Json& in, const char* key);
const Json& list(const Json& value, std::string_view name);
const Json& object(const Json& value, std::string_view name);
Vec2 to_vec(const Json& value, std::string_view name);
Vec2 vec(const Json& in, const char* key);
/// A whole number in [0, largest]; 250.0 and 2.5e2 are the same as 250.
std::uint64_t to_whole(const Json& value, std::string_view name, std::uint64_t largest);
/// The share of an avoidance that is more than none, in (0, 1].
double positive_share(const Json& in);
std::uint32_t to_agent_id(const Json& agent);
MovingDisc to_agent(const Json& value, std::string_view name);
MovingDisc agent(const Json& in, const char* key);
Encounter encounter(const Json& in);
HalfPlane to_half_plane(const Json& value, std::string_view name);
std::optional<VelocityDisc> acceleration_disc(const Json& in);
WallPolygon to_polygon(const Json& value, std::string_view name);
std::vector<WallPolygon> to_polygons(const Json& value);
std::vector<WallPolygon> polygons(const Json& in);
/// A neighbour; its share `w` is a half unless given.
OrcaNeighbour to_neighbour(const Json& value, std::string_view name);
SightSegment to_segment(const Json& value, std::string_view name);

/// Name of an item of a list: "nbs[0]".
std::string item_name(std::string_view list, std::size_t index);
/// The items of a list, each read by `read(value, its name)`.
template <class Read>
auto to_items(const Json& value, std::string_view name, Read read)
{
    std::vector<std::invoke_result_t<Read, const Json&, std::string_view>> items;
    for (const Json& item : list(value, name))
        items.push_back(read(item, item_name(name, items.size())));
    return items;
}

/// The value of a result, or its error as this line's error.
template <class T>
T value_of(Result<T> result)
{
    if (!result) throw BadInput(result.error().message);
    return *std::move(result);
}

Json to_json(Vec2 v);

}  // namespace sidestep::cli
