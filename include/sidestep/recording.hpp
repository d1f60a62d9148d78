// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

// ---------------------------------------------------------------------------------------------
// what a recording holds

/// One agent in one frame, in the user's coordinates.
struct RecordedAgent {
    std::int64_t id = 0;
    std::uint16_t level = 0;
    Vec2 position{};     ///< [m]
    Vec2 orientation{};  ///< unit vector: direction of walking, the last one where it stands; (0,
                         ///< 0) where a file does not say
};

/// Frame numbers are at most this, and at least its negative: 2^52. Differences of two are whole
/// numbers in a double, too.
inline constexpr std::int64_t kLargestFrameNumber = std::int64_t{1} << 52;

/// A moment. Its time is number / fps.
struct RecordedFrame {
    std::int64_t number = 0;            ///< counts from 0 in ours; others may begin anywhere
    std::vector<RecordedAgent> agents;  ///< in id order
    std::vector<Vec2> bodies;           ///< where the bodies of RecordingInfo are, each
};

/// Something that happened: a door closed, agents were removed.
struct RecordedEvent {
    double time = 0.0;  ///< [s]
    std::string kind;   ///< door-closed, agents-removed, ...
    std::string text;   ///< for a person
};

/// What is known of an agent from the time it is there.
struct RecordedWalker {
    std::int64_t id = 0;
    double radius = 0.0;           ///< of the body [m]
    double preferred_speed = 0.0;  ///< [m/s]
    std::string group;             ///< of the [[agents]] or [[sources]] it belongs to
    std::string profile;
    std::string model;
};

/// How an agent's journey ended.
struct RecordedEnd {
    std::int64_t id = 0;
    double time = 0.0;          ///< [s], inside a step where it crossed a line
    std::string kind;           ///< left, stays, removed
    std::string place;          ///< name of the goal; empty where there is none
    double set_off = 0.0;       ///< when its pre-movement time was over [s]
    double shortest_way = 0.0;  ///< from where it began, stage by stage [m]; 0: not known
    bool is_arrival = false;    ///< counted in `arrived`
};

/// What a recording says besides frames, each in the order it happened.
struct RecordedNotes {
    std::vector<RecordedEvent> events;
    std::vector<RecordedWalker> walkers;
    std::vector<RecordedEnd> ends;
};

using RecordedFacts = std::vector<std::pair<std::string, std::string>>;

/// What is fixed while it is recorded.
struct RecordingInfo {
    double fps = 10.0;  ///< frames per simulated second
    struct Level {
        std::uint16_t level = 0;
        std::string wkt;  ///< walkable area: POLYGON or MULTIPOLYGON; empty: the open plane
    };
    std::vector<Level> levels;
    /// A named part of the plan.
    struct Place {
        std::string name;
        std::string kind;  ///< exit, waypoint, stay, door, zone, wall
        std::uint16_t level = 0;
        std::string wkt;  ///< POINT, LINESTRING, POLYGON or MULTIPOLYGON
    };
    std::vector<Place> places;
    /// Something scripted that moves; RecordedFrame::bodies has where it is.
    struct Body {
        std::string name;
        std::uint16_t level = 0;
        double radius = 0.0;        ///< of a disc [m]; 0: it has an outline
        std::vector<Vec2> outline;  ///< of a polygon, about its position [m]; it does not turn
    };
    std::vector<Body> bodies;
    std::string scenario_text;
    /// Anything else worth keeping: scene, model, seed, version, navigation mesh hash, ...
    RecordedFacts facts;
};

// ---------------------------------------------------------------------------------------------
// formats

/// A kind of file, known by its ending.
struct RecordingFormatInfo {
    std::string_view ending;   ///< ".sqlite"
    std::string_view meaning;  ///< one line for a person
    bool keeps_notes = false;  ///< events, walkers, ends, places, bodies, facts: all of a recording
    bool keeps_directions = true;  ///< RecordedAgent::orientation
    bool is_text = false;          ///< a file of another program may need `unit` and `columns`
};

std::span<const RecordingFormatInfo> recording_formats();
/// By the ending of a name, in capitals or not; an Error says which there are.
Result<RecordingFormatInfo> recording_format_of(const std::string& path);

// ---------------------------------------------------------------------------------------------
// writing

/// Writes a recording on a thread of its own; at most a fixed number of frames wait. The file
/// exists under its name only while and after it is complete enough to be read: every frame it
/// holds is whole.
class Recorder {
public:
    /// Creates the file; an existing one is kept (an Error) unless `replace`, and then it is there
    /// until `close` has succeeded. The kind is decided by the name's ending.
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
    Result<void> append(RecordedNotes notes);
    /// Ends the file: what is pending is written, then the last facts (state hash, reason of an
    /// interruption).
    Result<void> close(RecordedFacts facts = {});
    /// What holds the frames while it is not closed, and after an Error what is left: `path`, or
    /// another name beside it. Empty once it is closed.
    std::string unfinished_file() const;
    /// Ends without a recording, also after an Error of `close`: what was written is removed, and a
    /// file that would have been replaced stays as it is. A recording that is closed stays.
    void discard();

private:
    struct State;
    explicit Recorder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// ---------------------------------------------------------------------------------------------
// reading

struct RecordingReadOptions {
    /// Frames per second of a file that does not say [1/s]; one that does say keeps its own.
    std::optional<double> fps{};
    /// Length of the file's unit [m], of text files of other programs alone, else an Error: 0.01
    /// for centimetres. None: as the file says, else metres.
    std::optional<double> unit{};
    /// What the columns of a text file of another program are, where it does not say: id, frame,
    /// time, x, y, level, or - for one to pass over (z is passed over, too).
    std::vector<std::string> columns{};
    /// Take what is whole of a damaged file instead of refusing it.
    bool recover = false;
};

/// Reads a recording frame by frame, ours or that of another program. What is damaged is said,
/// never passed on.
class RecordingReader {
public:
    /// Opens a file and checks what it says besides frames. The kind is decided by the name's
    /// ending.
    static Result<RecordingReader> open(const std::string& path,
                                        const RecordingReadOptions& options = {});
    RecordingReader(RecordingReader&&) noexcept;
    RecordingReader& operator=(RecordingReader&&) noexcept;
    ~RecordingReader();

    const RecordingInfo& info() const;
    const RecordedNotes& notes() const;
    /// Whether the program that wrote it came to its end. False: one of ours that still grows, or
    /// whose run was killed; what is there is whole. Files that do not say are taken to be.
    bool is_closed() const;
    /// The next frame, in the order of their numbers. False: there is none. An Error: damage; it
    /// names the place and how many frames before it are whole. Where damage is recovered from, the
    /// frames that are whole come without an Error.
    Result<bool> next(RecordedFrame& frame);
    /// What was passed over because it is damaged or missing, in words; empty unless `recover`.
    const std::vector<std::string>& damage() const;

private:
    struct State;
    explicit RecordingReader(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sidestep
