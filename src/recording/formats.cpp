// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "recording/format.hpp"
#include "recording/h5_source.hpp"
#include "recording/h5_writer.hpp"
#include "recording/sqlite_source.hpp"
#include "recording/sqlite_writer.hpp"
#include "recording/text_formats.hpp"

namespace sidestep {
namespace {

// The first is what a newcomer should take.
constexpr auto kFormats = std::to_array<RecordingFormat>({
    {{".sqlite", "one SQLite file in JuPedSim's schema; readable while it grows, crash-safe", true},
     SqliteWriter::create,
     open_sqlite},
    {{".h5", "one HDF5 file in the layout of the Pedestrian Dynamics Data Archive; small and fast",
      true},
     H5Writer::create,
     open_h5},
    {{".txt", "rows id frame x y z, as PedPy and the data archive have them; to 0.1 mm", false,
      false, true},
     create_txt,
     open_txt},
    {{".csv", "a table with a row of names; every digit is kept", false, true, true},
     create_csv,
     open_csv},
    {{".ndjson", "tracks and scenes of TrajNet++, one JSON object per line; to 0.1 mm", false,
      false, true},
     create_ndjson,
     open_ndjson},
});

constexpr auto kAbout = [] {
    std::array<RecordingFormatInfo, kFormats.size()> about;
    for (std::size_t i = 0; i < about.size(); ++i) about[i] = kFormats[i].about;
    return about;
}();

}  // namespace

std::span<const RecordingFormatInfo> recording_formats()
{
    return kAbout;
}

Result<RecordingFormatInfo> recording_format_of(const std::string& path)
{
    const auto format = format_of(path);
    if (!format) return format.error();
    return (*format)->about;
}

Result<const RecordingFormat*> format_of(const std::string& path)
{
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    std::string endings;
    for (const RecordingFormat& format : kFormats) {
        if (ending == format.about.ending) return &format;
        endings += fmt::format("{}{}", endings.empty() ? "" : ", ", format.about.ending);
    }
    return Error{ErrorCode::unsupported,
                 fmt::format("{}: the ending says which kind of recording it is, and there is: {}",
                             path, endings)};
}

}  // namespace sidestep
