# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# What every target of ours has in common, and the helpers that make a folder's CMakeLists.txt one line.

include_guard(GLOBAL)

# Flags and definitions of our own sources. They are private: a program that links Sidestep keeps its own.
function(sidestep_target_defaults target)
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)

    target_compile_options(${target} PRIVATE
        # A fused multiply-add rounds once where two instructions round twice: instruction sets with and without it would
        # step to different bits.
        -ffp-contract=off
        # Nobody reads errno after sqrt; without this each sqrt of a scalar carries a branch and a call. Same result bits.
        -fno-math-errno
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion
        # Sign conversions are part of -Wconversion in clang only; gcc and clang are to complain about the same code.
        -Wno-sign-conversion)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Wide vectors travel by value between functions of one kernel. gcc notes that the calling convention differs from
        # gcc 4.6; such functions never leave their object file.
        target_compile_options(${target} PRIVATE -Wno-psabi)
        # gcc 12.2 at -O2 vectorises a pair of double -> float -> double into nothing, and the rounding is lost. We round
        # positions that way on purpose. Kernels are wide by hand: this pass has nothing to add there.
        target_compile_options(${target} PRIVATE -fno-tree-slp-vectorize)
    endif()
    if(SIDESTEP_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(SIDESTEP_SANITIZE)
        # Frame pointers give whole stacks in the reports; the first undefined behaviour ends the program, so that a test fails.
        target_compile_options(${target} PRIVATE
            -fsanitize=${SIDESTEP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${SIDESTEP_SANITIZE})
    endif()

    if(SIDESTEP_ASSERTS)
        target_compile_definitions(${target} PRIVATE SIDESTEP_ASSERTS=1)
    endif()
    if(SIDESTEP_THREADS STREQUAL "plain")
        target_compile_definitions(${target} PRIVATE SIDESTEP_PLAIN_THREADS=1)
    endif()

    # Highway's targets. Our "scalar" is HWY_SCALAR, one lane. By itself Highway takes EMU128 (four emulated lanes) where the
    # compiler gets it right, clang and gcc 12.3, and HWY_SCALAR elsewhere; BROKEN_EMU128 makes it one and the same code.
    target_compile_definitions(${target} PRIVATE HWY_BROKEN_EMU128=1)
    if(SIDESTEP_SCALAR)
        target_compile_definitions(${target} PRIVATE HWY_COMPILE_ONLY_SCALAR)
    else()
        # Wide kernels exist for SSE4, AVX2 and AVX3 (AVX-512). SSSE3 and AVX3_DL would add compile time and code for
        # processors that run one of the others as well. ALL_ATTAINABLE keeps the scalar kernels, against which the others
        # are tested, also when the compiler is told that the machine can do better (-march=native).
        set(left_out "HWY_SSSE3|HWY_AVX3_DL")
        if(SIDESTEP_FEW_TARGETS)
            string(APPEND left_out "|HWY_SSE4|HWY_AVX3")
        endif()
        target_compile_definitions(${target} PRIVATE "HWY_DISABLED_TARGETS=(${left_out})" HWY_COMPILE_ALL_ATTAINABLE)
    endif()
endfunction()

# Adds the sources of the calling folder to `target`: *.cpp, and with NESTED also those one folder down. Unit tests
# (*_test.cpp) are set apart for the binary test_<folder>.
function(sidestep_add_folder target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "NESTED" "" "")
    # CONFIGURE_DEPENDS: a new file is seen by the next build, no list to edit.
    file(GLOB found CONFIGURE_DEPENDS "*.cpp")
    if(arg_NESTED)
        file(GLOB nested CONFIGURE_DEPENDS "*/*.cpp")
        list(APPEND found ${nested})
    endif()
    set(tests ${found})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER found EXCLUDE REGEX "_test\\.cpp$")

    target_sources(${target} PRIVATE ${found})
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
    set_property(GLOBAL PROPERTY SIDESTEP_UNIT_TESTS_${folder} ${tests})
    set_property(GLOBAL APPEND PROPERTY SIDESTEP_FOLDERS ${folder})
endfunction()

# Adds the folders of src/ that exist. A folder that has sources and no CMakeLists.txt is a slip, not a choice.
function(sidestep_add_folders)
    foreach(folder IN LISTS ARGN)
        set(path "${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
        file(GLOB sources CONFIGURE_DEPENDS "${path}/*.cpp")
        if(EXISTS "${path}/CMakeLists.txt")
            add_subdirectory(${folder})
        elseif(sources)
            message(FATAL_ERROR "${path} has sources but no CMakeLists.txt")
        endif()
    endforeach()
endfunction()
