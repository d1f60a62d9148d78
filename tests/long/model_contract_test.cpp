// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// tests/property/model_contract_test.cpp in 1,000 worlds for each model.

#include <gtest/gtest.h>

#include "support/contract_worlds.hpp"

namespace sidestep::test {
namespace {

class ModelContractLong : public WorldTest {};

constexpr int kSteps = 100;

/// So few agents are one block: what is left is that nothing depends on who does it, and how many
/// could.
std::uint64_t hash_with_threads(const ContractCase& kind, std::uint64_t seed, std::uint32_t threads)
{
    PlainThreads pool(threads);
    ContractWorld contract(kind, seed, pool.executor());
    for (int step = 0; step < kSteps; ++step) contract.world().step();
    return contract.world().state_hash();
}

TEST_F(ModelContractLong, limits_and_walls_are_kept_in_a_thousand_worlds_of_each_model)
{
    std::uint64_t tame_steps = 0;
    int compared = 0;
    std::uint64_t seed = 1'000'000;
    for (const ModelInfo& model : models()) {
        for (int i = 0; i < 1'000; ++i, ++seed) {
            const ContractCase kind = random_case(model.name, seed);
            SCOPED_TRACE(kind.model + " " + kind.mode + ", seed " + std::to_string(seed));
            ContractWorld contract(kind, seed);
            ASSERT_GE(contract.world().size(), 2u);
            for (int step = 0; step < kSteps; ++step)
                ASSERT_EQ(contract.step(), "") << "in step " << step;
            if (i % 9 == 0) {  // 1,000 worlds in all
                ++compared;
                const std::uint64_t alone = contract.world().state_hash();
                for (const std::uint32_t threads : {2u, 4u})
                    ASSERT_EQ(hash_with_threads(kind, seed, threads), alone) << threads;
            }
            if (!contract.is_tame()) continue;
            EXPECT_EQ(contract.sum().acceleration_exceeded, 0u);
            tame_steps += contract.sum().agents;
        }
    }
    EXPECT_GT(tame_steps, 1'000'000u);
    EXPECT_GE(compared, 1'000);
    RecordProperty("agent_steps_of_tame_worlds", std::to_string(tame_steps));
}

}  // namespace
}  // namespace sidestep::test
