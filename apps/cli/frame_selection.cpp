// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "frame_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sidestep::cli {
namespace {

/// A multiple that somebody wrote down with a few digits is met to this [1].
constexpr double kMultipleTolerance = 1e-6;
/// The same for times at which a part begins or ends [s].
constexpr double kTimeTolerance = 1e-9;
/// Strides beyond this take one frame of anything.
constexpr double kLargestStride = 1e15;

/// Rounded down, also below zero.
std::int64_t divide_down(std::int64_t number, std::int64_t by)
{
    return number / by - (number % by < 0 ? 1 : 0);
}

}  // namespace

Result<FrameSelection> FrameSelection::create(double fps, std::optional<double> every,
                                              std::optional<double> from, std::optional<double> to)
{
    FrameSelection selection;
    selection.fps_ = fps;
    if (every) {
        const double frames = *every * fps;
        const double whole = std::clamp(std::round(frames), 1.0, kLargestStride);
        if (std::abs(frames - whole) > kMultipleTolerance * whole) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("--every {}: frames are {:.6g} s apart, and it is no multiple "
                                     "of that\nhint: {:.6g} is one",
                                     *every, 1.0 / fps, whole / fps)};
        }
        selection.stride_ = static_cast<std::int64_t>(whole);
    }
    if (from) selection.from_ = *from - kTimeTolerance;
    if (to) selection.to_ = *to + kTimeTolerance;
    return selection;
}

bool FrameSelection::take(RecordedFrame& frame)
{
    const std::int64_t quotient = divide_down(frame.number, stride_);
    const std::int64_t rest = frame.number - quotient * stride_;
    if (!phase_) {
        phase_ = rest;
        shift_ = static_cast<double>(rest) / fps_;
    }
    if (rest != *phase_ || !includes(time_of(frame))) return false;
    frame.number = quotient;
    return true;
}

bool FrameSelection::is_past(const RecordedFrame& frame) const
{
    return time_of(frame) > to_;
}

}  // namespace sidestep::cli
