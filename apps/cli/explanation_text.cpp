// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "explanation_text.hpp"

#include "console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;
using Notice = Explanation::Notice;
using Source = Explanation::Source;

std::string_view word_of(Notice notice)
{
    switch (notice) {
        case Notice::avoided: return "avoided";
        case Notice::ignored: return "ignored";
        case Notice::observed: return "observed";
        case Notice::new_face: return "new_face";
        case Notice::out_of_view: return "out_of_view";
        case Notice::behind_wall: return "behind_wall";
    }
    return "";
}

/// The same in words for a person.
std::string_view describe(Notice notice)
{
    switch (notice) {
        case Notice::avoided: return "is avoided";
        case Notice::ignored: return "is left to do all of the avoidance";
        case Notice::observed: return "is seen, but others are nearer";
        case Notice::new_face: return "is not observed yet";
        case Notice::out_of_view: return "is out of view";
        case Notice::behind_wall: return "is behind a wall";
    }
    return "";
}

std::string_view word_of(Source source)
{
    switch (source) {
        case Source::agent: return "agent";
        case Source::body: return "body";
        case Source::wall: return "wall";
    }
    return "";
}

// ------------------------------------------------------------------------------------------- text

std::string vector_text(Vec2 v)
{
    const auto number = [](double x) { return std::fabs(x) < 0.005 ? 0.0 : x; };  // no -0.00
    return fmt::format("({:.2f}, {:.2f})", number(v.x), number(v.y));
}

std::string velocity_text(Vec2 v)
{
    return fmt::format("{} m/s, speed {:.2f}", vector_text(v), std::sqrt(dot(v, v)));
}

/// What one agent, body or wall forbids.
struct Constraints {
    Source source = Source::agent;
    std::uint32_t id = 0;
    std::uint64_t cones = 0, given_up = 0, lines = 0, hard = 0;
};

/// By source, in the order in which they come.
std::vector<Constraints> constraints_of(const Explanation& why)
{
    std::vector<Constraints> all;
    const auto of = [&](Source source, std::uint32_t id) -> Constraints& {
        for (Constraints& one : all) {
            if (one.source == source && one.id == id) return one;
        }
        all.push_back({source, id});
        return all.back();
    };
    for (const Explanation::Cone& cone : why.cones) {
        Constraints& one = of(cone.source, cone.source_id);
        ++one.cones;
        one.given_up += cone.given_up ? 1 : 0;
    }
    for (const Explanation::Line& line : why.lines) {
        Constraints& one = of(line.source, line.source_id);
        ++one.lines;
        one.hard += line.hard ? 1 : 0;
        one.given_up += line.given_up ? 1 : 0;
    }
    return all;
}

/// Nothing that it forbids was kept to.
bool is_given_up(const Constraints& one)
{
    return one.given_up == one.cones + one.lines;
}

std::string describe(const Constraints& one)
{
    std::vector<std::string> parts;
    if (one.cones > 0) parts.push_back(count_of(one.cones, "cone", "cones"));
    if (one.lines > 0) parts.push_back(count_of(one.lines, "line", "lines"));
    std::string text = fmt::format("{}", fmt::join(parts, ", "));
    if (one.hard > 0) text += ", hard";
    if (is_given_up(one)) text += ", given up";
    else if (one.given_up > 0) text += fmt::format(", {} given up", one.given_up);
    return text;
}

/// What becomes of a neighbour.
std::string_view describe(const Explanation::Neighbour& other,
                          const std::vector<Constraints>& forbidden)
{
    const auto gone = [&](const Constraints& one) {
        return one.source == Source::agent && one.id == other.id && is_given_up(one);
    };
    if (other.notice == Notice::avoided && std::any_of(forbidden.begin(), forbidden.end(), gone))
        return "is given up: not everything fits";
    return describe(other.notice);
}

void print_neighbours(const Explanation& why, std::FILE* to)
{
    if (why.neighbours.empty()) {
        say(to, "neighbours: none\n");
        return;
    }
    Table table({"neighbour", "distance [m]", "share", "which"});
    for (const std::size_t column : {0u, 1u, 2u}) table.align_right(column);
    const std::vector<Constraints> forbidden = constraints_of(why);
    for (const Explanation::Neighbour& other : why.neighbours) {
        table.add({fmt::format("{}", other.id), fmt::format("{:.2f}", other.distance),
                   fmt::format("{:.2f}", other.share), std::string(describe(other, forbidden))});
    }
    table.print(to);
    if (why.neighbour_cap_hit) say(to, "more are in range than it may list\n");
}

void print_constraints(const Explanation& why, std::FILE* to)
{
    const std::vector<Constraints> all = constraints_of(why);
    if (all.empty()) {
        say(to, "constraints: none\n");
        return;
    }
    Table table({"forbidden by", "what"});
    for (const Constraints& one : all)
        table.add({fmt::format("{} {}", word_of(one.source), one.id), describe(one)});
    table.print(to);
}

void print_pushes(const Explanation& why, std::FILE* to)
{
    Table table({"pushed by", "[m/s2]", "to"});
    table.align_right(1);
    for (const Explanation::Push& push : why.pushes) {
        table.add({fmt::format("{} {}", word_of(push.source), push.source_id),
                   fmt::format("{:.2f}", std::sqrt(dot(push.acceleration, push.acceleration))),
                   vector_text(push.acceleration)});
    }
    table.print(to);
}

/// What a vehicle can do in the step.
std::string vehicle_text(const Explanation::Vehicle& vehicle)
{
    return fmt::format("faces {}; reaches {} to {} m/s, turns by up to {} rad",
                       vector_text(vehicle.heading), short_number(vehicle.least_speed),
                       short_number(vehicle.most_speed), short_number(vehicle.most_turn));
}

// ------------------------------------------------------------------------------------------- JSON

Json to_json(Vec2 v)
{
    return Json::array({v.x, v.y});
}

/// The stall clock, and what the agent does about it.
Json stall_to_json(const Explanation& why)
{
    Json json{{"clock", why.stalled},
              {"answer", to_string(why.stall_answer)},
              {"whom", Json()},
              {"wish", why.stall_wish ? to_json(*why.stall_wish) : Json()}};
    if (why.stall_whom != kNoAgent) json["whom"] = why.stall_whom;
    return json;
}

Json to_json(const Explanation::Cone& cone)
{
    Json json{{"source", word_of(cone.source)},
              {"id", cone.source_id},
              {"given_up", cone.given_up},
              {"left_start", to_json(cone.left_start)},
              {"left_direction", to_json(cone.left_direction)},
              {"right_start", to_json(cone.right_start)},
              {"right_direction", to_json(cone.right_direction)},
              {"arc_centre", nullptr},
              {"arc_radius", nullptr}};
    if (cone.arc_radius > 0.0) {
        json["arc_centre"] = to_json(cone.arc_centre);
        json["arc_radius"] = cone.arc_radius;
    }
    return json;
}

/// What a vehicle makes of the velocity that its model chose.
Json to_json(const Explanation::Vehicle& vehicle)
{
    Json json{{"heading", to_json(vehicle.heading)},
              {"wanted_velocity", to_json(vehicle.wanted_velocity)},
              {"speed", vehicle.speed},
              {"turn", vehicle.turn},
              {"wanted_speed", vehicle.wanted_speed},
              {"wanted_turn", vehicle.wanted_turn},
              {"least_speed", vehicle.least_speed},
              {"most_speed", vehicle.most_speed},
              {"most_turn", vehicle.most_turn},
              {"held_by", nullptr}};
    if (vehicle.is_held)
        json["held_by"] = {{"source", word_of(vehicle.held_by)}, {"id", vehicle.held_by_id}};
    return json;
}

Json to_json(const Explanation& why)
{
    Json neighbours = Json::array(), lines = Json::array(), cones = Json::array();
    for (const Explanation::Neighbour& other : why.neighbours) {
        neighbours.push_back({{"id", other.id},
                              {"distance", other.distance},
                              {"share", other.share},
                              {"notice", word_of(other.notice)}});
    }
    for (const Explanation::Line& line : why.lines) {
        lines.push_back({{"source", word_of(line.source)},
                         {"id", line.source_id},
                         {"hard", line.hard},
                         {"given_up", line.given_up},
                         {"point", to_json(line.point)},
                         {"normal", to_json(line.normal)}});
    }
    for (const Explanation::Cone& cone : why.cones) cones.push_back(to_json(cone));
    Json pushes = Json::array();
    for (const Explanation::Push& push : why.pushes) {
        pushes.push_back({{"source", word_of(push.source)},
                          {"id", push.source_id},
                          {"acceleration", to_json(push.acceleration)}});
    }
    Json contacts = Json::array();
    for (const Explanation::Contact& contact : why.contacts) {
        contacts.push_back({{"source", word_of(contact.source)},
                            {"id", contact.source_id},
                            {"towards", to_json(contact.towards)},
                            {"most", contact.most}});
    }
    const auto& before = why.velocity_before_contact;
    return {{"position", to_json(why.position)},
            {"velocity", to_json(why.velocity)},
            {"preferred_velocity", to_json(why.preferred_velocity)},
            {"group_change", why.group_change ? to_json(*why.group_change) : Json()},
            {"wish", why.wish ? to_json(*why.wish) : Json()},
            {"stall", stall_to_json(why)},
            {"velocity_before_contact", before ? to_json(*before) : Json()},
            {"chosen_velocity", to_json(why.chosen_velocity)},
            {"vehicle", why.vehicle ? to_json(*why.vehicle) : Json()},
            {"max_speed", why.max_speed},
            {"reach", why.reach ? Json(*why.reach) : Json()},
            {"reason", why.reason},
            {"neighbours", neighbours},
            {"neighbour_cap_hit", why.neighbour_cap_hit},
            {"cones", cones},
            {"lines", lines},
            {"pushes", pushes},
            {"contacts", contacts},
            {"hard_relaxation", why.hard_relaxation},
            {"soft_relaxation", why.soft_relaxation},
            {"wall_lines_about_zero", why.wall_lines_about_zero},
            {"acceleration_exceeded", why.acceleration_exceeded}};
}

}  // namespace

std::string title_of(const Explained& explained)
{
    return fmt::format("{}, agent {} at {:.2f} s, {}", explained.scene, explained.why.id,
                       explained.time, explained.model);
}

void print_text(const Explained& explained, std::FILE* to)
{
    const Explanation& why = explained.why;
    const auto line = [&](std::string_view name, const std::string& text) {
        say(to, fmt::format("  {:<11} {}\n", name, text));
    };
    say(to, title_of(explained) + '\n');
    line("position", fmt::format("{} m, level {}", vector_text(why.position), explained.level));
    line("velocity", velocity_text(why.velocity));
    line("preferred", velocity_text(why.preferred_velocity));
    if (why.group_change) line("group", fmt::format("adds {}", velocity_text(*why.group_change)));
    if (why.wish) line("wish", velocity_text(*why.wish));
    if (why.velocity_before_contact)
        line("cut", fmt::format("{} at others", velocity_text(*why.velocity_before_contact)));
    line("chosen", velocity_text(why.chosen_velocity));
    line("limits", fmt::format("speed {} m/s{}", short_number(why.max_speed),
                               why.reach ? fmt::format("; a change of {} m/s in this step",
                                                       short_number(*why.reach))
                                         : ""));
    if (why.vehicle) line("vehicle", vehicle_text(*why.vehicle));
    line("reason", why.reason);
    if (why.hard_relaxation > 0.0)
        line("gave way", fmt::format("lines of walls by {:.3g} m/s", why.hard_relaxation));
    if (why.soft_relaxation > 0.0)
        line("gave way", fmt::format("lines of agents by {:.3g} m/s", why.soft_relaxation));
    if (!explained.drawing.empty()) line("drawing", explained.drawing);
    say(to, "\n");
    print_neighbours(why, to);
    say(to, "\n");
    if (!why.pushes.empty() && why.lines.empty() && why.cones.empty()) print_pushes(why, to);
    else print_constraints(why, to);
}

std::string to_json(const Explained& explained)
{
    Json json{{"scene", explained.scene},   {"agent", explained.why.id},
              {"model", explained.model},   {"time", std::round(explained.time * 1e9) / 1e9},
              {"step", explained.why.step}, {"level", explained.level}};
    json.update(to_json(explained.why));
    json["drawing"] = explained.drawing.empty() ? Json() : Json(explained.drawing);
    // A name of a file need not be UTF-8.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sidestep::cli
