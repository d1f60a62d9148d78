// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "report/label_places.hpp"
#include "report/velocity_plot.hpp"

namespace sidestep {

/// Names arrows, cones and lines in a plot of velocities; none hides another. What finds no place
/// is counted.
class VelocityLabels {
public:
    VelocityLabels(const Explanation& explanation, const VelocityPlot& plot, SvgPainter& to);

    void draw();

    struct Left {
        std::size_t unnamed = 0;      ///< found no place
        std::size_t outside = 0;      ///< cones and lines that forbid nothing of what is shown
        std::size_t forbids_all = 0;  ///< lines that forbid all of it
    };
    Left left() const { return left_; }

private:
    void write(Vec2 centre, Colour colour, std::string_view text);
    void name_arrows();
    void take_shaft(Vec2 tip);
    void name_arrow(const VelocityArrow& arrow);
    void name_cones();
    std::optional<Vec2> place_in_cone(std::size_t i, std::string_view name) const;
    double cost_in_cone(std::size_t i, Vec2 velocity, LabelPlaces::Box box) const;
    void name_lines();
    bool name_edge(Vec2 a, Vec2 b, Colour colour, std::string_view name);

    const Explanation& e_;
    const VelocityPlot& plot_;
    SvgPainter& to_;
    LabelPlaces labels_;
    Left left_;
};

}  // namespace sidestep
