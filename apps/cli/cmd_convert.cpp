// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "frame_selection.hpp"
#include "measure_args.hpp"
#include "recording_output.hpp"
#include "stop_signals.hpp"

#include <sidestep/recording.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ConvertArgs {
    std::string input;
    std::string output;
    bool force = false;
    std::optional<double> every, from, to, fps;
    std::string unit;
    std::vector<std::string> columns;
    bool recover = false;
    bool json = false;
    bool quiet = false;
};

// --------------------------------------------------------------------------------------- arguments

int check_numbers(const ConvertArgs& args)
{
    const auto is_positive = [](double value) { return value > 0.0 && std::isfinite(value); };
    if (args.fps && !is_positive(*args.fps)) {
        return fail(kExitBadUsage, fmt::format("--fps: must be > 0, got {}", *args.fps));
    }
    if (args.every && !is_positive(*args.every)) {
        return fail(kExitBadUsage, fmt::format("--every: must be > 0 s, got {}", *args.every));
    }
    for (const auto& time : {args.from, args.to}) {
        if (time && !std::isfinite(*time)) {
            return fail(kExitBadUsage, fmt::format("--from, --to: {} is no time", *time));
        }
    }
    if (args.from && args.to && *args.from > *args.to) {
        return fail(kExitBadUsage,
                    fmt::format("--from {} is later than --to {}", *args.from, *args.to));
    }
    if (!args.unit.empty() && !to_unit(args.unit)) {
        return fail(kExitBadUsage, fmt::format("--unit: '{}' is no length", args.unit),
                    "m, cm, mm, or metres as a number: 0.0254");
    }
    return kExitDone;
}

int fail_to_read(const Error& error)
{
    return fail(error.code == ErrorCode::out_of_memory ? kExitFault : kExitBadUsage, error.message);
}

int fail_to_write(const Error& error)
{
    return fail(exit_code_of_write(error), error.message);
}

// ------------------------------------------------------------------------------------------ result

struct Converted {
    double fps = 0.0;
    std::uint64_t frames = 0, rows = 0;
    std::unordered_set<std::int64_t> agents;
    double first_time = 0.0, last_time = 0.0;                   ///< [s]
    Vec2 least{}, most{};                                       ///< of all positions [m]
    std::size_t directions = 0;                                 ///< rows that have one
    std::vector<std::pair<const char*, std::size_t>> left_out;  ///< what, and how many
    bool is_whole = true;                                       ///< all of the recording was taken

    void add(const RecordedFrame& frame)
    {
        last_time = static_cast<double>(frame.number) / fps;
        if (frames++ == 0) first_time = last_time;
        for (const RecordedAgent& agent : frame.agents) {
            const Vec2 p = agent.position;
            if (rows++ == 0) least = most = p;
            least = {std::min(least.x, p.x), std::min(least.y, p.y)};
            most = {std::max(most.x, p.x), std::max(most.y, p.y)};
            agents.insert(agent.id);
            if (agent.orientation != Vec2{}) ++directions;
        }
    }
};

bool is_origin(const std::pair<std::string, std::string>& fact)
{
    return fact.first == "converted_from";
}

/// Of what the whole recording came to.
bool is_of_whole(const std::pair<std::string, std::string>& fact)
{
    return fact.first == "steps" || fact.first == "sim_time" || fact.first == "state_hash";
}

/// What a format that keeps rows alone leaves of a recording.
std::vector<std::pair<const char*, std::size_t>> find_left_out(const RecordingReader& reader,
                                                               const RecordingFormatInfo& format,
                                                               std::size_t directions)
{
    if (format.keeps_notes) return {};
    const RecordingInfo& info = reader.info();
    const RecordedNotes& notes = reader.notes();
    const auto origins = std::count_if(info.facts.begin(), info.facts.end(), is_origin);
    std::vector<std::pair<const char*, std::size_t>> left_out{
        {"events", notes.events.size()},
        {"walkers", notes.walkers.size()},
        {"ends", notes.ends.size()},
        {"places", info.places.size()},
        {"bodies", info.bodies.size()},
        {"facts", info.facts.size() - static_cast<std::size_t>(origins)},
        {"scenarios", info.scenario_text.empty() ? 0u : 1u},
        {"directions", format.keeps_directions ? 0u : directions}};
    std::erase_if(left_out, [](const auto& part) { return part.second == 0; });
    return left_out;
}

std::string to_text(const ConvertArgs& args, const Converted& done)
{
    std::string text = fmt::format("{}: {} at {:.6g} a second, {}, {}\n", args.output,
                                   count_of(done.frames, "frame", "frames"), done.fps,
                                   count_of(done.rows, "row", "rows"),
                                   count_of(done.agents.size(), "agent", "agents"));
    if (done.frames > 0) {
        text += fmt::format("from {:.6g} s to {:.6g} s", done.first_time, done.last_time);
        if (done.rows > 0) {
            text += fmt::format("; x from {:.2f} to {:.2f} m, y from {:.2f} to {:.2f} m",
                                done.least.x, done.most.x, done.least.y, done.most.y);
        }
        text += '\n';
    }
    return text;
}

std::string to_json(const ConvertArgs& args, const Converted& done, const RecordingReader& reader)
{
    Json left_out = Json::object();
    for (const auto& [what, count] : done.left_out) left_out[what] = count;
    Json json{{"input", args.input},
              {"output", args.output},
              {"fps", done.fps},
              {"frames", done.frames},
              {"rows", done.rows},
              {"agents", done.agents.size()},
              {"first_time", nullptr},
              {"last_time", nullptr},
              {"box", nullptr},
              {"left_out", left_out},
              {"closed", reader.is_closed()},
              {"damage", reader.damage()}};
    if (done.frames > 0) {
        json["first_time"] = done.first_time;
        json["last_time"] = done.last_time;
    }
    if (done.rows > 0) json["box"] = {done.least.x, done.least.y, done.most.x, done.most.y};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// -------------------------------------------------------------------------------------- converting

/// On a terminal, how many frames there are yet; from the second second on.
class FrameCounter {
public:
    explicit FrameCounter(bool shown) : shown_(shown && is_terminal(stderr)) {}
    ~FrameCounter()
    {
        if (drawn_) say(stderr, "\r\033[K");
    }
    FrameCounter(const FrameCounter&) = delete;
    FrameCounter& operator=(const FrameCounter&) = delete;

    void update(std::uint64_t frames)
    {
        if (!shown_ || frames % 64 != 0) return;
        const auto now = Clock::now();
        if (now - last_ < std::chrono::seconds(1)) return;
        last_ = now;
        drawn_ = true;
        say(stderr, fmt::format("\r\033[K{}", count_of(frames, "frame", "frames")));
    }

private:
    using Clock = std::chrono::steady_clock;
    bool shown_ = false, drawn_ = false;
    Clock::time_point last_ = Clock::now();
};

RecordingInfo info_for(const ConvertArgs& args, const RecordingReader& reader, double fps)
{
    RecordingInfo info = reader.info();
    info.fps = fps;
    std::erase_if(info.facts, is_origin);
    std::erase_if(info.facts, is_of_whole);  // facts_for has them
    info.facts.emplace_back("converted_from",
                            std::filesystem::path(args.input).filename().string());
    return info;
}

/// A recording that has no end, and no damage that would explain it.
bool is_unfinished(const RecordingReader& reader)
{
    return !reader.is_closed() && reader.damage().empty();
}

/// What the copy says at its end: what the whole came to if it is whole, and else why it is not.
RecordedFacts facts_for(const RecordingReader& reader, const Converted& done)
{
    RecordedFacts facts;
    for (const std::string& damage : reader.damage()) facts.emplace_back("recovered", damage);
    if (is_unfinished(reader)) facts.emplace_back("unfinished", "the recording was never closed");
    if (!done.is_whole || !facts.empty()) return facts;
    const auto& all = reader.info().facts;
    std::copy_if(all.begin(), all.end(), std::back_inserter(facts), is_of_whole);
    return facts;
}

/// Of a part of a recording those that belong to it; of a whole one all.
RecordedNotes notes_for(const RecordedNotes& all, const FrameSelection& selection,
                        const std::unordered_set<std::int64_t>& agents)
{
    RecordedNotes notes = all;
    if (!selection.takes_all_times()) {
        const auto is_outside = [&](const auto& note) { return !selection.includes(note.time); };
        std::erase_if(notes.events, is_outside);
        std::erase_if(notes.ends, is_outside);
        std::erase_if(notes.walkers, [&](const auto& w) { return !agents.contains(w.id); });
    }
    for (RecordedEvent& event : notes.events) event.time = selection.shifted(event.time);
    for (RecordedEnd& end : notes.ends) {
        end.time = selection.shifted(end.time);
        end.set_off = selection.shifted(end.set_off);
    }
    return notes;
}

/// Hands all frames over. An exit code other than kExitDone has been explained.
int copy(RecordingReader& reader, Recorder& recorder, FrameSelection& selection,
         const StopSignals& stop, FrameCounter& counter, Converted& done)
{
    for (std::uint64_t read = 0;; ++read) {
        if (stop.arrived()) {
            return fail(kExitFault, fmt::format("stopped by {}; nothing is written", stop.name()));
        }
        RecordedFrame frame;
        const Result<bool> got = reader.next(frame);
        if (!got) return fail_to_read(got.error());
        if (!*got) break;
        counter.update(read);
        const bool is_past = selection.is_past(frame);
        const bool is_taken = !is_past && selection.take(frame);
        done.is_whole = done.is_whole && is_taken;
        if (is_past) break;
        if (!is_taken) continue;
        done.add(frame);
        if (auto put = recorder.append(std::move(frame)); !put) return fail_to_write(put.error());
    }
    RecordedNotes notes = notes_for(reader.notes(), selection, done.agents);
    if (auto put = recorder.append(std::move(notes)); !put) return fail_to_write(put.error());
    return kExitDone;
}

int report(const ConvertArgs& args, const Converted& done, const RecordingReader& reader)
{
    warn_of_damage(reader.damage());
    if (!args.quiet) {
        if (is_unfinished(reader)) {
            say(stderr, fmt::format("note: {} was never closed: its run was killed or still goes "
                                    "on; the frames there are are whole\n",
                                    args.input));
        }
        note_unused_fps(args.input, args.fps, reader.info().fps);
        if (!done.left_out.empty()) {
            std::vector<std::string> parts;
            for (const auto& [what, count] : done.left_out) {
                const std::string_view several = what;
                const auto one =
                    several == "bodies" ? "body" : several.substr(0, several.size() - 1);
                parts.push_back(count_of(count, one, several));
            }
            say(stderr,
                fmt::format("note: {} cannot keep {}\n", args.output, fmt::join(parts, ", ")));
        }
    }
    if (args.json) {
        say(stdout, to_json(args, done, reader));
    } else if (!args.quiet) {
        say(stdout, to_text(args, done));
    }
    return finish_output(kExitDone);
}

int cmd_convert(const ConvertArgs& args)
{
    if (const int code = check_numbers(args); code != kExitDone) return code;
    if (const int code =
            check_recording_output(args.output, args.force, args.input, "what is to be read");
        code != kExitDone) {
        return code;
    }
    const auto format = recording_format_of(args.output);
    if (!format) return fail_to_write(format.error());
    StopSignals stop;
    RecordingReadOptions options{args.fps, {}, args.columns, args.recover};
    if (!args.unit.empty()) options.unit = to_unit(args.unit);
    auto reader = RecordingReader::open(args.input, options);
    if (!reader) return fail_to_read(reader.error());
    auto selection = FrameSelection::create(reader->info().fps, args.every, args.from, args.to);
    if (!selection) return fail(kExitBadUsage, selection.error().message);

    stop.wait_for_work();  // from here on there is a file to remove
    Converted done;
    done.fps = selection->fps();
    auto recorder = Recorder::open(args.output, info_for(args, *reader, done.fps), args.force);
    if (!recorder) return fail_to_write(recorder.error());
    int code = kExitDone;
    {
        FrameCounter counter(!args.quiet);
        code = copy(*reader, *recorder, *selection, stop, counter, done);
    }
    if (code == kExitDone && done.frames == 0 && !reader->damage().empty()) {
        warn_of_damage(reader->damage());
        code = fail(kExitBadUsage, fmt::format("{}: there is no whole frame to take", args.input));
    }
    if (code != kExitDone) {
        recorder->discard();
        return code;
    }
    done.left_out = find_left_out(*reader, *format, done.directions);
    if (auto closed = recorder->close(facts_for(*reader, done)); !closed) {
        recorder->discard();
        return fail_to_write(closed.error());
    }
    return report(args, done, *reader);
}

std::string make_footer()
{
    std::string text = "The endings say which kinds of files they are:\n";
    for (const RecordingFormatInfo& format : recording_formats()) {
        text += fmt::format("  {:<8} {}{}\n", format.ending, format.meaning,
                            format.keeps_notes ? "" : "; rows and outlines alone");
    }
    return text +
           "Files of other programs are read too. --fps, --unit and --columns say what those in "
           "text do not.\n"
           "\n"
           "Examples: a run for a spreadsheet, one frame a second; walkers of a data set in\n"
           "centimetres, 16 frames a second; one whose columns have no names\n"
           "  sidestep convert run.sqlite run.csv --every 1\n"
           "  sidestep convert bo-360-050-050.txt walkers.sqlite --fps 16 --unit cm\n"
           "  sidestep convert obsmat.txt hotel.csv --columns frame,id,x,-,y --fps 25\n"
           "\n"
           "Exit codes: 0 done, 2 bad usage, or a file that is damaged or cannot be understood,\n"
           "3 disk, memory or interrupted.";
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code)
{
    CLI::App* command =
        app.add_subcommand("convert", "Change a recording or data set into another format");
    command->footer(make_footer());
    auto args = std::make_shared<ConvertArgs>();
    command->add_option("IN", args->input, "Recording or data set to read")->required();
    command->add_option("OUT", args->output, "File to write")->required();
    command->add_flag("--force", args->force, "Replace OUT if there is one");
    command->add_option("--every", args->every, "Time between frames to keep")
        ->type_name("SECONDS");
    command->add_option("--from", args->from, "Leave out what is earlier")->type_name("SECONDS");
    command->add_option("--to", args->to, "Leave out what is later")->type_name("SECONDS");
    command->add_option("--fps", args->fps, "Frames per second of a file that does not say")
        ->type_name("N");
    command
        ->add_option("--unit", args->unit, "Unit of lengths in a text file: m, cm, mm, or metres")
        ->type_name("UNIT");
    command
        ->add_option("--columns", args->columns,
                     "Columns of a text file: id, frame, time, x, y, level; z or - passes one over")
        ->type_name("NAME,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_flag("--recover", args->recover,
                      "Take the whole frames of a file that is damaged");
    command->add_flag("--json", args->json, "Print what was done as one JSON object");
    command->add_flag("--quiet", args->quiet,
                      "Print nothing but errors and warnings (and the JSON)");
    command->callback([args, &exit_code] { exit_code = cmd_convert(*args); });
}

}  // namespace sidestep::cli
