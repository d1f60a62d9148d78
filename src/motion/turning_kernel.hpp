// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sidestep/nonholonomic.hpp"
#include "sidestep/world.hpp"

namespace sidestep {

/// The batches of sidestep/nonholonomic.hpp for one instruction set. Input is checked before.
struct TurningKernels {
    void (*arrivals)(const TurningColumns&, std::span<const double> threshold,
                     const ArrivalColumns&);
    void (*states)(const TurningColumns&, std::span<const double> threshold,
                   std::span<const double> t, const StateColumns&);
    void (*best_thresholds)(const TurningColumns&, std::span<double> threshold,
                            std::span<double> time);
};

TurningKernels turning_kernels_for(Isa isa);

}  // namespace sidestep
