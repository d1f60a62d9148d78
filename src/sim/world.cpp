// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sim/checks.hpp"

namespace sidestep {

namespace {

/// Most threads a world can be told to use.
constexpr std::uint32_t kMaxThreads = 1024;

std::optional<Error> check_options(const WorldOptions& options)
{
    if (!(options.dt > 0.0 && options.dt <= 0.25)) {
        return Error{ErrorCode::out_of_range,
                     "dt must be above 0 and at most 0.25 s, got " + to_words(options.dt)};
    }
    const Vec2 origin = options.origin;
    if (!(std::fabs(origin.x) <= 1e9 && std::fabs(origin.y) <= 1e9) ||
        std::floor(origin.x) != origin.x || std::floor(origin.y) != origin.y) {
        return Error{ErrorCode::invalid_argument,
                     "origin must be whole metres, at most 1e9, got " + to_words(origin)};
    }
    if (options.threads > kMaxThreads)
        return Error{ErrorCode::out_of_range, "threads must be at most 1024"};
    if (options.executor.run != nullptr &&
        (options.executor.workers == 0 || options.executor.workers > kMaxThreads)) {
        return Error{ErrorCode::out_of_range, "executor.workers must be between 1 and 1024"};
    }
    const auto isas = available_isas();
    if (options.isa != Isa::automatic &&
        std::find(isas.begin(), isas.end(), options.isa) == isas.end()) {
        return Error{ErrorCode::unsupported, "instruction set " +
                                                 std::string(to_string(options.isa)) +
                                                 " is not in this build or not on this processor"};
    }
    return std::nullopt;
}

}  // namespace

WorldState::WorldState(WorldOptions&& chosen)
    : options(std::move(chosen)),
      isa(options.isa == Isa::automatic ? available_isas().front() : options.isa),
      find_neighbours(find_neighbours_for(isa)),
      perceive(perceive_for(isa)),
      set_wishes(set_wishes_for(isa)),
      find_touching(find_touching_for(isa)),
      keep_stall_clocks(keep_stall_clocks_for(isa)),
      filters(isa),
      workers(options.threads, options.executor),
      dry_run(std::make_unique<WorkerState>())
{
    for (const Model* model : registry()) choose.push_back(model->choose_for(isa));
    for (std::uint32_t worker = 0; worker < workers.count(); ++worker) {
        worker_states.push_back(std::make_unique<WorkerState>());
    }
}

World::World(std::unique_ptr<WorldState> state) : state_(std::move(state)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Result<World> World::create(WorldOptions options)
{
    return answer([&]() -> Result<World> {
        if (auto error = check_options(options)) return *error;
        World world(std::make_unique<WorldState>(std::move(options)));
        if (auto error = ensure_line_room(*world.state_, 0, 0)) return *error;
        const auto profile = world.add_profile({});
        if (!profile) return profile.error();
        return world;
    });
}

bool World::alive(AgentHandle agent) const
{
    return state_->agents.row_of(agent) != kNoRow;
}

Result<AgentState> World::agent(AgentHandle handle) const
{
    return answer([&]() -> Result<AgentState> {
        const AgentTable& agents = state_->agents;
        const std::uint32_t row = agents.row_of(handle);
        if (row == kNoRow) return dead_agent();
        const AgentRecord& record = agents.record[row];
        const Vec2 origin = state_->options.origin;
        AgentState state;
        state.id = record.id;
        state.position = {origin.x + (double{record.x} + agents.remainder_x[row]),
                          origin.y + (double{record.y} + agents.remainder_y[row])};
        state.velocity = {record.vx, record.vy};
        state.preferred_velocity = {agents.preferred_vx[row], agents.preferred_vy[row]};
        if ((record.flags & kHasGoal) != 0)
            state.goal = Vec2{origin.x + agents.goal_x[row], origin.y + agents.goal_y[row]};
        state.level = agents.leaf_level[row / kLeafRows];
        state.profile = agents.profile[row];
        state.model = registry()[agents.leaf_model[row / kLeafRows]]->info.name;
        if ((record.flags & kVehicle) != 0)
            state.heading = Vec2{agents.heading_x[row], agents.heading_y[row]};
        return state;
    });
}

std::optional<AgentHandle> World::find(std::uint32_t id) const
{
    const auto index = state_->agents.ids.find(id);
    if (!index) return std::nullopt;
    return AgentHandle{*index, state_->agents.slots[*index].generation};
}

AgentHandle World::handle_at(std::size_t row) const
{
    if (row >= state_->agents.rows() || !state_->agents.holds(row)) return {};
    const std::uint32_t index = state_->agents.slot[row];
    return {index, state_->agents.slots[index].generation};
}

std::size_t World::size() const
{
    return state_->agents.live;
}

AgentColumns World::columns() const
{
    return columns_of(*state_);
}

std::uint64_t World::added() const
{
    return state_->agents.added;
}

std::uint64_t World::removed() const
{
    return state_->agents.removed;
}

StepReport World::step()
{
    const bool was_running = !state_->fault;
    StepReport report = sidestep::step(*state_);
    if (was_running && report.fault && state_->options.log) {
        state_->options.log("step " + std::to_string(report.fault->step) + ", agent " +
                            std::to_string(report.fault->agent) + ": " + report.fault->cause +
                            "; the world has stopped");
    }
    return report;
}

AdvanceReport World::advance(double seconds, std::uint32_t max_steps)
{
    // A step that is short by rounding alone is made: 60 times 1/60 s are a second.
    constexpr double kAlmostWhole = 1.0 - 1e-9;
    AdvanceReport result;
    const double dt = state_->options.dt;
    if (seconds > 0.0 && std::isfinite(seconds)) state_->unspent_time += seconds;
    while (state_->unspent_time >= dt * kAlmostWhole && result.steps < max_steps &&
           !state_->fault) {
        const StepReport made = step();
        add_counts(result.report, made);
        result.report.step = made.step;
        if (made.fault) break;
        state_->unspent_time -= dt;
        ++result.steps;
    }
    if (state_->fault) result.report.fault = state_->fault;
    if (state_->unspent_time < 0.0) state_->unspent_time = 0.0;
    if (state_->unspent_time >= dt) state_->unspent_time = std::fmod(state_->unspent_time, dt);
    result.fraction = std::min(state_->unspent_time / dt, std::nextafter(1.0, 0.0));
    return result;
}

std::uint64_t World::step_index() const
{
    return state_->step_index;
}

double World::time() const
{
    return static_cast<double>(state_->step_index) * state_->options.dt;
}

double World::dt() const
{
    return state_->options.dt;
}

Vec2 World::origin() const
{
    return state_->options.origin;
}

Isa World::isa() const
{
    return state_->isa;
}

std::uint32_t World::threads() const
{
    return state_->workers.count();
}

void World::time_stages(StageTimes* times)
{
    state_->stage_times = times;
}

std::string_view to_string(Stage stage)
{
    constexpr std::string_view kNames[kStages] = {"sort",     "index",  "wishes", "neighbours",
                                                  "perceive", "stalls", "choose", "apart",
                                                  "keep",     "advance"};
    return kNames[static_cast<std::size_t>(stage)];
}

std::uint64_t World::state_hash() const
{
    return sidestep::state_hash(*state_);
}

Result<Explanation> World::explain(AgentHandle agent) const
{
    return answer([&]() -> Result<Explanation> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        return explain_row(*state_, row);
    });
}

Result<void> World::watch(AgentHandle agent)
{
    return answer([&]() -> Result<void> {
        if (!alive(agent)) return dead_agent();
        for (const Watch& watch : state_->watches) {
            if (watch.agent == agent) return {};
        }
        state_->watches.push_back({agent, {}, false});
        return {};
    });
}

Result<void> World::unwatch(AgentHandle agent)
{
    return answer([&]() -> Result<void> {
        const auto same = [&](const Watch& watch) { return watch.agent == agent; };
        if (std::erase_if(state_->watches, same) == 0)
            return Error{ErrorCode::dead_handle, "this agent is not watched"};
        return {};
    });
}

const Explanation* World::watched(AgentHandle agent) const
{
    for (const Watch& watch : state_->watches) {
        if (watch.agent == agent && watch.filled) return &watch.explanation;
    }
    return nullptr;
}

}  // namespace sidestep
