// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/result.hpp>

#include <string>
#include <string_view>

namespace sidestep::cli {

/// Whether a recording can be written there, before any work; says why not. `input` is not to be
/// replaced: it `is` "the scenario itself".
int check_recording_output(const std::string& output, bool force, const std::string& input,
                           std::string_view is);

/// The exit code of an Error of a Recorder: kExitFault where disk or memory are at fault.
int exit_code_of_write(const Error& error);

}  // namespace sidestep::cli
