# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# <sidestep/version.hpp> from the project's version, and version.cpp, which also knows the commit. The commit is asked for
# at each build, and version.cpp is rewritten only when it changed: one small file compiles again, nothing else.

configure_file("${PROJECT_SOURCE_DIR}/include/sidestep/version.hpp.in"
               "${PROJECT_BINARY_DIR}/include/sidestep/version.hpp" @ONLY)

set(write_version
    "${CMAKE_COMMAND}"
    "-DINPUT=${PROJECT_SOURCE_DIR}/src/base/version.cpp.in"
    "-DOUTPUT=${PROJECT_BINARY_DIR}/generated/version.cpp"
    "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "-DSIDESTEP_VERSION=${PROJECT_VERSION}"
    "-DSIDESTEP_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -P "${PROJECT_SOURCE_DIR}/cmake/sidestep_write_version.cmake")
add_custom_target(sidestep_write_version
    COMMAND ${write_version}
    BYPRODUCTS "${PROJECT_BINARY_DIR}/generated/version.cpp"
    COMMENT "Asking for the commit"
    VERBATIM)
execute_process(COMMAND ${write_version} COMMAND_ERROR_IS_FATAL ANY)

target_sources(sidestep_core PRIVATE "${PROJECT_BINARY_DIR}/generated/version.cpp")
add_dependencies(sidestep_core sidestep_write_version)
