// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "floorplan/floorplan.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

/// The bytes of a regular file of at most `most` bytes. Folders, devices and pipes are refused, and
/// nothing here can block. An Error's message has no file name.
Result<std::string> load_file(const std::filesystem::path& path, std::size_t most);

/// Files with shapes that a scenario names. They must lie in its folder or below.
class ShapeFiles {
public:
    /// No folder: every file is refused.
    explicit ShapeFiles(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

    /// Reads a file once; the message of an Error has its name.
    const Result<Shapes>& load(const std::string& name);

private:
    Result<Shapes> read(const std::string& name);

    std::optional<std::filesystem::path> folder_;
    std::map<std::string, Result<Shapes>> loaded_;
    std::size_t bytes_ = 0;
};

}  // namespace sidestep
