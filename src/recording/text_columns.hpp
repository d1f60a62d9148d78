// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep {

/// Without blanks at both ends.
std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);  ///< ASCII alone

/// Blanks, or one of , ; between two fields.
struct Separator {
    char sign = ' ';

    /// What a line seems to be separated by.
    static Separator of(std::string_view line);
    /// At most `most` fields from the left, without blanks and quotation marks around them.
    void split(std::string_view line, std::size_t most,
               std::vector<std::string_view>& fields) const;
};

/// Which column of a table is what.
struct TableColumns {
    std::optional<std::size_t> id, frame, time, x, y, level;
    double length_unit = 0.0;  ///< [m]; 0: not said
    double time_unit = 1.0;    ///< [s]

    bool is_complete() const { return id && (frame || time) && x && y; }
    /// What is missing, for a person.
    std::string missing() const;
    std::size_t count() const;  ///< columns up to the last one that is needed

    /// By names such as id, ped_id, frame, t, x, pos_x, x/cm, "y [m]", level; others are passed
    /// over. The first of a kind counts.
    static TableColumns from_names(std::span<const std::string_view> names);
    /// From a line, if it is one of names: complete and, where blanks separate it, without unknown
    /// words up to its last needed name, as a sentence would have.
    static std::optional<TableColumns> from_line(std::string_view line);
};

/// Of m, dm, cm, mm; none where it is no unit of length.
std::optional<double> metres_of(std::string_view name);

/// A number of units as metres or seconds. Where the unit is a whole part of these it is what one
/// would write down: 140 cm are 1.4, not 140 times the double that is next to 0.01.
double scaled(double value, double unit);

}  // namespace sidestep
