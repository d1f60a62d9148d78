// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Worlds for tests. SIDESTEP_ISA=scalar|sse4|avx2|avx3 chooses the instruction set of all of them,
// so that a whole run of the tests can be repeated for each; without it worlds take the best there
// is.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep::test {

/// What SIDESTEP_ISA says; nothing where it is not set. Throws where it names no instruction set.
inline std::optional<Isa> isa_asked_for()
{
    const char* name = std::getenv("SIDESTEP_ISA");
    if (name == nullptr || *name == '\0') return std::nullopt;
    const auto isa = to_isa(name);
    if (!isa)
        throw std::runtime_error("SIDESTEP_ISA=" + std::string(name) + " names no instruction set");
    return isa == Isa::automatic ? std::nullopt : isa;
}

/// The instruction sets a test compares: all that run here, or the one asked for.
inline std::vector<Isa> isas_under_test()
{
    if (const auto isa = isa_asked_for()) return {*isa};
    return available_isas();
}

/// Base of test suites that make worlds: passes the whole suite over where the processor lacks what
/// SIDESTEP_ISA asks for.
class WorldTest : public ::testing::Test {
protected:
    void SetUp() override
    {
        const auto isa = isa_asked_for();
        const auto isas = available_isas();
        if (isa && std::find(isas.begin(), isas.end(), *isa) == isas.end()) {
            GTEST_SKIP() << "SIDESTEP_ISA asks for " << to_string(*isa)
                         << ", which is not in this build or not on this processor";
        }
    }
};

/// The value of a call that cannot fail here; throws with the message, which ends the test, where
/// it does.
template <class T>
T must(Result<T> result)
{
    if (!result) throw std::runtime_error("unexpected error: " + result.error().message);
    return *std::move(result);
}

inline void must(const Result<void>& result)
{
    if (!result) throw std::runtime_error("unexpected error: " + result.error().message);
}

/// A world with the instruction set under test, unless the options name one. Two threads unless
/// told otherwise.
inline World make_world(WorldOptions options = {})
{
    if (options.isa == Isa::automatic) options.isa = isa_asked_for().value_or(Isa::automatic);
    if (options.threads == 0) options.threads = 2;
    return must(World::create(std::move(options)));
}

}  // namespace sidestep::test
