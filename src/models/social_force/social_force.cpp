// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/social_force/social_force.hpp"

namespace sidestep::social_force {

namespace {

constexpr std::string_view kRepulsionWords[] = {"circular", "elliptical_1", "elliptical_2",
                                                "power_law", "none"};
constexpr std::string_view kWeightingWords[] = {"cosine", "view_1995"};
constexpr std::string_view kContactWords[] = {"none", "helbing_2000"};

// clang-format off
constexpr ParamInfo kParams[] = {
    // name               unit        default   min    max     meaning
    {"relaxation_time",   "s",        0.5f,     0.05f, 60.0f,  "tau: in which the velocity becomes the preferred one but for 1/e"},
    {"repulsion",         "",         0.0f,     0.0f,  4.0f,   "how others push: by their distance, by ellipses along their way (1) or their way relative to one's own (2), by the time to collision, or not at all", false, kRepulsionWords},
    {"strength",          "m/s2",     2.0f,     0.0f,  100.0f, "A of circular and elliptical: the push at contact; times the trait repulsion_factor"},
    {"reach",             "m",        0.3f,     0.01f, 10.0f,  "B: way on which that push falls to 1/e"},
    {"anisotropy",        "1",        0.2f,     0.0f,  1.0f,   "lambda: what counts of a push from behind; 1: all directions alike"},
    {"weighting",         "",         0.0f,     0.0f,  1.0f,   "how pushes from the side count: fading by the cosine, or half where they are more than 100 degrees off the wish", false, kWeightingWords},
    {"look_ahead",        "s",        0.5f,     0.0f,  10.0f,  "Dt of elliptical: others push from all along the way they make in this time"},
    {"power_scale",       "m2",       1.5f,     0.0f,  100.0f, "k of power_law: size of the push; times the trait repulsion_factor"},
    {"power_time",        "s",        3.0f,     0.1f,  60.0f,  "t0 of power_law: later collisions hardly count"},
    {"contact",           "",         0.0f,     0.0f,  1.0f,   "whether bodies that touch press and rub each other", false, kContactWords},
    {"contact_stiffness", "kg/s2",    120000.0f, 0.0f, 1e6f,   "k of contact: force per depth of an overlap"},
    {"contact_friction",  "kg/(m s)", 240000.0f, 0.0f, 1e6f,   "kappa of contact: force per depth and sliding speed"},
    {"mass",              "kg",       80.0f,    1.0f,  1000.0f, "of contact: what its forces accelerate"},
    {"wall_strength",     "m/s2",     5.0f,     0.0f,  100.0f, "push of a wall, or of a body's rim, at contact"},
    {"wall_reach",        "m",        0.1f,     0.01f, 5.0f,   "way from contact on which that push falls to 1/e"},
    {"body_strength",     "m/s2",     0.4f,     0.0f,  100.0f, "A of the ellipses along the way of a body that moves"},
    {"body_reach",        "m",        3.22f,    0.01f, 50.0f,  "B of these"},
    {"side_convention",   "m/s2",     0.3f,     0.0f,  10.0f,  "push to the passing side where somebody is met head on"},
};
// clang-format on
static_assert(kTraitCount + std::size(kParams) == kParamEnd);
static_assert(kParamEnd <= kMaxParams);

/// 1.3 times the preferred speed, [SF95].
constexpr TraitValue kTraitDefaults[] = {{"max_speed", 1.742f}};

}  // namespace

const Model kModel{
    .info = {.name = "social_force",
             .summary = "social forces: pulled by the goal, pushed by who is near and by walls",
             .params = kParams,
             .trait_defaults = kTraitDefaults},
    .avoidance = AvoidanceClass::forces,
    .reacts = true,
    .soft_bodies = kContact,
    .choose_for = choose_for};

}  // namespace sidestep::social_force
