// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/recording.hpp"
#include "support/damage.hpp"
#include "support/recordings.hpp"
#include "support/sqlite.hpp"

namespace sidestep {
namespace {

namespace fs = std::filesystem;
using test::is_equal;
using test::query;
using test::read_back;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SqliteSourceTest : public test::RecordingFolder {
protected:
    std::string error_of(const std::string& file) const
    {
        const auto read = read_back(file);
        return read ? "no error" : read.error().message;
    }
};

// ------------------------------------------------------------------------------------------- ours

TEST_F(SqliteSourceTest, gives_back_all_that_was_recorded)
{
    ASSERT_TRUE(test::write_sample(path(), 30));
    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    RecordingInfo info = test::sample_info();
    for (const auto& fact : test::sample_end()) info.facts.push_back(fact);
    EXPECT_EQ(test::to_text(read->info, read->notes), test::to_text(info, test::sample_notes()));
    ASSERT_EQ(read->frames.size(), 30u);
    for (std::int64_t number = 0; number < 30; ++number) {
        EXPECT_TRUE(
            is_equal(read->frames[static_cast<std::size_t>(number)], test::sample_frame(number)));
    }
    EXPECT_TRUE(read->damage.empty());
    EXPECT_EQ(files(), std::vector<std::string>{"run.sqlite"});
}

TEST_F(SqliteSourceTest, gives_back_odd_values)
{
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() - 1;
    RecordingInfo info;  // no level at all: the open plane
    info.fps = 1.0 / 3.0;
    info.facts = {{"twice", "a"}, {"twice", "b"}, {"closed", "maybe"}, {"", std::string("\0x", 2)}};
    const RecordedFrame first{
        -kLargestFrameNumber, {{-kFar, 0, {-0.0, 1e300}, {}}, {kFar, 0, {5e-324, 0.1}, {}}}, {}};
    const RecordedFrame last{kLargestFrameNumber, {{7, 9, {1, 2}, {0, 1}}}, {}};
    {
        auto recorder = Recorder::open(path(), info);
        ASSERT_TRUE(recorder);
        ASSERT_TRUE(recorder->append(first));
        ASSERT_TRUE(recorder->append(RecordedFrame{0, {}, {}}));
        ASSERT_TRUE(recorder->append(last));
        ASSERT_TRUE(recorder->append(
            RecordedNotes{{{-0.0, "", ""}}, {{1, -0.0, -0.0, "", "", "\xff"}}, {}}));
        ASSERT_TRUE(recorder->close({{"twice", "c"}}));
    }
    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->info.fps, 1.0 / 3.0);
    ASSERT_EQ(read->info.levels.size(), 1u);
    EXPECT_EQ(read->info.levels[0].wkt, "");
    info.facts.emplace_back("twice", "c");
    EXPECT_EQ(read->info.facts, info.facts);
    ASSERT_EQ(read->frames.size(), 3u);
    EXPECT_TRUE(is_equal(read->frames[0], first));
    EXPECT_TRUE(read->frames[1].agents.empty());
    EXPECT_TRUE(is_equal(read->frames[2], last));
    EXPECT_EQ(read->notes.walkers[0].model, "\xff");
}

TEST_F(SqliteSourceTest, reads_a_recording_of_nothing)
{
    ASSERT_TRUE(Recorder::open(path(), RecordingInfo{})->close());
    const auto read = read_back(path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(read->frames.empty());
    EXPECT_TRUE(read->notes.events.empty());
    EXPECT_TRUE(read->info.facts.empty());
}

TEST_F(SqliteSourceTest, sees_one_moment_of_a_file_that_grows)
{
    auto recorder = Recorder::open(path(), test::sample_info());
    ASSERT_TRUE(recorder);
    std::size_t last = 0;
    for (std::int64_t number = 0; number < 30; ++number) {
        ASSERT_TRUE(recorder->append(test::sample_frame(number)));
        const auto read = read_back(path());
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_GE(read->frames.size(), last);
        EXPECT_LE(read->frames.size(), static_cast<std::size_t>(number + 1));
        last = read->frames.size();
        for (const RecordedFrame& frame : read->frames) {
            EXPECT_TRUE(is_equal(frame, test::sample_frame(frame.number)));
        }
    }
    ASSERT_TRUE(recorder->close());
    EXPECT_EQ(read_back(path())->frames.size(), 30u);
}

TEST_F(SqliteSourceTest, reads_what_a_run_that_was_killed_has_left)
{
    auto recorder = Recorder::open(path(), test::sample_info());
    ASSERT_TRUE(recorder);
    for (std::int64_t number = 0; number < 10; ++number) {
        ASSERT_TRUE(recorder->append(test::sample_frame(number)));
    }
    while (read_back(path())->frames.size() < 10) {
    }
    fs::create_directory(path("killed"));  // the files as they are at this moment
    for (const char* ending : {"", "-wal"}) {
        fs::copy_file(path() + ending, path("killed/run.sqlite") + ending);
    }
    const auto read = read_back(path("killed/run.sqlite"));
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->frames.size(), 10u);
    EXPECT_TRUE(is_equal(read->frames[8], test::sample_frame(8)));
    EXPECT_EQ(read->info.facts, test::sample_info().facts);  // none of an end
}

TEST_F(SqliteSourceTest, names_the_frame_that_somebody_changed)
{
    ASSERT_TRUE(test::write_sample(path(), 10));
    query(path(), "UPDATE trajectory_data SET pos_x = pos_x + 1e-12 WHERE frame = 6 AND id = 1");
    EXPECT_THAT(error_of(path()), AllOf(HasSubstr("run.sqlite"), HasSubstr("frame 6 is damaged"),
                                        HasSubstr("6 frames before are whole")));
    RecordingReadOptions options;
    options.recover = true;
    const auto read = read_back(path(), options);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->frames.size(), 9u);
    EXPECT_THAT(read->damage, ElementsAre(path() + ": frame 6 is damaged; it is left out",
                                          path() + ": 9 of 10 frames are whole; 1 is missing"));
}

TEST_F(SqliteSourceTest, finds_every_part_that_somebody_changed)
{
    ASSERT_TRUE(test::write_sample(path(), 10));
    const std::vector<std::string> changes{
        "UPDATE metadata SET value = '25' WHERE key = 'fps'",
        "UPDATE geometry SET wkt = replace(wkt, '9', '8')",
        "UPDATE sidestep_facts SET value = 'another' WHERE key = 'scene'",
        "UPDATE sidestep_facts SET value = value || ' ' WHERE key = 'scenario'",
        "UPDATE sidestep_facts SET value = '81' WHERE key = 'steps'",
        "DELETE FROM sidestep_facts WHERE key = 'steps'",
        "UPDATE sidestep_facts SET value = 'no' WHERE key = 'closed'",
        "UPDATE sidestep_places SET level = 2 WHERE kind = 'zone'",
        "UPDATE sidestep_bodies SET radius = 0.51 WHERE body = 0",
        "UPDATE sidestep_bodies SET outline = '[]'",
        "UPDATE sidestep_events SET time = 2 WHERE time > 0",
        "UPDATE sidestep_walkers SET group_name = 'staff' WHERE id = 1",
        "DELETE FROM sidestep_ends WHERE id = 1",
        "UPDATE sidestep_levels SET level = 7 WHERE id = 1",
        "UPDATE sidestep_body_places SET x = x + 0.01 WHERE frame = 3",
        "DELETE FROM sidestep_body_places WHERE frame = 3 AND body = 1",
        "DELETE FROM sidestep_frames WHERE frame = 9",
        "UPDATE sidestep_facts SET value = '11' WHERE key = 'frames'",
        "DELETE FROM trajectory_data WHERE frame = 3 AND id = 1",
        "INSERT INTO trajectory_data VALUES(99, 1, 0, 0, 1, 0)",
        "UPDATE sidestep_seal SET xxh3 = '0000000000000000' WHERE part = 'walkers'",
        "DROP TABLE sidestep_ends",
        "DROP TABLE sidestep_frames",
    };
    for (const std::string& change : changes) {
        SCOPED_TRACE(change);
        const std::string copy = path("copy.sqlite");
        fs::copy_file(path(), copy, fs::copy_options::overwrite_existing);
        query(copy, change);
        EXPECT_THAT(error_of(copy), AllOf(HasSubstr("copy.sqlite"), HasSubstr("damaged")));
    }
}

TEST_F(SqliteSourceTest, takes_what_other_tools_do_to_a_file)
{
    ASSERT_TRUE(test::write_sample(path(), 10));
    const auto before = read_back(path());
    ASSERT_TRUE(before);
    query(path(), "UPDATE metadata SET value = '3' WHERE key = 'version'");  // JuPedSim's viewer
    query(path(), "VACUUM");
    query(path(), "DROP INDEX frame_id_idx");
    query(path(), "CREATE VIEW fast AS SELECT * FROM trajectory_data WHERE ori_x > 0");
    const auto after = read_back(path());
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_TRUE(is_equal(*before, *after));
}

TEST_F(SqliteSourceTest, says_which_format_it_does_not_know)
{
    ASSERT_TRUE(test::write_sample(path(), 2));
    query(path(), "UPDATE sidestep_facts SET value = '9' WHERE key = 'format'");
    const auto read = read_back(path());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::unsupported);
    EXPECT_THAT(read.error().message, HasSubstr("format 9"));
}

// ------------------------------------------------------------------------------------------ others

/// Files as JuPedSim writes them, by version.
std::string foreign(int version, const std::string& rows)
{
    const std::string ori = version < 3 ? ", ori_x REAL NOT NULL, ori_y REAL NOT NULL" : "";
    std::string sql = fmt::format(
        "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, "
        "pos_x REAL NOT NULL, pos_y REAL NOT NULL{});"
        "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
        "INSERT INTO metadata VALUES('version', {}), ('fps', 12.5);",
        ori, version);
    sql += version == 1 ? "CREATE TABLE geometry(wkt TEXT NOT NULL);"
                          "INSERT INTO geometry VALUES('POLYGON ((0 0, 5 0, 5 5, 0 0))');"
                        : "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
                          "INSERT INTO geometry VALUES(-4, 'POLYGON ((9 9, 8 9, 8 8, 9 9))'),"
                          "(17, 'POLYGON ((0 0, 5 0, 5 5, 0 0))');"
                          "CREATE TABLE frame_data(frame INTEGER NOT NULL, "
                          "geometry_hash INTEGER NOT NULL);"
                          "INSERT INTO frame_data VALUES(3, 17), (4, 17), (5, -4), (9, -4);";
    return sql + "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);" + rows;
}

TEST_F(SqliteSourceTest, reads_the_versions_of_jupedsim)
{
    for (const int version : {1, 2, 3}) {
        SCOPED_TRACE(version);
        const std::string file = path(fmt::format("v{}.sqlite", version));
        query(file, foreign(version, version < 3 ? "INSERT INTO trajectory_data VALUES"
                                                   "(4, 2, 1.5, 2, 0, 1), (4, 1, 1, 2, 1, 0), "
                                                   "(5, -9, 3, 4, 0.6, 0.8);"
                                                 : "INSERT INTO trajectory_data VALUES"
                                                   "(4, 2, 1.5, 2), (4, 1, 1, 2), (5, -9, 3, 4);"));
        const auto read = read_back(file);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->info.fps, 12.5);
        ASSERT_EQ(read->info.levels.size(), 1u);
        EXPECT_EQ(read->info.levels[0].wkt, "POLYGON ((0 0, 5 0, 5 5, 0 0))");
        std::vector<std::pair<std::int64_t, std::size_t>> sizes;
        for (const auto& frame : read->frames)
            sizes.emplace_back(frame.number, frame.agents.size());
        using Sizes = std::vector<std::pair<std::int64_t, std::size_t>>;
        EXPECT_EQ(sizes,
                  version == 1 ? (Sizes{{4, 2}, {5, 1}}) : (Sizes{{3, 0}, {4, 2}, {5, 1}, {9, 0}}));
        const RecordedFrame& four = read->frames[version == 1 ? 0 : 1];
        EXPECT_EQ(four.agents[0].id, 1);
        EXPECT_EQ(four.agents[1].position, (Vec2{1.5, 2}));
        EXPECT_EQ(four.agents[1].orientation, version < 3 ? (Vec2{0, 1}) : (Vec2{0, 0}));
    }
}

TEST_F(SqliteSourceTest, names_frame_and_agent_of_what_is_no_place)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"(7, 1, 1, 1, 1, 0), (7, 1, 2, 2, 1, 0)", "frame 7: agent 1 is there twice"},
        {"(7, 1, 1, 1, 1, 0), (7, 3, 9e999, 2, 1, 0)", "frame 7: agent 3 is nowhere"},
        {"(7, 3, 'here', 2, 1, 0)", "frame 7: agent 3 is nowhere"},
        {"(7, 3, 1, 2, 'north', 0)", "frame 7: agent 3 looks nowhere"},
        {"(7.5, 3, 1, 2, 1, 0)", "no number"},
        {"(7, 'Anna', 1, 2, 1, 0)", "no number"},
    };
    for (const auto& [rows, message] : cases) {
        const std::string file = path("bad.sqlite");
        fs::remove(file);
        query(file, foreign(2, "INSERT INTO trajectory_data VALUES" + rows));
        EXPECT_THAT(error_of(file), AllOf(HasSubstr("bad.sqlite"), HasSubstr(message)));
    }
}

TEST_F(SqliteSourceTest, asks_for_the_frame_rate_that_a_file_lacks)
{
    query(path(), foreign(2,
                          "INSERT INTO trajectory_data VALUES(0, 1, 1, 1, 1, 0);"
                          "DELETE FROM metadata WHERE key = 'fps';"));
    EXPECT_THAT(error_of(path()), HasSubstr("frames a second"));
    RecordingReadOptions options;
    options.fps = 16.0;
    const auto read = read_back(path(), options);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->info.fps, 16.0);
}

TEST_F(SqliteSourceTest, refuses_what_is_no_recording)
{
    std::ofstream(path("text.sqlite")) << "frame,id,x,y\n0,1,2,3\n";
    EXPECT_THAT(error_of(path("text.sqlite")), HasSubstr("is not an SQLite file"));
    std::ofstream(path("empty.sqlite")).flush();
    EXPECT_THAT(error_of(path("empty.sqlite")), HasSubstr("no recording"));
    query(path("other.sqlite"), "CREATE TABLE songs(name TEXT)");
    EXPECT_THAT(error_of(path("other.sqlite")), HasSubstr("no table trajectory_data"));
    query(path("new.sqlite"), foreign(2, "UPDATE metadata SET value = 4 WHERE key = 'version'"));
    EXPECT_THAT(error_of(path("new.sqlite")), HasSubstr("version 4"));
    EXPECT_THAT(error_of(path("nowhere.sqlite")), HasSubstr("no such file"));
    fs::create_directory(path("folder.sqlite"));
    EXPECT_THAT(error_of(path("folder.sqlite")), HasSubstr("not a file"));
}

TEST_F(SqliteSourceTest, runs_no_statement_of_a_file)
{
    // Without end, if somebody ran it.
    const std::string endless =
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i, 1, 0.0, 0.0, "
        "1.0, 0.0 FROM n";
    query(path(), foreign(2,
                          "DROP TABLE trajectory_data; CREATE VIEW trajectory_data(frame, id, "
                          "pos_x, pos_y, ori_x, ori_y) AS " +
                              endless));
    EXPECT_THAT(error_of(path()), HasSubstr("should be a table"));

    query(path("geometry.sqlite"),
          foreign(
              2, "DROP TABLE geometry; CREATE VIEW geometry(hash, wkt) AS SELECT 1, 'POINT(0 0)'"));
    EXPECT_THAT(error_of(path("geometry.sqlite")), HasSubstr("should be a table"));

    for (const char* kind : {"VIRTUAL", "STORED"}) {
        const std::string file = path(fmt::format("{}.sqlite", kind));
        query(file,
              foreign(2, fmt::format("DROP TABLE trajectory_data; "
                                     "CREATE TABLE trajectory_data(frame INTEGER, id "
                                     "INTEGER, pos_x REAL AS (length(hex(zeroblob(60000000))))"
                                     " {}, pos_y REAL, ori_x REAL, ori_y REAL);",
                                     kind)));
        EXPECT_THAT(error_of(file), HasSubstr("trajectory_data has generated columns"));
    }
    query(path("rtree.sqlite"),
          foreign(2,
                  "DROP TABLE trajectory_data; CREATE VIRTUAL TABLE trajectory_data USING "
                  "rtree_i32(frame, id, pos_x, pos_y, ori_x)"));
    EXPECT_THAT(error_of(path("rtree.sqlite")), HasSubstr("should be a table"));
}

// ----------------------------------------------------------------------------------------- damage

TEST_F(SqliteSourceTest, names_the_file_and_a_way_on_where_it_is_damaged)
{
    ASSERT_TRUE(test::write_sample(path(), 5));
    query(path(), "UPDATE trajectory_data SET pos_x = pos_x + 1 WHERE frame = 2");
    EXPECT_THAT(error_of(path()),
                AllOf(HasSubstr("frame 2 is damaged"), HasSubstr("\nhint: --re")));
    RecordingReadOptions options;
    options.recover = true;
    const auto read = read_back(path(), options);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_THAT(read->damage, ElementsAre(path() + ": frame 2 is damaged; it is left out",
                                          path() + ": 4 of 5 frames are whole; 1 is missing"));
    query(path(), "UPDATE sidestep_events SET time = 4 WHERE time = 0");
    EXPECT_THAT(error_of(path()), AllOf(HasSubstr("events are not"), HasSubstr("\nhint: --re")));
}

TEST_F(SqliteSourceTest, recovers_nothing_of_a_head_that_is_not_what_was_written)
{
    ASSERT_TRUE(test::write_sample(path(), 5));
    query(path(), "UPDATE metadata SET value = '25' WHERE key = 'fps'");
    RecordingReadOptions options;
    options.recover = true;
    const auto refused = read_back(path(), options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                AllOf(HasSubstr("frames per second are not"), HasSubstr("\nhint: --fps")));

    options.fps = 12.5;
    const auto read = read_back(path(), options);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->info.fps, 12.5);
    EXPECT_TRUE(read->info.levels.empty() && read->info.places.empty() &&
                read->info.bodies.empty() && read->info.scenario_text.empty());
    EXPECT_EQ(read->info.facts, test::sample_end());  // these have a hash of their own
    ASSERT_EQ(read->frames.size(), 5u);
    EXPECT_TRUE(read->frames[3].bodies.empty());
    EXPECT_EQ(read->notes.walkers.size(), 12u);
}

TEST_F(SqliteSourceTest, recovers_no_last_facts_that_are_not_what_was_written)
{
    ASSERT_TRUE(test::write_sample(path(), 5));
    query(path(), "UPDATE sidestep_facts SET value = '81' WHERE key = 'steps'");
    RecordingReadOptions options;
    options.recover = true;
    const auto read = read_back(path(), options);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->info.facts, test::sample_info().facts);
    EXPECT_EQ(read->damage.size(), 1u);
}

}  // namespace
}  // namespace sidestep
