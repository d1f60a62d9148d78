// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>

#include "motion/advance.hpp"
#include "policy/places.hpp"
#include "sim/bodies.hpp"
#include "sim/kept_state.hpp"
#include "sim/stage_clock.hpp"
#include "sim/vehicles.hpp"

namespace sidestep {

namespace {

template <class Body>
void for_each_block(WorldState& world, Body&& body)
{
    parallel_for(world.workers, world.blocks(), [&](std::size_t block, std::uint32_t worker) {
        const std::size_t first = block * kBlockLeaves;
        body(first, std::min(first + kBlockLeaves, world.agents.leaves()),
             *world.worker_states[worker]);
    });
}

/// Agents of a leaf whom a wall close to somebody stopped faster than their limit allows, counted
/// as motion counts those whom it stops itself. Who was cut at a body is a body contact and nothing
/// else: no limit of its own stops it.
unsigned stopped_too_fast(const WorldState& world, std::size_t leaf, const WorkerState& worker)
{
    unsigned count = 0;
    if (worker.contacts.walls == 0) return count;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if (((worker.contacts.walls >> lane) & 1u) == 0) continue;
        const std::size_t row = leaf * kLeafRows + lane;
        const AgentRecord& record = world.agents.record[row];
        const double reach =
            double{param_of(world.agents, world.profiles, row, kMaxAcceleration)} * world.dt();
        const auto change = [&](float vx, float vy) {
            return length(Spot{double{vx} - record.vx, double{vy} - record.vy});
        };
        const bool model_kept_it = change(worker.contacts.wanted_vx[lane],
                                          worker.contacts.wanted_vy[lane]) <= reach * (1.0 + 1e-6);
        if (model_kept_it && change(worker.choice.vx[lane], worker.choice.vy[lane]) > reach)
            ++count;
    }
    return count;
}

void count_leaf(const WorldState& world, std::size_t leaf, WorkerState& worker)
{
    const NeighbourLists& lists = worker.model.neighbours.lists;
    StepReport& counts = worker.counts;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        counts.agents += world.agents.holds(leaf * kLeafRows + lane) ? 1 : 0;
        counts.neighbour_cap_hits += lists.cap_hit[lane] ? 1 : 0;
    }
    if (!world.agents.next_turn.empty()) {
        for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
            const bool vehicle =
                (world.agents.record[leaf * kLeafRows + lane].flags & kVehicle) != 0;
            counts.held_vehicles += vehicle && worker.steered[lane].is_held ? 1 : 0;
        }
    }
    counts.overlaps += lists.overlaps;
    counts.deepest_overlap = std::max(counts.deepest_overlap, double{lists.deepest_overlap});
    const auto lanes = [](std::uint8_t bits) { return static_cast<unsigned>(std::popcount(bits)); };
    counts.infeasible_programs += lanes(worker.choice.infeasible);
    counts.wall_lines_about_zero += lanes(worker.choice.wall_lines_about_zero);
    counts.acceleration_exceeded += lanes(worker.choice.acceleration_exceeded);
    counts.waiting += lanes(worker.choice.waiting);
    counts.wall_contacts += lanes(worker.contacts.walls);
    counts.acceleration_exceeded += stopped_too_fast(world, leaf, worker);
    counts.crowded_sights += worker.model.perceived.crowded;
    if (!worker.stalls.any) return;
    for (const StallAnswer answer : worker.stalls.answer) {
        counts.side_steps += answer == StallAnswer::side_step ? 1 : 0;
        counts.yields += answer == StallAnswer::yield ? 1 : 0;
        counts.back_ups += answer == StallAnswer::back_up ? 1 : 0;
    }
}

void count_moves(WorkerState& worker, const MoveCounts& moved)
{
    worker.counts.wall_contacts += moved.wall_contacts;
    worker.counts.wall_penetrations += moved.wall_penetrations;
    worker.counts.acceleration_exceeded += moved.acceleration_exceeded;
}

/// Whether all eight are finite.
bool all_finite(const float* values)
{
    std::uint32_t worst = 0;
    for (std::size_t i = 0; i < kLeafRows; ++i)
        worst = std::max(worst, std::bit_cast<std::uint32_t>(values[i]) & 0x7fffffffu);
    return worst < 0x7f800000u;
}

/// Makes the lowest id whose velocity is not finite the fault of this step.
void find_fault(const WorldState& world, std::size_t leaf, WorkerState& worker)
{
    const AgentTable& agents = world.agents;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        const bool host =
            !std::isfinite(agents.preferred_vx[row]) || !std::isfinite(agents.preferred_vy[row]);
        const bool finite =
            !host && std::isfinite(worker.choice.vx[lane]) && std::isfinite(worker.choice.vy[lane]);
        const std::uint32_t id = agents.record[row].id;
        if (finite || !agents.holds(row) ||
            (worker.counts.fault && id >= worker.counts.fault->agent))
            continue;
        worker.counts.fault = {id, world.step_index,
                               host ? "the host's preferred velocity is not finite"
                                    : "the chosen velocity is not finite"};
    }
}

/// Also in a step that turns out to be a fault: nobody steps that world again.
void keep_choice(WorldState& world, std::size_t leaf, WorkerState& worker)
{
    AgentTable& agents = world.agents;
    const std::size_t first = leaf * kLeafRows;
    for (std::size_t lane = 0; lane < kLeafRows && !agents.next_turn.empty(); ++lane) {
        if ((agents.record[first + lane].flags & kVehicle) != 0)
            agents.next_turn[first + lane] = static_cast<float>(worker.steered[lane].taken.turn);
    }
    if (!agents.waited.empty())
        std::copy_n(worker.choice.waited, kLeafRows, agents.waited.data() + first);
    std::copy_n(worker.stalls.answer, kLeafRows, agents.stall_answer.data() + first);
    if (world.options.deadlock_policy)
        world.keep_stall_clocks(world.stall_input(), leaf, worker.stalls, worker.choice.vx,
                                worker.choice.vy, agents.stall_clock.data() + first);
    const bool finite = all_finite(worker.choice.vx) && all_finite(worker.choice.vy) &&
                        all_finite(agents.preferred_vx.data() + first) &&
                        all_finite(agents.preferred_vy.data() + first);
    if (!finite) find_fault(world, leaf, worker);
}

void set_wishes(WorldState& world)
{
    for_each_block(world, [&](std::size_t first, std::size_t last, WorkerState& worker) {
        worker.counts.without_goal +=
            world.set_wishes(world.agents, world.profiles, world.dt(), first, last);
    });
}

/// Groups handed to a worker at a time. Each writes the rows of its own members only.
constexpr std::size_t kBlockGroups = 64;

void lead_groups(WorldState& world)
{
    const std::vector<Group>& groups = world.groups.groups;
    const std::size_t blocks = (groups.size() + kBlockGroups - 1) / kBlockGroups;
    if (blocks == 0) return;
    parallel_for(world.workers, blocks, [&](std::size_t block, std::uint32_t) {
        const std::size_t last = std::min(groups.size(), (block + 1) * kBlockGroups);
        for (std::size_t i = block * kBlockGroups; i < last; ++i) lead_group(world, groups[i]);
    });
}

void ask_host(WorldState& world)
{
    if (!world.options.preferred_velocities) return;
    const std::size_t rows = world.agents.rows();
    AgentColumns columns = columns_of(world);
    columns.way_ahead = {world.agents.way_ahead.data(), world.agents.way_ahead.size()};
    world.options.preferred_velocities(columns, {world.agents.preferred_vx.data(), rows},
                                       {world.agents.preferred_vy.data(), rows});
}

/// The only part of a step that takes memory. Where there is none the agent's explanation is
/// missing, and the step goes on. Comes before the choice itself, which moves on what agents
/// remember.
void keep_watched(WorldState& world) noexcept
{
    for (Watch& watch : world.watches) {
        watch.filled = false;
        const std::uint32_t row = world.agents.row_of(watch.agent);
        if (row == kNoRow) continue;
        try {
            watch.explanation = explain_row(world, row);
            watch.filled = true;
        } catch (const std::bad_alloc&) {
        }
    }
}

/// Adds what the workers measured, and forgets it there.
void collect_stage_times(WorldState& world)
{
    if (world.stage_times == nullptr) return;
    for (const auto& worker : world.worker_states) {
        for (std::size_t stage = 0; stage < kStages; ++stage) {
            world.stage_times->seconds[stage] += worker->stages.seconds[stage];
            world.stage_times->readings[stage] += worker->stages.readings[stage];
        }
        worker->stages = {};
    }
}

StageClock<LeafTime> leaf_clock(const WorldState& world, WorkerState& worker)
{
    return StageClock<LeafTime>(world.stage_times != nullptr ? &worker.stages : nullptr);
}

/// Sums of what the workers counted: order is irrelevant.
StepReport merge_reports(WorldState& world)
{
    StepReport sum;
    for (const auto& worker : world.worker_states) {
        add_counts(sum, worker->counts);
        worker->counts = {};
    }
    sum.step = world.step_index;
    return sum;
}

}  // namespace

AgentColumns columns_of(const WorldState& world)
{
    const AgentTable& agents = world.agents;
    return {.rows = agents.rows(),
            .x = agents.x.span(),
            .y = agents.y.span(),
            .record = agents.record.span(),
            .preferred_vx = agents.preferred_vx.span(),
            .preferred_vy = agents.preferred_vy.span(),
            .goal_x = agents.goal_x.span(),
            .goal_y = agents.goal_y.span(),
            .profile = agents.profile.span(),
            .handle_index = agents.slot.span(),
            .leaf_level = agents.leaf_level.span(),
            .stall_answer = agents.stall_answer.span(),
            .body_contact = agents.body_contact.span(),
            .heading_x = agents.heading_x.span(),
            .heading_y = agents.heading_y.span(),
            .way_ahead = {}};
}

void add_counts(StepReport& sum, const StepReport& part)
{
    sum.agents += part.agents;
    sum.neighbour_cap_hits += part.neighbour_cap_hits;
    sum.infeasible_programs += part.infeasible_programs;
    sum.overlaps += part.overlaps;
    sum.deepest_overlap = std::max(sum.deepest_overlap, part.deepest_overlap);
    sum.body_contacts += part.body_contacts;
    sum.wall_contacts += part.wall_contacts;
    sum.wall_penetrations += part.wall_penetrations;
    sum.wall_pushes += part.wall_pushes;
    sum.wall_lines_about_zero += part.wall_lines_about_zero;
    sum.acceleration_exceeded += part.acceleration_exceeded;
    sum.without_goal += part.without_goal;
    sum.crowded_sights += part.crowded_sights;
    sum.waiting += part.waiting;
    sum.held_vehicles += part.held_vehicles;
    sum.side_steps += part.side_steps;
    sum.yields += part.yields;
    sum.back_ups += part.back_ups;
    if (part.fault && (!sum.fault || part.fault->agent < sum.fault->agent)) sum.fault = part.fault;
}

namespace {

/// What the agents of a leaf want for this step.
void gather_wishes(const WorldState& world, std::size_t leaf, Wishes& wishes)
{
    const std::size_t row = leaf * kLeafRows;
    std::copy_n(world.agents.preferred_vx.data() + row, kLeafRows, wishes.vx);
    std::copy_n(world.agents.preferred_vy.data() + row, kLeafRows, wishes.vy);
    std::fill_n(wishes.most_speed, kLeafRows, std::numeric_limits<float>::infinity());
    if (world.agents.group.empty()) return;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if (world.agents.group[row + lane] == kNoGroup) continue;
        wishes.vx[lane] += world.agents.group_vx[row + lane];
        wishes.vy[lane] += world.agents.group_vy[row + lane];
    }
}

/// Neighbours, and who of them is perceived. Few are enough nearly always; where somebody hidden or
/// unknown stands among them, all are looked for, and in the next step at once. An
/// explanation tells of all.
void find_and_perceive(const WorldState& world, std::size_t leaf, WorkerState& worker,
                       StageClock<LeafTime>& clock)
{
    ModelScratch& model = worker.model;
    std::uint8_t* looks_far = model.neighbours.leaf_looks_far;
    const bool all = model.explain != nullptr || (looks_far != nullptr && looks_far[leaf] != 0);
    SearchDepth depth = all ? SearchDepth::full : SearchDepth::first;
    for (;;) {
        world.find_neighbours(
            {world.agents, world.profiles, world.space, depth, world.largest_body}, leaf,
            model.neighbours);
        clock.end(Stage::neighbours);
        const Looked looked = world.perceive(world.perception(), leaf, model.neighbours.lists,
                                             model.perceived, model.explain, model.explain_lane);
        clock.end(Stage::perceive);
        depth = SearchDepth::again;
        if (looked == Looked::too_few) continue;
        if (looks_far != nullptr) looks_far[leaf] = looked == Looked::many ? 1 : 0;
        return;
    }
}

}  // namespace

void lead_group(WorldState& world, const Group& group) noexcept
{
    GroupPull pulls[kMostMembers];
    const std::size_t count = lead_group(world.group_input(), group, pulls);
    for (std::size_t i = 0; i < count; ++i) {
        world.agents.group_vx[pulls[i].row] = pulls[i].change.x;
        world.agents.group_vy[pulls[i].row] = pulls[i].change.y;
    }
}

void choose_for_leaf(const WorldState& world, const Snapshot& snapshot, std::size_t leaf,
                     WorkerState& worker)
{
    StageClock<LeafTime> clock = leaf_clock(world, worker);
    worker.choice = {};
    gather_wishes(world, leaf, worker.model.wishes);
    find_and_perceive(world, leaf, worker, clock);
    if (world.options.deadlock_policy)
        answer_stalls(world.stall_input(), leaf, worker.model.neighbours.lists, worker.model.wishes,
                      worker.stalls);
    clock.end(Stage::stalls);
    plan_vehicles(world, leaf, worker);
    clock.end(Stage::apart);
    choose_and_filter(snapshot, leaf, world.choose[world.agents.leaf_model[leaf]], world.filters,
                      worker.model, worker.choice);
    clock.end(Stage::choose);
    if (world.options.deadlock_policy)
        hold_places(world.stall_input(), leaf, worker.model.neighbours.lists, worker.stalls,
                    worker.choice.vx, worker.choice.vy);
    clock.end(Stage::stalls);
    worker.contacts = {};
    if (world.has_solid_bodies() || !world.agents.next_turn.empty())
        worker.contacts =
            keep_apart(world.solid_input(), leaf, worker.model.neighbours.lists, worker.choice.vx,
                       worker.choice.vy, worker.model.explain, worker.model.explain_lane);
    steer_vehicles(world, leaf, worker);
    clock.end(Stage::apart);
}

namespace {

/// A bound: planning radii are not below those of bodies.
float largest_body(const WorldState& world)
{
    if (world.space.leaves() == 0) return 0.0f;
    const float planned = world.space.root().max_radius;
    if (!world.agents.overrides[kRadius].empty()) return planned;
    float largest = 0.0f;
    for (const Profile& profile : world.profiles)
        largest = std::max(largest, profile.value[kRadius]);
    return std::min(largest, planned);
}

}  // namespace

void refresh_indices(WorldState& world) noexcept
{
    if (world.walls_changed) {
        rebuild(world.wall_index, world.walls);
        world.walls_changed = false;
    }
    world.space.set_leaves(world.agents.leaves());
    if (world.has_solid_bodies()) world.negotiation.resize(world.agents.rows());
    world.search_reach_sq.resize(world.agents.leaves(), 0.0f);
    world.search_looks_far.resize(world.agents.leaves(), std::uint8_t{0});
    for (const auto& worker : world.worker_states) {
        worker->model.neighbours.leaf_reach_sq = world.search_reach_sq.data();
        worker->model.neighbours.leaf_looks_far = world.search_looks_far.data();
    }
    for_each_block(world, [&](std::size_t first, std::size_t last, WorkerState&) {
        refit_leaves(world.agents, world.profiles, world.space, first, last);
    });
    world.space.refit();
    world.largest_body = largest_body(world);
    world.longest_way = longest_ground(world);
}

void write_choice(WorldState& world, std::size_t leaf, const WorkerState& worker) noexcept
{
    const std::size_t first = leaf * kLeafRows;
    std::copy_n(worker.choice.vx, kLeafRows, world.agents.next_vx.data() + first);
    std::copy_n(worker.choice.vy, kLeafRows, world.agents.next_vy.data() + first);
    if (!world.has_solid_bodies()) return;  // nobody looks again
    Negotiation& negotiation = world.negotiation;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = first + lane;
        if (!world.agents.holds(row)) continue;
        negotiation.second_vx[row] = worker.choice.vx[lane];
        negotiation.second_vy[row] = worker.choice.vy[lane];
        negotiation.wanted_vx[row] = worker.contacts.wanted_vx[lane];
        negotiation.wanted_vy[row] = worker.contacts.wanted_vy[lane];
        negotiation.is_cut[row] = (worker.contacts.bodies >> lane) & 1u;
    }
}

void look_again(WorldState& world, std::size_t row, int look, Explanation* explain)
{
    Negotiation& negotiation = world.negotiation;
    AgentTable& agents = world.agents;
    if (!agents.holds(row) || negotiation.is_cut[row] == 0) return;
    Column<float>& first_vx = look % 2 == 0 ? agents.next_vx : negotiation.second_vx;
    Column<float>& first_vy = look % 2 == 0 ? agents.next_vy : negotiation.second_vy;
    Column<float>& then_vx = look % 2 == 0 ? negotiation.second_vx : agents.next_vx;
    Column<float>& then_vy = look % 2 == 0 ? negotiation.second_vy : agents.next_vy;
    const SafeVelocities safe{first_vx.data(), first_vy.data(), negotiation.is_cut.data()};
    const Point<float> v = look_again(world.solid_input(), row, safe, negotiation.wanted_vx[row],
                                      negotiation.wanted_vy[row], explain);
    then_vx[row] = v.x;
    then_vy[row] = v.y;
}

namespace {

/// Those who were cut look again: what they get is safe with what everybody else gets.
void look_again(WorldState& world)
{
    for (int look = 0; look < kSecondLooks; ++look) {
        for_each_block(world, [&](std::size_t first, std::size_t last, WorkerState&) {
            for (std::size_t row = first * kLeafRows; row < last * kLeafRows; ++row)
                look_again(world, row, look, nullptr);
        });
    }
}

/// Who was held back in the end, and at first.
void keep_contacts(WorldState& world, std::size_t first, std::size_t last, WorkerState& worker)
{
    AgentTable& agents = world.agents;
    const Negotiation& negotiation = world.negotiation;
    for (std::size_t row = first * kLeafRows; row < last * kLeafRows; ++row) {
        BodyContact& contact = agents.body_contact[row];
        contact = BodyContact::none;
        if (!agents.holds(row) || negotiation.is_cut[row] == 0) continue;
        const bool is_free = agents.next_vx[row] == negotiation.wanted_vx[row] &&
                             agents.next_vy[row] == negotiation.wanted_vy[row];
        contact = is_free ? BodyContact::eased : BodyContact::cut;
        worker.counts.body_contacts += is_free ? 0 : 1;
    }
}

}  // namespace

StepReport step(WorldState& world)
{
    if (world.fault) return {.step = world.step_index, .fault = world.fault};
    StageClock<ProcessTime> clock(world.stage_times);
    if (sort_is_due(world.agents, world.step_index)) {
        sort_rows(world.agents, world.sort, LeafFill::near, &world.workers);  // into space order
        world.sights.put_in_order(world.agents.sight, world.sort.source);
    }
    clock.end(Stage::sort);
    refresh_indices(world);  // rows, walls    -> box trees
    clock.end(Stage::index);
    ask_host(world);  // the host's own preferred velocities
    clock.end_hook();
    set_wishes(world);   // goals          -> preferred velocities
    lead_groups(world);  // who walks together -> what that adds to them
    world.wishes_are_set = true;
    clock.end(Stage::wishes);
    keep_watched(world);
    const Snapshot snapshot = world.snapshot();
    for_each_block(world, [&](std::size_t first, std::size_t last, WorkerState& worker) {
        for (std::size_t leaf = first; leaf < last; ++leaf) {
            choose_for_leaf(world, snapshot, leaf,
                            worker);  // snapshot     -> neighbours -> lines -> next velocities
            StageClock<LeafTime> keeping = leaf_clock(world, worker);
            write_choice(world, leaf, worker);
            keep_choice(world, leaf, worker);
            remember(worker.model.perceived, leaf, world.agents, world.sights);
            count_leaf(world, leaf, worker);
            keeping.end(Stage::keep);
        }
    });
    world.wishes_are_set = false;
    collect_stage_times(world);
    StepReport report = merge_reports(world);
    if (report.fault) {
        world.fault = report.fault;
        return report;
    }
    clock.restart();
    if (world.has_solid_bodies()) look_again(world);  // who was cut at somebody, twice
    clock.end(Stage::apart);
    for_each_block(world, [&](std::size_t first, std::size_t last, WorkerState& worker) {
        if (world.has_solid_bodies()) keep_contacts(world, first, last, worker);
        count_moves(worker, advance(world.agents, world.profiles, world.wall_index,
                                    world.find_touching, world.dt(), first, last));
        follow_step(world, first, last);
    });
    report.wall_pushes =
        world.pending_wall_pushes + move_bodies(world);  // bodies carry along whom they run into
    clock.end(Stage::advance);
    world.pending_wall_pushes = 0;
    add_counts(report, merge_reports(world));
    world.step_index += 1;  // time = step_index * dt
    return report;
}

}  // namespace sidestep
