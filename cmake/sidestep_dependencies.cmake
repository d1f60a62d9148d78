# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# The libraries the build needs. Nothing is downloaded: `make build` installs them on Debian, and
# scripts/packages/*.txt names them for other systems.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

include(sidestep_find_hwy)
if(NOT TARGET hwy::hwy)
    message(FATAL_ERROR "Google Highway 1.0.3 or newer is missing (Debian: libhwy-dev)")
endif()

find_path(SIDESTEP_XXHASH_INCLUDE_DIR xxhash.h DOC "Folder of xxhash.h (Debian: libxxhash-dev)" REQUIRED)
mark_as_advanced(SIDESTEP_XXHASH_INCLUDE_DIR)

find_path(SIDESTEP_RANDOM123_INCLUDE_DIR Random123/philox.h DOC "Folder of Random123 (Debian: librandom123-dev)" REQUIRED)
mark_as_advanced(SIDESTEP_RANDOM123_INCLUDE_DIR)

if(SIDESTEP_THREADS STREQUAL "tbb")
    find_package(TBB CONFIG REQUIRED)  # Debian: libtbb-dev
endif()

# Of sidestep::sidestep alone.
include(sidestep_find_geos)
if(NOT TARGET sidestep_geos)
    message(FATAL_ERROR "GEOS 3.11 or newer is missing (Debian: libgeos-dev)")
endif()
include(sidestep_find_hdf5)
if(NOT TARGET sidestep_hdf5)
    message(FATAL_ERROR "HDF5 1.10.5 or newer is missing (Debian: libhdf5-dev and pkg-config)")
endif()
find_package(SQLite3 REQUIRED)               # Debian: libsqlite3-dev
find_package(ZLIB REQUIRED)                  # Debian: zlib1g-dev
find_package(fmt CONFIG REQUIRED)            # Debian: libfmt-dev
find_package(nlohmann_json CONFIG REQUIRED)  # Debian: nlohmann-json3-dev
find_path(SIDESTEP_TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h DOC "Folder of toml++ (Debian: libtomlplusplus-dev)" REQUIRED)
mark_as_advanced(SIDESTEP_TOMLPLUSPLUS_INCLUDE_DIR)

if(SIDESTEP_BUILD_PROGRAM)
    find_package(CLI11 CONFIG REQUIRED)  # Debian: libcli11-dev
endif()

if(SIDESTEP_BUILD_TESTS)
    find_package(GTest CONFIG REQUIRED)  # Debian: libgtest-dev, libgmock-dev
    # The system's interpreter before any other on the path: the checks need nothing but its standard library.
    if(NOT Python3_EXECUTABLE AND EXISTS "/usr/bin/python3")
        set(Python3_EXECUTABLE "/usr/bin/python3")
    endif()
    find_package(Python3 COMPONENTS Interpreter REQUIRED)
endif()
