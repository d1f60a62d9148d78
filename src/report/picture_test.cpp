// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <numbers>

#include "report/moment.hpp"
#include "report/painter.hpp"
#include "report/plan.hpp"
#include "report/png.hpp"
#include "sidestep/report.hpp"
#include "support/report_runs.hpp"

namespace sidestep {
namespace {

constexpr Colour kBlack{0, 0, 0}, kWhite{255, 255, 255};

std::uint32_t number_at(std::string_view bytes, std::size_t at)
{
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return number;
}

/// Chunks by name; checks every length and CRC.
std::string chunk(std::string_view png, std::string_view wanted)
{
    EXPECT_EQ(png.substr(0, 8), std::string_view("\x89PNG\r\n\x1a\n", 8));
    std::string found;
    for (std::size_t at = 8; at < png.size();) {
        const std::size_t size = number_at(png, at);
        const std::string_view body = png.substr(at + 4, size + 4);
        EXPECT_EQ(number_at(png, at + 8 + size),
                  crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size()));
        if (body.substr(0, 4) == wanted) found = body.substr(4);
        at += size + 12;
    }
    return found;
}

std::string inflated(const std::string& bytes, std::size_t size)
{
    std::string out(size, '\0');
    uLongf got = static_cast<uLongf>(size);
    EXPECT_EQ(
        uncompress(reinterpret_cast<Bytef*>(out.data()), &got,
                   reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size())),
        Z_OK);
    EXPECT_EQ(got, size);
    return out;
}

/// Ink on white, in pixels.
double covered(const RasterPainter& painter)
{
    double sum = 0.0;
    for (const Colour pixel : painter.pixels()) sum += 1.0 - pixel.red / 255.0;
    return sum;
}

TEST(Png, is_what_it_was_made_of)
{
    const std::vector<Colour> pixels{{1, 2, 3}, {4, 5, 6}, {1, 2, 3}, {7, 8, 9}};
    const auto png = encode_png(2, 2, pixels);
    ASSERT_TRUE(png);
    EXPECT_EQ(number_at(chunk(*png, "IHDR"), 0), 2u);
    const std::string rows = inflated(chunk(*png, "IDAT"), 14);
    EXPECT_EQ(rows,
              std::string("\0\1\2\3\4\5\6\2\0\0\0\3\3\3", 14));  // the second row: differences
}

TEST(Png, an_indexed_picture_has_its_palette_and_opacity)
{
    const std::vector<std::uint8_t> pixels{0, 1, 1};
    const std::vector<PaletteColour> palette{{{9, 9, 9}, 0}, {{10, 20, 30}}};
    const auto png = encode_png(3, 1, pixels, palette);
    ASSERT_TRUE(png);
    EXPECT_EQ(chunk(*png, "PLTE"), std::string("\x09\x09\x09\x0a\x14\x1e", 6));
    EXPECT_EQ(chunk(*png, "tRNS"), std::string("\0\xff", 2));
    EXPECT_EQ(inflated(chunk(*png, "IDAT"), 4), std::string("\0\0\1\1", 4));
}

TEST(RasterPainter, covers_the_area_of_what_it_draws)
{
    RasterPainter disc(100, 100, kWhite);
    const Vec2 centre{50.3, 49.6};
    disc.discs({&centre, 1}, 20.0, kBlack);
    EXPECT_NEAR(covered(disc), std::numbers::pi * 400.0, 6.0);

    RasterPainter ring(100, 100, kWhite);
    const std::vector<std::vector<Vec2>> rings{{{10.25, 10}, {90.25, 10}, {90.25, 90}, {10.25, 90}},
                                               {{30, 30}, {70, 30}, {70, 70.4}, {30, 70.4}}};
    ring.fill(rings, kBlack, 1.0);
    EXPECT_NEAR(covered(ring), 80.0 * 80.0 - 40.0 * 40.4, 1.0);

    RasterPainter triangle(100, 100, kWhite);
    const std::vector<std::vector<Vec2>> corners{{{5, 5}, {95, 20}, {40, 90}}};
    triangle.fill(corners, kBlack, 0.5);
    EXPECT_NEAR(covered(triangle), 0.5 * 0.5 * (90.0 * 85.0 - 35.0 * 15.0), 12.0);

    RasterPainter line(100, 100, kWhite);
    const std::vector<Vec2> ends{{20, 30}, {80, 70}};
    line.stroke(ends, 4.0, kBlack);
    EXPECT_NEAR(covered(line), std::hypot(60.0, 40.0) * 4.0 + std::numbers::pi * 4.0, 6.0);
}

TEST(RasterPainter, draws_nothing_beyond_its_borders)
{
    RasterPainter painter(20, 20, kWhite);
    const std::vector<Vec2> far{{-1e9, -1e9}, {1e9, 1e9}};
    painter.stroke(far, 2.0, kBlack);
    painter.discs(far, 5.0, kBlack);
    const std::vector<std::vector<Vec2>> big{{{-1e9, -1e9}, {1e9, -1e9}, {1e9, 1e9}, {-1e9, 1e9}}};
    painter.fill(big, kBlack, 1.0);
    EXPECT_NEAR(covered(painter), 400.0, 1.0);
}

TEST(StrokeFont, has_every_ascii_letter_and_a_box_for_others)
{
    for (char c = '!'; c <= '~'; ++c) {
        EXPECT_FALSE(text_strokes({&c, 1}).empty()) << c;
        for (const auto& line : text_strokes({&c, 1})) {
            for (const Vec2 p : line) {
                EXPECT_GE(p.x, 0.0) << c;
                EXPECT_LE(p.x, text_width({&c, 1}) + 1e-9) << c;
                EXPECT_GE(p.y, -1.0) << c;
                EXPECT_LE(p.y, 0.34) << c;
            }
        }
    }
    EXPECT_EQ(text_strokes("ü").size(), 1u);
    EXPECT_EQ(text_width(""), 0.0);
    EXPECT_GT(text_width("ab"), text_width("a"));
}

TEST(Still, shows_the_nearest_frame_with_time_and_scale)
{
    const Trajectories t = walk_east(4, 80);
    const auto svg = draw_still_svg(t, {.time = 3.04});
    ASSERT_TRUE(svg);
    EXPECT_NE(svg->find("t = 3.0 s, 4 walkers"), std::string::npos);
    EXPECT_NE(svg->find(">1 m<"), std::string::npos);
    EXPECT_NE(svg->find("1.6 m/s"), std::string::npos);
    const auto late = draw_still_svg(t, {.time = 1e9});
    ASSERT_TRUE(late);
    EXPECT_NE(late->find("t = 7.9 s"), std::string::npos);
}

std::size_t count_of(const std::string& text, std::string_view part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(Still, tracks_are_the_ways_up_to_that_moment)
{
    const Trajectories t = walk_east(4, 80);
    const std::size_t without = count_of(*draw_still_svg(t, {.time = 3.0}), "stroke-width");
    const std::string with = *draw_still_svg(t, {.time = 3.0, .tracks = true});
    EXPECT_EQ(count_of(with, "stroke-width"), without + 4 + 1);  // and the points
    EXPECT_LT(with.size(), draw_still_svg(t, {.time = 6.0, .tracks = true})->size());
    // At the first frame nobody has walked yet: points alone.
    EXPECT_EQ(count_of(*draw_still_svg(t, {.time = 0.0, .tracks = true}), "stroke-width"),
              without + 1);
}

TEST(Still, a_picture_has_the_width_that_was_asked_for)
{
    const Trajectories t = walk_east(4, 80);
    const auto png = draw_still_png(t, {.time = 2.0, .width = 640, .dark = true});
    ASSERT_TRUE(png);
    EXPECT_EQ(number_at(chunk(*png, "IHDR"), 0), 640u);
    EXPECT_EQ(*png, *draw_still_png(t, {.time = 2.0, .width = 640, .dark = true}));
    EXPECT_FALSE(draw_still_png(t, {.width = 10}));
    EXPECT_FALSE(draw_still_svg(t, {.time = NAN}));
    EXPECT_EQ(draw_still_svg(t, {.level = 3}).error().message,
              "the recording has no level 3; it has: 0");
}

TEST(RasterPainter, what_lies_across_a_border_is_drawn_up_to_it)
{
    RasterPainter painter(40, 30, kWhite);
    const std::vector<std::vector<Vec2>> corner{{{-10, -10}, {12.5, -10}, {12.5, 7}, {-10, 7}}};
    painter.fill(corner, kBlack, 1.0);
    EXPECT_NEAR(covered(painter), 12.5 * 7.0, 0.5);
    for (const Vec2 off : {Vec2{100, 0}, Vec2{-100, 0}, Vec2{0, 100}, Vec2{0, -100}}) {
        auto away = corner;
        for (Vec2& p : away[0]) p = p + off;
        painter.fill(away, kBlack, 1.0);
    }
    EXPECT_NEAR(covered(painter), 12.5 * 7.0, 0.5);
}

TEST(Still, speeds_are_known_however_far_frames_are_apart)
{
    Trajectories slow = walk_east(2, 20);
    slow.info.fps = 0.2;  // 5 s apart
    const auto seen = walkers_at(slow, 3, 0);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_NEAR(seen[0].speed, 0.1 / 5.0, 1e-9);

    Trajectories gap = walk_east(2, 20);
    for (std::size_t i = 10; i < 20; ++i) gap.frames[i] += 5;
    EXPECT_NEAR(walkers_at(gap, 9, 0)[0].speed, 1.0, 1e-9);   // from the frame before alone
    EXPECT_NEAR(walkers_at(gap, 10, 0)[0].speed, 1.0, 1e-9);  // from the frame after
}

TEST(Still, an_unknown_speed_is_grey_and_said)
{
    const auto svg = draw_still_svg(walk_east(2, 1), {});
    ASSERT_TRUE(svg);
    EXPECT_TRUE(std::isnan(walkers_at(walk_east(2, 1), 0, 0)[0].speed));
    EXPECT_NE(svg->find("speed not known"), std::string::npos);
    EXPECT_EQ(svg->find("1.6 m/s"), std::string::npos);
    const auto known = draw_still_svg(walk_east(2, 5), {});
    ASSERT_TRUE(known);
    EXPECT_EQ(known->find("not known"), std::string::npos);
}

TEST(Still, a_closed_door_is_filled)
{
    Trajectories t = walk_east(2, 80);
    t.info.places = {{"gate", "door", 0, "POLYGON ((9 2, 9.4 2, 9.4 4, 9 4, 9 2))"}};
    t.notes.events = {{2.0, "door-opened", "door 'gate' opens"},
                      {3.0, "door-closed", "door 'other' closes"},
                      {4.0, "door-closed", "door 'gate' closes"}};
    const Plan plan = make_plan(t);
    const PlanPlace& gate = plan.levels[0].places[0];
    ASSERT_EQ(gate.closed.size(), 2u);
    EXPECT_TRUE(gate.is_closed(0.0));  // it opens first: it was closed
    EXPECT_FALSE(gate.is_closed(2.0));
    EXPECT_TRUE(gate.is_closed(4.0));
    EXPECT_TRUE(gate.is_closed(1e6));
    const auto filled = [&](double time) {
        const auto svg = draw_still_svg(t, {.time = time});
        EXPECT_TRUE(svg);
        return svg && svg->find("fill=\"#b06a00\" fill-opacity=\"1\"") != std::string::npos;
    };
    EXPECT_TRUE(filled(1.0));
    EXPECT_FALSE(filled(3.0));
    EXPECT_TRUE(filled(5.0));
}

TEST(Still, of_nearly_nothing_is_a_picture_still)
{
    for (const Trajectories& t :
         {walk_east(0, 0), walk_east(0, 1), walk_east(1, 1), walk_east(1, 1, {}, ""),
          walk_east(0, 0, {}, ""), walk_east(3, 5, {1e6, -1e6}, ""),
          walk_east(3, 5, {}, "POLYGON EMPTY"), walk_east(3, 5, {}, "POLYGON ((0 0, 1"),
          walk_east(2, 3, {1e12, 1e12}, "")}) {
        const auto png = draw_still_png(t, {.width = 300});
        ASSERT_TRUE(png);
        EXPECT_EQ(number_at(chunk(*png, "IHDR"), 0), 300u);
        const auto svg = draw_still_svg(t, {});
        ASSERT_TRUE(svg);
        EXPECT_EQ(svg->find("nan"), std::string::npos);
        EXPECT_EQ(svg->find("inf"), std::string::npos);
    }
}

}  // namespace
}  // namespace sidestep
