// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "recording/h5_file_check.hpp"
#include "recording/h5_layout.hpp"
#include "recording/h5_reading.hpp"

namespace sidestep {
namespace {

/// What is wrong with the bytes as such; empty: nothing.
std::string find_damage(const H5FileCheck& check)
{
    if (check.has_trailer && !check.trailer_agrees) {
        return "it is damaged: the checksum of the whole file does not agree";
    }
    if (!check.is_swmr && check.size < check.stated_size) {
        return fmt::format("it is cut: {} of {} bytes are there", check.size, check.stated_size);
    }
    return {};
}

/// Chunks that were never written read as zeros, as many as a file cares to claim. What a cut took
/// away is known to be missing.
bool has_all_rows(const H5OpenFile& file, const H5Rows& rows, const H5Handle& space)
{
    const H5Handle how(H5Dget_create_plist(rows.dataset.get()), H5Pclose);
    const H5Handle stored(H5Dget_type(rows.dataset.get()), H5Tclose);
    const std::uint64_t row_bytes = stored ? H5Tget_size(stored.get()) : 0;
    if (!how || row_bytes == 0) return false;
    const int filters = H5Pget_nfilters(how.get());
    bool is_packed = false;
    for (int i = 0; i < filters; ++i) {
        std::size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(how.get(), static_cast<unsigned>(i), nullptr,
                                                   &values, nullptr, 0, nullptr, nullptr);
        is_packed |= filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SHUFFLE;
    }
    const std::uint64_t most = is_packed ? kH5MostPacked : 1;
    if (rows.count > file.size * most / row_bytes) return false;
    if (!file.damage.empty()) return true;
    const std::uint64_t bytes = H5Dget_storage_size(rows.dataset.get());
    if (bytes > file.size || rows.count > bytes * most / row_bytes) return false;
    hsize_t chunk = 0, chunks = 0;
    if (H5Pget_layout(how.get()) != H5D_CHUNKED) return true;
    return H5Pget_chunk(how.get(), 1, &chunk) == 1 &&
           H5Dget_num_chunks(rows.dataset.get(), space.get(), &chunks) >= 0 &&
           chunks >= rows.count / chunk + (rows.count % chunk != 0 ? 1 : 0);
}

}  // namespace

Error H5OpenFile::damage_error(const std::string& what) const
{
    return error(what + "\nhint: --recover takes the frames that are whole");
}

Error H5OpenFile::error(const std::string& what) const
{
    return {ErrorCode::io, fmt::format("{}: {}", path, what)};
}

bool H5Rows::read(std::uint64_t first, std::uint64_t rows, void* to) const
{
    if (first > count || rows > count - first) return false;
    if (rows == 0) return true;
    const H5Lock lock;
    const hsize_t start = first, size = rows;
    const H5Handle in_file(H5Dget_space(dataset.get()), H5Sclose);
    const H5Handle in_memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
    return in_file && in_memory &&
           H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, &start, nullptr, &size, nullptr) >=
               0 &&
           H5Dread(dataset.get(), type.get(), in_memory.get(), in_file.get(), H5P_DEFAULT, to) >= 0;
}

Result<H5Rows> open_h5_rows(const H5OpenFile& file, const char* name, H5Handle type,
                            std::uint64_t least_bytes)
{
    const H5Lock lock;
    H5Rows rows;
    rows.type = std::move(type);
    rows.dataset = {H5Dopen2(file.file.get(), name, H5P_DEFAULT), H5Dclose};
    if (!rows.dataset) {
        H5Lock::end_silently();
        return file.error(fmt::format("{} cannot be read: {}", name, last_h5_error()));
    }
    const H5Handle space(H5Dget_space(rows.dataset.get()), H5Sclose);
    hsize_t count = 0;
    if (!space || H5Sget_simple_extent_ndims(space.get()) != 1 ||
        H5Sget_simple_extent_dims(space.get(), &count, nullptr) != 1) {
        return file.error(fmt::format("{} is not a list of rows", name));
    }
    if (count > file.size * kH5MostPacked / least_bytes) {
        return file.error(
            fmt::format("{} cannot have {} rows in a file of {} bytes", name, count, file.size));
    }
    rows.count = count;
    if (count > 0 && !has_all_rows(file, rows, space)) {
        return file.error(
            fmt::format("{} claims {} rows, and not all of them are in the file", name, count));
    }
    return rows;
}

bool has_h5_dataset(const H5OpenFile& file, const char* name)
{
    const H5Lock lock;
    return H5Lexists(file.file.get(), name, H5P_DEFAULT) > 0;
}

Result<std::unique_ptr<RecordingSource>> open_h5(const std::string& path,
                                                 const RecordingReadOptions& options)
{
    const auto check = check_h5_file(path);
    if (!check) return check.error();
    H5OpenFile file{
        path, std::max(check->size, check->stated_size), std::make_unique<H5FileState>(), {}, {}};
    if (!check->is_hdf5) return file.error("is not an HDF5 file");
    if (const std::string damage = find_damage(*check); !damage.empty()) {
        if (!options.recover) return file.damage_error(damage);
        file.damage.push_back(damage);
        file.state->least_size = check->stated_size;
    }
    if (check->is_written && !check->is_swmr) {
        return file.error(
            "another program is writing it, or was killed while it did; "
            "`h5clear -s` makes it readable");
    }

    const H5Lock lock;
    const H5Handle access = h5_access(*file.state);
    // Where a writer was killed there is nothing to wait for.
    if (!access || H5Pset_metadata_read_attempts(access.get(), 2) < 0) {
        return file.error(last_h5_error());
    }
    const unsigned flags = H5F_ACC_RDONLY | (check->is_swmr ? H5F_ACC_SWMR_READ : 0u);
    file.file = {H5Fopen(path.c_str(), flags, access.get()), H5Fclose};
    if (!file.file) return file.error(fmt::format("HDF5 cannot open it: {}", last_h5_error()));
    const htri_t is_ours = H5Aexists(file.file.get(), kH5FormatName);
    if (is_ours < 0) {
        H5Lock::end_silently();
        return file.error(fmt::format("its root cannot be read: {}", last_h5_error()));
    }
    return is_ours > 0 ? open_own_h5(std::move(file), options)
                       : open_foreign_h5(std::move(file), options);
}

}  // namespace sidestep
