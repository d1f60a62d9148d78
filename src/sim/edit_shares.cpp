// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/roles.hpp"
#include "sim/checks.hpp"

// The matrix of roles, edited between steps, [LI13]. Few pairs have an entry; who is in one carries
// a flag, so that all others pay nothing.

namespace sidestep {

namespace {

/// Two agents that live and are not the same.
struct PairRows {
    std::uint32_t own;
    std::uint32_t other;
};

Result<PairRows> find_pair(const WorldState& world, AgentHandle agent, AgentHandle other)
{
    const PairRows rows{world.agents.row_of(agent), world.agents.row_of(other)};
    if (rows.own == kNoRow || rows.other == kNoRow) return dead_agent();
    if (rows.own == rows.other) {
        return Error{ErrorCode::invalid_argument,
                     "an agent shares the avoidance with others, not with itself"};
    }
    return rows;
}

std::optional<Error> check_share(double share)
{
    if (share >= 0.0 && share <= 1.0) return std::nullopt;
    return Error{ErrorCode::out_of_range, "share must be between 0 and 1, got " + to_words(share)};
}

void mark(WorldState& world, std::uint32_t id, bool has_shares) noexcept
{
    const auto index = world.agents.ids.find(id);
    if (!index) return;
    std::uint32_t& flags = world.agents.record[world.agents.slots[*index].row].flags;
    flags = has_shares ? flags | kHasShares : flags & ~kHasShares;
}

}  // namespace

void forget_shares(WorldState& world, std::uint32_t id) noexcept
{
    const auto index = world.agents.ids.find(id);
    if (!index || (world.agents.record[world.agents.slots[*index].row].flags & kHasShares) == 0)
        return;
    erase_shares(world.shares, id,
                 [&](std::uint32_t partner, bool has_others) { mark(world, partner, has_others); });
    mark(world, id, false);
}

Result<void> World::set_share(AgentHandle agent, AgentHandle other, double share)
{
    return answer([&]() -> Result<void> {
        const auto pair = find_pair(*state_, agent, other);
        if (!pair) return pair.error();
        if (auto error = check_share(share)) return *error;
        PairShares& shares = state_->shares;
        if (!shares.entries.reserve_growing(shares.entries.size() + 1)) return out_of_memory();
        const std::uint32_t own_id = state_->agents.record[pair->own].id;
        const std::uint32_t other_id = state_->agents.record[pair->other].id;
        put_share(shares, own_id, other_id, static_cast<float>(share));
        mark(*state_, own_id, true);
        mark(*state_, other_id, true);
        return {};
    });
}

Result<void> World::set_shares(std::span<const ShareSpec> specs)
{
    return answer([&]() -> Result<void> {
        for (const ShareSpec& spec : specs) {
            const auto pair = find_pair(*state_, spec.agent, spec.other);
            if (!pair) return pair.error();
            if (auto error = check_share(spec.share)) return *error;
        }
        PairShares& shares = state_->shares;
        const std::size_t before = shares.entries.size();
        if (!shares.entries.reserve_growing(before + specs.size())) return out_of_memory();
        for (const ShareSpec& spec : specs) {
            AgentRecord& own = state_->agents.record[state_->agents.row_of(spec.agent)];
            AgentRecord& other = state_->agents.record[state_->agents.row_of(spec.other)];
            own.flags |= kHasShares;
            other.flags |= kHasShares;
            shares.entries.push_back(entry_of(own.id, other.id, static_cast<float>(spec.share)));
        }
        sort_in(shares, before);
        return {};
    });
}

Result<void> World::clear_share(AgentHandle agent, AgentHandle other)
{
    return answer([&]() -> Result<void> {
        const auto pair = find_pair(*state_, agent, other);
        if (!pair) return pair.error();
        const std::uint32_t own_id = state_->agents.record[pair->own].id;
        const std::uint32_t other_id = state_->agents.record[pair->other].id;
        erase_share(state_->shares, own_id, other_id);
        for (const std::uint32_t id : {own_id, other_id})
            mark(*state_, id, has_share(state_->shares, id));
        return {};
    });
}

Result<double> World::share(AgentHandle agent, AgentHandle other) const
{
    return answer([&]() -> Result<double> {
        const auto pair = find_pair(*state_, agent, other);
        if (!pair) return pair.error();
        const Role role = role_towards(state_->shares, state_->agents.record[pair->own],
                                       state_->agents.record[pair->other]);
        return double{role.share};
    });
}

}  // namespace sidestep
