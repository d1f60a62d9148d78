// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/tables.hpp"

namespace sidestep {

/// A key as help and docs show it.
struct HelpRow {
    std::string key;
    std::string value;     ///< "a number in [0.001, 0.25] s"
    std::string fallback;  ///< may be empty
    bool required = false;
    std::string meaning;
    std::string example;  ///< may be empty
};

/// The smallest useful file.
inline constexpr std::string_view kSmallestFile = R"(format = 1

[[floors]]
box = [0, 0, 10, 8]

[[goals]]
name = "exit"
line = [[10, 3], [10, 5]]

[[agents]]
count = 50
area = { box = [0, 0, 4, 8] }
exit = "exit")";

/// Text for a cell of a table in Markdown.
std::string escape_cell(std::string_view text);

/// A value of a parameter as a file says it: a number, or a word of the choices.
std::string value_text(const ParamInfo& param, float value);

/// "observation_time 0.79, sight centre": where a model has its own defaults of traits.
std::string list_trait_defaults(const ModelInfo& model);

std::vector<HelpRow> rows_of(const TableInfo& table);
std::vector<HelpRow> rows_of(std::span<const ParamInfo> params);
std::vector<HelpRow> rows_of(std::span<const LayoutParam> params);

}  // namespace sidestep
