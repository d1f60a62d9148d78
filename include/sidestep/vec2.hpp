// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace sidestep {

// Always inline: a program that links Sidestep may be compiled with other flags, and the linker
// must not take its copy of these for ours.

/// A point [m] or a velocity [m/s] in the plane: x to the right, y up, double precision.
struct Vec2 {
    double x = 0.0;
    double y = 0.0;

    friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
};

[[gnu::always_inline]] constexpr Vec2 operator+(Vec2 a, Vec2 b)
{
    return {a.x + b.x, a.y + b.y};
}
[[gnu::always_inline]] constexpr Vec2 operator-(Vec2 a, Vec2 b)
{
    return {a.x - b.x, a.y - b.y};
}
[[gnu::always_inline]] constexpr Vec2 operator-(Vec2 a)
{
    return {-a.x, -a.y};
}
[[gnu::always_inline]] constexpr Vec2 operator*(Vec2 a, double s)
{
    return {a.x * s, a.y * s};
}
[[gnu::always_inline]] constexpr Vec2 operator*(double s, Vec2 a)
{
    return {a.x * s, a.y * s};
}
[[gnu::always_inline]] constexpr Vec2 operator/(Vec2 a, double s)
{
    return {a.x / s, a.y / s};
}
[[gnu::always_inline]] constexpr Vec2& operator+=(Vec2& a, Vec2 b)
{
    return a = a + b;
}
[[gnu::always_inline]] constexpr Vec2& operator-=(Vec2& a, Vec2 b)
{
    return a = a - b;
}
[[gnu::always_inline]] constexpr double dot(Vec2 a, Vec2 b)
{
    return a.x * b.x + a.y * b.y;
}
/// Twice the signed area of the triangle 0, a, b: positive if b is to the left of a.
[[gnu::always_inline]] constexpr double det(Vec2 a, Vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/// Which side two agents keep to when a head-on encounter is exactly symmetric.
enum class PassingSide : std::uint8_t { right, left };

/// Whose bodies are kept out of each other whatever the models choose; docs/solid.md.
enum class SolidBodies : std::uint8_t {
    off,       ///< nobody's: models alone decide
    on,        ///< everybody's
    avoiders,  ///< those of any two of whom one keeps to velocities that avoid, by its model or its
               ///< filter; two of seek or social_force are left alone
};

/// Which side of a wall agents are on. Always said, never read from the order of the vertices.
enum class WallKind : std::uint8_t {
    solid,  ///< polygon, nobody inside
    room,   ///< polygon, everybody inside
    thin,   ///< segment, agents on both sides
};

/// How people who walk together are to each other.
enum class Formation : std::uint8_t {
    abreast,  ///< beside each other, where there is room
    v,        ///< a V with its apex at the rear: the outer ones ahead, so that all see all
    leader,   ///< about a place behind the one they follow
};

/// Agents that one group may have.
inline constexpr std::size_t kMostMembers = 64;

}  // namespace sidestep
