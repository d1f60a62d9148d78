// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/look.hpp"

namespace sidestep {

namespace {

constexpr double kRadiansPerDegree = 3.141592653589793 / 180.0;

/// Shoulders are computed in double: their box is larger by this [m], more than any rounding.
constexpr float kShoulderMargin = 0.01f;

Point<double> point(const Point<float>& p)
{
    return {p.x, p.y};
}

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
    for_each_edge_near(walls_, box, 0.0f, level_, [&](std::size_t row) {
        if (!walls_.edges[row].shape.second_copy)  // of a thin wall one way is enough
            edges_.push_back(static_cast<std::uint32_t>(row));
    });
}

bool Look::is_hidden(Point<double> to) const noexcept
{
    const Point<double> from{x_, y_};
    for (const std::uint32_t row : edges_) {
        const WallEdge<float>& edge = walls_.edges[row].shape;
        if (hides(point(edge.a), point(edge.b), from, to)) return true;
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
