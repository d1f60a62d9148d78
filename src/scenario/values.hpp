// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/tables.hpp"
#include "scenario/toml.hpp"

namespace sidestep {

// Values of a document as numbers, points and texts. Nothing is reported here: what is not of the
// right kind gives nothing, and check.hpp has said so.

std::optional<double> to_number(const toml::node* node);
/// A whole number, written as one or as a float without a fraction (1e3).
std::optional<std::int64_t> to_whole(const toml::node* node);
std::optional<Vec2> to_point(const toml::node* node);
/// Empty where a point is none.
std::vector<Vec2> to_points(const toml::node* node);
/// The same without a last point that repeats the first.
std::vector<Vec2> to_ring(const toml::node* node);
std::vector<std::vector<Vec2>> to_rings(const toml::node* node);
std::vector<double> to_numbers(const toml::node* node);
/// A name or a list of names.
std::vector<std::string> to_names(const toml::node* node);
/// Cut-offs are those of the table, or the ends of the range.
std::optional<Distribution> to_distribution(const toml::node* node, const Range& range);

/// What a value is, for a message: "a text ('abc')", "-3", "a list of 2 values".
std::string describe(const toml::node& node);
/// A number as a person writes it.
std::string to_text(double value);
std::string to_text(Vec2 point);

}  // namespace sidestep
