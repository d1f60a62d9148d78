// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/colours.hpp"
#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Draws a picture, in pixels from the upper left corner, y down; what comes later lies on top.
class Painter {
public:
    enum class Anchor { begin, middle, end };

    virtual ~Painter() = default;
    /// Rings together, even-odd.
    virtual void fill(std::span<const std::vector<Vec2>> rings, Colour colour, double opacity) = 0;
    virtual void stroke(std::span<const Vec2> line, double width, Colour colour) = 0;
    virtual void discs(std::span<const Vec2> centres, double radius, Colour colour) = 0;
    /// `at` is on the base line.
    virtual void text(Vec2 at, double size, Colour colour, Anchor anchor,
                      std::string_view text) = 0;
};

class SvgPainter final : public Painter {
public:
    SvgPainter(std::uint32_t width, std::uint32_t height, Colour background);
    void fill(std::span<const std::vector<Vec2>> rings, Colour colour, double opacity) override;
    void stroke(std::span<const Vec2> line, double width, Colour colour) override;
    void discs(std::span<const Vec2> centres, double radius, Colour colour) override;
    void text(Vec2 at, double size, Colour colour, Anchor anchor, std::string_view text) override;

    // What SVG alone has.

    /// Several lines as one; `dash` as in stroke-dasharray, empty: drawn through.
    void lines(std::span<const std::vector<Vec2>> lines, double width, Colour colour,
               std::string_view dash = {});
    /// A ring of this radius to the middle of its line.
    void ring(Vec2 centre, double radius, double width, Colour colour);
    /// Text with a rim in the colour of the paper, to be read on top of lines.
    void label(Vec2 at, double size, Colour colour, Colour paper, Anchor anchor,
               std::string_view text);
    /// What is drawn until end_group is drawn together, then made translucent: where shapes overlap
    /// they are no darker than elsewhere.
    void begin_group(double opacity);
    void end_group();

    std::string finish() const { return out_ + "</svg>\n"; }

private:
    std::string out_;
};

/// Anti-aliased pixels. Text is drawn with strokes; characters beyond ASCII become a box.
class RasterPainter final : public Painter {
public:
    RasterPainter(std::uint32_t width, std::uint32_t height, Colour background);
    void fill(std::span<const std::vector<Vec2>> rings, Colour colour, double opacity) override;
    void stroke(std::span<const Vec2> line, double width, Colour colour) override;
    void discs(std::span<const Vec2> centres, double radius, Colour colour) override;
    void text(Vec2 at, double size, Colour colour, Anchor anchor, std::string_view text) override;
    const std::vector<Colour>& pixels() const { return pixels_; }
    Result<std::string> to_png() const;

private:
    void blend(std::size_t x, std::size_t y, Colour colour, double cover);
    void segment(Vec2 a, Vec2 b, double width, Colour colour);

    std::uint32_t width_, height_;
    std::vector<Colour> pixels_;
};

// ------------------------------------------------------------------------------------ stroke font

/// Lines of a text whose capitals are 1 high, from (0, 0) on the base line, y down.
std::vector<std::vector<Vec2>> text_strokes(std::string_view text);
/// Width of that text.
double text_width(std::string_view text);

}  // namespace sidestep
