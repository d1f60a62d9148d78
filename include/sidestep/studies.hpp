// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The figures and tables of the papers behind Sidestep, computed again: what the paper printed,
// what is expected, what comes out, and a verdict.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/result.hpp"

namespace sidestep {

/// A figure that can be reproduced.
struct StudyInfo {
    std::string_view name;    ///< "ricks14-fig1"
    std::string_view paper;   ///< key in docs/references.bib: "RICKS14"
    std::string_view figure;  ///< "Fig. 1"
    std::string_view title;
};

/// All of them, in the order of papers and figures.
std::vector<StudyInfo> studies();

/// One number of a study.
struct StudyNumber {
    std::string what;
    std::string unit;   ///< empty: a count or a ratio
    std::string paper;  ///< as printed; empty: the paper does not say
    double expected = 0.0;
    double ours = 0.0;
    double tolerance = 0.0;  ///< allowed |ours - expected|
    int decimals = 3;        ///< worth showing
    /// Whether the printed number is ours, to its digits; none: no number was printed.
    std::optional<bool> as_printed{};

    bool holds() const;
};

/// A study that was run.
struct StudyResult {
    StudyInfo info;
    std::string finding;  ///< one or two sentences
    std::vector<StudyNumber> numbers;
    std::string drawing;  ///< HTML: figures with inline SVG

    bool holds() const;                  ///< all numbers do
    std::size_t printed() const;         ///< numbers that the paper printed
    std::size_t not_as_printed() const;  ///< and those of them that are not ours
};

/// Runs the study of this name. ErrorCode::unknown_name: there is none.
Result<StudyResult> run_study(std::string_view name);

/// One HTML page that needs nothing else: each study with its numbers and drawings.
std::string make_studies_page(std::span<const StudyResult> results);

}  // namespace sidestep
