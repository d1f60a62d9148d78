// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidestep/models.hpp"
#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

// A scenario: what a file says, checked, as plain values. Names are resolved to indices, layouts
// are unfolded into floors, walls, areas and goals, lengths are metres in the user's coordinates.

namespace sidestep {

// ---------------------------------------------------------------------------------------------
// problems

/// Where something is written; lines and columns count from 1. Line 0: nowhere in the file (a
/// layout made it, or the command line).
struct TextPlace {
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    bool operator==(const TextPlace&) const = default;
};

/// One thing that is wrong with a scenario.
struct Problem {
    std::string code;  ///< stable and short: unknown-key, wrong-type, out-of-range, ...
    std::string message;
    std::string file;
    TextPlace at{};
    std::string hint;  ///< may be empty
};

using Problems = std::vector<Problem>;

/// `error: file:line:column: message`, and a second line `hint: ...` where there is one.
std::string to_text(const Problem& problem);

// ---------------------------------------------------------------------------------------------
// shapes and numbers

/// A polygon with holes; rings are not closed by a repeated vertex. Winding means nothing.
struct Polygon {
    std::vector<Vec2> shell;
    std::vector<std::vector<Vec2>> holes;
};

/// A number that may differ from agent to agent.
struct Distribution {
    enum class Kind : std::uint8_t { constant, uniform, normal, log_normal, choice };
    Kind kind = Kind::constant;
    double first = 0.0;   ///< the value; lower end; mean; mean of the logarithm
    double second = 0.0;  ///< -; upper end; standard deviation; that of the logarithm
    double low = -std::numeric_limits<double>::infinity();  ///< cut-offs: drawn again outside
    double high = std::numeric_limits<double>::infinity();
    std::vector<double> values;   ///< of a choice
    std::vector<double> weights;  ///< of a choice, as many
};

// ---------------------------------------------------------------------------------------------
// concepts of a scenario, in the order of the file

enum class OverlappingStarts : std::uint8_t { reject, separate };

struct WorldPlan {
    std::string name;
    std::string description;
    std::string figure;     ///< of which paper, for the list of scenes
    double step = 0.05;     ///< [s]
    double output = 0.1;    ///< [s] between recorded frames, a whole number of steps
    double duration = 600;  ///< [s]
    std::uint64_t seed = 1;
    PassingSide passing_side = PassingSide::right;
    bool deadlock_policy = true;
    SolidBodies solid_bodies = SolidBodies::off;
    OverlappingStarts overlapping_starts = OverlappingStarts::reject;
    std::optional<Vec2> origin;  ///< else the middle of everything, in whole metres
};

/// A piece of floor.
struct FloorPlan {
    Polygon polygon;
    std::uint16_t level = 0;
    TextPlace at{};
};

struct WallPlan {
    WallKind kind = WallKind::solid;  ///< solid or thin
    std::vector<Vec2> vertices;       ///< a polygon; of a thin wall a line of two or more points
    std::uint16_t level = 0;
    TextPlace at{};
};

/// A piece of floor that can be closed.
struct DoorPlan {
    std::string name;
    std::vector<Vec2> polygon;
    bool open = true;
    std::uint16_t level = 0;
    TextPlace at{};
};

/// A name for a part of the floor.
struct AreaPlan {
    std::string name;
    std::vector<Polygon> polygons;
    std::uint16_t level = 0;
    TextPlace at{};
};

/// Places that a layout made: seats.
struct PlacesPlan {
    std::string name;
    std::vector<Vec2> positions;
    std::uint16_t level = 0;
};

/// Crossings and the streets between them, for stages that roam.
struct NetworkPlan {
    std::string name;
    std::vector<Polygon> nodes;                     ///< convex
    std::vector<std::vector<std::uint32_t>> links;  ///< of each node, to nodes in sight of it
    std::uint16_t level = 0;
};

struct ProfilePlan {
    std::string name;
    std::string model = "orca";
    /// Traits and parameters by name, each once: those of the preset, then the profile's own. A
    /// word is its place in the list of choices.
    std::vector<std::pair<std::string, Distribution>> values;
    std::string preset{};  ///< that it was made from; may be empty
    TextPlace at{};
};

/// A part of a population.
struct MixPart {
    std::uint32_t profile = 0;
    double share = 0.0;  ///< of all, in (0, 1]
};

struct GoalPlan {
    enum class Kind : std::uint8_t { point, line, area };
    std::string name;
    Kind kind = Kind::point;
    Vec2 point{};
    std::array<Vec2, 2> line{};
    std::vector<Polygon> area;
    double reach = 0.25;  ///< reached within this distance of a point [m]
    std::uint16_t level = 0;
    TextPlace at{};
};

struct StagePlan {
    enum class Kind : std::uint8_t {
        waypoint,  ///< go there, then the next stage
        exit,      ///< go there and leave the world
        stay,      ///< go there (or stand where you are) and stand for good
        wait,      ///< stand for `seconds`, then the next stage
        roam,      ///< from crossing to crossing of a network, for ever
        walk,      ///< in one direction, for ever
    };
    Kind kind = Kind::stay;
    std::vector<std::uint32_t> goals;  ///< the nearest of these
    bool opposite = false;             ///< instead of goals: the start mirrored in `centre`
    Vec2 centre{};
    double reach = 0.25;       ///< of `opposite`: reached within this distance [m]
    Distribution seconds{};    ///< of a wait
    Distribution direction{};  ///< of a walk [deg], counter-clockwise from +x
    std::uint32_t network = 0;
    TextPlace at{};
};

struct JourneyPlan {
    std::string name;
    std::vector<StagePlan> stages;
    bool repeat = false;  ///< after the last stage comes the first
    TextPlace at{};
};

/// Agents that are there at the start.
struct AgentsPlan {
    enum class Placement : std::uint8_t { positions, area, lattice, ring };
    std::string name;
    Placement placement = Placement::positions;
    std::vector<Vec2> positions;  ///< explicit, or the places a layout made
    bool choose = false;          ///< `count` of the positions, by the seed; else all
    std::uint64_t count = 0;
    std::vector<Polygon> area;  ///< at random in it, without overlap
    double gap = 0.02;          ///< at least this between two bodies in the area [m]
    Vec2 centre{};              ///< of the lattice or ring [m]
    double spacing = 1.0;       ///< of the lattice [m]
    std::uint32_t columns = 0, rows = 0;
    double angle_deg = 0.0;  ///< of the lattice; of the first agent on the ring
    double ring_radius = 0.0;
    std::uint32_t profile = 0;
    std::vector<MixPart> mix{};  ///< instead of `profile` where it is not empty; shares add up to 1
    std::uint32_t journey = 0;
    Distribution pre_movement{};  ///< [s] before the first step
    double velocity_jitter =
        0.0;          ///< length of a fixed offset of each preferred velocity [m/s], at most
    Vec2 velocity{};  ///< at the start [m/s]
    std::optional<double> heading_deg{};  ///< of vehicles; else towards the first goal
    bool starts_at_full_pace = false;  ///< instead: towards the first goal at the preferred speed
    std::uint16_t level = 0;
    TextPlace at{};
};

/// Agents that come while it runs.
struct SourcePlan {
    std::string name;
    std::vector<Polygon> area;
    double rate = 0.0;                                       ///< [1/s], evenly spaced
    std::vector<std::pair<double, std::uint64_t>> schedule;  ///< (time [s], how many)
    double from = 0.0;                                       ///< [s]
    double until = std::numeric_limits<double>::infinity();  ///< [s]
    std::uint64_t count = 0;                                 ///< at most; 0: no limit
    std::uint32_t profile = 0;
    std::vector<MixPart> mix{};  ///< as in AgentsPlan
    std::uint32_t journey = 0;
    Distribution pre_movement{};
    std::uint16_t level = 0;
    TextPlace at{};
};

/// People who walk together.
struct GroupPlan {
    std::vector<std::uint32_t> agents;  ///< numbers of [[agents]]
    std::optional<std::uint32_t>
        source;              ///< instead: of [[sources]], `size` to a group as they come
    std::uint32_t size = 0;  ///< so many to a group, by id; 0: all of them are one
    Formation formation = Formation::abreast;
    std::optional<std::uint32_t> leader;  ///< of [[agents]]; else the first of each group leads
    TextPlace at{};
};

struct ZonePlan {
    std::string name;
    std::vector<Polygon> area;
    double speed_factor = 1.0;
    std::uint16_t level = 0;
    TextPlace at{};
};

/// Something that moves along a line and yields to nobody.
struct BodyPlan {
    enum class Mode : std::uint8_t { once, shuttle, loop };
    std::string name;
    double radius = 0.5;        ///< of a disc [m]
    std::vector<Vec2> outline;  ///< of a polygon, about the point that follows the path [m]
    std::vector<Vec2> path;     ///< one point: it stands there
    double speed = 1.0;         ///< [m/s]
    Mode mode = Mode::once;
    double from = 0.0;  ///< sets off then [s]
    std::uint16_t level = 0;
    bool always_noticed = false;  ///< also by people who have not observed it yet
    TextPlace at{};
};

/// Who gives way to whom: each of some agents takes this share of the avoidance towards each of
/// others, and these take the rest.
struct RolePlan {
    std::uint32_t of = 0, towards = 0;  ///< numbers of [[agents]]; the same: of the lower id
    Distribution share{};               ///< in [0, 1]
    TextPlace at{};
};

struct EventPlan {
    enum class Action : std::uint8_t { open, close, journey, remove, set, preset, profile, model };
    double time = 0.0;  ///< [s]
    Action action = Action::open;
    std::uint32_t door = 0;             ///< of open, close
    std::optional<std::string> agents;  ///< not of doors: the group or source; else all
    std::vector<Polygon> area;          ///< and only those in it; empty: wherever they are
    std::uint32_t journey = 0;          ///< the new one
    std::uint32_t profile = 0;          ///< likewise
    std::string name{};                 ///< of the preset or model
    /// Of set and preset: traits and parameters by name. A word is its place in the list.
    std::vector<std::pair<std::string, double>> values{};
    TextPlace at{};
};

/// One line of [expect].
struct ExpectPlan {
    std::string key;     ///< one of expectations()
    double value = 0.0;  ///< true is 1
    TextPlace at{};
};

struct Scenario {
    std::string file;  ///< its name in messages
    std::string text;  ///< as it was read, overrides noted on top
    WorldPlan world;
    std::string layout;  ///< name of the layout, or empty
    std::vector<FloorPlan> floors;
    std::vector<WallPlan> walls;
    std::vector<DoorPlan> doors;
    std::vector<AreaPlan> areas;
    std::vector<PlacesPlan> places;
    std::vector<NetworkPlan> networks;
    std::vector<ProfilePlan> profiles;  ///< 0 is `default`
    std::vector<GoalPlan> goals;
    std::vector<JourneyPlan> journeys;
    std::vector<AgentsPlan> agents;
    std::vector<SourcePlan> sources;
    std::vector<GroupPlan> groups;
    std::vector<RolePlan> roles;
    std::vector<ZonePlan> zones;
    std::vector<BodyPlan> bodies;
    std::vector<EventPlan> events;
    std::vector<ExpectPlan> expect;
};

// ---------------------------------------------------------------------------------------------
// reading

/// `key=value` from the command line: a dotted path (`world.step`, `agents.0.count`) and a TOML
/// value.
using Override = std::pair<std::string, std::string>;

struct ReadOptions {
    std::vector<Override> overrides;
    std::span<const ModelInfo> models;  ///< the catalogue that profiles are checked against
    /// One of them that everybody will have instead of the file's, as SimulationOptions::model:
    /// profiles may set its parameters too.
    std::optional<std::string> model{};
};

/// A scenario, or what is wrong with it: all of it at once, in the order of the file.
struct ReadScenario {
    std::optional<Scenario> scenario;
    Problems problems;
};

/// Reads a file. Other files it names must lie in its folder or below.
ReadScenario read_scenario(const std::string& path, const ReadOptions& options);
/// Reads text; `name` stands for the file in messages. Files it names are refused.
ReadScenario parse_scenario(std::string_view text, const std::string& name,
                            const ReadOptions& options);

/// The scenes that are shipped, in alphabetical order.
struct SceneInfo {
    std::string_view name;
    std::string_view text;  ///< the file
};
std::span<const SceneInfo> scenes();

/// The quantities [expect] can ask for.
struct ExpectInfo {
    std::string_view key;
    std::string_view unit;
    std::string_view meaning;
};
std::span<const ExpectInfo> expectations();

/// The name that was probably meant by a word that is none of them; empty if none is near.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);

/// The format, from the tables that check it: for a terminal, as JSON Schema, as a page of docs.
/// Help about a table that does not exist is empty; scenario_topics() lists those that do.
std::string scenario_help(std::string_view table = {});
std::vector<std::string_view> scenario_topics();
std::string scenario_schema();
std::string scenario_page();
/// The traits, presets and populations as a page of docs.
std::string traits_page();

}  // namespace sidestep
