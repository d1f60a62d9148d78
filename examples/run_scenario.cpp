// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
//
// A scenario in a program of your own: read it, step it, look at everybody, keep a recording.

#include <sidestep/sidestep.hpp>

#include <cstdio>
#include <string_view>

namespace {

constexpr std::string_view kRoom = R"(
format = 1
[world]
name = "room"
[[floors]]
box = [0, 0, 12, 8]
[[goals]]
name = "door"
line = [[12, 3.4], [12, 4.6]]
[[agents]]
count = 60
area = { box = [1, 1, 7, 7] }
exit = "door"
)";

int tell(const sidestep::Problems& problems)
{
    for (const sidestep::Problem& problem : problems)
        std::fprintf(stderr, "%s\n", to_text(problem).c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv)
{
    // A file would be read by read_scenario("room.toml", ...).
    const sidestep::ReadScenario read =
        sidestep::parse_scenario(kRoom, "room", {.overrides = {}, .models = sidestep::models()});
    if (!read.scenario) return tell(read.problems);

    sidestep::Problems problems;
    auto simulation = sidestep::Simulation::create(*read.scenario, {}, problems);
    if (!simulation) return tell(problems);

    std::optional<sidestep::Recorder> recorder;
    if (argc > 1 && std::string_view(argv[1]) != "--quick") {
        auto opened = sidestep::Recorder::open(argv[1], simulation->recording_info());
        if (!opened) {
            std::fprintf(stderr, "error: %s\n", opened.error().message.c_str());
            return 3;
        }
        recorder.emplace(std::move(*opened));
    }

    while (!simulation->finished()) {
        if (recorder && simulation->frame_is_due()) {
            sidestep::RecordedFrame frame;
            simulation->fill(frame);
            if (auto written = recorder->append(std::move(frame)); !written) {
                std::fprintf(stderr, "error: %s\n", written.error().message.c_str());
                return 3;
            }
        }
        simulation->step();
    }

    const sidestep::RunSummary summary = simulation->summary();
    std::printf("%llu of %llu people left the room, the last after %.1f s\n",
                static_cast<unsigned long long>(summary.left),
                static_cast<unsigned long long>(summary.spawned), summary.last_arrival);
    return summary.left == summary.spawned ? 0 : 1;
}
