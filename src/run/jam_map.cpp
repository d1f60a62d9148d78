// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run/jam_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace sidestep {

namespace {

constexpr double kCell = 0.5;             ///< [m]
constexpr double kMostCells = 250'000.0;  ///< larger floors have larger cells
/// Of walls farther than this [m] nothing is asked.
constexpr double kFarFromWalls = 1.0;
/// Radii are told apart by this [m]; who is a little too wide finds no path in the end.
constexpr double kRadiusClass = 0.05;

/// What one person per square metre adds to each metre of way [m]: a crowd gets through a passage
/// at about 1.3 people per metre and second, and a walker would make as many metres in that time.
constexpr double kPerDensity = 1.0;
/// Who stands there for no queue's sake, or against one, stands for as long again as it has stood:
/// for each [s] one person more, at most for so long [s].
constexpr double kSecondsPerPerson = 10.0;
constexpr double kLongestStanding = 120.0;

/// A way round has to be this much cheaper: costs are rough. At 0.5 a crowd in corridor-counterflow
/// was seen that did not cross in time.
constexpr float kWorthIt = 0.65f;
/// From where people add less than this [m] to it the shortest way is free.
constexpr float kFree = 0.5f;
/// A way round leads this much farther [m]: where both ways are equally long, one step aside makes
/// the crowded one the shorter again.
constexpr float kWellBeyond = 3.0f;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The eight cells about one, so that i and 7 - i are opposite.
constexpr int kColumnStep[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
constexpr int kRowStep[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

double length(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

int radius_class(double radius)
{
    return static_cast<int>(radius / kRadiusClass);
}

}  // namespace

JamMap::JamMap(const Floor& floor) : floor_(&floor)
{
    Vec2 low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
    for (const Polygon& polygon : floor.space) {
        for (const Vec2 p : polygon.shell) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    }
    if (!(high.x > low.x) || !(high.y > low.y)) return;
    low_ = low;
    cell_ = std::max(kCell, std::sqrt((high.x - low.x) * (high.y - low.y) / kMostCells));
    columns_ = static_cast<std::int64_t>((high.x - low.x) / cell_) + 1;
    rows_ = static_cast<std::int64_t>((high.y - low.y) / cell_) + 1;
    const auto cells = static_cast<std::size_t>(columns_ * rows_);
    point_.resize(cells);
    clearance_.assign(cells, -1.0f);
    links_.assign(cells, 0);
    crowd_.assign(cells, 0.0f);
    pull_x_.assign(cells, 0.0f);
    pull_y_.assign(cells, 0.0f);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const auto column = static_cast<double>(static_cast<std::int64_t>(cell) % columns_);
        const auto row = static_cast<double>(static_cast<std::int64_t>(cell) / columns_);
        for (const int i : {4, 0, 1, 2, 3, 5, 6, 7, 8}) {  // the middle first
            const Vec2 at{low.x + (column + (2 * (i % 3) + 1) / 6.0) * cell_,
                          low.y + (row + (2 * (i / 3) + 1) / 6.0) * cell_};
            if (!floor.holds(at)) continue;
            const auto room = static_cast<float>(floor.clearance(at, kFarFromWalls));
            if (!(room > clearance_[cell])) continue;
            clearance_[cell] = room;
            point_[cell] = at;
            if (room >= static_cast<float>(kCell)) break;
        }
    }
    for (std::int64_t cell = 0; cell < columns_ * rows_; ++cell) {
        if (clearance_[static_cast<std::size_t>(cell)] < 0.0f) continue;
        for (int i = 4; i < 8; ++i) {
            const std::int64_t column = cell % columns_ + kColumnStep[i];
            const std::int64_t other = cell + kRowStep[i] * columns_ + kColumnStep[i];
            if (column < 0 || column >= columns_ || other >= columns_ * rows_) continue;
            const auto a = static_cast<std::size_t>(cell), b = static_cast<std::size_t>(other);
            if (clearance_[b] < 0.0f || !floor.routes->is_clear(point_[a], point_[b])) continue;
            links_[a] = static_cast<std::uint8_t>(links_[a] | 1u << i);
            links_[b] = static_cast<std::uint8_t>(links_[b] | 1u << (7 - i));
        }
    }
}

std::int64_t JamMap::cell_of(Vec2 place) const
{
    const auto column = static_cast<std::int64_t>(std::floor((place.x - low_.x) / cell_));
    const auto row = static_cast<std::int64_t>(std::floor((place.y - low_.y) / cell_));
    const bool inside = column >= 0 && column < columns_ && row >= 0 && row < rows_;
    return inside ? row * columns_ + column : -1;
}

void JamMap::set_crowd(std::span<const Standing> people)
{
    for (auto* column : {&crowd_, &pull_x_, &pull_y_})
        std::fill(column->begin(), column->end(), 0.0f);
    for (auto& [key, fields] : fields_) fields.crowded.clear();
    const double each = kPerDensity / (9.0 * cell_ * cell_);  // spread over nine cells
    for (const Standing& person : people) {
        const std::int64_t middle = cell_of(person.place);
        if (middle < 0) continue;
        const double stood = std::min(person.seconds, kLongestStanding) / kSecondsPerPerson;
        const bool wants = person.way != Vec2{};
        const auto here = static_cast<float>(each * (wants ? 1.0 : 1.0 + stood));
        const auto pull_x = static_cast<float>(each * stood * person.way.x);
        const auto pull_y = static_cast<float>(each * stood * person.way.y);
        for (std::int64_t row = middle / columns_ - 1; row <= middle / columns_ + 1; ++row) {
            for (std::int64_t column = middle % columns_ - 1; column <= middle % columns_ + 1;
                 ++column) {
                if (row < 0 || row >= rows_ || column < 0 || column >= columns_) continue;
                const auto cell = static_cast<std::size_t>(row * columns_ + column);
                crowd_[cell] += here;
                pull_x_[cell] += pull_x;
                pull_y_[cell] += pull_y;
            }
        }
    }
}

template <class Visit>
void JamMap::for_each_link(std::uint32_t cell, float radius, Visit&& visit) const
{
    for (int i = 0; i < 8; ++i) {
        if ((links_[cell] & 1u << i) == 0) continue;
        const auto other = static_cast<std::uint32_t>(std::int64_t{cell} + kRowStep[i] * columns_ +
                                                      kColumnStep[i]);
        if (clearance_[other] >= radius) visit(other);
    }
}

float JamMap::crowd_on_way(std::size_t cell, Vec2 way) const
{
    const auto against =
        static_cast<float>(-(double{pull_x_[cell]} * way.x + double{pull_y_[cell]} * way.y));
    return crowd_[cell] + std::max(0.0f, against);
}

float JamMap::cost_of(std::uint32_t from, std::uint32_t to, bool with_crowd) const
{
    const Vec2 move = point_[to] - point_[from];
    const double way = length(move);
    if (!with_crowd || !(way > 0.0)) return static_cast<float>(way);
    const float crowd = crowd_on_way(from, move / way) + crowd_on_way(to, move / way);
    return static_cast<float>(way) * (1.0f + 0.5f * crowd);
}

void JamMap::search(const Goal& goal, float radius, bool with_crowd, Costs& costs) const
{
    struct Reached {
        float cost;
        std::uint32_t cell;
        bool operator<(const Reached& other) const  // the least on top of the heap
        {
            return cost != other.cost ? cost > other.cost : cell > other.cell;
        }
    };
    costs.assign(point_.size(), kInfinity);
    std::priority_queue<Reached> queue;
    for (std::uint32_t cell = 0; cell < point_.size(); ++cell) {
        if (clearance_[cell] < radius) continue;
        const double distance = goal.distance(goal.shape, point_[cell]);
        if (!(distance <= cell_)) continue;
        costs[cell] = static_cast<float>(distance);
        queue.push({costs[cell], cell});
    }
    while (!queue.empty()) {
        const Reached reached = queue.top();
        queue.pop();
        if (reached.cost > costs[reached.cell]) continue;
        for_each_link(reached.cell, radius, [&](std::uint32_t other) {
            const float cost = reached.cost + cost_of(other, reached.cell, with_crowd);
            if (!(cost < costs[other])) return;
            costs[other] = cost;
            queue.push({cost, other});
        });
    }
}

std::uint32_t JamMap::next_cell(const Costs& costs, std::uint32_t cell, float radius,
                                bool with_crowd) const
{
    std::uint32_t best = cell;
    float least = kInfinity;
    for_each_link(cell, radius, [&](std::uint32_t other) {
        const float cost = costs[other] + cost_of(cell, other, with_crowd);
        if (!(costs[other] < costs[cell]) || !(cost < least)) return;
        least = cost;
        best = other;
    });
    return best;
}

std::optional<std::uint32_t> JamMap::usable_cell(Vec2 place, float radius) const
{
    const std::int64_t middle = cell_of(place);
    if (middle < 0) return std::nullopt;
    std::optional<std::uint32_t> best;
    double nearest = HUGE_VAL;
    for (std::int64_t row = middle / columns_ - 1; row <= middle / columns_ + 1; ++row) {
        for (std::int64_t column = middle % columns_ - 1; column <= middle % columns_ + 1;
             ++column) {
            if (row < 0 || row >= rows_ || column < 0 || column >= columns_) continue;
            const auto cell = static_cast<std::uint32_t>(row * columns_ + column);
            const double distance = length(point_[cell] - place);
            if (clearance_[cell] < radius || distance >= nearest ||
                !floor_->routes->is_clear(place, point_[cell]))
                continue;
            nearest = distance;
            best = cell;
        }
    }
    return best;
}

std::optional<JamMap::Detour> JamMap::find_detour(const Goal& goal, Vec2 from, double radius)
{
    const auto room = static_cast<float>(radius_class(radius) * kRadiusClass);
    const auto start = usable_cell(from, room);
    if (!start) return std::nullopt;
    Fields& fields = fields_[{goal.number, radius_class(radius)}];
    if (fields.plain.empty()) search(goal, room, false, fields.plain);
    if (fields.crowded.empty()) search(goal, room, true, fields.crowded);
    if (!std::isfinite(fields.plain[*start])) return std::nullopt;

    float own_way = 0.0f;  // with the people on it
    for (std::uint32_t cell = *start;;) {
        const std::uint32_t next = next_cell(fields.plain, cell, room, false);
        if (next == cell) break;
        own_way += cost_of(cell, next, true);
        cell = next;
    }
    if (!(fields.crowded[*start] < kWorthIt * own_way)) return std::nullopt;
    float beyond = 0.0f;  // the place from where the shortest way is free [m]
    for (std::uint32_t cell = *start;;) {
        const bool is_free = fields.crowded[cell] - fields.plain[cell] <= kFree;
        const std::uint32_t next = next_cell(fields.crowded, cell, room, true);
        if (is_free && (next == cell || beyond >= kWellBeyond))
            return Detour{point_[cell], double{fields.crowded[*start] - fields.crowded[cell]}};
        if (next == cell) return std::nullopt;
        if (is_free) beyond += cost_of(cell, next, false);
        cell = next;
    }
}

double JamMap::cost_of_way(std::span<const Vec2> way) const
{
    double cost = 0.0;
    for (std::size_t i = 1; i < way.size(); ++i) {
        const double piece = length(way[i] - way[i - 1]);
        const auto samples = static_cast<int>(piece / cell_) + 1;
        cost += piece;
        for (int k = 0; k < samples; ++k) {
            const Vec2 at = way[i - 1] + (way[i] - way[i - 1]) * ((k + 0.5) / samples);
            const std::int64_t cell = cell_of(at);
            if (cell >= 0)
                cost += double{crowd_on_way(static_cast<std::size_t>(cell),
                                            (way[i] - way[i - 1]) / piece)} *
                        piece / samples;
        }
    }
    return cost;
}

}  // namespace sidestep
