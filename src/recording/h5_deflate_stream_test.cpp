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
            if (random.below(2) == 0) {
                stream.add_run(bytes.empty() ? 0 : bytes[0], count);
            } else {
                for (unsigned char& byte : bytes) {
                    byte = static_cast<unsigned char>(random.below(256));
                }
                stream.add_stored(bytes);
            }
            all.insert(all.end(), bytes.begin(), bytes.end());
        }
        EXPECT_TRUE(unpack(stream.end(), all.size()) == all);
    }
}

}  // namespace
}  // namespace sidestep
