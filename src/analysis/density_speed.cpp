// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "analysis/areas.hpp"

namespace sidestep {

namespace {

/// One row out of each of equally long parts of all rows. Where in its part moves on by the golden
/// ratio: a fixed step would pick the same few walkers in each frame where their number divides it.
std::vector<std::size_t> spread_evenly(std::size_t rows)
{
    const std::size_t count = std::min(rows, kDensitySpeedRows);
    std::vector<std::size_t> chosen(count);
    if (count == rows) {
        std::iota(chosen.begin(), chosen.end(), std::size_t{0});
        return chosen;
    }
    constexpr double kGolden = 0.6180339887498949;
    const double part = static_cast<double>(rows) / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<double>(i);
        const double within = at * kGolden - std::floor(at * kGolden);
        chosen[i] = std::min(static_cast<std::size_t>((at + within) * part), rows - 1);
    }
    return chosen;
}

/// The chosen rows of one frame.
struct Batch {
    std::size_t frame = 0;
    std::size_t first = 0, last = 0;  ///< in the list of chosen rows
};

std::vector<Batch> batches_of(const Trajectories& trajectories,
                              const std::vector<std::size_t>& chosen)
{
    std::vector<Batch> batches;
    std::size_t frame = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        while (chosen[i] >= trajectories.frame_begin[frame + 1]) ++frame;
        if (batches.empty() || batches.back().frame != frame) batches.push_back({frame, i, i});
        batches.back().last = i + 1;
    }
    return batches;
}

/// What one worker needs.
class Sampler {
public:
    Sampler(const Trajectories& trajectories, const Velocities& velocities,
            const LevelFloors& floors, double cutoff)
        : trajectories_(&trajectories), velocities_(&velocities), cutoff_(cutoff), cutters_(floors)
    {}

    /// Points of the chosen rows of a frame; a density of NaN where there is none.
    void measure(const Batch& batch, const std::vector<std::size_t>& chosen,
                 std::vector<DensitySpeed>& points)
    {
        sort_by_level(batch.frame);
        for (std::size_t begin = 0, end = 0; begin < rows_.size(); begin = end) {
            const std::uint16_t level = trajectories_->level[rows_[begin]];
            while (end < rows_.size() && trajectories_->level[rows_[end]] == level) ++end;
            measure_level(level, begin, end, batch, chosen, points);
        }
    }

private:
    void sort_by_level(std::size_t frame)
    {
        rows_.clear();
        const std::size_t end = trajectories_->frame_begin[frame + 1];
        for (std::size_t row = trajectories_->frame_begin[frame]; row < end; ++row)
            rows_.push_back(row);
        const auto comes_before = [&](std::size_t a, std::size_t b) {
            const std::uint16_t level_a = trajectories_->level[a];
            const std::uint16_t level_b = trajectories_->level[b];
            return level_a != level_b ? level_a < level_b : a < b;
        };
        if (!std::is_sorted(rows_.begin(), rows_.end(), comes_before))
            std::sort(rows_.begin(), rows_.end(), comes_before);
    }

    void measure_level(std::uint16_t level, std::size_t begin, std::size_t end, const Batch& batch,
                       const std::vector<std::size_t>& chosen, std::vector<DensitySpeed>& points)
    {
        is_built_ = false;
        // Both lists ascend within the level.
        std::size_t site = begin;
        for (std::size_t i = batch.first; i < batch.last; ++i) {
            const std::size_t row = chosen[i];
            if (trajectories_->level[row] != level || !velocities_->known(row)) continue;
            while (rows_[site] < row) ++site;
            if (!is_built_) build(begin, end);
            sites_.make_cell(site - begin, cell_);
            if (!cutters_.at(level).cut(trajectories_->position[row], cell_)) continue;
            const double area = cell_.area();
            if (!(area > 0.0)) continue;
            points[i] = {static_cast<float>(1.0 / area),
                         static_cast<float>(velocities_->speed(row))};
        }
    }

    void build(std::size_t begin, std::size_t end)
    {
        positions_.clear();
        for (std::size_t i = begin; i < end; ++i)
            positions_.push_back(trajectories_->position[rows_[i]]);
        sites_.build(positions_, cutoff_);
        is_built_ = true;
    }

    const Trajectories* trajectories_;
    const Velocities* velocities_;
    double cutoff_;
    LevelCutters cutters_;
    VoronoiSites sites_;
    VoronoiCell cell_;
    std::vector<std::size_t> rows_;  ///< of the frame, by (level, row)
    std::vector<Vec2> positions_;    ///< of the level
    bool is_built_ = false;
};

}  // namespace

Result<std::vector<DensitySpeed>> sample_density_speed(const Trajectories& trajectories,
                                                       const LevelFloors& floors,
                                                       const Velocities& velocities,
                                                       const AnalysisOptions& options,
                                                       Workers& workers)
{
    std::vector<DensitySpeed> points;
    if (!options.voronoi || trajectories.position.empty()) return points;
    if (const auto checked = check_cutoff(options.voronoi_cutoff); !checked) return checked.error();

    const std::vector<std::size_t> chosen = spread_evenly(trajectories.position.size());
    const std::vector<Batch> batches = batches_of(trajectories, chosen);
    points.assign(chosen.size(), {std::numeric_limits<float>::quiet_NaN(), 0.0f});
    std::vector<std::unique_ptr<Sampler>> samplers(workers.count());
    parallel_for(workers, batches.size(), [&](std::size_t block, std::uint32_t worker) {
        std::unique_ptr<Sampler>& sampler = samplers[worker];
        if (!sampler)
            sampler =
                std::make_unique<Sampler>(trajectories, velocities, floors, options.voronoi_cutoff);
        sampler->measure(batches[block], chosen, points);
    });
    std::erase_if(points, [](const DensitySpeed& point) { return std::isnan(point.density); });
    return points;
}

}  // namespace sidestep
