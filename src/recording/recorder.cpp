// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "recording/frame_queue.hpp"
#include "recording/sqlite_writer.hpp"
#include "sidestep/recording.hpp"

namespace sidestep {
namespace {

std::optional<Error> find_fault(const RecordedFrame& frame)
{
    const auto finite = [](Vec2 v) { return std::isfinite(v.x) && std::isfinite(v.y); };
    const RecordedAgent* last = nullptr;
    for (const RecordedAgent& agent : frame.agents) {
        if (!finite(agent.position) || !finite(agent.orientation)) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("frame {}: agent {} is nowhere", frame.number, agent.id)};
        }
        if (last != nullptr && last->id >= agent.id) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("frame {}: agent {} comes after agent {}", frame.number,
                                     agent.id, last->id)};
        }
        last = &agent;
    }
    return std::nullopt;
}

bool write_batch(SqliteWriter& writer, const std::vector<RecordedItem>& batch)
{
    bool ok = writer.begin();
    for (const RecordedItem& item : batch) {
        ok = ok && std::visit([&](const auto& it) { return writer.write(it); }, item);
    }
    return ok && writer.commit();
}

Error closed_error()
{
    return {ErrorCode::invalid_argument, "the recording is closed"};
}

}  // namespace

struct Recorder::State {
    explicit State(SqliteWriter w) : writer(std::move(w)) {}

    SqliteWriter writer;  ///< the thread's while it runs
    FrameQueue queue;
    std::optional<std::uint64_t> last_number;
    std::thread thread;

    /// Writes until the queue is closed. After a failure it only makes room, so that nobody waits
    /// for ever.
    void write_queue()
    {
        for (;;) {
            const std::vector<RecordedItem> batch = queue.take();
            if (batch.empty()) return;
            if (!queue.failure()) {
                try {
                    if (!write_batch(writer, batch)) queue.fail(writer.error());
                } catch (const std::exception&) {
                    queue.fail({ErrorCode::out_of_memory, "no memory to write the recording"});
                }
                if (queue.failure()) writer.roll_back();
            }
            queue.release();
        }
    }

    Result<void> push(RecordedItem item)
    {
        if (!thread.joinable()) return closed_error();
        try {
            if (auto error = queue.push(std::move(item))) return *std::move(error);
        } catch (const std::bad_alloc&) {
            return Error{ErrorCode::out_of_memory, "no memory to keep a frame"};
        }
        return {};
    }

    Result<void> close(SqliteWriter::Facts facts)
    {
        if (!thread.joinable()) return {};
        queue.close();
        thread.join();
        if (auto error = queue.failure()) {
            writer.give_up();
            return *std::move(error);
        }
        return writer.finish(facts);
    }
};

Recorder::Recorder(std::unique_ptr<State> state) : state_(std::move(state)) {}
Recorder::Recorder(Recorder&&) noexcept = default;

Recorder& Recorder::operator=(Recorder&& other) noexcept
{
    Recorder ends(std::move(*this));
    state_ = std::move(other.state_);
    return *this;
}

Recorder::~Recorder()
{
    if (state_ != nullptr) (void)close();
}

Result<void> Recorder::check(const std::string& path, bool replace)
{
    if (auto target = check_target(path, replace); !target) return target.error();
    return {};
}

Result<Recorder> Recorder::open(const std::string& path, const RecordingInfo& info, bool replace)
{
    if (!(info.fps > 0.0) || !std::isfinite(info.fps)) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("frames per second must be > 0, got {}", info.fps)};
    }
    try {
        const auto target = check_target(path, replace);
        if (!target) return target.error();
        auto writer = SqliteWriter::create(*target, info);
        if (!writer) return writer.error();
        auto state = std::make_unique<State>(*std::move(writer));
        state->thread = std::thread([s = state.get()] { s->write_queue(); });
        return Recorder(std::move(state));
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, path + ": no memory to write a recording"};
    } catch (const std::exception& fault) {  // no thread to be had, a file system that fails
        return Error{ErrorCode::io, fmt::format("{}: {}", path, fault.what())};
    }
}

Result<void> Recorder::append(RecordedFrame frame)
{
    if (state_ == nullptr) return closed_error();
    if (auto fault = find_fault(frame)) return *std::move(fault);
    if (state_->last_number && *state_->last_number >= frame.number) {
        return Error{ErrorCode::invalid_argument, fmt::format("frame {} comes after frame {}",
                                                              frame.number, *state_->last_number)};
    }
    state_->last_number = frame.number;
    return state_->push(std::move(frame));
}

Result<void> Recorder::append(RecordedEvent event)
{
    if (state_ == nullptr) return closed_error();
    if (!std::isfinite(event.time)) {
        return Error{ErrorCode::invalid_argument, "an event needs a time"};
    }
    return state_->push(std::move(event));
}

Result<void> Recorder::close(std::vector<std::pair<std::string, std::string>> facts)
{
    if (state_ == nullptr) return closed_error();
    try {
        return state_->close(facts);
    } catch (const std::exception& fault) {
        return Error{ErrorCode::io, fault.what()};
    }
}

}  // namespace sidestep
