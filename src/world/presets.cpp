// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/traits.hpp"

namespace sidestep {

namespace {

// Roles and personality after [LI13], observation and personal space after [RCAP10], individual
// variation after [CMSC425]. `planning_radius` is the personal space; bodies keep their own radius.
struct Row {
    float rank, alpha, speed, acceleration, observation, space;
};

template <std::size_t kExtra = 0>
constexpr auto values(const Row& row, const std::array<TraitValue, kExtra>& extra = {})
{
    std::array<TraitValue, 6 + kExtra> list{{{"rank", row.rank},
                                             {"alpha", row.alpha},
                                             {"preferred_speed", row.speed},
                                             {"max_acceleration", row.acceleration},
                                             {"observation_time", row.observation},
                                             {"planning_radius", row.space}}};
    for (std::size_t i = 0; i < kExtra; ++i) list[6 + i] = extra[i];
    return list;
}

// clang-format off
//                                   rank  alpha  speed  a_max  T_obs  r
constexpr auto kDefault    = values({1.0f, 0.5f,  1.34f, 1.5f,  0.4f,  0.38f});
constexpr auto kElder      = values({3.0f, 0.6f,  1.0f,  0.8f,  0.7f,  0.42f});
constexpr auto kLeader     = values({4.0f, 0.3f,  1.34f, 1.5f,  0.4f,  0.38f});
constexpr auto kHurried    = values({2.0f, 0.2f,  1.7f,  2.5f,  0.3f,  0.33f});
constexpr auto kPassive    = values<2>({0.5f, 0.8f, 1.2f, 1.2f, 0.5f,  0.45f}, {{{"patience", 6.0f}, {"repulsion_factor", 1.3f}}});
constexpr auto kAggressive = values<3>({3.0f, 0.1f, 1.6f, 2.5f, 0.3f,  0.30f}, {{{"patience", 1.0f}, {"repulsion_factor", 0.6f}, {"replan_time", 2.0f}}});
constexpr auto kPhone      = values<1>({1.0f, 0.7f, 1.1f, 1.0f, 2.5f,  0.38f}, {{{"field_of_view_deg", 90.0f}}});
constexpr auto kChild      = values({0.7f, 0.3f,  1.2f,  2.0f,  0.6f,  0.30f});
constexpr auto kStrolling  = values({1.0f, 0.7f,  0.9f,  1.0f,  0.5f,  0.40f});

constexpr PresetInfo kPresets[] = {
    {"default",    "an adult who walks alone",                                    kDefault},
    {"elder",      "slow, others make way",                                       kElder},
    {"leader",     "others make way, keeps to the goal",                          kLeader},
    {"hurried",    "fast, quick to act, close to others",                         kHurried},
    {"passive",    "gives way, keeps its velocity and its distance, is patient",  kPassive},
    {"aggressive", "fast, hardly gives way, close to others, soon goes round a jam", kAggressive},
    {"phone",      "eyes on a phone: sees late and only what is in front",        kPhone},
    {"child",      "small, quick, notices late",                                  kChild},
    {"strolling",  "slow and calm, in no hurry to get anywhere",                  kStrolling},
};

constexpr PopulationInfo::Part kStreet[] = {{"hurried", 0.1f}, {"strolling", 0.2f}, {"phone", 0.7f}};

constexpr PopulationInfo kPopulations[] = {
    {"street", "10 % hurried, 20 % strolling, 70 % distracted by a phone", kStreet},
};
// clang-format on

}  // namespace

std::span<const PresetInfo> presets()
{
    return kPresets;
}

std::span<const PopulationInfo> populations()
{
    return kPopulations;
}

}  // namespace sidestep
