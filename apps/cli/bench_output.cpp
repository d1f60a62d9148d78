// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "bench_output.hpp"

#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string model_of(const BenchRow& row)
{
    return row.variant.empty() ? row.model : fmt::format("{} ({})", row.model, row.variant);
}

/// Median and, where there is more than one repetition, smallest and largest.
std::string spread_text(const BenchSpread& spread, const BenchRow& row)
{
    if (row.repetitions < 2) return short_number(spread.median);
    return fmt::format("{} ({} .. {})", short_number(spread.median), short_number(spread.low),
                       short_number(spread.high));
}

std::optional<double> ratio_to(const BenchResult& result, const BenchRow& row,
                               std::string_view engine)
{
    if (row.engine != "sidestep") return std::nullopt;
    const BenchRow* peer = find_row(result.rows, {.scene = row.scene, .engine = engine});
    if (peer == nullptr) return std::nullopt;
    return peer->us_per_update.median / row.us_per_update.median;
}

std::string ratio_text(std::optional<double> ratio)
{
    return ratio ? fmt::format("{:.1f}x", *ratio) : "";
}

/// The largest distance from RVO2, and how many are not where it has them.
std::string distance_text(const BenchRow& row)
{
    if (!row.farthest_from_rvo2) return {};
    if (row.away_from_rvo2 == 0) return fmt::format("{:.1e} m", *row.farthest_from_rvo2);
    return fmt::format("{:.1e} m, {} > 1 mm", *row.farthest_from_rvo2, row.away_from_rvo2);
}

Json spread_json(const BenchSpread& spread)
{
    return {{"min", spread.low}, {"median", spread.median}, {"max", spread.high}};
}

Json row_json(const BenchResult& result, const BenchRow& row, bool ratios)
{
    Json json{{"scene", row.scene},
              {"engine", row.engine},
              {"model", row.model},
              {"threads", row.threads},
              {"isa", row.isa}};
    if (!row.variant.empty()) json["variant"] = row.variant;
    json.update({{"agents", row.agents},
                 {"warm_up", row.warm_up},
                 {"steps", row.steps},
                 {"updates", row.updates},
                 {"repetitions", row.repetitions},
                 {"us_per_update", row.us_per_update.median},
                 {"ms_per_step", row.ms_per_step.median},
                 {"navigation_us_per_update", row.navigation_us_per_update.median},
                 {"ns_per_update", row.ns_per_update},
                 {"cycles_per_update", row.cycles_per_update},
                 {"updates_per_second", row.updates_per_second()},
                 {"steps_per_second", row.steps_per_second()},
                 {"bytes_per_agent", row.bytes_per_agent},
                 {"overlap_pairs_per_frame", row.overlap_pairs_per_frame},
                 {"arrived", row.arrived},
                 {"left", row.left},
                 {"sim_time", row.sim_time},
                 {"spread",
                  {{"us_per_update", spread_json(row.us_per_update)},
                   {"ms_per_step", spread_json(row.ms_per_step)},
                   {"navigation_us_per_update", spread_json(row.navigation_us_per_update)}}}});
    if (row.engine != "sidestep") return json;
    json["sight_bytes_per_agent"] = row.sight_bytes_per_agent;
    json["state_hash"] = to_hex(row.state_hash);
    Json stages = Json::object();
    for (std::size_t stage = 0; stage < kStages; ++stage)
        stages[std::string(to_string(static_cast<Stage>(stage)))] = row.shares[stage];
    json["stages"] = stages;
    if (row.farthest_from_rvo2) {
        json["farthest_from_rvo2"] = *row.farthest_from_rvo2;
        json["away_from_rvo2"] = row.away_from_rvo2;
    }
    if (!ratios) return json;
    if (const auto ratio = ratio_to(result, row, "rvo2")) json["times_rvo2"] = *ratio;
    if (const auto ratio = ratio_to(result, row, "rvo2-sorted")) json["times_rvo2_sorted"] = *ratio;
    if (const auto ratio = ratio_to(result, row, "detour")) json["times_detour"] = *ratio;
    return json;
}

}  // namespace

void BenchTable::print(TableStyle style) const
{
    if (style == TableStyle::text) {
        Table table(header);
        for (const std::size_t column : right) table.align_right(column);
        for (const auto& row : rows) table.add(row);
        table.print(stdout);
        return;
    }
    say(stdout, fmt::format("| {} |\n|", fmt::join(header, " | ")));
    for (std::size_t column = 0; column < header.size(); ++column) {
        const bool number = std::find(right.begin(), right.end(), column) != right.end();
        say(stdout, number ? "---:|" : "---|");
    }
    say(stdout, "\n");
    for (const auto& row : rows) say(stdout, fmt::format("| {} |\n", fmt::join(row, " | ")));
}

BenchTable times_table(const BenchResult& result, bool ratios)
{
    const bool has_rvo2 = std::any_of(result.rows.begin(), result.rows.end(), [](const auto& row) {
        return row.repetitions > 0 && row.engine.starts_with("rvo2");
    });
    BenchTable table;
    table.header = {"scene",  "engine",  "model",         "isa",     "threads",        "us/update",
                    "cycles", "ms/step", "navigation us", "B/agent", "overlaps/frame", "arrived"};
    table.right = {4, 5, 6, 7, 8, 9, 10, 11};
    if (has_rvo2 && ratios) {
        table.header.insert(table.header.end(), {"x RVO2", "x sorted"});
        table.right.insert(table.right.end(), {12, 13});
    }
    if (has_rvo2) {
        table.right.push_back(table.header.size());
        table.header.push_back("from RVO2");
    }
    for (const BenchRow& row : result.rows) {
        if (row.repetitions == 0) continue;
        std::vector<std::string> line{row.scene,
                                      row.engine,
                                      model_of(row),
                                      row.isa,
                                      fmt::format("{}", row.threads),
                                      spread_text(row.us_per_update, row),
                                      fmt::format("{:.0f}", row.cycles_per_update),
                                      spread_text(row.ms_per_step, row),
                                      short_number(row.navigation_us_per_update.median),
                                      fmt::format("{:.0f}", row.bytes_per_agent),
                                      short_number(row.overlap_pairs_per_frame),
                                      group_digits(row.arrived)};
        if (has_rvo2 && ratios) {
            line.push_back(ratio_text(ratio_to(result, row, "rvo2")));
            line.push_back(ratio_text(ratio_to(result, row, "rvo2-sorted")));
        }
        if (has_rvo2) line.push_back(distance_text(row));
        table.rows.push_back(std::move(line));
    }
    return table;
}

BenchTable stages_table(const BenchResult& result)
{
    BenchTable table;
    table.header = {"scene", "model", "isa"};
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        table.right.push_back(table.header.size());
        table.header.emplace_back(to_string(static_cast<Stage>(stage)));
    }
    for (const BenchRow& row : result.rows) {
        const bool seen = std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& line) {
            return line[0] == row.scene && line[1] == model_of(row) && line[2] == row.isa;
        });
        if (row.repetitions == 0 || row.engine != "sidestep" || seen) continue;
        std::vector<std::string> line{row.scene, model_of(row), row.isa};
        for (const double share : row.shares)
            line.push_back(fmt::format("{:.0f} %", 100.0 * share));
        table.rows.push_back(std::move(line));
    }
    return table;
}

BenchTable growth_table(const BenchResult& result)
{
    BenchTable table;
    table.header = {"agents",    "engine",          "model",   "threads",
                    "us/update", "of the smallest", "ms/step", "B/agent"};
    table.right = {0, 3, 4, 5, 6, 7};
    const auto is_part = [](const BenchRow& row) {
        return row.repetitions > 0 && row.scene.starts_with("open-") && row.variant.empty();
    };
    const auto is_alike = [](const BenchRow& a, const BenchRow& b) {
        return a.engine == b.engine && a.model == b.model && a.threads == b.threads &&
               a.isa == b.isa;
    };
    for (const BenchRow& row : result.rows) {
        const BenchRow* smallest = &row;
        std::size_t sizes = 0;
        for (const BenchRow& other : result.rows) {
            if (!is_part(other) || !is_alike(row, other)) continue;
            ++sizes;
            if (other.agents < smallest->agents) smallest = &other;
        }
        if (!is_part(row) || sizes < 2) continue;
        table.rows.push_back(
            {group_digits(row.agents), row.engine, model_of(row), fmt::format("{}", row.threads),
             spread_text(row.us_per_update, row),
             fmt::format("{:.2f}x", row.us_per_update.median / smallest->us_per_update.median),
             spread_text(row.ms_per_step, row), fmt::format("{:.0f}", row.bytes_per_agent)});
    }
    return table;
}

std::string machine_text(const BenchMachine& machine)
{
    std::string text = fmt::format("{}, {} hardware threads, {}", machine.processor,
                                   machine.hardware_threads, machine.system);
    if (machine.gigahertz > 0.0)
        text += fmt::format("; {:.2f} GHz by {}", machine.gigahertz, machine.frequency_from);
    text += '\n';
    if (machine.known) {
        text += fmt::format(
            "others used {:.0f} % of the processors just before and {:.0f} % meanwhile; load "
            "{:.1f} "
            "before, {:.1f} after\n",
            100.0 * machine.others_before, 100.0 * machine.others, machine.load_before,
            machine.load_after);
    }
    return text;
}

Json to_json(const BenchResult& result, bool ratios)
{
    const BenchMachine& machine = result.machine;
    Json json;
    json["machine"] = {{"processor", machine.processor},
                       {"hardware_threads", machine.hardware_threads},
                       {"system", machine.system},
                       {"gigahertz", machine.gigahertz},
                       {"frequency_from", machine.frequency_from},
                       {"load_before", machine.load_before},
                       {"load_after", machine.load_after},
                       {"others_before", machine.others_before},
                       {"others", machine.others},
                       {"busy", machine.busy()}};
    json["ratios"] = ratios;
    Json rows = Json::array(), not_measured = Json::array();
    for (const BenchRow& row : result.rows) {
        if (row.repetitions > 0) {
            rows.push_back(row_json(result, row, ratios));
        } else {
            not_measured.push_back(
                {{"scene", row.scene}, {"engine", row.engine}, {"why", row.refused}});
        }
    }
    json["rows"] = rows;
    json["not_measured"] = not_measured;
    return json;
}

}  // namespace sidestep::cli
