// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sidestep {

StateHash::StateHash()
{
    static_assert(sizeof(XXH3_state_t) <= sizeof(state_) && alignof(XXH3_state_t) <= 64);
    XXH3_64bits_reset(reinterpret_cast<XXH3_state_t*>(state_));
}

void StateHash::add_bytes(const void* data, std::size_t size)
{
    XXH3_64bits_update(reinterpret_cast<XXH3_state_t*>(state_), data, size);
}

std::uint64_t StateHash::digest() const
{
    return XXH3_64bits_digest(reinterpret_cast<const XXH3_state_t*>(state_));
}

}  // namespace sidestep
