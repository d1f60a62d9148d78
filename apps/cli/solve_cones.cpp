// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Operations about cones of velocities.
#include "solve_operations.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sidestep::cli {
namespace {

std::vector<MovingDisc> neighbours(const Json& in)
{
    return to_items(member(in, "nbs"), "nbs", to_agent);
}

/// For an exact choice: each line of each cone is walked past what the others cover, at worst past
/// one of them at a time, and each time all are looked at. 1,000 all around that leave nothing take
/// half a second.
std::vector<MovingDisc> few_neighbours(const Json& in)
{
    constexpr std::size_t kMost = 1000;
    if (const std::size_t given = list(member(in, "nbs"), "nbs").size(); given > kMost) {
        throw BadInput(
            fmt::format("'nbs' must hold at most {} neighbours, got {}: at worst the cost grows "
                        "with their cube",
                        kMost, given));
    }
    return neighbours(in);
}

std::optional<double> optional_number(const Json& in, const char* key)
{
    const Json* value = optional_member(in, key);
    if (value == nullptr) return std::nullopt;
    return to_number(*value, key);
}

Json solve_fvo(const Json& in)
{
    const auto cone =
        value_of(fvo(agent(in, "a"), agent(in, "b"), number_or_inf(in, "T"), positive_share(in)));
    return {{"apex", to_json(cone.apex)},    {"dL", to_json(cone.left_leg)},
            {"dR", to_json(cone.right_leg)}, {"M", to_json(cone.cut_middle)},
            {"eta", cone.cut_half_width},    {"EL", to_json(cone.cut_left)},
            {"ER", to_json(cone.cut_right)}, {"nC", to_json(cone.side_normal)}};
}

Json solve_seg_fvo(const Json& in)
{
    const auto cone =
        value_of(seg_fvo(vec(in, "A"), vec(in, "B"), number(in, "r"), number_or_inf(in, "T")));
    const auto leg = [&](Vec2 SegmentLegs::*which) {
        return cone.legs ? to_json((*cone.legs).*which) : Json(nullptr);
    };
    return {{"dL", leg(&SegmentLegs::left_leg)}, {"dR", leg(&SegmentLegs::right_leg)},
            {"e", to_json(cone.axis)},           {"g", cone.cut},
            {"EL", leg(&SegmentLegs::cut_left)}, {"ER", leg(&SegmentLegs::cut_right)}};
}

Json solve_cp_collision(const Json& in)
{
    const auto r = value_of(
        cp_collision(agent(in, "a"), agent(in, "b"), number_or_inf(in, "a_max"), number(in, "dt")));
    switch (r.kind) {
        case CollisionKind::unreachable:
            return {{"kind", "unreachable"}, {"v_best", to_json(r.best)}};
        case CollisionKind::cone:
            return {{"kind", "cone"},
                    {"apex", to_json(r.apex)},
                    {"axis", to_json(r.axis)},
                    {"half", r.half}};
        case CollisionKind::plane:
            return {{"kind", "plane"}, {"q", to_json(r.point)}, {"n", to_json(r.normal)}};
        case CollisionKind::none: break;
    }
    return {{"kind", "none"}};
}

/// `alts` is for those who compare: equally near velocities that would do as well. The tie rule
/// leaves none.
Json to_answer(const ChosenVelocity& chosen)
{
    Json out{{"feasible", chosen.feasible}, {"v", nullptr}, {"alts", Json::array()}};
    if (chosen.feasible) out["v"] = to_json(chosen.velocity);
    out["dist"] = chosen.feasible ? Json(chosen.distance) : Json(nullptr);
    return out;
}

Json solve_clearpath(const Json& in)
{
    const Json& sides = member(in, "type2");
    if (!sides.is_boolean()) throw BadInput("'type2' must be true or false");
    const std::vector<MovingDisc> nbs = few_neighbours(in);
    return to_answer(value_of(clearpath({.agent = agent(in, "a"),
                                         .neighbours = nbs,
                                         .horizon = number_or_inf(in, "T"),
                                         .v_max = number(in, "v_max"),
                                         .preferred = vec(in, "v_des"),
                                         .keep_sides = sides.get<bool>()})));
}

Json solve_vo_exact(const Json& in)
{
    const std::vector<MovingDisc> nbs = few_neighbours(in);
    return to_answer(value_of(vo_exact({.agent = agent(in, "a"),
                                        .neighbours = nbs,
                                        .tau = number_or_inf(in, "tau"),
                                        .share = positive_share(in),
                                        .v_max = number(in, "v_max"),
                                        .preferred = vec(in, "v_pref"),
                                        .t_res = optional_number(in, "t_res")})));
}

Json solve_rvo_sample(const Json& in)
{
    constexpr std::uint64_t kMostSamples = 1'000'000;  // as rvo_sample takes
    const std::uint64_t samples = to_whole(member(in, "N"), "N", kMostSamples);
    const std::vector<MovingDisc> nbs = neighbours(in);
    const auto best = value_of(rvo_sample({.agent = agent(in, "a"),
                                           .neighbours = nbs,
                                           .share = positive_share(in),
                                           .weight = number(in, "w"),
                                           .samples = static_cast<std::size_t>(samples),
                                           .v_max = number(in, "v_max"),
                                           .preferred = vec(in, "v_pref"),
                                           .reach = optional_number(in, "acc")}));
    return {{"index", best.index},
            {"v", to_json(best.velocity)},
            {"penalty", best.penalty},
            {"tc", best.contact_time ? Json(*best.contact_time) : Json(nullptr)}};
}

// clang-format off
constexpr Operation kOperations[] = {
    {"fvo",          solve_fvo},
    {"seg_fvo",      solve_seg_fvo},
    {"cp_collision", solve_cp_collision},
    {"clearpath",    solve_clearpath},
    {"vo_exact",     solve_vo_exact},
    {"rvo_sample",   solve_rvo_sample},
};
// clang-format on

}  // namespace

std::span<const Operation> cone_operations()
{
    return kOperations;
}

}  // namespace sidestep::cli
