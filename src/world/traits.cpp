// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/traits.hpp"

#include <limits>

namespace sidestep {

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

constexpr std::string_view kAccelerationModes[] = {"disc", "clamp", "brake", "avo"};
constexpr std::string_view kOwnSides[] = {"world", "right", "left"};
constexpr std::string_view kFilters[] = {"none", "orca", "clearpath"};
constexpr std::string_view kMotions[] = {"free", "unicycle", "bicycle"};
constexpr std::string_view kGrounds[] = {"auto", "way", "circle"};
constexpr std::string_view kSights[] = {"through_walls", "centre", "body"};

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
    {"max_neighbours",    "1",     10.0f,   0.0f,   256.0f, "only so many, the nearest, are avoided", false, {}, true},
    {"lateral_acceleration", "m/s2", kInf,  0.001f, 1000.0f, "limit across the heading; infinite: max_acceleration in every direction", true},
    {"acceleration_mode", "",      0.0f,    0.0f,   3.0f,   "disc: the best velocity that can be reached; clamp: the best, then cut back; brake: disc, and slow enough to stop; avo: sampled with the lag of response_time", false, kAccelerationModes},
    {"response_time",     "s",     0.3f,    0.01f,  10.0f,  "of acceleration_mode avo: a change of velocity is made but for 1/e in this time"},
    {"alpha",             "1",     0.5f,    0.0f,   1.0f,   "of model personality: 0 minds the goal alone, 1 keeps its velocity where it can"},
    {"passing_side",      "",      0.0f,    0.0f,   2.0f,   "where to step aside for somebody met head on; world: as [world] says, and only where nothing else decides", false, kOwnSides},
    {"patience",          "s",     2.0f,    0.0f,   3600.0f, "waits so long before it makes itself smaller", true},
    {"observation_time",  "s",     0.0f,    0.0f,   60.0f,  "T_obs: somebody is avoided when seen for longer than this; 0: at once"},
    {"forget_time",       "s",     2.0f,    0.0f,   60.0f,  "T_forget: somebody out of sight for longer than this is seen anew"},
    {"field_of_view_deg", "deg",   360.0f,  0.0f,   360.0f, "full angle about the heading; who is outside is not seen"},
    {"sight",             "",      0.0f,    0.0f,   2.0f,   "what walls hide: nobody, whose centre is hidden, or who is hidden from shoulder to shoulder", false, kSights},
    {"filter",            "",      0.0f,    0.0f,   2.0f,   "what the model wants is a wish, and the velocity nearest to it that this avoidance allows is taken; others meet such an agent as one of that model", false, kFilters},
    {"filter_horizon",    "s",     2.0f,    0.05f,  60.0f,  "of filter: later collisions with agents are ignored"},
    {"repulsion_factor",  "1",     1.0f,    0.0f,   10.0f,  "of model social_force: how much harder than usual others push this one"},
    {"replan_time",       "s",     kInf,    0.1f,   3600.0f, "slower than 0.3 of its preferred speed for so long it looks for a way round the jam; infinite: only where the deadlock policy says so", true},
    {"motion",            "",      0.0f,    0.0f,   2.0f,   "free: any way at once; unicycle: forward, and turning at most at turn_rate; bicycle: the same, steered by a wheel in front", false, kMotions},
    {"turn_rate",         "rad/s", kInf,    0.001f, 100.0f, "of a vehicle: never turns faster", true},
    {"braking",           "m/s2",  kInf,    0.001f, 1000.0f, "of a vehicle: slows down at most so fast; infinite: as max_acceleration", true},
    {"turning_radius",    "m",     0.0f,    0.0f,   100.0f, "of a unicycle: the smallest circle it drives; 0: it turns on the spot"},
    {"wheelbase",         "m",     1.0f,    0.0f,   20.0f,  "of a bicycle: between its axles; its smallest circle has the radius wheelbase / tan(max_steering)"},
    {"max_steering",      "rad",   0.6f,    0.01f,  1.5f,   "of a bicycle: farthest turn of the front wheel"},
    {"turn_threshold",    "rad",   kInf,    0.0f,   3.1415927f, "of a vehicle that turns on the spot: while its goal is farther aside than this it brakes and turns, then it speeds up; infinite: the best one", true},
    {"ground",            "",      0.0f,    0.0f,   2.0f,   "what a vehicle keeps free of everybody: the way on which it stops, or the smallest circle it can drive, on its passing side; auto: the circle for those that cannot turn on the spot", false, kGrounds},
};
// clang-format on
static_assert(std::size(kTraits) == kTraitCount);
static_assert(kTraits[kMaxNeighbours].max == float{kNeighbourListCapacity});

}  // namespace

std::span<const ParamInfo> traits()
{
    return kTraits;
}

float default_of(const ModelInfo& model, const ParamInfo& trait)
{
    for (const TraitValue& own : model.trait_defaults) {
        if (own.trait == trait.name) return own.value;
    }
    return trait.default_value;
}

}  // namespace sidestep
