// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sidestep {

/// Random bits are a function of who asks for what, when: nothing is stored, and no order of calls
/// matters. The counter-based generator is Random123's Philox 4x32.
struct RandomKey {
    std::uint64_t seed = 0;
    std::uint64_t subject = 0;  ///< usually an agent's id
    std::uint32_t use = 0;      ///< one of kUse...
    std::uint32_t turn = 0;     ///< step index, attempt, hop
};

/// What a number is drawn for. Each gets its own, so that no two draws share bits.
enum RandomUse : std::uint32_t {
    kUseTrait = 0x1000,  ///< plus the number of the trait
    kUsePlacement = 1,
    kUsePreMovement,
    kUseWait,
    kUseDirection,
    kUseJitter,
    kUseLateral,
    kUseRoam,
    kUseSource,
    kUseChoice,
    kUseLattice,
    kUseProfile,
    kUseRole,
    kUseOrder,   ///< who goes first among equals
    kUseBackUp,  ///< who walks backwards
};

/// 64 random bits.
std::uint64_t random_bits(const RandomKey& key);
/// Uniform in [0, 1), 53 bits.
double random_unit(const RandomKey& key);

}  // namespace sidestep
