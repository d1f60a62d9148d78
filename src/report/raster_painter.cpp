// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/painter.hpp"
#include "report/png.hpp"

namespace sidestep {
namespace {

/// Lines of samples in a row of pixels; across, coverage is exact.
constexpr int kSubRows = 5;
/// Capital letters, in parts of the size of a font.
constexpr double kCapital = 0.7;

struct Edge {
    double x = 0.0, slope = 0.0;  ///< where it is at `top`, and dx/dy
    double top = 0.0, bottom = 0.0;
};

std::vector<Edge> edges_of(std::span<const std::vector<Vec2>> rings)
{
    std::vector<Edge> edges;
    for (const auto& ring : rings) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
            if (a.y == b.y) continue;
            if (a.y > b.y) std::swap(a, b);
            edges.push_back({a.x, (b.x - a.x) / (b.y - a.y), a.y, b.y});
        }
    }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.top < b.top; });
    return edges;
}

/// Adds what the span from `from` to `to` covers of each pixel of a row.
void add_span(std::vector<double>& row, double from, double to)
{
    from = std::clamp(from, 0.0, static_cast<double>(row.size()));
    to = std::clamp(to, 0.0, static_cast<double>(row.size()));
    if (!(to > from)) return;  // also: a row of no pixels
    const auto first = static_cast<std::size_t>(from);
    const auto last = std::min(static_cast<std::size_t>(to), row.size() - 1);
    for (std::size_t x = first; x <= last; ++x) {
        const double left = std::max(from, static_cast<double>(x));
        const double right = std::min(to, static_cast<double>(x) + 1.0);
        row[x] += std::max(0.0, right - left) / kSubRows;
    }
}

std::uint8_t mix(std::uint8_t under, std::uint8_t over, double cover)
{
    return static_cast<std::uint8_t>(std::lround(under + (over - under) * cover));
}

}  // namespace

RasterPainter::RasterPainter(std::uint32_t width, std::uint32_t height, Colour background)
    : width_(width), height_(height), pixels_(std::size_t{width} * height, background)
{}

void RasterPainter::blend(std::size_t x, std::size_t y, Colour colour, double cover)
{
    Colour& pixel = pixels_[y * width_ + x];
    cover = std::clamp(cover, 0.0, 1.0);
    pixel = {mix(pixel.red, colour.red, cover), mix(pixel.green, colour.green, cover),
             mix(pixel.blue, colour.blue, cover)};
}

void RasterPainter::fill(std::span<const std::vector<Vec2>> rings, Colour colour, double opacity)
{
    const std::vector<Edge> edges = edges_of(rings);
    if (edges.empty()) return;
    double left = width_, right = 0.0, bottom = 0.0;
    for (const Edge& edge : edges) {
        const double end = edge.x + (edge.bottom - edge.top) * edge.slope;
        left = std::min({left, edge.x, end});
        right = std::max({right, edge.x, end});
        bottom = std::max(bottom, edge.bottom);
    }
    const auto pixel = [](double value, std::uint32_t most) {
        return static_cast<std::size_t>(std::clamp(value, 0.0, static_cast<double>(most)));
    };
    const std::size_t first_x = pixel(std::floor(left), width_);
    const std::size_t end_x = pixel(std::ceil(right), width_);
    const std::size_t end_y = pixel(std::ceil(bottom), height_);
    std::vector<std::size_t> active;
    std::vector<double> row(end_x), crossings;
    std::size_t next = 0;
    for (std::size_t y = pixel(std::floor(edges.front().top), height_); y < end_y; ++y) {
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(first_x), row.end(), 0.0);
        for (int sub = 0; sub < kSubRows; ++sub) {
            const double at = static_cast<double>(y) + (sub + 0.5) / kSubRows;
            for (; next < edges.size() && edges[next].top <= at; ++next) active.push_back(next);
            std::erase_if(active, [&](std::size_t i) { return edges[i].bottom <= at; });
            crossings.clear();
            for (const std::size_t i : active) {
                crossings.push_back(edges[i].x + (at - edges[i].top) * edges[i].slope);
            }
            std::sort(crossings.begin(), crossings.end());
            for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
                add_span(row, crossings[i], crossings[i + 1]);
            }
        }
        for (std::size_t x = first_x; x < end_x; ++x) {
            if (row[x] > 0.0) blend(x, y, colour, row[x] * opacity);
        }
    }
}

void RasterPainter::segment(Vec2 a, Vec2 b, double width, Colour colour)
{
    const Vec2 along = b - a;
    const double length_sq = dot(along, along), half = width / 2.0, reach = half + 1.0;
    const auto row = [&](double y) {
        return static_cast<std::int64_t>(std::clamp(y, 0.0, static_cast<double>(height_)));
    };
    const std::int64_t low = row(std::floor(std::min(a.y, b.y) - reach));
    const std::int64_t high = row(std::ceil(std::max(a.y, b.y) + reach));
    for (std::int64_t y = low; y < high; ++y) {
        const double middle = static_cast<double>(y) + 0.5;
        // The part of the segment that comes near this row.
        double from = 0.0, to = 1.0;
        if (std::fabs(along.y) > 1e-9) {
            const double p = (middle - reach - a.y) / along.y, q = (middle + reach - a.y) / along.y;
            from = std::clamp(std::min(p, q), 0.0, 1.0);
            to = std::clamp(std::max(p, q), 0.0, 1.0);
        }
        const double x0 = a.x + along.x * from, x1 = a.x + along.x * to;
        const auto clamp_x = [&](double x) {
            return static_cast<std::size_t>(std::clamp(x, 0.0, static_cast<double>(width_)));
        };
        const std::size_t end = clamp_x(std::ceil(std::max(x0, x1) + reach));
        for (std::size_t x = clamp_x(std::floor(std::min(x0, x1) - reach)); x < end; ++x) {
            const Vec2 p{static_cast<double>(x) + 0.5, middle};
            const double part =
                length_sq > 0.0 ? std::clamp(dot(p - a, along) / length_sq, 0.0, 1.0) : 0.0;
            const Vec2 off = p - a - along * part;
            const double cover = half + 0.5 - std::sqrt(dot(off, off));
            if (cover > 0.0) {
                // A line thinner than a pixel is a faint one.
                blend(x, static_cast<std::size_t>(y), colour,
                      std::min(cover, 1.0) * std::min(width, 1.0));
            }
        }
    }
}

void RasterPainter::stroke(std::span<const Vec2> line, double width, Colour colour)
{
    if (line.size() == 1) segment(line[0], line[0], width, colour);
    for (std::size_t i = 0; i + 1 < line.size(); ++i) segment(line[i], line[i + 1], width, colour);
}

void RasterPainter::discs(std::span<const Vec2> centres, double radius, Colour colour)
{
    // One smaller than a pixel covers as much as its area.
    const double strength = radius < 0.5 ? std::numbers::pi * radius * radius : 1.0;
    for (const Vec2 c : centres) {
        const double reach = std::max(radius, 0.5) + 1.0;
        const auto clamp_to = [](double value, std::uint32_t most) {
            return static_cast<std::size_t>(std::clamp(value, 0.0, static_cast<double>(most)));
        };
        const std::size_t bottom = clamp_to(std::ceil(c.y + reach), height_);
        const std::size_t right = clamp_to(std::ceil(c.x + reach), width_);
        for (std::size_t y = clamp_to(std::floor(c.y - reach), height_); y < bottom; ++y) {
            for (std::size_t x = clamp_to(std::floor(c.x - reach), width_); x < right; ++x) {
                const double distance = std::hypot(static_cast<double>(x) + 0.5 - c.x,
                                                   static_cast<double>(y) + 0.5 - c.y);
                const double cover = std::max(radius, 0.5) + 0.5 - distance;
                if (cover > 0.0) blend(x, y, colour, std::min(cover, 1.0) * strength);
            }
        }
    }
}

void RasterPainter::text(Vec2 at, double size, Colour colour, Anchor anchor, std::string_view text)
{
    const double scale = size * kCapital, width = text_width(text) * scale;
    const double shift = anchor == Anchor::begin    ? 0.0
                         : anchor == Anchor::middle ? width / 2.0
                                                    : width;
    for (auto& line : text_strokes(text)) {
        for (Vec2& p : line) p = at + p * scale - Vec2{shift, 0.0};
        stroke(line, size * 0.1, colour);
    }
}

Result<std::string> RasterPainter::to_png() const
{
    return encode_png(width_, height_, pixels_);
}

}  // namespace sidestep
