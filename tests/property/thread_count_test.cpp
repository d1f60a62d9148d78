// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The same bits for any number of threads, whoever is there.

#include <gtest/gtest.h>

#include "support/contract_worlds.hpp"
#include "support/mixed_world.hpp"

namespace sidestep::test {
namespace {

class ThreadCount : public WorldTest {};

// 2,000 agents of every model and mode are at least four blocks of 512, and each worker gets its
// own.
TEST_F(ThreadCount, changes_no_bit_of_a_crowd_of_every_model_and_mode)
{
    for (const SolidBodies solid : {SolidBodies::off, SolidBodies::on}) {
        std::vector<std::uint64_t> hashes;
        for (const std::uint32_t threads : {1u, 2u, 4u}) {
            PlainThreads pool(threads);
            MixedWorld mixed(
                3, 2'000, 30.0,
                {.solid_bodies = solid, .threads = threads, .executor = pool.executor()});
            for (int step = 0; step < 40; ++step) {
                mixed.edit(step);
                ASSERT_FALSE(mixed.world().step().fault);
            }
            hashes.push_back(mixed.world().state_hash());
            EXPECT_EQ(pool.most_started(), threads);
        }
        EXPECT_EQ(hashes[1], hashes[0]);
        EXPECT_EQ(hashes[2], hashes[0]);
    }
}

}  // namespace
}  // namespace sidestep::test
