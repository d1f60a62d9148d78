// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recording/sqlite_head.hpp"
#include "sidestep/recording.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Rows of a recording taken from the pages of its file, for files so damaged that SQLite cannot
/// get at them: a table is a tree, and where its upper pages lie behind a cut nothing below them is
/// found. Rows are known by their shape; whether they are what was written is for hashes to say.
/// The layout of pages: https://www.sqlite.org/fileformat2.html.
class SqlitePages {
public:
    /// Looks through all pages. None: it has not even the head of an SQLite file.
    static std::optional<SqlitePages> scan(const std::string& path);

    const std::vector<ListedFrame>& frames() const { return frames_; }  ///< in their order
    const std::vector<LevelChange>& levels() const { return levels_; }  ///< in the order of frames
    /// The rows of a frame, in the order of ids; levels are not set.
    std::vector<RecordedAgent> agents_of(std::int64_t frame);
    /// Where the first so many bodies are; as many as are found.
    std::vector<Vec2> bodies_of(std::int64_t frame, std::size_t bodies) const;

private:
    bool load(std::uint32_t page);
    void take_page(std::uint32_t page);

    std::ifstream in_;
    std::vector<unsigned char> bytes_;  ///< of one page
    std::size_t usable_ = 0;            ///< bytes of a page that hold cells
    std::vector<ListedFrame> frames_;
    std::vector<LevelChange> levels_;
    /// Frames and the pages of trajectory_data that hold some of their rows, sorted.
    std::vector<std::pair<std::int64_t, std::uint32_t>> row_pages_;
    std::map<std::pair<std::int64_t, std::int64_t>, Vec2> bodies_;  ///< by frame and number
};

}  // namespace sidestep
