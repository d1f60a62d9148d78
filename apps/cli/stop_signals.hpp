// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <array>

namespace sidestep::cli {

/// While one of these lives, SIGINT, SIGTERM and SIGHUP end the program with a message and
/// kExitFault; from wait_for_work on the first only asks the work to stop, so that files can be
/// closed, and the second ends the program at once. Writing to a closed pipe or
/// past the largest allowed size of a file is then an error of that write, not the end of the
/// program. Make one at a time.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    void wait_for_work();
    bool arrived() const;
    const char* name() const;  ///< of the signal that arrived

private:
    static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
    std::array<struct sigaction, 3> before_{};
    struct sigaction pipe_before_ {};
    struct sigaction size_before_ {};
};

}  // namespace sidestep::cli
