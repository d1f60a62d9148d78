// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "report/painter.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

void append_points(std::string& out, std::span<const Vec2> points)
{
    char command = 'M';
    for (const Vec2 p : points) {
        fmt::format_to(std::back_inserter(out), "{}{} {}", command, to_coordinate(p.x),
                       to_coordinate(p.y));
        command = 'L';
    }
}

void append_text(std::string& out, Vec2 at, double size, Colour colour, Painter::Anchor anchor,
                 std::string_view attributes, std::string_view text)
{
    const std::string_view side = anchor == Painter::Anchor::begin    ? "start"
                                  : anchor == Painter::Anchor::middle ? "middle"
                                                                      : "end";
    fmt::format_to(std::back_inserter(out),
                   "<text x=\"{}\" y=\"{}\" font-size=\"{:.3g}\" fill=\"{}\" text-anchor=\"{}\"{}>"
                   "{}</text>\n",
                   to_coordinate(at.x), to_coordinate(at.y), size, to_hex(colour), side, attributes,
                   escape_html(text));
}

}  // namespace

SvgPainter::SvgPainter(std::uint32_t width, std::uint32_t height, Colour background)
{
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"system-ui, sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"{2}\"/>\n",
        width, height, to_hex(background));
}

void SvgPainter::fill(std::span<const std::vector<Vec2>> rings, Colour colour, double opacity)
{
    std::string path;
    for (const auto& ring : rings) {
        append_points(path, ring);
        path += 'z';
    }
    fmt::format_to(std::back_inserter(out_),
                   "<path fill=\"{}\" fill-opacity=\"{:.3g}\" fill-rule=\"evenodd\" d=\"{}\"/>\n",
                   to_hex(colour), opacity, path);
}

void SvgPainter::stroke(std::span<const Vec2> line, double width, Colour colour)
{
    std::string path;
    append_points(path, line);
    fmt::format_to(std::back_inserter(out_),
                   "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.3g}\" "
                   "stroke-linecap=\"round\" stroke-linejoin=\"round\" d=\"{}\"/>\n",
                   to_hex(colour), width, path);
}

void SvgPainter::discs(std::span<const Vec2> centres, double radius, Colour colour)
{
    std::string path;
    for (const Vec2 p : centres) {
        fmt::format_to(std::back_inserter(path), "M{} {}h0", to_coordinate(p.x),
                       to_coordinate(p.y));
    }
    fmt::format_to(std::back_inserter(out_),
                   "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.3g}\" "
                   "stroke-linecap=\"round\" d=\"{}\"/>\n",
                   to_hex(colour), 2.0 * radius, path);
}

void SvgPainter::lines(std::span<const std::vector<Vec2>> lines, double width, Colour colour,
                       std::string_view dash)
{
    std::string path;
    for (const auto& line : lines) append_points(path, line);
    if (path.empty()) return;
    const std::string dashes =
        dash.empty() ? std::string() : fmt::format(" stroke-dasharray=\"{}\"", dash);
    fmt::format_to(std::back_inserter(out_),
                   "<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:.3g}\" "
                   "stroke-linejoin=\"round\"{} d=\"{}\"/>\n",
                   to_hex(colour), width, dashes, path);
}

void SvgPainter::ring(Vec2 centre, double radius, double width, Colour colour)
{
    fmt::format_to(std::back_inserter(out_),
                   "<circle cx=\"{}\" cy=\"{}\" r=\"{:.3g}\" fill=\"none\" stroke=\"{}\" "
                   "stroke-width=\"{:.3g}\"/>\n",
                   to_coordinate(centre.x), to_coordinate(centre.y), radius, to_hex(colour), width);
}

void SvgPainter::begin_group(double opacity)
{
    fmt::format_to(std::back_inserter(out_), "<g opacity=\"{:.3g}\">\n", opacity);
}

void SvgPainter::end_group()
{
    out_ += "</g>\n";
}

void SvgPainter::text(Vec2 at, double size, Colour colour, Anchor anchor, std::string_view text)
{
    append_text(out_, at, size, colour, anchor, "", text);
}

void SvgPainter::label(Vec2 at, double size, Colour colour, Colour paper, Anchor anchor,
                       std::string_view text)
{
    const std::string rim = fmt::format(
        " stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
        to_hex(paper));
    append_text(out_, at, size, colour, anchor, rim, text);
}

}  // namespace sidestep
