// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory that runs out when a test says so. A program that includes this has its own operator new,
// which fails when told to: for the one source file of a test program.

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr long kNever = std::numeric_limits<long>::max();

/// Allocations that still succeed.
std::atomic<long> allocations_left{kNever};

bool may_allocate()
{
    if (allocations_left.load(std::memory_order_relaxed) == kNever) return true;
    return allocations_left.fetch_sub(1, std::memory_order_relaxed) > 0;
}

// Not inlined: gcc would otherwise see free() meet what it takes for another operator new.
[[gnu::noinline]] void* take(std::size_t size, std::size_t alignment) noexcept
{
    if (!may_allocate()) return nullptr;
    const std::size_t rounded = (size + alignment) / alignment * alignment;
    return std::aligned_alloc(alignment, rounded);
}

[[gnu::noinline]] void give_back(void* memory) noexcept
{
    std::free(memory);
}

[[gnu::noinline]] void* take_or_throw(std::size_t size, std::size_t alignment)
{
    if (void* memory = take(size, alignment)) return memory;
    throw std::bad_alloc();
}

constexpr std::size_t kAlignment = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size)
{
    return take_or_throw(size, kAlignment);
}
void* operator new[](std::size_t size)
{
    return take_or_throw(size, kAlignment);
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    return take_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment)
{
    return take_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return take(size, kAlignment);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept
{
    return take(size, kAlignment);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory) noexcept
{
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept
{
    give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept
{
    give_back(memory);
}

namespace sidestep::test {

/// While it lives, this many allocations succeed and all later ones fail.
class ShortMemory {
public:
    explicit ShortMemory(long allocations) { allocations_left = allocations; }
    ~ShortMemory() { allocations_left = kNever; }
    ShortMemory(const ShortMemory&) = delete;
    ShortMemory& operator=(const ShortMemory&) = delete;
};

}  // namespace sidestep::test
