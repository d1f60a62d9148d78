// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/overrides.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/scenario_texts.hpp"

namespace sidestep {
namespace {

using test::read_bad;
using test::read_good;
using test::value_of;
using testing::SizeIs;

constexpr std::string_view kSmall = R"(format = 1
[world]
seed = 1
[[agents]]
area = { box = [0, 0, 4, 4] }
count = 3
)";

TEST(Overrides, change_values_by_their_path)
{
    const Scenario s = read_good(kSmall, {{"world.seed", "7"},
                                          {"agents.0.count", "5"},
                                          {"agents.0.area.box", "[0, 0, 9, 9]"},
                                          {"agents.0.area.box.2", "10"}});
    EXPECT_EQ(s.world.seed, 7u);
    EXPECT_EQ(s.agents[0].count, 5u);
    EXPECT_THAT(s.agents[0].area[0].shell[2], (Vec2{10, 9}));
}

TEST(Overrides, have_short_forms)
{
    const Scenario s = read_good(kSmall, {{"seed", "7"}, {"agents", "9"}, {"duration", "1.5"}});
    EXPECT_EQ(s.world.seed, 7u);
    EXPECT_EQ(s.world.duration, 1.5);
    EXPECT_EQ(s.agents[0].count, 9u);
    const Scenario office =
        read_good("format = 1\n[layout]\nkind = \"office\"\n[[agents]]\narea = \"rooms\"\n",
                  {{"agents", "40"}});
    EXPECT_EQ(office.agents[0].count, 40u);
}

TEST(Overrides, make_tables_that_are_missing)
{
    const Scenario s = read_good(kSmall, {{"profiles.default.radius", "0.3"},
                                          {"expect.all_left", "true"},
                                          {"agents.0.profile", "default"}});
    EXPECT_EQ(value_of(s.profiles[0], "radius")->first, 0.3);
    EXPECT_EQ(s.expect.at(0).key, "all_left");
}

TEST(Overrides, take_bare_words_as_texts_and_quoted_parts_of_a_path_whole)
{
    const Scenario s = read_good(kSmall, {{"world.passing_side", "left"},
                                          {"name", "a name with blanks"},
                                          {"profiles.\"a.b\".radius", "0.3"}});
    EXPECT_EQ(s.world.passing_side, PassingSide::left);
    EXPECT_EQ(s.world.name, "a name with blanks");
    EXPECT_EQ(s.profiles.at(1).name, "a.b");
}

TEST(Overrides, are_noted_on_top_of_the_text)
{
    const Scenario s = read_good(kSmall, {{"world.seed", "7"}, {"agents.0.count", "5"}});
    EXPECT_EQ(s.text, "# --set world.seed=7\n# --set agents.0.count=5\n" + std::string(kSmall));
    EXPECT_EQ(read_good(kSmall).text, kSmall);
}

TEST(Overrides, name_themselves_in_problems)
{
    const Problems problems = read_bad(kSmall, {{"world.seed", "-7"}});
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].file, "--set world.seed=-7");
    EXPECT_EQ(problems[0].at, TextPlace{});
    EXPECT_EQ(to_text(problems[0]).find("error: --set world.seed=-7: seed must be"), 0u);
}

}  // namespace
}  // namespace sidestep
