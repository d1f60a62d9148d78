// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "models/clearpath/clearpath.hpp"
#include "models/model.hpp"
#include "models/orca/orca.hpp"
#include "models/personality/personality.hpp"
#include "models/rcap/rcap.hpp"
#include "models/rvo/rvo.hpp"
#include "models/seek/seek.hpp"
#include "models/social_force/social_force.hpp"
#include "models/vo/vo.hpp"

namespace sidestep {

namespace {

// clang-format off
constexpr const Model* kModels[] = {
    &orca::kModel,
    &seek::kModel,
    &rcap::kModel,
    &personality::kModel,
    &vo::kModel,
    &rvo::kModel,
    &clearpath::kModel,
    &clearpath::kSafeModel,
    &social_force::kModel,
};
// clang-format on

}  // namespace

std::span<const Model* const> registry()
{
    return kModels;
}

std::span<const ModelInfo> models()
{
    static const auto infos = [] {
        std::array<ModelInfo, std::size(kModels)> list;
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = kModels[i]->info;
        return list;
    }();
    return infos;
}

}  // namespace sidestep
