// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "analysis/encounters.hpp"
#include "analysis/overlaps.hpp"
#include "analysis/track.hpp"
#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::one_thread;
using test::TrajectoryMaker;

OverlapResult overlaps_of(const Trajectories& t, double radius = 0.2)
{
    return measure_overlaps(t, radii_of(t, radius), one_thread());
}

EncounterResult encounters_of(const Trajectories& t, double range = 2.0)
{
    const Velocities velocities = individual_velocities(t, 1, one_thread());
    return measure_encounters(t, velocities, joined_rows(t, one_thread()), range, one_thread());
}

/// Two on the x axis, their distance in each frame as given; none: the second is not there.
Trajectories at_distances(const std::vector<double>& distances)
{
    TrajectoryMaker maker(10.0);
    std::int64_t number = 0;
    for (const double distance : distances) {
        if (distance < 0.0) {
            maker.frame(number++, {{1, {0, 0}}});
        } else {
            maker.frame(number++, {{1, {0, 0}}, {2, {distance, 0}}});
        }
    }
    return maker.finish();
}

// --------------------------------------------------------------------------------------- overlaps

TEST(Overlaps, are_pairs_closer_than_their_radii_with_depth_time_and_ids)
{
    TrajectoryMaker maker(10.0);
    maker.frame(5, {{3, {0, 0}}, {8, {0.3, 0}}, {9, {0.3, 0.39}}});
    maker.frame(6, {{3, {0, 0}}, {8, {0.25, 0}}, {9, {3, 0}}});
    maker.frame(7, {{3, {0, 0}}});
    maker.frame(8, {});
    const OverlapResult o = overlaps_of(maker.finish());
    EXPECT_EQ(o.pairs, 3u);
    EXPECT_DOUBLE_EQ(o.pairs_per_frame, 1.0);  // three frames have somebody in them
    EXPECT_EQ(o.pairs_of_frame, (std::vector<std::uint32_t>{2, 1, 0, 0}));
    EXPECT_NEAR(o.deepest, 0.15, 1e-15);
    EXPECT_DOUBLE_EQ(o.deepest_time, 0.6);
    EXPECT_EQ(o.deepest_a, 3);
    EXPECT_EQ(o.deepest_b, 8);
    EXPECT_NEAR(o.deepest_of_frame[0], 0.1f, 1e-7f);
    EXPECT_EQ(o.contacts, 2u);
}

TEST(Overlaps, take_the_radius_of_each_walker_and_know_levels)
{
    TrajectoryMaker maker(10.0);
    maker.notes.walkers = {{1, 0.1, 1.0, {}, {}, {}}, {2, 0.5, 1.0, {}, {}, {}}};
    maker.frame(0, {{1, {0, 0}, 0}, {2, {0.55, 0}, 0}, {3, {0, 0}, 1}});
    const OverlapResult o = overlaps_of(maker.finish());
    EXPECT_EQ(o.pairs, 1u);
    EXPECT_NEAR(o.deepest, 0.05, 1e-15);
}

TEST(Overlaps, count_a_contact_once_from_touch_to_release)
{
    // touches 0.5 mm deep before it gets deep, and again before it ends: one contact
    EXPECT_EQ(overlaps_of(at_distances({0.5, 0.3995, 0.3, 0.3995, 0.5})).contacts, 1u);
    EXPECT_EQ(overlaps_of(at_distances({0.3, 0.41, 0.3, 0.41, 0.3})).contacts, 3u);
    EXPECT_EQ(overlaps_of(at_distances({0.3, -1, 0.3})).contacts, 2u);
    const OverlapResult shallow = overlaps_of(at_distances({0.5, 0.3995, 0.3992, 0.5}));
    EXPECT_EQ(shallow.contacts, 0u);
    EXPECT_EQ(shallow.pairs, 0u);
    EXPECT_NEAR(shallow.deepest, 8e-4, 1e-12);
}

TEST(Overlaps, join_a_contact_over_any_number_of_frames)
{
    for (const std::size_t frames : {1u, 15u, 16u, 17u, 32u, 33u, 100u}) {
        EXPECT_EQ(overlaps_of(at_distances(std::vector<double>(frames, 0.3))).contacts, 1u)
            << frames;
    }
    std::vector<double> in_turns(99, 0.3);
    for (std::size_t i = 1; i < in_turns.size(); i += 2) in_turns[i] = 1.0;
    EXPECT_EQ(overlaps_of(at_distances(in_turns)).contacts, 50u);
}

TEST(Overlaps, of_two_in_one_place_are_as_deep_as_both_radii)
{
    const OverlapResult o = overlaps_of(at_distances({0.0}));
    EXPECT_EQ(o.pairs, 1u);
    EXPECT_DOUBLE_EQ(o.deepest, 0.4);
}

TEST(Overlaps, equal_brute_force_on_random_crowds)
{
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Trajectories t = test::random_crowd(seed, 60, 70, 6.0, 2).finish();
        std::uint64_t pairs = 0;
        double deepest = 0.0;
        std::uint64_t contacts = 0;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::size_t, double>> open;
        for (std::size_t f = 0; f <= t.frames.size(); ++f) {
            if (f < t.frames.size()) {
                for (std::size_t a = t.frame_begin[f]; a < t.frame_begin[f + 1]; ++a) {
                    for (std::size_t b = a + 1; b < t.frame_begin[f + 1]; ++b) {
                        const Vec2 d = t.position[b] - t.position[a];
                        const double depth = 0.5 - std::sqrt(d.x * d.x + d.y * d.y);
                        if (t.level[a] != t.level[b] || !(depth > 0.0)) continue;
                        pairs += depth > 1e-3 ? 1 : 0;
                        deepest = std::max(deepest, depth);
                        auto& episode = open[{t.walker[a], t.walker[b]}];
                        episode = {f + 1, std::max(episode.second, depth)};
                    }
                }
            }
            for (auto at = open.begin(); at != open.end();) {
                const bool is_over = at->second.first != f + 1;
                contacts += is_over && at->second.second > 1e-3 ? 1 : 0;
                at = is_over ? open.erase(at) : std::next(at);
            }
        }
        const OverlapResult o = overlaps_of(t, 0.25);
        EXPECT_GT(pairs, 0u);
        EXPECT_EQ(o.pairs, pairs) << "seed " << seed;
        EXPECT_EQ(o.contacts, contacts) << "seed " << seed;
        EXPECT_EQ(o.deepest, deepest) << "seed " << seed;
    }
}

// ------------------------------------------------------------------------------------- encounters

/// Along y = 0 and back along y = offset, at 1 m/s each, 10 m apart at first.
Trajectories head_on(double offset, int frames = 100)
{
    TrajectoryMaker maker(10.0);
    for (int i = 0; i < frames; ++i)
        maker.frame(i, {{1, {0.1 * i, 0.0}}, {2, {10.0 - 0.1 * i, offset}}});
    return maker.finish();
}

TEST(Encounters, have_the_least_distance_and_what_was_projected_when_they_met)
{
    const EncounterResult e = encounters_of(head_on(0.6));
    EXPECT_EQ(e.encounters, 1u);
    EXPECT_NEAR(e.passing_distance.mean, 0.6, 1e-6);
    EXPECT_NEAR(e.projected_distance.mean, 0.6, 1e-6);
    // within 2 m first at 1.8 m along: closest 0.9 s later
    EXPECT_NEAR(e.time_to_closest.mean, 0.9, 1e-6);
    ASSERT_EQ(e.passing_histogram.size(), 20u);
    EXPECT_EQ(e.passing_histogram[6], 1u);
    EXPECT_EQ(e.projected_histogram[6], 1u);
}

TEST(Encounters, need_two_who_come_and_walk_and_differ_in_heading)
{
    EXPECT_EQ(encounters_of(head_on(2.1)).encounters, 0u);      // out of range
    EXPECT_EQ(encounters_of(head_on(0.6, 40)).encounters, 0u);  // over before they are near
    TrajectoryMaker standing(10.0), abreast(10.0), near_from_the_first(10.0), behind(10.0);
    for (int i = 0; i < 60; ++i) {
        const double x = 0.1 * i;
        standing.frame(i, {{1, {x, 0}}, {2, {3, 0.5}}});
        abreast.frame(i, {{1, {x, 0}}, {2, {x, 1}}});
        near_from_the_first.frame(i, {{1, {x, 0}}, {2, {1.0 - x, 0.5}}});
        behind.frame(i, {{1, {1.5 * x, 0}}, {2, {2.5 + x, 0.5}}});
    }
    EXPECT_EQ(encounters_of(standing.finish()).encounters, 0u);
    EXPECT_EQ(encounters_of(abreast.finish()).encounters, 0u);
    EXPECT_EQ(encounters_of(near_from_the_first.finish()).encounters, 0u);
    EXPECT_EQ(encounters_of(behind.finish()).encounters, 0u);
}

TEST(Encounters, end_only_a_quarter_of_the_range_farther_out)
{
    // towards each other to 1.9 m, back to 2.4 m, to 1.5 m: one; back to 2.6 m instead: two
    const auto meetings = [](double apart) {
        TrajectoryMaker maker(10.0);
        std::int64_t number = 0;
        double distance = 3.0;
        const auto go = [&](double to) {
            while (std::abs(distance - to) > 1e-9) {
                distance += std::clamp(to - distance, -0.1, 0.1);
                maker.frame(number++, {{1, {-0.5 * distance, 0}}, {2, {0.5 * distance, 0}}});
            }
        };
        for (const double to : {1.9, apart, 1.5, 3.0}) go(to);
        return encounters_of(maker.finish());
    };
    EXPECT_EQ(meetings(2.4).encounters, 1u);
    EXPECT_NEAR(meetings(2.4).passing_distance.min, 1.5, 1e-6);
    EXPECT_EQ(meetings(2.6).encounters, 2u);
}

TEST(Encounters, do_not_depend_on_where_blocks_of_frames_begin)
{
    for (std::int64_t shift = 0; shift < 40; ++shift) {
        TrajectoryMaker maker = test::random_crowd(5, 90, 80, 9.0);
        TrajectoryMaker later(10.0);
        for (std::int64_t i = 0; i < shift; ++i) later.frame(i - shift, {});
        later.frames.insert(later.frames.end(), maker.frames.begin(), maker.frames.end());
        const EncounterResult e = encounters_of(maker.finish());
        const EncounterResult moved = encounters_of(later.finish());
        EXPECT_GT(e.encounters, 10u);
        EXPECT_EQ(e.encounters, moved.encounters) << shift;
        EXPECT_EQ(e.passing_distance.mean, moved.passing_distance.mean) << shift;
        EXPECT_EQ(e.projected_histogram, moved.projected_histogram) << shift;
    }
}

}  // namespace
}  // namespace sidestep
