// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "navigation/locator.hpp"

#include <limits>

namespace sidestep {

using plane::det;
using plane::dot;
using plane::length;
using plane::Point;

namespace {

/// Steps from the hint before the grid is asked: an agent moves by less than a triangle.
constexpr int kMaxWalk = 12;

/// How far the point lies to the left of the half-edge, times the edge's length; and whether it is
/// beyond by more than roundings.
bool is_beyond(const Topology& mesh, std::uint32_t e, Point p)
{
    const Point a = mesh.vertex(e), ab = mesh.vertex(next_edge(e)) - a;
    const double side = det(ab, p - a);
    return side < 0 && side * side > kOnEdge * kOnEdge * dot(ab, ab);
}

}  // namespace

bool holds(const Topology& mesh, std::uint32_t triangle, Point p)
{
    return !is_beyond(mesh, 3 * triangle, p) && !is_beyond(mesh, 3 * triangle + 1, p) &&
           !is_beyond(mesh, 3 * triangle + 2, p);
}

Point nearest_in(const Topology& mesh, std::uint32_t triangle, Point p)
{
    if (holds(mesh, triangle, p)) return p;
    Point best{};
    double best_sq = std::numeric_limits<double>::infinity();
    for (std::uint32_t e = 3 * triangle; e < 3 * triangle + 3; ++e) {
        const Point q = plane::nearest_on(mesh.vertex(e), mesh.vertex(next_edge(e)), p);
        const double sq = dot(q - p, q - p);
        if (sq < best_sq) best_sq = sq, best = q;
    }
    return best;
}

Locator::Locator(const Topology& mesh)
{
    const std::size_t count = mesh.triangle_count();
    if (count == 0) return;
    double high_x = mesh.vertices[0].x, high_y = mesh.vertices[0].y;
    low_x_ = high_x, low_y_ = high_y;
    for (const Point v : mesh.vertices) {
        low_x_ = std::min(low_x_, v.x), high_x = std::max(high_x, v.x);
        low_y_ = std::min(low_y_, v.y), high_y = std::max(high_y, v.y);
    }
    const double width = high_x - low_x_, height = high_y - low_y_;
    // As many cells as triangles, at least a decimetre wide.
    const double cell = std::max(0.1, std::sqrt(width * height / static_cast<double>(count)));
    per_cell_ = 1.0 / cell;
    columns_ = static_cast<std::int64_t>(width * per_cell_) + 1;
    rows_ = static_cast<std::int64_t>(height * per_cell_) + 1;

    const auto visit = [&](auto&& action) {
        for (std::uint32_t t = 0; t < count; ++t) {
            const Point a = mesh.vertex(3 * t), b = mesh.vertex(3 * t + 1),
                        c = mesh.vertex(3 * t + 2);
            const std::int64_t x0 = column(std::min({a.x, b.x, c.x})),
                               x1 = column(std::max({a.x, b.x, c.x}));
            const std::int64_t y0 = row(std::min({a.y, b.y, c.y})),
                               y1 = row(std::max({a.y, b.y, c.y}));
            for (std::int64_t y = y0; y <= y1; ++y) {
                for (std::int64_t x = x0; x <= x1; ++x) {
                    if (meets(mesh, t, x, y)) action(static_cast<std::size_t>(y * columns_ + x), t);
                }
            }
        }
    };
    first_.assign(static_cast<std::size_t>(columns_ * rows_) + 1, 0);
    visit([&](std::size_t at, std::uint32_t) { ++first_[at + 1]; });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    triangles_.resize(first_.back());
    std::vector<std::uint32_t> fill(first_.begin(), first_.end() - 1);
    visit([&](std::size_t at, std::uint32_t t) { triangles_[fill[at]++] = t; });
}

/// Whether a cell and a triangle meet: no edge has the whole cell on its far side.
bool Locator::meets(const Topology& mesh, std::uint32_t t, std::int64_t x, std::int64_t y) const
{
    const double cell = 1.0 / per_cell_;
    const Point low{low_x_ + static_cast<double>(x) * cell - kOnEdge,
                    low_y_ + static_cast<double>(y) * cell - kOnEdge};
    const Point high{low.x + cell + 2 * kOnEdge, low.y + cell + 2 * kOnEdge};
    for (std::uint32_t e = 3 * t; e < 3 * t + 3; ++e) {
        const Point a = mesh.vertex(e), ab = mesh.vertex(next_edge(e)) - a;
        const Point best{ab.y > 0 ? low.x : high.x, ab.x > 0 ? high.y : low.y};
        if (det(ab, best - a) < -kOnEdge * (std::abs(ab.x) + std::abs(ab.y))) return false;
    }
    return true;
}

std::int64_t Locator::column(double x) const
{
    const double at = std::floor((x - low_x_) * per_cell_);
    return static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(columns_ - 1)));
}

std::int64_t Locator::row(double y) const
{
    const double at = std::floor((y - low_y_) * per_cell_);
    return static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(rows_ - 1)));
}

std::uint32_t Locator::walk(const Topology& mesh, Point p, std::uint32_t hint) const
{
    std::uint32_t t = hint;
    for (int step = 0; step < kMaxWalk; ++step) {
        std::uint32_t out = kNoIndex;
        for (std::uint32_t e = 3 * t; e < 3 * t + 3 && out == kNoIndex; ++e) {
            if (is_beyond(mesh, e, p)) out = e;
        }
        if (out == kNoIndex) return t;
        const std::uint32_t twin = mesh.twins[out];
        if (twin == kNoIndex) return kNoIndex;
        t = twin / 3;
    }
    return kNoIndex;
}

std::uint32_t Locator::search(const Topology& mesh, Point p, double reach) const
{
    if (first_.empty() || !std::isfinite(p.x) || !std::isfinite(p.y)) return kNoIndex;
    const auto cell_of = [&](std::int64_t x, std::int64_t y) {
        return static_cast<std::size_t>(y * columns_ + x);
    };
    const std::size_t here = cell_of(column(p.x), row(p.y));
    for (std::uint32_t i = first_[here]; i < first_[here + 1]; ++i) {
        if (holds(mesh, triangles_[i], p)) return triangles_[i];
    }
    std::uint32_t best = kNoIndex;
    double best_sq = reach * reach;
    for (std::int64_t y = row(p.y - reach); y <= row(p.y + reach); ++y) {
        for (std::int64_t x = column(p.x - reach); x <= column(p.x + reach); ++x) {
            const std::size_t at = cell_of(x, y);
            for (std::uint32_t i = first_[at]; i < first_[at + 1]; ++i) {
                const std::uint32_t t = triangles_[i];
                const Point q = nearest_in(mesh, t, p);
                const double sq = dot(q - p, q - p);
                if (sq < best_sq || (sq == best_sq && t < best)) best_sq = sq, best = t;
            }
        }
    }
    return best;
}

std::uint32_t Locator::find(const Topology& mesh, Point p, std::uint32_t hint, double reach) const
{
    return enter(mesh, p, hint, reach);
}

std::uint32_t Locator::enter(const Topology& mesh, Point& p, std::uint32_t hint, double reach) const
{
    if (hint < mesh.triangle_count()) {
        const std::uint32_t t = walk(mesh, p, hint);
        if (t != kNoIndex) return t;
    }
    const std::uint32_t t = search(mesh, p, reach);
    if (t != kNoIndex) p = nearest_in(mesh, t, p);
    return t;
}

}  // namespace sidestep
