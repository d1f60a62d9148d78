// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/sight_line.hpp"
#include "perception/hiding_edges.hpp"
#include "world/limited_sight.hpp"
#include "world/wall_index.hpp"

namespace sidestep {

/// What an agent makes of somebody in range.
enum class Sighting : std::uint8_t { seen, out_of_view, behind_wall };

/// Somebody to look at.
struct Target {
    float x, y;
    float radius;  ///< of the body [m]
};

/// One agent looking about. Positions are floats, all else is double.
///
/// `edges` has room for all edges of the index. The edges that can hide anybody in a box are
/// gathered once: neighbours stand close together, and most of the tree is elsewhere.
class Look {
public:
    Look(const AgentTable& agents, const SightTraits& traits, std::size_t row,
         const WallIndex& walls, Column<std::uint32_t>& edges) noexcept;

    /// From now on targets lie in the box of these and the agent's own place.
    template <class TargetOf>
    void gather(std::size_t count, TargetOf&& target_of) noexcept
    {
        if (sight_ == Sight::through_walls || walls_.size() == 0) return;
        Box box = box_of({x_, y_, 0.0f});
        for (std::size_t i = 0; i < count; ++i) box = merge(box, box_of(target_of(i)));
        gather(box);
    }

    /// Nothing is hidden from it.
    bool sees_all() const noexcept { return sees_all_round_ && edges_.empty(); }

    /// Needs the target in the box.
    Sighting at(const Target& target) const noexcept;

private:
    Box box_of(const Target& target) const noexcept;
    void gather(const Box& box) noexcept;
    bool is_hidden(Point<double> to) const noexcept;
    bool is_hidden_by_any(Point<double> to) const noexcept;

    float x_, y_;
    Point<double> heading_{};
    FieldOfView field_of_view_;
    bool sees_all_round_ = true;
    Sight sight_;
    std::uint16_t level_;
    const WallIndex& walls_;
    Column<std::uint32_t>& edges_;
    HidingEdges hiding_;
};

}  // namespace sidestep
