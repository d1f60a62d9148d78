// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sidestep {

/// 64-bit XXH3 over a stream of values without padding.
class StateHash {
public:
    StateHash();

    template <class T>
    void add(const T& value)
    {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        add_bytes(&value, sizeof(T));
    }
    void add_bytes(const void* data, std::size_t size);
    std::uint64_t digest() const;

private:
    alignas(64) unsigned char state_[576];  ///< an XXH3_state_t, kept out of this header
};

}  // namespace sidestep
