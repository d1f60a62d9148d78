// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "analysis/spread.hpp"
#include "analysis/track.hpp"
#include "floorplan/floorplan.hpp"

namespace sidestep {

namespace {

/// With fewer first crossings than this no flow is given: one interval says nothing of a stream.
constexpr std::size_t kLeastTimes = 3;
/// The part of the crossings that J is taken from.
constexpr double kFrom = 0.2;
constexpr double kTo = 0.8;

double length_of(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

/// Whether a point of the endless line through a and b is between them.
bool is_between(const MeasureLine& line, Vec2 point)
{
    const Vec2 along = line.b - line.a;
    const double at = dot(point - line.a, along);
    return at >= 0.0 && at <= dot(along, along);
}

/// Crossings of one line in the rows [first, end) of a track, which have no gap between them.
void add_crossings(const Trajectories& t, const Velocities& velocities, const MeasureLine& line,
                   const Track& track, std::size_t first, std::size_t end, FlowResult& result)
{
    double came_from = 0.0;  // side of the last row off the line, by its sign; 0: none yet
    double before = 0.0;     // side of the row before, > 0 to the left; 0: on the line
    for (std::size_t i = first; i < end; ++i) {
        const Vec2 place = t.position[track.row[i]];
        const double side = det(line.b - line.a, place - line.a);
        if (came_from * side < 0.0) {
            const double part = before / (before - side);  // 0 where it leaves the line itself
            const Vec2 last_place = t.position[track.row[i - 1]];
            if (is_between(line, last_place + (place - last_place) * part)) {
                const double dt = t.seconds_between(track.frame[i - 1], track.frame[i]);
                const double time = t.time_of(track.frame[i - 1]) + dt * part;
                result.crossings.push_back({time, t.walkers[t.walker[track.row[i]]].id, side > 0.0,
                                            velocities.speed(track.row[i])});
            }
        }
        if (side != 0.0) came_from = side > 0.0 ? 1.0 : -1.0;
        before = side;
    }
}

/// Times of each walker's first crossing, ascending; crossings are.
std::vector<double> first_times(const FlowResult& flow)
{
    std::vector<double> times;
    std::unordered_set<std::int64_t> seen;  // looked up, never iterated
    for (const Crossing& crossing : flow.crossings) {
        if (seen.insert(crossing.id).second) times.push_back(crossing.time);
    }
    return times;
}

/// Everything that follows from crossings and width.
void sum_up(FlowResult& result)
{
    std::sort(result.crossings.begin(), result.crossings.end(),
              [](const Crossing& a, const Crossing& b) {
                  return a.time != b.time ? a.time < b.time : a.id < b.id;
              });
    double speeds = 0.0, with_speed = 0.0;
    for (const Crossing& crossing : result.crossings) {
        ++(crossing.forward ? result.forward : result.backward);
        if (std::isnan(crossing.speed)) continue;
        speeds += crossing.speed;
        with_speed += 1.0;
    }
    if (with_speed > 0.0) result.mean_speed = speeds / with_speed;
    result.flow = flow_of(first_times(result));
    if (result.width > 0.0) result.specific_flow = result.flow / result.width;
}

/// Of a LINESTRING [m]; 0 of anything else.
double width_of(const std::string& wkt)
{
    const auto shapes = read_wkt(wkt);
    if (!shapes) return 0.0;
    double width = 0.0;
    for (const std::vector<Vec2>& line : shapes->items.front().lines) {
        for (std::size_t i = 1; i < line.size(); ++i) width += length_of(line[i] - line[i - 1]);
    }
    return width;
}

/// Speed of the last row of a walker; NaN where there is none.
double last_speed(const Trajectories& t, const Velocities& velocities, std::int64_t id)
{
    const auto walker = std::lower_bound(
        t.walkers.begin(), t.walkers.end(), id,
        [](const Trajectories::Walker& w, std::int64_t wanted) { return w.id < wanted; });
    if (walker == t.walkers.end() || walker->id != id)
        return std::numeric_limits<double>::quiet_NaN();
    const auto index = static_cast<std::size_t>(walker - t.walkers.begin());
    return velocities.speed(t.walker_row[t.walker_begin[index + 1] - 1]);
}

}  // namespace

std::vector<FlowResult> line_flows(const Trajectories& t, const Velocities& velocities,
                                   std::span<const MeasureLine> lines)
{
    std::vector<FlowResult> results(lines.size());
    if (lines.empty()) return results;
    const std::uint64_t spacing = usual_spacing(t);
    Track track;
    for (std::size_t walker = 0; walker < t.walkers.size(); ++walker) {
        read_track(t, walker, spacing, track);
        for (std::size_t first = 0, end = 0; first < track.size(); first = end) {
            end = track.end_of_stretch(first);
            for (std::size_t i = 0; i < lines.size(); ++i) {
                if (lines[i].level == t.level[track.row[first]])
                    add_crossings(t, velocities, lines[i], track, first, end, results[i]);
            }
        }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        results[i].name = lines[i].name;
        results[i].width = length_of(lines[i].b - lines[i].a);
        sum_up(results[i]);
    }
    return results;
}

std::vector<FlowResult> exit_flows(const Trajectories& t, const Velocities& velocities)
{
    std::vector<FlowResult> results;
    std::map<std::string_view, std::size_t> index_of;
    for (const RecordingInfo::Place& place : t.info.places) {
        if (place.kind != "exit" || !index_of.try_emplace(place.name, results.size()).second)
            continue;
        FlowResult& result = results.emplace_back();
        result.name = place.name;
        result.width = width_of(place.wkt);
    }
    for (const RecordedEnd& end : t.notes.ends) {
        const auto place = index_of.find(end.place);
        if (end.kind != "left" || place == index_of.end()) continue;
        results[place->second].crossings.push_back(
            {end.time, end.id, true, last_speed(t, velocities, end.id)});
    }
    for (FlowResult& result : results) sum_up(result);
    return results;
}

std::vector<std::pair<double, std::uint64_t>> n_t(const FlowResult& flow)
{
    std::vector<std::pair<double, std::uint64_t>> curve;
    for (const double time : first_times(flow)) curve.emplace_back(time, curve.size() + 1);
    return curve;
}

double flow_of(std::span<const double> times)
{
    if (times.size() < kLeastTimes) return 0.0;
    const double duration = quantile_of(times, kTo) - quantile_of(times, kFrom);
    if (!(duration > 0.0)) return 0.0;
    return (kTo - kFrom) * static_cast<double>(times.size() - 1) / duration;
}

}  // namespace sidestep
