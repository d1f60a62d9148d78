// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/frame_queue.hpp"

#include <utility>

namespace sidestep {
namespace {

std::size_t bytes_of(const RecordedItem& item)
{
    if (const auto* frame = std::get_if<RecordedFrame>(&item)) {
        return sizeof(item) + frame->agents.size() * sizeof(RecordedAgent) +
               frame->bodies.size() * sizeof(Vec2);
    }
    const auto& notes = std::get<RecordedNotes>(item);
    std::size_t bytes = sizeof(item) + notes.walkers.size() * sizeof(RecordedWalker) +
                        notes.ends.size() * sizeof(RecordedEnd);
    for (const RecordedEvent& event : notes.events) {
        bytes += sizeof(event) + event.kind.size() + event.text.size();
    }
    return bytes;
}

}  // namespace

bool FrameQueue::has_room(bool is_frame) const
{
    return bytes_ < kMaxBytes && (!is_frame || frames_ < kMaxFrames);
}

std::optional<Error> FrameQueue::push(RecordedItem item)
{
    const bool is_frame = std::holds_alternative<RecordedFrame>(item);
    const std::size_t bytes = bytes_of(item);
    {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [&] { return failure_ || has_room(is_frame); });
        if (failure_) return failure_;
        waiting_.push_back(std::move(item));
        frames_ += is_frame ? 1 : 0;
        bytes_ += bytes;
    }
    work_.notify_one();
    return std::nullopt;
}

std::vector<RecordedItem> FrameQueue::take()
{
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    taken_frames_ = frames_;
    taken_bytes_ = bytes_;
    return std::exchange(waiting_, {});
}

void FrameQueue::release()
{
    {
        const std::lock_guard lock(mutex_);
        frames_ -= std::exchange(taken_frames_, 0);
        bytes_ -= std::exchange(taken_bytes_, 0);
    }
    room_.notify_all();
}

void FrameQueue::close()
{
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    work_.notify_all();
}

void FrameQueue::fail(Error error)
{
    {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::move(error);
    }
    room_.notify_all();
}

std::optional<Error> FrameQueue::failure() const
{
    const std::lock_guard lock(mutex_);
    return failure_;
}

std::size_t FrameQueue::frames() const
{
    const std::lock_guard lock(mutex_);
    return frames_;
}

}  // namespace sidestep
