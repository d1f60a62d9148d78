// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/recording_path.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "recording/format.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;

constexpr auto kSideFiles = std::to_array<const char*>({"-wal", "-shm", "-journal"});
/// Parts that crashed runs may leave of one file before somebody should look.
constexpr int kMaxParts = 1000;

Error io_error(const std::string& path, std::string_view what)
{
    return {ErrorCode::io, fmt::format("{}: {}", path, what)};
}

Error exists_error(const std::string& path)
{
    return {ErrorCode::invalid_argument, path + ": exists and is kept"};
}

}  // namespace

Result<RecordingTarget> check_target(const std::string& path, bool replace)
{
    if (const auto format = format_of(path); !format) return format.error();
    std::error_code code;
    fs::path file = fs::absolute(path, code);
    if (code) return io_error(path, code.message());
    const fs::file_status status = fs::status(file, code);
    const bool exists = fs::exists(status);
    if (exists) {
        if (!fs::is_regular_file(status)) return io_error(path, "is not a file");
        if (!replace) return exists_error(path);
        file = fs::canonical(file, code);  // replace what a link leads to, not the link
        if (code) return io_error(path, code.message());
    } else if (fs::is_symlink(fs::symlink_status(file, code))) {
        return io_error(path, "is a link that leads nowhere; remove it");
    }
    const fs::path folder = file.parent_path();
    if (!fs::is_directory(folder, code)) {
        return io_error(path, fmt::format("there is no folder {}", folder.string()));
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        return io_error(path, fmt::format("the folder {} cannot be written: {}", folder.string(),
                                          std::generic_category().message(errno)));
    }
    return RecordingTarget{file.string(), {}, exists};
}

Result<void> make_part(RecordingTarget& target)
{
    for (int i = 1; i <= kMaxParts; ++i) {
        target.part = i == 1 ? target.file + ".part" : fmt::format("{}.{}.part", target.file, i);
        if (has_side_files(target.part)) continue;
        if (std::FILE* made = std::fopen(target.part.c_str(), "wbx")) {  // x: only a new one
            std::fclose(made);
            return {};
        }
        if (errno != EEXIST) {
            return io_error(target.file, std::generic_category().message(errno));
        }
    }
    return io_error(target.file, "too many files .part of interrupted runs; remove them");
}

Result<void> name_part(const RecordingTarget& target)
{
    std::error_code code;
    if (target.replaces) {
        remove_side_files(target.file);
        fs::rename(target.part, target.file, code);
        if (code) return io_error(target.file, code.message());
        return {};
    }
    // A link is made only where nothing has the name; a rename would replace whatever has.
    fs::create_hard_link(target.part, target.file, code);
    if (code == std::errc::file_exists) return exists_error(target.file);
    if (!code) {
        fs::remove(target.part, code);
        return {};
    }
    // Some file systems know no links.
    if (fs::exists(fs::symlink_status(target.file, code))) return exists_error(target.file);
    fs::rename(target.part, target.file, code);
    if (code) return io_error(target.file, code.message());
    return {};
}

void remove_side_files(const std::string& file)
{
    std::error_code ignored;
    for (const char* end : kSideFiles) fs::remove(file + end, ignored);
}

bool has_side_files(const std::string& file)
{
    std::error_code ignored;
    for (const char* end : kSideFiles) {
        if (fs::exists(file + end, ignored)) return true;
    }
    return false;
}

}  // namespace sidestep
