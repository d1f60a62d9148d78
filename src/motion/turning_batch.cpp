// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The questions of sidestep/nonholonomic.hpp about many manoeuvres: checked row by row, answered by
// the widest kernel of this machine.
#include <algorithm>
#include <array>
#include <string>

#include "motion/check_turning.hpp"
#include "motion/turning_kernel.hpp"
#include "simd/isa.hpp"

namespace sidestep {
namespace {

const TurningKernels& kernels()
{
    static const TurningKernels found = turning_kernels_for(available_isas().front());
    return found;
}

double value(std::span<const double> column, std::size_t row)
{
    return column[column.size() == 1 ? 0 : row];
}

TurningTask task_of(const TurningColumns& tasks, std::size_t row)
{
    return {{tasks.x[row], tasks.y[row]},
            value(tasks.speed, row),
            {value(tasks.max_speed, row), value(tasks.acceleration, row),
             value(tasks.turn_rate, row), value(tasks.braking, row)},
            tasks.stop};
}

/// A column of input has one number per row or one in all; one of output also may be empty.
void check_input(InputCheck& c, std::size_t rows, const char* name, std::size_t size)
{
    c.require(size == rows || size == 1, name, "must have one number per row, or one");
}
void check_output(InputCheck& c, std::size_t rows, const char* name, std::size_t size)
{
    c.require(size == rows || size == 0, name, "must have one place per row, or none");
}

InputCheck& check_columns(InputCheck& c, const TurningColumns& tasks)
{
    const std::size_t rows = tasks.x.size();
    c.require(tasks.y.size() == rows, "y", "must have one number per row");
    check_input(c, rows, "speed", tasks.speed.size());
    check_input(c, rows, "max_speed", tasks.max_speed.size());
    check_input(c, rows, "acceleration", tasks.acceleration.size());
    check_input(c, rows, "turn_rate", tasks.turn_rate.size());
    check_input(c, rows, "braking", tasks.braking.size());
    return c;
}

Error in_row(const Error& error, std::size_t row)
{
    return {error.code, "row " + std::to_string(row) + ": " + error.message};
}

/// The first row that is wrong; `more(check, row)` adds what the question has besides the task.
template <class More>
Result<void> check_rows(const TurningColumns& tasks, const More& more)
{
    for (std::size_t row = 0; row < tasks.x.size(); ++row) {
        InputCheck c;
        check(c, task_of(tasks, row));
        more(c, row);
        if (c.failed()) return in_row(c.error(), row);
    }
    return {};
}

/// Some rows of a column; what holds for all rows stays.
std::span<const double> some(std::span<const double> column, std::size_t first, std::size_t count)
{
    return column.size() == 1 ? column : column.subspan(first, count);
}

/// An error where an agent cannot stop and t is after it faces its destination.
Result<void> check_known(const TurningColumns& tasks, std::span<const double> threshold,
                         std::span<const double> t)
{
    constexpr std::size_t kAtOnce = 256;
    std::array<ArrivalKind, kAtOnce> kind;
    const std::size_t rows = tasks.x.size();
    for (std::size_t first = 0; first < rows; first += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, rows - first);
        ArrivalColumns found;
        found.kind = std::span(kind).first(count);
        const auto part = [&](std::span<const double> c) { return some(c, first, count); };
        kernels().arrivals({tasks.x.subspan(first, count), tasks.y.subspan(first, count),
                            part(tasks.speed), part(tasks.max_speed), part(tasks.acceleration),
                            part(tasks.turn_rate), part(tasks.braking), true},
                           part(threshold), found);
        for (std::size_t i = 0; i < count; ++i) {
            if (kind[i] != ArrivalKind::cannot_stop) continue;
            const std::size_t row = first + i;
            const auto state =
                turning_state(task_of(tasks, row), value(threshold, row), value(t, row));
            if (!state) return in_row(state.error(), row);
        }
    }
    return {};
}

}  // namespace

Result<void> arrivals(const TurningColumns& tasks, std::span<const double> threshold,
                      const ArrivalColumns& out)
{
    InputCheck c;
    const std::size_t rows = tasks.x.size();
    check_columns(c, tasks);
    check_input(c, rows, "threshold", threshold.size());
    check_output(c, rows, "kind", out.kind.size());
    for (const auto column : {out.turn_time, out.face_time, out.face_x, out.face_y, out.heading,
                              out.face_speed, out.straight, out.end_speed, out.time})
        check_output(c, rows, "each column of the result", column.size());
    if (c.failed()) return c.error();
    auto checked = check_rows(tasks, [&](InputCheck& row_check, std::size_t row) {
        check_threshold(row_check, value(threshold, row));
    });
    if (checked) kernels().arrivals(tasks, threshold, out);
    return checked;
}

Result<void> turning_states(const TurningColumns& tasks, std::span<const double> threshold,
                            std::span<const double> t, const StateColumns& out)
{
    InputCheck c;
    const std::size_t rows = tasks.x.size();
    check_columns(c, tasks);
    check_input(c, rows, "threshold", threshold.size());
    check_input(c, rows, "t", t.size());
    for (const auto column : {out.x, out.y, out.heading, out.speed})
        check_output(c, rows, "each column of the result", column.size());
    if (c.failed()) return c.error();
    auto checked = check_rows(tasks, [&](InputCheck& row_check, std::size_t row) {
        check_threshold(row_check, value(threshold, row));
        check_time(row_check, "t", value(t, row));
    });
    if (!checked) return checked;
    if (tasks.stop) {  // only then is there a state that is not known
        auto known = check_known(tasks, threshold, t);
        if (!known) return known;
    }
    kernels().states(tasks, threshold, t, out);
    return {};
}

Result<void> best_thresholds(const TurningColumns& tasks, std::span<double> threshold,
                             std::span<double> time)
{
    InputCheck c;
    const std::size_t rows = tasks.x.size();
    check_columns(c, tasks);
    c.require(threshold.size() == rows, "threshold", "must have one place per row");
    check_output(c, rows, "time", time.size());
    if (c.failed()) return c.error();
    auto checked = check_rows(tasks, [](InputCheck&, std::size_t) {});
    if (!checked) return checked;
    kernels().best_thresholds(tasks, threshold, time);
    for (std::size_t row = 0; row < rows; ++row) {
        if (value(tasks.speed, row) == 0.0) continue;
        const auto best = best_threshold(task_of(tasks, row));
        threshold[row] = best->threshold;
        if (!time.empty()) time[row] = best->time;
    }
    return {};
}

}  // namespace sidestep
