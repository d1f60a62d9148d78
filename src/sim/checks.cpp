// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "models/cone_model.hpp"

namespace sidestep {

std::string to_words(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string to_words(Vec2 value)
{
    return "(" + to_words(value.x) + ", " + to_words(value.y) + ")";
}

Error dead_agent()
{
    return {ErrorCode::dead_handle,
            "no such agent: it was removed, or the handle is of another world"};
}

Error out_of_memory() noexcept
{
    return {ErrorCode::out_of_memory,
            "out of memory"};  // at most 15 letters: std::string keeps those in itself
}

std::optional<Error> check_position(const WorldState& world, Vec2 position, std::string_view what)
{
    if (!std::isfinite(position.x) || !std::isfinite(position.y)) {
        return Error{ErrorCode::invalid_argument,
                     std::string(what) + " must be finite, got " + to_words(position)};
    }
    if (std::fabs(position.x - world.options.origin.x) > kHalfExtent ||
        std::fabs(position.y - world.options.origin.y) > kHalfExtent) {
        return Error{ErrorCode::out_of_range,
                     std::string(what) + " " + to_words(position) +
                         " is more than 4000 m from the world's origin " +
                         to_words(world.options.origin) +
                         "; set WorldOptions::origin to the middle of the scene"};
    }
    return std::nullopt;
}

std::optional<Error> check_velocity(Vec2 velocity, std::string_view what)
{
    if (!(std::fabs(velocity.x) <= kTopSpeed && std::fabs(velocity.y) <= kTopSpeed)) {
        return Error{
            ErrorCode::invalid_argument,
            std::string(what) + " must be finite and at most 1000 m/s, got " + to_words(velocity)};
    }
    return std::nullopt;
}

std::optional<Error> check_heading(double heading)
{
    if (!(std::fabs(heading) <= kMostHeading)) {
        return Error{ErrorCode::invalid_argument,
                     "heading must be finite and at most 1000 rad, got " + to_words(heading)};
    }
    return std::nullopt;
}

std::optional<Error> check_level(std::uint16_t level)
{
    if (level > kTopLevel) return Error{ErrorCode::out_of_range, "level must be at most 65534"};
    return std::nullopt;
}

std::optional<Error> check_free(const WorldState& world, Vec2 position, std::uint16_t level)
{
    if (solid_wall_around(world.walls, local_x(world, position.x), local_y(world, position.y),
                          level) != nullptr) {
        return Error{ErrorCode::inside_wall,
                     "position " + to_words(position) + " lies inside a solid wall"};
    }
    return std::nullopt;
}

Result<std::uint8_t> find_model(std::string_view name)
{
    std::string known;
    for (std::size_t i = 0; i < registry().size(); ++i) {
        if (registry()[i]->info.name == name) return static_cast<std::uint8_t>(i);
        known += (i > 0 ? ", " : "") + std::string(registry()[i]->info.name);
    }
    return Error{ErrorCode::unknown_name,
                 "no model '" + std::string(name) + "'; there are: " + known};
}

namespace {

const ParamInfo& info_of(std::uint8_t model, std::size_t param)
{
    return param < kTraitCount ? traits()[param]
                               : registry()[model]->info.params[param - kTraitCount];
}

/// "disc, clamp, brake, avo".
std::string list_of(std::span<const std::string_view> words)
{
    std::string list;
    for (const std::string_view word : words)
        list += (list.empty() ? "" : ", ") + std::string(word);
    return list;
}

std::size_t param_count(std::uint8_t model)
{
    return kTraitCount + registry()[model]->info.params.size();
}

}  // namespace

Result<std::size_t> find_param(std::uint8_t model, std::string_view name)
{
    std::string known;
    for (std::size_t i = 0; i < param_count(model); ++i) {
        if (info_of(model, i).name == name) return i;
        known += (i > 0 ? ", " : "") + std::string(info_of(model, i).name);
    }
    return Error{ErrorCode::unknown_name, "no trait '" + std::string(name) + "' of model " +
                                              std::string(registry()[model]->info.name) +
                                              "; there are: " + known};
}

Result<double> find_choice(std::uint8_t model, std::string_view name, std::string_view choice)
{
    const auto param = find_param(model, name);
    if (!param) return param.error();
    const ParamInfo& info = info_of(model, *param);
    if (info.choices.empty()) {
        return Error{
            ErrorCode::invalid_argument,
            std::string(name) + " is a number, got the word '" + std::string(choice) + "'"};
    }
    for (std::size_t i = 0; i < info.choices.size(); ++i) {
        if (info.choices[i] == choice) return static_cast<double>(i);
    }
    return Error{ErrorCode::unknown_name, std::string(name) + " cannot be '" + std::string(choice) +
                                              "'; there are: " + list_of(info.choices)};
}

Result<const PresetInfo*> find_preset(std::string_view name)
{
    std::string known;
    for (const PresetInfo& preset : presets()) {
        if (preset.name == name) return &preset;
        known += (known.empty() ? "" : ", ") + std::string(preset.name);
    }
    return Error{ErrorCode::unknown_name,
                 "no preset '" + std::string(name) + "'; there are: " + known};
}

namespace {

/// "radius must be between 0.01 and 50 [m], got 0".
std::string range_words(const ParamInfo& info, double value)
{
    std::string text = std::string(info.name) + " must be between " + to_words(double{info.min}) +
                       " and " + to_words(double{info.max});
    if (info.may_be_infinite) text += " or infinite";
    if (!info.unit.empty()) text += " [" + std::string(info.unit) + "]";
    return text + ", got " + to_words(value);
}

/// The number of one of the words.
Result<float> check_choice(const ParamInfo& info, double value)
{
    const bool in_range = value >= 0.0 && value < static_cast<double>(info.choices.size());
    if (in_range && value == std::floor(value)) return static_cast<float>(value);
    return Error{in_range ? ErrorCode::invalid_argument : ErrorCode::out_of_range,
                 std::string(info.name) + " must be one of " + list_of(info.choices) + "; got " +
                     to_words(value)};
}

}  // namespace

Result<float> check_value(std::uint8_t model, std::size_t param, double value)
{
    const ParamInfo& info = info_of(model, param);
    if (!info.choices.empty()) return check_choice(info, value);
    const bool infinite = info.may_be_infinite && value == HUGE_VAL;
    const bool in_range = value >= double{info.min} - 1e-9 && value <= double{info.max} + 1e-9;
    if (!infinite && !in_range) return Error{ErrorCode::out_of_range, range_words(info, value)};
    if (info.whole && value != std::floor(value)) {
        return Error{ErrorCode::invalid_argument,
                     std::string(info.name) + " must be a whole number, got " + to_words(value)};
    }
    return infinite ? static_cast<float>(value)
                    : std::clamp(static_cast<float>(value), info.min, info.max);
}

namespace {

/// Rows that there is memory for, everywhere. Growing takes that of the sort last, so all else has
/// at least as much.
std::size_t row_room(const WorldState& world)
{
    return world.sort.source.capacity();
}

bool grow_row_room(WorldState& world, std::size_t rows) noexcept
{
    const std::size_t leaves = (rows + kLeafRows - 1) / kLeafRows;
    const std::size_t whole_leaves = leaves * kLeafRows;
    return world.agents.reserve_rows(rows) && world.space.reserve(leaves) &&
           world.search_reach_sq.reserve(leaves) && world.search_looks_far.reserve(leaves) &&
           (!world.has_solid_bodies() ||
            (world.negotiation.reserve(whole_leaves) && world.push.reserve(whole_leaves))) &&
           world.sort.reserve(whole_leaves);
}

}  // namespace

std::optional<Error> ensure_room(WorldState& world, std::size_t more_rows,
                                 std::size_t more_agents) noexcept
{
    AgentTable& agents = world.agents;
    const auto fits = [&] { return agents.rows() + more_rows <= row_room(world); };
    if (!agents.reserve_slots(agents.live + more_agents)) return out_of_memory();
    if (fits()) return std::nullopt;
    const bool half_empty = agents.rows() > 2 * agents.live + 16 * kLeafRows;
    if (half_empty)
        sort_rows(agents, world.sort, LeafFill::full);  // close the gaps rather than grow
    if (fits()) return std::nullopt;
    const std::size_t room = row_room(world);
    if (grow_row_room(world, std::max(agents.rows() + more_rows, room + room / 2)))
        return std::nullopt;
    sort_rows(agents, world.sort,
              LeafFill::full);  // no memory: perhaps the rows that hold nobody will do
    if (fits()) return std::nullopt;
    return out_of_memory();
}

std::optional<Error> ensure_line_room(WorldState& world, std::size_t edges,
                                      std::size_t bodies) noexcept
{
    const std::size_t slots = edges + bodies + kNeighbourListCapacity + extra_line_rows(bodies);
    const auto reserve_worker = [&](ModelScratch& scratch) {
        LineScratch& lines = scratch.lines;
        const std::size_t cells = slots * kLeafRows;
        return lines.nx.reserve(cells) && lines.ny.reserve(cells) && lines.c.reserve(cells) &&
               lines.projected.reserve(5 * cells) && lines.source.reserve(cells) &&
               lines.source_kind.reserve(cells) && scratch.walls.reserve(edges, kLeafRows) &&
               scratch.regions.reserve(kRegionColumns * region_rows(bodies) * kLeafRows) &&
               scratch.perceived.edges.reserve(edges) && scratch.perceived.bodies.reserve(bodies) &&
               scratch.perceived.unnoticed_bodies.reserve(bodies);
    };
    bool enough = reserve(world.wall_index, edges);
    for (const auto& worker : world.worker_states) enough = enough && reserve_worker(worker->model);
    enough = enough && reserve_worker(world.dry_run->model);
    if (!enough) return out_of_memory();
    return std::nullopt;
}

}  // namespace sidestep
