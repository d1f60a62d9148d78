// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/studies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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

/// All studies, run once.
const std::vector<StudyResult>& results()
{
    static const std::vector<StudyResult> all = [] {
        std::vector<StudyResult> run;
        for (const StudyInfo& info : studies()) {
            const auto result = run_study(info.name);
            if (result) run.push_back(*result);
        }
        return run;
    }();
    return all;
}

TEST(Studies, agree_with_what_is_expected_of_them)
{
    std::set<std::string_view> names;
    EXPECT_EQ(results().size(), studies().size());
    for (const StudyResult& result : results()) {
        SCOPED_TRACE(result.info.name);
        EXPECT_TRUE(names.insert(result.info.name).second) << "named twice";
        EXPECT_FALSE(result.numbers.empty());
        for (const StudyNumber& n : result.numbers)
            EXPECT_TRUE(n.holds()) << n.what << ": expected " << n.expected << ", got " << n.ours;
        EXPECT_THAT(result.drawing, HasSubstr("<svg class=\"plot\""));
        EXPECT_THAT(result.drawing, Not(HasSubstr("nan")));
    }
    EXPECT_GE(names.size(), 10u);
    const std::string page = make_studies_page(results());
    EXPECT_THAT(page, HasSubstr("10 of 10 figures agree with what is expected"));
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

/// What is printed fails where the errata say so, and nowhere else.
TEST(Studies, show_the_printed_numbers_that_fail)
{
    std::set<std::string> failing;
    std::size_t printed = 0;
    for (const StudyResult& result : results()) {
        printed += result.printed();
        const std::size_t before = failing.size();
        for (const StudyNumber& n : result.numbers) {
            if (n.as_printed == false)
                failing.insert(std::string(result.info.name) + ": " + n.what);
        }
        EXPECT_EQ(result.not_as_printed(), failing.size() - before);
    }
    EXPECT_EQ(failing, (std::set<std::string>{
                           "ricks14-fig1: turning first against pi/2",
                           "ricks14-fig2: the same for a = 2, x",
                           "ricks14-fig4: within 0.05 s",
                           "ricks14-fig8: plateau radius at 2.0 rad",
                           "ricks14-fig8: plateaus at 2.08 rad",
                           "ricks14-fig9: mean |error| of the fit",
                           "ricks14-eq11: facing (3, 2)",
                           "ricks14-eq11: facing (1, 1.25)",
                           "ricks14-eq16: A*(3 m)",
                           "ricks14-eq16: A*(12 m)",
                       }));
    EXPECT_GT(printed, 30u);
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
