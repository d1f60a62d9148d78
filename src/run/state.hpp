// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel/workers.hpp"
#include "run/floors.hpp"
#include "run/jam_map.hpp"
#include "run/place.hpp"
#include "run/point_grid.hpp"
#include "run/profiles.hpp"
#include "sidestep/simulation.hpp"

namespace sidestep {

// A scenario in motion.
//
// The World knows bodies and velocities; here is why they walk. Each agent of the world has a
// Traveller, at the index of its handle: the stage of its journey, where that leads, and what the
// summary wants to know. Before a step the travellers' wishes become preferred velocities, in
// parallel; after it those who have reached something are looked at one by one, in the order of
// ids.

enum class Activity : std::uint8_t {
    gone,      ///< nobody is at this index
    waiting,   ///< until wake_step: pre-movement time, or a stage that waits
    walking,   ///< on the way
    standing,  ///< at the end of the journey, for good
    stranded,  ///< there is no way to the goal
};

inline constexpr std::uint32_t kNone = 0xffffffffu;

/// Step index times dt may miss a time of the file by rounding; this much earlier counts as due
/// [s].
inline constexpr double kTimeSlack = 1e-9;

struct Traveller {
    AgentHandle handle{};
    std::uint32_t id = 0;
    std::uint32_t group = 0;    ///< number of the [[agents]] table; after these the sources
    std::uint32_t profile = 0;  ///< number in SimulationState::profiles
    std::uint32_t journey = 0;
    std::uint32_t stage = 0;
    std::uint32_t stages_done = 0;
    Activity activity = Activity::gone;
    bool has_begun = false;       ///< the pre-movement time is over
    bool is_bystander = false;    ///< was never to walk: no arrival is counted
    bool has_arrived = false;     ///< and was counted
    bool way_is_counted = false;  ///< of this stage, in shortest_way
    bool lost = false;            ///< out of sight of its way: look for it anew
    std::uint16_t floor = 0;      ///< index of its floor
    std::uint16_t slow_steps = 0;
    std::uint16_t crawl_steps = 0;           ///< below 0.3 of its speed, see replan_time
    std::uint16_t queue_steps = 0;           ///< hardly made any way
    std::uint16_t calm_steps = 0;            ///< without an answer to a stall
    std::uint8_t answers = 0;                ///< given in this stall: bits by StallAnswer
    StallAnswer answer = StallAnswer::none;  ///< of the last step
    std::uint32_t wake_step = 0;
    std::uint32_t replan_step = 0;  ///< not before this it looks for another way
    std::uint32_t set_off_step = kNone;

    float radius = 0.0f;            ///< [m]
    float passing_radius = 0.0f;    ///< with the clearance it keeps from walls [m]
    float preferred_speed = 0.0f;   ///< [m/s]
    float braking = 0.0f;           ///< of a vehicle [m/s2]; 0: it is none
    float replan_time = HUGE_VALF;  ///< trait [s]
    float lateral = 0.0f;           ///< in [0, 1): its own part of the width of corners and goals
    float jitter_x = 0.0f, jitter_y = 0.0f;        ///< [m/s]
    float heading_x = 1.0f, heading_y = 0.0f;      ///< unit vector, for recordings
    float direction_x = 0.0f, direction_y = 0.0f;  ///< of the wish of the last step, unit vector
    float way_walked = 0.0f;                       ///< [m]
    float way_made_good = 0.0f;                    ///< along the wishes [m]
    float shortest_way = 0.0f;  ///< of the stages so far, from where each began [m]
    std::uint32_t steps_walked = 0;

    std::uint32_t goal = kNone;  ///< number of a SharedGoal, or none: `target` is its own
    /// Where its own target is out of sight, or round people in the way to a shared goal: number of
    /// the way there.
    std::uint32_t path = kNone;
    std::uint32_t hop = 0, node = kNone, last_node = kNone;  ///< of a stage that roams
    Vec2 start{};
    Vec2 last_place{};  ///< of a vehicle, before the last step: its velocity does not tell [m]
    Vec2 target{};      ///< a point, the end of a detour, or the unit direction of a walk
};

/// A goal that many walk to: the nearest of some goals of one level.
struct SharedGoal {
    std::vector<std::uint32_t> plans;  ///< goals of this level alone
    std::uint16_t floor = 0;
    std::uint32_t route = kNone;  ///< number in Routes
    RouteGoal shape;
};

struct OwnPath {
    std::vector<PathCorner> corners;
    std::size_t next = 0;
};

/// Where the crossings of a network are.
struct NodeIndex {
    explicit NodeIndex(const NetworkPlan& network);
    double cell;  ///< [m]
    PointGrid grid;
    std::vector<Vec2> places;
};

struct SourceState {
    std::uint64_t due = 0;      ///< agents that should have come by now
    std::uint64_t entered = 0;  ///< those who have
    std::uint32_t turn = 0;     ///< of random places
    AreaSampler area;
    std::uint32_t company = kNone;  ///< number of the [[groups]] of those who come
    GroupHandle group{};            ///< of the last ones
    double set_off_time = 0.0;      ///< of these, after they came [s]
};

struct BodyState {
    BodyHandle handle;
    std::vector<double> lengths;  ///< of the path up to each of its points [m]
};

/// Who stands where on a floor, made when somebody looks for a way round.
struct FloorJams {
    std::optional<JamMap> map;
    std::uint64_t looked_at = 0;  ///< step
};

/// Somebody has begun to do something about a stall.
struct AnswerBegun {
    std::uint32_t id = 0;
    std::uint32_t slot = 0;
    StallAnswer answer = StallAnswer::none;
};

struct Counts {
    std::uint64_t spawned = 0, arrived = 0, left = 0, removed = 0;
    std::uint64_t under_way = 0;  ///< waiting or walking
    std::uint64_t waiting = 0, stranded = 0;
    std::uint64_t travellers = 0;  ///< spawned, less bystanders
    double last_arrival = 0.0, travel_time_sum = 0.0, slowest_travel_time = 0.0;
    double path_ratio_sum = 0.0;
    std::uint64_t path_ratios = 0;
    std::uint64_t overlaps = 0, wall_contacts = 0, wall_penetrations = 0, stalls = 0;
    std::uint64_t infeasible_programs = 0, neighbour_cap_hits = 0, updates = 0;
    std::uint64_t acceleration_exceeded = 0, crowded_sights = 0, waiting_steps = 0;
    std::uint64_t side_steps = 0, yields = 0, replans = 0, back_ups = 0;  ///< begun
    std::uint64_t body_contacts = 0;
    std::uint64_t held_vehicles = 0;
    double deepest_overlap = 0.0;
};

/// Seconds of the processor and of the clock; measured, never part of a decision.
struct Clocks {
    double wall = 0.0, step_cpu = 0.0, step_wall = 0.0, navigation_cpu = 0.0;
    double wishes_cpu = 0.0, wishes_wall = 0.0;  ///< of the last step
};

/// What models and filters agents had at the end: bits by their place in models() and among the
/// choices of the trait `filter`.
struct KindBits {
    std::uint64_t models = 0, filters = 0;
};

struct Arrival {
    std::uint32_t id = 0;
    std::uint32_t slot = 0;
    float fraction = 1.0f;  ///< of the step after which it was there; negative: it lost its way
};

struct SimulationState {
    Scenario scenario;
    std::uint64_t seed = 1;
    double duration = 0.0;
    std::uint32_t output_steps = 1;
    std::optional<std::string> only_model;  ///< of every profile, instead of its own

    std::unique_ptr<Workers> workers;  ///< shared by the world and by what is done here
    std::optional<World> world;
    /// Moves everybody instead of World::step, where it is set: another engine that is measured.
    std::function<StepReport()> move_everybody;
    std::vector<Floor> floors;
    std::vector<RunProfile> profiles;
    std::vector<WallHandle> closed_doors;  ///< of each DoorPlan; none: it is open
    std::vector<bool> door_is_closed;
    std::vector<SharedGoal> goals;
    std::map<std::pair<std::uint16_t, std::vector<std::uint32_t>>, std::uint32_t>
        goal_numbers;                   ///< by floor and plans
    std::vector<Traveller> travellers;  ///< by index of the handle
    std::vector<RouteMemory> memories;  ///< likewise
    std::vector<OwnPath> paths;
    std::vector<std::uint32_t> free_paths;
    std::vector<NodeIndex> nodes;  ///< of each network
    std::vector<SourceState> sources;
    std::vector<BodyState> bodies;
    std::vector<std::uint32_t> event_order;  ///< by time, then as in the file
    std::size_t next_event = 0;
    RecordedNotes notes;                  ///< since they were last taken
    bool keeps_notes = false;             ///< of walkers and ends: somebody takes them
    std::vector<float> progress_of_gone;  ///< of travellers who are no longer there
    KindBits kinds_of_gone;               ///< likewise

    std::vector<FloorJams> jams;  ///< of each floor

    std::vector<std::vector<Arrival>> arrivals;     ///< found by each worker
    std::vector<std::vector<AnswerBegun>> answers;  ///< likewise
    std::vector<std::uint64_t> stalls;              ///< counted by each worker
    Counts counts;
    Clocks clocks;
    std::optional<StepReport::Fault> fault;  ///< of ours; the world has its own
    std::uint64_t agents_at_start = 0;

    double dt() const { return world->dt(); }
    double now() const { return world->time(); }
    const StagePlan& stage_of(const Traveller& traveller) const
    {
        return scenario.journeys[traveller.journey].stages[traveller.stage];
    }
};

/// For what stands above `run` and needs the state of a simulation.
struct SimulationAccess {
    static SimulationState& state(Simulation& simulation) { return *simulation.state_; }
};

// The parts of a step, in their order.

/// Opens and closes doors, sends agents elsewhere, changes or removes them.
void run_due_events(SimulationState& state);
/// Lets in those who are due and have room.
void run_sources(SimulationState& state);
/// Nobody more will come before the time is up.
bool sources_are_done(const SimulationState& state);
/// Gives scripted bodies their velocity for the coming step.
void steer_bodies(SimulationState& state);
/// Where a body is at a time [s], and the length of its path up to each point [m].
Vec2 body_place(const BodyPlan& plan, std::span<const double> lengths, double time);
std::vector<double> path_lengths(const BodyPlan& plan);
/// Ends waiting that is over.
void wake_travellers(SimulationState& state);
/// What everybody wants: the hook of the world.
void write_wishes(SimulationState& state, const AgentColumns& columns, std::span<float> vx,
                  std::span<float> vy);
/// Gives those who start at full pace the velocity they want.
void start_walking(SimulationState& state);
/// Turns a vehicle towards where its journey leads it first, unless it waits.
void face_first_goal(SimulationState& state, Traveller& traveller);
/// After the step: who has got where.
void observe_travellers(SimulationState& state);

// Journeys.

/// An agent that is in the world and has no journey yet.
struct Newcomer {
    AgentHandle handle{};
    std::uint32_t id = 0;
    std::uint32_t group = 0;
    std::uint32_t profile = 0;
    std::uint32_t journey = 0;
    std::uint16_t level = 0;
    Vec2 start{};
    double velocity_jitter = 0.0;  ///< [m/s]
};
/// Makes the traveller of a new agent and begins its journey after a pre-movement time [s].
void begin_journey(SimulationState& state, const Newcomer& newcomer, const DrawnTraits& traits,
                   double pre_movement);
/// Another journey from its first stage, without waiting.
void change_journey(SimulationState& state, Traveller& traveller, std::uint32_t journey);
/// What a traveller does at something it has reached.
void observe_arrival(SimulationState& state, const Arrival& arrival);
/// Looks for a way to the goal of the stage; where there is none the traveller is stranded.
void find_way(SimulationState& state, Traveller& traveller);
/// The same for somebody who has lost the way it had: a detour that is not over leads on.
void find_way_again(SimulationState& state, Traveller& traveller);
/// Whether somebody walks round people in the way, and is there.
inline bool is_detour(const Traveller& traveller)
{
    return traveller.goal != kNone && traveller.path != kNone;
}
bool is_at_end_of_detour(const Traveller& traveller, Vec2 place);
/// Leads somebody with a shared goal over a point first.
void begin_detour(SimulationState& state, Traveller& traveller, Vec2 via,
                  std::vector<PathCorner> corners);
/// Whether there is a way for the stage the traveller is at.
bool has_way(SimulationState& state, const Traveller& traveller);
/// Whether one can walk from some goal of one stage to some of the next.
bool goals_are_joined(SimulationState& state, const StagePlan& from, const StagePlan& to);
/// Adds the model and the filter that an agent has now.
void add_kind(KindBits& kinds, const World& world, AgentHandle agent);
/// Takes an agent out of the world.
void take_out(SimulationState& state, Traveller& traveller);
/// The part of its way that a traveller has made good, in [0, 1] or so; none before it set off.
std::optional<float> progress_of(const Traveller& traveller, double dt);
/// The goals of a stage in words: "goal 'north'".
std::string goal_names(const Scenario& scenario, const StagePlan& stage);

// Answers to stalls.

/// What somebody does about a stall, seen after a step in which it was so fast, and made so much of
/// its way good [m/s]; what is new goes to `begun`. By any thread.
void observe_answer(const SimulationState& state, Traveller& traveller, StallAnswer answer,
                    float speed, float made_good, std::vector<AnswerBegun>& begun);
/// Counts and notes what has begun, and looks for ways round.
void settle_answers(SimulationState& state, std::vector<AnswerBegun>& begun);

// Groups.

/// Pre-movement times of those who are there at the start [s]: of a group the longest of its
/// members.
std::vector<double> set_off_times(const SimulationState& state, const std::vector<Start>& starts);
/// Tells the world who walks together.
void add_groups(SimulationState& state, const std::vector<Start>& starts);
/// Of those who are due at a source, how many come now: whole groups, as long as more will come.
std::uint64_t due_together(const SimulationState& state, const SourceState& source,
                           std::uint64_t due, std::uint64_t due_at_the_end);
/// The pre-movement time of the next newcomer of a source [s].
double set_off_time(const SimulationState& state, SourceState& source, const SourcePlan& plan,
                    std::uint32_t id);
/// Puts a newcomer of a source into its group. Before it is counted.
void join_company(SimulationState& state, SourceState& source, AgentHandle newcomer);
/// Removes an agent, and its group with its last member.
void take_out_of_world(SimulationState& state, AgentHandle agent);
/// Those who now have another journey than others of their group leave it.
void part_company(SimulationState& state, std::span<const std::uint32_t> slots);

// Notes for a recording.

/// Somebody is there from now on.
void note_walker(SimulationState& state, const Traveller& traveller);
/// A journey ends at this time [s]: "left", "stays" or "removed". Before the traveller is taken
/// out.
void note_end(SimulationState& state, const Traveller& traveller, std::string_view kind,
              double time, bool is_arrival);

// Doors.

/// Index of the floor of a level.
std::size_t floor_index(const SimulationState& state, std::uint16_t level);
/// Flips a door in the routes and in the world. Ways of before are void until they are looked for
/// again.
void set_door(SimulationState& state, std::uint32_t door, bool open);

/// The goals' shapes, and whether they can be reached at all.
void make_shared_goals(SimulationState& state, Problems& problems);

}  // namespace sidestep
