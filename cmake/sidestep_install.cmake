# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install` and what find_package(sidestep CONFIG) reads.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sidestep")

install(TARGETS sidestep_core sidestep_all EXPORT sidestepTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/sidestep" "${PROJECT_BINARY_DIR}/include/sidestep"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET sidestep_program)
    install(TARGETS sidestep_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(EXPORT sidestepTargets NAMESPACE sidestep:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/sidestepConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/generated/sidestepConfig.cmake" INSTALL_DESTINATION "${package_dir}")
# Before 1.0.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/sidestepConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/generated/sidestepConfig.cmake"
    "${PROJECT_BINARY_DIR}/generated/sidestepConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/sidestep_find_hwy.cmake"
    DESTINATION "${package_dir}")
