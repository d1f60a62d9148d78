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

}  // namespace sidestep
