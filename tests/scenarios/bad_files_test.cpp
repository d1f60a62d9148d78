// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "scenario/layout.hpp"
#include "scenario/limits.hpp"
#include "scenario/tables.hpp"
#include "scenarios/check_program.hpp"
#include "sidestep/scenario.hpp"

// Bad scenario files, each with what `sidestep check` says about it, word for word. Most are in
// bad_files.txt; those that are large, or are no files at all, are made here.

namespace sidestep {
namespace {

using test::Outcome;
using test::run_check;
using test::TemporaryFolder;
using testing::HasSubstr;

/// What a bad file may cost. Debug and sanitizers are slower and larger: there the program only
/// must not hang.
#ifdef NDEBUG
constexpr bool kMeasured = !test::kSanitized;
#else
constexpr bool kMeasured = false;
#endif
constexpr double kMostSeconds = 1.0;
constexpr double kMostMegabytes = 200.0;

struct BadFile {
    std::string name;
    std::string covers;                                      ///< table.key that is wrong, or empty
    std::vector<std::string> arguments;                      ///< --set key=value
    std::vector<std::pair<std::string, std::string>> files;  ///< beside it: name, text
    std::string text;
    std::string expected;  ///< on standard error
};

/// `#### name [table.key]`, then `$ key=value` for --set, `+ name text` for a file beside it, `> `
/// for the expected output; the rest is the scenario.
std::vector<BadFile> load_cases()
{
    std::ifstream file(SIDESTEP_TEST_DATA_DIR "/../scenarios/bad_files.txt");
    std::vector<BadFile> cases;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("#### ")) {
            const std::size_t bracket = line.find(" [");
            BadFile fresh;
            fresh.name = line.substr(5, bracket == std::string::npos ? bracket : bracket - 5);
            if (bracket != std::string::npos) {
                fresh.covers = line.substr(bracket + 2, line.size() - bracket - 3);
            }
            cases.push_back(std::move(fresh));
        } else if (cases.empty()) {
            continue;  // what the file says about itself
        } else if (line.starts_with("$ ")) {
            cases.back().arguments.insert(cases.back().arguments.end(), {"--set", line.substr(2)});
        } else if (line.starts_with("+ ")) {
            const std::size_t blank = line.find(' ', 2);
            cases.back().files.emplace_back(line.substr(2, blank - 2), line.substr(blank + 1));
        } else if (line.starts_with("> ")) {
            cases.back().expected += line.substr(2) + '\n';
        } else {
            cases.back().text += line + '\n';
        }
    }
    return cases;
}

/// Largest costs seen, for the log.
struct Costs {
    double seconds = 0.0;
    double megabytes = 0.0;
    std::string slowest, largest;

    void add(const std::string& name, const Outcome& outcome)
    {
        if (outcome.cpu_seconds > seconds) slowest = name;
        if (outcome.megabytes > megabytes) largest = name;
        seconds = std::max(seconds, outcome.cpu_seconds);
        megabytes = std::max(megabytes, outcome.megabytes);
    }
    void print() const
    {
        std::printf("most CPU time: %.3f s (%s); most memory: %.1f MB (%s)\n", seconds,
                    slowest.c_str(), megabytes, largest.c_str());
    }
};

void expect_refused(const std::string& name, const Outcome& outcome, Costs& costs)
{
    EXPECT_EQ(outcome.exit_code, 2) << "signal " << outcome.signal << '\n' << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    if (kMeasured) {
        EXPECT_LT(outcome.cpu_seconds, kMostSeconds);
        EXPECT_LT(outcome.megabytes, kMostMegabytes);
    }
    costs.add(name, outcome);
}

class BadFiles : public testing::Test {
protected:
    void SetUp() override
    {
        if (std::string(SIDESTEP_PROGRAM).empty()) GTEST_SKIP() << "the program is not built";
    }
    void TearDown() override { costs_.print(); }

    /// The file has one problem; what is said about it holds `words`.
    void expect_one(const std::string& words, const std::string& argument = "case.toml")
    {
        const Outcome outcome = run_check(folder_, {argument});
        expect_refused(words, outcome, costs_);
        EXPECT_THAT(outcome.errors, HasSubstr(words));
        EXPECT_EQ(outcome.errors.find("error: ", 1), std::string::npos) << outcome.errors;
    }
    void expect_one_in(const std::string& text, const std::string& words)
    {
        folder_.write("case.toml", text);
        expect_one(words);
    }

    TemporaryFolder folder_;
    Costs costs_;
};

TEST_F(BadFiles, are_refused_with_every_problem_its_place_and_a_hint)
{
    for (const BadFile& bad : load_cases()) {
        SCOPED_TRACE(bad.name);
        const TemporaryFolder folder;
        folder.write("case.toml", bad.text);
        for (const auto& [name, text] : bad.files) folder.write(name, text);
        std::vector<std::string> arguments{"case.toml"};
        arguments.insert(arguments.end(), bad.arguments.begin(), bad.arguments.end());
        const Outcome outcome = run_check(folder, arguments);
        EXPECT_EQ(outcome.errors, bad.expected);
        expect_refused(bad.name, outcome, costs_);
    }
}

TEST(BadFilesTable, has_a_case_for_every_key_of_every_table)
{
    std::set<std::string> covered;
    for (const BadFile& bad : load_cases()) covered.insert(bad.covers);
    const auto expect_covered = [&](const std::string& key) {
        EXPECT_TRUE(covered.contains(key)) << "no bad file for " << key;
    };
    for (const TableInfo& table : scenario_tables()) {
        const std::string name(table.name.empty() ? "file" : table.name);
        for (const KeyInfo& key : table.keys) expect_covered(name + '.' + std::string(key.name));
    }
    for (const KeyInfo& key : expect_keys()) expect_covered("expect." + std::string(key.name));
    for (const ModelInfo& model : models()) {
        for (const KeyInfo& key : profile_keys(&model)) {
            expect_covered("profiles." + std::string(key.name));
        }
    }
    for (const LayoutInfo& layout : layouts()) {
        for (const LayoutParam& param : layout.params) {
            expect_covered("layout." + std::string(layout.name) + '.' + std::string(param.name));
        }
    }
}

TEST(BadFilesTable, is_large_and_varied)
{
    const std::vector<BadFile> cases = load_cases();
    EXPECT_GE(cases.size(), 150u);
    std::set<std::string> names, messages;
    const std::regex place("^error: [^ ]+ |'[^']*'|[-+]?[0-9][0-9.e+]*|\\b[a-z]+_[a-z_]+\\b");
    for (const BadFile& bad : cases) {
        EXPECT_TRUE(names.insert(bad.name).second) << bad.name << " twice";
        std::istringstream lines(bad.expected);
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("error: ")) {
                messages.insert(std::regex_replace(line, place, ""));
            }
        }
    }
    EXPECT_GE(messages.size(), 60u) << "different messages, values and names aside";
}

// ------------------------------------------------------------------------- what is no such file

TEST_F(BadFiles, that_do_not_exist_are_named)
{
    expect_one("error: missing.toml: cannot be read: No such file or directory", "missing.toml");
    expect_one("there is no file and no scene 'two-heat-on'\nhint: did you mean 'two-head-on'?",
               "two-heat-on");
    std::filesystem::create_symlink("nowhere", folder_.path() / "dangling");
    expect_one("error: dangling: cannot be read: No such file or directory", "dangling");
}

TEST_F(BadFiles, that_are_folders_devices_or_pipes_are_refused_at_once)
{
    std::filesystem::create_directory(folder_.path() / "folder.toml");
    expect_one("error: folder.toml: is a folder, not a file", "folder.toml");
    ASSERT_EQ(::mkfifo((folder_.path() / "pipe.toml").c_str(), 0600), 0);
    expect_one("error: pipe.toml: is a pipe, not a file", "pipe.toml");
    expect_one("error: /dev/zero: is a device, not a file", "/dev/zero");
    std::filesystem::create_symlink("/dev/zero", folder_.path() / "link.toml");
    expect_one("error: link.toml: is a device, not a file", "link.toml");
}

TEST_F(BadFiles, beyond_64_MiB_are_not_read)
{
    folder_.write("case.toml", "format = 1\n");
    std::filesystem::resize_file(folder_.path() / "case.toml", kMaxFileBytes + 1);
    expect_one("error: case.toml: has 67108865 bytes, at most 67108864 are read");
}

// ---------------------------------------------------------------------------------- bad bytes

TEST_F(BadFiles, that_are_no_text_are_refused_at_the_byte)
{
    const std::string begin = "format = 1\n# \xC3\xA4";  // two bytes, one column
    expect_one_in(begin + '\0' + "\n", "error: case.toml:2:4: a NUL byte: this is no text");
    for (const auto& [bytes, first] : std::map<std::string, std::string>{
             {"\x80", "80"},              // goes on from nothing
             {"\xC3(", "c3"},             // does not go on
             {"\xC0\xAF", "c0"},          // longer than needed
             {"\xED\xA0\x80", "ed"},      // half of a pair
             {"\xF5\x80\x80\x80", "f5"},  // beyond Unicode
             {"\xE2\x82", "e2"},          // ends early
         }) {
        expect_one_in(begin + bytes, "error: case.toml:2:4: byte 0x" + first + " is no UTF-8");
    }
    expect_one_in(std::string("\xFF\xFE"
                              "f\0o\0",
                              6),
                  "error: case.toml:1:1: byte 0xff");
    expect_one_in("format = 1\n[world]\nname = \"\xFF\"\n", "error: case.toml:3:9: byte 0xff");
}

TEST_F(BadFiles, with_a_byte_order_mark_are_read_all_the_same)
{
    expect_one_in(
        "\xEF\xBB\xBF"
        "format = 2\n",
        "error: case.toml:1:10: format must be 1, got 2");
}

// ------------------------------------------------------------------------------- too much of it

std::string repeat(std::string_view text, std::size_t times)
{
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

TEST_F(BadFiles, that_nest_a_million_times_are_refused)
{
    const std::string message = "more than 64 tables or lists within each other";
    for (const char* text : {"[", "{a=", "[{a=", "a=[", "\n[[a]]\na=["}) {
        SCOPED_TRACE(text);
        expect_one_in("format = 1\na = " + repeat(text, 1'000'000), message);
    }
    expect_one_in("format = 1\n" + repeat("a.", 1'000'000) + "a = 1\n", message);
    expect_one_in("format = 1\n[" + repeat("a . ", 1'000'000) + "a]\n", message);
    expect_one_in("format = 1\n[[" + repeat("\"a\".", 1'000'000) + "a]]\n", message);
}

TEST_F(BadFiles, that_are_large_stay_cheap)
{
    expect_one_in("format = 1\na = [" + repeat("0,", 30'000'000) + "]\n",
                  "more than 1000000 values in the file");
    expect_one_in("format = 1\n" + repeat("[[a]]\n", 2'000'000),
                  "more than 1000000 values in the file");
    expect_one_in("format = 1\n[world]\nname = \"" + std::string(20'000'000, 'x') + "\"\n",
                  "error: case.toml:3:8: texts of 20000001 bytes up to here, at most 16777216");
    expect_one_in("format = 1\n[world]\nname = \"" + std::string(10'000'000, 'x') + "\"\n",
                  "error: case.toml:3:8: name has 10000000 bytes, at most 10000");
    expect_one_in("format = 1\n[world]\n" + std::string(1'000'000, 'k') + " = 1\n",
                  "unknown key 'kkkkkkkkkk");
    expect_one_in(
        "format = 1\n[[goals]]\nname = \"a\"\npoint = [" + std::string(300'000, '9') + ", 0]\n",
        "not TOML");
}

TEST_F(BadFiles, with_too_many_tables_vertices_or_problems_say_so_once)
{
    expect_one_in("format = 1\n" + repeat("[[zones]]\n", 10'001),
                  "error: case.toml:10002:1: 10001 tables [[zones]], at most 10000");
    folder_.write("case.toml", "format = 1\n" + repeat("[[zones]]\n", 10'000));
    const Outcome outcome = run_check(folder_, {"case.toml"});
    expect_refused("many problems", outcome, costs_);
    EXPECT_THAT(outcome.errors, HasSubstr("19000 more problems are not shown"));
}

// ------------------------------------------------------------------------ files beside the file

TEST_F(BadFiles, cannot_name_files_outside_their_folder)
{
    const TemporaryFolder elsewhere;
    elsewhere.write("plan.wkt", "POLYGON((0 0, 4 0, 4 4, 0 0))");
    std::filesystem::create_symlink(elsewhere.path() / "plan.wkt", folder_.path() / "link.wkt");
    std::filesystem::create_symlink(elsewhere.path(), folder_.path() / "sub");
    std::filesystem::create_symlink("/dev/zero", folder_.path() / "zero.wkt");
    ASSERT_EQ(::mkfifo((folder_.path() / "pipe.wkt").c_str(), 0600), 0);
    std::filesystem::create_directory(folder_.path() / "folder.wkt");
    const auto expect_file = [&](const std::string& name, const std::string& words) {
        expect_one_in("format = 1\n[[floors]]\npolygon = { file = \"" + name + "\" }\n",
                      "error: case.toml:3:20: file '" + name + "': " + words);
    };
    expect_file("link.wkt", "lies outside the scenario's folder");
    expect_file("sub/plan.wkt", "lies outside the scenario's folder");
    expect_file("../plan.wkt", "lies outside the scenario's folder");
    expect_file("sub/../../plan.wkt", "lies outside the scenario's folder");
    expect_file("zero.wkt", "lies outside the scenario's folder");
    expect_file("/dev/zero", "the path must be relative to the scenario's folder");
    expect_file("pipe.wkt", "is a pipe, not a file");
    expect_file("folder.wkt", "is a folder, not a file");
    folder_.write("large.wkt", "");
    std::filesystem::resize_file(folder_.path() / "large.wkt", kMaxFileBytes + 1);
    expect_file("large.wkt", "has 67108865 bytes, at most 67108864 are read");
}

// --------------------------------------------------------------------------------- good files

TEST_F(BadFiles, are_told_from_good_ones)
{
    folder_.write(
        "plans/hall.geojson",
        R"({"type": "Polygon", "coordinates": [[[0, 0], [10, 0], [10, 8], [0, 8], [0, 0]]]})");
    std::filesystem::create_symlink("plans/hall.geojson", folder_.path() / "hall.json");
    for (const char* name : {"plans/hall.geojson", "plans/../hall.json"}) {
        folder_.write("case.toml",
                      "\xEF\xBB\xBF"
                      "format = 1\r\n[[floors]]\r\npolygon = { file = \"" +
                          std::string(name) +
                          "\" }\r\n[[goals]]\nname = \"exit\"\nline = [[10, 3], [10, 5]]\n"
                          "[[agents]]\ncount = 5\narea = { box = [1, 1, 4, 7] }\n"
                          "exit = \"exit\"\n");
        const Outcome outcome = run_check(folder_, {"case.toml", "--set", "agents=7"});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
        EXPECT_EQ(outcome.output, "ok: case: 7 agents, 1 floor, 0 walls, 1 goal\n");
        EXPECT_EQ(outcome.errors, "");
    }
}

TEST_F(BadFiles, are_reported_as_json_on_demand)
{
    folder_.write("case.toml", "format = 1\n[world]\nseed = -1\n");
    const Outcome outcome = run_check(folder_, {"case.toml", "--json"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.errors, "");
    EXPECT_THAT(outcome.output, HasSubstr("\"ok\": false"));
    EXPECT_THAT(outcome.output, HasSubstr("\"line\": 3"));
    EXPECT_THAT(outcome.output, HasSubstr("\"code\": \"out-of-range\""));
}

}  // namespace
}  // namespace sidestep
