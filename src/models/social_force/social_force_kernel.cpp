// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/social_force/social_force_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <cmath>
#include <cstdio>

#include "models/social_force/social_force_pushes-inl.hpp"
#include "models/within_limits.hpp"
#include "simd/isa.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE::forces {

namespace hn = hwy::HWY_NAMESPACE;

/// x of {{a + xx, xy}, {xy, a + yy}} x = rhs; the matrix is positive definite.
HWY_INLINE Vec2<FloatV> solve_rubbed(FloatV a, FloatV xx, FloatV xy, FloatV yy,
                                     const Vec2<FloatV>& rhs)
{
    const FloatV first = a + xx;
    const FloatV second = a + yy;
    const FloatV scale = first * second - xy * xy;
    return Vec2<FloatV>{second * rhs.x - xy * rhs.y, first * rhs.y - xy * rhs.x} / scale;
}

/// Velocities with and without the press of those who press back.
///
/// Everybody else is taken to go on as they do, but two who press each other both give way: each
/// sees twice the force, as the distance between them does, and takes half of what comes of it.
/// With one of them that is the collision of equal masses. (If each took it all they would part
/// three times as fast as they met.)
struct Way {
    Vec2<FloatV> v, alone;        // [m/s]
    Vec2<FloatV> sum, alone_sum;  // of the parts so far
};

/// The velocities after one part: the goal's pull and friction implicitly, the rest as it is now.
HWY_INLINE void take_part(FloatLanes d, const Walkers& w, const Pushes& pushes, bool first,
                          FloatM active, Way& way)
{
    const FloatV tau = hn::Load(d, w.relaxation);
    const FloatV span = hn::Load(d, first ? w.first_span : w.span);
    const FloatV max_speed = hn::Load(d, w.max_speed);
    const Vec2<FloatV> wish = load2(d, w.wish_x, w.wish_y);
    Vec2<FloatV> v = relaxed_velocity(d, way.v, wish, pushes.force, tau, span);
    Vec2<FloatV> alone = v;
    if (HWY_UNLIKELY(w.any_contact)) {
        const FloatV h = hn::Load(d, w.part);
        const FloatV two = h + h;
        const FloatV own = hn::Set(d, 1.0f) + span / tau;
        const Press& solid = pushes.solid;
        const Press& pairs = pushes.pairs;
        const Vec2<FloatV> change =
            (wish / tau + pushes.force) * span + (solid.push + solid.drag) * h;
        const FloatV xx = solid.xx * h;
        const FloatV xy = solid.xy * h;
        const FloatV yy = solid.yy * h;
        const FloatM presses = load_mask(d, w.presses);
        alone = select(presses, solve_rubbed(own, xx, xy, yy, way.alone + change), alone);
        v = select(presses,
                   solve_rubbed(own, xx + pairs.xx * two, xy + pairs.xy * two, yy + pairs.yy * two,
                                way.v + change + (pairs.push + pairs.drag) * two),
                   v);
    }
    way.v = select(active, at_most(d, v, max_speed), way.v);
    way.alone = select(active, at_most(d, alone, max_speed), way.alone);
    way.sum = select(active, way.sum + way.v, way.sum);
    way.alone_sum = select(active, way.alone_sum + way.alone, way.alone_sum);
}

/// The agents that are moved together.
struct Group {
    const Snapshot& snapshot;
    std::size_t leaf;
    std::size_t first_lane;
    const Walkers& walkers;
    ModelScratch& scratch;
};

/// The mean velocity of the step that forces lead to.
Vec2<FloatV> follow_forces(FloatLanes d, const Group& group, const Told& told)
{
    const Walkers& w = group.walkers;
    const std::uint16_t level = group.snapshot.agents.leaf_level[group.leaf];
    const FloatV part = hn::Load(d, w.part);
    const FloatV parts = hn::Load(d, w.parts);
    Moment now{.p = load2(d, w.x, w.y), .v = load2(d, w.vx, w.vy), .time = {}};
    Way way{now.v, now.v, zero2(d), zero2(d)};
    for (std::size_t i = 0; i < w.most_parts; ++i) {
        const FloatM active = hn::Set(d, static_cast<float>(i)) < parts;
        alignas(64) Row active_flags;
        hn::Store(hn::IfThenElseZero(active, hn::Set(d, 1.0f)), d, active_flags);
        for (std::size_t l = 0; l < hn::Lanes(d); ++l)
            now.time[l] = static_cast<float>(i) * w.part[l];
        const Told told_now = i == 0 ? told : Told{};
        Pushes pushes(d);
        push_from_agents(d, group.snapshot, group.leaf, group.first_lane, w, now,
                         group.scratch.neighbours.lists, told_now, pushes);
        push_from_bodies(d, group.snapshot, level, group.first_lane, w, now,
                         group.scratch.perceived, told_now, pushes);
        push_from_walls(d, group.snapshot, level, w, now, active_flags, group.scratch, told_now,
                        pushes);
        take_part(d, w, pushes, i == 0, active, way);
        now.v = way.v;
        now.p = select(active, now.p + way.v * part, now.p);
    }
    const FloatV divisor = hn::Max(parts, hn::Set(d, 1.0f));
    const Vec2<FloatV> halved = (way.sum + way.alone_sum) * hn::Set(d, 0.5f);
    return select(load_mask(d, w.presses), halved, way.sum) / divisor;
}

/// "nobody and nothing pushes", or who pushes most.
std::string push_words(const Explanation& out)
{
    const Explanation::Push* strongest = nullptr;
    const auto size = [](const Explanation::Push& push) {
        const double x = push.acceleration.x;
        const double y = push.acceleration.y;
        return std::sqrt(x * x + y * y);
    };
    for (const Explanation::Push& push : out.pushes) {
        if (strongest == nullptr || size(push) > size(*strongest)) strongest = &push;
    }
    if (strongest == nullptr) return "nobody and nothing pushes it";
    const char* kind = strongest->source == Explanation::Source::agent  ? "agent"
                       : strongest->source == Explanation::Source::body ? "body"
                                                                        : "wall";
    char text[96];
    std::snprintf(text, sizeof text, "%s %u pushes it most, by %.2f m/s2", kind,
                  static_cast<unsigned>(strongest->source_id), size(*strongest));
    return text;
}

void explain_lane(const Group& group, std::size_t lane, bool acceleration_exceeded)
{
    Explanation& out = *group.scratch.explain;
    const Snapshot& snapshot = group.snapshot;
    const NeighbourLists& lists = group.scratch.neighbours.lists;
    const Walkers& w = group.walkers;
    const std::size_t l = lane - group.first_lane;
    for (std::size_t i = 0; i < lists.count[lane]; ++i) {
        const AgentRecord& other = snapshot.agents.record[lists.row[lane][i]];
        const Role role = role_towards(snapshot.shares, *w.record[l], other);
        out.neighbours.push_back(
            {.id = other.id,
             .distance = std::sqrt(double{lists.dist_sq[lane][i]}),
             .share = role.ignored ? 0.0f : role.pair.conflict,
             .notice = role.ignored ? Explanation::Notice::ignored : Explanation::Notice::avoided});
    }
    char text[96];
    std::snprintf(text, sizeof text, "the goal pulls it by (%.2f, %.2f) m/s2; ",
                  double{(w.wish_x[l] - w.vx[l]) / w.relaxation[l]} + 0.0,
                  double{(w.wish_y[l] - w.vy[l]) / w.relaxation[l]} + 0.0);
    out.reason = text + push_words(out);
    out.acceleration_exceeded = acceleration_exceeded;
}

void choose(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch, Choice& choice)
{
    const FloatLanes d;
    const std::size_t count = hn::Lanes(d);
    for (std::size_t first_lane = 0; first_lane < kLeafRows; first_lane += count) {
        const std::size_t first_row = leaf * kLeafRows + first_lane;
        Walkers walkers;
        load_walkers(snapshot, scratch.wishes, first_row, count, walkers);
        const Group group{snapshot, leaf, first_lane, walkers, scratch};
        const bool explained = scratch.explain != nullptr && scratch.explain_lane >= first_lane &&
                               scratch.explain_lane < first_lane + count;
        const Told told =
            explained ? Told{scratch.explain, scratch.explain_lane - first_lane} : Told{};
        const Vec2<FloatV> v = follow_forces(d, group, told);
        alignas(64) Row vx, vy;
        hn::Store(v.x, d, vx);
        hn::Store(v.y, d, vy);
        for (std::size_t l = 0; l < count; ++l) {
            const std::size_t lane = first_lane + l;
            choice.vx[lane] = choice.vy[lane] = 0.0f;
            if (walkers.alive[l] == 0.0f) continue;
            const LimitedVelocity limited = within_limits(snapshot, first_row + l, vx[l], vy[l],
                                                          scratch.wishes.most_speed[lane]);
            choice.vx[lane] = limited.x;
            choice.vy[lane] = limited.y;
            choice.acceleration_exceeded |= lane_bit(lane, limited.acceleration_exceeded);
            if (explained && scratch.explain_lane == lane)
                explain_lane(group, lane, limited.acceleration_exceeded);
        }
    }
}

}  // namespace sidestep::HWY_NAMESPACE::forces

namespace sidestep::HWY_NAMESPACE {

void choose_by_forces(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                      Choice& choice)
{
    forces::choose(snapshot, leaf, scratch, choice);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(choose_by_forces);

ChooseVelocities social_force::choose_for(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(choose_by_forces), isa);
}

}  // namespace sidestep
#endif
