// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidestep/models.hpp"
#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

// ---------------------------------------------------------------------------------------------
// names for what a world holds

/// Names an agent for as long as it lives; after its removal every call with it answers
/// `dead_handle`.
struct AgentHandle {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;
    bool operator==(const AgentHandle&) const = default;
};

/// Names a wall, likewise.
struct WallHandle {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;
    bool operator==(const WallHandle&) const = default;
};

/// Names a non-yielding body, likewise.
struct BodyHandle {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;
    bool operator==(const BodyHandle&) const = default;
};

/// Names a group of agents, likewise.
struct GroupHandle {
    std::uint32_t index = 0xffffffffu;
    std::uint32_t generation = 0;
    bool operator==(const GroupHandle&) const = default;
};

/// A profile: a model and a value for each of its parameters and traits. Profile 0 is `orca` with
/// all defaults.
using ProfileId = std::uint16_t;

/// The id of rows that hold nobody.
inline constexpr std::uint32_t kNoAgent = 0xffffffffu;

// ---------------------------------------------------------------------------------------------
// what goes in

/// Instruction set of the kernels. `automatic` takes the best this processor runs. Results do not
/// depend on it.
enum class Isa { automatic, scalar, sse4, avx2, avx3 };

/// A host program's own job system. `run` must call `task(data, i, worker)` once for every i in [0,
/// tasks), from any threads, and return when all are done; calls that are under way at the same
/// time must carry different worker numbers below `workers`.
struct Executor {
    std::uint32_t workers = 0;
    void* host = nullptr;
    void (*run)(void* host, std::uint32_t tasks,
                void (*task)(void* data, std::uint32_t i, std::uint32_t worker),
                void* data) = nullptr;
};

struct AgentColumns;

/// Fills the preferred velocities [m/s] of rows whose agents were put under host control
/// (`drive_by_host`); called once per step, on the calling thread, with the state the step starts
/// from. Rows of other agents may be left alone.
using PreferredVelocityHook =
    std::function<void(const AgentColumns&, std::span<float> vx, std::span<float> vy)>;

/// Receives one line of text; silent by default.
using LogCallback = std::function<void(std::string_view)>;

struct WorldOptions {
    double dt = 0.05;  ///< step [s], in (0, 0.25]
    Vec2 origin{};     ///< float positions are about this point, whole metres; everything must stay
                       ///< within 4 km of it
    std::uint64_t seed = 1;  ///< part of the state hash; key of all random numbers
    PassingSide passing_side = PassingSide::right;
    bool deadlock_policy = true;  ///< who is stalled side-steps, yields, backs up; docs/stalls.md
    SolidBodies solid_bodies = SolidBodies::off;  ///< who gets no deeper into another body
    std::uint32_t threads = 0;                    ///< 0: one per hardware thread
    Isa isa = Isa::automatic;
    Executor executor{};  ///< where `run` is set it replaces our own threads
    PreferredVelocityHook preferred_velocities{};
    LogCallback log{};
};

using ParamValue = std::pair<std::string, double>;

struct ProfileSpec {
    std::string model = "orca";
    std::vector<ParamValue>
        values{};  ///< traits and parameters of the model by name; the rest keep their defaults
    std::string preset{};  ///< one of presets(), or none: its values come before `values`
};

struct AgentSpec {
    Vec2 position{};             ///< [m]
    Vec2 velocity{};             ///< [m/s]
    std::optional<Vec2> goal{};  ///< [m]; without one the agent stands
    std::optional<std::uint32_t>
        id{};  ///< unique among the living; else the lowest id above all ever used
    std::uint16_t level = 0;
    ProfileId profile = 0;
    std::vector<ParamValue> traits{};  ///< overrides of this agent, as by set_trait
    std::optional<double> heading{};   ///< of a vehicle [rad]; else where it goes, else towards its
                                       ///< goal, else 0. What it does across that way is lost
};

/// A wall: at least three vertices for a polygon, which closes itself, two for a thin wall.
struct WallSpec {
    std::vector<Vec2> vertices;  ///< [m]
    WallKind kind = WallKind::solid;
    std::uint16_t level = 0;
};

/// Something that moves at its own velocity and yields to nobody: a disc, or a solid polygon if
/// `outline` has vertices.
struct BodySpec {
    Vec2 position{};              ///< centre of the disc [m]; unused for a polygon
    double radius = 0.5;          ///< of the disc [m]
    std::vector<Vec2> outline{};  ///< vertices of the polygon [m]
    Vec2 velocity{};              ///< [m/s]
    std::uint16_t level = 0;
    /// A disc is avoided also before it was observed: it rings, or is announced. Polygons are walls
    /// to those who walk: always known, whatever this says.
    bool always_noticed = false;
};

/// What `agent` takes of the avoidance towards `other`, in [0, 1]; `other` takes the rest.
struct ShareSpec {
    AgentHandle agent{};
    AgentHandle other{};
    double share = 0.5;
};

struct GroupSpec {
    std::vector<AgentHandle> members{};  ///< of no other group from then on
    Formation formation = Formation::abreast;
    std::optional<AgentHandle> leader{};  ///< one of the members, for Formation::leader
};

// ---------------------------------------------------------------------------------------------
// what comes out

/// What others see of an agent: 32 bytes, the row the kernels load.
struct alignas(32) AgentRecord {
    float x = 0.0f;  ///< [m] about the world's origin
    float y = 0.0f;
    float vx = 0.0f;  ///< [m/s]
    float vy = 0.0f;
    float radius = 0.0f;  ///< planning radius [m], at least the body's
    float rank = 0.0f;
    std::uint32_t id = kNoAgent;
    std::uint32_t flags = 0;  ///< the bits below, and the model's avoidance class in the top byte
};

inline constexpr std::uint32_t kReacts = 1u << 0;  ///< its model avoids others
inline constexpr std::uint32_t kHasGoal = 1u << 1;
inline constexpr std::uint32_t kHostDriven = 1u << 2;   ///< its preferred velocity is the host's
inline constexpr std::uint32_t kPassesRight = 1u << 3;  ///< its own passing side, where it has one
inline constexpr std::uint32_t kPassesLeft = 1u << 4;
inline constexpr std::uint32_t kHasShares = 1u << 5;   ///< set_share named it
inline constexpr std::uint32_t kHoldsPlace = 1u << 6;  ///< hold_place: its goal is where it stands
inline constexpr std::uint32_t kSoftBody = 1u << 7;    ///< gets into others that have this too
inline constexpr std::uint32_t kVehicle = 1u << 8;     ///< its motion has a heading, see traits
inline constexpr std::uint32_t kGivesSpace = 1u << 9;  ///< stalled, it keeps less than its space

/// What an agent does because it hardly makes way towards what it wants.
enum class StallAnswer : std::uint8_t { none, side_step, yield, replan, back_up };
/// As in recordings: "none", "side-step", "yield", "replan", "back-up".
std::string_view to_string(StallAnswer answer);

/// What became of an agent's velocity at other bodies.
enum class BodyContact : std::uint8_t {
    none,
    eased,  ///< somebody was in the way, and made room
    cut,    ///< it was cut at somebody
};

/// Read access to the rows, without copies; valid until the next step or edit. Rows are in space
/// order, in leaves of eight of one level and model; rows with record.id == kNoAgent hold nobody.
struct AgentColumns {
    std::size_t rows = 0;
    std::span<const float> x, y;  ///< [m] about the world's origin
    std::span<const AgentRecord> record;
    std::span<const float> preferred_vx, preferred_vy;  ///< of the last step [m/s]
    std::span<const float> goal_x, goal_y;  ///< [m] about the origin, where flags has kHasGoal
    std::span<const ProfileId> profile;
    std::span<const std::uint32_t> handle_index;
    std::span<const std::uint16_t> leaf_level;    ///< one per eight rows
    std::span<const StallAnswer> stall_answer;    ///< of the last step
    std::span<const BodyContact> body_contact;    ///< of the last step
    std::span<const float> heading_x, heading_y;  ///< unit vector, where flags has kVehicle; empty
                                                  ///< where nobody has a heading
    std::span<float> way_ahead;  ///< straight way [m] to where the preferred velocity leads, where
                                 ///< flags has kVehicle. For the hook alone, which may write what
                                 ///< it knows; empty without vehicles
};

struct AgentState {
    std::uint32_t id = kNoAgent;
    Vec2 position{};            ///< [m]
    Vec2 velocity{};            ///< [m/s]
    Vec2 preferred_velocity{};  ///< of the last step [m/s]
    std::optional<Vec2> goal{};
    std::uint16_t level = 0;
    ProfileId profile = 0;
    std::string_view model;
    std::optional<Vec2> heading{};  ///< of a vehicle: unit vector
};

/// What a step had to cut short. Nothing here is fatal but `fault`.
struct StepReport {
    std::uint64_t step = 0;    ///< index of the step that was made (the last one, for several)
    std::uint64_t agents = 0;  ///< agents moved
    std::uint64_t neighbour_cap_hits =
        0;  ///< agents with more neighbours in range than they may list
    std::uint64_t infeasible_programs =
        0;  ///< agents for which not everything fitted: lines gave way, or cones were given up
    std::uint64_t overlaps =
        0;  ///< pairs of bodies deeper than 1 mm into each other, at the start of the step
    double deepest_overlap = 0.0;     ///< [m]
    std::uint64_t body_contacts = 0;  ///< agents whose velocity was cut at another body
    std::uint64_t wall_contacts = 0;  ///< moves cut at a wall
    std::uint64_t wall_penetrations =
        0;                          ///< agents more than 1 cm into a wall at the start of the step
    std::uint64_t wall_pushes = 0;  ///< agents carried along by a wall or body that moved over
                                    ///< them, and pushed on by these where bodies are solid
    std::uint64_t wall_lines_about_zero =
        0;  ///< first retreat: wall lines made about another velocity, zero or the slowed one
    std::uint64_t acceleration_exceeded =
        0;                           ///< last retreat: acceleration limit dropped for this step
    std::uint64_t without_goal = 0;  ///< agents that stand because they have nowhere to go
    std::uint64_t crowded_sights =
        0;  ///< pairs looked at that count as observed because the memory of who was seen is full
    std::uint64_t waiting = 0;        ///< agents that wait because nothing fits (model personality)
    std::uint64_t held_vehicles = 0;  ///< vehicles that kept off the ground of others or of walls
    // Agents that the deadlock policy gave another wish.
    std::uint64_t side_steps = 0;
    std::uint64_t yields = 0;
    std::uint64_t back_ups = 0;

    /// A value that was not finite inside the step. The step was not made and the world does not
    /// step again.
    struct Fault {
        std::uint32_t agent = kNoAgent;
        std::uint64_t step = 0;
        std::string cause;
    };
    std::optional<Fault> fault;
};

struct AdvanceReport {
    std::uint32_t steps = 0;  ///< steps made
    double fraction = 0.0;    ///< of a step that is left over, in [0, 1): interpolate with it
    StepReport report;        ///< sums over these steps
};

/// The stages of a step that can be timed. What parts a stage has depends on the model and on what
/// the world holds.
enum class Stage : std::uint8_t {
    sort,        ///< rows into space order, now and then
    index,       ///< boxes of leaves and the tree above them; walls that changed
    wishes,      ///< preferred velocities and groups; the hook of the host apart
    neighbours,  ///< who is near
    perceive,    ///< who of them counts
    stalls,      ///< the deadlock policy
    choose,      ///< lines, cones or forces, and the velocity they leave
    apart,       ///< solid bodies and vehicles
    keep,        ///< what was chosen, remembered and counted
    advance,     ///< velocities -> places, contact with walls, bodies
};
inline constexpr std::size_t kStages = 10;
/// The name as above.
std::string_view to_string(Stage stage);

/// Where the time of steps goes, summed over threads.
struct StageTimes {
    std::array<double, kStages> seconds{};          ///< by Stage
    std::array<std::uint64_t, kStages> readings{};  ///< of the clock: each takes some time too
    double hook = 0.0;  ///< of the host's preferred velocities [s], in no stage
};

/// Memory that a world holds, in bytes.
struct MemoryUse {
    std::size_t agents = 0;  ///< columns, handles and ids
    std::size_t sight = 0;   ///< who has seen whom, and for how long
    std::size_t shares = 0;  ///< of set_share
    std::size_t groups = 0;  ///< who walks with whom
    std::size_t other = 0;   ///< walls, bodies, indices, workers
    std::size_t total() const { return agents + sight + shares + groups + other; }
};

/// Why an agent does what it does.
struct Explanation {
    enum class Source { agent, body, wall };
    enum class Notice {
        avoided,
        ignored,   ///< it takes all of the avoidance and this agent nothing
        observed,  ///< seen for long enough, but others are nearer: not in the list of neighbours
        new_face,  ///< in sight, but not for longer than observation_time
        out_of_view,
        behind_wall,
    };
    struct Neighbour {
        std::uint32_t id = 0;
        double distance = 0.0;  ///< between centres [m]
        double share = 0.0;     ///< of the avoidance that this agent takes
        Notice notice = Notice::avoided;
    };
    struct Line {  ///< velocities with dot(velocity - point, normal) >= 0 are allowed
        Vec2 point{};
        Vec2 normal{};
        bool hard = false;
        Source source = Source::agent;
        std::uint32_t source_id = 0;  ///< agent id, body index or wall index
        bool given_up = false;        ///< of cone models: it was not kept to
    };

    /// Velocities inside are forbidden: between two rays, beyond the cut that joins their starts, a
    /// segment or (arc_radius > 0) the near arc of a disc.
    struct Cone {
        Vec2 left_start{}, left_direction{};  ///< direction of length 1
        Vec2 right_start{}, right_direction{};
        Vec2 arc_centre{};
        double arc_radius = 0.0;  ///< [m/s]
        bool given_up = false;    ///< not everything fitted: this one was not kept out of
        Source source = Source::agent;
        std::uint32_t source_id = 0;  ///< as in Line
    };

    /// Of model social_force: what somebody or something adds to the acceleration, when the step
    /// begins.
    struct Push {
        Source source = Source::agent;
        std::uint32_t source_id = 0;  ///< as in Line
        Vec2 acceleration{};          ///< [m/s2]
    };

    /// Of solid bodies: a velocity with dot(velocity, towards) > most would have led into somebody.
    struct Contact {
        Source source = Source::agent;
        std::uint32_t source_id = 0;  ///< as in Line
        Vec2 towards{};               ///< from the agent, of length 1
        double most = 0.0;            ///< [m/s]
    };

    /// What a vehicle makes of the velocity that its model chose.
    struct Vehicle {
        Vec2 heading{};                                ///< unit vector
        Vec2 wanted_velocity{};                        ///< of its model [m/s]
        double speed = 0.0;                            ///< at the end of the step [m/s]
        double turn = 0.0;                             ///< during it [rad]
        double wanted_speed = 0.0, wanted_turn = 0.0;  ///< before others had their say
        double least_speed = 0.0, most_speed = 0.0;    ///< that it can reach in this step [m/s]
        double most_turn = 0.0;                        ///< [rad]
        bool is_held = false;  ///< by what comes next: it is not what it wanted
        Source held_by = Source::agent;
        std::uint32_t held_by_id = 0;  ///< as in Line
    };

    std::uint32_t id = kNoAgent;
    std::uint64_t step = 0;  ///< index of the step this is about
    Vec2 position{};
    Vec2 velocity{};
    Vec2 preferred_velocity{};
    Vec2 chosen_velocity{};
    std::vector<Neighbour> neighbours;
    std::vector<Line> lines;
    std::vector<Cone> cones;
    std::vector<Push> pushes;
    std::vector<Contact> contacts;                ///< in the order in which they were found
    std::optional<Vec2> velocity_before_contact;  ///< what was cut because of them [m/s]
    std::optional<Vec2> group_change;  ///< what its group adds to the preferred velocity, where it
                                       ///< is in one [m/s]
    std::optional<Vec2> wish;          ///< what the model wanted, where a filter decides [m/s]
    StallAnswer stall_answer = StallAnswer::none;
    double stalled = 0.0;                 ///< for so long it has hardly made way [s]
    std::uint32_t stall_whom = kNoAgent;  ///< id of whom the answer is about, where there is one
    std::optional<Vec2> stall_wish{};     ///< what it wants instead because of that [m/s]
    std::optional<Vehicle> vehicle{};     ///< where it is one
    double max_speed = 0.0;               ///< [m/s]
    std::optional<double> reach;          ///< most its velocity may change in this step, where its
                                          ///< acceleration is limited [m/s]
    double hard_relaxation = 0.0;         ///< by how much wall lines had to give way [m/s]
    double soft_relaxation = 0.0;         ///< the same for agents
    bool neighbour_cap_hit = false;
    bool wall_lines_about_zero = false;
    bool acceleration_exceeded = false;
    std::string reason;  ///< one sentence
};

// --------------------------------------------------------------------------------------------- the
// world

struct WorldState;

/// Agents, walls and bodies, and the clock that moves them. Edited between steps through handles;
/// used by one thread at a time. A call that returns an Error has changed nothing. Coordinates are
/// the user's, in double.
class World {
public:
    static Result<World> create(WorldOptions options = {});
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    ~World();

    // Profiles
    Result<ProfileId> add_profile(const ProfileSpec& spec);

    // Agents
    /// Takes the memory for this many agents now, so that adding them cannot fail for lack of it.
    Result<void> reserve(std::size_t agents);
    Result<AgentHandle> add(const AgentSpec& spec);
    /// All or none.
    Result<std::vector<AgentHandle>> add(std::span<const AgentSpec> specs);
    Result<void> remove(AgentHandle agent);
    /// Puts the agent somewhere else, with velocity zero; level as before unless given. It sees
    /// everybody anew; others who know it do so only if it was out of their sight for longer than
    /// they take to forget.
    Result<void> teleport(AgentHandle agent, Vec2 position,
                          std::optional<std::uint16_t> level = {});
    Result<void> set_goal(AgentHandle agent, Vec2 goal);
    Result<void> clear_goal(AgentHandle agent);
    /// The agent stands at `place`: it steps aside for whoever must pass, at most at 0.6 m/s, and
    /// comes back. Another goal, or the host, ends it. With the deadlock policy off it only walks
    /// to the place, as to a goal.
    Result<void> hold_place(AgentHandle agent, Vec2 place);
    /// The host decides this agent's preferred velocity from now on: this value, or what the hook
    /// writes. set_goal ends it.
    Result<void> drive_by_host(AgentHandle agent, Vec2 preferred_velocity = {});
    /// A vehicle faces where it goes from then on.
    Result<void> set_velocity(AgentHandle agent, Vec2 velocity);
    /// A vehicle faces this way [rad] and goes there; its velocity across that way is lost.
    Result<void> set_heading(AgentHandle agent, double heading);
    /// Any trait, or parameter of the agent's model, by name (`traits()`, `models()`).
    Result<void> set_trait(AgentHandle agent, std::string_view name, double value);
    /// The same by word, for traits that are a choice.
    Result<void> set_trait(AgentHandle agent, std::string_view name, std::string_view choice);
    Result<double> trait(AgentHandle agent, std::string_view name) const;
    /// All values of a preset at once.
    Result<void> apply_preset(AgentHandle agent, std::string_view preset);
    Result<void> set_radius(AgentHandle agent, double metres)
    {
        return set_trait(agent, "radius", metres);
    }
    Result<void> set_preferred_speed(AgentHandle agent, double speed)
    {
        return set_trait(agent, "preferred_speed", speed);
    }
    Result<void> set_max_speed(AgentHandle agent, double speed)
    {
        return set_trait(agent, "max_speed", speed);
    }
    Result<void> set_rank(AgentHandle agent, double rank) { return set_trait(agent, "rank", rank); }
    /// Another profile; ends all overrides of this agent.
    Result<void> set_profile(AgentHandle agent, ProfileId profile);
    /// Another model; traits stay, the model's own parameters take their defaults.
    Result<void> set_model(AgentHandle agent, std::string_view model);

    /// `agent` takes this share, in [0, 1], of the avoidance towards `other`, and `other` the rest,
    /// whatever their ranks: one entry of the matrix of roles of [LI13]. Holds while both live.
    Result<void> set_share(AgentHandle agent, AgentHandle other, double share);
    /// Many shares at once, in any order; the last one named for a pair holds. All or none, and
    /// much faster than one by one.
    Result<void> set_shares(std::span<const ShareSpec> shares);
    Result<void> clear_share(AgentHandle agent, AgentHandle other);
    /// What `agent` takes towards `other` at present: by set_share, else by their ranks; 1 against
    /// one that does not react.
    Result<double> share(AgentHandle agent, AgentHandle other) const;

    // Groups: who walks together, whatever their models. Members should be on the same way.
    /// At most kMostMembers agents, or none yet.
    Result<GroupHandle> add_group(const GroupSpec& spec);
    /// The members stay, each for itself.
    Result<void> remove_group(GroupHandle group);
    /// The agent joins the group, and leaves the one it was in. A group lives on without members
    /// until it is removed.
    Result<void> set_group(AgentHandle agent, GroupHandle group);
    /// The agent goes on alone. Where it was the leader the group has none from then on, and walks
    /// abreast.
    Result<void> clear_group(AgentHandle agent);
    bool alive(GroupHandle group) const;
    /// The group an agent is in, if any.
    Result<std::optional<GroupHandle>> group_of(AgentHandle agent) const;
    /// In the order of ids.
    Result<std::vector<AgentHandle>> group_members(GroupHandle group) const;

    bool alive(AgentHandle agent) const;
    Result<AgentState> agent(AgentHandle agent) const;
    std::optional<AgentHandle> find(std::uint32_t id) const;
    AgentHandle handle_at(std::size_t row) const;
    std::size_t size() const;
    AgentColumns columns() const;
    std::uint64_t added() const;    ///< agents ever added
    std::uint64_t removed() const;  ///< agents removed by `remove`

    // Walls and bodies
    Result<WallHandle> add_wall(const WallSpec& wall);
    /// New vertices for a wall. Agents in its way are carried along to its new face, and counted in
    /// the next report.
    Result<void> move_wall(WallHandle wall, std::span<const Vec2> vertices);
    Result<void> remove_wall(WallHandle wall);
    bool alive(WallHandle wall) const;
    Result<std::vector<Vec2>> wall_vertices(WallHandle wall) const;
    Result<BodyHandle> add_body(const BodySpec& body);
    Result<void> set_body_velocity(BodyHandle body, Vec2 velocity);
    /// Puts the body's centre (disc) or first vertex (polygon) somewhere else.
    Result<void> teleport_body(BodyHandle body, Vec2 position);
    Result<void> remove_body(BodyHandle body);
    bool alive(BodyHandle body) const;
    /// Centre of the disc or first vertex of the polygon [m].
    Result<Vec2> body_position(BodyHandle body) const;

    // Time
    StepReport step();
    /// Makes as many steps as fit into the time asked for so far; at most `max_steps`, the rest is
    /// forgotten.
    AdvanceReport advance(double seconds, std::uint32_t max_steps = 64);
    std::uint64_t step_index() const;
    double time() const;  ///< step_index() * dt [s]
    double dt() const;
    Vec2 origin() const;
    Isa isa() const;
    std::uint32_t threads() const;
    MemoryUse memory() const;
    /// Adds the time that the stages of every step from now on take; nullptr ends it. Reading the
    /// clock for it takes some time itself, so measure whole steps without.
    void time_stages(StageTimes* times);

    /// Over agents in id order, walls, bodies, clocks and the seed; equal for any number of threads
    /// and any instruction set.
    std::uint64_t state_hash() const;

    // Why
    /// What the coming step will do with this agent and why: a dry run of the same code. Changes
    /// nothing.
    Result<Explanation> explain(AgentHandle agent) const;
    /// From now on each step keeps what it really used for this agent.
    Result<void> watch(AgentHandle agent);
    Result<void> unwatch(AgentHandle agent);
    /// Of the last step, for a watched agent that was in it; else nullptr.
    const Explanation* watched(AgentHandle agent) const;

private:
    friend struct WorldAccess;
    explicit World(std::unique_ptr<WorldState> state);
    std::unique_ptr<WorldState> state_;
};

/// The name used on the command line: automatic, scalar, sse4, avx2, avx3.
std::string_view to_string(Isa isa);
std::optional<Isa> to_isa(std::string_view name);

/// The instruction sets this build has kernels for and this processor runs, best first.
std::vector<Isa> available_isas();
/// The same, and those compiled that this processor lacks, as words for a person.
std::vector<std::string> instruction_sets();

}  // namespace sidestep
