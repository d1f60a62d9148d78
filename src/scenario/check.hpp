// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "scenario/problem_list.hpp"
#include "scenario/tables.hpp"
#include "scenario/toml.hpp"

namespace sidestep {

// The checks that follow from the tables alone: keys that are unknown or missing, kinds of values,
// ranges, keys that exclude each other. They know nothing of what a key is for.

/// What a table is called in messages, and hints for its unknown keys.
struct TableContext {
    std::string title;  ///< "[profiles.fast]"
    std::string topic;  ///< of `sidestep help scenario`
    std::function<std::string(std::string_view key)> hint_unknown = {};  ///< empty: the usual one
};

/// Checks a table against rows and choices. Nested tables are checked, too.
void check_table(const toml::table& table, std::span<const KeyInfo> keys,
                 std::span<const KeyChoice> choices, const TableContext& context,
                 ProblemList& problems);

/// Checks one value; returns whether it is right.
bool check_value(const toml::node& node, const KeyInfo& key, ProblemList& problems);

/// Checks the values of a table of shares, each in (0, 1]; returns whether all are right. Names and
/// sum are not looked at.
bool check_shares(const toml::table& shares, std::string_view title, ProblemList& problems);

/// Checks all tables of a document that have fixed rows: all but [layout], [profiles.*],
/// [populations.*], [expect].
void check_document(const toml::table& root, ProblemList& problems);

}  // namespace sidestep
