// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/world.hpp>

#include <cstdio>
#include <string>

namespace sidestep::cli {

/// An agent of a scene at a time, and why it does what it does.
struct Explained {
    std::string scene;
    std::string model;  ///< with its filter where it has one: "seek, filter clearpath"
    double time = 0.0;  ///< of the state that the step starts from [s]
    std::uint16_t level = 0;
    Explanation why;
    std::string drawing;  ///< file, or none
};

/// "circle, agent 3 at 2.50 s, clearpath"
std::string title_of(const Explained& explained);
void print_text(const Explained& explained, std::FILE* to);
std::string to_json(const Explained& explained);

}  // namespace sidestep::cli
