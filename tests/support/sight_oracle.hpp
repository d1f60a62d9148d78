// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who is seen and has been observed for long enough: an oracle that looks at everybody and forgets
// nothing.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {

struct Segment {
    Vec2 a, b;
};

/// Whether two segments meet, by the parameters of the crossing. Not for parallel ones.
inline bool cross(const Segment& s, const Segment& t)
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

}  // namespace sidestep::test
