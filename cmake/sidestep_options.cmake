# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# Options. A host project that uses add_subdirectory() sees the first two; the others are for those who work on Sidestep
# itself and exist only when Sidestep is the top-level project.

set(SIDESTEP_THREADS "tbb" CACHE STRING "Back end of parallel_for: tbb (oneTBB) or plain (std::thread)")
set_property(CACHE SIDESTEP_THREADS PROPERTY STRINGS tbb plain)
if(NOT SIDESTEP_THREADS MATCHES "^(tbb|plain)$")
    message(FATAL_ERROR "SIDESTEP_THREADS must be tbb or plain, got '${SIDESTEP_THREADS}'")
endif()

option(SIDESTEP_INSTALL "Make rules for `cmake --install`" ${PROJECT_IS_TOP_LEVEL})

if(PROJECT_IS_TOP_LEVEL)
    option(SIDESTEP_BUILD_PROGRAM "Build the program `sidestep`" ON)
    option(SIDESTEP_BUILD_TESTS "Build the tests" ON)
    option(SIDESTEP_BUILD_LONG_TESTS "Build the long tests among them" ON)
    option(SIDESTEP_BUILD_EXAMPLES "Build the examples" ON)
    option(SIDESTEP_BUILD_BENCH "Build the benchmarks" OFF)
    option(SIDESTEP_BENCH_PEERS "Look for other engines that `sidestep bench` compares with" "${SIDESTEP_BUILD_BENCH}")
    option(SIDESTEP_ASSERTS "Check preconditions at run time" OFF)
    option(SIDESTEP_WERROR "Treat warnings as errors" OFF)
    option(SIDESTEP_SCALAR "Compile the kernels for one lane only" OFF)
    option(SIDESTEP_FEW_TARGETS "Compile the kernels for one lane and AVX2 only: half the build time" OFF)
    set(SIDESTEP_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=: address,undefined or thread")

    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
    endif()
endif()
