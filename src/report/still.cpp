// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <utility>

#include "report/moment.hpp"
#include "report/painter.hpp"
#include "report/plan.hpp"
#include "report/text.hpp"
#include "sidestep/report.hpp"

namespace sidestep {
namespace {

constexpr std::uint32_t kLeastWidth = 200, kMostWidth = 8000;
/// Below the plan, in parts of the width: scale, time and colours.
constexpr double kFooter = 0.05;
/// Of so few walkers the tracks bear a point for every whole second: one can tell who was where.
constexpr std::size_t kFewTracks = 30;

struct Theme {
    Colour paper, floor, wall, ink, exit, door, place, body, unknown;
};
constexpr Theme kLight{{255, 255, 255}, {238, 237, 232}, {48, 54, 60},
                       {26, 30, 35},    {0, 121, 90},    {176, 106, 0},
                       {160, 74, 124},  {106, 74, 42},   {138, 144, 152}};
constexpr Theme kDark{{15, 18, 20},    {38, 44, 50},    {201, 208, 215},
                      {233, 236, 239}, {47, 203, 156},  {240, 178, 78},
                      {224, 155, 196}, {201, 162, 118}, {138, 144, 152}};

/// A moment of a recording, laid out for a width in pixels.
class Still {
public:
    Still(const Trajectories& t, Plan plan, std::size_t level, const StillOptions& options)
        : t_(t),
          plan_(std::move(plan)),
          theme_(options.dark ? kDark : kLight),
          is_dark_(options.dark),
          has_tracks_(options.tracks),
          level_(level),
          width_(options.width)
    {
        scale_ = width_ / plan_.box.width();
        footer_ = std::max(width_ * kFooter, 30.0);
        height_ = static_cast<std::uint32_t>(std::lround(plan_.box.height() * scale_ + footer_));
        if (!t.frames.empty()) frame_ = frame_near(t, options.time);
    }

    std::uint32_t width() const { return static_cast<std::uint32_t>(width_); }
    std::uint32_t height() const { return height_; }
    Colour background() const { return theme_.paper; }

    void draw(Painter& to) const
    {
        draw_floor(to);
        draw_places(to);
        Count count;
        if (!t_.frames.empty()) {
            if (has_tracks_) draw_tracks(to);
            draw_bodies(to);
            count = draw_walkers(to);
        }
        draw_footer(to, count);
    }

private:
    struct Count {
        std::size_t walkers = 0, unknown = 0;  ///< that are drawn; of them, without a speed
    };

    Vec2 place(Vec2 p) const
    {
        return {(p.x - plan_.box.low.x) * scale_, (plan_.box.high.y - p.y) * scale_};
    }

    std::vector<Vec2> places(std::span<const Vec2> points, bool closes) const
    {
        std::vector<Vec2> out;
        for (const Vec2 p : points) out.push_back(place(p));
        if (closes && !out.empty()) out.push_back(out.front());
        return out;
    }

    std::vector<std::vector<Vec2>> rings(std::span<const Polygon> polygons) const
    {
        std::vector<std::vector<Vec2>> out;
        for (const Polygon& polygon : polygons) {
            out.push_back(places(polygon.shell, true));
            for (const auto& hole : polygon.holes) out.push_back(places(hole, true));
        }
        return out;
    }

    double line_width(double pixels) const { return pixels * std::max(1.0, width_ / 1000.0); }

    void draw_floor(Painter& to) const
    {
        const auto floor = rings(plan_.levels[level_].floor);
        if (floor.empty()) return;
        to.fill(floor, theme_.floor, 1.0);
        for (const auto& ring : floor) to.stroke(ring, line_width(1.3), theme_.wall);
    }

    void draw_places(Painter& to) const
    {
        for (const PlanPlace& place_of : plan_.levels[level_].places) {
            const bool is_exit = place_of.kind == "exit";
            const bool is_wall = place_of.kind == "wall";
            const Colour colour = is_exit                   ? theme_.exit
                                  : is_wall                 ? theme_.wall
                                  : place_of.kind == "door" ? theme_.door
                                                            : theme_.place;
            const bool is_closed = !t_.frames.empty() && place_of.is_closed(t_.time_of(frame_));
            const auto areas = rings(place_of.polygons);
            if (!areas.empty()) to.fill(areas, colour, is_closed || is_wall ? 1.0 : 0.15);
            for (const auto& ring : areas)
                to.stroke(ring, line_width(is_closed ? 3.0 : 1.2), colour);
            for (const auto& line : place_of.lines) {
                to.stroke(places(line, false), line_width(is_exit || is_closed ? 4.0 : 2.0),
                          colour);
            }
            for (const Vec2 p : place_of.points) {
                const Vec2 at = place(p);
                to.discs({&at, 1}, line_width(3.0), colour);
            }
        }
    }

    void draw_bodies(Painter& to) const
    {
        const std::size_t bodies = t_.info.bodies.size();
        for (std::size_t i = 0; i < bodies; ++i) {
            const RecordingInfo::Body& body = t_.info.bodies[i];
            if (body.level != plan_.levels[level_].level) continue;
            const Vec2 at = t_.body_position[frame_ * bodies + i];
            if (body.radius > 0.0) {
                const Vec2 centre = place(at);
                to.discs({&centre, 1}, body.radius * scale_, theme_.body);
                continue;
            }
            std::vector<Vec2> outline;
            for (const Vec2 p : body.outline) outline.push_back(place(at + p));
            to.fill({&outline, 1}, theme_.body, 1.0);
        }
    }

    std::size_t frame_of(std::size_t row) const
    {
        const auto after = std::upper_bound(t_.frame_begin.begin(), t_.frame_begin.end(), row);
        return static_cast<std::size_t>(after - t_.frame_begin.begin()) - 1;
    }

    /// A track is broken where its walker is on another level.
    void draw_tracks(Painter& to) const
    {
        std::vector<Vec2> seconds;
        for (std::size_t w = 0; w < t_.walkers.size(); ++w) {
            std::vector<Vec2> line;
            double last_second = -1.0;
            const auto finish = [&] {
                if (line.size() > 1) to.stroke(line, line_width(1.6), theme_.unknown);
                line.clear();
            };
            for (std::size_t i = t_.walker_begin[w]; i < t_.walker_begin[w + 1]; ++i) {
                const std::size_t row = t_.walker_row[i];
                const std::size_t frame = frame_of(row);
                if (frame > frame_) break;
                if (t_.level[row] != plan_.levels[level_].level) {
                    finish();
                    continue;
                }
                line.push_back(place(t_.position[row]));
                const double second = std::floor(t_.time_of(frame) + 1e-6);
                if (second > last_second) seconds.push_back(line.back());
                last_second = second;
            }
            finish();
        }
        if (t_.walkers.size() <= kFewTracks) to.discs(seconds, line_width(2.6), theme_.unknown);
    }

    Count draw_walkers(Painter& to) const
    {
        // By colour and size, so that an SVG has few elements; the step beyond the last: no speed.
        Count count;
        std::map<std::pair<std::size_t, std::int64_t>, std::vector<Vec2>> groups;
        const auto seen = walkers_at(t_, frame_, plan_.levels[level_].level);
        for (const SeenWalker& walker : seen) {
            std::size_t step = kScaleSteps;
            if (std::isnan(walker.speed)) {
                ++count.unknown;
            } else {
                step = static_cast<std::size_t>(
                    std::clamp(walker.speed / kTopSpeed, 0.0, 1.0) * (kScaleSteps - 1) + 0.5);
            }
            ++count.walkers;
            groups[{step, std::llround(walker.radius * 1000.0)}].push_back(place(walker.position));
        }
        for (const auto& [key, centres] : groups) {
            const double radius = static_cast<double>(key.second) * 0.001 * scale_;
            if (radius > 3.0) to.discs(centres, radius + line_width(0.5), rim());
            to.discs(centres, std::max(radius, 1.2), step_colour(key.first));
        }
        return count;
    }

    /// Yellow on a light floor and violet on a dark one need a border to be seen.
    Colour rim() const { return is_dark_ ? Colour{0, 0, 0} : Colour{110, 115, 120}; }

    Colour step_colour(std::size_t step) const
    {
        if (step == kScaleSteps) return theme_.unknown;
        const double low = is_dark_ ? kDarkFrom : 0.0;
        return viridis(low + (1.0 - low) * static_cast<double>(step) /
                                 static_cast<double>(kScaleSteps - 1));
    }

    void draw_footer(Painter& to, Count count) const
    {
        const double size = std::clamp(width_ * 0.0155, 11.0, 40.0);
        const double base = height_ - footer_ * 0.36, left = width_ * 0.015;
        draw_scale(to, left, base, size);
        const std::string time = t_.frames.empty()
                                     ? "no frames"
                                     : fmt::format("t = {} s, {}", to_fixed(t_.time_of(frame_), 1),
                                                   count_of(count.walkers, "walker", "walkers"));
        const bool none_known = count.unknown > 0 && count.unknown == count.walkers;
        const std::string grey =
            count.unknown == 0 || none_known
                ? ""
                : fmt::format(" ({} grey: speed not known)", group_digits(count.unknown));
        to.text({width_ * 0.47, base}, size, theme_.ink, Painter::Anchor::middle, time + grey);
        if (none_known) {
            draw_unknown(to, base, size);
        } else {
            draw_colours(to, base, size);
        }
    }

    /// A bar of a round length, at most a quarter of the width.
    void draw_scale(Painter& to, double left, double base, double size) const
    {
        const double metres = round_length(width_ * 0.16 / scale_);
        const double right = left + metres * scale_, y = base - size * 0.3;
        const Vec2 bar[] = {{left, y - size * 0.3}, {left, y}, {right, y}, {right, y - size * 0.3}};
        to.stroke(bar, line_width(1.4), theme_.ink);
        to.text({right + size * 0.5, base}, size, theme_.ink, Painter::Anchor::begin,
                length_text(metres));
    }

    /// What grey means, in place of the colours.
    void draw_unknown(Painter& to, double base, double size) const
    {
        const std::string text = "speed not known";
        const Vec2 dot{width_ * 0.985 - text_width(text) * size * 0.72 - size * 0.8,
                       base - size * 0.35};
        to.text({width_ * 0.985, base}, size, theme_.ink, Painter::Anchor::end, text);
        to.discs({&dot, 1}, size * 0.4, theme_.unknown);
    }

    void draw_colours(Painter& to, double base, double size) const
    {
        const std::string top = fmt::format("{:.1f} m/s", kTopSpeed);
        const double right = width_ * 0.985 - text_width(top) * size * 0.72 - size * 0.4;
        const double bar = width_ * 0.12, left = right - bar;
        to.text({width_ * 0.985, base}, size, theme_.ink, Painter::Anchor::end, top);
        to.text({left - size * 0.5, base}, size, theme_.ink, Painter::Anchor::end, "speed 0");
        for (std::size_t i = 0; i < kScaleSteps; ++i) {
            const double x0 = left + bar * static_cast<double>(i) / kScaleSteps;
            const double x1 = left + bar * static_cast<double>(i + 1) / kScaleSteps;
            const std::vector<Vec2> step{{x0, base - size * 0.75},
                                         {x1, base - size * 0.75},
                                         {x1, base + size * 0.05},
                                         {x0, base + size * 0.05}};
            to.fill({&step, 1}, step_colour(i), 1.0);
        }
    }

    const Trajectories& t_;
    Plan plan_;
    Theme theme_;
    bool is_dark_;
    bool has_tracks_;
    std::size_t level_;
    std::size_t frame_ = 0;
    double width_, scale_ = 1.0, footer_ = 0.0;
    std::uint32_t height_ = 0;
};

/// Makes the picture with the painter that `make` gives; `finish` turns it into bytes.
template <class PainterType, class Finish>
Result<std::string> draw(const Trajectories& t, const StillOptions& options, Finish finish)
{
    if (options.width < kLeastWidth || options.width > kMostWidth) {
        return Error{ErrorCode::out_of_range,
                     fmt::format("the width of a picture is {} to {} pixels, not {}", kLeastWidth,
                                 kMostWidth, options.width)};
    }
    if (!std::isfinite(options.time)) {
        return Error{ErrorCode::invalid_argument, "the time of a picture is not a number"};
    }
    try {
        Plan plan = make_plan(t);
        const auto level = plan.choose_level(options.level);
        if (!level) return level.error();
        const Still still(t, std::move(plan), *level, options);
        PainterType painter(still.width(), still.height(), still.background());
        still.draw(painter);
        return finish(painter);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "the picture does not fit into memory"};
    }
}

}  // namespace

Result<std::string> draw_still_svg(const Trajectories& trajectories, const StillOptions& options)
{
    return draw<SvgPainter>(trajectories, options, [](const SvgPainter& painter) {
        return Result<std::string>(painter.finish());
    });
}

Result<std::string> draw_still_png(const Trajectories& trajectories, const StillOptions& options)
{
    return draw<RasterPainter>(trajectories, options,
                               [](const RasterPainter& painter) { return painter.to_png(); });
}

}  // namespace sidestep
