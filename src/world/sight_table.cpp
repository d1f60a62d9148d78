// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/sight_table.hpp"

#include "base/assert.hpp"

namespace sidestep {

bool SightPool::reserve(std::size_t more) noexcept
{
    if (more <= free_) return true;
    const std::size_t needed = tables_.size() + (more - free_);
    if (needed >= kNoSight) return false;
    if (needed <= tables_.capacity()) return true;
    // By half, as rows do: agents are added one by one.
    return tables_.reserve(std::max(needed, tables_.capacity() + tables_.capacity() / 2));
}

std::uint32_t SightPool::take() noexcept
{
    auto place = static_cast<std::uint32_t>(tables_.size());
    if (free_ > 0) {
        place = first_free_;
        first_free_ = tables_[place].id[0];
        --free_;
    } else {
        tables_.resize(tables_.size() + 1);
    }
    tables_[place].clear();
    return place;
}

void SightPool::give_back(std::uint32_t place) noexcept
{
    tables_[place].id[0] = first_free_;
    first_free_ = place;
    ++free_;
}

void SightPool::put_in_order(Column<std::uint32_t>& owners, Column<std::uint32_t>& from) noexcept
{
    if (owners.empty() || from.capacity() < tables_.size()) return;
    from.clear();
    for (std::uint32_t& place : owners) {
        if (place == kNoSight) continue;
        const auto next = static_cast<std::uint32_t>(from.size());
        from.push_back(place);
        place = next;
    }
    const std::size_t owned = from.size();
    for (std::uint32_t place = first_free_; place != kNoSight; place = tables_[place].id[0])
        from.push_back(place);
    SIDESTEP_ASSERT(from.size() == tables_.size());

    // Cycle by cycle: from[place] is where the table that belongs there is.
    for (std::uint32_t first = 0; first < from.size(); ++first) {
        if (from[first] == first) continue;
        const SightTable moved = tables_[first];
        std::uint32_t place = first;
        while (from[place] != first) {
            const std::uint32_t next = from[place];
            tables_[place] = tables_[next];
            from[place] = place;
            place = next;
        }
        tables_[place] = moved;
        from[place] = place;
    }
    first_free_ = kNoSight;
    for (std::size_t place = tables_.size(); place-- > owned;) {
        tables_[place].id[0] = first_free_;
        first_free_ = static_cast<std::uint32_t>(place);
    }
}

}  // namespace sidestep
