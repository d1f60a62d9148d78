// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/scenes.hpp"

namespace sidestep {

namespace {

/// [CP09] printed frames per second of whole machines, real and simulated; per core by division.
struct Reported {
    const char* scene;
    const char* text;
    double per_core;
};
constexpr Reported kReported[] = {
    {"circle-1k", "> 1,000 steps/s on 4 cores; > 8,000 on 32 simulated", 250.0},
    {"evac-500", "", 0.0},
    {"evac-1k", "550 steps/s on 4 cores; 4,500 on 32 simulated", 137.5},
    {"evac-5k", "30-60 steps/s on 20 % of 4 cores", 75.0},
    {"stadium-25k", "", 0.0},
    {"city-10k", "36 steps/s on 4 cores; 302 on 32 simulated", 9.0},
    {"city-100k", "30-60 steps/s on 32-64 simulated cores", 0.94},
    {"city-250k", "30-60 steps/s on 32-64 simulated cores", 0.94},
};

}  // namespace

Result<std::vector<BenchCase>> paper_cases()
{
    CaseList list({});
    for (const Reported& figure : kReported) list.add(figure.scene, {.model = "clearpath"});
    return list.take();
}

std::vector<PaperFigure> compare_with_paper(std::span<const BenchRow> rows)
{
    std::vector<PaperFigure> figures;
    for (const Reported& reported : kReported) {
        PaperFigure figure{.scene = reported.scene,
                           .reported = reported.text,
                           .reported_per_core = reported.per_core,
                           .ours = {},
                           .ours_with_navigation = {}};
        const BenchRow* row = find_row(rows, {.scene = reported.scene,
                                              .engine = "sidestep",
                                              .model = "clearpath",
                                              .isa = {},
                                              .variant = {},
                                              .threads = 1});
        if (row != nullptr) {
            const double people =
                static_cast<double>(row->updates) / static_cast<double>(row->steps);
            const double step = row->us_per_update.median;
            figure.ours = 1e6 / (step * people);
            figure.ours_with_navigation =
                1e6 / ((step + row->navigation_us_per_update.median) * people);
        }
        figures.push_back(std::move(figure));
    }
    return figures;
}

}  // namespace sidestep
