// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/bench.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// What `sidestep bench` prints: tables of text or Markdown, and JSON.
namespace sidestep::cli {

/// How tables are printed.
enum class TableStyle { text, markdown };

/// Columns of text; those named in `right` hold numbers.
struct BenchTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::size_t> right;

    void print(TableStyle style) const;
};

/// One line for each row. `ratios`: with the times of RVO2 over ours.
BenchTable times_table(const BenchResult& result, bool ratios);
/// Where the time of a step goes.
BenchTable stages_table(const BenchResult& result);
/// Cost per update against the number of agents, for each engine; ratios to the smallest crowd.
BenchTable growth_table(const BenchResult& result);
/// Floors and goals, one line for each target, with verdicts.
BenchTable floors_table(std::span<const BenchFloor> floors, bool ratios);
/// Steps per second of one core, then and now.
BenchTable paper_table(std::span<const PaperFigure> figures, bool ratios);
/// The machine and how busy it was, in sentences.
std::string machine_text(const BenchMachine& machine);

nlohmann::ordered_json to_json(const BenchResult& result, bool ratios);
nlohmann::ordered_json to_json(std::span<const BenchFloor> floors, bool ratios);
nlohmann::ordered_json to_json(std::span<const PaperFigure> figures, bool ratios);

}  // namespace sidestep::cli
