// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The choices among cones of sidestep/geometry.hpp: constraints and solvers, run with one lane of
// double.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "constraints/cones-inl.hpp"
#include "constraints/exact_pair.hpp"
#include "math/input_checks.hpp"
#include "sidestep/geometry.hpp"
#include "solvers/regions-inl.hpp"
#include "solvers/sampling-inl.hpp"
#include "solvers/sunflower.hpp"

namespace sidestep {
namespace {

using namespace one_double;

/// Samples beyond which a question is a mistake.
constexpr std::size_t kMostSamples = 1'000'000;

auto ties_right()
{
    return lane::ties_to(D(), PassingSide::right);
}

bool overlap(const MovingDisc& a, const MovingDisc& b)
{
    return holds(lane::overlaps(D(), pair_of(a, b)));
}

/// Regions that an agent has to keep out of, and the size that rounding grows with.
class RegionList {
public:
    RegionList(std::size_t slots, double v_max)
        : storage_(lane::Regions<double>::kColumns * slots),
          regions_(storage_.data(), 1),
          scratch_storage_(lane::RegionScratch<double>::kColumns * slots),
          scratch_(scratch_storage_.data(), slots, 1),
          scale_(std::max(1.0, v_max))
    {}

    void add(const lane::Region<V>& region, const lane::Vec2<V>& point)
    {
        lane::store_region(D(), region, regions_, count_++);
        scale_ = std::max(scale_, out(lane::length(point)));
    }

    ChosenVelocity nearest(Vec2 target, double v_max, Vec2 tie) const
    {
        const D d;
        const auto all = hn::Eq(hn::Zero(d), hn::Zero(d));
        const lane::Discs<D> discs{in(v_max), lane::zero2(d), in(0.0), hn::Not(all)};
        const auto r = lane::nearest_outside(d, regions_, count_, discs, in(target), in(tie),
                                             in(scale_), scratch_, all);
        if (!holds(r.feasible)) return {};
        return {true, {out(r.v.x), out(r.v.y)}, out(r.distance)};
    }

private:
    std::vector<double> storage_;
    lane::Regions<double> regions_;
    std::vector<double> scratch_storage_;
    lane::RegionScratch<double> scratch_;
    double scale_;
    std::size_t count_ = 0;
};

/// The way to the nearest neighbour by (distance, id); 0 without neighbours.
Vec2 way_to_nearest(const MovingDisc& agent, std::span<const MovingDisc> neighbours)
{
    Vec2 way{};
    double least_sq = std::numeric_limits<double>::infinity();
    std::uint32_t id = 0;
    for (const MovingDisc& b : neighbours) {
        const Vec2 p{b.position.x - agent.position.x, b.position.y - agent.position.y};
        const double dist_sq = p.x * p.x + p.y * p.y;
        if (dist_sq > least_sq || (dist_sq == least_sq && b.id >= id)) continue;
        way = p;
        least_sq = dist_sq;
        id = b.id;
    }
    return way;
}

ChosenVelocity choose(const ClearPathStep& step)
{
    const D d;
    RegionList regions((step.keep_sides ? 2 : 1) * step.neighbours.size(), step.v_max);
    for (const MovingDisc& b : step.neighbours) {
        const auto cone = lane::pair_cone(d, pair_of(step.agent, b), in(step.agent.velocity),
                                          in(0.5), in(step.horizon), ties_right());
        regions.add(lane::linear_region(d, cone), cone.apex);
        if (step.keep_sides) regions.add(lane::side_region(d, cone), cone.apex);
    }
    return regions.nearest(step.preferred, step.v_max, way_to_nearest(step.agent, step.neighbours));
}

ChosenVelocity choose(const VelocityObstacleStep& step)
{
    const D d;
    RegionList regions(step.neighbours.size(), step.v_max);
    const MovingDisc& a = step.agent;
    for (const MovingDisc& b : step.neighbours) {
        const auto pair = pair_of(a, b);
        const auto region = lane::reciprocal_region(d, pair, in(a.velocity), in(step.share),
                                                    in(step.tau), in(step.t_res.value_or(1.0)),
                                                    lane::PairIds{&a.id, &b.id}, ties_right());
        regions.add(region, in(a.velocity) - pair.rel_vel * in(step.share));
    }
    return regions.nearest(step.preferred, step.v_max, way_to_nearest(a, step.neighbours));
}

SampledVelocity choose(const SampledStep& step)
{
    const D d;
    std::vector<lane::ApexDisc<double>> others;
    others.reserve(step.neighbours.size());
    const MovingDisc& a = step.agent;
    for (const MovingDisc& b : step.neighbours) {
        const double rest = 1.0 - step.share;
        others.push_back({{b.position.x - a.position.x, b.position.y - a.position.y},
                          a.radius + b.radius,
                          {rest * a.velocity.x + step.share * b.velocity.x,
                           rest * a.velocity.y + step.share * b.velocity.y},
                          step.share});
    }
    std::vector<Vec2> points;
    points.reserve(step.samples);
    for (std::size_t k = 0; k < step.samples; ++k) {
        points.push_back(sunflower_point(k, step.samples));
    }
    const lane::SampleQuery<double> query{
        {step.preferred.x, step.preferred.y},
        {a.velocity.x, a.velocity.y},
        step.v_max,
        step.reach.value_or(std::numeric_limits<double>::infinity()),
        step.weight,
        points};
    const auto best = lane::least_penalty(
        d, query,
        [&](const lane::Vec2<V>& v) {
            return lane::first_contact_time(d, std::span<const lane::ApexDisc<double>>(others), v);
        },
        [&](const lane::Vec2<V>& v) { return hn::Ne(v.x, v.x); });
    SampledVelocity result{best.index, {best.v.x, best.v.y}, best.penalty, std::nullopt};
    if (std::isfinite(best.contact_time)) result.contact_time = best.contact_time;
    return result;
}

template <class Step>
InputCheck check(const Step& step, const char* preferred = "v_pref")
{
    InputCheck c;
    const auto disc = [&c](const MovingDisc& m) {
        c.finite("p", m.position).finite("v", m.velocity).not_negative("r", m.radius);
    };
    disc(step.agent);
    for (const MovingDisc& b : step.neighbours) disc(b);
    c.not_negative("v_max", step.v_max).finite(preferred, step.preferred);
    return c;
}

InputCheck& check_share(InputCheck& c, double share)
{
    return c.require(share > 0.0, "share", "must be > 0").fraction("share", share);
}

template <class Chosen, class Step>
Result<Chosen> answer(const Step& step)
{
    try {
        return choose(step);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory for the cones of the step"};
    }
}

}  // namespace

Result<ChosenVelocity> clearpath(const ClearPathStep& step)
{
    InputCheck c = check(step, "v_des");
    if (c.positive_or_infinite("T", step.horizon).failed()) return c.error();
    for (const MovingDisc& b : step.neighbours) {
        c.require(!overlap(step.agent, b), "nbs", "must not touch or overlap the agent");
    }
    if (c.failed()) return c.error();
    return answer<ChosenVelocity>(step);
}

Result<ChosenVelocity> vo_exact(const VelocityObstacleStep& step)
{
    InputCheck c = check(step);
    check_share(c.positive_or_infinite("tau", step.tau), step.share);
    if (step.t_res) c.positive("t_res", *step.t_res);
    if (c.failed()) return c.error();
    for (const MovingDisc& b : step.neighbours) {
        c.require(step.t_res || !overlap(step.agent, b), "t_res",
                  "is needed: a neighbour touches or overlaps the agent");
    }
    if (c.failed()) return c.error();
    return answer<ChosenVelocity>(step);
}

Result<SampledVelocity> rvo_sample(const SampledStep& step)
{
    InputCheck c = check(step);
    check_share(c, step.share).not_negative("w", step.weight);
    c.require(step.samples <= kMostSamples, "N", "must be at most 1000000");
    if (step.reach) c.not_negative("acc", *step.reach);
    if (c.failed()) return c.error();
    return answer<SampledVelocity>(step);
}

}  // namespace sidestep
