// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "floorplan/floorplan.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading.hpp"

namespace sidestep {
namespace {

/// Whether all points lie on one line, exactly.
bool is_flat(std::span<const Vec2> ring)
{
    for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
        if (det(ring[i] - ring[0], ring[i + 1] - ring[0]) != 0.0) return false;
    }
    return true;
}

bool check_ring(Reading& r, const toml::node& node, std::string_view key,
                std::span<const Vec2> ring)
{
    if (!check_line(r, node, key, ring)) return false;
    for (const Vec2 p : ring) {
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::fabs(p.x) <= kMaxCoordinate &&
            std::fabs(p.y) <= kMaxCoordinate) {
            continue;
        }
        r.problems.add(node, "out-of-range",
                       fmt::format("{} has a vertex at {}, farther out than {} m", key, to_text(p),
                                   kMaxCoordinate));
        return false;
    }
    if (!is_flat(ring)) return true;
    r.problems.add(
        node, "bad-shape",
        fmt::format("{} has no area: all vertices lie on a line at {}", key, to_place(ring[0])));
    return false;
}

/// Reports that a shape file or text holds nothing of use.
void report_empty(Reading& r, const toml::node& node, std::string_view key,
                  const std::string& source)
{
    r.problems.add(node, "bad-shape", fmt::format("{}: {} holds no polygon", key, source),
                   "lines and points have no area");
}

std::vector<Polygon> collect(const Shapes& shapes, const std::optional<std::string>& name)
{
    std::vector<Polygon> polygons;
    for (const Shapes::Named& item : shapes.items) {
        if (name && item.name != *name) continue;
        polygons.insert(polygons.end(), item.polygons.begin(), item.polygons.end());
    }
    return polygons;
}

std::vector<Polygon> load_shapes(Reading& r, const toml::table& table, const toml::node& file,
                                 std::string_view key)
{
    const std::string path = file.as_string()->get();
    const Result<Shapes>& shapes = r.files.load(path);
    if (!shapes) {
        r.problems.add(file, "bad-file", shapes.error().message);
        return {};
    }
    std::optional<std::string> name;
    if (const toml::node* node = table.get("name")) {
        name = text_or(r, table, "name");
        std::vector<std::string_view> known;
        bool found = false;
        for (const Shapes::Named& item : shapes->items) {
            found = found || item.name == *name;
            if (!item.name.empty()) known.push_back(item.name);
        }
        if (!found) {
            r.problems.add(
                *node, "unknown-name",
                fmt::format("there is no feature {} in the file {}", quote(*name), quote(path)),
                hint_names(*name, known, "names"));
            return {};
        }
    }
    std::vector<Polygon> polygons = collect(*shapes, name);
    if (polygons.empty()) report_empty(r, file, key, fmt::format("the file {}", quote(path)));
    return polygons;
}

std::vector<Polygon> read_table(Reading& r, const toml::table& table, std::string_view key)
{
    if (table.contains("box")) {
        const std::vector<double> b = to_numbers(table.get("box"));
        if (b.size() != 4) return {};
        return {Polygon{{{b[0], b[1]}, {b[2], b[1]}, {b[2], b[3]}, {b[0], b[3]}}, {}}};
    }
    if (table.contains("polygon")) {
        return {Polygon{to_ring(table.get("polygon")), to_rings(table.get("holes"))}};
    }
    if (const toml::node* wkt = table.get("wkt"); wkt != nullptr && wkt->is_string()) {
        const Result<Shapes> shapes = read_wkt(wkt->as_string()->get());
        if (!shapes) {
            r.problems.add(*wkt, "bad-wkt", shapes.error().message);
            return {};
        }
        std::vector<Polygon> polygons = collect(*shapes, {});
        if (polygons.empty()) report_empty(r, *wkt, key, "the text");
        return polygons;
    }
    const toml::node* file = table.get("file");
    if (file == nullptr || !file->is_string()) return {};
    return load_shapes(r, table, *file, key);
}

}  // namespace

bool check_line(Reading& r, const toml::node& node, std::string_view key,
                std::span<const Vec2> points)
{
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (points[i] != points[i + 1]) continue;
        r.problems.add(
            node, "bad-shape",
            points.size() == 2
                ? fmt::format("{} has no length: both ends are at {}", key, to_place(points[i]))
                : fmt::format("{} repeats the vertex {}", key, to_place(points[i])),
            points.size() == 2 ? "" : "leave one of the two out");
        return false;
    }
    return true;
}

bool check_polygon(Reading& r, const toml::node& node, std::string_view key, const Polygon& polygon)
{
    std::size_t count = polygon.shell.size();
    if (!check_ring(r, node, key, polygon.shell)) return false;
    for (const std::vector<Vec2>& hole : polygon.holes) {
        count += hole.size();
        if (!check_ring(r, node, fmt::format("a hole of {}", key), hole)) return false;
    }
    count_vertices(r, node, count);
    if (r.too_many_vertices) return false;
    const std::optional<ShapeFault> fault = find_fault(polygon);
    if (!fault) return true;
    r.problems.add(node, "bad-shape",
                   fmt::format("{}: {} at {}", key, fault->reason, to_place(fault->place)));
    return false;
}

std::vector<Polygon> read_shape(Reading& r, const toml::table& table, std::string_view key,
                                std::string_view what)
{
    const toml::node* node = r.get(table, key);
    if (node == nullptr) return {};
    if (const auto* name = node->as_string()) {
        if (name->get().empty()) return {};
        const auto area = find_name(r, r.areas, "area", name->get(), *node);
        if (!area) return {};
        return r.scenario.areas[*area].polygons;
    }
    std::vector<Polygon> polygons;
    if (node->is_array()) {
        polygons.push_back({to_ring(node), {}});
        if (polygons[0].shell.size() < 3) return {};
    } else if (const toml::table* form = node->as_table()) {
        polygons = read_table(r, *form, key);
    }
    std::vector<Polygon> good;
    for (Polygon& polygon : polygons) {
        if (polygon.shell.size() < 3) continue;
        if (check_polygon(r, *node, key, polygon)) good.push_back(std::move(polygon));
    }
    add_extent(r, std::string(what), node, good);
    return good;
}

std::optional<Polygon> read_box(Reading& r, const toml::table& table, std::string_view key,
                                std::string_view what)
{
    const std::vector<double> b = to_numbers(r.get(table, key));
    if (b.size() != 4 || !(b[0] < b[2]) || !(b[1] < b[3])) return {};
    const Polygon polygon{{{b[0], b[1]}, {b[2], b[1]}, {b[2], b[3]}, {b[0], b[3]}}, {}};
    count_vertices(r, *table.get(key), 4);
    add_extent(r, std::string(what), table.get(key), polygon.shell);
    return polygon;
}

}  // namespace sidestep
