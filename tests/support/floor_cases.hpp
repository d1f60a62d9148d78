// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "floorplan/floorplan.hpp"

// Floors for tests of routes, and an oracle for the lengths of ways that shares nothing with the
// library: the visibility graph of all vertices, by brute force.

namespace sidestep::testing_floors {

using Ring = std::vector<Vec2>;

inline Ring box(double x0, double y0, double x1, double y1)
{
    return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    double unit() { return static_cast<double>(random_()) / 4294967296.0; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    int whole(int low, int high)
    {
        return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1));
    }

private:
    std::mt19937 random_;
};

inline Ring star(Dice& dice, Vec2 centre, double small, double large, int points)
{
    Ring ring;
    for (int i = 0; i < points; ++i) {
        const double angle = 2 * M_PI * (i + 0.8 * dice.unit()) / points;
        const double size = dice.between(small, large);
        ring.push_back({centre.x + size * std::cos(angle), centre.y + size * std::sin(angle)});
    }
    return ring;
}

/// A random polygon with random holes.
inline FloorInput star_floor(Dice& dice)
{
    FloorInput input;
    input.floors.push_back({star(dice, {0, 0}, 8, 15, dice.whole(6, 14)), {}});
    for (int i = dice.whole(2, 6); i > 0; --i) {
        input.solids.push_back(
            star(dice, {dice.between(-9, 9), dice.between(-9, 9)}, 0.5, 2.5, dice.whole(3, 6)));
    }
    return input;
}

/// Rooms in rows and columns, most walls with a doorway somewhere.
inline FloorInput room_floor(Dice& dice, int columns, int rows, double doors)
{
    FloorInput input;
    for (int x = 0; x < columns; ++x) {
        for (int y = 0; y < rows; ++y) {
            input.floors.push_back({box(5 * x, 5 * y, 5 * x + 4.8, 5 * y + 4.8), {}});
            const double at = 0.5 * dice.whole(0, 6) + 0.4;
            if (x + 1 < columns && dice.unit() < doors) {
                input.floors.push_back(
                    {box(5 * x + 4.8, 5 * y + at, 5 * x + 5, 5 * y + at + 1), {}});
            }
            if (y + 1 < rows && dice.unit() < doors) {
                input.floors.push_back(
                    {box(5 * x + at, 5 * y + 4.8, 5 * x + at + 1, 5 * y + 5), {}});
            }
        }
    }
    return input;
}

inline FloorInput comb_floor(Dice& dice)
{
    FloorInput input;
    const int teeth = dice.whole(3, 8);
    input.floors.push_back({box(0, 0, 3.0 * teeth + 3, 10), {}});
    for (int i = 0; i < teeth; ++i) {
        const double x = 3.0 * i + 2.5, length = dice.between(2, 9);
        input.solids.push_back(i % 2 == 0 ? box(x, -1, x + 0.5, length)
                                          : box(x, 10 - length, x + 0.5, 11));
    }
    return input;
}

/// The bends of a corridor that winds inwards, from its outer end.
inline Ring spiral_line(int turns)
{
    Ring line{{0, 0}};
    constexpr double kPitch = 2.4;
    double leg = kPitch * (2 * turns + 1);
    Vec2 direction{1, 0};
    for (int i = 0; i < 4 * turns; ++i) {
        if (i >= 3 && i % 2 == 1) leg -= kPitch;
        line.push_back(line.back() + direction * leg);
        direction = {-direction.y, direction.x};
    }
    return line;
}

/// That corridor, 2 m wide, between walls of 0.4 m.
inline FloorInput spiral_floor(int turns)
{
    FloorInput input;
    const Ring line = spiral_line(turns);
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Vec2 a = line[i - 1], b = line[i];
        input.floors.push_back({box(std::min(a.x, b.x) - 1, std::min(a.y, b.y) - 1,
                                    std::max(a.x, b.x) + 1, std::max(a.y, b.y) + 1),
                                {}});
    }
    return input;
}

/// To whole micrometres, as floors are built.
inline Vec2 on_lattice(Vec2 p)
{
    return {std::round(1e6 * p.x) / 1e6, std::round(1e6 * p.y) / 1e6};
}

inline FloorInput thin_floor(Dice& dice)
{
    FloorInput input;
    input.floors.push_back({box(0, 0, 20, 20), {}});
    for (int i = dice.whole(4, 14); i > 0; --i) {
        const Vec2 a{dice.between(1, 19), dice.between(1, 19)};
        const Vec2 b{a.x + dice.between(-6, 6), a.y + dice.between(-6, 6)};
        input.thin.push_back({on_lattice(a), on_lattice(b)});
    }
    return input;
}

// ---------------------------------------------------------------------------------------------

inline double length(Vec2 v)
{
    return std::hypot(v.x, v.y);
}

/// Everything nobody can cross.
struct Walls {
    struct Wall {
        Vec2 a, b;
    };
    std::vector<Wall> all;

    Walls(const std::vector<Polygon>& space, const std::vector<Ring>& thin)
    {
        const auto add_ring = [&](const Ring& ring) {
            for (std::size_t i = 0; i < ring.size(); ++i) {
                all.push_back({ring[i], ring[(i + 1) % ring.size()]});
            }
        };
        for (const Polygon& polygon : space) {
            add_ring(polygon.shell);
            for (const Ring& hole : polygon.holes) add_ring(hole);
        }
        for (const Ring& line : thin) {
            for (std::size_t i = 1; i < line.size(); ++i) all.push_back({line[i - 1], line[i]});
        }
    }

    /// Distance to the nearest.
    double clearance(Vec2 p) const
    {
        double best = std::numeric_limits<double>::infinity();
        for (const auto& [a, b] : all) {
            const Vec2 ab = b - a;
            const double t = std::clamp(dot(p - a, ab) / std::max(dot(ab, ab), 1e-300), 0.0, 1.0);
            best = std::min(best, length(a + ab * t - p));
        }
        return best;
    }
};

/// Shortest ways by brute force over `space` and thin walls.
class Oracle {
public:
    Oracle(const BuiltFloor& floor, const std::vector<Ring>& thin)
        : space_(floor.space), walls_(floor.space, thin)
    {
        for (const Walls::Wall& wall : walls_.all) {
            for (const Vec2 end : {wall.a, wall.b}) {
                if (covers(space_, end)) nodes_.push_back(end);
            }
        }
        const auto before = [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
        std::sort(nodes_.begin(), nodes_.end(), before);
        nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
        for (const Vec2 a : nodes_) {
            std::vector<std::size_t>& row = links_.emplace_back();
            for (std::size_t j = 0; j < nodes_.size(); ++j) {
                if (sees(a, nodes_[j])) row.push_back(j);
            }
        }
    }

    double distance(Vec2 from, Vec2 to) const
    {
        if (sees(from, to)) return length(to - from);
        std::vector<double> best(nodes_.size(), std::numeric_limits<double>::infinity());
        std::vector<bool> done(nodes_.size(), false);
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (sees(from, nodes_[i])) best[i] = length(nodes_[i] - from);
        }
        double answer = std::numeric_limits<double>::infinity();
        for (;;) {
            std::size_t at = nodes_.size();
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                if (!done[i] && (at == nodes_.size() || best[i] < best[at])) at = i;
            }
            if (at == nodes_.size() || !(best[at] < answer)) return answer;
            done[at] = true;
            if (sees(nodes_[at], to)) answer = std::min(answer, best[at] + length(to - nodes_[at]));
            for (const std::size_t j : links_[at]) {
                best[j] = std::min(best[j], best[at] + length(nodes_[j] - nodes_[at]));
            }
        }
    }

    const Walls& walls() const { return walls_; }

    bool sees(Vec2 p, Vec2 q) const
    {
        std::vector<double> cuts{0.0, 1.0};
        const Vec2 way = q - p;
        const double size = dot(way, way);
        if (!(size > 0)) return true;
        for (const auto& [a, b] : walls_.all) {
            if (side(p, q, a) * side(p, q, b) < 0 && side(a, b, p) * side(a, b, q) < 0)
                return false;
            for (const Vec2 x : {a, b}) {
                const double t = dot(x - p, way) / size;
                if (side(p, q, x) == 0 && t > 0 && t < 1) cuts.push_back(t);
            }
        }
        std::sort(cuts.begin(), cuts.end());
        for (std::size_t i = 1; i < cuts.size(); ++i) {
            if ((cuts[i] - cuts[i - 1]) * std::sqrt(size) < 1e-7) continue;
            if (!covers(space_, p + way * (0.5 * (cuts[i] + cuts[i - 1])))) return false;
        }
        return true;
    }

private:
    std::vector<Polygon> space_;
    Walls walls_;
    std::vector<Vec2> nodes_;
    std::vector<std::vector<std::size_t>> links_;

    static int side(Vec2 a, Vec2 b, Vec2 p)
    {
        const double area = det(b - a, p - a);
        const double slack = 1e-8 * length(b - a);
        return area > slack ? 1 : area < -slack ? -1 : 0;
    }
};

}  // namespace sidestep::testing_floors
