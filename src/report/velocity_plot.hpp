// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/painter.hpp"
#include "report/velocity_shapes.hpp"
#include "sidestep/world.hpp"

// The picture of the velocities that an agent chose from, in three parts: the plot itself (here),
// its labels (velocity_labels), title and legend (velocity_picture.cpp).
namespace sidestep {

namespace velocity_style {

inline constexpr double kLeft = 62.0, kSide = 560.0;  // of the plot [pixels]
inline constexpr double kTextSize = 12.5, kLabelSize = 12.0;
inline constexpr Colour kPaper{255, 255, 255}, kInk{26, 30, 35}, kLimit{90, 96, 103};
inline constexpr double kForbiddenOpacity = 0.17, kGivenUpOpacity = 0.06;
inline constexpr std::string_view kGivenUpDash = "7 5", kReachDash = "2 4";

}  // namespace velocity_style

/// Agents blue, bodies brown, walls nearly black.
Colour colour_of(Explanation::Source source);

/// A velocity with a name.
struct VelocityArrow {
    std::string name;
    Vec2 velocity{};
    Colour colour;
    double shaft = 2.0;  ///< width; of equal velocities each is seen
    double radius = 5.0;
    bool is_disc = false;
};

class VelocityPlot {
public:
    /// `top` of the plot [pixels]. The explanation must live as long.
    VelocityPlot(const Explanation& explanation, double top, SvgPainter& to);

    void draw();

    /// From `from` to `tip` in pixels.
    void draw_arrow(Vec2 from, Vec2 tip, const VelocityArrow& arrow);
    /// From a to b in pixels, hatched on the right as one looks along it.
    void draw_edge(Vec2 a, Vec2 b, Explanation::Source source, bool given_up);

    Vec2 place(Vec2 velocity) const;
    double half() const { return half_; }    ///< of the side [m/s]
    double scale() const { return scale_; }  ///< pixels per m/s
    std::span<const VelocityArrow> arrows() const { return arrows_; }
    /// What is seen of each cone; empty where nothing is.
    std::span<const std::vector<Vec2>> cones() const { return cones_; }
    /// Lines of a neighbour that was given up count as little as its cone.
    bool is_given_up(const Explanation::Line& line) const;

private:
    std::vector<Vec2> places(std::span<const Vec2> line) const;
    std::vector<std::vector<Vec2>> visible_lines(std::span<const Vec2> line) const;
    std::vector<Vec2> forbidden_side(const Explanation::Line& line) const;
    void fill(std::span<const Vec2> polygon, Colour colour);
    void draw_forbidden();
    void draw_axes();
    void draw_cones();
    void draw_lines();
    void draw_limits();

    const Explanation& e_;
    SvgPainter& to_;
    std::vector<VelocityArrow> arrows_;
    double half_, scale_, top_;
    std::vector<std::vector<Vec2>> cones_;
};

}  // namespace sidestep
