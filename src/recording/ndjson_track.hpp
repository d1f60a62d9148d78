// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "recording/text_layout.hpp"

namespace sidestep {

/// A line of a TrajNet++ file: a track is a walker in a frame, a scene names a stretch of time.
struct TrajnetLine {
    enum Kind { track, scene, other, wrong } kind = wrong;
    TextRow row;                ///< of a track
    std::optional<double> fps;  ///< of a scene, where it has one
};

/// Reads any line. Keys come in any order, those that are not known are passed over.
TrajnetLine read_trajnet_line(std::string_view line);

}  // namespace sidestep
