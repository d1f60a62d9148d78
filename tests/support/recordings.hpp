// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sidestep/recording.hpp"
#include "support/seeded_random.hpp"
#include "support/test_folder.hpp"

namespace sidestep::test {

/// A folder for recordings, most of them called run.sqlite.
class RecordingFolder : public TestFolder {
protected:
    std::string path(const std::string& name = "run.sqlite") const
    {
        return TestFolder::path(name);
    }
};

/// Something of everything: levels, one of them open, places, bodies, facts, a text that is not
/// plain.
inline RecordingInfo sample_info()
{
    RecordingInfo info;
    info.fps = 12.5;
    info.levels = {{0, "POLYGON ((0 0, 9 0, 9 5, 0 5, 0 0))"},
                   {3, "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((6 0, 8 0, 8 2, 6 0)))"},
                   {7, ""}};
    info.places = {{"way out", "exit", 0, "LINESTRING (9 1, 9 2)"},
                   {"désk", "stay", 3, "POINT (1 0.5)"},
                   {"", "zone", 0, "POLYGON ((0 0, 1 0, 1 1, 0 0))"}};
    info.bodies = {{"cart", 0, 0.5, {}}, {"tram", 3, 0.0, {{-2.5, -1}, {2.5, -1}, {0.1, 1.0 / 3}}}};
    info.scenario_text = "format = 1\n# \"quoted\" and \\ and \t and \xc3\xa9\n";
    info.facts = {{"scene", "a sample"}, {"seed", "7"}};
    return info;
}

/// Agents come, walk, change their level and leave; every fifth frame is empty.
inline RecordedFrame sample_frame(std::int64_t number, std::int64_t agents = 12)
{
    RecordedFrame frame;
    frame.number = number;
    for (std::int64_t id = 0; id < (number % 5 == 4 ? 0 : agents); ++id) {
        SeededRandom random(static_cast<std::uint64_t>(id * 1000 + number));
        const Vec2 place = random.in_box(4.0);
        frame.agents.push_back({id * id - 3, static_cast<std::uint16_t>(number < 2 * id ? 0 : 3),
                                place + Vec2{4.5, 2.5}, random.direction()});
    }
    const double t = static_cast<double>(number) / 12.5;
    frame.bodies = {{1.0 + t, 2.0}, {-t, 1.0 / 3.0}};
    return frame;
}

inline RecordedNotes sample_notes(std::int64_t agents = 12)
{
    RecordedNotes notes;
    for (std::int64_t id = 0; id < agents; ++id) {
        const double x = static_cast<double>(id);
        notes.walkers.push_back({id * id - 3, 0.2 + 0.01 * x, 1.34, "people", "default", "orca"});
        notes.ends.push_back({id * id - 3, 1.0 / 3.0 + x, id % 3 == 0 ? "stays" : "left",
                              id % 3 == 0 ? "désk" : "way out", 0.1 * x, 5.0 + x, id % 4 != 0});
    }
    notes.events = {{0.0, "door-closed", "door 'A' closes"}, {1.25, "agents-removed", "2 agents"}};
    return notes;
}

inline RecordedFacts sample_end()
{
    return {{"state_hash", "0123456789abcdef"}, {"steps", "80"}};
}

/// Writes the sample with so many frames; false where something failed.
inline bool write_sample(const std::string& path, std::int64_t frames, std::int64_t agents = 12)
{
    auto recorder = Recorder::open(path, sample_info());
    if (!recorder || !recorder->append(sample_notes(agents))) return false;
    for (std::int64_t number = 0; number < frames; ++number) {
        if (!recorder->append(sample_frame(number, agents))) return false;
    }
    return recorder->close(sample_end()).has_value();
}

}  // namespace sidestep::test
