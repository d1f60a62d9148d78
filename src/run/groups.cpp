// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "run/state.hpp"

// [[groups]]: who walks together, from the file to the world.

namespace sidestep {

namespace {

using Ids = std::vector<std::uint32_t>;

/// The groups that a plan makes of those who are there at the start, by id. One that is left over
/// goes alone.
std::vector<Ids> groups_of(const GroupPlan& plan, const std::vector<Start>& starts)
{
    Ids all;
    for (const std::uint32_t block : plan.agents) {
        for (std::uint32_t id = 0; id < starts.size(); ++id) {
            if (starts[id].plan == block) all.push_back(id);
        }
    }
    std::vector<Ids> groups;
    const std::size_t size = plan.size > 0 ? plan.size : all.size();
    for (std::size_t first = 0; first + 1 < all.size(); first += size) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        const auto count = static_cast<std::ptrdiff_t>(std::min(size, all.size() - first));
        groups.emplace_back(begin, begin + count);
    }
    return groups;
}

std::string_view word_of(Formation formation)
{
    switch (formation) {
        case Formation::abreast: return "abreast";
        case Formation::v: return "in a V";
        case Formation::leader: return "behind a leader";
    }
    return "";
}

/// What a recording says of a plan's groups.
void note_groups(SimulationState& state, const GroupPlan& plan, const std::vector<Ids>& groups)
{
    std::string who;
    for (const Ids& ids : groups)
        who += fmt::format("{}{}", who.empty() ? "" : "; ", fmt::join(ids, ", "));
    state.notes.events.push_back(
        {state.now(), "group",
         fmt::format("agents {} walk together, {}", who, word_of(plan.formation))});
}

/// Memory that runs short ends the run, as elsewhere; anything else was checked before.
template <class T>
T must(Result<T> result)
{
    if (!result) throw std::bad_alloc();
    return *std::move(result);
}

}  // namespace

std::vector<double> set_off_times(const SimulationState& state, const std::vector<Start>& starts)
{
    std::vector<double> times;
    times.reserve(starts.size());
    for (std::uint32_t id = 0; id < starts.size(); ++id) {
        times.push_back(draw(state.scenario.agents[starts[id].plan].pre_movement,
                             {state.seed, id, kUsePreMovement, 0}));
    }
    for (const GroupPlan& plan : state.scenario.groups) {
        for (const Ids& ids : groups_of(plan, starts)) {
            double last = 0.0;
            for (const std::uint32_t id : ids) last = std::max(last, times[id]);
            for (const std::uint32_t id : ids) times[id] = last;
        }
    }
    return times;
}

void add_groups(SimulationState& state, const std::vector<Start>& starts)
{
    for (std::uint32_t number = 0; number < state.scenario.groups.size(); ++number) {
        const GroupPlan& plan = state.scenario.groups[number];
        if (plan.source) state.sources[*plan.source].company = number;
        const std::vector<Ids> groups = groups_of(plan, starts);
        for (const Ids& ids : groups) {
            GroupSpec spec{.members = {}, .formation = plan.formation, .leader = {}};
            for (const std::uint32_t id : ids) {
                const auto agent = state.world->find(id);
                if (!agent) continue;  // at its exit from the start
                spec.members.push_back(*agent);
                const bool leads =
                    plan.leader ? starts[id].plan == *plan.leader : spec.members.size() == 1;
                if (plan.formation == Formation::leader && leads) spec.leader = *agent;
            }
            if (plan.formation == Formation::leader && !spec.leader)
                spec.formation = Formation::abreast;
            must(state.world->add_group(spec));
        }
        if (!groups.empty()) note_groups(state, plan, groups);
    }
}

std::uint64_t due_together(const SimulationState& state, const SourceState& source,
                           std::uint64_t due, std::uint64_t due_at_the_end)
{
    if (source.company == kNone || due == due_at_the_end) return due;
    return due - due % state.scenario.groups[source.company].size;
}

double set_off_time(const SimulationState& state, SourceState& source, const SourcePlan& plan,
                    std::uint32_t id)
{
    if (source.company == kNone)
        return draw(plan.pre_movement, {state.seed, id, kUsePreMovement, 0});
    const std::uint32_t size = state.scenario.groups[source.company].size;
    if (source.entered % size != 0) return source.set_off_time;
    source.set_off_time = 0.0;
    for (std::uint32_t turn = 0; turn < size; ++turn) {
        source.set_off_time = std::max(
            source.set_off_time, draw(plan.pre_movement, {state.seed, id, kUsePreMovement, turn}));
    }
    return source.set_off_time;
}

void join_company(SimulationState& state, SourceState& source, AgentHandle newcomer)
{
    if (source.company == kNone) return;
    const GroupPlan& plan = state.scenario.groups[source.company];
    if (source.entered % plan.size != 0 && state.world->alive(source.group)) {
        if (!state.world->set_group(newcomer, source.group)) throw std::bad_alloc();
        return;
    }
    GroupSpec spec{.members = {newcomer}, .formation = plan.formation, .leader = {}};
    if (plan.formation == Formation::leader) spec.leader = newcomer;
    source.group = must(state.world->add_group(spec));
}

void take_out_of_world(SimulationState& state, AgentHandle agent)
{
    const auto group = state.world->group_of(agent);
    (void)state.world->remove(agent);  // the handle is alive: it was among the rows
    if (!group || !*group) return;
    const auto left = state.world->group_members(**group);
    if (left && left->empty()) (void)state.world->remove_group(**group);
}

void part_company(SimulationState& state, std::span<const std::uint32_t> slots)
{
    for (const std::uint32_t slot : slots) {
        const Traveller& traveller = state.travellers[slot];
        if (traveller.activity == Activity::gone) continue;
        const auto group = state.world->group_of(traveller.handle);
        if (!group || !*group) continue;
        const auto members = must(state.world->group_members(**group));
        const bool others_go_elsewhere =
            std::any_of(members.begin(), members.end(), [&](AgentHandle member) {
                return state.travellers[member.index].journey != traveller.journey;
            });
        if (others_go_elsewhere) (void)state.world->clear_group(traveller.handle);
    }
}

}  // namespace sidestep
