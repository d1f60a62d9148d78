// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace sidestep::test {

/// Folder of recorded walkers, which are not part of the project: the environment variable
/// SIDESTEP_DATA. Empty where it is not set or leads nowhere.
inline std::string data_folder()
{
    const char* folder = std::getenv("SIDESTEP_DATA");
    return folder != nullptr && std::filesystem::is_directory(folder) ? folder : "";
}

/// A file below it; empty where there is none.
inline std::string find_data_file(const std::string& name)
{
    const std::string folder = data_folder();
    if (folder.empty()) return {};
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    return std::filesystem::is_regular_file(path) ? path.string() : std::string();
}

}  // namespace sidestep::test
