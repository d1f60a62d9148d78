// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/layout.hpp"
#include "sidestep/scenario.hpp"

namespace sidestep {

// The scenario format as tables: one row per key. They drive the checks of a file, `sidestep help
// scenario`, the JSON Schema and the page of the docs, so that none of these can differ.

/// What a value must be.
enum class ValueKind : std::uint8_t {
    flag,         ///< true or false
    whole,        ///< whole number in the range
    number,       ///< finite number in the range
    drawn,        ///< number or distribution, all of it in the range
    pair,         ///< [a, b], two finite numbers
    numbers,      ///< [a, ...], finite numbers in the range
    text,         ///< any text
    name,         ///< text that names something
    word,         ///< one of the words
    mix,          ///< name of a profile, preset or population, or a table of shares
    velocity,     ///< [vx, vy] [m/s], or "preferred"
    values,       ///< { trait = value, ... }, the keys depend on the models
    names,        ///< name of something, or several names
    goals,        ///< name of a goal, several names, or "opposite"
    stay,         ///< as goals, or true
    point,        ///< [x, y] [m]
    points,       ///< [[x, y], ...], one or more
    line,         ///< [[x, y], ...], two or more
    segment,      ///< [[x, y], [x, y]]
    ring,         ///< [[x, y], ...], three or more
    rings,        ///< [ring, ...]
    box,          ///< [x0, y0, x1, y1]
    shape,        ///< ring, name of an area, or a table of the kind `shape`
    floor_shape,  ///< the same, also { polygon, holes }
    schedule,     ///< [[time, count], ...]
    table,        ///< { ... }, its keys are in `nested`
    tables,       ///< [{ ... }, ...]
};

struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool open_min = false;         ///< min itself is not allowed
    bool may_be_infinite = false;  ///< infinity is allowed although max is finite
};

struct TableInfo;

struct KeyInfo {
    std::string_view name;
    ValueKind kind = ValueKind::number;
    bool required = false;
    std::string_view unit = {};
    std::string_view fallback = {};  ///< used where the key is absent, as text; may be empty
    Range range = {};
    std::string_view meaning = {};
    std::string_view example = {};  ///< a value
    std::span<const std::string_view> words = {};
    const TableInfo* nested = nullptr;
    bool is_whole = false;  ///< of drawn: values are whole, what is drawn between them is rounded
};

/// Keys that exclude each other.
struct KeyChoice {
    std::span<const std::string_view> keys;
    bool required = true;  ///< exactly one; else at most one
};

struct TableInfo {
    enum class Form : std::uint8_t {
        one,      ///< [world]
        many,     ///< [[agents]]
        named,    ///< [profiles.NAME]
        in_line,  ///< { ... } as a value of others
    };
    std::string_view name;
    Form form = Form::one;
    std::string_view meaning;
    std::span<const KeyInfo> keys;
    std::span<const KeyChoice> choices = {};
    std::string_view example;  ///< TOML
};

/// All tables in the order of the docs. The first, without a name, is the file itself.
std::span<const TableInfo> scenario_tables();
const TableInfo& scenario_table(std::string_view name);

/// Keys of a profile: `model`, `preset`, the traits and the parameters of the model (none: of
/// nobody).
std::vector<KeyInfo> profile_keys(const ModelInfo* model);
/// The same for any of the models.
std::vector<KeyInfo> profile_keys(std::span<const ModelInfo> models);
/// Traits and parameters of any of the models, one value each: what an event sets.
std::vector<KeyInfo> value_keys(std::span<const ModelInfo> models);
/// Keys of [layout]: `kind` and the numbers of that layout.
std::vector<KeyInfo> layout_keys(const LayoutInfo* layout);
/// Keys of [expect].
std::vector<KeyInfo> expect_keys();

/// The range that a float of a parameter table stands for, as its decimals say.
Range range_of(const ParamInfo& param);

/// What a float of a table stands for: 0.7f is a little less than 0.7.
double as_written(float value);

/// "[world]", "[[agents]]", "[profiles.NAME]".
std::string title_of(const TableInfo& table);
/// "(0, 0.25] s", ">= 0 m", "any number".
std::string to_text(const Range& range, std::string_view unit);
/// "a number", "a whole number", "a point [x, y]".
std::string_view to_text(ValueKind kind);

}  // namespace sidestep
