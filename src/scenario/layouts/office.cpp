// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "scenario/layouts/plans.hpp"

// Wings of rooms on both sides of a corridor, and a corridor across each end of the wings:
//
//                                  exit-2
//    +----------------------------+  +-+
//    |   |room|room|room|room|room|    |     wing 2
//    |   +- --+- --+- --+- --+- --+    |
//    |          corridor               |
//    |   +- --+- --+- --+- --+- --+    |
//    |   |    |    |    |    |    |    |
//    |   |----+----+----+----+----|    |
//    |   |    |    |    |    |    |    |     wing 1
//    |   +- --+- --+- --+- --+- --+    |
//    |                                 |
//    |   +- --+- --+- --+- --+- --+    |
//    |   |    |    |    |    |    |    |
//    +-+ +-----------------------------+
//   exit-1
//
// The floor is one polygon: its outline runs through the rooms along the lower and upper side of
// the house, and the walls between two wings, partitions and all, are one hole.

namespace sidestep::plans {

namespace {

// clang-format off
constexpr LayoutParam kParams[] = {
    // name           unit  default  min   max          whole  meaning
    {"agents",        "1",  1000.0,  1.0,  kMostAgents, true,  "how many people"},
    {"wings",         "1",  0.0,     0.0,  300.0,       true,  "rows of rooms along a corridor; 0: as many as the people need"},
    {"columns",       "1",  0.0,     0.0,  300.0,       true,  "rooms on each side of a wing; 0: as many as the people need"},
    {"room_width",    "m",  6.0,     1.0,  100.0,       false, "of a room, along the corridor"},
    {"room_depth",    "m",  5.0,     1.0,  100.0,       false, "of a room, away from the corridor"},
    {"corridor",      "m",  2.5,     0.8,  50.0,        false, "width of the corridor of a wing"},
    {"end_corridor",  "m",  4.0,     0.8,  50.0,        false, "width of the corridors across the ends"},
    {"door",          "m",  1.2,     0.5,  50.0,        false, "width of the door of a room"},
    {"exit",          "m",  2.0,     0.5,  50.0,        false, "width of the two exits"},
    {"wall",          "m",  0.2,     0.02, 2.0,         false, "thickness of all walls"},
    {"closable",      "1",  0.0,     0.0,  1.0,         true,  "1: room doors are doors that can be closed, door-WING-COLUMN-low and -up"},
};
// clang-format on

/// People per room where the number of rooms follows from the people: 30 wings x columns for 1,000.
constexpr double kPeoplePerRoom = 50.0 / 3.0;
/// Of an area from the walls around it: the largest of usual bodies fits [m].
constexpr double kInset = 0.3;
/// People are out this far outside the outer face of the wall [m].
constexpr double kOutside = 1.0;
/// The floor outside an exit: so deep, and wider than the exit by this on each side [m].
constexpr double kApron = 3.0;
constexpr double kApronSide = 2.0;

struct Office {
    double agents, wings, columns, room_width, room_depth, corridor, end_corridor, door, exit, wall;
    bool closable;

    double wing_pitch() const { return 2.0 * room_depth + corridor + 3.0 * wall; }
    double column_pitch() const { return room_width + wall; }
    double width() const { return 2.0 * end_corridor + wall + columns * column_pitch(); }
    double height() const { return wings * wing_pitch() - wall; }
    /// Left side of a room.
    double room_x(double column) const { return end_corridor + wall + column * column_pitch(); }
    /// Left side of its door.
    double door_x(double column) const { return room_x(column) + (room_width - door) / 2.0; }
    /// Lower and upper side of the corridor of a wing.
    double corridor_low(double wing) const { return wing * wing_pitch() + room_depth + wall; }
    double corridor_up(double wing) const { return corridor_low(wing) + corridor; }
};

Office read_office(std::span<const double> v)
{
    Office office{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10] != 0.0};
    // Wings about as long as the house is high; an even number of columns looks better.
    const double pairs = std::ceil(office.agents / (2.0 * kPeoplePerRoom));
    if (office.wings == 0.0) {
        office.wings = office.columns > 0.0 ? std::ceil(pairs / office.columns)
                                            : std::max(1.0, std::round(std::sqrt(0.4 * pairs)));
    }
    if (office.columns == 0.0) office.columns = 2.0 * std::ceil(pairs / office.wings / 2.0);
    return office;
}

std::string check_office(const Office& office)
{
    if (office.door > office.room_width)
        return fmt::format("the door of a room ({} m) is wider than the room ({} m)", office.door,
                           office.room_width);
    if (office.exit > office.end_corridor)
        return fmt::format("the exits ({} m) are wider than the corridors across the ends ({} m)",
                           office.exit, office.end_corridor);
    if (office.wings > kParams[1].max || office.columns > kParams[2].max)
        return fmt::format("{} people need {} wings of {} columns; at most {} of {} can be drawn",
                           office.agents, office.wings, office.columns, kParams[1].max,
                           kParams[2].max);
    return check_extent(office.width(), office.height());
}

/// Appends one side of a wing's corridor from left to right, through every door and round every
/// room. `edge` is that side, `out` +1 for rooms above it and -1 for rooms below.
void trace_rooms(const Office& office, double edge, double out, Ring& ring)
{
    const double near = edge + out * office.wall;
    const double far = near + out * office.room_depth;
    ring.push_back({office.end_corridor, edge});
    for (double column = 0.0; column < office.columns; ++column) {
        const double left = office.room_x(column);
        const double right = left + office.room_width;
        const double door = office.door_x(column);
        ring.push_back({door, edge});
        if (door > left) {  // else the door is as wide as the room
            ring.push_back({door, near});
            ring.push_back({left, near});
        }
        ring.push_back({left, far});
        ring.push_back({right, far});
        if (door > left) {
            ring.push_back({right, near});
            ring.push_back({door + office.door, near});
        }
        ring.push_back({door + office.door, edge});
    }
    ring.push_back({office.width() - office.end_corridor, edge});
}

/// Appends an exit and the floor outside it, counter-clockwise seen from inside; `out` is -1 for an
/// exit in a lower wall and +1 for one in an upper wall. Adds its goal.
void trace_exit(const Office& office, Vec2 middle, double out, std::string_view name, Ring& ring,
                Scenario& scenario)
{
    const double half = office.exit / 2.0;
    const double side = half + kApronSide;
    const double face = middle.y + out * office.wall;
    const double end = face + out * kApron;
    const double along = -out;  // +1: from left to right
    for (const Vec2 corner :
         {Vec2{-half, middle.y}, Vec2{-half, face}, Vec2{-side, face}, Vec2{-side, end},
          Vec2{side, end}, Vec2{side, face}, Vec2{half, face}, Vec2{half, middle.y}})
        ring.push_back({middle.x + along * corner.x, corner.y});
    const double line = face + out * kOutside;
    add_to_goal(
        scenario, name,
        make_box(middle.x - side, std::min(line, end), middle.x + side, std::max(line, end)));
}

Polygon trace_floor(const Office& office, Scenario& scenario)
{
    const double width = office.width();
    const double height = office.height();
    const double middle = office.end_corridor / 2.0;
    Polygon floor;
    Ring& shell = floor.shell;
    shell.push_back({0.0, 0.0});
    trace_exit(office, {middle, 0.0}, -1.0, "exit-1", shell, scenario);
    shell.push_back({office.end_corridor, 0.0});
    trace_rooms(office, office.corridor_low(0.0), -1.0, shell);
    shell.push_back({width - office.end_corridor, 0.0});
    shell.push_back({width, 0.0});
    shell.push_back({width, height});
    trace_exit(office, {width - middle, height}, 1.0, "exit-2", shell, scenario);
    shell.push_back({width - office.end_corridor, height});
    Ring upper;
    trace_rooms(office, office.corridor_up(office.wings - 1.0), 1.0, upper);
    shell.insert(shell.end(), upper.rbegin(), upper.rend());
    shell.push_back({office.end_corridor, height});
    shell.push_back({0.0, height});

    for (double wing = 0.0; wing + 1.0 < office.wings; ++wing) {
        Ring walls;
        trace_rooms(office, office.corridor_up(wing), 1.0, walls);
        Ring back;
        trace_rooms(office, office.corridor_low(wing + 1.0), -1.0, back);
        walls.insert(walls.end(), back.rbegin(), back.rend());
        floor.holes.push_back(snap(std::move(walls)));
    }
    shell = snap(std::move(shell));
    // An exit as wide as its corridor puts two corners in one place.
    shell.erase(std::unique(shell.begin(), shell.end()), shell.end());
    if (shell.front() == shell.back()) shell.pop_back();
    return floor;
}

/// The inside of a box, as far as a body can stand.
void add_inside(Scenario& scenario, std::string_view area, double x0, double y0, double x1,
                double y1)
{
    add_to_area(scenario, area, make_box(x0 + kInset, y0 + kInset, x1 - kInset, y1 - kInset));
}

void add_room(const Office& office, double wing, double column, bool up, Scenario& scenario)
{
    const double x = office.room_x(column);
    const double edge = up ? office.corridor_up(wing) : office.corridor_low(wing) - office.wall;
    const double y = up ? edge + office.wall : edge - office.room_depth;
    add_inside(scenario, "rooms", x, y, x + office.room_width, y + office.room_depth);
    if (!office.closable) return;
    DoorPlan door;
    door.name = fmt::format("door-{}-{}-{}", wing + 1.0, column + 1.0, up ? "up" : "low");
    const double left = office.door_x(column);
    door.polygon = make_box(left, edge, left + office.door, edge + office.wall);
    scenario.doors.push_back(std::move(door));
}

std::string build(std::span<const double> values, Scenario& scenario)
{
    const Office office = read_office(values);
    if (std::string fault = check_office(office); !fault.empty()) return fault;

    add_floor(scenario, trace_floor(office, scenario));
    for (double wing = 0.0; wing < office.wings; ++wing) {
        for (double column = 0.0; column < office.columns; ++column) {
            add_room(office, wing, column, false, scenario);
            add_room(office, wing, column, true, scenario);
        }
    }
    const double width = office.width();
    const double end = office.end_corridor;
    add_inside(scenario, "corridors", 0.0, 0.0, end, office.height());
    add_inside(scenario, "corridors", width - end, 0.0, width, office.height());
    for (double wing = 0.0; wing < office.wings; ++wing)
        add_inside(scenario, "corridors", end, office.corridor_low(wing), width - end,
                   office.corridor_up(wing));
    return {};
}

}  // namespace

const LayoutInfo kOffice{
    .name = "office",
    .summary = "wings of rooms on both sides of a corridor, two exits; from 0 up",
    .params = kParams,
    .makes = "areas: rooms, corridors; goals: exit-1, exit-2; doors: door-1-1-low, ... if closable",
    .build = build};

}  // namespace sidestep::plans
