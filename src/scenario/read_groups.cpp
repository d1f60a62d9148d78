// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/reading.hpp"

// [[groups]].

namespace sidestep {
namespace {

/// A name in a list, and where it is written.
struct NamedAt {
    std::string name;
    const toml::node* node;
};

std::vector<NamedAt> names_at(const Reading& r, const toml::table& table, std::string_view key)
{
    std::vector<NamedAt> found;
    const toml::node* node = r.get(table, key);
    if (node == nullptr) return found;
    const std::vector<std::string> names = to_names(node);
    const toml::array* list = node->as_array();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const toml::node* at = list != nullptr ? list->get(std::min(i, list->size() - 1)) : node;
        if (!names[i].empty()) found.push_back({names[i], at});
    }
    return found;
}

/// Reads one table, and knows who is in a group already.
class GroupReading {
public:
    explicit GroupReading(Reading& r) : r_(r) {}

    void read(const toml::table& table)
    {
        GroupPlan group;
        group.at = place_of(table.source());
        const std::string formation = text_or(r_, table, "formation", "abreast");
        if (formation == "v") group.formation = Formation::v;
        if (formation == "leader") group.formation = Formation::leader;
        const auto size = to_whole(r_.get(table, "size"));
        if (size && *size >= 2) group.size = static_cast<std::uint32_t>(*size);
        read_members(table, group);
        check_count(table, group);
        read_leader(table, group);
        if (!group.agents.empty() || group.source) r_.scenario.groups.push_back(std::move(group));
    }

private:
    void read_members(const toml::table& table, GroupPlan& group)
    {
        const std::vector<NamedAt> names = names_at(r_, table, "agents");
        for (const NamedAt& each : names) {
            const bool is_source = r_.source_blocks.contains(each.name);
            if (!is_source && !r_.agent_blocks.contains(each.name)) {
                tell_unknown(each);
            } else if (!taken_.insert(each.name).second) {
                r_.problems.add(*each.node, "duplicate-name",
                                fmt::format("{} are in a group already", quote(each.name)),
                                "each belongs to one group; `size` makes several groups of them");
            } else if (!is_source) {
                group.agents.push_back(r_.agent_blocks.find(each.name)->second);
                check_company(each, group);
            } else if (names.size() > 1) {
                r_.problems.add(*each.node, "bad-group",
                                fmt::format("{} names [[sources]], whose groups are of newcomers "
                                            "alone",
                                            quote(each.name)),
                                "give it a [[groups]] of its own");
            } else if (group.size == 0 && !table.contains("size")) {
                r_.problems.add(table, "missing-key", "[[groups]] of a source needs 'size'",
                                "for example `size = 3`: so many come together");
            } else {
                group.source = r_.source_blocks.find(each.name)->second;
            }
        }
    }
    void tell_unknown(const NamedAt& each)
    {
        std::vector<std::string_view> known;
        for (const NameMap* map : {&r_.agent_blocks, &r_.source_blocks}) {
            for (const auto& [name, index] : *map) known.push_back(name);
        }
        std::sort(known.begin(), known.end());
        r_.problems.add(*each.node, "unknown-name",
                        fmt::format("there are no agents named {}", quote(each.name)),
                        hint_names(each.name, known, "names"));
    }
    /// Who walks together goes to the same place on the same floor.
    void check_company(const NamedAt& each, const GroupPlan& group)
    {
        const AgentsPlan& first = r_.scenario.agents[group.agents.front()];
        const AgentsPlan& own = r_.scenario.agents[group.agents.back()];
        if (own.journey != first.journey) {
            r_.problems.add(*each.node, "bad-group",
                            fmt::format("{} and {} are of one group, but not on one journey",
                                        quote(first.name), quote(own.name)),
                            "give all members the same exit, goal or journey");
        } else if (own.level != first.level) {
            r_.problems.add(*each.node, "wrong-level",
                            fmt::format("{} are on level {}, {} on level {}", quote(first.name),
                                        first.level, quote(own.name), own.level),
                            "nothing joins two levels");
        }
    }
    void check_count(const toml::table& table, const GroupPlan& group)
    {
        if (group.agents.empty()) return;
        std::uint64_t count = 0;
        for (const std::uint32_t block : group.agents) count += r_.scenario.agents[block].count;
        const toml::node* node = r_.get(table, "agents");
        const toml::node& at = node != nullptr ? *node : table;
        if (count == 1) {
            r_.problems.add(at, "bad-group", "a group of one agent", "two make a group");
        } else if (group.size == 0 && !table.contains("size") && count > kMostMembers) {
            r_.problems.add(at, "too-many",
                            fmt::format("a group of {} agents, at most {}", count, kMostMembers),
                            "`size = 3` makes groups of three of them");
        }
    }
    void read_leader(const toml::table& table, GroupPlan& group)
    {
        const toml::node* node = r_.get(table, "leader");
        const auto* name = node != nullptr ? node->as_string() : nullptr;
        if (name == nullptr) return;
        if (group.formation != Formation::leader) {
            refuse(r_, table, "leader", "formation \"leader\"");
        } else if (table.contains("size")) {
            r_.problems.add(*node, "bad-group", "one leader cannot lead the groups of a size",
                            "without it the first of each group leads");
        } else {
            const auto found = r_.agent_blocks.find(name->get());
            const bool is_member = found != r_.agent_blocks.end() &&
                                   std::find(group.agents.begin(), group.agents.end(),
                                             found->second) != group.agents.end();
            if (!is_member) {
                r_.problems.add(
                    *node, "unknown-name",
                    fmt::format("the leader {} is none of the group's agents", quote(name->get())),
                    "name it in `agents` too");
            } else if (r_.scenario.agents[found->second].count != 1) {
                r_.problems.add(*node, "bad-group",
                                fmt::format("{} are {} agents; a leader is one", quote(name->get()),
                                            r_.scenario.agents[found->second].count));
            } else {
                group.leader = found->second;
            }
        }
    }

    Reading& r_;
    std::set<std::string, std::less<>> taken_;
};

}  // namespace

void read_groups(Reading& r)
{
    GroupReading groups(r);
    for_each_table(r, "groups", [&](const toml::table& table) { groups.read(table); });
}

}  // namespace sidestep
