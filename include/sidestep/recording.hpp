// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// One agent in one frame, in the user's coordinates.
struct RecordedAgent {
    std::uint32_t id = 0;
    std::uint16_t level = 0;
    Vec2 position{};     ///< [m]
    Vec2 orientation{};  ///< unit vector: direction of walking, the last one where it stands
};

struct RecordedFrame {
    std::uint64_t number = 0;           ///< counts from 0
    std::vector<RecordedAgent> agents;  ///< in id order
};

struct RecordedEvent {
    double time = 0.0;  ///< [s]
    std::string kind;   ///< door-closed, agents-removed, ...
    std::string text;   ///< for a person
};

/// What a recording says besides the frames.
struct RecordingInfo {
    double fps = 10.0;  ///< frames per simulated second
    struct Level {
        std::uint16_t level = 0;
        std::string wkt;  ///< walkable area: POLYGON or MULTIPOLYGON; empty: the open plane
    };
    std::vector<Level> levels;
    std::string scenario_text;
    /// Anything else worth keeping: scene, model, seed, version, navigation mesh hash, ...
    std::vector<std::pair<std::string, std::string>> facts;
};

/// Writes a recording on a thread of its own; at most a fixed number of frames wait. The file
/// exists under its name only while and after it is complete enough to be read: every frame it
/// holds is whole.
class Recorder {
public:
    /// Creates the file; an existing one is kept (an Error) unless `replace`, and then it is there
    /// until `close` has succeeded. The kind is decided by the name's ending: .sqlite.
    static Result<Recorder> open(const std::string& path, const RecordingInfo& info,
                                 bool replace = false);
    /// What `open` would say of the ending, the folder and an existing file, before there is
    /// anything to record.
    static Result<void> check(const std::string& path, bool replace = false);
    Recorder(Recorder&&) noexcept;
    Recorder& operator=(Recorder&&) noexcept;
    ~Recorder();  ///< closes, ignoring errors

    /// Hands a frame over; waits while too many are under way. An Error is of an earlier write.
    Result<void> append(RecordedFrame frame);
    Result<void> append(RecordedEvent event);
    /// Ends the file: what is pending is written, then the last facts (state hash, reason of an
    /// interruption).
    Result<void> close(std::vector<std::pair<std::string, std::string>> facts = {});

private:
    struct State;
    explicit Recorder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sidestep
