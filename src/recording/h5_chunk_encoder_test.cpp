// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_chunk_encoder.hpp"

#include <gtest/gtest.h>

#include "recording/h5_growing.hpp"
#include "support/h5_recordings.hpp"
#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

using test::H5Test;

class H5ChunkEncoderTest : public H5Test {};

/// Bytes of all kinds: constant, counting, noise, few values, runs; drawn anew for each chunk, so
/// that packings chosen for one chunk meet others.
std::vector<unsigned char> random_rows(std::size_t rows, std::size_t row_bytes,
                                       test::SeededRandom& random)
{
    std::vector<unsigned char> bytes(rows * row_bytes);
    for (std::size_t column = 0; column < row_bytes; ++column) {
        const std::uint64_t kind = random.below(5);
        for (std::size_t row = 0; row < rows; ++row) {
            const std::uint64_t value = kind == 0   ? 7
                                        : kind == 1 ? row
                                        : kind == 2 ? random.below(256)
                                        : kind == 3 ? random.below(3)
                                                    : row / 50;
            bytes[row * row_bytes + column] = static_cast<unsigned char>(value);
        }
    }
    return bytes;
}

TEST_F(H5ChunkEncoderTest, hdf5_reads_what_was_packed_for_it)
{
    constexpr std::size_t kRows = 1024, kBytes = 40, kChunks = 150;
    for (const bool deflates : {true, false}) {
        SCOPED_TRACE(deflates);
        const H5Lock lock;
        test::SeededRandom random(11);
        const H5Handle type(H5Tcreate(H5T_OPAQUE, kBytes), H5Tclose);
        const H5Handle file(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                            H5Fclose);
        H5Growing growing;
        ASSERT_TRUE(growing.create(file, "rows", type, kRows, deflates));
        std::vector<unsigned char> all;
        for (std::size_t i = 0; i < kChunks; ++i) {
            const auto rows = random_rows(kRows, kBytes, random);
            growing.append(rows.data(), kRows);
            ASSERT_TRUE(growing.publish(growing.rows()));
            all.insert(all.end(), rows.begin(), rows.end());
        }
        growing.append(all.data(), 5);  // and a part of one, twice
        ASSERT_TRUE(growing.publish(growing.rows()));
        growing.append(all.data() + 5 * kBytes, 6);
        ASSERT_TRUE(growing.publish(growing.rows()));
        all.insert(all.end(), all.begin(), all.begin() + 11 * kBytes);

        std::vector<unsigned char> read(all.size());
        ASSERT_GE(H5Dread(growing.dataset().get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                          read.data()),
                  0);
        EXPECT_TRUE(read == all);
        const hsize_t stored = H5Dget_storage_size(growing.dataset().get());
        if (deflates) {
            EXPECT_LT(stored, all.size() * 2 / 3);
        } else {
            EXPECT_EQ(stored, (kChunks + 1) * (kRows * kBytes + 4));
        }
    }
}

TEST(Fletcher32, is_what_hdf5_says_for_words_an_odd_byte_and_nothing)
{
    const std::vector<unsigned char> bytes{'a', 'b', 'c', 'd', 'e'};
    // Words 0x6162, 0x6364, 0x6500: sums 0x6162, 0xc4c6, 0x129c6 -> 0x29c7; of sums 0x24fee ->
    // 0x4ff0.
    EXPECT_EQ(fletcher32(bytes), 0x4ff029c7u);
    EXPECT_EQ(fletcher32({}), 0u);
    EXPECT_EQ(fletcher32(std::vector<unsigned char>(4, 0xff)), 0xffffffffu);
}

}  // namespace
}  // namespace sidestep
