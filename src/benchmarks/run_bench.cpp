// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

#include "benchmarks/machine.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/peer_engine.hpp"

namespace sidestep {

namespace {

/// How long the machine is looked at before anything runs [s].
constexpr double kLook = 0.2;

/// A case, its samples so far, and the row they become.
struct Entry {
    const BenchCase* what = nullptr;
    BenchRow row;
    std::vector<BenchSample> samples;
    std::vector<Vec2> early_places;
    bool is_own() const { return what->engine == "sidestep"; }
};

/// What is known of a case before it runs; with a word why it cannot.
Entry make_entry(const BenchCase& what, const BenchOptions& options)
{
    Entry entry;
    entry.what = &what;
    BenchRow& row = entry.row;
    row.scene = what.scene->world.name;
    row.engine = what.engine;
    row.variant = what.variant;
    row.model = what.model.value_or("");
    row.threads = what.threads;
    row.isa = to_string(what.isa);
    if (entry.is_own()) return entry;
    row.isa = "none";
    row.threads = 1;
    row.model = what.engine == "detour" ? "sampling" : "orca";
    const auto peer = std::find_if(options.peers.begin(), options.peers.end(),
                                   [&](const Peer& p) { return p.engine == what.engine; });
    if (peer == options.peers.end()) {
        row.refused = "there is no such engine";
    } else if (!peer->missing.empty()) {
        row.refused = peer->missing;
    } else if (agents_of(*what.scene) > peer->most_agents) {
        row.refused = fmt::format("at most {} agents", peer->most_agents);
    } else {
        row.refused = not_for_peers(*what.scene);
    }
    return entry;
}

/// The run of Sidestep that looks at stages, overlaps and places; then its memory.
Result<void> look_closely(Entry& entry, const BenchOptions& options)
{
    StageTimes stages;
    BenchCase alone = *entry.what;
    alone.threads = 1;  // stages that are timed as a whole and those timed by worker add up
    const auto looked =
        measure_once(alone, options, {.overlaps = true, .early_places = true, .stages = &stages});
    if (!looked) return looked.error();
    entry.row.overlap_pairs_per_frame = looked->overlap_pairs_per_frame;
    entry.early_places = looked->early_places;
    const double cost = clock_cost();
    double sum = 0.0;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        const double readings = static_cast<double>(stages.readings[stage]) * cost;
        entry.row.shares[stage] = std::max(0.0, stages.seconds[stage] - readings);
        sum += entry.row.shares[stage];
    }
    for (double& share : entry.row.shares) share = sum > 0.0 ? share / sum : 0.0;
    const auto bytes = measure_memory(*entry.what);
    if (!bytes) return bytes.error();
    const auto agents = static_cast<double>(looked->agents);
    if (looked->agents == 0) return {};  // a scene that fills up later: of whom would it be told?
    entry.row.bytes_per_agent = bytes->all / agents;
    entry.row.sight_bytes_per_agent = bytes->sight / agents;
    return {};
}

Result<void> measure(Entry& entry, const BenchOptions& options)
{
    const bool is_first = entry.samples.empty();
    // A peer is slow enough to be looked at while it is measured.
    const bool looks = is_first && !entry.is_own();
    auto sample = measure_once(*entry.what, options,
                               {.overlaps = looks, .early_places = looks, .stages = nullptr});
    if (!sample) return sample.error();
    if (looks) {
        entry.row.overlap_pairs_per_frame = sample->overlap_pairs_per_frame;
        entry.early_places = std::move(sample->early_places);
        entry.row.bytes_per_agent = sample->bytes / static_cast<double>(sample->agents);
    }
    entry.samples.push_back(*std::move(sample));
    return {};
}

void fill_row(Entry& entry)
{
    BenchRow& row = entry.row;
    if (entry.samples.empty()) return;
    const auto spread = [&](auto&& value) {
        std::vector<double> values;
        for (const BenchSample& sample : entry.samples) values.push_back(value(sample));
        return spread_of(values);
    };
    const auto updates = [](const BenchSample& s) { return static_cast<double>(s.updates); };
    row.us_per_update = spread([&](const BenchSample& s) { return 1e6 * s.step_cpu / updates(s); });
    row.navigation_us_per_update =
        spread([&](const BenchSample& s) { return 1e6 * s.navigation_cpu / updates(s); });
    row.ms_per_step = spread(
        [&](const BenchSample& s) { return 1e3 * s.step_wall / static_cast<double>(s.steps); });
    row.ns_per_update = 1e3 * row.us_per_update.median;
    row.cycles_per_update =
        row.ns_per_update * spread([](const BenchSample& s) { return s.gigahertz; }).median;
    const BenchSample& last = entry.samples.back();
    row.agents = last.agents;
    row.warm_up = last.warm_up;
    row.steps = last.steps;
    row.updates = last.updates;
    row.repetitions = static_cast<std::uint32_t>(entry.samples.size());
    row.arrived = last.arrived;
    row.left = last.left;
    row.sim_time = last.sim_time;
    row.model = last.model;
    row.isa = last.isa;
    row.threads = last.threads;
    row.state_hash = last.state_hash;
}

/// How far apart two engines have put the same people.
void compare(std::span<const Vec2> ours, std::span<const Vec2> theirs, BenchRow& row)
{
    constexpr double kApart = 1e-3;  // [m]
    if (ours.empty() || ours.size() != theirs.size()) return;
    double most = 0.0;
    for (std::size_t id = 0; id < ours.size(); ++id) {
        const Vec2 way = ours[id] - theirs[id];
        if (!std::isfinite(way.x) || !std::isfinite(way.y)) continue;
        const double distance = std::sqrt(dot(way, way));
        most = std::max(most, distance);
        row.away_from_rvo2 += distance > kApart ? 1 : 0;
    }
    row.farthest_from_rvo2 = most;
}

void compare_places(std::span<Entry* const> entries)
{
    const auto rvo2 = std::find_if(entries.begin(), entries.end(), [](const Entry* entry) {
        return entry->what->engine.starts_with("rvo2") && !entry->early_places.empty();
    });
    if (rvo2 == entries.end()) return;
    for (Entry* entry : entries) {
        if (entry->is_own() && entry->row.model == "orca" && entry->row.variant.empty())
            compare(entry->early_places, (*rvo2)->early_places, entry->row);
    }
}

std::string name_of(const BenchCase& what)
{
    std::string name = fmt::format("{} {}", what.scene->world.name, what.engine);
    if (what.model) name += ' ' + *what.model;
    if (what.threads > 1) name += fmt::format(" {} threads", what.threads);
    return name;
}

/// Cases of one scene, so that what is compared ran at the same time.
std::vector<std::vector<Entry*>> by_scene(std::vector<Entry>& entries)
{
    std::vector<std::vector<Entry*>> groups;
    for (Entry& entry : entries) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return group.front()->row.scene == entry.row.scene;
        });
        if (same == groups.end()) {
            groups.push_back({&entry});
        } else {
            same->push_back(&entry);
        }
    }
    return groups;
}

/// All rounds over the cases of a scene. False: somebody wants to stop.
Result<bool> run_group(std::span<Entry* const> group, const BenchOptions& options, double& done,
                       double all)
{
    for (std::uint32_t round = 0; round <= options.repeat; ++round) {
        for (Entry* entry : group) {
            if (!entry->row.refused.empty()) continue;
            if (round == 0 && !entry->is_own()) continue;
            if (options.progress && !options.progress(name_of(*entry->what), done / all))
                return false;
            const auto made = round == 0 ? look_closely(*entry, options) : measure(*entry, options);
            done += 1.0;
            if (made) continue;
            if (entry->is_own()) return made.error();
            entry->row.refused = made.error().message;
        }
    }
    for (Entry* entry : group) fill_row(*entry);
    compare_places(group);
    return true;
}

}  // namespace

BenchSpread spread_of(std::span<const double> values)
{
    if (values.empty()) return {};
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    const double median =
        sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0;
    return {sorted.front(), median, sorted.back()};
}

const BenchRow* find_row(std::span<const BenchRow> rows, const BenchKey& key)
{
    const auto agrees = [](std::string_view asked, std::string_view has) {
        return asked.empty() || asked == has;
    };
    for (const BenchRow& row : rows) {
        if (row.repetitions > 0 && agrees(key.scene, row.scene) && agrees(key.engine, row.engine) &&
            agrees(key.model, row.model) && agrees(key.isa, row.isa) &&
            agrees(key.variant, row.variant) && (key.threads == 0 || key.threads == row.threads)) {
            return &row;
        }
    }
    return nullptr;
}

double BenchRow::updates_per_second() const
{
    return static_cast<double>(updates) / static_cast<double>(steps) * steps_per_second();
}

Result<BenchResult> run_bench(std::span<const BenchCase> cases, const BenchOptions& options)
{
    if (options.repeat == 0)
        return Error{ErrorCode::out_of_range, "repeat must be at least 1, got 0"};
    try {
        BenchResult result;
        result.machine = look_at_machine(kLook);
        const ProcessorTimes before = processor_times();
        const double cpu_before = cpu_seconds();
        std::vector<Entry> entries;
        double all = 0.0, done = 0.0;
        for (const BenchCase& what : cases) {
            entries.push_back(make_entry(what, options));
            if (entries.back().row.refused.empty())
                all += options.repeat + (entries.back().is_own() ? 1.0 : 0.0);
        }
        for (const std::vector<Entry*>& group : by_scene(entries)) {
            const auto went_on = run_group(group, options, done, std::max(all, 1.0));
            if (!went_on) return went_on.error();
            result.stopped = !*went_on;
            if (result.stopped) break;
        }
        result.machine.others = used_by_others(before, cpu_before);
        result.machine.load_after = load_average();
        for (Entry& entry : entries) result.rows.push_back(std::move(entry.row));
        return result;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "there is not enough memory for these scenes"};
    }
}

}  // namespace sidestep
