// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What one core of this machine can do at most: how fast it reads and writes columns that fit into
// no cache, and how many additions and multiplications of eight lanes it does when nothing has to
// be waited for. docs/performance.md holds a step against both.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "micro/roofline.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <cstddef>

#include "base/column.hpp"
#include "world/agent_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<float, kLeafRows>;

/// out = a + b: two columns are read, one is written.
void add_columns(const float* a, const float* b, float* out, std::size_t count)
{
    const Wide d;
    for (std::size_t i = 0; i < count; i += hn::Lanes(d))
        hn::Store(hn::Load(d, a + i) + hn::Load(d, b + i), d, out + i);
}

/// Rounds of six additions and six multiplications that do not wait for each other, on as many
/// lanes as a vector has. Returns something of all, so that they are made.
float multiply_and_add(std::size_t rounds)
{
    const Wide d;
    const auto factor = hn::Set(d, 0.999f), step = hn::Set(d, 0.001f);
    auto a = hn::Iota(d, 0.0f), b = hn::Iota(d, 1.0f), c = hn::Iota(d, 2.0f);
    auto e = hn::Iota(d, 3.0f), f = hn::Iota(d, 4.0f), g = hn::Iota(d, 5.0f);
    for (std::size_t i = 0; i < rounds; ++i) {
        a = a * factor + step;
        b = b * factor + step;
        c = c * factor + step;
        e = e * factor + step;
        f = f * factor + step;
        g = g * factor + step;
    }
    return hn::GetLane(a + b + c + e + f + g);
}

std::size_t lanes()
{
    return hn::Lanes(Wide());
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <benchmark/benchmark.h>

#include <string>

#include "simd/isa.hpp"

namespace sidestep {
HWY_EXPORT(add_columns);
HWY_EXPORT(multiply_and_add);
HWY_EXPORT(lanes);

namespace bench {
namespace {

/// Far above the last cache.
constexpr std::size_t kNumbers = std::size_t{64} << 20;

void memory(benchmark::State& state)
{
    Column<float> a, b, out;
    for (Column<float>* column : {&a, &b, &out}) {
        if (!column->reserve(kNumbers)) return state.SkipWithError("no memory");
        column->resize(kNumbers, 1.0f);
    }
    const auto add = kernel_for(HWY_DISPATCH_TABLE(add_columns), available_isas().front());
    for (auto _ : state) {
        add(a.data(), b.data(), out.data(), kNumbers);
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(3 * sizeof(float) * kNumbers) *
                            state.iterations());
}
BENCHMARK(memory)->Unit(benchmark::kMillisecond);

void arithmetic(benchmark::State& state, Isa isa)
{
    constexpr std::size_t kRounds = 1 << 16;
    const auto run = kernel_for(HWY_DISPATCH_TABLE(multiply_and_add), isa);
    for (auto _ : state) benchmark::DoNotOptimize(run(kRounds));
    const double operations =
        12.0 * kRounds * static_cast<double>(kernel_for(HWY_DISPATCH_TABLE(lanes), isa)());
    state.counters["operations/s"] = benchmark::Counter(
        operations * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

const bool registered = [] {
    for (const Isa isa : available_isas())
        benchmark::RegisterBenchmark(("arithmetic/" + std::string(to_string(isa))).c_str(),
                                     arithmetic, isa);
    return true;
}();

}  // namespace
}  // namespace bench
}  // namespace sidestep
#endif
