// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sidestep {

/// Tolerances of the geometry and of the program, one table per number type: the same source runs
/// in double for exact answers and in float inside a step. Velocities in these problems have
/// magnitude S (program scale) or R/t, hence everything is relative to such a scale.
template <class T>
struct Tolerances;

template <>
struct Tolerances<double> {
    /// [S] A half-plane counts as violated beyond this; a relaxation t below it counts as none.
    static constexpr double kViolation = 1e-9;
    /// [S] Working tolerance while the smallest relaxation is sought: some 10^3 roundings, and
    /// small beside kViolation so that the pass which follows (relaxed by t + kRelaxation) has
    /// room.
    static constexpr double kMinimax = 1e-12;
    /// [S] How much farther than t the lines move back before the nearest velocity among the least
    /// violating ones is sought: what is left of them is a needle, not a point.
    static constexpr double kRelaxation = kViolation;
    /// [1] Boundary lines that meet at an angle whose sine is below this count as parallel.
    static constexpr double kParallelSine = 1e-12;
    /// [max(1, scale)] A vector shorter than this has no direction.
    static constexpr double kDegenerate = 1e-12;
    /// [m/s] A wall whose ends lie this little outside a line made before is covered by that line.
    static constexpr double kCovered = 1e-5;
    /// [1] Room for rounding in "inside the disc" when a boundary point has just been computed.
    static constexpr double kOnCircle = 1e-15;
    /// [S] Two velocities whose distances from the target differ by no more are equally near.
    static constexpr double kTie = 1e-9;
    /// [1] A sampled velocity may exceed the speed limit by this: the preferred one, shortened to
    /// the limit, does so by rounding.
    static constexpr double kSpeedRounding = 1e-12;
};

template <>
struct Tolerances<float> {
    /// [S] Some 50 roundings of 6e-8: sums n.v - c carry up to 10, and three nearly concurrent
    /// lines have to leave room for a common point. Smaller than the customary 1e-5, because where
    /// a program is infeasible the answer moves by up to sqrt(2 v_max kViolation S) along a tangent
    /// disc.
    static constexpr float kViolation = 3e-6f;
    /// [S] Some 10 roundings: the smallest error the sums n.v - c can guarantee, a fifth of
    /// kViolation.
    static constexpr float kMinimax = 6e-7f;
    /// [S] Some 8 roundings. In a needle between almost antiparallel lines the answer slides by
    /// this over the sine of their angle: with kViolation 31 of 40 open crowds of 1,000 were more
    /// than 1 mm from another implementation's for over 1 % of agents after 20 steps, with this 15
    /// (that implementation against itself, started one ulp off: 9).
    static constexpr float kRelaxation = 5e-7f;
    /// [1] A line passed over as parallel can be violated by this times the chord of the speed
    /// disc, 2e-6 S: below kViolation. (1e-4, at which a crossing is known to three digits, would
    /// leave 2e-4.)
    static constexpr float kParallelSine = 1e-6f;
    /// [max(1, scale)] The vector is a difference with an error of 10^-7: its direction is noise.
    static constexpr float kDegenerate = 1e-6f;
    /// [m/s] As in double: far above the rounding of velocities of a few m/s.
    static constexpr float kCovered = 1e-5f;
    /// [1] As in double: some 8 roundings.
    static constexpr float kOnCircle = 5e-7f;
    /// [S] Some 30 roundings: a distance along a leg carries ten on either side of a symmetric
    /// encounter. Below kViolation: the choice costs less than what is overlooked anyway.
    static constexpr float kTie = 2e-6f;
    /// [1] As in double: some 16 roundings.
    static constexpr float kSpeedRounding = 1e-6f;
};

}  // namespace sidestep
