// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "recording/format.hpp"
#include "sidestep/recording.hpp"

namespace sidestep {

struct RecordingReader::State {
    std::string path;
    std::unique_ptr<RecordingSource> source;

    Result<bool> next(RecordedFrame& frame)
    {
        auto got = source->next(frame);
        if (!got || !*got || is_frame_number(frame.number)) return got;
        return Error{ErrorCode::io, fmt::format("{}: there is a frame {}, and numbers go to 2^52",
                                                path, frame.number)};
    }
};

RecordingReader::RecordingReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

Result<RecordingReader> RecordingReader::open(const std::string& path,
                                              const RecordingReadOptions& options)
{
    const auto positive = [](double v) { return v > 0.0 && std::isfinite(v); };
    if ((options.fps && !positive(*options.fps)) || (options.unit && !positive(*options.unit))) {
        return Error{ErrorCode::invalid_argument,
                     "frames per second and the unit of length must be > 0"};
    }
    try {
        const auto format = format_of(path);
        if (!format) return format.error();
        if (!(*format)->about.is_text && (options.unit || !options.columns.empty())) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("{}: is no text: its unit and columns are known\nhint: leave "
                                     "--unit and --columns away",
                                     path)};
        }
        std::error_code code;
        const auto status = std::filesystem::status(path, code);
        if (!std::filesystem::exists(status)) {
            return Error{ErrorCode::io, fmt::format("{}: there is no such file", path)};
        }
        if (!std::filesystem::is_regular_file(status)) {
            return Error{ErrorCode::io, fmt::format("{}: is not a file", path)};
        }
        auto source = (*format)->open(path, options);
        if (!source) return source.error();
        auto state = std::make_unique<State>();
        state->path = path;
        state->source = *std::move(source);
        return RecordingReader(std::move(state));
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, path + ": no memory to read it"};
    } catch (const std::exception& fault) {
        return Error{ErrorCode::io, fmt::format("{}: {}", path, fault.what())};
    }
}

const RecordingInfo& RecordingReader::info() const
{
    return state_->source->info;
}

const RecordedNotes& RecordingReader::notes() const
{
    return state_->source->notes;
}

const std::vector<std::string>& RecordingReader::damage() const
{
    return state_->source->damage;
}

bool RecordingReader::is_closed() const
{
    return state_->source->is_closed;
}

Result<bool> RecordingReader::next(RecordedFrame& frame)
{
    try {
        return state_->next(frame);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory to read a frame"};
    } catch (const std::exception& fault) {
        return Error{ErrorCode::io, fault.what()};
    }
}

}  // namespace sidestep
