# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install` and what find_package(sidestep CONFIG) reads.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sidestep")

# Two export sets: who links sidestep::core needs neither GEOS nor SQLite.
install(TARGETS sidestep_core EXPORT sidestepCoreTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS sidestep_all EXPORT sidestepAllTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/sidestep" "${PROJECT_BINARY_DIR}/include/sidestep"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/scenarios" DESTINATION "${CMAKE_INSTALL_DATADIR}/sidestep")
if(TARGET sidestep_program)
    install(TARGETS sidestep_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

foreach(part IN ITEMS Core All)
    install(EXPORT sidestep${part}Targets NAMESPACE sidestep:: DESTINATION "${package_dir}")
endforeach()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/sidestepConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/generated/sidestepConfig.cmake" INSTALL_DESTINATION "${package_dir}")
# Before 1.0.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/sidestepConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/generated/sidestepConfig.cmake"
    "${PROJECT_BINARY_DIR}/generated/sidestepConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/sidestep_find_hwy.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/sidestep_find_geos.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/sidestep_find_hdf5.cmake"
    DESTINATION "${package_dir}")
