// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <Random123/philox.h>

namespace sidestep {

std::uint64_t random_bits(const RandomKey& key)
{
    const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
    const auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); };
    const r123::Philox4x32::ctr_type counter{
        {low(key.subject), high(key.subject), key.use, key.turn}};
    const r123::Philox4x32::key_type seed{{low(key.seed), high(key.seed)}};
    const auto drawn = r123::Philox4x32{}(counter, seed);
    return (std::uint64_t{drawn[1]} << 32) | drawn[0];
}

double random_unit(const RandomKey& key)
{
    return static_cast<double>(random_bits(key) >> 11) * 0x1.0p-53;
}

}  // namespace sidestep
