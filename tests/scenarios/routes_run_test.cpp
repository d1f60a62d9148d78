// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numbers>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/simulation.hpp"
#include "support/seeded_random.hpp"

// People find their way through plans that catch whoever walks straight on, and it makes no
// difference where on the map a plan lies or how it is turned.

namespace sidestep {
namespace {

using Segment = std::array<Vec2, 2>;

std::string read_plan(const std::string& name)
{
    std::ifstream file(std::string(SIDESTEP_TEST_DATA_DIR) + "/../scenarios/plans/" + name +
                       ".toml");
    EXPECT_TRUE(file) << name;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Turns a scenario's text about 0 and shifts it: every pair of numbers in brackets is a place.
std::string move_plan(const std::string& text, double angle_deg, Vec2 shift)
{
    static const std::regex kPlace(R"(\[\s*(-?[0-9.]+)\s*,\s*(-?[0-9.]+)\s*\])");
    const double angle = angle_deg * std::numbers::pi / 180.0;
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    std::string moved;
    auto last = text.cbegin();
    for (std::sregex_iterator it(text.begin(), text.end(), kPlace), end; it != end; ++it) {
        const double x = std::atof((*it)[1].str().c_str());
        const double y = std::atof((*it)[2].str().c_str());
        moved.append(last, (*it)[0].first);
        moved += fmt::format("[{:.9f}, {:.9f}]", c * x - s * y + shift.x, s * x + c * y + shift.y);
        last = (*it)[0].second;
    }
    moved.append(last, text.cend());
    return moved;
}

std::string to_text(const Problems& problems)
{
    std::string text;
    for (const Problem& problem : problems) text += sidestep::to_text(problem) + "\n";
    return text;
}

std::vector<Segment> wall_segments(const Scenario& scenario)
{
    std::vector<Segment> segments;
    const auto add = [&](const std::vector<Vec2>& line, bool closed) {
        for (std::size_t i = 0; i + (closed ? 0 : 1) < line.size(); ++i)
            segments.push_back({line[i], line[(i + 1) % line.size()]});
    };
    for (const FloorPlan& floor : scenario.floors) {
        add(floor.polygon.shell, true);
        for (const auto& hole : floor.polygon.holes) add(hole, true);
    }
    for (const WallPlan& wall : scenario.walls) add(wall.vertices, wall.kind != WallKind::thin);
    return segments;
}

bool cross(const Segment& a, const Segment& b)
{
    const auto side = [](const Segment& line, Vec2 p) {
        return det(line[1] - line[0], p - line[0]);
    };
    return side(a, b[0]) * side(a, b[1]) < 0.0 && side(b, a[0]) * side(b, a[1]) < 0.0;
}

/// Walls by squares of 4 m: a maze has a thousand of them.
class WallGrid {
public:
    explicit WallGrid(const std::vector<Segment>& walls)
    {
        constexpr double kMargin = 0.5;  // more than a step is long [m]
        for (const Segment& wall : walls) {
            const auto [x0, x1] = std::minmax(wall[0].x, wall[1].x);
            const auto [y0, y1] = std::minmax(wall[0].y, wall[1].y);
            for (long x = cell(x0 - kMargin); x <= cell(x1 + kMargin); ++x)
                for (long y = cell(y0 - kMargin); y <= cell(y1 + kMargin); ++y)
                    cells_[{x, y}].push_back(wall);
        }
    }
    std::size_t count_crossed(const Segment& move) const
    {
        const auto found = cells_.find({cell(move[0].x), cell(move[0].y)});
        if (found == cells_.end()) return 0;
        const auto crossed = [&](const Segment& wall) { return cross(move, wall); };
        return static_cast<std::size_t>(
            std::count_if(found->second.begin(), found->second.end(), crossed));
    }

private:
    static long cell(double v) { return std::lround(std::floor(v / 4.0)); }
    std::map<std::pair<long, long>, std::vector<Segment>> cells_;
};

struct Outcome {
    RunSummary summary;
    std::size_t walls_cut = 0;  ///< steps in which somebody's centre went through a wall
};

void run_plan(const std::string& text, Outcome& outcome)
{
    ReadOptions options;
    options.models = models();
    const ReadScenario read = parse_scenario(text, "plan.toml", options);
    ASSERT_TRUE(read.scenario) << to_text(read.problems);
    Problems problems;
    SimulationOptions simulation_options;
    simulation_options.threads = 1;
    auto simulation = Simulation::create(*read.scenario, simulation_options, problems);
    ASSERT_TRUE(simulation) << to_text(problems);

    const WallGrid walls(wall_segments(*read.scenario));
    std::map<std::int64_t, Vec2> before;
    RecordedFrame frame;
    simulation->fill(frame);
    for (const RecordedAgent& agent : frame.agents) before[agent.id] = agent.position;
    while (!simulation->finished()) {
        const StepReport report = simulation->step();
        ASSERT_FALSE(report.fault) << report.step;
        simulation->fill(frame);
        for (const RecordedAgent& agent : frame.agents) {
            outcome.walls_cut += walls.count_crossed({before.at(agent.id), agent.position});
            before[agent.id] = agent.position;
        }
    }
    outcome.summary = simulation->summary();
}

/// Nobody is caught, nobody cuts a corner, nobody strays.
void expect_everybody_out(const Outcome& outcome)
{
    EXPECT_GT(outcome.summary.spawned, 0u);
    EXPECT_EQ(outcome.summary.left, outcome.summary.spawned);
    EXPECT_EQ(outcome.summary.wall_penetrations, 0u);
    EXPECT_EQ(outcome.walls_cut, 0u);
    EXPECT_LE(outcome.summary.mean_path_ratio, 1.1);
    EXPECT_GE(outcome.summary.mean_path_ratio, 0.98);
}

void expect_alike(const RunSummary& a, const RunSummary& b)
{
    EXPECT_NEAR(a.last_arrival, b.last_arrival, 0.02 * a.last_arrival);
    EXPECT_NEAR(a.mean_travel_time, b.mean_travel_time, 0.02 * a.mean_travel_time);
    EXPECT_NEAR(a.mean_path_ratio, b.mean_path_ratio, 0.02 * a.mean_path_ratio);
}

void run_everywhere(const std::string& text)
{
    Outcome here;
    run_plan(text, here);
    if (testing::Test::HasFatalFailure()) return;
    expect_everybody_out(here);
    struct Place {
        double angle_deg;
        Vec2 shift;
    };
    for (const Place& place : {Place{23.0, {317.5, -88.25}}, Place{0.0, {1e6, 1e6}}}) {
        SCOPED_TRACE(fmt::format("turned by {} degrees, shifted by ({}, {})", place.angle_deg,
                                 place.shift.x, place.shift.y));
        Outcome there;
        run_plan(move_plan(text, place.angle_deg, place.shift), there);
        if (testing::Test::HasFatalFailure()) return;
        expect_everybody_out(there);
        expect_alike(here.summary, there.summary);
    }
}

/// 20 x 20 rooms of 4 m with thin walls; doors of 1.4 m make a tree of them, so that there is one
/// way between any two. One person in every twentieth room.
std::string write_maze(std::uint64_t seed)
{
    constexpr int kSide = 20;
    constexpr double kRoom = 4.0;
    constexpr double kDoor = 1.4;
    test::SeededRandom random(seed);
    std::vector<bool> reached(kSide * kSide), door_right(kSide * kSide), door_up(kSide * kSide);
    std::vector<int> way{0};
    reached[0] = true;
    while (!way.empty()) {
        const int room = way.back();
        const int x = room % kSide;
        const int y = room / kSide;
        std::vector<int> next;
        if (x > 0 && !reached[room - 1]) next.push_back(room - 1);
        if (x + 1 < kSide && !reached[room + 1]) next.push_back(room + 1);
        if (y > 0 && !reached[room - kSide]) next.push_back(room - kSide);
        if (y + 1 < kSide && !reached[room + kSide]) next.push_back(room + kSide);
        if (next.empty()) {
            way.pop_back();
            continue;
        }
        const int to = next[random.below(next.size())];
        (to == room + 1 || to == room - 1 ? door_right : door_up)[std::min(room, to)] = true;
        reached[to] = true;
        way.push_back(to);
    }

    const double end = kSide * kRoom;
    std::string text = fmt::format(
        "format = 1\n[world]\nname = \"maze\"\nduration = 1200\nstep = 0.1\n"
        "[[floors]]\npolygon = [[0, 0], [{0}, 0], [{0}, {0}], [0, {0}]]\n"
        "[[goals]]\nname = \"end\"\narea = [[0, 0], [2, 0], [2, 2], [0, 2]]\n",
        end);
    const auto add_wall = [&](Vec2 from, Vec2 to) {
        text += fmt::format("[[walls]]\nline = [[{}, {}], [{}, {}]]\n", from.x, from.y, to.x, to.y);
    };
    const double post = (kRoom - kDoor) / 2.0;
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            const Vec2 corner{(x + 1) * kRoom, (y + 1) * kRoom};  // the upper right one
            for (const Vec2 along : {Vec2{0.0, -1.0}, Vec2{-1.0, 0.0}}) {
                if (along.x == 0.0 ? x + 1 == kSide : y + 1 == kSide) continue;
                const bool door = (along.x == 0.0 ? door_right : door_up)[y * kSide + x];
                if (door) {
                    add_wall(corner, corner + along * post);
                    add_wall(corner + along * (post + kDoor), corner + along * kRoom);
                } else {
                    add_wall(corner, corner + along * kRoom);
                }
            }
        }
    }
    text += "[[agents]]\nname = \"lost\"\nexit = \"end\"\npositions = [";
    for (int room = 19; room < kSide * kSide; room += 20) {
        const int somewhere = (room * 7) % (kSide * kSide);
        text += fmt::format("[{}, {}], ", (somewhere % kSide + 0.5) * kRoom,
                            (somewhere / kSide + 0.5) * kRoom);
    }
    return text + "]\n";
}

TEST(RoutesRun, lead_round_the_end_of_a_thin_divider)
{
    run_everywhere(read_plan("u-turn"));
}

TEST(RoutesRun, lead_out_of_a_concave_trap)
{
    run_everywhere(read_plan("concave-trap"));
}

TEST(RoutesRun, join_at_a_junction)
{
    run_everywhere(read_plan("t-junction"));
}

TEST(RoutesRun, follow_a_spiral_of_thin_walls)
{
    run_everywhere(read_plan("spiral"));
}

TEST(RoutesRun, find_the_only_way_out_of_a_maze_of_400_rooms)
{
    run_everywhere(write_maze(1));
}

}  // namespace
}  // namespace sidestep
