// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/scenes.hpp"

#include <algorithm>

#include "sidestep/models.hpp"

namespace sidestep {

std::shared_ptr<const Scenario> CaseList::read(std::string_view scene, const Wish& wish)
{
    const auto shipped = scenes();
    const auto found = std::find_if(shipped.begin(), shipped.end(),
                                    [&](const SceneInfo& info) { return info.name == scene; });
    if (found == shipped.end()) {
        error_ = Error{ErrorCode::unknown_name, "there is no scene " + std::string(scene)};
        return nullptr;
    }
    ReadScenario read =
        parse_scenario(found->text, std::string(scene), {wish.settings, models(), wish.model});
    if (!read.scenario) {
        error_ = Error{ErrorCode::invalid_argument,
                       read.problems.empty() ? "bad scene" : to_text(read.problems.front())};
        return nullptr;
    }
    return std::make_shared<const Scenario>(*std::move(read.scenario));
}

void CaseList::add(std::string_view scene, const Wish& wish)
{
    if (error_) return;
    auto scenario = read(scene, wish);
    if (!scenario) return;
    cases_.push_back({.scene = std::move(scenario),
                      .engine = "sidestep",
                      .model = wish.model,
                      .threads = wish.threads,
                      .isa = wish.isa,
                      .variant = wish.variant});
}

void CaseList::add_peers(std::string_view scene, std::initializer_list<std::string_view> engines)
{
    if (error_) return;
    auto scenario = read(scene, {});
    for (const Peer& peer : peers_) {
        const bool wanted = std::find(engines.begin(), engines.end(), peer.engine) != engines.end();
        if (scenario && wanted && peer.missing.empty())
            cases_.push_back({.scene = scenario, .engine = peer.engine, .variant = {}});
    }
}

Result<std::vector<BenchCase>> CaseList::take()
{
    if (error_) return *error_;
    return std::move(cases_);
}

}  // namespace sidestep
