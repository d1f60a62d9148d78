// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/voronoi.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/convex_clip.hpp"

namespace sidestep {

namespace {

/// More bins than this many per walker are never made: wide and nearly empty plans.
constexpr double kBinsPerSite = 8.0;

/// Corners of a regular polygon on the unit circle, from +x; exact on the axes, and each the mirror
/// image of others.
constexpr std::array<Vec2, kCutoffCorners> unit_corners()
{
    constexpr double kRoot = 0.86602540378443864676;  // sin 60 degrees
    return {Vec2{1.0, 0.0},     Vec2{kRoot, 0.5},  Vec2{0.5, kRoot},  Vec2{0.0, 1.0},
            Vec2{-0.5, kRoot},  Vec2{-kRoot, 0.5}, Vec2{-1.0, 0.0},   Vec2{-kRoot, -0.5},
            Vec2{-0.5, -kRoot}, Vec2{0.0, -1.0},   Vec2{0.5, -kRoot}, Vec2{kRoot, -0.5}};
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// bins

void VoronoiSites::build(std::span<const Vec2> positions, double cutoff)
{
    cutoff_ = cutoff;
    positions_.assign(positions.begin(), positions.end());
    columns_ = rows_ = 0;
    if (positions_.empty()) return;

    low_ = positions_.front();
    Vec2 high = low_;
    for (const Vec2 p : positions_) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    // About one walker in each bin, or bins of half the cut-off where that is less; but not too
    // many bins.
    const double width = high.x - low_.x;
    const double height = high.y - low_.y;
    const auto count = static_cast<double>(positions_.size());
    const double spacing = std::sqrt(width / count * height);
    side_ = std::max({std::min(cutoff / 2.0, spacing), spacing / std::sqrt(kBinsPerSite),
                      std::max(width, height) / (kBinsPerSite * count)});
    if (!(side_ > 0.0) || !std::isfinite(side_)) side_ = 1.0;  // all at one point
    columns_ = static_cast<std::size_t>(width / side_) + 1;
    rows_ = static_cast<std::size_t>(height / side_) + 1;

    bin_begin_.assign(columns_ * rows_ + 1, 0);
    bin_of_.resize(positions_.size());
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        const Vec2 p = positions_[i];
        bin_of_[i] = static_cast<std::uint32_t>(row_of(p.y) * columns_ + column_of(p.x));
        ++bin_begin_[bin_of_[i] + 1];
    }
    for (std::size_t i = 1; i < bin_begin_.size(); ++i) bin_begin_[i] += bin_begin_[i - 1];
    bin_site_.resize(positions_.size());
    for (std::size_t i = positions_.size(); i-- > 0;) {  // backwards: ends move down to begins
        bin_site_[--bin_begin_[bin_of_[i] + 1]] = static_cast<std::uint32_t>(i);
    }
    // Each begin now stands one place too far: bin b's is at b + 1.
    for (std::size_t i = 0; i + 1 < bin_begin_.size(); ++i) bin_begin_[i] = bin_begin_[i + 1];
    bin_begin_.back() = static_cast<std::uint32_t>(positions_.size());
}

std::size_t VoronoiSites::column_of(double x) const
{
    return std::min(static_cast<std::size_t>((x - low_.x) / side_), columns_ - 1);
}

std::size_t VoronoiSites::row_of(double y) const
{
    return std::min(static_cast<std::size_t>((y - low_.y) / side_), rows_ - 1);
}

void VoronoiSites::collect_bins(std::size_t row, std::size_t first, std::size_t last, Vec2 centre,
                                double within_sq)
{
    const std::size_t begin = bin_begin_[row * columns_ + first];
    const std::size_t end = bin_begin_[row * columns_ + last + 1];
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t site = bin_site_[i];
        const Vec2 offset = positions_[site] - centre;
        const double distance_sq = dot(offset, offset);
        if (distance_sq < within_sq) near_.push_back({distance_sq, site, offset});
    }
}

/// Walkers in the bins that stand `distance` bins from that of `centre`, either way.
void VoronoiSites::collect_ring(Vec2 centre, std::size_t distance, double within_sq)
{
    const std::size_t column = column_of(centre.x);
    const std::size_t row = row_of(centre.y);
    const std::size_t first = column >= distance ? column - distance : 0;
    const std::size_t last = std::min(column + distance, columns_ - 1);
    const std::size_t bottom = row >= distance ? row - distance : 0;
    const std::size_t top = std::min(row + distance, rows_ - 1);
    for (std::size_t r = bottom; r <= top; ++r) {
        if (r + distance == row || r == row + distance) {
            collect_bins(r, first, last, centre, within_sq);
            continue;
        }
        if (column >= distance) collect_bins(r, first, first, centre, within_sq);
        if (column + distance < columns_) collect_bins(r, last, last, centre, within_sq);
    }
}

// ---------------------------------------------------------------------------------------------
// cells

void VoronoiSites::make_cell(std::size_t site, VoronoiCell& cell)
{
    const Vec2 centre = positions_[site];
    cell.ring.clear();
    for (const Vec2 corner : unit_corners()) cell.ring.push_back(corner * cutoff_);
    cell.holes.clear();
    cell.sharers = 1;

    // A walker at distance d cuts nothing that is nearer than d / 2; those in ring k are at least
    // k - 1 bins away.
    double reach_sq = 4.0 * farthest_sq(cell.ring);
    const std::size_t last_ring = std::max(columns_, rows_);
    for (std::size_t k = 0; k < last_ring; ++k) {
        const double least = k > 1 ? static_cast<double>(k - 1) * side_ : 0.0;
        if (least * least >= reach_sq) break;
        near_.clear();
        collect_ring(centre, k, reach_sq);
        std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) {
            return a.distance_sq != b.distance_sq ? a.distance_sq < b.distance_sq : a.site < b.site;
        });
        for (const Near& other : near_) {
            if (other.site == site) continue;
            if (!(other.distance_sq > 0.0)) {
                ++cell.sharers;
                continue;
            }
            if (other.distance_sq >= reach_sq) break;
            if (clip_ring(cell.ring, other.offset, other.distance_sq / 2.0, spare_))
                reach_sq = 4.0 * farthest_sq(cell.ring);
        }
    }
    cell.full_area = signed_area(cell.ring);
}

}  // namespace sidestep
