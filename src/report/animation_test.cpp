// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/animation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "support/report_runs.hpp"

namespace sidestep {
namespace {

Groups groups_of(const Trajectories& t)
{
    const Trajectories* const one[] = {&t};
    return find_groups(one);
}

/// Reads what make_animation writes, as the script of a page does.
class Decoder {
public:
    explicit Decoder(std::string_view base64)
    {
        static constexpr std::string_view kDigits =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::uint32_t bits = 0;
        int count = 0;
        for (const char c : base64) {
            if (c == '=') break;
            bits = (bits << 6) | static_cast<std::uint32_t>(kDigits.find(c));
            if ((count += 6) >= 8) {
                count -= 8;
                bytes_.push_back(static_cast<std::uint8_t>(bits >> count));
            }
        }
    }

    std::uint64_t next()
    {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            const std::uint8_t byte = bytes_.at(at_++);
            value |= std::uint64_t{byte & 127u} << shift;
            if (byte < 128) return value;
        }
    }
    std::int64_t next_signed()
    {
        const std::uint64_t value = next();
        return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
    }
    bool is_done() const { return at_ == bytes_.size(); }

private:
    std::vector<std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

struct Decoded {
    std::vector<std::int64_t> frames;
    /// (id, frame number) -> level index and place
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::uint64_t, MapPoint>> rows;
    std::vector<MapPoint> bodies;
};

Decoded decode(const Animation& animation, std::size_t bodies = 0)
{
    Decoder in(animation.tracks);
    Decoded out;
    out.frames.resize(in.next());
    std::int64_t number = 0;
    for (auto& frame : out.frames) frame = number += in.next_signed();
    const std::uint64_t walkers = in.next(), rows = in.next();
    std::int64_t id = 0;
    for (std::uint64_t w = 0; w < walkers; ++w) {
        id = static_cast<std::int64_t>(static_cast<std::uint64_t>(id) +
                                       static_cast<std::uint64_t>(in.next_signed()));
        in.next();  // group
        in.next();  // radius
        std::uint64_t frame = 0;
        for (std::uint64_t tracks = in.next(); tracks > 0; --tracks) {
            frame += in.next();
            const std::uint64_t count = in.next(), level = in.next();
            MapPoint at{}, step{};
            for (std::uint64_t i = 0; i < count; ++i) {
                const MapPoint d{in.next_signed(), in.next_signed()};
                if (i == 0) {
                    at = d;
                } else {
                    step = {step.x + d.x, step.y + d.y};
                    at = {at.x + step.x, at.y + step.y};
                }
                out.rows[{id, out.frames.at(frame++)}] = {level, at};
            }
        }
    }
    EXPECT_EQ(out.rows.size(), rows);
    std::vector<MapPoint> last(bodies);
    for (std::size_t i = 0; i < out.frames.size() * bodies; ++i) {
        MapPoint& at = last[i % bodies];
        at = {at.x + in.next_signed(), at.y + in.next_signed()};
        out.bodies.push_back(at);
    }
    EXPECT_TRUE(in.is_done());
    return out;
}

constexpr std::size_t kAll = 100'000'000;

TEST(Animation, holds_every_position_to_a_centimetre)
{
    const Trajectories t = walk_east(5, 80);
    const Plan plan = make_plan(t);
    const Decoded decoded = decode(make_animation(t, plan, groups_of(t), kAll));
    ASSERT_EQ(decoded.frames, t.frames);
    ASSERT_EQ(decoded.rows.size(), t.position.size());
    for (std::size_t f = 0; f < t.frames.size(); ++f) {
        for (std::size_t row = t.frame_begin[f]; row < t.frame_begin[f + 1]; ++row) {
            const auto& [level, at] = decoded.rows.at({t.walkers[t.walker[row]].id, t.frames[f]});
            EXPECT_NEAR(plan.box.low.x + static_cast<double>(at.x) * 0.01, t.position[row].x,
                        0.0051);
            EXPECT_NEAR(plan.box.high.y - static_cast<double>(at.y) * 0.01, t.position[row].y,
                        0.0051);
            EXPECT_EQ(level, 0u);
        }
    }
}

TEST(Animation, keeps_gaps_levels_bodies_and_extreme_ids)
{
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    RecordingInfo info;
    info.fps = 5.0;
    info.levels = {{0, ""}, {7, ""}};
    info.bodies = {{"cart", 0, 0.5, {}}};
    TrajectoryCollector collector(info);
    for (std::int64_t f = 0; f < 12; ++f) {
        RecordedFrame frame;
        frame.number = 100 + 2 * f;
        frame.bodies = {{double(f), 1.0}};
        if (f < 3 || f > 6) frame.agents.push_back({.id = -kFar, .level = 0, .position = {1, 1}});
        frame.agents.push_back({.id = kFar,
                                .level = static_cast<std::uint16_t>(f < 5 ? 0 : 7),
                                .position = {0.01 * double(f * f), -3.0}});
        collector.add(frame);
    }
    const Trajectories t = collector.finish({});
    const Plan plan = make_plan(t);
    const Decoded decoded = decode(make_animation(t, plan, groups_of(t), kAll), 1);
    EXPECT_EQ(decoded.frames.front(), 100);
    EXPECT_EQ(decoded.rows.size(), 8u + 12u);
    EXPECT_FALSE(decoded.rows.contains({-kFar, 108}));
    EXPECT_EQ(decoded.rows.at({kFar, 108}).first, 0u);
    EXPECT_EQ(decoded.rows.at({kFar, 110}).first, 1u);
    EXPECT_EQ(decoded.rows.at({kFar, 122}).second.x, plan.to_map({1.21, 0}).x);
    ASSERT_EQ(decoded.bodies.size(), 12u);
    EXPECT_EQ(decoded.bodies[11], plan.to_map({11.0, 1.0}));
}

TEST(Animation, leaves_out_frames_first_and_then_walkers)
{
    const Trajectories t = walk_east(200, 90);
    const Plan plan = make_plan(t);
    const Animation whole = make_animation(t, plan, groups_of(t), kAll);
    EXPECT_EQ(whole.frames, 90u);
    EXPECT_EQ(whole.walkers, 200u);

    const std::size_t half = whole.tracks.size() / 2;
    const Animation fewer_frames = make_animation(t, plan, groups_of(t), half);
    EXPECT_LE(fewer_frames.tracks.size(), half);
    EXPECT_LT(fewer_frames.frames, 90u);
    EXPECT_EQ(fewer_frames.walkers, 200u);
    EXPECT_EQ(decode(fewer_frames).frames.back(), 89);  // the last one is kept

    const Animation fewer_walkers = make_animation(t, plan, groups_of(t), 4000);
    EXPECT_LE(fewer_walkers.tracks.size(), 4000u);
    EXPECT_LT(fewer_walkers.walkers, 200u);
    EXPECT_GE(fewer_walkers.frames, 5u);  // 2 s apart
    EXPECT_EQ(fewer_walkers.of_walkers, 200u);
}

TEST(Animation, of_nobody_and_of_no_frames_is_small_and_whole)
{
    for (const Trajectories& t : {walk_east(0, 0), walk_east(0, 3), walk_east(1, 1)}) {
        const Animation animation = make_animation(t, make_plan(t), groups_of(t), 4000);
        EXPECT_EQ(decode(animation).frames, t.frames);
        EXPECT_LT(animation.tracks.size(), 40u);
    }
}

TEST(Animation, more_groups_than_colours_share_the_last)
{
    Trajectories t = walk_east(20, 2);
    for (std::size_t i = 0; i < 20; ++i) t.notes.walkers[i].group = "g" + std::to_string(i);
    const Groups groups = groups_of(t);
    const auto group = group_walkers(t, groups);
    ASSERT_EQ(groups.names.size(), 6u);
    EXPECT_EQ(groups.names.front(), "g0");
    EXPECT_EQ(groups.names.back(), "others");
    EXPECT_EQ(group[4], 4);
    EXPECT_EQ(group[19], 5);
}

TEST(Animation, a_group_has_one_colour_in_two_runs)
{
    const Trajectories a = walk_east(2, 2);
    Trajectories b = walk_east(3, 2);
    b.notes.walkers[0].group = "late";
    const Trajectories* const both[] = {&a, &b};
    const Groups groups = find_groups(both);
    EXPECT_EQ(groups.names, (std::vector<std::string>{"even", "odd", "late"}));
    EXPECT_EQ(group_walkers(a, groups), (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(group_walkers(b, groups), (std::vector<std::uint8_t>{2, 1, 0}));

    b.notes = {};
    for (auto& walker : b.walkers) walker.note = 0xffffffffu;
    const Trajectories* const untold[] = {&b};
    EXPECT_TRUE(find_groups(untold).names.empty());
}

}  // namespace
}  // namespace sidestep
