// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "stop_signals.hpp"

#include "commands.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstring>

namespace sidestep::cli {
namespace {

std::atomic<int> arrived_signal{0};
std::atomic<bool> work_waits{false};
static_assert(std::atomic<int>::is_always_lock_free);  // a handler may touch nothing else

const char* name_of(int signal)
{
    switch (signal) {
        case SIGINT: return "SIGINT";
        case SIGTERM: return "SIGTERM";
        case SIGHUP: return "SIGHUP";
        default: return "";
    }
}

void write_all(const char* text)  // a handler may not use the streams
{
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void take_note(int signal)
{
    if (!work_waits.load()) {
        write_all("error: stopped by ");
        write_all(name_of(signal));
        write_all(" before the first step\n");
        _exit(kExitFault);
    }
    int none = 0;
    if (!arrived_signal.compare_exchange_strong(none, signal)) _exit(128 + signal);
}

}  // namespace

StopSignals::StopSignals()
{
    arrived_signal = 0;
    work_waits = false;
    struct sigaction action {};
    action.sa_handler = take_note;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        sigaction(kSignals[i], nullptr, &before_[i]);
        // What was started under nohup or in the background is not to be stopped.
        if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &pipe_before_);
    sigaction(SIGXFSZ, &ignore, &size_before_);
}

StopSignals::~StopSignals()
{
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    sigaction(SIGPIPE, &pipe_before_, nullptr);
    sigaction(SIGXFSZ, &size_before_, nullptr);
}

void StopSignals::wait_for_work()
{
    work_waits = true;
}

bool StopSignals::arrived() const
{
    return arrived_signal.load(std::memory_order_relaxed) != 0;
}

const char* StopSignals::name() const
{
    return name_of(arrived_signal.load());
}

}  // namespace sidestep::cli
