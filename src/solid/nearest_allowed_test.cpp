// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solid/nearest_allowed.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep::test {
namespace {

double worst(const std::vector<SpeedLine>& lines, const Spot& v)
{
    double most = -1e30;
    for (const SpeedLine& line : lines) most = std::max(most, dot(v, line.towards) - line.most);
    return most;
}

/// Adds what is broken most until nothing is.
Spot nearest(const std::vector<SpeedLine>& lines, const Spot& wanted)
{
    NearestAllowed allowed(wanted);
    while (allowed.count() < NearestAllowed::kMost) {
        const SpeedLine* broken = nullptr;
        double by = 1e-9;
        for (const SpeedLine& line : lines) {
            const double excess = dot(allowed.answer(), line.towards) - line.most;
            if (excess > by) {
                broken = &line;
                by = excess;
            }
        }
        if (broken == nullptr) break;
        allowed.add(*broken);
    }
    return allowed.answer();
}

TEST(NearestAllowed, slides_along_one_line)
{
    NearestAllowed allowed({1.0, 1.0});
    allowed.add({{1.0, 0.0}, 0.25});
    EXPECT_EQ(allowed.answer().x, 0.25);
    EXPECT_EQ(allowed.answer().y, 1.0);
}

TEST(NearestAllowed, stands_between_two_that_face_each_other_in_a_corner)
{
    const std::vector<SpeedLine> lines{{{1.0, 0.0}, 0.0}, {{0.0, 1.0}, 0.0}, {{-1.0, 0.0}, 0.0}};
    const Spot v = nearest(lines, {0.5, 1.0});
    EXPECT_EQ(v.x, 0.0);
    EXPECT_EQ(v.y, 0.0);
}

TEST(NearestAllowed, is_not_beaten_by_sampling)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        std::vector<SpeedLine> lines;
        for (std::size_t i = 1 + random.below(10); i > 0; --i) {
            const Vec2 n = random.direction();
            lines.push_back({{n.x, n.y}, random.chance(0.3) ? 0.0 : random.uniform(0.0, 1.0)});
        }
        const Vec2 w = random.in_disc(2.0);
        const Spot wanted{w.x, w.y};
        const Spot v = nearest(lines, wanted);
        EXPECT_LE(worst(lines, v), 1e-9);
        EXPECT_LE(length(v), length(wanted) + 1e-9);
        for (int i = 0; i < 2000; ++i) {
            const Vec2 s = random.in_disc(2.0);
            const Spot sample{s.x, s.y};
            if (worst(lines, sample) > 0.0) continue;
            EXPECT_GE(length(sample - wanted), length(v - wanted) - 1e-9);
        }
    }
}

}  // namespace
}  // namespace sidestep::test
