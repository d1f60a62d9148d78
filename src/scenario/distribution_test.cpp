// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sidestep {
namespace {

using Kind = Distribution::Kind;

constexpr std::size_t kDraws = 100000;
constexpr double kInf = std::numeric_limits<double>::infinity();

Distribution make(Kind kind, double first, double second, double low = -kInf, double high = kInf)
{
    Distribution d;
    d.kind = kind;
    d.first = first;
    d.second = second;
    d.low = low;
    d.high = high;
    return d;
}

Distribution make_choice(std::vector<double> values, std::vector<double> weights)
{
    Distribution d;
    d.kind = Kind::choice;
    d.values = std::move(values);
    d.weights = std::move(weights);
    return d;
}

std::vector<double> draw_many(const Distribution& d, std::uint64_t seed = 1)
{
    std::vector<double> values(kDraws);
    for (std::size_t i = 0; i < kDraws; ++i) {
        values[i] = draw(d, {.seed = seed, .subject = i, .use = kUseTrait});
    }
    return values;
}

/// Largest distance between the share of values below x and the cumulative distribution. 1.95 over
/// the root of the number of draws is exceeded by one seed in a thousand; seeds here are fixed.
template <class Cdf>
void expect_distribution(std::vector<double> values, Cdf cdf)
{
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double f = cdf(values[i]);
        worst = std::max({worst, std::fabs(f - static_cast<double>(i) / n),
                          std::fabs(f - static_cast<double>(i + 1) / n)});
    }
    EXPECT_LT(worst, 1.95 / std::sqrt(n));
}

double normal_cdf(double z)
{
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double mean_of(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values)
{
    const double mean = mean_of(values);
    double sum = 0.0;
    for (const double v : values) sum += (v - mean) * (v - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST(Distribution, draws_a_constant_as_it_is)
{
    EXPECT_EQ(draw(make(Kind::constant, 1.34, 0.0), {}), 1.34);
}

TEST(Distribution, draws_uniform_values_between_its_ends)
{
    const Distribution d = make(Kind::uniform, 2.0, 5.0);
    const std::vector<double> values = draw_many(d);
    expect_distribution(values, [](double x) { return (x - 2.0) / 3.0; });
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 2.0);
    EXPECT_LE(*std::max_element(values.begin(), values.end()), 5.0);
}

TEST(Distribution, draws_normal_values)
{
    const Distribution d = make(Kind::normal, 1.34, 0.26);
    const std::vector<double> values = draw_many(d);
    expect_distribution(values, [](double x) { return normal_cdf((x - 1.34) / 0.26); });
    EXPECT_NEAR(mean_of(values), 1.34, 4 * 0.26 / std::sqrt(kDraws));
    EXPECT_NEAR(deviation_of(values), 0.26, 4 * 0.26 / std::sqrt(2.0 * kDraws));
}

TEST(Distribution, draws_log_normal_values)
{
    const Distribution d = make(Kind::log_normal, 4.586, 0.967);
    expect_distribution(draw_many(d),
                        [](double x) { return normal_cdf((std::log(x) - 4.586) / 0.967); });
}

TEST(Distribution, draws_again_outside_the_cut_offs)
{
    const Distribution d = make(Kind::normal, 1.0, 1.0, 0.5, 1.25);
    const double below = normal_cdf(-0.5);
    const double inside = normal_cdf(0.25) - below;
    const std::vector<double> values = draw_many(d);
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.5);
    EXPECT_LE(*std::max_element(values.begin(), values.end()), 1.25);
    expect_distribution(values, [&](double x) { return (normal_cdf(x - 1.0) - below) / inside; });
}

TEST(Distribution, takes_the_nearest_cut_off_where_nothing_fits)
{
    const Distribution d = make(Kind::normal, 0.0, 0.001, 5.0, 6.0);
    EXPECT_EQ(draw(d, {.seed = 3}), 5.0);
}

TEST(Distribution, takes_choices_by_their_weights)
{
    const Distribution d = make_choice({1, 2, 3, 4}, {1, 0, 3, 0});
    std::size_t ones = 0;
    for (const double v : draw_many(d)) {
        ASSERT_TRUE(v == 1 || v == 3) << v;
        ones += v == 1 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(ones) / kDraws, 0.25, 4 * std::sqrt(0.1875 / kDraws));
}

TEST(Distribution, depends_on_seed_subject_and_use_alone)
{
    const Distribution d = make(Kind::normal, 0.0, 1.0);
    const RandomKey key{.seed = 5, .subject = 7, .use = kUseWait};
    EXPECT_EQ(draw(d, key), draw(d, key));
    EXPECT_NE(draw(d, key), draw(d, {.seed = 6, .subject = 7, .use = kUseWait}));
    EXPECT_NE(draw(d, key), draw(d, {.seed = 5, .subject = 8, .use = kUseWait}));
    EXPECT_NE(draw(d, key), draw(d, {.seed = 5, .subject = 7, .use = kUseTrait}));
}

TEST(Distribution, knows_its_smallest_and_largest_value)
{
    const Distribution uniform = make(Kind::uniform, 2.0, 5.0);
    EXPECT_EQ(smallest(uniform), 2.0);
    EXPECT_EQ(largest(uniform), 5.0);
    const Distribution normal = make(Kind::normal, 1.0, 1.0);
    EXPECT_EQ(smallest(normal), -kInf);
    EXPECT_EQ(largest(normal), kInf);
    const Distribution log_normal = make(Kind::log_normal, 1.0, 1.0, -kInf, 9.0);
    EXPECT_EQ(smallest(log_normal), 0.0);
    EXPECT_EQ(largest(log_normal), 9.0);
    const Distribution choice = make_choice({7, 2, 3}, {1, 0, 1});
    EXPECT_EQ(smallest(choice), 3.0);
    EXPECT_EQ(largest(choice), 7.0);
    EXPECT_EQ(smallest(make(Kind::constant, 4.0, 0.0)), 4.0);
}

TEST(Distribution, knows_which_part_of_its_draws_the_cut_offs_let_pass)
{
    // From tables of the normal distribution.
    EXPECT_NEAR(part_within(make(Kind::normal, 5, 2)), 1.0, 1e-9);
    EXPECT_NEAR(part_within(make(Kind::normal, 5, 2, 3, 7)), 0.682689, 1e-6);
    EXPECT_NEAR(part_within(make(Kind::normal, 0, 1, 2)), 0.022750, 1e-6);
    EXPECT_NEAR(part_within(make(Kind::normal, 1, 10, 1, 1.001)), 3.98942e-5, 1e-9);
    EXPECT_NEAR(part_within(make(Kind::normal, 100, 1, 0, 2)), 0.0, 1e-12);
    EXPECT_NEAR(part_within(make(Kind::log_normal, 0, 1, 1, std::exp(1.0))), 0.341345, 1e-6);
    EXPECT_NEAR(part_within(make(Kind::log_normal, 0, 1, -3, 1)), 0.5, 1e-9);
    EXPECT_EQ(part_within(make(Kind::normal, 1, 0, 1, 2)), 1.0);
    EXPECT_EQ(part_within(make(Kind::normal, 3, 0, 1, 2)), 0.0);
}

}  // namespace
}  // namespace sidestep
