// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/animation.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/track.hpp"
#include "report/colours.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Frames are left out until two are this far apart, then walkers [s].
constexpr double kLongestStep = 2.0;

class Bytes {
public:
    void add(std::uint64_t number)
    {
        while (number >= 128) {
            bytes_.push_back(static_cast<std::uint8_t>(number | 128));
            number >>= 7;
        }
        bytes_.push_back(static_cast<std::uint8_t>(number));
    }

    void add_signed(std::int64_t number)
    {
        add((static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63));
    }

    void append(const Bytes& other)
    {
        bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    }

    std::size_t size() const { return bytes_.size(); }
    const std::vector<std::uint8_t>& get() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
};

/// Ids and numbers of frames may be any 64 bits.
std::int64_t wrapped_difference(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// Which frames and walkers are kept.
struct Choice {
    std::vector<std::uint32_t> frame;  ///< indices of kept frames
    std::vector<std::uint32_t> place;  ///< of each frame: its index among the kept; kLeftOut
    std::uint32_t walker_stride = 1;   ///< every so many walkers
    static constexpr std::uint32_t kLeftOut = 0xffffffffu;
};

Choice choose(const Trajectories& t, std::size_t frame_stride, std::uint32_t walker_stride)
{
    Choice choice;
    choice.walker_stride = walker_stride;
    choice.place.assign(t.frames.size(), Choice::kLeftOut);
    for (std::size_t i = 0; i < t.frames.size(); ++i) {
        if (i % frame_stride != 0 && i + 1 != t.frames.size()) continue;
        choice.place[i] = static_cast<std::uint32_t>(choice.frame.size());
        choice.frame.push_back(static_cast<std::uint32_t>(i));
    }
    return choice;
}

struct Point {
    std::uint32_t place = 0;
    std::uint16_t level = 0;
    MapPoint at;
};

void encode_track(std::span<const Point> points, std::uint32_t after, const Plan& plan, Bytes& out)
{
    out.add(points.front().place - after);
    out.add(points.size());
    out.add(plan.index_of(points.front().level));
    MapPoint last = points.front().at, step{};
    out.add_signed(last.x);
    out.add_signed(last.y);
    for (const Point& point : points.subspan(1)) {
        const MapPoint now{point.at.x - last.x, point.at.y - last.y};
        out.add_signed(now.x - step.x);
        out.add_signed(now.y - step.y);
        step = now;
        last = point.at;
    }
}

/// Tracks of one walker: where it is in kept frames, cut at gaps and changes of level.
void encode_tracks(std::span<const Point> points, const Plan& plan, Bytes& out)
{
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i == 0 || points[i].place != points[i - 1].place + 1 ||
            points[i].level != points[i - 1].level) {
            begins.push_back(i);
        }
    }
    out.add(begins.size());
    begins.push_back(points.size());
    std::uint32_t after = 0;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
        const auto track = points.subspan(begins[i], begins[i + 1] - begins[i]);
        encode_track(track, after, plan, out);
        after = track.back().place + 1;
    }
}

class Encoder {
public:
    Encoder(const Trajectories& t, const Plan& plan, const Groups& groups)
        : t_(t), plan_(plan), group_(group_walkers(t, groups))
    {}

    Bytes encode(const Choice& choice, std::size_t& kept_walkers) const
    {
        Bytes out;
        encode_frames(choice, out);
        encode_walkers(choice, out, kept_walkers);
        encode_bodies(choice, out);
        return out;
    }

private:
    void encode_frames(const Choice& choice, Bytes& out) const
    {
        out.add(choice.frame.size());
        std::int64_t last = 0;
        for (const std::uint32_t frame : choice.frame) {
            out.add_signed(wrapped_difference(t_.frames[frame], last));
            last = t_.frames[frame];
        }
    }

    void encode_walkers(const Choice& choice, Bytes& out, std::size_t& kept) const
    {
        Bytes body;
        kept = 0;
        std::size_t rows = 0;
        std::int64_t last_id = 0;
        std::vector<Point> points;
        FrameCursor cursor(t_);
        for (std::size_t w = 0; w < t_.walkers.size(); w += choice.walker_stride) {
            points.clear();
            for (std::size_t i = t_.walker_begin[w]; i < t_.walker_begin[w + 1]; ++i) {
                const std::uint32_t row = t_.walker_row[i];
                const std::uint32_t place = choice.place[cursor.frame_of(row)];
                if (place == Choice::kLeftOut) continue;
                points.push_back({place, t_.level[row], plan_.to_map(t_.position[row])});
            }
            const Trajectories::Walker& walker = t_.walkers[w];
            body.add_signed(wrapped_difference(walker.id, last_id));
            last_id = walker.id;
            body.add(group_[w]);
            const double radius = walker.radius > 0.0 ? walker.radius : kUsualRadius;
            body.add(static_cast<std::uint64_t>(std::llround(std::min(radius, 100.0) * 1000.0)));
            encode_tracks(points, plan_, body);
            rows += points.size();
            ++kept;
        }
        out.add(kept);
        out.add(rows);
        out.append(body);
    }

    void encode_bodies(const Choice& choice, Bytes& out) const
    {
        const std::size_t bodies = t_.info.bodies.size();
        std::vector<MapPoint> last(bodies);
        for (const std::uint32_t frame : choice.frame) {
            for (std::size_t i = 0; i < bodies; ++i) {
                const MapPoint now = plan_.to_map(t_.body_position[frame * bodies + i]);
                out.add_signed(now.x - last[i].x);
                out.add_signed(now.y - last[i].y);
                last[i] = now;
            }
        }
    }

    const Trajectories& t_;
    const Plan& plan_;
    std::vector<std::uint8_t> group_;
};

/// Frames to skip at most, so that two kept ones are no more than kLongestStep apart.
std::size_t longest_stride(const Trajectories& t)
{
    if (t.frames.size() < 2) return 1;
    const double step =
        (t.time_of(t.frames.size() - 1) - t.time_of(0)) / static_cast<double>(t.frames.size() - 1);
    if (!(step > 0.0)) return 1;
    return static_cast<std::size_t>(std::clamp(kLongestStep / step, 1.0, 1e6));
}

}  // namespace

namespace {

const std::string& group_of(const Trajectories& t, std::size_t walker)
{
    static const std::string kNone;
    const std::uint32_t note = t.walkers[walker].note;
    return note < t.notes.walkers.size() ? t.notes.walkers[note].group : kNone;
}

}  // namespace

Groups find_groups(std::span<const Trajectories* const> recordings)
{
    constexpr std::size_t kMost = kCategories.size();
    Groups groups;
    bool any_named = false;
    for (const Trajectories* t : recordings) {
        for (std::size_t w = 0; w < t->walkers.size(); ++w) {
            const std::string& name = group_of(*t, w);
            if (groups.index.contains(name)) continue;
            const std::size_t next = std::min(groups.index.size(), kMost - 1);
            if (next == groups.names.size()) {
                groups.names.push_back(name.empty() ? "no group" : name);
            }
            groups.index.emplace(name, static_cast<std::uint8_t>(next));
            any_named = any_named || !name.empty();
        }
    }
    if (groups.index.size() > kMost) groups.names.back() = "others";
    return any_named ? groups : Groups{};
}

std::vector<std::uint8_t> group_walkers(const Trajectories& t, const Groups& groups)
{
    std::vector<std::uint8_t> group(t.walkers.size(), 0);
    for (std::size_t w = 0; w < t.walkers.size(); ++w) {
        const auto at = groups.index.find(group_of(t, w));
        if (at != groups.index.end()) group[w] = at->second;
    }
    return group;
}

Animation make_animation(const Trajectories& t, const Plan& plan, const Groups& groups,
                         std::size_t budget)
{
    const Encoder encoder(t, plan, groups);
    const std::size_t most_bytes = std::max<std::size_t>(budget, 4000) / 4 * 3;
    const std::size_t most_stride = longest_stride(t);
    std::size_t stride = 1;
    std::uint32_t walker_stride = 1;
    Animation made;
    for (;;) {
        const Choice choice = choose(t, stride, walker_stride);
        const Bytes bytes = encoder.encode(choice, made.walkers);
        made.frames = choice.frame.size();
        const bool is_least = stride >= most_stride && walker_stride >= t.walkers.size();
        if (bytes.size() <= most_bytes || is_least) {
            made.tracks = to_base64(bytes.get());
            break;
        }
        const double over = static_cast<double>(bytes.size()) / static_cast<double>(most_bytes);
        const auto grown = [&](std::size_t now) {
            return std::max(now + 1, static_cast<std::size_t>(std::ceil(static_cast<double>(now) *
                                                                        std::min(over, 1e6))));
        };
        if (stride < most_stride) {
            stride = std::min(grown(stride), most_stride);
        } else {
            walker_stride = static_cast<std::uint32_t>(
                std::min(grown(walker_stride), std::max<std::size_t>(t.walkers.size(), 1)));
        }
    }
    made.of_frames = t.frames.size();
    made.of_walkers = t.walkers.size();
    return made;
}

}  // namespace sidestep
