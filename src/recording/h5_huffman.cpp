// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_huffman.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sidestep {
namespace {

constexpr std::size_t kMostBits = 15;

struct Leaf {
    std::uint32_t count;
    std::uint16_t symbol;
};

/// Depths of Huffman's tree for `leaves` in rising order of counts. Nodes are made in rising order,
/// too, so that two queues are enough: leaves, and nodes without a parent.
void find_depths(std::span<const Leaf> leaves, std::span<std::uint8_t> depths)
{
    const std::size_t n = leaves.size();
    std::array<std::uint64_t, kMostHuffmanSymbols> count{};
    std::array<std::uint16_t, 2 * kMostHuffmanSymbols> parent{};  // leaves, then nodes
    std::size_t leaf = 0, node = 0;
    for (std::size_t made = 0; made + 1 < n; ++made) {
        for (int child = 0; child < 2; ++child) {
            const bool is_leaf = leaf < n && (node == made || leaves[leaf].count <= count[node]);
            count[made] += is_leaf ? leaves[leaf].count : count[node];
            parent[is_leaf ? leaf++ : n + node++] = static_cast<std::uint16_t>(made);
        }
    }
    std::array<std::uint16_t, kMostHuffmanSymbols> node_depth{};  // the last one is the root
    for (std::size_t i = n - 1; i-- > 0;) {
        node_depth[i] = i + 2 == n ? 0 : static_cast<std::uint16_t>(node_depth[parent[n + i]] + 1);
    }
    for (std::size_t i = 0; i < n; ++i) {
        depths[i] = static_cast<std::uint8_t>(node_depth[parent[i]] + 1);
    }
}

/// Cuts what is too deep. Codes that no longer fit side by side are made longer, the rarest of
/// those with room first; then the commonest get back what is left.
void limit_depths(std::span<std::uint8_t> depths, unsigned most_bits)
{
    const auto share = [&](std::uint8_t depth) { return std::uint32_t{1} << (most_bits - depth); };
    const std::uint32_t room = std::uint32_t{1} << most_bits;
    std::uint32_t used = 0;
    for (std::uint8_t& depth : depths) {
        depth = std::min(depth, static_cast<std::uint8_t>(most_bits));
        used += share(depth);
    }
    for (std::size_t i = 0; used > room; i = i + 1 < depths.size() ? i + 1 : 0) {
        for (; depths[i] < most_bits && used > room; ++depths[i]) used -= share(depths[i]) / 2;
    }
    for (std::size_t i = depths.size(); i-- > 0;) {
        for (; depths[i] > 1 && used + share(depths[i]) <= room; --depths[i]) {
            used += share(depths[i]);
        }
    }
}

std::uint16_t reversed(std::uint32_t code, unsigned length)
{
    code = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
    code = (code & 0x3333) << 2 | (code >> 2 & 0x3333);
    code = (code & 0x0f0f) << 4 | (code >> 4 & 0x0f0f);
    code = (code & 0x00ff) << 8 | (code >> 8 & 0x00ff);
    return static_cast<std::uint16_t>(code >> (16 - length));
}

void number_codes(std::span<HuffmanCode> codes)
{
    std::array<std::uint32_t, kMostBits + 2> next{};
    for (const HuffmanCode& code : codes) {
        if (code.length > 0) ++next[code.length + 1u];
    }
    for (std::size_t length = 1; length < next.size(); ++length) {
        next[length] = (next[length] + next[length - 1]) << 1;
    }
    for (HuffmanCode& code : codes) {
        if (code.length > 0) code.bits = reversed(next[code.length]++, code.length);
    }
}

}  // namespace

void make_huffman_codes(std::span<const std::uint32_t> counts, unsigned most_bits,
                        std::span<HuffmanCode> codes)
{
    std::array<Leaf, kMostHuffmanSymbols> leaves;
    std::array<std::uint8_t, kMostHuffmanSymbols> depths{};
    std::size_t n = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        codes[i] = {};
        if (counts[i] > 0) leaves[n++] = {counts[i], static_cast<std::uint16_t>(i)};
    }
    // A total order: equal counts give equal files.
    std::sort(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(n),
              [](const Leaf& a, const Leaf& b) {
                  return a.count != b.count ? a.count < b.count : a.symbol < b.symbol;
              });
    if (n == 1) depths[0] = 1;
    if (n > 1) {
        find_depths({leaves.data(), n}, {depths.data(), n});
        limit_depths({depths.data(), n}, most_bits);
    }
    for (std::size_t i = 0; i < n; ++i) codes[leaves[i].symbol].length = depths[i];
    number_codes(codes);
}

}  // namespace sidestep
