// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/studies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace sidestep {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

double number(const StudyResult& result, const std::string& what)
{
    for (const StudyNumber& n : result.numbers) {
        if (n.what == what) return n.ours;
    }
    ADD_FAILURE() << "no number '" << what << "'";
    return 0.0;
}

TEST(Studies, agree_with_what_is_expected_of_them)
{
    std::set<std::string_view> names;
    std::vector<StudyResult> results;
    for (const StudyInfo& info : studies()) {
        SCOPED_TRACE(info.name);
        EXPECT_TRUE(names.insert(info.name).second) << "named twice";
        const auto result = run_study(info.name);
        ASSERT_TRUE(result);
        EXPECT_FALSE(result->numbers.empty());
        for (const StudyNumber& n : result->numbers)
            EXPECT_TRUE(n.holds()) << n.what << ": expected " << n.expected << ", got " << n.ours;
        EXPECT_THAT(result->drawing, HasSubstr("<svg class=\"plot\""));
        EXPECT_THAT(result->drawing, Not(HasSubstr("nan")));
        results.push_back(*result);
    }
    EXPECT_GE(names.size(), 10u);
    const std::string page = make_studies_page(results);
    EXPECT_THAT(page, HasSubstr("10 of 10 figures agree"));
    EXPECT_THAT(page, Not(HasSubstr("differs")));
    EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

/// The losses of fixed thresholds on the paper's grid.
TEST(Studies, best_threshold_beats_fixed_ones_by_the_known_means)
{
    const auto result = run_study("ricks14-fig3");
    ASSERT_TRUE(result);
    EXPECT_NEAR(number(*result, "mean loss, threshold 0"), 1.048, 6e-4);
    EXPECT_NEAR(number(*result, "mean loss, threshold pi/2"), 0.032, 6e-4);
    EXPECT_NEAR(number(*result, "mean loss, threshold pi"), 0.099, 6e-4);
    EXPECT_EQ(number(*result, "unreachable, best threshold"), 0.0);
}

TEST(Studies, do_not_know_a_figure_that_is_not_there)
{
    const auto result = run_study("ricks14-fig6");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unknown_name);
}

TEST(Studies, a_number_that_is_none_does_not_hold)
{
    StudyNumber n{"x", "", "", 1.0, std::nan(""), 0.5, 3};
    EXPECT_FALSE(n.holds());
    n.ours = 1.4;
    EXPECT_TRUE(n.holds());
    n.ours = 1.6;
    EXPECT_FALSE(n.holds());
}

}  // namespace
}  // namespace sidestep
