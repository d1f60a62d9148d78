// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>

#include "sidestep/world.hpp"

namespace sidestep {

// Clocks that charge the time since they were made, or since the last stage ended, to a stage.
// Where nobody asks for times each call is one branch. Times are told and never decide anything.

/// CPU time of the process, all threads: for stages of the whole world. Coarse, and slow to read.
struct ProcessTime {
    static constexpr double kLongest = 1e9;
    static double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
};

/// Wall time: for stages of one leaf, some microseconds each. What takes longer than a millisecond
/// is left out: the system has let somebody else work.
struct LeafTime {
    static constexpr double kLongest = 1e-3;
    static double now()
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
};

template <class Time>
class StageClock {
public:
    explicit StageClock(StageTimes* times) : times_(times) { restart(); }

    void end(Stage stage)
    {
        if (times_ == nullptr) return;
        const auto index = static_cast<std::size_t>(stage);
        if (charge(times_->seconds[index])) ++times_->readings[index];
    }
    /// What has passed was the host's.
    void end_hook()
    {
        if (times_ != nullptr) (void)charge(times_->hook);
    }
    /// What has passed belongs to nobody.
    void restart()
    {
        if (times_ != nullptr) last_ = Time::now();
    }

private:
    bool charge(double& seconds)
    {
        const double now = Time::now(), passed = now - last_;
        last_ = now;
        if (passed > Time::kLongest) return false;
        seconds += passed;
        return true;
    }

    StageTimes* times_;
    double last_ = 0.0;
};

}  // namespace sidestep
