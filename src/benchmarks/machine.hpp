// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sidestep/bench.hpp"

namespace sidestep {

// What the system tells about time, memory and others. Nothing here is known everywhere: what is
// not is 0 or none.

double cpu_seconds();   ///< of this process, all threads
double wall_seconds();  ///< of a clock that never goes back

/// Pages of this process that are in memory [bytes]. Gives back what the allocator keeps first.
double resident_bytes();

/// Time of all processors, by use [s].
struct ProcessorTimes {
    double busy = 0.0, all = 0.0;
    bool known = false;
};
ProcessorTimes processor_times();

/// Part of the processors that others used since `before`, when this process had used `cpu_before`.
double used_by_others(const ProcessorTimes& before, double cpu_before);

/// Frequency of the processor as it is now, and how it was found.
struct Frequency {
    double gigahertz = 0.0;
    std::string from;
};
Frequency measure_frequency();

/// What one reading of the clock of StageClock takes [s].
double clock_cost();

std::string processor_name();
std::string system_name();
double load_average();

}  // namespace sidestep
