// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// tests/property/model_contract_test.cpp in 200 worlds for each model and mode.

#include <gtest/gtest.h>

#include "support/contract_worlds.hpp"

namespace sidestep::test {
namespace {

class ModelContractLong : public WorldTest {};

TEST_F(ModelContractLong, limits_and_walls_are_kept_in_thousands_of_random_worlds)
{
    const auto cases = contract_cases();
    std::uint64_t tame = 0;
    std::uint64_t exceeded = 0;
    for (std::uint64_t seed = 0; seed < 200 * cases.size(); ++seed) {
        const ContractCase& kind = cases[seed % cases.size()];
        SCOPED_TRACE(kind.model + " " + kind.mode + ", seed " + std::to_string(seed));
        ContractWorld contract(kind, seed);
        for (int step = 0; step < 100; ++step) ASSERT_EQ(contract.step(), "") << "in step " << step;
        if (!contract.is_tame()) continue;
        tame += contract.sum().agents;
        exceeded += contract.sum().acceleration_exceeded;
    }
    // Lines stand in for walls: in a wedge of two they can ask for more than the walls would.
    EXPECT_GT(tame, 1'000'000u);
    EXPECT_LE(exceeded, tame / 100'000);
    RecordProperty("agent_steps", std::to_string(tame));
    RecordProperty("acceleration_exceeded", std::to_string(exceeded));
}

}  // namespace
}  // namespace sidestep::test
