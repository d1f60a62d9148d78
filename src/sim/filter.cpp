// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/filter.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "models/clearpath/clearpath.hpp"
#include "models/orca/orca.hpp"

namespace sidestep {

namespace {

Filter filter_of(const Snapshot& snapshot, std::size_t row)
{
    if (!snapshot.agents.holds(row)) return Filter::none;
    return static_cast<Filter>(param_of(snapshot.agents, snapshot.profiles, row, kFilter));
}

/// While it lives a model may run as a filter, and be silent of the agent that is explained. An
/// object, since an explanation that finds no memory leaves by an exception.
class OneRun {
public:
    OneRun(ModelScratch& scratch, bool filters, bool silent)
        : scratch_(scratch), explain_(scratch.explain)
    {
        scratch_.filters = filters;
        if (silent) scratch_.explain = nullptr;
    }
    ~OneRun()
    {
        scratch_.filters = false;
        scratch_.explain = explain_;
    }
    OneRun(const OneRun&) = delete;
    OneRun& operator=(const OneRun&) = delete;

private:
    ModelScratch& scratch_;
    Explanation* explain_;
};

/// Adds what was wanted to what the filter said of the agent that is explained.
void explain_wish(ModelScratch& scratch)
{
    const Wishes& wishes = scratch.wishes;
    const std::size_t lane = scratch.explain_lane;
    char text[80];
    std::snprintf(text, sizeof text, "its model wants (%.2f, %.2f) m/s; of the filter: ",
                  double{wishes.vx[lane]} + 0.0, double{wishes.vy[lane]} + 0.0);
    scratch.explain->wish = Vec2{wishes.vx[lane], wishes.vy[lane]};
    scratch.explain->reason.insert(0, text);
}

/// Passes the choice of the agents that the wishes name through one filter.
void filter_leaf(const Snapshot& snapshot, std::size_t leaf, ChooseVelocities filter,
                 ModelScratch& scratch, Choice& choice)
{
    const Wishes& wishes = scratch.wishes;
    const bool explained = scratch.explain != nullptr && wishes.filtered[scratch.explain_lane];
    Choice filtered;
    {
        const OneRun run(scratch, true, !explained);
        filter(snapshot, leaf, scratch, filtered);
    }
    if (explained) explain_wish(scratch);
    std::uint8_t lanes = 0;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        if (!wishes.filtered[lane]) continue;
        lanes |= lane_bit(lane, true);
        choice.vx[lane] = filtered.vx[lane];
        choice.vy[lane] = filtered.vy[lane];
    }
    const auto replace = [&](std::uint8_t& bits, std::uint8_t with) {
        bits = static_cast<std::uint8_t>((bits & ~lanes) | (with & lanes));
    };
    replace(choice.infeasible, filtered.infeasible);
    replace(choice.wall_lines_about_zero, filtered.wall_lines_about_zero);
    replace(choice.acceleration_exceeded, filtered.acceleration_exceeded);
}

}  // namespace

const Model& avoiding_model(const Model& own, Filter filter)
{
    switch (filter) {
        case Filter::none: return own;
        case Filter::orca: return orca::kModel;
        case Filter::clearpath: return clearpath::kModel;
    }
    return own;
}

FilterKernels::FilterKernels(Isa isa)
    : orca(orca::kModel.choose_for(isa)), clearpath(clearpath::kModel.choose_for(isa))
{}

void choose_and_filter(const Snapshot& snapshot, std::size_t leaf, ChooseVelocities choose,
                       const FilterKernels& filters, ModelScratch& scratch, Choice& choice)
{
    Filter filter[kLeafRows];
    for (std::size_t lane = 0; lane < kLeafRows; ++lane)
        filter[lane] = filter_of(snapshot, leaf * kLeafRows + lane);
    const bool explained_later =
        scratch.explain != nullptr && filter[scratch.explain_lane] != Filter::none;
    {
        const OneRun run(scratch, false, explained_later);
        choose(snapshot, leaf, scratch, choice);
    }
    for (const auto& [kind, kernel] :
         {std::pair{Filter::orca, filters.orca}, std::pair{Filter::clearpath, filters.clearpath}}) {
        if (std::find(filter, filter + kLeafRows, kind) == filter + kLeafRows) continue;
        Wishes& wishes = scratch.wishes;
        for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
            wishes.vx[lane] = choice.vx[lane];
            wishes.vy[lane] = choice.vy[lane];
            wishes.filtered[lane] = filter[lane] == kind;
        }
        filter_leaf(snapshot, leaf, kernel, scratch, choice);
    }
}

}  // namespace sidestep
