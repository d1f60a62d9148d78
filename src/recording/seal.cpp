// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/seal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

namespace sidestep {
namespace {

using Json = nlohmann::ordered_json;

Json pair_of(Vec2 v)
{
    return Json::array({without_sign_of_zero(v.x), without_sign_of_zero(v.y)});
}

Vec2 to_vec2(const Json& j)
{
    return {j.at(0).get<double>(), j.at(1).get<double>()};
}

Json facts_json(const RecordedFacts& facts)
{
    Json j = Json::array();
    for (const auto& [key, value] : facts) j.push_back(Json::array({key, value}));
    return j;
}

RecordedFacts to_facts(const Json& j)
{
    RecordedFacts facts;
    for (const Json& fact : j) facts.emplace_back(fact.at(0), fact.at(1));
    return facts;
}

/// What is no UTF-8 becomes U+FFFD: a line can always be written, and equal values give equal ones.
std::string line_of(const Json& j)
{
    return j.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// `read` of the value under `key`; none where the line is not JSON, has no such key, or is of
/// another shape.
template <class T, class Read>
std::optional<T> read_line(std::string_view line, const char* key, Read read)
{
    const Json j = Json::parse(line, nullptr, false);
    if (!j.is_object() || !j.contains(key)) return std::nullopt;
    try {
        return read(j.at(key));
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

RecordingInfo::Body to_body(const Json& j)
{
    RecordingInfo::Body body{j.at("name"), j.at("level"), j.at("radius"), {}};
    for (const Json& corner : j.at("outline")) body.outline.push_back(to_vec2(corner));
    return body;
}

RecordingInfo to_info(const Json& j)
{
    RecordingInfo info;
    info.fps = j.at("fps");
    for (const Json& l : j.at("levels")) info.levels.push_back({l.at("level"), l.at("wkt")});
    for (const Json& p : j.at("places")) {
        info.places.push_back({p.at("name"), p.at("kind"), p.at("level"), p.at("wkt")});
    }
    for (const Json& b : j.at("bodies")) info.bodies.push_back(to_body(b));
    info.facts = to_facts(j.at("facts"));
    info.scenario_text = j.at("scenario");
    return info;
}

}  // namespace

// ----------------------------------------------------------------------------------------- frames

void FrameHash::add_rows()
{
    hash_.add_bytes(rows_.data(), std::exchange(filled_, 0) * sizeof(Row));
}

std::uint64_t FrameHash::digest_with(std::span<const Vec2> bodies)
{
    add_rows();
    for (const Vec2 body : bodies) {
        hash_.add(without_sign_of_zero(body.x));
        hash_.add(without_sign_of_zero(body.y));
    }
    return hash_.digest();
}

std::uint64_t hash_of(const RecordedFrame& frame)
{
    FrameHash hash(frame.number);
    for (const RecordedAgent& agent : frame.agents) hash.add(agent);
    return hash.digest_with(frame.bodies);
}

// ------------------------------------------------------------------------------------------ lines

std::string to_line(const RecordingInfo& info)
{
    Json levels = Json::array(), places = Json::array(), bodies = Json::array();
    for (const auto& l : info.levels) levels.push_back({{"level", l.level}, {"wkt", l.wkt}});
    for (const auto& p : info.places) {
        places.push_back({{"name", p.name}, {"kind", p.kind}, {"level", p.level}, {"wkt", p.wkt}});
    }
    for (const auto& b : info.bodies) {
        Json outline = Json::array();
        for (const Vec2 corner : b.outline) outline.push_back(pair_of(corner));
        bodies.push_back({{"name", b.name},
                          {"level", b.level},
                          {"radius", without_sign_of_zero(b.radius)},
                          {"outline", outline}});
    }
    return line_of({{"sidestep",
                     {{"fps", info.fps},
                      {"levels", levels},
                      {"places", places},
                      {"bodies", bodies},
                      {"facts", facts_json(info.facts)},
                      {"scenario", info.scenario_text}}}});
}

std::string to_line(const RecordedEvent& e)
{
    return line_of(
        {{"event", {{"time", without_sign_of_zero(e.time)}, {"kind", e.kind}, {"text", e.text}}}});
}

std::string to_line(const RecordedWalker& w)
{
    return line_of({{"walker",
                     {{"id", w.id},
                      {"radius", without_sign_of_zero(w.radius)},
                      {"preferred_speed", without_sign_of_zero(w.preferred_speed)},
                      {"group", w.group},
                      {"profile", w.profile},
                      {"model", w.model}}}});
}

std::string to_line(const RecordedEnd& e)
{
    return line_of({{"end",
                     {{"id", e.id},
                      {"time", without_sign_of_zero(e.time)},
                      {"kind", e.kind},
                      {"place", e.place},
                      {"set_off", without_sign_of_zero(e.set_off)},
                      {"shortest_way", without_sign_of_zero(e.shortest_way)},
                      {"is_arrival", e.is_arrival}}}});
}

std::string to_line(const RecordedFacts& facts)
{
    return line_of({{"facts", facts_json(facts)}});
}

bool add_line(std::string_view line, RecordedNotes& notes)
{
    const auto put = [](auto& list, auto&& value) {
        if (value) list.push_back(*std::move(value));
        return value.has_value();
    };
    return put(notes.events, read_line<RecordedEvent>(
                                 line, "event",
                                 [](const Json& j) {
                                     return RecordedEvent{j.at("time"), j.at("kind"), j.at("text")};
                                 })) ||
           put(notes.walkers, read_line<RecordedWalker>(
                                  line, "walker",
                                  [](const Json& j) {
                                      return RecordedWalker{
                                          j.at("id"),    j.at("radius"),  j.at("preferred_speed"),
                                          j.at("group"), j.at("profile"), j.at("model")};
                                  })) ||
           put(notes.ends, read_line<RecordedEnd>(line, "end", [](const Json& j) {
                   return RecordedEnd{j.at("id"),        j.at("time"),    j.at("kind"),
                                      j.at("place"),     j.at("set_off"), j.at("shortest_way"),
                                      j.at("is_arrival")};
               }));
}

std::optional<RecordingInfo> info_from_line(std::string_view line)
{
    return read_line<RecordingInfo>(line, "sidestep", to_info);
}

std::optional<RecordedFacts> facts_from_line(std::string_view line)
{
    return read_line<RecordedFacts>(line, "facts", to_facts);
}

std::optional<std::string> missing_text(std::uint64_t whole, std::uint64_t missing,
                                        std::optional<std::uint64_t> written)
{
    const auto are = [](std::uint64_t count) { return count == 1 ? "is" : "are"; };
    if (written && *written >= whole + missing) {
        const std::uint64_t all = *written - whole;
        if (all == 0) return std::nullopt;
        return fmt::format("{} of {} frames {} whole; {} {} missing", whole, *written, are(whole),
                           all, are(all));
    }
    const std::string known =
        fmt::format("{} frame{} {} whole", whole, whole == 1 ? "" : "s", are(whole));
    if (missing == 0) return known + "; how many are missing is not known";
    return fmt::format("{}; at least {} {} missing, how many there were is not known", known,
                       missing, are(missing));
}

std::string whole_before(std::uint64_t frames)
{
    return frames == 1 ? "1 frame before is whole"
                       : fmt::format("{} frames before are whole", frames);
}

// ----------------------------------------------------------------------------------------- hashes

std::string to_hash_text(std::uint64_t hash)
{
    return fmt::format("{:016x}", hash);
}

std::optional<std::uint64_t> hash_from_text(std::string_view text)
{
    std::uint64_t hash = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
    if (text.size() != 16 || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return hash;
}

void Seal::add(const RecordedNotes& notes)
{
    for (const RecordedEvent& event : notes.events) add(event);
    for (const RecordedWalker& walker : notes.walkers) add(walker);
    for (const RecordedEnd& end : notes.ends) add(end);
}

void Seal::add_line(Part part, std::string_view line)
{
    hashes_[part].add_bytes(line.data(), line.size());
    hashes_[part].add('\n');
}

}  // namespace sidestep
