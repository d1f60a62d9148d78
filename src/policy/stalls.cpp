// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "policy/stalls.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "math/trig.hpp"
#include "policy/places.hpp"

namespace sidestep {

namespace {

// The round of answers, on the stall clock [s]. Chosen so that the stand-offs of docs/stalls.md end
// in time for every model and seed; queues before doors lose a few per cent by it.
constexpr float kSideStepFrom = 0.5f;
constexpr float kGiveWayFrom = 2.0f;
constexpr float kOrderFrom = 6.0f;
constexpr float kReplanFrom = 8.0f;
constexpr float kBackUpFrom = 9.0f;
constexpr float kRound = 12.0f;
/// The clock starts again after this many rounds: 16 bits hold it with steps of 2 ms.
constexpr std::uint32_t kMostRounds = 8;

/// From this round on all who go one way give way together.
constexpr std::uint32_t kSideFrom = 2;

/// Who goes first among equals is drawn anew after this time [s]: longer than a round, so that it
/// holds for one encounter.
constexpr double kOrderTime = 24.0;

/// Bodies with more room than this between them [m] are not in each other's way yet.
constexpr float kNear = 1.8f;
/// Nor are those who pass each other with this much room [m].
constexpr float kPassingRoom = 0.1f;
/// One whose wish leads within this cosine of somebody comes towards it.
constexpr float kTowards = 0.5f;
/// Wishes within this cosine are the same way.
constexpr float kSameWay = 0.5f;
/// Of those with the same way the ones less than this part of both radii to the side are walked
/// behind.
constexpr float kBehind = 0.5f;
/// Farther to the side than this [m] is on that side.
constexpr float kOnSide = 0.05f;

/// Turn of a side-step when it begins [rad], per second, and at most.
constexpr float kFirstTurn = 0.35f;
constexpr float kTurnRate = 0.5f;
constexpr float kMostTurn = 1.3f;
/// How much more one who yields walks back than aside while it is wholly in the way, and the least
/// part of its speed.
constexpr float kBack = 3.0f;
constexpr float kLeastYield = 0.3f;
/// Who backs up walks at this part of its speed, and so much aside.
constexpr float kBackUpSpeed = 0.5f;
constexpr float kBackUpAside = 0.5f;

/// Who gains this part of the speed that its acceleration allows gets under way. People of a temper
/// of 0.5 gain half of it.
constexpr float kUnderWay = 0.25f;

/// Who goes back at this part of the speed of one that comes is driven by that one.
constexpr float kDrivenSpeed = 0.5f;

/// Who holds a place moves no faster than this [m/s].
constexpr float kStandingSpeed = 0.6f;

struct Direction {
    float x = 0.0f, y = 0.0f;  ///< unit vector, or 0
    float speed = 0.0f;        ///< [m/s]
};

Direction direction_of(float vx, float vy)
{
    const float speed = std::sqrt(vx * vx + vy * vy);
    if (!(speed > kWants)) return {};
    return {vx / speed, vy / speed, speed};
}

/// Where the clock stands: the round, and the time in it [s].
struct ClockTime {
    std::uint32_t round;
    float time;
};

ClockTime clock_time(std::uint16_t clock, float dt)
{
    const float stalled = static_cast<float>(clock) * dt;
    if (stalled < kRound) return {0, stalled};  // nearly always
    const auto round = static_cast<std::uint32_t>(stalled / kRound);
    return {round, stalled - static_cast<float>(round) * kRound};
}

/// Who is in the way; what comes later counts for more.
enum class Blocker : std::uint8_t {
    none,
    abreast,  ///< has the same way, and comes at its side towards the same place
    queue,    ///< has the same way, and is before it
    stands,
    crosses,
    comes,  ///< and has this one in its way too
};

/// Somebody to yield to.
struct Opponent {
    std::uint32_t id = kNoAgent;  ///< none
    Direction wish;
    float overlap = 0.0f;  ///< part of both widths that is in the way, in [0, 1]
};

struct InTheWay {
    Blocker kind = Blocker::none;
    std::uint32_t id = kNoAgent;  ///< the nearest of that kind
    bool holds_place = false;     ///< that one does
    bool queues = false;          ///< somebody is before it who has the same way
    bool opposed = false;         ///< somebody has the opposite way
    bool opposed_ahead = false;   ///< the same farther away; of who avoids alone
    Opponent on_own_side;  ///< nearest of those who come on the side where this one is to pass
    Opponent first;        ///< of those who go before this one the first, while it goes by order

    /// Whether there is somebody with whom it must agree. Who stands in a queue does not argue with
    /// people at its side, unless they want the opposite way, nor who avoids alone while those with
    /// whom it will have to agree are still to come.
    bool is_faced() const
    {
        if (kind == Blocker::abreast && opposed_ahead) return false;
        return kind != Blocker::none && (!queues || kind == Blocker::comes || opposed);
    }
};

/// A total order of who goes first.
struct Order {
    float rank;
    std::uint64_t draw;
    std::uint32_t id;

    bool before(const Order& other) const
    {
        if (rank != other.rank) return rank > other.rank;
        return draw != other.draw ? draw < other.draw : id < other.id;
    }
};

/// One agent among its neighbours.
class Stalled {
public:
    Stalled(const StallInput& input, const NeighbourLists& lists, std::size_t row,
            const Direction& wish)
        : input_(input),
          lists_(lists),
          row_(row),
          own_(input.agents.record[row]),
          wish_(wish),
          at_(clock_time(input.agents.stall_clock[row], input.dt))
    {
        const float side = own_side();
        aside_ = {side * wish.y, -side * wish.x, wish.speed};
    }

    InTheWay look() const
    {
        const std::size_t lane = row_ % kLeafRows;
        InTheWay found;
        Order first{};
        std::uint8_t ahead[kNeighbourListCapacity];
        const std::size_t count = find_ahead(ahead);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t i = ahead[k];
            const std::uint32_t row = lists_.row[lane][i];
            const AgentRecord& other = input_.agents.record[row];
            const float dx = other.x - own_.x;
            const float dy = other.y - own_.y;
            const float room = own_.radius + other.radius;
            const float to_side = dx * aside_.x + dy * aside_.y;
            const float beside = std::fabs(to_side);
            const float distance = std::sqrt(lists_.dist_sq[lane][i]);
            const bool is_near = distance <= room + kNear;
            if (!is_near && !avoids_alone(input_, own_)) continue;
            const Point<float> wanted = wish_of(input_, row);
            const Direction theirs = direction_of(wanted.x, wanted.y);
            const bool opposed = wish_.x * theirs.x + wish_.y * theirs.y < -kSameWay;
            if (!is_near) {
                found.opposed_ahead = found.opposed_ahead || opposed;
                continue;
            }
            const bool towards = -(dx * theirs.x + dy * theirs.y) > kTowards * distance;
            const Blocker kind = kind_of(theirs, towards, beside / room);
            found.queues = found.queues || kind == Blocker::queue;
            found.opposed = found.opposed || opposed;
            if (kind > found.kind) {
                found.kind = kind;
                found.id = other.id;
                found.holds_place = (other.flags & kHoldsPlace) != 0;
            }
            if (kind == Blocker::queue || kind == Blocker::stands) continue;
            const Opponent opponent{other.id, theirs, std::clamp(1.0f - beside / room, 0.0f, 1.0f)};
            if (kind == Blocker::comes && to_side > kOnSide && own_.rank <= other.rank &&
                found.on_own_side.id == kNoAgent)
                found.on_own_side = opponent;
            if (!goes_by_order()) continue;
            const Order order = order_of(row);
            if (!order.before(order_of(row_)) ||
                (found.first.id != kNoAgent && !order.before(first)))
                continue;
            found.first = opponent;
            first = order;
        }
        return found;
    }

    /// What it does about them; `who` is whom it is about.
    StallAnswer answer(const InTheWay& in_way, Wishes& wishes, std::uint32_t& who) const
    {
        who = in_way.id;
        const float time = at_.time;
        const bool stands = in_way.kind == Blocker::stands;
        const float side = side_of_round(stands || in_way.holds_place);
        const bool whole_side =
            at_.round >= kSideFrom && in_way.opposed && !stands && !in_way.holds_place;
        if (whole_side ? side_gives_way() : time >= kBackUpFrom && backs_up()) {
            const float aside = kBackUpAside * side;
            want(wishes, aside * aside_.x - wish_.x, aside * aside_.y - wish_.y, kBackUpSpeed);
            return StallAnswer::back_up;
        }
        if (time >= kReplanFrom && time < kBackUpFrom) return StallAnswer::replan;
        if (time < kGiveWayFrom || stands) {
            side_step(wishes, side);
            return StallAnswer::side_step;
        }
        const Opponent& opponent = goes_by_order() ? in_way.first : in_way.on_own_side;
        if (makes_more_room(in_way, opponent)) {
            side_step(wishes, side);
            return StallAnswer::side_step;
        }
        if (opponent.id == kNoAgent || time >= kReplanFrom) return StallAnswer::none;
        who = opponent.id;
        yield_to(opponent, wishes);
        return StallAnswer::yield;
    }

private:
    /// The places of the list with somebody in front, and not so far to the side that they pass.
    /// Without branches: who is in front is as good as random.
    std::size_t find_ahead(std::uint8_t* places) const
    {
        static_assert(kNeighbourListCapacity <= 256);
        const std::size_t lane = row_ % kLeafRows;
        std::size_t count = 0;
        for (std::size_t i = 0; i < lists_.count[lane]; ++i) {
            const AgentRecord& other = input_.agents.record[lists_.row[lane][i]];
            const float dx = other.x - own_.x;
            const float dy = other.y - own_.y;
            const float beside = std::fabs(dx * aside_.x + dy * aside_.y);
            const bool passes = beside > own_.radius + other.radius + kPassingRoom;
            const bool in_front = dx * wish_.x + dy * wish_.y > 0.0f;
            places[count] = static_cast<std::uint8_t>(i);
            count += static_cast<unsigned>(in_front) & static_cast<unsigned>(!passes);
        }
        return count;
    }

    bool goes_by_order() const { return at_.time >= kOrderFrom && at_.time < kReplanFrom; }

    /// Who avoids alone and is to the right of who comes goes back and forth as that one comes and
    /// gives way: it goes farther aside until there is room.
    bool makes_more_room(const InTheWay& in_way, const Opponent& opponent) const
    {
        return opponent.id == kNoAgent && in_way.kind == Blocker::comes && at_.time < kOrderFrom &&
               avoids_alone(input_, own_) && own_.vx * wish_.x + own_.vy * wish_.y < 0.0f;
    }

    /// Who goes first is drawn anew for each of these.
    std::uint32_t turn() const
    {
        const double per_turn = std::max(1.0, kOrderTime / double{input_.dt});
        return static_cast<std::uint32_t>(static_cast<double>(input_.step_index) / per_turn);
    }

    Order order_of(std::size_t row) const
    {
        const AgentRecord& record = input_.agents.record[row];
        return {record.rank, random_bits({input_.seed, record.id, kUseOrder, turn()}), record.id};
    }

    /// +1: passes on the right; -1: on the left.
    float own_side() const
    {
        bool left = input_.passing_side == PassingSide::left;
        if ((own_.flags & kPassesRight) != 0) left = false;
        if ((own_.flags & kPassesLeft) != 0) left = true;
        return left ? -1.0f : 1.0f;
    }

    /// -1: on the other side in every other round. With somebody who walks that would break the
    /// agreement, because the clocks of two differ.
    float side_of_round(bool stands) const { return stands && at_.round % 2 == 1 ? -1.0f : 1.0f; }

    bool backs_up() const
    {
        const std::uint32_t try_number = turn() * kMostRounds + at_.round;
        return (random_bits({input_.seed, own_.id, kUseBackUp, try_number}) & 1) != 0;
    }

    /// Where agreeing one by one has failed, all who go one way give way to those who come the
    /// other way until the next turn: left to right or right to left, up or down, by turns that are
    /// the same for everybody.
    bool side_gives_way() const
    {
        const bool along_x = std::fabs(wish_.x) >= std::fabs(wish_.y);
        const bool forward = along_x ? wish_.x > 0.0f : wish_.y > 0.0f;
        const std::uint64_t first = random_bits({input_.seed, along_x ? 1u : 0u, kUseBackUp, 0});
        return ((first + turn()) % 2 == 0) == forward;
    }

    /// `beside` is in parts of both radii.
    Blocker kind_of(const Direction& theirs, bool towards, float beside) const
    {
        if (!(theirs.speed > 0.0f)) return Blocker::stands;
        if (towards) return Blocker::comes;
        if (!(wish_.x * theirs.x + wish_.y * theirs.y > kSameWay)) return Blocker::crosses;
        return beside < kBehind ? Blocker::queue : Blocker::abreast;
    }

    void side_step(Wishes& wishes, float side) const
    {
        const float turn = std::min(kFirstTurn + kTurnRate * (at_.time - kSideStepFrom), kMostTurn);
        const SinCos turned = sin_cos(double{turn});
        const float sine = side * static_cast<float>(turned.sin);
        const auto cosine = static_cast<float>(turned.cos);
        want(wishes, cosine * wish_.x + sine * aside_.x, cosine * wish_.y + sine * aside_.y, 1.0f);
    }

    /// Back as far as it is in the way, and aside. Who is out of the way stops: who keeps walking
    /// before the other is never passed.
    void yield_to(const Opponent& opponent, Wishes& wishes) const
    {
        const float back = kBack * opponent.overlap;
        want(wishes, back * (opponent.wish.x - wish_.x) + aside_.x,
             back * (opponent.wish.y - wish_.y) + aside_.y, std::clamp(back, kLeastYield, 1.0f));
    }

    /// Along (x, y), at this part of its speed.
    void want(Wishes& wishes, float x, float y, float part) const
    {
        const float length = std::sqrt(x * x + y * y);
        if (!(length > 0.0f)) return;
        wishes.vx[row_ % kLeafRows] = x * (part * wish_.speed / length);
        wishes.vy[row_ % kLeafRows] = y * (part * wish_.speed / length);
    }

    const StallInput& input_;
    const NeighbourLists& lists_;
    std::size_t row_;
    const AgentRecord& own_;
    Direction wish_;
    Direction aside_;
    ClockTime at_;
};

/// Bits of the lanes whose agent stands at a place. It may not speed up again, and makes room: who
/// does that is not stalled.
std::uint32_t busy_with_places(const StallInput& input, std::size_t leaf,
                               const NeighbourLists& lists, Wishes& wishes, StallAnswers& answers)
{
    const AgentRecord* own = input.agents.record.data() + leaf * kLeafRows;
    std::uint32_t any = 0, busy = 0;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) any |= own[lane].flags;
    answers.any_places = (any & kHoldsPlace) != 0;
    if (!answers.any_places) return 0;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if ((own[lane].flags & kHoldsPlace) == 0 || own[lane].id == kNoAgent) continue;
        // One that has just come may be faster, but does not speed up again.
        const float speed = std::sqrt(own[lane].vx * own[lane].vx + own[lane].vy * own[lane].vy);
        wishes.most_speed[lane] = std::max(kStandingSpeed, speed);
        if (make_room(input, leaf * kLeafRows + lane, lists, wishes, answers)) busy |= 1u << lane;
    }
    answers.any = busy != 0;
    return busy;
}

/// Bits of the lanes whose clock has come to an answer.
std::uint32_t due_lanes(const StallInput& input, std::size_t leaf)
{
    const std::uint16_t* clocks = input.agents.stall_clock.data() + leaf * kLeafRows;
    // Most are in the first half second of the first round.
    std::uint32_t highest = 0, due = 0;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane)
        highest = std::max<std::uint32_t>(highest, clocks[lane]);
    if (static_cast<float>(highest) * input.dt < kSideStepFrom) return 0;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if (input.agents.holds(leaf * kLeafRows + lane) &&
            clock_time(clocks[lane], input.dt).time >= kSideStepFrom)
            due |= 1u << lane;
    }
    return due;
}

/// Whether an agent drives somebody back who wants the opposite way. One that avoids alone has
/// nothing in its way then, because the other runs before it, and that one gives way for ever.
bool drives_somebody(const StallInput& input, std::size_t row, const NeighbourLists& lists,
                     const Direction& wish)
{
    const std::size_t lane = row % kLeafRows;
    const AgentRecord& own = input.agents.record[row];
    const float made = own.vx * wish.x + own.vy * wish.y;
    if (!(made > kWants)) return false;
    for (std::size_t i = 0; i < lists.count[lane]; ++i) {
        const std::uint32_t other_row = lists.row[lane][i];
        const AgentRecord& other = input.agents.record[other_row];
        const float reach = own.radius + other.radius + kNear;
        const float dx = other.x - own.x, dy = other.y - own.y;
        const bool is_before =
            dx * wish.x + dy * wish.y > 0.0f && lists.dist_sq[lane][i] <= reach * reach;
        const bool goes_back = other.vx * wish.x + other.vy * wish.y > kDrivenSpeed * made;
        if (!is_before || !goes_back || (other.flags & kHoldsPlace) != 0) continue;
        const Point<float> wanted = wish_of(input, other_row);
        const Direction theirs = direction_of(wanted.x, wanted.y);
        if (wish.x * theirs.x + wish.y * theirs.y < -kSameWay) return true;
    }
    return false;
}

void find_drivers(const StallInput& input, std::size_t leaf, const NeighbourLists& lists,
                  const Wishes& wishes, StallAnswers& answers)
{
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!input.agents.holds(row) || !avoids_alone(input, input.agents.record[row])) continue;
        const Direction wish = direction_of(wishes.vx[lane], wishes.vy[lane]);
        answers.drives[lane] = wish.speed > 0.0f && drives_somebody(input, row, lists, wish);
        answers.any_drive = answers.any_drive || answers.drives[lane];
    }
}

/// What an agent does whose clock has come to an answer.
void answer_stall(const StallInput& input, std::size_t row, const NeighbourLists& lists,
                  Wishes& wishes, StallAnswers& answers)
{
    const std::size_t lane = row % kLeafRows;
    const Direction wish = direction_of(wishes.vx[lane], wishes.vy[lane]);
    if (!(wish.speed > 0.0f)) return;
    const Stalled agent(input, lists, row, wish);
    const InTheWay in_way = agent.look();
    // Two who hold places argue for one round, then they wait for each other to go: who stands does
    // not shuffle for ever.
    const bool both_hold =
        in_way.holds_place && (input.agents.record[row].flags & kHoldsPlace) != 0;
    const std::uint32_t round = clock_time(input.agents.stall_clock[row], input.dt).round;
    answers.faced[lane] = in_way.is_faced() && (!both_hold || round == 0);
    if (!answers.faced[lane]) return;
    answers.answer[lane] = agent.answer(in_way, wishes, answers.whom[lane]);
    answers.any = true;
    answers.wish[lane] = {wishes.vx[lane], wishes.vy[lane]};
}

}  // namespace

void answer_stalls(const StallInput& input, std::size_t leaf, const NeighbourLists& lists,
                   Wishes& wishes, StallAnswers& answers) noexcept
{
    std::copy_n(wishes.vx, kLeafRows, answers.base_vx);
    std::copy_n(wishes.vy, kLeafRows, answers.base_vy);
    std::fill_n(answers.most_way, kLeafRows, std::numeric_limits<float>::infinity());
    std::fill_n(answers.answer, kLeafRows, StallAnswer::none);
    std::fill_n(answers.turns, kLeafRows, false);
    std::fill_n(answers.faced, kLeafRows, false);
    std::fill_n(answers.drives, kLeafRows, false);
    answers.any = answers.any_turn = answers.any_drive = false;
    find_drivers(input, leaf, lists, wishes, answers);
    const std::uint32_t busy = busy_with_places(input, leaf, lists, wishes, answers);
    for (std::uint32_t due = due_lanes(input, leaf) & ~busy; due != 0; due &= due - 1) {
        const std::size_t row = leaf * kLeafRows + static_cast<std::size_t>(std::countr_zero(due));
        answer_stall(input, row, lists, wishes, answers);
    }
}

bool gets_under_way(const StallInput& input, std::size_t row, Point<float> wish,
                    Point<float> velocity) noexcept
{
    const AgentRecord& own = input.agents.record[row];
    // What can be expected of vehicles is in StallAnswers::most_way.
    if ((own.flags & kVehicle) != 0) return false;
    const float acceleration = param_of(input.agents, input.profiles, row, kMaxAcceleration);
    if (!(acceleration < std::numeric_limits<float>::infinity())) return false;
    const bool is_answered =
        clock_time(input.agents.stall_clock[row], input.dt).time >= kSideStepFrom;
    if (is_answered) return false;
    const float gained = (velocity.x - own.vx) * wish.x + (velocity.y - own.vy) * wish.y;
    const float speed = std::sqrt(wish.x * wish.x + wish.y * wish.y);
    return gained >= kUnderWay * acceleration * input.dt * speed;
}

std::uint16_t next_stall_clock(const StallInput& input, std::uint16_t clock, bool is_faced) noexcept
{
    // Until somebody is in the way the clock waits at an answer: nobody looks before the first one
    // of a round.
    if (!is_faced && clock_time(clock, input.dt).time >= kSideStepFrom) return clock;
    const float stalled = static_cast<float>(clock) * input.dt;
    const bool is_over = stalled >= static_cast<float>(kMostRounds) * kRound || clock == 0xffff;
    return is_over ? std::uint16_t{0} : static_cast<std::uint16_t>(clock + 1);
}

}  // namespace sidestep
