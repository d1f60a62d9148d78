// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <string>

#include "report/axis.hpp"
#include "report/label_places.hpp"
#include "report/painter.hpp"
#include "report/text.hpp"
#include "report/velocity_shapes.hpp"
#include "sidestep/report.hpp"

namespace sidestep {
namespace {

using Source = Explanation::Source;
using Anchor = Painter::Anchor;

// Layout in pixels: the plot, its legend on the right.
constexpr double kLeft = 62.0, kSide = 560.0, kLegendLeft = kLeft + kSide + 26.0;
constexpr double kWidth = kLegendLeft + 312.0, kFoot = 50.0;
constexpr double kTitleSize = 17.0, kTextSize = 12.5, kLabelSize = 12.0;
constexpr double kLineHeight = 17.0, kRowHeight = 25.0, kSample = 34.0;

constexpr Colour kPaper{255, 255, 255}, kInk{26, 30, 35}, kFaint{214, 217, 221};
constexpr Colour kLimit{90, 96, 103};
/// By Explanation::Source: agents blue, bodies brown, walls nearly black.
constexpr auto kSources = std::to_array<Colour>({{0, 114, 178}, {138, 84, 24}, {62, 66, 72}});
constexpr Colour kChosen{213, 94, 0}, kPreferred{0, 158, 115}, kWish{170, 68, 153};
constexpr Colour kNow{110, 115, 120};

constexpr double kForbiddenOpacity = 0.17, kGivenUpOpacity = 0.06;
constexpr std::string_view kGivenUpDash = "7 5", kReachDash = "2 4";
constexpr double kAgentHatch = 11.0, kWallHatch = 6.0, kHatchLength = 8.0;  // [pixels]

Colour colour_of(Source source)
{
    return kSources[static_cast<std::size_t>(source)];
}

double size_of(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

/// A velocity with a name.
struct Arrow {
    std::string name;
    Vec2 velocity{};
    Colour colour;
    double shaft = 2.0;  ///< width; of equal velocities each is seen
    double radius = 5.0;
    bool is_disc = false;
};

std::vector<Arrow> arrows_of(const Explanation& e)
{
    std::vector<Arrow> arrows{{"current", e.velocity, kNow, 7.0, 11.0, false},
                              {"preferred", e.preferred_velocity, kPreferred, 4.5, 7.5, false}};
    if (e.wish) arrows.push_back({"wish", *e.wish, kWish, 4.5, 9.5, false});
    arrows.push_back({"chosen", e.chosen_velocity, kChosen, 2.0, 4.5, true});
    return arrows;
}

/// Half the side of the square that is shown [m/s].
double half_of(const Explanation& e)
{
    double most = std::max(e.max_speed, 0.1);
    for (const Arrow& arrow : arrows_of(e)) most = std::max(most, size_of(arrow.velocity));
    return 1.15 * most;
}

/// At spaces, into lines of at most `most` characters.
std::vector<std::string> wrap(std::string_view text, std::size_t most)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (end > most) {
            end = text.rfind(' ', most);
            if (end == std::string_view::npos || end == 0) end = most;
        }
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(
            std::min(text.size(), text[std::min(end, text.size() - 1)] == ' ' ? end + 1 : end));
    }
    return lines;
}

class VelocityPicture {
public:
    VelocityPicture(const Explanation& explanation, const std::string& title)
        : e_(explanation),
          title_(title),
          reason_(wrap(explanation.reason, 132)),
          half_(half_of(explanation)),
          scale_(kSide / (2.0 * half_)),
          top_(46.0 + kLineHeight * static_cast<double>(reason_.size()) + 20.0),
          arrows_(arrows_of(explanation)),
          labels_({{kLeft, top_}, {kLeft + kSide, top_ + kSide}}),
          to_(static_cast<std::uint32_t>(kWidth), static_cast<std::uint32_t>(top_ + kSide + kFoot),
              kPaper)
    {
        for (const Explanation::Cone& cone : e_.cones)
            visible_.push_back(visible_cone(cone, half_));
    }

    std::string draw()
    {
        draw_forbidden();
        draw_axes();
        draw_cones();
        for (const Explanation::Line& line : e_.lines) draw_line(line);
        draw_limits();
        draw_arrows();
        name_arrows();
        name_cones();
        name_lines();
        draw_title();
        draw_legend();
        return to_.finish();
    }

private:
    Vec2 place(Vec2 v) const
    {
        return {kLeft + (v.x + half_) * scale_, top_ + (half_ - v.y) * scale_};
    }
    std::vector<Vec2> places(std::span<const Vec2> line) const
    {
        std::vector<Vec2> out;
        for (const Vec2 v : line) out.push_back(place(v));
        return out;
    }
    std::vector<std::vector<Vec2>> visible_lines(std::span<const Vec2> line) const
    {
        std::vector<std::vector<Vec2>> out;
        for (const auto& part : clip_line(line, half_)) out.push_back(places(part));
        return out;
    }

    /// Lines of a neighbour that was given up count as little as its cone.
    bool is_given_up(const Explanation::Line& line) const
    {
        return std::any_of(e_.cones.begin(), e_.cones.end(), [&](const Explanation::Cone& cone) {
            return cone.given_up && cone.source == line.source && cone.source_id == line.source_id;
        });
    }

    // ----------------------------------------------------------------------------------- the plot

    void fill(std::span<const Vec2> polygon, Colour colour)
    {
        if (polygon.size() < 3) return;
        const std::vector<Vec2> ring = places(polygon);
        to_.fill({&ring, 1}, colour, 1.0);
    }

    std::vector<Vec2> forbidden_side(const Explanation::Line& line) const
    {
        const double far = 10.0 * (half_ + size_of(line.point));
        const Vec2 along = Vec2{line.normal.y, -line.normal.x} * far;
        const Vec2 a = line.point - along, b = line.point + along;
        return clip_polygon({a, b, b - line.normal * far, a - line.normal * far}, half_);
    }

    /// One tint for all that a kind of source forbids: white is what is left.
    void draw_forbidden()
    {
        for (const bool given_up : {true, false}) {
            for (const Source source : {Source::wall, Source::body, Source::agent}) {
                to_.begin_group(given_up ? kGivenUpOpacity : kForbiddenOpacity);
                for (std::size_t i = 0; i < e_.cones.size(); ++i) {
                    if (e_.cones[i].source == source && e_.cones[i].given_up == given_up)
                        fill(visible_[i], colour_of(source));
                }
                for (const Explanation::Line& line : e_.lines) {
                    if (line.source == source && is_given_up(line) == given_up)
                        fill(forbidden_side(line), colour_of(source));
                }
                to_.end_group();
            }
        }
    }

    void draw_axes()
    {
        const Axis axis = make_axis("", -half_, half_, 9, AxisEnds::tight);
        std::vector<std::vector<Vec2>> grid;
        for (const double tick : axis.ticks) {
            grid.push_back(places(std::vector<Vec2>{{tick, -half_}, {tick, half_}}));
            grid.push_back(places(std::vector<Vec2>{{-half_, tick}, {half_, tick}}));
            const Vec2 x = place({tick, -half_}), y = place({-half_, tick});
            to_.text({x.x, x.y + 17.0}, kLabelSize, kInk, Anchor::middle, axis.label(tick));
            to_.text({y.x - 7.0, y.y + 4.0}, kLabelSize, kInk, Anchor::end, axis.label(tick));
        }
        to_.lines(grid, 0.7, kFaint);
        const std::vector<std::vector<Vec2>> zero{
            places(std::vector<Vec2>{{0.0, -half_}, {0.0, half_}}),
            places(std::vector<Vec2>{{-half_, 0.0}, {half_, 0.0}})};
        to_.lines(zero, 1.0, kNow);
        const std::vector<Vec2> frame = places(std::vector<Vec2>{
            {-half_, -half_}, {half_, -half_}, {half_, half_}, {-half_, half_}, {-half_, -half_}});
        to_.stroke(frame, 1.2, kInk);
        to_.text({kLeft + kSide / 2.0, top_ + kSide + 38.0}, kTextSize, kInk, Anchor::middle,
                 "v_x [m/s]");
        to_.text({kLeft - 50.0, top_ - 9.0}, kTextSize, kInk, Anchor::begin, "v_y [m/s]");
    }

    void draw_cones()
    {
        for (const Explanation::Cone& cone : e_.cones) {
            const auto parts = visible_lines(cone_outline(cone, far_from(cone, half_)));
            to_.lines(parts, cone.source == Source::wall ? 1.8 : 1.4, colour_of(cone.source),
                      cone.given_up ? kGivenUpDash : std::string_view());
        }
    }

    void draw_line(const Explanation::Line& line)
    {
        const auto edge = clip_edge(line, half_);
        if (!edge) return;
        draw_edge(place(edge->first), place(edge->second), line.source, is_given_up(line));
    }

    /// From a to b in pixels, hatched on the right as one looks along it.
    void draw_edge(Vec2 a, Vec2 b, Source source, bool given_up)
    {
        const double length = size_of(b - a);
        if (!(length > 0.0)) return;
        const Vec2 along = (b - a) / length;
        const Vec2 right{-along.y, along.x};  // y down
        const Vec2 tick = (right - along) * (kHatchLength * std::sqrt(0.5));
        std::vector<std::vector<Vec2>> hatch;
        const double step = source == Source::wall ? kWallHatch : kAgentHatch;
        for (double at = kHatchLength; at < length; at += step)
            hatch.push_back({a + along * at, a + along * at + tick});
        const double width = source == Source::wall ? 2.2 : 1.4;
        const std::vector<std::vector<Vec2>> edge{{a, b}};
        to_.lines(edge, width, colour_of(source), given_up ? kGivenUpDash : std::string_view());
        if (!given_up) to_.lines(hatch, 0.8, colour_of(source));
    }

    void draw_limits()
    {
        to_.lines(visible_lines(circle({}, e_.max_speed)), 1.6, kLimit);
        if (e_.reach)
            to_.lines(visible_lines(circle(e_.velocity, *e_.reach)), 1.8, kLimit, kReachDash);
    }

    void draw_arrow(Vec2 from, Vec2 tip, const Arrow& arrow)
    {
        const std::vector<std::vector<Vec2>> shaft{{from, tip}};
        to_.lines(shaft, arrow.shaft, arrow.colour);
        if (arrow.is_disc) {
            to_.discs({&tip, 1}, arrow.radius + 1.2, kPaper);
            to_.discs({&tip, 1}, arrow.radius, arrow.colour);
        } else {
            to_.ring(tip, arrow.radius, 2.6, arrow.colour);
        }
    }

    void draw_arrows()
    {
        for (const Arrow& arrow : arrows_) draw_arrow(place({}), place(arrow.velocity), arrow);
    }

    // --------------------------------------------------------------------------------- the labels

    void write(Vec2 centre, Colour colour, std::string_view text)
    {
        labels_.take(LabelPlaces::box_of(text, kLabelSize, centre));
        to_.label({centre.x, centre.y + 0.36 * kLabelSize}, kLabelSize, colour, kPaper,
                  Anchor::middle, text);
    }

    /// Equal velocities share a label.
    void name_arrows()
    {
        constexpr double kSame = 3.0;  // [pixels]
        std::vector<Arrow> named;
        for (const Arrow& arrow : arrows_) {
            const Vec2 at = place(arrow.velocity);
            labels_.take({at - Vec2{12.0, 12.0}, at + Vec2{12.0, 12.0}});
            take_shaft(at);
            const auto same = std::find_if(named.begin(), named.end(), [&](const Arrow& other) {
                return size_of(place(other.velocity) - at) < kSame;
            });
            if (same == named.end()) {
                named.push_back(arrow);
            } else {
                same->name += " = " + arrow.name;
                same->colour = kInk;
            }
        }
        for (const Arrow& arrow : named) name_arrow(arrow);
    }

    /// Keeps labels off an arrow.
    void take_shaft(Vec2 tip)
    {
        const Vec2 shaft = tip - place({});
        const int parts = static_cast<int>(size_of(shaft) / 8.0);
        for (int i = 0; i <= parts; ++i) {
            const Vec2 at = place({}) + shaft * (static_cast<double>(i) / std::max(parts, 1));
            labels_.take({at - Vec2{4.0, 4.0}, at + Vec2{4.0, 4.0}});
        }
    }

    void name_arrow(const Arrow& arrow)
    {
        const Vec2 tip = place(arrow.velocity);
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
        ++unnamed_;
    }

    static std::string name_of(Source source, std::uint32_t id)
    {
        return source == Source::body ? fmt::format("body {}", id) : fmt::format("{}", id);
    }

    /// Inside the cone, best where no other is.
    void name_cones()
    {
        for (std::size_t i = 0; i < e_.cones.size(); ++i) {
            if (visible_[i].empty()) {
                ++outside_;
                continue;
            }
            if (e_.cones[i].source == Source::wall) continue;
            const std::string name = name_of(e_.cones[i].source, e_.cones[i].source_id);
            if (const auto centre = place_in_cone(i, name)) {
                write(*centre, colour_of(e_.cones[i].source), name);
            } else {
                ++unnamed_;
            }
        }
    }

    std::optional<Vec2> place_in_cone(std::size_t i, std::string_view name) const
    {
        constexpr int kTries = 40;  // across the plot
        Vec2 middle{};
        for (const Vec2 v : visible_[i]) middle += v / static_cast<double>(visible_[i].size());
        std::optional<Vec2> best;
        double least = HUGE_VAL;
        for (int k = 0; k < kTries * kTries; ++k) {
            const Vec2 v{half_ * (2.0 * (k % kTries + 0.5) / kTries - 1.0),
                         half_ * (2.0 * (k / kTries + 0.5) / kTries - 1.0)};
            const auto box = LabelPlaces::box_of(name, kLabelSize, place(v));
            if (!contains(visible_[i], v) || !labels_.is_free(box)) continue;
            double cost = size_of(v - middle) / half_;
            for (std::size_t other = 0; other < visible_.size(); ++other)
                cost += other != i && contains(visible_[other], v) ? 1.0 : 0.0;
            const Vec2 size = (box.high - box.low) / (2.0 * scale_);
            for (const Vec2 corner :
                 {v + size, v - size, v + Vec2{size.x, -size.y}, v + Vec2{-size.x, size.y}})
                cost += contains(visible_[i], corner) ? 0.0 : 0.5;
            if (cost < least) least = cost, best = place(v);
        }
        return best;
    }

    /// Beside the line, on the side that it forbids.
    void name_lines()
    {
        for (const Explanation::Line& line : e_.lines) {
            const auto edge = clip_edge(line, half_);
            if (!edge) {
                const bool forbids = dot(line.point, line.normal) > 0.0;
                ++(forbids ? forbids_all_ : outside_);
                continue;
            }
            if (line.source == Source::wall) continue;
            const std::string name = name_of(line.source, line.source_id);
            if (!name_edge(place(edge->first), place(edge->second), colour_of(line.source), name))
                ++unnamed_;
        }
    }

    bool name_edge(Vec2 a, Vec2 b, Colour colour, std::string_view name)
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

    // ---------------------------------------------------------------------------- title and legend

    void draw_title()
    {
        to_.text({12.0, 28.0}, kTitleSize, kInk, Anchor::begin, title_);
        double y = 50.0;
        for (const std::string& line : reason_) {
            to_.text({12.0, y}, kTextSize, kInk, Anchor::begin, line);
            y += kLineHeight;
        }
    }

    /// One row of the legend; the sample is drawn by the caller about the point that is returned.
    Vec2 legend_row(std::string_view text)
    {
        const Vec2 at{kLegendLeft + kSample / 2.0, legend_y_};
        to_.text({kLegendLeft + kSample + 10.0, legend_y_ + 4.5}, kTextSize, kInk, Anchor::begin,
                 text);
        legend_y_ += kRowHeight;
        return at;
    }

    void legend_cone(Source source, bool given_up, std::string_view text)
    {
        const auto same = [&](const Explanation::Cone& cone) {
            return cone.source == source && cone.given_up == given_up;
        };
        const auto count = std::count_if(e_.cones.begin(), e_.cones.end(), same);
        if (count == 0) return;
        const Vec2 at = legend_row(fmt::format("{} ({})", text, count));
        const std::vector<Vec2> box{at + Vec2{-15, -8}, at + Vec2{15, -8}, at + Vec2{15, 8},
                                    at + Vec2{-15, 8}, at + Vec2{-15, -8}};
        to_.fill({&box, 1}, colour_of(source), given_up ? kGivenUpOpacity : kForbiddenOpacity);
        to_.lines({&box, 1}, 1.4, colour_of(source), given_up ? kGivenUpDash : std::string_view());
    }

    void legend_line(Source source, std::string_view text)
    {
        const auto same = [&](const Explanation::Line& line) { return line.source == source; };
        const auto count = std::count_if(e_.lines.begin(), e_.lines.end(), same);
        if (count == 0) return;
        const Vec2 at = legend_row(fmt::format("{} ({})", text, count));
        draw_edge(at + Vec2{-15, -3}, at + Vec2{17, -3}, source, false);
    }

    void legend_limit(std::string_view dash, const std::string& text)
    {
        const Vec2 at = legend_row(text);
        const std::vector<std::vector<Vec2>> line{{at + Vec2{-15, 0}, at + Vec2{15, 0}}};
        to_.lines(line, 1.8, kLimit, dash);
    }

    void draw_legend()
    {
        legend_y_ = top_ + 12.0;
        for (const Arrow& arrow : arrows_) {
            const Vec2 at = legend_row(fmt::format("{} velocity ({}, {}) m/s", arrow.name,
                                                   to_fixed(arrow.velocity.x, 2),
                                                   to_fixed(arrow.velocity.y, 2)));
            draw_arrow(at + Vec2{-15, 0}, at + Vec2{6, 0}, arrow);
        }
        legend_y_ += 8.0;
        legend_limit({}, fmt::format("maximum speed {} m/s", to_short(e_.max_speed)));
        if (e_.reach)
            legend_limit(kReachDash,
                         fmt::format("within reach: {} m/s a step", to_short(*e_.reach)));
        legend_y_ += 8.0;
        legend_cone(Source::agent, false, "forbidden by an agent, its id inside");
        legend_cone(Source::agent, true, "the same, given up");
        legend_cone(Source::body, false, "forbidden by a body");
        legend_cone(Source::body, true, "the same, given up");
        legend_cone(Source::wall, false, "forbidden by a wall");
        legend_line(Source::agent, "line of an agent, hatched: forbidden");
        legend_line(Source::body, "line of a body, hatched: forbidden");
        legend_line(Source::wall, "line of a wall, hatched: forbidden");
        draw_remarks();
    }

    void draw_remarks()
    {
        legend_y_ += 6.0;
        const auto remark = [&](std::size_t count, std::string_view one, std::string_view several) {
            if (count == 0) return;
            to_.text({kLegendLeft, legend_y_}, kTextSize, kInk, Anchor::begin,
                     count_of(count, one, several));
            legend_y_ += kLineHeight;
        };
        remark(forbids_all_, "line forbids all that is shown", "lines forbid all that is shown");
        remark(outside_, "cone or line is outside the plot", "cones or lines are outside the plot");
        remark(unnamed_, "label had no room", "labels had no room");
    }

    const Explanation& e_;
    const std::string& title_;
    std::vector<std::string> reason_;
    double half_, scale_, top_;
    std::vector<Arrow> arrows_;
    std::vector<std::vector<Vec2>> visible_;  ///< of each cone
    LabelPlaces labels_;
    SvgPainter to_;
    double legend_y_ = 0.0;
    std::size_t outside_ = 0, forbids_all_ = 0, unnamed_ = 0;
};

}  // namespace

Result<std::string> draw_velocities_svg(const Explanation& explanation, const std::string& title)
{
    try {
        return VelocityPicture(explanation, title).draw();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "the picture does not fit into memory"};
    }
}

}  // namespace sidestep
