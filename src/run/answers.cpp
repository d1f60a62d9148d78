// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "run/reach.hpp"
#include "run/state.hpp"

// What people do about a stall, as far as the world cannot know: another way, and notes of it all.

namespace sidestep {

namespace {

/// Where people stand is looked at anew after this time [s], if somebody asks.
constexpr double kCrowdSeconds = 5.0;
/// The way over cells is longer than a straight one, and cells are coarse [1], [m].
constexpr double kAboutAsGood = 1.3;
constexpr double kAboutAsNear = 2.0;
/// Slower than this is standing [m/s].
constexpr float kStandingSpeed = 0.2f;

std::string_view words_of(StallAnswer answer)
{
    switch (answer) {
        case StallAnswer::side_step: return "steps aside";
        case StallAnswer::yield: return "yields";
        case StallAnswer::replan: return "takes another way";
        case StallAnswer::back_up: return "backs up";
        case StallAnswer::none: break;
    }
    return {};
}

void note_answer(SimulationState& state, const Traveller& traveller, StallAnswer answer,
                 const std::string& where)
{
    if (!state.keeps_notes) return;
    state.notes.events.push_back(
        {state.now(), std::string(to_string(answer)),
         fmt::format("agent {} {}{}", traveller.id, words_of(answer), where)});
}

/// The map of a floor with everybody who stands there, not older than kCrowdSeconds.
JamMap& current_map(SimulationState& state, std::uint16_t number)
{
    FloorJams& jams = state.jams[number];
    const std::uint64_t step = state.world->step_index();
    if (!jams.map) {
        jams.map.emplace(state.floors[number]);
    } else if (static_cast<double>(step - jams.looked_at) * state.dt() < kCrowdSeconds) {
        return *jams.map;
    }
    jams.looked_at = step;
    std::vector<Standing> people;  // in the order of rows, which no thread changes
    const AgentColumns columns = state.world->columns();
    const Vec2 origin = state.world->origin();
    for (std::size_t row = 0; row < columns.rows; ++row) {
        const AgentRecord& record = columns.record[row];
        if (record.id == kNoAgent) continue;
        const Traveller& traveller = state.travellers[columns.handle_index[row]];
        if (traveller.floor != number || traveller.activity == Activity::gone ||
            !(record.vx * record.vx + record.vy * record.vy < kStandingSpeed * kStandingSpeed))
            continue;
        const bool for_good = traveller.activity == Activity::standing;
        people.push_back({origin + Vec2{double{record.x}, double{record.y}},
                          for_good ? HUGE_VAL : traveller.slow_steps * state.dt(),
                          {double{traveller.direction_x}, double{traveller.direction_y}}});
    }
    jams.map->set_crowd(people);
    return *jams.map;
}

/// Sends somebody round the people in its way, where that is shorter.
bool take_detour(SimulationState& state, Traveller& traveller, Vec2& via)
{
    const Floor& floor = state.floors[traveller.floor];
    if (traveller.activity != Activity::walking || traveller.goal == kNone || floor.open_plane ||
        !floor.routes)
        return false;
    const auto step = static_cast<std::uint32_t>(state.world->step_index());
    if (step < traveller.replan_step) return false;
    traveller.replan_step = step + static_cast<std::uint32_t>(kCrowdSeconds / state.dt());
    const auto agent = state.world->agent(traveller.handle);
    if (!agent) return false;
    JamMap& map = current_map(state, traveller.floor);
    const JamMap::Goal goal{traveller.goal,
                            [](const void* shape, Vec2 from) {
                                return distance_to(*static_cast<const RouteGoal*>(shape), from);
                            },
                            &state.goals[traveller.goal].shape};
    const double radius{traveller.passing_radius};
    const auto found = map.find_detour(goal, agent->position, radius);
    if (!found) return false;
    std::vector<PathCorner> corners = floor.routes->find_path(agent->position, found->via, radius);
    if (corners.empty()) return false;
    std::vector<Vec2> way{agent->position};
    for (const PathCorner& corner : corners) way.push_back(corner.place);
    // The shortest way there must not lead through the crowd.
    if (map.cost_of_way(way) > kAboutAsGood * found->cost + kAboutAsNear) return false;
    via = found->via;
    begin_detour(state, traveller, via, std::move(corners));
    return true;
}

}  // namespace

void observe_answer(const SimulationState& state, Traveller& traveller, StallAnswer answer,
                    float speed, float made_good, std::vector<AnswerBegun>& begun)
{
    const auto steps_of = [&](double seconds) {
        return static_cast<std::uint32_t>(std::ceil(seconds / state.dt() - 1e-9));
    };
    constexpr double kCalmSeconds = 2.0;  // after this long a stall is over
    const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(answer));
    const StallAnswer before = std::exchange(traveller.answer, answer);
    if (answer == StallAnswer::none) {
        if (traveller.answers != 0 && ++traveller.calm_steps >= steps_of(kCalmSeconds))
            traveller.answers = 0;
    } else {
        traveller.calm_steps = 0;
        // Looking for a way is tried in every round, the others are told once.
        const bool is_new =
            answer == StallAnswer::replan ? before != answer : (traveller.answers & bit) == 0;
        traveller.answers |= bit;
        if (is_new) begun.push_back({traveller.id, traveller.handle.index, answer});
    }
    if (traveller.activity != Activity::walking) return;
    const auto look_round = [&] {
        begun.push_back({traveller.id, traveller.handle.index, StallAnswer::replan});
    };
    // In a queue that does not move the policy has no answer: there is nobody to agree with.
    constexpr double kQueueSeconds = 10.0;
    constexpr float kQueueSpeed = 0.2f;  // made good, on the way it has [m/s]
    constexpr int kRecovery = 3;
    if (made_good >= kQueueSpeed) {
        traveller.queue_steps =
            static_cast<std::uint16_t>(std::max(0, traveller.queue_steps - kRecovery));
    } else if (++traveller.queue_steps >= steps_of(kQueueSeconds)) {
        traveller.queue_steps = 0;
        if (state.scenario.world.deadlock_policy) look_round();
    }
    constexpr float kCrawling = 0.3f;  // of the preferred speed, [CMSC425]
    if (!(speed < kCrawling * traveller.preferred_speed) || !std::isfinite(traveller.replan_time)) {
        traveller.crawl_steps = 0;
    } else if (++traveller.crawl_steps >= steps_of(double{traveller.replan_time})) {
        traveller.crawl_steps = 0;
        look_round();
    }
}

void settle_answers(SimulationState& state, std::vector<AnswerBegun>& begun)
{
    std::sort(begun.begin(), begun.end(), [](const AnswerBegun& a, const AnswerBegun& b) {
        return a.id != b.id ? a.id < b.id : a.answer < b.answer;
    });
    for (const AnswerBegun& answer : begun) {
        Traveller& traveller = state.travellers[answer.slot];
        if (traveller.activity == Activity::gone || traveller.id != answer.id) continue;
        Counts& counts = state.counts;
        std::string where;
        Vec2 via{};
        switch (answer.answer) {
            case StallAnswer::none: continue;
            case StallAnswer::side_step: ++counts.side_steps; break;
            case StallAnswer::yield: ++counts.yields; break;
            case StallAnswer::back_up: ++counts.back_ups; break;
            case StallAnswer::replan:
                if (!take_detour(state, traveller, via)) continue;
                ++counts.replans;
                where = fmt::format(", over ({:.2f}, {:.2f})", via.x, via.y);
                break;
        }
        note_answer(state, traveller, answer.answer, where);
    }
    begun.clear();
}

}  // namespace sidestep
