// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/look.hpp"

#include <algorithm>
#include <cmath>

namespace sidestep {

namespace {

constexpr double kRadiansPerDegree = 3.141592653589793 / 180.0;

/// Shoulders are computed in double: their box is larger by this [m], more than any rounding.
constexpr float kShoulderMargin = 0.01f;

/// A wall whose box is farther than this [m] from that of a line of sight does not cross it,
/// whatever the rounding.
constexpr float kApart = 1e-3f;

/// A wall whose ends are both farther than this [m] to one side of a line of sight does not cross
/// it either.
constexpr float kAside = 1e-4f;

Box box_of_edge(const WallIndex& walls, std::size_t row)
{
    return {std::min(walls.ax[row], walls.bx[row]), std::min(walls.ay[row], walls.by[row]),
            std::max(walls.ax[row], walls.bx[row]), std::max(walls.ay[row], walls.by[row])};
}

/// A line of sight in float, for those edges that it does not come near.
struct LineOfSight {
    float x, y;    ///< where it starts [m]
    float dx, dy;  ///< to where it ends
    float low_x, high_x, low_y, high_y;
    float aside;

    LineOfSight(float from_x, float from_y, const Point<double>& to)
        : x(from_x),
          y(from_y),
          dx(static_cast<float>(to.x - double{from_x})),
          dy(static_cast<float>(to.y - double{from_y})),
          low_x(std::min(x, x + dx) - kApart),
          high_x(std::max(x, x + dx) + kApart),
          low_y(std::min(y, y + dy) - kApart),
          high_y(std::max(y, y + dy) + kApart),
          aside(kAside * (std::fabs(dx) + std::fabs(dy)))
    {}

    /// Which of the edges from `first` on may cross it, 1 or 0. No branches, so that it is made of
    /// vectors.
    void find_near(const HidingEdges& edges, std::size_t first, std::uint32_t* near) const
    {
        for (std::size_t k = 0; k < HidingEdges::kAtOnce; ++k) {
            const float ax = edges.ax[first + k], ay = edges.ay[first + k];
            const float bx = edges.bx[first + k], by = edges.by[first + k];
            const float a_side = dx * (ay - y) - dy * (ax - x);
            const float b_side = dx * (by - y) - dy * (bx - x);
            const auto both = [](bool one, bool other) {
                return (one ? 1u : 0u) & (other ? 1u : 0u);
            };
            const std::uint32_t apart =
                both(ax < low_x, bx < low_x) | both(ax > high_x, bx > high_x) |
                both(ay < low_y, by < low_y) | both(ay > high_y, by > high_y) |
                both(a_side > aside, b_side > aside) | both(a_side < -aside, b_side < -aside);
            near[k] = apart ^ 1u;
        }
    }
};

}  // namespace

Look::Look(const AgentTable& agents, const SightTraits& traits, std::size_t row,
           const WallIndex& walls, Column<std::uint32_t>& edges) noexcept
    : x_(agents.x[row]),
      y_(agents.y[row]),
      sight_(traits.sight),
      level_(agents.leaf_level[row / kLeafRows]),
      walls_(walls),
      edges_(edges)
{
    edges_.clear();
    if (traits.field_of_view_deg >= 360.0f || agents.heading_x.empty()) return;
    heading_ = {agents.heading_x[row], agents.heading_y[row]};
    sees_all_round_ = false;
    field_of_view_ = FieldOfView(traits.field_of_view_deg * kRadiansPerDegree);
}

Box Look::box_of(const Target& target) const noexcept
{
    const float reach = sight_ == Sight::body ? target.radius + kShoulderMargin : 0.0f;
    return {target.x - reach, target.y - reach, target.x + reach, target.y + reach};
}

void Look::gather(const Box& box) noexcept
{
    edges_.clear();
    hiding_.count = 0;
    hiding_.complete = true;
    for_each_edge_near(walls_, box, 0.0f, level_, [&](std::size_t row) {
        if (walls_.second_copy[row] != 0.0f ||  // of a thin wall one way is enough
            dist_sq(box_of_edge(walls_, row), box) > kApart * kApart)
            return;
        edges_.push_back(static_cast<std::uint32_t>(row));
        hiding_.add(walls_.ax[row], walls_.ay[row], walls_.bx[row], walls_.by[row]);
    });
    while (hiding_.count % HidingEdges::kAtOnce != 0)
        hiding_.add(kFarAway, kFarAway, kFarAway, kFarAway);
}

bool Look::is_hidden(Point<double> to) const noexcept
{
    if (!hiding_.complete) return is_hidden_by_any(to);
    const Point<double> from{x_, y_};
    const LineOfSight line(x_, y_, to);
    std::uint32_t near[HidingEdges::kAtOnce];
    for (std::size_t first = 0; first < hiding_.count; first += HidingEdges::kAtOnce) {
        line.find_near(hiding_, first, near);
        for (std::size_t k = 0; k < HidingEdges::kAtOnce; ++k) {
            const std::size_t i = first + k;
            if (near[k] != 0 &&
                hides({hiding_.ax[i], hiding_.ay[i]}, {hiding_.bx[i], hiding_.by[i]}, from, to))
                return true;
        }
    }
    return false;
}

bool Look::is_hidden_by_any(Point<double> to) const noexcept
{
    const Point<double> from{x_, y_};
    for (const std::uint32_t row : edges_) {
        if (hides({walls_.ax[row], walls_.ay[row]}, {walls_.bx[row], walls_.by[row]}, from, to))
            return true;
    }
    return false;
}

Sighting Look::at(const Target& target) const noexcept
{
    const Point<double> to{target.x, target.y};
    const Point<double> rel{to.x - x_, to.y - y_};
    if (!field_of_view_.shows(heading_, rel)) return Sighting::out_of_view;
    if (edges_.empty() || !is_hidden(to)) return Sighting::seen;
    const double distance = std::sqrt(rel.x * rel.x + rel.y * rel.y);
    if (sight_ != Sight::body || !(distance > 0.0)) return Sighting::behind_wall;
    const double scale = double{target.radius} / distance;
    const Point<double> shoulder{-rel.y * scale, rel.x * scale};
    const bool hidden = is_hidden({to.x + shoulder.x, to.y + shoulder.y}) &&
                        is_hidden({to.x - shoulder.x, to.y - shoulder.y});
    return hidden ? Sighting::behind_wall : Sighting::seen;
}

}  // namespace sidestep
