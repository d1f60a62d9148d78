// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "report/axis.hpp"
#include "report/colours.hpp"
#include "report/map.hpp"
#include "report/png.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Cells of a grid that share a pixel beyond this many.
constexpr std::size_t kMostPixels = 250'000;
/// Index 0 is transparent.
constexpr std::size_t kColours = 255;
/// Below this part of the scale a cell counts as empty.
constexpr double kLeastShown = 0.004;

Colour heat_colour(std::size_t index)
{
    return viridis(static_cast<double>(index) / static_cast<double>(kColours - 1));
}

/// A field with `factor` x `factor` cells made one.
struct Field {
    std::size_t columns = 0, rows = 0;
    std::vector<float> values;
};

Field reduce(const GridResult& grid, std::span<const float> field, std::size_t factor,
             bool keeps_peaks)
{
    Field out;
    out.columns = (grid.columns + factor - 1) / factor;
    out.rows = (grid.rows + factor - 1) / factor;
    std::vector<double> sum(out.columns * out.rows, 0.0);
    std::vector<std::uint32_t> count(sum.size(), 0);
    for (std::size_t row = 0; row < grid.rows; ++row) {
        for (std::size_t column = 0; column < grid.columns; ++column) {
            const double value = double{field[row * grid.columns + column]};
            if (std::isnan(value)) continue;
            const std::size_t at = row / factor * out.columns + column / factor;
            sum[at] = keeps_peaks ? std::max(sum[at], value) : sum[at] + value;
            ++count[at];
        }
    }
    out.values.resize(sum.size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
        out.values[i] =
            count[i] == 0 ? NAN : static_cast<float>(keeps_peaks ? sum[i] : sum[i] / count[i]);
    }
    return out;
}

std::uint8_t index_of(float value, const HeatScale& scale, bool shows_zero)
{
    if (std::isnan(value)) return 0;
    const double place = double{value} / scale.top;
    if (!shows_zero && place < kLeastShown) return 0;
    const double index = std::clamp(place, 0.0, 1.0) * (kColours - 1);
    return static_cast<std::uint8_t>(std::lround(index) + 1);
}

}  // namespace

HeatScale scale_of(std::span<const std::span<const float>> fields)
{
    std::vector<float> values;
    for (const auto& field : fields) {
        for (const float value : field) {
            if (value > 0.0f && std::isfinite(value)) values.push_back(value);
        }
    }
    if (values.empty()) return {};
    const std::size_t at = std::min(values.size() - values.size() / 200, values.size()) - 1;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    const double high = double{values[at]};
    HeatScale scale;
    scale.top = make_axis({}, 0.0, high, 5).high;
    scale.is_exceeded =
        double{*std::max_element(values.begin(), values.end())} > scale.top * (1.0 + 1e-6);
    return scale;
}

Result<std::string> heat_image(const Plan& plan, char run, std::size_t level,
                               const GridResult& grid, std::span<const float> field,
                               const HeatScale& scale, bool shows_zero, bool keeps_peaks)
{
    const std::size_t cells = std::size_t{grid.columns} * grid.rows;
    if (cells == 0 || field.size() != cells) return std::string{};
    std::size_t factor = 1;
    while (cells / (factor * factor) > kMostPixels) ++factor;
    const Field shown = reduce(grid, field, factor, keeps_peaks);
    std::vector<std::uint8_t> pixels(shown.values.size());
    for (std::size_t row = 0; row < shown.rows; ++row) {
        const std::size_t from = (shown.rows - 1 - row) * shown.columns;  // y is up in the grid
        for (std::size_t column = 0; column < shown.columns; ++column) {
            pixels[row * shown.columns + column] =
                index_of(shown.values[from + column], scale, shows_zero);
        }
    }
    std::vector<PaletteColour> palette{{{}, 0}};
    for (std::size_t i = 0; i < kColours; ++i) palette.push_back({heat_colour(i)});
    const auto png = encode_png(static_cast<std::uint32_t>(shown.columns),
                                static_cast<std::uint32_t>(shown.rows), pixels, palette);
    if (!png) return png.error();
    const double side = grid.cell * static_cast<double>(factor);
    const MapPoint corner =
        plan.to_map({grid.x0, grid.y0 + side * static_cast<double>(shown.rows)});
    const bool has_floor = !plan.levels[level].floor.empty();
    return fmt::format(
        "<image class=\"heat\" x=\"{}\" y=\"{}\" width=\"{:.0f}\" height=\"{:.0f}\" "
        "preserveAspectRatio=\"none\"{} data-top=\"{}\" href=\"data:image/png;base64,{}\"/>\n",
        corner.x, corner.y, side * static_cast<double>(shown.columns) / plan.unit,
        side * static_cast<double>(shown.rows) / plan.unit,
        has_floor ? fmt::format(" clip-path=\"url(#clip-{}{})\"", run, level) : "", scale.top,
        to_base64(*png));
}

std::string colour_bar(const HeatScale& scale, std::string_view title)
{
    constexpr double kLeft = 16.0, kWidth = 268.0, kTop = 20.0, kHeight = 12.0;
    constexpr std::size_t kSteps = 67;
    const Axis axis = make_axis({}, 0.0, scale.top, 5, AxisEnds::tight);
    std::string out = fmt::format(
        "<svg class=\"colourbar\" viewBox=\"0 0 300 52\" role=\"img\" aria-label=\"Colour scale: "
        "{} from 0 to {}\">\n<text class=\"ay\" x=\"{}\" y=\"12\">{}</text>\n",
        escape_html(title), to_short(scale.top), kLeft, escape_html(title));
    for (std::size_t i = 0; i < kSteps; ++i) {
        const double x = kLeft + kWidth * static_cast<double>(i) / kSteps;
        const std::string colour =
            to_hex(viridis((static_cast<double>(i) + 0.5) / static_cast<double>(kSteps)));
        fmt::format_to(std::back_inserter(out), "<path fill=\"{}\" d=\"M{} {}h{}v{}H{}z\"/>",
                       colour, to_coordinate(x), kTop, to_coordinate(kWidth / kSteps + 0.5),
                       kHeight, to_coordinate(x));
    }
    out += '\n';
    for (const double tick : axis.ticks) {
        const bool is_top = tick >= scale.top * (1.0 - 1e-9);
        fmt::format_to(std::back_inserter(out),
                       "<path class=\"tick\" d=\"M{0} {1}v4\"/><text class=\"tx\" x=\"{0}\" "
                       "y=\"{2}\">{3}{4}</text>\n",
                       to_coordinate(kLeft + kWidth * axis.place(tick)), kTop + kHeight,
                       kTop + kHeight + 18.0, is_top && scale.is_exceeded ? "≥ " : "",
                       axis.label(tick));
    }
    out += "</svg>\n";
    return out;
}

std::string heat_palette()
{
    std::string out;
    for (std::size_t i = 0; i < kColours; ++i) out += to_hex(heat_colour(i)).substr(1);
    return out;
}

}  // namespace sidestep
