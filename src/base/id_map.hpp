// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/column.hpp"

namespace sidestep {

/// id -> slot, for ids in any order and with any gaps: open addressing, linear probing, no order
/// that anything could depend on.
class IdMap {
public:
    /// Room for `count` ids; false, and nothing changed, where memory is short.
    [[nodiscard]] bool reserve(std::size_t count) noexcept;
    std::optional<std::uint32_t> find(std::uint32_t id) const noexcept;
    /// Needs room and an id that is not there.
    void insert(std::uint32_t id, std::uint32_t slot) noexcept;
    void erase(std::uint32_t id) noexcept;
    std::size_t size() const noexcept { return size_; }
    std::size_t bytes() const noexcept { return entries_.capacity() * sizeof(Entry); }

private:
    struct Entry {
        std::uint32_t id;
        std::uint32_t slot;  ///< kEmpty where nobody is
    };
    static constexpr std::uint32_t kEmpty = 0xffffffffu;

    std::size_t home(std::uint32_t id) const noexcept;

    Column<Entry> entries_;  ///< at most three quarters full
    std::size_t size_ = 0;
};

}  // namespace sidestep
