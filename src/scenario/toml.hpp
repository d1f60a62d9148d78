// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// toml++ as this folder uses it: no exceptions, compiled once (toml.cpp). Nobody else includes it.

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/impl/preprocessor.h>
// toml++ 3.3 asserts, or in a release tells the compiler to assume, that a key begins with the
// character of a key. Bad files break that, and the code after it reports it well.
#undef TOML_ASSERT
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_ASSERT_ASSUME(expression) static_assert(true)
#include <toml++/toml.h>
