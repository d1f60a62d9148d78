// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/traits.hpp"

#include <limits>

namespace sidestep {

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// clang-format off
constexpr ParamInfo kTraits[] = {
    // name               unit     default  min     max     meaning
    {"radius",            "m",     0.20f,   0.01f,  50.0f,  "body: what must not overlap"},
    {"planning_radius",   "m",     0.0f,    0.0f,   50.0f,  "personal space kept from other agents; never below the body's radius"},
    {"wall_clearance",    "m",     0.0f,    0.0f,   10.0f,  "kept from walls beyond the body"},
    {"preferred_speed",   "m/s",   1.34f,   0.0f,   50.0f,  "walked when nobody is in the way"},
    {"max_speed",         "m/s",   2.0f,    0.0f,   50.0f,  "never exceeded"},
    {"max_acceleration",  "m/s2",  kInf,    0.001f, 1000.0f, "change of velocity per second; infinite: no limit", true},
    {"rank",              "1",     1.0f,    0.0f,   1e6f,   "the lower of two takes more of the avoidance; infinite: yields to nobody", true},
    {"neighbour_range",   "m",     5.0f,    0.0f,   500.0f, "agents farther than this are not seen"},
    {"max_neighbours",    "1",     10.0f,   0.0f,   256.0f, "only so many, the nearest, are avoided"},
};
// clang-format on
static_assert(std::size(kTraits) == kTraitCount);
static_assert(kTraits[kMaxNeighbours].max == float{kNeighbourListCapacity});

}  // namespace

std::span<const ParamInfo> traits()
{
    return kTraits;
}

}  // namespace sidestep
