// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "studies/ricks14/ricks14.hpp"
#include "studies/study.hpp"

namespace sidestep {
namespace {

constexpr const Study* kStudies[] = {
    &ricks14::kFig1, &ricks14::kFig2, &ricks14::kFig3, &ricks14::kFig4, &ricks14::kFig5,
    &ricks14::kFig7, &ricks14::kFig8, &ricks14::kFig9, &ricks14::kEq11, &ricks14::kEq16,
};

}  // namespace

std::vector<StudyInfo> studies()
{
    std::vector<StudyInfo> infos;
    for (const Study* study : kStudies) infos.push_back(study->info);
    return infos;
}

bool StudyNumber::holds() const
{
    return std::fabs(ours - expected) <= tolerance;  // false for NaN
}

bool StudyResult::holds() const
{
    return std::all_of(numbers.begin(), numbers.end(),
                       [](const StudyNumber& number) { return number.holds(); });
}

std::size_t StudyResult::printed() const
{
    return static_cast<std::size_t>(
        std::count_if(numbers.begin(), numbers.end(),
                      [](const StudyNumber& number) { return number.as_printed.has_value(); }));
}

std::size_t StudyResult::not_as_printed() const
{
    return static_cast<std::size_t>(
        std::count_if(numbers.begin(), numbers.end(),
                      [](const StudyNumber& number) { return number.as_printed == false; }));
}

StudyNumber with_printed(StudyNumber number, double printed, double slack)
{
    if (number.paper.empty()) number.paper = fmt::format("{:.{}f}", printed, number.decimals);
    number.as_printed = std::fabs(number.ours - printed) <= slack;
    return number;
}

Result<StudyResult> run_study(std::string_view name)
{
    for (const Study* study : kStudies) {
        if (study->info.name != name) continue;
        StudyResult result;
        result.info = study->info;
        study->run(result);
        return result;
    }
    return Error{ErrorCode::unknown_name, "there is no figure '" + std::string(name) + "'"};
}

}  // namespace sidestep
