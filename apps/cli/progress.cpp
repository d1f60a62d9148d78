// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

constexpr double kBarInterval = 0.1;   ///< between two pictures [s]
constexpr double kLineInterval = 5.0;  ///< between two lines [s]
/// Weight of the newest interval in a rate: steps slow down and speed up as a crowd gathers.
constexpr double kNewest = 0.2;
constexpr int kNarrowestBar = 8, kWidestBar = 40;

std::string to_clock(double seconds)
{
    constexpr double kLongest = 1000.0 * 3600.0;  // beyond that nobody counts
    const long whole = std::lround(std::min(seconds, kLongest));
    if (whole >= 3600) {
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    }
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string bar_of(double share, int width, bool utf8)
{
    const long full = std::lround(share * width);
    std::string bar = utf8 ? "" : "[";
    for (int i = 0; i < width; ++i) {
        if (utf8) bar += i < full ? "█" : "░";
        if (!utf8) bar += i < full ? '#' : '.';
    }
    return bar + (utf8 ? "" : "]");
}

double smooth(double known, double now)
{
    return known > 0.0 ? known + kNewest * (now - known) : now;
}

}  // namespace

Progress::Progress(bool shown, double duration)
    : shown_(shown),
      bar_(is_terminal(stderr)),
      utf8_(speaks_utf8()),
      duration_(duration),
      last_(Clock::now())
{}

void Progress::update(double time, std::uint64_t steps, std::uint64_t agents)
{
    if (!shown_) return;
    const Clock::time_point now = Clock::now();
    const double passed = std::chrono::duration<double>(now - last_).count();
    if (passed < (bar_ ? kBarInterval : kLineInterval)) return;
    steps_per_second_ =
        smooth(steps_per_second_, static_cast<double>(steps - last_steps_) / passed);
    time_per_second_ = smooth(time_per_second_, (time - last_time_) / passed);
    last_ = now;
    last_time_ = time;
    last_steps_ = steps;
    if (bar_) {
        draw_bar(time, agents);
    } else {
        say(stderr,
            fmt::format("{:.1f} of {:g} s, {} present, {:.0f} steps/s, at most {} to go\n", time,
                        duration_, group_digits(agents), steps_per_second_, remaining(time)));
        std::fflush(stderr);
    }
}

/// A run may end before its time is up, when everybody has gone.
std::string Progress::remaining(double time) const
{
    if (!(time_per_second_ > 0.0)) return "?";
    return to_clock(std::max(0.0, duration_ - time) / time_per_second_);
}

void Progress::draw_bar(double time, std::uint64_t agents)
{
    const double share = std::clamp(time / duration_, 0.0, 1.0);
    // From what nobody would do without to what a narrow terminal leaves out.
    std::vector<std::string> parts{fmt::format("{:3.0f} %", share * 100.0),
                                   fmt::format("{:.1f}/{:g} s", time, duration_),
                                   fmt::format("{} present", group_digits(agents)),
                                   fmt::format("{:.0f} steps/s", steps_per_second_),
                                   fmt::format("<= {} to go", remaining(time))};
    const int room = columns_of(stderr) - 1;  // the last column would wrap on some terminals
    std::string text;
    for (const std::string& part : parts) {
        const std::string_view gap = text.empty() ? "" : "  ";
        if (static_cast<int>(text.size() + gap.size() + part.size()) > room) break;
        text.append(gap).append(part);
    }
    const int left = room - static_cast<int>(text.size()) - 2 - (utf8_ ? 0 : 2);
    const int width = std::min(left, kWidestBar);
    const std::string bar = width >= kNarrowestBar ? bar_of(share, width, utf8_) + "  " : "";
    say(stderr, "\r\033[K" + bar + text);
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::clear()
{
    if (!drawn_) return;
    say(stderr, "\r\033[K");
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace sidestep::cli
