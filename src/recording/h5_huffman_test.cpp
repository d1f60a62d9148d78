// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_huffman.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

std::vector<HuffmanCode> codes_for(const std::vector<std::uint32_t>& counts, unsigned most_bits)
{
    std::vector<HuffmanCode> codes(counts.size());
    make_huffman_codes(counts, most_bits, codes);
    return codes;
}

std::vector<unsigned> lengths_for(const std::vector<std::uint32_t>& counts, unsigned most_bits)
{
    std::vector<unsigned> lengths;
    for (const HuffmanCode& code : codes_for(counts, most_bits)) lengths.push_back(code.length);
    return lengths;
}

TEST(HuffmanCodes, common_symbols_have_short_codes)
{
    // Huffman's tree: 1 + 1 = 2, 2 + 2 = 4, 4 + 4 = 8, 8 + 8.
    EXPECT_EQ(lengths_for({8, 1, 0, 4, 2, 1}, 15), (std::vector<unsigned>{1, 4, 0, 2, 3, 4}));
    EXPECT_EQ(lengths_for({5, 5, 5, 5}, 15), (std::vector<unsigned>{2, 2, 2, 2}));
    EXPECT_EQ(lengths_for({0, 9, 0}, 15), (std::vector<unsigned>{0, 1, 0}));
    EXPECT_EQ(lengths_for({0, 0}, 15), (std::vector<unsigned>{0, 0}));
}

TEST(HuffmanCodes, a_limit_is_kept_at_the_cost_of_rare_symbols)
{
    // Without a limit these have 1, 2, 3, 4, 4 bits.
    EXPECT_EQ(lengths_for({16, 8, 4, 2, 2}, 3), (std::vector<unsigned>{1, 3, 3, 3, 3}));
}

TEST(HuffmanCodes, codes_are_numbered_as_the_standard_does)
{
    // The example of [RFC1951] 3.2.2: lengths 3, 3, 3, 3, 3, 2, 4, 4 have these codes, whose first
    // bit is the lowest here.
    const auto codes = codes_for({4, 4, 4, 4, 4, 8, 2, 2}, 15);
    const std::vector<unsigned> bits{0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111};
    for (std::size_t i = 0; i < bits.size(); ++i) EXPECT_EQ(codes[i].bits, bits[i]) << i;
}

/// No place is left and none is given twice: what readers of deflate ask for.
TEST(HuffmanCodes, whatever_the_counts_codes_fill_the_room_there_is)
{
    for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
        SCOPED_TRACE(seed);
        test::SeededRandom random(seed);
        std::vector<std::uint32_t> counts(2 + random.below(285));
        const unsigned most_bits = 9 + static_cast<unsigned>(random.below(7));
        std::size_t used = 0;
        for (std::uint32_t& count : counts) {  // over many orders of magnitude
            count = static_cast<std::uint32_t>(random.below(1u << random.below(24)));
            used += count > 0 ? 1 : 0;
        }
        std::vector<int> owner(std::size_t{1} << most_bits, -1);
        std::size_t filled = 0;
        const auto codes = codes_for(counts, most_bits);
        for (std::size_t i = 0; i < codes.size(); ++i) {
            ASSERT_EQ(codes[i].length > 0, counts[i] > 0);
            if (counts[i] == 0) continue;
            ASSERT_LE(codes[i].length, most_bits);
            const std::size_t step = std::size_t{1} << codes[i].length;
            for (std::size_t at = codes[i].bits; at < owner.size(); at += step) {
                ASSERT_EQ(owner[at], -1) << i;
                owner[at] = static_cast<int>(i);
                ++filled;
            }
        }
        if (used > 1) {
            EXPECT_EQ(filled, owner.size());
        }
    }
}

}  // namespace
}  // namespace sidestep
