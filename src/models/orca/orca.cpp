// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/orca/orca.hpp"

namespace sidestep::orca {

namespace {

// clang-format off
constexpr ParamInfo kParams[] = {
    // name                   unit   default  min    max    meaning
    {"time_horizon",          "s",   2.0f,    0.05f, 60.0f, "tau: later collisions with agents are ignored"},
    {"wall_time_horizon",     "s",   1.0f,    0.05f, 60.0f, "the same, for walls"},
    {"overlap_time",          "s",   0.0f,    0.0f,  60.0f, "time in which an overlap is undone; 0: one step. Longer is gentler"},
    {"velocity_uncertainty",  "m/s", 0.0f,    0.0f,  10.0f, "radius of the disc that a neighbour's true velocity lies in"},
};
// clang-format on
static_assert(kTraitCount + std::size(kParams) == kParamEnd && kParamEnd <= kMaxParams);

}  // namespace

const Model kModel{
    .info = {.name = "orca",
             .summary = "optimal reciprocal collision avoidance: half-planes and an exact program",
             .params = kParams},
    .avoidance = AvoidanceClass::half_planes,
    .reacts = true,
    .choose_for = choose_for};

}  // namespace sidestep::orca
