// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/state.hpp"
#include "sidestep/bench.hpp"

namespace sidestep {

/// Why another engine cannot run a scene; empty: it can.
std::string not_for_peers(const Scenario& scene);

/// Another engine in place of World::step: our simulation says who wants what, the engine moves
/// them, and our simulation sees where they have got to.
class PeerEngine {
public:
    /// The crowd of the simulation as it is now. None: the engine cannot take it.
    static std::unique_ptr<PeerEngine> create(SimulationState& simulation, const Peer& peer);

    /// One step of everybody; only the engine's own part of it is timed.
    StepReport step();

    double cpu() const { return cpu_; }    ///< of the engine's steps so far [s]
    double wall() const { return wall_; }  ///< likewise
    /// Resident growth from before the crowd was made to after its first step [bytes].
    double bytes() const { return bytes_; }

private:
    explicit PeerEngine(SimulationState& simulation) : simulation_(simulation) {}
    void hand_over();
    void take_out_who_is_gone();

    SimulationState& simulation_;
    std::unique_ptr<PeerCrowd> crowd_;
    std::vector<std::uint32_t> agent_of_slot_;  ///< place in PeerScene::agents
    std::vector<std::uint8_t> is_there_;        ///< by that place
    std::vector<std::uint8_t> is_seen_;         ///< in this step
    double cpu_ = 0.0, wall_ = 0.0, bytes_ = 0.0, resident_before_ = 0.0;
    bool has_stepped_ = false;
};

}  // namespace sidestep
