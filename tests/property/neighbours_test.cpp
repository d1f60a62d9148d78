// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Neighbour search against its brute-force twin, in worlds made to be nasty: equal positions and
// distances, positions on the borders of the cells that rows are sorted by, ranges that end exactly
// on somebody, small numbers far from the origin, several levels and models, rows that hold nobody
// and rows that nobody has sorted yet.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "neighbours/neighbours.hpp"
#include "support/agent_tables.hpp"
#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

constexpr std::uint64_t kWorlds = 1000;

/// How often each kind of trouble was in the worlds, so that none is missing by accident.
struct Seen {
    std::size_t neighbours = 0, equal_positions = 0, ties = 0, cap_hits = 0, overlaps = 0,
                at_exact_range = 0;
    std::size_t far_out = 0, dead_rows = 0, unsorted_rows = 0, levels = 0, models = 0;
    std::size_t smallest = 1000000, largest = 0;
    std::map<float, std::size_t> caps;
};

struct Case {
    std::unique_ptr<TestTable> table;
    bool is_sorted = false;
};

/// A place drawn in one of several ways, all of which meet in one world.
class Places {
public:
    Places(SeededRandom& random, std::size_t count) : random_(random)
    {
        const double density = random.log_uniform(0.02, 60.0);  // [1/m2]
        half_side_ = std::min(0.5 * std::sqrt(static_cast<double>(count) / density), 60.0);
        if (random.chance(0.03)) half_side_ = 0.0;  // all in one place
        // Everything within 4 km of the origin, often close to the rim of that.
        const double far = random.one_of({0.0, 0.0, 10.0, 700.0, 3900.0 - half_side_});
        centre_ = {random.one_of({-far, 0.0, far}), random.one_of({-far, far})};
        lattice_ = random.one_of({0.125, 0.125, 0.5, 1.0});
        style_ = random.below(5);
    }

    Vec2 next()
    {
        Vec2 p = centre_ + random_.in_box(half_side_);
        switch (style_ == 4 ? random_.below(4) : style_) {
            case 0: break;
            case 1: p = on_lattice(p); break;
            case 2: p = beside_lattice(p); break;
            case 3:
                if (!made_.empty() && random_.chance(0.6)) p = made_[random_.below(made_.size())];
                break;
            default: break;
        }
        made_.push_back(p);
        return p;
    }
    bool far_out() const { return std::abs(centre_.x) + std::abs(centre_.y) > 3000.0; }

private:
    Vec2 on_lattice(Vec2 p) const
    {
        return {std::round(p.x / lattice_) * lattice_, std::round(p.y / lattice_) * lattice_};
    }
    /// The float before or after a border of cells.
    Vec2 beside_lattice(Vec2 p)
    {
        const Vec2 q = on_lattice(p);
        const auto beside = [&](double a) {
            const float side = random_.chance(0.5) ? -1e9f : 1e9f;
            return static_cast<double>(std::nextafter(static_cast<float>(a), side));
        };
        return {beside(q.x), random_.chance(0.5) ? beside(q.y) : q.y};
    }

    SeededRandom& random_;
    std::vector<Vec2> made_;
    Vec2 centre_;
    double half_side_ = 0.0;
    double lattice_ = 0.125;
    std::size_t style_ = 0;
};

Case random_table(std::uint64_t seed, Seen& seen)
{
    SeededRandom random(seed);
    const std::size_t count = seed == 0 ? 2
                              : seed == 1
                                  ? 2000
                                  : static_cast<std::size_t>(random.log_uniform(2.0, 2001.0));
    const std::size_t profiles = 1 + random.below(6);
    Case made{std::make_unique<TestTable>(count, 64, profiles)};
    TestTable& table = *made.table;
    for (std::size_t i = 0; i < profiles; ++i) {
        const float radius = random.one_of({0.01f, 0.2f, 0.2f, 0.35f, 0.5f, 4.0f, 50.0f});
        table.add_profile(static_cast<std::uint8_t>(random.below(2)), radius,
                          random.one_of({0.0f, 0.0f, 0.6f}),
                          random.one_of({0.0f, 0.125f, 1.0f, 1.0f, 5.0f, 5.0f, 20.0f, 500.0f}),
                          random.one_of({0.0f, 1.0f, 1.0f, 10.0f, 10.0f, 10.0f, 10.0f, 256.0f}));
    }
    Places places(random, count);
    const std::size_t levels = random.one_of({1u, 1u, 2u, 4u});
    const std::uint16_t level_of[] = {0, 1, 17, 65534};
    const std::size_t before_sort =
        random.chance(0.3) ? count : count - random.below(1 + count / 4);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec2 p = places.next();
        // Ids in no order of rows, each once.
        table.add({.id = static_cast<std::uint32_t>((i * 2654435761u) ^ 0x5bd1e995u),
                   .x = static_cast<float>(p.x) + 0.0f,
                   .y = static_cast<float>(p.y) + 0.0f,
                   .level = level_of[random.below(levels)],
                   .profile = static_cast<ProfileId>(random.below(profiles))});
        if (i + 1 == before_sort) sort_rows(table.agents, table.sort);
    }
    if (random.chance(0.3)) {  // values of their own
        for (std::size_t i = 0; i < count; ++i) {
            if (random.chance(0.2))
                table.set(i, kMaxNeighbours, random.one_of({0.0f, 1.0f, 3.0f, 256.0f}));
            if (random.chance(0.2))
                table.set(i, kNeighbourRange, random.one_of({0.0f, 2.0f, 8.0f}));
            if (random.chance(0.2)) table.set(i, kRadius, random.one_of({0.05f, 0.3f, 1.0f}));
        }
    }
    if (random.chance(0.5)) {
        for (std::size_t i = 0; i < count; ++i) {
            if (random.chance(0.15)) table.remove(i);
        }
    }
    made.is_sorted = table.agents.unsorted_edits == 0;
    seen.far_out += places.far_out() ? 1 : 0;
    seen.dead_rows += table.agents.live < count ? 1 : 0;
    seen.unsorted_rows += made.is_sorted ? 0 : 1;
    seen.levels += levels > 1 ? 1 : 0;
    seen.smallest = std::min(seen.smallest, count);
    seen.largest = std::max(seen.largest, count);
    return made;
}

/// One agent's answer, in words that do not depend on rows.
struct Answer {
    std::vector<std::uint32_t> ids;
    std::vector<std::uint32_t> distance_bits;
    bool cap_hit = false;
    bool operator==(const Answer&) const = default;
};

struct Answers {
    std::map<std::uint32_t, Answer> of;
    std::uint64_t overlaps = 0;
    float deepest_overlap = 0.0f;
    bool operator==(const Answers&) const = default;
};

void add_answers(const TestTable& table, std::size_t leaf, const NeighbourLists& lists,
                 Answers& answers)
{
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!table.agents.holds(row)) continue;
        Answer& answer = answers.of[table.agents.record[row].id];
        answer.cap_hit = lists.cap_hit[lane];
        for (std::size_t i = 0; i < lists.count[lane]; ++i) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &lists.dist_sq[lane][i], sizeof bits);
            answer.ids.push_back(table.agents.record[lists.row[lane][i]].id);
            answer.distance_bits.push_back(bits);
        }
    }
    answers.overlaps += lists.overlaps;
    answers.deepest_overlap = std::max(answers.deepest_overlap, lists.deepest_overlap);
}

/// What differs, in words; empty where nothing does.
std::string difference(const NeighbourLists& lists, const NeighbourLists& twin)
{
    if (lists.overlaps != twin.overlaps) return "overlaps";
    if (lists.deepest_overlap != twin.deepest_overlap) return "deepest overlap";
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if (lists.count[lane] != twin.count[lane]) return "count of lane " + std::to_string(lane);
        if (lists.cap_hit[lane] != twin.cap_hit[lane])
            return "cap_hit of lane " + std::to_string(lane);
        const std::uint32_t count = lists.count[lane];
        if (!std::equal(lists.row[lane], lists.row[lane] + count, twin.row[lane]))
            return "rows of lane " + std::to_string(lane);
        if (!std::equal(lists.dist_sq[lane], lists.dist_sq[lane] + count, twin.dist_sq[lane])) {
            return "distances of lane " + std::to_string(lane);
        }
    }
    return {};
}

void note(const TestTable& table, std::size_t leaf, const NeighbourLists& lists, Seen& seen)
{
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!table.agents.holds(row)) continue;
        const float range = param_of(table.agents, table.profiles, row, kNeighbourRange);
        ++seen.caps[param_of(table.agents, table.profiles, row, kMaxNeighbours)];
        seen.cap_hits += lists.cap_hit[lane] ? 1 : 0;
        seen.neighbours += lists.count[lane];
        for (std::size_t i = 0; i < lists.count[lane]; ++i) {
            const float d = lists.dist_sq[lane][i];
            seen.equal_positions += d == 0.0f ? 1 : 0;
            seen.ties += i > 0 && d == lists.dist_sq[lane][i - 1] ? 1 : 0;
            seen.at_exact_range += range > 0.0f && d == range * range ? 1 : 0;
            const std::uint8_t other = table.agents.leaf_model[lists.row[lane][i] / kLeafRows];
            seen.models += other != table.agents.leaf_model[leaf] ? 1 : 0;
        }
    }
    seen.overlaps += lists.overlaps;
}

class Neighbours : public WorldTest {};

TEST_F(Neighbours, are_those_that_brute_force_finds_in_1000_random_worlds)
{
    Seen seen;
    const std::vector<Isa> isas = isas_under_test();
    const auto twin = std::make_unique<NeighbourLists>();
    for (std::uint64_t seed = 0; seed < kWorlds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Case made = random_table(seed, seen);
        TestTable& table = *made.table;
        table.refit();
        Answers answers;
        for (std::size_t leaf = 0; leaf < table.agents.leaves(); ++leaf) {
            find_neighbours_brute_force(table.input(), leaf, *twin);
            add_answers(table, leaf, *twin, answers);
            note(table, leaf, *twin, seen);
            for (const Isa isa : isas) {
                find_neighbours_for(isa)(table.input(), leaf, table.scratch);
                ASSERT_EQ(difference(table.scratch.lists, *twin), "")
                    << to_string(isa) << ", leaf " << leaf;
            }
        }

        // The same after a sort; one instruction set at a time will do.
        sort_rows(table.agents, table.sort);
        table.refit();
        const Isa isa = isas[seed % isas.size()];
        Answers sorted;
        for (std::size_t leaf = 0; leaf < table.agents.leaves(); ++leaf) {
            find_neighbours_for(isa)(table.input(), leaf, table.scratch);
            add_answers(table, leaf, table.scratch.lists, sorted);
        }
        ASSERT_EQ(sorted, answers) << "a sort changed the answer, " << to_string(isa);
    }
    EXPECT_EQ(seen.smallest, 2u);
    EXPECT_EQ(seen.largest, 2000u);
    EXPECT_GT(seen.neighbours, 1'000'000u);
    EXPECT_GT(seen.equal_positions, 10'000u);
    EXPECT_GT(seen.ties, 10'000u);
    EXPECT_GT(seen.at_exact_range, 1'000u);
    EXPECT_GT(seen.cap_hits, 10'000u);
    EXPECT_GT(seen.overlaps, 10'000u);
    EXPECT_GT(seen.models, 10'000u);
    for (const float cap : {0.0f, 1.0f, 10.0f, 256.0f})
        EXPECT_GT(seen.caps[cap], 10'000u) << "cap " << cap;
    for (const std::size_t worlds : {seen.far_out, seen.dead_rows, seen.unsorted_rows, seen.levels})
        EXPECT_GT(worlds, 100u);
}

TEST_F(Neighbours, are_the_nearest_by_double_distances_of_100000_agents)
{
    // A squared distance takes three operations on two differences, each rounded by 6e-8. Those
    // below the smallest floats are all zero.
    constexpr double kRounding = 3e-7, kSmallest = 1e-37;
    Seen seen;
    std::size_t agents = 0, listed = 0;
    const FindNeighbours find = find_neighbours_for(isas_under_test().back());
    for (std::uint64_t seed = 5000; agents < 100000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Case made = random_table(seed, seen);
        TestTable& table = *made.table;
        table.refit();
        const auto distance_sq = [&](std::size_t a, std::size_t b) {
            const double dx = double{table.agents.x[a]} - double{table.agents.x[b]};
            const double dy = double{table.agents.y[a]} - double{table.agents.y[b]};
            return dx * dx + dy * dy;
        };
        for (std::size_t leaf = 0; leaf < table.agents.leaves(); ++leaf) {
            find(table.input(), leaf, table.scratch);
            const NeighbourLists& lists = table.scratch.lists;
            for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
                const std::size_t row = leaf * kLeafRows + lane;
                if (!table.agents.holds(row)) continue;
                ++agents;
                const double range = param_of(table.agents, table.profiles, row, kNeighbourRange);
                const std::uint32_t count = lists.count[lane];
                double last = 0.0;
                for (std::size_t i = 0; i < count; ++i, ++listed) {
                    const double d = distance_sq(row, lists.row[lane][i]);
                    ASSERT_GE(d, last * (1.0 - kRounding) - kSmallest);
                    last = std::max(last, d);
                }
                ASSERT_LE(last, range * range * (1.0 + kRounding) + kSmallest);
                if (lists.cap_hit[lane] && count == 0) continue;
                // Nobody who is clearly nearer than the last, or clearly in range, is missing.
                const double missing = lists.cap_hit[lane] ? last : range * range;
                std::size_t nearer = 0;
                for (std::size_t other = 0; other < table.agents.rows(); ++other) {
                    const bool is_other =
                        other != row && table.agents.holds(other) &&
                        table.agents.leaf_level[other / kLeafRows] == table.agents.leaf_level[leaf];
                    nearer += is_other &&
                              distance_sq(row, other) < missing * (1.0 - kRounding) - kSmallest;
                }
                ASSERT_LE(nearer, lists.cap_hit[lane] ? count - 1 : count);  // the last is not
            }
        }
    }
    EXPECT_GT(listed, 100000u);
}

TEST_F(Neighbours, the_brute_force_twin_keeps_to_the_definition)
{
    // The twin is the oracle of everything above, so it is held to an answer written down by hand.
    TestTable table(8, 8, 3);
    table.add_profile(0, 0.5f, 0.0f, 2.0f, 3.0f);   // sees 2 m, lists 3
    table.add_profile(1, 0.5f, 0.0f, 2.0f, 10.0f);  // another model
    table.add_profile(0, 0.5f, 0.0f, 2.0f, 0.0f);   // lists nobody
    table.add({.id = 50, .x = 0.0f, .y = 0.0f});
    table.add({.id = 9, .x = 1.0f, .y = 0.0f});
    table.add({.id = 8, .x = -1.0f, .y = 0.0f, .profile = 1});
    table.add({.id = 7, .x = 0.0f, .y = 2.0f});              // exactly at the range
    table.add({.id = 6, .x = 0.0f, .y = 2.0001f});           // beyond it
    table.add({.id = 5, .x = 0.0f, .y = 0.1f, .level = 1});  // on another level
    table.add({.id = 4, .x = 0.25f, .y = 0.0f, .profile = 2});
    table.refit();
    Answers answers;
    const auto lists = std::make_unique<NeighbourLists>();
    for (std::size_t leaf = 0; leaf < table.agents.leaves(); ++leaf) {
        find_neighbours_brute_force(table.input(), leaf, *lists);
        add_answers(table, leaf, *lists, answers);
    }
    EXPECT_EQ(answers.of[50].ids,
              (std::vector<std::uint32_t>{4, 8, 9}));  // 8 and 9 are equally far
    EXPECT_TRUE(answers.of[50].cap_hit);               // 7 did not fit
    EXPECT_EQ(answers.of[8].ids, (std::vector<std::uint32_t>{50, 4, 9}));
    EXPECT_FALSE(answers.of[8].cap_hit);
    EXPECT_EQ(answers.of[4].ids, (std::vector<std::uint32_t>{}));
    EXPECT_TRUE(answers.of[4].cap_hit);
    EXPECT_EQ(answers.of[5].ids, (std::vector<std::uint32_t>{}));
    EXPECT_FALSE(answers.of[5].cap_hit);
    // 50-4 (0.75 m deep) and 9-4 (0.25 m); 50-9 and 50-8 only touch, and 6-7 are 0.9999 m deep.
    EXPECT_EQ(answers.overlaps, 3u);
    EXPECT_FLOAT_EQ(answers.deepest_overlap, 1.0f - 0.0001f);
}

}  // namespace
}  // namespace sidestep::test
