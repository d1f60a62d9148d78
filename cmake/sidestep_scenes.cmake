# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# The shipped scenes are part of the library, so that a scene runs by its name wherever the program is.
file(GLOB scenes CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/scenarios/*.toml")
set(scenes_cpp "${PROJECT_BINARY_DIR}/generated/scenes.cpp")
add_custom_command(OUTPUT "${scenes_cpp}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${PROJECT_SOURCE_DIR}/scenarios" "-DOUTPUT=${scenes_cpp}"
            -P "${PROJECT_SOURCE_DIR}/cmake/sidestep_write_scenes.cmake"
    DEPENDS ${scenes} "${PROJECT_SOURCE_DIR}/cmake/sidestep_write_scenes.cmake"
    COMMENT "Taking in the scenes" VERBATIM)
target_sources(sidestep_all PRIVATE "${scenes_cpp}")
