// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/encounters.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/pair_sweep.hpp"
#include "analysis/spread.hpp"

namespace sidestep {
namespace {

constexpr double kPartFactor = 1.25;  // [1] of the range: no new meeting for every wobble
constexpr double kCosLeastAngle = 0.866025403784438647;  // of 30 degrees
constexpr std::size_t kMaxBins = 1000;

class EncounterRules {
public:
    struct Record {
        float least;      ///< distance [m]
        float projected;  ///< [m]
        float time;       ///< [s]
        bool met;         ///< they came within the range
        bool counts;
    };

    EncounterRules(const Trajectories& t, const Velocities& velocities,
                   const std::vector<std::uint8_t>& joined, double range)
        : t_(t), velocities_(velocities), joined_(joined), meet_(range)
    {}

    double range() const { return kPartFactor * meet_; }
    bool keep(const NearPair&) const { return true; }
    bool may_begin(const NearPair& pair) const { return pair.distance < meet_; }
    Record begin(const NearPair& pair) const
    {
        Record record{static_cast<float>(pair.distance), 0.0f, 0.0f, false, false};
        if (may_begin(pair)) meet(record, pair);
        return record;
    }
    void extend(Record& record, const NearPair& pair) const
    {
        record.least = std::min(record.least, static_cast<float>(pair.distance));
        if (!record.met && may_begin(pair)) meet(record, pair);
    }
    void absorb(Record& earlier, const Record& later) const
    {
        if (earlier.met) {
            earlier.least = std::min(earlier.least, later.least);
        } else {
            earlier = later;  // between the two ranges all the time: nothing was under way
        }
    }
    bool counts(const Record& record) const { return record.counts; }
    void see(std::size_t, std::span<const NearPair>) {}

private:
    void meet(Record& record, const NearPair& pair) const
    {
        record.met = true;
        const std::size_t a = pair.row_a;
        const std::size_t b = pair.row_b;
        if (joined_[a] == 0 || joined_[b] == 0) return;
        if (!velocities_.known(a) || !velocities_.known(b)) return;
        const double speed_a = velocities_.speed(a);
        const double speed_b = velocities_.speed(b);
        if (!(speed_a >= kLeastWalkingSpeed && speed_b >= kLeastWalkingSpeed)) return;
        const Vec2 vel_a{velocities_.x[a], velocities_.y[a]};
        const Vec2 vel_b{velocities_.x[b], velocities_.y[b]};
        const double cosine = (vel_a.x * vel_b.x + vel_a.y * vel_b.y) / (speed_a * speed_b);
        if (!(cosine < kCosLeastAngle)) return;
        const auto closest = closest_approach(t_.position[a], vel_a, t_.position[b], vel_b);
        if (!closest) return;
        record.projected = static_cast<float>(closest->distance);
        record.time = static_cast<float>(closest->time);
        record.counts = true;
    }

    const Trajectories& t_;
    const Velocities& velocities_;
    const std::vector<std::uint8_t>& joined_;
    double meet_;
};

std::vector<std::uint32_t> histogram_of(const std::vector<float>& values, double range)
{
    const auto bins = static_cast<std::size_t>(
        std::clamp(std::ceil(range / kEncounterBin - 1e-9), 1.0, static_cast<double>(kMaxBins)));
    std::vector<std::uint32_t> histogram(bins, 0);
    for (const float value : values) {
        // a float a hair below a border belongs to the bin that begins there
        const double bin = std::floor(double{value} / kEncounterBin + 1e-6);
        ++histogram[std::min(bins - 1, static_cast<std::size_t>(std::max(0.0, bin)))];
    }
    return histogram;
}

}  // namespace

EncounterResult measure_encounters(const Trajectories& t, const Velocities& velocities,
                                   const std::vector<std::uint8_t>& joined, double range,
                                   Workers& workers)
{
    EncounterRules rules(t, velocities, joined, range);
    const auto records = PairSweep(t, rules).run(workers);
    std::vector<float> least, projected, time;
    for (const auto& record : records) {
        least.push_back(record.least);
        projected.push_back(record.projected);
        time.push_back(record.time);
    }
    EncounterResult result;
    result.encounters = records.size();
    result.passing_histogram = histogram_of(least, range);
    result.projected_histogram = histogram_of(projected, range);
    result.passing_distance = make_spread(least);
    result.projected_distance = make_spread(projected);
    result.time_to_closest = make_spread(time);
    return result;
}

}  // namespace sidestep
