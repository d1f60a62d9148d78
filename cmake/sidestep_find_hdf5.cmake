# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the serial HDF5 C library, 1.10.5 or newer (H5Dget_num_chunks), as sidestep_hdf5. Debian keeps it apart from the
# MPI one, under a name of its own that pkg-config knows; CMake's module starts compiler wrappers to learn the same.
# Installed with the package: the static library needs it at the user's link too.

if(NOT TARGET sidestep_hdf5)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        foreach(name IN ITEMS hdf5-serial hdf5)
            if(NOT TARGET PkgConfig::SIDESTEP_HDF5)  # FOUND stays in the cache, the target does not
                pkg_check_modules(SIDESTEP_HDF5 QUIET IMPORTED_TARGET GLOBAL "${name}>=1.10.5")
            endif()
        endforeach()
    endif()
    if(TARGET PkgConfig::SIDESTEP_HDF5)
        add_library(sidestep_hdf5 INTERFACE IMPORTED GLOBAL)
        target_link_libraries(sidestep_hdf5 INTERFACE PkgConfig::SIDESTEP_HDF5)
        target_include_directories(sidestep_hdf5 SYSTEM INTERFACE ${SIDESTEP_HDF5_INCLUDE_DIRS})
    endif()
endif()
