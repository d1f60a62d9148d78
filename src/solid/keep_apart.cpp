// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solid/keep_apart.hpp"

#include <tuple>

#include "math/trig.hpp"
#include "motion/vehicle.hpp"
#include "motion/wall_contact.hpp"
#include "solid/nearest_allowed.hpp"

namespace sidestep {

namespace {

/// A velocity breaks a line beyond this [m/s]: the rounding of a float.
constexpr double kRounding = 1e-6;

/// Who is led aside by a body does not come closer to a wall than in this time [s], unless it
/// wanted to: a limit of acceleration that the wall lines of models can be kept with still can.
constexpr double kWallTime = 2.0;

/// How much [m] of `room` before a wall motion lets a body take: who leans on a wall slides along
/// it, who does not may sink by kContactSlop. What motion would not cut is not cut here.
double room_for_motion(double room)
{
    return room > -0.5 * kContactSlop ? room + kContactSlop : 0.0;
}

/// How fast [m/s] a body may go towards an edge, `to_wall`, that has this much room [m] for it. An
/// edge that comes takes its part; one that goes away gives room only after people have moved:
/// motion cuts who follows it where it is now.
double most_towards(const WallEdgeRow& edge, const Spot& to_wall, double room, double dt)
{
    const double comes = -dot(Spot{edge.velocity.x, edge.velocity.y}, to_wall);
    return room_for_motion(room) / dt - std::max(comes, 0.0);
}

/// Whether motion will cut this velocity [m/s] of a row at a wall: what it is on then is not known.
bool ends_at_wall(const SolidInput& input, std::size_t row, const Spot& velocity)
{
    if (input.walls.size() == 0) return false;
    const AgentRecord& record = input.agents.record[row];
    const Spot p{input.agents.x[row], input.agents.y[row]};
    const double radius = double{param_of(input.agents, input.profiles, row, kRadius)};
    const double reach = radius + (length(velocity) + input.walls.top_speed) * input.dt;
    const Box box{record.x, record.y, record.x, record.y};
    bool ends = false;
    for_each_edge_near(input.walls, box, static_cast<float>(reach),
                       input.agents.leaf_level[row / kLeafRows], [&](std::size_t i) {
                           const WallEdgeRow& edge = input.walls.edges[i];
                           const Segment segment = segment_of(edge);
                           if (!faces(segment, p)) return;
                           const Spot to_wall = away_from(segment, p) * -1.0;
                           const double room = distance_to(segment, p) - radius;
                           const double most = most_towards(edge, to_wall, room, input.dt);
                           ends = ends || dot(velocity, to_wall) > std::max(most, 0.0) + kRounding;
                       });
    return ends;
}

/// A line and what it is about.
struct ContactLine {
    SpeedLine line;
    Explanation::Source source = Explanation::Source::agent;
    std::uint32_t id = 0;      ///< agent id, body index or wall index
    std::uint32_t number = 0;  ///< of the edge in its wall

    /// A total order among lines that are broken equally.
    bool before(const ContactLine& other) const
    {
        return std::tuple{source, id, number} < std::tuple{other.source, other.id, other.number};
    }
};

/// The line that a velocity breaks most. Does not depend on the order in which lines are shown.
struct MostBroken {
    Spot v;
    ContactLine line{};
    double by = kRounding;
    bool any = false;
    double share = 1.0;  ///< of v that keeps to all lines

    void look_at(const ContactLine& shown)
    {
        const double speed = dot(v, shown.line.towards);
        const double excess = speed - shown.line.most;
        if (!(excess > kRounding)) return;
        share = std::min(share, shown.line.most / speed);
        if (excess < by || (any && excess == by && !shown.before(line))) return;
        line = shown;
        by = excess;
        any = true;
    }
};

/// One agent among others.
class Lane {
public:
    /// `lists` has the neighbours of its leaf, or is missing; `safe` is missing at the first look.
    Lane(const SolidInput& input, std::size_t row, const Spot& wanted, const NeighbourLists* lists,
         const SafeVelocities* safe)
        : input_(input),
          lists_(lists),
          safe_(safe),
          row_(row),
          level_(input.agents.leaf_level[row / kLeafRows]),
          record_(input.agents.record[row]),
          ground_(ground_of(input, row)),
          now_(velocity_of(row)),
          wanted_(wanted)
    {
        // Beyond this gap [m] to somebody at rest no line can be broken by who is not faster than
        // wanted: half of the gap is more than it takes.
        reach_ = ground_.radius + length(ground_.way) +
                 (2.0 * length(wanted) + length(now_)) * input.dt + kBodySlop;
        const BoxNode& all = input.tree.root();
        farthest_ = reach_ + all.max_radius + all.max_speed * input.dt + input.longest_way;
        is_listed_ =
            lists != nullptr && farthest_ * farthest_ < double{lists->complete_sq[row % kLeafRows]};
    }

    /// Shows all lines that could be broken by a velocity no faster than the wanted one.
    void show(MostBroken& broken) const
    {
        bool near_somebody = false;
        const auto look_at = [&](const ContactLine& line) {
            near_somebody = true;
            broken.look_at(line);
        };
        if (is_listed_) {
            visit_listed(look_at);
        } else {
            visit_tree(look_at);
        }
        if (input_.all_bodies) visit_bodies(look_at);
        // Alone with a wall: motion has the last word, as ever.
        if (near_somebody && input_.walls.size() > 0) visit_walls(broken);
    }

private:
    template <class Visit>
    void visit_listed(Visit&& visit) const
    {
        const std::size_t lane = row_ % kLeafRows;
        for (std::size_t i = 0; i < lists_->count[lane]; ++i) {
            if (double{lists_->dist_sq[lane][i]} > farthest_ * farthest_) return;
            visit_agent(lists_->row[lane][i], visit);
        }
    }

    template <class Visit>
    void visit_tree(Visit&& visit) const
    {
        const Box own{record_.x, record_.y, record_.x, record_.y};
        input_.tree.walk(
            [&](const BoxNode& node) {
                const double farthest =
                    reach_ + node.max_radius + node.max_speed * input_.dt + input_.longest_way;
                return node.min_level <= level_ && level_ <= node.max_level &&
                       double{dist_sq(node.box, own)} <= farthest * farthest;
            },
            [&](std::size_t leaf) {
                if (input_.agents.leaf_level[leaf] != level_) return;
                for (std::size_t row = leaf * kLeafRows; row < (leaf + 1) * kLeafRows; ++row) {
                    if (row != row_ && input_.agents.holds(row)) visit_agent(row, visit);
                }
            });
    }

    template <class Visit>
    void visit_agent(std::size_t row, Visit&& visit) const
    {
        const AgentRecord& other = input_.agents.record[row];
        if ((record_.flags & other.flags & kSoftBody) != 0) return;
        if (!input_.all_bodies && (other.flags & kVehicle) == 0) return;
        const Spot velocity = velocity_of(row);
        const Capsule ground = ground_of(input_, row);
        const Spot between = ground.centre - ground_.centre;
        const double farthest =
            reach_ + ground.radius + length(ground.way) + length(velocity) * input_.dt;
        if (dot(between, between) > farthest * farthest) return;
        const Separation s = separate(ground_, ground, apart_from(other.id, between));
        const double gap = s.gap + kBodySlop;
        // What the ground of a vehicle will be is not told by its velocity, nor what somebody does
        // who saw nobody and runs into a wall: there the first line remains.
        const bool is_first = safe_ == nullptr || (other.flags & kVehicle) != 0 ||
                              (safe_->may_change[row] == 0 && ends_at_wall(input_, row, velocity));
        const double own_approach = dot(is_first ? Spot{record_.vx, record_.vy} : now_, s.towards);
        const double approach = -dot(is_first ? Spot{other.vx, other.vy} : velocity, s.towards);
        const double most = is_first ? share_of_gap(gap, own_approach, approach, input_.dt)
                                     : share_of_rest(gap, own_approach, approach, input_.dt,
                                                     safe_->may_change[row] != 0);
        visit(ContactLine{{s.towards, most}, Explanation::Source::agent, other.id});
    }

    /// Of the snapshot, or safe [m/s].
    Spot velocity_of(std::size_t row) const
    {
        if (safe_ != nullptr) return {safe_->vx[row], safe_->vy[row]};
        return {input_.agents.record[row].vx, input_.agents.record[row].vy};
    }

    /// Where this one leaves somebody whose centre is its own.
    Spot apart_from(std::uint32_t id, const Spot& between) const
    {
        if (length(between) > kNoDirection) return {};
        const Vec2 apart = apart_direction(record_.id, id, input_.passing_side);
        return {apart.x, apart.y};
    }

    template <class Visit>
    void visit_bodies(Visit&& visit) const
    {
        for (std::uint32_t i = 0; i < input_.bodies.bodies.size(); ++i) {
            const Body& body = input_.bodies.bodies[i];
            if (!body.live || !body.is_disc() || body.level != level_) continue;
            const Spot velocity{body.velocity.x, body.velocity.y};
            const Spot centre{body.position.x - input_.origin.x, body.position.y - input_.origin.y};
            const Spot between = centre - ground_.centre;
            const double farthest = reach_ + body.radius + length(velocity) * input_.dt;
            if (dot(between, between) > farthest * farthest) continue;
            const Separation s = separate(ground_, {centre, {}, body.radius}, {1.0, 0.0});
            // It goes on as it does: what it leaves of the gap is this one's.
            const double left =
                std::max(s.gap + kBodySlop, 0.0) / input_.dt + dot(velocity, s.towards);
            visit(ContactLine{{s.towards, std::max(left, 0.0)}, Explanation::Source::body, i});
        }
    }

    void visit_walls(MostBroken& broken) const
    {
        const bool is_first = broken.v.x == wanted_.x && broken.v.y == wanted_.y;
        const double look_ahead = is_first ? input_.dt : kWallTime;  // what it wanted is calm
        const Spot& p = ground_.centre;
        const double clearance = param_of(input_.agents, input_.profiles, row_, kWallClearance);
        const double reach =
            ground_.radius + clearance + (length(wanted_) + input_.walls.top_speed) * look_ahead;
        const Box box{record_.x, record_.y, record_.x, record_.y};
        for_each_edge_near(
            input_.walls, box, static_cast<float>(reach), level_, [&](std::size_t row) {
                const WallEdgeRow& edge = input_.walls.edges[row];
                const Segment segment = segment_of(edge);
                if (!faces(segment, p)) return;
                const Spot to_wall = away_from(segment, p) * -1.0;
                const double room = distance_to(segment, p) - ground_.radius;
                const double comes = -dot(Spot{edge.velocity.x, edge.velocity.y}, to_wall);
                const double calm = std::max((room - clearance) / kWallTime, dot(wanted_, to_wall));
                const double most =
                    std::min(calm - comes, most_towards(edge, to_wall, room, input_.dt));
                broken.look_at({{to_wall, std::max(most, 0.0)},
                                Explanation::Source::wall,
                                edge.wall,
                                edge.number});
            });
    }

    const SolidInput& input_;
    const NeighbourLists* lists_;
    const SafeVelocities* safe_;
    std::size_t row_;
    std::uint16_t level_;
    const AgentRecord& record_;
    Capsule ground_;
    Spot now_;                ///< velocity about which lines are drawn [m/s]
    Spot wanted_;             ///< velocity that was chosen [m/s]
    double reach_ = 0.0;      ///< to the rim of somebody who stands [m]
    double farthest_ = 0.0;   ///< to the centre of anybody [m]
    bool is_listed_ = false;  ///< everybody within reach is in the list
};

/// The velocity nearest to the wanted one that keeps to all lines.
struct Cut {
    Spot v;
    bool any = false;        ///< it is not the wanted one
    bool at_body = false;    ///< somebody is the reason, or one of several
    bool is_settled = true;  ///< false: there were too many lines
};

Cut cut(const Lane& agent, const Spot& wanted, Explanation* explain)
{
    NearestAllowed allowed(wanted);
    Cut cut{wanted};
    for (;;) {
        MostBroken broken{cut.v};
        agent.show(broken);
        if (!broken.any) break;
        const ContactLine& found = broken.line;
        cut.any = true;
        cut.at_body = cut.at_body || found.source != Explanation::Source::wall;
        if (explain != nullptr)
            explain->contacts.push_back({found.source,
                                         found.id,
                                         {found.line.towards.x, found.line.towards.y},
                                         found.line.most});
        if (allowed.count() == NearestAllowed::kMost) {
            cut.v = cut.v * broken.share;
            cut.is_settled = false;
            break;
        }
        allowed.add(found.line);
        cut.v = allowed.answer();
    }
    if (explain != nullptr && cut.any) explain->velocity_before_contact = Vec2{wanted.x, wanted.y};
    return cut;
}

}  // namespace

Capsule ground_of(const SolidInput& input, std::size_t row) noexcept
{
    const Spot place{input.agents.x[row], input.agents.y[row]};
    const double radius = double{param_of(input.agents, input.profiles, row, kRadius)};
    if ((input.agents.record[row].flags & kVehicle) == 0) return {place, {}, radius};
    const Pose pose = pose_of(input.agents, row);
    const Reach reach =
        reach_of(vehicle_limits(input.agents, input.profiles, row), pose.speed, input.dt);
    if (reach.circle > 0.0) {
        const Spot to_centre = circle_side(input, row, pose.heading) * reach.circle;
        return {place + to_centre, {}, radius + reach.circle};
    }
    return {place, pose.heading * stopping_distance(pose.speed, reach.braking), radius};
}

Spot circle_side(const SolidInput& input, std::size_t row, const Spot& heading) noexcept
{
    const std::uint32_t flags = input.agents.record[row].flags;
    bool left = input.passing_side == PassingSide::left;
    if ((flags & kPassesRight) != 0) left = false;
    if ((flags & kPassesLeft) != 0) left = true;
    return left ? Spot{-heading.y, heading.x} : Spot{heading.y, -heading.x};
}

bool Negotiation::reserve(std::size_t rows) noexcept
{
    return wanted_vx.reserve(rows) && wanted_vy.reserve(rows) && second_vx.reserve(rows) &&
           second_vy.reserve(rows) && is_cut.reserve(rows);
}

void Negotiation::resize(std::size_t rows) noexcept
{
    for (Column<float>* column : {&wanted_vx, &wanted_vy, &second_vx, &second_vy})
        column->resize(rows, 0.0f);
    is_cut.resize(rows, std::uint8_t{0});
}

BodyContacts keep_apart(const SolidInput& input, std::size_t leaf, const NeighbourLists& lists,
                        float* vx, float* vy, Explanation* explain, std::size_t explain_lane)
{
    BodyContacts contacts;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!input.agents.holds(row)) continue;

        contacts.wanted_vx[lane] = vx[lane];
        contacts.wanted_vy[lane] = vy[lane];
        if ((input.agents.record[row].flags & kVehicle) != 0) continue;  // keep_ground is for it
        const Spot wanted{vx[lane], vy[lane]};
        const Lane agent(input, row, wanted, &lists, nullptr);
        const Cut safe = cut(agent, wanted, lane == explain_lane ? explain : nullptr);
        if (!safe.any) continue;
        vx[lane] = static_cast<float>(safe.v.x) + 0.0f;
        vy[lane] = static_cast<float>(safe.v.y) + 0.0f;
        const auto bit = static_cast<std::uint8_t>(1u << lane);
        (safe.at_body ? contacts.bodies : contacts.walls) |= bit;
    }
    return contacts;
}

Point<float> look_again(const SolidInput& input, std::size_t row, const SafeVelocities& safe,
                        float wanted_vx, float wanted_vy, Explanation* explain)
{
    const Spot wanted{wanted_vx, wanted_vy};
    const Lane agent(input, row, wanted, nullptr, &safe);
    if (explain != nullptr) {
        explain->contacts.clear();
        explain->velocity_before_contact.reset();
    }
    const Cut nearest = cut(agent, wanted, explain);
    if (!nearest.is_settled) return {safe.vx[row], safe.vy[row]};
    return {static_cast<float>(nearest.v.x) + 0.0f, static_cast<float>(nearest.v.y) + 0.0f};
}

double farthest_seen(const SolidInput& input) noexcept
{
    const BoxNode& all = input.tree.root();
    return 2.0 * (all.max_radius + input.longest_way) + 4.0 * all.max_speed * input.dt + kBodySlop;
}

}  // namespace sidestep
