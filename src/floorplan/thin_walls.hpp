// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "navigation/plane.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Says which edges are parts of walls without thickness, on the lattice.
class ThinWalls {
public:
    void add(const std::vector<Vec2>& line)
    {
        for (std::size_t i = 1; i < line.size(); ++i) {
            const plane::Point a{line[i - 1].x, line[i - 1].y}, b{line[i].x, line[i].y};
            pieces_.push_back(a.x <= b.x ? Piece{a, b} : Piece{b, a});
        }
    }

    void prepare()
    {
        std::sort(pieces_.begin(), pieces_.end(),
                  [](const Piece& a, const Piece& b) { return a.low.x < b.low.x; });
        reach_.clear();
        double reach = 0.0;
        for (const Piece& piece : pieces_) {
            reach = reach_.empty() ? piece.high.x : std::max(reach, piece.high.x);
            reach_.push_back(reach);
        }
    }

    /// Whether both ends of an edge and its middle lie on one piece of a wall.
    bool hold(plane::Point p, plane::Point q) const
    {
        const plane::Point middle = 0.5 * (p + q);
        const double low = std::min(p.x, q.x), high = std::max(p.x, q.x);
        // The pieces that begin left of the edge, from the last back to where none comes so far.
        auto i = static_cast<std::size_t>(
            std::upper_bound(pieces_.begin(), pieces_.end(), low + kNear,
                             [](double x, const Piece& piece) { return x < piece.low.x; }) -
            pieces_.begin());
        while (i-- > 0 && reach_[i] >= high - kNear) {
            const Piece& piece = pieces_[i];
            if (lies_on(piece, p) && lies_on(piece, q) && lies_on(piece, middle)) return true;
        }
        return false;
    }

private:
    struct Piece {
        plane::Point low, high;  ///< ends, by x
    };
    /// [steps of the lattice] Snapping moves a line by less than one.
    static constexpr double kNear = 1.5;

    std::vector<Piece> pieces_;  ///< by low.x
    std::vector<double> reach_;  ///< greatest high.x of this piece and all before it

    static bool lies_on(const Piece& piece, plane::Point p)
    {
        if (p.x > piece.high.x + kNear || p.y < std::min(piece.low.y, piece.high.y) - kNear ||
            p.y > std::max(piece.low.y, piece.high.y) + kNear) {
            return false;
        }
        return plane::length(plane::nearest_on(piece.low, piece.high, p) - p) <= kNear;
    }
};

}  // namespace sidestep
