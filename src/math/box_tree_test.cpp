// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/box_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

constexpr std::size_t kLeafCounts[] = {0,  1,   2,   7,   8,    9,    63,   64,
                                       65, 511, 512, 513, 4095, 4096, 4097, 33'000};

BoxNode random_leaf(test::SeededRandom& random)
{
    if (random.chance(0.1)) return {};  // nobody there
    const Vec2 corner = random.in_box(100.0);
    const auto x = static_cast<float>(corner.x);
    const auto y = static_cast<float>(corner.y);
    const auto level = static_cast<std::uint16_t>(random.below(4));
    return {{x, y, x + static_cast<float>(random.uniform(0.0, 3.0)),
             y + static_cast<float>(random.uniform(0.0, 3.0))},
            static_cast<float>(random.uniform(0.0, 2.0)),
            level,
            level};
}

void fill(BoxTree& tree, std::size_t leaves, test::SeededRandom& random)
{
    ASSERT_TRUE(tree.reserve(leaves));
    tree.set_leaves(leaves);
    for (std::size_t i = 0; i < leaves; ++i) tree.set_leaf(i, random_leaf(random));
    tree.refit();
}

/// The leaves that a look at each of them finds.
template <class Wanted>
std::vector<std::size_t> wanted_leaves(const BoxTree& tree, Wanted&& wanted)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < tree.leaves(); ++i) {
        if (wanted(tree.leaf(i))) found.push_back(i);
    }
    return found;
}

template <class Wanted>
std::vector<std::size_t> walked_leaves(const BoxTree& tree, Wanted&& wanted)
{
    std::vector<std::size_t> found;
    tree.walk(wanted, [&](std::size_t leaf) { found.push_back(leaf); });
    return found;
}

TEST(BoxTree, a_walk_visits_exactly_the_wanted_leaves_in_order)
{
    BoxTree tree;
    std::size_t visited = 0;
    for (const std::size_t leaves : kLeafCounts) {
        SCOPED_TRACE(leaves);
        test::SeededRandom random(leaves);
        fill(tree, leaves, random);
        for (int query = 0; query < 40; ++query) {
            const Vec2 p = random.in_box(110.0);
            const auto x = static_cast<float>(p.x);
            const auto y = static_cast<float>(p.y);
            const auto reach = static_cast<float>(random.log_uniform(0.1, 100.0));
            const auto level = static_cast<std::uint16_t>(random.below(5));
            const auto wanted = [&](const BoxNode& node) {
                const float r = reach + node.max_radius;
                return node.min_level <= level && level <= node.max_level &&
                       dist_sq(node.box, Box{x, y, x, y}) <= r * r;
            };
            const auto found = walked_leaves(tree, wanted);
            ASSERT_EQ(found, wanted_leaves(tree, wanted)) << "query " << query;
            visited += found.size();
        }
    }
    EXPECT_GT(visited, 1000u);
}

TEST(BoxTree, a_walk_that_wants_everything_visits_every_leaf_once)
{
    BoxTree tree;
    for (const std::size_t leaves : kLeafCounts) {
        SCOPED_TRACE(leaves);
        test::SeededRandom random(leaves);
        fill(tree, leaves, random);
        const auto found = walked_leaves(tree, [](const BoxNode&) { return true; });
        ASSERT_EQ(found.size(), leaves);
        for (std::size_t i = 0; i < leaves; ++i) ASSERT_EQ(found[i], i);
    }
}

TEST(BoxTree, a_walk_asks_few_nodes_when_it_wants_one_leaf)
{
    BoxTree tree;
    ASSERT_TRUE(tree.reserve(4096));
    tree.set_leaves(4096);
    for (std::size_t i = 0; i < 4096; ++i) {
        const auto x = static_cast<float>(i);
        tree.set_leaf(i, {{x, 0.0f, x + 0.5f, 0.5f}, 0.0f, 0, 0});
    }
    tree.refit();
    std::size_t asked = 0;
    std::size_t visited = 0;
    tree.walk(
        [&](const BoxNode& node) {
            ++asked;
            return node.box.min_x <= 1234.25f && 1234.25f <= node.box.max_x;
        },
        [&](std::size_t leaf) {
            ++visited;
            EXPECT_EQ(leaf, 1234u);
        });
    EXPECT_EQ(visited, 1u);
    EXPECT_EQ(asked, 1u + 4u * 8u);  // the root, and the eight children of one node at each height
}

TEST(BoxTree, follows_leaves_that_move_once_it_is_refitted)
{
    BoxTree tree;
    test::SeededRandom random(5);
    fill(tree, 700, random);
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < 100; ++i) tree.set_leaf(random.below(700), random_leaf(random));
        tree.refit();
        const Vec2 p = random.in_box(100.0);
        const auto wanted = [&](const BoxNode& node) {
            const Box point{static_cast<float>(p.x), static_cast<float>(p.y),
                            static_cast<float>(p.x), static_cast<float>(p.y)};
            return dist_sq(node.box, point) <= 400.0f;
        };
        ASSERT_EQ(walked_leaves(tree, wanted), wanted_leaves(tree, wanted)) << "round " << round;
    }
}

TEST(BoxTree, an_empty_box_is_far_from_everything_and_finite)
{
    const Box far{-4000.0f, -4000.0f, 4000.0f, 4000.0f};
    EXPECT_GT(dist_sq(kEmptyBox, far), 1e30f);
    EXPECT_TRUE(std::isfinite(dist_sq(kEmptyBox, kEmptyBox)));
    EXPECT_EQ(dist_sq(far, merge(kEmptyBox, far)), 0.0f);
    EXPECT_EQ(merge(kEmptyBox, far).min_x, far.min_x);
}

TEST(BoxTree, boxes_that_touch_have_distance_zero)
{
    const Box a{0.0f, 0.0f, 1.0f, 1.0f};
    EXPECT_EQ(dist_sq(a, Box{1.0f, 1.0f, 2.0f, 2.0f}), 0.0f);
    EXPECT_EQ(dist_sq(a, Box{0.2f, 0.2f, 0.4f, 0.4f}), 0.0f);
    EXPECT_EQ(dist_sq(a, Box{4.0f, 5.0f, 6.0f, 7.0f}), 25.0f);
    EXPECT_EQ(dist_sq(Box{4.0f, 5.0f, 6.0f, 7.0f}, a), 25.0f);
}

}  // namespace
}  // namespace sidestep
