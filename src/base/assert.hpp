// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace sidestep {

/// Called with the failed expression and its place before a debug build aborts; a host may set its
/// own.
using AssertHook = void (*)(const char* expression, const char* file, int line);
inline AssertHook assert_hook = nullptr;

[[noreturn]] inline void assert_failed(const char* expression, const char* file, int line)
{
    if (assert_hook != nullptr) assert_hook(expression, file, line);
    std::abort();
}

}  // namespace sidestep

// SIDESTEP_ASSERT: a broken promise of our own code.
#if defined(SIDESTEP_ASSERTS)
#define SIDESTEP_ASSERT(condition) \
    ((condition) ? void(0) : ::sidestep::assert_failed(#condition, __FILE__, __LINE__))
#else
#define SIDESTEP_ASSERT(condition) void(0)
#endif
