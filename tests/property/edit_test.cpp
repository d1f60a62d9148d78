// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// 100,000 random edits, with steps in between, against a plain map that knows nothing of rows,
// leaves or slots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

constexpr std::size_t kEdits = 100'000;
constexpr std::size_t kMostAgents = 400;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Vec2 kOrigin{1000.0, -2000.0};

using Values = std::map<std::string, float>;  ///< traits and the model's own parameters by name

struct ModelProfile {
    std::string model;
    Values values;
};

struct ModelAgent {
    AgentHandle handle;
    std::uint16_t level = 0;
    std::string model;
    Values values;
    std::optional<Vec2> goal;
    std::optional<Vec2> host_velocity;
    std::optional<ProfileId> profile;  ///< unknown after set_model
    std::optional<Vec2> position;      ///< known until the next step
};

/// The float nearest to a number. Volatile, because gcc 12 with -O2 vectorises pairs of double ->
/// float -> double and forgets the rounding.
double rounded(double a)
{
    const volatile float nearest = static_cast<float>(a);
    return static_cast<double>(nearest);
}

/// What a point is after it was kept as floats about the origin.
Vec2 kept(Vec2 p)
{
    return {kOrigin.x + rounded(p.x - kOrigin.x), kOrigin.y + rounded(p.y - kOrigin.y)};
}

Vec2 kept_velocity(Vec2 v)
{
    return {rounded(v.x), rounded(v.y)};
}

std::span<const ParamInfo> own_params(std::string_view model)
{
    for (const ModelInfo& info : models()) {
        if (info.name == model) return info.params;
    }
    return {};
}

const ParamInfo& info_of(const std::string& model, const std::string& name)
{
    for (const ParamInfo& info : traits()) {
        if (info.name == name) return info;
    }
    for (const ParamInfo& info : own_params(model)) {
        if (info.name == name) return info;
    }
    throw std::runtime_error("no parameter " + name);
}

bool is_trait(const std::string& name)
{
    return std::any_of(traits().begin(), traits().end(),
                       [&](const ParamInfo& info) { return info.name == name; });
}

class Editor {
public:
    /// Seeds side by side give the same numbers, shifted by one: edits would soon be the same.
    explicit Editor(std::uint64_t seed)
        : random_(seed << 32), world_(make_world({.origin = kOrigin}))
    {
        profiles_.push_back({"orca", defaults("orca")});
        dead_.insert({0xffffffffu, 0});
    }

    void edit()
    {
        switch (random_.below(20)) {
            case 0:
            case 1:
            case 2: add_one(); break;
            case 3: add_several(); break;
            case 4:
            case 5:
            case 6: remove(); break;
            case 7:
            case 8: teleport(); break;
            case 9: set_goal(); break;
            case 10: clear_goal(); break;
            case 11: drive_by_host(); break;
            case 12:
            case 13: set_trait(); break;
            case 14: set_profile(); break;
            case 15:
            case 16: set_model(); break;
            case 17: use_dead_handle(); break;
            case 18: ask_in_vain(); break;
            default:
                if (random_.chance(0.01)) add_profile();
                if (random_.chance(0.08)) step();
        }
        ASSERT_EQ(world_.size(), agents_.size());
        ASSERT_EQ(world_.added() - world_.removed(), agents_.size());
    }

    /// Everybody, the dead, and the rows.
    void audit()
    {
        ASSERT_EQ(world_.added(), added_);
        ASSERT_EQ(world_.removed(), removed_);
        for (const auto& [id, agent] : agents_) expect_as_in_model(id, agent);
        for (const auto& [index, generation] : dead_)
            ASSERT_FALSE(world_.alive(AgentHandle{index, generation}));
        for (const std::uint32_t id : used_ids_)
            ASSERT_EQ(world_.find(id).has_value(), agents_.contains(id)) << id;

        const AgentColumns columns = world_.columns();
        std::size_t living = 0;
        for (std::size_t row = 0; row < columns.rows; ++row) {
            const std::uint32_t id = columns.record[row].id;
            if (id == kNoAgent) {
                ASSERT_EQ(world_.handle_at(row), AgentHandle{});
                continue;
            }
            ++living;
            ASSERT_TRUE(agents_.contains(id)) << "row " << row << " holds " << id;
            const ModelAgent& agent = agents_.at(id);
            ASSERT_EQ(world_.handle_at(row), agent.handle);
            ASSERT_EQ(columns.handle_index[row], agent.handle.index);
            ASSERT_EQ(columns.leaf_level[row / 8], agent.level);
            ASSERT_EQ(columns.record[row].radius,
                      std::max(agent.values.at("radius"), agent.values.at("planning_radius")));
            ASSERT_EQ(columns.record[row].rank, agent.values.at("rank"));
            ASSERT_EQ((columns.record[row].flags & kReacts) != 0,
                      agent.model != "seek" || agent.values.at("filter") != 0.0f);
            ASSERT_EQ((columns.record[row].flags & kHasGoal) != 0, agent.goal.has_value());
            ASSERT_EQ((columns.record[row].flags & kHostDriven) != 0,
                      agent.host_velocity.has_value());
        }
        ASSERT_EQ(living, agents_.size());
    }

    std::map<std::string, std::size_t> done;  ///< how often each edit was made

private:
    static Values defaults(const std::string& model)
    {
        Values values;
        for (const ParamInfo& info : traits()) values[std::string(info.name)] = info.default_value;
        for (const ParamInfo& info : own_params(model))
            values[std::string(info.name)] = info.default_value;
        return values;
    }

    double random_value(const ParamInfo& info)
    {
        if (info.may_be_infinite && random_.chance(0.2)) return kInfinity;
        if (random_.chance(0.1)) return info.min;
        if (random_.chance(0.1)) return info.max;
        if (info.name == "max_neighbours") return static_cast<double>(random_.below(20));
        if (!info.choices.empty()) return static_cast<double>(random_.below(info.choices.size()));
        if (info.whole)
            return info.min + static_cast<double>(
                                  random_.below(static_cast<std::size_t>(info.max - info.min) + 1));
        if (info.name == "neighbour_range") return random_.uniform(0.0, 8.0);
        return random_.uniform(info.min, std::min(info.max, 5.0f));
    }

    Vec2 random_place() { return kOrigin + random_.in_box(random_.chance(0.05) ? 3999.0 : 15.0); }
    std::uint16_t random_level() { return random_.one_of<std::uint16_t>({0, 0, 1, 2, 300, 65534}); }
    std::uint32_t random_id() { return agent_at(random_.below(agents_.size())); }
    std::uint32_t agent_at(std::size_t i) const
    {
        return std::next(agents_.begin(), static_cast<std::ptrdiff_t>(i))->first;
    }

    std::string random_name(const std::string& model)
    {
        const auto own = own_params(model);
        const std::size_t i = random_.below(traits().size() + own.size());
        return std::string(i < traits().size() ? traits()[i].name : own[i - traits().size()].name);
    }

    AgentSpec random_spec()
    {
        AgentSpec spec;
        spec.position = random_place();
        spec.velocity = random_.in_box(1.5);
        if (random_.chance(0.6)) spec.goal = random_place();
        spec.level = random_level();
        spec.profile = usable_profiles_[random_.below(usable_profiles_.size())];
        while (random_.chance(0.2)) {
            const std::string name = random_name(profiles_[spec.profile].model);
            spec.traits.emplace_back(name,
                                     random_value(info_of(profiles_[spec.profile].model, name)));
        }
        return spec;
    }

    /// An id that nobody alive has and `taken` does not hold: new, or of somebody removed.
    std::uint32_t free_id(const std::set<std::uint32_t>& taken)
    {
        for (;;) {
            std::uint32_t id = static_cast<std::uint32_t>(random_.below(5000));
            if (random_.chance(0.3) && !used_ids_.empty()) {
                id = *std::next(used_ids_.begin(),
                                static_cast<std::ptrdiff_t>(random_.below(used_ids_.size())));
            } else if (random_.chance(0.01)) {
                id = 3'000'000'000u + static_cast<std::uint32_t>(added_);
            }
            if (!agents_.contains(id) && !taken.contains(id)) return id;
        }
    }

    void remember(const AgentSpec& spec, std::uint32_t id, AgentHandle handle)
    {
        ASSERT_FALSE(dead_.contains({handle.index, handle.generation}))
            << "a handle was given out twice";
        ModelAgent agent{.handle = handle,
                         .level = spec.level,
                         .model = profiles_[spec.profile].model,
                         .values = profiles_[spec.profile].values,
                         .goal = spec.goal,
                         .host_velocity = {},
                         .profile = spec.profile,
                         .position = kept(spec.position)};
        for (const auto& [name, value] : spec.traits)
            agent.values[name] = static_cast<float>(value);
        agents_[id] = agent;
        used_ids_.insert(id);
        next_id_ = std::max(next_id_, id + 1);
        ++added_;
        expect_as_in_model(id, agent);
    }

    void add_one()
    {
        if (agents_.size() >= kMostAgents) return remove();
        AgentSpec spec = random_spec();
        if (random_.chance(0.5)) spec.id = free_id({});
        const std::uint32_t id = spec.id.value_or(next_id_);
        const auto handle = world_.add(spec);
        ASSERT_TRUE(handle) << handle.error().message;
        remember(spec, id, *handle);
        ++done[spec.id ? "add with id" : "add without id"];
    }

    void add_several()
    {
        if (agents_.size() >= kMostAgents) return remove();
        std::vector<AgentSpec> specs(1 + random_.below(12));
        std::set<std::uint32_t> taken;
        std::uint32_t next = next_id_;
        for (AgentSpec& spec : specs) {
            spec = random_spec();
            if (!random_.chance(0.4)) continue;
            spec.id = free_id(taken);
            taken.insert(*spec.id);
            next = std::max(next, *spec.id + 1);
        }
        const auto handles = world_.add(specs);
        ASSERT_TRUE(handles) << handles.error().message;
        ASSERT_EQ(handles->size(), specs.size());
        for (std::size_t i = 0; i < specs.size(); ++i) {
            remember(specs[i], specs[i].id ? *specs[i].id : next++, (*handles)[i]);
        }
        ++done["add several"];
    }

    void remove()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        const AgentHandle handle = agents_.at(id).handle;
        must(world_.remove(handle));
        agents_.erase(id);
        dead_.insert({handle.index, handle.generation});
        ++removed_;
        ASSERT_FALSE(world_.find(id));
        ASSERT_FALSE(world_.alive(handle));
        ++done["remove"];
    }

    void teleport()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        ModelAgent& agent = agents_.at(id);
        const Vec2 place = random_place();
        std::optional<std::uint16_t> level;
        if (random_.chance(0.5)) level = random_level();
        must(world_.teleport(agent.handle, place, level));
        agent.level = level.value_or(agent.level);
        agent.position = kept(place);
        const auto state = must(world_.agent(agent.handle));
        ASSERT_EQ(state.velocity, Vec2{});
        expect_as_in_model(id, agent);
        ++done[level ? "teleport to a level" : "teleport"];
    }

    void set_goal()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        ModelAgent& agent = agents_.at(id);
        agent.goal = random_place();
        agent.host_velocity.reset();
        must(world_.set_goal(agent.handle, *agent.goal));
        expect_as_in_model(id, agent);
        ++done["set_goal"];
    }

    void clear_goal()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        ModelAgent& agent = agents_.at(id);
        agent.goal.reset();
        agent.host_velocity.reset();
        must(world_.clear_goal(agent.handle));
        expect_as_in_model(id, agent);
        ++done["clear_goal"];
    }

    void drive_by_host()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        ModelAgent& agent = agents_.at(id);
        agent.goal.reset();
        agent.host_velocity = random_.in_box(2.0);
        must(world_.drive_by_host(agent.handle, *agent.host_velocity));
        expect_as_in_model(id, agent);
        ++done["drive_by_host"];
    }

    void set_trait()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        ModelAgent& agent = agents_.at(id);
        const std::string name = random_name(agent.model);
        const double value = random_value(info_of(agent.model, name));
        must(world_.set_trait(agent.handle, name, value));
        agent.values[name] = static_cast<float>(value);
        expect_as_in_model(id, agent);
        ++done["set_trait " + name];
    }

    void add_profile()
    {
        if (profiles_.size() >= 40) return;
        ModelProfile profile;
        profile.model = random_.one_of({"orca", "orca", "seek", "seek", "clearpath"});
        profile.values = defaults(profile.model);
        ProfileSpec spec{.model = profile.model, .values = {}};
        while (random_.chance(0.7)) {
            const std::string name = random_name(profile.model);
            const double value = random_value(info_of(profile.model, name));
            spec.values.emplace_back(name, value);
            profile.values[name] = static_cast<float>(value);
        }
        const ProfileId id = must(world_.add_profile(spec));
        while (profiles_.size() < id)
            profiles_.push_back(profiles_[0]);  // made by set_model, not ours to use
        profiles_.push_back(profile);
        usable_profiles_.push_back(id);
        ++done["add_profile"];
    }

    void set_profile()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        ModelAgent& agent = agents_.at(id);
        const ProfileId profile = usable_profiles_[random_.below(usable_profiles_.size())];
        must(world_.set_profile(agent.handle, profile));
        agent.profile = profile;
        agent.model = profiles_[profile].model;
        agent.values = profiles_[profile].values;
        expect_as_in_model(id, agent);
        ++done["set_profile"];
    }

    void set_model()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        ModelAgent& agent = agents_.at(id);
        const std::string model = random_.one_of({"orca", "seek", "clearpath"});
        must(world_.set_model(agent.handle, model));
        if (model != agent.model) {
            Values values = defaults(model);
            for (auto& [name, value] : values) {
                if (is_trait(name)) value = agent.values.at(name);
            }
            agent.values = values;
            agent.model = model;
            agent.profile.reset();
        }
        expect_as_in_model(id, agent);
        ++done["set_model " + model];
    }

    void step()
    {
        const StepReport report = world_.step();
        ASSERT_FALSE(report.fault) << report.fault->cause;
        ASSERT_EQ(report.agents, agents_.size());
        for (auto& [id, agent] : agents_) agent.position.reset();
        ++done["step"];
    }

    /// Every call with a handle of somebody long gone.
    void use_dead_handle()
    {
        const auto [index, generation] =
            *std::next(dead_.begin(), static_cast<std::ptrdiff_t>(random_.below(dead_.size())));
        const AgentHandle handle{index, generation};
        const auto expect_dead = [](const auto& result) {
            ASSERT_FALSE(result);
            ASSERT_EQ(result.error().code, ErrorCode::dead_handle);
            ASSERT_FALSE(result.error().message.empty());
        };
        ASSERT_FALSE(world_.alive(handle));
        expect_dead(world_.agent(handle));
        expect_dead(world_.remove(handle));
        expect_dead(world_.teleport(handle, kOrigin));
        expect_dead(world_.set_goal(handle, kOrigin));
        expect_dead(world_.clear_goal(handle));
        expect_dead(world_.drive_by_host(handle));
        expect_dead(world_.set_velocity(handle, {}));
        expect_dead(world_.set_trait(handle, "radius", 0.3));
        expect_dead(world_.trait(handle, "radius"));
        expect_dead(world_.set_profile(handle, 0));
        expect_dead(world_.set_model(handle, "seek"));
        expect_dead(world_.explain(handle));
        expect_dead(world_.watch(handle));
        ASSERT_EQ(world_.watched(handle), nullptr);
        ++done["dead handle"];
    }

    /// Calls that must be refused and leave no trace.
    void ask_in_vain()
    {
        if (agents_.empty()) return;
        const std::uint32_t id = random_id();
        const ModelAgent& agent = agents_.at(id);
        std::vector<AgentSpec> specs{random_spec(), random_spec()};
        specs[1].id = id;
        const auto added = world_.add(specs);
        ASSERT_FALSE(added);
        ASSERT_EQ(added.error().code, ErrorCode::duplicate_id);
        ASSERT_FALSE(world_.set_trait(agent.handle, "radius", -1.0));
        ASSERT_FALSE(world_.set_trait(agent.handle, "no such trait", 1.0));
        ASSERT_FALSE(world_.set_model(agent.handle, "no such model"));
        ASSERT_FALSE(world_.set_profile(agent.handle, 60'000));
        ASSERT_FALSE(world_.teleport(agent.handle, {1e6, 0.0}, std::uint16_t{9}));
        expect_as_in_model(id, agent);
        ++done["in vain"];
    }

    void expect_as_in_model(std::uint32_t id, const ModelAgent& agent) const
    {
        SCOPED_TRACE("agent " + std::to_string(id));
        ASSERT_TRUE(world_.alive(agent.handle));
        const auto found = world_.find(id);
        ASSERT_TRUE(found);
        ASSERT_EQ(*found, agent.handle);
        const AgentState state = must(world_.agent(agent.handle));
        ASSERT_EQ(state.id, id);
        ASSERT_EQ(state.level, agent.level);
        ASSERT_EQ(state.model, agent.model);
        ASSERT_EQ(state.goal.has_value(), agent.goal.has_value());
        if (agent.goal) {
            ASSERT_EQ(*state.goal, kept(*agent.goal));
        }
        if (agent.host_velocity) {
            ASSERT_EQ(state.preferred_velocity, kept_velocity(*agent.host_velocity));
        }
        if (agent.position) {
            ASSERT_EQ(state.position, *agent.position);
        }
        if (agent.profile) {
            ASSERT_EQ(state.profile, *agent.profile);
        }
        for (const auto& [name, value] : agent.values) {
            ASSERT_EQ(must(world_.trait(agent.handle, name)), static_cast<double>(value)) << name;
        }
        if (agent.model == "seek") {
            ASSERT_FALSE(world_.trait(agent.handle, "time_horizon"))
                << "a parameter of another model";
        }
    }

    SeededRandom random_;
    World world_;
    std::map<std::uint32_t, ModelAgent> agents_;
    std::vector<ModelProfile> profiles_;
    std::vector<ProfileId> usable_profiles_{0};
    std::set<std::pair<std::uint32_t, std::uint32_t>> dead_;  ///< index, generation
    std::set<std::uint32_t> used_ids_;
    std::uint32_t next_id_ = 0;
    std::uint64_t added_ = 0;
    std::uint64_t removed_ = 0;
};

class Edits : public WorldTest {};

TEST_F(Edits, a_hundred_thousand_random_ones_leave_exactly_what_a_plain_map_holds)
{
    std::map<std::string, std::size_t> done;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Editor editor(seed);
        for (std::size_t i = 0; i < kEdits / 5; ++i) {
            editor.edit();
            if (i % 500 == 499) editor.audit();
            if (HasFatalFailure()) FAIL() << "edit " << i;
        }
        editor.audit();
        for (const auto& [what, times] : editor.done) done[what] += times;
    }
    // Each kind of edit was really made, each trait really set.
    for (const char* what :
         {"add with id", "add without id", "add several", "remove", "teleport",
          "teleport to a level", "set_goal", "clear_goal", "drive_by_host", "set_profile",
          "set_model orca", "set_model seek", "set_model clearpath", "dead handle", "in vain"}) {
        EXPECT_GT(done[what], 1000u) << what;
    }
    // Some 280 of each: 31 traits share what 22 had when this was 300.
    for (const ParamInfo& info : traits())
        EXPECT_GT(done["set_trait " + std::string(info.name)], 200u) << info.name;
    for (const ParamInfo& info : own_params("orca"))
        EXPECT_GT(done["set_trait " + std::string(info.name)], 100u) << info.name;
    for (const ParamInfo& info : own_params("clearpath"))
        EXPECT_GT(done["set_trait " + std::string(info.name)], 20u) << info.name;
    EXPECT_GT(done["add_profile"], 20u);
    EXPECT_GT(done["step"], 200u);
}

TEST_F(Edits, ids_that_are_not_given_are_the_lowest_above_all_ever_used)
{
    World world = make_world();
    const auto id_of = [&](AgentHandle handle) { return must(world.agent(handle)).id; };
    EXPECT_EQ(id_of(must(world.add(AgentSpec{}))), 0u);
    EXPECT_EQ(id_of(must(world.add(AgentSpec{}))), 1u);
    const AgentHandle high = must(world.add(AgentSpec{.id = 700}));
    EXPECT_EQ(id_of(must(world.add(AgentSpec{}))), 701u);
    must(world.remove(high));
    EXPECT_EQ(id_of(must(world.add(AgentSpec{.id = 700}))), 700u);
    EXPECT_EQ(id_of(must(world.add(AgentSpec{}))), 702u);
    EXPECT_EQ(id_of(must(world.add(AgentSpec{.id = 5}))), 5u);
    EXPECT_EQ(id_of(must(world.add(AgentSpec{}))), 703u);
    must(world.add(AgentSpec{.id = kNoAgent - 1}));
    const auto full = world.add(AgentSpec{});
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::out_of_range);
    EXPECT_EQ(id_of(must(world.add(AgentSpec{.id = 6}))), 6u);
}

TEST_F(Edits, a_handle_is_dead_for_ever_although_its_place_is_used_again)
{
    World world = make_world();
    std::vector<AgentHandle> dead;
    for (int i = 0; i < 1000; ++i) {
        const AgentHandle handle = must(world.add(AgentSpec{.id = 3}));
        EXPECT_EQ(handle.index, 0u);
        for (const AgentHandle old : dead) ASSERT_NE(old, handle);
        must(world.remove(handle));
        dead.push_back(handle);
        if (i % 100 == 0) world.step();
    }
    for (const AgentHandle handle : dead) {
        EXPECT_FALSE(world.alive(handle));
        EXPECT_EQ(world.remove(handle).error().code, ErrorCode::dead_handle);
        // A guess at the next generation is no handle either.
        EXPECT_FALSE(world.alive(AgentHandle{handle.index, handle.generation + 1}));
    }
}

TEST_F(Edits, a_reservation_and_edits_that_cancel_out_leave_no_trace_in_the_hash)
{
    World plain = make_world();
    World edited = make_world();
    std::vector<AgentSpec> specs;
    SeededRandom random(4);
    for (std::uint32_t i = 0; i < 200; ++i) {
        specs.push_back({.position = random.in_box(8.0),
                         .goal = random.in_box(8.0),
                         .id = i,
                         .level = static_cast<std::uint16_t>(i % 2)});
    }
    must(edited.reserve(5000));
    const auto handles = must(plain.add(specs));
    const auto same = must(edited.add(specs));
    for (int i = 0; i < 20; ++i) {
        for (std::size_t j = 0; j < same.size(); j += 3) {
            must(edited.set_model(same[j], "seek"));
            must(edited.set_model(same[j], "orca"));
            must(edited.set_radius(same[j], 0.9));
            must(edited.set_radius(same[j], traits()[0].default_value));
        }
        ASSERT_EQ(edited.state_hash(), plain.state_hash()) << "step " << i;
        plain.step();
        edited.step();
    }
    EXPECT_EQ(edited.state_hash(), plain.state_hash());
}

}  // namespace
}  // namespace sidestep::test
