// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "base/hash.hpp"
#include "run/state.hpp"

namespace sidestep {

namespace {

std::span<const std::string_view> filter_names()
{
    for (const ParamInfo& trait : traits()) {
        if (trait.name == "filter") return trait.choices;
    }
    return {};
}

void add_model(KindBits& kinds, std::string_view name)
{
    for (std::size_t i = 0; i < models().size(); ++i) {
        if (models()[i].name == name) kinds.models |= std::uint64_t{1} << i;
    }
}

/// As a profile says; a filter that is drawn may be any.
void add_planned(KindBits& kinds, const SimulationState& state, std::uint32_t profile)
{
    add_model(kinds, state.profiles[profile].model);
    std::uint64_t filters = 1;
    for (const auto& [name, value] : state.scenario.profiles[profile].values) {
        if (name != "filter") continue;
        filters = value.kind == Distribution::Kind::constant
                      ? std::uint64_t{1} << static_cast<unsigned>(value.first)
                      : (std::uint64_t{1} << filter_names().size()) - 1;
    }
    kinds.filters |= filters;
}

/// Of everybody who was there: what those have who are there, and what the others had when they
/// went. Before the first step those count too whom sources will let in.
KindBits find_kinds(const SimulationState& state)
{
    KindBits kinds = state.kinds_of_gone;
    for (const Traveller& traveller : state.travellers) {
        if (traveller.activity != Activity::gone) add_kind(kinds, *state.world, traveller.handle);
    }
    if (state.world->step_index() > 0 && kinds.models != 0) return kinds;
    for (const SourcePlan& plan : state.scenario.sources) {
        for (const std::uint32_t profile : profiles_of(plan)) add_planned(kinds, state, profile);
    }
    return kinds;
}

/// The one name whose bit is set, "mixed", or "none".
template <class NameOf>
std::string name_of_bits(std::uint64_t bits, NameOf name_of)
{
    if (bits == 0) return "none";
    if (!std::has_single_bit(bits)) return "mixed";
    return std::string(name_of(static_cast<std::size_t>(std::countr_zero(bits))));
}

double median_progress(const SimulationState& state)
{
    std::vector<float> all = state.progress_of_gone;
    for (const Traveller& traveller : state.travellers) {
        if (traveller.activity == Activity::gone) continue;
        if (const auto progress = progress_of(traveller, state.dt())) all.push_back(*progress);
    }
    if (all.empty()) return 0.0;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    return double{*middle};
}

/// How a line of [expect] is measured against the summary.
enum class Bound { at_least, at_most, yes };

/// One for each of expectations().
struct Measure {
    std::string_view key;
    Bound bound;
    double (*measure)(const RunSummary&);
};

double all_of(std::uint64_t part, std::uint64_t all, const RunSummary& s)
{
    return part == all && s.waiting_to_enter == 0 ? 1.0 : 0.0;
}

/// A time by which all have arrived is none while somebody is still on the way.
double if_all_arrived(double value, const RunSummary& s)
{
    return s.arrived + s.removed + s.bystanders >= s.spawned && s.waiting_to_enter == 0 ? value
                                                                                        : HUGE_VAL;
}

double if_any_arrived(double value, const RunSummary& s)
{
    return s.arrived > 0 ? value : HUGE_VAL;
}

// clang-format off
constexpr Measure kMeasures[] = {
    {"all_left", Bound::yes, [](const RunSummary& s) { return all_of(s.left, s.spawned, s); }},
    {"all_arrived", Bound::yes, [](const RunSummary& s) { return all_of(s.arrived, s.spawned - s.bystanders, s); }},
    {"left_min", Bound::at_least, [](const RunSummary& s) { return static_cast<double>(s.left); }},
    {"arrived_min", Bound::at_least, [](const RunSummary& s) { return static_cast<double>(s.arrived); }},
    {"last_arrival_max", Bound::at_most, [](const RunSummary& s) { return if_all_arrived(s.last_arrival, s); }},
    {"last_arrival_min", Bound::at_least, [](const RunSummary& s) { return s.last_arrival; }},
    {"mean_travel_time_max", Bound::at_most, [](const RunSummary& s) { return if_any_arrived(s.mean_travel_time, s); }},
    {"deepest_overlap_max", Bound::at_most, [](const RunSummary& s) { return s.deepest_overlap; }},
    {"overlap_pairs_per_frame_max", Bound::at_most, [](const RunSummary& s) { return s.overlap_pairs_per_frame; }},
    {"wall_penetrations_max", Bound::at_most, [](const RunSummary& s) { return static_cast<double>(s.wall_penetrations); }},
    {"stalls_max", Bound::at_most, [](const RunSummary& s) { return static_cast<double>(s.stalls); }},
    {"removed_max", Bound::at_most, [](const RunSummary& s) { return static_cast<double>(s.removed); }},
    {"without_goal_max", Bound::at_most, [](const RunSummary& s) { return static_cast<double>(s.without_goal); }},
    {"progress_min", Bound::at_least, [](const RunSummary& s) { return s.median_progress; }},
    {"path_ratio_max", Bound::at_most, [](const RunSummary& s) { return if_any_arrived(s.mean_path_ratio, s); }},
    {"sim_time_max", Bound::at_most, [](const RunSummary& s) { return s.sim_time; }},
};
// clang-format on

std::string unit_of(std::string_view key)
{
    for (const ExpectInfo& info : expectations()) {
        if (info.key == key && !info.unit.empty() && info.unit != "1")
            return " " + std::string(info.unit);
    }
    return {};
}

ExpectResult check(const Measure& measure, const ExpectPlan& plan, const RunSummary& summary)
{
    ExpectResult result{plan, measure.measure(summary), false, {}};
    const std::string unit = unit_of(plan.key);
    switch (measure.bound) {
        case Bound::yes:
            result.met = (result.measured != 0.0) == (plan.value != 0.0);
            result.message =
                fmt::format("{}: {}, expected {}", plan.key, result.measured != 0.0 ? "yes" : "no",
                            plan.value != 0.0 ? "yes" : "no");
            break;
        case Bound::at_least:
            result.met = result.measured >= plan.value;
            result.message = fmt::format("{}: {:.6g}{}, expected at least {:.6g}{}", plan.key,
                                         result.measured, unit, plan.value, unit);
            break;
        case Bound::at_most:
            result.met = result.measured <= plan.value;
            result.message = fmt::format("{}: {:.6g}{}, expected at most {:.6g}{}", plan.key,
                                         result.measured, unit, plan.value, unit);
            break;
    }
    return result;
}

}  // namespace

void add_kind(KindBits& kinds, const World& world, AgentHandle agent)
{
    if (const auto state = world.agent(agent)) add_model(kinds, state->model);
    if (const auto filter = world.trait(agent, "filter"))
        kinds.filters |= std::uint64_t{1} << static_cast<unsigned>(*filter);
}

RunSummary Simulation::summary() const
{
    const SimulationState& state = *state_;
    const Counts& counts = state.counts;
    const auto steps = static_cast<double>(std::max<std::uint64_t>(state.world->step_index(), 1));
    const auto updates = static_cast<double>(std::max<std::uint64_t>(counts.updates, 1));
    const auto arrived = static_cast<double>(std::max<std::uint64_t>(counts.arrived, 1));
    RunSummary summary;
    summary.scene = state.scenario.world.name;
    const KindBits kinds = find_kinds(state);
    summary.model = name_of_bits(kinds.models, [](std::size_t i) { return models()[i].name; });
    summary.filter = name_of_bits(kinds.filters, [](std::size_t i) { return filter_names()[i]; });
    summary.agents = state.agents_at_start;
    summary.steps = state.world->step_index();
    summary.dt = state.dt();
    summary.sim_time = state.now();
    summary.spawned = counts.spawned;
    summary.bystanders = counts.spawned - counts.travellers;
    summary.arrived = counts.arrived;
    summary.left = counts.left;
    summary.removed = counts.removed;
    summary.present = state.world->size();
    summary.without_goal = counts.stranded;
    for (const SourceState& source : state.sources)
        summary.waiting_to_enter += source.due - std::min(source.due, source.entered);
    summary.last_arrival = counts.last_arrival;
    summary.mean_travel_time = counts.travel_time_sum / arrived;
    summary.slowest_travel_time = counts.slowest_travel_time;
    summary.overlap_pairs_per_frame = static_cast<double>(counts.overlaps) / steps;
    summary.deepest_overlap = counts.deepest_overlap;
    summary.wall_contacts = counts.wall_contacts;
    summary.wall_penetrations = counts.wall_penetrations;
    summary.stalls = counts.stalls;
    summary.side_steps = counts.side_steps;
    summary.yields = counts.yields;
    summary.replans = counts.replans;
    summary.back_ups = counts.back_ups;
    summary.median_progress = median_progress(state);
    summary.mean_path_ratio = counts.path_ratios == 0
                                  ? 0.0
                                  : counts.path_ratio_sum / static_cast<double>(counts.path_ratios);
    summary.infeasible_programs = counts.infeasible_programs;
    summary.neighbour_cap_hits = counts.neighbour_cap_hits;
    summary.acceleration_exceeded = counts.acceleration_exceeded;
    summary.crowded_sights = counts.crowded_sights;
    summary.waiting = counts.waiting_steps;
    summary.body_contacts = counts.body_contacts;
    summary.held_vehicles = counts.held_vehicles;
    summary.state_hash = state_hash();
    summary.threads = state.workers->count();
    summary.isa = to_string(state.world->isa());
    summary.ms_per_step = 1e3 * state.clocks.wall / steps;
    summary.us_per_update = 1e6 * state.clocks.step_cpu / updates;
    summary.navigation_us_per_update = 1e6 * state.clocks.navigation_cpu / updates;
    return summary;
}

std::vector<ExpectResult> Simulation::check_expectations() const
{
    std::vector<ExpectResult> results;
    const RunSummary now = summary();
    for (const ExpectPlan& plan : state_->scenario.expect) {
        for (const Measure& measure : kMeasures) {
            if (measure.key == plan.key) results.push_back(check(measure, plan, now));
        }
    }
    return results;
}

std::uint64_t Simulation::state_hash() const
{
    const SimulationState& state = *state_;
    StateHash hash;
    hash.add(state.world->state_hash());
    std::vector<const Traveller*> present;
    for (const Traveller& traveller : state.travellers) {
        if (traveller.activity != Activity::gone) present.push_back(&traveller);
    }
    std::sort(present.begin(), present.end(),
              [](const Traveller* a, const Traveller* b) { return a->id < b->id; });
    for (const Traveller* traveller : present) {
        hash.add(traveller->id);
        hash.add(traveller->journey);
        hash.add(traveller->stage);
        hash.add(static_cast<std::uint32_t>(traveller->activity));
        hash.add(traveller->wake_step);
        hash.add(traveller->hop);
        hash.add(traveller->target.x);
        hash.add(traveller->target.y);
    }
    for (const SourceState& source : state.sources) {
        hash.add(source.entered);
        hash.add(source.turn);
    }
    for (const bool closed : state.door_is_closed) hash.add(static_cast<std::uint32_t>(closed));
    hash.add(std::uint64_t{state.next_event});
    hash.add(state.counts.arrived);
    hash.add(state.counts.left);
    return hash.digest();
}

}  // namespace sidestep
