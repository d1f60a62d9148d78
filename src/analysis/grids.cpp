// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/grids.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace sidestep {
namespace {

constexpr double kMaxCells = 1 << 22;  // of all levels
/// Of all workers together [B]; one alone may need 100 MB for as many cells as there can be.
constexpr std::size_t kMaxCounterBytes = std::size_t{64} << 20;
constexpr double kWindow = 1.0;  // [s] of the peak density
/// Times of frames are quotients; this much earlier is the next window [s].
constexpr double kTimeSlack = 1e-9;
constexpr double kSpeedUnits = 65536.0;  // per m/s
constexpr double kMaxSpeed = 1e6;        // [m/s] faster is no walking, and the sum stays a number
constexpr std::uint64_t kWeights = 16;   // sum of (1 2 1) x (1 2 1)

/// A box of positions [m].
struct Box {
    Vec2 low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};

    bool empty() const { return !(low.x <= high.x); }
    void add(Vec2 p)
    {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
};

/// Of the floor of each level, and of those on it.
std::map<std::uint16_t, Box> find_boxes(const Trajectories& t, const LevelFloors& floors)
{
    std::map<std::uint16_t, Box> boxes;
    for (const auto& [level, floor] : floors.all()) {
        Box& box = boxes[level];
        for (const Polygon& polygon : floor.polygons) {
            for (const Vec2 corner : polygon.shell) box.add(corner + floor.origin);
        }
    }
    std::vector<Box> of_rows(0x10000);
    for (std::size_t row = 0; row < t.position.size(); ++row)
        of_rows[t.level[row]].add(t.position[row]);
    for (std::size_t level = 0; level < of_rows.size(); ++level) {
        if (of_rows[level].empty()) continue;
        Box& box = boxes[static_cast<std::uint16_t>(level)];
        box.add(of_rows[level].low);
        box.add(of_rows[level].high);
    }
    return boxes;
}

/// A grid about a box, a cell wider on each side; its corners are multiples of the cell.
GridResult lay_out(std::uint16_t level, const Box& box, double cell, double max_cells)
{
    GridResult grid;
    grid.level = level;
    grid.cell = cell;
    if (box.empty()) return grid;
    for (;; grid.cell *= 2.0) {
        const double first_x = std::floor(box.low.x / grid.cell) - 1.0;
        const double first_y = std::floor(box.low.y / grid.cell) - 1.0;
        const double columns = std::floor(box.high.x / grid.cell) + 2.0 - first_x;
        const double rows = std::floor(box.high.y / grid.cell) + 2.0 - first_y;
        if (!(columns * rows <= std::max(max_cells, 16.0))) continue;
        grid.x0 = first_x * grid.cell;
        grid.y0 = first_y * grid.cell;
        grid.columns = static_cast<std::uint32_t>(columns);
        grid.rows = static_cast<std::uint32_t>(rows);
        return grid;
    }
}

/// All levels, their cells one after another.
class Map {
public:
    Map(const std::map<std::uint16_t, Box>& boxes, double cell) : index_of_(0x10000, kNone)
    {
        const double max_cells =
            kMaxCells / static_cast<double>(std::max<std::size_t>(boxes.size(), 1));
        for (const auto& [level, box] : boxes) {
            index_of_[level] = static_cast<std::uint32_t>(grids.size());
            grids.push_back(lay_out(level, box, cell, max_cells));
            first.push_back(cells);
            cells += std::size_t{grids.back().columns} * grids.back().rows;
        }
    }

    const GridResult& grid_of(std::uint16_t level) const { return grids[index_of_[level]]; }
    /// Of somebody who is in the box of its level.
    std::size_t cell_of(std::uint16_t level, Vec2 p) const
    {
        const std::uint32_t index = index_of_[level];
        const GridResult& grid = grids[index];
        return first[index] + inner((p.y - grid.y0) / grid.cell, grid.rows) * grid.columns +
               inner((p.x - grid.x0) / grid.cell, grid.columns);
    }

    std::vector<GridResult> grids;
    std::vector<std::size_t> first;  ///< cell of each grid
    std::size_t cells = 0;

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    /// Never in the outermost row or column, whatever rounding does.
    static std::size_t inner(double at, std::uint32_t count)
    {
        return static_cast<std::size_t>(std::clamp(at, 1.0, static_cast<double>(count) - 1.5));
    }

    std::vector<std::uint32_t> index_of_;  ///< of each level
};

/// Sums over all frames; several threads add to them.
struct Sums {
    explicit Sums(std::size_t cells) : weighted(cells), speed(cells), known(cells), peak(cells) {}
    std::vector<std::uint64_t> weighted;  ///< people x kWeights
    std::vector<std::uint64_t> speed;     ///< kSpeedUnits
    std::vector<std::uint64_t> known;     ///< people whose speed is known
    std::vector<float> peak;              ///< people x kWeights, mean of a window
};

void add(std::uint64_t& to, std::uint64_t value)
{
    std::atomic_ref(to).fetch_add(value, std::memory_order_relaxed);
}

void raise(float& to, float value)
{
    std::atomic_ref<float> shared(to);
    float now = shared.load(std::memory_order_relaxed);
    while (now < value && !shared.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
    }
}

/// The frames of one window, counted by one worker.
class WindowCounter {
public:
    static constexpr std::size_t kBytesPerCell = 24;

    void reserve(std::size_t cells)
    {
        if (count_.size() == cells) return;
        count_.assign(cells, 0);
        weighted_.assign(cells, 0);
        speed_.assign(cells, 0);
        known_.assign(cells, 0);
    }

    void count(const Map& map, const Trajectories& t, const Velocities& velocities,
               std::size_t first_frame, std::size_t end_frame)
    {
        frames_ = end_frame - first_frame;
        for (std::size_t row = t.frame_begin[first_frame]; row < t.frame_begin[end_frame]; ++row) {
            const std::size_t cell = map.cell_of(t.level[row], t.position[row]);
            if (count_[cell]++ == 0) {
                touched_.push_back(cell);
                columns_of_.push_back(map.grid_of(t.level[row]).columns);
            }
            if (!velocities.known(row)) continue;
            ++known_[cell];
            speed_[cell] += static_cast<std::uint64_t>(
                std::llround(std::min(velocities.speed(row), kMaxSpeed) * kSpeedUnits));
        }
    }

    /// Adds what was counted to the sums, and forgets it.
    void flush(Sums& sums)
    {
        for (std::size_t i = 0; i < touched_.size(); ++i) spread(touched_[i], columns_of_[i]);
        for (const std::size_t cell : touched_) {
            add(sums.speed[cell], speed_[cell]);
            add(sums.known[cell], known_[cell]);
            count_[cell] = known_[cell] = 0;
            speed_[cell] = 0;
        }
        for (const std::size_t cell : smoothed_) {
            add(sums.weighted[cell], weighted_[cell]);
            raise(sums.peak[cell], static_cast<float>(static_cast<double>(weighted_[cell]) /
                                                      static_cast<double>(frames_)));
            weighted_[cell] = 0;
        }
        touched_.clear();
        columns_of_.clear();
        smoothed_.clear();
    }

private:
    /// The count of a cell into those about it.
    void spread(std::size_t cell, std::size_t columns)
    {
        static constexpr std::uint64_t kWeight[] = {1, 2, 1};
        for (std::size_t y = 0; y < 3; ++y) {
            for (std::size_t x = 0; x < 3; ++x) {
                const std::size_t at = cell + y * columns + x - columns - 1;
                if (weighted_[at] == 0) smoothed_.push_back(at);
                weighted_[at] += count_[cell] * kWeight[y] * kWeight[x];
            }
        }
    }

    std::size_t frames_ = 1;
    std::vector<std::uint32_t> count_, known_;
    std::vector<std::uint64_t> weighted_, speed_;
    std::vector<std::size_t> touched_, smoothed_;
    std::vector<std::size_t> columns_of_;  ///< of the grid of each touched cell
};

/// As many as there are workers, or as fit into kMaxCounterBytes; one in any case.
std::size_t counters_for(std::size_t cells, const Workers& workers)
{
    const std::size_t bytes = std::max<std::size_t>(cells, 1) * WindowCounter::kBytesPerCell;
    return std::clamp<std::size_t>(kMaxCounterBytes / bytes, 1, workers.count());
}

/// First frames of windows of 1 s from the first frame on, and the number of frames. A last window
/// that the recording does not fill belongs to the one before.
std::vector<std::size_t> split_windows(const Trajectories& t)
{
    std::vector<std::size_t> begin;
    double window_end = -HUGE_VAL;  // from the first frame
    double passed = 0.0;
    double spacing = 0.0;
    for (std::size_t frame = 0; frame < t.frames.size(); ++frame) {
        spacing = t.seconds_between(0, frame) - passed;
        passed = t.seconds_between(0, frame);
        if (!(passed > window_end - kTimeSlack)) continue;
        begin.push_back(frame);
        window_end = (std::floor(passed / kWindow + kTimeSlack) + 1.0) * kWindow;
    }
    if (begin.size() > 1 && passed + spacing < window_end - kTimeSlack) begin.pop_back();
    begin.push_back(t.frames.size());
    return begin;
}

void fill(GridResult& grid, std::size_t first, const Sums& sums, std::size_t frames)
{
    const std::size_t cells = std::size_t{grid.columns} * grid.rows;
    const double area = grid.cell * grid.cell * static_cast<double>(kWeights);
    grid.mean_density.resize(cells);
    grid.peak_density.resize(cells);
    grid.mean_speed.resize(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        const std::size_t cell = first + i;
        grid.mean_density[i] =
            static_cast<float>(static_cast<double>(sums.weighted[cell]) /
                               (area * static_cast<double>(std::max<std::size_t>(frames, 1))));
        grid.peak_density[i] = static_cast<float>(double{sums.peak[cell]} / area);
        grid.mean_speed[i] =
            sums.known[cell] == 0
                ? std::numeric_limits<float>::quiet_NaN()
                : static_cast<float>(static_cast<double>(sums.speed[cell]) /
                                     (kSpeedUnits * static_cast<double>(sums.known[cell])));
    }
}

}  // namespace

std::vector<GridResult> measure_grids(const Trajectories& t, const LevelFloors& floors,
                                      const Velocities& velocities, double cell, Workers& workers)
{
    Map map(find_boxes(t, floors), cell);
    Sums sums(map.cells);
    const std::vector<std::size_t> windows = split_windows(t);
    // Sums have no order, so that a counter may take any windows.
    std::vector<WindowCounter> counters(counters_for(map.cells, workers));
    std::atomic<std::size_t> next = 0;
    parallel_for(workers, counters.size(), [&](std::size_t index, std::uint32_t) {
        WindowCounter& counter = counters[index];
        for (std::size_t window = next++; window + 1 < windows.size(); window = next++) {
            counter.reserve(map.cells);
            counter.count(map, t, velocities, windows[window], windows[window + 1]);
            counter.flush(sums);
        }
    });
    for (std::size_t i = 0; i < map.grids.size(); ++i)
        fill(map.grids[i], map.first[i], sums, t.frames.size());
    return std::move(map.grids);
}

}  // namespace sidestep
