// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "scenario/layout.hpp"
#include "scenario/tables.hpp"

namespace sidestep {
namespace {

using testing::HasSubstr;

std::string read_text(const std::string& path)
{
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(ScenarioHelp, names_every_table_and_every_key)
{
    const std::string overview = scenario_help();
    for (const TableInfo& table : scenario_tables()) {
        if (table.name.empty()) continue;
        EXPECT_THAT(overview, HasSubstr(title_of(table)));
        const std::string help = scenario_help(table.name);
        for (const KeyInfo& key : table.keys) EXPECT_THAT(help, HasSubstr(std::string(key.name)));
    }
    for (const ExpectInfo& row : expectations()) {
        EXPECT_THAT(scenario_help("expect"), HasSubstr(std::string(row.key)));
    }
    for (const ParamInfo& trait : traits()) {
        EXPECT_THAT(scenario_help("profiles"), HasSubstr(std::string(trait.name)));
    }
    for (const LayoutInfo& layout : layouts()) {
        EXPECT_THAT(scenario_help("layout"), HasSubstr(std::string(layout.name)));
    }
    EXPECT_EQ(scenario_help("weather"), "");
}

TEST(ScenarioHelp, has_examples_that_are_good_scenarios)
{
    for (const TableInfo& table : scenario_tables()) {
        if (table.form == TableInfo::Form::in_line || table.name.empty()) continue;
        SCOPED_TRACE(table.name);
        std::string text = "format = 1\n" + std::string(table.example) + "\n";
        // What the examples refer to.
        if (table.name != "goals") text += "[[goals]]\nname = \"exit\"\npoint = [9, 4]\n";
        if (table.name == "journeys") text += "[[goals]]\nname = \"door\"\npoint = [4, 4]\n";
        if (table.name == "events") {
            text += "[[doors]]\nname = \"door\"\npolygon = { box = [4, 3, 5, 4] }\n";
        }
        const ReadScenario read = parse_scenario(text, "example", {{}, models()});
        for (const Problem& problem : read.problems) ADD_FAILURE() << to_text(problem);
    }
}

TEST(ScenarioSchema, holds_every_key_and_only_references_that_exist)
{
    const std::string text = scenario_schema();
    const auto schema = nlohmann::json::parse(text);
    EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    for (const TableInfo& table : scenario_tables()) {
        if (table.name.empty()) continue;
        for (const KeyInfo& key : table.keys) {
            EXPECT_TRUE(schema["$defs"][std::string(table.name)]["properties"].contains(
                std::string(key.name)))
                << table.name << '.' << key.name;
        }
    }
    for (std::size_t at = text.find("#/$defs/"); at != std::string::npos;
         at = text.find("#/$defs/", at + 1)) {
        const std::size_t begin = at + 8;
        const std::string name = text.substr(begin, text.find('"', begin) - begin);
        EXPECT_TRUE(schema["$defs"].contains(name)) << name;
    }
}

TEST(ScenarioPage, is_the_committed_one)
{
    const std::string path = SIDESTEP_TEST_DATA_DIR "/../../docs/formats/scenario.md";
    EXPECT_EQ(read_text(path), scenario_page())
        << "write it anew: sidestep help scenario --markdown > docs/formats/scenario.md";
}

TEST(TraitsPage, is_the_committed_one)
{
    EXPECT_EQ(read_text(SIDESTEP_TEST_DATA_DIR "/../../docs/traits.md"), traits_page())
        << "write it anew: sidestep traits --markdown > docs/traits.md";
}

TEST(TraitsPage, has_examples_that_are_good_scenarios)
{
    const std::string page = traits_page();
    const std::string begin = "```toml\n";
    int examples = 0;
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
        at += begin.size();
        const std::string text = page.substr(at, page.find("```", at) - at);
        SCOPED_TRACE(text);
        const ReadScenario read = parse_scenario(text, "example", {{}, models()});
        for (const Problem& problem : read.problems) ADD_FAILURE() << to_text(problem);
        ++examples;
    }
    EXPECT_EQ(examples, 4);
}

TEST(TraitsPage, names_every_trait_preset_and_population)
{
    const std::string page = traits_page();
    const auto has = [&](std::string_view name) {
        EXPECT_THAT(page, HasSubstr("| `" + std::string(name) + "` |"));
    };
    for (const ParamInfo& trait : traits()) has(trait.name);
    for (const PresetInfo& preset : presets()) has(preset.name);
    for (const PopulationInfo& population : populations()) has(population.name);
}

}  // namespace
}  // namespace sidestep
