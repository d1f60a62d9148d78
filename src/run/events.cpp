// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

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

/// After a door has moved everybody on the way looks again: some ways are new, some are gone.
void look_again(SimulationState& state)
{
    for (Traveller& traveller : state.travellers) {
        if (traveller.activity != Activity::walking && traveller.activity != Activity::stranded)
            continue;
        const StagePlan& stage = state.stage_of(traveller);
        if (stage.goals.empty() && !stage.opposite) continue;
        find_way(state, traveller);
    }
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
    state.notes.events.push_back({state.now(), "journey-changed",
                                  fmt::format("{} agents get journey '{}'", slots.size(),
                                              state.scenario.journeys[event.journey].name)});
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
        }
    }
    if (a_door_moved) look_again(state);
}

}  // namespace sidestep
