// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/axis.hpp"
#include "report/colours.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// A diagram as SVG. Colours are classes (s0, s1, ... in the style sheet), so that it follows the
/// theme of the page; the script reads its lines back for tooltips through the data attributes.
class Plot {
public:
    /// Steps of an axis that keep its labels apart, on a narrow screen too.
    static constexpr std::size_t kXSteps = 6, kYSteps = 5;

    /// `label` says in a sentence what is drawn, for those who cannot see it.
    Plot(Axis x, Axis y, std::string label);

    /// A line through the points, in the order of x. NaN breaks it.
    void line(std::span<const Vec2> points, std::size_t series, std::string_view name);
    /// A curve that may turn back, as a path in the plane: no tooltips.
    void curve(std::span<const Vec2> points, std::size_t series);
    /// A filled rectangle, as of a map.
    void cell(Vec2 low, Vec2 high, Colour colour);
    /// The same in the pale colour of a series.
    void area(Vec2 low, Vec2 high, std::size_t series);
    /// A line that keeps its height until the next point, and to `end`.
    void steps(std::span<const Vec2> points, double end, std::size_t series, std::string_view name);
    void dots(std::span<const Vec2> points, std::size_t series);
    /// A larger mark for each point, joined by a line.
    void marks(std::span<const Vec2> points, std::size_t series, std::string_view name);
    /// A bar from x0 to x1 whose `title` shows when it is pointed at; `part` of `parts` beside each
    /// other.
    void bar(double x0, double x1, double height, std::size_t series, std::string_view title,
             std::size_t part = 0, std::size_t parts = 1);
    /// A vertical line with a name, as for an event.
    void rule(double x, std::string_view title);

    std::string finish() const;

private:
    double at_x(double value) const;
    double at_y(double value) const;

    Axis x_, y_;
    std::string label_;
    std::string body_;
};

/// A title, a sentence, a drawing and what its colours mean.
struct Figure {
    std::string title;
    std::string sentence;  ///< HTML
    std::string drawing;   ///< HTML
    enum class Sign { line, dot, point, box, unknown };
    struct Entry {
        std::string name;
        std::size_t series = 0;
        Sign sign = Sign::line;
    };
    std::vector<Entry> legend;  ///< of more than one series; else empty
    bool wide = false;
};
std::string to_html(const Figure& figure);

/// Number of series the style sheet has a colour and a dash for.
inline constexpr std::size_t kSeries = 6;

}  // namespace sidestep
