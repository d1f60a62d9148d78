// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "math/trig.hpp"
#include "scenario/layouts/plans.hpp"

// A bowl of seats round a pitch. Seen from above it is a rectangle with cut corners, made of
// blocks of seats; each block has straight rows, one behind the other:
//
//      \          /          concourse, with exits behind the blocks between
//    ===\===  ===/===        wall of the bowl, open behind every other block: a vomitory
//        \      /            gangway behind the last row
//     |   |----|   |         rows: seats between barriers that nobody climbs
//     |   |----|   | aisle
//     |___|----|___|         pitch
//
// People go along their row, up the aisle, through the vomitory into the concourse and out.
// Everything is measured by its distance outwards from the front of the first row: at every
// distance the bowl is a closed line, with a corner or a division between any two blocks.

namespace sidestep::plans {

namespace {

// clang-format off
constexpr LayoutParam kParams[] = {
    // name          unit  default   min   max          whole  meaning
    {"agents",       "1",  25000.0,  1.0,  kMostAgents, true,  "how many people, at most one a seat"},
    {"length",       "m",  180.0,    40.0, 1000.0,      false, "of the bowl along x, inside its wall"},
    {"width",        "m",  140.0,    40.0, 1000.0,      false, "of the bowl along y, inside its wall"},
    {"rows",         "1",  36.0,     1.0,  200.0,       true,  "rows of seats"},
    {"row_depth",    "m",  0.85,     0.6,  3.0,         false, "from barrier to barrier"},
    {"seat_width",   "m",  0.55,     0.51, 3.0,         false, "from seat to seat"},
    {"block",        "m",  12.5,     3.0,  100.0,       false, "largest length of the front row of a block"},
    {"aisle",        "m",  1.6,      0.6,  10.0,        false, "width of the aisles between blocks"},
    {"gangway",      "m",  2.4,      0.6,  20.0,        false, "width of the gangway behind the last row"},
    {"vomitory",     "m",  2.0,      0.6,  10.0,        false, "width of the openings in the wall of the bowl, behind every other block"},
    {"concourse",    "m",  6.0,      0.6,  50.0,        false, "width of the corridor around the bowl"},
    {"exit",         "m",  4.0,      0.6,  50.0,        false, "width of the exits from the concourse, behind the blocks between"},
};
// clang-format on

/// Blocks that cut a corner.
constexpr int kCornerBlocks = 3;
/// Radius of the corners at the front row [m].
constexpr double kFrontCorner = 8.0;
/// Thickness of the wall of the bowl and of the outer wall [m].
constexpr double kWall = 0.4;
/// Nobody sits alone between two aisles: shorter rows are left out [seats].
constexpr double kFewestSeats = 2.0;
/// People are out this far outside the outer wall; the floor there is so deep [m].
constexpr double kOutside = 1.0;
constexpr double kApron = 3.0;
/// Between the goal and the walls around it: corners on a slanted wall would be rounded off it [m].
constexpr double kGoalInset = 0.1;

struct Stadium {
    double agents, length, width, rows, row_depth, seat_width, block, aisle, gangway, vomitory,
        concourse, exit;

    /// Distances from the front row outwards.
    double last_row() const { return rows * row_depth; }
    double wall() const { return last_row() + gangway; }
    double wall_back() const { return wall() + kWall; }
    double outer_wall() const { return wall_back() + concourse; }
};

Vec2 normal_at(double angle)
{
    const SinCos turn = sin_cos(angle);
    return {turn.cos, turn.sin};
}

/// Where two blocks meet. At a distance d from the front row that is place + mitre * d.
struct Division {
    Vec2 place;
    Vec2 mitre;

    Vec2 at(double distance) const { return place + mitre * distance; }
    /// Length along a block that keeps `clear` away from the line of the division.
    double cut(double clear) const { return clear * std::sqrt(dot(mitre, mitre)); }
};

struct Block {
    Vec2 normal;  ///< outwards, unit
    Division begin, end;

    Vec2 along() const { return {-normal.y, normal.x}; }
    /// Else it begins at a division of a straight side.
    bool begins_at_corner() const { return begin.mitre != normal; }
    /// The line of this block at a distance from the front row, `clear` away from both aisles.
    std::pair<Vec2, Vec2> line(double distance, double clear) const
    {
        return {begin.at(distance) + along() * begin.cut(clear),
                end.at(distance) - along() * end.cut(clear)};
    }
    Vec2 middle(double distance) const
    {
        const auto [a, b] = line(distance, 0.0);
        return (a + b) / 2.0;
    }
    /// Its length; negative where the aisles leave no room.
    double length(double distance, double clear) const
    {
        const auto [a, b] = line(distance, clear);
        return dot(b - a, along());
    }
};

/// A straight side of the bowl: { p : dot(p, normal) = distance }.
struct Side {
    Vec2 normal;
    double distance = 0.0;
    bool cut = false;  ///< a side of a corner
};

Division meet(const Side& a, const Side& b)
{
    const double turn = det(a.normal, b.normal);
    const Vec2 place{(a.distance * b.normal.y - b.distance * a.normal.y) / turn,
                     (b.distance * a.normal.x - a.distance * b.normal.x) / turn};
    return {place, (a.normal + b.normal) / (1.0 + dot(a.normal, b.normal))};
}

/// Sides of the front row, counter-clockwise from the one that faces +x.
std::vector<Side> front_sides(double half_length, double half_width)
{
    constexpr double kQuarter = 1.5707963267948966;
    const Vec2 centre{half_length - kFrontCorner, half_width - kFrontCorner};
    std::vector<Side> sides;
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (int part = 0; part <= kCornerBlocks; ++part) {
            const Vec2 normal = normal_at(kQuarter * (quarter + part / (kCornerBlocks + 1.0)));
            // Farthest point of the rounded rectangle in this direction.
            const double distance =
                std::abs(normal.x) * centre.x + std::abs(normal.y) * centre.y + kFrontCorner;
            sides.push_back({normal, distance, part > 0});
        }
    }
    return sides;
}

std::vector<Block> divide_bowl(const Stadium& stadium)
{
    const std::vector<Side> sides =
        front_sides(stadium.length / 2.0 - stadium.wall(), stadium.width / 2.0 - stadium.wall());
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Side& side = sides[i];
        const Division begin = meet(sides[(i + sides.size() - 1) % sides.size()], side);
        const Division end = meet(side, sides[(i + 1) % sides.size()]);
        const Block whole{side.normal, begin, end};
        const double length = whole.length(0.0, 0.0);
        const double count = side.cut ? 1.0 : std::max(1.0, std::round(length / stadium.block));
        Division last = begin;
        for (double k = 1.0; k <= count; ++k) {
            const Division next =
                k == count
                    ? end
                    : Division{begin.place + whole.along() * (length * k / count), side.normal};
            blocks.push_back({side.normal, last, next});
            last = next;
        }
    }
    return blocks;
}

std::string check_stadium(const Stadium& stadium)
{
    const double front =
        std::min(stadium.length, stadium.width) / 2.0 - stadium.wall() - kFrontCorner;
    if (front < 1.0)
        return fmt::format(
            "{} rows of {} m and the gangway leave no pitch in a bowl of {} x {} m; "
            "at most {} rows fit",
            stadium.rows, stadium.row_depth, stadium.length, stadium.width,
            std::max(0.0, std::floor(stadium.rows + (front - 1.0) / stadium.row_depth)));
    return check_extent(stadium.length + 100.0, stadium.width + 100.0);
}

/// Openings must leave some wall behind every block.
std::string check_openings(const Stadium& stadium, const std::vector<Block>& blocks)
{
    for (const Block& block : blocks) {
        const double wall = block.length(stadium.wall(), 0.0);
        if (wall < std::max(stadium.vomitory, stadium.exit) + kWall)
            return fmt::format("openings of {} and {} m leave no wall behind a block of {:.1f} m",
                               stadium.vomitory, stadium.exit, wall);
    }
    return {};
}

/// Seats and barriers of a block.
void add_rows(const Stadium& stadium, const Block& block, Scenario& scenario, PlacesPlan& seats)
{
    for (double row = 0.0; row < stadium.rows; ++row) {
        const double middle = (row + 0.5) * stadium.row_depth;
        const double length = block.length(middle, stadium.aisle / 2.0);
        const double count = std::floor(length / stadium.seat_width);
        if (count < kFewestSeats) continue;
        const auto [from, to] = block.line(middle, stadium.aisle / 2.0);
        const Vec2 centre = (from + to) / 2.0;
        for (double k = 0.0; k < count; ++k)
            seats.positions.push_back(
                snap(centre + block.along() * ((k - (count - 1.0) / 2.0) * stadium.seat_width)));
        const auto [left, right] = block.line((row + 1.0) * stadium.row_depth, stadium.aisle / 2.0);
        add_thin(scenario, {snap(left), snap(right)});
    }
}

/// The wall of the bowl from the vomitory behind the first of these blocks to that behind the last.
void add_wall(const Stadium& stadium, std::span<const Block> blocks, Scenario& scenario)
{
    const double half = stadium.vomitory / 2.0;
    const auto trace = [&](double distance) {
        Ring line{blocks.front().middle(distance) + blocks.front().along() * half};
        for (const Block& block : blocks.subspan(1)) {
            if (block.begins_at_corner()) line.push_back(block.begin.at(distance));
        }
        line.push_back(blocks.back().middle(distance) - blocks.back().along() * half);
        return line;
    };
    Ring wall = trace(stadium.wall());
    const Ring back = trace(stadium.wall_back());
    wall.insert(wall.end(), back.rbegin(), back.rend());
    add_solid(scenario, snap(std::move(wall)));
}

/// All of the wall. Vomitories are behind every other block, half-way between two aisles: both are
/// used alike.
void add_walls(const Stadium& stadium, const std::vector<Block>& blocks, Scenario& scenario)
{
    for (std::size_t i = 0; i < blocks.size(); i += 2) {
        const std::size_t next = i + 2 < blocks.size() ? i + 2 : 0;
        std::vector<Block> behind{blocks[i]};
        if (i + 1 < blocks.size()) behind.push_back(blocks[i + 1]);
        behind.push_back(blocks[next]);
        add_wall(stadium, behind, scenario);
    }
}

/// Appends an exit in the middle of the outer wall behind a block, counter-clockwise, and adds the
/// floor outside it to the goal.
void trace_exit(const Stadium& stadium, const Block& block, Ring& shell, Scenario& scenario)
{
    const Vec2 middle = block.middle(stadium.outer_wall());
    const Vec2 side = block.along() * (stadium.exit / 2.0);
    const Vec2 out = block.normal * (kWall + kApron);
    const Vec2 line = block.normal * (kWall + kOutside);
    for (const Vec2 corner :
         {middle - side, middle - side + out, middle + side + out, middle + side})
        shell.push_back(snap(corner));
    const Vec2 goal_side = block.along() * (stadium.exit / 2.0 - kGoalInset);
    const Vec2 goal_end = block.normal * (kWall + kApron - kGoalInset);
    add_to_goal(scenario, "outside",
                snap(Ring{middle - goal_side + line, middle - goal_side + goal_end,
                          middle + goal_side + goal_end, middle + goal_side + line}));
}

std::string build(std::span<const double> v, Scenario& scenario)
{
    const Stadium stadium{v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]};
    if (std::string fault = check_stadium(stadium); !fault.empty()) return fault;

    const std::vector<Block> blocks = divide_bowl(stadium);
    if (std::string fault = check_openings(stadium, blocks); !fault.empty()) return fault;
    PlacesPlan seats;
    seats.name = "seats";
    Polygon floor;
    Ring pitch;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& block = blocks[i];
        add_rows(stadium, block, scenario, seats);
        if (block.begins_at_corner()) {
            pitch.push_back(snap(block.begin.place));
            floor.shell.push_back(snap(block.begin.at(stadium.outer_wall())));
        }
        if (i % 2 == 1) trace_exit(stadium, block, floor.shell, scenario);
    }
    add_walls(stadium, blocks, scenario);
    if (static_cast<double>(seats.positions.size()) < stadium.agents)
        return fmt::format("there are {} seats for {} people; more rows or a larger bowl have more",
                           seats.positions.size(), stadium.agents);
    floor.holes.push_back(std::move(pitch));
    add_floor(scenario, std::move(floor));
    scenario.places.push_back(std::move(seats));
    return {};
}

}  // namespace

const LayoutInfo kStadium{
    .name = "stadium",
    .summary = "a bowl of seats, vomitories, a concourse around it and exits, centred at 0",
    .params = kParams,
    .makes = "places: seats; goals: outside",
    .build = build};

}  // namespace sidestep::plans
