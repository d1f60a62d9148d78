// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "sidestep/recording.hpp"

namespace sidestep {

// What a file says of itself, so that damage is found.
//
// Each frame has a hash, and each other part of a recording has one over its lines: the head (fps,
// levels, places, bodies, scenario, facts of the beginning), the frames (their hashes, so that none
// is missing), events, walkers, ends, and the facts of the end. Formats that grow while they are
// written keep the hashes of what is there up to date.

/// Not every format gives -0 back, and a reader must find the bytes that were hashed.
inline double without_sign_of_zero(double value)
{
    return value + 0.0;
}

/// XXH3 over a frame as docs/formats/recording.md says: number, rows, bodies; zero has no sign.
class FrameHash {
public:
    explicit FrameHash(std::int64_t number) { hash_.add(number); }

    /// In the frame's order.
    void add(const RecordedAgent& agent)
    {
        rows_[filled_] = {agent.id,
                          std::int64_t{agent.level},
                          without_sign_of_zero(agent.position.x),
                          without_sign_of_zero(agent.position.y),
                          without_sign_of_zero(agent.orientation.x),
                          without_sign_of_zero(agent.orientation.y)};
        if (++filled_ == rows_.size()) add_rows();
    }
    /// The end: bodies, and the hash of all.
    std::uint64_t digest_with(std::span<const Vec2> bodies);

private:
    /// The bytes of a row that the hash answers for.
    struct Row {
        std::int64_t id, level;
        double pos_x, pos_y, ori_x, ori_y;
    };
    static_assert(sizeof(Row) == 48);

    void add_rows();

    StateHash hash_;
    std::array<Row, 64> rows_;  ///< XXH3 is slow in small bites
    std::size_t filled_ = 0;
};

std::uint64_t hash_of(const RecordedFrame& frame);

/// A note or head as one line of JSON without a line end; equal values give equal lines, and
/// doubles come back as they were.
std::string to_line(const RecordingInfo& info);
std::string to_line(const RecordedEvent& event);
std::string to_line(const RecordedWalker& walker);
std::string to_line(const RecordedEnd& end);
std::string to_line(const RecordedFacts& facts);

/// Adds what a line says. False: it is none of these.
bool add_line(std::string_view line, RecordedNotes& notes);
/// None: it is not the line of a head.
std::optional<RecordingInfo> info_from_line(std::string_view line);
std::optional<RecordedFacts> facts_from_line(std::string_view line);

/// How many frames of a damaged file come out, `missing` of those that its list still names do not,
/// and `written` there were, where that is known. None: nothing is missing.
std::optional<std::string> missing_text(std::uint64_t whole, std::uint64_t missing,
                                        std::optional<std::uint64_t> written);

/// "2 frames before are whole", "1 frame before is whole".
std::string whole_before(std::uint64_t frames);

/// 16 hexadecimal digits, and back.
std::string to_hash_text(std::uint64_t hash);
std::optional<std::uint64_t> hash_from_text(std::string_view text);

class Seal {
public:
    enum Part : std::uint8_t { head, frames, events, walkers, ends, facts };
    static constexpr std::array<std::string_view, 6> kNames{"head",    "frames", "events",
                                                            "walkers", "ends",   "facts"};

    void add(const RecordingInfo& info) { add_line(head, to_line(info)); }
    void add(const RecordedEvent& event) { add_line(events, to_line(event)); }
    void add(const RecordedWalker& walker) { add_line(walkers, to_line(walker)); }
    void add(const RecordedEnd& end) { add_line(ends, to_line(end)); }
    void add(const RecordedFacts& last) { add_line(facts, to_line(last)); }
    void add(const RecordedNotes& notes);
    void add_frame(std::uint64_t hash) { hashes_[frames].add(hash); }
    std::uint64_t digest(Part part) const { return hashes_[part].digest(); }

private:
    void add_line(Part part, std::string_view line);
    std::array<StateHash, 6> hashes_;
};

}  // namespace sidestep
