// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "report/text.hpp"

namespace sidestep {
namespace {

// In units of the drawing; text is 13 high, on narrow screens 17.
constexpr double kWidth = 480.0, kHeight = 300.0;
constexpr double kLeft = 62.0, kRight = 24.0, kTop = 34.0, kBottom = 52.0;
constexpr double kInnerWidth = kWidth - kLeft - kRight, kInnerHeight = kHeight - kTop - kBottom;
/// Points of a line nearer than this to the one before are left out.
constexpr double kLeastMove = 0.4;

bool is_finite(Vec2 p)
{
    return std::isfinite(p.x) && std::isfinite(p.y);
}

/// Path data; of points that fall into the same column only the first, lowest, highest and last
/// count.
class LinePath {
public:
    void add(double x, double y)
    {
        if (!started_) {
            append('M', x, y);
            started_ = true;
            return;
        }
        if (std::fabs(x - x_) >= kLeastMove) {
            flush();
            append('L', x, y);
            return;
        }
        low_ = std::min(low_, y);
        high_ = std::max(high_, y);
        last_ = y;
    }

    void break_line()
    {
        flush();
        started_ = false;
    }

    std::string finish()
    {
        flush();
        return std::move(path_);
    }

private:
    void append(char command, double x, double y)
    {
        fmt::format_to(std::back_inserter(path_), "{}{} {}", command, to_coordinate(x),
                       to_coordinate(y));
        x_ = x;
        low_ = high_ = last_ = y_ = y;
    }

    /// What the column held besides the point that is written.
    void flush()
    {
        if (!started_) return;
        const double low = low_, high = high_, last = last_, first = y_;
        if (low < first - kLeastMove) append('L', x_, low);
        if (high > first + kLeastMove) append('L', x_, high);
        if (std::fabs(last - y_) >= kLeastMove) append('L', x_, last);
    }

    std::string path_;
    bool started_ = false;
    double x_ = 0.0, y_ = 0.0, low_ = 0.0, high_ = 0.0, last_ = 0.0;
};

}  // namespace

Plot::Plot(Axis x, Axis y, std::string label)
    : x_(std::move(x)), y_(std::move(y)), label_(std::move(label))
{}

double Plot::at_x(double value) const
{
    return kLeft + std::clamp(x_.place(value), 0.0, 1.0) * kInnerWidth;
}

double Plot::at_y(double value) const
{
    return kTop + (1.0 - std::clamp(y_.place(value), 0.0, 1.0)) * kInnerHeight;
}

void Plot::line(std::span<const Vec2> points, std::size_t series, std::string_view name)
{
    LinePath path;
    for (const Vec2 p : points) {
        if (is_finite(p)) {
            path.add(at_x(p.x), at_y(p.y));
        } else {
            path.break_line();
        }
    }
    fmt::format_to(std::back_inserter(body_),
                   "<path class=\"line s{}\" data-name=\"{}\" d=\"{}\"/>\n", series % kSeries,
                   escape_html(name), path.finish());
}

void Plot::curve(std::span<const Vec2> points, std::size_t series)
{
    std::string path;
    bool started = false;
    for (const Vec2 p : points) {
        if (is_finite(p))
            fmt::format_to(std::back_inserter(path), "{}{} {}", started ? 'L' : 'M',
                           to_coordinate(at_x(p.x)), to_coordinate(at_y(p.y)));
        started = is_finite(p);
    }
    fmt::format_to(std::back_inserter(body_), "<path class=\"line s{}\" d=\"{}\"/>\n",
                   series % kSeries, path);
}

void Plot::cell(Vec2 low, Vec2 high, Colour colour)
{
    // A little larger than it is: edges are rounded, and seams between neighbours would show.
    constexpr double kOverlap = 0.2;
    const double left = at_x(low.x), top = at_y(high.y);
    fmt::format_to(std::back_inserter(body_),
                   "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                   "shape-rendering=\"crispEdges\"/>\n",
                   to_coordinate(left), to_coordinate(top),
                   to_coordinate(at_x(high.x) - left + kOverlap),
                   to_coordinate(at_y(low.y) - top + kOverlap), to_hex(colour));
}

void Plot::area(Vec2 low, Vec2 high, std::size_t series)
{
    fmt::format_to(std::back_inserter(body_),
                   "<rect class=\"point s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                   "shape-rendering=\"crispEdges\"/>\n",
                   series % kSeries, to_coordinate(at_x(low.x)), to_coordinate(at_y(high.y)),
                   to_coordinate(at_x(high.x) - at_x(low.x)),
                   to_coordinate(at_y(low.y) - at_y(high.y)));
}

void Plot::steps(std::span<const Vec2> points, double end, std::size_t series,
                 std::string_view name)
{
    LinePath path;
    double y = 0.0;
    bool started = false;
    for (const Vec2 p : points) {
        if (!is_finite(p)) continue;
        if (started) path.add(at_x(p.x), y);
        y = at_y(p.y);
        path.add(at_x(p.x), y);
        started = true;
    }
    if (started) path.add(at_x(end), y);
    fmt::format_to(std::back_inserter(body_),
                   "<path class=\"line s{}\" data-name=\"{}\" d=\"{}\"/>\n", series % kSeries,
                   escape_html(name), path.finish());
}

void Plot::dots(std::span<const Vec2> points, std::size_t series)
{
    std::string path;
    for (const Vec2 p : points) {
        if (!is_finite(p)) continue;
        fmt::format_to(std::back_inserter(path), "M{} {}h0", to_coordinate(at_x(p.x)),
                       to_coordinate(at_y(p.y)));
    }
    fmt::format_to(std::back_inserter(body_), "<path class=\"dots s{}\" d=\"{}\"/>\n",
                   series % kSeries, path);
}

void Plot::marks(std::span<const Vec2> points, std::size_t series, std::string_view name)
{
    body_ += "<g class=\"solid\">\n";
    line(points, series, name);
    for (const Vec2 p : points) {
        if (!is_finite(p)) continue;
        fmt::format_to(std::back_inserter(body_),
                       "<circle class=\"mark s{}\" cx=\"{}\" cy=\"{}\" r=\"3.6\"><title>{}: {} at "
                       "{}</title></circle>\n",
                       series % kSeries, to_coordinate(at_x(p.x)), to_coordinate(at_y(p.y)),
                       escape_html(name), to_short(p.y), to_short(p.x));
    }
    body_ += "</g>\n";
}

void Plot::bar(double x0, double x1, double height, std::size_t series, std::string_view title,
               std::size_t part, std::size_t parts)
{
    const double left = at_x(x0), whole = at_x(x1) - left, top = at_y(height);
    const double gap = whole > 4.0 ? 1.0 : 0.0;
    const double width = (whole - gap) / static_cast<double>(parts);
    fmt::format_to(std::back_inserter(body_),
                   "<rect class=\"bar s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}"
                   "</title></rect>\n",
                   series % kSeries, to_coordinate(left + width * static_cast<double>(part)),
                   to_coordinate(top), to_coordinate(std::max(width, 0.2)),
                   to_coordinate(at_y(y_.low) - top), escape_html(title));
}

void Plot::rule(double x, std::string_view title)
{
    fmt::format_to(std::back_inserter(body_),
                   "<path class=\"rule\" d=\"M{0} {1}v{2}\"><title>{3}</title></path>\n",
                   to_coordinate(at_x(x)), to_coordinate(kTop), to_coordinate(kInnerHeight),
                   escape_html(title));
}

std::string Plot::finish() const
{
    std::string out = fmt::format(
        "<svg class=\"plot\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" "
        "data-box=\"{} {} {} {}\" data-range=\"{} {} {} {}\" data-x=\"{}\" data-y=\"{}\">\n",
        kWidth, kHeight, escape_html(label_), kLeft, kTop, kInnerWidth, kInnerHeight, x_.low,
        x_.high, y_.low, y_.high, escape_html(x_.title), escape_html(y_.title));
    for (const double tick : y_.ticks) {
        const std::string y = to_coordinate(at_y(tick));
        fmt::format_to(std::back_inserter(out),
                       "<path class=\"grid\" d=\"M{0} {1}h{2}\"/><text class=\"ty\" x=\"{3}\" "
                       "y=\"{1}\" dy=\".34em\">{4}</text>\n",
                       to_coordinate(kLeft), y, to_coordinate(kInnerWidth),
                       to_coordinate(kLeft - 7.0), y_.label(tick));
    }
    for (const double tick : x_.ticks) {
        const std::string x = to_coordinate(at_x(tick));
        fmt::format_to(std::back_inserter(out),
                       "<path class=\"tick\" d=\"M{0} {1}v5\"/><text class=\"tx\" x=\"{0}\" "
                       "y=\"{2}\">{3}</text>\n",
                       x, to_coordinate(kTop + kInnerHeight),
                       to_coordinate(kTop + kInnerHeight + 20.0), x_.label(tick));
    }
    out += body_;
    fmt::format_to(
        std::back_inserter(out),
        "<path class=\"axis\" d=\"M{0} {1}h{2}\"/>\n<text class=\"ax\" x=\"{3}\" y=\"{4}\">{5}"
        "</text><text class=\"ay\" x=\"4\" y=\"16\">{6}</text>\n</svg>\n",
        to_coordinate(kLeft), to_coordinate(kTop + kInnerHeight), to_coordinate(kInnerWidth),
        to_coordinate(kLeft + kInnerWidth), to_coordinate(kHeight - 8.0), escape_html(x_.title),
        escape_html(y_.title));
    return out;
}

namespace {

std::string sign_of(const Figure::Entry& entry)
{
    const std::size_t series = entry.series % kSeries;
    switch (entry.sign) {
        case Figure::Sign::dot:
            return fmt::format("<circle class=\"mark s{}\" cx=\"13\" cy=\"5\" r=\"4\"/>", series);
        case Figure::Sign::point:
            return fmt::format("<circle class=\"point s{}\" cx=\"13\" cy=\"5\" r=\"4\"/>", series);
        case Figure::Sign::unknown: return "<circle class=\"unknown\" cx=\"13\" cy=\"5\" r=\"4\"/>";
        case Figure::Sign::box:
            return fmt::format(
                "<rect class=\"bar s{}\" x=\"6\" width=\"14\" height=\"10\" rx=\"2\"/>", series);
        default: return fmt::format("<path class=\"line s{}\" d=\"M1 5h24\"/>", series);
    }
}

}  // namespace

std::string to_html(const Figure& figure)
{
    std::string out = fmt::format("<figure class=\"card{}\">\n<figcaption><h3>{}</h3>",
                                  figure.wide ? " wide" : "", escape_html(figure.title));
    if (!figure.sentence.empty()) out += fmt::format("<p>{}</p>", figure.sentence);
    out += "</figcaption>\n";
    out += figure.drawing;
    if (!figure.legend.empty()) {
        out += "<ul class=\"legend\">";
        for (const Figure::Entry& entry : figure.legend) {
            fmt::format_to(std::back_inserter(out),
                           "<li><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\">{}</svg>{}</li>",
                           sign_of(entry), escape_html(entry.name));
        }
        out += "</ul>\n";
    }
    out += "</figure>\n";
    return out;
}

}  // namespace sidestep
