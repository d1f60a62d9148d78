// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "simd/isa.hpp"

#include <array>

namespace sidestep {

namespace {

struct IsaName {
    Isa isa;
    std::string_view name;
};
constexpr std::array<IsaName, 5> kNames{{{Isa::automatic, "automatic"},
                                         {Isa::avx3, "avx3"},
                                         {Isa::avx2, "avx2"},
                                         {Isa::sse4, "sse4"},
                                         {Isa::scalar, "scalar"}}};

bool compiled(Isa isa)
{
    return isa == Isa::scalar || (isa != Isa::automatic && (HWY_TARGETS & target_of(isa)) != 0);
}

bool runs_here(Isa isa)
{
    return isa == Isa::scalar || (hwy::SupportedTargets() & target_of(isa)) != 0;
}

}  // namespace

std::string_view to_string(Isa isa)
{
    for (const IsaName& entry : kNames) {
        if (entry.isa == isa) return entry.name;
    }
    return "unknown";
}

std::optional<Isa> to_isa(std::string_view name)
{
    for (const IsaName& entry : kNames) {
        if (entry.name == name) return entry.isa;
    }
    return std::nullopt;
}

std::vector<Isa> available_isas()
{
    std::vector<Isa> available;
    for (const IsaName& entry : kNames) {
        if (compiled(entry.isa) && runs_here(entry.isa)) available.push_back(entry.isa);
    }
    return available;
}

std::vector<std::string> instruction_sets()
{
    std::vector<std::string> words;
    for (const IsaName& entry : kNames) {
        if (!compiled(entry.isa)) continue;
        words.push_back(std::string(entry.name) +
                        (runs_here(entry.isa) ? "" : " (not on this processor)"));
    }
    return words;
}

}  // namespace sidestep
