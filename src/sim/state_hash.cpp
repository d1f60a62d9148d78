// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <tuple>

#include "base/hash.hpp"
#include "sim/kept_state.hpp"

namespace sidestep {

namespace {

void add(StateHash& hash, Vec2 value)
{
    hash.add(value.x + 0.0);  // -0 hashes as +0
    hash.add(value.y + 0.0);
}

/// Values at their default are left out, so that a trait nobody uses changes no hash.
void add_traits(StateHash& hash, const WorldState& world, std::size_t row, const ModelInfo& model)
{
    const std::size_t params = kTraitCount + model.params.size();
    for (std::size_t param = 0; param < params; ++param) {
        const ParamInfo& info =
            param < kTraitCount ? traits()[param] : model.params[param - kTraitCount];
        const float value = param_of(world.agents, world.profiles, row, param);
        if (value == info.default_value) continue;
        hash.add(std::uint64_t{info.name.size()});
        hash.add_bytes(info.name.data(), info.name.size());
        hash.add(value + 0.0f);
    }
    hash.add(std::uint64_t{0});  // the end of the list
}

/// In the order of ids: where in its table an entry is does not matter.
void add_sight(StateHash& hash, const SightTable& table)
{
    const auto order = [](const SightEntry& e) {
        return std::tuple{e.id, +e.is_body, e.first, +e.last};
    };
    SightEntry entries[kSightEntries];
    for (std::size_t place = 0; place < kSightEntries; ++place) entries[place] = table.entry(place);
    std::sort(std::begin(entries), std::end(entries),
              [&](const SightEntry& a, const SightEntry& b) { return order(a) < order(b); });
    for (const SightEntry& entry : entries) {
        if (entry.empty()) continue;
        for (const std::uint32_t value : {entry.id, std::uint32_t{entry.is_body},
                                          std::uint32_t{entry.first}, std::uint32_t{entry.last}}) {
            hash.add(value);
        }
    }
    hash.add(std::uint64_t{0});  // the end of the list
}

void add_kept(StateHash& hash, const WorldState& world, std::size_t row)
{
    const AgentTable& agents = world.agents;
    const Kept kept = kept_by(world, row);
    if (kept.heading) {
        hash.add(agents.heading_x[row]);
        hash.add(agents.heading_y[row]);
    }
    if (kept.sight) add_sight(hash, world.sights[agents.sight[row]]);
    if (kept.waited) hash.add(std::uint32_t{agents.waited[row]});
    if (agents.body_contact[row] != BodyContact::none)
        hash.add(std::uint32_t{1});  // has elbow room
    // Only where it is stalled, so that the hash of a world in which nobody is says nothing of it.
    if (agents.stall_clock[row] != 0) hash.add(std::uint32_t{agents.stall_clock[row]});
}

/// A group goes by its member of the lowest id: where in its table it is does not matter.
void add_group(StateHash& hash, const WorldState& world, std::size_t row)
{
    const AgentTable& agents = world.agents;
    if (agents.group.empty() || agents.group[row] == kNoGroup) return;
    const Group& group = world.groups.groups[agents.group[row]];
    constexpr std::string_view kGroup = "group";
    hash.add_bytes(kGroup.data(), kGroup.size());
    hash.add(group.members.front().id);
    hash.add(static_cast<std::uint32_t>(group.formation));
    hash.add(group.leader);
}

void add_agent(StateHash& hash, const WorldState& world, std::size_t row)
{
    const AgentTable& agents = world.agents;
    const AgentRecord& record = agents.record[row];
    const std::uint8_t model = agents.leaf_model[row / kLeafRows];
    hash.add(record.id);
    hash.add(record.flags & ~kSoftBody);  // which follows from the options and what is below
    hash.add(std::uint32_t{agents.leaf_level[row / kLeafRows]});
    hash.add(std::uint32_t{model});
    for (const float value : {record.x, record.y, record.vx, record.vy, agents.remainder_x[row],
                              agents.remainder_y[row]}) {
        hash.add(value + 0.0f);
    }
    if ((record.flags & kGivesSpace) != 0) hash.add(record.radius);
    if ((record.flags & kHasGoal) != 0) {
        hash.add(agents.goal_x[row] + 0.0f);
        hash.add(agents.goal_y[row] + 0.0f);
    }
    const bool asked_each_step =
        static_cast<bool>(world.options.preferred_velocities);  // then it is input, not state
    if ((record.flags & kHostDriven) != 0 && !asked_each_step) {
        hash.add(agents.preferred_vx[row] + 0.0f);
        hash.add(agents.preferred_vy[row] + 0.0f);
    }
    add_traits(hash, world, row, registry()[model]->info);
    add_kept(hash, world, row);
    add_group(hash, world, row);
}

}  // namespace

std::uint64_t state_hash(WorldState& world) noexcept
{
    StateHash hash;
    hash.add(world.options.seed);
    hash.add(world.options.dt);
    hash.add(static_cast<std::uint32_t>(world.options.passing_side));
    add(hash, world.options.origin);
    hash.add(world.step_index);

    Column<SortScratch::Key>& order = world.sort.keys;
    order.clear();
    for (std::size_t row = 0; row < world.agents.rows(); ++row) {
        if (world.agents.holds(row))
            order.push_back({world.agents.record[row].id, static_cast<std::uint32_t>(row)});
    }
    sort_keys(order.data(), order.size(), order.data() + order.size());
    hash.add(std::uint64_t{order.size()});
    hash.add(world.agents.next_id);
    for (const SortScratch::Key& key : order) add_agent(hash, world, key.row);

    for (const PairShares::Entry& entry : world.shares.entries) {
        hash.add(entry.low);
        hash.add(entry.high);
        hash.add(entry.share + 0.0f);
    }
    for (const Wall& wall : world.walls.walls) {
        if (!wall.live) continue;
        hash.add(static_cast<std::uint32_t>(wall.kind));
        hash.add(std::uint32_t{wall.level});
        hash.add(std::uint64_t{wall.vertices.size()});
        for (const Vec2& vertex : wall.vertices) add(hash, vertex);
        add(hash, wall.moved);
        add(hash, wall.velocity);
    }
    for (const Body& body : world.bodies.bodies) {
        if (!body.live) continue;
        hash.add(std::uint32_t{body.level});
        hash.add(body.radius);
        add(hash, body.position);
        add(hash, body.velocity);
        constexpr std::string_view kAlwaysNoticed = "always_noticed";
        if (body.always_noticed) hash.add_bytes(kAlwaysNoticed.data(), kAlwaysNoticed.size());
    }
    return hash.digest();
}

}  // namespace sidestep
