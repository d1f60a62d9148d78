// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/perceive.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "perception/look.hpp"
#include "perception/memory.hpp"
#include "world/limited_sight.hpp"

namespace sidestep {

namespace {

using Notice = Explanation::Notice;

Notice notice_of(Sighting sighting)
{
    return sighting == Sighting::out_of_view ? Notice::out_of_view : Notice::behind_wall;
}

/// The perception of one agent.
class Perceiver {
public:
    Perceiver(const PerceptionInput& input, const SightTraits& traits, std::size_t leaf,
              std::size_t lane, NeighbourLists& lists, Perceived& perceived, Explanation* explain)
        : input_(input),
          lane_(lane),
          row_(leaf * kLeafRows + lane),
          level_(input.agents.leaf_level[leaf]),
          lists_(lists),
          perceived_(perceived),
          explain_(explain),
          look_(input.agents, traits, row_, input.walls, perceived.edges)
    {
        if (input.agents.sight.empty() || input.agents.sight[row_] == kNoSight) return;
        memory_.emplace(input.sights[input.agents.sight[row_]], perceived.memory[lane],
                        steps_of({input.dt, traits.observation_time, own(kForgetTime)}));
    }

    /// Everybody from near to far, so that the table holds the nearest.
    void run()
    {
        find_bodies();
        const std::uint32_t listed = lists_.count[lane_];
        lists_.count[lane_] = 0;
        look_.gather(listed, [&](std::size_t i) { return target_of(lists_.row[lane_][i]); });
        std::size_t body = 0;
        std::uint32_t i = 0;
        for (; i < listed && (!is_settled() || explain_ != nullptr); ++i) {
            while (body < perceived_.bodies.size() &&
                   perceived_.bodies[body].dist_sq < lists_.dist_sq[lane_][i]) {
                notice_body(perceived_.bodies[body++].index);
            }
            look_at_agent(i);
        }
        looked_at_ = i;
        while (body < perceived_.bodies.size()) notice_body(perceived_.bodies[body++].index);
        if (!memory_) return;
        memory_->keep_unseen();
        perceived_.crowded += memory_->crowded();
    }

    Looked looked() const
    {
        if (!is_settled() && lists_.is_cut_short[lane_]) return Looked::too_few;
        return looked_at_ > kSightEntries ? Looked::many : Looked::few;
    }

private:
    /// Nobody farther changes the list, its cap, or the memory.
    bool is_settled() const { return cap_hit_ && (!memory_ || memory_->full()); }

    float own(std::size_t param) const
    {
        return param_of(input_.agents, input_.profiles, row_, param);
    }

    Target target_of(std::uint32_t row) const
    {
        return {input_.agents.x[row], input_.agents.y[row],
                param_of(input_.agents, input_.profiles, row, kRadius)};
    }

    /// Whoever runs into somebody knows it, without looking.
    bool touches(float radius, float dist_sq) const
    {
        const float reach = own_radius_ + radius;
        return dist_sq < reach * reach;
    }

    /// Reads place i of the list; writes no place beyond it.
    void look_at_agent(std::uint32_t i)
    {
        const std::uint32_t row = lists_.row[lane_][i];
        const float dist_sq = lists_.dist_sq[lane_][i];
        const std::uint32_t id = input_.agents.record[row].id;
        const auto is_felt = [&] { return touches(target_of(row).radius, dist_sq); };
        const Sighting sighting = look_.sees_all() ? Sighting::seen : look_.at(target_of(row));
        Notice notice = notice_of(sighting);
        if (sighting == Sighting::seen || (sighting == Sighting::out_of_view && is_felt())) {
            const bool is_observed = !memory_ || memory_->sees(id, false);
            notice = is_observed || is_felt() ? Notice::avoided : Notice::new_face;
        }
        if (notice == Notice::avoided) {
            std::uint32_t& kept = lists_.count[lane_];
            if (kept < max_neighbours_) {
                lists_.row[lane_][kept] = row;
                lists_.dist_sq[lane_][kept] = dist_sq;
                ++kept;
                return;
            }
            cap_hit_ = lists_.cap_hit[lane_] = true;
            notice = Notice::observed;
        }
        if (explain_ == nullptr) return;
        explain_->neighbours.push_back(
            {.id = id, .distance = std::sqrt(double{dist_sq}), .share = 0.0, .notice = notice});
    }

    /// The disc bodies in sight, nearest first. All that may go unnoticed do so at first.
    void find_bodies()
    {
        perceived_.bodies.clear();
        for (std::uint32_t index = 0; index < input_.bodies.bodies.size(); ++index) {
            const Body& body = input_.bodies.bodies[index];
            if (!body.live || !body.is_disc() || body.level != level_ || body.always_noticed)
                continue;
            perceived_.unnoticed_bodies[index] |= static_cast<std::uint8_t>(1u << lane_);
            const auto x = static_cast<float>(body.position.x - input_.origin.x);
            const auto y = static_cast<float>(body.position.y - input_.origin.y);
            const auto vx = static_cast<float>(body.velocity.x);
            const auto vy = static_cast<float>(body.velocity.y);
            const auto radius = static_cast<float>(body.radius);
            const float closing = own(kMaxSpeed) + std::sqrt(vx * vx + vy * vy);
            const float reach = std::max(own(kNeighbourRange), kBodySightTime * closing) +
                                input_.agents.record[row_].radius + radius;
            const float dx = x - input_.agents.x[row_];
            const float dy = y - input_.agents.y[row_];
            const float dist_sq = dx * dx + dy * dy;
            const Target target{x, y, radius};
            if (!(dist_sq <= reach * reach)) continue;
            if (touches(radius, dist_sq)) {
                perceived_.unnoticed_bodies[index] &= static_cast<std::uint8_t>(~(1u << lane_));
            }
            look_.gather(1, [&](std::size_t) { return target; });
            if (look_.at(target) == Sighting::seen) perceived_.bodies.push_back({dist_sq, index});
        }
        std::sort(perceived_.bodies.begin(), perceived_.bodies.end(),
                  [](const BodyInSight& a, const BodyInSight& b) {
                      return comes_before(a.dist_sq, a.index, b.dist_sq, b.index);
                  });
    }

    /// One in sight.
    void notice_body(std::uint32_t index)
    {
        if (memory_ && !memory_->sees(index, true)) return;
        perceived_.unnoticed_bodies[index] &= static_cast<std::uint8_t>(~(1u << lane_));
    }

    const PerceptionInput& input_;
    std::size_t lane_;
    std::size_t row_;
    std::uint16_t level_;
    NeighbourLists& lists_;
    Perceived& perceived_;
    Explanation* explain_;
    Look look_;
    std::optional<Memory> memory_;
    float own_radius_ = own(kRadius);
    std::uint32_t max_neighbours_ = static_cast<std::uint32_t>(own(kMaxNeighbours));
    bool cap_hit_ = false;
    std::uint32_t looked_at_ = 0;
};

}  // namespace

Looked perceive_alone(const PerceptionInput& input, std::size_t leaf, std::size_t lane,
                      NeighbourLists& lists, Perceived& perceived, Explanation* explain)
{
    const SightTraits traits =
        sight_traits_of(input.agents, input.profiles, leaf * kLeafRows + lane);
    if (perceived.unnoticed_bodies.empty())
        perceived.unnoticed_bodies.resize(input.bodies.bodies.size(), 0);
    Perceiver perceiver(input, traits, leaf, lane, lists, perceived, explain);
    perceiver.run();
    return perceiver.looked();
}

void remember(const Perceived& perceived, std::size_t leaf, const AgentTable& agents,
              SightPool& sights) noexcept
{
    if (agents.sight.empty()) return;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::uint32_t place = agents.sight[leaf * kLeafRows + lane];
        if (place != kNoSight) sights[place] = perceived.memory[lane];
    }
}

}  // namespace sidestep
