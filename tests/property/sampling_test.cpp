// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Sampled velocities in the float lanes of a step: the same bits however many lanes there are, and
// as good as those of double precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "property/sampling_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "constraints/cones-inl.hpp"
#include "property/cone_cases.hpp"
#include "property/lane_values.hpp"
#include "solvers/sampling-inl.hpp"
#include "solvers/sunflower.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

using test::ConeCase;
using test::LaneValues;

constexpr float kWeight = 1.5f;

/// Index, v, penalty, time to contact of each case; `walled` forbids all that goes to the left.
template <class D>
LaneValues sample_all(D d, const std::vector<ConeCase>& cases, bool walled)
{
    LaneValues out;
    for (const ConeCase& c : cases) {
        const auto f = [](double x) { return static_cast<float>(x); };
        std::vector<ApexDisc<float>> others;
        for (const MovingDisc& b : c.neighbours) {
            others.push_back({{f(b.position.x), f(b.position.y)},
                              f(c.agent.radius) + f(b.radius),
                              {0.5f * f(c.agent.velocity.x) + 0.5f * f(b.velocity.x),
                               0.5f * f(c.agent.velocity.y) + 0.5f * f(b.velocity.y)},
                              0.5f});
        }
        const SampleQuery<float> query{
            {f(c.target.x), f(c.target.y)},
            {f(c.agent.velocity.x), f(c.agent.velocity.y)},
            f(c.v_max),
            c.reach ? f(c.reach->radius) : std::numeric_limits<float>::infinity(),
            kWeight,
            sunflower()};
        // The wall in lane 2 of 4, as a step keeps it.
        float storage[Regions<float>::kColumns * 4] = {};
        const Regions<float> regions(storage, 4);
        regions.nx[0][2] = -1.0f;
        regions.c[1][2] = regions.c[2][2] = static_cast<float>(kNoBound);
        const auto best = least_penalty(
            d, query,
            [&](const Vec2<hn::Vec<D>>& v) HWY_ATTR {
                return first_contact_time(d, std::span<const ApexDisc<float>>(others), v);
            },
            [&](const Vec2<hn::Vec<D>>& v) HWY_ATTR {
                const auto wall = walled ? spread_region(d, regions, 0, 2) : empty_region(d);
                return inside_region(d, wall, v, hn::Zero(d));
            });
        const float time = std::min(best.contact_time, 1e30f);
        for (const float x :
             {f(static_cast<double>(best.index)), best.v.x, best.v.y, best.penalty, time}) {
            out.push_back(x + 0.0f);
        }
    }
    return out;
}

LaneValues sample_wide(const std::vector<ConeCase>& cases, bool walled)
{
    return sample_all(hn::CappedTag<float, 8>(), cases, walled);
}
LaneValues sample_one(const std::vector<ConeCase>& cases, bool walled)
{
    return sample_all(hn::CappedTag<float, 1>(), cases, walled);
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {
HWY_EXPORT(sample_wide);
HWY_EXPORT(sample_one);

namespace test {
namespace {

std::vector<ConeCase> sampled_cases()
{
    std::vector<ConeCase> list;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) list.push_back(random_cone_case(seed));
    return list;
}

TEST(Sampling, has_the_same_bits_for_every_instruction_set_and_lane_count)
{
    const std::vector<ConeCase> cases = sampled_cases();
    for (const bool walled : {false, true}) {
        const LaneValues expected = HWY_DYNAMIC_DISPATCH(sample_one)(cases, walled);
        for_each_target([&](const char* name) {
            SCOPED_TRACE(name);
            expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(sample_one)(cases, walled), 5);
            expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(sample_wide)(cases, walled), 5);
        });
    }
}

TEST(Sampling, in_float_is_as_good_as_in_double)
{
    const std::vector<ConeCase> cases = sampled_cases();
    const LaneValues floats = HWY_DYNAMIC_DISPATCH(sample_wide)(cases, false);
    std::size_t same = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE("seed " + std::to_string(i));
        const ConeCase& c = cases[i];
        std::optional<double> reach;
        if (c.reach) reach = c.reach->radius;
        const auto best = rvo_sample({.agent = c.agent,
                                      .neighbours = c.neighbours,
                                      .share = 0.5,
                                      .weight = 1.5,
                                      .samples = 250,
                                      .v_max = c.v_max,
                                      .preferred = c.target,
                                      .reach = reach});
        ASSERT_TRUE(best);
        same += floats[5 * i] == static_cast<float>(best->index);
        // Roundings of 6e-8 in penalties of up to 1500; a ray that just touches a disc may count
        // as contact in one of them and not in the other, which `same` forgives.
        if (floats[5 * i] == static_cast<float>(best->index)) {
            ASSERT_NEAR(floats[5 * i + 3], best->penalty, 1e-4 * std::max(1.0, best->penalty));
        }
    }
    std::printf("the same candidate in %zu of %zu\n", same, cases.size());
    EXPECT_GE(same, cases.size() * 99 / 100);
}

TEST(Sampling, takes_no_velocity_that_a_region_forbids)
{
    const std::vector<ConeCase> cases = sampled_cases();
    const LaneValues walled = HWY_DYNAMIC_DISPATCH(sample_wide)(cases, true);
    std::size_t gave_up = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool forbidden =
            walled[5 * i + 1] < 0.0f;  // then all were, and the present one stays
        gave_up += forbidden;
        if (forbidden) {
            EXPECT_EQ(walled[5 * i], 1.0f);
        }
    }
    std::printf("%zu of %zu had no candidate\n", gave_up, cases.size());
    EXPECT_LE(gave_up, cases.size() / 4);
}

}  // namespace
}  // namespace test
}  // namespace sidestep
#endif
