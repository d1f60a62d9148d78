// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/turning_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "motion/turning_kernel.hpp"
#include "motion/turning_lanes-inl.hpp"
#include "simd/isa.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::ScalableTag<double>;
using V = hn::Vec<Wide>;
constexpr std::size_t kLanes = hn::MaxLanes(Wide());

/// Rows [first, first + lanes) of a column; those beyond the last repeat it, and a column of one
/// number holds for all.
V load(std::span<const double> column, std::size_t first, std::size_t rows)
{
    const Wide d;
    if (column.size() == 1) return hn::Set(d, column[0]);
    if (first + hn::Lanes(d) <= rows) return hn::LoadU(d, column.data() + first);
    alignas(64) double lane[kLanes];
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) lane[l] = column[std::min(first + l, rows - 1)];
    return hn::Load(d, lane);
}

void store(V values, std::span<double> column, std::size_t first)
{
    if (column.empty()) return;
    const Wide d;
    if (first + hn::Lanes(d) <= column.size()) {
        hn::StoreU(values, d, column.data() + first);
        return;
    }
    alignas(64) double lane[kLanes];
    hn::Store(values, d, lane);
    std::copy_n(lane, column.size() - first, column.data() + first);
}

void store(V values, std::span<ArrivalKind> column, std::size_t first)
{
    if (column.empty()) return;
    const Wide d;
    alignas(64) double lane[kLanes];
    hn::Store(values, d, lane);
    const std::size_t count = std::min(hn::Lanes(d), column.size() - first);
    for (std::size_t l = 0; l < count; ++l)
        column[first + l] = static_cast<ArrivalKind>(static_cast<int>(lane[l]));
}

TaskLanes<V> load_tasks(const TurningColumns& tasks, std::size_t first)
{
    const std::size_t rows = tasks.x.size();
    const auto get = [&](std::span<const double> column)
                         HWY_ATTR { return load(column, first, rows); };
    const TurningBody<V> body{get(tasks.max_speed), get(tasks.acceleration), get(tasks.turn_rate),
                              get(tasks.braking)};
    return task_on_left(Wide(), body, {get(tasks.x), get(tasks.y)}, get(tasks.speed));
}

/// Lanes of moving agents that are still in phase 1 at t: each on its own.
void put_braking(const TaskLanes<V>& task, hn::Mask<Wide> who, V t, Pose<V>& pose)
{
    const Wide d;
    alignas(64) double in[7][kLanes], out[4][kLanes] = {};
    const V columns[7] = {task.destination.x, task.destination.y, task.speed, task.body.braking,
                          task.body.rate,     task.side,          t};
    for (int i = 0; i < 7; ++i) hn::Store(columns[i], d, in[i]);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const BrakePose at =
            brake_for({{in[0][l], in[1][l]}, in[2][l], in[3][l], in[4][l]}, in[6][l]);
        const double values[4] = {at.place.x, in[5][l] * at.place.y, in[5][l] * at.heading,
                                  at.speed};
        for (int i = 0; i < 4; ++i) out[i][l] = values[i];
    }
    V* const fields[4] = {&pose.place.x, &pose.place.y, &pose.heading, &pose.speed};
    for (int i = 0; i < 4; ++i) *fields[i] = hn::IfThenElse(who, hn::Load(d, out[i]), *fields[i]);
}

}  // namespace

void arrivals(const TurningColumns& tasks, std::span<const double> threshold,
              const ArrivalColumns& out)
{
    const Wide d;
    const std::size_t rows = tasks.x.size();
    for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
        const auto a = arrival_lanes(d, load_tasks(tasks, i), load(threshold, i, rows), tasks.stop);
        store(a.kind, out.kind, i);
        store(a.turn_time, out.turn_time, i);
        store(a.face_time, out.face_time, i);
        store(a.face_place.x, out.face_x, i);
        store(a.face_place.y, out.face_y, i);
        store(a.heading, out.heading, i);
        store(a.face_speed, out.face_speed, i);
        store(a.straight, out.straight, i);
        store(a.end_speed, out.end_speed, i);
        store(a.time, out.time, i);
    }
}

void states(const TurningColumns& tasks, std::span<const double> threshold,
            std::span<const double> t, const StateColumns& out)
{
    const Wide d;
    const std::size_t rows = tasks.x.size();
    for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
        const TaskLanes<V> task = load_tasks(tasks, i);
        const V time = load(t, i, rows);
        const PhaseTwo<V> from = turn_first(d, task, load(threshold, i, rows));
        Pose<V> pose = state_from(d, task, from, time, tasks.stop);
        const auto braking = hn::And(time<from.time, task.speed> hn::Zero(d));
        if (!hn::AllFalse(d, braking)) put_braking(task, braking, time, pose);
        store(pose.place.x, out.x, i);
        store(pose.place.y, out.y, i);
        store(pose.heading, out.heading, i);
        store(pose.speed, out.speed, i);
    }
}

/// From rest; rows that move are searched one at a time by the caller.
void best_thresholds(const TurningColumns& tasks, std::span<double> threshold,
                     std::span<double> time)
{
    const Wide d;
    const std::size_t rows = tasks.x.size();
    for (std::size_t i = 0; i < rows; i += hn::Lanes(d)) {
        const TaskLanes<V> task = load_tasks(tasks, i);
        const V best = best_threshold_lanes(d, task, tasks.stop);
        store(best, threshold, i);
        if (!time.empty()) store(arrival_lanes(d, task, best, tasks.stop).time, time, i);
    }
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(arrivals);
HWY_EXPORT(states);
HWY_EXPORT(best_thresholds);

TurningKernels turning_kernels_for(Isa isa)
{
    return {kernel_for(HWY_DISPATCH_TABLE(arrivals), isa),
            kernel_for(HWY_DISPATCH_TABLE(states), isa),
            kernel_for(HWY_DISPATCH_TABLE(best_thresholds), isa)};
}

}  // namespace sidestep
#endif
