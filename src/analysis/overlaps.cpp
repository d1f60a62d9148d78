// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/overlaps.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "analysis/pair_sweep.hpp"

namespace sidestep {
namespace {

/// Less deep is a touch, as in the summary of a run [m].
constexpr double kOverlapDepth = 1e-3;
/// [m] So that the cells of a grid have a size even where nobody has one.
constexpr double kLeastRange = 1e-3;

class OverlapRules {
public:
    struct Record {
        double deepest;
    };

    OverlapRules(const Trajectories& t, const std::vector<double>& radii, OverlapResult& result)
        : t_(t), radii_(radii), result_(result), deepest_pair_(t.frames.size())
    {
        for (const double radius : radii) range_ = std::max(range_, 2.0 * radius);
        result.pairs_of_frame.assign(t.frames.size(), 0);
        result.deepest_of_frame.assign(t.frames.size(), 0.0f);
    }

    double range() const { return range_; }
    bool keep(const NearPair& pair) const { return depth(pair) > 0.0; }
    bool may_begin(const NearPair&) const { return true; }
    Record begin(const NearPair& pair) const { return {depth(pair)}; }
    void extend(Record& record, const NearPair& pair) const
    {
        record.deepest = std::max(record.deepest, depth(pair));
    }
    void absorb(Record& earlier, const Record& later) const
    {
        earlier.deepest = std::max(earlier.deepest, later.deepest);
    }
    bool counts(const Record& record) const { return record.deepest > kOverlapDepth; }
    void see(std::size_t frame, std::span<const NearPair> pairs)
    {
        Deepest& deepest = deepest_pair_[frame];
        for (const NearPair& pair : pairs) {
            const double d = depth(pair);
            if (d > deepest.depth) deepest = {d, pair.key};
            result_.pairs_of_frame[frame] += d > kOverlapDepth ? 1 : 0;
        }
        result_.deepest_of_frame[frame] = static_cast<float>(deepest.depth);
    }

    /// What is to be said of all frames.
    void sum_up()
    {
        std::uint64_t occupied = 0;
        for (std::size_t frame = 0; frame < t_.frames.size(); ++frame) {
            occupied += t_.frame_begin[frame + 1] > t_.frame_begin[frame] ? 1 : 0;
            result_.pairs += result_.pairs_of_frame[frame];
            if (const Deepest& deepest = deepest_pair_[frame]; deepest.depth > result_.deepest) {
                result_.deepest = deepest.depth;
                result_.deepest_time = t_.time_of(frame);
                result_.deepest_a = t_.walkers[deepest.key >> 32].id;
                result_.deepest_b = t_.walkers[deepest.key & 0xffffffffu].id;
            }
        }
        if (occupied > 0)
            result_.pairs_per_frame =
                static_cast<double>(result_.pairs) / static_cast<double>(occupied);
    }

private:
    struct Deepest {
        double depth = 0.0;
        std::uint64_t key = 0;
    };

    double depth(const NearPair& pair) const
    {
        return radii_[pair.key >> 32] + radii_[pair.key & 0xffffffffu] - pair.distance;
    }

    const Trajectories& t_;
    const std::vector<double>& radii_;
    OverlapResult& result_;
    std::vector<Deepest> deepest_pair_;  ///< of each frame
    double range_ = kLeastRange;
};

}  // namespace

std::vector<double> radii_of(const Trajectories& t, double otherwise)
{
    std::vector<double> radii;
    radii.reserve(t.walkers.size());
    for (const auto& walker : t.walkers)
        radii.push_back(walker.radius >= 0.0 ? walker.radius : otherwise);
    return radii;
}

OverlapResult measure_overlaps(const Trajectories& t, const std::vector<double>& radii,
                               Workers& workers)
{
    OverlapResult result;
    OverlapRules rules(t, radii, result);
    result.contacts = PairSweep(t, rules).run(workers).size();
    rules.sum_up();
    return result;
}

}  // namespace sidestep
