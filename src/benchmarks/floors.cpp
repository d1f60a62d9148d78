// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <random>

#include "benchmarks/machine.hpp"
#include "benchmarks/scenes.hpp"
#include "sidestep/nonholonomic.hpp"

namespace sidestep {

namespace {

/// RCAP in full on the same crowd: the planning radius stays, so that everybody has the same room.
const std::vector<Override> kRcap = {{"profiles.default.observation_time", "0.79"},
                                     {"profiles.default.max_acceleration", "1.5"}};
/// Ranks that differ and a temper: all shares and the blend are computed.
const std::vector<Override> kPersonality = {{"profiles.default.rank", "{ uniform = [0, 1] }"},
                                            {"profiles.default.alpha", "0.5"}};

/// The best of 253 velocities, as the library of that time chose.
const std::vector<Override> kSampled = {{"profiles.default.chooser", "\"sampled\""}};

std::optional<double> quotient(std::optional<double> a, std::optional<double> b)
{
    if (!a || !b || !(*b > 0.0)) return std::nullopt;
    return *a / *b;
}

/// Reads rows of a result by name.
class Rows {
public:
    explicit Rows(std::span<const BenchRow> rows) : rows_(rows) {}

    std::optional<double> us(const BenchKey& key) const
    {
        const BenchRow* row = find_row(rows_, key);
        return row != nullptr ? std::optional(row->us_per_update.median) : std::nullopt;
    }
    std::optional<double> ours(std::string_view scene, std::uint32_t threads = 1,
                               std::string_view model = "orca") const
    {
        return us({.scene = scene, .engine = "sidestep", .model = model, .threads = threads});
    }
    std::optional<double> times(std::string_view engine, std::string_view scene,
                                std::uint32_t threads = 1) const
    {
        return quotient(us({.scene = scene, .engine = engine}), ours(scene, threads));
    }
    const BenchRow* own_row(std::string_view scene, std::uint32_t threads) const
    {
        return find_row(rows_, {.scene = scene,
                                .engine = "sidestep",
                                .model = "orca",
                                .isa = {},
                                .variant = {},
                                .threads = threads});
    }
    /// Wall time of a step.
    std::optional<double> ms(std::string_view scene, std::uint32_t threads) const
    {
        const BenchRow* row = own_row(scene, threads);
        return row != nullptr ? std::optional(row->ms_per_step.median) : std::nullopt;
    }
    std::optional<double> steps_per_second(std::string_view scene, std::uint32_t threads) const
    {
        return quotient(1e3, ms(scene, threads));
    }
    std::optional<double> bytes(std::string_view scene) const
    {
        const BenchRow* row = own_row(scene, 1);
        if (row == nullptr) return std::nullopt;
        return row->bytes_per_agent - row->sight_bytes_per_agent;
    }
    std::span<const BenchRow> all() const { return rows_; }

private:
    std::span<const BenchRow> rows_;
};

BenchTarget at_least(std::string what, double floor, double goal, std::optional<double> measured,
                     std::string unit = "x")
{
    return {.what = std::move(what),
            .unit = std::move(unit),
            .floor = floor,
            .goal = goal,
            .measured = measured};
}

BenchTarget at_most(std::string what, double floor, double goal, std::optional<double> measured,
                    std::string unit = "x")
{
    BenchTarget target = at_least(std::move(what), floor, goal, measured, std::move(unit));
    target.at_most = true;
    return target;
}

/// A target without a floor: only the goal names it.
BenchTarget goal_only(std::string what, double goal, std::optional<double> measured,
                      std::string unit)
{
    BenchTarget target = at_least(std::move(what), 0.0, goal, measured, std::move(unit));
    target.has_floor = false;
    return target;
}

std::vector<BenchTarget> against_rvo2(const Rows& rows, std::string_view scene,
                                      std::uint32_t threads, double floor, double goal,
                                      double sorted_floor, double sorted_goal)
{
    std::vector<BenchTarget> targets{
        at_least("RVO2 / ours", floor, goal, rows.times("rvo2", scene, threads))};
    if (sorted_floor > 0.0)
        targets.push_back(at_least("RVO2 sorted / ours", sorted_floor, sorted_goal,
                                   rows.times("rvo2-sorted", scene, threads)));
    return targets;
}

std::vector<BenchTarget> overheads(const Rows& rows)
{
    std::vector<BenchTarget> targets;
    for (const char* scene : {"open-100k", "evac-5k"}) {
        for (const char* model : {"rcap", "personality"}) {
            targets.push_back(at_most(fmt::format("{} / orca, {}", model, scene), 1.4, 1.2,
                                      quotient(rows.ours(scene, 1, model), rows.ours(scene))));
        }
    }
    return targets;
}

/// CPU time of one exact BestAT [us], from rest: asked alone, with the time of arrival, and for
/// each of many at once.
struct BestThresholdTimes {
    double alone = 0.0, of_many = 0.0;
};

struct TurningTasks {
    std::vector<TurningTask> rows;
    std::vector<double> x, y, speed, max_speed, acceleration, turn_rate, braking;

    explicit TurningTasks(std::size_t count) : speed(count, 0.0)
    {
        std::mt19937_64 random(1);
        const auto uniform = [&](double low, double high) {
            return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
        };
        for (std::size_t i = 0; i < count; ++i) {
            const double distance = 0.1 * std::pow(300.0, uniform(0.0, 1.0));
            const double angle = uniform(-3.14159, 3.14159);
            max_speed.push_back(uniform(0.5, 2.0));
            turn_rate.push_back(uniform(0.5, 3.0));
            acceleration.push_back(max_speed[i] * turn_rate[i] /
                                   (0.1 * std::pow(100.0, uniform(0.0, 1.0))));
            braking.push_back(acceleration[i]);
            x.push_back(distance * std::cos(angle));
            y.push_back(distance * std::sin(angle));
            rows.push_back({.destination = {x[i], y[i]},
                            .limits = {max_speed[i], acceleration[i], turn_rate[i], braking[i]}});
        }
    }
};

BestThresholdTimes time_best_threshold()
{
    constexpr std::size_t kTasks = 4096;
    constexpr int kRounds = 7;
    const TurningTasks tasks(kTasks);
    std::vector<double> alone, of_many, thresholds(kTasks);
    volatile double kept = 0.0;  // so that the work is done
    for (int round = 0; round < kRounds; ++round) {
        double before = cpu_seconds(), sum = 0.0;
        for (const TurningTask& task : tasks.rows) {
            if (const auto best = best_threshold(task)) sum += best->threshold;
        }
        alone.push_back(1e6 * (cpu_seconds() - before) / static_cast<double>(kTasks));
        before = cpu_seconds();
        (void)best_thresholds({tasks.x, tasks.y, tasks.speed, tasks.max_speed, tasks.acceleration,
                               tasks.turn_rate, tasks.braking, false},
                              thresholds, {});
        of_many.push_back(1e6 * (cpu_seconds() - before) / static_cast<double>(kTasks));
        kept = kept + sum + thresholds[0];
    }
    return {spread_of(alone).median, spread_of(of_many).median};
}

std::optional<bool> all_of(std::span<const BenchTarget> targets,
                           std::optional<bool> (BenchTarget::*meets)() const)
{
    bool all = true;
    for (const BenchTarget& target : targets) {
        const std::optional<bool> one = (target.*meets)();
        if (!one) return std::nullopt;
        all = all && *one;
    }
    return all;
}

std::optional<bool> reaches(const BenchTarget& target, double value)
{
    if (!target.measured) return std::nullopt;
    return target.at_most ? *target.measured <= value : *target.measured >= value;
}

}  // namespace

std::optional<bool> BenchTarget::meets_floor() const
{
    return has_floor ? reaches(*this, floor) : std::optional(true);
}

std::optional<bool> BenchTarget::meets_goal() const
{
    return reaches(*this, goal);
}

std::optional<bool> BenchFloor::meets_floor() const
{
    return all_of(targets, &BenchTarget::meets_floor);
}

std::optional<bool> BenchFloor::meets_goal() const
{
    return all_of(targets, &BenchTarget::meets_goal);
}

Result<std::vector<BenchCase>> floor_cases(std::span<const Peer> peers)
{
    CaseList list(peers);
    list.add("open-1k", {.threads = 1});
    list.add_peers("open-1k", {"rvo2", "rvo2-sorted"});
    list.add("open-10k", {.threads = 1});
    list.add("open-10k", {.threads = 1, .model = "clearpath"});
    list.add("open-10k", {.threads = 1, .model = "clearpath", .isa = Isa::scalar});
    list.add("open-10k",
             {.threads = 1, .model = "rvo", .settings = kSampled, .variant = "sampled"});
    list.add_peers("open-10k", {"rvo2", "rvo2-sorted"});
    list.add("open-100k", {.threads = 1});
    list.add("open-100k", {.threads = 2});
    for (const char* scene : {"open-100k", "evac-5k"}) {
        if (std::string_view(scene) == "evac-5k") list.add(scene, {.threads = 1});
        list.add(scene,
                 {.threads = 1, .model = "rcap", .settings = kRcap, .variant = "0.79 s, 1.5 m/s2"});
        list.add(scene, {.threads = 1,
                         .model = "personality",
                         .settings = kPersonality,
                         .variant = "ranks, alpha 0.5"});
    }
    list.add_peers("open-100k", {"rvo2", "rvo2-sorted"});
    list.add_peers("evac-5k", {"rvo2"});
    list.add("circle-1k-jitter", {.threads = 1});
    list.add_peers("circle-1k-jitter", {"rvo2"});
    list.add("city-250k", {.threads = 2});
    list.add_peers("city-250k", {"rvo2"});
    list.add("open-1m", {.threads = 1});
    list.add("open-1m", {.threads = 2});
    list.add_peers("open-1m", {"rvo2", "rvo2-sorted"});
    return list.take();
}

std::vector<BenchFloor> judge_floors(std::span<const BenchRow> all)
{
    const Rows rows(all);
    const std::string best(to_string(available_isas().front()));
    const auto clearpath = [&](std::string_view isa) {
        return rows.us(
            {.scene = "open-10k", .engine = "sidestep", .model = "clearpath", .isa = isa});
    };
    const BestThresholdTimes best_at = time_best_threshold();
    const std::optional<double> threads =
        quotient(rows.ms("open-100k", 1), rows.ms("open-100k", 2));
    return {
        {"open-10k (0.5 /m2), ORCA, 1 thread", "RVO2 1.37 us; sorted 1.10 us",
         against_rvo2(rows, "open-10k", 1, 8.0, 12.0, 7.0, 10.0)},
        {"open-100k, ORCA, 1 thread", "RVO2 2.62 us; sorted 1.21 us",
         against_rvo2(rows, "open-100k", 1, 15.0, 24.0, 7.0, 10.0)},
        {"circle-1k-jitter, dense middle, full run", "RVO2 0.7 us",
         against_rvo2(rows, "circle-1k-jitter", 1, 5.0, 9.0, 0.0, 0.0)},
        {"evac-5k, walls and jams", "RVO2 2.0-2.6 us, 38 % of it wall queries",
         against_rvo2(rows, "evac-5k", 1, 5.0, 8.0, 0.0, 0.0)},
        {"city-250k, 2 threads",
         "RVO2 about 5 us; 2009: 30-60 steps/s on 64 simulated cores",
         {at_least("RVO2 / ours", 15.0, 30.0, rows.times("rvo2", "city-250k", 2)),
          goal_only("steps per second", 60.0, rows.steps_per_second("city-250k", 2), "/s")}},
        {"open-1m, 2 threads",
         "RVO2 4.89 us; sorted 1.38 us",
         {at_least("RVO2 / ours", 25.0, 40.0, rows.times("rvo2", "open-1m", 2)),
          at_least("RVO2 sorted / ours", 7.0, 7.0, rows.times("rvo2-sorted", "open-1m", 2)),
          goal_only("steps per second", 14.0, rows.steps_per_second("open-1m", 2), "/s")}},
        {"growth 1k -> 1M agents, cost per update",
         "RVO2 4.7x; sorted 1.39x",
         {at_most("open-1m / open-1k", 1.6, 1.25,
                  quotient(rows.ours("open-1m"), rows.ours("open-1k")))}},
        {"memory per agent, open-1m, pair memory of RCAP apart",
         "RVO2 770 B",
         {at_most("resident growth", 256.0, 128.0, rows.bytes("open-1m"), "B")}},
        {"1 -> 2 threads, open-100k", "RVO2 1.7x", {at_least("wall time", 1.8, 1.95, threads)}},
        {"ClearPath, scalar -> 8 lanes",
         "2009: 16 lanes give 6.4x",
         {at_least(fmt::format("scalar / {}", best), 3.0, 5.0,
                   quotient(clearpath("scalar"), clearpath(best)))}},
        {"ClearPath against sampled RVO, same neighbours",
         "2009: 8-12x",
         {at_least("rvo / clearpath", 8.0, 12.0,
                   quotient(rows.ours("open-10k", 1, "rvo"), clearpath(best)))}},
        {"RCAP, roles and personality over plain ORCA", "2010: almost no overhead",
         overheads(rows)},
        {"BestAT query, exact",
         "2014: a polynomial fit per agent type",
         {at_most("asked alone, with the time of arrival", 1.0, 1.0, best_at.alone, "us"),
          at_most("each of many", 1.0, 0.25, best_at.of_many, "us")}},
    };
}

}  // namespace sidestep
