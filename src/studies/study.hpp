// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A study is one file with one `const Study kName`, and one line in registry.cpp: what it is about,
// and a function that fills in findings, numbers and drawings.

#include "sidestep/studies.hpp"

namespace sidestep {

struct Study {
    StudyInfo info;
    void (*run)(StudyResult& result);
};

/// A number beside what the paper printed, or what its printed equation gives: whether that is ours
/// within `slack`. Without `paper` it is written with as many decimals as ours.
StudyNumber with_printed(StudyNumber number, double printed, double slack);

}  // namespace sidestep
