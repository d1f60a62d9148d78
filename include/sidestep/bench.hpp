// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How fast a step is, and what it is worth: scenes run through Sidestep and, where somebody brings
// them, through other engines, which get the same people at the same places, the same walls and
// the same preferred velocities. docs/bench.md tells what is measured and how.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/result.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/simulation.hpp"
#include "sidestep/world.hpp"

namespace sidestep {

// ---------------------------------------------------------------------------------------------
// other engines

/// Somebody as another engine gets to know it. Units as everywhere: m, s, m/s.
struct PeerAgent {
    Vec2 position{}, velocity{};
    double radius = 0.0, max_speed = 0.0;
    double neighbour_range = 0.0;
    double time_horizon = 0.0, wall_time_horizon = 0.0;
    std::uint32_t max_neighbours = 0;
};

/// A scene as another engine gets it, about the world's origin.
struct PeerScene {
    double dt = 0.1;  ///< [s]
    std::vector<PeerAgent> agents;
    std::vector<WallSpec> walls;
    /// Triangles of what can be walked on, for engines that want it; walls are its outline.
    std::vector<std::array<Vec2, 3>> ground;
};

/// A crowd in another engine. Agents are named by their place in PeerScene::agents.
class PeerCrowd {
public:
    virtual ~PeerCrowd() = default;
    virtual void set_preferred_velocity(std::size_t agent, Vec2 velocity) = 0;
    /// Moves everybody by one step of PeerScene::dt: the only call that is timed.
    virtual void step() = 0;
    virtual Vec2 position(std::size_t agent) const = 0;
    virtual Vec2 velocity(std::size_t agent) const = 0;
    /// Takes agents out for good; the others keep their names.
    virtual void remove(std::span<const std::size_t> agents) = 0;
};

/// An adapter to another engine, or word of why it is not there.
struct Peer {
    std::string engine;   ///< "rvo2", "rvo2-sorted", "detour"
    std::string library;  ///< "RVO2 2.0.3"; empty where it is not there
    std::string missing;  ///< what to do to have it; empty where it is there
    bool sorted = false;  ///< agents are handed over in space order
    bool wants_ground = false;
    std::size_t most_agents = ~std::size_t{0};
    /// nullptr: it cannot take this scene.
    std::function<std::unique_ptr<PeerCrowd>(const PeerScene&)> make;
};

// ---------------------------------------------------------------------------------------------
// what is measured

/// One engine on one scene.
struct BenchCase {
    std::shared_ptr<const Scenario> scene;
    std::string engine = "sidestep";
    std::optional<std::string> model{};  ///< of everybody, instead of the scene's
    std::uint32_t threads = 1;           ///< of Sidestep; peers have one
    Isa isa = Isa::automatic;
    std::string variant{};  ///< a word for what the scene was changed in; part of the row
};

struct BenchOptions {
    std::uint32_t repeat = 5;                         ///< at least 1
    std::optional<std::uint32_t> warm_up{}, steps{};  ///< instead of those of the scene
    std::span<const Peer> peers{};
    /// Told before each run: what, and which part of the work is done. False ends it.
    std::function<bool(std::string_view what, double part)> progress{};
};

/// Smallest, middle and largest of the repetitions.
struct BenchSpread {
    double low = 0.0, median = 0.0, high = 0.0;
};
BenchSpread spread_of(std::span<const double> values);

/// One engine on one scene, measured.
struct BenchRow {
    std::string scene, engine, model, isa, variant;
    std::uint32_t threads = 1;
    std::uint64_t agents = 0;                  ///< at the start
    std::uint64_t warm_up = 0, steps = 0;      ///< steps before, and measured
    std::uint64_t updates = 0;                 ///< agents moved in these
    std::uint32_t repetitions = 0;             ///< 0: not measured, see `refused`
    std::string refused;                       ///< why not
    BenchSpread us_per_update;                 ///< CPU time of the step, navigation apart
    BenchSpread ms_per_step;                   ///< wall time of the same
    BenchSpread navigation_us_per_update;      ///< CPU time of routes, journeys and arrivals
    double ns_per_update = 0.0;                ///< the median above, in ns
    double cycles_per_update = 0.0;            ///< the same in cycles of this processor
    double bytes_per_agent = 0.0;              ///< resident growth by the engine alone
    double sight_bytes_per_agent = 0.0;        ///< of these, memory of who was seen
    double overlap_pairs_per_frame = 0.0;      ///< after the measured steps
    std::uint64_t arrived = 0, left = 0;       ///< by the end of the measured steps
    double sim_time = 0.0;                     ///< [s], by then
    std::array<double, kStages> shares{};      ///< of the step, by Stage; 0 for peers
    std::optional<double> farthest_from_rvo2;  ///< largest distance of somebody after 5 steps [m]
    std::uint64_t away_from_rvo2 = 0;          ///< people more than 1 mm apart then
    std::uint64_t state_hash = 0;              ///< of Sidestep at the end

    /// Agents moved per second of the clock on the wall.
    double updates_per_second() const;
    double steps_per_second() const { return 1e3 / ms_per_step.median; }
};

/// Names a row; what is empty or 0 may be anything.
struct BenchKey {
    std::string_view scene{}, engine{}, model{}, isa{}, variant{};
    std::uint32_t threads = 0;
};
/// The first row of that name that was measured; nullptr: there is none.
const BenchRow* find_row(std::span<const BenchRow> rows, const BenchKey& key);

/// The processor, and what else was going on.
struct BenchMachine {
    std::string processor;
    std::string system;
    unsigned hardware_threads = 0;
    double gigahertz = 0.0;      ///< measured
    std::string frequency_from;  ///< "perf_event" or "a loop of dependent additions"
    double load_before = 0.0, load_after = 0.0;  ///< of the last minute
    double others_before = 0.0;  ///< part of all processors that others used, just before
    double others = 0.0;         ///< the same while it was measured
    bool known = false;          ///< the system tells

    /// Too busy for ratios.
    bool busy() const;
};
/// Above this part of the processors used by others the machine is busy.
inline constexpr double kBusy = 0.05;

/// How busy the machine is at the moment: looks for so long [s].
BenchMachine look_at_machine(double seconds);

struct BenchResult {
    BenchMachine machine;
    std::vector<BenchRow> rows;  ///< one for each case, in their order
    bool stopped = false;        ///< by `progress`: rows lack repetitions
};

/// Measures all cases: scene by scene, in rounds in which every case of the scene has its turn.
Result<BenchResult> run_bench(std::span<const BenchCase> cases, const BenchOptions& options);

// ---------------------------------------------------------------------------------------------
// what is promised

/// A number that is to be reached.
struct BenchTarget {
    std::string what;      ///< "RVO2 / ours", "steps per second"
    std::string unit;      ///< "x", "B", "us"
    double floor = 0.0;    ///< must be reached
    double goal = 0.0;     ///< is aimed at
    bool at_most = false;  ///< less is better
    bool has_floor = true;
    std::optional<double> measured{};

    std::optional<bool> meets_floor() const;
    std::optional<bool> meets_goal() const;
};

/// One line of the table of floors and goals.
struct BenchFloor {
    std::string workload;
    std::string reference;  ///< as it was measured once, elsewhere
    std::vector<BenchTarget> targets;

    std::optional<bool> meets_floor() const;  ///< all targets do; none: not measured
    std::optional<bool> meets_goal() const;
};

/// All that judge_floors needs: some twenty minutes with RVO2, two without.
Result<std::vector<BenchCase>> floor_cases(std::span<const Peer> peers);
/// The table, from rows of these cases.
std::vector<BenchFloor> judge_floors(std::span<const BenchRow> rows);

/// A scene of [CP09] and how fast it was then.
struct PaperFigure {
    std::string scene;
    std::string reported;            ///< as printed; empty: nothing is
    double reported_per_core = 0.0;  ///< steps per second of one core; 0: not known
    std::optional<double> ours;      ///< steps per second of one core
    std::optional<double> ours_with_navigation;
};
/// ClearPath on the scenes of the paper, one thread.
Result<std::vector<BenchCase>> paper_cases();
std::vector<PaperFigure> compare_with_paper(std::span<const BenchRow> rows);

/// What a page is made of.
struct BenchPage {
    const BenchResult& result;
    std::span<const BenchFloor> floors{};
    std::span<const PaperFigure> paper{};
    bool ratios = true;
};
/// One HTML page that needs nothing else: plots and tables.
std::string make_bench_page(const BenchPage& page);

/// Agents of a scene at its start.
std::uint64_t agents_of(const Scenario& scene);

/// Steps made before measuring and steps measured, as for this scene by default.
struct BenchWindow {
    std::uint32_t warm_up = 0;
    std::uint32_t steps = 0;  ///< 0: until the run is finished
};
BenchWindow window_of(const Scenario& scene);

}  // namespace sidestep
