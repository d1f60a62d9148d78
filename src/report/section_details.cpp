// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numbers>

#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// Events of a run listed in full.
constexpr std::size_t kMostEvents = 500;

/// Numbers without the noise of their last digits, with a unit where it is known.
std::string fact_text(std::string_view name, const std::string& value)
{
    constexpr std::size_t kDigits = 12;
    constexpr std::string_view kSeconds[] = {"step", "duration", "sim_time"};
    const bool is_number = !value.empty() && value.size() < 40 &&
                           value.find_first_not_of("0123456789.") == std::string::npos &&
                           std::count(value.begin(), value.end(), '.') <= 1;
    if (!is_number) return value;
    std::string text = value;
    if (value.find('.') != std::string::npos && value.size() > kDigits + 1) {
        text = fmt::format("{:.12g}", std::strtod(value.c_str(), nullptr));
    }
    const bool has_unit =
        std::find(std::begin(kSeconds), std::end(kSeconds), name) != std::end(kSeconds);
    return has_unit ? text + " s" : text;
}

std::string facts_table(const PageRun& run)
{
    const Trajectories& t = run.trajectories;
    HtmlTable table;
    table.header = {"fact", "value"};
    const auto add = [&](std::string name, const std::string& value) {
        table.rows.push_back({std::move(name), value});
    };
    add("recording", escape_html(t.name));
    add("frames", group_digits(t.frames.size()));
    add("frames per second", to_short(t.info.fps));
    add("rows", group_digits(t.position.size()));
    for (const auto& [key, value] : t.info.facts) {
        add(escape_html(key), escape_html(fact_text(key, value)));
    }
    if (t.info.facts.empty()) {
        table.caption = "The recording tells nothing of how it came about.";
    }
    return to_html(table);
}

std::string options_table(const AnalysisOptions& o)
{
    HtmlTable table;
    table.header = {"option", "value", "meaning"};
    const auto add = [&](std::string name, std::string value, std::string meaning) {
        table.rows.push_back({std::move(name), std::move(value), std::move(meaning)});
    };
    add("radius", to_short(o.radius) + " m",
        "Of the bodies whose radius the recording does not say.");
    add("frame step", group_digits(o.frame_step),
        "A velocity is the way between this many frames before and after, divided by the time.");
    add("cell", to_short(o.cell) + " m", "Side of a cell of the density and speed maps.");
    add("Voronoi cut-off", to_short(o.voronoi_cutoff) + " m",
        "A walker&#39;s cell is the floor nearer to it than to others, and no farther than this; "
        "its density is 1 / area.");
    add("encounter range", to_short(o.encounter_range) + " m",
        "Two who come nearer than this meet; the passing distance is the least until they part.");
    if (o.lane_axis) {
        add("lane axis", to_short(*o.lane_axis * 180.0 / std::numbers::pi) + "°",
            "Direction along which lanes are looked for.");
    }
    add("overlap", "",
        "The centres of two discs are nearer than the sum of the radii, by more than 1 mm.");
    add("wall penetration", "", "A disc is more than 1 cm in a wall in a frame.");
    add("stall", "", "Slower than 0.2 m/s for 2 s or more while under way.");
    add("travel time", "",
        "From setting off to the end of the journey; without notes, from the first to the last "
        "frame with the walker.");
    add("flow J", "",
        "Number over time of the first crossings between the first and the last 20 %.");
    return to_html(table);
}

/// What people do about a stall, as events call it: there may be thousands, which are counted.
constexpr std::string_view kAnswers[] = {"side-step", "yield", "replan", "back-up"};

std::string answers_sentence(const std::string& label, Runs runs,
                             const std::vector<RecordedEvent>& events)
{
    std::string text;
    for (const std::string_view answer : kAnswers) {
        const auto count = std::count_if(events.begin(), events.end(),
                                         [&](const auto& event) { return event.kind == answer; });
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            group_digits(static_cast<std::uint64_t>(count)), answer);
    }
    return fmt::format(
        "<p class=\"note\">{}Answers to stalls: {}; who and when is in the "
        "recording.</p>\n",
        runs.size() > 1 ? escape_html(label) + ". " : "", text);
}

}  // namespace

std::vector<RecordedEvent> events_of_plan(std::vector<RecordedEvent> events)
{
    std::erase_if(events, [](const RecordedEvent& event) {
        return std::find(std::begin(kAnswers), std::end(kAnswers), event.kind) !=
               std::end(kAnswers);
    });
    return events;
}

Section events_section(Runs runs)
{
    Section section{"events", "Events", {}};
    for (const PageRun& run : runs) {
        const auto& all = run.trajectories.notes.events;
        if (all.empty()) continue;
        const std::vector<RecordedEvent> events = events_of_plan(all);
        if (events.size() < all.size()) section.html += answers_sentence(run.label, runs, all);
        if (events.empty()) continue;
        HtmlTable table;
        if (runs.size() > 1) table.caption = escape_html(run.label);
        table.header = {"time [s]", "kind", "what happened"};
        for (std::size_t i = 0; i < std::min(events.size(), kMostEvents); ++i) {
            table.rows.push_back({to_fixed(events[i].time, 2), escape_html(events[i].kind),
                                  escape_html(events[i].text)});
        }
        section.html += "<div class=\"card plain\">" + to_html(table) + "</div>\n";
        if (events.size() > kMostEvents) {
            section.html += fmt::format("<p class=\"note\">{} more are in the recording.</p>\n",
                                        group_digits(events.size() - kMostEvents));
        }
    }
    return section;
}

Section details_section(Runs runs)
{
    Section section{"details", "Parameters and versions", {}};
    for (const PageRun& run : runs) {
        section.html += "<div class=\"card plain\">";
        if (runs.size() > 1) section.html += "<h3>" + escape_html(run.label) + "</h3>";
        section.html += facts_table(run);
        if (!run.trajectories.info.scenario_text.empty()) {
            fmt::format_to(std::back_inserter(section.html),
                           "<details><summary>Scenario</summary><pre>{}</pre></details>\n",
                           escape_html(run.trajectories.info.scenario_text));
        }
        section.html += "</div>\n";
    }
    section.html += "<h3 class=\"apart\">How it was measured</h3>\n<div class=\"card plain\">" +
                    options_table(runs[0].analysis.options) + "</div>\n";
    return section;
}

}  // namespace sidestep
