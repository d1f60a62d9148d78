# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds Highway as hwy::hwy. Installed with the package: the static library needs it at the user's link too.
# Some distributions ship Highway without its CMake files; pkg-config knows it there.

if(NOT TARGET hwy::hwy)
    find_package(hwy 1.0.3 CONFIG QUIET)
endif()
if(NOT TARGET hwy::hwy)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(SIDESTEP_HWY QUIET IMPORTED_TARGET GLOBAL libhwy>=1.0.3)
        if(SIDESTEP_HWY_FOUND)
            add_library(hwy::hwy ALIAS PkgConfig::SIDESTEP_HWY)
        endif()
    endif()
endif()
