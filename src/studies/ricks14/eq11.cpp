// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

void run(StudyResult& result)
{
    double worst_corrected = 0.0, worst_q = 0.0;
    for (int i = 0; i <= 200; ++i) {
        for (int j = 1; j <= 200; ++j) {
            const double r = 0.01 * std::pow(1000.0, i / 200.0), th = 0.5 * kPi * j / 200.0;
            const Vec2 d{r * std::cos(th), r * std::sin(th)};
            const Arrival exact = arrive(d, kPi);
            if (exact.kind != ArrivalKind::pre) continue;
            // (9), which is right: 0 when the agent faces the destination.
            const auto q_at = [&](double t) {
                return t + d.y * std::cos(t) - (1.0 + d.x) * std::sin(t);
            };
            worst_q = std::max(worst_q, std::fabs(q_at(exact.face_time)) / (1.0 + r));
            if (q_at(1.0) > 0.0) continue;  // left of the line (4)
            worst_corrected =
                std::max(worst_corrected, std::fabs(corrected_face_time(d) - exact.face_time));
        }
    }
    const Vec2 example{3.0, 2.0};
    result.numbers = {
        with_printed({"facing (3, 2)", "s", "", 0.597698, arrive(example, kPi).face_time, 1e-6, 6},
                     printed_face_time(example), 1e-3),
        {"facing (3, 2): (11) as printed", "s", "", 0.302776, printed_face_time(example), 1e-6, 6},
        {"facing (3, 2): (11) with 2 Dy squared", "s", "", 0.561553, corrected_face_time(example),
         1e-6, 6},
        with_printed(
            {"facing (1, 1.25)", "s", "", 0.993340, arrive({1.0, 1.25}, kPi).face_time, 1e-6, 6},
            printed_face_time({1.0, 1.25}), 1e-3),
        {"facing (1, 1.25): (11) as printed", "s", "", 0.696663, printed_face_time({1.0, 1.25}),
         1e-6, 6},
        // The worst lies near the agent and grows a little with the density of the sample.
        {"(11) with 2 Dy squared, worst error", "s", "", 0.32, worst_corrected, 0.02, 3},
        {"what is left of (9) at the exact time, worst", "1e-15", "", 0.0, 1e15 * worst_q, 10.0, 1},
    };
    result.finding =
        "As printed, (11) takes 2 Dy for 2 Dy squared: it is off by a third of a second and more. "
        "With the square it is the first term of a series, early by up to 0.33 s. Sidestep solves "
        "(9) itself.";
    std::vector<Vec2> exact, printed, corrected;
    for (int i = 1; i <= 150; ++i) {
        const Vec2 d{3.0, 5.0 * i / 150.0};
        const Arrival a = arrive(d, kPi);
        if (a.kind != ArrivalKind::pre) break;
        exact.push_back({d.y, a.face_time});
        printed.push_back({d.y, printed_face_time(d)});
        corrected.push_back({d.y, corrected_face_time(d)});
    }
    Plot plot(make_axis("Dy [m]", 0.0, exact.back().x, Plot::kXSteps),
              make_axis("time of facing [s]", 0.0, 1.0, Plot::kYSteps),
              "Time of facing a destination 3 m ahead and Dy to the left, by three formulas");
    plot.line(exact, 0, "exact");
    plot.line(corrected, 2, "with 2 Dy squared");
    plot.line(printed, 1, "as printed");
    Figure figure{.title = "When the agent faces (3, Dy)",
                  .sentence = "Threshold pi, v<sub>m</sub> = a = w = 1.",
                  .drawing = plot.finish(),
                  .legend = {{"exact", 0}, {"(11) with 2 Dy squared", 2}, {"(11) as printed", 1}},
                  .wide = false};
    result.drawing = to_html(figure);
}

}  // namespace

const Study kEq11{{"ricks14-eq11", "RICKS14", "Eq. 11", "The misprint in the time of facing"}, run};

}  // namespace sidestep::ricks14
