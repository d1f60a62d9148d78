// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "sidestep/scenario.hpp"

// The reader takes any bytes: it answers with a scenario or with problems, never with a crash.

namespace sidestep {
namespace {

/// Random choices of one case.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : seed_(seed) {}
    std::size_t below(std::size_t count)
    {
        return static_cast<std::size_t>(random_bits({.seed = seed_, .subject = turn_++}) % count);
    }

private:
    std::uint64_t seed_;
    std::uint64_t turn_ = 0;
};

std::vector<std::string> split_lines(std::string_view text)
{
    std::vector<std::string> lines(1);
    for (const char c : text) {
        if (c == '\n') {
            lines.emplace_back();
        } else {
            lines.back() += c;
        }
    }
    return lines;
}

std::string join_lines(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

/// Values that a key may suddenly have.
constexpr std::string_view kValues[] = {
    "-1",   "0",     "1e300",           "nan",
    "inf",  "\"\"",  "\"default\"",     "[]",
    "{}",   "[[]]",  "[1, 2]",          "[[0, 0]]",
    "true", "false", "1979-05-27",      "\"opposite\"",
    "[0]",  "65536", "{ box = [] }",    "[\"a\", 1]",
    "0.5",  "''",    "{ wkt = \"(\" }", "20000000",
};

/// A line more, less, elsewhere or with another value; or a byte changed.
std::string mutate(std::string_view text, Dice& dice)
{
    std::vector<std::string> lines = split_lines(text);
    for (std::size_t n = 1 + dice.below(4); n > 0 && !lines.empty(); --n) {
        const std::size_t i = dice.below(lines.size());
        std::string& line = lines[i];
        switch (dice.below(6)) {
            case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i)); break;
            case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), line); break;
            case 2: std::swap(line, lines[dice.below(lines.size())]); break;
            case 3: {
                const std::size_t equals = line.find('=');
                if (equals == std::string::npos) break;
                line = line.substr(0, equals + 1) + ' ' +
                       std::string(kValues[dice.below(std::size(kValues))]);
                break;
            }
            case 4:
                if (!line.empty())
                    line[dice.below(line.size())] = static_cast<char>(dice.below(256));
                break;
            default:
                if (!line.empty()) line.erase(dice.below(line.size()), 1);
                break;
        }
    }
    return join_lines(lines);
}

TEST(ScenarioMutations, are_read_or_refused)
{
    std::size_t good = 0;
    std::size_t bad = 0;
    for (const SceneInfo& scene : scenes()) {
        if (scene.name.ends_with("k") || scene.name.ends_with("1m")) continue;  // large layouts
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            SCOPED_TRACE(std::string(scene.name) + " seed " + std::to_string(seed));
            Dice dice(seed);
            const std::string text = mutate(scene.text, dice);
            const ReadScenario read = parse_scenario(text, "mutated", {{}, models()});
            ASSERT_NE(read.scenario.has_value(), !read.problems.empty());
            (read.scenario ? good : bad) += 1;
            for (const Problem& problem : read.problems) {
                ASSERT_FALSE(problem.message.empty());
                ASSERT_FALSE(problem.code.empty());
                ASSERT_LE(problem.at.line, split_lines(text).size());
            }
            ASSERT_TRUE(std::is_sorted(read.problems.begin(), read.problems.end(),
                                       [](const Problem& a, const Problem& b) {
                                           return a.at.line - 1u < b.at.line - 1u;
                                       }));
        }
    }
    EXPECT_GT(good, 100u);
    EXPECT_GT(bad, 100u);
}

}  // namespace
}  // namespace sidestep
