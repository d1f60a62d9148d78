// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "scenario/help_rows.hpp"

// Traits, presets and populations as a page of the docs: `sidestep traits --markdown`.

namespace sidestep {
namespace {

constexpr std::string_view kBegin = R"(# What people are like: traits, presets, populations

<!-- Made by `sidestep traits --markdown` from the tables of the program. Do not edit. -->

Every agent has the same traits, whatever its model of avoidance. A profile of a scenario sets some of them; the rest have the
defaults below, or those of the model (`sidestep models rcap`). `sidestep traits NAME` shows one trait, preset or population.

## Traits

)";

constexpr std::string_view kNotes = R"(
- **Body and space.** Bodies (`radius`) must not overlap; towards others an agent plans with `planning_radius`, its personal space, and
  towards walls with its body and `wall_clearance`. Who is stalled gives up some of that space ([stalls.md](stalls.md)).
- **Observation.** With an `observation_time` an agent avoids somebody only when it has seen them for longer than that. It
  forgets who was out of sight for `forget_time`. `field_of_view_deg` and `sight` say who is seen at all. It remembers the 16 nearest;
  whoever is beyond that is avoided at once, and `sidestep run` counts them (`crowded_sights`). A long `observation_time` needs a long
  `neighbour_range`: two who walk towards each other at 1.3 m/s come 5 m nearer in 2 s, and whoever comes into sight at 5 m is met before that.
- **Acceleration.** `max_acceleration` bounds the change of velocity, `acceleration_mode` says how. `disc` looks for the best
  velocity that can be reached; `clamp` takes the best and cuts it back, as [RCAP10] eq. (8) does, and loses the promise that nobody
  is hit; `brake` also keeps slow enough to stop; `avo` expects the lag of `response_time`.
- **Roles.** Of two agents with ranks a and b the first takes b/(a + b) of the avoidance: who has the higher rank gives way less.
  An infinite rank yields to nobody. `[[roles]]` of a scenario says shares between agents directly.
- **Temper.** The model `personality` weighs the velocity it has against the one it wants: `alpha`, [LI13] eq. (11).
)";

constexpr std::string_view kPresetsIntroduction = R"(
## Presets

A preset is a name for values of traits. What it does not set (-) is that of the model.

)";

constexpr std::string_view kPopulationsIntroduction = R"(
## Populations

A population is a mix of presets.

)";

constexpr std::string_view kExamples = R"(
## Using them

By name, where a profile can stand; a profile of that name in the file comes first. Such an agent has the model and the
values of `[profiles.default]`, and over these the preset's. Who names no profile is of `[profiles.default]`; in a file without it that is a person with the defaults of the traits, not of
the preset `default`, which must be named:

```toml
format = 1

[profiles.default]
model = "rcap"

[[floors]]
box = [0, 0, 30, 8]

[[goals]]
name = "exit"
line = [[30, 0], [30, 8]]

[[agents]]
area = { box = [0, 0, 8, 8] }
count = 30
profile = "elder"
exit = "exit"
```

As the beginning of a profile, whose own keys come after:

```toml
format = 1

[profiles.grandmother]
model = "personality"
preset = "elder"
preferred_speed = { normal = [0.8, 0.1], min = 0.5, max = 1.1 }
acceleration_mode = "brake"
when_stuck = "wait_clamped"

[[agents]]
position = [0, 0]
profile = "grandmother"
```

In a mix. The numbers of `[[agents]]` are exact (here 3, 6 and 21 of 30), and who is who depends on the seed; of `[[sources]]` each
newcomer is drawn:

```toml
format = 1

[populations.concourse]
hurried = 0.3
elder = 0.2
default = 0.5

[[floors]]
box = [0, 0, 40, 10]

[[goals]]
name = "exit"
line = [[40, 0], [40, 10]]

[[agents]]
area = { box = [0, 0, 10, 10] }
count = 30
profile = { hurried = 0.1, strolling = 0.2, phone = 0.7 }
exit = "exit"

[[sources]]
area = { box = [0, 0, 2, 10] }
rate = 0.5
count = 20
profile = "concourse"
exit = "exit"
```

While it runs, for everybody or for some:

```toml
format = 1

[[goals]]
name = "train"
point = [40, 0]

[[agents]]
name = "travellers"
lattice = { columns = 4, rows = 5 }
profile = "strolling"
goal = "train"

[[events]]  # the train comes in
time = 10
agents = "travellers"
preset = "hurried"

[[events]]
time = 10
set = { max_speed = 2.5, acceleration_mode = "clamp" }
```

In C++ a `ProfileSpec` has a `preset`, and `World::set_trait`, `World::apply_preset`, `World::set_profile` and `World::set_model` change an
agent between steps.
)";

std::string list_traits()
{
    std::string text = "| trait | value | default | meaning |\n|---|---|---|---|\n";
    for (const HelpRow& row : rows_of(traits())) {
        text += fmt::format("| `{}` | {} | {} | {} |\n", row.key, escape_cell(row.value),
                            escape_cell(row.fallback), escape_cell(row.meaning));
    }
    return text;
}

const TraitValue* value_in(const PresetInfo& preset, std::string_view trait)
{
    const auto found = std::find_if(preset.values.begin(), preset.values.end(),
                                    [&](const TraitValue& own) { return own.trait == trait; });
    return found == preset.values.end() ? nullptr : &*found;
}

std::string list_presets()
{
    std::vector<ParamInfo> columns;
    for (const ParamInfo& trait : traits()) {
        const auto sets = [&](const PresetInfo& each) {
            return value_in(each, trait.name) != nullptr;
        };
        if (std::any_of(presets().begin(), presets().end(), sets)) columns.push_back(trait);
    }
    std::string text = "| preset |";
    for (const ParamInfo& trait : columns) text += fmt::format(" `{}` |", trait.name);
    text += " who |\n|---|";
    for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
    text += "---|\n";
    for (const PresetInfo& preset : presets()) {
        text += fmt::format("| `{}` |", preset.name);
        for (const ParamInfo& trait : columns) {
            const TraitValue* own = value_in(preset, trait.name);
            text += fmt::format(" {} |", own != nullptr ? value_text(trait, own->value) : "-");
        }
        text += fmt::format(" {} |\n", preset.summary);
    }
    return text;
}

std::string list_populations()
{
    std::string text = "| population | shares | who |\n|---|---|---|\n";
    for (const PopulationInfo& population : populations()) {
        std::string shares;
        for (const PopulationInfo::Part& part : population.parts) {
            shares +=
                fmt::format("{}`{} = {}`", shares.empty() ? "" : ", ", part.preset, part.share);
        }
        text += fmt::format("| `{}` | {} | {} |\n", population.name, shares, population.summary);
    }
    return text;
}

}  // namespace

std::string traits_page()
{
    return fmt::format("{}{}{}{}{}{}{}{}", kBegin, list_traits(), kNotes, kPresetsIntroduction,
                       list_presets(), kPopulationsIntroduction, list_populations(), kExamples);
}

}  // namespace sidestep
