// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Manoeuvres of agents that must turn: one at a time and over columns. Times are per manoeuvre.
#include <benchmark/benchmark.h>

#include <sidestep/nonholonomic.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace sidestep;

constexpr std::size_t kRows = 4096;
constexpr double kPi = 3.141592653589793;

/// From rest, w v_m / a from 0.1 to 10, destinations from 0.1 to 30 m.
struct Tasks {
    std::vector<TurningTask> rows;
    std::vector<double> x, y, speed, max_speed, acceleration, turn_rate, braking, threshold, t;

    Tasks()
    {
        std::mt19937_64 random(1);
        const auto uniform = [&](double low, double high) {
            return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
        };
        for (std::size_t i = 0; i < kRows; ++i) {
            const double distance = 0.1 * std::pow(300.0, uniform(0.0, 1.0));
            const double angle = uniform(-kPi, kPi), v = uniform(0.5, 2.0), w = uniform(0.5, 3.0);
            const double a = v * w / (0.1 * std::pow(100.0, uniform(0.0, 1.0)));
            rows.push_back({.destination = {distance * std::cos(angle), distance * std::sin(angle)},
                            .limits = {v, a, w, a}});
            x.push_back(rows.back().destination.x);
            y.push_back(rows.back().destination.y);
            speed.push_back(0.0);
            max_speed.push_back(v);
            acceleration.push_back(a);
            turn_rate.push_back(w);
            braking.push_back(a);
            threshold.push_back(uniform(0.0, kPi));
            t.push_back(uniform(0.0, 10.0));
        }
    }
    TurningColumns columns() const
    {
        return {x, y, speed, max_speed, acceleration, turn_rate, braking, false};
    }
};

const Tasks& tasks()
{
    static const Tasks made;
    return made;
}

/// Calls answer(row) for one row after the other.
template <class Answer>
void each_row(benchmark::State& state, const Answer& answer)
{
    const Tasks& all = tasks();
    std::size_t row = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(answer(all, row));
        row = (row + 1) % kRows;
    }
}

/// Calls batch() on all rows; the counter is the time of one.
template <class Batch>
void all_rows(benchmark::State& state, const Batch& batch)
{
    for (auto _ : state) {
        batch(tasks());
        benchmark::ClobberMemory();
    }
    state.counters["per_row"] = benchmark::Counter(
        static_cast<double>(kRows),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void arrival_one(benchmark::State& state)
{
    each_row(state, [](const Tasks& all, std::size_t i) {
        return arrival(all.rows[i], all.threshold[i])->time;
    });
}
BENCHMARK(arrival_one);

void best_threshold_one(benchmark::State& state)
{
    each_row(state, [](const Tasks& all, std::size_t i) {
        const TurningTask& task = all.rows[i];
        return *switching_bearing(std::hypot(task.destination.x, task.destination.y), 0.0,
                                  task.limits);
    });
}
BENCHMARK(best_threshold_one);

void best_threshold_and_time_one(benchmark::State& state)
{
    each_row(state,
             [](const Tasks& all, std::size_t i) { return best_threshold(all.rows[i])->time; });
}
BENCHMARK(best_threshold_and_time_one);

void state_one(benchmark::State& state)
{
    each_row(state, [](const Tasks& all, std::size_t i) {
        return turning_state(all.rows[i], all.threshold[i], all.t[i])->place.x;
    });
}
BENCHMARK(state_one);

void arrivals_batch(benchmark::State& state)
{
    std::vector<double> time(kRows);
    all_rows(state, [&](const Tasks& all) {
        ArrivalColumns out;
        out.time = time;
        if (!arrivals(all.columns(), all.threshold, out)) std::abort();
    });
}
BENCHMARK(arrivals_batch);

void best_thresholds_batch(benchmark::State& state)
{
    std::vector<double> best(kRows);
    all_rows(state, [&](const Tasks& all) {
        if (!best_thresholds(all.columns(), best, {})) std::abort();
    });
}
BENCHMARK(best_thresholds_batch);

void states_batch(benchmark::State& state)
{
    std::vector<double> x(kRows), y(kRows), heading(kRows), speed(kRows);
    all_rows(state, [&](const Tasks& all) {
        if (!turning_states(all.columns(), all.threshold, all.t, {x, y, heading, speed}))
            std::abort();
    });
}
BENCHMARK(states_batch);

void states_to_a_stop_batch(benchmark::State& state)
{
    std::vector<double> x(kRows), y(kRows), heading(kRows), speed(kRows);
    all_rows(state, [&](const Tasks& all) {
        TurningColumns columns = all.columns();
        columns.stop = true;
        const double on_the_spot = 0.0;  // so that all can stop
        if (!turning_states(columns, {&on_the_spot, 1}, all.t, {x, y, heading, speed}))
            std::abort();
    });
}
BENCHMARK(states_to_a_stop_batch);

}  // namespace
