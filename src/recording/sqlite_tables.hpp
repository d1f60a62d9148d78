// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sidestep {

// What the writer and the reader of `.sqlite` agree on; docs/formats/recording.md tells it to
// people.

/// JuPedSim's schema first, word for word as its readers expect it; then ours.
inline constexpr const char* kSqliteSchema = R"sql(
CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
    pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data(frame, id);

CREATE TABLE sidestep_facts(key TEXT NOT NULL, value TEXT NOT NULL, part TEXT NOT NULL);
CREATE TABLE sidestep_places(name TEXT NOT NULL, kind TEXT NOT NULL, level INTEGER NOT NULL,
    wkt TEXT NOT NULL);
CREATE TABLE sidestep_bodies(body INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL,
    level INTEGER NOT NULL, radius REAL NOT NULL, outline TEXT NOT NULL);
CREATE TABLE sidestep_frames(frame INTEGER NOT NULL PRIMARY KEY, rows INTEGER NOT NULL,
    xxh3 TEXT NOT NULL);
CREATE TABLE sidestep_levels(id INTEGER NOT NULL, frame INTEGER NOT NULL, level INTEGER NOT NULL);
CREATE TABLE sidestep_body_places(frame INTEGER NOT NULL, body INTEGER NOT NULL, x REAL NOT NULL,
    y REAL NOT NULL, PRIMARY KEY(frame, body));
CREATE TABLE sidestep_events(time REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE sidestep_walkers(id INTEGER NOT NULL, radius REAL NOT NULL,
    preferred_speed REAL NOT NULL, group_name TEXT NOT NULL, profile TEXT NOT NULL,
    model TEXT NOT NULL);
CREATE TABLE sidestep_ends(id INTEGER NOT NULL, time REAL NOT NULL, kind TEXT NOT NULL,
    place TEXT NOT NULL, set_off REAL NOT NULL, shortest_way REAL NOT NULL,
    is_arrival INTEGER NOT NULL);
CREATE TABLE sidestep_seal(part TEXT NOT NULL PRIMARY KEY, xxh3 TEXT NOT NULL);
)sql";

inline constexpr auto kSharedTables =
    std::to_array<std::string_view>({"trajectory_data", "metadata", "geometry", "frame_data"});
/// How the names of our tables begin.
inline constexpr std::string_view kOwnPrefix = "sidestep_";
inline constexpr auto kOwnTables = std::to_array<std::string_view>(
    {"sidestep_facts", "sidestep_places", "sidestep_bodies", "sidestep_frames", "sidestep_levels",
     "sidestep_body_places", "sidestep_events", "sidestep_walkers", "sidestep_ends",
     "sidestep_seal"});

/// Of our own tables; JuPedSim's have theirs in `metadata`.
inline constexpr std::string_view kSqliteFormat = "2";
/// The name of the open plane among the geometries: its outline grows, its name must not.
inline constexpr std::int64_t kOpenPlaneHash = 0;

/// Column `part` of `sidestep_facts`: what the file is, what was known at the beginning, and at the
/// end.
inline constexpr std::string_view kFactsOfFile = "file";
inline constexpr std::string_view kFactsOfBegin = "begin";
inline constexpr std::string_view kFactsOfEnd = "end";
/// Key of a fact: how many frames there are. It lies in front of them: of a file that was cut it
/// tells how many are missing.
inline constexpr std::string_view kFrameCountKey = "frames";
/// Key of a fact: the geometry of level N, by its hash, is this and N and the ending.
inline constexpr std::string_view kLevelKey = "level.";
inline constexpr std::string_view kLevelKeyEnding = ".geometry_hash";

}  // namespace sidestep
