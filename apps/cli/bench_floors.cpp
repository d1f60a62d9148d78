// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "bench_output.hpp"
#include "console.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value, const std::string& unit)
{
    return unit == "x" ? short_number(value) + unit : short_number(value) + ' ' + unit;
}

std::string verdict(std::optional<bool> met)
{
    if (!met) return "not measured";
    return *met ? "met" : "NOT MET";
}

Json or_null(std::optional<double> value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json or_null(std::optional<bool> value)
{
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace

BenchTable floors_table(std::span<const BenchFloor> floors, bool ratios)
{
    BenchTable table;
    table.header = {"workload", "reference", "what",     "floor",
                    "goal",     "measured",  "floor is", "goal is"};
    table.right = {3, 4, 5};
    for (const BenchFloor& floor : floors) {
        for (const BenchTarget& target : floor.targets) {
            const bool first = &target == &floor.targets.front();
            const std::string sign = target.at_most ? "<= " : ">= ";
            std::string measured = "machine busy";
            if (ratios) measured = target.measured ? number(*target.measured, target.unit) : "";
            table.rows.push_back({first ? floor.workload : "", first ? floor.reference : "",
                                  target.what,
                                  target.has_floor ? sign + number(target.floor, target.unit) : "",
                                  sign + number(target.goal, target.unit), measured,
                                  ratios && target.has_floor ? verdict(target.meets_floor()) : "",
                                  ratios ? verdict(target.meets_goal()) : ""});
        }
    }
    return table;
}

BenchTable paper_table(std::span<const PaperFigure> figures, bool ratios)
{
    BenchTable table;
    table.header = {"scene", "reported in 2009", "steps/s of a core then",
                    "ours",  "with navigation",  "ours / then"};
    table.right = {2, 3, 4, 5};
    for (const PaperFigure& figure : figures) {
        const auto text = [](std::optional<double> value) {
            return value ? short_number(*value) : std::string();
        };
        const bool has_then = figure.reported_per_core > 0.0;
        std::string ratio;
        if (ratios && has_then && figure.ours)
            ratio = short_number(*figure.ours / figure.reported_per_core) + "x";
        table.rows.push_back({figure.scene, figure.reported,
                              has_then ? short_number(figure.reported_per_core) : "",
                              text(figure.ours), text(figure.ours_with_navigation), ratio});
    }
    return table;
}

Json to_json(std::span<const BenchFloor> floors, bool ratios)
{
    Json list = Json::array();
    for (const BenchFloor& floor : floors) {
        Json targets = Json::array();
        for (const BenchTarget& target : floor.targets) {
            targets.push_back({{"what", target.what},
                               {"unit", target.unit},
                               {"at_most", target.at_most},
                               {"floor", target.has_floor ? Json(target.floor) : Json(nullptr)},
                               {"goal", target.goal},
                               {"measured", ratios ? or_null(target.measured) : Json(nullptr)}});
        }
        list.push_back({{"workload", floor.workload},
                        {"reference", floor.reference},
                        {"targets", targets},
                        {"meets_floor", ratios ? or_null(floor.meets_floor()) : Json(nullptr)},
                        {"meets_goal", ratios ? or_null(floor.meets_goal()) : Json(nullptr)}});
    }
    return list;
}

Json to_json(std::span<const PaperFigure> figures, bool ratios)
{
    Json list = Json::array();
    for (const PaperFigure& figure : figures) {
        const bool has_then = figure.reported_per_core > 0.0;
        Json json{{"scene", figure.scene},
                  {"reported", figure.reported},
                  {"reported_per_core", has_then ? Json(figure.reported_per_core) : Json(nullptr)},
                  {"ours", or_null(figure.ours)},
                  {"ours_with_navigation", or_null(figure.ours_with_navigation)}};
        if (ratios && has_then && figure.ours)
            json["ratio"] = *figure.ours / figure.reported_per_core;
        list.push_back(json);
    }
    return list;
}

}  // namespace sidestep::cli
