// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Acceleration mode avo: the target velocity is sampled, because the velocities that lead a lagging
// walker into contact have no simple boundary (constraints/first_order_response-inl.hpp).
//
// Candidates are the preferred velocity, the present one, zero and 250 points of the speed disc.
// Each is judged by w / (time to the first contact) + (distance from the preferred velocity),
// [RVO08] eq. (12), and the least penalty wins. Against one that yields, the lane assumes that the
// other makes up what its own share leaves: told velocities are stretched by 1 / share about the
// present one.
#if defined(SIDESTEP_MODELS_HALF_PLANE_AVO_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_AVO_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_AVO_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_AVO_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/first_order_response-inl.hpp"
#include "math/exp_log.hpp"
#include "models/half_plane_lines-inl.hpp"
#include "solvers/sunflower.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// w [m]: a contact 1 s away is as bad as walking 1 m/s off the preferred velocity.
inline constexpr float kContactWeight = 1.0f;
/// [s] Earlier contacts are no worse than this.
inline constexpr float kSoonest = 1e-3f;
/// A candidate at the speed limit may exceed it by rounding [1].
inline constexpr float kSpeedRounding = 1e-6f;

/// Those whom a lane samples against: the nearest, agents and bodies alike.
struct SampledOthers {
    static constexpr std::size_t kMost = 64;
    struct Other {
        Pair<float> pair;
        float share;
        bool overlaps;                 ///< then only this line counts: leave within overlap_time
        float line_x, line_y, line_c;  ///< n.v >= c
    };
    Other other[kMost];
    std::size_t count = 0;
};

/// Who they are, by the distance between rims, then bodies before agents, then index or id.
class NearestOthers {
public:
    struct Place {
        float gap;  ///< [m]
        bool is_agent;
        std::uint32_t id;   ///< of the agent, or index of the body
        std::uint32_t row;  ///< of the agent

        bool operator<(const Place& other) const
        {
            if (gap != other.gap) return gap < other.gap;
            return is_agent != other.is_agent ? other.is_agent : id < other.id;
        }
    };

    void add(const Place& place)
    {
        if (count_ == SampledOthers::kMost) {
            cut_ = true;
            if (!(place < places_[count_ - 1])) return;
            --count_;
        }
        Place* const at = std::upper_bound(places_, places_ + count_, place);
        std::move_backward(at, places_ + count_, places_ + count_ + 1);
        *at = place;
        ++count_;
    }

    const Place* begin() const { return places_; }
    const Place* end() const { return places_ + count_; }
    bool was_cut() const { return cut_; }

private:
    Place places_[SampledOthers::kMost];
    std::size_t count_ = 0;
    bool cut_ = false;
};

/// Whether the partner of lane l is to be sampled against.
HWY_INLINE bool is_sampled(const Others& others, std::size_t l)
{
    return others.used[l] && others.share[l] != 0.0f;
}

HWY_INLINE float gap_to(const Lanes& lanes, std::size_t l, const Others& others)
{
    const float x = others.x[l] - lanes.x[l];
    const float y = others.y[l] - lanes.y[l];
    return std::sqrt(x * x + y * y) - (lanes.radius[l] + others.radius[l]);
}

inline void add_sampled(const Lanes& lanes, std::size_t l, const Others& others,
                        SampledOthers& sampled)
{
    const hn::CappedTag<float, 1> one;
    using V1 = hn::Vec<hn::CappedTag<float, 1>>;
    SampledOthers::Other& to = sampled.other[sampled.count++];
    to.pair = {.rel_pos = {others.x[l] - lanes.x[l], others.y[l] - lanes.y[l]},
               .rel_vel = {lanes.vx[l] - others.vx[l], lanes.vy[l] - others.vy[l]},
               .radius = lanes.radius[l] + others.radius[l]};
    to.share = others.share[l];
    const Vec2<float>& p = to.pair.rel_pos;
    to.overlaps = p.x * p.x + p.y * p.y <= to.pair.radius * to.pair.radius;
    if (!to.overlaps) return;
    const Pair<V1> pair{set2(one, p.x, p.y), set2(one, to.pair.rel_vel.x, to.pair.rel_vel.y),
                        hn::Set(one, to.pair.radius)};
    const V1 share = hn::Set(one, to.share);
    const V1 time = hn::Set(one, lanes.overlap_time[l]);
    const auto side = others.ties_left[l] != 0.0f ? PassingSide::left : PassingSide::right;
    const HalfPlane<V1> plane =
        orca_half_plane(one, pair, set2(one, lanes.vx[l], lanes.vy[l]), time, time, share,
                        hn::Zero(one), PairIds{lanes.id + l, others.apart_from + l}, side);
    to.line_x = hn::GetLane(plane.normal.x);
    to.line_y = hn::GetLane(plane.normal.y);
    to.line_c = hn::GetLane(dot(plane.normal, plane.point));
}

HWY_INLINE void take_sampled_agent(const Snapshot& snapshot, const Lanes& lanes, std::size_t l,
                                   std::size_t lane, std::uint32_t row, const NeighbourLists& lists,
                                   Others& others)
{
    skip(lanes, others, l);
    take_agent(snapshot, lanes, l, row, others);
    if (in_a_heap(lists, lane)) others.apart_from[l] = kNoAgent;
}

HWY_INLINE void take_sampled_body(const Snapshot& snapshot, const Lanes& lanes, std::size_t l,
                                  std::size_t first_lane, std::size_t index,
                                  const Perceived& perceived, Others& others)
{
    skip(lanes, others, l);
    take_body(snapshot, lanes, l, disc_body(snapshot, snapshot.bodies.bodies[index]), index,
              first_lane, perceived, others);
}

inline NearestOthers find_sampled(const Snapshot& snapshot, std::uint16_t level, const Lanes& lanes,
                                  std::size_t l, std::size_t first_lane,
                                  const ModelScratch& scratch)
{
    NearestOthers nearest;
    Others others;
    for (std::uint32_t index = 0; index < snapshot.bodies.bodies.size(); ++index) {
        const Body& body = snapshot.bodies.bodies[index];
        if (!body.live || !body.is_disc() || body.level != level) continue;
        take_sampled_body(snapshot, lanes, l, first_lane, index, scratch.perceived, others);
        if (is_sampled(others, l)) nearest.add({gap_to(lanes, l, others), false, index, 0});
    }
    const NeighbourLists& lists = scratch.neighbours.lists;
    for (std::size_t slot = 0; slot < lists.count[first_lane + l]; ++slot) {
        const std::uint32_t row = lists.row[first_lane + l][slot];
        take_sampled_agent(snapshot, lanes, l, first_lane + l, row, lists, others);
        if (is_sampled(others, l)) nearest.add({gap_to(lanes, l, others), true, others.id[l], row});
    }
    return nearest;
}

/// Those whom lane l samples against. Where there are more it is marked as one whose list was cut.
inline void gather_sampled(const Snapshot& snapshot, std::uint16_t level, const Lanes& lanes,
                           std::size_t l, std::size_t first_lane, ModelScratch& scratch,
                           bool takes_all, SampledOthers& sampled)
{
    NeighbourLists& lists = scratch.neighbours.lists;
    const NearestOthers nearest = find_sampled(snapshot, level, lanes, l, first_lane, scratch);
    if (nearest.was_cut()) lists.cap_hit[first_lane + l] = true;
    Others others;
    for (const NearestOthers::Place& place : nearest) {
        if (place.is_agent) {
            take_sampled_agent(snapshot, lanes, l, first_lane + l, place.row, lists, others);
        } else {
            take_sampled_body(snapshot, lanes, l, first_lane, place.id, scratch.perceived, others);
        }
        if (takes_all) others.share[l] = 1.0f;
        add_sampled(lanes, l, others, sampled);
    }
}

/// The time to the first contact [s] of one told to walk at v, not below kSoonest. May return a
/// later one that is at most `enough`: who samples then knows all it needs.
HWY_INLINE float time_to_contact(FloatLanes d, const SampledOthers& sampled,
                                 const ResponseTable& table, const Vec2<float>& now,
                                 const Vec2<float>& v, float enough)
{
    float soonest = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < sampled.count && soonest > enough; ++i) {
        const SampledOthers::Other& other = sampled.other[i];
        if (other.overlaps) {
            if (other.line_x * v.x + other.line_y * v.y < other.line_c) soonest = kSoonest;
            continue;
        }
        const float told_x = other.pair.rel_vel.x + (v.x - now.x) / other.share;
        const float told_y = other.pair.rel_vel.y + (v.y - now.y) / other.share;
        soonest = std::min(soonest, first_contact(d, other.pair, table, told_x, told_y));
    }
    return std::max(soonest, kSoonest);
}

/// The velocity that lane l is told to take [m/s].
inline Vec2<float> sample_target(FloatLanes d, const Lanes& lanes, std::size_t l,
                                 float response_time, const SampledOthers& sampled)
{
    ResponseTable table;
    fill_response(lanes.tau[l], response_time, table);
    const Vec2<float> now{lanes.vx[l], lanes.vy[l]};
    const Vec2<float> wish{lanes.preferred_vx[l], lanes.preferred_vy[l]};
    const float limit = lanes.max_speed[l];
    const float wish_speed = std::sqrt(wish.x * wish.x + wish.y * wish.y);
    const float scale = wish_speed > limit ? limit / wish_speed : 1.0f;

    Vec2<float> best{0.0f, 0.0f};
    float least = std::numeric_limits<float>::infinity();
    const auto consider = [&](const Vec2<float>& v) {
        const float allowed = limit * (1.0f + kSpeedRounding);
        if (v.x * v.x + v.y * v.y > allowed * allowed) return;
        const float off_x = wish.x - v.x;
        const float off_y = wish.y - v.y;
        const float off = std::sqrt(off_x * off_x + off_y * off_y);
        if (!(off < least)) return;  // the first of equals wins, and contacts only add to it
        // A contact this soon makes the candidate worse than the best, whatever else it meets.
        const float enough = std::min(kContactWeight / (least - off) * 0.99f, 1e30f);
        const float penalty =
            kContactWeight / time_to_contact(d, sampled, table, now, v, enough) + off;
        if (!(penalty < least)) return;
        least = penalty;
        best = v;
    };
    consider({wish.x * scale, wish.y * scale});
    consider(now);
    consider({0.0f, 0.0f});
    for (const auto& point : sunflower()) {
        consider({static_cast<float>(double{limit} * point.x),
                  static_cast<float>(double{limit} * point.y)});
    }
    return best;
}

/// What the first-order response makes of a target within one step.
HWY_INLINE Vec2<float> respond(const Lanes& lanes, std::size_t l, float response_time, float dt,
                               const Vec2<float>& target)
{
    const auto kept = static_cast<float>(portable_exp(-double{dt} / double{response_time}));
    return {target.x + (lanes.vx[l] - target.x) * kept, target.y + (lanes.vy[l] - target.y) * kept};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
