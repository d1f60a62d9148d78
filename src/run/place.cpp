// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>

#include "math/trig.hpp"
#include "run/plane_shapes.hpp"
#include "run/point_grid.hpp"

namespace sidestep {

namespace {

/// Up to this part of an area covered by discs people stand at random; above it on a hexagonal
/// lattice with some jitter, because random places run out near 54 %.
constexpr double kRandomCover = 0.40;
/// Tries per agent before the lattice is taken instead.
constexpr std::uint32_t kTriesPerAgent = 400;
/// Part of the free gap that a place on the lattice is moved by, at most.
constexpr double kLatticeJitter = 0.10;
/// Distances of the tightest lattice come out as the sum of the radii but for rounding; so much
/// less of the square of it will do [1].
constexpr double kTouching = 1e-9;
/// Two bodies closer than the sum of their radii less this overlap [m].
constexpr double kOverlap = 1e-3;
/// With `separate`, nobody is moved farther than this [m].
constexpr double kFarthestSeparation = 0.5;
/// Overlapping pairs that are looked at; a heap of thousands has millions of them.
constexpr std::size_t kMostPairs = 100'000;
/// Problems of one kind that are told one by one.
constexpr std::size_t kToldApart = 5;

double squared(double v)
{
    return v * v;
}

double dist_sq(Vec2 a, Vec2 b)
{
    return squared(a.x - b.x) + squared(a.y - b.y);
}

/// What all placements share. Ids follow the file, whatever is placed first.
struct Placing {
    const Scenario& scenario;
    std::uint64_t seed;
    std::span<const RunProfile> profiles;
    std::vector<std::uint32_t> first_id;     ///< of each plan
    std::vector<std::vector<Start>> starts;  ///< of each plan
    Problems& problems;
    std::vector<std::vector<std::uint32_t>> dealt = {};  ///< profiles of each plan that mixes them

    std::uint32_t next_id(std::uint32_t index) const
    {
        return first_id[index] + static_cast<std::uint32_t>(starts[index].size());
    }
    std::uint32_t profile_of_next(std::uint32_t index) const
    {
        return dealt[index].empty() ? scenario.agents[index].profile
                                    : dealt[index][starts[index].size()];
    }
    DrawnTraits traits_of_next(std::uint32_t index) const
    {
        return draw_traits(profiles[profile_of_next(index)], seed, next_id(index));
    }
    void add(std::uint32_t index, Vec2 position)
    {
        starts[index].push_back({position, index, profile_of_next(index), traits_of_next(index)});
    }
};

/// Who is where on a level, for those who are placed at random.
struct Crowd {
    explicit Crowd(double cell) : grid(cell) {}
    PointGrid grid;
    std::vector<double> radii;  ///< by tag

    void add(Vec2 place, double radius)
    {
        grid.add(static_cast<std::uint32_t>(radii.size()), place);
        radii.push_back(radius);
    }
};

Vec2 rotated(Vec2 v, SinCos turn)
{
    return {v.x * turn.cos - v.y * turn.sin, v.x * turn.sin + v.y * turn.cos};
}

constexpr double kDegree = std::numbers::pi / 180.0;

void place_on_lattice(Placing& placing, const AgentsPlan& plan, std::uint32_t index)
{
    const SinCos turn = sin_cos(plan.angle_deg * kDegree);
    for (std::uint32_t row = 0; row < plan.rows; ++row) {
        for (std::uint32_t column = 0; column < plan.columns; ++column) {
            const Vec2 offset{(column - (plan.columns - 1) / 2.0) * plan.spacing,
                              (row - (plan.rows - 1) / 2.0) * plan.spacing};
            placing.add(index, plan.centre + rotated(offset, turn));
        }
    }
}

void place_on_ring(Placing& placing, const AgentsPlan& plan, std::uint32_t index)
{
    for (std::uint64_t i = 0; i < plan.count; ++i) {
        const double turns = static_cast<double>(i) / static_cast<double>(plan.count);
        const SinCos angle = sin_cos(plan.angle_deg * kDegree + 2.0 * std::numbers::pi * turns);
        placing.add(index, {plan.centre.x + plan.ring_radius * angle.cos,
                            plan.centre.y + plan.ring_radius * angle.sin});
    }
}

/// An order of n things that depends on the seed alone.
std::vector<std::uint32_t> shuffled(std::size_t n, std::uint64_t seed, std::uint32_t subject)
{
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = n; i > 1; --i) {
        const std::uint64_t bits =
            random_bits({seed, subject, kUseChoice, static_cast<std::uint32_t>(i)});
        std::swap(order[i - 1], order[bits % i]);
    }
    return order;
}

void place_at_positions(Placing& placing, const AgentsPlan& plan, std::uint32_t index)
{
    std::vector<std::uint32_t> order(plan.positions.size());
    std::iota(order.begin(), order.end(), 0u);
    if (plan.choose && plan.count < plan.positions.size()) {
        order = shuffled(plan.positions.size(), placing.seed, index);
        order.resize(plan.count);
        std::sort(order.begin(), order.end());
    }
    for (const std::uint32_t i : order) placing.add(index, plan.positions[i]);
}

void place_as_told(Placing& placing, const AgentsPlan& plan, std::uint32_t index)
{
    switch (plan.placement) {
        case AgentsPlan::Placement::positions: place_at_positions(placing, plan, index); break;
        case AgentsPlan::Placement::lattice: place_on_lattice(placing, plan, index); break;
        case AgentsPlan::Placement::ring: place_on_ring(placing, plan, index); break;
        case AgentsPlan::Placement::area: break;
    }
}

/// Random places in an area; each new one keeps its distance from those already there.
class AreaPlacing {
public:
    AreaPlacing(Placing& placing, const AgentsPlan& plan, std::uint32_t index, const Floor& floor,
                Crowd& crowd, double cell_radius)
        : placing_(placing),
          plan_(plan),
          index_(index),
          floor_(floor),
          crowd_(crowd),
          sampler_(plan.area),
          cell_radius_(cell_radius)
    {}

    void run()
    {
        const double disc = std::numbers::pi * squared(cell_radius_ + plan_.gap / 2.0);
        const bool dense = static_cast<double>(plan_.count) * disc > kRandomCover * sampler_.area();
        if (!dense) scatter();
        std::size_t placed = placing_.starts[index_].size();
        if (placed < plan_.count) pack(plan_.count - placed);
        placed = placing_.starts[index_].size();
        if (placed == plan_.count) return;
        if (placed == 0 && lies_off_the_floor()) {
            placing_.problems.push_back(
                {"off-floor",
                 fmt::format("{}: its area lies off the floor", name_of(plan_, index_)),
                 placing_.scenario.file, plan_.at,
                 "floors and areas are in metres, x right, y up"});
            return;
        }
        placing_.problems.push_back(
            {"no-room",
             fmt::format(
                 "{}: found room for only {} of {} agents of radius {:.4g} m in the area of "
                 "{:.6g} m2, at random places and on a lattice",
                 name_of(plan_, index_), placed, plan_.count, cell_radius_, sampler_.area()),
             placing_.scenario.file, plan_.at, "lower count or gap, or make the area larger"});
    }

private:
    bool lies_off_the_floor() const
    {
        constexpr std::uint32_t kTries = 1000;
        for (std::uint32_t turn = 0; turn < kTries; ++turn) {
            if (floor_.holds(sampler_.sample(placing_.seed, index_, kUsePlacement, turn)))
                return false;
        }
        return true;
    }
    bool is_free(Vec2 point, double radius) const
    {
        if (!floor_.fits(point, radius)) return false;
        return crowd_.grid.for_each_near(point, [&](std::uint32_t other, Vec2 place) {
            const double sum = radius + crowd_.radii[other] + plan_.gap;
            return dist_sq(point, place) >= sum * sum * (1.0 - kTouching);
        });
    }
    bool try_at(Vec2 point)
    {
        const double radius = placing_.traits_of_next(index_).radius;
        if (!is_free(point, radius)) return false;
        crowd_.add(point, radius);
        placing_.add(index_, point);
        return true;
    }
    void scatter()
    {
        std::uint32_t turn = 0;
        for (std::uint64_t i = 0; i < plan_.count; ++i) {
            std::uint32_t tries = 0;
            while (!try_at(sampler_.sample(placing_.seed, index_, kUsePlacement, turn++))) {
                if (++tries == kTriesPerAgent) return;
            }
        }
    }
    void pack(std::uint64_t wanted)
    {
        const std::vector<Vec2> places = lattice(wanted);
        for (const std::uint32_t i : shuffled(places.size(), placing_.seed, index_)) {
            if (wanted == 0) return;
            if (try_at(places[i])) --wanted;
        }
    }
    /// A hexagonal lattice over the area, as wide as the crowd allows.
    std::vector<Vec2> lattice(std::uint64_t wanted) const
    {
        const double tightest = 2.0 * cell_radius_ + plan_.gap;
        const double per_agent =
            sampler_.area() / static_cast<double>(std::max<std::uint64_t>(wanted, 1));
        // A hexagonal cell of spacing s has the area s^2 sqrt(3) / 2.
        double spacing = std::sqrt(per_agent * 2.0 / std::sqrt(3.0));
        for (;; spacing *= 0.96) {
            spacing = std::max(spacing, tightest);
            std::vector<Vec2> places = lattice_of(spacing, tightest);
            if (places.size() >= wanted || spacing == tightest) return places;
        }
    }
    std::vector<Vec2> lattice_of(double spacing, double tightest) const
    {
        std::vector<Vec2> places;
        const double row_height = spacing * std::sqrt(3.0) / 2.0;
        const double jitter = kLatticeJitter * (spacing - tightest);
        std::uint32_t turn = 0;
        const auto rows =
            static_cast<std::uint32_t>((sampler_.high().y - sampler_.low().y) / row_height + 1.0);
        const auto columns =
            static_cast<std::uint32_t>((sampler_.high().x - sampler_.low().x) / spacing + 1.0);
        for (std::uint32_t row = 0; row < rows; ++row) {
            const double shift = row % 2 == 0 ? 0.0 : spacing / 2.0;
            for (std::uint32_t column = 0; column < columns; ++column) {
                const std::uint64_t bits =
                    random_bits({placing_.seed, index_, kUseLattice, turn++});
                const Vec2 place{
                    sampler_.low().x + shift + column * spacing +
                        jitter * (static_cast<double>(bits >> 32) * 0x1.0p-32 - 0.5),
                    sampler_.low().y + row * row_height +
                        jitter * (static_cast<double>(bits & 0xffffffffu) * 0x1.0p-32 - 0.5)};
                if (covers(plan_.area, place) && floor_.fits(place, cell_radius_))
                    places.push_back(place);
            }
        }
        return places;
    }

    Placing& placing_;
    const AgentsPlan& plan_;
    std::uint32_t index_;
    const Floor& floor_;
    Crowd& crowd_;
    AreaSampler sampler_;
    double cell_radius_;
};

std::uint64_t count_of(const AgentsPlan& plan)
{
    switch (plan.placement) {
        case AgentsPlan::Placement::positions:
            return plan.choose ? std::min<std::uint64_t>(plan.count, plan.positions.size())
                               : plan.positions.size();
        case AgentsPlan::Placement::lattice: return std::uint64_t{plan.columns} * plan.rows;
        case AgentsPlan::Placement::area:
        case AgentsPlan::Placement::ring: return plan.count;
    }
    return 0;
}

/// The largest radius that is really drawn in each plan [m]: distributions may have no bound.
std::vector<double> widest_radii(const Placing& placing)
{
    std::vector<double> widest;
    for (std::size_t index = 0; index < placing.scenario.agents.size(); ++index) {
        const AgentsPlan& plan = placing.scenario.agents[index];
        double radius = placing.profiles[plan.profile].radius;
        bool is_drawn = !plan.mix.empty();
        for (const RunProfile::Drawn& value : placing.profiles[plan.profile].drawn)
            is_drawn = is_drawn || value.name == "radius";
        const std::uint64_t count = is_drawn ? count_of(plan) : 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint32_t profile = plan.mix.empty() ? plan.profile : placing.dealt[index][i];
            const double own = draw_traits(placing.profiles[profile], placing.seed,
                                           placing.first_id[index] + static_cast<std::uint32_t>(i))
                                   .radius;
            radius = i == 0 ? own : std::max(radius, own);
        }
        widest.push_back(radius);
    }
    return widest;
}

/// The scripted body that a disc overlaps before anything moves, or none. A polygon counts by its
/// vertices and its inside.
const BodyPlan* body_at(const Scenario& scenario, std::uint16_t level, Vec2 point, double radius)
{
    for (const BodyPlan& body : scenario.bodies) {
        if (body.level != level) continue;
        const Vec2 about = point - body.path.front();
        const bool overlaps = body.outline.empty()
                                  ? dot(about, about) < squared(radius + body.radius - kOverlap)
                                  : is_inside(body.outline, about);
        if (overlaps) return &body;
    }
    return nullptr;
}

void check_walls(const Placing& placing, std::uint32_t index, const Floor& floor)
{
    const AgentsPlan& plan = placing.scenario.agents[index];
    std::size_t found = 0;
    const auto tell = [&](std::string code, std::string message, std::string hint) {
        if (++found > kToldApart) return;
        placing.problems.push_back(
            {std::move(code), std::move(message), placing.scenario.file, plan.at, std::move(hint)});
    };
    for (std::size_t i = 0; i < placing.starts[index].size(); ++i) {
        const Start& start = placing.starts[index][i];
        const double radius = start.traits.radius;
        const std::string who =
            fmt::format("{} (agent {})", name_of(plan, index), placing.first_id[index] + i);
        const std::string where =
            fmt::format("({:.6g}, {:.6g})", start.position.x, start.position.y);
        if (const BodyPlan* body = body_at(placing.scenario, plan.level, start.position, radius)) {
            tell("inside-body", fmt::format("{} starts in body '{}' at {}", who, body->name, where),
                 "move it out of the way");
        }
        const bool inside = !floor.holds(start.position);
        const double clearance = inside ? 0.0 : floor.clearance(start.position, radius);
        if (!inside && clearance >= radius - kOverlap) continue;
        tell("inside-wall",
             inside ? fmt::format("{} starts inside a wall or off the floor at {}", who, where)
                    : fmt::format("{} starts {:.3g} m into a wall at {}: its radius is {:.4g} m",
                                  who, radius - clearance, where, radius),
             "move it onto the floor, a body's radius from walls");
    }
    if (found > kToldApart) {
        placing.problems.push_back(
            {"inside-wall",
             fmt::format("{}: {} more start in walls", name_of(plan, index), found - kToldApart),
             placing.scenario.file, plan.at, ""});
    }
}

struct OverlappingPair {
    std::uint32_t first, second;
    double depth;
};

double largest_radius_of(const std::vector<Start>& starts)
{
    double largest = 0.0;
    for (const Start& start : starts) largest = std::max(largest, start.traits.radius);
    return largest;
}

/// At most kMostPairs of them, those of the first agents.
std::vector<OverlappingPair> find_overlaps(const Scenario& scenario,
                                           const std::vector<Start>& starts)
{
    std::vector<OverlappingPair> pairs;
    PointGrid grid(std::max(2.0 * largest_radius_of(starts), 1e-3));
    for (std::uint32_t i = 0; i < starts.size() && pairs.size() < kMostPairs; ++i) {
        const Start& start = starts[i];
        grid.for_each_near(start.position, [&](std::uint32_t j, Vec2 place) {
            const double sum = start.traits.radius + starts[j].traits.radius;
            const bool same_level =
                scenario.agents[start.plan].level == scenario.agents[starts[j].plan].level;
            const double distance = std::sqrt(dist_sq(start.position, place));
            if (same_level && distance < sum - kOverlap) pairs.push_back({j, i, sum - distance});
            return pairs.size() < kMostPairs;
        });
        grid.add(i, start.position);
    }
    std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return pairs;
}

/// Pushes overlapping pairs apart, each by half of what is missing, until nobody overlaps or nobody
/// may move any more. What is left the engine undoes at walking speed.
void separate(const Scenario& scenario, std::span<const Floor> floors, std::vector<Start>& starts)
{
    constexpr int kRounds = 200;
    std::vector<Vec2> origin;
    origin.reserve(starts.size());
    for (const Start& start : starts) origin.push_back(start.position);
    const auto try_move = [&](std::uint32_t i, Vec2 by) {
        Start& start = starts[i];
        const Vec2 place = start.position + by;
        const Floor* floor = floor_of(floors, scenario.agents[start.plan].level);
        if (dist_sq(place, origin[i]) > squared(kFarthestSeparation)) return;
        if (floor != nullptr && !floor->fits(place, start.traits.radius)) return;
        start.position = place;
    };
    for (int round = 0; round < kRounds; ++round) {
        const auto pairs = find_overlaps(scenario, starts);
        if (pairs.empty() || pairs.size() == kMostPairs) return;  // a heap is the engine's work
        for (const OverlappingPair& pair : pairs) {
            const Vec2 between = starts[pair.second].position - starts[pair.first].position;
            const double distance = std::sqrt(dot(between, between));
            const Vec2 direction =
                distance > 1e-9 ? between / distance : apart_direction(pair.second, pair.first);
            const double missing =
                starts[pair.first].traits.radius + starts[pair.second].traits.radius - distance;
            if (missing <= 0.0) continue;  // an earlier pair of this round has seen to it
            const Vec2 half = direction * (missing / 2.0 + 1e-4);
            try_move(pair.first, half * -1.0);
            try_move(pair.second, half);
        }
    }
}

void settle_overlaps(const Scenario& scenario, std::span<const Floor> floors,
                     std::vector<Start>& starts, Problems& problems)
{
    if (scenario.world.overlapping_starts == OverlappingStarts::separate) {
        separate(scenario, floors, starts);
        return;
    }
    const auto pairs = find_overlaps(scenario, starts);
    for (std::size_t i = 0; i < std::min(pairs.size(), kToldApart); ++i) {
        const OverlappingPair& pair = pairs[i];
        const Start& a = starts[pair.first];
        const Start& b = starts[pair.second];
        problems.push_back({"overlapping-starts",
                            fmt::format("agent {} at ({:.6g}, {:.6g}) and agent {} at ({:.6g}, "
                                        "{:.6g}) overlap by {:.3g} m",
                                        pair.first, a.position.x, a.position.y, pair.second,
                                        b.position.x, b.position.y, pair.depth),
                            scenario.file, scenario.agents[b.plan].at,
                            "move one of them, or set world.overlapping_starts = \"separate\""});
    }
    if (pairs.size() > kToldApart) {
        problems.push_back(
            {"overlapping-starts",
             fmt::format("{}{} more pairs overlap", pairs.size() == kMostPairs ? "at least " : "",
                         pairs.size() - kToldApart),
             scenario.file, scenario.agents[starts[pairs[0].second].plan].at, ""});
    }
}

}  // namespace

AreaSampler::AreaSampler(std::span<const Polygon> area)
{
    auto built = build_floor({.floors = {area.begin(), area.end()},
                              .solids = {},
                              .thin = {},
                              .doors = {},
                              .exits = {},
                              .points = {}});
    if (!built || area.empty()) return;
    const NavigationMesh& mesh = built->mesh;
    double sum = 0.0;
    for (const auto& triangle : mesh.triangles) {
        const std::array<Vec2, 3> corners{mesh.vertices[triangle[0]], mesh.vertices[triangle[1]],
                                          mesh.vertices[triangle[2]]};
        sum += det(corners[1] - corners[0], corners[2] - corners[0]) / 2.0;
        corners_.push_back(corners);
        sums_.push_back(sum);
        for (const Vec2 corner : corners) {
            if (corners_.size() == 1 && corner == corners[0]) low_ = high_ = corner;
            low_ = {std::min(low_.x, corner.x), std::min(low_.y, corner.y)};
            high_ = {std::max(high_.x, corner.x), std::max(high_.y, corner.y)};
        }
    }
}

Vec2 AreaSampler::sample(std::uint64_t seed, std::uint64_t subject, std::uint32_t use,
                         std::uint32_t turn) const
{
    const double which = random_unit({seed, 2 * subject, use, turn}) * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), which);
    const auto index = static_cast<std::size_t>(
        std::min<std::ptrdiff_t>(found - sums_.begin(), std::ssize(sums_) - 1));
    const std::array<Vec2, 3>& corner = corners_[index];
    const std::uint64_t bits = random_bits({seed, 2 * subject + 1, use, turn});
    // The square root spreads points evenly between the corner and the side opposite to it.
    const double from_corner = std::sqrt(static_cast<double>(bits >> 32) * 0x1.0p-32);
    const double along = static_cast<double>(bits & 0xffffffffu) * 0x1.0p-32;
    const Vec2 on_side = corner[1] + (corner[2] - corner[1]) * along;
    return corner[0] + (on_side - corner[0]) * from_corner;
}

std::string name_of(const AgentsPlan& plan, std::size_t index)
{
    return plan.name.empty() ? fmt::format("agents.{}", index)
                             : fmt::format("agents.{} '{}'", index, plan.name);
}

const Floor* floor_of(std::span<const Floor> floors, std::uint16_t level)
{
    for (const Floor& floor : floors) {
        if (floor.level == level) return &floor;
    }
    return nullptr;
}

std::vector<Start> place_agents(const Scenario& scenario, std::uint64_t seed,
                                std::span<const Floor> floors, std::span<const RunProfile> profiles,
                                Problems& problems)
{
    Placing placing{scenario, seed, profiles, {}, {}, problems};
    std::uint64_t total = 0;
    for (const AgentsPlan& plan : scenario.agents) {
        const auto first = static_cast<std::uint32_t>(total);
        placing.first_id.push_back(first);
        placing.dealt.push_back(plan.mix.empty()
                                    ? std::vector<std::uint32_t>{}
                                    : deal_profiles(plan, count_of(plan), seed, first));
        total += count_of(plan);
    }
    placing.starts.resize(scenario.agents.size());
    const std::vector<double> widest = widest_radii(placing);
    double cell = 1e-3;
    for (std::size_t i = 0; i < widest.size(); ++i)
        cell = std::max(cell, 2.0 * widest[i] + scenario.agents[i].gap);
    std::vector<Crowd> crowds(floors.size(), Crowd(cell));
    // Those whose places are given first: the others find room around them.
    for (const bool at_random : {false, true}) {
        for (std::uint32_t index = 0; index < scenario.agents.size(); ++index) {
            const AgentsPlan& plan = scenario.agents[index];
            const Floor* floor = floor_of(floors, plan.level);
            if (floor == nullptr || at_random != (plan.placement == AgentsPlan::Placement::area))
                continue;
            Crowd& crowd = crowds[static_cast<std::size_t>(floor - floors.data())];
            if (at_random) {
                AreaPlacing(placing, plan, index, *floor, crowd, widest[index]).run();
                continue;
            }
            place_as_told(placing, plan, index);
            check_walls(placing, index, *floor);
            for (const Start& start : placing.starts[index])
                crowd.add(start.position, start.traits.radius);
        }
    }
    std::vector<Start> starts;
    starts.reserve(total);
    for (auto& of_plan : placing.starts)
        std::move(of_plan.begin(), of_plan.end(), std::back_inserter(starts));
    settle_overlaps(scenario, floors, starts, problems);
    return starts;
}

}  // namespace sidestep
