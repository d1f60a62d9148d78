// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/recording.hpp>

#include <cstdint>
#include <limits>
#include <optional>

namespace sidestep::cli {

/// Which frames of a recording are taken, and which numbers they get: those between two times, and
/// of these every n-th. Times stay what they are, to less than one step of what is taken.
class FrameSelection {
public:
    /// `fps` of the recording [1/s]; `every` [s] a multiple of the time between two frames, else
    /// an Error with a hint. `from` and `to` [s] are inclusive.
    static Result<FrameSelection> create(double fps, std::optional<double> every,
                                         std::optional<double> from, std::optional<double> to);

    double fps() const { return fps_ / static_cast<double>(stride_); }  ///< of what is taken [1/s]
    /// Takes a frame, with its new number, or leaves it. Frames come in their order.
    bool take(RecordedFrame& frame);
    /// Whether all that is wanted has come.
    bool is_past(const RecordedFrame& frame) const;

    bool takes_all_times() const { return from_ == -kAlways && to_ == kAlways; }
    /// Whether a note of this time belongs to what is taken [s].
    bool includes(double time) const { return time >= from_ && time <= to_; }
    /// A time of the recording in what is taken [s].
    double shifted(double time) const { return time - shift_; }

private:
    static constexpr double kAlways = std::numeric_limits<double>::infinity();

    double time_of(const RecordedFrame& frame) const
    {
        return static_cast<double>(frame.number) / fps_;
    }

    double fps_ = 1.0;
    std::int64_t stride_ = 1;
    double from_ = -kAlways, to_ = kAlways;
    std::optional<std::int64_t> phase_;  ///< number of the first frame, modulo the stride
    double shift_ = 0.0;                 ///< time of the phase [s]
};

}  // namespace sidestep::cli
