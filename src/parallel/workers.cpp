// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "parallel/workers.hpp"

#include <algorithm>
#include <thread>

#if defined(SIDESTEP_PLAIN_THREADS)
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <vector>
#else
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace sidestep {

namespace {

/// Threads that the back end really starts: oneTBB none beyond those it was allowed to, by default
/// one per hardware thread, and it prints a warning when asked for more.
std::uint32_t threads_at_most(std::uint32_t threads)
{
    if (threads <= 1)
        return 1;  // nothing to ask: a world of one thread does not wake oneTBB at all
#if !defined(SIDESTEP_PLAIN_THREADS)
    const std::size_t allowed =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    threads = static_cast<std::uint32_t>(std::min<std::size_t>(threads, allowed));
#endif
    return std::max(1u, threads);
}

}  // namespace

#if defined(SIDESTEP_PLAIN_THREADS)

/// A gang of threads that wait for a job, take its tasks one by one from a shared counter, and
/// report back.
struct Workers::Backend {
    explicit Backend(std::uint32_t count)
    {
        threads.reserve(count);
        try {
            for (std::uint32_t worker = 1; worker < count; ++worker)
                threads.emplace_back([this, worker] { serve(worker); });
        } catch (
            const std::system_error&) {  // the system has no threads left: a kind of memory, too
            stop();
            throw std::bad_alloc();
        } catch (const std::bad_alloc&) {
            stop();
            throw;
        }
    }

    ~Backend() { stop(); }

    void stop()
    {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        wake.notify_all();
        for (std::thread& thread : threads) thread.join();
    }

    void run(std::uint32_t count, Task job, void* job_data)
    {
        {
            const std::lock_guard lock(mutex);
            tasks = count;
            next = 0;
            task = job;
            data = job_data;
            busy = static_cast<std::uint32_t>(threads.size());
            ++round;
        }
        wake.notify_all();
        work(0);
        std::unique_lock lock(mutex);
        idle.wait(lock, [this] { return busy == 0; });
    }

    void serve(std::uint32_t worker)
    {
        std::uint64_t done_round = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex);
                wake.wait(lock, [&] { return stopping || round != done_round; });
                if (stopping) return;
                done_round = round;
            }
            work(worker);
            {
                const std::lock_guard lock(mutex);
                --busy;
            }
            idle.notify_one();
        }
    }

    void work(std::uint32_t worker)
    {
        for (;;) {
            std::uint32_t index = 0;
            {
                const std::lock_guard lock(mutex);
                if (next == tasks) return;
                index = next++;
            }
            task(data, index, worker);
        }
    }

    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake, idle;
    std::uint64_t round = 0;
    std::uint32_t tasks = 0, next = 0, busy = 0;
    Task task = nullptr;
    void* data = nullptr;
    bool stopping = false;
};

#else

struct Workers::Backend {
    explicit Backend(std::uint32_t count) : arena(static_cast<int>(count)) { arena.initialize(); }

    void run(std::uint32_t count, Task task, void* data)
    {
        arena.execute([&] {
            tbb::parallel_for(
                std::uint32_t{0}, count,
                [&](std::uint32_t index) {
                    task(data, index,
                         static_cast<std::uint32_t>(tbb::this_task_arena::current_thread_index()));
                },
                tbb::simple_partitioner());
        });
    }

    tbb::task_arena arena;
};

#endif

Workers::Workers(std::uint32_t threads, const Executor& host) : host_(host)
{
    if (host.run != nullptr) {
        count_ = std::max(1u, host.workers);
        return;
    }
    count_ = threads_at_most(threads > 0 ? threads : std::thread::hardware_concurrency());
    if (count_ > 1) backend_ = std::make_unique<Backend>(count_);
}

Workers::~Workers() = default;

void Workers::run(std::uint32_t tasks, Task task, void* data)
{
    if (host_.run != nullptr) {
        host_.run(host_.host, tasks, task, data);
    } else if (backend_ != nullptr && tasks > 1) {
        backend_->run(tasks, task, data);
    } else {
        for (std::uint32_t index = 0; index < tasks; ++index) task(data, index, 0);
    }
}

}  // namespace sidestep
