# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DINPUT= -DOUTPUT= -DSOURCE_DIR= -DSIDESTEP_VERSION= -DSIDESTEP_COMPILER= -P sidestep_write_version.cmake

set(SIDESTEP_COMMIT "unknown")  # a release archive has no .git, and a machine may have no git
find_program(git git)
# Only our own repository counts: a copy of Sidestep inside a host's repository must not report the host's commit.
if(git AND EXISTS "${SOURCE_DIR}/.git")
    # --no-optional-locks: a build must not stand in the way of a commit made at the same time.
    execute_process(COMMAND "${git}" --no-optional-locks -C "${SOURCE_DIR}" rev-parse --short=12 HEAD
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
        set(SIDESTEP_COMMIT "${commit}")
        execute_process(COMMAND "${git}" --no-optional-locks -C "${SOURCE_DIR}" diff --quiet HEAD
                        OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE differs)
        if(differs)
            string(APPEND SIDESTEP_COMMIT " with local changes")
        endif()
    endif()
endif()
configure_file("${INPUT}" "${OUTPUT}" @ONLY)  # leaves an equal file alone
