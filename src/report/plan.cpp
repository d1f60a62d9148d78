// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "floorplan/floorplan.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Around everything, in parts of the longer side, and at least [m].
constexpr double kMargin = 0.02, kLeastMargin = 0.5;
/// A picture is at most so many times as wide as high, and as high as wide.
constexpr double kWidest = 5.0, kHighest = 1.4;
/// Map coordinates stay below this, so that they fit 32 bits with room for differences.
constexpr double kMostUnits = 5e8;

class BoxMaker {
public:
    void add(Vec2 p)
    {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
        high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }

    void add(std::span<const Polygon> polygons)
    {
        for (const Polygon& polygon : polygons) {
            for (const Vec2 p : polygon.shell) add(p);
        }
    }

    Box finish() const
    {
        if (!(low_.x <= high_.x)) return {{-1.0, -1.0}, {1.0, 1.0}};  // nothing at all
        Vec2 low = low_, high = high_;
        const double longer = std::max(high.x - low.x, high.y - low.y);
        const double margin = std::max(longer * kMargin, kLeastMargin);
        const double width = high.x - low.x + 2.0 * margin, height = high.y - low.y + 2.0 * margin;
        const Vec2 half{std::max({width, height / kHighest, 2.0}) / 2.0,
                        std::max({height, width / kWidest, 2.0}) / 2.0};
        const Vec2 middle = (low + high) * 0.5;
        return {middle - half, middle + half};
    }

private:
    static constexpr double kFar = std::numeric_limits<double>::infinity();
    Vec2 low_{kFar, kFar}, high_{-kFar, -kFar};
};

bool is_finite(Vec2 p)
{
    return std::isfinite(p.x) && std::isfinite(p.y);
}

/// Points that a picture cannot show make the whole shape unreadable.
bool is_finite(const Shapes::Named& item)
{
    const auto all = [](const auto& points) {
        return std::all_of(points.begin(), points.end(), [](Vec2 p) { return is_finite(p); });
    };
    for (const Polygon& polygon : item.polygons) {
        if (!all(polygon.shell)) return false;
        if (!std::all_of(polygon.holes.begin(), polygon.holes.end(), all)) return false;
    }
    return std::all_of(item.lines.begin(), item.lines.end(), all) && all(item.points);
}

/// The shapes of a WKT text; none where it cannot be read, and then a fault is added.
Shapes::Named read_shapes(const std::string& wkt, const std::string& what,
                          std::vector<std::string>& faults)
{
    if (wkt.empty()) return {};
    Result<Shapes> shapes = read_wkt(wkt);
    if (shapes && !shapes->items.empty() && is_finite(shapes->items.front())) {
        return std::move(shapes->items.front());
    }
    faults.push_back(fmt::format("The shape of {} could not be read.", what));
    return {};
}

Vec2 label_of(const PlanPlace& place)
{
    if (!place.lines.empty() && !place.lines.front().empty()) {
        const std::vector<Vec2>& line = place.lines.front();
        return (line.front() + line.back()) * 0.5;
    }
    if (!place.points.empty()) return place.points.front();
    BoxMaker box;
    box.add(std::span(place.polygons).first(1));  // of several, the first bears the name
    const Box made = box.finish();
    return (made.low + made.high) * 0.5;
}

std::vector<std::uint16_t> levels_of(const Trajectories& t)
{
    std::set<std::uint16_t> levels;
    for (const auto& level : t.info.levels) levels.insert(level.level);
    for (const auto& place : t.info.places) levels.insert(place.level);
    std::uint16_t last = 0;
    for (std::size_t i = 0; i < t.level.size(); ++i) {
        if (i > 0 && t.level[i] == last) continue;
        last = t.level[i];
        levels.insert(last);
    }
    if (levels.empty()) levels.insert(0);
    return {levels.begin(), levels.end()};
}

void read_floors(const Trajectories& t, Plan& plan)
{
    for (const auto& level : t.info.levels) {
        Shapes::Named read =
            read_shapes(level.wkt, fmt::format("level {}", level.level), plan.faults);
        std::vector<Polygon>& floor = plan.levels[plan.index_of(level.level)].floor;
        std::move(read.polygons.begin(), read.polygons.end(), std::back_inserter(floor));
    }
}

/// The door an event is about; empty: none. Its text is "door 'name' opens", or "closes".
std::string_view door_of(const RecordedEvent& event)
{
    if (event.kind != "door-opened" && event.kind != "door-closed") return {};
    const std::string_view text = event.text;
    const std::size_t begin = text.find('\''), end = text.rfind('\'');
    if (begin == std::string_view::npos || end <= begin) return {};
    return text.substr(begin + 1, end - begin - 1);
}

/// A door whose first event is that it opens was closed before; else it was open.
std::vector<TimeSpan> closed_times(const std::vector<RecordedEvent>& events, std::string_view door)
{
    constexpr double kEver = std::numeric_limits<double>::infinity();
    std::vector<TimeSpan> closed;
    bool is_first = true, is_closed = false;
    for (const RecordedEvent& event : events) {
        if (door.empty() || door_of(event) != door) continue;
        const bool opens = event.kind == "door-opened";
        if (opens && is_first) closed.push_back({-kEver, event.time});
        if (opens && is_closed) closed.back().to = event.time;
        if (!opens && !is_closed) closed.push_back({event.time, kEver});
        is_closed = !opens;
        is_first = false;
    }
    return closed;
}

void read_places(const Trajectories& t, Plan& plan)
{
    for (const auto& place : t.info.places) {
        Shapes::Named read =
            read_shapes(place.wkt, fmt::format("{} {}", place.kind, place.name), plan.faults);
        PlanPlace made{place.name,
                       place.kind,
                       std::move(read.polygons),
                       std::move(read.lines),
                       std::move(read.points),
                       {},
                       {}};
        if (made.polygons.empty() && made.lines.empty() && made.points.empty()) continue;
        made.label = label_of(made);
        if (made.kind == "door") made.closed = closed_times(t.notes.events, made.name);
        plan.levels[plan.index_of(place.level)].places.push_back(std::move(made));
    }
}

Box box_of(const Trajectories& t, const Plan& plan)
{
    BoxMaker box;
    for (const PlanLevel& level : plan.levels) {
        box.add(level.floor);
        for (const PlanPlace& place : level.places) {
            box.add(place.polygons);
            for (const auto& line : place.lines) {
                for (const Vec2 p : line) box.add(p);
            }
            for (const Vec2 p : place.points) box.add(p);
        }
    }
    for (const Vec2 p : t.position) box.add(p);
    for (const Vec2 p : t.body_position) {
        if (is_finite(p)) box.add(p);
    }
    return box.finish();
}

/// Relative moves after the first point; a point equal to the one before is left out.
void append_points(const Plan& plan, std::span<const Vec2> points, std::string& out)
{
    MapPoint last{};
    bool is_first = true;
    for (const Vec2 p : points) {
        const MapPoint now = plan.to_map(p);
        if (is_first) {
            fmt::format_to(std::back_inserter(out), "M{} {}", now.x, now.y);
        } else if (!(now == last)) {
            fmt::format_to(std::back_inserter(out), "l{} {}", now.x - last.x, now.y - last.y);
        }
        last = now;
        is_first = false;
    }
}

}  // namespace

bool PlanPlace::is_closed(double time) const
{
    return std::any_of(closed.begin(), closed.end(),
                       [&](const TimeSpan& span) { return span.from <= time && time < span.to; });
}

MapPoint Plan::to_map(Vec2 point) const
{
    return {std::llround((point.x - box.low.x) / unit),
            std::llround((box.high.y - point.y) / unit)};
}

std::int64_t Plan::map_width() const
{
    return std::llround(box.width() / unit);
}

std::int64_t Plan::map_height() const
{
    return std::llround(box.height() / unit);
}

std::size_t Plan::index_of(std::uint16_t level) const
{
    const auto at = std::lower_bound(
        levels.begin(), levels.end(), level,
        [](const PlanLevel& one, std::uint16_t wanted) { return one.level < wanted; });
    return at != levels.end() && at->level == level ? static_cast<std::size_t>(at - levels.begin())
                                                    : levels.size();
}

Result<std::size_t> Plan::choose_level(std::optional<std::uint16_t> wanted) const
{
    if (!wanted) {
        const auto most = std::max_element(
            levels.begin(), levels.end(),
            [](const PlanLevel& a, const PlanLevel& b) { return a.rows < b.rows; });
        return static_cast<std::size_t>(most - levels.begin());
    }
    if (const std::size_t index = index_of(*wanted); index < levels.size()) return index;
    std::string names;
    for (const PlanLevel& level : levels) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", level.level);
    }
    return Error{ErrorCode::unknown_name,
                 fmt::format("the recording has no level {}; it has: {}", *wanted, names)};
}

Plan make_plan(const Trajectories& t)
{
    Plan plan;
    for (const std::uint16_t level : levels_of(t)) {
        plan.levels.emplace_back().level = level;
    }
    read_floors(t, plan);
    read_places(t, plan);
    std::size_t index = 0;
    for (std::size_t i = 0; i < t.level.size(); ++i) {
        if (plan.levels[index].level != t.level[i]) index = plan.index_of(t.level[i]);
        ++plan.levels[index].rows;
    }
    plan.box = box_of(t, plan);
    while (std::max(plan.box.width(), plan.box.height()) / plan.unit > kMostUnits) {
        plan.unit *= 10.0;
    }
    return plan;
}

double round_length(double most)
{
    double length = 1e-3;
    for (double power = 1e-3; power < 1e15; power *= 10.0) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (factor * power <= most) length = factor * power;
        }
    }
    return length;
}

std::string length_text(double metres)
{
    return metres < 1000.0 ? to_short(metres) + " m" : to_short(metres / 1000.0) + " km";
}

std::string rings_path(const Plan& plan, std::span<const Polygon> polygons)
{
    std::string out;
    for (const Polygon& polygon : polygons) {
        append_points(plan, polygon.shell, out);
        out += 'z';
        for (const auto& hole : polygon.holes) {
            append_points(plan, hole, out);
            out += 'z';
        }
    }
    return out;
}

std::string lines_path(const Plan& plan, std::span<const std::vector<Vec2>> lines)
{
    std::string out;
    for (const auto& line : lines) append_points(plan, line, out);
    return out;
}

}  // namespace sidestep
