// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_layout.hpp"

#include <initializer_list>

namespace sidestep {
namespace {

struct Member {
    const char* name;
    std::size_t offset;
    hid_t type;
};

H5Handle compound_of(std::size_t size, std::initializer_list<Member> members)
{
    H5Handle type(H5Tcreate(H5T_COMPOUND, size), H5Tclose);
    for (const Member& m : members) {
        if (!type || H5Tinsert(type.get(), m.name, m.offset, m.type) < 0) return {};
    }
    return type;
}

}  // namespace

H5Handle h5_row_type()
{
    const H5Lock lock;
    return compound_of(sizeof(H5Row), {{"id", offsetof(H5Row, id), H5T_STD_I64LE},
                                       {"frame", offsetof(H5Row, frame), H5T_STD_I64LE},
                                       {"x", offsetof(H5Row, x), H5T_IEEE_F64LE},
                                       {"y", offsetof(H5Row, y), H5T_IEEE_F64LE},
                                       {"z", offsetof(H5Row, z), H5T_IEEE_F64LE}});
}

H5Handle h5_orientation_type()
{
    const H5Lock lock;
    return compound_of(sizeof(H5Orientation),
                       {{"ori_x", offsetof(H5Orientation, x), H5T_IEEE_F32LE},
                        {"ori_y", offsetof(H5Orientation, y), H5T_IEEE_F32LE}});
}

H5Handle h5_body_type()
{
    const H5Lock lock;
    return compound_of(sizeof(H5Body), {{"x", offsetof(H5Body, x), H5T_IEEE_F64LE},
                                        {"y", offsetof(H5Body, y), H5T_IEEE_F64LE}});
}

H5Handle h5_frame_type()
{
    const H5Lock lock;
    return compound_of(sizeof(H5Frame), {{"frame", offsetof(H5Frame, frame), H5T_STD_I64LE},
                                         {"first", offsetof(H5Frame, first), H5T_STD_U64LE},
                                         {"rows", offsetof(H5Frame, rows), H5T_STD_U64LE},
                                         {"xxh3", offsetof(H5Frame, xxh3), H5T_STD_U64LE}});
}

H5Handle h5_text_type()
{
    const H5Lock lock;
    H5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    if (!type || H5Tset_size(type.get(), H5T_VARIABLE) < 0 ||
        H5Tset_cset(type.get(), H5T_CSET_UTF8) < 0) {
        return {};
    }
    return type;
}

}  // namespace sidestep
