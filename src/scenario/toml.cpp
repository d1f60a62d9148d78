// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#define TOML_IMPLEMENTATION
#include "scenario/toml.hpp"
