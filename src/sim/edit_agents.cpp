// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "sim/checks.hpp"
#include "sim/kept_state.hpp"

// Editing agents between steps. Each call checks everything, takes the memory it needs, and only
// then writes.

namespace sidestep {

namespace {

/// A parameter and an agent's own value of it.
using Override = std::pair<std::size_t, float>;

/// A checked AgentSpec.
struct NewAgent {
    const AgentSpec* spec;
    std::uint32_t id;
    std::vector<Override> overrides;
};

std::uint8_t model_of(const WorldState& world, std::size_t row)
{
    return world.agents.leaf_model[row / kLeafRows];
}

/// The flag of the side an agent passes on, where it has one of its own.
std::uint32_t passing_flags(const WorldState& world, std::size_t row) noexcept
{
    switch (static_cast<OwnSide>(param_of(world.agents, world.profiles, row, kPassingSide))) {
        case OwnSide::right: return kPassesRight;
        case OwnSide::left: return kPassesLeft;
        case OwnSide::world: break;
    }
    return 0;
}

/// Whether a model takes its velocity from those that avoid others.
bool avoids_by_velocity(const Model& model) noexcept
{
    return model.avoidance != AvoidanceClass::none && model.avoidance != AvoidanceClass::forces;
}

/// The flag of a body that gets into others of its kind, by its own model or because the world
/// keeps only those apart who avoid; what a filter allows is solid.
std::uint32_t softness_flag(const WorldState& world, std::size_t row, const Model& model) noexcept
{
    const bool presses = model.soft_bodies != kNoParam &&
                         param_of(world.agents, world.profiles, row, model.soft_bodies) != 0.0f;
    const bool left_alone =
        world.options.solid_bodies == SolidBodies::avoiders && !avoids_by_velocity(model);
    return presses || left_alone ? kSoftBody : 0u;
}

/// What an agent keeps, and what others see of it, follow from its traits and model. Needs room for
/// what it keeps.
void refresh_record(WorldState& world, std::size_t row) noexcept
{
    refresh_kept(world, row);
    AgentRecord& record = world.agents.record[row];
    const bool vehicle = kept_by(world, row).vehicle;
    const Model& model =
        avoiding_model(*registry()[model_of(world, row)],
                       static_cast<Filter>(param_of(world.agents, world.profiles, row, kFilter)));
    // Who has given up space keeps it given up, and regains it slowly.
    const bool gives_space = (record.flags & kGivesSpace) != 0;
    const float allowed = planning_radius_of(world.agents, world.profiles, row, world.options.dt);
    const float body = param_of(world.agents, world.profiles, row, kRadius);
    record.radius = gives_space ? std::min(allowed, std::max(record.radius, body)) : allowed;
    world.has_space = world.has_space || keeps_space(world, row);
    record.rank = param_of(world.agents, world.profiles, row, kRank);
    record.flags =
        (record.flags & (kHasGoal | kHostDriven | kHasShares | kHoldsPlace | kGivesSpace)) |
        (model.reacts ? kReacts : 0u) | (vehicle ? kVehicle : softness_flag(world, row, model)) |
        passing_flags(world, row) | static_cast<std::uint32_t>(model.avoidance) << 24;
}

/// The agent's goal is there from now on, for the reason that `holds` says.
void walk_to(WorldState& world, std::size_t row, Vec2 goal, std::uint32_t holds) noexcept
{
    world.agents.goal_x[row] = local_x(world, goal.x);
    world.agents.goal_y[row] = local_y(world, goal.y);
    std::uint32_t& flags = world.agents.record[row].flags;
    flags = (flags & ~(kHostDriven | kHoldsPlace)) | kHasGoal | holds;
}

/// Memory for an override column; its values are filled by start_override.
bool reserve_override(WorldState& world, std::size_t param) noexcept
{
    return world.agents.overrides[param].reserve(world.agents.record.capacity());
}

/// From here on this parameter is read from its column: everybody's value is written there once.
void start_override(WorldState& world, std::size_t param) noexcept
{
    AgentTable& agents = world.agents;
    Column<float>& column = agents.overrides[param];
    if (!column.empty()) return;
    column.resize(agents.rows());
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        column[row] = agents.holds(row) ? world.profiles[agents.profile[row]].value[param] : 0.0f;
    }
}

/// Ends the overrides of one agent from parameter `first` on.
void take_profile_values(WorldState& world, std::size_t row, std::size_t first) noexcept
{
    for (std::size_t param = first; param < kMaxParams; ++param) {
        Column<float>& column = world.agents.overrides[param];
        if (!column.empty()) column[row] = world.profiles[world.agents.profile[row]].value[param];
    }
}

/// The value that is the last of `values` for a parameter, else `otherwise`.
float value_among(std::span<const Override> values, std::size_t param, float otherwise)
{
    for (const Override& own : values) {
        if (own.first == param) otherwise = own.second;
    }
    return otherwise;
}

/// Tables of sight that this agent lacks if it is to have one.
std::size_t lacking_tables(const WorldState& world, std::size_t row)
{
    const Column<std::uint32_t>& sight = world.agents.sight;
    return sight.empty() || sight[row] == kNoSight ? 1 : 0;
}

/// Memory for giving an agent these values of its own, and for what it keeps then.
bool reserve_values(WorldState& world, std::size_t row, std::span<const Override> values) noexcept
{
    for (const Override& own : values) {
        if (!reserve_override(world, own.first)) return false;
    }
    const Kept kept = kept_by(model_of(world, row), [&](std::size_t param) {
        return value_among(values, param, param_of(world.agents, world.profiles, row, param));
    });
    return reserve_kept(world, kept, lacking_tables(world, row));
}

/// Gives an agent these values of its own. Needs the memory.
void write_values(WorldState& world, std::size_t row, std::span<const Override> values) noexcept
{
    for (const auto& [param, value] : values) {
        start_override(world, param);
        world.agents.overrides[param][row] = value;
    }
    refresh_record(world, row);
}

/// Moves an agent to a leaf of another level or model. Needs room for one more leaf.
std::size_t move_row(WorldState& world, std::size_t row, std::uint16_t level,
                     std::uint8_t model) noexcept
{
    AgentTable& agents = world.agents;
    if (agents.leaf_level[row / kLeafRows] == level && model_of(world, row) == model) return row;
    const std::size_t to = agents.append_row(level, model);
    agents.copy_row(row, to);
    agents.slots[agents.slot[to]].row = static_cast<std::uint32_t>(to);
    agents.vacate_row(row);
    return to;
}

std::optional<Error> check_spec(const WorldState& world, const AgentSpec& spec, NewAgent& checked)
{
    checked.spec = &spec;
    if (auto error = check_position(world, spec.position, "position")) return error;
    if (auto error = check_velocity(spec.velocity, "velocity")) return error;
    if (spec.goal) {
        if (auto error = check_position(world, *spec.goal, "goal")) return error;
    }
    if (spec.heading) {
        if (auto error = check_heading(*spec.heading)) return error;
    }
    if (auto error = check_level(spec.level)) return error;
    if (spec.profile >= world.profiles.size()) {
        return Error{ErrorCode::unknown_name, "no profile " + std::to_string(spec.profile) +
                                                  "; the world has " +
                                                  std::to_string(world.profiles.size())};
    }
    const std::uint8_t model = world.profiles[spec.profile].model;
    for (const auto& [name, value] : spec.traits) {
        const auto param = find_param(model, name);
        if (!param) return param.error();
        const auto checked_value = check_value(model, *param, value);
        if (!checked_value) return checked_value.error();
        checked.overrides.emplace_back(*param, *checked_value);
    }
    return check_free(world, spec.position, spec.level);
}

/// Ids for agents that ask for none, and the check that nobody has those that were asked for.
std::optional<Error> give_ids(const WorldState& world, std::vector<NewAgent>& agents)
{
    std::uint64_t next = world.agents.next_id;
    IdMap taken;
    if (agents.size() > 1 && !taken.reserve(agents.size())) return out_of_memory();
    for (NewAgent& agent : agents) {
        if (!agent.spec->id) continue;
        agent.id = *agent.spec->id;
        const bool twice = agents.size() > 1 && taken.find(agent.id).has_value();
        if (agent.id == kNoAgent || twice || world.agents.ids.find(agent.id)) {
            return Error{
                ErrorCode::duplicate_id,
                "id " + std::to_string(agent.id) +
                    (agent.id == kNoAgent ? " is reserved" : " is taken by a living agent")};
        }
        if (agents.size() > 1) taken.insert(agent.id, 0);
        next = std::max(next, std::uint64_t{agent.id} + 1);
    }
    for (NewAgent& agent : agents) {
        if (agent.spec->id) continue;
        if (next >= kNoAgent)
            return Error{ErrorCode::out_of_range, "all ids are used up; give ids explicitly"};
        agent.id = static_cast<std::uint32_t>(next++);
    }
    return std::nullopt;
}

/// Memory for the values of new agents, and for what they keep.
bool reserve_new(WorldState& world, std::span<const NewAgent> agents) noexcept
{
    Kept all;
    std::size_t tables = 0;
    for (const NewAgent& agent : agents) {
        for (const Override& own : agent.overrides) {
            if (!reserve_override(world, own.first)) return false;
        }
        const Profile& profile = world.profiles[agent.spec->profile];
        const Kept kept = kept_by(profile.model, [&](std::size_t param) {
            return value_among(agent.overrides, param, profile.value[param]);
        });
        all |= kept;
        tables += kept.sight ? 1 : 0;
    }
    return reserve_kept(world, all, tables);
}

/// Needs room everywhere.
AgentHandle insert(WorldState& world, const NewAgent& agent) noexcept
{
    AgentTable& agents = world.agents;
    const AgentSpec& spec = *agent.spec;
    const std::size_t row = agents.append_row(spec.level, world.profiles[spec.profile].model);
    std::uint32_t index = 0;
    if (agents.free_slots.empty()) {
        index = static_cast<std::uint32_t>(agents.slots.size());
        agents.slots.push_back({static_cast<std::uint32_t>(row), 0});
    } else {
        index = agents.free_slots.back();
        agents.free_slots.pop_back();
        agents.slots[index].row = static_cast<std::uint32_t>(row);
    }
    AgentRecord& record = agents.record[row];
    record = {.x = local_x(world, spec.position.x) + 0.0f,
              .y = local_y(world, spec.position.y) + 0.0f,
              .vx = static_cast<float>(spec.velocity.x) + 0.0f,
              .vy = static_cast<float>(spec.velocity.y) + 0.0f,
              .id = agent.id,
              .flags = spec.goal ? kHasGoal : 0u};
    agents.x[row] = record.x;
    agents.y[row] = record.y;
    if (spec.goal) {
        agents.goal_x[row] = local_x(world, spec.goal->x);
        agents.goal_y[row] = local_y(world, spec.goal->y);
    }
    agents.profile[row] = spec.profile;
    agents.slot[row] = index;
    take_profile_values(world, row, 0);
    write_values(world, row, agent.overrides);
    if (spec.heading && (record.flags & kVehicle) != 0) {
        const SinCos heading = sin_cos(*spec.heading);
        face(agents, row, {heading.cos, heading.sin});
    }
    agents.ids.insert(agent.id, index);
    agents.next_id = std::max(agents.next_id, std::uint64_t{agent.id} + 1);
    ++agents.live;
    ++agents.added;
    return {index, agents.slots[index].generation};
}

std::vector<AgentHandle> insert_all(WorldState& world, std::span<const AgentSpec> specs,
                                    std::optional<Error>& error)
{
    std::vector<NewAgent> checked(specs.size());
    std::size_t leaves = 1;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if ((error = check_spec(world, specs[i], checked[i]))) return {};
        const bool same_leaf = i > 0 && specs[i].level == specs[i - 1].level &&
                               specs[i].profile == specs[i - 1].profile;
        leaves += same_leaf ? 0 : 1;
    }
    if ((error = give_ids(world, checked))) return {};
    std::vector<AgentHandle> handles;
    handles.reserve(specs.size());
    if ((error = ensure_room(world, specs.size() + leaves * kLeafRows, specs.size()))) return {};
    if (!reserve_new(world, checked)) {
        error = out_of_memory();
        return {};
    }
    const std::uint64_t first_unused = world.agents.next_id;
    for (const NewAgent& agent : checked) {
        if (world.agents.removed > 0 && agent.id < first_unused) lose_name(world, agent.id, false);
        handles.push_back(insert(world, agent));
    }
    return handles;
}

}  // namespace

Result<ProfileId> World::add_profile(const ProfileSpec& spec)
{
    return answer([&]() -> Result<ProfileId> {
        const auto model = find_model(spec.model);
        if (!model) return model.error();
        Profile profile;
        profile.model = *model;
        for (std::size_t i = 0; i < kTraitCount; ++i)
            profile.value[i] = default_of(registry()[*model]->info, traits()[i]);
        const auto own = registry()[*model]->info.params;
        for (std::size_t i = 0; i < own.size(); ++i)
            profile.value[kTraitCount + i] = own[i].default_value;
        if (!spec.preset.empty()) {
            const auto preset = find_preset(spec.preset);
            if (!preset) return preset.error();
            for (const auto& [trait, value] : (*preset)->values)
                profile.value[*find_param(*model, trait)] = value;
        }
        for (const auto& [name, value] : spec.values) {
            const auto param = find_param(*model, name);
            if (!param) return param.error();
            const auto checked = check_value(*model, *param, value);
            if (!checked) return checked.error();
            profile.value[*param] = *checked;
        }
        if (state_->profiles.size() >= 0xffff)
            return Error{ErrorCode::out_of_range, "a world holds at most 65535 profiles"};
        if (!state_->profiles.reserve_growing(state_->profiles.size() + 1)) return out_of_memory();
        state_->profiles.push_back(profile);
        return static_cast<ProfileId>(state_->profiles.size() - 1);
    });
}

Result<void> World::reserve(std::size_t agents)
{
    const std::size_t live = state_->agents.live;
    if (agents <= live) return {};
    if (agents >= kNoRow) return out_of_memory();
    if (auto error = ensure_room(*state_, agents - live + 8 * kLeafRows, agents - live))
        return *error;
    Kept kept;  // by agents of any profile there is
    for (const Profile& profile : state_->profiles) {
        kept |= kept_by(profile.model, [&](std::size_t param) { return profile.value[param]; });
    }
    if (!reserve_kept(*state_, kept, agents - live)) return out_of_memory();
    return {};
}

Result<std::vector<AgentHandle>> World::add(std::span<const AgentSpec> specs)
{
    return answer([&]() -> Result<std::vector<AgentHandle>> {
        std::optional<Error> error;
        auto handles = insert_all(*state_, specs, error);
        if (error) return *error;
        return handles;
    });
}

Result<AgentHandle> World::add(const AgentSpec& spec)
{
    return answer([&]() -> Result<AgentHandle> {
        const auto handles = add(std::span(&spec, 1));
        if (!handles) return handles.error();
        return handles->front();
    });
}

Result<void> World::remove(AgentHandle agent)
{
    return answer([&]() -> Result<void> {
        AgentTable& agents = state_->agents;
        const std::uint32_t row = agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        forget_shares(*state_, agents.record[row].id);
        forget_group(*state_, row);
        agents.ids.erase(agents.record[row].id);
        end_kept(*state_, row);
        agents.vacate_row(row);
        agents.slots[agent.index].row = kNoRow;
        ++agents.slots[agent.index].generation;
        agents.free_slots.push_back(agent.index);
        --agents.live;
        ++agents.removed;
        return {};
    });
}

Result<void> World::teleport(AgentHandle agent, Vec2 position, std::optional<std::uint16_t> level)
{
    return answer([&]() -> Result<void> {
        std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        const std::uint16_t to_level = level.value_or(state_->agents.leaf_level[row / kLeafRows]);
        if (auto error = check_level(to_level)) return *error;
        if (auto error = check_position(*state_, position, "position")) return *error;
        if (auto error = check_free(*state_, position, to_level)) return *error;
        if (auto error = ensure_room(*state_, kLeafRows, 0)) return *error;
        row = state_->agents.row_of(agent);  // making room may have sorted
        const std::size_t to = move_row(*state_, row, to_level, model_of(*state_, row));
        AgentTable& agents = state_->agents;
        AgentRecord& record = agents.record[to];
        record.x = agents.x[to] = local_x(*state_, position.x) + 0.0f;
        record.y = agents.y[to] = local_y(*state_, position.y) + 0.0f;
        record.vx = record.vy = 0.0f;
        agents.remainder_x[to] = agents.remainder_y[to] = 0.0f;
        clear_sight(*state_, to);
        agents.body_contact[to] = BodyContact::none;
        refresh_record(*state_, to);
        return {};
    });
}

Result<void> World::set_goal(AgentHandle agent, Vec2 goal)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        if (auto error = check_position(*state_, goal, "goal")) return *error;
        walk_to(*state_, row, goal, 0);
        return {};
    });
}

Result<void> World::hold_place(AgentHandle agent, Vec2 place)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        if (auto error = check_position(*state_, place, "place")) return *error;
        walk_to(*state_, row, place, state_->options.deadlock_policy ? kHoldsPlace : 0);
        return {};
    });
}

Result<void> World::clear_goal(AgentHandle agent)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        state_->agents.record[row].flags &= ~(kHasGoal | kHostDriven | kHoldsPlace);
        return {};
    });
}

Result<void> World::drive_by_host(AgentHandle agent, Vec2 preferred_velocity)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        if (auto error = check_velocity(preferred_velocity, "preferred velocity")) return *error;
        state_->agents.preferred_vx[row] = static_cast<float>(preferred_velocity.x);
        state_->agents.preferred_vy[row] = static_cast<float>(preferred_velocity.y);
        std::uint32_t& flags = state_->agents.record[row].flags;
        flags = (flags & ~(kHasGoal | kHoldsPlace)) | kHostDriven;
        return {};
    });
}

Result<void> World::set_velocity(AgentHandle agent, Vec2 velocity)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        if (auto error = check_velocity(velocity, "velocity")) return *error;
        state_->agents.record[row].vx = static_cast<float>(velocity.x) + 0.0f;
        state_->agents.record[row].vy = static_cast<float>(velocity.y) + 0.0f;
        refresh_kept(*state_, row);
        const bool vehicle = (state_->agents.record[row].flags & kVehicle) != 0;
        if (vehicle && velocity != Vec2{}) start_vehicle(state_->agents, row);
        return {};
    });
}

Result<void> World::set_heading(AgentHandle agent, double heading)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        if (auto error = check_heading(heading)) return *error;
        if ((state_->agents.record[row].flags & kVehicle) == 0) {
            return Error{ErrorCode::invalid_argument,
                         "only a vehicle has a heading of its own: give it another motion first"};
        }
        const SinCos way = sin_cos(heading);
        face(state_->agents, row, {way.cos, way.sin});
        return {};
    });
}

Result<void> World::set_trait(AgentHandle agent, std::string_view name, double value)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        const std::uint8_t model = model_of(*state_, row);
        const auto param = find_param(model, name);
        if (!param) return param.error();
        const auto checked = check_value(model, *param, value);
        if (!checked) return checked.error();
        const Override own{*param, *checked};
        if (!reserve_values(*state_, row, {&own, 1})) return out_of_memory();
        write_values(*state_, row, {&own, 1});
        return {};
    });
}

Result<void> World::set_trait(AgentHandle agent, std::string_view name, std::string_view choice)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        const auto value = find_choice(model_of(*state_, row), name, choice);
        if (!value) return value.error();
        return set_trait(agent, name, *value);
    });
}

Result<void> World::apply_preset(AgentHandle agent, std::string_view preset)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        const auto found = find_preset(preset);
        if (!found) return found.error();
        std::vector<Override> values;
        for (const auto& [trait, value] : (*found)->values)
            values.emplace_back(*find_param(model_of(*state_, row), trait), value);
        if (!reserve_values(*state_, row, values)) return out_of_memory();
        write_values(*state_, row, values);
        return {};
    });
}

Result<double> World::trait(AgentHandle agent, std::string_view name) const
{
    return answer([&]() -> Result<double> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        const auto param = find_param(model_of(*state_, row), name);
        if (!param) return param.error();
        return double{param_of(state_->agents, state_->profiles, row, *param)};
    });
}

Result<void> World::set_profile(AgentHandle agent, ProfileId profile)
{
    return answer([&]() -> Result<void> {
        if (!alive(agent)) return dead_agent();
        if (profile >= state_->profiles.size()) {
            return Error{ErrorCode::unknown_name, "no profile " + std::to_string(profile) +
                                                      "; the world has " +
                                                      std::to_string(state_->profiles.size())};
        }
        if (auto error = ensure_room(*state_, kLeafRows, 0)) return *error;
        const Profile& wanted = state_->profiles[profile];
        const Kept kept =
            kept_by(wanted.model, [&](std::size_t param) { return wanted.value[param]; });
        const std::uint32_t row = state_->agents.row_of(agent);
        if (!reserve_kept(*state_, kept, lacking_tables(*state_, row))) return out_of_memory();
        const std::size_t to = move_row(*state_, row, state_->agents.leaf_level[row / kLeafRows],
                                        state_->profiles[profile].model);
        state_->agents.profile[to] = profile;
        take_profile_values(*state_, to, 0);
        refresh_record(*state_, to);
        return {};
    });
}

Result<void> World::set_model(AgentHandle agent, std::string_view model_name)
{
    return answer([&]() -> Result<void> {
        std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        const auto model = find_model(model_name);
        if (!model) return model.error();
        if (model_of(*state_, row) == *model) return {};

        // The agent's profile with the other model: made once, then shared by all who change in the
        // same way.
        Profile wanted = state_->profiles[state_->agents.profile[row]];
        wanted.model = *model;
        const auto own = registry()[*model]->info.params;
        for (std::size_t i = kTraitCount; i < kMaxParams; ++i) {
            wanted.value[i] =
                i - kTraitCount < own.size() ? own[i - kTraitCount].default_value : 0.0f;
        }
        std::size_t profile = 0;
        while (profile < state_->profiles.size() &&
               (state_->profiles[profile].model != wanted.model ||
                state_->profiles[profile].value != wanted.value)) {
            ++profile;
        }
        if (profile >= 0xffff)
            return Error{ErrorCode::out_of_range, "a world holds at most 65535 profiles"};
        if (!state_->profiles.reserve_growing(profile + 1)) return out_of_memory();
        if (auto error = ensure_room(*state_, kLeafRows, 0)) return *error;
        if (profile == state_->profiles.size()) state_->profiles.push_back(wanted);

        row = state_->agents.row_of(agent);
        const std::size_t to =
            move_row(*state_, row, state_->agents.leaf_level[row / kLeafRows], *model);
        state_->agents.profile[to] = static_cast<ProfileId>(profile);
        take_profile_values(*state_, to, kTraitCount);
        refresh_record(*state_, to);
        return {};
    });
}

}  // namespace sidestep
