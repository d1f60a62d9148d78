// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/areas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/measure_shape.hpp"

namespace sidestep {

namespace {

/// Frames that one worker measures at a time.
constexpr std::size_t kFramesPerBlock = 16;

/// An area of less is none [m2].
constexpr double kLeastArea = 1e-9;

struct Box {
    Vec2 low{}, high{};

    bool contains(Vec2 p) const
    {
        return p.x >= low.x && p.y >= low.y && p.x <= high.x && p.y <= high.y;
    }
};

Box widen(const MeasureShape& shape, double by)
{
    return {shape.low() - Vec2{by, by}, shape.high() + Vec2{by, by}};
}

/// What one worker needs to measure frames of one area.
class AreaMeter {
public:
    AreaMeter(const Trajectories& trajectories, const Velocities& velocities,
              const MeasureShape& shape, std::uint16_t level, const WalkableArea& floor,
              double cutoff)
        : trajectories_(&trajectories),
          velocities_(&velocities),
          shape_(shape),
          level_(level),
          cutoff_(cutoff),
          reaching_(widen(shape, cutoff)),
          pushing_(widen(shape, 3.0 * cutoff)),
          cutter_(floor)
    {}

    /// Writes only what is of this frame.
    void measure(std::size_t frame, AreaResult& result)
    {
        collect(frame);
        count_inside(frame, result);
        sites_.build(positions_, cutoff_);
        double density = 0.0;  // sum of |A_i n M| / |A_i|
        double speed = 0.0;    // sum of v_i |A_i n M|
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!reaching_.contains(positions_[i])) continue;
            sites_.make_cell(i, cell_);
            if (!cutter_.cut(positions_[i], cell_) || !(cell_.full_area > 0.0)) continue;
            const double common = shape_.overlap(cell_, positions_[i]);
            density += common / cell_.full_area;
            if (velocities_->known(rows_[i]))
                speed += velocities_->speed(rows_[i]) * common / cell_.sharers;
        }
        result.voronoi_density[frame] = density / result.size;
        result.voronoi_speed[frame] = speed / result.size;
    }

private:
    /// Those whose cells reach the area, and those who shape these.
    void collect(std::size_t frame)
    {
        rows_.clear();
        positions_.clear();
        const std::size_t end = trajectories_->frame_begin[frame + 1];
        for (std::size_t row = trajectories_->frame_begin[frame]; row < end; ++row) {
            const Vec2 p = trajectories_->position[row];
            if (trajectories_->level[row] != level_ || !pushing_.contains(p)) continue;
            rows_.push_back(row);
            positions_.push_back(p);
        }
    }

    void count_inside(std::size_t frame, AreaResult& result) const
    {
        std::size_t inside = 0, with_speed = 0;
        double sum = 0.0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!shape_.contains(positions_[i])) continue;
            ++inside;
            if (!velocities_->known(rows_[i])) continue;
            ++with_speed;
            sum += velocities_->speed(rows_[i]);
        }
        result.count[frame] = static_cast<double>(inside);
        result.density[frame] = static_cast<double>(inside) / result.size;
        result.speed[frame] = with_speed > 0 ? sum / static_cast<double>(with_speed)
                                             : std::numeric_limits<double>::quiet_NaN();
    }

    const Trajectories* trajectories_;
    const Velocities* velocities_;
    MeasureShape shape_;
    std::uint16_t level_;
    double cutoff_;
    Box reaching_, pushing_;
    FloorCutter cutter_;
    VoronoiSites sites_;
    VoronoiCell cell_;
    std::vector<std::size_t> rows_;
    std::vector<Vec2> positions_;
};

/// Means over frames; of speeds over those frames with somebody whose speed is known.
void take_means(AreaResult& result)
{
    const auto frames = static_cast<double>(result.time.size());
    if (result.time.empty()) return;
    double with_speed = 0.0, with_cells = 0.0;
    for (std::size_t i = 0; i < result.time.size(); ++i) {
        result.mean_density += result.density[i] / frames;
        result.mean_voronoi_density += result.voronoi_density[i] / frames;
        result.specific_flow += result.voronoi_density[i] * result.voronoi_speed[i] / frames;
        if (!std::isnan(result.speed[i])) {
            result.mean_speed += result.speed[i];
            with_speed += 1.0;
        }
        if (result.voronoi_density[i] > 0.0) {
            result.mean_voronoi_speed += result.voronoi_speed[i];
            with_cells += 1.0;
        }
    }
    if (with_speed > 0.0) result.mean_speed /= with_speed;
    if (with_cells > 0.0) result.mean_voronoi_speed /= with_cells;
}

Error refuse(const MeasureArea& area, const std::string& message)
{
    return Error{ErrorCode::invalid_argument, fmt::format("area '{}': {}", area.name, message)};
}

}  // namespace

Result<std::vector<AreaResult>> measure_areas(const Trajectories& trajectories,
                                              const LevelFloors& floors,
                                              const Velocities& velocities,
                                              const AnalysisOptions& options, Workers& workers)
{
    std::vector<AreaResult> results;
    if (options.areas.empty()) return results;
    if (const auto checked = check_cutoff(options.voronoi_cutoff); !checked) return checked.error();

    const std::size_t frames = trajectories.frames.size();
    for (const MeasureArea& area : options.areas) {
        const auto shape = MeasureShape::read(area.wkt);
        if (!shape) return refuse(area, shape.error().message);
        if (!is_somewhere(shape->low()) || !is_somewhere(shape->high()))
            return refuse(area,
                          fmt::format("it reaches farther than {:g} m from (0, 0)", kFarthest));
        const WalkableArea& floor = floors.at(area.level);

        AreaResult& result = results.emplace_back();
        result.name = area.name;
        result.size = area_on_floor(floor, shape->polygon());
        if (!(result.size > kLeastArea)) return refuse(area, "no part of it is on the floor");
        for (std::vector<double>* series :
             {&result.time, &result.count, &result.density, &result.speed, &result.voronoi_density,
              &result.voronoi_speed})
            series->resize(frames);
        for (std::size_t i = 0; i < frames; ++i) result.time[i] = trajectories.time_of(i);

        std::vector<std::optional<AreaMeter>> meters(workers.count());
        const std::size_t blocks = (frames + kFramesPerBlock - 1) / kFramesPerBlock;
        parallel_for(workers, blocks, [&](std::size_t block, std::uint32_t worker) {
            std::optional<AreaMeter>& meter = meters[worker];
            if (!meter)
                meter.emplace(trajectories, velocities, *shape, area.level, floor,
                              options.voronoi_cutoff);
            const std::size_t end = std::min((block + 1) * kFramesPerBlock, frames);
            for (std::size_t i = block * kFramesPerBlock; i < end; ++i) meter->measure(i, result);
        });
        take_means(result);
    }
    return results;
}

}  // namespace sidestep
