// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/axis.hpp"

namespace sidestep {
namespace {

TEST(ReportText, markup_in_a_name_is_shown_and_not_obeyed)
{
    EXPECT_EQ(escape_html("<b a='1'>\"&\"</b>"),
              "&lt;b a=&#39;1&#39;&gt;&quot;&amp;&quot;&lt;/b&gt;");
    EXPECT_EQ(escape_json_script("{\"a\":\"</script><!--&\"}"),
              "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\"}");
}

TEST(ReportText, what_is_no_utf8_becomes_the_replacement_character)
{
    EXPECT_EQ(escape_html("Zürich 東"), "Zürich 東");
    EXPECT_EQ(escape_html("a\xff"
                          "b"),
              "a\xef\xbf\xbd"
              "b");
    EXPECT_EQ(escape_html("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");  // cut short
    EXPECT_EQ(escape_html("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");  // overlong
    EXPECT_EQ(escape_html(std::string("\0\x1b", 2)), "\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(escape_html("a\r\n\tb"), "a\n\tb");
}

TEST(ReportText, numbers_are_short_and_grouped)
{
    EXPECT_EQ(to_fixed(1234567.891, 1), "1,234,567.9");
    EXPECT_EQ(to_fixed(-0.004, 2), "0.00");
    EXPECT_EQ(to_fixed(NAN, 2), "–");
    EXPECT_EQ(to_short(0.0), "0");
    EXPECT_EQ(to_short(0.012345), "0.0123");
    EXPECT_EQ(to_short(12.30), "12.3");
    EXPECT_EQ(to_short(98765.4), "98,765");
    EXPECT_EQ(to_short(2.5e12), "2.5e+12");
    EXPECT_EQ(to_coordinate(12.04), "12");
    EXPECT_EQ(to_coordinate(-0.01), "0");
    EXPECT_EQ(count_of(1, "walker", "walkers"), "1 walker");
    EXPECT_EQ(count_of(25000, "walker", "walkers"), "25,000 walkers");
}

TEST(ReportText, base64_is_padded)
{
    EXPECT_EQ(to_base64(std::string_view("")), "");
    EXPECT_EQ(to_base64(std::string_view("M")), "TQ==");
    EXPECT_EQ(to_base64(std::string_view("Ma")), "TWE=");
    EXPECT_EQ(to_base64(std::string_view("Man")), "TWFu");
    EXPECT_EQ(to_base64(std::string_view("\xff\xfe\xfd")), "//79");
}

TEST(ReportAxis, ticks_are_round_and_few)
{
    const Axis axis = make_axis("time [s]", 0.0, 101.1, 6, AxisEnds::tight);
    EXPECT_EQ(axis.ticks, (std::vector<double>{0, 20, 40, 60, 80, 100}));
    EXPECT_EQ(axis.high, 101.1);
    EXPECT_EQ(axis.label(100.0), "100");
    const Axis people = make_axis("people", 0.0, 3.0, 5, AxisEnds::round, AxisValues::whole);
    EXPECT_EQ(people.ticks, (std::vector<double>{0, 1, 2, 3}));
    const Axis small = make_axis("x", 0.0, 0.3, 5);
    EXPECT_EQ(small.label(small.ticks[1]), "0.1");
}

TEST(ReportAxis, a_senseless_range_still_gives_an_axis)
{
    for (const auto& [low, high] : {std::pair{0.0, 0.0},
                                    {5.0, 5.0},
                                    {NAN, 1.0},
                                    {-HUGE_VAL, HUGE_VAL},
                                    {3.0, -3.0},
                                    {1e300, 1e300}}) {
        const Axis axis = make_axis("x", low, high, 5);
        EXPECT_LT(axis.low, axis.high);
        EXPECT_FALSE(axis.ticks.empty());
        EXPECT_LE(axis.ticks.size(), 8u);
    }
}

}  // namespace
}  // namespace sidestep
