// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sidestep {

/// For each mask of eight lanes the numbers of those that are set, lowest first, four bits each.
inline constexpr std::array<std::uint32_t, 256> kPackedLanes = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t bits = 0; bits < 256; ++bits) {
        std::uint32_t places = 0;
        for (std::uint32_t lane = 0; lane < 8; ++lane) {
            if ((bits >> lane & 1u) == 0) continue;
            table[bits] |= lane << places;
            places += 4;
        }
    }
    return table;
}();

struct PackedBytes {
    alignas(16) std::uint8_t order[16][16];
    constexpr const std::uint8_t* operator[](std::size_t bits) const { return order[bits]; }
};

/// The same for each mask of four lanes of four bytes, as the order of the bytes.
inline constexpr PackedBytes kPackedBytes = [] {
    PackedBytes table{};
    for (std::size_t bits = 0; bits < 16; ++bits) {
        std::size_t place = 0;
        for (std::size_t lane = 0; lane < 4; ++lane) {
            if ((bits >> lane & 1u) == 0) continue;
            for (std::size_t byte = 0; byte < 4; ++byte)
                table.order[bits][4 * place + byte] = static_cast<std::uint8_t>(4 * lane + byte);
            ++place;
        }
    }
    return table;
}();

}  // namespace sidestep
