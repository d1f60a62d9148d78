// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "floorplan/floorplan.hpp"
#include "scenario/layout.hpp"

namespace sidestep {
namespace {

using Values = std::map<std::string, double>;

const LayoutInfo& find_layout(std::string_view name)
{
    for (const LayoutInfo& layout : layouts())
        if (layout.name == name) return layout;
    ADD_FAILURE() << "no layout " << name;
    return layouts()[0];
}

std::string build(std::string_view name, const Values& given, Scenario& scenario)
{
    const LayoutInfo& layout = find_layout(name);
    std::vector<double> values;
    for (const LayoutParam& param : layout.params) {
        const auto found = given.find(std::string(param.name));
        values.push_back(found == given.end() ? param.default_value : found->second);
    }
    return layout.build(values, scenario);
}

Scenario built(std::string_view name, const Values& given = {})
{
    Scenario scenario;
    EXPECT_EQ(build(name, given, scenario), "") << name;
    return scenario;
}

std::string fault_of(std::string_view name, const Values& given)
{
    Scenario scenario;
    return build(name, given, scenario);
}

const AreaPlan& area(const Scenario& scenario, std::string_view name)
{
    const auto found = std::find_if(scenario.areas.begin(), scenario.areas.end(),
                                    [&](const AreaPlan& a) { return a.name == name; });
    EXPECT_NE(found, scenario.areas.end()) << name;
    return *found;
}

std::size_t count_segments(const Scenario& scenario)
{
    std::size_t count = 0;
    for (const FloorPlan& floor : scenario.floors) {
        count += floor.polygon.shell.size();
        for (const auto& hole : floor.polygon.holes) count += hole.size();
    }
    for (const WallPlan& wall : scenario.walls)
        count += wall.vertices.size() - (wall.kind == WallKind::thin ? 1 : 0);
    return count;
}

double ring_area(const std::vector<Vec2>& ring)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i) sum += det(ring[i], ring[(i + 1) % ring.size()]);
    return sum / 2.0;
}

double floor_area(const Scenario& scenario)
{
    double sum = 0.0;
    for (const FloorPlan& floor : scenario.floors) {
        sum += std::abs(ring_area(floor.polygon.shell));
        for (const auto& hole : floor.polygon.holes) sum -= std::abs(ring_area(hole));
    }
    return sum;
}

/// Every polygon and ring a layout has drawn.
void expect_valid(const Scenario& scenario)
{
    const auto check = [](const auto& shape, const std::string& what) {
        const auto fault = find_fault(shape);
        EXPECT_FALSE(fault) << what << ": " << fault->reason << " at " << fault->place.x << ", "
                            << fault->place.y;
    };
    for (const FloorPlan& floor : scenario.floors) check(floor.polygon, "floor");
    for (const WallPlan& wall : scenario.walls)
        if (wall.kind == WallKind::solid) check(std::span<const Vec2>(wall.vertices), "wall");
    for (const DoorPlan& door : scenario.doors)
        check(std::span<const Vec2>(door.polygon), door.name);
    for (const AreaPlan& plan : scenario.areas)
        for (const Polygon& polygon : plan.polygons) check(polygon, plan.name);
    for (const GoalPlan& goal : scenario.goals)
        for (const Polygon& polygon : goal.area) check(polygon, goal.name);
    for (const NetworkPlan& network : scenario.networks)
        for (const Polygon& polygon : network.nodes) check(polygon, network.name);
}

TEST(Layouts, draw_valid_polygons)
{
    for (const LayoutInfo& layout : layouts()) {
        SCOPED_TRACE(layout.name);
        expect_valid(built(layout.name));
    }
    expect_valid(built("office", {{"wings", 1}, {"columns", 1}, {"closable", 1}}));
    expect_valid(built("office", {{"wings", 8}, {"columns", 20}, {"closable", 1}}));
    expect_valid(built("office", {{"door", 6}, {"exit", 4}}));  // openings as wide as can be
    expect_valid(built("office", {{"room_width", 3.35}, {"wall", 0.15}, {"door", 0.9}}));
    expect_valid(built("stadium", {{"agents", 100}, {"rows", 5}, {"length", 60}, {"width", 50}}));
    expect_valid(built("stadium", {{"agents", 10000}, {"block", 20}}));
    expect_valid(built("stadium", {{"agents", 9}, {"length", 150}, {"width", 150}, {"block", 9}}));
    expect_valid(built("bridge", {{"length", 1}, {"width", 1.2}, {"plaza", 16}}));
}

/// The free space of a plan, as a run would see it.
BuiltFloor build_space(const Scenario& scenario)
{
    FloorInput input;
    for (const FloorPlan& floor : scenario.floors) input.floors.push_back(floor.polygon);
    for (const WallPlan& wall : scenario.walls)
        (wall.kind == WallKind::thin ? input.thin : input.solids).push_back(wall.vertices);
    for (const DoorPlan& door : scenario.doors) input.doors.push_back(door.polygon);
    auto built_floor = build_floor(input);
    EXPECT_TRUE(built_floor) << built_floor.error().message;
    return built_floor ? std::move(*built_floor) : BuiltFloor{};
}

double mesh_area(const NavigationMesh& mesh)
{
    double sum = 0.0;
    for (const auto& t : mesh.triangles)
        sum += det(mesh.vertices[t[1]] - mesh.vertices[t[0]],
                   mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    return sum / 2.0;
}

std::size_t count_reachable(const NavigationMesh& mesh)
{
    std::vector<bool> seen(mesh.triangles.size());
    std::vector<std::uint32_t> open{0};
    seen[0] = true;
    std::size_t count = 0;
    while (!open.empty()) {
        const std::uint32_t triangle = open.back();
        open.pop_back();
        ++count;
        for (const std::uint32_t next : mesh.neighbours[triangle]) {
            if (next == kNoTriangle || seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return count;
}

TEST(Layouts, make_one_connected_space_that_holds_all_they_name)
{
    for (const auto& [name, given] : {std::pair<std::string, Values>{"bridge", {}},
                                      {"city", {{"agents", 100000}}},
                                      {"office", {{"agents", 5000}}},
                                      {"office", {{"agents", 500}, {"closable", 1}}},
                                      {"stadium", {}}}) {
        SCOPED_TRACE(name);
        const Scenario scenario = built(name, given);
        const BuiltFloor floor = build_space(scenario);
        ASSERT_EQ(floor.space.size(), 1u);
        ASSERT_FALSE(floor.mesh.triangles.empty());
        EXPECT_EQ(count_reachable(floor.mesh), floor.mesh.triangles.size());
        double solid = 0.0;
        for (const WallPlan& wall : scenario.walls)
            if (wall.kind == WallKind::solid) solid += std::abs(ring_area(wall.vertices));
        EXPECT_NEAR(mesh_area(floor.mesh), floor_area(scenario) - solid, 1e-3);

        const auto expect_inside = [&](Vec2 place, const std::string& what) {
            ASSERT_TRUE(covers(floor.space, place)) << what << " " << place.x << ", " << place.y;
        };
        for (const AreaPlan& plan : scenario.areas)
            for (const Polygon& polygon : plan.polygons)
                for (const Vec2 corner : polygon.shell) expect_inside(corner, plan.name);
        for (const GoalPlan& goal : scenario.goals)
            for (const Polygon& polygon : goal.area)
                for (const Vec2 corner : polygon.shell) expect_inside(corner, goal.name);
        for (const PlacesPlan& places : scenario.places)
            for (std::size_t i = 0; i < places.positions.size(); i += 97)
                expect_inside(places.positions[i], places.name);
    }
}

TEST(Layouts, are_listed_in_order_with_tables_that_make_sense)
{
    std::string_view last;
    for (const LayoutInfo& layout : layouts()) {
        SCOPED_TRACE(layout.name);
        EXPECT_LT(last, layout.name);
        last = layout.name;
        ASSERT_FALSE(layout.params.empty());
        EXPECT_EQ(layout.params[0].name, "agents");
        std::set<std::string_view> names;
        for (const LayoutParam& param : layout.params) {
            SCOPED_TRACE(param.name);
            EXPECT_TRUE(names.insert(param.name).second);
            EXPECT_LE(param.min, param.default_value);
            EXPECT_LE(param.default_value, param.max);
            EXPECT_FALSE(param.meaning.empty());
            EXPECT_FALSE(param.unit.empty());
        }
        EXPECT_FALSE(layout.makes.empty());
        EXPECT_FALSE(layout.summary.empty());
    }
}

TEST(Layouts, never_fail_silently_at_the_ends_of_their_ranges)
{
    for (const LayoutInfo& layout : layouts()) {
        for (std::size_t i = 0; i < layout.params.size(); ++i) {
            for (const double value : {layout.params[i].min, layout.params[i].max}) {
                SCOPED_TRACE(std::string(layout.name) + " " + std::string(layout.params[i].name) +
                             " " + std::to_string(value));
                std::vector<double> values;
                for (const LayoutParam& param : layout.params)
                    values.push_back(param.default_value);
                values[i] = value;
                Scenario scenario;
                if (!layout.build(values, scenario).empty()) continue;
                if (count_segments(scenario) < 3000) expect_valid(scenario);
                EXPECT_FALSE(scenario.areas.empty() && scenario.places.empty());
                for (const AreaPlan& plan : scenario.areas)
                    for (const Polygon& polygon : plan.polygons)
                        ASSERT_GT(ring_area(polygon.shell), 0.0) << plan.name;
                for (const FloorPlan& floor : scenario.floors)
                    ASSERT_GT(ring_area(floor.polygon.shell), 0.0);
            }
        }
    }
}

TEST(OfficeLayout, has_the_rooms_of_the_benchmarks)
{
    EXPECT_EQ(area(built("office", {{"agents", 1000}}), "rooms").polygons.size(), 3 * 10 * 2u);
    EXPECT_EQ(area(built("office", {{"agents", 5000}}), "rooms").polygons.size(), 8 * 20 * 2u);
    EXPECT_EQ(area(built("office", {{"agents", 500}}), "rooms").polygons.size(), 2 * 8 * 2u);
    EXPECT_EQ(area(built("office", {{"wings", 4}, {"columns", 7}}), "rooms").polygons.size(), 56u);
}

TEST(OfficeLayout, has_as_much_floor_as_its_rooms_corridors_doors_and_exits)
{
    const Scenario office = built("office", {{"wings", 3}, {"columns", 10}});
    const double rooms = 60 * 6.0 * 5.0;
    const double doors = 60 * 1.2 * 0.2;
    const double wing = 10 * 6.2 + 0.2;  // length of a corridor between the end corridors
    const double corridors = 3 * wing * 2.5 + 2 * 4.0 * (3 * 13.1 - 0.2);
    const double exits = 2 * (2.0 * 0.2 + 6.0 * 3.0);
    EXPECT_NEAR(floor_area(office), rooms + doors + corridors + exits, 1e-6);
    ASSERT_EQ(office.floors.size(), 1u);
    EXPECT_EQ(office.floors[0].polygon.holes.size(), 2u);  // the walls between the three wings
}

TEST(OfficeLayout, counts_people_as_out_one_metre_outside)
{
    const Scenario office = built("office", {{"wings", 3}, {"columns", 10}});
    ASSERT_EQ(office.goals.size(), 2u);
    EXPECT_EQ(office.goals[0].name, "exit-1");
    EXPECT_EQ(office.goals[1].name, "exit-2");
    const std::vector<Vec2>& low = office.goals[0].area[0].shell;
    EXPECT_DOUBLE_EQ(low[2].y, -1.2);  // the wall is 0.2 m thick
    const std::vector<Vec2>& up = office.goals[1].area[0].shell;
    EXPECT_DOUBLE_EQ(up[0].y, 3 * 13.1 - 0.2 + 1.2);
}

TEST(OfficeLayout, closes_its_doors_only_where_asked_to)
{
    EXPECT_TRUE(built("office").doors.empty());
    const Scenario office = built("office", {{"wings", 2}, {"columns", 3}, {"closable", 1}});
    ASSERT_EQ(office.doors.size(), 12u);
    EXPECT_EQ(office.doors.front().name, "door-1-1-low");
    EXPECT_EQ(office.doors.back().name, "door-2-3-up");
    for (const DoorPlan& door : office.doors)
        EXPECT_NEAR(ring_area(door.polygon), 1.2 * 0.2, 1e-9) << door.name;
}

TEST(OfficeLayout, says_which_numbers_do_not_go_together)
{
    EXPECT_EQ(fault_of("office", {{"door", 7}}),
              "the door of a room (7 m) is wider than the room (6 m)");
    EXPECT_EQ(fault_of("office", {{"exit", 5}}),
              "the exits (5 m) are wider than the corridors across the ends (4 m)");
    EXPECT_NE(fault_of("office", {{"room_width", 100}, {"columns", 300}}).find("at most"),
              std::string::npos);
}

TEST(StadiumLayout, seats_25000_behind_at_least_1400_segments_and_16_vomitories)
{
    const Scenario stadium = built("stadium");
    ASSERT_EQ(stadium.places.size(), 1u);
    EXPECT_EQ(stadium.places[0].name, "seats");
    EXPECT_GE(stadium.places[0].positions.size(), 25000u);
    EXPECT_GE(count_segments(stadium), 1400u);
    const auto solids = std::count_if(stadium.walls.begin(), stadium.walls.end(),
                                      [](const WallPlan& w) { return w.kind == WallKind::solid; });
    EXPECT_GE(solids, 16);  // one vomitory between any two pieces of the wall
    ASSERT_EQ(stadium.goals.size(), 1u);
    EXPECT_EQ(stadium.goals[0].name, "outside");
}

TEST(StadiumLayout, leaves_2_m_between_the_pieces_of_its_wall)
{
    const Scenario stadium = built("stadium");
    std::vector<std::vector<Vec2>> walls;
    for (const WallPlan& wall : stadium.walls)
        if (wall.kind == WallKind::solid) walls.push_back(wall.vertices);
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const std::vector<Vec2>& a = walls[i];
        const std::vector<Vec2>& b = walls[(i + 1) % walls.size()];
        const Vec2 inner = b[0] - a[a.size() / 2 - 1];  // the inner face, then the outer one back
        const Vec2 outer = b[b.size() - 1] - a[a.size() / 2];
        EXPECT_NEAR(std::sqrt(dot(inner, inner)), 2.0, 2e-3) << i;
        EXPECT_NEAR(std::sqrt(dot(outer, outer)), 2.0, 2e-3) << i;
    }
}

TEST(StadiumLayout, keeps_seats_apart_from_each_other_and_from_barriers)
{
    const Scenario stadium = built("stadium");
    std::vector<Vec2> seats = stadium.places[0].positions;
    std::sort(seats.begin(), seats.end(),
              [](Vec2 a, Vec2 b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    double nearest_sq = 1e9;
    for (std::size_t i = 0; i < seats.size(); ++i)
        for (std::size_t j = i + 1; j < seats.size() && seats[j].x - seats[i].x < 0.6; ++j)
            nearest_sq = std::min(nearest_sq, dot(seats[j] - seats[i], seats[j] - seats[i]));
    EXPECT_GT(std::sqrt(nearest_sq), 0.54);  // bodies of 0.25 m do not touch

    double nearest_wall_sq = 1e9;
    for (const WallPlan& wall : stadium.walls) {
        const Vec2 a = wall.vertices[0];
        const Vec2 d = wall.vertices[1] - a;
        for (const Vec2 seat : seats) {
            const double along = std::clamp(dot(seat - a, d) / dot(d, d), 0.0, 1.0);
            const Vec2 gap = seat - a - d * along;
            nearest_wall_sq = std::min(nearest_wall_sq, dot(gap, gap));
        }
    }
    EXPECT_NEAR(std::sqrt(nearest_wall_sq), 0.425, 2e-3);
}

TEST(StadiumLayout, fits_its_bowl_between_the_given_length_and_width)
{
    const Scenario stadium = built("stadium");
    double x = 0.0;
    double y = 0.0;
    for (const WallPlan& wall : stadium.walls) {
        if (wall.kind != WallKind::solid) continue;
        x = std::max(x, wall.vertices[0].x);  // the inner face
        y = std::max(y, wall.vertices[0].y);
    }
    EXPECT_DOUBLE_EQ(x, 90.0);
    EXPECT_DOUBLE_EQ(y, 70.0);
}

TEST(StadiumLayout, says_how_many_seats_or_rows_there_are_when_they_do_not_fit)
{
    EXPECT_NE(fault_of("stadium", {{"agents", 60000}}).find("seats for 60000 people"),
              std::string::npos);
    EXPECT_NE(fault_of("stadium", {{"rows", 90}}).find("rows fit"), std::string::npos);
    EXPECT_NE(fault_of("stadium", {{"vomitory", 6}, {"block", 5}}).find("leave no wall"),
              std::string::npos);
    EXPECT_NE(fault_of("stadium", {{"exit", 30}}).find("leave no wall"), std::string::npos);
}

TEST(CityLayout, has_the_blocks_that_its_people_need)
{
    for (const auto& [agents, blocks] :
         {std::pair{10000.0, 6u}, {100000.0, 19u}, {250000.0, 30u}, {1000000.0, 60u}}) {
        SCOPED_TRACE(agents);
        const Scenario city = built("city", {{"agents", agents}});
        EXPECT_EQ(city.walls.size(), std::size_t{blocks} * blocks);
        double streets = 0.0;
        for (const Polygon& street : area(city, "streets").polygons)
            streets += ring_area(street.shell);
        const double side = blocks * 40.0 + (blocks + 1) * 12.0;
        const double all = side * side - blocks * blocks * 1600.0;
        EXPECT_GE(all * 0.25, agents);
        // Half a metre is left out along all houses and the outer boundary.
        const double inner = side - 1.0;
        EXPECT_NEAR(streets, inner * inner - blocks * blocks * 41.0 * 41.0, 1e-3);
    }
}

TEST(CityLayout, has_about_1500_wall_segments_for_100000_people)
{
    EXPECT_NEAR(static_cast<double>(count_segments(built("city", {{"agents", 100000}}))), 1500.0,
                100.0);
}

TEST(CityLayout, links_every_crossing_to_its_neighbours_and_back)
{
    const Scenario city = built("city", {{"blocks", 4}});
    ASSERT_EQ(city.networks.size(), 1u);
    const NetworkPlan& network = city.networks[0];
    ASSERT_EQ(network.nodes.size(), 25u);
    ASSERT_EQ(network.links.size(), 25u);
    std::size_t links = 0;
    for (std::uint32_t node = 0; node < 25; ++node) {
        for (const std::uint32_t other : network.links[node]) {
            ++links;
            const auto& back = network.links.at(other);
            EXPECT_EQ(std::count(back.begin(), back.end(), node), 1);
            const Vec2 step = network.nodes[other].shell[0] - network.nodes[node].shell[0];
            EXPECT_DOUBLE_EQ(std::abs(step.x) + std::abs(step.y), 52.0);
        }
    }
    EXPECT_EQ(links, 2u * 2u * 4u * 5u);
    EXPECT_NEAR(ring_area(network.nodes[0].shell), 100.0, 1e-9);
}

TEST(CityLayout, says_so_when_it_grows_out_of_the_engine)
{
    EXPECT_NE(fault_of("city", {{"agents", 2e7}}).find("at most 7900 m fit"), std::string::npos);
}

TEST(BridgeLayout, joins_its_plazas)
{
    const Scenario bridge = built("bridge", {{"length", 40}, {"width", 4}, {"plaza", 34}});
    EXPECT_NEAR(floor_area(bridge), 40.0 * 4.0 + 2 * 34.0 * 34.0, 1e-9);
    ASSERT_EQ(bridge.goals.size(), 2u);
    EXPECT_LT(bridge.goals[0].area[0].shell[0].x, 0.0);  // west-end
    EXPECT_EQ(bridge.goals[0].name, "west-end");
    EXPECT_NEAR(floor_area(built("bridge", {{"width", 34}, {"plaza", 34}})), 108.0 * 34.0, 1e-9);
    EXPECT_EQ(fault_of("bridge", {{"width", 40}, {"plaza", 34}}),
              "the bridge (40 m wide) is wider than the plazas (34 m)");
}

TEST(FieldLayout, is_as_large_as_the_density_says_and_has_no_floor)
{
    const Scenario field = built("field", {{"agents", 10000}, {"density", 0.5}});
    EXPECT_TRUE(field.floors.empty());
    EXPECT_NEAR(ring_area(area(field, "field").polygons[0].shell), 20000.0, 1.0);
    EXPECT_NE(fault_of("field", {{"agents", 2e7}, {"density", 0.1}}).find("at most"),
              std::string::npos);
}

}  // namespace
}  // namespace sidestep
