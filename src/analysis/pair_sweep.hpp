// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/frame_grid.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

// Episodes of pairs: two walkers are near each other for some frames on end. Blocks of frames are
// swept side by side; a block does not know what was before it, so that it keeps what is open at
// its first and at its last frame, and these ends are joined afterwards, block by block. What comes
// out does not depend on where blocks begin.

/// Two walkers in one frame.
struct NearPair {
    std::uint64_t key = 0;  ///< the walkers, the lower index first; equal pairs have equal keys
    std::uint32_t row_a = 0, row_b = 0;
    double distance = 0.0;  ///< of the centres [m]
};

/// Finds pairs, with the memory of one worker.
class PairFinder {
public:
    /// The pairs of a frame within `range` [m] for which keep(pair) holds, by key.
    template <class Keep>
    std::span<const NearPair> find(const Trajectories& t, std::size_t frame, double range,
                                   Keep&& keep)
    {
        found_.clear();
        grid_.build(t, frame, range);
        grid_.for_each_pair(range, [&](std::uint32_t a, std::uint32_t b, double distance_sq) {
            const std::uint32_t walker_a = t.walker[a];
            const std::uint32_t walker_b = t.walker[b];
            if (walker_a == walker_b) return;  // twice in one frame
            const NearPair pair{std::uint64_t{walker_a} << 32 | walker_b, a, b,
                                std::sqrt(distance_sq)};
            if (keep(pair)) found_.push_back(pair);
        });
        sort_by_key(t.frame_begin[frame], t.frame_begin[frame + 1]);
        return sorted_;
    }

private:
    /// Rows are in the order of walkers: by counting for the first, the few of each by comparison.
    void sort_by_key(std::size_t first_row, std::size_t end_row);

    FrameGrid grid_;
    std::vector<NearPair> found_, sorted_;
    std::vector<std::uint32_t> begin_;
};

/// Rules of episodes, and what is kept of one:
///     struct Record;
///     double range() const;                         nobody farther apart than this matters [m]
///     bool keep(const NearPair&) const;
///     bool may_begin(const NearPair&) const;        an episode begins here if none is under way
///     Record begin(const NearPair&) const;          also where may_begin says no: see absorb
///     void extend(Record&, const NearPair&) const;
///     void absorb(Record& earlier, const Record& later) const;
///                                                   both are one; may_begin was not asked for
///                                                   later
///     bool counts(const Record&) const;             whether a whole episode is wanted
///     void see(std::size_t frame, std::span<const NearPair>)
///                                                   each frame once, of any thread
template <class Rules>
class PairSweep {
public:
    using Record = typename Rules::Record;

    PairSweep(const Trajectories& t, Rules& rules) : t_(t), rules_(rules) {}

    /// The episodes that count, in an order that means nothing.
    std::vector<Record> run(Workers& workers)
    {
        std::vector<PairFinder> finders(workers.count());
        const std::size_t blocks = (t_.frames.size() + kBlock - 1) / kBlock;
        std::vector<Block> round(std::size_t{2} * workers.count());
        for (std::size_t first = 0; first < blocks; first += round.size()) {
            const std::size_t count = std::min(round.size(), blocks - first);
            parallel_for(workers, count, [&](std::size_t i, std::uint32_t worker) {
                sweep_block(first + i, finders[worker], round[i]);
            });
            for (std::size_t i = 0; i < count; ++i) join(round[i]);
        }
        for (const Episode& episode : open_) finish(episode.record, done_);
        return std::move(done_);
    }

private:
    struct Episode {
        std::uint64_t key;
        Record record;
        bool from_start;  ///< there in the first frame of its block: it may have begun before
    };
    struct Block {
        std::vector<Episode> closed;  ///< from_start, and over before the end; by key
        std::vector<Episode> open;    ///< at the end; by key
        std::vector<Record> done;
    };
    static constexpr std::size_t kBlock = 16;  // frames

    void finish(const Record& record, std::vector<Record>& done) const
    {
        if (rules_.counts(record)) done.push_back(record);
    }

    void sweep_block(std::size_t index, PairFinder& finder, Block& block)
    {
        block.closed.clear();
        block.open.clear();
        block.done.clear();
        std::vector<Episode> next;
        const std::size_t first = index * kBlock;
        const std::size_t end = std::min(t_.frames.size(), first + kBlock);
        for (std::size_t frame = first; frame < end; ++frame) {
            const auto pairs = finder.find(t_, frame, rules_.range(),
                                           [&](const NearPair& pair) { return rules_.keep(pair); });
            rules_.see(frame, pairs);
            next.clear();
            step(pairs, frame == first, block, next);
            std::swap(block.open, next);
        }
        std::sort(block.closed.begin(), block.closed.end(),
                  [](const Episode& a, const Episode& b) { return a.key < b.key; });
    }

    /// One frame: block.open and pairs, both by key, give `next`.
    void step(std::span<const NearPair> pairs, bool is_start, Block& block,
              std::vector<Episode>& next)
    {
        auto open = block.open.begin();
        const auto close_before = [&](std::uint64_t key) {
            for (; open != block.open.end() && open->key < key; ++open) {
                if (open->from_start) {
                    block.closed.push_back(*open);
                } else {
                    finish(open->record, block.done);
                }
            }
        };
        for (const NearPair& pair : pairs) {
            close_before(pair.key);
            if (open != block.open.end() && open->key == pair.key) {
                rules_.extend(open->record, pair);
                next.push_back(*open++);
            } else if (is_start || rules_.may_begin(pair)) {
                next.push_back({pair.key, rules_.begin(pair), is_start});
            }
        }
        close_before(~std::uint64_t{0});
    }

    /// Joins what was open before a block with what it found open.
    void join(Block& block)
    {
        const auto find = [](std::vector<Episode>& in, std::uint64_t key) -> Episode* {
            const auto at = std::lower_bound(
                in.begin(), in.end(), key,
                [](const Episode& episode, std::uint64_t k) { return episode.key < k; });
            return at != in.end() && at->key == key && at->from_start ? &*at : nullptr;
        };
        for (Episode& earlier : open_) {
            Episode* later = find(block.closed, earlier.key);
            if (later == nullptr) later = find(block.open, earlier.key);
            if (later == nullptr) {
                finish(earlier.record, done_);
            } else {
                rules_.absorb(earlier.record, later->record);
                later->record = earlier.record;
            }
        }
        for (const Episode& episode : block.closed) finish(episode.record, done_);
        done_.insert(done_.end(), block.done.begin(), block.done.end());
        std::swap(open_, block.open);
    }

    const Trajectories& t_;
    Rules& rules_;
    std::vector<Episode> open_;
    std::vector<Record> done_;
};

}  // namespace sidestep
