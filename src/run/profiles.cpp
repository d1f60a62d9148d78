// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run/profiles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// Whether the trait or parameter of this number takes whole numbers only.
bool is_whole(std::string_view model, std::optional<std::uint32_t> number)
{
    if (!number) return false;
    if (*number < traits().size()) return traits()[*number].whole;
    for (const ModelInfo& info : models()) {
        if (info.name == model) return info.params[*number - traits().size()].whole;
    }
    return false;
}

/// The value of a trait in a profile of this model that does not set it.
double default_in(std::string_view model, std::string_view trait)
{
    for (const ParamInfo& info : traits()) {
        if (info.name != trait) continue;
        for (const ModelInfo& each : models()) {
            if (each.name == model) return double{default_of(each, info)};
        }
        return double{info.default_value};
    }
    return 0.0;
}

/// How many of `count` each part gets: the whole numbers below its share, and one more for those
/// that lose most by that, the first of equals first.
std::vector<std::uint64_t> divide(std::span<const MixPart> mix, std::uint64_t count)
{
    std::vector<std::uint64_t> numbers;
    std::vector<std::pair<double, std::size_t>> remainders;
    std::uint64_t given = 0;
    for (const MixPart& part : mix) {
        const double exact = part.share * static_cast<double>(count);
        // A hair more: 0.3 of 10 is 3, not 2.9999.
        const double whole = std::floor(exact + 1e-9 * static_cast<double>(count));
        numbers.push_back(static_cast<std::uint64_t>(whole));
        remainders.emplace_back(exact - whole, remainders.size());
        given += numbers.back();
    }
    std::stable_sort(remainders.begin(), remainders.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; given < count; i = (i + 1) % remainders.size(), ++given)
        ++numbers[remainders[i].second];
    return numbers;
}

}  // namespace

std::vector<std::uint32_t> deal_profiles(const AgentsPlan& plan, std::uint64_t count,
                                         std::uint64_t seed, std::uint32_t first_id)
{
    std::vector<std::uint32_t> profiles(count, plan.profile);
    if (plan.mix.empty()) return profiles;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    order.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
        order.emplace_back(random_bits({seed, first_id + i, kUseProfile, 0}), i);
    std::sort(order.begin(), order.end());
    const std::vector<std::uint64_t> numbers = divide(plan.mix, count);
    std::size_t next = 0;
    for (std::size_t part = 0; part < plan.mix.size(); ++part) {
        for (std::uint64_t i = 0; i < numbers[part] && next < count; ++i)
            profiles[order[next++].second] = plan.mix[part].profile;
    }
    return profiles;
}

std::uint32_t draw_profile(const SourcePlan& plan, std::uint64_t seed, std::uint32_t id)
{
    if (plan.mix.empty()) return plan.profile;
    double left = random_unit({seed, id, kUseProfile, 0});
    for (const MixPart& part : plan.mix) {
        if (left < part.share) return part.profile;
        left -= part.share;
    }
    return plan.mix.back().profile;
}

double smallest_radius(std::span<const RunProfile> all, std::span<const std::uint32_t> of)
{
    double radius = all[of.front()].smallest_radius;
    for (const std::uint32_t profile : of) radius = std::min(radius, all[profile].smallest_radius);
    return radius;
}

double largest_radius(std::span<const RunProfile> all, std::span<const std::uint32_t> of)
{
    double radius = 0.0;
    for (const std::uint32_t profile : of) radius = std::max(radius, all[profile].largest_radius);
    return radius;
}

DrawnTraits draw_traits(const RunProfile& profile, std::uint64_t seed, std::uint32_t id)
{
    DrawnTraits traits{profile.radius, profile.wall_clearance, profile.preferred_speed, {}};
    for (const RunProfile::Drawn& value : profile.drawn) {
        double drawn = draw(value.distribution, {seed, id, value.use, 0});
        if (value.is_whole) drawn = std::floor(drawn + 0.5);
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
        profile.radius = default_in(profile.model, "radius");
        profile.wall_clearance = default_in(profile.model, "wall_clearance");
        profile.preferred_speed = default_in(profile.model, "preferred_speed");
        ProfileSpec spec{.model = profile.model, .values = {}, .preset = {}};
        for (const auto& [name, distribution] : plan.values) {
            const auto number = number_of(profile.model, name);
            if (!number && model) continue;  // a parameter of the model that was replaced
            if (distribution.kind == Distribution::Kind::constant) {
                spec.values.emplace_back(name, distribution.first);
                if (name == "radius") profile.radius = distribution.first;
                if (name == "wall_clearance") profile.wall_clearance = distribution.first;
                if (name == "preferred_speed") profile.preferred_speed = distribution.first;
            } else {
                profile.drawn.push_back({name, kUseTrait + number.value_or(0), distribution,
                                         is_whole(profile.model, number)});
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
