// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_remark.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "recording/seal.hpp"

namespace sidestep {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const HeadRemark& head)
{
    Json levels = Json::array();
    for (const auto& l : head.info.levels) levels.push_back({{"level", l.level}, {"wkt", l.wkt}});
    return {{"format", head.format}, {"fps", head.info.fps}, {"levels", levels}};
}

Json to_json(const EmptyFrameRemark& empty)
{
    return {{"empty_frame", empty.frame}};
}

Json to_json(const CheckRemark& check)
{
    return {{"check", to_hash_text(check.hash)}};
}

Json to_json(const EndRemark& end)
{
    return {{"frames", end.frames}, {"rows", end.rows}, {"xxh3", to_hash_text(end.hash)}};
}

std::optional<HeadRemark> to_head(const Json& j)
{
    if (!j.at("format").is_number_integer()) return std::nullopt;
    HeadRemark head;
    head.format = j.at("format");
    if (head.format != kTextFormat) return head;
    head.info.fps = j.at("fps");
    if (!(head.info.fps > 0.0) || !std::isfinite(head.info.fps)) return std::nullopt;
    for (const Json& l : j.at("levels")) {
        const auto level = l.at("level").get<std::int64_t>();
        if (level < 0 || level > std::numeric_limits<std::uint16_t>::max()) return std::nullopt;
        head.info.levels.push_back({static_cast<std::uint16_t>(level), l.at("wkt")});
    }
    return head;
}

std::optional<Remark> to_remark(const Json& j)
{
    if (j.contains("format")) return to_head(j);
    if (j.contains("empty_frame")) return EmptyFrameRemark{j.at("empty_frame")};
    if (j.contains("check")) {
        const auto hash = hash_from_text(j.at("check").get<std::string>());
        return hash ? std::optional<Remark>(CheckRemark{*hash}) : std::nullopt;
    }
    const auto hash = hash_from_text(j.at("xxh3").get<std::string>());
    if (!hash) return std::nullopt;
    return EndRemark{j.at("frames"), j.at("rows"), *hash};
}

}  // namespace

std::string to_text(const Remark& remark, RemarkStyle style)
{
    const Json j = std::visit([](const auto& r) { return to_json(r); }, remark);
    return fmt::format("{}{}{}\n", style.begin,
                       j.dump(-1, ' ', false, Json::error_handler_t::replace), style.end);
}

std::optional<Remark> read_remark(std::string_view line, RemarkStyle style)
{
    if (!style.begins(line) || !line.ends_with(style.end)) return std::nullopt;
    line.remove_prefix(style.begin.size());
    line.remove_suffix(style.end.size());
    const Json j = Json::parse(line, nullptr, false);
    if (!j.is_object()) return std::nullopt;
    try {
        return to_remark(j);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace sidestep
