// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/trajectories.hpp"
#include "parallel/workers.hpp"
#include "support/seeded_random.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep::test {

inline Workers& one_thread()
{
    static Workers workers(1, Executor{});
    return workers;
}

/// Recordings for tests of metrics, frame by frame.
class TrajectoryMaker {
public:
    explicit TrajectoryMaker(double fps = 10.0, const std::string& wkt = "")
    {
        info.fps = fps;
        info.levels.push_back({0, wkt});
    }

    struct Row {
        std::int64_t id = 0;
        Vec2 position{};
        std::uint16_t level = 0;
    };
    /// Rows in id order.
    TrajectoryMaker& frame(std::int64_t number, const std::vector<Row>& rows)
    {
        RecordedFrame made;
        made.number = number;
        for (const Row& row : rows) made.agents.push_back({row.id, row.level, row.position, {}});
        frames.push_back(made);
        return *this;
    }

    Trajectories finish() const
    {
        TrajectoryCollector collector(info);
        for (const RecordedFrame& frame : frames) collector.add(frame);
        Trajectories made = collector.finish(notes);
        made.name = "made.sqlite";
        return made;
    }

    RecordingInfo info;
    RecordedNotes notes;
    std::vector<RecordedFrame> frames;
};

/// Walkers on straight ways at random velocities in a square of `side` [m], each there from and to
/// a random frame, some with gaps, on `levels` levels.
inline TrajectoryMaker random_crowd(std::uint64_t seed, std::size_t walkers, std::size_t frames,
                                    double side, std::uint16_t levels = 1)
{
    struct Way {
        Vec2 begin, velocity;
        std::size_t from, to, gap;
        std::uint16_t level;
    };
    SeededRandom random(seed);
    std::vector<Way> ways;
    for (std::size_t i = 0; i < walkers; ++i) {
        Way way{};
        way.begin = {random.uniform(0.0, side), random.uniform(0.0, side)};
        way.velocity = {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)};
        way.from = random.below(frames);
        way.to = way.from + random.below(frames - way.from) + 1;
        way.gap = random.below(4) == 0 ? random.below(frames) : frames;
        way.level = static_cast<std::uint16_t>(random.below(levels));
        ways.push_back(way);
    }
    TrajectoryMaker maker(10.0);
    for (std::size_t f = 0; f < frames; ++f) {
        std::vector<TrajectoryMaker::Row> rows;
        for (std::size_t i = 0; i < walkers; ++i) {
            const Way& way = ways[i];
            if (f < way.from || f >= way.to || f == way.gap) continue;
            const double time = 0.1 * static_cast<double>(f);
            rows.push_back(
                {static_cast<std::int64_t>(i) * 3 + 1,
                 {way.begin.x + time * way.velocity.x, way.begin.y + time * way.velocity.y},
                 way.level});
        }
        maker.frame(static_cast<std::int64_t>(f), rows);
    }
    return maker;
}

}  // namespace sidestep::test
