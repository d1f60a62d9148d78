# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the built tree into a fresh prefix, then builds and runs the outside project against each installed target and
# with Sidestep's source taken in by add_subdirectory().
#   cmake -DSOURCE_DIR= -DBUILD_DIR= -DGENERATOR= -DCOMPILER= -DBUILD_TYPE= -DTHREADS= -P check_install.cmake

set(work "${BUILD_DIR}/install_test")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${prefix}")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "failed (${result}): ${command}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# The folder of the source build is kept between runs: most of this test's time is compiling the library again.
function(check name)
    message(STATUS "${name}")
    run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/install" -B "${work}/${name}" -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" ${ARGN})
    run("${CMAKE_COMMAND}" --build "${work}/${name}" --parallel 2 --target outside)
    run("${work}/${name}/outside")
    message(STATUS "  ${output}")
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
foreach(target IN ITEMS core sidestep)
    file(REMOVE_RECURSE "${work}/installed_${target}")
    check(installed_${target} "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DUSE=sidestep::${target}")
endforeach()
# -O1: only that it builds and runs matters, and it is much faster to compile than -O3. And only the core: both targets are made
# by the same lines, and the other would be compiled a second time for nothing.
check(add_subdirectory -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1" "-DSIDESTEP_SOURCE_DIR=${SOURCE_DIR}"
      "-DSIDESTEP_THREADS=${THREADS}" -DUSE=sidestep::core)
