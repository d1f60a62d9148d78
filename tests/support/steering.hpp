// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Steering cases: a few walkers who meet, cross or stand in each other's way, and the scores by
// which such a case is judged, [SteerBench09]. Each is a file of tests/scenarios/steering/.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidestep/simulation.hpp"
#include "support/run_scene.hpp"
#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {

// ---------------------------------------------------------------------------------------------
// which cases and which models

inline std::filesystem::path steering_folder()
{
    return std::filesystem::path(SIDESTEP_TEST_DATA_DIR) / ".." / "scenarios" / "steering";
}

/// The names of all cases, in alphabetical order.
inline std::vector<std::string> steering_cases()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(steering_folder())) {
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Every registered model that avoids others: a new one is tried without being named here.
inline std::vector<std::string> avoiding_models()
{
    std::vector<std::string> names;
    for (const ModelInfo& model : models()) {
        if (model.name != "seek") names.emplace_back(model.name);
    }
    return names;
}

/// Those that choose a velocity; forces are another family.
inline std::vector<std::string> velocity_models()
{
    std::vector<std::string> names = avoiding_models();
    std::erase(names, "social_force");
    return names;
}

/// Cases in which symmetry or a narrow place lets people stand before each other.
inline constexpr std::string_view kStandOffs[] = {
    "steer-head-on",   "steer-4way",         "steer-4way-obstacle",  "steer-circle-20",
    "steer-squeeze-3", "steer-squeeze-wall", "steer-squeeze-double", "steer-doorway-2",
};

using CaseAndModel = std::pair<std::string, std::string>;

/// What is known to fail and why: lines `case | model | reason` of expected_failures.txt; those
/// that begin with # are remarks.
inline std::map<CaseAndModel, std::string> read_expected_failures()
{
    std::map<CaseAndModel, std::string> expected;
    std::ifstream file(steering_folder() / "expected_failures.txt");
    EXPECT_TRUE(file);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t first = line.find(" | ");
        const std::size_t second = line.find(" | ", first + 3);
        if (first == std::string::npos || second == std::string::npos) {
            ADD_FAILURE() << "not of the form `case | model | reason`: " << line;
            continue;
        }
        const CaseAndModel key{line.substr(0, first), line.substr(first + 3, second - first - 3)};
        EXPECT_TRUE(expected.emplace(key, line.substr(second + 3)).second) << "twice: " << line;
    }
    return expected;
}

// ---------------------------------------------------------------------------------------------
// one run

struct SteeringRun {
    std::string scene;  ///< name of the case
    std::string model;
    /// 0: the case as it is written, exact; else its agents are listed in another order, so that
    /// they have other ids, and start up to kLargestOffset away.
    std::uint64_t seed = 0;
    bool deadlock_policy = true;
    Isa isa = Isa::automatic;
    std::uint32_t threads = 1;
};

/// Far less than anybody would see, far more than rounding [m].
inline constexpr double kLargestOffset = 1e-4;

/// Two discs collide where they are deeper than this in each other [m].
inline constexpr double kCollisionDepth = 0.001;

/// What somebody slower than this does with its heading is no turning [m/s].
inline constexpr double kTurningSpeed = 0.05;

/// Of one walker. Who does not arrive is measured to the end of the run.
struct WalkerScore {
    std::string group;
    Vec2 start{}, goal{}, end{};  ///< [m]
    double bound = 0.0;           ///< has to arrive by then [s]
    bool arrived = false;
    double time = 0.0;     ///< [s]
    double effort = 0.0;   ///< integral of (2.23 + 1.26 v^2) dt [J/kg]
    double walked = 0.0;   ///< [m]
    double turning = 0.0;  ///< sum of all turns, left and right [rad]
    double changes = 0.0;  ///< sum of |dv| [m/s]
    std::uint32_t collisions = 0;

    double straight() const { return std::sqrt(dot(goal - start, goal - start)); }
    bool in_time() const { return arrived && time <= bound; }
};

/// Of a run: sums over everybody, and means over them.
struct SteeringScores {
    std::vector<WalkerScore> walkers;   ///< in the order of their ids
    std::vector<std::string> failures;  ///< what was asked for and not shown; empty: passed
    std::uint64_t state_hash = 0;
    double deepest = 0.0;  ///< overlap of two bodies [m]

    bool passed() const { return failures.empty(); }
    template <class Field>
    double mean(Field&& field) const
    {
        double sum = 0.0;
        for (const WalkerScore& walker : walkers) sum += field(walker);
        return sum / static_cast<double>(walkers.size());
    }
    double c() const
    {
        return mean([](const WalkerScore& w) { return double(w.collisions); });
    }
    double t() const
    {
        return mean([](const WalkerScore& w) { return w.time; });
    }
    double e() const
    {
        return mean([](const WalkerScore& w) { return w.effort; });
    }
    double path_ratio() const
    {
        return mean([](const WalkerScore& w) { return w.walked / w.straight(); });
    }
    double turning() const
    {
        return mean([](const WalkerScore& w) { return w.turning; });
    }
    double changes() const
    {
        return mean([](const WalkerScore& w) { return w.changes; });
    }
    std::size_t arrived() const
    {
        return static_cast<std::size_t>(
            std::count_if(walkers.begin(), walkers.end(), [](const auto& w) { return w.arrived; }));
    }
    /// Somebody had not arrived in time.
    bool stuck() const
    {
        return !std::all_of(walkers.begin(), walkers.end(),
                            [](const auto& w) { return w.in_time(); });
    }
    double last() const
    {
        double last = 0.0;
        for (const WalkerScore& walker : walkers) last = std::max(last, walker.time);
        return last;
    }
    std::string text() const
    {
        std::string all;
        for (const std::string& failure : failures) all += (all.empty() ? "" : "; ") + failure;
        return all;
    }
};

// ---------------------------------------------------------------------------------------------
// how it is made

inline Scenario read_steering_case(const std::string& scene, const std::string& model)
{
    ReadOptions options;
    options.models = models();
    options.model = model;
    const std::string path = (steering_folder() / (scene + ".toml")).string();
    ReadScenario read = read_scenario(path, options);
    if (!read.scenario) throw std::runtime_error(list(read.problems));
    return std::move(*read.scenario);
}

inline Simulation make_steering(const Scenario& scenario, const SteeringRun& run)
{
    SimulationOptions options;
    options.threads = run.threads;
    options.isa = run.isa == Isa::automatic ? isa_asked_for().value_or(Isa::automatic) : run.isa;
    options.model = run.model;
    Problems problems;
    std::optional<Simulation> simulation = Simulation::create(scenario, options, problems);
    if (!simulation) throw std::runtime_error(list(problems));
    return std::move(*simulation);
}

/// One entry of [[agents]] for each agent, where it starts.
inline void unfold_agents(Scenario& scenario, const SteeringRun& run)
{
    const Simulation simulation = make_steering(scenario, run);
    RecordedFrame frame;
    simulation.fill(frame);
    std::vector<AgentsPlan> alone;
    for (const AgentsPlan& plan : scenario.agents) {
        const std::uint64_t count =
            plan.placement == AgentsPlan::Placement::positions ? plan.positions.size() : plan.count;
        for (std::uint64_t i = 0; i < count; ++i) {
            AgentsPlan one = plan;
            one.placement = AgentsPlan::Placement::positions;
            one.positions = {frame.agents[alone.size()].position};
            alone.push_back(one);
        }
    }
    if (alone.size() != frame.agents.size()) throw std::runtime_error("agents are missing");
    scenario.agents = std::move(alone);
}

/// Another order and starts that differ a little; every seed makes its own.
inline void vary(Scenario& scenario, const SteeringRun& run)
{
    unfold_agents(scenario, run);
    if (run.seed == 0) return;
    SeededRandom random(run.seed);
    for (std::size_t i = scenario.agents.size(); i > 1; --i)
        std::swap(scenario.agents[i - 1], scenario.agents[random.below(i)]);
    for (AgentsPlan& plan : scenario.agents)
        plan.positions[0] = plan.positions[0] + random.in_disc(kLargestOffset);
}

template <class Plan>
void set_deadlock_policy(Plan& world, bool on)
{
    if constexpr (requires { world.deadlock_policy; }) world.deadlock_policy = on;
}

inline Vec2 goal_of(const Scenario& scenario, const AgentsPlan& plan)
{
    const StagePlan& stage = scenario.journeys[plan.journey].stages.back();
    return stage.opposite ? stage.centre * 2.0 - plan.positions[0]
                          : scenario.goals[stage.goals[0]].point;
}

/// A quarter more than the free walk takes, and 2 s, unless the file has a figure of its own.
inline double bound_of(const Scenario& scenario, double straight, double speed)
{
    for (const ExpectPlan& expect : scenario.expect) {
        if (expect.key == "last_arrival_max") return expect.value;
    }
    return 1.25 * straight / speed + 2.0;
}

/// Follows the walkers of a run and adds up what they do.
class SteeringMeter {
public:
    SteeringMeter(Simulation& simulation, std::vector<WalkerScore>& walkers)
        : simulation_(simulation), walkers_(walkers), velocity_(walkers.size())
    {}

    /// Looks at the world after a step.
    void look()
    {
        const double dt = simulation_.world().dt();
        for (const RecordedEnd& end : simulation_.take_notes().ends) {
            WalkerScore& walker = walkers_[static_cast<std::size_t>(end.id)];
            walker.arrived = walker.arrived || end.is_arrival;
            ended_[end.id] = end.time;
        }
        const AgentColumns columns = simulation_.world().columns();
        const Vec2 origin = simulation_.world().origin();
        std::map<std::uint32_t, Vec2> places;
        for (std::size_t row = 0; row < columns.rows; ++row) {
            const AgentRecord& record = columns.record[row];
            if (record.id == kNoAgent) continue;
            places[record.id] = origin + Vec2{record.x, record.y};
            walkers_[record.id].end = places[record.id];
            if (!ended_.contains(record.id)) add_step(record.id, {record.vx, record.vy}, dt);
        }
        for (const auto& [id, time] : ended_) walkers_[static_cast<std::size_t>(id)].time = time;
        look_for_contacts(places);
    }

private:
    void add_step(std::uint32_t id, Vec2 velocity, double dt)
    {
        WalkerScore& walker = walkers_[id];
        const Vec2 before = std::exchange(velocity_[id], velocity);
        const double speed = std::sqrt(dot(velocity, velocity));
        walker.time += dt;
        walker.walked += speed * dt;
        walker.effort += (2.23 + 1.26 * speed * speed) * dt;
        walker.changes += std::sqrt(dot(velocity - before, velocity - before));
        if (speed > kTurningSpeed && dot(before, before) > kTurningSpeed * kTurningSpeed)
            walker.turning += std::fabs(std::atan2(det(before, velocity), dot(before, velocity)));
    }
    /// One collision for each of the two from touch to release.
    void look_for_contacts(const std::map<std::uint32_t, Vec2>& places)
    {
        for (auto a = places.begin(); a != places.end(); ++a) {
            for (auto b = std::next(a); b != places.end(); ++b) {
                const Vec2 between = a->second - b->second;
                const double gap = std::sqrt(dot(between, between)) - 2.0 * kRadius;
                if (gap >= 0.0) {
                    touching_.erase({a->first, b->first});
                } else if (gap < -kCollisionDepth &&
                           touching_.insert({a->first, b->first}).second) {
                    ++walkers_[a->first].collisions;
                    ++walkers_[b->first].collisions;
                }
            }
        }
    }

    static constexpr double kRadius = 0.5;  ///< of all who steer here [m]; checked when read
    Simulation& simulation_;
    std::vector<WalkerScore>& walkers_;
    std::vector<Vec2> velocity_;
    std::map<std::int64_t, double> ended_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> touching_;
};

/// What single cases ask for besides: see their files.
inline void judge_single_cases(const std::string& scene, SteeringScores& scores)
{
    if (scene == "steer-oncoming-trick") {
        std::vector<double> away;
        for (const WalkerScore& w : scores.walkers)
            away.push_back(std::sqrt(dot(w.end - w.goal, w.end - w.goal)));
        std::sort(away.begin(), away.end());
        // Arrived within 0.5 m of the place; a float position may round that up.
        if (away[0] > 0.5 + 1e-5) scores.failures.push_back("nobody ends at the place");
        if (away[1] > 1.6) scores.failures.push_back("the second does not end beside it");
    }
    if (scene == "steer-overtake" || scene == "steer-overtake-obstacle") {
        const auto time_of = [&](std::string_view group) {
            for (const WalkerScore& w : scores.walkers) {
                if (w.group == group) return w.time;
            }
            return 0.0;
        };
        if (time_of("fast") >= time_of("slow"))
            scores.failures.push_back("the fast one does not arrive first");
    }
}

inline SteeringScores steer(const SteeringRun& run)
{
    Scenario scenario = read_steering_case(run.scene, run.model);
    vary(scenario, run);
    set_deadlock_policy(scenario.world, run.deadlock_policy);
    Simulation simulation = make_steering(scenario, run);

    SteeringScores scores;
    for (const RecordedWalker& note : simulation.take_notes().walkers) {
        if (note.radius != 0.5) throw std::runtime_error("a steering case has bodies of 0.5 m");
        const AgentsPlan& plan = scenario.agents[static_cast<std::size_t>(note.id)];
        WalkerScore walker{.group = note.group,
                           .start = plan.positions[0],
                           .goal = goal_of(scenario, plan),
                           .end = plan.positions[0]};
        walker.bound = bound_of(scenario, walker.straight(), note.preferred_speed);
        scores.walkers.push_back(walker);
    }
    SteeringMeter meter(simulation, scores.walkers);
    while (!simulation.finished()) {
        if (const StepReport report = simulation.step(); report.fault)
            throw std::runtime_error(report.fault->cause);
        meter.look();
    }
    scores.state_hash = simulation.state_hash();
    scores.deepest = simulation.summary().deepest_overlap;

    for (const ExpectResult& result : simulation.check_expectations()) {
        if (!result.met) scores.failures.push_back(result.message);
    }
    if (scores.c() > 0.0) scores.failures.push_back("bodies collide");
    const bool all_arrive = run.scene != "steer-oncoming-trick";  // one place for two
    for (const WalkerScore& walker : scores.walkers) {
        if (all_arrive && walker.arrived && !walker.in_time())
            scores.failures.push_back("'" + walker.group + "' arrives at " +
                                      std::to_string(walker.time) + " s, bound " +
                                      std::to_string(walker.bound) + " s");
    }
    judge_single_cases(run.scene, scores);
    return scores;
}

}  // namespace sidestep::test
