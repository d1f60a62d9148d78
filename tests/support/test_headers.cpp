// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Stands for the headers that all test programs share; tests/CMakeLists.txt has them compiled once.
