// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/sections.hpp"

namespace sidestep {

/// Bars over some twenty round intervals; of two runs side by side. One list of values per run.
std::string draw_histogram(Runs runs, std::span<const std::vector<double>> values,
                           const std::string& x_title, const std::string& y_title,
                           const std::string& label);
/// The same of counts that are made already, in intervals of `width` from 0.
std::string draw_counts(Runs runs, std::span<const std::vector<std::uint32_t>> counts, double width,
                        const std::string& x_title, const std::string& y_title,
                        const std::string& label);

}  // namespace sidestep
