// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <regex>

#include "report/label_places.hpp"
#include "report/velocity_shapes.hpp"
#include "sidestep/report.hpp"

namespace sidestep {
namespace {

using Source = Explanation::Source;

/// A cone that opens to the right from (at, 0) with legs at 45 degrees, cut where it is 2 `eta`
/// wide.
Explanation::Cone cone_to_the_right(double at, double eta, std::uint32_t id = 7)
{
    const double c = std::sqrt(0.5);
    return {.left_start = {at + eta, eta},
            .left_direction = {c, c},
            .right_start = {at + eta, -eta},
            .right_direction = {c, -c},
            .source_id = id};
}

double area(const std::vector<Vec2>& polygon)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < polygon.size(); ++i)
        sum += det(polygon[i], polygon[(i + 1) % polygon.size()]);
    return std::fabs(0.5 * sum);
}

Explanation simple()
{
    Explanation e;
    e.id = 3;
    e.velocity = {1.0, 0.0};
    e.preferred_velocity = {1.3, 0.0};
    e.chosen_velocity = {0.4, -0.6};
    e.max_speed = 2.0;
    e.reason = "because";
    e.cones = {cone_to_the_right(0.3, 0.2)};
    return e;
}

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

TEST(VelocityShapes, a_cone_is_cut_at_its_segment_and_at_the_square)
{
    // From x = 0.5 to 1 the square is 2 high and the cone 1 to 2 wide: a trapezium.
    const auto polygon = visible_cone(cone_to_the_right(0.0, 0.5), 1.0);
    EXPECT_NEAR(area(polygon), 0.5 * (1.0 + 2.0) * 0.5, 1e-12);
    EXPECT_TRUE(contains(polygon, {0.8, 0.0}));
    EXPECT_FALSE(contains(polygon, {0.4, 0.0}));
    EXPECT_FALSE(contains(polygon, {0.6, 0.7}));
    EXPECT_TRUE(visible_cone(cone_to_the_right(1.0, 0.5), 1.0).empty());
}

TEST(VelocityShapes, an_arc_bulges_towards_where_the_cone_is_seen_from)
{
    // Legs at 45 degrees touch the disc about (1, 0) at its upper and lower left.
    const double r = std::sqrt(0.5);
    Explanation::Cone cone = cone_to_the_right(0.0, 0.5);
    cone.arc_centre = {1.0, 0.0};
    cone.arc_radius = r;
    const auto outline = cone_outline(cone, 10.0);
    double least = 1e9;
    for (std::size_t i = 1; i + 1 < outline.size(); ++i) {
        const Vec2 w = outline[i] - cone.arc_centre;
        EXPECT_NEAR(std::sqrt(dot(w, w)), r, 1e-12);
        least = std::min(least, outline[i].x);
    }
    EXPECT_NEAR(least, 1.0 - r, 1e-3);
    EXPECT_TRUE(contains(visible_cone(cone, 2.0), {0.4, 0.0}));
    EXPECT_FALSE(contains(visible_cone(cone, 2.0), {0.25, 0.0}));
}

TEST(VelocityShapes, a_cone_as_wide_as_a_half_plane_is_filled_to_the_corners)
{
    Explanation::Cone cone;
    cone.left_start = cone.right_start = {0.5, 0.0};
    cone.left_direction = {1e-6, 1.0};
    cone.right_direction = {1e-6, -1.0};
    EXPECT_NEAR(area(visible_cone(cone, 1.0)), 1.0, 1e-5);
}

TEST(VelocityShapes, an_edge_has_the_forbidden_side_on_its_right)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::size_t shown = 0;
    for (int i = 0; i < 2000; ++i) {
        const double angle = std::numbers::pi * uniform(random);
        Explanation::Line line;
        line.normal = {std::cos(angle), std::sin(angle)};
        line.point = {2.0 * uniform(random), 2.0 * uniform(random)};
        const auto edge = clip_edge(line, 1.0);
        if (!edge) {  // then the whole square is on one side
            const double centre = dot(Vec2{} - line.point, line.normal);
            for (const Vec2 corner : {Vec2{1, 1}, Vec2{1, -1}, Vec2{-1, 1}, Vec2{-1, -1}})
                EXPECT_GE(dot(corner - line.point, line.normal) * centre, -1e-12);
            continue;
        }
        ++shown;
        const auto& [a, b] = *edge;
        for (const Vec2 end : {a, b}) {
            EXPECT_NEAR(dot(end - line.point, line.normal), 0.0, 1e-12);
            EXPECT_NEAR(std::max(std::fabs(end.x), std::fabs(end.y)), 1.0, 1e-12);
        }
        EXPECT_GT(det(b - a, line.normal), 0.0);  // what is allowed is on the left
    }
    EXPECT_GT(shown, 800u);
}

TEST(VelocityShapes, lines_stay_inside_the_square_and_lose_nothing_of_it)
{
    const std::vector<Vec2> zigzag{{-2, 0}, {0, 0.5}, {2, 0}, {3, 3}, {0, 3}, {0, -3}};
    const auto parts = clip_line(zigzag, 1.0);
    ASSERT_EQ(parts.size(), 2u);  // across with a corner in the middle, then straight down
    EXPECT_EQ(parts[0].size(), 3u);
    EXPECT_EQ(parts[1].size(), 2u);
    for (const auto& part : parts)
        for (const Vec2 p : part) EXPECT_LE(std::max(std::fabs(p.x), std::fabs(p.y)), 1.0 + 1e-12);
    EXPECT_EQ(parts[1].front(), (Vec2{0, 1}));
    EXPECT_EQ(parts[1].back(), (Vec2{0, -1}));
    const auto round = circle({1, 2}, 3.0);
    EXPECT_EQ(round.front(), round.back());
}

TEST(VelocityPicture, has_a_title_a_legend_with_numbers_and_the_ids)
{
    const std::string svg = *draw_velocities_svg(simple(), "circle & <co>");
    for (const char* part :
         {"circle &amp; &lt;co&gt;", "because", "v_x [m/s]", "v_y [m/s]",
          "current velocity (1.00, 0.00) m/s", "preferred velocity (1.30, 0.00) m/s",
          "chosen velocity (0.40, -0.60) m/s", "maximum speed 2 m/s", ">7</text>",
          "forbidden by an agent, its id inside (1)"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(svg.find("given up"), std::string::npos);
    EXPECT_EQ(svg.find("within reach"), std::string::npos);
    EXPECT_EQ(svg.find("wish"), std::string::npos);
}

TEST(VelocityPicture, shows_only_what_there_is)
{
    Explanation e = simple();
    e.cones.push_back(cone_to_the_right(-1.5, 0.1, 9));
    e.cones.back().given_up = true;
    e.cones.push_back(cone_to_the_right(0.9, 0.1, 2));
    e.cones.back().source = Source::wall;
    e.lines = {{.point = {0.0, 1.0}, .normal = {0.0, -1.0}, .hard = true, .source = Source::wall},
               {.point = {0.0, 9.0}, .normal = {0.0, -1.0}},
               {.point = {0.0, 9.0}, .normal = {0.0, 1.0}}};
    e.wish = Vec2{0.0, 1.0};
    e.reach = 0.075;
    const std::string svg = *draw_velocities_svg(e, "all");
    for (const char* part :
         {"cone of an agent, given up (1)", "stroke-dasharray=\"7 5\"", "forbidden by a wall (1)",
          "line of a wall, hatched: forbidden (1)", "wish velocity (0.00, 1.00) m/s",
          "within reach: 0.075 m/s a step", "1 line forbids all that is shown",
          "1 cone or line is outside the plot"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(VelocityPicture, counts_lines_that_were_given_up_by_themselves)
{
    Explanation e = simple();
    e.cones.clear();
    e.lines = {{.point = {0.0, 1.0}, .normal = {0.0, -1.0}, .source_id = 7},
               {.point = {0.0, -1.0}, .normal = {0.0, 1.0}, .source_id = 8, .given_up = true},
               {.point = {1.0, 0.0}, .normal = {-1.0, 0.0}, .source_id = 9, .given_up = true}};
    const std::string svg = *draw_velocities_svg(e, "lines");
    EXPECT_NE(svg.find("line of an agent, hatched: forbidden (1)"), std::string::npos);
    EXPECT_NE(svg.find("line of an agent, given up (2)"), std::string::npos);
    // Two in the plot and the sample of the legend.
    EXPECT_EQ(count(svg, "stroke-dasharray=\"7 5\""), 3u);
    // A side is given up with the cone it belongs to.
    e.cones = {cone_to_the_right(-1.5, 0.1, 7)};
    e.cones[0].given_up = true;
    const std::string with_cone = *draw_velocities_svg(e, "lines");
    EXPECT_NE(with_cone.find("line of an agent, given up (3)"), std::string::npos);
    EXPECT_EQ(with_cone.find("line of an agent, hatched"), std::string::npos);
}

TEST(VelocityPicture, equal_velocities_share_a_label)
{
    Explanation e = simple();
    e.chosen_velocity = e.velocity = e.preferred_velocity;
    const std::string svg = *draw_velocities_svg(e, "");
    EXPECT_EQ(count(svg, ">current = preferred = chosen</text>"), 1u);
    EXPECT_EQ(count(svg, ">chosen</text>"), 0u);
}

TEST(VelocityPicture, no_text_is_small_and_no_label_hides_another)
{
    Explanation e = simple();
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> uniform(-2.0, 2.0);
    for (std::uint32_t id = 100; id < 130; ++id) {
        Explanation::Cone cone = cone_to_the_right(uniform(random), 0.2, id);
        const Vec2 shift{0.0, uniform(random)};
        cone.left_start += shift;
        cone.right_start += shift;
        e.cones.push_back(cone);
        e.lines.push_back({.point = {uniform(random), 0.0}, .normal = {1.0, 0.0}, .source_id = id});
    }
    const std::string svg = *draw_velocities_svg(e, "crowd");
    const std::regex text(
        "<text x=\"([^\"]+)\" y=\"([^\"]+)\" font-size=\"([^\"]+)\"[^>]*"
        "paint-order[^>]*>([^<]*)<");
    std::vector<LabelPlaces::Box> boxes;
    for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
        const double size = std::stod((*it)[3]);
        boxes.push_back(
            LabelPlaces::box_of((*it)[4].str(), size, {std::stod((*it)[1]), std::stod((*it)[2])}));
    }
    EXPECT_GT(boxes.size(), 35u);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            // Coordinates are rounded to 0.1.
            const bool apart = boxes[i].low.x >= boxes[j].high.x - 0.2 ||
                               boxes[j].low.x >= boxes[i].high.x - 0.2 ||
                               boxes[i].low.y >= boxes[j].high.y - 0.2 ||
                               boxes[j].low.y >= boxes[i].high.y - 0.2;
            EXPECT_TRUE(apart) << i << " and " << j;
        }
    }
    const std::regex any_size("font-size=\"([^\"]+)\"");
    for (std::sregex_iterator it(svg.begin(), svg.end(), any_size), end; it != end; ++it)
        EXPECT_GE(std::stod((*it)[1]), 11.0);
}

TEST(VelocityPicture, long_reasons_are_broken_and_empty_ones_are_no_line)
{
    Explanation e = simple();
    e.reason.clear();
    EXPECT_TRUE(draw_velocities_svg(e, ""));
    e.reason = std::string(100, 'a') + ' ' + std::string(100, 'b') + ' ';
    const std::string svg = *draw_velocities_svg(e, "");
    EXPECT_NE(svg.find(std::string(100, 'a') + "<"), std::string::npos);
    EXPECT_NE(svg.find(">" + std::string(100, 'b')), std::string::npos);
    e.reason = std::string(300, 'c');
    EXPECT_TRUE(draw_velocities_svg(e, ""));
}

}  // namespace
}  // namespace sidestep
