// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Who is avoided, in worlds where all sorts of things happen: against an oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/notices.hpp"
#include "support/sight_oracle.hpp"

namespace sidestep::test {
namespace {

class Perception : public WorldTest {};

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

}  // namespace
}  // namespace sidestep::test
