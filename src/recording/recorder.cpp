// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "recording/format.hpp"
#include "recording/frame_queue.hpp"
#include "sidestep/recording.hpp"

namespace sidestep {
namespace {

bool is_finite(Vec2 v)
{
    return std::isfinite(v.x) && std::isfinite(v.y);
}

std::optional<Error> find_fault(const RecordingInfo& info)
{
    if (!(info.fps > 0.0) || !std::isfinite(info.fps)) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("frames per second must be > 0, got {}", info.fps)};
    }
    for (const RecordingInfo::Body& body : info.bodies) {
        if (std::isfinite(body.radius) &&
            std::all_of(body.outline.begin(), body.outline.end(), is_finite))
            continue;
        return Error{ErrorCode::invalid_argument,
                     fmt::format("body '{}' has no size that is a number", body.name)};
    }
    return std::nullopt;
}

std::optional<Error> find_fault(const RecordedFrame& frame, std::size_t bodies)
{
    const RecordedAgent* last = nullptr;
    for (const RecordedAgent& agent : frame.agents) {
        if (!is_finite(agent.position) || !is_finite(agent.orientation)) {
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
    if (frame.bodies.size() != bodies ||
        !std::all_of(frame.bodies.begin(), frame.bodies.end(), is_finite)) {
        return Error{
            ErrorCode::invalid_argument,
            fmt::format("frame {}: each of the {} bodies must be somewhere", frame.number, bodies)};
    }
    return std::nullopt;
}

std::optional<Error> find_fault(const RecordedNotes& notes)
{
    const auto fine = [](const auto&... values) { return (std::isfinite(values) && ...); };
    const auto& [events, walkers, ends] = notes;
    if (!std::all_of(events.begin(), events.end(), [&](const auto& e) { return fine(e.time); })) {
        return Error{ErrorCode::invalid_argument, "an event needs a time"};
    }
    for (const RecordedWalker& w : walkers) {
        if (fine(w.radius, w.preferred_speed)) continue;
        return Error{ErrorCode::invalid_argument,
                     fmt::format("agent {}: radius and preferred speed must be numbers", w.id)};
    }
    for (const RecordedEnd& e : ends) {
        if (fine(e.time, e.set_off, e.shortest_way)) continue;
        return Error{ErrorCode::invalid_argument,
                     fmt::format("agent {}: times and way of its end must be numbers", e.id)};
    }
    return std::nullopt;
}

Error closed_error()
{
    return {ErrorCode::invalid_argument, "the recording is closed"};
}

}  // namespace

struct Recorder::State {
    State(std::unique_ptr<RecordingWriter> w, std::size_t b) : writer(std::move(w)), bodies(b) {}

    std::unique_ptr<RecordingWriter> writer;  ///< the thread's while it runs
    FrameQueue queue;
    std::size_t bodies;  ///< that each frame has
    std::optional<std::int64_t> last_number;
    std::thread thread;
    bool finished = false;  ///< the file is whole and has its name

    /// Writes until the queue is closed. After a failure it only makes room, so that nobody waits
    /// for ever.
    void write_queue()
    {
        for (;;) {
            const std::vector<RecordedItem> batch = queue.take();
            if (batch.empty()) return;
            if (!queue.failure()) {
                try {
                    if (auto done = writer->write(batch); !done) queue.fail(done.error());
                } catch (const std::exception&) {
                    queue.fail({ErrorCode::out_of_memory, "no memory to write the recording"});
                }
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

    /// What `push` would say, without anything to push.
    Result<void> check() const
    {
        if (!thread.joinable()) return closed_error();
        if (auto error = queue.failure()) return *std::move(error);
        return {};
    }

    Result<void> close(const RecordedFacts& facts)
    {
        if (!thread.joinable()) return {};
        queue.close();
        thread.join();
        if (auto error = queue.failure()) {
            writer->give_up();
            return *std::move(error);
        }
        auto done = writer->finish(facts);
        finished = done.has_value();
        return done;
    }

    void discard()
    {
        if (finished) return;
        const std::string file = writer->current_file();
        if (thread.joinable()) {
            // What waits need not be written.
            queue.fail({ErrorCode::io, "the recording is given up"});
            queue.close();
            thread.join();
            writer->give_up();
        }
        remove_side_files(file);
        std::remove(file.c_str());
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
    if (auto fault = find_fault(info)) return *std::move(fault);
    try {
        const auto target = check_target(path, replace);
        if (!target) return target.error();
        const auto format = format_of(path);
        if (!format) return format.error();
        auto writer = (*format)->create(*target, info);
        if (!writer) return writer.error();
        auto state = std::make_unique<State>(*std::move(writer), info.bodies.size());
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
    if (auto fault = find_fault(frame, state_->bodies)) return *std::move(fault);
    if (!is_frame_number(frame.number)) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("frame {}: numbers go to 2^52", frame.number)};
    }
    if (state_->last_number && *state_->last_number >= frame.number) {
        return Error{ErrorCode::invalid_argument, fmt::format("frame {} comes after frame {}",
                                                              frame.number, *state_->last_number)};
    }
    state_->last_number = frame.number;
    return state_->push(std::move(frame));
}

Result<void> Recorder::append(RecordedNotes notes)
{
    if (state_ == nullptr) return closed_error();
    if (auto fault = find_fault(notes)) return *std::move(fault);
    const bool is_empty = notes.events.empty() && notes.walkers.empty() && notes.ends.empty();
    if (is_empty) return state_->check();
    return state_->push(std::move(notes));
}

std::string Recorder::unfinished_file() const
{
    if (state_ == nullptr || state_->finished) return {};
    return state_->writer->current_file();
}

void Recorder::discard()
{
    if (state_ != nullptr) state_->discard();
}

Result<void> Recorder::close(RecordedFacts facts)
{
    if (state_ == nullptr) return closed_error();
    try {
        return state_->close(facts);
    } catch (const std::exception& fault) {
        return Error{ErrorCode::io, fault.what()};
    }
}

}  // namespace sidestep
