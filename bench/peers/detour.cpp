// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <DetourCommon.h>
#include <DetourCrowd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "adapters.hpp"
#include "detour_mesh.hpp"

namespace sidestep {
namespace {

/// Agents are numbers of 16 bits in its proximity grid.
constexpr std::size_t kMostAgents = 65'535;
/// No limit that anybody meets [m/s2].
constexpr float kNoLimit = 1e4f;

struct FreeCrowd {
    void operator()(dtCrowd* crowd) const { dtFreeCrowd(crowd); }
};

/// Avoidance with the settings that its demo calls high quality, people steered by the velocity
/// they want. Six neighbours are the most it knows, and who is pressed into others is pushed out.
class DetourCrowd : public PeerCrowd {
public:
    static std::unique_ptr<PeerCrowd> create(const PeerScene& scene)
    {
        std::unique_ptr<DetourCrowd> crowd(new DetourCrowd);
        crowd->dt_ = static_cast<float>(scene.dt);
        crowd->mesh_ = make_nav_mesh(scene);
        if (!crowd->mesh_ || !crowd->add(scene)) return nullptr;
        return crowd;
    }

    void set_preferred_velocity(std::size_t agent, Vec2 velocity) override
    {
        const float v[3] = {static_cast<float>(velocity.x), 0.0f, static_cast<float>(velocity.y)};
        crowd_->requestMoveVelocity(number_[agent], v);
    }
    void step() override { crowd_->update(dt_, nullptr); }
    Vec2 position(std::size_t agent) const override
    {
        const float* at = crowd_->getAgent(number_[agent])->npos;
        return {double{at[0]}, double{at[2]}};
    }
    Vec2 velocity(std::size_t agent) const override
    {
        const float* v = crowd_->getAgent(number_[agent])->vel;
        return {double{v[0]}, double{v[2]}};
    }
    void remove(std::span<const std::size_t> agents) override
    {
        for (const std::size_t agent : agents) crowd_->removeAgent(number_[agent]);
    }

private:
    bool add(const PeerScene& scene)
    {
        float largest = 0.0f, horizon = 0.0f;
        for (const PeerAgent& agent : scene.agents) {
            largest = std::max(largest, static_cast<float>(agent.radius));
            horizon = std::max(horizon, static_cast<float>(agent.time_horizon));
        }
        crowd_.reset(dtAllocCrowd());
        if (!crowd_ || !crowd_->init(static_cast<int>(scene.agents.size()), largest, mesh_.get())) {
            return false;
        }
        dtObstacleAvoidanceParams avoidance = *crowd_->getObstacleAvoidanceParams(0);
        avoidance.velBias = 0.5f;
        avoidance.adaptiveDivs = 7;
        avoidance.adaptiveRings = 3;
        avoidance.adaptiveDepth = 3;
        avoidance.horizTime = horizon;
        crowd_->setObstacleAvoidanceParams(0, &avoidance);
        for (const PeerAgent& agent : scene.agents) {
            dtCrowdAgentParams params{};
            params.radius = static_cast<float>(agent.radius);
            params.height = 2.0f;
            params.maxAcceleration = kNoLimit;
            params.maxSpeed = static_cast<float>(agent.max_speed);
            params.collisionQueryRange = static_cast<float>(agent.neighbour_range);
            params.pathOptimizationRange = 30.0f * params.radius;
            params.updateFlags = DT_CROWD_OBSTACLE_AVOIDANCE;
            params.obstacleAvoidanceType = 0;
            const float at[3] = {static_cast<float>(agent.position.x), 0.0f,
                                 static_cast<float>(agent.position.y)};
            const int number = crowd_->addAgent(at, &params);
            if (number < 0) return false;
            dtCrowdAgent* made = crowd_->getEditableAgent(number);
            if (made->state != DT_CROWDAGENT_STATE_WALKING) return false;  // not on the mesh
            made->vel[0] = static_cast<float>(agent.velocity.x);
            made->vel[2] = static_cast<float>(agent.velocity.y);
            number_.push_back(number);
        }
        return true;
    }

    NavMesh mesh_;
    std::unique_ptr<dtCrowd, FreeCrowd> crowd_;
    std::vector<int> number_;  ///< of each agent, in the crowd
    float dt_ = 0.1f;
};

}  // namespace

void add_detour(Peer& peer)
{
    peer.library = "DetourCrowd (Recast Navigation)";
    peer.missing.clear();
    peer.most_agents = kMostAgents;
    peer.make = [](const PeerScene& scene) { return DetourCrowd::create(scene); };
}

}  // namespace sidestep
