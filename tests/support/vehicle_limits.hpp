// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep::test {

/// What vehicles did from frame to frame, in parts of what their traits allow: speed, acceleration,
/// braking, turn rate and curvature (inv-7), and whether their places follow: along the heading,
/// never backwards, no farther than their speed takes them. Computed in double from what anybody
/// can read.
class FrameLimits {
public:
    void look_at(const World& world, const std::vector<AgentHandle>& agents)
    {
        const double dt = world.dt();
        for (const AgentHandle handle : agents) {
            const auto now = world.agent(handle);
            if (!now || !now->heading) continue;
            const auto before = last_.find(now->id);
            if (before != last_.end()) compare(world, handle, before->second, *now, dt);
            last_.insert_or_assign(now->id, *now);
        }
    }

    void expect_kept() const
    {
        EXPECT_LE(speed_, 1.0 + 1e-6);
        EXPECT_LE(acceleration_, 1.0 + 1e-6);
        EXPECT_LE(braking_, 1.0 + 1e-6);
        EXPECT_LE(turn_rate_, 1.0 + 1e-6);
        EXPECT_LE(curvature_, 1.0 + 1e-6);
        EXPECT_LE(sideways_, 1e-6);  // [m/s]
        EXPECT_LE(slip_, kSlip);
        EXPECT_LE(too_far_, kPlaceRounding);
        EXPECT_LE(backwards_, kPlaceRounding);
        EXPECT_GT(frames_, 0u);
    }

    std::size_t frames() const { return frames_; }

private:
    /// Places are floats, here up to 64 m from the origin [m].
    static constexpr double kPlaceRounding = 8e-6;
    /// The chord of an arc on which the speed changes is up to u a dt^2 / 12 off the middle of both
    /// headings [m], for turns u up to 0.1 rad in steps of 0.05 s at 1 or 2 m/s2.
    static constexpr double kSlip = 4e-5 + kPlaceRounding;

    void compare(const World& world, AgentHandle handle, const AgentState& a, const AgentState& b,
                 double dt)
    {
        ++frames_;
        const auto trait = [&](const char* name) { return *world.trait(handle, name); };
        const double was = std::hypot(a.velocity.x, a.velocity.y);
        const double is = std::hypot(b.velocity.x, b.velocity.y);
        const double faster = (is - was) / dt;
        const double up = trait("max_acceleration");
        const double down = std::isinf(trait("braking")) ? up : trait("braking");
        speed_ = std::max(speed_, is / trait("max_speed"));
        acceleration_ = std::max(acceleration_, faster / up);
        braking_ = std::max(braking_, -faster / down);
        sideways_ = std::max(sideways_, std::fabs(det(*b.heading, b.velocity)));
        const Vec2 moved = b.position - a.position, middle = *a.heading + *b.heading;
        const double size = std::hypot(middle.x, middle.y);
        const double along = dot(moved, middle) / size;
        slip_ = std::max(slip_, std::fabs(det(moved, middle)) / size);
        too_far_ = std::max(too_far_, along - std::max(was, is) * dt);
        backwards_ = std::max(backwards_, -along);
        const double turn =
            std::fabs(std::atan2(det(*a.heading, *b.heading), dot(*a.heading, *b.heading))) / dt;
        turn_rate_ = std::max(turn_rate_, turn / trait("turn_rate"));
        const bool steers = trait("motion") == 2.0;
        if (!steers && trait("turning_radius") == 0.0) return;  // turns on the spot
        const double curvature = steers ? std::tan(trait("max_steering")) / trait("wheelbase")
                                        : 1.0 / trait("turning_radius");
        // Radians per second that the smallest circle allows; headings are floats.
        const double most = curvature * std::min(was, is);
        if (turn > 2e-7 / dt) curvature_ = std::max(curvature_, turn / std::max(most, 1e-9));
    }

    std::map<std::uint32_t, AgentState> last_;
    double speed_ = 0.0, acceleration_ = 0.0, braking_ = 0.0, turn_rate_ = 0.0, curvature_ = 0.0;
    double sideways_ = 0.0;
    double slip_ = 0.0, too_far_ = 0.0, backwards_ = 0.0;  ///< [m]
    std::size_t frames_ = 0;
};

}  // namespace sidestep::test
