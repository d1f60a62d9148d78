// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/spread.hpp"

namespace sidestep {

Spread spread_of(std::vector<double> values)
{
    return make_spread(values);
}

}  // namespace sidestep
