// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <new>
#include <numeric>
#include <tuple>

#include "run/state.hpp"

namespace sidestep {

namespace {

constexpr const char* kWayHint =
    "is the room closed, a door shut, or a passage narrower than the agent? Doors cut no walls: "
    "leave "
    "a gap where a door is to be";

double cpu_seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void add_error(const SimulationState& state, const Error& error, TextPlace at, Problems& problems)
{
    const bool memory = error.code == ErrorCode::out_of_memory;
    problems.push_back(
        {memory ? "out-of-memory" : "engine", error.message, state.scenario.file, at, ""});
}

/// The world's threads are ours too: they also write wishes and look for arrivals.
Executor executor_of(Workers& workers)
{
    return {workers.count(), &workers,
            [](void* host, std::uint32_t tasks, void (*task)(void*, std::uint32_t, std::uint32_t),
               void* data) { static_cast<Workers*>(host)->run(tasks, task, data); }};
}

bool make_world(SimulationState& state, const SimulationOptions& options, Problems& problems)
{
    const WorldPlan& plan = state.scenario.world;
    state.workers = std::make_unique<Workers>(options.threads, Executor{});
    state.arrivals.resize(state.workers->count());
    state.answers.resize(state.workers->count());
    state.stalls.resize(state.workers->count());
    state.jams.resize(state.floors.size());
    SimulationState* self = &state;
    auto world = World::create(
        {.dt = plan.step,
         .origin = plan.origin.value_or(Vec2{}),
         .seed = state.seed,
         .passing_side = plan.passing_side,
         .deadlock_policy = plan.deadlock_policy,
         .solid_bodies = plan.solid_bodies,
         .threads = options.threads,
         .isa = options.isa,
         .executor = executor_of(*state.workers),
         .preferred_velocities =
             [self](const AgentColumns& columns, std::span<float> vx, std::span<float> vy) {
                 const double began = cpu_seconds(), wall_began = wall_seconds();
                 write_wishes(*self, columns, vx, vy);
                 self->clocks.wishes_cpu = cpu_seconds() - began;
                 self->clocks.wishes_wall = wall_seconds() - wall_began;
             },
         .log = {}});
    if (!world) {
        add_error(state, world.error(), {}, problems);
        return false;
    }
    state.world.emplace(std::move(*world));
    return true;
}

void add_walls(SimulationState& state, Problems& problems)
{
    for (const Floor& floor : state.floors) {
        for (const WallSpec& wall : floor.walls) {
            if (auto added = state.world->add_wall(wall); !added)
                add_error(state, added.error(), {}, problems);
        }
    }
    state.closed_doors.resize(state.scenario.doors.size());
    state.door_is_closed.resize(state.scenario.doors.size(), false);
    for (std::uint32_t door = 0; door < state.scenario.doors.size(); ++door) {
        const DoorPlan& plan = state.scenario.doors[door];
        // Tried even where it is open: an outline the engine cannot take is to be known now.
        const auto wall = state.world->add_wall({plan.polygon, WallKind::solid, plan.level});
        if (!wall) {
            add_error(state, wall.error(), plan.at, problems);
        } else if (plan.open) {
            (void)state.world->remove_wall(*wall);
        } else {
            state.closed_doors[door] = *wall;
            state.door_is_closed[door] = true;
        }
    }
}

void add_bodies(SimulationState& state, Problems& problems)
{
    for (const BodyPlan& plan : state.scenario.bodies) {
        BodySpec spec{.position = plan.path.front(),
                      .radius = plan.radius,
                      .outline = {},
                      .velocity = {},
                      .level = plan.level,
                      .always_noticed = plan.always_noticed};
        for (const Vec2 vertex : plan.outline) spec.outline.push_back(plan.path.front() + vertex);
        const auto added = state.world->add_body(spec);
        if (!added) {
            add_error(state, added.error(), plan.at, problems);
            continue;
        }
        state.bodies.push_back({*added, path_lengths(plan)});
    }
}

/// Who stands where, told to the world; then everybody's journey begins.
void add_agents(SimulationState& state, const std::vector<Start>& starts, Problems& problems)
{
    if (auto reserved = state.world->reserve(starts.size()); !reserved) {
        add_error(state, reserved.error(), {}, problems);
        return;
    }
    std::vector<AgentSpec> specs;
    specs.reserve(starts.size());
    for (std::uint32_t id = 0; id < starts.size(); ++id) {
        const AgentsPlan& plan = state.scenario.agents[starts[id].plan];
        specs.push_back({.position = starts[id].position,
                         .velocity = plan.velocity,
                         .goal = {},
                         .id = id,
                         .level = plan.level,
                         .profile = state.profiles[starts[id].profile].engine,
                         .traits = starts[id].traits.values,
                         .heading = plan.heading_deg ? std::optional(*plan.heading_deg *
                                                                     std::numbers::pi / 180.0)
                                                     : std::nullopt});
    }
    const auto handles = state.world->add(specs);
    if (!handles) {
        add_error(state, handles.error(), {}, problems);
        return;
    }
    const std::vector<double> pre_movement = set_off_times(state, starts);
    state.travellers.reserve(starts.size());
    state.memories.reserve(starts.size());
    for (std::uint32_t id = 0; id < starts.size(); ++id) {
        const AgentsPlan& plan = state.scenario.agents[starts[id].plan];
        (void)state.world->drive_by_host((*handles)[id]);
        begin_journey(state,
                      {.handle = (*handles)[id],
                       .id = id,
                       .group = starts[id].plan,
                       .profile = starts[id].profile,
                       .journey = plan.journey,
                       .level = plan.level,
                       .start = starts[id].position,
                       .velocity_jitter = plan.velocity_jitter},
                      starts[id].traits, pre_movement[id]);
    }
    state.agents_at_start = starts.size();
}

/// Who takes which share of the avoidance towards whom. Agents stand in the order of ids, block by
/// block.
void add_roles(SimulationState& state, const std::vector<Start>& starts, Problems& problems)
{
    std::vector<std::vector<std::uint32_t>> ids(state.scenario.agents.size());
    for (std::uint32_t id = 0; id < starts.size(); ++id) ids[starts[id].plan].push_back(id);
    for (const RolePlan& role : state.scenario.roles) {
        std::vector<ShareSpec> shares;
        for (const std::uint32_t of : ids[role.of]) {
            const auto agent = state.world->find(of);
            for (const std::uint32_t towards : ids[role.towards]) {
                if (role.of == role.towards && of >= towards) continue;
                const auto other = state.world->find(towards);
                if (!agent || !other) continue;  // at its exit from the start
                const std::uint64_t pair = (std::uint64_t{of} << 32) | towards;
                shares.push_back(
                    {*agent, *other, draw(role.share, {state.seed, pair, kUseRole, 0})});
            }
        }
        if (const auto done = state.world->set_shares(shares); !done) {
            add_error(state, done.error(), role.at, problems);
            return;
        }
    }
}

/// A place in the area of a source where somebody fits, if nobody else is there.
std::optional<Vec2> find_room(const SimulationState& state, const SourcePlan& plan,
                              const AreaSampler& area)
{
    constexpr std::uint32_t kTries = 1000;
    const Floor* floor = floor_of(state.floors, plan.level);
    for (std::uint32_t turn = 0; turn < kTries && !area.empty(); ++turn) {
        const Vec2 place = area.sample(state.seed, 0, kUseSource, turn);
        if (floor->fits(place, smallest_radius(state.profiles, profiles_of(plan)))) return place;
    }
    return std::nullopt;
}

void make_sources(SimulationState& state, Problems& problems)
{
    for (std::uint32_t index = 0; index < state.scenario.sources.size(); ++index) {
        const SourcePlan& plan = state.scenario.sources[index];
        SourceState source{0, 0, 0, AreaSampler(plan.area)};
        if (!find_room(state, plan, source.area)) {
            problems.push_back(
                {"no-room",
                 fmt::format("sources.{}: nobody of radius {:.4g} m fits into its area", index,
                             smallest_radius(state.profiles, profiles_of(plan))),
                 state.scenario.file, plan.at,
                 "the area must lie on the floor, with a body's width between walls"});
        }
        state.sources.push_back(std::move(source));
    }
}

/// Opens or shuts, for the routes alone, the doors that are shut now and that an event opens later:
/// whoever is behind one of them has a way, in time.
void show_promised_doors(SimulationState& state, bool open)
{
    for (const EventPlan& event : state.scenario.events) {
        if (event.action != EventPlan::Action::open || !state.door_is_closed[event.door]) continue;
        Floor& floor = state.floors[floor_index(state, state.scenario.doors[event.door].level)];
        for (std::uint16_t own = 0; own < floor.door_plans.size(); ++own) {
            if (floor.door_plans[own] == event.door && floor.routes)
                floor.routes->set_door(own, open);
        }
    }
}

/// The first stage of a journey that leads somewhere, at or after `stage`; none if there is none.
std::uint32_t next_leading_stage(const JourneyPlan& journey, std::uint32_t stage)
{
    for (; stage < journey.stages.size(); ++stage) {
        if (!journey.stages[stage].goals.empty() || journey.stages[stage].opposite) return stage;
    }
    return kNone;
}

/// Whether a body that starts there will have a way for the first leg of its journey.
bool has_first_way(SimulationState& state, const Traveller& traveller)
{
    Traveller trial = traveller;
    trial.stage = next_leading_stage(state.scenario.journeys[trial.journey], trial.stage);
    return trial.stage == kNone || has_way(state, trial);
}

/// Whoever has no way to the first goal, told by table and goal.
void report_stranded(SimulationState& state, Problems& problems)
{
    struct Case {
        std::size_t count = 0;
        const Traveller* first = nullptr;
    };
    std::map<std::uint32_t, Case> cases;  // by table
    std::vector<std::size_t> of_table(state.scenario.agents.size());
    for (const Traveller& traveller : state.travellers) {
        if (traveller.activity == Activity::gone) continue;
        ++of_table[traveller.group];
        const bool may_fail =
            traveller.activity == Activity::stranded || traveller.activity == Activity::waiting;
        if (!may_fail || has_first_way(state, traveller)) continue;
        Case& found = cases[traveller.group];
        if (found.count++ == 0) found.first = &traveller;
    }
    for (const auto& [table, found] : cases) {
        const AgentsPlan& plan = state.scenario.agents[table];
        const JourneyPlan& journey = state.scenario.journeys[found.first->journey];
        const StagePlan& stage = journey.stages[next_leading_stage(journey, found.first->stage)];
        problems.push_back(
            {"unreachable",
             fmt::format(
                 "{}: {} of {} agents cannot reach {}; the first is agent {} of radius {:.4g} m "
                 "at ({:.6g}, {:.6g})",
                 name_of(plan, table), found.count, of_table[table],
                 goal_names(state.scenario, stage), found.first->id, double{found.first->radius},
                 found.first->start.x, found.first->start.y),
             state.scenario.file, plan.at, kWayHint});
    }
}

/// The same for those who will come: somebody at a free place of the source.
void report_stranded_sources(SimulationState& state, Problems& problems)
{
    for (std::uint32_t index = 0; index < state.sources.size(); ++index) {
        const SourcePlan& plan = state.scenario.sources[index];
        const auto place = find_room(state, plan, state.sources[index].area);
        if (!place) continue;  // told already
        Traveller trial;
        trial.journey = plan.journey;
        trial.floor = static_cast<std::uint16_t>(floor_index(state, plan.level));
        trial.start = *place;
        trial.passing_radius = HUGE_VALF;
        for (const std::uint32_t number : profiles_of(plan)) {
            const RunProfile& profile = state.profiles[number];
            trial.passing_radius =
                std::min(trial.passing_radius,
                         static_cast<float>(profile.smallest_radius + profile.wall_clearance));
        }
        if (has_first_way(state, trial)) continue;
        const JourneyPlan& journey = state.scenario.journeys[plan.journey];
        problems.push_back({"unreachable",
                            fmt::format("sources.{}: nobody can get from ({:.6g}, {:.6g}) to {}",
                                        index, place->x, place->y,
                                        goal_names(state.scenario,
                                                   journey.stages[next_leading_stage(journey, 0)])),
                            state.scenario.file, plan.at, kWayHint});
    }
}

/// From each goal of a journey there must be a way to the next.
void report_broken_journeys(SimulationState& state, Problems& problems)
{
    for (const JourneyPlan& journey : state.scenario.journeys) {
        const StagePlan* last = nullptr;
        for (const StagePlan& stage : journey.stages) {
            if (stage.goals.empty()) continue;
            if (last != nullptr && !goals_are_joined(state, *last, stage)) {
                problems.push_back({"unreachable",
                                    fmt::format("journey '{}': there is no way from {} to {}",
                                                journey.name, goal_names(state.scenario, *last),
                                                goal_names(state.scenario, stage)),
                                    state.scenario.file, stage.at,
                                    "are they on one floor, and is a door shut between them?"});
            }
            last = &stage;
        }
    }
}

void report_unreachable(SimulationState& state, Problems& problems)
{
    show_promised_doors(state, true);
    report_stranded(state, problems);
    report_stranded_sources(state, problems);
    report_broken_journeys(state, problems);
    show_promised_doors(state, false);
    // The searches of before were dropped with the doors.
    for (const Traveller& traveller : state.travellers) {
        if (traveller.activity == Activity::walking && traveller.goal != kNone)
            (void)has_way(state, traveller);
    }
}

void order_events(SimulationState& state)
{
    state.event_order.resize(state.scenario.events.size());
    std::iota(state.event_order.begin(), state.event_order.end(), 0u);
    std::stable_sort(state.event_order.begin(), state.event_order.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                         return state.scenario.events[a].time < state.scenario.events[b].time;
                     });
}

/// From a checked scenario to a world with everybody at the start. Stops where going on makes no
/// sense.
void build(SimulationState& state, const SimulationOptions& options, Problems& problems)
{
    state.floors = build_floors(state.scenario, problems);
    if (state.floors.empty() || !make_world(state, options, problems)) return;
    state.profiles = add_profiles(state.scenario, options.model, *state.world, problems);
    add_walls(state, problems);
    add_bodies(state, problems);
    if (!problems.empty()) return;
    make_shared_goals(state, problems);
    for (const NetworkPlan& network : state.scenario.networks) state.nodes.emplace_back(network);
    make_sources(state, problems);
    order_events(state);
    const auto starts =
        place_agents(state.scenario, state.seed, state.floors, state.profiles, problems);
    if (!problems.empty()) return;
    add_agents(state, starts, problems);
    if (!problems.empty()) return;
    add_roles(state, starts, problems);
    add_groups(state, starts);
    report_unreachable(state, problems);
    if (problems.empty()) start_walking(state);
}

void add_report(Counts& counts, const StepReport& report)
{
    counts.overlaps += report.overlaps;
    counts.deepest_overlap = std::max(counts.deepest_overlap, report.deepest_overlap);
    counts.wall_contacts += report.wall_contacts;
    counts.wall_penetrations += report.wall_penetrations;
    counts.infeasible_programs += report.infeasible_programs;
    counts.neighbour_cap_hits += report.neighbour_cap_hits;
    counts.updates += report.agents;
    counts.acceleration_exceeded += report.acceleration_exceeded;
    counts.crowded_sights += report.crowded_sights;
    counts.waiting_steps += report.waiting;
    counts.body_contacts += report.body_contacts;
    counts.held_vehicles += report.held_vehicles;
}

StepReport make_step(SimulationState& state)
{
    const double wall_began = wall_seconds();
    const double cpu_began = cpu_seconds();
    run_due_events(state);  // doors, other journeys, removals
    if (state.fault) {
        StepReport report;
        report.step = state.world->step_index();
        report.fault = state.fault;
        return report;
    }
    run_sources(state);      // newcomers
    wake_travellers(state);  // pre-movement times and waits that are over
    steer_bodies(state);     // scripted movers
    const double cpu_before = cpu_seconds(), wall_before = wall_seconds();
    state.clocks.wishes_cpu = state.clocks.wishes_wall = 0.0;
    StepReport report = state.move_everybody
                            ? state.move_everybody()
                            : state.world->step();  // wishes -> velocities -> places
    const double cpu_after = cpu_seconds(), wall_after = wall_seconds();
    if (!report.fault) observe_travellers(state);  // arrivals, stalls, ways made good
    add_report(state.counts, report);
    report.without_goal = state.counts.stranded;
    state.clocks.step_cpu += cpu_after - cpu_before - state.clocks.wishes_cpu;
    state.clocks.step_wall += wall_after - wall_before - state.clocks.wishes_wall;
    state.clocks.navigation_cpu +=
        cpu_before - cpu_began + cpu_seconds() - cpu_after + state.clocks.wishes_cpu;
    state.clocks.wall += wall_seconds() - wall_began;
    return report;
}

}  // namespace

Simulation::Simulation(std::unique_ptr<SimulationState> state) : state_(std::move(state)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

std::optional<Simulation> Simulation::create(const Scenario& scenario,
                                             const SimulationOptions& options, Problems& problems)
{
    try {
        auto state = std::make_unique<SimulationState>();
        state->scenario = scenario;
        state->seed = options.seed.value_or(scenario.world.seed);
        state->only_model = options.model;
        state->duration = options.duration.value_or(scenario.world.duration);
        state->output_steps = static_cast<std::uint32_t>(
            std::max(1.0, std::round(scenario.world.output / scenario.world.step)));
        Problems own;
        build(*state, options, own);
        problems.insert(problems.end(), own.begin(), own.end());
        if (!own.empty()) return std::nullopt;
        return Simulation(std::move(state));
    } catch (const std::bad_alloc&) {
        problems.push_back({"out-of-memory",
                            "there is not enough memory for this scenario",
                            scenario.file,
                            {},
                            "fewer agents"});
        return std::nullopt;
    }
}

StepReport Simulation::step()
{
    SimulationState& state = *state_;
    try {
        if (!state.fault) return make_step(state);
    } catch (const std::bad_alloc&) {
        state.fault = StepReport::Fault{kNoAgent, state.world->step_index(), "out of memory"};
    }
    StepReport report;
    report.step = state.world->step_index();
    report.fault = state.fault;
    return report;
}

bool Simulation::finished() const
{
    const SimulationState& state = *state_;
    if (state.fault || state.now() >= state.duration - kTimeSlack) return true;
    if (state.counts.under_way > 0 || state.counts.stranded > 0 || !sources_are_done(state))
        return false;
    if (state.world->size() == 0) return true;  // events to come concern nobody
    // Bystanders alone are watched for the whole time; whoever has arrived may be sent elsewhere.
    return state.counts.travellers > 0 && state.next_event == state.event_order.size();
}

const World& Simulation::world() const
{
    return *state_->world;
}

Result<void> Simulation::watch(AgentHandle agent)
{
    return state_->world->watch(agent);
}

void Simulation::time_stages(StageTimes* times)
{
    state_->world->time_stages(times);
}

const Scenario& Simulation::scenario() const
{
    return state_->scenario;
}

double Simulation::duration() const
{
    return state_->duration;
}

}  // namespace sidestep
