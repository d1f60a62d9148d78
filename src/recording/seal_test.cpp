// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/seal.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/recordings.hpp"

namespace sidestep {
namespace {

TEST(Seal, writes_lines_that_read_back_as_they_were)
{
    const RecordingInfo info = test::sample_info();
    const auto read = info_from_line(to_line(info));
    ASSERT_TRUE(read);
    EXPECT_EQ(to_line(*read), to_line(info));
    EXPECT_EQ(read->fps, 12.5);
    EXPECT_EQ(read->bodies[1].outline[2], (Vec2{0.1, 1.0 / 3}));
    EXPECT_EQ(read->scenario_text, info.scenario_text);
    EXPECT_EQ(to_line(info).find('\n'), std::string::npos);

    const RecordedNotes notes = test::sample_notes();
    RecordedNotes back;
    for (const auto& event : notes.events) EXPECT_TRUE(add_line(to_line(event), back));
    for (const auto& walker : notes.walkers) EXPECT_TRUE(add_line(to_line(walker), back));
    for (const auto& end : notes.ends) EXPECT_TRUE(add_line(to_line(end), back));
    ASSERT_EQ(back.ends.size(), notes.ends.size());
    EXPECT_EQ(back.events[1].text, notes.events[1].text);
    EXPECT_EQ(back.walkers[3].radius, notes.walkers[3].radius);
    EXPECT_EQ(back.ends[3].time, notes.ends[3].time);
    EXPECT_EQ(back.ends[3].is_arrival, notes.ends[3].is_arrival);

    EXPECT_EQ(facts_from_line(to_line(test::sample_end())), test::sample_end());
}

TEST(Seal, reads_nothing_from_lines_that_are_something_else)
{
    RecordedNotes notes;
    const std::string head = to_line(test::sample_info());
    for (const std::string& line :
         {std::string(), std::string("{}"), std::string("event"), std::string("{\"event\":3}"),
          std::string("{\"end\":{\"id\":1}}"), head, head.substr(0, head.size() / 2)}) {
        EXPECT_FALSE(add_line(line, notes)) << line;
        EXPECT_FALSE(facts_from_line(line)) << line;
        EXPECT_EQ(info_from_line(line).has_value(), line == head) << line;
    }
    EXPECT_TRUE(notes.events.empty() && notes.walkers.empty() && notes.ends.empty());
}

TEST(Seal, gives_every_change_of_a_frame_another_hash)
{
    const RecordedFrame frame = test::sample_frame(7);
    const std::vector<std::function<void(RecordedFrame&)>> changes{
        [](RecordedFrame&) {},
        [](RecordedFrame& f) { ++f.number; },
        [](RecordedFrame& f) { f.agents.pop_back(); },
        [](RecordedFrame& f) { ++f.agents[2].id; },
        [](RecordedFrame& f) { ++f.agents[2].level; },
        [](RecordedFrame& f) { f.agents[2].position.x += 1e-12; },
        [](RecordedFrame& f) { f.agents[2].position.y += 1e-12; },
        [](RecordedFrame& f) { f.agents[2].orientation.x += 1e-12; },
        [](RecordedFrame& f) { f.agents[2].orientation.y += 1e-12; },
        [](RecordedFrame& f) { f.bodies[1].y += 1e-12; },
        [](RecordedFrame& f) { f.bodies.pop_back(); },
    };
    std::set<std::uint64_t> hashes;
    for (const auto& change : changes) {
        RecordedFrame changed = frame;
        change(changed);
        hashes.insert(hash_of(changed));
    }
    EXPECT_EQ(hashes.size(), changes.size());

    RecordedFrame zero{1, {{1, 0, {0.0, 0.0}, {0.0, 1.0}}}, {{0.0, 0.0}}};
    RecordedFrame minus{1, {{1, 0, {-0.0, -0.0}, {-0.0, 1.0}}}, {{-0.0, -0.0}}};
    EXPECT_EQ(hash_of(zero), hash_of(minus));
}

TEST(Seal, hashes_a_frame_of_any_size_as_one_row_of_bytes)
{
    for (const std::int64_t people : {0, 1, 63, 64, 65, 128, 200}) {
        SCOPED_TRACE(people);
        RecordedFrame frame{5, {}, {{1.5, -2.5}}};
        StateHash plain;
        plain.add(std::int64_t{5});
        for (std::int64_t id = 0; id < people; ++id) {
            const double x = 0.25 * static_cast<double>(id);
            frame.agents.push_back({id, 3, {x, -x}, {0.6, 0.8}});
            plain.add(id);
            plain.add(std::int64_t{3});
            for (const double value : {x, 0.0 - x, 0.6, 0.8}) plain.add(value);
        }
        plain.add(1.5);
        plain.add(-2.5);
        EXPECT_EQ(hash_of(frame), plain.digest());
    }
}

TEST(Seal, has_a_hash_for_each_part)
{
    Seal seal;
    const Seal empty;
    seal.add(test::sample_notes());
    for (const auto part : {Seal::head, Seal::frames, Seal::facts}) {
        EXPECT_EQ(seal.digest(part), empty.digest(part));
    }
    for (const auto part : {Seal::events, Seal::walkers, Seal::ends}) {
        EXPECT_NE(seal.digest(part), empty.digest(part));
    }
    seal.add(test::sample_info());
    seal.add(test::sample_end());
    seal.add_frame(1);
    for (const auto part : {Seal::head, Seal::frames, Seal::facts}) {
        EXPECT_NE(seal.digest(part), empty.digest(part));
    }
}

TEST(Seal, reads_hashes_of_sixteen_digits_alone)
{
    EXPECT_EQ(to_hash_text(0x12ab), "00000000000012ab");
    EXPECT_EQ(hash_from_text("00000000000012ab"), 0x12abu);
    for (const char* text : {"", "12ab", "00000000000012ag", " 0000000000012ab", "-000000000000001",
                             "00000000000012ab0"}) {
        EXPECT_FALSE(hash_from_text(text)) << text;
    }
}

TEST(Seal, words_of_what_is_whole_count_in_the_singular_too)
{
    EXPECT_EQ(whole_before(0), "0 frames before are whole");
    EXPECT_EQ(whole_before(1), "1 frame before is whole");
    EXPECT_EQ(missing_text(1, 1, 2), "1 of 2 frames is whole; 1 is missing");
    EXPECT_EQ(missing_text(138, 20, 506), "138 of 506 frames are whole; 368 are missing");
    EXPECT_EQ(missing_text(10, 0, 10), std::nullopt);
    EXPECT_EQ(missing_text(10, 0, std::nullopt),
              "10 frames are whole; how many are missing is not known");
}

}  // namespace
}  // namespace sidestep
