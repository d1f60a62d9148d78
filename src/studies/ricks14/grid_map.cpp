// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "studies/ricks14/grid_map.hpp"

#include <algorithm>
#include <cmath>

#include "report/colours.hpp"
#include "report/map.hpp"
#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {

std::string draw_grid_map(const std::vector<double>& values, double top,
                          const std::string& scale_title, const std::string& title,
                          const std::string& sentence)
{
    Plot plot(make_axis("x [m]", -10.125, 10.125, 6, AxisEnds::tight),
              make_axis("y [m]", -0.125, 10.125, 5, AxisEnds::tight), title);
    constexpr int kNone = -1;
    const auto step_of = [&](int column, int row) {
        const double v = values[static_cast<std::size_t>(row * kGridColumns + column)];
        if (!std::isfinite(v)) return kNone;
        const int steps = static_cast<int>(kScaleSteps);
        return std::clamp(static_cast<int>(v / top * steps), 0, steps - 1);
    };
    bool exceeded = false;
    for (const double v : values) exceeded = exceeded || (std::isfinite(v) && v > top);
    for (int row = 0; row < kGridRows; ++row) {
        for (int column = 0; column < kGridColumns;) {
            const int step = step_of(column, row), first = column;
            while (column < kGridColumns && step_of(column, row) == step) ++column;
            if (step == kNone) continue;
            const Vec2 low = grid_point(first, row), high = grid_point(column - 1, row);
            plot.cell({low.x - 0.125, low.y - 0.125}, {high.x + 0.125, high.y + 0.125},
                      viridis((step + 0.5) / static_cast<double>(kScaleSteps)));
        }
    }
    Figure figure{.title = title, .sentence = sentence, .drawing = {}, .legend = {}, .wide = false};
    figure.drawing = plot.finish() + colour_bar({top, exceeded}, scale_title);
    return to_html(figure);
}

}  // namespace sidestep::ricks14
