# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the C interface of GEOS as sidestep_geos: its CMake package names the C++ library, whose interface is not stable.
# Installed with the package: the static library needs it at the user's link too.

if(NOT TARGET sidestep_geos)
    find_path(SIDESTEP_GEOS_INCLUDE_DIR geos_c.h DOC "Folder of geos_c.h (Debian: libgeos-dev)")
    find_library(SIDESTEP_GEOS_LIBRARY geos_c DOC "GEOS, C interface (Debian: libgeos-dev)")
    mark_as_advanced(SIDESTEP_GEOS_INCLUDE_DIR SIDESTEP_GEOS_LIBRARY)
    if(SIDESTEP_GEOS_INCLUDE_DIR AND SIDESTEP_GEOS_LIBRARY)
        add_library(sidestep_geos INTERFACE IMPORTED GLOBAL)
        target_include_directories(sidestep_geos SYSTEM INTERFACE "${SIDESTEP_GEOS_INCLUDE_DIR}")
        target_link_libraries(sidestep_geos INTERFACE "${SIDESTEP_GEOS_LIBRARY}")
    endif()
endif()
