// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "sidestep/world.hpp"

namespace sidestep {

/// The threads of a world: oneTBB's, our own (builds without oneTBB, thread-sanitizer runs), or the
/// host program's job system.
class Workers {
public:
    /// 0 threads: one per hardware thread; oneTBB never has more, unless the program's
    /// tbb::global_control allows it. A host's executor wins over both.
    Workers(std::uint32_t threads, const Executor& host);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Worker numbers are below this.
    std::uint32_t count() const { return count_; }

    using Task = void (*)(void* data, std::uint32_t index, std::uint32_t worker);
    /// task(data, i, worker) once for each i in [0, tasks); returns when all are done. Takes no
    /// memory.
    void run(std::uint32_t tasks, Task task, void* data);

private:
    struct Backend;
    Executor host_;
    std::uint32_t count_ = 1;
    std::unique_ptr<Backend> backend_;  ///< none for a single thread
};

/// body(block, worker) for each block in [0, blocks). Blocks are fixed by the data, never by the
/// number of workers, and a block writes only what is its own or its worker's: that is why results
/// do not depend on the schedule.
template <class Body>
void parallel_for(Workers& workers, std::size_t blocks, Body&& body)
{
    using Plain = std::remove_reference_t<Body>;
    workers.run(
        static_cast<std::uint32_t>(blocks),
        [](void* data, std::uint32_t block, std::uint32_t worker) {
            (*static_cast<Plain*>(data))(std::size_t{block}, worker);
        },
        &body);
}

}  // namespace sidestep
