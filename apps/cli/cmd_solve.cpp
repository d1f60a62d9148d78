// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "solve_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

namespace sidestep::cli {
namespace {

Json answer(const Json& request)
{
    const Json& op = member(request, "op");
    if (!op.is_string()) throw BadInput("'op' must be a string");
    const auto& name = op.get_ref<const std::string&>();
    for (const auto family : {line_operations(), cone_operations(), force_operations(),
                              agent_operations(), turning_operations()}) {
        for (const Operation& operation : family) {
            if (operation.name != name) continue;
            return operation.answer(object(member(request, "in"), "in"));
        }
    }
    throw BadInput(fmt::format("there is no operation '{}'", name));
}

// ---------------------------------------------------------------- writing

/// 17 significant digits give back the same double; a point keeps 3.0 a real number for strict
/// readers.
std::string number_text(double x)
{
    if (std::isnan(x)) throw BadInput("the result is not a number");
    if (std::isinf(x)) return x > 0.0 ? "\"inf\"" : "\"-inf\"";
    std::string text = fmt::format("{:.17g}", x + 0.0);  // -0 becomes 0
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string to_text(const Json& value)
{
    if (value.is_number_float()) return number_text(value.get<double>());
    if (value.is_array()) {
        std::string text;
        for (const Json& item : value) text += (text.empty() ? "" : ",") + to_text(item);
        return "[" + text + "]";
    }
    if (value.is_object()) {
        std::string text;
        for (const auto& [key, item] : value.items()) {
            text += (text.empty() ? "" : ",") + Json(key).dump() + ":" + to_text(item);
        }
        return "{" + text + "}";
    }
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct Reply {
    std::string text;
    bool ok = false;
};

Reply error_reply(const std::string& id, std::string_view message)
{
    const Json text = std::string(message);
    return {fmt::format("{{\"id\":{},\"error\":{}}}", id, to_text(text)), false};
}

/// The words of the library's message, without its own name in brackets and its own place.
std::string_view plain_words(std::string_view what)
{
    const std::size_t name = what.find("] ");
    if (what.starts_with('[') && name != what.npos) what.remove_prefix(name + 2);
    const std::size_t place = what.find(": ");
    if (what.starts_with("parse error") && place != what.npos) what.remove_prefix(place + 2);
    return what;
}

/// Column of a byte, both from 1: what goes on a character of UTF-8 does not count.
std::size_t column_of(std::string_view line, std::size_t byte)
{
    const std::string_view before = line.substr(0, byte > 0 ? byte - 1 : 0);
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; };
    return 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(), begins));
}

/// A message repeats what was read last; so much of it is enough [bytes].
constexpr std::size_t kLongestWords = 200;

Reply reply_to(const std::string& line, std::size_t line_number)
{
    std::string id = "null";
    try {
        const Json request = Json::parse(line);
        if (!request.is_object()) throw BadInput("a line must be a JSON object");
        // An id comes back as it was given; one that is a structure would only be echoed garbage.
        if (const Json* given = optional_member(request, "id")) {
            if (given->is_structured()) throw BadInput("'id' must be a string or a number");
            id = given->dump();
        }
        return {fmt::format("{{\"id\":{},\"out\":{}}}", id, to_text(answer(request))), true};
    } catch (const Json::parse_error& fault) {
        return error_reply(id, fmt::format("line {}, column {}: not JSON: {}", line_number,
                                           column_of(line, fault.byte),
                                           plain_words(fault.what()).substr(0, kLongestWords)));
    } catch (const Json::exception& fault) {
        return error_reply(id, fmt::format("line {}: {}", line_number,
                                           plain_words(fault.what()).substr(0, kLongestWords)));
    } catch (const BadInput& fault) {
        return error_reply(id, fault.what());
    }
}

// ---------------------------------------------------------------- the command

/// Longest line that is read [bytes]; the largest sensible question has some thousand polygons.
constexpr std::size_t kLongestLine = 64u << 20;

/// Next line without its end. A line that is too long is skipped to its end and `too_long` set.
bool read_line(std::streambuf& from, std::string& line, bool& too_long)
{
    line.clear();
    too_long = false;
    constexpr int kEnd = std::char_traits<char>::eof();
    int c = from.sbumpc();
    if (c == kEnd) return false;
    for (; c != kEnd && c != '\n'; c = from.sbumpc()) {
        too_long = too_long || line.size() >= kLongestLine;
        if (!too_long) line.push_back(static_cast<char>(c));
    }
    return true;
}

bool is_blank(std::string_view line)
{
    return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

int answer_lines(std::streambuf& from, bool interactive)
{
    int exit_code = kExitDone;
    std::string line;
    bool too_long = false;
    for (std::size_t number = 1; read_line(from, line, too_long); ++number) {
        if (is_blank(line)) continue;
        const Reply reply = too_long
                                ? error_reply("null", fmt::format("line {}: is too long", number))
                                : reply_to(line, number);
        if (!reply.ok) exit_code = kExitCheckFailed;
        fmt::print("{}\n", reply.text);
        if (interactive) std::fflush(stdout);
    }
    return exit_code;
}

int fail(std::string_view message)
{
    fmt::print(stderr, "error: {}\n", message);
    return kExitBadUsage;
}

int cmd_solve(const std::string& file)
{
    int exit_code = kExitDone;
    if (file.empty() || file == "-") {
        exit_code = answer_lines(*std::cin.rdbuf(), true);
    } else {
        std::error_code ignored;
        if (std::filesystem::is_directory(file, ignored)) {
            return fail(fmt::format("{}: is a directory", file));
        }
        std::filebuf input;
        if (input.open(file, std::ios::in | std::ios::binary) == nullptr) {
            return fail(fmt::format("{}: cannot be read", file));
        }
        exit_code = answer_lines(input, false);
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        fmt::print(stderr, "error: the answers could not be written\n");
        return kExitFault;
    }
    return exit_code;
}

constexpr const char* kExample =
    "Reads one JSON object {\"id\", \"op\", \"in\"} per line and writes {\"id\", \"out\"} or\n"
    "{\"id\", \"error\"} for each. Double precision, SI units, infinity is the string \"inf\".\n"
    "What each operation takes and gives is in docs/solve.md.\n"
    "\n"
    "Operations: vo_contains vo_project vo_uncertain orca_line lp obstacle_lines orca_step\n"
    "fair_area li_weight li_step fvo seg_fvo cp_collision clearpath vo_exact rvo_sample visible\n"
    "rcap_gate mpd energy accel_clamp brake_plane avo_contains wall_line sf_goal sf_step sf_circ\n"
    "sf_ell1 sf_ell2 sf_power sf_contact sf_wall arrival state best_at best_brake\n"
    "\n"
    "Example: do two people walking towards each other meet within 3.5 s?\n"
    "  echo "
    "'{\"id\":1,\"op\":\"vo_contains\",\"in\":{\"P\":[4,0],\"R\":1,\"v\":[1,0],\"tau\":3.5}}' "
    "| sidestep solve\n"
    "  {\"id\":1,\"out\":{\"inside\":true,\"ttc\":3.0}}\n"
    "\n"
    "Exit codes: 0 all answered, 1 a line had an error, 2 the file cannot be read.";

}  // namespace

void add_solve(CLI::App& app, int& exit_code)
{
    CLI::App* command =
        app.add_subcommand("solve", "Answer building-block questions, one JSON object per line");
    command->footer(kExample);
    // The command line is parsed once and the file name lives as long as the command.
    auto file = std::make_shared<std::string>();
    command->add_option("FILE", *file,
                        "File with one question per line; none or - reads standard input");
    command->callback([file, &exit_code] { exit_code = cmd_solve(*file); });
}

}  // namespace sidestep::cli
