// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/velocity_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace sidestep {

using namespace velocity_style;
using Source = Explanation::Source;
using Anchor = Painter::Anchor;

namespace {

double size_of(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

std::string name_of(Source source, std::uint32_t id)
{
    return source == Source::body ? fmt::format("body {}", id) : fmt::format("{}", id);
}

LabelPlaces::Box frame_of(const VelocityPlot& plot)
{
    return {plot.place({-plot.half(), plot.half()}), plot.place({plot.half(), -plot.half()})};
}

}  // namespace

VelocityLabels::VelocityLabels(const Explanation& explanation, const VelocityPlot& plot,
                               SvgPainter& to)
    : e_(explanation), plot_(plot), to_(to), labels_(frame_of(plot))
{}

void VelocityLabels::draw()
{
    name_arrows();
    name_cones();
    name_lines();
}

void VelocityLabels::write(Vec2 centre, Colour colour, std::string_view text)
{
    labels_.take(LabelPlaces::box_of(text, kLabelSize, centre));
    to_.label({centre.x, centre.y + 0.36 * kLabelSize}, kLabelSize, colour, kPaper, Anchor::middle,
              text);
}

/// Equal velocities share a label.
void VelocityLabels::name_arrows()
{
    constexpr double kSame = 3.0;  // [pixels]
    std::vector<VelocityArrow> named;
    for (const VelocityArrow& arrow : plot_.arrows()) {
        const Vec2 at = plot_.place(arrow.velocity);
        labels_.take({at - Vec2{12.0, 12.0}, at + Vec2{12.0, 12.0}});
        take_shaft(at);
        const auto same = std::find_if(named.begin(), named.end(), [&](const VelocityArrow& other) {
            return size_of(plot_.place(other.velocity) - at) < kSame;
        });
        if (same == named.end()) {
            named.push_back(arrow);
        } else {
            same->name += " = " + arrow.name;
            same->colour = kInk;
        }
    }
    for (const VelocityArrow& arrow : named) name_arrow(arrow);
}

/// Keeps labels off an arrow.
void VelocityLabels::take_shaft(Vec2 tip)
{
    const Vec2 shaft = tip - plot_.place({});
    const int parts = static_cast<int>(size_of(shaft) / 8.0);
    for (int i = 0; i <= parts; ++i) {
        const Vec2 at = plot_.place({}) + shaft * (static_cast<double>(i) / std::max(parts, 1));
        labels_.take({at - Vec2{4.0, 4.0}, at + Vec2{4.0, 4.0}});
    }
}

void VelocityLabels::name_arrow(const VelocityArrow& arrow)
{
    const Vec2 tip = plot_.place(arrow.velocity);
    const double wide = LabelPlaces::box_of(arrow.name, kLabelSize, {}).high.x;
    for (const double away : {20.0, 30.0, 44.0, 60.0, 80.0}) {
        for (const Vec2 side : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, -1}, Vec2{0, 1}, Vec2{1, -1},
                                Vec2{1, 1}, Vec2{-1, -1}, Vec2{-1, 1}}) {
            const Vec2 centre{tip.x + side.x * (wide + away - 6.0), tip.y + side.y * away};
            if (!labels_.is_free(LabelPlaces::box_of(arrow.name, kLabelSize, centre))) continue;
            write(centre, arrow.colour, arrow.name);
            return;
        }
    }
    ++left_.unnamed;
}

/// Inside the cone, best where no other is.
void VelocityLabels::name_cones()
{
    for (std::size_t i = 0; i < e_.cones.size(); ++i) {
        if (plot_.cones()[i].empty()) {
            ++left_.outside;
            continue;
        }
        if (e_.cones[i].source == Source::wall) continue;
        const std::string name = name_of(e_.cones[i].source, e_.cones[i].source_id);
        if (const auto centre = place_in_cone(i, name)) {
            write(*centre, colour_of(e_.cones[i].source), name);
        } else {
            ++left_.unnamed;
        }
    }
}

std::optional<Vec2> VelocityLabels::place_in_cone(std::size_t i, std::string_view name) const
{
    constexpr int kTries = 40;  // across the plot
    const double half = plot_.half();
    std::optional<Vec2> best;
    double least = HUGE_VAL;
    for (int k = 0; k < kTries * kTries; ++k) {
        const Vec2 v{half * (2.0 * (k % kTries + 0.5) / kTries - 1.0),
                     half * (2.0 * (k / kTries + 0.5) / kTries - 1.0)};
        const auto box = LabelPlaces::box_of(name, kLabelSize, plot_.place(v));
        if (!contains(plot_.cones()[i], v) || !labels_.is_free(box)) continue;
        const double cost = cost_in_cone(i, v, box);
        if (cost < least) least = cost, best = plot_.place(v);
    }
    return best;
}

/// Far from the middle of what is seen of the cone, in other cones, or across a boundary is bad.
double VelocityLabels::cost_in_cone(std::size_t i, Vec2 velocity, LabelPlaces::Box box) const
{
    const auto cones = plot_.cones();
    Vec2 middle{};
    for (const Vec2 v : cones[i]) middle += v / static_cast<double>(cones[i].size());
    double cost = size_of(velocity - middle) / plot_.half();
    const Vec2 size = (box.high - box.low) / (2.0 * plot_.scale());
    for (std::size_t other = 0; other < cones.size(); ++other) {
        const bool inside = contains(cones[other], velocity);
        cost += other != i && inside ? 1.0 : 0.0;
        for (const Vec2 side : {size, -size, Vec2{size.x, -size.y}, Vec2{-size.x, size.y}})
            cost += contains(cones[other], velocity + side) != inside ? 0.5 : 0.0;
    }
    return cost;
}

/// Beside the line, on the side that it forbids.
void VelocityLabels::name_lines()
{
    for (const Explanation::Line& line : e_.lines) {
        const auto edge = clip_edge(line, plot_.half());
        if (!edge) {
            const bool forbids = dot(line.point, line.normal) > 0.0;
            ++(forbids ? left_.forbids_all : left_.outside);
            continue;
        }
        if (line.source == Source::wall) continue;
        const std::string name = name_of(line.source, line.source_id);
        if (!name_edge(plot_.place(edge->first), plot_.place(edge->second), colour_of(line.source),
                       name))
            ++left_.unnamed;
    }
}

bool VelocityLabels::name_edge(Vec2 a, Vec2 b, Colour colour, std::string_view name)
{
    const Vec2 along = (b - a) / std::max(size_of(b - a), 1e-9);
    const Vec2 aside = Vec2{-along.y, along.x} * 16.0;
    for (const double part : {0.07, 0.93, 0.14, 0.86, 0.22, 0.78, 0.3, 0.7, 0.4, 0.6, 0.5}) {
        const Vec2 centre = a + (b - a) * part + aside;
        if (!labels_.is_free(LabelPlaces::box_of(name, kLabelSize, centre))) continue;
        write(centre, colour, name);
        return true;
    }
    return false;
}

}  // namespace sidestep
