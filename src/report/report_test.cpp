// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <regex>

#include "support/report_runs.hpp"

namespace sidestep {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page_of(const Trajectories& t, const ReportOptions& options = {},
                    const AnalysisOptions& measures = {})
{
    const auto analysis = analyze(t, measures);
    EXPECT_TRUE(analysis);
    if (!analysis) return {};
    const ReportRun run{&t, &*analysis, {}};
    auto page = make_report({&run, 1}, options);
    EXPECT_TRUE(page);
    return page ? *std::move(page) : std::string{};
}

std::string page_of_two(const Trajectories& a, const Trajectories& b)
{
    const auto of_a = analyze(a), of_b = analyze(b);
    EXPECT_TRUE(of_a && of_b);
    if (!of_a || !of_b) return {};
    auto page = make_report(std::array{ReportRun{&a, &*of_a, "A"}, ReportRun{&b, &*of_b, "B"}});
    EXPECT_TRUE(page);
    return page ? *std::move(page) : std::string{};
}

/// Everybody on another level.
Trajectories on_level(Trajectories t, std::uint16_t level)
{
    for (auto& one : t.info.levels) one.level = level;
    std::fill(t.level.begin(), t.level.end(), level);
    return t;
}

std::size_t count(const std::string& text, std::string_view part)
{
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

TEST(Report, tells_the_run_in_a_paragraph_and_in_sections)
{
    const std::string page = page_of(walk_east(6, 80));
    EXPECT_THAT(page, HasSubstr("<title>walk-east</title>"));
    EXPECT_THAT(
        page, HasSubstr("6 walkers from 0.0 to 7.9 s (80 frames). All of them arrived, the last at "
                        "8.0 s."));
    EXPECT_THAT(page, HasSubstr("0123456789abcdef"));
    for (const char* id :
         {"summary", "animation", "arrivals", "maps", "flow", "density", "closeness", "details"}) {
        EXPECT_THAT(page, HasSubstr("<h2 id=\"" + std::string(id) + "\">"));
    }
    EXPECT_THAT(page, Not(HasSubstr("<h2 id=\"events\">")));  // there are none
    EXPECT_THAT(page, HasSubstr("data:image/png;base64,"));
}

TEST(Report, of_equal_runs_is_equal)
{
    EXPECT_EQ(page_of(walk_east(6, 80)), page_of(walk_east(6, 80)));
}

TEST(Report, no_text_of_a_recording_becomes_markup)
{
    const std::string evil =
        "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{data}}";
    Trajectories t = walk_east(6, 40);
    t.name = evil;
    t.info.scenario_text = evil + "</pre>";
    t.info.facts = {{evil, evil},
                    {"scene", evil},
                    {"model", evil},
                    {"state_hash", evil},
                    {"interrupted", evil}};
    t.info.places = {{evil, "exit", 0, "LINESTRING (9 1, 9 5)"}, {evil, evil, 0, "POINT (2 2)"}};
    t.notes.events = {{1.0, evil, evil}};
    for (auto& walker : t.notes.walkers) walker.group += evil;
    for (auto& end : t.notes.ends) end.place = evil;
    t.damage = {evil};
    AnalysisOptions measures;
    measures.lines = {{evil, {5, 0}, {5, 6}, 0}};
    measures.areas = {{evil, "POLYGON ((1 1, 3 1, 3 3, 1 3, 1 1))", 0}};
    const auto analysis = analyze(t, measures);
    ASSERT_TRUE(analysis);
    const std::array<ReportRun, 2> runs{ReportRun{&t, &*analysis, evil},
                                        ReportRun{&t, &*analysis, evil}};
    for (const std::size_t size : {1u, 2u}) {
        const auto page = make_report(std::span(runs).first(size), {.title = evil});
        ASSERT_TRUE(page);
        EXPECT_EQ(count(*page, "alert(1)</script>"), 0u);
        EXPECT_EQ(count(*page, "<img"), 0u);
        EXPECT_EQ(count(*page, "<script"), 2u + size);  // the script, what is shared, each run
        EXPECT_EQ(count(*page, "</script>"), 2u + size);
        EXPECT_GT(count(*page, "{{data}}"), 0u);  // a value is not looked at again
    }
}

TEST(Report, asks_nothing_of_the_network)
{
    const std::string page = page_of(walk_east(6, 40));
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, Not(HasSubstr("unsafe")));
    std::string rest = page;
    const std::string name = "http://www.w3.org/2000/svg";  // a name, never fetched
    while (rest.find(name) != std::string::npos) rest.erase(rest.find(name), name.size());
    EXPECT_EQ(rest.find("http"), rest.find("http-equiv"));
    EXPECT_EQ(count(rest, "http"), 1u);
    EXPECT_EQ(count(page, " style="), 0u);  // the policy would not allow it
    EXPECT_EQ(count(page, " src="), 0u);
}

TEST(Report, of_nearly_nothing_is_sensible)
{
    const struct {
        Trajectories t;
        const char* sentence;
    } cases[] = {
        {walk_east(0, 0), "The recording holds no frames."},
        {walk_east(0, 0, {}, ""), "There are no frames to play."},
        {walk_east(0, 5), "Nobody is in this recording of 0.4 s (5 frames)."},
        {walk_east(1, 1), "1 walker from 0.0 to 0.0 s (1 frame)."},
        {walk_east(1, 30), "One of them arrived"},
        {walk_east(3, 5, {}, ""), "has no floor plan"},
        {walk_east(3, 5, {}, "POLYGON EMPTY"), "has no floor plan"},
        {walk_east(3, 20, {1e6, -1e6}, ""), "3 walkers from 0.0 to 1.9 s"},
        {walk_east(2, 20, {9e8, 9e8}, ""), "2 walkers from 0.0 to 1.9 s"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.sentence);
        const std::string page = page_of(one.t);
        EXPECT_THAT(page, HasSubstr(one.sentence));
        EXPECT_FALSE(std::regex_search(page, std::regex("=\"[^\"]{0,40}(nan|inf)[ \"]")));
        EXPECT_EQ(count(page, "<section"), count(page, "</section>"));
    }
}

TEST(Report, says_what_is_not_known_of_a_recording_without_notes)
{
    Trajectories t = walk_east(3, 40);
    t.notes = {};
    t.info.facts = {};
    for (auto& walker : t.walkers) walker = {.id = walker.id, .radius = NAN};
    const std::string page = page_of(t);
    EXPECT_THAT(page, HasSubstr("<title>walk.sqlite</title>"));
    EXPECT_THAT(page, HasSubstr("The recording names no exits."));
    EXPECT_THAT(page, HasSubstr("tells nothing of how it came about"));
    EXPECT_THAT(page, Not(HasSubstr("Left through an exit")));
}

TEST(Report, shows_damage_on_top)
{
    Trajectories t = walk_east(3, 40);
    t.damage = {"frame 17 is damaged and left out"};
    const std::string page = page_of(t);
    EXPECT_LT(page.find("frame 17 is damaged"), page.find("class=\"lead\""));
}

TEST(Report, two_runs_stand_side_by_side)
{
    const Trajectories a = walk_east(6, 80), b = walk_east(4, 60);
    const auto of_a = analyze(a), of_b = analyze(b);
    const std::array<ReportRun, 2> runs{ReportRun{&a, &*of_a, "before"},
                                        ReportRun{&b, &*of_b, "after"}};
    const auto page = make_report(runs);
    ASSERT_TRUE(page);
    EXPECT_THAT(*page, HasSubstr("before and after"));
    EXPECT_THAT(*page,
                HasSubstr("<th scope=\"row\">Walkers</th><td class=\"n\">6</td><td class=\"n\">"
                          "4</td><td class=\"n\">−2</td><td class=\"n\">−33.3</td>"));
    EXPECT_EQ(count(*page, "data-run="), 2u);
    EXPECT_EQ(count(*page, "class=\"heat\""), 6u);
    const auto same = make_report(std::array{ReportRun{&a, &*of_a, {}}, ReportRun{&a, &*of_a, {}}});
    ASSERT_TRUE(same);
    EXPECT_THAT(*same, HasSubstr("walk.sqlite (A)"));
    EXPECT_THAT(*same, HasSubstr("<td class=\"n\">equal</td>"));
}

TEST(Report, a_floor_that_cannot_be_read_is_said_and_left_out)
{
    const Trajectories open = walk_east(3, 5, {}, "");
    const auto analysis = analyze(open);
    ASSERT_TRUE(analysis);
    const Trajectories broken = walk_east(3, 5, {}, "POLYGON ((0 0, 1");
    const ReportRun run{&broken, &*analysis, {}};
    const auto page = make_report({&run, 1});
    ASSERT_TRUE(page);
    EXPECT_THAT(*page, HasSubstr("The shape of level 0 could not be read."));
}

TEST(Report, levels_of_two_runs_meet_by_their_numbers)
{
    Trajectories tower = walk_east(6, 40);
    tower.info.levels.push_back({3, kRoomWkt});
    for (std::size_t i = 0; i < tower.level.size(); ++i) tower.level[i] = i % 6 < 2 ? 3 : 0;
    const Trajectories upstairs = on_level(walk_east(4, 40), 3);
    for (const std::string& page : {page_of_two(upstairs, tower), page_of_two(tower, upstairs)}) {
        EXPECT_EQ(count(page, "<h3>Mean density, level 0</h3>"), 1u);
        EXPECT_EQ(count(page, "<h3>Mean density, level 3</h3>"), 1u);
        EXPECT_EQ(count(page, "Nobody was here."), 4u);  // one run's maps of level 0
        EXPECT_EQ(count(page, "class=\"heat\""), 9u);
    }
    // Both have level 3: it is what both show first.
    const std::string page = page_of_two(upstairs, tower);
    EXPECT_THAT(page, HasSubstr(R"("levels":["3"],"level":0)"));
    EXPECT_THAT(page, HasSubstr(R"("levels":["0","3"],"level":1)"));
}

TEST(Report, of_one_frame_claims_no_speeds)
{
    const std::string page = page_of(walk_east(3, 1));
    EXPECT_THAT(page, HasSubstr("<h3>Mean density</h3>"));
    EXPECT_THAT(page, Not(HasSubstr("<h3>Mean speed</h3>")));
    EXPECT_THAT(page, Not(HasSubstr("<h3>Trajectories</h3>")));
    EXPECT_THAT(page, HasSubstr("class=\"walkers unknown\""));
    EXPECT_THAT(page, HasSubstr("speed not known</li>"));
    EXPECT_THAT(page_of(walk_east(3, 9)), Not(HasSubstr("class=\"walkers unknown\"")));
}

TEST(Report, ways_are_not_drawn_over_gaps)
{
    const auto moves = [](const Trajectories& t) {
        const std::string page = page_of(t);
        const std::size_t begin = page.find("class=\"ways");
        return count(page.substr(begin, page.find("</g>", begin) - begin), "M");
    };
    EXPECT_EQ(moves(walk_east(1, 60)), 1u);
    Trajectories gap = walk_east(1, 60);
    for (std::size_t i = 30; i < 60; ++i) gap.frames[i] += 50;
    EXPECT_EQ(moves(gap), 2u);
}

TEST(Report, says_small_overlaps_and_unknown_walls_as_they_are)
{
    const std::string page = page_of(walk_east(3, 40, {}, ""));
    EXPECT_THAT(page, HasSubstr("No two bodies overlapped by more than 1 mm; no walls are known;"));
    EXPECT_THAT(page,
                HasSubstr("<p class=\"note\">No two bodies overlapped by more than 1 mm.</p>"));
}

TEST(Report, a_run_that_was_cut_short_says_so_on_top)
{
    Trajectories t = walk_east(3, 40);
    EXPECT_TRUE(cautions_of(t).empty());
    t.is_closed = false;
    EXPECT_THAT(cautions_of(t), testing::ElementsAre(HasSubstr("was not closed")));
    t.is_closed = true;
    t.info.facts.emplace_back("interrupted", "SIGINT after step 9");
    EXPECT_THAT(cautions_of(t), testing::ElementsAre(HasSubstr("SIGINT after step 9")));
    t.notes.events = {{2.0, "door-closed", "door closes"},
                      {5.0, "agents-changed", "3 agents get radius = 0.3"}};
    EXPECT_THAT(cautions_of(t), testing::Contains(HasSubstr("changed at 5 s (3 agents get")));
    t.notes.events.clear();
    const std::string page = page_of(t);
    EXPECT_LT(page.find("SIGINT after step 9"), page.find("class=\"lead\""));
}

TEST(Report, asks_for_units_and_columns_where_speeds_are_senseless)
{
    Trajectories t = walk_east(3, 40);
    for (Vec2& position : t.position) position = position * 100.0;  // centimetres
    EXPECT_THAT(cautions_of(t), testing::ElementsAre(HasSubstr("are lengths in metres")));
    Trajectories nobody;
    EXPECT_TRUE(cautions_of(nobody).empty());
}

TEST(Report, facts_have_units_and_no_noise)
{
    Trajectories t = walk_east(3, 40);
    t.info.facts = {{"step", "0.05"},
                    {"sim_time", "101.10000000000001"},
                    {"state_hash", "1234567890123456"},
                    {"factor", "0.30000000000000004"}};
    const std::string page = page_of(t);
    EXPECT_THAT(page, HasSubstr("<th scope=\"row\">step</th><td>0.05 s</td>"));
    EXPECT_THAT(page, HasSubstr("<th scope=\"row\">sim_time</th><td>101.1 s</td>"));
    EXPECT_THAT(page, HasSubstr("<th scope=\"row\">state_hash</th><td>1234567890123456</td>"));
    EXPECT_THAT(page, HasSubstr("<th scope=\"row\">factor</th><td>0.3</td>"));
}

TEST(Report, nobody_is_gone_before_the_end_of_a_run_of_ours)
{
    Trajectories t = walk_east(3, 40);
    t.notes = {};
    for (auto& walker : t.walkers) walker = {.id = walker.id, .radius = NAN};
    EXPECT_THAT(page_of(t), HasSubstr("gone before the end"));
    t.info.facts.emplace_back("version", "0.4.0");
    EXPECT_THAT(page_of(t), Not(HasSubstr("gone before the end")));
}

TEST(Report, maps_have_a_scale_bar)
{
    EXPECT_THAT(page_of(walk_east(3, 40)), HasSubstr(">2 m</text></g>"));  // the room is 10 m wide
}

TEST(Report, refuses_what_is_no_run)
{
    EXPECT_FALSE(make_report({}));
    const ReportRun empty;
    EXPECT_FALSE(make_report({&empty, 1}));
    const Trajectories t = walk_east(1, 2);
    const auto analysis = analyze(t);
    const ReportRun run{&t, &*analysis, {}};
    ReportOptions options;
    options.level = 9;
    EXPECT_EQ(make_report({&run, 1}, options).error().message,
              "the recording has no level 9; it has: 0");
}

}  // namespace
}  // namespace sidestep
