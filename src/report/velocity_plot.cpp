// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/velocity_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/axis.hpp"

namespace sidestep {

using namespace velocity_style;
using Source = Explanation::Source;
using Anchor = Painter::Anchor;

namespace {

constexpr Colour kFaint{214, 217, 221};
/// By Explanation::Source.
constexpr auto kSources = std::to_array<Colour>({{0, 114, 178}, {138, 84, 24}, {62, 66, 72}});
constexpr Colour kChosen{213, 94, 0}, kPreferred{0, 158, 115}, kWish{170, 68, 153};
constexpr Colour kNow{110, 115, 120};
constexpr double kAgentHatch = 11.0, kWallHatch = 6.0, kHatchLength = 8.0;  // [pixels]

double size_of(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

std::vector<VelocityArrow> arrows_of(const Explanation& e)
{
    std::vector<VelocityArrow> arrows{
        {"current", e.velocity, kNow, 7.0, 11.0, false},
        {"preferred", e.preferred_velocity, kPreferred, 4.5, 7.5, false}};
    if (e.wish) arrows.push_back({"wish", *e.wish, kWish, 4.5, 9.5, false});
    arrows.push_back({"chosen", e.chosen_velocity, kChosen, 2.0, 4.5, true});
    return arrows;
}

/// Half the side of the square that is shown [m/s].
double half_of(const Explanation& e)
{
    double most = std::max(e.max_speed, 0.1);
    for (const VelocityArrow& arrow : arrows_of(e)) most = std::max(most, size_of(arrow.velocity));
    return 1.15 * most;
}

}  // namespace

Colour colour_of(Source source)
{
    return kSources[static_cast<std::size_t>(source)];
}

VelocityPlot::VelocityPlot(const Explanation& explanation, double top, SvgPainter& to)
    : e_(explanation),
      to_(to),
      arrows_(arrows_of(explanation)),
      half_(half_of(explanation)),
      scale_(kSide / (2.0 * half_)),
      top_(top)
{
    for (const Explanation::Cone& cone : e_.cones) cones_.push_back(visible_cone(cone, half_));
}

void VelocityPlot::draw()
{
    draw_forbidden();
    draw_axes();
    draw_cones();
    draw_lines();
    draw_limits();
    for (const VelocityArrow& arrow : arrows_) draw_arrow(place({}), place(arrow.velocity), arrow);
}

Vec2 VelocityPlot::place(Vec2 v) const
{
    return {kLeft + (v.x + half_) * scale_, top_ + (half_ - v.y) * scale_};
}

std::vector<Vec2> VelocityPlot::places(std::span<const Vec2> line) const
{
    std::vector<Vec2> out;
    for (const Vec2 v : line) out.push_back(place(v));
    return out;
}

std::vector<std::vector<Vec2>> VelocityPlot::visible_lines(std::span<const Vec2> line) const
{
    std::vector<std::vector<Vec2>> out;
    for (const auto& part : clip_line(line, half_)) out.push_back(places(part));
    return out;
}

bool VelocityPlot::is_given_up(const Explanation::Line& line) const
{
    if (line.given_up) return true;
    return std::any_of(e_.cones.begin(), e_.cones.end(), [&](const Explanation::Cone& cone) {
        return cone.given_up && cone.source == line.source && cone.source_id == line.source_id;
    });
}

void VelocityPlot::fill(std::span<const Vec2> polygon, Colour colour)
{
    if (polygon.size() < 3) return;
    const std::vector<Vec2> ring = places(polygon);
    to_.fill({&ring, 1}, colour, 1.0);
}

std::vector<Vec2> VelocityPlot::forbidden_side(const Explanation::Line& line) const
{
    const double far = 10.0 * (half_ + size_of(line.point));
    const Vec2 along = Vec2{line.normal.y, -line.normal.x} * far;
    const Vec2 a = line.point - along, b = line.point + along;
    return clip_polygon({a, b, b - line.normal * far, a - line.normal * far}, half_);
}

/// One tint for all that a kind of source forbids: white is what is left.
void VelocityPlot::draw_forbidden()
{
    for (const bool given_up : {true, false}) {
        for (const Source source : {Source::wall, Source::body, Source::agent}) {
            to_.begin_group(given_up ? kGivenUpOpacity : kForbiddenOpacity);
            for (std::size_t i = 0; i < e_.cones.size(); ++i) {
                if (e_.cones[i].source == source && e_.cones[i].given_up == given_up)
                    fill(cones_[i], colour_of(source));
            }
            for (const Explanation::Line& line : e_.lines) {
                if (line.source == source && is_given_up(line) == given_up)
                    fill(forbidden_side(line), colour_of(source));
            }
            to_.end_group();
        }
    }
}

void VelocityPlot::draw_axes()
{
    const Axis axis = make_axis("", -half_, half_, 9, AxisEnds::tight);
    std::vector<std::vector<Vec2>> grid;
    for (const double tick : axis.ticks) {
        grid.push_back(places(std::vector<Vec2>{{tick, -half_}, {tick, half_}}));
        grid.push_back(places(std::vector<Vec2>{{-half_, tick}, {half_, tick}}));
        const Vec2 x = place({tick, -half_}), y = place({-half_, tick});
        to_.text({x.x, x.y + 17.0}, kLabelSize, kInk, Anchor::middle, axis.label(tick));
        to_.text({y.x - 7.0, y.y + 4.0}, kLabelSize, kInk, Anchor::end, axis.label(tick));
    }
    to_.lines(grid, 0.7, kFaint);
    const std::vector<std::vector<Vec2>> zero{
        places(std::vector<Vec2>{{0.0, -half_}, {0.0, half_}}),
        places(std::vector<Vec2>{{-half_, 0.0}, {half_, 0.0}})};
    to_.lines(zero, 1.0, kNow);
    const std::vector<Vec2> frame = places(std::vector<Vec2>{
        {-half_, -half_}, {half_, -half_}, {half_, half_}, {-half_, half_}, {-half_, -half_}});
    to_.stroke(frame, 1.2, kInk);
    to_.text({kLeft + kSide / 2.0, top_ + kSide + 38.0}, kTextSize, kInk, Anchor::middle,
             "v_x [m/s]");
    to_.text({kLeft - 50.0, top_ - 9.0}, kTextSize, kInk, Anchor::begin, "v_y [m/s]");
}

void VelocityPlot::draw_cones()
{
    for (const Explanation::Cone& cone : e_.cones) {
        const auto parts = visible_lines(cone_outline(cone, far_from(cone, half_)));
        to_.lines(parts, cone.source == Source::wall ? 1.8 : 1.4, colour_of(cone.source),
                  cone.given_up ? kGivenUpDash : std::string_view());
    }
}

void VelocityPlot::draw_lines()
{
    for (const Explanation::Line& line : e_.lines) {
        if (const auto edge = clip_edge(line, half_))
            draw_edge(place(edge->first), place(edge->second), line.source, is_given_up(line));
    }
}

void VelocityPlot::draw_edge(Vec2 a, Vec2 b, Source source, bool given_up)
{
    const double length = size_of(b - a);
    if (!(length > 0.0)) return;
    const Vec2 along = (b - a) / length;
    const Vec2 right{-along.y, along.x};  // y down
    const Vec2 tick = (right - along) * (kHatchLength * std::sqrt(0.5));
    std::vector<std::vector<Vec2>> hatch;
    const double step = source == Source::wall ? kWallHatch : kAgentHatch;
    for (double at = kHatchLength; at < length; at += step)
        hatch.push_back({a + along * at, a + along * at + tick});
    const double width = source == Source::wall ? 2.2 : 1.4;
    const std::vector<std::vector<Vec2>> edge{{a, b}};
    to_.lines(edge, width, colour_of(source), given_up ? kGivenUpDash : std::string_view());
    if (!given_up) to_.lines(hatch, 0.8, colour_of(source));
}

void VelocityPlot::draw_limits()
{
    to_.lines(visible_lines(circle({}, e_.max_speed)), 1.6, kLimit);
    if (e_.reach) to_.lines(visible_lines(circle(e_.velocity, *e_.reach)), 1.8, kLimit, kReachDash);
}

void VelocityPlot::draw_arrow(Vec2 from, Vec2 tip, const VelocityArrow& arrow)
{
    const std::vector<std::vector<Vec2>> shaft{{from, tip}};
    to_.lines(shaft, arrow.shaft, arrow.colour);
    if (arrow.is_disc) {
        to_.discs({&tip, 1}, arrow.radius + 1.2, kPaper);
        to_.discs({&tip, 1}, arrow.radius, arrow.colour);
    } else {
        to_.ring(tip, arrow.radius, 2.6, arrow.colour);
    }
}

}  // namespace sidestep
