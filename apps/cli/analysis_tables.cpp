// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis_tables.hpp"

#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace sidestep::cli {
namespace {

namespace fs = std::filesystem;

/// Digits enough to read the number back; nothing where there is none.
std::string field(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}
std::string field(float value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

/// Nothing, too, where 0 says that it is not known.
std::string field_if_any(double value)
{
    return value > 0.0 ? field(value) : std::string();
}

/// A name from a recording may hold anything; files are named by what every system allows.
std::string file_name(std::string_view prefix, std::string_view name, std::set<std::string>& taken)
{
    std::string base(prefix);
    for (const char c : name.substr(0, 64)) {
        const bool is_good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
        base += is_good ? c : '_';
    }
    std::string made = base + ".csv";
    for (int number = 2; !taken.insert(made).second; ++number)
        made = fmt::format("{}_{}.csv", base, number);
    return made;
}

CsvTable frames_table(const Trajectories& t, const Analysis& a)
{
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(
        to, "frame,time_s,present,mean_speed_m_s,overlap_pairs,deepest_overlap_m,lane_order\n");
    for (std::size_t i = 0; i < t.frames.size(); ++i) {
        fmt::format_to(to, "{},{},{},{},{},{},{}\n", t.frames[i], field(t.time_of(i)),
                       a.present_of_frame[i], field(a.mean_speed_of_frame[i]),
                       a.overlaps.pairs_of_frame[i], field(a.overlaps.deepest_of_frame[i]),
                       field(a.lanes.order_of_frame[i]));
    }
    return {"frames.csv", fmt::to_string(out)};
}

CsvTable walkers_table(const Analysis& a)
{
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(
        to,
        "id,first_time_s,last_time_s,travel_time_s,has_arrived,is_whole,path_length_m,straight_m,"
        "shortest_way_m,path_ratio,mean_speed_m_s,energy_j_kg,stalls,stalled_time_s\n");
    for (const WalkerResult& w : a.walkers) {
        fmt::format_to(to, "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", w.id, field(w.first_time),
                       field(w.last_time), field(w.travel_time), w.has_arrived ? 1 : 0,
                       w.is_whole ? 1 : 0, field(w.path_length), field(w.straight),
                       field_if_any(w.shortest_way), field_if_any(w.path_ratio),
                       field(w.mean_speed), field(w.energy), w.stalls, field(w.stalled_time));
    }
    return {"walkers.csv", fmt::to_string(out)};
}

std::string flow_text(const FlowResult& flow)
{
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "time_s,n,id,forward,speed_m_s\n");
    const auto curve = n_t(flow);
    std::size_t n = 0;
    for (const Crossing& c : flow.crossings) {
        while (n < curve.size() && curve[n].first <= c.time) ++n;
        fmt::format_to(to, "{},{},{},{},{}\n", field(c.time), n, c.id, c.forward ? 1 : 0,
                       field(c.speed));
    }
    return fmt::to_string(out);
}

std::string area_text(const AreaResult& a)
{
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(to,
                   "time_s,count,density_1_m2,speed_m_s,voronoi_density_1_m2,voronoi_speed_m_s\n");
    for (std::size_t i = 0; i < a.time.size(); ++i) {
        fmt::format_to(to, "{},{},{},{},{},{}\n", field(a.time[i]), field(a.count[i]),
                       field(a.density[i]), field(a.speed[i]), field(a.voronoi_density[i]),
                       field(a.voronoi_speed[i]));
    }
    return fmt::to_string(out);
}

/// Cells that nobody was ever in or beside are left out.
std::string grid_text(const GridResult& g)
{
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "x_m,y_m,mean_density_1_m2,peak_density_1_m2,mean_speed_m_s\n");
    for (std::size_t i = 0; i < g.peak_density.size(); ++i) {
        if (!(g.peak_density[i] > 0.0f)) continue;
        const double x = g.x0 + (static_cast<double>(i % g.columns) + 0.5) * g.cell;
        const double y = g.y0 + (static_cast<double>(i / g.columns) + 0.5) * g.cell;
        fmt::format_to(to, "{:.6g},{:.6g},{},{},{}\n", x, y, field(g.mean_density[i]),
                       field(g.peak_density[i]), field(g.mean_speed[i]));
    }
    return fmt::to_string(out);
}

CsvTable encounters_table(const EncounterResult& e)
{
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "from_m,to_m,passing,projected\n");
    for (std::size_t i = 0; i < e.passing_histogram.size(); ++i) {
        const auto bin = static_cast<double>(i);
        fmt::format_to(to, "{:.6g},{:.6g},{},{}\n", bin * kEncounterBin,
                       (bin + 1.0) * kEncounterBin, e.passing_histogram[i],
                       i < e.projected_histogram.size() ? e.projected_histogram[i] : 0);
    }
    return {"encounters.csv", fmt::to_string(out)};
}

CsvTable density_speed_table(const Analysis& a)
{
    fmt::memory_buffer out;
    auto to = std::back_inserter(out);
    fmt::format_to(to, "density_1_m2,speed_m_s\n");
    for (const DensitySpeed& point : a.density_speed)
        fmt::format_to(to, "{},{}\n", field(point.density), field(point.speed));
    return {"density_speed.csv", fmt::to_string(out)};
}

Error cannot(const fs::path& path, std::string_view what, const std::string& reason)
{
    return Error{ErrorCode::io, fmt::format("{}: {}: {}", path.string(), what, reason)};
}

/// A new folder inside another, which holds files until all of them are written.
class Stage {
public:
    static Result<Stage> make(const std::string& folder)
    {
        const fs::path path = fs::path(folder) / fmt::format(".tables.{}.part", getpid());
        std::error_code code;
        const bool is_new = fs::create_directory(path, code);
        if (code) return cannot(path, "cannot be made", code.message());
        if (!is_new) return cannot(path, "cannot be made", "there is such a folder");
        return Stage(path);
    }
    Stage(Stage&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    Stage& operator=(Stage&&) = delete;
    ~Stage()
    {
        std::error_code code;
        if (!path_.empty()) fs::remove_all(path_, code);
    }

    Result<void> write(const CsvTable& table) const
    {
        return write_output_file((path_ / table.name).string(), table.text, false);
    }
    /// What a link leads to is replaced, not the link.
    Result<void> move_to(const fs::path& target, const std::string& name) const
    {
        std::error_code code;
        const fs::path file = fs::exists(target, code) ? fs::canonical(target, code) : target;
        fs::rename(path_ / name, file, code);
        if (code) return cannot(target, "cannot be written", code.message());
        return {};
    }

private:
    explicit Stage(fs::path path) : path_(std::move(path)) {}

    fs::path path_;
};

Result<void> write_all(const std::string& folder, const std::vector<CsvTable>& tables)
{
    const auto stage = Stage::make(folder);
    if (!stage) return stage.error();
    for (const CsvTable& table : tables) {
        if (auto written = stage->write(table); !written) return written;
    }
    for (const CsvTable& table : tables) {
        if (auto moved = stage->move_to(fs::path(folder) / table.name, table.name); !moved)
            return moved;
    }
    return {};
}

}  // namespace

std::vector<CsvTable> make_tables(const Trajectories& t, const Analysis& a)
{
    std::vector<CsvTable> tables{frames_table(t, a), walkers_table(a),
                                 encounters_table(a.encounters), density_speed_table(a)};
    std::set<std::string> taken;
    for (const CsvTable& table : tables) taken.insert(table.name);
    for (const FlowResult& flow : a.lines)
        tables.push_back({file_name("n_t_", flow.name, taken), flow_text(flow)});
    for (const FlowResult& flow : a.exits)
        tables.push_back({file_name("n_t_exit_", flow.name, taken), flow_text(flow)});
    for (const AreaResult& area : a.areas)
        tables.push_back({file_name("area_", area.name, taken), area_text(area)});
    for (const GridResult& grid : a.grids) {
        if (grid.peak_density.empty()) continue;
        tables.push_back({fmt::format("grid_{}.csv", grid.level), grid_text(grid)});
    }
    return tables;
}

Result<void> check_tables_folder(const std::string& folder)
{
    std::error_code code;
    const auto status = fs::status(folder, code);
    if (fs::exists(status) && !fs::is_directory(status))
        return Error{ErrorCode::invalid_argument, fmt::format("{}: is not a folder", folder)};
    if (fs::exists(status)) return {};
    const fs::path parent = fs::absolute(fs::path(folder) / "..", code).lexically_normal();
    if (!fs::is_directory(parent, code))
        return Error{ErrorCode::invalid_argument,
                     fmt::format("{}: there is no folder {}", folder, parent.string())};
    return {};
}

Result<void> write_tables(const std::string& folder, const std::vector<CsvTable>& tables,
                          bool replace)
{
    if (auto checked = check_tables_folder(folder); !checked) return checked;
    std::error_code code;
    const bool is_new = fs::create_directory(folder, code);
    if (code) return cannot(folder, "cannot be made", code.message());
    for (const CsvTable& table : tables) {
        const std::string path = (fs::path(folder) / table.name).string();
        if (auto usable = check_output_file(path, replace); !usable) return usable;
    }
    Result<void> done = write_all(folder, tables);
    if (!done && is_new) fs::remove(folder, code);  // only where it is empty
    return done;
}

}  // namespace sidestep::cli
