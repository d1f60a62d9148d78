// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_file_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/hash.hpp"

namespace sidestep {
namespace {

constexpr std::string_view kMagic = "sidestep-xxh3-1\n";
constexpr std::size_t kTrailerBytes = kMagic.size() + 16;

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
/// Superblocks of versions 2 and 3: signature, version, two sizes, flags, then addresses.
constexpr std::size_t kSuperblockBytes = 48;
constexpr std::size_t kVersionAt = 8, kOffsetSizeAt = 9, kFlagsAt = 11, kEndAt = 28;
constexpr unsigned char kWriteFlag = 1, kSwmrFlag = 4;
/// HDF5 looks for the signature at 0, 512, 1024, 2048, ...: other programs may put their own bytes
/// in front.
constexpr std::uint64_t kFirstUserBlock = 512;

std::uint64_t number_at(const char* bytes)
{
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
}

Error io_error(const std::string& path)
{
    return {ErrorCode::io, fmt::format("{}: {}", path, std::generic_category().message(errno))};
}

bool has_signature_at(std::istream& in, std::uint64_t offset)
{
    std::array<char, kSignature.size()> bytes{};
    in.clear();
    in.seekg(static_cast<std::streamoff>(offset));
    return in.read(bytes.data(), bytes.size()) &&
           std::string_view(bytes.data(), bytes.size()) == kSignature;
}

bool has_signature(std::istream& in, std::uint64_t size)
{
    if (has_signature_at(in, 0)) return true;
    for (std::uint64_t offset = kFirstUserBlock; offset < size; offset *= 2) {
        if (has_signature_at(in, offset)) return true;
    }
    return false;
}

void read_superblock(std::istream& in, H5FileCheck& check)
{
    std::array<char, kSuperblockBytes> bytes{};
    in.clear();
    in.seekg(0);
    if (!in.read(bytes.data(), bytes.size())) return;
    if (!std::string_view(bytes.data(), bytes.size()).starts_with(kSignature)) return;
    if (bytes[kVersionAt] < 2 || bytes[kVersionAt] > 3 || bytes[kOffsetSizeAt] != 8) return;
    const auto flags = static_cast<unsigned char>(bytes[kFlagsAt]);
    check.is_written = (flags & kWriteFlag) != 0;
    check.is_swmr = check.is_written && (flags & kSwmrFlag) != 0;
    check.stated_size = number_at(&bytes[kEndAt]);
}

/// None: it could not be read to the end.
bool hash_start(std::istream& in, std::uint64_t size, std::uint64_t& hash)
{
    StateHash sum;
    std::vector<char> block(std::size_t{1} << 20);
    in.clear();
    in.seekg(0);
    while (size > 0) {
        const std::size_t part =
            static_cast<std::size_t>(std::min<std::uint64_t>(size, block.size()));
        if (!in.read(block.data(), static_cast<std::streamsize>(part))) return false;
        sum.add_bytes(block.data(), part);
        size -= part;
    }
    hash = sum.digest();
    return true;
}

void check_trailer(std::istream& in, H5FileCheck& check)
{
    if (check.size < kTrailerBytes) return;
    const std::uint64_t before = check.size - kTrailerBytes;
    std::array<char, kTrailerBytes> bytes{};
    in.clear();
    in.seekg(static_cast<std::streamoff>(before));
    if (!in.read(bytes.data(), bytes.size())) return;
    if (!std::string_view(bytes.data(), bytes.size()).starts_with(kMagic)) return;
    check.has_trailer = true;
    std::uint64_t hash = 0;
    check.trailer_agrees = number_at(&bytes[kMagic.size()]) == before &&
                           hash_start(in, before, hash) &&
                           number_at(&bytes[kMagic.size() + 8]) == hash;
}

Result<void> sync_file(const std::string& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return io_error(path);
    const bool is_synced = ::fsync(descriptor) == 0;
    const Error error = io_error(path);
    ::close(descriptor);
    return is_synced ? Result<void>{} : Result<void>{error};
}

}  // namespace

Result<H5FileCheck> check_h5_file(const std::string& path)
{
    errno = 0;
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) return io_error(path);
    H5FileCheck check;
    check.size = static_cast<std::uint64_t>(in.tellg());
    check.is_hdf5 = has_signature(in, check.size);
    if (!check.is_hdf5) return check;
    read_superblock(in, check);
    check_trailer(in, check);
    return check;
}

Result<void> add_h5_trailer(const std::string& path)
{
    errno = 0;
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out | std::ios::ate);
    if (!file) return io_error(path);
    const auto size = static_cast<std::uint64_t>(file.tellg());
    std::uint64_t hash = 0;
    if (!hash_start(file, size, hash)) return io_error(path);
    std::array<char, kTrailerBytes> bytes{};
    std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
    std::memcpy(&bytes[kMagic.size()], &size, sizeof(size));
    std::memcpy(&bytes[kMagic.size() + 8], &hash, sizeof(hash));
    file.seekp(static_cast<std::streamoff>(size));
    if (!file.write(bytes.data(), bytes.size()) || !file.flush()) return io_error(path);
    file.close();
    return sync_file(path);
}

}  // namespace sidestep
