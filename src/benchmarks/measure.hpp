// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sidestep/bench.hpp"
#include "sim/world_state.hpp"

namespace sidestep {

/// What one run of a case showed.
struct BenchSample {
    std::uint64_t warm_up = 0, steps = 0, updates = 0;
    double step_cpu = 0.0, step_wall = 0.0, navigation_cpu = 0.0;  ///< of the measured steps [s]
    double gigahertz = 0.0;                                        ///< about that time
    std::uint64_t agents = 0, arrived = 0, left = 0;
    double sim_time = 0.0;
    std::string model, isa;
    std::uint32_t threads = 1;
    std::uint64_t state_hash = 0;
    double bytes = 0.0;  ///< of a peer
    // of a run that looks
    double overlap_pairs_per_frame = 0.0;
    std::vector<Vec2> early_places;  ///< after kEarlySteps, by id
};

/// Engines are compared after so many steps: later small differences have grown.
inline constexpr std::uint64_t kEarlySteps = 5;

/// What is looked at besides the clock. Looking takes time outside of what is measured and, in a
/// small scene, the contents of the caches.
struct BenchLooks {
    bool overlaps = false;
    bool early_places = false;
    StageTimes* stages = nullptr;
};

/// Runs a case once, from the start.
Result<BenchSample> measure_once(const BenchCase& what, const BenchOptions& options,
                                 const BenchLooks& looks);

/// Resident growth from before an empty world to the same crowd after two steps, in bytes, and the
/// part of it that is memory of who was seen.
struct EngineBytes {
    double all = 0.0, sight = 0.0;
};
Result<EngineBytes> measure_memory(const BenchCase& what);

/// Pairs of bodies that are more than 1 mm into each other, whichever engine put them there.
std::uint64_t count_overlaps(const WorldState& world);

}  // namespace sidestep
