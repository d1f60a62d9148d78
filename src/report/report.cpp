// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include <nlohmann/json.hpp>

#include "report/animation.hpp"
#include "report/colours.hpp"
#include "report/map.hpp"
#include "report/moment.hpp"
#include "report/page.hpp"
#include "report/page_parts.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace sidestep {
namespace {

using Json = nlohmann::ordered_json;

std::string to_script(const Json& json)
{
    return escape_json_script(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// -------------------------------------------------------------------------------------- animation

Json bodies_json(const PageRun& run)
{
    Json bodies = Json::array();
    for (const RecordingInfo::Body& body : run.trajectories.info.bodies) {
        Json outline = Json::array();
        for (const Vec2 p : body.outline) {
            outline.push_back(
                {std::llround(p.x / run.plan.unit), std::llround(-p.y / run.plan.unit)});
        }
        bodies.push_back({{"name", body.name},
                          {"level", run.plan.index_of(body.level)},
                          {"radius", body.radius / run.plan.unit},
                          {"outline", outline}});
    }
    return bodies;
}

std::string run_data(Runs runs, const PageRun& run, const Animation& animation)
{
    Json levels = Json::array();
    for (const PlanLevel& level : run.plan.levels) levels.push_back(std::to_string(level.level));
    const Json json{{"name", run.label},
                    {"label", runs.size() > 1 ? run.label : ""},
                    {"fps", run.trajectories.info.fps},
                    {"unit", run.plan.unit},
                    {"width", run.plan.map_width()},
                    {"height", run.plan.map_height()},
                    {"levels", levels},
                    {"level", run.first_level},
                    {"bodies", bodies_json(run)},
                    {"tracks", animation.tracks}};
    return fmt::format("<script type=\"application/json\" data-run=\"{}\">{}</script>\n",
                       run.letter, to_script(json));
}

/// The moment the animation shows first: the first frame with somebody in it [s].
double start_time(Runs runs)
{
    double start = HUGE_VAL;
    for (const PageRun& run : runs) {
        const Trajectories& t = run.trajectories;
        for (std::size_t i = 0; i < t.frames.size(); ++i) {
            if (t.frame_begin[i + 1] == t.frame_begin[i]) continue;
            start = std::min(start, t.time_of(i));
            break;
        }
    }
    return std::isfinite(start) ? start : 0.0;
}

std::string shared_data(Runs runs, const Groups& groups)
{
    const Json json{{"palette", heat_palette()}, {"topSpeed", kTopSpeed},
                    {"topDensity", kTopDensity}, {"darkFrom", kDarkFrom},
                    {"start", start_time(runs)}, {"groups", groups.names}};
    return fmt::format("<script type=\"application/json\" id=\"shared\">{}</script>\n",
                       to_script(json));
}

std::string remark_of(Runs runs, const PageRun& run, const Animation& animation)
{
    std::string text;
    if (animation.frames < animation.of_frames) {
        text += fmt::format("{} of {} frames", group_digits(animation.frames),
                            group_digits(animation.of_frames));
    }
    if (animation.walkers < animation.of_walkers) {
        text += fmt::format("{}{} of {} walkers", text.empty() ? "" : " and ",
                            group_digits(animation.walkers), group_digits(animation.of_walkers));
    }
    if (text.empty()) return {};
    return fmt::format(
        "{}To keep this page small its animation holds {}; everything measured is "
        "from all of them.",
        runs.size() > 1 ? run.label + ": " : "", text);
}

// ------------------------------------------------------------------------------------------- page

std::string label_of(const ReportRun& run, std::size_t index)
{
    if (!run.label.empty()) return run.label;
    if (!run.trajectories->name.empty()) return run.trajectories->name;
    return index == 0 ? "A" : "B";
}

std::string title_of(Runs runs, const ReportOptions& options)
{
    if (!options.title.empty()) return options.title;
    const auto scene = [](const PageRun& run) {
        const std::string_view name = run.fact("scene");
        return std::string(name.empty() ? std::string_view(run.trajectories.name) : name);
    };
    std::string title = scene(runs[0]);
    if (runs.size() > 1) title = runs[0].label + " and " + runs[1].label;
    return title.empty() ? "Recording" : title;
}

std::string subtitle_of(Runs runs)
{
    std::string out;
    for (const PageRun& run : runs) {
        std::vector<std::string> parts;
        if (const auto scene = run.fact("scene"); !scene.empty()) parts.emplace_back(scene);
        for (const std::string_view name : {"model", "seed"}) {
            if (const auto fact = run.fact(name); !fact.empty()) {
                parts.push_back(fmt::format("{} {}", name, fact));
            }
        }
        if (runs.size() == 1) parts.push_back(run.trajectories.name);
        std::string line = runs.size() > 1 ? run.label : "";
        for (const std::string& part : parts) {
            line += (line.empty() ? "" : " · ") + part;
        }
        out += (out.empty() ? "" : "<br>") + escape_html(line);
    }
    return out;
}

/// The level wanted, else that with most people of the first run; a run without it shows another.
Result<void> choose_levels(std::span<PageRun> runs, std::optional<std::uint16_t> wanted)
{
    const bool any_has = std::any_of(runs.begin(), runs.end(), [&](const PageRun& run) {
        return wanted && run.plan.index_of(*wanted) < run.plan.levels.size();
    });
    if (wanted && !any_has) return runs[0].plan.choose_level(wanted).error();
    for (PageRun& run : runs) {
        const bool has = wanted && run.plan.index_of(*wanted) < run.plan.levels.size();
        run.first_level = *run.plan.choose_level(has ? wanted : std::nullopt);
        if (!wanted) wanted = run.plan.levels[run.first_level].level;
    }
    return {};
}

Result<std::string> make_page(Runs runs, const ReportOptions& options)
{
    std::string definitions, data;
    std::vector<std::string> remarks;
    std::vector<const Trajectories*> recordings;
    for (const PageRun& run : runs) recordings.push_back(&run.trajectories);
    const Groups groups = find_groups(recordings);
    for (const PageRun& run : runs) {
        const Animation animation = make_animation(run.trajectories, run.plan, groups,
                                                   options.animation_bytes / runs.size());
        definitions += plan_definitions(run.plan, run.letter);
        data += run_data(runs, run, animation);
        if (std::string remark = remark_of(runs, run, animation); !remark.empty()) {
            remarks.push_back(std::move(remark));
        }
    }
    data += shared_data(runs, groups);

    std::vector<Section> sections{summary_section(runs), animation_section(runs, remarks),
                                  arrivals_section(runs)};
    auto maps = maps_section(runs);
    if (!maps) return maps.error();
    sections.push_back(*std::move(maps));
    sections.push_back(flow_section(runs));
    sections.push_back(density_section(runs));
    sections.push_back(closeness_section(runs));
    sections.push_back(events_section(runs));
    sections.push_back(details_section(runs));

    return to_page({.title = title_of(runs, options),
                    .subtitle = subtitle_of(runs),
                    .before = std::move(definitions),
                    .sections = sections,
                    .data = std::move(data)});
}

}  // namespace

Section animation_section(Runs runs, std::span<const std::string> remarks)
{
    Section section{"animation", "The run", {}};
    const bool any = std::any_of(runs.begin(), runs.end(), [](const PageRun& run) {
        return !run.trajectories.frames.empty();
    });
    if (!any) {
        section.html = "<p class=\"note\">There are no frames to play.</p>\n";
        return section;
    }
    section.html = std::string(page_parts().player);
    for (const std::string& remark : remarks) {
        section.html += fmt::format("<p class=\"note\">{}</p>\n", escape_html(remark));
    }
    // What stands in for the animation on paper and without scripts.
    section.html += "<div class=\"poster\"><div class=\"figures\">\n";
    for (const PageRun& run : runs) {
        const Trajectories& t = run.trajectories;
        if (t.frames.empty()) continue;
        constexpr double kInto = 0.3;  // of the run: people are on their way then
        const double begin = t.time_of(0), end = t.time_of(t.frames.size() - 1);
        const std::size_t frame = frame_near(t, begin + (end - begin) * kInto);
        const std::size_t level = run.first_level;
        const MomentOnMap moment = draw_moment(t, run.plan, level, frame);
        const bool any_known = moment.unknown == 0 || moment.unknown < moment.walkers;
        Figure figure;
        figure.title = fmt::format("{}{} s", runs.size() > 1 ? run.label + ", " : "",
                                   to_fixed(t.time_of(frame), 1));
        figure.sentence = with_level(runs, run.plan.levels[level].level,
                                     count_of(moment.walkers, "walker", "walkers")) +
                          (any_known ? ", coloured by speed." : ".");
        figure.drawing = map_svg(run.plan, run.letter, level, moment.content,
                                 "Everybody at a moment of the run");
        if (any_known) figure.drawing += colour_bar({kTopSpeed, true}, "speed [m/s]");
        if (moment.unknown > 0) {
            figure.legend.push_back({"speed not known", 0, Figure::Sign::unknown});
        }
        figure.wide = runs.size() == 1;
        section.html += to_html(figure);
    }
    section.html += "</div></div>\n";
    return section;
}

Result<std::string> make_report(std::span<const ReportRun> runs, const ReportOptions& options)
{
    if (runs.empty() || runs.size() > 2) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("a report is of one run or of two, not of {}", runs.size())};
    }
    try {
        std::vector<PageRun> pages;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (runs[i].trajectories == nullptr || runs[i].analysis == nullptr) {
                return Error{ErrorCode::invalid_argument, "a run of a report has no data"};
            }
            pages.push_back({*runs[i].trajectories, *runs[i].analysis, label_of(runs[i], i),
                             i == 0 ? 'a' : 'b', make_plan(*runs[i].trajectories), 0});
        }
        if (auto chosen = choose_levels(pages, options.level); !chosen) return chosen.error();
        if (pages.size() > 1 && pages[0].label == pages[1].label) {
            pages[0].label += " (A)";
            pages[1].label += " (B)";
        }
        return make_page(pages, options);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "the report does not fit into memory"};
    }
}

}  // namespace sidestep
