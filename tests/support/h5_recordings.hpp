// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recording/h5_writer.hpp"
#include "sidestep/recording.hpp"
#include "support/recordings.hpp"

namespace sidestep::test {

class H5Test : public RecordingFolder {
protected:
    std::string path(const std::string& name = "run.h5") const
    {
        return RecordingFolder::path(name);
    }
};

/// Two levels, two bodies, places, facts.
inline RecordingInfo station()
{
    RecordingInfo info;
    info.fps = 12.5;
    info.levels = {{0, "POLYGON ((0 0, 90 0, 90 50, 0 50, 0 0))"},
                   {3, "POLYGON ((0 0, 20 0, 20 50, 0 50, 0 0))"}};
    info.places = {{"way out", "exit", 3, "LINESTRING (20 1, 20 3)"}};
    info.bodies = {{"cart", 0, 0.5, {}}, {"gate", 3, 0.0, {{-1, 0}, {1, 0}, {0, 0.25}}}};
    info.scenario_text = "format = 1\n";
    info.facts = {{"scene", "a station"}, {"seed", "7"}};
    return info;
}

/// Walkers come and go, and change their level; every tenth frame has nobody in it.
inline RecordedFrame station_frame(std::int64_t number)
{
    RecordedFrame frame{number, {}, {{0.125 * static_cast<double>(number), 3.0}, {7.0, -1.5}}};
    if (number % 10 == 9) return frame;
    for (std::int64_t id = number / 20; id < number / 20 + 9; ++id) {
        const double t = 0.1 * static_cast<double>(number) + static_cast<double>(id);
        frame.agents.push_back({id * id - 5,
                                static_cast<std::uint16_t>((id + number / 30) % 2 * 3),
                                {1.0 / 3.0 + 1.34 * t, 20.0 - t / 7.0},
                                {0.6, id % 2 == 0 ? 0.8 : -0.8}});
    }
    return frame;
}

inline RecordedNotes station_notes(std::int64_t number)
{
    const double t = static_cast<double>(number) / 12.5;
    return {{{t, "door-closed", "door \"A\" closes, \xc3\xa9\n"}},
            {{number, 0.2, 1.0 / 3.0, "crowd", "default", "orca"}},
            {{number - 3, t, "left", "way out", 0.5, 31.25, true}}};
}

inline std::vector<RecordedItem> station_items(std::int64_t frames)
{
    std::vector<RecordedItem> items;
    for (std::int64_t i = 0; i < frames; ++i) {
        items.emplace_back(station_frame(i));
        if (i % 8 == 0) items.emplace_back(station_notes(i));
    }
    return items;
}

/// What comes back of a frame: directions are floats in the file.
inline RecordedFrame as_read(RecordedFrame frame)
{
    for (RecordedAgent& agent : frame.agents) {
        agent.orientation = {static_cast<float>(agent.orientation.x),
                             static_cast<float>(agent.orientation.y)};
    }
    return frame;
}

/// Chunks of 64 rows: many of them in a small file.
inline Result<std::unique_ptr<RecordingWriter>> make_station(const std::string& path,
                                                             H5Writer::Limits limits = {
                                                                 .chunk_rows = 64})
{
    const auto target = check_target(path, false);
    if (!target) return target.error();
    return H5Writer::create(*target, station(), limits);
}

inline void write_station(const std::string& path, std::int64_t frames)
{
    auto writer = make_station(path);
    ASSERT_TRUE(writer) << writer.error().message;
    const auto items = station_items(frames);
    ASSERT_TRUE((*writer)->write(items));
    ASSERT_TRUE((*writer)->finish({{"state_hash", "0123"}}));
}

}  // namespace sidestep::test
