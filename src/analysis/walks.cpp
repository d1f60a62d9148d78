// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/walks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/power.hpp"
#include "analysis/track.hpp"

namespace sidestep {
namespace {

constexpr double kStallTime = 2.0;  // [s]
/// Times of frames are quotients; this much less is as long [s].
constexpr double kTimeSlack = 1e-9;
/// Of a way of nothing the ratio says nothing [m].
constexpr double kLeastWay = 1.0;

const RecordedEnd* end_of(const Trajectories& t, std::size_t walker)
{
    const std::uint32_t end = t.walkers[walker].end;
    return end < t.notes.ends.size() ? &t.notes.ends[end] : nullptr;
}

bool has_notes(const Trajectories& t)
{
    return !t.notes.walkers.empty() || !t.notes.ends.empty();
}

/// One walker, row by row.
class Walk {
public:
    /// Rows without a gap are at most `longest_step` apart [s].
    Walk(const Trajectories& t, const Velocities& velocities, const Track& track,
         const RecordedEnd* end, double longest_step)
        : t_(t), velocities_(velocities), track_(track), end_(end), longest_step_(longest_step)
    {}

    WalkerResult measure()
    {
        result_.first_time = time(0);
        result_.last_time = time(track_.size() - 1);
        for (std::size_t i = 1; i < track_.size() && is_on_journey(i); ++i) {
            if (track_.joined[i] != 0) add_move(i);
        }
        add_end_of_way();
        add_stalls();
        const Vec2 way = position(track_.size() - 1) - position(0);
        result_.straight = std::sqrt(way.x * way.x + way.y * way.y);
        if (moving_time_ > 0.0) result_.mean_speed = result_.path_length / moving_time_;
        result_.travel_time = seconds(0, track_.size() - 1);
        result_.is_whole = is_whole();
        const bool is_gone = t_.frames.size() > track_.frame.back() + std::size_t{1};
        result_.has_arrived = !has_notes(t_) && is_gone;
        if (end_ != nullptr) {
            result_.travel_time = end_->time - end_->set_off;
            result_.has_arrived = end_->is_arrival;
            result_.shortest_way = end_->shortest_way;
        }
        const double least = result_.shortest_way > 0.0 ? result_.shortest_way : result_.straight;
        if (result_.is_whole && least > kLeastWay) result_.path_ratio = way_under_way_ / least;
        return result_;
    }

private:
    double time(std::size_t i) const { return t_.time_of(track_.frame[i]); }
    double seconds(std::size_t from, std::size_t to) const
    {
        return t_.seconds_between(track_.frame[from], track_.frame[to]);
    }
    Vec2 position(std::size_t i) const { return t_.position[track_.row[i]]; }
    bool is_on_journey(std::size_t i) const
    {
        return end_ == nullptr || time(i) <= end_->time + kTimeSlack;
    }
    bool is_slow(std::size_t i) const
    {
        return velocities_.known(track_.row[i]) &&
               velocities_.speed(track_.row[i]) < kLeastWalkingSpeed;
    }

    /// From setting off to the end of the journey, without a gap: else its length is too small.
    bool is_whole() const
    {
        const double slack = longest_step_ + kTimeSlack;
        if (end_ != nullptr && time(0) > end_->set_off + slack) return false;
        std::size_t last = 0;
        for (; last + 1 < track_.size() && is_on_journey(last + 1); ++last) {
            const bool is_under_way = end_ == nullptr || time(last + 1) > end_->set_off;
            if (is_under_way && track_.joined[last + 1] == 0) return false;
        }
        return end_ == nullptr || time(last) >= end_->time - slack;
    }

    /// From the row before.
    void add_move(std::size_t i)
    {
        const Vec2 move = position(i) - position(i - 1);
        const double dt = seconds(i - 1, i);
        const double length = std::sqrt(move.x * move.x + move.y * move.y);
        result_.path_length += length;
        // Who stands before it sets off may step aside for others: that is no detour.
        if (end_ == nullptr || time(i) > end_->set_off + kTimeSlack) way_under_way_ += length;
        const double power = power_at(velocities_.speed(track_.row[i - 1])) +
                             power_at(velocities_.speed(track_.row[i]));
        result_.energy += 0.5 * power * dt;
        moving_time_ += dt;
    }

    /// From the last frame on the journey to where the notes say it ended, inside a step: frames
    /// may be a metre apart.
    void add_end_of_way()
    {
        if (end_ == nullptr) return;
        std::size_t last = 0;
        while (last + 1 < track_.size() && is_on_journey(last + 1)) ++last;
        const double rest = end_->time - time(last);
        if (!(rest > 0.0) || rest > longest_step_ + kTimeSlack || time(last) < end_->set_off)
            return;
        if (last + 1 < track_.size() && track_.joined[last + 1] != 0) {
            const Vec2 move = position(last + 1) - position(last);
            way_under_way_ +=
                std::sqrt(move.x * move.x + move.y * move.y) * rest / seconds(last, last + 1);
        } else if (velocities_.known(track_.row[last])) {
            way_under_way_ += velocities_.speed(track_.row[last]) * rest;
        }
    }

    /// The first row under way: where the notes do not say, the first that is not slow. Who stands
    /// from the beginning has not set off.
    std::size_t find_set_off() const
    {
        std::size_t i = 0;
        if (end_ != nullptr) {
            while (i < track_.size() && time(i) < end_->set_off - kTimeSlack) ++i;
        } else {
            while (i < track_.size() && (is_slow(i) || !velocities_.known(track_.row[i]))) ++i;
        }
        return i;
    }

    void add_stalls()
    {
        for (std::size_t i = find_set_off(); i < track_.size();) {
            if (!is_slow(i)) {
                ++i;
                continue;
            }
            std::size_t last = i;
            while (last + 1 < track_.size() && track_.joined[last + 1] != 0 && is_slow(last + 1) &&
                   is_on_journey(last + 1))
                ++last;
            const double lasted = seconds(i, last);
            if (lasted >= kStallTime - kTimeSlack && is_on_journey(i)) {
                ++result_.stalls;
                result_.stalled_time += lasted;
            }
            i = last + 1;
        }
    }

    const Trajectories& t_;
    const Velocities& velocities_;
    const Track& track_;
    const RecordedEnd* end_;
    double longest_step_;
    WalkerResult result_;
    double way_under_way_ = 0.0;  ///< [m]
    double moving_time_ = 0.0;
};

}  // namespace

std::vector<WalkerResult> measure_walks(const Trajectories& t, const Velocities& velocities,
                                        Workers& workers)
{
    std::vector<WalkerResult> results(t.walkers.size());
    const double longest = static_cast<double>(longest_step(usual_spacing(t))) / t.info.fps;
    for_each_track(t, workers, [&](std::size_t w, const Track& track) {
        if (track.size() > 0)
            results[w] = Walk(t, velocities, track, end_of(t, w), longest).measure();
        results[w].id = t.walkers[w].id;
    });
    return results;
}

StallResult sum_stalls(const std::vector<WalkerResult>& walkers)
{
    StallResult sum;
    for (const WalkerResult& walker : walkers) {
        sum.stalls += walker.stalls;
        sum.walkers += walker.stalls > 0 ? 1 : 0;
        sum.time += walker.stalled_time;
    }
    return sum;
}

Arrivals find_arrivals(const Trajectories& t, const std::vector<WalkerResult>& walkers)
{
    Arrivals arrivals;
    const auto add = [&](double time, double travel_time) {
        arrivals.times.push_back(time);
        arrivals.travel_times.push_back(travel_time);
    };
    if (has_notes(t)) {
        for (const RecordedEnd& end : t.notes.ends) {
            if (end.is_arrival) add(end.time, end.time - end.set_off);
        }
    } else {
        for (const WalkerResult& walker : walkers) {
            if (walker.has_arrived) add(walker.last_time, walker.travel_time);
        }
    }
    std::sort(arrivals.times.begin(), arrivals.times.end());
    return arrivals;
}

}  // namespace sidestep
