// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/assert.hpp"

namespace sidestep {

/// Bytes that every column starts on a multiple of: a cache line, and the widest vector we load.
inline constexpr std::size_t kColumnAlignment = 64;

/// An array of plain values that takes memory only when told to, and says so instead of throwing
/// when there is none. A step never calls reserve.
template <class T>
class Column {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Column() = default;
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    Column(Column&& other) noexcept { swap(other); }
    Column& operator=(Column&& other) noexcept
    {
        swap(other);
        return *this;
    }
    ~Column() { release(data_); }

    /// Room for `count` values; false, and nothing changed, where memory is short.
    [[nodiscard]] bool reserve(std::size_t count) noexcept
    {
        if (count <= capacity_) return true;
        if (count > std::numeric_limits<std::size_t>::max() / (2 * sizeof(T))) return false;
        void* memory =
            ::operator new (count * sizeof(T), std::align_val_t{kColumnAlignment}, std::nothrow);
        if (memory == nullptr) return false;
        if (size_ > 0) std::memcpy(memory, data_, size_ * sizeof(T));
        release(data_);
        data_ = static_cast<T*>(memory);
        capacity_ = count;
        return true;
    }

    /// As reserve, but at least doubles, for columns that grow one by one.
    [[nodiscard]] bool reserve_growing(std::size_t count) noexcept
    {
        if (count <= capacity_) return true;
        return reserve(std::max(count, 2 * capacity_));
    }

    /// Needs capacity for `size`; new values are copies of `fill`.
    void resize(std::size_t size, const T& fill = T{}) noexcept
    {
        SIDESTEP_ASSERT(size <= capacity_);
        if (size > size_) std::fill(data_ + size_, data_ + size, fill);
        size_ = size;
    }

    /// Needs capacity.
    void push_back(const T& value) noexcept
    {
        SIDESTEP_ASSERT(size_ < capacity_);
        data_[size_++] = value;
    }

    void pop_back() noexcept { --size_; }
    void clear() noexcept { size_ = 0; }

    std::size_t size() const noexcept { return size_; }
    std::size_t capacity() const noexcept { return capacity_; }
    bool empty() const noexcept { return size_ == 0; }
    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    T& back() noexcept { return data_[size_ - 1]; }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }
    std::span<const T> span() const noexcept { return {data_, size_}; }

private:
    void swap(Column& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    static void release(T* memory) noexcept
    {
        ::operator delete (memory, std::align_val_t{kColumnAlignment});
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace sidestep
