// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/sight_table.hpp"

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

}  // namespace sidestep
