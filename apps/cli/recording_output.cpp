// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording_output.hpp"

#include "commands.hpp"
#include "console.hpp"

#include <sidestep/recording.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace sidestep::cli {

int check_recording_output(const std::string& output, bool force, const std::string& input,
                           std::string_view is)
{
    std::error_code ignored;
    if (std::filesystem::equivalent(output, input, ignored)) {
        return fail(kExitBadUsage, fmt::format("{}: is {}", output, is),
                    "give the new file another name");
    }
    const Result<void> usable = Recorder::check(output, force);
    if (usable) return kExitDone;
    const Error& error = usable.error();
    const bool can_force = error.code != ErrorCode::unsupported && error.code != ErrorCode::io;
    return fail(exit_code_of_write(error), error.message, can_force ? "--force replaces it" : "");
}

int exit_code_of_write(const Error& error)
{
    const bool fault = error.code == ErrorCode::io || error.code == ErrorCode::out_of_memory;
    return fault ? kExitFault : kExitBadUsage;
}

}  // namespace sidestep::cli
