// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The written-down answers of tests/data/*_vectors.jsonl, asked of the program itself.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace sidestep {
namespace {

using Json = nlohmann::json;

const std::set<std::string> kOperations{
    "vo_contains", "vo_project", "vo_uncertain", "orca_line", "lp",           "obstacle_lines",
    "orca_step",   "visible",    "mpd",          "energy",    "accel_clamp",  "brake_plane",
    "wall_line",   "fair_area",  "li_weight",    "rcap_gate", "avo_contains", "li_step",
    "fvo",         "seg_fvo",    "cp_collision", "clearpath", "vo_exact",     "rvo_sample",
    "sf_goal",     "sf_circ",    "sf_ell1",      "sf_ell2",   "sf_power",     "sf_contact",
    "sf_wall",     "sf_step"};

const std::set<std::string> kTurningOperations{"arrival", "state", "best_at", "best_brake"};

struct Answers {
    std::vector<std::string> lines;
    int exit_code = -1;
};

/// A file that is gone when the test is.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& text)
        : path_(::testing::TempDir() + "sidestep_solve_" + std::to_string(::getpid()) + ".jsonl")
    {
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~TemporaryFile() { std::remove(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

Answers run(const std::string& arguments)
{
    Answers result;
    const std::string command = std::string(SIDESTEP_PROGRAM) + " solve " + arguments;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return result;
    std::string text;
    std::array<char, 65536> buffer;
    for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        text.append(buffer.data(), n);
    const int status = ::pclose(pipe);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        result.lines.push_back(text.substr(at, end - at));
        at = end == std::string::npos ? text.size() : end + 1;
    }
    return result;
}

Answers run_on(const std::string& input)
{
    const TemporaryFile file(input);
    return run(file.path());
}

bool matches(const Json& want, const Json& got, double tol);

/// As multisets: each wanted item takes one that matches.
bool matches_in_any_order(const Json& want, Json got, double tol)
{
    if (!got.is_array() || want.size() != got.size()) return false;
    for (const Json& item : want) {
        const auto found = std::find_if(got.begin(), got.end(),
                                        [&](const Json& g) { return matches(item, g, tol); });
        if (found == got.end()) return false;
        got.erase(found);
    }
    return true;
}

bool matches(const Json& want, const Json& got, double tol)
{
    if (want.is_number()) {
        if (!got.is_number()) return false;
        const double w = want.get<double>();
        return std::fabs(got.get<double>() - w) <= tol * std::max(1.0, std::fabs(w));
    }
    if (want.is_array()) {
        return got.is_array() && want.size() == got.size() &&
               std::equal(want.begin(), want.end(), got.begin(),
                          [&](const Json& w, const Json& g) { return matches(w, g, tol); });
    }
    if (want.is_object()) {
        if (!got.is_object() || want.size() != got.size()) return false;
        return std::all_of(want.items().begin(), want.items().end(), [&](const auto& item) {
            if (!got.contains(item.key())) return false;
            const Json& g = got[item.key()];
            return item.key() == "lines" ? matches_in_any_order(item.value(), g, tol)
                                         : matches(item.value(), g, tol);
        });
    }
    return want == got;  // null, string, boolean
}

class Solve : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (std::string(SIDESTEP_PROGRAM).empty()) GTEST_SKIP() << "the program is not built";
    }
};

TEST_F(Solve, answers_every_vector)
{
    std::ifstream file(SIDESTEP_TEST_DATA_DIR "/avoidance_vectors.jsonl");
    ASSERT_TRUE(file);
    std::vector<Json> vectors;
    std::set<std::string> seen;
    std::string questions;
    for (std::string line; std::getline(file, line);) {
        Json v = Json::parse(line);
        if (!kOperations.contains(v["op"].get<std::string>())) continue;
        seen.insert(v["op"].get<std::string>());
        questions += Json{{"id", v["id"]}, {"op", v["op"]}, {"in", v["in"]}}.dump() + "\n";
        vectors.push_back(std::move(v));
    }
    EXPECT_EQ(seen, kOperations);
    const Answers answers = run_on(questions);
    ASSERT_EQ(answers.lines.size(), vectors.size());
    std::size_t errors = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const Json& v = vectors[i];
        SCOPED_TRACE(v["id"].get<std::string>());
        const Json answer = Json::parse(answers.lines[i]);
        EXPECT_EQ(answer["id"], v["id"]);
        if (v["out"].contains("error")) {
            ++errors;
            EXPECT_TRUE(answer.contains("error") && !answer.contains("out")) << answers.lines[i];
        } else {
            ASSERT_TRUE(answer.contains("out")) << answers.lines[i];
            EXPECT_TRUE(matches(v["out"], answer["out"], v["tol"].get<double>()))
                << "wanted " << v["out"] << "\ngot    " << answer["out"];
        }
    }
    EXPECT_EQ(answers.exit_code, errors > 0 ? 1 : 0);
    std::printf("%zu vectors of %zu operations\n", vectors.size(), seen.size());
}

/// Numbers of independent integrations: within 1e-6 (1 + |D|). What is best is judged by its time.
void expect_turning(const Json& v, const Json& got)
{
    const Json& in = v["in"];
    const bool is_best = v["op"] == "best_at" || v["op"] == "best_brake";
    const double size = in.contains("Dr")
                            ? in["Dr"].get<double>()
                            : std::hypot(in["Dx"].get<double>(), in["Dy"].get<double>());
    ASSERT_EQ(got.size(), v["out"].size());
    for (const auto& [key, want] : v["out"].items()) {
        ASSERT_TRUE(got.contains(key)) << key;
        if (!want.is_number()) {
            EXPECT_EQ(got[key], want) << key;
        } else if (is_best && key == "T") {
            EXPECT_LE(got[key].get<double>(), want.get<double>() * (1.0 + 1e-5));
        } else {
            const double allowed = is_best ? 2e-3 : 1e-6 * (1.0 + size);
            EXPECT_NEAR(got[key].get<double>(), want.get<double>(), allowed) << key;
        }
    }
}

TEST_F(Solve, answers_every_vector_of_agents_that_must_turn)
{
    std::ifstream file(SIDESTEP_TEST_DATA_DIR "/nonholonomic_vectors.jsonl");
    ASSERT_TRUE(file);
    std::vector<Json> vectors;
    std::set<std::string> seen;
    std::string questions;
    for (std::string line; std::getline(file, line); questions += line + "\n") {
        vectors.push_back(Json::parse(line));
        seen.insert(vectors.back()["op"].get<std::string>());
    }
    EXPECT_EQ(seen, kTurningOperations);
    EXPECT_EQ(vectors.size(), 51u);
    const Answers answers = run_on(questions);
    EXPECT_EQ(answers.exit_code, 0);
    ASSERT_EQ(answers.lines.size(), vectors.size());
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        SCOPED_TRACE(vectors[i]["id"].get<std::string>());
        const Json answer = Json::parse(answers.lines[i]);
        ASSERT_TRUE(answer.contains("out")) << answers.lines[i];
        expect_turning(vectors[i], answer["out"]);
    }
}

const std::string kGood = R"({"id":"good","op":"li_weight","in":{"rank_i":1,"rank_j":3}})";
const std::string kGoodAnswer = R"({"id":"good","out":{"w_ij":0.75,"w_ji":0.25}})";

const std::string kLi = R"({"a":{"p":[0,0],"v":[1.2,0],"r":0.4,"id":0},"tau":6,"t_res":0.5,)"
                        R"("alpha":0.5,"v_pref":[1,0],"v_max":5,"dt":0.5,)";

const std::string kCone = R"({"a":{"p":[0,0],"v":[1,0],"r":0.5,"id":0},"v_max":2,)";
const std::string kSample = kCone + R"("nbs":[],"v_pref":[1,0],"share":0.5,)";

TEST_F(Solve, answers_the_line_after_a_bad_one)
{
    const std::string deep_list = std::string(100000, '[') + std::string(100000, ']');
    const std::vector<std::string> bad{
        "not json",
        "{",
        "[]",
        "17",
        "null",
        "\"text\"",
        "\xff\xfe",
        R"({"id":1})",
        R"({"id":1,"op":"no_such_operation","in":{}})",
        R"({"id":1,"op":17,"in":{}})",
        R"({"id":1,"op":null,"in":{}})",
        R"({"id":1,"op":"li_weight"})",
        R"({"id":1,"op":"li_weight","in":[]})",
        R"({"id":1,"op":"li_weight","in":null})",
        R"({"id":1,"op":"li_weight","in":{"rank_i":1}})",
        R"({"id":1,"op":"li_weight","in":{"rank_i":1,"rank_j":-1}})",
        R"({"id":1,"op":"li_weight","in":{"rank_i":1,"rank_j":"infinite"}})",
        R"({"id":1,"op":"li_weight","in":{"rank_i":1,"rank_j":true}})",
        R"({"id":1,"op":"li_weight","in":{"rank_i":1,"rank_j":1e999}})",
        R"({"id":1,"op":"li_weight","in":{"rank_i":1,"rank_j":NaN}})",
        R"({"id":[1],"op":"li_weight","in":{"rank_i":1,"rank_j":1}})",
        R"({"id":1,"op":"vo_contains","in":{"P":[4],"R":1,"v":[1,0],"tau":3}})",
        R"({"id":1,"op":"vo_contains","in":{"P":[4,0,0],"R":1,"v":[1,0],"tau":3}})",
        R"({"id":1,"op":"vo_contains","in":{"P":["4",0],"R":1,"v":[1,0],"tau":3}})",
        R"({"id":1,"op":"vo_contains","in":{"P":[4,0],"R":-1,"v":[1,0],"tau":3}})",
        R"({"id":1,"op":"vo_contains","in":{"P":[4,0],"R":1,"v":[1,0],"tau":0}})",
        R"({"id":1,"op":"vo_project","in":{"P":[1,0],"R":1,"v":[1,0],"tau":1}})",
        R"({"id":1,"op":"orca_line","in":{"a":{"p":[0,0],"v":[0,0],"r":1,"id":-1},"b":{"p":[3,0],"v":[0,0],"r":1,"id":2},"tau":1,"t_res":1,"w":0.5}})",
        R"({"id":1,"op":"orca_line","in":{"a":{"p":[0,0],"v":[0,0],"r":1,"id":1},"b":{"p":[3,0],"v":[0,0],"r":1,"id":2},"tau":1,"t_res":1,"w":1.5}})",
        R"({"id":1,"op":"orca_line","in":{"a":{"p":[5e-161,4e-160],"v":[1.75e-160,-5e-161],"r":2.5e-161,"id":16},"b":{"p":[1.3e-160,3.4e-160],"v":[-1.75e-160,5e-161],"r":5e-161,"id":1},"tau":"inf","t_res":1,"w":0.9}})",
        R"({"id":1,"op":"lp","in":{"lines":[{"q":[0,0],"n":[0,0],"hard":false}],"v_max":1,"v_pref":[0,0],"acc":null}})",
        R"({"id":1,"op":"lp","in":{"lines":[{"q":[0,0],"n":[0,1],"hard":0}],"v_max":1,"v_pref":[0,0],"acc":null}})",
        R"({"id":1,"op":"lp","in":{"lines":{},"v_max":1,"v_pref":[0,0],"acc":null}})",
        R"({"id":1,"op":"lp","in":{"lines":[],"v_max":1,"v_pref":[0,0],"acc":{"c":[0,0]}}})",
        R"({"id":1,"op":"obstacle_lines","in":{"p":[0,0],"v":[0,1],"r":0.5,"tau_o":2,"polygons":[[[0,1]]]}})",
        R"({"id":1,"op":"obstacle_lines","in":{"p":[0,0],"v":[0,1],"r":0.5,"tau_o":2,"polygons":[[[0,1],[0,1]]]}})",
        R"({"id":1,"op":"obstacle_lines","in":{"p":[5,5],"v":[0,1],"r":0.5,"tau_o":2,"polygons":[[[0,0],[2,2],[2,0],[0,2]]]}})",
        R"({"id":1,"op":"orca_step","in":{"agents":[],"polygons":[],"tau":1,"tau_o":1,"dt":1,"v_max":1,"v_pref":[0,0]}})",
        R"({"id":1,"op":"visible","in":{"pa":[0,0],"pb":[1,0],"heading":[1,0],"fov_deg":-1,"range":1,"walls":[]}})",
        R"({"id":1,"op":"visible","in":{"pa":[0,0],"pb":[1,0],"heading":[1,0],"fov_deg":90,"range":1,"walls":[[[0,0]]]}})",
        R"({"id":1,"op":"energy","in":{"v":[[1]],"dt":0.1,"m":70}})",
        R"({"id":1,"op":"wall_line","in":{"p":[0,1],"r":0.3,"s":[0,0],"n":[0,0],"tau":2,"t_res":0.1}})",
        R"({"id":1,"op":"rcap_gate","in":{"visible":[1],"T_obs":0.5,"T_forget":1,"dt":0.25}})",
        R"({"id":1,"op":"rcap_gate","in":{"visible":[true],"T_obs":-1,"T_forget":1,"dt":0.25}})",
        R"({"id":1,"op":"rcap_gate","in":{"visible":[true],"T_obs":1,"T_forget":1,"dt":0}})",
        R"({"id":1,"op":"rcap_gate","in":{"visible":true,"T_obs":1,"T_forget":1,"dt":1}})",
        R"({"id":1,"op":"avo_contains","in":{"P":[4,0],"R":1,"v_rel":[0,0],"v_target":[1,0],"delta":-1,"tau":4}})",
        R"({"id":1,"op":"avo_contains","in":{"P":[4,0],"R":1,"v_rel":[0,0],"v_target":[1,0],"delta":1,"tau":"inf"}})",
        R"({"id":1,"op":"fvo","in":{"a":{"p":[0,0],"v":[0,0],"r":1,"id":1},"b":{"p":[2,0],"v":[0,0],"r":1,"id":2},"T":1,"share":0.5}})",
        R"({"id":1,"op":"fvo","in":{"a":{"p":[0,0],"v":[0,0],"r":1,"id":1},"b":{"p":[4,0],"v":[0,0],"r":1,"id":2},"T":1,"share":0}})",
        R"({"id":1,"op":"seg_fvo","in":{"A":[0,0],"B":[0,0],"r":1,"T":1}})",
        R"({"id":1,"op":"seg_fvo","in":{"A":[2,0],"B":[3,0],"r":1,"T":-1}})",
        R"({"id":1,"op":"cp_collision","in":{"a":{"p":[0,0],"v":[0,0],"r":1,"id":1},"b":{"p":[1,0],"v":[0,0],"r":1,"id":2},"a_max":1,"dt":0}})",
        R"({"id":1,"op":"clearpath","in":)" + kCone + R"("nbs":[],"T":1,"v_des":[1,0],"type2":1}})",
        R"({"id":1,"op":"clearpath","in":)" + kCone +
            R"("nbs":{},"T":1,"v_des":[1,0],"type2":true}})",
        R"({"id":1,"op":"vo_exact","in":)" + kCone +
            R"("nbs":[],"tau":1,"v_pref":[1,0],"share":2}})",
        R"({"id":1,"op":"vo_exact","in":)" + kCone +
            R"("nbs":[{"p":[1,0],"v":[0,0],"r":1,"id":1}],"tau":1,"v_pref":[1,0],"share":1}})",
        R"({"id":1,"op":"rvo_sample","in":)" + kSample + R"("w":1,"N":-1}})",
        R"({"id":1,"op":"rvo_sample","in":)" + kSample + R"("w":1,"N":2.5}})",
        R"({"id":1,"op":"rvo_sample","in":)" + kSample + R"("w":1,"N":1e18}})",
        R"({"id":1,"op":"rvo_sample","in":)" + kSample + R"("w":1,"N":4000000000}})",
        R"({"id":1,"op":"rvo_sample","in":)" + kSample + R"("w":-1,"N":5}})",
        R"({"id":1,"op":"rvo_sample","in":)" + kSample + R"("w":1,"N":5,"acc":-1}})",
        R"({"id":1,"op":"li_step","in":{"nbs":[]}})",
        R"({"id":1,"op":"li_step","in":)" + kLi + R"("nbs":{},"a_max":1}})",
        R"({"id":1,"op":"li_step","in":)" + kLi + R"("nbs":[],"a_max":-1}})",
        R"({"id":1,"op":"li_step","in":)" + kLi + R"("nbs":[],"a_max":1,"alpha":2}})",
        R"({"id":1,"op":"li_step","in":)" + kLi +
            R"("nbs":[],"a_max":1,"polygons":[[[0,1],[1,1]]]}})",
        deep_list,
        "{\"id\":1,\"op\":\"lp\",\"in\":{\"lines\":" + deep_list + "}}",
        "{\"id\":1,\"op\":\"energy\",\"in\":\"" + std::string(3000000, 'x') + "\"}",
    };
    std::string input;
    for (const std::string& line : bad) input += line + "\n" + kGood + "\n";
    const Answers answers = run_on(input);
    ASSERT_EQ(answers.lines.size(), 2 * bad.size());
    for (std::size_t i = 0; i < bad.size(); ++i) {
        SCOPED_TRACE(bad[i].substr(0, 200));
        const Json answer = Json::parse(answers.lines[2 * i]);
        EXPECT_TRUE(answer.contains("error") && answer["error"].is_string())
            << answers.lines[2 * i].substr(0, 200);
        EXPECT_TRUE(answer.contains("id"));
        EXPECT_EQ(answers.lines[2 * i + 1], kGoodAnswer);
    }
    EXPECT_EQ(answers.exit_code, 1);
}

TEST_F(Solve, skips_blank_lines_and_accepts_windows_line_ends_and_a_last_line_without_end)
{
    const Answers answers = run_on("\n  \t\n" + kGood + "\r\n\r\n" + kGood);
    EXPECT_EQ(answers.lines, (std::vector<std::string>{kGoodAnswer, kGoodAnswer}));
    EXPECT_EQ(answers.exit_code, 0);
}

TEST_F(Solve, reads_standard_input_without_a_file_or_with_a_dash)
{
    const TemporaryFile file(kGood + "\n");
    for (const char* argument : {"", "-"}) {
        const Answers answers = run(std::string(argument) + " < " + file.path());
        EXPECT_EQ(answers.lines, (std::vector<std::string>{kGoodAnswer}));
        EXPECT_EQ(answers.exit_code, 0);
    }
}

TEST_F(Solve, says_so_when_the_file_cannot_be_read)
{
    EXPECT_EQ(run("/no/such/file.jsonl 2> /dev/null").exit_code, 2);
    EXPECT_EQ(run("/tmp 2> /dev/null").exit_code, 2);
}

TEST_F(Solve, answers_at_the_edges_of_perception_personality_and_cones)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {R"("rcap_gate","in":{"visible":[],"T_obs":0.5,"T_forget":1,"dt":0.25})",
         R"({"active":[]})"},
        {R"("rcap_gate","in":{"visible":[true,true],"T_obs":0,"T_forget":1,"dt":0.25})",
         R"({"active":[false,true]})"},
        {R"("rcap_gate","in":{"visible":[true,true],"T_obs":"inf","T_forget":"inf","dt":0.25})",
         R"({"active":[false,false]})"},
        {R"("visible","in":{"pa":[0,0],"pb":[-1,0],"heading":[0,0],"fov_deg":0,"range":"inf","walls":[]})",
         R"({"visible":true})"},
        {R"("visible","in":{"pa":[0,0],"pb":[-1,0],"fov_deg":90,"range":1,"walls":[]})",
         R"({"visible":true})"},
        {R"("visible","in":{"pa":[0,0],"pb":[-1,0],"heading":[1,0],"fov_deg":400,"range":1,"walls":[]})",
         R"({"visible":true})"},
        {R"("visible","in":{"pa":[0,0],"pb":[-1,0],"heading":[1,0],"fov_deg":0,"range":1,"walls":[]})",
         R"({"visible":false})"},
        {R"("accel_clamp","in":{"v_old":[1,0],"v_computed":[5,0],"a_max":"inf","dt":0.1})",
         R"({"v":[5.0,0.0]})"},
        {R"("accel_clamp","in":{"v_old":[1,0],"v_computed":[5,0],"a_max":0,"dt":0.1})",
         R"({"v":[1.0,0.0]})"},
        {R"("wall_line","in":{"p":[0,2],"r":0.5,"s":[0,0],"n":[0,1],"tau":"inf","t_res":0.1})",
         R"({"n":[0.0,1.0],"c":0.0})"},
        {R"("avo_contains","in":{"P":[4,0],"R":1,"v_rel":[0,0],"v_target":[1,0],"delta":0,"tau":4})",
         R"({"inside":true,"min_dist":0.0})"},
        {R"("avo_contains","in":{"P":[4,0],"R":1,"v_rel":[0,0],"v_target":[1,0],"delta":"inf","tau":4})",
         R"({"inside":false,"min_dist":4.0})"},
        {R"("li_step","in":)" + kLi + R"("nbs":[],"a_max":"inf"})",
         R"({"v_calm":[1.2,0.0],"v_goal":[1.0,0.0],"v_set":[1.1,0.0],"v_new":[1.1,0.0]})"},
        {R"("li_step","in":)" + kLi + R"("nbs":[],"a_max":0,"polygons":[]})",
         R"({"v_calm":[1.2,0.0],"v_goal":[1.0,0.0],"v_set":[1.1,0.0],"v_new":[1.2,0.0]})"},
        {R"("li_step","in":)" + kLi +
             R"("nbs":[],"a_max":"inf","polygons":[[[1,-5],[1,5]]],"tau_o":2})",
         R"({"v_calm":[0.3,0.0],"v_goal":[0.3,0.0],"v_set":[0.3,0.0],"v_new":[0.3,0.0]})"},
        {R"("clearpath","in":)" + kCone + R"("nbs":[],"T":"inf","v_des":[3,4],"type2":true})",
         R"({"feasible":true,"v":[1.2,1.6],"alts":[],"dist":3.0})"},
        {R"("vo_exact","in":)" + kCone +
             R"("nbs":[{"p":[2,0],"v":[-9,0],"r":1.4,"id":1}],"tau":1,"v_pref":[1,0],"share":1})",
         R"({"feasible":false,"v":null,"alts":[],"dist":null})"},
        {R"("cp_collision","in":{"a":{"p":[0,0],"v":[0,0],"r":0.5,"id":0},"b":{"p":[0.9,0],"v":[0,0],"r":0.5,"id":1},"a_max":"inf","dt":0.1})",
         R"({"kind":"plane","q":[-1,0],"n":[-1,0]})"},
        {R"("cp_collision","in":{"a":{"p":[0,0],"v":[0,0],"r":0.5,"id":0},"b":{"p":[9,0],"v":[0,0],"r":0.5,"id":1},"a_max":1,"dt":0.1})",
         R"({"kind":"none"})"},
        {R"("rvo_sample","in":)" + kSample + R"("w":1,"N":0,"acc":null})",
         R"({"index":0,"v":[1,0],"penalty":0,"tc":null})"},
        {R"("li_weight","in":{"rank_i":"inf","rank_j":"inf"})", R"({"w_ij":0.5,"w_ji":0.5})"},
        {R"("energy","in":{"v":[],"dt":0.1,"m":70})", R"({"E":0.0})"},
    };
    std::string questions;
    for (const auto& [question, want] : cases) questions += "{\"op\":" + question + "}\n";
    const Answers answers = run_on(questions);
    ASSERT_EQ(answers.lines.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Json answer = Json::parse(answers.lines[i]);
        ASSERT_TRUE(answer.contains("out")) << cases[i].first << answers.lines[i];
        EXPECT_TRUE(matches(Json::parse(cases[i].second), answer["out"], 1e-9))
            << cases[i].first << "\nwanted " << cases[i].second << "\ngot    " << answer["out"];
    }
    EXPECT_EQ(answers.exit_code, 0);
}

TEST_F(Solve, lists_every_operation_in_its_help)
{
    std::string help;
    for (const std::string& line : run("--help").lines) help += line + ' ';
    for (const auto& operations : {kOperations, kTurningOperations}) {
        for (const std::string& operation : operations)
            EXPECT_NE(help.find(' ' + operation + ' '), std::string::npos) << operation;
    }
}

TEST_F(Solve, writes_numbers_that_read_back_to_the_same_double)
{
    const Answers answers =
        run_on(R"({"id":7,"op":"mpd","in":{"pa":[0,0],"va":[0.1,0],"pb":[0.3,0.7],"vb":[0.1,0]}})"
               "\n"
               R"({"op":"vo_contains","in":{"P":[4,0],"R":1,"v":[-1,0],"tau":"inf"}})");
    ASSERT_EQ(answers.lines.size(), 2u);
    EXPECT_EQ(answers.lines[0], R"({"id":7,"out":{"t":0.0,"d":0.76157731058639078}})");
    EXPECT_EQ(answers.lines[1], R"({"id":null,"out":{"inside":false,"ttc":null}})");
}

}  // namespace
}  // namespace sidestep
