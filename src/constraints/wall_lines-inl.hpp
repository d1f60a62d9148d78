// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// From an agent and a directed wall edge to a hard line n.v >= n.q, [ORCA11] §5.4.
//
// In velocity space the edge a -> b, reached at tau, is the segment A..B (relative to the agent,
// over tau); behind it the obstacle opens with two legs, tangents from 0 to the discs of radius r
// about the ends. A skeleton of ray, segment, ray, thickened by rho = r / tau, bounds the velocity
// obstacle:
//
//        legL \                / legR
//              \              /
//             A *------------* B        n = right of a -> b (towards the agent) on the segment,
//                                       away from the end at A and B, outward on the legs
//                     0
//
// Legs are cut short by the neighbouring edges ("foreign": that edge makes the line). An agent that
// touches the edge gets a contact line. All cases are masks: one lane is one (agent, edge).
#if defined(SIDESTEP_CONSTRAINTS_WALL_LINES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_WALL_LINES_INL_HPP
#undef SIDESTEP_CONSTRAINTS_WALL_LINES_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_WALL_LINES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <limits>

#include "math/tolerances.hpp"
#include "math/wall_edges.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One edge per lane, with the velocity of its wall [m/s].
template <class D>
struct EdgeLanes {
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    Vec2<V> a;
    Vec2<V> b;
    Vec2<V> direction;
    Vec2<V> prev_dir;
    Vec2<V> next_dir;
    Vec2<V> velocity;
    M a_convex;
    M b_convex;
    M second_copy;
};

template <class D>
HWY_INLINE hn::Mask<D> mask_of(D d, bool value)
{
    using T = hn::TFromD<D>;
    return hn::Ne(hn::Set(d, value ? T(1) : T(0)), hn::Zero(d));
}

/// The same edge in every lane.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE EdgeLanes<D> broadcast_edge(D d, const WallEdge<T>& e, Point<T> velocity = {})
{
    const auto point = [d](const Point<T>& p) HWY_ATTR { return set2(d, p.x, p.y); };
    return {point(e.a),
            point(e.b),
            point(e.direction),
            point(e.prev_dir),
            point(e.next_dir),
            point(velocity),
            mask_of(d, e.a_convex),
            mask_of(d, e.b_convex),
            mask_of(d, e.second_copy)};
}

/// edges[l] in lane l, all of Lanes(d) valid pointers (repeat one for unused lanes); velocities may
/// be null.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE EdgeLanes<D> gather_edges(D d, const WallEdge<T>* const* edges,
                                     const Point<T>* velocities)
{
    constexpr std::size_t kColumns = 15;
    alignas(64) T column[kColumns][hn::MaxLanes(d)] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const WallEdge<T>& e = *edges[l];
        const Point<T> velocity = velocities != nullptr ? velocities[l] : Point<T>{};
        const Point<T> points[] = {e.a, e.b, e.direction, e.prev_dir, e.next_dir, velocity};
        for (std::size_t k = 0; k < 6; ++k) {
            column[2 * k][l] = points[k].x;
            column[2 * k + 1][l] = points[k].y;
        }
        column[12][l] = e.a_convex ? T(1) : T(0);
        column[13][l] = e.b_convex ? T(1) : T(0);
        column[14][l] = e.second_copy ? T(1) : T(0);
    }
    const auto point = [&](std::size_t k) HWY_ATTR {
        return Vec2<hn::Vec<D>>{hn::Load(d, column[2 * k]), hn::Load(d, column[2 * k + 1])};
    };
    const auto flag = [&](std::size_t k)
                          HWY_ATTR { return hn::Ne(hn::Load(d, column[k]), hn::Zero(d)); };
    return {point(0), point(1), point(2), point(3), point(4),
            point(5), flag(12), flag(13), flag(14)};
}

/// Lanes whose agent at p is on the free side of the edge, or exactly in line with it. Both copies
/// of a thin wall use the sign computed for the first one, and an agent in line belongs to the
/// first: two separate roundings would sometimes reject both.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> faces(D d, const EdgeLanes<D>& e, const Vec2<V>& p)
{
    const V zero = hn::Zero(d);
    const Vec2<V> from = select(e.second_copy, e.b, e.a);
    const Vec2<V> to = select(e.second_copy, e.a, e.b);
    const V sigma = det(to - from, p - from);
    return hn::Or(hn::AndNot(e.second_copy, sigma <= zero), hn::And(e.second_copy, sigma > zero));
}

/// Squared distance of p from the edge [m^2]; beyond an end it is taken from the vertex itself, so
/// that two edges that meet there tie exactly.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V edge_distance_sq(D d, const EdgeLanes<D>& e, const Vec2<V>& p)
{
    const Vec2<V> A = e.a - p;
    const Vec2<V> edge = e.b - e.a;
    const V along = hn::Neg(dot(A, edge));
    const V beside = sq(det(e.direction, A));
    const V beyond_b = hn::IfThenElse(along >= length_sq(edge), length_sq(e.b - p), beside);
    return hn::IfThenElse(along <= hn::Zero(d), length_sq(A), beyond_b);
}

/// Lines of Lanes(d) agents: line i of lane l is n.v >= c at [i * Lanes(d) + l]. Empty: n = 0, c
/// very small.
template <class T>
struct LineColumns {
    const T* nx = nullptr;
    const T* ny = nullptr;
    const T* c = nullptr;
    std::size_t count = 0;
};

/// Lanes where one of the lines already made keeps the agent from both ends of the edge (and so
/// from all of it): no further line is needed.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> covered(D d, const EdgeLanes<D>& e, const Vec2<V>& p, V r, V tau_o,
                               const LineColumns<hn::TFromD<D>>& lines)
{
    using T = hn::TFromD<D>;
    const V tol = hn::Set(d, Tolerances<T>::kCovered);
    const V rho = r / tau_o;
    const Vec2<V> A = (e.a - p) / tau_o + e.velocity;
    const Vec2<V> B = (e.b - p) / tau_o + e.velocity;
    auto result = mask_of(d, false);
    for (std::size_t i = 0; i < lines.count; ++i) {
        const std::size_t at = i * hn::Lanes(d);
        const Vec2<V> n{hn::Load(d, lines.nx + at), hn::Load(d, lines.ny + at)};
        const V c = hn::Load(d, lines.c + at);
        result =
            hn::Or(result, hn::And((dot(n, A) - c) + rho <= tol, (dot(n, B) - c) + rho <= tol));
    }
    return result;
}

/// A hard line { v : dot(v - point, normal) >= 0 } in the lanes of `exists`; `contact` where the
/// agent touches the edge.
template <class D>
struct WallLine {
    using V = hn::Vec<D>;
    Vec2<V> point;
    Vec2<V> normal;
    hn::Mask<D> exists;
    hn::Mask<D> contact;
};

/// Line through which an agent in contact with the edge must not pass. It allows to stay; with
/// push_time > 0 it asks to leave the wall's band within that time instead.
template <class D, class V = hn::Vec<D>>
HWY_INLINE WallLine<D> contact_line(D d, const EdgeLanes<D>& e, const Vec2<V>& A, const Vec2<V>& B,
                                    V r, V push_time, hn::Mask<D> before_a, hn::Mask<D> after_b)
{
    const V zero = hn::Zero(d);
    const V to_carrier = hn::Abs(det(e.direction, A));
    const V to_a = length(A);
    const V to_b = length(B);
    const auto at_a = hn::And(before_a, to_a <= r);
    const auto at_b = hn::And(after_b, to_b <= r);
    const auto beside = hn::AndNot(hn::Or(before_a, after_b), to_carrier <= r);
    const auto at_end = hn::Or(at_a, at_b);
    const auto contact = hn::Or(at_end, beside);
    if (hn::AllFalse(d, contact)) return {zero2(d), zero2(d), contact, contact};

    const Vec2<V> from_end = select(at_a, -A, -B);
    const V to_end = select(at_a, to_a, to_b);
    const Vec2<V> from_end_unit{divide_or_zero(d, from_end.x, to_end),
                                divide_or_zero(d, from_end.y, to_end)};
    const Vec2<V> normal = select(at_end, from_end_unit, right(e.direction));
    const V distance = hn::IfThenElse(at_end, to_end, to_carrier);
    const V push = divide_or_zero(d, hn::Max(r - distance, zero), push_time);

    const auto b_owns = hn::And(e.b_convex, det(B, e.next_dir) >= zero);  // else the next edge does
    const auto exists = hn::Or(hn::Or(hn::And(at_a, e.a_convex), hn::And(at_b, b_owns)), beside);
    return {normal * push + e.velocity, normal, exists, contact};
}

/// The hard line that the edge demands of an agent at p with velocity v [m/s] and wall radius r
/// [m], horizon tau_o > 0 [s], in the `active` lanes (those that face the edge, are in range and
/// not covered). push_time 0: contact lines pass through 0; > 0 [s]: they push the agent out within
/// that time. Lines "about zero", which leave room for v = velocity of the wall, come from passing
/// that as v.
template <class D, class V = hn::Vec<D>>
HWY_INLINE WallLine<D> wall_line(D d, const EdgeLanes<D>& e, const Vec2<V>& p, const Vec2<V>& v,
                                 V r, V tau_o, V push_time, hn::Mask<D> active)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const Vec2<V> A = e.a - p;
    const Vec2<V> B = e.b - p;
    const Vec2<V> edge = e.b - e.a;
    const V along = hn::Neg(dot(A, edge));  // foot of p on the carrier, times |edge|
    const auto before_a = along < zero;
    const auto after_b = along > length_sq(edge);

    const WallLine<D> touch = contact_line(d, e, A, B, r, push_time, before_a, after_b);

    // Seen end-on, one vertex makes both legs and there is no segment.
    const auto near_carrier = hn::Abs(det(e.direction, A)) <= r;
    const auto only_a = hn::And(before_a, near_carrier);
    const auto only_b = hn::And(after_b, near_carrier);
    const auto end_on = hn::Or(only_a, only_b);
    const Vec2<V> at_left = select(only_b, B, A);
    const Vec2<V> at_right = select(only_a, A, B);
    const auto left_convex = hn::Or(hn::And(only_b, e.b_convex), hn::AndNot(only_b, e.a_convex));
    const auto right_convex = hn::Or(hn::And(only_a, e.a_convex), hn::AndNot(only_a, e.b_convex));
    const auto hidden = hn::AndNot(left_convex, end_on);  // end-on at a concave vertex: no line

    // Tangents from 0 to the discs about the ends; beyond a concave vertex the wall itself goes on.
    const V r_sq = sq(r);
    const V left_sq = length_sq(at_left);
    const V right_sq = length_sq(at_right);
    const V left_h = hn::Sqrt(hn::Max(left_sq - r_sq, zero));
    const V right_h = hn::Sqrt(hn::Max(right_sq - r_sq, zero));
    const Vec2<V> left_tangent{divide_or_zero(d, at_left.x * left_h - at_left.y * r, left_sq),
                               divide_or_zero(d, at_left.x * r + at_left.y * left_h, left_sq)};
    const Vec2<V> right_tangent{divide_or_zero(d, at_right.x * right_h + at_right.y * r, right_sq),
                                divide_or_zero(d, at_right.y * right_h - at_right.x * r, right_sq)};
    Vec2<V> leg_left = select(left_convex, left_tangent, -e.direction);
    Vec2<V> leg_right = select(right_convex, right_tangent, e.direction);

    // A leg that would cut into the neighbouring edge is replaced by it, and that edge makes the
    // line. The inner neighbour of an end-on vertex is the edge itself: never foreign. Nor is the
    // other way of a thin wall, which goes straight back: of somebody who slides along it the leg
    // is along it too, and rounding would leave both ways without a line.
    const Vec2<V> back = -e.direction;
    const auto turns_back = [&](const Vec2<V>& other) HWY_ATTR {
        return hn::And(hn::Eq(other.x, back.x), hn::Eq(other.y, back.y));
    };
    const auto left_foreign =
        hn::AndNot(turns_back(e.prev_dir),
                   hn::And(hn::AndNot(only_b, left_convex), det(leg_left, -e.prev_dir) >= zero));
    const auto right_foreign =
        hn::AndNot(turns_back(e.next_dir),
                   hn::And(hn::AndNot(only_a, right_convex), det(leg_right, e.next_dir) <= zero));
    leg_left = select(left_foreign, -e.prev_dir, leg_left);
    leg_right = select(right_foreign, e.next_dir, leg_right);

    // The piece of the skeleton nearest to v; on ties vertex, segment, left ray, right ray.
    const Vec2<V> rel_vel = v - e.velocity;
    const Vec2<V> cut_a = A / tau_o;  // as in covered(): divided once for both
    const Vec2<V> cut_b = B / tau_o;
    const Vec2<V> cut_left = select(only_b, cut_b, cut_a);
    const Vec2<V> cut_right = select(only_a, cut_a, cut_b);
    const Vec2<V> from_left = rel_vel - cut_left;
    const Vec2<V> from_right = rel_vel - cut_right;
    const Vec2<V> segment = cut_right - cut_left;
    const V on_segment = dot(from_left, segment);
    const auto ahead_left = dot(from_left, leg_left) < zero;  // not beside the ray
    const auto ahead_right = dot(from_right, leg_right) < zero;
    const auto left_of_segment = on_segment < zero;
    const auto right_of_segment = on_segment > length_sq(segment);
    const auto vertex_left = hn::And(
        ahead_left, hn::Or(hn::AndNot(end_on, left_of_segment), hn::And(end_on, ahead_right)));
    const auto vertex_right = hn::AndNot(end_on, hn::And(right_of_segment, ahead_right));
    const auto vertex = hn::Or(vertex_left, vertex_right);

    const V far = hn::Set(d, std::numeric_limits<T>::max());
    const auto no_segment = hn::Or(end_on, hn::Or(left_of_segment, right_of_segment));
    const V d_segment = hn::IfThenElse(no_segment, far, sq(det(e.direction, from_left)));
    const V d_left = hn::IfThenElse(ahead_left, far, sq(det(leg_left, from_left)));
    const V d_right = hn::IfThenElse(ahead_right, far, sq(det(leg_right, from_right)));
    const auto use_segment = hn::And(d_segment <= d_left, d_segment <= d_right);
    const auto use_left = d_left <= d_right;

    const Vec2<V> from_vertex = select(vertex_left, from_left, from_right);
    Vec2<V> normal = select(use_left, left(leg_left), right(leg_right));
    normal = select(use_segment, right(e.direction), normal);
    normal = select(vertex, unit_or_zero(d, from_vertex), normal);
    const auto start_left = hn::Or(vertex_left, hn::AndNot(vertex, hn::Or(use_segment, use_left)));
    const Vec2<V> point =
        select(start_left, cut_left, cut_right) + normal * (r / tau_o) + e.velocity;

    const auto foreign =
        hn::Or(hn::And(use_left, left_foreign), hn::AndNot(use_left, right_foreign));
    const auto dropped = hn::AndNot(hn::Or(vertex, use_segment), foreign);
    const auto apart_exists = hn::Not(hn::Or(hidden, dropped));

    const auto exists = hn::And(active, hn::Or(hn::And(touch.contact, touch.exists),
                                               hn::AndNot(touch.contact, apart_exists)));
    return {select(touch.contact, touch.point, point), select(touch.contact, touch.normal, normal),
            exists, hn::And(active, touch.contact)};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
