// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_file_driver.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <new>
#include <vector>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>  // HDF5 1.14 keeps what drivers need here
#endif

namespace sidestep {
namespace {

/// The largest file offset.
constexpr haddr_t kMaxAddress = std::numeric_limits<off_t>::max();

/// HDF5 hands out and takes back pointers to the first member.
struct DriverFile {
    H5FD_t base;
    int descriptor;
    H5FileState* state;
    haddr_t end_of_address;
    /// What was to be written after a write had failed; little, for nobody goes on then.
    struct Unwritten {
        haddr_t address;
        std::vector<char> bytes;
    };
    std::vector<Unwritten> unwritten;
};

DriverFile& to_file(H5FD_t* file)
{
    return *reinterpret_cast<DriverFile*>(file);
}

const DriverFile& to_file(const H5FD_t* file)
{
    return *reinterpret_cast<const DriverFile*>(file);
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t)
{
    const void* info = H5Pget_driver_info(access);
    if (info == nullptr) return nullptr;
    int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
    if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
    const int descriptor = ::open(name, mode | O_CLOEXEC);
    if (descriptor < 0) return nullptr;
    auto* file = new (std::nothrow) DriverFile{};
    if (file == nullptr) {
        ::close(descriptor);
        return nullptr;
    }
    file->descriptor = descriptor;
    std::memcpy(&file->state, info, sizeof(file->state));
    return &file->base;
}

herr_t close_file(H5FD_t* file)
{
    const int done = ::close(to_file(file).descriptor);
    delete &to_file(file);
    return done;
}

int compare(const H5FD_t* a, const H5FD_t* b)
{
    if (a == b) return 0;
    return std::less<>{}(a, b) ? -1 : 1;
}

herr_t query(const H5FD_t*, unsigned long* flags)
{
    if (flags != nullptr) {
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
                 H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO;
    }
    return 0;
}

haddr_t end_of_address(const H5FD_t* file, H5FD_mem_t)
{
    return to_file(file).end_of_address;
}

herr_t set_end_of_address(H5FD_t* file, H5FD_mem_t, haddr_t address)
{
    to_file(file).end_of_address = address;
    return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t)
{
    struct stat status {};
    if (::fstat(to_file(file).descriptor, &status) != 0) return HADDR_UNDEF;
    return std::max<haddr_t>(static_cast<haddr_t>(status.st_size), to_file(file).state->least_size);
}

/// What there is from `address` on. False: it cannot be read.
bool read_file(const DriverFile& f, haddr_t address, std::size_t size, char* to)
{
    while (size > 0) {
        const ssize_t got = ::pread(f.descriptor, to, size, static_cast<off_t>(address));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) {
            std::memset(to, 0, size);
            return true;
        }
        to += got;
        address += static_cast<haddr_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

/// 0, or errno.
int write_file(const DriverFile& f, haddr_t address, std::size_t size, const char* from)
{
    H5FileState& state = *f.state;
    if (state.write_error != 0) return state.write_error;
    if (size > state.most_written - state.written) return ENOSPC;
    state.written += size;
    while (size > 0) {
        const ssize_t put = ::pwrite(f.descriptor, from, size, static_cast<off_t>(address));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put == 0 ? ENOSPC : errno;
        from += put;
        address += static_cast<haddr_t>(put);
        size -= static_cast<std::size_t>(put);
    }
    return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer)
{
    const DriverFile& f = to_file(file);
    auto* to = static_cast<char*>(buffer);
    if (address > kMaxAddress || size > kMaxAddress - address) return -1;
    if (!read_file(f, address, size, to)) return -1;
    for (const auto& [at, bytes] : f.unwritten) {
        const haddr_t first = std::max(at, address);
        const haddr_t end = std::min<haddr_t>(at + bytes.size(), address + size);
        if (first < end) std::memcpy(to + (first - address), &bytes[first - at], end - first);
    }
    return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer)
{
    DriverFile& f = to_file(file);
    const auto* from = static_cast<const char*>(buffer);
    f.state->write_error = write_file(f, address, size, from);
    if (f.state->write_error == 0) return 0;
    try {
        f.unwritten.push_back({address, {from, from + size}});
    } catch (const std::bad_alloc&) {
        return -1;
    }
    return 0;
}

/// HDF5 gives back the room it reserved and did not use.
herr_t truncate(H5FD_t* file, hid_t, hbool_t)
{
    const DriverFile& f = to_file(file);
    H5FileState& state = *f.state;
    if (state.write_error == 0 && f.end_of_address != end_of_file(file, H5FD_MEM_DEFAULT) &&
        ::ftruncate(f.descriptor, static_cast<off_t>(f.end_of_address)) != 0) {
        state.write_error = errno;
    }
    return 0;
}

/// HDF5 marks files as being written only if they can be locked. Ours need no lock: nobody else
/// knows them before they are in SWMR mode, and then there is none.
herr_t lock_file(H5FD_t*, hbool_t)
{
    return 0;
}

herr_t unlock_file(H5FD_t*)
{
    return 0;
}

H5FD_class_t make_class()
{
    H5FD_class_t c{};
#ifdef H5FD_CLASS_VERSION
    c.version = H5FD_CLASS_VERSION;
    c.value = static_cast<H5FD_class_value_t>(510);  // 256 to 511 are for drivers like this one
#endif
    c.name = "sidestep";
    c.maxaddr = kMaxAddress;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.fapl_size = sizeof(H5FileState*);
    c.open = open_file;
    c.close = close_file;
    c.cmp = compare;
    c.query = query;
    c.get_eoa = end_of_address;
    c.set_eoa = set_end_of_address;
    c.get_eof = end_of_file;
    c.read = read;
    c.write = write;
    c.truncate = truncate;
    c.lock = lock_file;
    c.unlock = unlock_file;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(c.fl_map));
    return c;
}

/// Registered once, and again where somebody has closed the library meanwhile.
hid_t driver()
{
    static const H5FD_class_t driver_class = make_class();
    static hid_t id = -1;
    if (id < 0 || H5Iget_type(id) != H5I_VFL) id = H5FDregister(&driver_class);
    return id;
}

}  // namespace

H5Handle h5_access(H5FileState& state)
{
    const H5Lock lock;
    H5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const H5FileState* info = &state;
    if (!access || H5Pset_driver(access.get(), driver(), &info) < 0 ||
        H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110) < 0) {
        return {};
    }
    return access;
}

}  // namespace sidestep
