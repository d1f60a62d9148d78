// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "scenario/load_file.hpp"
#include "scenario/problem_list.hpp"
#include "scenario/toml.hpp"
#include "scenario/values.hpp"
#include "sidestep/scenario.hpp"

namespace sidestep {

/// Names of one kind of thing, and where each is in its list.
using NameMap = std::map<std::string, std::uint32_t, std::less<>>;

/// A journey of one stage without a name: kind, goals, opposite, centre.
using InlineJourney = std::tuple<StagePlan::Kind, std::vector<std::uint32_t>, bool, double, double>;

/// Something that must lie near the origin.
struct Extent {
    Vec2 low{};
    Vec2 high{};
    std::string what;
    const toml::node* node = nullptr;  ///< null: a layout made it
};

/// All that the parts of reading share: the document, what is wrong with it, and the scenario as
/// it grows. A value that is wrong has been reported and is passed over: reading goes on, and in
/// the end there is no scenario.
struct Reading {
    const toml::table& root;
    const ReadOptions& options;
    ShapeFiles& files;
    ProblemList& problems;
    Scenario& scenario;

    /// The value of a key, unless it is absent or wrong.
    const toml::node* get(const toml::table& table, std::string_view key) const
    {
        const toml::node* node = table.get(key);
        return problems.is_marked(node) ? nullptr : node;
    }

    /// Levels of the areas of the scenario; none where the file does not say one.
    std::vector<std::optional<std::uint16_t>> area_levels = {};
    NameMap doors = {}, areas = {}, places = {}, networks = {};
    NameMap profiles = {}, goals = {}, journeys = {}, groups = {};
    NameMap agent_blocks = {}, source_blocks = {};
    std::map<std::string, std::vector<MixPart>, std::less<>> populations = {};
    std::map<InlineJourney, std::uint32_t> inline_journeys = {};
    std::optional<std::uint64_t> layout_agents = {};
    std::vector<Extent> extents = {};
    std::size_t vertices = 0;
    bool too_many_vertices = false;
    std::uint64_t agents = 0;
    bool too_many_agents = false;
    /// Lines of goals, where the file says them.
    std::map<std::uint32_t, const toml::node*> goal_lines = {};
    /// Goal -> the profile of the widest bodies that leave by it.
    std::map<std::uint32_t, std::uint32_t> widest_profile = {};
};

// ------------------------------------------------------------------------------ parts, in order

void read_world(Reading& r);
void read_layout(Reading& r);
void read_areas(Reading& r);
void read_plan(Reading& r);  ///< floors, walls, doors
void read_profiles(Reading& r);
void read_populations(Reading& r);
void read_goals(Reading& r);
void read_journeys(Reading& r);
void read_agents(Reading& r);
void read_sources(Reading& r);
void read_groups(Reading& r);
void read_roles(Reading& r);
void read_zones(Reading& r);
void read_bodies(Reading& r);
void read_events(Reading& r);
void read_expectations(Reading& r);
/// What holds for all of it together: extent, exits wide enough, number of agents.
void check_whole(Reading& r);

// --------------------------------------------------------------------------------------- helpers

/// Calls `read` for every [[name]].
void for_each_table(const Reading& r, std::string_view name,
                    const std::function<void(const toml::table&)>& read);

double number_or(const Reading& r, const toml::table& table, std::string_view key, double fallback);
std::string text_or(const Reading& r, const toml::table& table, std::string_view key,
                    std::string_view fallback = {});
bool flag_or(const Reading& r, const toml::table& table, std::string_view key, bool fallback);
std::uint16_t level_of(const Reading& r, const toml::table& table);
/// The same where `key` may name an area: its level is that of the table, which may not say
/// another.
std::uint16_t level_of(Reading& r, const toml::table& table, std::string_view key);
/// Reports a `level` of the table that is not the one given.
void check_level(Reading& r, const toml::table& table, std::string_view what, std::uint16_t level);
/// Reports a key that says nothing without another one.
void refuse(Reading& r, const toml::table& table, std::string_view key, std::string_view only);

/// Enters a name; two of a kind may not share one.
void add_name(Reading& r, NameMap& names, std::string_view kind, const toml::table& table,
              std::uint32_t index);
/// The place of a name, or a problem with the nearest one as a hint.
std::optional<std::uint32_t> find_name(Reading& r, const NameMap& names, std::string_view kind,
                                       std::string_view name, const toml::node& node);

/// Polygons of a value of the kind shape or floor_shape; faults are reported and left out.
std::vector<Polygon> read_shape(Reading& r, const toml::table& table, std::string_view key,
                                std::string_view what);
/// A box as a polygon.
std::optional<Polygon> read_box(Reading& r, const toml::table& table, std::string_view key,
                                std::string_view what);
/// Checks a polygon; where it is faulty the problem says where.
bool check_polygon(Reading& r, const toml::node& node, std::string_view key,
                   const Polygon& polygon);
/// Checks points that follow each other: no two may be the same.
bool check_line(Reading& r, const toml::node& node, std::string_view key,
                std::span<const Vec2> points);
void count_vertices(Reading& r, const toml::node& node, std::size_t count);

void add_extent(Reading& r, std::string what, const toml::node* node, std::span<const Vec2> points,
                double margin = 0.0);
void add_extent(Reading& r, std::string what, const toml::node* node,
                std::span<const Polygon> polygons);

/// Where the agents of a table go: journey, exit, goal, or none of them (stand).
std::uint32_t read_destination(Reading& r, const toml::table& table);
/// Who the agents of a table are: a profile, or several and their shares.
struct Kinds {
    std::uint32_t profile = 0;
    std::vector<MixPart> mix{};
};
Kinds kinds_of(Reading& r, const toml::table& table);
/// A profile by name, made from a preset where there is only that; none, and a problem, where there
/// is neither.
std::optional<std::uint32_t> find_profile(Reading& r, std::string_view name,
                                          const toml::node& node);
/// A model of the catalogue by name, or a problem.
const ModelInfo* find_model(Reading& r, std::string_view name, const toml::node* node);
/// A preset by name, or a problem.
const PresetInfo* find_preset(Reading& r, std::string_view name, const toml::node& node);
/// The number of a value of a parameter: itself, or the place of a word.
std::optional<double> to_value(const toml::node* node, const KeyInfo& key);
Distribution read_pre_movement(const Reading& r, const toml::table& table, std::string_view of);
/// Adds to the number of agents in all.
void count_agents(Reading& r, const toml::node& node, std::uint64_t count);
/// Remembers that bodies of these profiles leave through the exits of this journey.
void note_exits(Reading& r, std::uint32_t journey, const Kinds& kinds);
/// Levels are not joined: some goal of every stage must be on the level of the agents.
void check_levels(Reading& r, const toml::table& table, std::uint32_t journey, std::uint16_t level);
/// Widest body that a profile draws [m]; where no cut-off says so, three deviations above the mean.
double widest_radius(const Reading& r, const ProfilePlan& profile);

/// Rounded to millimetres, for messages.
std::string to_place(Vec2 point);

}  // namespace sidestep
