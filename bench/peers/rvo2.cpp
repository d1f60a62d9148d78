// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <RVO/RVO.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adapters.hpp"

namespace sidestep {
namespace {

RVO::Vector2 to_rvo(Vec2 v)
{
    return {static_cast<float>(v.x), static_cast<float>(v.y)};
}

Vec2 from_rvo(const RVO::Vector2& v)
{
    return {double{v.x()}, double{v.y()}};
}

/// Vertices as RVO2 wants them: counter-clockwise round what is solid, clockwise round a room.
std::vector<RVO::Vector2> to_rvo(const WallSpec& wall)
{
    std::vector<RVO::Vector2> vertices;
    double twice_area = 0.0;
    for (std::size_t i = 0; i < wall.vertices.size(); ++i) {
        const Vec2 next = wall.vertices[(i + 1) % wall.vertices.size()];
        twice_area += wall.vertices[i].x * next.y - wall.vertices[i].y * next.x;
        vertices.push_back(to_rvo(wall.vertices[i]));
    }
    const bool is_left = twice_area > 0.0;
    if (wall.kind != WallKind::thin && is_left != (wall.kind == WallKind::solid))
        std::reverse(vertices.begin(), vertices.end());
    return vertices;
}

/// RVO2 cannot take agents out: whenever somebody goes, the simulator is made anew of those who
/// stay. That is not part of the time of a step.
class Rvo2Crowd : public PeerCrowd {
public:
    explicit Rvo2Crowd(const PeerScene& scene)
        : agents_(scene.agents), dt_(static_cast<float>(scene.dt))
    {
        for (const WallSpec& wall : scene.walls) walls_.push_back(to_rvo(wall));
        number_.resize(agents_.size());
        for (std::size_t i = 0; i < agents_.size(); ++i) present_.push_back(i);
        make();
    }

    void set_preferred_velocity(std::size_t agent, Vec2 velocity) override
    {
        simulator_->setAgentPrefVelocity(number_[agent], to_rvo(velocity));
    }
    void step() override { simulator_->doStep(); }
    Vec2 position(std::size_t agent) const override
    {
        return from_rvo(simulator_->getAgentPosition(number_[agent]));
    }
    Vec2 velocity(std::size_t agent) const override
    {
        return from_rvo(simulator_->getAgentVelocity(number_[agent]));
    }
    void remove(std::span<const std::size_t> gone) override
    {
        for (const std::size_t agent : present_) {
            agents_[agent].position = position(agent);
            agents_[agent].velocity = velocity(agent);
        }
        std::erase_if(present_, [&](std::size_t agent) {
            return std::find(gone.begin(), gone.end(), agent) != gone.end();
        });
        make();
    }

private:
    void make()
    {
        simulator_ = std::make_unique<RVO::RVOSimulator>();
        simulator_->setTimeStep(dt_);
        for (const std::size_t agent : present_) {
            const PeerAgent& spec = agents_[agent];
            number_[agent] = simulator_->addAgent(
                to_rvo(spec.position), static_cast<float>(spec.neighbour_range),
                spec.max_neighbours, static_cast<float>(spec.time_horizon),
                static_cast<float>(spec.wall_time_horizon), static_cast<float>(spec.radius),
                static_cast<float>(spec.max_speed), to_rvo(spec.velocity));
        }
        for (const auto& wall : walls_) simulator_->addObstacle(wall);
        if (!walls_.empty()) simulator_->processObstacles();
    }

    std::vector<PeerAgent> agents_;
    std::vector<std::vector<RVO::Vector2>> walls_;
    float dt_;
    std::vector<std::size_t> present_;
    std::vector<std::size_t> number_;  ///< of each agent, in the simulator
    std::unique_ptr<RVO::RVOSimulator> simulator_;
};

}  // namespace

void add_rvo2(Peer& peer)
{
    peer.library = std::string("RVO2 ") + SIDESTEP_HAS_RVO2;
    peer.missing.clear();
    peer.make = [](const PeerScene& scene) { return std::make_unique<Rvo2Crowd>(scene); };
}

}  // namespace sidestep
