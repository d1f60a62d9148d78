// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/test_folder.hpp"

namespace sidestep::test {

inline std::string content_of(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder for files that a test writes and reads.
class TextFilesTest : public TestFolder {
protected:
    std::string write(const std::string& name, const std::string& text) const
    {
        std::filesystem::remove(path(name));  // some disks wait when a file is written over
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
};

}  // namespace sidestep::test
