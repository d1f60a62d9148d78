// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run_summary.hpp"

#include "console.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string size_of_file(const std::string& path)
{
    std::error_code code;
    const auto bytes = std::filesystem::file_size(path, code);
    if (code) return "?";
    constexpr double kKilo = 1e3, kMega = 1e6;
    const auto size = static_cast<double>(bytes);
    return size < kMega ? fmt::format("{:.0f} kB", size / kKilo)
                        : fmt::format("{:.1f} MB", size / kMega);
}

/// "social_force filtered by orca"
std::string describe_model(const RunSummary& s)
{
    if (s.filter == "none") return s.model;
    if (s.filter == "mixed") return s.model + ", filters mixed";
    return fmt::format("{} filtered by {}", s.model, s.filter);
}

std::string describe_people(const RunSummary& s)
{
    std::string text =
        fmt::format("{} came: {} left, {} present, {} removed; {} arrived", group_digits(s.spawned),
                    group_digits(s.left), group_digits(s.present), group_digits(s.removed),
                    group_digits(s.arrived));
    if (s.without_goal > 0) {
        text += fmt::format("; {} without a goal", group_digits(s.without_goal));
    }
    if (s.waiting_to_enter > 0) {
        text += fmt::format("; {} wait to enter", group_digits(s.waiting_to_enter));
    }
    return text;
}

std::string describe_arrivals(const RunSummary& s)
{
    if (s.arrived == 0) return "nobody has arrived";
    return fmt::format("last at {:.2f} s; travel time {:.2f} s on average, {:.2f} s the slowest",
                       s.last_arrival, s.mean_travel_time, s.slowest_travel_time);
}

std::string describe_way(const RunSummary& s)
{
    std::string text =
        fmt::format("progress {:.0f} % of the preferred (median)", s.median_progress * 100.0);
    if (s.mean_path_ratio > 0.0) {  // of those who arrived
        text += fmt::format("; way {:.2f} times the shortest (mean)", s.mean_path_ratio);
    }
    return text;
}

std::string describe_cut_short(const RunSummary& s)
{
    std::string text = fmt::format(
        "{}, {}",
        count_of(s.infeasible_programs, "program that did not fit", "programs that did not fit"),
        count_of(s.neighbour_cap_hits, "neighbour list full", "neighbour lists full"));
    if (s.acceleration_exceeded > 0) {
        text += ", " + count_of(s.acceleration_exceeded, "limit of acceleration exceeded",
                                "limits of acceleration exceeded");
    }
    if (s.crowded_sights > 0) {
        text += ", " + count_of(s.crowded_sights, "pair seen beyond the memory of an agent",
                                "pairs seen beyond the memory of an agent");
    }
    if (s.body_contacts > 0) {
        text += ", " + count_of(s.body_contacts, "velocity cut at another body",
                                "velocities cut at other bodies");
    }
    if (s.held_vehicles > 0) {
        text += ", " + count_of(s.held_vehicles, "vehicle held back in a step",
                                "vehicles held back in a step");
    }
    if (s.waiting > 0) {
        text += ", " + count_of(s.waiting, "step waited because nothing fitted",
                                "steps waited because nothing fitted");
    }
    return text;
}

std::string describe_stalls(const RunSummary& s)
{
    std::string text = group_digits(s.stalls);
    if (s.side_steps + s.yields + s.replans + s.back_ups == 0) return text;
    return fmt::format(
        "{}; {}, {}, {}, {}", text, count_of(s.side_steps, "side-step", "side-steps"),
        count_of(s.yields, "yield", "yields"), count_of(s.replans, "other way", "other ways"),
        count_of(s.back_ups, "backing up", "backings up"));
}

std::string describe_speed(const RunSummary& s)
{
    return fmt::format("{:.3g} ms per step; {:.3g} us per update, navigation {:.3g} us; {}, {}",
                       s.ms_per_step, s.us_per_update, s.navigation_us_per_update,
                       count_of(s.threads, "thread", "threads"), s.isa);
}

}  // namespace

std::string to_text(const RunResult& result, bool colour)
{
    const RunSummary& s = result.summary;
    fmt::memory_buffer out;
    const auto line = [&](std::string_view name, std::string_view text) {
        fmt::format_to(std::back_inserter(out), "  {:<11} {}\n", name, text);
    };
    fmt::format_to(std::back_inserter(out), "{}: {}, {}\n", s.scene,
                   count_of(s.agents, "agent", "agents"), describe_model(s));
    line("time", fmt::format("{:.2f} s in {} of {:g} s", s.sim_time,
                             count_of(s.steps, "step", "steps"), s.dt));
    line("people", describe_people(s));
    line("arrivals", describe_arrivals(s));
    line("way", describe_way(s));
    line("overlaps",
         fmt::format("{} pairs per frame, the deepest {:.1f} mm",
                     short_number(s.overlap_pairs_per_frame), s.deepest_overlap * 1000.0));
    line("walls", fmt::format("{}, {}", count_of(s.wall_contacts, "contact", "contacts"),
                              count_of(s.wall_penetrations, "penetration", "penetrations")));
    line("stalls", describe_stalls(s));
    line("cut short", describe_cut_short(s));
    line("speed", describe_speed(s));
    line("state hash", to_hex(s.state_hash));
    if (!result.recording.empty()) {
        line("recording", fmt::format("{} ({}, {})", result.recording,
                                      count_of(result.frames, "frame", "frames"),
                                      size_of_file(result.recording)));
    }
    for (const ExpectResult& expect : result.expect) {
        const std::string_view verdict = expect.met ? "met" : "NOT MET";
        const std::string_view paint = expect.met ? "\033[32m" : "\033[1;31m";
        line("expect", colour ? fmt::format("{}{:<7}\033[0m  {}", paint, verdict, expect.message)
                              : fmt::format("{:<7}  {}", verdict, expect.message));
    }
    return fmt::to_string(out);
}

std::string to_json(const RunResult& result)
{
    const RunSummary& s = result.summary;
    Json expect = Json::array();
    for (const ExpectResult& e : result.expect) {
        expect.push_back({{"key", e.expect.key},
                          {"expected", e.expect.value},
                          {"measured", e.measured},
                          {"met", e.met},
                          {"message", e.message}});
    }
    Json json{{"scene", s.scene},
              {"model", s.model},
              {"filter", s.filter},
              {"agents", s.agents},
              {"steps", s.steps},
              {"dt", s.dt},
              {"sim_time", std::round(s.sim_time * 1e9) / 1e9},
              {"spawned", s.spawned},
              {"arrived", s.arrived},
              {"left", s.left},
              {"removed", s.removed},
              {"present", s.present},
              {"without_goal", s.without_goal},
              {"waiting_to_enter", s.waiting_to_enter},
              {"last_arrival", s.last_arrival},
              {"mean_travel_time", s.mean_travel_time},
              {"slowest_travel_time", s.slowest_travel_time},
              {"overlap_pairs_per_frame", s.overlap_pairs_per_frame},
              {"deepest_overlap", s.deepest_overlap},
              {"wall_contacts", s.wall_contacts},
              {"wall_penetrations", s.wall_penetrations},
              {"stalls", s.stalls},
              {"side_steps", s.side_steps},
              {"yields", s.yields},
              {"replans", s.replans},
              {"back_ups", s.back_ups},
              {"median_progress", s.median_progress},
              {"mean_path_ratio", s.mean_path_ratio},
              {"infeasible_programs", s.infeasible_programs},
              {"neighbour_cap_hits", s.neighbour_cap_hits},
              {"acceleration_exceeded", s.acceleration_exceeded},
              {"crowded_sights", s.crowded_sights},
              {"waiting", s.waiting},
              {"body_contacts", s.body_contacts},
              {"held_vehicles", s.held_vehicles},
              {"ms_per_step", s.ms_per_step},
              {"us_per_update", s.us_per_update},
              {"navigation_us_per_update", s.navigation_us_per_update},
              {"threads", s.threads},
              {"isa", s.isa},
              {"state_hash", to_hex(s.state_hash)},
              {"recording", nullptr},
              {"frames", result.frames},
              {"expect", expect},
              {"interrupted", result.interrupted},
              {"fault", nullptr}};
    if (!result.recording.empty()) json["recording"] = result.recording;
    if (const auto& fault = result.fault) {
        json["fault"] = {{"agent", fault->agent}, {"step", fault->step}, {"cause", fault->cause}};
    }
    // A name of a file need not be UTF-8.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sidestep::cli
