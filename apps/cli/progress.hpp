// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sidestep::cli {

/// How far a run has come, on standard error: a bar on a terminal, a line every few seconds
/// elsewhere.
class Progress {
public:
    /// `shown` false: says nothing. `duration` is simulated time [s].
    Progress(bool shown, double duration);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Cheap: draws ten times a second at most. `agents` are those present.
    void update(double time, std::uint64_t steps, std::uint64_t agents);
    /// Takes the bar off the screen.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    void draw_bar(double time, std::uint64_t agents);
    std::string remaining(double time) const;

    bool shown_ = false;
    bool bar_ = false;
    bool utf8_ = false;
    bool drawn_ = false;
    double duration_ = 0.0;
    Clock::time_point last_;
    double last_time_ = 0.0;
    std::uint64_t last_steps_ = 0;
    // per second of the clock on the wall, smoothed; 0: not known yet
    double steps_per_second_ = 0.0;
    double time_per_second_ = 0.0;
};

}  // namespace sidestep::cli
