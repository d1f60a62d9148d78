// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include <sidestep/analysis.hpp>
#include <sidestep/geometry.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

// ---------------------------------------------------------------- reading

/// What is wrong with a line of input; answered as that line's error.
struct BadInput : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const Json& member(const Json& object, const char* key)
{
    const auto found = object.find(key);
    if (found == object.end()) throw BadInput(fmt::format("'{}' is missing", key));
    return *found;
}

/// The value of an optional key; null counts as absent.
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

/// A number or the string "inf".
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

/// A neighbour; its share `w` is a half unless given.
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

/// The value of a result, or its error as this line's error.
template <class T>
T value_of(Result<T> result)
{
    if (!result) throw BadInput(result.error().message);
    return *std::move(result);
}

// ---------------------------------------------------------------- answering

Json to_json(Vec2 v)
{
    return Json::array({v.x, v.y});
}

const char* name_of(BoundaryFeature feature)
{
    switch (feature) {
        case BoundaryFeature::arc: return "arc";
        case BoundaryFeature::left: return "left";
        case BoundaryFeature::right: return "right";
        case BoundaryFeature::overlap: break;
    }
    return "overlap";
}

const char* status_of(const ProgramSolution& solution)
{
    return solution.relaxed ? "relaxed" : "ok";
}

Json solve_vo_contains(const Json& in)
{
    const auto test = value_of(vo_contains(encounter(in), number_or_inf(in, "tau")));
    Json ttc = nullptr;
    if (test.time_to_collision) ttc = *test.time_to_collision;
    return {{"inside", test.inside}, {"ttc", ttc}};
}

Json solve_vo_project(const Json& in)
{
    const auto exit = value_of(vo_project(encounter(in), number_or_inf(in, "tau")));
    return {{"u", to_json(exit.u)},
            {"n", to_json(exit.normal)},
            {"sd", exit.signed_distance},
            {"feature", name_of(exit.feature)}};
}

Json solve_vo_uncertain(const Json& in)
{
    const auto exit =
        value_of(vo_uncertain(encounter(in), number_or_inf(in, "tau"), number(in, "rho")));
    return {{"inside", exit.inside()},
            {"u", to_json(exit.u)},
            {"n", to_json(exit.normal)},
            {"sd", exit.signed_distance}};
}

Json solve_orca_line(const Json& in)
{
    const auto line = value_of(orca_line(agent(in, "a"), agent(in, "b"), number_or_inf(in, "tau"),
                                         number(in, "t_res"), number(in, "w")));
    return {{"u", to_json(line.u)},
            {"n", to_json(line.normal)},
            {"q", to_json(line.point)},
            {"feature", name_of(line.feature)}};
}

Json solve_lp(const Json& in)
{
    std::vector<HalfPlane> lines;
    for (const Json& l : list(member(in, "lines"), "lines")) lines.push_back(to_half_plane(l));
    const auto solution = value_of(
        solve_program({lines, number(in, "v_max"), vec(in, "v_pref"), acceleration_disc(in)}));
    return {{"status", status_of(solution)},
            {"v", to_json(solution.velocity)},
            {"t_soft", solution.t_soft},
            {"t_hard", solution.t_hard}};
}

Json solve_obstacle_lines(const Json& in)
{
    const auto lines = value_of(obstacle_lines(vec(in, "p"), vec(in, "v"), number(in, "r"),
                                               number(in, "tau_o"), polygons(in)));
    Json out = Json::array();
    for (const HalfPlane& line : lines) {
        out.push_back({{"n", to_json(line.normal)}, {"c", dot(line.normal, line.point)}});
    }
    return {{"lines", out}};
}

Json solve_orca_step(const Json& in)
{
    const Json& agents = list(member(in, "agents"), "agents");
    if (agents.empty()) throw BadInput("'agents' must hold at least the agent that plans");
    std::vector<OrcaNeighbour> neighbours;
    for (std::size_t i = 1; i < agents.size(); ++i) {
        neighbours.push_back(to_neighbour(agents[i], "agents"));
    }
    const std::vector<WallPolygon> walls = polygons(in);
    const auto solution = value_of(orca_step({.agent = to_agent(agents[0], "agents"),
                                              .neighbours = neighbours,
                                              .walls = walls,
                                              .tau = number_or_inf(in, "tau"),
                                              .tau_o = number(in, "tau_o"),
                                              .dt = number(in, "dt"),
                                              .v_max = number(in, "v_max"),
                                              .preferred = vec(in, "v_pref")}));
    return {{"status", status_of(solution)},
            {"v", to_json(solution.velocity)},
            {"t_soft", solution.t_soft}};
}

Json solve_visible(const Json& in)
{
    std::vector<SightSegment> walls;
    for (const Json& wall : list(member(in, "walls"), "walls")) walls.push_back(to_segment(wall));
    std::optional<Vec2> heading;
    if (const Json* value = optional_member(in, "heading")) heading = to_vec(*value, "heading");
    constexpr double kRadiansPerDegree = 3.141592653589793 / 180.0;
    const double fov_deg = number_or_inf(in, "fov_deg");
    const double all_round = 6.283185307179586;
    return {{"visible",
             value_of(visible(
                 {.from = vec(in, "pa"),
                  .to = vec(in, "pb"),
                  .heading = heading,
                  .field_of_view = fov_deg >= 360.0 ? all_round : fov_deg * kRadiansPerDegree,
                  .range = number_or_inf(in, "range"),
                  .walls = walls}))}};
}

Json solve_rcap_gate(const Json& in)
{
    std::vector<bool> seen;
    for (const Json& step : list(member(in, "visible"), "visible")) {
        if (!step.is_boolean()) throw BadInput("'visible' must hold true or false for each step");
        seen.push_back(step.get<bool>());
    }
    const auto active = value_of(rcap_gate(seen, number_or_inf(in, "T_obs"),
                                           number_or_inf(in, "T_forget"), number(in, "dt")));
    Json out = Json::array();
    for (const bool step : active) out.push_back(step);
    return {{"active", out}};
}

Json solve_mpd(const Json& in)
{
    const auto closest =
        value_of(closest_approach(vec(in, "pa"), vec(in, "va"), vec(in, "pb"), vec(in, "vb")));
    return {{"t", closest.time}, {"d", closest.distance}};
}

Json solve_energy(const Json& in)
{
    std::vector<Vec2> velocities;
    for (const Json& v : list(member(in, "v"), "v")) velocities.push_back(to_vec(v, "v"));
    return {{"E", value_of(walking_energy(velocities, number(in, "dt"), number(in, "m")))}};
}

Json solve_accel_clamp(const Json& in)
{
    const Vec2 v = value_of(accel_clamp(vec(in, "v_old"), vec(in, "v_computed"),
                                        number_or_inf(in, "a_max"), number(in, "dt")));
    return {{"v", to_json(v)}};
}

Json solve_brake_plane(const Json& in)
{
    const auto brake = value_of(brake_plane(agent(in, "a"), agent(in, "b"), number(in, "a_sum"),
                                            number(in, "dt"), number(in, "w")));
    return {{"c_max", brake.c_max}, {"n", to_json(brake.normal)}, {"q", to_json(brake.point)}};
}

Json solve_avo_contains(const Json& in)
{
    const Encounter pair{vec(in, "P"), number(in, "R"), vec(in, "v_rel")};
    const auto test = value_of(
        avo_contains(pair, vec(in, "v_target"), number_or_inf(in, "delta"), number(in, "tau")));
    return {{"inside", test.inside}, {"min_dist", test.min_dist}};
}

Json solve_wall_line(const Json& in)
{
    const auto line = value_of(wall_line(vec(in, "p"), number(in, "r"), vec(in, "s"), vec(in, "n"),
                                         number_or_inf(in, "tau"), number(in, "t_res")));
    return {{"n", to_json(line.normal)}, {"c", line.bound}};
}

Json solve_fair_area(const Json& in)
{
    const Encounter pair{vec(in, "P"), number(in, "R"), vec(in, "va") - vec(in, "vb")};
    const auto areas =
        value_of(fair_area(pair, number_or_inf(in, "tau"), number(in, "w"), number(in, "radius")));
    return {{"area_a", areas.a}, {"area_b", areas.b}};
}

Json solve_li_weight(const Json& in)
{
    const double rank_i = number_or_inf(in, "rank_i");
    const double rank_j = number_or_inf(in, "rank_j");
    return {{"w_ij", value_of(share_from_ranks(rank_i, rank_j))},
            {"w_ji", value_of(share_from_ranks(rank_j, rank_i))}};
}

/// Walls are an extra: `polygons`, and then `tau_o`.
Json solve_li_step(const Json& in)
{
    std::vector<OrcaNeighbour> neighbours;
    for (const Json& nb : list(member(in, "nbs"), "nbs")) {
        neighbours.push_back(to_neighbour(nb, "nbs"));
    }
    std::vector<WallPolygon> walls;
    if (const Json* given = optional_member(in, "polygons")) walls = to_polygons(*given);
    const auto v = value_of(li_step({.agent = agent(in, "a"),
                                     .neighbours = neighbours,
                                     .walls = walls,
                                     .tau = number_or_inf(in, "tau"),
                                     .tau_o = walls.empty() ? 1.0 : number(in, "tau_o"),
                                     .t_res = number(in, "t_res"),
                                     .dt = number(in, "dt"),
                                     .v_max = number(in, "v_max"),
                                     .a_max = number_or_inf(in, "a_max"),
                                     .alpha = number(in, "alpha"),
                                     .preferred = vec(in, "v_pref")}));
    return {{"v_calm", to_json(v.calm)},
            {"v_goal", to_json(v.goal)},
            {"v_set", to_json(v.set)},
            {"v_new", to_json(v.next)}};
}

struct Operation {
    std::string_view name;
    Json (*answer)(const Json& in);
};

// clang-format off
constexpr Operation kOperations[] = {
    {"vo_contains",    solve_vo_contains},
    {"vo_project",     solve_vo_project},
    {"vo_uncertain",   solve_vo_uncertain},
    {"orca_line",      solve_orca_line},
    {"lp",             solve_lp},
    {"obstacle_lines", solve_obstacle_lines},
    {"orca_step",      solve_orca_step},
    {"visible",        solve_visible},
    {"rcap_gate",      solve_rcap_gate},
    {"mpd",            solve_mpd},
    {"energy",         solve_energy},
    {"accel_clamp",    solve_accel_clamp},
    {"brake_plane",    solve_brake_plane},
    {"avo_contains",   solve_avo_contains},
    {"wall_line",      solve_wall_line},
    {"fair_area",      solve_fair_area},
    {"li_weight",      solve_li_weight},
    {"li_step",        solve_li_step},
};
// clang-format on

Json answer(const Json& request)
{
    const Json& op = member(request, "op");
    if (!op.is_string()) throw BadInput("'op' must be a string");
    const auto& name = op.get_ref<const std::string&>();
    for (const Operation& operation : kOperations) {
        if (operation.name == name) return operation.answer(object(member(request, "in"), "in"));
    }
    throw BadInput(fmt::format("there is no operation '{}'", name));
}

// ---------------------------------------------------------------- writing

/// 17 significant digits give back the same double; a point keeps 3.0 a real number for strict
/// readers.
std::string number_text(double x)
{
    if (std::isnan(x)) throw BadInput("the result is not a number");
    if (std::isinf(x)) return x > 0.0 ? "\"inf\"" : "\"-inf\"";
    std::string text = fmt::format("{:.17g}", x + 0.0);  // -0 becomes 0
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string to_text(const Json& value)
{
    if (value.is_number_float()) return number_text(value.get<double>());
    if (value.is_array()) {
        std::string text;
        for (const Json& item : value) text += (text.empty() ? "" : ",") + to_text(item);
        return "[" + text + "]";
    }
    if (value.is_object()) {
        std::string text;
        for (const auto& [key, item] : value.items()) {
            text += (text.empty() ? "" : ",") + Json(key).dump() + ":" + to_text(item);
        }
        return "{" + text + "}";
    }
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct Reply {
    std::string text;
    bool ok = false;
};

Reply error_reply(const std::string& id, std::string_view message)
{
    const Json text = std::string(message);
    return {fmt::format("{{\"id\":{},\"error\":{}}}", id, to_text(text)), false};
}

Reply reply_to(const std::string& line)
{
    std::string id = "null";
    try {
        const Json request = Json::parse(line);
        if (!request.is_object()) throw BadInput("a line must be a JSON object");
        // An id comes back as it was given; one that is a structure would only be echoed garbage.
        if (const Json* given = optional_member(request, "id")) {
            if (given->is_structured()) throw BadInput("'id' must be a string or a number");
            id = given->dump();
        }
        return {fmt::format("{{\"id\":{},\"out\":{}}}", id, to_text(answer(request))), true};
    } catch (const Json::exception& fault) {
        return error_reply(id, fault.what());
    } catch (const BadInput& fault) {
        return error_reply(id, fault.what());
    }
}

// ---------------------------------------------------------------- the command

/// Longest line that is read [bytes]; the largest sensible question has some thousand polygons.
constexpr std::size_t kLongestLine = 64u << 20;

/// Next line without its end. A line that is too long is skipped to its end and `too_long` set.
bool read_line(std::streambuf& from, std::string& line, bool& too_long)
{
    line.clear();
    too_long = false;
    constexpr int kEnd = std::char_traits<char>::eof();
    int c = from.sbumpc();
    if (c == kEnd) return false;
    for (; c != kEnd && c != '\n'; c = from.sbumpc()) {
        too_long = too_long || line.size() >= kLongestLine;
        if (!too_long) line.push_back(static_cast<char>(c));
    }
    return true;
}

bool is_blank(std::string_view line)
{
    return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

int answer_lines(std::streambuf& from, bool interactive)
{
    int exit_code = kExitDone;
    std::string line;
    bool too_long = false;
    while (read_line(from, line, too_long)) {
        if (is_blank(line)) continue;
        const Reply reply = too_long ? error_reply("null", "the line is too long") : reply_to(line);
        if (!reply.ok) exit_code = kExitCheckFailed;
        fmt::print("{}\n", reply.text);
        if (interactive) std::fflush(stdout);
    }
    return exit_code;
}

int fail(std::string_view message)
{
    fmt::print(stderr, "error: {}\n", message);
    return kExitBadUsage;
}

int cmd_solve(const std::string& file)
{
    int exit_code = kExitDone;
    if (file.empty() || file == "-") {
        exit_code = answer_lines(*std::cin.rdbuf(), true);
    } else {
        std::error_code ignored;
        if (std::filesystem::is_directory(file, ignored)) {
            return fail(fmt::format("{}: is a directory", file));
        }
        std::filebuf input;
        if (input.open(file, std::ios::in | std::ios::binary) == nullptr) {
            return fail(fmt::format("{}: cannot be read", file));
        }
        exit_code = answer_lines(input, false);
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        fmt::print(stderr, "error: the answers could not be written\n");
        return kExitFault;
    }
    return exit_code;
}

constexpr const char* kExample =
    "Reads one JSON object {\"id\", \"op\", \"in\"} per line and writes {\"id\", \"out\"} or\n"
    "{\"id\", \"error\"} for each. Double precision, SI units, infinity is the string \"inf\".\n"
    "\n"
    "Operations: vo_contains vo_project vo_uncertain orca_line lp obstacle_lines orca_step "
    "visible\n"
    "rcap_gate mpd energy accel_clamp brake_plane avo_contains wall_line fair_area li_weight "
    "li_step\n"
    "\n"
    "Example: do two people walking towards each other meet within 3.5 s?\n"
    "  echo "
    "'{\"id\":1,\"op\":\"vo_contains\",\"in\":{\"P\":[4,0],\"R\":1,\"v\":[1,0],\"tau\":3.5}}' "
    "| sidestep solve\n"
    "  {\"id\":1,\"out\":{\"inside\":true,\"ttc\":3.0}}\n"
    "\n"
    "Exit codes: 0 all answered, 1 a line had an error, 2 the file cannot be read.";

}  // namespace

void add_solve(CLI::App& app, int& exit_code)
{
    CLI::App* command =
        app.add_subcommand("solve", "Answer building-block questions, one JSON object per line");
    command->footer(kExample);
    // The command line is parsed once and the file name lives as long as the command.
    auto file = std::make_shared<std::string>();
    command->add_option("FILE", *file,
                        "File with one question per line; none or - reads standard input");
    command->callback([file, &exit_code] { exit_code = cmd_solve(*file); });
}

}  // namespace sidestep::cli
