// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/peer_engine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "benchmarks/machine.hpp"
#include "math/hilbert.hpp"
#include "sim/world_state.hpp"

namespace sidestep {

namespace {

/// How far open ground goes on around everybody [m].
constexpr double kMargin = 300.0;

double trait_of(const World& world, AgentHandle agent, std::string_view name, double otherwise)
{
    const auto value = world.trait(agent, name);
    return value ? *value : otherwise;
}

PeerAgent to_peer(const World& world, std::size_t row)
{
    const AgentHandle handle = world.handle_at(row);
    const AgentRecord& record = world.columns().record[row];
    const auto trait = [&](std::string_view name, double otherwise) {
        return trait_of(world, handle, name, otherwise);
    };
    return {.position = {record.x, record.y},
            .velocity = {record.vx, record.vy},
            .radius = trait("radius", 0.2),
            .max_speed = trait("max_speed", 2.0),
            .neighbour_range = trait("neighbour_range", 5.0),
            .time_horizon = trait("time_horizon", 2.0),
            .wall_time_horizon = trait("wall_time_horizon", 1.0),
            .max_neighbours = static_cast<std::uint32_t>(trait("max_neighbours", 10.0))};
}

/// Rows that hold somebody, in the order of ids or along a Hilbert curve.
std::vector<std::size_t> rows_in_order(const AgentColumns& columns, bool sorted)
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < columns.rows; ++row) {
        if (columns.record[row].id != kNoAgent) rows.push_back(row);
    }
    float low_x = HUGE_VALF, low_y = HUGE_VALF, size = 1.0f;
    for (const std::size_t row : rows) {
        low_x = std::min(low_x, columns.x[row]);
        low_y = std::min(low_y, columns.y[row]);
    }
    for (const std::size_t row : rows)
        size = std::max({size, columns.x[row] - low_x, columns.y[row] - low_y});
    std::vector<std::uint64_t> key(columns.rows);
    for (const std::size_t row : rows) {
        const auto place = [&](float value, float low) {
            return static_cast<std::uint32_t>((value - low) / size * 65535.0f);
        };
        key[row] = sorted
                       ? hilbert_index(place(columns.x[row], low_x), place(columns.y[row], low_y))
                       : columns.record[row].id;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
    return rows;
}

/// What can be walked on: the free space of the only floor, or a square round everybody.
std::vector<std::array<Vec2, 3>> ground_of(const SimulationState& state, const PeerScene& scene)
{
    std::vector<std::array<Vec2, 3>> ground;
    const Vec2 origin = state.world->origin();
    const Floor& floor = state.floors.front();
    if (!floor.space.empty() && !floor.walls.empty()) {
        FloorInput input;
        input.floors = floor.space;
        const auto built = build_floor(input);
        if (!built) return ground;
        for (const auto& triangle : built->mesh.triangles) {
            ground.push_back({built->mesh.vertices[triangle[0]] - origin,
                              built->mesh.vertices[triangle[1]] - origin,
                              built->mesh.vertices[triangle[2]] - origin});
        }
        return ground;
    }
    double reach = 0.0;
    for (const PeerAgent& agent : scene.agents)
        reach = std::max({reach, std::fabs(agent.position.x), std::fabs(agent.position.y)});
    reach += kMargin;
    const Vec2 a{-reach, -reach}, b{reach, -reach}, c{reach, reach}, d{-reach, reach};
    return {{a, b, c}, {a, c, d}};
}

}  // namespace

std::string not_for_peers(const Scenario& scene)
{
    if (!scene.sources.empty()) return "people come in while it runs";
    if (!scene.bodies.empty()) return "it has bodies that yield to nobody";
    if (!scene.groups.empty()) return "it has groups";
    if (!scene.events.empty() || !scene.doors.empty()) return "it has doors or events";
    if (scene.floors.size() > 1) return "its floor has several parts";
    for (const ProfilePlan& profile : scene.profiles) {
        for (const auto& [name, value] : profile.values) {
            if (name == "motion") return "it has vehicles";
        }
    }
    return {};
}

std::unique_ptr<PeerEngine> PeerEngine::create(SimulationState& simulation, const Peer& peer)
{
    const World& world = *simulation.world;
    const AgentColumns columns = world.columns();
    std::unique_ptr<PeerEngine> engine(new PeerEngine(simulation));
    PeerScene scene{.dt = world.dt(), .agents = {}, .walls = {}, .ground = {}};
    const std::vector<std::size_t> rows = rows_in_order(columns, peer.sorted);
    engine->agent_of_slot_.resize(simulation.travellers.size(), kNone);
    scene.agents.reserve(rows.size());
    for (const std::size_t row : rows) {
        engine->agent_of_slot_[columns.handle_index[row]] =
            static_cast<std::uint32_t>(scene.agents.size());
        scene.agents.push_back(to_peer(world, row));
    }
    engine->is_there_.assign(scene.agents.size(), 1);
    engine->is_seen_.assign(scene.agents.size(), 0);
    const Vec2 origin = world.origin();
    for (const Floor& floor : simulation.floors) {
        for (WallSpec wall : floor.walls) {
            for (Vec2& vertex : wall.vertices) vertex = vertex - origin;
            scene.walls.push_back(std::move(wall));
        }
    }
    if (peer.wants_ground) scene.ground = ground_of(simulation, scene);
    engine->resident_before_ = resident_bytes();
    engine->crowd_ = peer.make(scene);
    if (!engine->crowd_) return nullptr;
    return engine;
}

/// Those who have left our world since the last step leave the other one too.
void PeerEngine::take_out_who_is_gone()
{
    std::vector<std::size_t> gone;
    for (std::size_t agent = 0; agent < is_there_.size(); ++agent) {
        if (is_there_[agent] != 0 && is_seen_[agent] == 0) {
            gone.push_back(agent);
            is_there_[agent] = 0;
        }
        is_seen_[agent] = 0;
    }
    if (!gone.empty()) crowd_->remove(gone);
}

/// What everybody wants in this step, as World::step would have it.
void PeerEngine::hand_over()
{
    WorldState& world = WorldAccess::state(*simulation_.world);
    AgentTable& agents = world.agents;
    world.options.preferred_velocities(columns_of(world),
                                       {agents.preferred_vx.data(), agents.rows()},
                                       {agents.preferred_vy.data(), agents.rows()});
    world.set_wishes(agents, world.profiles, world.dt(), 0, agents.leaves());
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (agents.holds(row)) is_seen_[agent_of_slot_[agents.slot[row]]] = 1;
    }
    take_out_who_is_gone();
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (!agents.holds(row)) continue;
        crowd_->set_preferred_velocity(agent_of_slot_[agents.slot[row]],
                                       {agents.preferred_vx[row], agents.preferred_vy[row]});
    }
}

StepReport PeerEngine::step()
{
    hand_over();
    const double cpu_before = cpu_seconds(), wall_before = wall_seconds();
    crowd_->step();
    wall_ += wall_seconds() - wall_before;
    cpu_ += cpu_seconds() - cpu_before;
    if (!has_stepped_) bytes_ = resident_bytes() - resident_before_;
    has_stepped_ = true;

    WorldState& world = WorldAccess::state(*simulation_.world);
    AgentTable& agents = world.agents;
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (!agents.holds(row)) continue;
        const std::uint32_t agent = agent_of_slot_[agents.slot[row]];
        const Vec2 place = crowd_->position(agent), velocity = crowd_->velocity(agent);
        AgentRecord& record = agents.record[row];
        record.x = agents.x[row] = static_cast<float>(place.x);
        record.y = agents.y[row] = static_cast<float>(place.y);
        record.vx = static_cast<float>(velocity.x);
        record.vy = static_cast<float>(velocity.y);
        agents.remainder_x[row] = agents.remainder_y[row] = 0.0f;
    }
    StepReport report;
    report.step = world.step_index;
    report.agents = agents.live;
    world.step_index += 1;
    return report;
}

}  // namespace sidestep
