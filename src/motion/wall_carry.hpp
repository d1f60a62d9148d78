// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "motion/wall_contact.hpp"

namespace sidestep {

// Walls that are moved, and agents in their way.
//
// A wall goes from one place to another while everything else stands still. It pushes the discs it
// meets ahead of it, in parts of half a radius, and they slide along other walls. Where there is no
// room for a disc between two walls it is taken to be smaller, down to a point; where there is none
// even for that, the agent gives way to the nearest place that it can reach straight and without
// passing a wall. So nobody ends up inside a wall or on its other side, as long as there is a place
// to be.

/// A wall with all that agents have to respect when it is moved or appears.
struct MovingWall {
    std::span<const WallEdgeRow>
        before;  ///< its edges; may be another number than after for expel()
    std::span<const WallEdgeRow> after;
    WallKind kind = WallKind::solid;
    WallsAround others;      ///< every wall but this one
    const WallTable& table;  ///< every wall, this one where it is after
};

/// Where an agent is afterwards [m], about the world's origin.
struct Carried {
    bool moved = false;
    float x = 0.0f;
    float y = 0.0f;
};

/// Where the wall leaves a disc at (x, y) that is in its way, with as many edges after as before.
Carried carry(const MovingWall& wall, float x, float y, float radius) noexcept;

/// Whether a centre at (x, y) has to leave: it is inside a solid, or outside a room in which it
/// was.
bool is_misplaced(const MovingWall& wall, float x, float y) noexcept;

/// Where an agent that has to leave goes: to the nearest free place, through no other wall if there
/// is one.
Carried expel(const MovingWall& wall, float x, float y, float radius) noexcept;

/// Where a disc-shaped body that moves on leaves an agent that is in its way: pushed aside, as far
/// as walls allow. It may stay as deep in the body as it was.
Carried carry_by_disc(const WallsAround& walls, const Spot& body, const Spot& displacement,
                      double body_radius, float x, float y, float radius) noexcept;

/// Where an agent of `radius` [m] at (x, y) [m] goes that is nearer to a point than `distance` [m]:
/// away from it, as far as walls allow. From its own centre it goes along `else_to`, of any length.
Carried push_away(const WallsAround& walls, const Spot& point, double distance, const Spot& else_to,
                  float x, float y, float radius) noexcept;

}  // namespace sidestep
