// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Avoidance added to whatever steers an agent, [CP09] §5: the velocity that its model chose becomes
// a wish, and the nearest velocity that the filter's model allows is taken.
namespace sidestep {

/// The model an agent avoids others by, and that others rely on: the filter's, else its own.
const Model& avoiding_model(const Model& own, Filter filter);

/// The kernels of the filters, in the order of enum Filter.
struct FilterKernels {
    ChooseVelocities orca = nullptr;
    ChooseVelocities clearpath = nullptr;
    explicit FilterKernels(Isa isa);
};

/// Runs the leaf's model, then the filters of those agents that have one.
void choose_and_filter(const Snapshot& snapshot, std::size_t leaf, ChooseVelocities choose,
                       const FilterKernels& filters, ModelScratch& scratch, Choice& choice);

}  // namespace sidestep
