// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_deflate_stream.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

/// As zlib unpacks it, checksum and all; empty where it complains.
std::vector<unsigned char> unpack(const std::vector<unsigned char>& stream, std::size_t size)
{
    std::vector<unsigned char> bytes(size + 1);
    uLongf count = bytes.size();
    if (uncompress(bytes.data(), &count, stream.data(), stream.size()) != Z_OK) return {};
    bytes.resize(count);
    return bytes;
}

TEST(H5DeflateStream, runs_of_any_byte_and_length_come_back)
{
    H5DeflateStream stream;
    for (std::size_t count = 1; count < 800; ++count) {
        const auto byte = static_cast<unsigned char>(count * 7);
        stream.begin();
        stream.add_run(byte, count);
        ASSERT_EQ(unpack(stream.end(), count), std::vector<unsigned char>(count, byte)) << count;
    }
    stream.begin();
    stream.add_run(255, 5'000'000);
    const auto& packed = stream.end();
    EXPECT_LT(packed.size(), 32'000u);
    EXPECT_EQ(unpack(packed, 5'000'000), std::vector<unsigned char>(5'000'000, 255));
}

TEST(H5DeflateStream, pieces_of_all_kinds_follow_each_other)
{
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        test::SeededRandom random(seed);
        H5DeflateStream stream;
        std::vector<unsigned char> all;
        stream.begin();
        for (std::uint64_t piece = random.below(9); piece > 0; --piece) {
            const std::size_t count =
                random.below(2) == 0 ? random.below(5) : random.below(150'000);
            std::vector<unsigned char> bytes(count, static_cast<unsigned char>(random.below(256)));
            const std::uint64_t kind = random.below(3), values = 1 + random.below(256);
            if (kind == 0) {
                stream.add_run(bytes.empty() ? 0 : bytes[0], count);
            } else {
                for (unsigned char& byte : bytes) {
                    byte = static_cast<unsigned char>(random.below(values));
                }
            }
            if (kind == 1) stream.add_stored(bytes);
            if (kind == 2) stream.add_coded(bytes, random.below(257));
            all.insert(all.end(), bytes.begin(), bytes.end());
        }
        EXPECT_TRUE(unpack(stream.end(), all.size()) == all);
    }
}

std::size_t coded_size(const std::vector<unsigned char>& bytes, std::size_t distance)
{
    H5DeflateStream stream;
    stream.begin();
    stream.add_coded(bytes, distance);
    const auto& packed = stream.end();
    EXPECT_TRUE(unpack(packed, bytes.size()) == bytes) << bytes.size() << ", " << distance;
    return packed.size();
}

TEST(H5DeflateStream, bytes_that_repeat_at_any_distance_come_back)
{
    for (std::size_t distance = 1; distance <= H5DeflateStream::kMostDistance; ++distance) {
        std::vector<unsigned char> bytes;
        test::SeededRandom random(distance);
        for (std::size_t i = 0; i < 4'000; ++i) {
            const bool is_new = i < distance || random.below(100) == 0;
            bytes.push_back(is_new ? static_cast<unsigned char>(random.below(256))
                                   : bytes[i - distance]);
        }
        EXPECT_LT(coded_size(bytes, distance), 1'500u) << distance;
        bytes.resize(distance % 20);  // and those with little to repeat
        coded_size(bytes, distance);
    }
}

TEST(H5DeflateStream, counting_takes_little_more_than_its_first_bytes)
{
    std::vector<unsigned char> bytes(8'192);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
    EXPECT_LT(coded_size(bytes, 256), 450u);
}

TEST(H5DeflateStream, uneven_bytes_take_what_their_frequencies_ask_for)
{
    // One half, one quarter, an eighth, ...: two bits each on average, short of the last.
    test::SeededRandom random(3);
    std::vector<unsigned char> bytes(80'000);
    for (unsigned char& byte : bytes) {
        while (byte < 200 && random.below(2) == 0) ++byte;
    }
    EXPECT_LT(coded_size(bytes, 0), 20'000u * 102 / 100);
    EXPECT_GT(coded_size(bytes, 0), 20'000u * 98 / 100);
}

}  // namespace
}  // namespace sidestep
