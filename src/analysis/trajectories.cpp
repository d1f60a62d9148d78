// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/trajectories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

namespace sidestep {
namespace {

constexpr std::size_t kMaxRows = 0xffffffffu;
/// Times of frames are quotients; this much earlier counts as then [s].
constexpr double kTimeSlack = 1e-9;

/// Renumbers walkers by id: they were numbered as they came.
void sort_walkers(Trajectories& t)
{
    std::vector<std::uint32_t> order(t.walkers.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return t.walkers[a].id < t.walkers[b].id; });
    std::vector<std::uint32_t> new_index(order.size());
    std::vector<Trajectories::Walker> sorted(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        new_index[order[i]] = i;
        sorted[i] = t.walkers[order[i]];
    }
    t.walkers = std::move(sorted);
    for (std::uint32_t& walker : t.walker) walker = new_index[walker];
}

void index_rows(Trajectories& t)
{
    t.walker_begin.assign(t.walkers.size() + 1, 0);
    for (const std::uint32_t walker : t.walker) ++t.walker_begin[walker + 1];
    std::partial_sum(t.walker_begin.begin(), t.walker_begin.end(), t.walker_begin.begin());
    t.walker_row.resize(t.walker.size());
    std::vector<std::size_t> next(t.walker_begin.begin(), t.walker_begin.end() - 1);
    for (std::size_t row = 0; row < t.walker.size(); ++row) {
        t.walker_row[next[t.walker[row]]++] = static_cast<std::uint32_t>(row);
    }
}

void join_notes(Trajectories& t)
{
    const auto find = [&](std::int64_t id) -> Trajectories::Walker* {
        const auto at =
            std::lower_bound(t.walkers.begin(), t.walkers.end(), id,
                             [](const auto& walker, std::int64_t i) { return walker.id < i; });
        return at != t.walkers.end() && at->id == id ? &*at : nullptr;
    };
    for (std::size_t i = 0; i < t.notes.walkers.size(); ++i) {
        const RecordedWalker& note = t.notes.walkers[i];
        if (Trajectories::Walker* walker = find(note.id)) {
            walker->note = static_cast<std::uint32_t>(i);
            if (note.radius > 0.0) walker->radius = note.radius;
        }
    }
    for (std::size_t i = 0; i < t.notes.ends.size(); ++i) {
        if (Trajectories::Walker* walker = find(t.notes.ends[i].id))
            walker->end = static_cast<std::uint32_t>(i);
    }
}

/// Numbers ascend, and may be larger than a double can tell apart [s].
double seconds_since(std::int64_t before, std::int64_t number, double fps)
{
    return static_cast<double>(static_cast<std::uint64_t>(number) -
                               static_cast<std::uint64_t>(before)) /
           fps;
}

/// Of a part of a recording: what happened then.
RecordedNotes take_part(RecordedNotes notes, const LoadOptions& options)
{
    const auto is_outside = [&](const auto& note) {
        return note.time < options.from - kTimeSlack || note.time > options.to + kTimeSlack;
    };
    std::erase_if(notes.events, is_outside);
    std::erase_if(notes.ends, is_outside);
    return notes;
}

}  // namespace

TrajectoryCollector::TrajectoryCollector(RecordingInfo info)
{
    made_.info = std::move(info);
    made_.frame_begin.push_back(0);
}

bool TrajectoryCollector::add(const RecordedFrame& frame)
{
    if (made_.walker.size() + frame.agents.size() > kMaxRows) return false;
    for (const RecordedAgent& agent : frame.agents) {
        const auto [at, is_new] =
            index_of_.try_emplace(agent.id, static_cast<std::uint32_t>(made_.walkers.size()));
        if (is_new)
            made_.walkers.push_back(
                {.id = agent.id, .radius = std::numeric_limits<double>::quiet_NaN()});
        made_.walker.push_back(at->second);
        made_.level.push_back(agent.level);
        made_.position.push_back(agent.position);
    }
    for (std::size_t i = 0; i < made_.info.bodies.size(); ++i) {
        made_.body_position.push_back(i < frame.bodies.size() ? frame.bodies[i] : Vec2{});
    }
    made_.frames.push_back(frame.number);
    made_.frame_begin.push_back(made_.walker.size());
    return true;
}

Trajectories TrajectoryCollector::finish(RecordedNotes notes)
{
    made_.notes = std::move(notes);
    sort_walkers(made_);
    index_rows(made_);
    join_notes(made_);
    return std::move(made_);
}

Result<Trajectories> load_trajectories(const std::string& path, const LoadOptions& options)
{
    auto reader = RecordingReader::open(path, options.read);
    if (!reader) return reader.error();
    try {
        const double fps = reader->info().fps;
        TrajectoryCollector collector(reader->info());
        RecordedFrame frame;
        std::optional<std::int64_t> taken;  // number of the last frame that was
        std::optional<double> first, last;  // times of what there is
        for (;;) {
            const Result<bool> more = reader->next(frame);
            if (!more) return more.error();
            if (!*more) break;
            const double time = static_cast<double>(frame.number) / fps;
            if (!first) first = time;
            last = time;
            if (time < options.from - kTimeSlack || time > options.to + kTimeSlack) continue;
            if (taken && seconds_since(*taken, frame.number, fps) < options.every - kTimeSlack)
                continue;
            taken = frame.number;
            if (!collector.add(frame)) {
                return Error{
                    ErrorCode::unsupported,
                    fmt::format("{}: has more than {} rows; take fewer frames", path, kMaxRows)};
            }
        }
        if (first && !taken) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("{}: has no frame in that time; it goes from {:g} to {:g} s",
                                     path, *first, *last)};
        }
        Trajectories made = collector.finish(take_part(reader->notes(), options));
        made.name = std::filesystem::path(path).filename().string();
        made.damage = reader->damage();
        made.is_closed = reader->is_closed();
        return made;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory,
                     path + ": does not fit into memory; take fewer frames"};
    }
}

}  // namespace sidestep
