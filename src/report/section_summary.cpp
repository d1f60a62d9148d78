// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

/// A number of the summary.
struct Headline {
    std::string name;
    std::string unit;
    int decimals = 0;                                            ///< kShort: as many as count
    std::function<double(const PageRun&)> value;                 ///< NaN: not known
    std::function<std::string(const PageRun&)> aside = nullptr;  ///< small print of a tile
};

constexpr double kUnknown = NAN;
constexpr int kShort = -1;

std::string to_text(double value, int decimals)
{
    return decimals == kShort ? to_short(value) : to_fixed(value, decimals);
}

double count_ends(const PageRun& run, std::string_view kind)
{
    if (!run.says_ends()) return kUnknown;
    const auto& ends = run.trajectories.notes.ends;
    return static_cast<double>(
        std::count_if(ends.begin(), ends.end(), [&](const auto& end) { return end.kind == kind; }));
}

double if_any_arrived(const PageRun& run, double value)
{
    return run.analysis.arrival_times.empty() ? kUnknown : value;
}

std::vector<Headline> headlines()
{
    std::vector<Headline> all;
    all.push_back({"Walkers", "", 0, [](const PageRun& r) {
                       return static_cast<double>(r.trajectories.walkers.size());
                   }});
    all.push_back(
        {"Arrived", "", 0,
         [](const PageRun& r) { return static_cast<double>(r.analysis.arrival_times.size()); },
         [](const PageRun& r) { return r.says_ends() ? "" : std::string("gone before the end"); }});
    all.push_back(
        {"Left through an exit", "", 0, [](const PageRun& r) { return count_ends(r, "left"); }});
    all.push_back({"Last arrival", "s", 1, [](const PageRun& r) {
                       return if_any_arrived(r, r.analysis.arrival_times.empty()
                                                    ? 0.0
                                                    : r.analysis.arrival_times.back());
                   }});
    all.push_back({"Mean travel time", "s", 1, [](const PageRun& r) {
                       return if_any_arrived(r, r.analysis.travel_time.mean);
                   }});
    all.push_back({"95 % travel time", "s", 1,
                   [](const PageRun& r) { return if_any_arrived(r, r.analysis.travel_time.p95); }});
    all.push_back({"Mean speed", "m/s", 2, [](const PageRun& r) {
                       return r.analysis.speed.count > 0 ? r.analysis.speed.mean : kUnknown;
                   }});
    all.push_back({"Overlapping pairs per frame", "", kShort,
                   [](const PageRun& r) { return r.analysis.overlaps.pairs_per_frame; },
                   [](const PageRun& r) {
                       const double deepest = r.analysis.overlaps.deepest * 1000.0;
                       return deepest < 0.05
                                  ? std::string("by more than 1 mm")
                                  : fmt::format("by more than 1 mm; deepest {:.1f} mm", deepest);
                   }});
    all.push_back({"Wall penetrations", "", 0, [](const PageRun& r) {
                       return r.analysis.walls.has_walls
                                  ? static_cast<double>(r.analysis.walls.penetrations)
                                  : kUnknown;
                   }});
    all.push_back({"Stalls", "", 0,
                   [](const PageRun& r) { return static_cast<double>(r.analysis.stalls.stalls); },
                   [](const PageRun& r) {
                       if (r.analysis.stalls.stalls == 0) return std::string{};
                       return fmt::format("by {}",
                                          count_of(r.analysis.stalls.walkers, "walker", "walkers"));
                   }});
    return all;
}

std::string warnings(Runs runs)
{
    std::string out;
    for (const PageRun& run : runs) {
        std::vector<std::string> notes = cautions_of(run.trajectories);
        notes.insert(notes.end(), run.plan.faults.begin(), run.plan.faults.end());
        if (notes.empty()) continue;
        out += fmt::format(
            "<div class=\"warning\" role=\"note\"><strong>{}: take this report with care.</strong>"
            "<ul>",
            escape_html(run.trajectories.name.empty() ? run.label : run.trajectories.name));
        for (const std::string& note : notes) out += "<li>" + escape_html(note) + "</li>";
        out += "</ul></div>\n";
    }
    return out;
}

std::string describe_arrivals(const PageRun& run)
{
    const Analysis& a = run.analysis;
    const std::size_t walkers = run.trajectories.walkers.size(), arrived = a.arrival_times.size();
    if (arrived == 0) return " Nobody arrived.";
    const std::string_view verb = run.says_ends() ? "arrived" : "were gone before the last frame";
    std::string out =
        arrived == walkers && walkers > 1
            ? fmt::format(" All of them {}", verb)
            : fmt::format(
                  " {} of them {}", arrived == walkers ? "One" : group_digits(arrived),
                  arrived == 1 && !run.says_ends() ? "was gone before the last frame" : verb);
    out += fmt::format(
        ", the last at {} s. A journey took {} s on average, and 95 of 100 took no "
        "longer than {} s.",
        to_fixed(a.arrival_times.back(), 1), to_fixed(a.travel_time.mean, 1),
        to_fixed(a.travel_time.p95, 1));
    return out;
}

std::string describe_quality(const PageRun& run)
{
    const Analysis& a = run.analysis;
    std::string out =
        a.overlaps.pairs == 0
            ? " No two bodies overlapped by more than 1 mm"
            : fmt::format(
                  " Bodies overlapped by more than 1 mm in {} pairs per frame, by {} mm at "
                  "most",
                  to_short(a.overlaps.pairs_per_frame), to_fixed(a.overlaps.deepest * 1000.0, 1));
    if (!a.walls.has_walls) {
        out += "; no walls are known";
    } else if (a.walls.penetrations == 0) {
        out += "; nobody was in a wall";
    } else {
        out += fmt::format("; {} in a wall", count_of(a.walls.penetrations, "time somebody was",
                                                      "times somebody was"));
    }
    out += a.stalls.stalls == 0 ? "; nobody stalled."
                                : fmt::format("; {} (below 0.2 m/s for 2 s or more).",
                                              count_of(a.stalls.stalls, "stall", "stalls"));
    return out;
}

std::string lead_of(const PageRun& run)
{
    const Trajectories& t = run.trajectories;
    if (t.frames.empty()) return "The recording holds no frames.";
    if (t.walkers.empty()) {
        return fmt::format("Nobody is in this recording of {} s ({}).",
                           to_fixed(run.analysis.duration, 1),
                           count_of(t.frames.size(), "frame", "frames"));
    }
    std::string out =
        fmt::format("{} from {} to {} s ({}).", count_of(t.walkers.size(), "walker", "walkers"),
                    to_fixed(t.time_of(0), 1), to_fixed(t.time_of(t.frames.size() - 1), 1),
                    count_of(t.frames.size(), "frame", "frames"));
    out += describe_arrivals(run);
    out += describe_quality(run);
    if (const auto hash = run.fact("state_hash"); !hash.empty()) {
        out += fmt::format(" State hash <code>{}</code>.", escape_html(hash));
    }
    return out;
}

std::string tiles(const PageRun& run)
{
    std::string out = "<dl class=\"tiles\">\n";
    for (const Headline& headline : headlines()) {
        const double value = headline.value(run);
        if (std::isnan(value)) continue;
        const std::string aside = headline.aside ? headline.aside(run) : "";
        fmt::format_to(
            std::back_inserter(out), "<div><dt>{}</dt><dd>{}{}{}</dd></div>\n", headline.name,
            to_text(value, headline.decimals),
            headline.unit.empty() ? "" : fmt::format(" <small>{}</small>", headline.unit),
            aside.empty() ? "" : fmt::format("<small class=\"aside\">{}</small>", aside));
    }
    out += "</dl>\n";
    return out;
}

std::string signed_number(double value, int decimals)
{
    const std::string text = to_text(std::fabs(value), decimals);
    if (text.find_first_not_of("0.,") == std::string::npos) return "0";
    return (value > 0.0 ? "+" : "−") + text;
}

std::string compare_table(Runs runs)
{
    HtmlTable table;
    table.caption = "The difference is the second run less the first.";
    table.header = {"", escape_html(runs[0].label), escape_html(runs[1].label), "difference", "%"};
    table.is_number = {false, true, true, true, true};
    for (const Headline& headline : headlines()) {
        const double a = headline.value(runs[0]), b = headline.value(runs[1]);
        if (std::isnan(a) && std::isnan(b)) continue;
        const bool both = !std::isnan(a) && !std::isnan(b);
        table.rows.push_back({headline.unit.empty()
                                  ? headline.name
                                  : fmt::format("{} [{}]", headline.name, headline.unit),
                              to_text(a, headline.decimals), to_text(b, headline.decimals),
                              both ? signed_number(b - a, headline.decimals) : "–",
                              both && a != 0.0 ? signed_number((b - a) / a * 100.0, 1) : "–"});
    }
    const std::string_view a = runs[0].fact("state_hash"), b = runs[1].fact("state_hash");
    if (!a.empty() || !b.empty()) {
        const auto hash = [](std::string_view text) {
            return text.empty() ? std::string("–")
                                : fmt::format("<code>{}</code>", escape_html(text));
        };
        table.rows.push_back({"State hash", hash(a), hash(b), a == b ? "equal" : "differs", ""});
    }
    return "<div class=\"card\">" + to_html(table) + "</div>\n";
}

}  // namespace

Section summary_section(Runs runs)
{
    std::string html = warnings(runs);
    if (runs.size() == 1) {
        html += fmt::format("<p class=\"lead\">{}</p>\n", lead_of(runs[0]));
        if (!runs[0].trajectories.walkers.empty()) html += tiles(runs[0]);
    } else {
        for (const PageRun& run : runs) {
            html += fmt::format("<p class=\"lead\"><strong>{}:</strong> {}</p>\n",
                                escape_html(run.label), lead_of(run));
        }
        html += compare_table(runs);
    }
    return {"summary", "Summary", html};
}

}  // namespace sidestep
