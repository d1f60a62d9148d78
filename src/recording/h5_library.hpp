// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace sidestep {

/// While one of these lives, this thread may call HDF5: the library is not safe for threads unless
/// it was built so, and it prints its errors unless told not to. Locks nest.
class H5Lock {
public:
    H5Lock();
    ~H5Lock();
    H5Lock(const H5Lock&) = delete;
    H5Lock& operator=(const H5Lock&) = delete;

    /// HDF5 1.10 loses memory when it meets a damaged object header, and complains of it when the
    /// program ends, unless it prints no errors. So it does not then.
    static void end_silently();

private:
    std::lock_guard<std::recursive_mutex> lock_;
    H5E_auto2_t print_ = nullptr;
    void* print_data_ = nullptr;
};

/// Something open in HDF5, closed with this. Negative: nothing.
class H5Handle {
public:
    using Close = herr_t (*)(hid_t);

    H5Handle() = default;
    H5Handle(hid_t id, Close how) : id_(id), close_(how) {}
    H5Handle(H5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    H5Handle& operator=(H5Handle&& other) noexcept;
    ~H5Handle() { close(); }

    explicit operator bool() const { return id_ >= 0; }
    hid_t get() const { return id_; }
    /// False: HDF5 could not, as when the last bytes of a file cannot be written.
    bool close();

private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// What HDF5 says of the last call of this thread that failed, since the outermost lock was made.
/// Needs no lock.
std::string last_h5_error();

}  // namespace sidestep
