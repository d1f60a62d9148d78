// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_library.hpp"

#include <cstdlib>
#include <new>

namespace sidestep {
namespace {

std::recursive_mutex& library_mutex()
{
    static std::recursive_mutex mutex;
    return mutex;
}

/// Of this thread.
thread_local int locks = 0;
thread_local std::string cause;

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void*)
{
    if (cause.empty() && error->desc != nullptr) cause = error->desc;
    return 0;
}

/// HDF5 calls this where a call fails, in place of printing: the next call, and be it one that
/// closes something, forgets why.
herr_t keep_cause(hid_t stack, void*)
{
    try {
        cause.clear();
        return H5Ewalk2(stack, H5E_WALK_UPWARD, keep_innermost, nullptr);
    } catch (const std::bad_alloc&) {
        return -1;
    }
}

}  // namespace

H5Lock::H5Lock() : lock_(library_mutex())
{
    if (locks++ > 0) return;
    cause.clear();
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, keep_cause, nullptr);
}

H5Lock::~H5Lock()
{
    if (--locks == 0) H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

void H5Lock::end_silently()
{
    // HDF5 ends itself in such a function, too, and has asked for it before: this one comes first.
    static const bool is_asked_for =
        std::atexit([] { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }) == 0;
    (void)is_asked_for;
}

H5Handle& H5Handle::operator=(H5Handle&& other) noexcept
{
    if (this != &other) {
        close();
        id_ = std::exchange(other.id_, -1);
        close_ = other.close_;
    }
    return *this;
}

bool H5Handle::close()
{
    if (id_ < 0) return true;
    const H5Lock lock;
    return close_(std::exchange(id_, -1)) >= 0;
}

std::string last_h5_error()
{
    return cause.empty() ? "HDF5 does not say why" : cause;
}

}  // namespace sidestep
