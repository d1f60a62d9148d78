// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace sidestep::cli {
namespace {

namespace fs = std::filesystem;

Error io_error(const std::string& path, std::string_view what)
{
    return {ErrorCode::io, fmt::format("{}: {}", path, what)};
}

Error system_error(const std::string& path)
{
    return io_error(path, std::generic_category().message(errno));
}

Error exists_error(const std::string& path)
{
    return {ErrorCode::invalid_argument, path + ": exists and is kept"};
}

Result<void> write_part(const std::string& path, const std::string& part, std::string_view bytes)
{
    std::FILE* file = std::fopen(part.c_str(), "wbx");  // x: only a new one
    if (file == nullptr) return system_error(path);
    bool done = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    done = std::fflush(file) == 0 && done;
    const Error fault = system_error(path);
    if (std::fclose(file) == 0 && done) return {};
    return fault;
}

}  // namespace

Result<void> check_output_file(const std::string& path, bool replace)
{
    std::error_code code;
    const fs::path file = fs::absolute(path, code);
    if (code) return io_error(path, code.message());
    const fs::file_status status = fs::status(file, code);
    if (fs::exists(status)) {
        if (!fs::is_regular_file(status)) return io_error(path, "is not a file");
        if (!replace) return exists_error(path);
    }
    const fs::path folder = file.parent_path();
    if (!fs::is_directory(folder, code)) {
        return io_error(path, fmt::format("there is no folder {}", folder.string()));
    }
    if (access(folder.c_str(), W_OK | X_OK) != 0) return system_error(path);
    return {};
}

Result<void> write_output_file(const std::string& path, std::string_view bytes, bool replace)
{
    if (auto usable = check_output_file(path, replace); !usable) return usable;
    std::error_code code;
    // What a link leads to is replaced, not the link.
    const fs::path file = fs::exists(path, code) ? fs::canonical(path, code) : fs::path(path);
    const std::string part = fmt::format("{}.{}.part", file.string(), getpid());
    if (auto written = write_part(path, part, bytes); !written) {
        std::remove(part.c_str());
        return written;
    }
    if (replace) {
        fs::rename(part, file, code);
    } else {
        // A link is made only where nothing has the name; a rename would replace whatever has.
        fs::create_hard_link(part, file, code);
        if (code == std::errc::file_exists) {
            std::remove(part.c_str());
            return exists_error(path);
        }
        if (code) fs::rename(part, file, code);  // some file systems know no links
    }
    if (code) {
        std::remove(part.c_str());
        return io_error(path, code.message());
    }
    std::remove(part.c_str());
    return {};
}

}  // namespace sidestep::cli
