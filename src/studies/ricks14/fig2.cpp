// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

/// The full-velocity point (3) and the centre of the circle (5), corrected, of k = 1.
struct Circle {
    Vec2 full, centre;
};

Circle circle()
{
    // A destination that is never faced: the path runs on round the circle.
    const TurningTask task{.destination = {-0.5, 0.8}};
    const TurningState full = *turning_state(task, kPi, 1.0);
    return {full.place,
            {full.place.x - std::sin(full.heading), full.place.y + std::cos(full.heading)}};
}

/// [RICKS14] (3) as printed: right for an acceleration of 1 only.
Vec2 printed_full_point(double a)
{
    const double t = 1.0 / a;
    return {a * (std::cos(t) + t * std::sin(t)) - 1.0, a * (std::sin(t) - t * std::cos(t))};
}

void run(StudyResult& result)
{
    const Circle c = circle();
    // Share of the disc that is reached all the same: faced before full speed.
    int inside = 0, reached = 0, outside_lost = 0;
    constexpr int kSteps = 600;
    for (int i = 0; i <= kSteps; ++i) {
        for (int j = 0; j <= kSteps; ++j) {
            const Vec2 d{c.centre.x - 1.2 + 2.4 * i / kSteps, c.centre.y - 1.2 + 2.4 * j / kSteps};
            if (d.y < 0.0) continue;  // the mirror image is elsewhere
            const double from_centre = std::hypot(d.x - c.centre.x, d.y - c.centre.y);
            const bool arrives = arrive(d, kPi).arrives();
            if (from_centre < 1.0 - 1e-9) ++inside, reached += arrives ? 1 : 0;
            if (from_centre > 1.0 + 1e-9 && !arrives) ++outside_lost;  // the rim is up to rounding
        }
    }
    const Vec2 by_3 = printed_full_point(1.0), by_3_of_2 = printed_full_point(2.0);
    const Vec2 full_of_2 = turning_state({{-5.0, 5.0}, 0.0, {1.0, 2.0, 1.0, 2.0}}, kPi, 0.5)->place;
    result.numbers = {
        with_printed({"full-velocity point, x", "m", "", 0.381773, c.full.x, 1e-6, 6}, by_3.x,
                     1e-6),
        with_printed({"full-velocity point, y", "m", "", 0.301169, c.full.y, 1e-6, 6}, by_3.y,
                     1e-6),
        with_printed({"the same for a = 2, x", "m", "", 0.234591, full_of_2.x, 1e-6, 6},
                     by_3_of_2.x, 1e-6),
        with_printed({"the same for a = 2, y", "m", "", 0.081269, full_of_2.y, 1e-6, 6},
                     by_3_of_2.y, 1e-6),
        with_printed({"centre of the circle, x", "m", "", -0.459698, c.centre.x, 1e-6, 6},
                     by_3.x - std::sin(1.0), 1e-6),
        with_printed({"centre of the circle, y", "m", "", 0.841471, c.centre.y, 1e-6, 6},
                     by_3.y + std::cos(1.0), 1e-6),
        {"share of the disc faced early", "%", "", 0.1, 100.0 * reached / inside, 0.05, 3},
        with_printed({"unreachable outside the disc", "", "", 0.0,
                      static_cast<double>(outside_lost), 0.0, 0},
                     0.0, 0.0),
    };
    result.finding =
        "Unreachable is the open disc round which the agent circles at full speed, without a "
        "sliver that it faces while it still accelerates. The paper counts that sliver as reached "
        "late. Its (3) lacks a bracket, which only shows where the acceleration is not 1 m/s2.";

    // 65 units of the drawing a metre both ways: the edges of cells fall on what it can write down.
    Plot plot(make_axis("x [m]", -3.0, -3.0 + 394.0 / 65.0, 6, AxisEnds::tight),
              make_axis("y [m]", -0.5, -0.5 + 214.0 / 65.0, 5, AxisEnds::tight),
              "Destinations that are faced before full speed, after it, and never");
    constexpr std::size_t kSeriesOf[] = {2, 0, 5};  // pre, post, unreachable
    constexpr double kCell = 0.04;
    for (int j = 0; j < 69; ++j) {
        const double y = kCell * j;
        const auto series_at = [&](int i) {
            const Vec2 d{-3.0 + kCell * (i + 0.5), y + 0.5 * kCell};
            return kSeriesOf[static_cast<std::size_t>(arrive(d, kPi).kind)];
        };
        for (int i = 0; i < 151;) {
            const int first = i;
            const std::size_t series = series_at(i);
            while (i < 151 && series_at(i) == series) ++i;
            plot.area({-3.0 + kCell * first, y}, {-3.0 + kCell * i, y + kCell}, series);
        }
    }
    std::vector<Vec2> path, rim, line;
    const TurningTask task{.destination = {-0.5, 0.8}};
    for (int i = 0; i <= 40; ++i) path.push_back(turning_state(task, kPi, i / 40.0)->place);
    for (int i = 0; i <= 90; ++i) {
        const double angle = 2.0 * kPi * i / 90.0;
        rim.push_back({c.centre.x + std::cos(angle), c.centre.y + std::sin(angle)});
    }
    for (const double s : {-1.0, 2.5})
        line.push_back({c.full.x + s * std::cos(1.0), c.full.y + s * std::sin(1.0)});
    plot.curve(rim, 1);
    plot.curve(line, 3);
    plot.curve(path, 0);
    Figure figure{.title = "Where the agent faces its destination, threshold pi",
                  .sentence =
                      "v<sub>m</sub> = a = w = 1, destinations to the left of the agent, which "
                      "starts at the origin and looks to the right.",
                  .drawing = plot.finish(),
                  .legend = {{"faced before full speed", 2, Figure::Sign::point},
                             {"faced after it", 0, Figure::Sign::point},
                             {"never faced", 5, Figure::Sign::point},
                             {"path up to full speed", 0},
                             {"line (4)", 3},
                             {"circle at full speed", 1}},
                  .wide = false};
    result.drawing = to_html(figure);
}

}  // namespace

const Study kFig2{{"ricks14-fig2", "RICKS14", "Fig. 2", "Three kinds of destinations"}, run};

}  // namespace sidestep::ricks14
