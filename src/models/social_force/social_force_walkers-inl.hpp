// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The agents of a leaf as vectors of lanes, and the parts that their step is cut into.
#if defined(SIDESTEP_MODELS_SOCIAL_FORCE_WALKERS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_SOCIAL_FORCE_WALKERS_INL_HPP
#undef SIDESTEP_MODELS_SOCIAL_FORCE_WALKERS_INL_HPP
#else
#define SIDESTEP_MODELS_SOCIAL_FORCE_WALKERS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "math/exp_log.hpp"
#include "models/social_force/social_force.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE::forces {
namespace hn = hwy::HWY_NAMESPACE;

using FloatLanes = hn::CappedTag<float, kLeafRows>;
using FloatV = hn::Vec<FloatLanes>;
using FloatM = hn::Mask<FloatLanes>;

/// One number for each lane.
using Row = float[kLeafRows];

HWY_INLINE Vec2<FloatV> load2(FloatLanes d, const float* x, const float* y)
{
    return {hn::Load(d, x), hn::Load(d, y)};
}
HWY_INLINE FloatM load_mask(FloatLanes d, const float* flags)
{
    return hn::Ne(hn::Load(d, flags), hn::Zero(d));
}

/// Longest part of a step [s]: the explicit forces are stable far beyond it, and it resolves them.
inline constexpr double kLongestPart = 0.05;
/// With contact, whose frequency is sqrt(k / m) = 39 1/s for a pair and three times that in a
/// press: 2 / 0.01 is well above it.
inline constexpr double kLongestContactPart = 0.01;

/// The agents of one vector of lanes. Rows that hold nobody get harmless numbers.
struct Walkers {
    alignas(64) Row x, y, vx, vy;
    alignas(64) Row wish_x, wish_y;        ///< preferred velocity [m/s]
    alignas(64) Row heading_x, heading_y;  ///< its direction, or 0
    alignas(64) Row radius;                ///< planning radius [m]
    alignas(64) Row body_radius, wall_radius, max_speed;
    alignas(64) Row strength, reach, anisotropy, look_ahead, power_scale, power_time;
    alignas(64) Row wall_strength, wall_reach, body_strength, body_reach;
    alignas(64) Row side;                 ///< push in a frontal encounter, to the left [m/s2]
    alignas(64) Row stiffness, friction;  ///< of contact, per mass [1/s2], [1/(m s)]; 0: none
    alignas(64) Row alive, half_behind, presses;  ///< 1 or 0
    alignas(64) Row form;                         ///< RepulsionForm

    // Parts of the step. A part lasts `part` [s] and its goal term is taken with `span`.
    alignas(64) Row relaxation, part, span, first_span, parts;

    const AgentRecord* record[kLeafRows];
    std::uint32_t id[kLeafRows];
    std::size_t most_parts = 0;  ///< of any lane
    bool any_contact = false;
    bool any_form[5] = {};
};

/// How far the goal's implicit term has to reach for relaxation to be exact, whatever the step.
///
/// v' = (v + s wish / tau) / (1 + s / tau) leaves 1 / (1 + s / tau) of the distance to the wish:
/// with s = tau (e^(h / tau) - 1), a little above h, that is e^(-h / tau), as it should be after h.
///
/// The velocity that an agent comes with is the mean of its last step, which it had at the middle
/// of that step; the mean of n parts of this one belongs to the middle of this one. So the first
/// part reaches farther, such that the mean of all is nearer by e^(-dt / tau), too: about (n + 1) /
/// 2 parts. With one part both are the same.
struct Spans {
    double first, other;  ///< [s]
};

inline Spans spans_of(double tau, double dt, int parts)
{
    const double part = dt / parts;
    const double kept = portable_exp(-part / tau);  // of the distance, in a part
    double mean = 0.0;                              // kept over the parts after the first, and it
    double power = 1.0;
    for (int i = 0; i < parts; ++i, power *= kept) mean += power;
    const double first = portable_exp(-dt / tau) * parts / mean;
    return {tau * (1.0 / first - 1.0), tau * (1.0 / kept - 1.0)};
}

/// The wish of the agent in a row [m/s]. Within half a metre of its own goal it slows down, since
/// it cannot stop at once.
inline Vec2<float> wish_of(const Snapshot& snapshot, const Wishes& wishes, std::size_t row)
{
    constexpr float kSlowingDistance = 0.5f;  // [m]
    const AgentTable& agents = snapshot.agents;
    const Vec2<float> wish{wishes.vx[row % kLeafRows], wishes.vy[row % kLeafRows]};
    const std::uint32_t flags = agents.record[row].flags;
    if ((flags & kHostDriven) != 0 || (flags & kHasGoal) == 0) return wish;
    const float dx = agents.goal_x[row] - agents.x[row];
    const float dy = agents.goal_y[row] - agents.y[row];
    const float slowed = param_of(agents, snapshot.profiles, row, kPreferredSpeed) *
                         (std::sqrt(dx * dx + dy * dy) / kSlowingDistance);
    const float speed = std::sqrt(wish.x * wish.x + wish.y * wish.y);
    if (!(slowed < speed)) return wish;
    return {wish.x * (slowed / speed), wish.y * (slowed / speed)};
}

/// Which way lane l steps aside for whom it meets head on: its own, or as everybody does.
inline bool passes_left(const Snapshot& snapshot, std::uint32_t flags)
{
    if ((flags & kPassesLeft) != 0) return true;
    if ((flags & kPassesRight) != 0) return false;
    return snapshot.passing_side == PassingSide::left;
}

/// A row that holds nobody.
inline void load_nobody(std::size_t l, Walkers& w)
{
    for (Row* row : {&w.x,
                     &w.y,
                     &w.vx,
                     &w.vy,
                     &w.wish_x,
                     &w.wish_y,
                     &w.heading_x,
                     &w.heading_y,
                     &w.strength,
                     &w.look_ahead,
                     &w.power_scale,
                     &w.wall_strength,
                     &w.body_strength,
                     &w.side,
                     &w.stiffness,
                     &w.friction,
                     &w.alive,
                     &w.half_behind,
                     &w.presses,
                     &w.parts,
                     &w.max_speed})
        (*row)[l] = 0.0f;
    for (Row* row :
         {&w.radius, &w.body_radius, &w.wall_radius, &w.reach, &w.anisotropy, &w.power_time,
          &w.wall_reach, &w.body_reach, &w.relaxation, &w.part, &w.span, &w.first_span})
        (*row)[l] = 1.0f;
    w.form[l] = static_cast<float>(social_force::RepulsionForm::none);
}

inline void load_parts(const Snapshot& snapshot, std::size_t l, float tau, Walkers& w)
{
    const double dt = double{snapshot.dt};
    const double longest = w.presses[l] != 0.0f ? kLongestContactPart : kLongestPart;
    // Not one more where dt is a multiple, but for its rounding to float.
    const int parts = std::max(1, static_cast<int>(std::ceil(dt / longest - 1e-4)));
    const Spans spans = spans_of(double{tau}, dt, parts);
    w.relaxation[l] = tau;
    w.parts[l] = static_cast<float>(parts);
    w.part[l] = static_cast<float>(dt / parts);
    w.span[l] = static_cast<float>(spans.other);
    w.first_span[l] = static_cast<float>(spans.first);
    w.most_parts = std::max(w.most_parts, static_cast<std::size_t>(parts));
}

inline void load_walker(const Snapshot& snapshot, const Wishes& wishes, std::size_t row,
                        std::size_t l, Walkers& w)
{
    using namespace social_force;
    const AgentRecord& record = snapshot.agents.record[row];
    const auto param = [&](std::size_t p) {
        return param_of(snapshot.agents, snapshot.profiles, row, p);
    };
    w.alive[l] = 1.0f;
    w.x[l] = record.x;
    w.y[l] = record.y;
    w.vx[l] = record.vx;
    w.vy[l] = record.vy;
    const Vec2<float> wish = wish_of(snapshot, wishes, row);
    const float speed = std::sqrt(wish.x * wish.x + wish.y * wish.y);
    w.wish_x[l] = wish.x;
    w.wish_y[l] = wish.y;
    w.heading_x[l] = speed > 0.0f ? wish.x / speed : 0.0f;
    w.heading_y[l] = speed > 0.0f ? wish.y / speed : 0.0f;
    w.radius[l] = record.radius;
    w.body_radius[l] = param(kRadius);
    w.wall_radius[l] = param(kRadius) + param(kWallClearance);
    w.max_speed[l] = param(kMaxSpeed);

    const auto form = static_cast<RepulsionForm>(param(kRepulsion));
    w.form[l] = static_cast<float>(form);
    w.any_form[static_cast<std::size_t>(form)] = true;
    w.strength[l] = param(kStrength) * param(kRepulsionFactor);
    w.power_scale[l] = param(kPowerScale) * param(kRepulsionFactor);
    w.reach[l] = param(kReach);
    w.look_ahead[l] = param(kLookAhead);
    w.power_time[l] = param(kPowerTime);
    const bool view = static_cast<Weighting>(param(kWeighting)) == Weighting::view_1995;
    w.half_behind[l] = view ? 1.0f : 0.0f;
    w.anisotropy[l] = view ? 1.0f : param(kAnisotropy);

    const bool presses = static_cast<ContactForm>(param(kContact)) == ContactForm::helbing_2000;
    w.any_contact |= presses;
    w.presses[l] = presses ? 1.0f : 0.0f;
    w.stiffness[l] = presses ? param(kContactStiffness) / param(kMass) : 0.0f;
    w.friction[l] = presses ? param(kContactFriction) / param(kMass) : 0.0f;
    w.wall_strength[l] = param(kWallStrength);
    w.wall_reach[l] = param(kWallReach);
    w.body_strength[l] = param(kBodyStrength);
    w.body_reach[l] = param(kBodyReach);
    const float side = param(kSideConvention);
    w.side[l] = passes_left(snapshot, record.flags) ? side : -side;
    load_parts(snapshot, l, param(kRelaxationTime), w);
}

inline void load_walkers(const Snapshot& snapshot, const Wishes& wishes, std::size_t first_row,
                         std::size_t count, Walkers& w)
{
    for (std::size_t l = 0; l < count; ++l) {
        const std::size_t row = first_row + l;
        w.record[l] = &snapshot.agents.record[row];
        w.id[l] = w.record[l]->id;
        if (snapshot.agents.holds(row)) load_walker(snapshot, wishes, row, l, w);
        else load_nobody(l, w);
    }
}

}  // namespace sidestep::HWY_NAMESPACE::forces
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
