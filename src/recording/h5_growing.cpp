// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_growing.hpp"

#include <algorithm>
#include <utility>

namespace sidestep {

bool H5Growing::create(const H5Handle& file, const char* name, const H5Handle& type,
                       std::size_t chunk_rows, bool deflates)
{
    const H5Lock lock;
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = chunk_rows;
    const H5Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
    const H5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (!space || !how || H5Pset_chunk(how.get(), 1, &chunk) < 0) return false;
    if (deflates && (H5Pset_shuffle(how.get()) < 0 || H5Pset_deflate(how.get(), 1) < 0)) {
        return false;
    }
    // No time of day in the file: equal runs give equal files.
    if (H5Pset_fletcher32(how.get()) < 0 || H5Pset_obj_track_times(how.get(), false) < 0) {
        return false;
    }
    dataset_ = {
        H5Dcreate2(file.get(), name, type.get(), space.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT),
        H5Dclose};
    row_bytes_ = H5Tget_size(type.get());
    chunk_rows_ = chunk_rows;
    encoder_.emplace(row_bytes_, chunk_rows_, deflates);
    return bool{dataset_};
}

void H5Growing::append(const void* rows, std::size_t count)
{
    const auto* first = static_cast<const unsigned char*>(rows);
    waiting_.insert(waiting_.end(), first, first + count * row_bytes_);
}

bool H5Growing::place(std::uint64_t end)
{
    if (end <= extent_) return true;
    {
        const H5Lock lock;
        const hsize_t extent = end;
        if (H5Dset_extent(dataset_.get(), &extent) < 0) return false;
        extent_ = end;
    }
    const std::size_t chunk_bytes = chunk_rows_ * row_bytes_;
    std::size_t done = 0;
    std::uint64_t first = written_rows_;
    for (; first < end && waiting_.size() - done >= chunk_bytes; done += chunk_bytes) {
        if (!write_chunk(first, waiting_.data() + done, true)) return false;
        first += chunk_rows_;
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
    written_rows_ = first;
    if (first < end) {  // what there is of the last one, for now
        std::vector<unsigned char> chunk = waiting_;
        chunk.resize(chunk_bytes);
        if (!write_chunk(first, chunk.data(), false)) return false;
    }
    needs_flush_ = true;
    return true;
}

bool H5Growing::flush()
{
    if (!std::exchange(needs_flush_, false)) return true;
    const H5Lock lock;
    return H5Dflush(dataset_.get()) >= 0;
}

bool H5Growing::write_chunk(std::uint64_t first, const unsigned char* chunk, bool is_full)
{
    const auto bytes = encoder_->encode(chunk, is_full);
    if (bytes.empty()) return false;
    const H5Lock lock;
    const hsize_t offset = first;
    return H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, 0, &offset, bytes.size(), bytes.data()) >= 0;
}

}  // namespace sidestep
