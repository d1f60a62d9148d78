// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
//
// What a simulation tells a recording.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "run/reach.hpp"
#include "run/state.hpp"
#include "sidestep/version.hpp"

namespace sidestep {

namespace {

// ------------------------------------------------------------------------------------------- plan

std::string wkt_of_line(std::span<const Vec2> points)
{
    std::string wkt;
    for (const Vec2 p : points) wkt += fmt::format("{}{} {}", wkt.empty() ? "" : ", ", p.x, p.y);
    return fmt::format("LINESTRING ({})", wkt);
}

std::string wkt_of(const GoalPlan& goal)
{
    switch (goal.kind) {
        case GoalPlan::Kind::point: return fmt::format("POINT ({} {})", goal.point.x, goal.point.y);
        case GoalPlan::Kind::line: return wkt_of_line(goal.line);
        case GoalPlan::Kind::area: return to_wkt(goal.area);
    }
    return {};
}

/// What people do at each goal. Where they do several things the first of exit, waypoint, stay
/// counts; none: nobody is to go there.
std::vector<std::optional<std::string_view>> uses_of_goals(const Scenario& scenario)
{
    std::vector<std::optional<std::string_view>> uses(scenario.goals.size());
    constexpr std::array<std::pair<StagePlan::Kind, std::string_view>, 3> kUses{
        {{StagePlan::Kind::stay, "stay"},
         {StagePlan::Kind::waypoint, "waypoint"},
         {StagePlan::Kind::exit, "exit"}}};
    for (const auto& [kind, use] : kUses) {
        for (const JourneyPlan& journey : scenario.journeys) {
            for (const StagePlan& stage : journey.stages) {
                if (stage.kind != kind) continue;
                for (const std::uint32_t goal : stage.goals) uses[goal] = use;
            }
        }
    }
    return uses;
}

/// Walls that stand on an open plane: it has no outline that could show them.
void add_walls_of_open_plane(const Scenario& scenario, std::uint16_t level,
                             std::vector<RecordingInfo::Place>& places)
{
    for (const WallPlan& wall : scenario.walls) {
        if (wall.level != level) continue;
        places.push_back({"", "wall", level,
                          wall.kind == WallKind::thin
                              ? wkt_of_line(wall.vertices)
                              : to_wkt(std::array{Polygon{wall.vertices, {}}})});
    }
}

std::vector<RecordingInfo::Place> places_of(const Scenario& scenario)
{
    std::vector<RecordingInfo::Place> places;
    const auto uses = uses_of_goals(scenario);
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const GoalPlan& goal = scenario.goals[i];
        if (uses[i]) places.push_back({goal.name, std::string(*uses[i]), goal.level, wkt_of(goal)});
    }
    for (const DoorPlan& door : scenario.doors) {
        places.push_back(
            {door.name, "door", door.level, to_wkt(std::array{Polygon{door.polygon, {}}})});
    }
    for (const ZonePlan& zone : scenario.zones) {
        places.push_back({zone.name, "zone", zone.level, to_wkt(zone.area)});
    }
    return places;
}

std::vector<RecordingInfo::Body> bodies_of(const Scenario& scenario)
{
    std::vector<RecordingInfo::Body> bodies;
    for (const BodyPlan& plan : scenario.bodies) {
        bodies.push_back(
            {plan.name, plan.level, plan.outline.empty() ? plan.radius : 0.0, plan.outline});
    }
    return bodies;
}

// ------------------------------------------------------------------------------------------ notes

/// The [[agents]] or [[sources]] a traveller came with.
std::string origin_of(const Scenario& scenario, std::uint32_t group)
{
    const auto pick = [](const auto& plan, std::string_view table, std::size_t index) {
        return plan.name.empty() ? fmt::format("{}.{}", table, index) : plan.name;
    };
    const std::size_t agents = scenario.agents.size();
    return group < agents ? pick(scenario.agents[group], "agents", group)
                          : pick(scenario.sources[group - agents], "sources", group - agents);
}

/// The goal of the stage that a traveller has come to: the nearest, where it had a choice.
std::string place_of(const SimulationState& state, const Traveller& traveller)
{
    const auto agent = state.world->agent(traveller.handle);
    const Vec2 here = agent ? agent->position : traveller.start;
    const std::uint16_t level = state.floors[traveller.floor].level;
    const GoalPlan* best = nullptr;
    double best_distance = HUGE_VAL;
    for (const std::uint32_t number : state.stage_of(traveller).goals) {
        const GoalPlan& goal = state.scenario.goals[number];
        if (goal.level != level) continue;
        const double distance = distance_to(shape_of(goal), here);
        if (best != nullptr && distance >= best_distance) continue;
        best = &goal;
        best_distance = distance;
    }
    return best != nullptr ? best->name : "";
}

/// Everybody who is there, in the order of ids.
void note_everybody(SimulationState& state)
{
    std::vector<const Traveller*> present;
    for (const Traveller& traveller : state.travellers) {
        if (traveller.activity != Activity::gone) present.push_back(&traveller);
    }
    std::sort(present.begin(), present.end(),
              [](const Traveller* a, const Traveller* b) { return a->id < b->id; });
    for (const Traveller* traveller : present) {
        note_walker(state, *traveller);
        if (traveller->activity == Activity::standing)
            note_end(state, *traveller, "stays", state.now(), traveller->has_arrived);
    }
}

/// For each row that holds somebody its place among all of them by id. Ids are handed out one after
/// the other, so that as a rule few are missing and nothing has to be sorted.
std::vector<std::uint32_t> places_by_id(const AgentColumns& columns)
{
    std::vector<std::uint32_t> places(columns.rows);
    std::uint32_t last = 0;
    std::size_t people = 0;
    for (std::size_t row = 0; row < columns.rows; ++row) {
        const std::uint32_t id = columns.record[row].id;
        if (id == kNoAgent) continue;
        ++people;
        last = std::max(last, id);
    }
    if (last / 8 > people) {
        std::vector<std::uint32_t> rows;
        rows.reserve(people);
        for (std::uint32_t row = 0; row < columns.rows; ++row)
            if (columns.record[row].id != kNoAgent) rows.push_back(row);
        std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return columns.record[a].id < columns.record[b].id;
        });
        for (std::uint32_t place = 0; place < rows.size(); ++place) places[rows[place]] = place;
        return places;
    }
    std::vector<std::uint32_t> before(std::size_t{last} + 2);  // how many have a smaller id
    for (std::size_t row = 0; row < columns.rows; ++row) {
        const std::uint32_t id = columns.record[row].id;
        if (id != kNoAgent) before[std::size_t{id} + 1] = 1;
    }
    for (std::size_t id = 1; id < before.size(); ++id) before[id] += before[id - 1];
    for (std::size_t row = 0; row < columns.rows; ++row) {
        const std::uint32_t id = columns.record[row].id;
        if (id != kNoAgent) places[row] = before[id];
    }
    return places;
}

}  // namespace

void note_walker(SimulationState& state, const Traveller& traveller)
{
    if (!state.keeps_notes) return;
    const RunProfile& profile = state.profiles[traveller.profile];
    const DrawnTraits traits = draw_traits(profile, state.seed, traveller.id);
    state.notes.walkers.push_back({traveller.id, traits.radius, traits.preferred_speed,
                                   origin_of(state.scenario, traveller.group),
                                   state.scenario.profiles[traveller.profile].name, profile.model});
}

void note_end(SimulationState& state, const Traveller& traveller, std::string_view kind,
              double time, bool is_arrival)
{
    if (!state.keeps_notes) return;
    const double set_off =
        traveller.set_off_step == kNone ? time : traveller.set_off_step * state.dt();
    state.notes.ends.push_back({traveller.id, time, std::string(kind),
                                kind == "removed" ? "" : place_of(state, traveller), set_off,
                                double{traveller.shortest_way}, is_arrival});
}

RecordingInfo Simulation::recording_info() const
{
    const SimulationState& state = *state_;
    RecordingInfo info;
    info.fps = 1.0 / (state.output_steps * state.dt());
    info.scenario_text = state.scenario.text;
    std::string meshes;
    for (const Floor& floor : state.floors) {
        info.levels.push_back(
            {floor.level,
             floor.open_plane ? "" : to_wkt(cut_slits(floor.space, floor.thin_walls()))});
        meshes +=
            fmt::format("{}{}:{:016x}", meshes.empty() ? "" : " ", floor.level, floor.mesh_hash);
    }
    info.places = places_of(state.scenario);
    for (const Floor& floor : state.floors) {
        if (floor.open_plane) add_walls_of_open_plane(state.scenario, floor.level, info.places);
    }
    info.bodies = bodies_of(state.scenario);
    info.facts = {
        {"scene", state.scenario.world.name},    {"seed", fmt::format("{}", state.seed)},
        {"step", fmt::format("{}", state.dt())}, {"duration", fmt::format("{}", state.duration)},
        {"version", std::string(version())},     {"navigation_mesh", meshes}};
    return info;
}

bool Simulation::frame_is_due() const
{
    return state_->world->step_index() % state_->output_steps == 0;
}

void Simulation::fill(RecordedFrame& frame) const
{
    const SimulationState& state = *state_;
    const AgentColumns columns = state.world->columns();
    const Vec2 origin = state.world->origin();
    frame.number = static_cast<std::int64_t>(state.world->step_index() / state.output_steps);
    frame.agents.resize(state.world->size());
    const std::vector<std::uint32_t> places = places_by_id(columns);
    for (std::size_t row = 0; row < columns.rows; ++row) {  // read in the order they are stored in
        if (columns.record[row].id == kNoAgent) continue;
        const Traveller& traveller = state.travellers[columns.handle_index[row]];
        frame.agents[places[row]] = {
            columns.record[row].id,
            columns.leaf_level[row / 8],
            {origin.x + double{columns.x[row]}, origin.y + double{columns.y[row]}},
            {double{traveller.heading_x}, double{traveller.heading_y}}};
    }
    frame.bodies.clear();
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
        const BodyPlan& plan = state.scenario.bodies[i];
        const Vec2 corner = plan.outline.empty() ? Vec2{} : plan.outline.front();
        const auto place = state.world->body_position(state.bodies[i].handle);
        frame.bodies.push_back(place ? *place - corner
                                     : body_place(plan, state.bodies[i].lengths, state.now()));
    }
}

RecordedNotes Simulation::take_notes()
{
    SimulationState& state = *state_;
    if (!std::exchange(state.keeps_notes, true)) note_everybody(state);
    // Within a step they were answered in the order of ids.
    std::stable_sort(state.notes.ends.begin(), state.notes.ends.end(),
                     [](const RecordedEnd& a, const RecordedEnd& b) { return a.time < b.time; });
    return std::exchange(state.notes, {});
}

}  // namespace sidestep
