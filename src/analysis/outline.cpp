// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/outline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "analysis/convex_clip.hpp"
#include "floorplan/floorplan.hpp"

namespace sidestep {
namespace {

constexpr double kLeastCell = 1.0;              // [m]
constexpr std::size_t kMaxListed = 50'000'000;  // edges in all cells: 200 MB
/// As near as this to the outline is on it [m].
constexpr double kOnOutline = 1e-9;
constexpr std::size_t kOutside = ~std::size_t{0};

Vec2 left_of(Vec2 a, Vec2 b)
{
    const Vec2 d = b - a;
    const double length = std::sqrt(d.x * d.x + d.y * d.y);
    return length > 0.0 ? Vec2{-d.y / length, d.x / length} : Vec2{};
}

}  // namespace

struct Outline::Nearest {
    enum class Feature : std::uint8_t { none, side, corner_a, corner_b };
    double distance_sq = std::numeric_limits<double>::infinity();
    std::uint32_t edge = 0;
    Feature feature = Feature::none;
};

Outline::Outline(const WalkableArea& floor, double reach, std::size_t max_cells)
    : floor_(floor), reach_(reach)
{
    for (const Polygon& polygon : floor.polygons) {
        add_ring(polygon.shell, false);
        for (const auto& hole : polygon.holes) add_ring(hole, true);
    }
    if (edges_.empty()) return;
    low_ = high_ = edges_.front().a;
    for (const Edge& edge : edges_) {
        low_ = {std::min(low_.x, edge.a.x), std::min(low_.y, edge.a.y)};
        high_ = {std::max(high_.x, edge.a.x), std::max(high_.y, edge.a.y)};
    }
    mark_shared_corners();
    choose_cells(max_cells);
    list_edges();
    find_centres_on_floor();
}

void Outline::add_ring(const std::vector<Vec2>& ring, bool is_hole)
{
    std::vector<Vec2> points = ring;
    if ((signed_area(points) < 0.0) != is_hole) std::reverse(points.begin(), points.end());
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 before = points[(i + count - 1) % count];
        const Vec2 a = points[i];
        const Vec2 b = points[(i + 1) % count];
        const Vec2 after = points[(i + 2) % count];
        const Vec2 own = left_of(a, b);
        edges_.push_back({a, b, left_of(before, a) + own, own + left_of(b, after)});
    }
}

/// Where two rings touch, the two edges of one of them do not tell which side is floor.
void Outline::mark_shared_corners()
{
    std::vector<std::pair<double, double>> corners;
    corners.reserve(edges_.size());
    for (const Edge& edge : edges_) corners.emplace_back(edge.a.x, edge.a.y);
    std::sort(corners.begin(), corners.end());
    std::vector<std::pair<double, double>> shared;
    for (std::size_t i = 1; i < corners.size(); ++i) {
        if (corners[i] == corners[i - 1]) shared.push_back(corners[i]);
    }
    const auto is_shared = [&](Vec2 p) {
        return std::binary_search(shared.begin(), shared.end(), std::pair(p.x, p.y));
    };
    for (Edge& edge : edges_) {
        if (is_shared(edge.a)) edge.normal_a = {};
        if (is_shared(edge.b)) edge.normal_b = {};
    }
}

// ------------------------------------------------------------------------------------------ cells

void Outline::choose_cells(std::size_t max_cells)
{
    const double width = high_.x - low_.x;
    const double height = high_.y - low_.y;
    const auto most = static_cast<double>(std::max<std::size_t>(max_cells, 1));
    const double least_reach = reach_;
    cell_ = std::max({kLeastCell, std::sqrt(width * height / most), width / most, height / most});
    for (;; cell_ *= 2.0) {
        // Who is farther from all edges than to the centre of its cell is on the floor if that is.
        reach_ = std::max(least_reach, cell_ * std::numbers::sqrt2);
        columns_ = static_cast<std::size_t>(width / cell_) + 1;
        rows_ = static_cast<std::size_t>(height / cell_) + 1;
        std::size_t listed = 0;
        for (const Edge& edge : edges_) {
            for_each_run(edge, [&](std::size_t, std::size_t first, std::size_t last) {
                listed += last - first + 1;
            });
        }
        if (listed <= kMaxListed || columns_ * rows_ == 1) return;
    }
}

template <class Visit>
void Outline::for_each_run(Vec2 a, Vec2 b, double margin, Visit&& visit) const
{
    const auto clamped = [&](double offset, std::size_t count) {
        const double last = static_cast<double>(count - 1);
        return static_cast<std::size_t>(std::clamp(std::floor(offset / cell_), 0.0, last));
    };
    if (a.y > b.y) std::swap(a, b);
    if (b.y + margin < low_.y || a.y - margin > high_.y) return;
    const std::size_t first_row = clamped(a.y - margin - low_.y, rows_);
    const std::size_t last_row = clamped(b.y + margin - low_.y, rows_);
    const double slope = b.y > a.y ? (b.x - a.x) / (b.y - a.y) : 0.0;
    for (std::size_t row = first_row; row <= last_row; ++row) {
        // the part of the segment within the margin of this row, a cell's millionth more
        const double slack = margin + 1e-6 * cell_;
        const double bottom = low_.y + static_cast<double>(row) * cell_ - slack;
        const double top = low_.y + static_cast<double>(row + 1) * cell_ + slack;
        double x0 = a.x;
        double x1 = b.x;
        if (b.y > a.y) {
            if (a.y < bottom) x0 = a.x + (bottom - a.y) * slope;
            if (b.y > top) x1 = a.x + (top - a.y) * slope;
        }
        if (x0 > x1) std::swap(x0, x1);
        if (x1 + slack < low_.x || x0 - slack > high_.x) continue;
        visit(row, clamped(x0 - slack - low_.x, columns_), clamped(x1 + slack - low_.x, columns_));
    }
}

template <class Visit>
void Outline::for_each_run(const Edge& edge, Visit&& visit) const
{
    for_each_run(edge.a, edge.b, reach_, visit);
}

void Outline::list_edges()
{
    begin_.assign(columns_ * rows_ + 1, 0);
    for (const Edge& edge : edges_) {
        for_each_run(edge, [&](std::size_t row, std::size_t first, std::size_t last) {
            for (std::size_t c = first; c <= last; ++c) ++begin_[row * columns_ + c + 1];
        });
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    listed_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
        for_each_run(edges_[i], [&](std::size_t row, std::size_t first, std::size_t last) {
            for (std::size_t c = first; c <= last; ++c) listed_[next[row * columns_ + c]++] = i;
        });
    }
}

/// Along the line of centres of a row of cells the floor begins and ends at each edge.
void Outline::find_centres_on_floor()
{
    on_floor_.assign(columns_ * rows_, 0);
    for (const Edge& edge : edges_) {
        const double bottom = (std::min(edge.a.y, edge.b.y) - low_.y) / cell_ - 0.5;
        const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(bottom)));
        for (std::size_t row = first; row < rows_; ++row) {
            const double y = low_.y + (static_cast<double>(row) + 0.5) * cell_;
            if (edge.a.y <= y && edge.b.y <= y) break;
            if ((edge.a.y > y) == (edge.b.y > y)) continue;
            const double x =
                edge.a.x + (y - edge.a.y) * (edge.b.x - edge.a.x) / (edge.b.y - edge.a.y);
            // the first cell whose centre is to the right
            const double column = std::max(0.0, std::floor((x - low_.x) / cell_ + 0.5));
            if (column < static_cast<double>(columns_))
                on_floor_[row * columns_ + static_cast<std::size_t>(column)] ^= 1;
        }
    }
    for (std::size_t row = 0; row < rows_; ++row) {
        for (std::size_t c = 1; c < columns_; ++c)
            on_floor_[row * columns_ + c] ^= on_floor_[row * columns_ + c - 1];
    }
}

// -------------------------------------------------------------------------------------- questions

std::size_t Outline::cell_at(Vec2 p) const
{
    if (edges_.empty()) return kOutside;
    const Vec2 at = p - low_;
    const Vec2 size = high_ - low_;
    if (!(at.x >= -kOnOutline && at.x <= size.x + kOnOutline)) return kOutside;
    if (!(at.y >= -kOnOutline && at.y <= size.y + kOnOutline)) return kOutside;
    const auto column = static_cast<std::size_t>(std::max(0.0, at.x) / cell_);
    const auto row = static_cast<std::size_t>(std::max(0.0, at.y) / cell_);
    return std::min(row, rows_ - 1) * columns_ + std::min(column, columns_ - 1);
}

Outline::Nearest Outline::nearest_edge(std::size_t cell, Vec2 p) const
{
    Nearest best;
    for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
        const Edge& edge = edges_[listed_[i]];
        const Vec2 along = edge.b - edge.a;
        const Vec2 rel = p - edge.a;
        const double length_sq = along.x * along.x + along.y * along.y;
        const double at = rel.x * along.x + rel.y * along.y;
        Nearest found{0.0, listed_[i], Nearest::Feature::side};
        if (at <= 0.0) {
            found.feature = Nearest::Feature::corner_a;
            found.distance_sq = rel.x * rel.x + rel.y * rel.y;
        } else if (at >= length_sq) {
            const Vec2 from_b = p - edge.b;
            found.feature = Nearest::Feature::corner_b;
            found.distance_sq = from_b.x * from_b.x + from_b.y * from_b.y;
        } else {
            const double area = det(along, rel);
            found.distance_sq = area * area / length_sq;
        }
        if (found.distance_sq < best.distance_sq) best = found;
    }
    return best;
}

/// The floor is on the left of the nearest edge; at a corner, on the side of the sum of both
/// normals.
bool Outline::is_inside(const Nearest& nearest, Vec2 p) const
{
    const Edge& edge = edges_[nearest.edge];
    if (nearest.feature == Nearest::Feature::side) return det(edge.b - edge.a, p - edge.a) > 0.0;
    const bool at_a = nearest.feature == Nearest::Feature::corner_a;
    const Vec2 normal = at_a ? edge.normal_a : edge.normal_b;
    if (normal.x == 0.0 && normal.y == 0.0) return covers(floor_.polygons, p);
    const Vec2 rel = p - (at_a ? edge.a : edge.b);
    return normal.x * rel.x + normal.y * rel.y > 0.0;
}

Outline::Spot Outline::look(Vec2 position) const
{
    constexpr double kFar = std::numeric_limits<double>::infinity();
    const Vec2 p = position - floor_.origin;
    const std::size_t cell = cell_at(p);
    if (cell == kOutside) return {false, 0.0};
    const Nearest nearest = nearest_edge(cell, p);
    if (!(nearest.distance_sq <= reach_ * reach_)) return {on_floor_[cell] != 0, kFar};
    const double distance = std::sqrt(nearest.distance_sq);
    return {distance <= kOnOutline || is_inside(nearest, p), distance};
}

bool Outline::crosses(Vec2 from, Vec2 to) const
{
    const Vec2 p = from - floor_.origin;
    const Vec2 q = to - floor_.origin;
    bool found = false;
    if (edges_.empty()) return found;
    for_each_run(p, q, 0.0, [&](std::size_t row, std::size_t first, std::size_t last) {
        for (std::size_t c = first; c <= last && !found; ++c) {
            const std::size_t cell = row * columns_ + c;
            for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1] && !found; ++i) {
                const Edge& edge = edges_[listed_[i]];
                const double side_p = det(edge.b - edge.a, p - edge.a);
                const double side_q = det(edge.b - edge.a, q - edge.a);
                const double side_a = det(q - p, edge.a - p);
                const double side_b = det(q - p, edge.b - p);
                found = ((side_p > 0.0 && side_q < 0.0) || (side_p < 0.0 && side_q > 0.0)) &&
                        ((side_a > 0.0 && side_b < 0.0) || (side_a < 0.0 && side_b > 0.0));
            }
        }
    });
    return found;
}

}  // namespace sidestep
