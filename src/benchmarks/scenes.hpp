// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/bench.hpp"

namespace sidestep {

/// Cases of shipped scenes, by name. The first thing that goes wrong is kept until they are taken.
class CaseList {
public:
    explicit CaseList(std::span<const Peer> peers) : peers_(peers) {}

    struct Wish {
        std::uint32_t threads = 1;
        std::optional<std::string> model{};
        Isa isa = Isa::automatic;
        std::vector<Override> settings{};
        std::string variant{};
    };
    void add(std::string_view scene, const Wish& wish);
    /// Those of these engines that are there.
    void add_peers(std::string_view scene, std::initializer_list<std::string_view> engines);

    Result<std::vector<BenchCase>> take();

private:
    std::shared_ptr<const Scenario> read(std::string_view scene, const Wish& wish);

    std::span<const Peer> peers_;
    std::vector<BenchCase> cases_;
    std::optional<Error> error_;
};

}  // namespace sidestep
