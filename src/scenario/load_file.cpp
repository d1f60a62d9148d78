// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/load_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "scenario/limits.hpp"
#include "scenario/problem_list.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;

Error io_error(std::string message)
{
    return {ErrorCode::io, std::move(message)};
}

/// Closes the file when it goes.
struct OpenFile {
    int descriptor = -1;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    explicit OpenFile(int d) : descriptor(d) {}
    ~OpenFile()
    {
        if (descriptor >= 0) ::close(descriptor);
    }
};

std::string_view kind_of(mode_t mode)
{
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
    if (S_ISSOCK(mode)) return "a socket";
    return "no regular file";
}

bool lies_below(const fs::path& folder, const fs::path& path)
{
    const auto [left, right] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return left == folder.end() && right != path.end();
}

}  // namespace

Result<std::string> load_file(const fs::path& path, std::size_t most)
{
    // Asked before it is opened: opening some devices does something.
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return io_error(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    if (!S_ISREG(status.st_mode)) {
        return io_error(fmt::format("is {}, not a file", kind_of(status.st_mode)));
    }
    // Should it have become a pipe meanwhile: not blocking.
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) {
        return io_error(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
    if (!S_ISREG(status.st_mode)) {
        return io_error(fmt::format("is {}, not a file", kind_of(status.st_mode)));
    }
    if (static_cast<std::uintmax_t>(status.st_size) > most) {
        return io_error(fmt::format("has {} bytes, at most {} are read", status.st_size, most));
    }
    std::string text;
    text.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::read(file.descriptor, text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return io_error(fmt::format("cannot be read: {}", std::strerror(errno)));
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    text.resize(done);
    return text;
}

const Result<Shapes>& ShapeFiles::load(const std::string& name)
{
    const auto found = loaded_.find(name);
    if (found != loaded_.end()) return found->second;
    return loaded_.emplace(name, read(name)).first->second;
}

Result<Shapes> ShapeFiles::read(const std::string& name)
{
    const std::string shown = quote(name);
    if (!folder_) {
        return io_error(fmt::format("file {}: a scene of this program names no files", shown));
    }
    const bool control = std::any_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    });
    if (control) return io_error(fmt::format("file {}: a control character in the name", shown));
    const fs::path relative(name);
    if (relative.is_absolute()) {
        return io_error(
            fmt::format("file {}: the path must be relative to the scenario's folder", shown));
    }
    std::error_code fault;
    const fs::path folder = fs::canonical(*folder_, fault);
    if (fault) return io_error(fmt::format("file {}: {}", shown, fault.message()));
    const auto outside = [&] {
        return io_error(fmt::format("file {}: lies outside the scenario's folder", shown));
    };
    if (!lies_below(folder, (folder / relative).lexically_normal())) return outside();
    const fs::path path = fs::canonical(folder / relative, fault);
    if (fault) return io_error(fmt::format("file {}: {}", shown, fault.message()));
    if (!lies_below(folder, path)) return outside();

    Result<std::string> text = load_file(path, kMaxFileBytes - bytes_);
    if (!text) return io_error(fmt::format("file {}: {}", shown, text.error().message));
    bytes_ += text->size();
    const std::string ending = relative.extension().string();
    if (ending == ".geojson" || ending == ".json" || ending == ".wkt") {
        Result<Shapes> shapes = ending == ".wkt" ? read_wkt(*text) : read_geojson(*text);
        if (shapes) return shapes;
        return io_error(fmt::format("file {}: {}", shown, shapes.error().message));
    }
    return io_error(fmt::format(
        "file {}: must end in .geojson, .json or .wkt, so that its kind is known", shown));
}

}  // namespace sidestep
