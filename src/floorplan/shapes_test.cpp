// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "floorplan/floorplan.hpp"

namespace sidestep {
namespace {

TEST(ReadWkt, keeps_polygons_holes_lines_and_points_and_drops_heights)
{
    const auto shapes = read_wkt(
        "GEOMETRYCOLLECTION Z (POLYGON Z ((0 0 5, 4 0 5, 4 4 5, 0 0 5)), MULTIPOLYGON(((9 9, 8 9, "
        "8 "
        "8)), ((0 0, 9 0, 9 9, 0 0), (6 1, 7 1, 7 2, 6 1))))");
    ASSERT_FALSE(shapes) << "an open ring is no WKT polygon";
    const auto good = read_wkt(
        "GEOMETRYCOLLECTION Z (POLYGON Z ((0 0 5, 4 0 5, 4 4 5, 0 0 5)), POLYGON((0 0, 9 0, 9 9, 0 "
        "0), (6 1, 7 1, 7 2, 6 1)), LINESTRING(1 2, 3 4), POINT(5 6))");
    ASSERT_TRUE(good) << good.error().message;
    ASSERT_EQ(good->items.size(), 1u);
    const Shapes::Named& item = good->items[0];
    ASSERT_EQ(item.polygons.size(), 2u);
    EXPECT_EQ(item.polygons[0].shell, (std::vector<Vec2>{{0, 0}, {4, 0}, {4, 4}}));
    EXPECT_EQ(item.polygons[1].holes[0].size(), 3u);
    EXPECT_EQ(item.lines[0], (std::vector<Vec2>{{1, 2}, {3, 4}}));
    EXPECT_EQ(item.points[0], (Vec2{5, 6}));
}

TEST(ReadWkt, refuses_nonsense_with_words)
{
    for (const std::string& text :
         {std::string("POLYGON((0 0, 1 1"), std::string(""), std::string("BLOB(1 2)"),
          std::string("POINT(nan 2)"), std::string("POINT(1e999 2)"),
          std::string("POINT(1 2)\0", 11), std::string(100000, '('),
          "GEOMETRYCOLLECTION(" + std::string(5000, '(')}) {
        const auto shapes = read_wkt(text);
        ASSERT_FALSE(shapes) << text.substr(0, 40);
        EXPECT_GT(shapes.error().message.size(), 8u);
    }
}

TEST(ReadGeoJson, keeps_the_names_of_features)
{
    const auto shapes = read_geojson(R"({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "hall"},
         "geometry": {"type": "Polygon", "coordinates": [[[0,0,1],[4,0,1],[4,4,1],[0,0,1]], [[1,1],[2,1],[2,2],[1,1]]]}},
        {"type": "Feature", "properties": null,
         "geometry": {"type": "GeometryCollection", "geometries": [
            {"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]},
            {"type": "MultiLineString", "coordinates": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]},
            {"type": "MultiPolygon", "coordinates": [[[[0,0],[1,0],[1,1],[0,0]]], [[[5,5],[6,5],[6,6],[5,5]]]]}]}},
        {"type": "Feature", "properties": {"name": 7}, "geometry": null}]})");
    ASSERT_TRUE(shapes) << shapes.error().message;
    ASSERT_EQ(shapes->items.size(), 3u);
    EXPECT_EQ(shapes->items[0].name, "hall");
    EXPECT_EQ(shapes->items[0].polygons[0].shell, (std::vector<Vec2>{{0, 0}, {4, 0}, {4, 4}}));
    EXPECT_EQ(shapes->items[0].polygons[0].holes.size(), 1u);
    EXPECT_EQ(shapes->items[1].points.size(), 2u);
    EXPECT_EQ(shapes->items[1].lines.size(), 2u);
    EXPECT_EQ(shapes->items[1].polygons.size(), 2u);
    EXPECT_EQ(shapes->items[2].name, "");
}

TEST(ReadGeoJson, reads_a_bare_geometry)
{
    const auto shapes = read_geojson(R"({"type": "Point", "coordinates": [1, 2]})");
    ASSERT_TRUE(shapes);
    EXPECT_EQ(shapes->items[0].points[0], (Vec2{1, 2}));
}

TEST(ReadGeoJson, refuses_nonsense_with_words)
{
    for (const char* text :
         {"", "[", "7", "{}", R"({"type": "Polygon"})", R"({"type": "Blob", "coordinates": []})",
          R"({"type": "Point", "coordinates": ["a", 2]})",
          R"({"type": "Point", "coordinates": [1]})",
          R"({"type": "LineString", "coordinates": [[1, 2]]})",
          R"({"type": "Polygon", "coordinates": [[[0,0],[1,1],[0,0]]]})",
          R"({"type": "FeatureCollection", "features": 3})",
          R"({"type": "FeatureCollection", "features": [{"type": "Point"}]})",
          R"({"type": "Feature"})", R"({"type": 3})",
          R"({"type": "Polygon", "coordinates": [7]})"}) {
        const auto shapes = read_geojson(text);
        ASSERT_FALSE(shapes) << text;
        EXPECT_GT(shapes.error().message.size(), 12u) << text;
    }
    EXPECT_NE(read_geojson("{\"type\": ?").error().message.find("character 10"), std::string::npos);
}

TEST(FindFault, says_what_and_where)
{
    const std::vector<Vec2> bow{{0, 0}, {2, 2}, {2, 0}, {0, 2}};
    const auto fault = find_fault(bow);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->reason, "self-intersection");
    EXPECT_NEAR(fault->place.x, 1.0, 1e-12);
    EXPECT_NEAR(fault->place.y, 1.0, 1e-12);

    const std::vector<Vec2> square{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    EXPECT_FALSE(find_fault(square));
    const auto outside = find_fault(Polygon{square, {{{9, 9}, {8, 9}, {8, 8}}}});
    ASSERT_TRUE(outside);
    EXPECT_EQ(outside->reason, "hole outside the shell");
    EXPECT_TRUE(find_fault(std::vector<Vec2>{{0, 0}, {1, 1}}));
    EXPECT_TRUE(find_fault(std::vector<Vec2>{{0, 0}, {1, 1}, {2, 2}}));
    EXPECT_TRUE(find_fault(std::vector<Vec2>{}));
    EXPECT_TRUE(find_fault(std::vector<Vec2>{{0, 0}, {1, 0}, {1, std::nan("")}}));
    EXPECT_FALSE(find_fault(Polygon{square, {{{0, 0}, {2, 1}, {1, 2}}}})) << "touches in a point";
}

TEST(Covers, counts_the_boundary_as_inside)
{
    const std::vector<Polygon> polygons{
        {{{0, 0}, {4, 0}, {4, 4}, {0, 4}}, {{{1, 1}, {2, 1}, {2, 2}, {1, 2}}}},
        {{{10, 0}, {12, 0}, {11, 3}}, {}}};
    for (const Vec2 inside :
         {Vec2{0, 0}, {2, 0}, {3, 3}, {1, 1.5}, {2, 2}, {11, 1}, {4, 2}, {11, 3}}) {
        EXPECT_TRUE(covers(polygons, inside)) << inside.x << " " << inside.y;
    }
    for (const Vec2 outside : {Vec2{1.5, 1.5}, {5, 2}, {-1, 0}, {10, 3}, {11, 4}, {-1, 4}}) {
        EXPECT_FALSE(covers(polygons, outside)) << outside.x << " " << outside.y;
    }
    EXPECT_FALSE(covers({}, {0, 0}));
}

TEST(ToWkt, reads_back_the_same_doubles)
{
    const std::vector<Polygon> polygons{
        {{{0.1, 1.0 / 3.0}, {4e6 + 0.1, 0}, {4, 1e-17}}, {}},
        {{{10, 0}, {12, 0}, {11, 3}}, {{{10.9, 0.9}, {11.1, 0.9}, {11, 1.1}}}}};
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}}) {
        const auto back = read_wkt(to_wkt({polygons.data(), count}));
        ASSERT_TRUE(back) << back.error().message;
        ASSERT_EQ(back->items[0].polygons.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(back->items[0].polygons[i].shell, polygons[i].shell);
            EXPECT_EQ(back->items[0].polygons[i].holes, polygons[i].holes);
        }
    }
    EXPECT_EQ(to_wkt({}), "POLYGON EMPTY");
}

}  // namespace
}  // namespace sidestep
