// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sidestep::test {

/// The numbers a lane computed, whatever they mean; compared bit for bit.
using LaneValues = std::vector<float>;

/// Calls visit(name) once for each instruction set this machine runs and the test was compiled for.
template <class Visit>
void for_each_target(Visit&& visit)
{
    const std::int64_t all = hwy::SupportedTargets() & HWY_TARGETS;
    for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
        const std::int64_t target = rest & -rest;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        visit(hwy::TargetName(static_cast<std::uint32_t>(target)));
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// Number of the first value whose bits differ, or the number of values.
inline std::size_t first_difference(const LaneValues& a, const LaneValues& b)
{
    const std::size_t n = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < n; ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0) return i;
    }
    return n;
}

inline void expect_same_bits(const LaneValues& a, const LaneValues& b, std::size_t per_case)
{
    ASSERT_EQ(a.size(), b.size());
    const std::size_t i = first_difference(a, b);
    if (i < a.size())
        ADD_FAILURE() << "seed " << i / per_case << ", value " << i % per_case << ": " << a[i]
                      << " and " << b[i];
}

}  // namespace sidestep::test
