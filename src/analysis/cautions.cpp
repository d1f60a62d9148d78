// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sidestep/analysis.hpp"

namespace sidestep {

std::vector<std::string> cautions_of(const Trajectories& t)
{
    std::vector<std::string> cautions = t.damage;
    for (const auto& [name, value] : t.info.facts) {
        if (name == "interrupted" || name == "fault") {
            cautions.push_back(fmt::format("The run did not end by itself: {}.", value));
        } else if (name == "unfinished" || name == "recovered") {  // of the file this is a copy of
            cautions.push_back(fmt::format("The recording is a copy of a part: {}.", value));
        }
    }
    for (const RecordedEvent& event : t.notes.events) {
        if (event.kind != "agents-changed") continue;
        cautions.push_back(fmt::format(
            "People were changed at {:.6g} s ({}): radii and speeds are those they came with.",
            event.time, event.text));
    }
    // Damage explains itself.
    if (!t.is_closed && t.damage.empty()) {
        cautions.emplace_back(
            "The recording was not closed: the run was cut short, or still goes on.");
    }
    return cautions;
}

}  // namespace sidestep
