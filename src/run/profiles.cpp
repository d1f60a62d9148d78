// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run/profiles.hpp"

#include <algorithm>

namespace sidestep {

namespace {

/// Number of a trait or parameter of the model, or none.
std::optional<std::uint32_t> number_of(std::string_view model, std::string_view name)
{
    for (std::uint32_t i = 0; i < traits().size(); ++i) {
        if (traits()[i].name == name) return i;
    }
    for (const ModelInfo& info : models()) {
        if (info.name != model) continue;
        for (std::uint32_t i = 0; i < info.params.size(); ++i) {
            if (info.params[i].name == name) return static_cast<std::uint32_t>(traits().size()) + i;
        }
    }
    return std::nullopt;
}

double default_of(std::string_view trait)
{
    for (const ParamInfo& info : traits()) {
        if (info.name == trait) return double{info.default_value};
    }
    return 0.0;
}

}  // namespace

DrawnTraits draw_traits(const RunProfile& profile, std::uint64_t seed, std::uint32_t id)
{
    DrawnTraits traits{profile.radius, profile.wall_clearance, profile.preferred_speed, {}};
    for (const RunProfile::Drawn& value : profile.drawn) {
        const double drawn = draw(value.distribution, {seed, id, value.use, 0});
        if (value.name == "radius") traits.radius = drawn;
        if (value.name == "wall_clearance") traits.wall_clearance = drawn;
        if (value.name == "preferred_speed") traits.preferred_speed = drawn;
        traits.values.emplace_back(value.name, drawn);
    }
    return traits;
}

std::vector<RunProfile> add_profiles(const Scenario& scenario,
                                     const std::optional<std::string>& model, World& world,
                                     Problems& problems)
{
    std::vector<RunProfile> profiles;
    for (const ProfilePlan& plan : scenario.profiles) {
        RunProfile profile;
        profile.model = model.value_or(plan.model);
        profile.radius = default_of("radius");
        profile.wall_clearance = default_of("wall_clearance");
        profile.preferred_speed = default_of("preferred_speed");
        ProfileSpec spec{.model = profile.model, .values = {}};
        for (const auto& [name, distribution] : plan.values) {
            const auto number = number_of(profile.model, name);
            if (!number && model) continue;  // a parameter of the model that was replaced
            if (distribution.kind == Distribution::Kind::constant) {
                spec.values.emplace_back(name, distribution.first);
                if (name == "radius") profile.radius = distribution.first;
                if (name == "wall_clearance") profile.wall_clearance = distribution.first;
                if (name == "preferred_speed") profile.preferred_speed = distribution.first;
            } else {
                profile.drawn.push_back({name, kUseTrait + number.value_or(0), distribution});
            }
        }
        profile.smallest_radius = profile.largest_radius = profile.radius;
        for (const RunProfile::Drawn& value : profile.drawn) {
            if (value.name != "radius") continue;
            profile.smallest_radius = smallest(value.distribution);
            profile.largest_radius = largest(value.distribution);
        }
        const auto added = world.add_profile(spec);
        if (added) profile.engine = *added;
        if (!added)
            problems.push_back({"bad-profile", added.error().message, scenario.file, plan.at, ""});
        profiles.push_back(std::move(profile));
    }
    return profiles;
}

}  // namespace sidestep
