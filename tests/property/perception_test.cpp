// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Who is avoided, in whole worlds: against an oracle that forgets nothing, in crowds that do not
// fit into anybody's memory, and whatever the threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

using Notice = Explanation::Notice;

class Perception : public WorldTest {};

/// What an agent makes of those in range, by id.
std::map<std::uint32_t, Notice> notices(const World& world, AgentHandle agent)
{
    std::map<std::uint32_t, Notice> all;
    for (const Explanation::Neighbour& other : must(world.explain(agent)).neighbours)
        all[other.id] = other.notice;
    return all;
}

bool avoids(const World& world, AgentHandle agent, std::uint32_t id)
{
    const auto all = notices(world, agent);
    const auto found = all.find(id);
    return found != all.end() && found->second == Notice::avoided;
}

bool avoids_body(const World& world, AgentHandle agent, BodyHandle body)
{
    const auto lines = must(world.explain(agent)).lines;
    return std::any_of(lines.begin(), lines.end(), [&](const Explanation::Line& line) {
        return line.source == Explanation::Source::body && line.source_id == body.index;
    });
}

// ------------------------------------------------------------------------------------ the oracle

struct Segment {
    Vec2 a, b;
};

/// Whether two segments meet, by the parameters of the crossing. Not for parallel ones.
bool cross(const Segment& s, const Segment& t)
{
    const Vec2 d = s.b - s.a, e = t.b - t.a, r = t.a - s.a;
    const double det = d.x * e.y - d.y * e.x;
    if (det == 0.0) return false;
    const double u = (r.x * e.y - r.y * e.x) / det;
    const double v = (r.x * d.y - r.y * d.x) / det;
    return u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0;
}

/// Somebody in the oracle's world: traits as they were given, in double.
struct Person {
    AgentHandle handle;
    double observation_time = 0.0, forget_time = 2.0, field_of_view = 360.0, range = 5.0;
    double max_neighbours = 40.0;
    std::string sight = "through_walls";
    std::uint16_t level = 0;
    std::optional<Vec2> heading;
    std::map<std::uint32_t, std::pair<int, int>> seen;  ///< id -> first and last step

    bool is_limited() const
    {
        return observation_time > 0.0 || field_of_view < 360.0 || sight != "through_walls";
    }
    std::vector<ParamValue> traits() const
    {
        const double word = sight == "through_walls" ? 0.0 : sight == "centre" ? 1.0 : 2.0;
        return {{"observation_time", observation_time},
                {"forget_time", forget_time},
                {"field_of_view_deg", field_of_view},
                {"neighbour_range", range},
                {"sight", word},
                {"max_neighbours", max_neighbours}};
    }
};

/// A world and what should be known in it. Memory has no bounds here, times are double, and every
/// pair is looked at.
class OracleWorld {
public:
    OracleWorld(std::uint64_t seed, double dt)
        : world(make_world({.dt = dt, .threads = 1})), random(seed), dt_(dt)
    {}

    Person random_person()
    {
        Person person;
        person.observation_time = random.one_of({0.0, dt_ * 4.0, 0.3, 0.79, 1.0});
        person.forget_time = random.one_of({0.0, dt_, 0.3, 1.0});
        person.field_of_view = random.one_of({360.0, 360.0, 200.0, 90.0, 20.0});
        person.range = random.one_of({3.0, 5.0, 50.0});
        person.max_neighbours = random.one_of({0.0, 1.0, 2.0, 40.0});
        person.sight = random.chance(0.4)   ? "centre"
                       : random.chance(0.5) ? "body"
                                            : "through_walls";
        person.level = static_cast<std::uint16_t>(random.below(4) == 0 ? 1 : 0);
        return person;
    }

    void add(std::optional<std::uint32_t> id = {})
    {
        Person person = random_person();
        const Vec2 velocity = random.in_box(1.0);
        person.handle = must(world.add({.position = random.in_box(5.0),
                                        .velocity = velocity,
                                        .goal = random.in_box(6.0),
                                        .id = id,
                                        .level = person.level,
                                        .traits = person.traits()}));
        const std::uint32_t now = must(world.agent(person.handle)).id;
        face(person, velocity);
        for (auto& [other, memory] : people) memory.seen.erase(now);  // a namesake, if any
        people[now] = person;
    }

    void remove()
    {
        const std::uint32_t id = anybody();
        must(world.remove(people.at(id).handle));
        people.erase(id);
        last_removed = id;
    }

    void teleport()
    {
        Person& person = people.at(anybody());
        if (random.chance(0.3)) person.level = static_cast<std::uint16_t>(1 - person.level);
        must(world.teleport(person.handle, random.in_box(5.0), person.level));
        person.seen.clear();
    }

    void change_traits()
    {
        Person& person = people.at(anybody());
        const Person other = random_person();
        const bool kept_sight = person.observation_time > 0.0 && other.observation_time > 0.0;
        const bool kept_heading = person.field_of_view < 360.0 && other.field_of_view < 360.0;
        person.observation_time = other.observation_time;
        person.forget_time = other.forget_time;
        person.field_of_view = other.field_of_view;
        person.sight = other.sight;
        if (!kept_sight) person.seen.clear();
        if (!kept_heading) person.heading.reset();
        for (const auto& [name, value] : person.traits())
            must(world.set_trait(person.handle, name, value));
        face(person, must(world.agent(person.handle)).velocity);
    }

    void change_model()
    {
        const Person& person = people.at(anybody());
        must(world.set_model(person.handle, random.one_of({"orca", "rcap", "personality"})));
    }

    void add_wall()
    {
        const Vec2 a = random.in_box(5.0), b = random.in_box(5.0);
        const auto level = static_cast<std::uint16_t>(random.below(2));
        walls.push_back({must(world.add_wall({{a, b}, WallKind::thin, level})), {a, b}, level});
    }

    void remove_wall()
    {
        if (walls.empty()) return;
        const std::size_t i = random.below(walls.size());
        must(world.remove_wall(walls[i].handle));
        walls.erase(walls.begin() + static_cast<std::ptrdiff_t>(i));
    }

    /// Whom each has observed in the coming step, by id.
    std::map<std::uint32_t, std::set<std::uint32_t>> expected()
    {
        const int step = static_cast<int>(world.step_index());
        std::map<std::uint32_t, std::set<std::uint32_t>> all;
        for (auto& [id, person] : people) {
            std::set<std::uint32_t>& avoided = all[id];
            const double forget_time = person.forget_time;
            std::erase_if(person.seen, [&](const auto& known) {
                return (step - known.second.second) * dt_ > forget_time + 1e-9;
            });
            for (const auto& [other, them] : people) {
                const bool is_felt = feels(person, them);
                if (other == id || !(sees(person, them) || is_felt)) continue;
                bool active = true;
                if (person.observation_time > 0.0) {
                    const auto known = person.seen.find(other);
                    if (known == person.seen.end()) {
                        person.seen[other] = {step, step};
                    } else {
                        known->second.second = step;
                    }
                    active = is_felt || (step - person.seen[other].first) * dt_ >
                                            person.observation_time + 1e-9;
                }
                if (active) avoided.insert(other);
            }
        }
        return all;
    }

    void step()
    {
        const StepReport report = world.step();
        EXPECT_FALSE(report.fault);
        EXPECT_EQ(report.crowded_sights, 0u);
        for (auto& [id, person] : people) face(person, must(world.agent(person.handle)).velocity);
    }

    struct OneWall {
        WallHandle handle;
        Segment segment;
        std::uint16_t level;
    };

    World world;
    SeededRandom random;
    std::map<std::uint32_t, Person> people;
    std::vector<OneWall> walls;
    std::optional<std::uint32_t> last_removed;

private:
    std::uint32_t anybody()
    {
        auto it = people.begin();
        std::advance(it, static_cast<std::ptrdiff_t>(random.below(people.size())));
        return it->first;
    }

    static void face(Person& person, Vec2 velocity)
    {
        if (person.field_of_view < 360.0 && std::hypot(velocity.x, velocity.y) > 0.05)
            person.heading = velocity;
    }

    /// As the step sees it: rounded to float.
    Vec2 place_of(const Person& person) const
    {
        const Vec2 p = must(world.agent(person.handle)).position;
        return {static_cast<float>(p.x), static_cast<float>(p.y)};
    }

    bool hidden(std::uint16_t level, Vec2 from, Vec2 to) const
    {
        return std::any_of(walls.begin(), walls.end(), [&](const OneWall& wall) {
            return wall.level == level && cross(wall.segment, {from, to});
        });
    }

    bool in_view(const Person& a, const Person& b) const
    {
        if (!(a.field_of_view < 360.0) || !a.heading) return true;
        const Vec2 between = place_of(b) - place_of(a);
        const double angle = std::acos(std::clamp(
            dot(*a.heading, between) /
                (std::hypot(a.heading->x, a.heading->y) * std::hypot(between.x, between.y)),
            -1.0, 1.0));
        return angle * 180.0 / 3.141592653589793 <= 0.5 * a.field_of_view;
    }

    /// Bodies of 0.2 m that touch, unless one looks at the wall between them.
    bool feels(const Person& a, const Person& b) const
    {
        // In float: those who press against each other are just as far apart as their radii.
        const Vec2 between = place_of(b) - place_of(a);
        const auto dx = static_cast<float>(between.x), dy = static_cast<float>(between.y);
        const float reach = 0.2f + 0.2f;
        return a.level == b.level && dx * dx + dy * dy < reach * reach &&
               (sees(a, b) || !in_view(a, b));
    }

    bool sees(const Person& a, const Person& b) const
    {
        if (a.level != b.level) return false;
        const Vec2 from = place_of(a), to = place_of(b), between = to - from;
        const double distance = std::hypot(between.x, between.y);
        if (distance > a.range || !in_view(a, b)) return false;
        if (a.sight == "through_walls" || !hidden(a.level, from, to)) return true;
        if (a.sight == "centre") return false;
        const Vec2 shoulder{-between.y / distance * 0.2f, between.x / distance * 0.2f};
        return !hidden(a.level, from, to + shoulder) || !hidden(a.level, from, to - shoulder);
    }

    double dt_;
};

TEST_F(Perception, whoever_touches_somebody_knows_it_without_looking)
{
    World world = make_world({.threads = 1});
    const std::vector<ParamValue> phone{{"observation_time", 2.5}, {"field_of_view_deg", 90}};
    const auto add = [&](double y) {
        return must(world.add(
            {.position = {0, y}, .velocity = {1, 0}, .goal = Vec2{100, 0}, .traits = phone}));
    };
    const AgentHandle a = add(0.0), b = add(0.45);  // side by side, each out of the other's view
    double closest = 1.0;
    for (int step = 0; step < 400; ++step) {
        must(world.step().fault ? Result<void>(Error{}) : Result<void>());
        const Vec2 between = must(world.agent(a)).position - must(world.agent(b)).position;
        closest = std::min(closest, std::hypot(between.x, between.y));
    }
    // They walk to one point, and met: shoulder to shoulder, not into each other.
    EXPECT_LT(closest, 0.41);
    EXPECT_GT(closest, 0.35);
}

TEST_F(Perception, agrees_with_an_oracle_that_looks_at_everybody_and_never_runs_out_of_memory)
{
    std::map<Notice, std::size_t> counts;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        OracleWorld scene(seed, seed % 2 == 0 ? 0.05 : 1.0 / 30.0);
        for (int i = 0; i < 9; ++i) scene.add();
        for (int i = 0; i < 4; ++i) scene.add_wall();
        for (int step = 0; step < 300; ++step) {
            SCOPED_TRACE("step " + std::to_string(step));
            if (step % 5 == 4) {
                switch (scene.random.below(8)) {
                    case 0:
                        // Not more than 16 names in any two seconds: a full memory is another test.
                        if (scene.people.size() < 10)
                            scene.add(scene.random.chance(0.5) ? scene.last_removed : std::nullopt);
                        scene.last_removed.reset();
                        break;
                    case 1:
                        if (scene.people.size() > 8) scene.remove();
                        break;
                    case 2: scene.teleport(); break;
                    case 3: scene.change_traits(); break;
                    case 4: scene.change_model(); break;
                    case 5: scene.add_wall(); break;
                    case 6: scene.remove_wall(); break;
                    default: break;
                }
            }
            const auto expected = scene.expected();
            for (const auto& [id, person] : scene.people) {
                // The nearest max_neighbours of those observed are avoided.
                std::set<std::uint32_t> observed;
                std::size_t avoided = 0;
                const Explanation why = must(scene.world.explain(person.handle));
                for (const Explanation::Neighbour& other : why.neighbours) {
                    ++counts[other.notice];
                    const bool is_avoided = other.notice == Notice::avoided;
                    if (!is_avoided && other.notice != Notice::observed) continue;
                    observed.insert(other.id);
                    const auto limit = static_cast<std::size_t>(person.max_neighbours);
                    if (person.is_limited()) {
                        ASSERT_EQ(is_avoided, avoided < limit) << "agent " << id;
                    }
                    avoided += is_avoided ? 1 : 0;
                }
                if (person.is_limited()) {
                    ASSERT_EQ(observed, expected.at(id)) << "agent " << id;
                } else {  // the search listed no more than are avoided
                    ASSERT_EQ(observed.size(),
                              std::min(expected.at(id).size(),
                                       static_cast<std::size_t>(person.max_neighbours)));
                }
            }
            scene.step();
        }
    }
    // All of it happened.
    for (const Notice notice : {Notice::avoided, Notice::observed, Notice::new_face,
                                Notice::out_of_view, Notice::behind_wall}) {
        EXPECT_GT(counts[notice], 1000u) << static_cast<int>(notice);
    }
}

// ------------------------------------------------------------------------------ crowded memories

/// A table of ten places that forgets whom it has no place for: what this engine must not do.
class PlainTable {
public:
    /// Ids in sight, nearest first; whether `id` is avoided.
    bool step(const std::vector<std::uint32_t>& in_sight, std::uint32_t id, int observation_steps)
    {
        std::map<std::uint32_t, int> next;
        for (std::size_t i = 0; i < std::min<std::size_t>(in_sight.size(), 10); ++i) {
            const auto known = seen_.find(in_sight[i]);
            next[in_sight[i]] = known == seen_.end() ? 0 : known->second + 1;
        }
        seen_ = next;
        const auto found = seen_.find(id);
        return found != seen_.end() && found->second > observation_steps;
    }

private:
    std::map<std::uint32_t, int> seen_;
};

TEST_F(Perception, somebody_long_seen_is_avoided_all_the_time_while_a_crowd_comes_and_goes)
{
    enum class Leaving { teleported, removed, hidden };
    for (const std::size_t size : {12u, 30u}) {
        for (const Leaving leaving : {Leaving::teleported, Leaving::removed, Leaving::hidden}) {
            SCOPED_TRACE(std::to_string(size) + " others, way of leaving " +
                         std::to_string(static_cast<int>(leaving)));
            World world = make_world({.dt = 0.1});
            const ProfileId profile = must(world.add_profile({"rcap",
                                                              {{"observation_time", 0.5},
                                                               {"neighbour_range", 20.0},
                                                               {"max_neighbours", 40.0}}}));
            const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
            must(world.add({.position = {0.0, 8.0}, .id = 1, .profile = profile}));
            PlainTable plain;
            std::vector<AgentHandle> crowd;
            std::vector<std::uint32_t> in_sight{1};
            std::uint64_t crowded = 0;
            bool plain_failed = false;
            const auto run = [&](int steps, bool known) {
                for (int i = 0; i < steps; ++i) {
                    if (known) {
                        EXPECT_TRUE(avoids(world, observer, 1)) << "step " << world.step_index();
                    }
                    plain_failed = !plain.step(in_sight, 1, 5) && known ? true : plain_failed;
                    crowded += world.step().crowded_sights;
                }
            };
            run(6, false);
            run(10, true);
            EXPECT_FALSE(plain_failed);
            for (std::uint32_t i = 0; i < size; ++i) {
                const double angle = 6.28 * i / static_cast<double>(size);
                crowd.push_back(
                    must(world.add({.position = {4.0 * std::cos(angle), 4.0 * std::sin(angle)},
                                    .id = 10 + i,
                                    .profile = profile})));
                in_sight.insert(in_sight.begin(), 10 + i);
            }
            run(20, true);
            std::optional<WallHandle> wall;
            for (std::size_t i = 0; i < crowd.size(); ++i) {
                if (leaving == Leaving::removed) must(world.remove(crowd[i]));
                if (leaving == Leaving::teleported)
                    must(world.teleport(crowd[i], {1000.0 + 2.0 * static_cast<double>(i), 0.0}));
                if (leaving == Leaving::hidden)
                    must(world.teleport(crowd[i], {-6.0 - static_cast<double>(i / 6),
                                                   static_cast<double>(i % 6) - 3.0}));
            }
            if (leaving == Leaving::hidden)
                wall = must(world.add_wall({{{-4.0, -9.0}, {-4.0, 9.0}}, WallKind::thin}));
            in_sight = {1};
            plain_failed = false;
            run(40, true);
            EXPECT_TRUE(plain_failed) << "the test would not notice a table that evicts";
            EXPECT_EQ(crowded > 0, size > 16);
        }
    }
}

TEST_F(Perception, a_crowd_that_fits_hides_no_new_face)
{
    // Fifteen in sight are all observed for the whole time; the report counts nobody.
    World world = make_world({.dt = 0.1});
    const ProfileId profile =
        must(world.add_profile({"rcap", {{"observation_time", 0.75}, {"max_neighbours", 20.0}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    for (std::uint32_t i = 1; i <= 15; ++i) {
        const double angle = 6.28 * i / 15.0;
        must(world.add({.position = {3.0 * std::cos(angle), 3.0 * std::sin(angle)},
                        .id = i,
                        .profile = profile}));
    }
    for (int step = 0; step < 12; ++step) {
        const auto all = notices(world, observer);
        ASSERT_EQ(all.size(), 15u);
        for (const auto& [id, notice] : all)
            EXPECT_EQ(notice, step >= 8 ? Notice::avoided : Notice::new_face) << id;
        EXPECT_EQ(world.step().crowded_sights, 0u);
    }
}

TEST_F(Perception, only_the_nearest_of_those_observed_are_avoided_and_the_cap_is_told)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile =
        must(world.add_profile({"rcap", {{"observation_time", 0.15}, {"max_neighbours", 3.0}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    for (std::uint32_t i = 1; i <= 5; ++i)
        must(world.add({.position = {0.8 * i, 0.0}, .id = i, .profile = profile}));
    EXPECT_FALSE(must(world.explain(observer)).neighbour_cap_hit);  // nobody is observed yet
    world.step();
    world.step();
    const Explanation why = must(world.explain(observer));
    EXPECT_TRUE(why.neighbour_cap_hit);
    ASSERT_EQ(why.neighbours.size(), 5u);
    for (std::uint32_t i = 0; i < 5; ++i) {
        EXPECT_EQ(why.neighbours[i].id, i + 1);
        EXPECT_NEAR(why.neighbours[i].distance, 0.8 * (i + 1), 1e-6);
        EXPECT_EQ(why.neighbours[i].notice, i < 3 ? Notice::avoided : Notice::observed);
    }
    // The others are not lost from memory.
    for (int step = 0; step < 40; ++step) world.step();
    EXPECT_EQ(notices(world, observer).at(5), Notice::observed);
}

TEST_F(Perception, those_behind_a_wall_take_nobodys_place_in_the_list)
{
    // 25 stand nearer, behind a wall; only three may be listed.
    World world = make_world({.dt = 0.1});
    const ProfileId profile = must(world.add_profile({"rcap", {{"max_neighbours", 3.0}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    must(world.add_wall({{{-0.5, -6.0}, {-0.5, 6.0}}, WallKind::thin}));
    for (std::uint32_t i = 0; i < 25; ++i)
        must(world.add({.position = {-0.8 - 0.45 * (i / 5), 0.45 * (i % 5) - 0.9}, .id = 10 + i}));
    must(world.add({.position = {4.5, 0.0}, .id = 1}));
    for (int step = 0; step < 12; ++step) world.step();
    EXPECT_TRUE(avoids(world, observer, 1));
    const auto all = notices(world, observer);
    EXPECT_EQ(std::count_if(all.begin(), all.end(),
                            [](const auto& it) { return it.second == Notice::behind_wall; }),
              25);
    EXPECT_FALSE(must(world.explain(observer)).neighbour_cap_hit);
}

// ------------------------------------------------------------------------- bodies, names, memory

TEST_F(Perception, at_120_steps_per_second_somebody_is_avoided_from_step_95_on)
{
    World world = make_world({.dt = 1.0 / 120.0});
    const ProfileId profile = must(world.add_profile({"rcap", {}}));  // 0.79 s
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    must(world.add({.position = {3.0, 0.0}, .id = 1, .profile = profile}));
    for (int step = 0; step < 110; ++step) {
        EXPECT_EQ(avoids(world, observer, 1), step >= 95) << step;
        world.step();
    }
}

TEST_F(Perception, disc_bodies_are_observed_first_unless_they_are_announced)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile = must(
        world.add_profile({"rcap", {{"observation_time", 0.5}, {"field_of_view_deg", 180.0}}}));
    const AgentHandle observer =
        must(world.add({.velocity = {1.0, 0.0}, .goal = Vec2{50.0, 0.0}, .profile = profile}));
    const AgentHandle neutral = must(world.add({.position = {0.0, 2.0}, .id = 9}));
    const BodyHandle quiet = must(world.add_body({.position = {4.0, 0.5}}));
    const BodyHandle ringing =
        must(world.add_body({.position = {4.0, -1.5}, .always_noticed = true}));
    const BodyHandle behind = must(world.add_body({.position = {-2.0, 0.0}}));
    const BodyHandle ringing_behind =
        must(world.add_body({.position = {-2.0, 2.0}, .always_noticed = true}));
    for (int step = 0; step < 10; ++step) {
        SCOPED_TRACE(step);
        EXPECT_EQ(avoids_body(world, observer, quiet), step > 5);
        EXPECT_TRUE(avoids_body(world, observer, ringing));
        EXPECT_FALSE(avoids_body(world, observer, behind));
        EXPECT_TRUE(avoids_body(world, observer, ringing_behind));
        for (const BodyHandle body : {quiet, ringing, behind, ringing_behind})
            EXPECT_TRUE(avoids_body(world, neutral, body));
        world.step();
    }
    // Another body in the same place of the table is another body.
    must(world.remove_body(quiet));
    const BodyHandle next = must(world.add_body({.position = {4.0, 0.5}}));
    ASSERT_EQ(next.index, quiet.index);
    EXPECT_FALSE(avoids_body(world, observer, next));
}

TEST_F(Perception, a_body_is_noticed_as_far_as_the_models_horizon_reaches)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile =
        must(world.add_profile({"rcap", {{"observation_time", 0.5}, {"time_horizon", 25.0}}}));
    const AgentHandle observer =
        must(world.add({.velocity = {1.0, 0.0}, .goal = Vec2{90.0, 0.0}, .profile = profile}));
    const BodyHandle far = must(world.add_body({.position = {40.0, 0.5}}));
    for (int step = 0; step < 10; ++step) {
        EXPECT_EQ(avoids_body(world, observer, far), step > 5) << step;
        world.step();
    }
}

TEST_F(Perception, a_namesake_is_a_new_face)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile = must(world.add_profile({"rcap", {{"observation_time", 0.5}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    const AgentHandle known =
        must(world.add({.position = {2.0, 0.0}, .id = 1, .profile = profile}));
    for (int step = 0; step < 10; ++step) world.step();
    EXPECT_TRUE(avoids(world, observer, 1));
    must(world.remove(known));
    must(world.add({.position = {2.0, 0.0}, .id = 1, .profile = profile}));
    EXPECT_EQ(notices(world, observer).at(1), Notice::new_face);
}

TEST_F(Perception, the_state_hash_tells_what_is_remembered)
{
    const auto run = [](bool hidden_at_first, bool announced) {
        World world = make_world({.dt = 0.1});
        const ProfileId profile = must(world.add_profile({"rcap", {}}));
        must(world.add({.profile = profile}));
        must(world.add({.position = {3.0, 0.0}, .profile = profile}));
        must(world.add_body({.position = {50.0, 50.0}, .always_noticed = announced}));
        std::optional<WallHandle> wall;
        if (hidden_at_first)
            wall = must(world.add_wall({{{1.5, -1.0}, {1.5, 1.0}}, WallKind::thin}));
        for (int step = 0; step < 3; ++step) world.step();
        if (wall) must(world.remove_wall(*wall));
        world.step();
        return world.state_hash();
    };
    EXPECT_EQ(run(false, false), run(false, false));
    EXPECT_NE(run(false, false), run(true, false));
    EXPECT_NE(run(false, false), run(false, true));
}

TEST_F(Perception, the_state_hash_tells_which_way_somebody_faces_who_stands)
{
    const auto run = [](Vec2 velocity) {
        World world = make_world();
        const AgentHandle agent = must(world.add({.traits = {{"field_of_view_deg", 90.0}}}));
        must(world.set_velocity(agent, velocity));
        must(world.set_velocity(agent, {}));
        return world.state_hash();
    };
    EXPECT_EQ(run({1.0, 0.0}), run({1.0, 0.0}));
    EXPECT_NE(run({1.0, 0.0}), run({0.0, 1.0}));
    EXPECT_EQ(run({0.04, 0.0}), run({0.0, 0.04}));  // too slow to tell
}

TEST_F(Perception, somebody_who_stands_looks_where_it_last_went)
{
    World world = make_world();
    const AgentHandle agent = must(world.add({.traits = {{"field_of_view_deg", 90.0}}}));
    must(world.add({.position = {2.0, 0.0}, .id = 1}));
    must(world.add({.position = {0.0, 2.0}, .id = 2}));
    EXPECT_TRUE(avoids(world, agent, 1) && avoids(world, agent, 2));  // no heading yet
    must(world.set_velocity(agent, {0.0, 0.5}));
    EXPECT_EQ(notices(world, agent).at(1), Notice::out_of_view);
    EXPECT_TRUE(avoids(world, agent, 2));
    for (int step = 0; step < 5; ++step) world.step();  // it stops: nowhere to go
    EXPECT_EQ(must(world.agent(agent)).velocity, (Vec2{}));
    EXPECT_EQ(notices(world, agent).at(1), Notice::out_of_view);
}

TEST_F(Perception, what_an_agent_keeps_does_not_depend_on_others)
{
    // Whether somebody out of reach looks ahead must not teach another which way it faces.
    const auto run = [](bool far_one_looks) {
        World world = make_world();
        const AgentHandle agent = must(world.add({.goal = Vec2{50.0, 0.0}}));
        const AgentHandle far_one = must(world.add({.position = {500.0, 0.0}}));
        if (far_one_looks) must(world.set_trait(far_one, "field_of_view_deg", 90.0));
        for (int step = 0; step < 5; ++step) world.step();
        must(world.clear_goal(agent));
        world.step();  // it stands again
        must(world.set_trait(far_one, "field_of_view_deg", 90.0));
        must(world.set_trait(agent, "field_of_view_deg", 90.0));
        return world.state_hash();
    };
    EXPECT_EQ(run(false), run(true));
}

TEST_F(Perception, explaining_changes_nothing_and_watching_tells_what_was_used)
{
    const auto run = [](bool looked_at) {
        OracleWorld scene(77, 0.05);
        for (int i = 0; i < 10; ++i) scene.add();
        for (int i = 0; i < 3; ++i) scene.add_wall();
        const AgentHandle watched = scene.people.begin()->second.handle;
        if (looked_at) must(scene.world.watch(watched));
        std::vector<std::uint64_t> hashes;
        for (int step = 0; step < 60; ++step) {
            std::optional<Explanation> before;
            for (const auto& [id, person] : scene.people) {
                if (!looked_at) break;
                const Explanation why = must(scene.world.explain(person.handle));
                if (person.handle == watched) before = why;
            }
            scene.world.step();
            hashes.push_back(scene.world.state_hash());
            if (!looked_at) continue;
            const Explanation* kept = scene.world.watched(watched);
            EXPECT_NE(kept, nullptr);
            EXPECT_EQ(kept->chosen_velocity, before->chosen_velocity);
            EXPECT_EQ(kept->neighbours.size(), before->neighbours.size());
            for (std::size_t i = 0; i < before->neighbours.size(); ++i)
                EXPECT_EQ(kept->neighbours[i].notice, before->neighbours[i].notice);
        }
        return hashes;
    };
    EXPECT_EQ(run(false), run(true));
}

// --------------------------------------------------------------------------------- whole crowds

/// As many real threads as asked for, whatever the machine has.
struct PlainThreads {
    std::uint32_t workers;
    Executor executor() { return {.workers = workers, .host = this, .run = run}; }

    static void run(void* host, std::uint32_t tasks,
                    void (*task)(void* data, std::uint32_t i, std::uint32_t worker), void* data)
    {
        std::atomic<std::uint32_t> next{0};
        std::vector<std::thread> threads;
        for (std::uint32_t worker = 0; worker < static_cast<PlainThreads*>(host)->workers;
             ++worker) {
            threads.emplace_back([&, worker] {
                for (std::uint32_t i = next++; i < tasks; i = next++) task(data, i, worker);
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
};

/// 1,100 people of all kinds among walls and bodies: three blocks of rows.
std::vector<std::uint64_t> crowd_hashes(WorldOptions options, bool backwards)
{
    World world = make_world(std::move(options));
    SeededRandom random(5);
    std::vector<ProfileId> profiles{0};
    for (const char* sight : {"centre", "body"}) {
        for (const double fov : {360.0, 120.0}) {
            profiles.push_back(
                must(world.add_profile({"rcap",
                                        {{"observation_time", 0.3},
                                         {"forget_time", 0.5},
                                         {"field_of_view_deg", fov},
                                         {"planning_radius", 0.25},
                                         {"sight", std::string(sight) == "centre" ? 1.0 : 2.0}}})));
        }
    }
    for (int i = 0; i < 40; ++i) {
        const Vec2 a = random.in_box(14.0);
        must(world.add_wall({{a, a + random.in_box(2.0)}, WallKind::thin}));
    }
    for (int i = 0; i < 4; ++i)
        must(world.add_body({.position = random.in_box(14.0), .velocity = random.in_box(1.0)}));
    std::vector<AgentSpec> specs;
    for (std::uint32_t i = 0; i < 1100; ++i) {
        specs.push_back({.position = random.in_box(14.0),
                         .velocity = random.in_box(1.0),
                         .goal = random.in_box(14.0),
                         .id = i * 2,
                         .profile = profiles[random.below(profiles.size())]});
    }
    if (backwards) std::reverse(specs.begin(), specs.end());
    must(world.add(specs));
    std::vector<std::uint64_t> hashes;
    std::uint64_t crowded = 0;
    for (int step = 0; step < 60; ++step) {
        crowded += world.step().crowded_sights;
        if (step % 10 == 9) hashes.push_back(world.state_hash());
    }
    hashes.push_back(crowded);
    return hashes;
}

TEST_F(Perception, threads_instruction_sets_and_order_change_no_bit)
{
    const auto expected = crowd_hashes({.threads = 1}, false);
    EXPECT_GT(expected.back(), 1000u);  // it is a crowd
    for (const std::uint32_t workers : {2u, 4u}) {
        PlainThreads threads{workers};
        EXPECT_EQ(crowd_hashes({.executor = threads.executor()}, false), expected) << workers;
    }
    for (const Isa isa : isas_under_test())
        EXPECT_EQ(crowd_hashes({.threads = 1, .isa = isa}, false), expected) << to_string(isa);
    EXPECT_EQ(crowd_hashes({.threads = 1}, true), expected);
}

TEST_F(Perception, a_memory_takes_132_bytes_of_each_agent_that_observes)
{
    constexpr std::size_t kAgents = 100'000;
    World world = make_world();
    const ProfileId profile = must(world.add_profile({"rcap", {}}));
    EXPECT_EQ(world.memory().sight, 0u);
    std::vector<AgentSpec> specs(kAgents);
    for (std::size_t i = 0; i < kAgents; ++i) {
        specs[i].position = {static_cast<double>(i % 400), static_cast<double>(i / 400)};
        specs[i].profile = profile;
    }
    const auto handles = must(world.add(specs));
    const double each = static_cast<double>(world.memory().sight) / kAgents;
    std::printf("sight: %.3f bytes per agent, %.1f in all\n", each,
                static_cast<double>(world.memory().total()) / kAgents);
    RecordProperty("sight_bytes_per_agent", std::to_string(each));
    EXPECT_LE(each, 132.01);  // 128 of a table, 4 of its place, and the rows of a last leaf
    EXPECT_GE(each, 132.0);

    // What is given back is used again.
    const std::size_t before = world.memory().sight;
    for (std::size_t i = 0; i < 1000; ++i) must(world.remove(handles[i]));
    for (std::size_t i = 0; i < 1000; ++i) must(world.add(specs[i]));
    EXPECT_LT(world.memory().sight - before, 4 * kAgents);  // rows grow, tables do not
}

TEST_F(Perception, who_observes_nobody_takes_no_memory)
{
    World world = make_world();
    const AgentHandle agent = must(world.add(AgentSpec{}));
    EXPECT_EQ(world.memory().sight, 0u);
    must(world.set_trait(agent, "observation_time", 0.5));
    EXPECT_GE(world.memory().sight, 128u);
}

}  // namespace
}  // namespace sidestep::test
