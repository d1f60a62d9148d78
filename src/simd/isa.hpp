// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <hwy/highway.h>

#include "sidestep/world.hpp"

namespace sidestep {

/// Highway's bit for one of our instruction sets; `scalar` is whatever plain-C++ target this
/// compiler gets.
constexpr std::int64_t target_of(Isa isa)
{
    switch (isa) {
#if HWY_ARCH_X86
        case Isa::sse4: return HWY_SSE4;
        case Isa::avx2: return HWY_AVX2;
        case Isa::avx3: return HWY_AVX3;
#endif
        default: return HWY_SCALAR | HWY_EMU128;
    }
}

/// Entry of a table made by HWY_EXPORT in the including translation unit. Kernels are picked once,
/// when a world is made, so that worlds of different instruction sets live side by side.
template <class Function, std::size_t N>
Function kernel_for(Function const (&table)[N], Isa isa)
{
    if constexpr (N == 1) {
        return table[0];  // built for a single target
    } else {
        hwy::ChosenTarget chosen;
        chosen.Update(target_of(isa));
        return table[chosen.GetIndex()];
    }
}

}  // namespace sidestep
