# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# The parts of a report's page (HTML, style sheet, scripts) are files of their own and part of the library.
set(page_folder "${PROJECT_SOURCE_DIR}/src/report/page")
file(GLOB page_parts CONFIGURE_DEPENDS "${page_folder}/*")
set(page_cpp "${PROJECT_BINARY_DIR}/generated/page_parts.cpp")
add_custom_command(OUTPUT "${page_cpp}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${page_folder}" "-DOUTPUT=${page_cpp}"
            -P "${PROJECT_SOURCE_DIR}/cmake/sidestep_write_page.cmake"
    DEPENDS ${page_parts} "${PROJECT_SOURCE_DIR}/cmake/sidestep_write_page.cmake"
    COMMENT "Taking in the page of reports" VERBATIM)
target_sources(sidestep_all PRIVATE "${page_cpp}")
