// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "scenario/layout.hpp"
#include "scenario/layouts/plans.hpp"

namespace sidestep {

std::span<const LayoutInfo> layouts()
{
    // In here, not at file scope: the tables of other files may be made later than this one.
    static const std::array kLayouts{plans::kBridge, plans::kCity, plans::kField, plans::kOffice,
                                     plans::kStadium};
    return kLayouts;
}

}  // namespace sidestep
