// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "math/trig.hpp"
#include "run/reach.hpp"
#include "run/state.hpp"

namespace sidestep {

namespace {

Vec2 position_of(const SimulationState& state, const Traveller& traveller)
{
    const auto agent = state.world->agent(traveller.handle);
    return agent ? agent->position : traveller.start;
}

Vec2 opposite_of(const StagePlan& stage, const Traveller& traveller)
{
    return stage.centre * 2.0 - traveller.start;
}

void drop_path(SimulationState& state, Traveller& traveller)
{
    if (traveller.path == kNone) return;
    state.paths[traveller.path] = {};
    state.free_paths.push_back(traveller.path);
    traveller.path = kNone;
}

std::uint32_t keep_path(SimulationState& state, std::vector<PathCorner> corners)
{
    std::uint32_t index = static_cast<std::uint32_t>(state.paths.size());
    if (state.free_paths.empty()) {
        state.paths.emplace_back();
    } else {
        index = state.free_paths.back();
        state.free_paths.pop_back();
    }
    state.paths[index] = {std::move(corners), 0};
    return index;
}

/// How hard a vehicle brakes [m/s2]; 0 for who is none.
float braking_of(const World& world, AgentHandle handle)
{
    const auto agent = world.agent(handle);
    if (!agent || !agent->heading) return 0.0f;
    const auto limit = [&](std::string_view trait) {
        const auto value = world.trait(handle, trait);
        return value ? static_cast<float>(*value) : HUGE_VALF;
    };
    return std::min(limit("braking"), limit("max_acceleration"));
}

/// Where somebody stands who stops now: a vehicle needs its way to do so.
Vec2 stopping_place(const AgentState& agent, const Traveller& traveller)
{
    if (!agent.heading || !(traveller.braking > 0.0f)) return agent.position;
    const double way = dot(agent.velocity, agent.velocity) / (2.0 * double{traveller.braking});
    return agent.position + *agent.heading * way;
}

/// Counts who is under way and who is stranded as activities change.
/// Who does not walk holds the place where it is, as far as the deadlock policy goes. Of people
/// whose starts may overlap nobody knows yet where its place is.
void hold_or_walk(SimulationState& state, const Traveller& traveller, Activity activity)
{
    World& world = *state.world;
    const WorldPlan& plan = state.scenario.world;
    if (activity == Activity::gone || !plan.deadlock_policy ||
        plan.overlapping_starts == OverlappingStarts::separate)
        return;
    const auto agent = world.agent(traveller.handle);
    if (!agent) return;
    // Neither can fail for one that is there.
    if (activity == Activity::walking) (void)world.drive_by_host(traveller.handle);
    else (void)world.hold_place(traveller.handle, stopping_place(*agent, traveller));
}

void set_activity(SimulationState& state, Traveller& traveller, Activity activity)
{
    const auto under_way = [](Activity a) {
        return a == Activity::waiting || a == Activity::walking;
    };
    if (!traveller.is_bystander) {
        state.counts.under_way -= under_way(traveller.activity) ? 1 : 0;
        state.counts.under_way += under_way(activity) ? 1 : 0;
    }
    state.counts.waiting -= traveller.activity == Activity::waiting ? 1 : 0;
    state.counts.waiting += activity == Activity::waiting ? 1 : 0;
    state.counts.stranded -= traveller.activity == Activity::stranded ? 1 : 0;
    state.counts.stranded += activity == Activity::stranded ? 1 : 0;
    hold_or_walk(state, traveller, activity);
    traveller.activity = activity;
    traveller.slow_steps = 0;
}

std::uint32_t steps_for(const SimulationState& state, double seconds)
{
    const double steps = std::ceil(seconds / state.dt() - 1e-9);
    return static_cast<std::uint32_t>(std::clamp(steps, 0.0, 4e9));
}

void wait(SimulationState& state, Traveller& traveller, double seconds)
{
    const std::uint64_t wake = state.world->step_index() + steps_for(state, seconds);
    traveller.wake_step = static_cast<std::uint32_t>(std::min<std::uint64_t>(wake, 0xfffffffeu));
    set_activity(state, traveller, Activity::waiting);
}

/// Cells as wide as crossings are apart, if they are spread evenly [m].
double cell_of(const NetworkPlan& network)
{
    Vec2 low = network.nodes.front().shell.front();
    Vec2 high = low;
    for (const Polygon& node : network.nodes) {
        const Vec2 place = node.shell.front();
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    const double widest = std::max({high.x - low.x, high.y - low.y, 1.0});
    return 2.0 * widest / std::sqrt(static_cast<double>(network.nodes.size()));
}

/// The crossing to start from: the nearest.
std::uint32_t nearest_node(const NodeIndex& index, Vec2 from)
{
    std::uint32_t best = 0;
    double best_distance = HUGE_VAL;
    const auto offer = [&](std::uint32_t node, Vec2 place) {
        const double distance = dot(place - from, place - from);
        if (distance < best_distance || (distance == best_distance && node < best)) {
            best_distance = distance;
            best = node;
        }
        return true;
    };
    index.grid.for_each_near(from, offer);
    if (best_distance <= index.cell * index.cell)
        return best;  // beyond that a farther cell may win
    for (std::uint32_t node = 0; node < index.places.size(); ++node)
        offer(node, index.places[node]);
    return best;
}

void head_for_node(SimulationState& state, Traveller& traveller, std::uint32_t node)
{
    const NetworkPlan& network = state.scenario.networks[state.stage_of(traveller).network];
    traveller.last_node = traveller.node;
    traveller.node = node;
    traveller.target = point_in_convex(network.nodes[node].shell,
                                       {state.seed, traveller.id, kUseRoam, 2 * traveller.hop});
}

/// From crossing to crossing: the next one by a hash of agent and hop, not back where there is a
/// choice.
void hop_on(SimulationState& state, Traveller& traveller)
{
    const NetworkPlan& network = state.scenario.networks[state.stage_of(traveller).network];
    const std::vector<std::uint32_t>& links = network.links[traveller.node];
    ++traveller.hop;
    std::vector<std::uint32_t> choices;
    for (const std::uint32_t link : links) {
        if (link != traveller.last_node) choices.push_back(link);
    }
    if (choices.empty()) choices = links;
    if (choices.empty()) return;
    const std::uint64_t bits =
        random_bits({state.seed, traveller.id, kUseRoam, 2 * traveller.hop + 1});
    head_for_node(state, traveller, choices[bits % choices.size()]);
}

void begin_roaming(SimulationState& state, Traveller& traveller)
{
    traveller.node = traveller.last_node = kNone;
    const NodeIndex& index = state.nodes[state.stage_of(traveller).network];
    head_for_node(state, traveller, nearest_node(index, position_of(state, traveller)));
    set_activity(state, traveller, Activity::walking);
}

void begin_walking(SimulationState& state, Traveller& traveller)
{
    const double degrees =
        draw(state.stage_of(traveller).direction, {state.seed, traveller.id, kUseDirection, 0});
    const SinCos turn = sin_cos(degrees * (std::numbers::pi / 180.0));
    traveller.target = {turn.cos, turn.sin};
    set_activity(state, traveller, Activity::walking);
}

float replan_time_of(const World& world, AgentHandle agent)
{
    const auto seconds = world.trait(agent, "replan_time");
    return seconds ? static_cast<float>(*seconds) : HUGE_VALF;
}

void set_off(SimulationState& state, Traveller& traveller)
{
    if (traveller.set_off_step == kNone)
        traveller.set_off_step = static_cast<std::uint32_t>(state.world->step_index());
}

std::uint64_t agent_and_stage(const Traveller& traveller)
{
    return (std::uint64_t{traveller.stages_done} << 32) | traveller.id;
}

/// Begins the stage the traveller is at. True where it is over at once.
bool begin_stage(SimulationState& state, Traveller& traveller)
{
    drop_path(state, traveller);
    traveller.goal = kNone;
    traveller.way_is_counted = false;
    state.memories[traveller.handle.index] = {};
    const StagePlan& stage = state.stage_of(traveller);
    switch (stage.kind) {
        case StagePlan::Kind::wait:
            wait(state, traveller,
                 draw(stage.seconds, {state.seed, agent_and_stage(traveller), kUseWait, 0}));
            return false;
        case StagePlan::Kind::roam:
            set_off(state, traveller);
            begin_roaming(state, traveller);
            return false;
        case StagePlan::Kind::walk:
            set_off(state, traveller);
            begin_walking(state, traveller);
            return false;
        case StagePlan::Kind::stay:
            if (stage.goals.empty() && !stage.opposite) return true;
            [[fallthrough]];
        case StagePlan::Kind::waypoint:
        case StagePlan::Kind::exit:
            set_off(state, traveller);
            find_way(state, traveller);
            return false;
    }
    return true;
}

/// Once: whoever is sent elsewhere after an arrival arrives there uncounted, and gets false.
bool count_arrival(SimulationState& state, Traveller& traveller, double time)
{
    Counts& counts = state.counts;
    if (traveller.is_bystander || std::exchange(traveller.has_arrived, true)) return false;
    ++counts.arrived;
    counts.last_arrival = std::max(counts.last_arrival, time);
    const double began =
        traveller.set_off_step == kNone ? time : traveller.set_off_step * state.dt();
    counts.travel_time_sum += time - began;
    counts.slowest_travel_time = std::max(counts.slowest_travel_time, time - began);
    if (traveller.shortest_way > 1.0f) {  // of a way of nothing the ratio says nothing
        counts.path_ratio_sum += double{traveller.way_walked} / double{traveller.shortest_way};
        ++counts.path_ratios;
    }
    return true;
}

/// The stage is over at this time [s]: leave, stand, or go on.
void end_stage(SimulationState& state, Traveller& traveller, double time)
{
    for (;;) {
        const JourneyPlan& journey = state.scenario.journeys[traveller.journey];
        const StagePlan::Kind kind = journey.stages[traveller.stage].kind;
        if (kind == StagePlan::Kind::exit) {
            const bool is_arrival = count_arrival(state, traveller, time);
            note_end(state, traveller, "left", time, is_arrival);
            ++state.counts.left;
            take_out(state, traveller);
            return;
        }
        const bool is_last = traveller.stage + 1 == journey.stages.size() && !journey.repeat;
        if (kind == StagePlan::Kind::stay || is_last) {
            const bool is_arrival = count_arrival(state, traveller, time);
            note_end(state, traveller, "stays", time, is_arrival);
            set_activity(state, traveller, Activity::standing);
            drop_path(state, traveller);
            return;
        }
        traveller.stage = (traveller.stage + 1) % static_cast<std::uint32_t>(journey.stages.size());
        ++traveller.stages_done;
        if (!begin_stage(state, traveller)) return;
    }
}

bool never_walks(const JourneyPlan& journey)
{
    const StagePlan& first = journey.stages.front();
    return first.kind == StagePlan::Kind::stay && first.goals.empty() && !first.opposite;
}

void start_journey(SimulationState& state, Traveller& traveller)
{
    traveller.has_begun = true;
    if (begin_stage(state, traveller)) end_stage(state, traveller, state.now());
}

}  // namespace

NodeIndex::NodeIndex(const NetworkPlan& network) : cell(cell_of(network)), grid(cell)
{
    for (const Polygon& node : network.nodes) {
        grid.add(static_cast<std::uint32_t>(places.size()), node.shell.front());
        places.push_back(node.shell.front());
    }
}

std::string goal_names(const Scenario& scenario, const StagePlan& stage)
{
    if (stage.opposite) return "the opposite point";
    std::string names;
    for (std::size_t i = 0; i < stage.goals.size(); ++i) {
        names += i == 0 ? "" : i + 1 == stage.goals.size() ? " or " : ", ";
        names += fmt::format("goal '{}'", scenario.goals[stage.goals[i]].name);
    }
    return names;
}

namespace {

/// Length of the way to where the stage leads [m], infinite where there is none. The corners of a
/// way of one's own go to `corners`.
double measure_way(SimulationState& state, const Traveller& traveller, Vec2 from,
                   std::vector<PathCorner>* corners)
{
    const StagePlan& stage = state.stage_of(traveller);
    Floor& floor = state.floors[traveller.floor];
    const double radius{traveller.passing_radius};
    if (!stage.opposite) {
        const std::uint32_t number = shared_goal(state, stage, traveller.floor);
        if (number == kNone) return HUGE_VAL;
        const SharedGoal& goal = state.goals[number];
        if (!floor.routes) return distance_to(goal.shape, from);
        floor.routes->prepare(goal.route, radius);
        const double way = floor.routes->distance(goal.route, from, radius);
        return std::isfinite(way) || !is_outside(floor, from) ? way : distance_to(goal.shape, from);
    }
    const Vec2 target = opposite_of(stage, traveller);
    Vec2 leg = target - from;
    const double straight = std::sqrt(dot(leg, leg));
    if (!floor.routes) return straight;
    floor.routes->refresh();
    auto found = floor.routes->find_path(from, target, radius);
    if (found.empty()) return is_outside(floor, from) ? straight : HUGE_VAL;
    leg = found.front().place - from;
    const double way = std::sqrt(dot(leg, leg)) + found.front().beyond;
    if (corners != nullptr) *corners = std::move(found);
    return way;
}

/// How far from its goals a stage ends [m]: the way walked is shorter by that.
double reach_of(const SimulationState& state, const StagePlan& stage)
{
    if (stage.opposite) return stage.reach;
    double reach = HUGE_VAL;
    for (const std::uint32_t goal : stage.goals) {
        const GoalPlan& plan = state.scenario.goals[goal];
        reach = std::min(reach, plan.kind == GoalPlan::Kind::point ? plan.reach : 0.0);
    }
    return reach;
}

}  // namespace

std::size_t floor_index(const SimulationState& state, std::uint16_t level)
{
    return static_cast<std::size_t>(floor_of(state.floors, level) - state.floors.data());
}

bool has_way(SimulationState& state, const Traveller& traveller)
{
    return std::isfinite(measure_way(state, traveller, traveller.start, nullptr));
}

void find_way(SimulationState& state, Traveller& traveller)
{
    const StagePlan& stage = state.stage_of(traveller);
    drop_path(state, traveller);
    state.memories[traveller.handle.index] = {};
    std::vector<PathCorner> corners;
    const double way = measure_way(state, traveller, position_of(state, traveller), &corners);
    traveller.goal = stage.opposite ? kNone : shared_goal(state, stage, traveller.floor);
    if (stage.opposite) traveller.target = opposite_of(stage, traveller);
    if (!corners.empty()) traveller.path = keep_path(state, std::move(corners));
    if (std::isfinite(way)) {
        // Once a stage: a detour found later is not the shortest way.
        if (!std::exchange(traveller.way_is_counted, true))
            traveller.shortest_way +=
                static_cast<float>(std::max(way - reach_of(state, stage), 0.0));
        set_activity(state, traveller, Activity::walking);
    } else {
        set_activity(state, traveller, Activity::stranded);
    }
}

bool is_at_end_of_detour(const Traveller& traveller, Vec2 place)
{
    constexpr double kNear = 1.0;  // [m]
    const Vec2 rest = traveller.target - place;
    return dot(rest, rest) < kNear * kNear;
}

void find_way_again(SimulationState& state, Traveller& traveller)
{
    const Vec2 place = position_of(state, traveller);
    if (is_detour(traveller) && !is_at_end_of_detour(traveller, place)) {
        auto corners = state.floors[traveller.floor].routes->find_path(
            place, traveller.target, double{traveller.passing_radius});
        const OwnPath& lost = state.paths[traveller.path];
        const bool is_another =
            !corners.empty() && (lost.next >= lost.corners.size() ||
                                 corners.front().place != lost.corners[lost.next].place);
        if (is_another) {
            begin_detour(state, traveller, traveller.target, std::move(corners));
            return;
        }
    }
    find_way(state, traveller);
}

void begin_detour(SimulationState& state, Traveller& traveller, Vec2 via,
                  std::vector<PathCorner> corners)
{
    drop_path(state, traveller);
    traveller.target = via;
    traveller.path = keep_path(state, std::move(corners));
}

void begin_journey(SimulationState& state, const Newcomer& newcomer, const DrawnTraits& traits,
                   double pre_movement)
{
    const std::uint32_t index = newcomer.handle.index;
    if (index >= state.travellers.size()) {
        state.travellers.resize(index + 1);
        state.memories.resize(index + 1);
    }
    const std::uint32_t id = newcomer.id;
    Traveller& traveller = state.travellers[index];
    traveller = {};
    traveller.handle = newcomer.handle;
    traveller.id = id;
    traveller.group = newcomer.group;
    traveller.profile = newcomer.profile;
    traveller.journey = newcomer.journey;
    traveller.floor = static_cast<std::uint16_t>(floor_index(state, newcomer.level));
    traveller.start = traveller.last_place = newcomer.start;
    traveller.radius = static_cast<float>(traits.radius);
    traveller.passing_radius = static_cast<float>(traits.radius + traits.wall_clearance);
    traveller.preferred_speed = static_cast<float>(traits.preferred_speed);
    traveller.replan_time = replan_time_of(*state.world, newcomer.handle);
    traveller.braking = braking_of(*state.world, newcomer.handle);
    traveller.lateral = static_cast<float>(random_unit({state.seed, id, kUseLateral, 0}));
    if (newcomer.velocity_jitter > 0.0) {
        const double length =
            newcomer.velocity_jitter * random_unit({state.seed, id, kUseJitter, 0});
        const SinCos turn =
            sin_cos(2.0 * std::numbers::pi * random_unit({state.seed, id, kUseJitter, 1}));
        traveller.jitter_x = static_cast<float>(length * turn.cos);
        traveller.jitter_y = static_cast<float>(length * turn.sin);
    }
    traveller.is_bystander = never_walks(state.scenario.journeys[newcomer.journey]);
    ++state.counts.spawned;
    state.counts.travellers += traveller.is_bystander ? 0 : 1;
    note_walker(state, traveller);
    if (pre_movement > 0.0) {
        wait(state, traveller, pre_movement);
    } else {
        start_journey(state, traveller);
    }
}

void change_journey(SimulationState& state, Traveller& traveller, std::uint32_t journey)
{
    if (traveller.is_bystander && !never_walks(state.scenario.journeys[journey])) {
        traveller.is_bystander = false;
        ++state.counts.travellers;
        state.counts.under_way += traveller.activity == Activity::waiting ? 1 : 0;
    }
    traveller.journey = journey;
    traveller.stage = 0;
    traveller.way_walked = traveller.shortest_way = 0.0f;  // the ratio is that of the new journey
    start_journey(state, traveller);
}

void take_out(SimulationState& state, Traveller& traveller)
{
    if (const auto progress = progress_of(traveller, state.dt()))
        state.progress_of_gone.push_back(*progress);
    add_kind(state.kinds_of_gone, *state.world, traveller.handle);
    drop_path(state, traveller);
    set_activity(state, traveller, Activity::gone);
    take_out_of_world(state, traveller.handle);
}

std::optional<float> progress_of(const Traveller& traveller, double dt)
{
    if (traveller.is_bystander || traveller.steps_walked == 0 || traveller.preferred_speed <= 0.0f)
        return std::nullopt;
    const double free_way = double{traveller.preferred_speed} * dt * traveller.steps_walked;
    return static_cast<float>(double{traveller.way_made_good} / free_way);
}

void wake_travellers(SimulationState& state)
{
    if (state.counts.waiting == 0) return;
    const std::uint64_t step = state.world->step_index();
    for (Traveller& traveller : state.travellers) {
        if (traveller.activity != Activity::waiting || traveller.wake_step > step) continue;
        if (traveller.has_begun) {
            end_stage(state, traveller, state.now());
        } else {
            start_journey(state, traveller);
        }
    }
}

void observe_arrival(SimulationState& state, const Arrival& arrival)
{
    Traveller& traveller = state.travellers[arrival.slot];
    if (state.stage_of(traveller).kind == StagePlan::Kind::roam) {
        hop_on(state, traveller);
        return;
    }
    const double began = state.now() - state.dt();
    end_stage(state, traveller, began + double{arrival.fraction} * state.dt());
}

}  // namespace sidestep
