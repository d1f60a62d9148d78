// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "recording/seal.hpp"
#include "sidestep/recording.hpp"
#include "support/seeded_random.hpp"

namespace sidestep::test {

// Files that were cut or had a bit turned over. A reader may refuse one, or give exactly what the
// whole file gives; anything else is wrong data. Told to recover, it may leave frames out where it
// says so.

/// All that a reader gives.
struct ReadBack {
    RecordingInfo info;
    RecordedNotes notes;
    std::vector<RecordedFrame> frames;
    std::vector<std::string> damage;
};

/// Reads to the end, or to the first Error. More than `most` frames are an Error, too.
inline Result<ReadBack> read_all(RecordingReader& reader, std::size_t most = 1'000'000)
{
    ReadBack read;
    for (;;) {
        RecordedFrame frame;
        const auto more = reader.next(frame);
        if (!more) return more.error();
        if (!*more) break;
        if (read.frames.size() == most) {
            return Error{ErrorCode::io, "there is no end to its frames"};
        }
        read.frames.push_back(std::move(frame));
    }
    read.info = reader.info();
    read.notes = reader.notes();
    read.damage = reader.damage();
    return read;
}

inline Result<ReadBack> read_back(const std::string& path, const RecordingReadOptions& options = {})
{
    auto reader = RecordingReader::open(path, options);
    if (!reader) return reader.error();
    return read_all(*reader);
}

inline bool is_equal(const RecordedFrame& a, const RecordedFrame& b)
{
    const auto same_agent = [](const RecordedAgent& x, const RecordedAgent& y) {
        return x.id == y.id && x.level == y.level && x.position == y.position &&
               x.orientation == y.orientation;
    };
    return a.number == b.number && a.bodies == b.bodies &&
           std::equal(a.agents.begin(), a.agents.end(), b.agents.begin(), b.agents.end(),
                      same_agent);
}

/// Info, notes and facts as text: two are equal where all values are.
inline std::string to_text(const RecordingInfo& info, const RecordedNotes& notes)
{
    std::string text = to_line(info);
    for (const auto& event : notes.events) text += '\n' + to_line(event);
    for (const auto& walker : notes.walkers) text += '\n' + to_line(walker);
    for (const auto& end : notes.ends) text += '\n' + to_line(end);
    return text;
}

inline bool is_equal(const ReadBack& a, const ReadBack& b)
{
    return to_text(a.info, a.notes) == to_text(b.info, b.notes) &&
           std::equal(a.frames.begin(), a.frames.end(), b.frames.begin(), b.frames.end(),
                      [](const auto& x, const auto& y) { return is_equal(x, y); });
}

/// Whether each of `some` is among `all`, in their order. What is left out is no wrong data.
template <class T, class ToLine>
bool is_part_of(const std::vector<T>& some, const std::vector<T>& all, ToLine line)
{
    std::size_t next = 0;
    for (const T& one : some) {
        while (next < all.size() && line(all[next]) != line(one)) ++next;
        if (next++ == all.size()) return false;
    }
    return true;
}

/// Each part of what a file says of itself is right, or is not there.
inline void expect_right_or_empty(const RecordingInfo& info, const RecordingInfo& right)
{
    EXPECT_EQ(info.fps, right.fps);
    RecordingInfo filled = info;
    if (info.levels.empty()) filled.levels = right.levels;
    if (info.places.empty()) filled.places = right.places;
    if (info.bodies.empty()) filled.bodies = right.bodies;
    if (info.scenario_text.empty()) filled.scenario_text = right.scenario_text;
    filled.facts = right.facts;
    EXPECT_EQ(to_line(filled), to_line(right));
    EXPECT_TRUE(is_part_of(info.facts, right.facts, [](const auto& fact) { return fact; }))
        << to_line(info.facts);
}

inline void expect_part(const RecordedNotes& notes, const RecordedNotes& all)
{
    const auto line = [](const auto& note) { return to_line(note); };
    EXPECT_TRUE(is_part_of(notes.events, all.events, line));
    EXPECT_TRUE(is_part_of(notes.walkers, all.walkers, line));
    EXPECT_TRUE(is_part_of(notes.ends, all.ends, line));
}

struct DamageCounts {
    std::size_t detected = 0;          ///< refused when asked for all
    std::size_t equal = 0;             ///< gave all there is: the damage hit nothing that counts
    std::size_t recovered_files = 0;   ///< of those detected, gave some frames when told to recover
    std::size_t recovered_frames = 0;  ///< together
};

/// Damages copies of one good file and judges what a reader makes of each. Failures are those of
/// the test and name the damage.
class DamageCheck {
public:
    explicit DamageCheck(const std::string& path) : path_(path)
    {
        std::ifstream in(path, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(in), {});
        auto read = read_back(path);
        EXPECT_TRUE(read) << read.error().message;
        if (read) original_ = *std::move(read);
        EXPECT_FALSE(original_.frames.empty());
    }

    std::size_t size() const { return bytes_.size(); }
    const ReadBack& original() const { return original_; }
    const DamageCounts& counts() const { return counts_; }

    /// Keeps the first bytes. Returns the frames that were recovered; all, where nothing is
    /// missing.
    std::size_t cut_to(std::size_t size)
    {
        return judge(bytes_.substr(0, size),
                     fmt::format("cut to {} of {} bytes", size, this->size()));
    }
    std::size_t flip(std::size_t bit)
    {
        std::string damaged = bytes_;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        return judge(damaged, fmt::format("bit {} of byte {} turned over", bit % 8, bit / 8));
    }

    /// Whatever the damage is.
    std::size_t judge(const std::string& damaged, const std::string& what)
    {
        SCOPED_TRACE(what);
        const std::filesystem::path good(path_);
        const std::string copy = good.parent_path() / ("damaged" + good.extension().string());
        std::ofstream(copy, std::ios::binary | std::ios::trunc) << damaged;
        const bool is_whole = judge_strict(copy);
        remove_side_files_of(copy);
        const std::size_t frames = judge_recovery(copy, is_whole);
        remove_side_files_of(copy);
        std::filesystem::remove(copy);
        return frames;
    }

private:
    /// Refused, or equal: then true.
    bool judge_strict(const std::string& copy)
    {
        auto reader = RecordingReader::open(copy);
        const auto read = reader ? read_all(*reader, original_.frames.size() + 1)
                                 : Result<ReadBack>(reader.error());
        if (!read) {
            ++counts_.detected;
            EXPECT_FALSE(read.error().message.empty());
            return false;
        }
        ++counts_.equal;
        EXPECT_TRUE(is_equal(*read, original_)) << "other data, and nothing is said";
        EXPECT_TRUE(read->damage.empty());
        return true;
    }

    std::size_t judge_recovery(const std::string& copy, bool is_whole)
    {
        RecordingReadOptions options;
        options.recover = true;
        auto reader = RecordingReader::open(copy, options);
        if (!reader) {  // where only that is lost, it can be said
            options.fps = original_.info.fps;
            reader = RecordingReader::open(copy, options);
        }
        if (!reader) {
            EXPECT_FALSE(is_whole) << reader.error().message;
            return 0;
        }
        const auto read = read_all(*reader, original_.frames.size() + 1);
        EXPECT_TRUE(read) << "recovery stops: " << read.error().message;
        if (!read) return 0;
        std::size_t next = 0;
        const auto& whole = original_.frames;
        for (RecordedFrame frame : read->frames) {
            while (next < whole.size() && whole[next].number < frame.number) ++next;
            // Bodies that nobody knows have no places.
            if (next < whole.size() && read->info.bodies.empty() && frame.bodies.empty()) {
                frame.bodies = whole[next].bodies;
            }
            const bool is_known = next < whole.size() && is_equal(whole[next], frame);
            EXPECT_TRUE(is_known) << "frame " << frame.number << " is another one";
            ++next;
        }
        expect_right_or_empty(read->info, original_.info);
        expect_part(read->notes, original_.notes);
        EXPECT_TRUE(!read->damage.empty() || is_equal(*read, original_)) << "nothing is said";
        EXPECT_TRUE(!is_whole || is_equal(*read, original_));
        counts_.recovered_files += !is_whole && !read->frames.empty() ? 1 : 0;
        counts_.recovered_frames += is_whole ? 0 : read->frames.size();
        return read->frames.size();
    }

    /// What SQLite may leave beside a file it took for one that is being written.
    static void remove_side_files_of(const std::string& copy)
    {
        for (const char* ending : {"-wal", "-shm", "-journal"}) {
            std::filesystem::remove(copy + ending);
        }
    }

    std::string path_;
    std::string bytes_;
    ReadBack original_;
    DamageCounts counts_;
};

/// Cuts the file at seeded places and turns single seeded bits over, each in a copy of its own
/// beside it.
inline DamageCounts check_damage(const std::string& path, std::size_t cuts, std::size_t flips,
                                 std::uint64_t seed)
{
    DamageCheck check(path);
    if (check.size() == 0) return {};
    SeededRandom random(seed);
    for (std::size_t i = 0; i < cuts; ++i) check.cut_to(random.below(check.size()));
    for (std::size_t i = 0; i < flips; ++i) check.flip(random.below(check.size() * 8));
    return check.counts();
}

}  // namespace sidestep::test
