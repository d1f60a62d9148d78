// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A step takes no memory. Every way to the heap is counted, in all threads: operator new, and
// malloc and its kin, which this program puts in front of those of glibc for itself and for the
// libraries it uses.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SIDESTEP_COUNTS_ALLOCATIONS 0  // sanitizers bring their own malloc
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SIDESTEP_COUNTS_ALLOCATIONS 0
#endif
#endif
#if !defined(SIDESTEP_COUNTS_ALLOCATIONS)
#if defined(__GLIBC__)
#define SIDESTEP_COUNTS_ALLOCATIONS 1
#else
#define SIDESTEP_COUNTS_ALLOCATIONS 0
#endif
#endif

namespace {

std::atomic<std::size_t> allocations{0};  ///< since the program started, in all threads

}  // namespace

#if SIDESTEP_COUNTS_ALLOCATIONS

#include <dlfcn.h>

extern "C" {
static void count()
{
    allocations.fetch_add(1, std::memory_order_relaxed);
}

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size)
{
    count();
    return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size)
{
    count();
    return __libc_calloc(number, size);
}

void* realloc(void* memory, std::size_t size)
{
    count();
    return __libc_realloc(memory, size);
}

void* memalign(std::size_t alignment, std::size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size)
{
    count();
    *memory = __libc_memalign(alignment, size);
    return *memory == nullptr ? ENOMEM : 0;
}

/// oneTBB looks for an allocator library that goes round malloc. Here it finds none, so that what
/// it takes is counted too.
void* dlopen(const char* name, int flags)
{
    if (name != nullptr && std::strstr(name, "tbbmalloc") != nullptr) return nullptr;
    using Open = void* (*)(const char*, int);
    static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
    return next(name, flags);
}
}

#endif

namespace sidestep::test {
namespace {

class Allocation : public WorldTest {
protected:
    void SetUp() override
    {
        WorldTest::SetUp();
        if (!SIDESTEP_COUNTS_ALLOCATIONS)
            GTEST_SKIP() << "a sanitizer, or a libc other than glibc, has its own malloc";
    }
};

/// Keeps the compiler from leaving an allocation out.
void keep(void* memory)
{
    asm volatile("" : : "r"(memory) : "memory");
}

TEST_F(Allocation, every_way_to_the_heap_is_counted_in_every_thread)
{
    const auto counted = [](auto&& allocate) {
        const std::size_t before = allocations;
        allocate();
        return allocations - before;
    };
    EXPECT_EQ(counted([] {}), 0u);
    EXPECT_EQ(counted([] { keep(std::malloc(10)); }), 1u);
    EXPECT_EQ(counted([] { keep(std::calloc(10, 10)); }), 1u);
    EXPECT_EQ(counted([] { keep(std::realloc(nullptr, 10)); }), 1u);
    EXPECT_EQ(counted([] { keep(std::aligned_alloc(64, 128)); }), 1u);
    void* memory = nullptr;
    EXPECT_EQ(counted([&] { EXPECT_EQ(posix_memalign(&memory, 64, 128), 0); }), 1u);
    EXPECT_EQ(counted([] { keep(new int); }), 1u);
    EXPECT_EQ(counted([] { keep(new int[10]); }), 1u);
    EXPECT_EQ(counted([] { keep(::operator new (10, std::align_val_t{64}, std::nothrow)); }), 1u);
    std::atomic<bool> go{false};
    std::atomic<bool> done{false};
    std::thread thread([&] {
        while (!go) std::this_thread::yield();
        keep(std::malloc(1000));
        done = true;
    });
    EXPECT_EQ(counted([&] {
                  go = true;
                  while (!done) std::this_thread::yield();
              }),
              1u);
    thread.join();
}

/// Ten thousand agents among walls, with a polygon and a disc that move through them.
std::vector<AgentHandle> fill(World& world)
{
    SeededRandom random(1);
    must(world.add_wall(
        {{{-60.0, -60.0}, {60.0, -60.0}, {60.0, 60.0}, {-60.0, 60.0}}, WallKind::room}));
    for (int i = -2; i <= 2; ++i) {
        for (int j = -2; j <= 2; ++j) {
            const Vec2 p{20.0 * i + 10.0, 20.0 * j + 5.0};
            must(world.add_wall({{p, p + Vec2{2.0, 0.0}, p + Vec2{2.0, 2.0}, p + Vec2{0.0, 2.0}},
                                 WallKind::solid}));
            must(world.add_wall({{p + Vec2{-6.0, 0.0}, p + Vec2{-3.0, 4.0}}, WallKind::thin}));
        }
    }
    must(world.add_body({.outline = {{-50.0, -3.0}, {-46.0, -3.0}, {-46.0, 1.0}, {-50.0, 1.0}},
                         .velocity = {1.0, 0.1}}));
    must(world.add_body(
        {.position = {0.0, 40.0}, .radius = 1.5, .outline = {}, .velocity = {0.2, -1.0}}));
    const auto fast =
        must(world.add_profile({"orca", {{"max_acceleration", 2.0}, {"max_neighbours", 20.0}}}));
    const auto seek = must(world.add_profile({"seek", {}}));
    const auto observing = must(world.add_profile({"rcap", {{"field_of_view_deg", 120.0}}}));
    const auto pushed = must(world.add_profile({"social_force", {{"contact", 1.0}}}));
    std::vector<AgentHandle> handles;
    while (world.size() < 10'000) {
        const Vec2 p{random.uniform(-59.0, 59.0), random.uniform(-59.0, 59.0)};
        AgentSpec spec{.position = p,
                       .goal = random.in_box(59.0),
                       .level = static_cast<std::uint16_t>(random.below(2))};
        spec.profile = random.one_of<ProfileId>({0, 0, observing, fast, seek, pushed});
        if (random.chance(0.1)) spec.traits = {{"radius", random.uniform(0.1, 0.4)}};
        const auto handle = world.add(spec);
        if (handle) handles.push_back(*handle);  // a few fall into a wall
    }
    const Formation formations[] = {Formation::abreast, Formation::v, Formation::leader};
    for (std::size_t i = 0; i + 100 < handles.size(); i += 100) {
        GroupSpec spec{.members = {handles.begin() + static_cast<std::ptrdiff_t>(i),
                                   handles.begin() + static_cast<std::ptrdiff_t>(i + 5)},
                       .formation = formations[i / 100 % 3],
                       .leader = {}};
        if (spec.formation == Formation::leader) spec.leader = spec.members[2];
        must(world.add_group(spec));
    }
    return handles;
}

std::size_t allocations_in_200_steps(World& world, int warm_up)
{
    for (int i = 0; i < warm_up; ++i) world.step();
    StepReport sum;
    const std::size_t before = allocations;
    for (int i = 0; i < 200; ++i) {
        const StepReport report = world.step();
        sum.agents += report.agents;
        sum.wall_contacts += report.wall_contacts;
        sum.infeasible_programs += report.infeasible_programs;
        sum.wall_pushes += report.wall_pushes;
    }
    const std::size_t after = allocations;
    EXPECT_EQ(sum.agents, 200u * world.size());
    EXPECT_GT(sum.wall_contacts, 0u);
    EXPECT_GT(sum.infeasible_programs, 0u);
    EXPECT_GT(sum.wall_pushes, 0u);
    return after - before;
}

TEST_F(Allocation, is_none_in_200_steps_of_10000_agents_on_one_thread)
{
    World world = make_world({.threads = 1});
    fill(world);
    EXPECT_EQ(allocations_in_200_steps(world, 9), 0u);
}

TEST_F(Allocation, is_none_in_200_steps_of_10000_agents_on_two_threads)
{
    World world = make_world({.threads = 2});
    fill(world);
    // oneTBB takes memory when a thread first finds work, which on a busy machine may be late: then
    // it has done so, and the next steps show what ours take.
    const std::size_t taken = allocations_in_200_steps(world, 20);
    if (taken > 0) {
        EXPECT_EQ(allocations_in_200_steps(world, 0), 0u) << "after " << taken;
    }
}

/// A dense crowd of half-plane and cone models with and without filters, of every acceleration
/// mode, with limits across the heading, tempers, shares, and those who wait, between walls and
/// bodies.
void fill_with_character(World& world)
{
    SeededRandom random(3);
    must(world.add_wall({{{-6.5, -6.5}, {6.5, -6.5}, {6.5, 6.5}, {-6.5, 6.5}}, WallKind::room}));
    must(world.add_wall({{{-2.0, 1.0}, {2.0, 1.5}}, WallKind::thin}));
    for (int i = 0; i < 70; ++i)  // more than mode avo samples against
        must(world.add_body({.position = random.in_box(6.0), .radius = 0.1}));
    must(world.add_body({.outline = {{-6.0, -3.0}, {-5.0, -3.0}, {-5.0, 1.0}, {-6.0, 1.0}},
                         .velocity = {0.3, 0.1}}));
    const auto kinds = {"personality", "personality", "rcap", "vo", "rvo", "clearpath"};
    std::vector<AgentHandle> agents;
    while (world.size() < 200) {
        const std::string preset(presets()[random.below(presets().size())].name);
        const ProfileId profile = must(world.add_profile({random.one_of(kinds), {}, preset}));
        const auto agent = world.add(
            {.position = random.in_box(6.0), .goal = random.in_box(6.0), .profile = profile});
        if (!agent) continue;  // a few fall into a wall
        const auto mode = random.one_of({"disc", "clamp", "brake", "avo"});
        must(world.set_trait(*agent, "acceleration_mode", mode));
        if (random.chance(0.3)) must(world.set_trait(*agent, "lateral_acceleration", 0.6));
        if (world.set_trait(*agent, "when_stuck", random.one_of({"least", "wait_clamped", "wait"})))
            must(world.set_trait(*agent, "patience", 0.2));
        (void)world.set_trait(*agent, "chooser", random.one_of({"exact", "sampled"}));
        (void)world.set_trait(*agent, "variant", random.one_of({1.0, 2.0}));
        must(world.set_trait(*agent, "filter", random.one_of({0.0, 0.0, 0.0, 1.0, 2.0})));
        if (!agents.empty()) must(world.set_share(*agent, agents.back(), 0.3));
        agents.push_back(*agent);
    }
}

TEST_F(Allocation, is_none_in_any_acceleration_mode_temper_or_wait)
{
    World world = make_world({.threads = 1});
    fill_with_character(world);
    for (int i = 0; i < 9; ++i) world.step();
    StepReport sum;
    const std::size_t before = allocations;
    for (int i = 0; i < 50; ++i) {
        const StepReport report = world.step();
        sum.waiting += report.waiting;
        sum.acceleration_exceeded += report.acceleration_exceeded;
        sum.neighbour_cap_hits += report.neighbour_cap_hits;
    }
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_GT(sum.waiting, 200u);
    EXPECT_GT(sum.acceleration_exceeded, 0u);
    EXPECT_GT(sum.neighbour_cap_hits, 1000u);
}

TEST_F(Allocation, is_none_when_agents_leave_and_goals_change_between_steps)
{
    World world = make_world({.threads = 1});
    const auto handles = fill(world);
    for (int i = 0; i < 9; ++i) world.step();
    const std::size_t before = allocations;
    for (std::size_t i = 0; i < 30; ++i) {
        for (std::size_t j = 0; j < 200; ++j) {
            const AgentHandle agent = handles[i * 200 + j];
            must(j % 3 == 0 ? world.remove(agent)
                            : world.set_goal(agent, {1.0, static_cast<double>(j)}));
            must(j % 3 == 0 ? Result<void>() : world.set_velocity(agent, {0.5, 0.5}));
        }
        world.step();
        (void)world.state_hash();
        (void)world.columns();
        (void)world.find(static_cast<std::uint32_t>(i));
    }
    EXPECT_EQ(allocations - before, 0u);
}

}  // namespace
}  // namespace sidestep::test
