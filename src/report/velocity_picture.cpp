// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "report/text.hpp"
#include "report/velocity_labels.hpp"
#include "report/velocity_plot.hpp"
#include "sidestep/report.hpp"

namespace sidestep {
namespace {

using namespace velocity_style;
using Source = Explanation::Source;
using Anchor = Painter::Anchor;

// Layout in pixels: the title, the plot, its legend on the right.
constexpr double kLegendLeft = kLeft + kSide + 26.0, kWidth = kLegendLeft + 312.0, kFoot = 50.0;
constexpr double kTitleSize = 17.0;
constexpr double kLineHeight = 17.0, kRowHeight = 25.0, kSample = 34.0;
constexpr std::size_t kReasonLength = 132;  // characters of a line

/// At spaces, into lines of at most `most` characters; longer words are broken.
std::vector<std::string> wrap(std::string_view text, std::size_t most)
{
    std::vector<std::string> lines;
    while (text.size() > most) {
        const std::size_t space = text.rfind(' ', most);
        const bool breaks_word = space == std::string_view::npos || space == 0;
        const std::size_t end = breaks_word ? most : space;
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(breaks_word ? end : end + 1);
    }
    if (!text.empty()) lines.emplace_back(text);
    return lines;
}

class VelocityPicture {
public:
    VelocityPicture(const Explanation& explanation, const std::string& title)
        : e_(explanation),
          title_(title),
          reason_(wrap(explanation.reason, kReasonLength)),
          top_(66.0 + kLineHeight * static_cast<double>(reason_.size())),
          to_(static_cast<std::uint32_t>(kWidth), static_cast<std::uint32_t>(top_ + kSide + kFoot),
              kPaper),
          plot_(explanation, top_, to_)
    {}

    std::string draw()
    {
        plot_.draw();
        VelocityLabels labels(e_, plot_, to_);
        labels.draw();
        draw_title();
        draw_legend(labels.left());
        return to_.finish();
    }

private:
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

    void legend_line(Source source, bool given_up, std::string_view text)
    {
        const auto same = [&](const Explanation::Line& line) {
            return line.source == source && plot_.is_given_up(line) == given_up;
        };
        const auto count = std::count_if(e_.lines.begin(), e_.lines.end(), same);
        if (count == 0) return;
        const Vec2 at = legend_row(fmt::format("{} ({})", text, count));
        plot_.draw_edge(at + Vec2{-15, -3}, at + Vec2{17, -3}, source, given_up);
    }

    void legend_limit(std::string_view dash, const std::string& text)
    {
        const Vec2 at = legend_row(text);
        const std::vector<std::vector<Vec2>> line{{at + Vec2{-15, 0}, at + Vec2{15, 0}}};
        to_.lines(line, 1.8, kLimit, dash);
    }

    void draw_legend(VelocityLabels::Left left)
    {
        legend_y_ = top_ + 12.0;
        for (const VelocityArrow& arrow : plot_.arrows()) {
            const Vec2 at = legend_row(fmt::format("{} velocity ({}, {}) m/s", arrow.name,
                                                   to_fixed(arrow.velocity.x, 2),
                                                   to_fixed(arrow.velocity.y, 2)));
            plot_.draw_arrow(at + Vec2{-15, 0}, at + Vec2{6, 0}, arrow);
        }
        legend_y_ += 8.0;
        legend_limit({}, fmt::format("maximum speed {} m/s", to_short(e_.max_speed)));
        if (e_.reach)
            legend_limit(kReachDash,
                         fmt::format("within reach: {} m/s a step", to_short(*e_.reach)));
        legend_y_ += 8.0;
        legend_cone(Source::agent, false, "forbidden by an agent, its id inside");
        legend_cone(Source::agent, true, "cone of an agent, given up");
        legend_cone(Source::body, false, "forbidden by a body");
        legend_cone(Source::body, true, "cone of a body, given up");
        legend_cone(Source::wall, false, "forbidden by a wall");
        legend_cone(Source::wall, true, "cone of a wall, given up");
        legend_line(Source::agent, false, "line of an agent, hatched: forbidden");
        legend_line(Source::agent, true, "line of an agent, given up");
        legend_line(Source::body, false, "line of a body, hatched: forbidden");
        legend_line(Source::body, true, "line of a body, given up");
        legend_line(Source::wall, false, "line of a wall, hatched: forbidden");
        legend_line(Source::wall, true, "line of a wall, given up");
        draw_remarks(left);
    }

    void draw_remarks(VelocityLabels::Left left)
    {
        legend_y_ += 6.0;
        const auto remark = [&](std::size_t count, std::string_view one, std::string_view several) {
            if (count == 0) return;
            to_.text({kLegendLeft, legend_y_}, kTextSize, kInk, Anchor::begin,
                     count_of(count, one, several));
            legend_y_ += kLineHeight;
        };
        remark(left.forbids_all, "line forbids all that is shown",
               "lines forbid all that is shown");
        remark(left.outside, "cone or line is outside the plot",
               "cones or lines are outside the plot");
        remark(left.unnamed, "label had no room", "labels had no room");
    }

    const Explanation& e_;
    const std::string& title_;
    std::vector<std::string> reason_;
    double top_;
    SvgPainter to_;
    VelocityPlot plot_;
    double legend_y_ = 0.0;
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
