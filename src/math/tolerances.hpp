// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sidestep {

/// Tolerances of the geometry and of the program, one table per number type: the same source runs in
/// double for exact answers and in float inside a step. Velocities in these problems have magnitude
/// S (program scale) or R/t, hence everything is relative to such a scale.
template <class T>
struct Tolerances;

template <>
struct Tolerances<double> {
    /// [S] A half-plane counts as violated beyond this; a relaxation t below it counts as none.
    static constexpr double kViolation = 1e-9;
    /// [S] Working tolerance while the smallest relaxation is sought: some 10^3 roundings, and small
    /// beside kViolation so that the pass which follows (relaxed by t + kViolation) has room.
    static constexpr double kMinimax = 1e-12;
    /// [1] Boundary lines that meet at an angle whose sine is below this count as parallel.
    static constexpr double kParallelSine = 1e-12;
    /// [max(1, scale)] A vector shorter than this has no direction.
    static constexpr double kDegenerate = 1e-12;
    /// [m/s] A wall whose ends lie this little outside a line made before is covered by that line.
    static constexpr double kCovered = 1e-5;
    /// [1] Room for rounding in "inside the disc" when a boundary point has just been computed.
    static constexpr double kOnCircle = 1e-15;
};

template <>
struct Tolerances<float> {
    /// [S] About 80 roundings: lines are built from positions and speeds with some 10 roundings each,
    /// and three nearly concurrent lines have to leave room for a common point.
    static constexpr float kViolation = 1e-5f;
    /// [S] Some 10 roundings: the smallest error the sums n.v - c can guarantee, a fifth of kViolation.
    static constexpr float kMinimax = 2e-6f;
    /// [1] Below this sine the crossing is more than 10^4 gaps away, or the gap is too small to matter;
    /// the sine itself carries an error of 10^-7.
    static constexpr float kParallelSine = 1e-4f;
    /// [max(1, scale)] The vector is a difference with an error of 10^-7: its direction is noise.
    static constexpr float kDegenerate = 1e-6f;
    /// [m/s] As in double: far above the rounding of velocities of a few m/s.
    static constexpr float kCovered = 1e-5f;
    static constexpr float kOnCircle = 5e-7f;
};

}  // namespace sidestep
