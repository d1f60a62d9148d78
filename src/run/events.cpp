// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "run/reach.hpp"
#include "run/state.hpp"

namespace sidestep {

namespace {

const std::string& group_name(const SimulationState& state, std::uint32_t group)
{
    const std::size_t groups = state.scenario.agents.size();
    return group < groups ? state.scenario.agents[group].name
                          : state.scenario.sources[group - groups].name;
}

/// The travellers an event is about, in the order of ids.
std::vector<std::uint32_t> find_concerned(const SimulationState& state, const EventPlan& event)
{
    std::vector<std::uint32_t> slots;
    for (std::uint32_t slot = 0; slot < state.travellers.size(); ++slot) {
        const Traveller& traveller = state.travellers[slot];
        if (traveller.activity == Activity::gone) continue;
        if (event.agents && group_name(state, traveller.group) != *event.agents) continue;
        if (!event.area.empty()) {
            const auto agent = state.world->agent(traveller.handle);
            if (!agent || !is_inside(event.area, agent->position)) continue;
        }
        slots.push_back(slot);
    }
    std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) {
        return state.travellers[a].id < state.travellers[b].id;
    });
    return slots;
}

/// Who is on the way looks again after a door has moved, or its own width has changed: some ways
/// are new, some are gone.
void look_again(SimulationState& state, Traveller& traveller)
{
    if (traveller.activity != Activity::walking && traveller.activity != Activity::stranded) return;
    const StagePlan& stage = state.stage_of(traveller);
    if (!stage.goals.empty() || stage.opposite) find_way(state, traveller);
}

void move_door(SimulationState& state, const EventPlan& event, bool open)
{
    set_door(state, event.door, open);
    state.notes.events.push_back({state.now(), open ? "door-opened" : "door-closed",
                                  fmt::format("door '{}' {}", state.scenario.doors[event.door].name,
                                              open ? "opens" : "closes")});
}

void send_elsewhere(SimulationState& state, const EventPlan& event)
{
    const auto slots = find_concerned(state, event);
    for (const std::uint32_t slot : slots)
        change_journey(state, state.travellers[slot], event.journey);
    part_company(state, slots);
    state.notes.events.push_back({state.now(), "journey-changed",
                                  fmt::format("{} agents get journey '{}'", slots.size(),
                                              state.scenario.journeys[event.journey].name)});
}

/// A call that the scenario was checked for. Where it fails all the same the run ends and says so:
/// a recording must not tell of a change that did not happen.
bool is_done(SimulationState& state, const Traveller& traveller, const Result<void>& result)
{
    if (result) return true;
    if (result.error().code == ErrorCode::out_of_memory) throw std::bad_alloc();
    state.fault = StepReport::Fault{traveller.id, state.world->step_index(),
                                    "an event: " + result.error().message};
    return false;
}

/// What the journeys know of an agent, as it is in the world now.
void read_back(SimulationState& state, Traveller& traveller)
{
    const auto trait = [&](std::string_view name) {
        const auto value = state.world->trait(traveller.handle, name);
        return value ? *value : 0.0;
    };
    const double radius = trait("radius");
    traveller.radius = static_cast<float>(radius);
    traveller.passing_radius = static_cast<float>(radius + trait("wall_clearance"));
    traveller.preferred_speed = static_cast<float>(trait("preferred_speed"));
    traveller.replan_time = static_cast<float>(trait("replan_time"));
}

/// A value as a file says it.
std::string to_words(std::string_view name, double value)
{
    std::string shown = fmt::format("{}", value);
    const auto look_in = [&](std::span<const ParamInfo> params) {
        for (const ParamInfo& param : params) {
            if (param.name == name && !param.choices.empty())
                shown = param.choices[static_cast<std::size_t>(value)];
        }
    };
    look_in(traits());
    for (const ModelInfo& model : models()) look_in(model.params);
    return shown;
}

/// "preferred_speed = 2, acceleration_mode = clamp"
std::string list_values(const EventPlan& event)
{
    std::string text;
    for (const auto& [name, value] : event.values) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, to_words(name, value));
    }
    return text;
}

/// Sets values of one agent; those that its model does not have are passed over.
bool set_values(SimulationState& state, const Traveller& traveller, const EventPlan& event)
{
    bool any = false;
    for (const auto& [name, value] : event.values) {
        if (!state.world->trait(traveller.handle, name)) continue;
        any |= is_done(state, traveller, state.world->set_trait(traveller.handle, name, value));
    }
    return any;
}

bool take_profile(SimulationState& state, Traveller& traveller, std::uint32_t number)
{
    const RunProfile& profile = state.profiles[number];
    if (!is_done(state, traveller, state.world->set_profile(traveller.handle, profile.engine)))
        return false;
    traveller.profile = number;
    for (const auto& [name, value] : draw_traits(profile, state.seed, traveller.id).values) {
        if (!is_done(state, traveller, state.world->set_trait(traveller.handle, name, value)))
            return false;
    }
    return true;
}

void change_agents(SimulationState& state, const EventPlan& event)
{
    using Action = EventPlan::Action;
    std::size_t changed = 0;
    for (const std::uint32_t slot : find_concerned(state, event)) {
        Traveller& traveller = state.travellers[slot];
        bool is_new = true;
        if (event.action == Action::profile) {
            is_new = take_profile(state, traveller, event.profile);
        } else if (event.action == Action::model) {
            is_new = !state.only_model;  // who runs it wants that one model, whatever the file says
            if (is_new)
                is_new =
                    is_done(state, traveller, state.world->set_model(traveller.handle, event.name));
        } else {
            is_new = set_values(state, traveller, event);
        }
        const float passing_radius = traveller.passing_radius;
        read_back(state, traveller);
        if (traveller.passing_radius != passing_radius) look_again(state, traveller);
        changed += is_new ? 1 : 0;
    }
    if (state.fault) return;
    std::string text;
    switch (event.action) {
        case Action::profile:
            text = fmt::format("profile '{}'", state.scenario.profiles[event.profile].name);
            break;
        case Action::model: text = fmt::format("model '{}'", event.name); break;
        case Action::preset: text = fmt::format("preset '{}'", event.name); break;
        default: text = list_values(event); break;
    }
    state.notes.events.push_back(
        {state.now(), "agents-changed", fmt::format("{} agents get {}", changed, text)});
}

void remove_agents(SimulationState& state, const EventPlan& event)
{
    const auto slots = find_concerned(state, event);
    for (const std::uint32_t slot : slots) {
        note_end(state, state.travellers[slot], "removed", state.now(), false);
        take_out(state, state.travellers[slot]);
        ++state.counts.removed;
    }
    state.notes.events.push_back(
        {state.now(), "agents-removed", fmt::format("{} agents are removed", slots.size())});
}

}  // namespace

void run_due_events(SimulationState& state)
{
    bool a_door_moved = false;
    while (state.next_event < state.event_order.size()) {
        const EventPlan& event = state.scenario.events[state.event_order[state.next_event]];
        if (event.time > state.now() + kTimeSlack) break;
        ++state.next_event;
        a_door_moved = a_door_moved || event.action == EventPlan::Action::open ||
                       event.action == EventPlan::Action::close;
        switch (event.action) {
            case EventPlan::Action::open: move_door(state, event, true); break;
            case EventPlan::Action::close: move_door(state, event, false); break;
            case EventPlan::Action::journey: send_elsewhere(state, event); break;
            case EventPlan::Action::remove: remove_agents(state, event); break;
            case EventPlan::Action::set:
            case EventPlan::Action::preset:
            case EventPlan::Action::profile:
            case EventPlan::Action::model: change_agents(state, event); break;
        }
    }
    if (!a_door_moved) return;
    for (Traveller& traveller : state.travellers) look_again(state, traveller);
}

}  // namespace sidestep
