// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "measure_args.hpp"
#include "commands.hpp"
#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace sidestep::cli {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostFrames = 1'000'000;

Error bad(std::string_view option, std::string_view text, std::string_view what)
{
    return Error{ErrorCode::invalid_argument, fmt::format("{} {}: {}", option, text, what)};
}

bool is_name(std::string_view name)
{
    const auto is_good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    };
    return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), is_good);
}

std::string_view trim(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

template <class Number>
bool parse_number(std::string_view text, Number& value)
{
    text = trim(text);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
}

/// Four finite numbers with commas between.
bool parse_four(std::string_view text, std::array<double, 4>& values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t comma = text.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == values.size())) return false;
        if (!parse_number(text.substr(0, comma), values[i]) || !std::isfinite(values[i]))
            return false;
        if (comma != std::string_view::npos) text.remove_prefix(comma + 1);
    }
    return true;
}

/// NAME:WHAT@LEVEL in its parts.
struct Parts {
    std::string name;
    std::string_view what;
    std::uint16_t level = 0;
};

Result<Parts> split(std::string_view option, const std::string& text, std::string_view form)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return bad(option, text, fmt::format("needs {}", form));
    Parts parts;
    parts.name = text.substr(0, colon);
    if (!is_name(parts.name)) {
        return bad(option, text,
                   fmt::format("a name has 1 to {} of the characters a-z, A-Z, 0-9, '_', '-', '.', "
                               "and does not begin with a dot",
                               kLongestName));
    }
    parts.what = std::string_view(text).substr(colon + 1);
    if (const std::size_t at = parts.what.find('@'); at != std::string_view::npos) {
        if (!parse_number(parts.what.substr(at + 1), parts.level))
            return bad(option, text, "a level is a whole number from 0 to 65535");
        parts.what = parts.what.substr(0, at);
    }
    parts.what = trim(parts.what);
    return parts;
}

std::vector<std::string> split_columns(const std::string& text)
{
    std::vector<std::string> names(1);
    for (const char c : text) {
        if (c == ',' || c == ' ') {
            if (!names.back().empty()) names.emplace_back();
        } else {
            names.back() += c;
        }
    }
    if (names.back().empty()) names.pop_back();
    return names;
}

}  // namespace

void add_measure_options(CLI::App& command, MeasureArgs& args)
{
    const auto repeatable = [](CLI::Option* option) {
        option->take_all()->allow_extra_args(false);
    };
    repeatable(command
                   .add_option("--line", args.lines,
                               "Count who crosses a line; forward is to its left; repeatable")
                   ->type_name("NAME:X1,Y1,X2,Y2[@LEVEL]"));
    repeatable(
        command
            .add_option("--area", args.areas, "Density and speed in a box or polygon; repeatable")
            ->type_name("NAME:X0,Y0,X1,Y1[@LEVEL] or NAME:WKT[@LEVEL]"));
    AnalysisOptions& options = args.options;
    command
        .add_option("--radius", options.radius,
                    "Of those whose radius the recording does not say; else 0.2")
        ->type_name("M");
    command
        .add_option("--frame-step", args.frame_step,
                    "Speeds over N frames before and after; 0: about 0.4 s in all")
        ->type_name("N");
    command.add_option("--cell", options.cell, "Side of a cell of the maps; else 0.5")
        ->type_name("M");
    command
        .add_option("--cutoff", options.voronoi_cutoff, "A Voronoi cell reaches no farther; else 1")
        ->type_name("M");
    command.add_option("--from", args.from, "Frames from then")->type_name("S");
    command.add_option("--to", args.to, "Frames to then")->type_name("S");
    command.add_option("--every", args.load.every, "At least this between two frames")
        ->type_name("S");
    command.add_option("--fps", args.load.read.fps, "Of a file that does not say")->type_name("N");
    command.add_option("--unit", args.unit, "Unit of lengths in a text file: m, cm, mm, or metres")
        ->type_name("UNIT");
    command
        .add_option("--columns", args.columns,
                    "Of a text file: id,frame,x,y,...; - passes one over")
        ->type_name("NAMES");
    command.add_flag("--recover", args.load.read.recover, "Take what is whole of a damaged file");
    command.add_option("--threads", args.threads, "Threads; 0: one per hardware thread")
        ->type_name("N");
    command.add_flag("--no-voronoi", args.no_voronoi, "Leave out speed over density");
}

void note_unused_fps(const std::string& recording, std::optional<double> asked, double fps)
{
    if (!asked || *asked == fps) return;
    say(stderr, fmt::format("note: {} says itself that {:.6g} frames make a second; --fps is for "
                            "files that do not\n",
                            recording, fps));
}

void warn_of_damage(const std::vector<std::string>& damage)
{
    for (const std::string& what : damage) say(stderr, fmt::format("warning: {}\n", what));
}

void warn_of(const std::string& recording, const std::string& caution)
{
    const bool is_named = caution.starts_with(recording + ":");
    say(stderr, is_named ? fmt::format("warning: {}\n", caution)
                         : fmt::format("warning: {}: {}\n", recording, caution));
}

int load_recording(const std::string& recording, const LoadOptions& options, bool quiet,
                   Trajectories& into)
{
    auto read = load_trajectories(recording, options);
    if (!read) {
        const bool no_memory = read.error().code == ErrorCode::out_of_memory;
        return fail(no_memory ? kExitFault : kExitBadUsage, read.error().message);
    }
    into = *std::move(read);
    if (into.frames.empty() && !into.damage.empty()) {
        warn_of_damage(into.damage);
        return fail(kExitBadUsage, fmt::format("{}: there is no whole frame to take", recording));
    }
    if (!quiet) note_unused_fps(recording, options.read.fps, into.info.fps);
    return kExitDone;
}

Result<MeasureLine> parse_line(const std::string& text)
{
    const auto parts = split("--line", text, "NAME:x1,y1,x2,y2");
    if (!parts) return parts.error();
    std::array<double, 4> v{};
    if (!parse_four(parts->what, v)) return bad("--line", text, "needs four numbers x1,y1,x2,y2");
    if (v[0] == v[2] && v[1] == v[3]) return bad("--line", text, "has no length");
    return MeasureLine{parts->name, {v[0], v[1]}, {v[2], v[3]}, parts->level};
}

Result<MeasureArea> parse_area(const std::string& text)
{
    const auto parts = split("--area", text, "NAME:x0,y0,x1,y1 or NAME:POLYGON ((...))");
    if (!parts) return parts.error();
    MeasureArea area{parts->name, std::string(parts->what), parts->level};
    const char first = parts->what.empty() ? ' ' : parts->what.front();
    if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')) return area;  // WKT
    std::array<double, 4> v{};
    if (!parse_four(parts->what, v))
        return bad("--area", text, "needs four numbers x0,y0,x1,y1, or a POLYGON");
    if (!(v[0] < v[2] && v[1] < v[3])) return bad("--area", text, "needs x0 < x1 and y0 < y1");
    area.wkt = fmt::format("POLYGON (({0} {1}, {2} {1}, {2} {3}, {0} {3}, {0} {1}))", v[0], v[1],
                           v[2], v[3]);
    return area;
}

Result<AnalysisOptions> to_analysis_options(const MeasureArgs& args)
{
    AnalysisOptions options = args.options;
    for (const std::string& text : args.lines) {
        auto line = parse_line(text);
        if (!line) return line.error();
        options.lines.push_back(*std::move(line));
    }
    for (const std::string& text : args.areas) {
        auto area = parse_area(text);
        if (!area) return area.error();
        options.areas.push_back(*std::move(area));
    }
    const auto whole = [](std::string_view option, std::int64_t value, std::int64_t most) {
        return bad(option, fmt::format("{}", value), fmt::format("must be from 0 to {}", most));
    };
    if (args.frame_step < 0 || args.frame_step > kMostFrames)
        return whole("--frame-step", args.frame_step, kMostFrames);
    if (args.threads < 0 || args.threads > kMostThreads)
        return whole("--threads", args.threads, kMostThreads);
    options.frame_step = static_cast<std::uint32_t>(args.frame_step);
    options.threads = static_cast<std::uint32_t>(args.threads);
    options.voronoi = !args.no_voronoi;
    return options;
}

Result<LoadOptions> to_load_options(const MeasureArgs& args)
{
    LoadOptions options = args.load;
    const auto check = [](std::string_view option, double value, bool is_good,
                          std::string_view what) -> Result<void> {
        if (is_good && std::isfinite(value)) return {};
        return bad(option, fmt::format("{}", value), what);
    };
    if (auto done = check("--every", options.every, options.every >= 0.0, "must be >= 0 s"); !done)
        return done.error();
    if (const auto fps = options.read.fps) {
        if (auto done = check("--fps", *fps, *fps > 0.0, "must be > 0"); !done) return done.error();
    }
    if (!args.unit.empty()) {
        options.read.unit = to_unit(args.unit);
        if (!options.read.unit)
            return bad("--unit", args.unit, "must be m, cm, mm, or metres as a number");
    }
    if (args.from) {
        if (auto done = check("--from", *args.from, true, "must be a time"); !done)
            return done.error();
        options.from = *args.from;
    }
    if (args.to) {
        const bool is_good = *args.to >= options.from;
        if (auto done = check("--to", *args.to, is_good, "must not be before --from"); !done)
            return done.error();
        options.to = *args.to;
    }
    options.read.columns = split_columns(args.columns);
    return options;
}

std::optional<double> to_unit(const std::string& text)
{
    if (text == "m") return 1.0;
    if (text == "cm") return 0.01;
    if (text == "mm") return 0.001;
    double unit = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), unit);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && unit > 0.0 && std::isfinite(unit) ? std::optional(unit) : std::nullopt;
}

}  // namespace sidestep::cli
