// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/machine.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>
#endif

namespace sidestep {

namespace {

/// A chain of additions, one cycle each on any x86-64 processor of the last twenty years: from a
/// register, because the newest ones fold additions of constants. Returns how many were made.
std::uint64_t add_for_a_while()
{
    constexpr std::uint64_t kRounds = 400'000;
    std::uint64_t sum = 0;
#if defined(__x86_64__)
    const std::uint64_t one = 1;
    for (std::uint64_t i = 0; i < kRounds; ++i) {
        __asm__ volatile(
            "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
            "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
            "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
            "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
            : "+r"(sum)
            : "r"(one));
    }
#endif
    return sum;
}

#if defined(__linux__)

/// Cycles of the calling thread outside of the kernel.
class CycleCounter {
public:
    CycleCounter()
    {
        perf_event_attr attributes;
        std::memset(&attributes, 0, sizeof attributes);
        attributes.size = sizeof attributes;
        attributes.type = PERF_TYPE_HARDWARE;
        attributes.config = PERF_COUNT_HW_CPU_CYCLES;
        attributes.exclude_kernel = 1;
        attributes.exclude_hv = 1;
        file_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
    }
    ~CycleCounter()
    {
        if (file_ >= 0) close(file_);
    }
    CycleCounter(const CycleCounter&) = delete;
    CycleCounter& operator=(const CycleCounter&) = delete;

    std::optional<std::uint64_t> read() const
    {
        std::uint64_t count = 0;
        if (file_ < 0 || ::read(file_, &count, sizeof count) != sizeof count) return std::nullopt;
        return count;
    }

private:
    int file_ = -1;
};

#endif

}  // namespace

double cpu_seconds()
{
#if defined(__linux__)
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#else
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double resident_bytes()
{
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
#if defined(__linux__)
    std::ifstream file("/proc/self/statm");
    double all = 0.0, resident = 0.0;
    if (file >> all >> resident) return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
#endif
    return 0.0;
}

ProcessorTimes processor_times()
{
    ProcessorTimes times;
#if defined(__linux__)
    // user nice system idle iowait irq softirq steal; what guests use is part of user and nice.
    std::ifstream file("/proc/stat");
    std::string word;
    double values[8] = {};
    if (!(file >> word) || word != "cpu") return times;
    for (double& value : values) {
        if (!(file >> value)) return times;
        times.all += value;
    }
    const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    times.busy = (times.all - values[3] - values[4]) * tick;
    times.all *= tick;
    times.known = true;
#endif
    return times;
}

double used_by_others(const ProcessorTimes& before, double cpu_before)
{
    const ProcessorTimes now = processor_times();
    const double all = now.all - before.all;
    if (!before.known || !now.known || !(all > 0.0)) return 0.0;
    const double own = cpu_seconds() - cpu_before;
    return std::clamp((now.busy - before.busy - own) / all, 0.0, 1.0);
}

Frequency measure_frequency()
{
    // The fastest of a few looks: the others were interrupted.
    double chained = 0.0, counted = 0.0;
#if defined(__linux__)
    const CycleCounter counter;
#endif
    for (int look = 0; look < 3; ++look) {
#if defined(__linux__)
        const auto cycles_before = counter.read();
#endif
        const double before = cpu_seconds();
        const auto cycles = static_cast<double>(add_for_a_while());
        const double seconds = cpu_seconds() - before;
        if (!(seconds > 0.0)) continue;
        chained = std::max(chained, cycles / seconds * 1e-9);
#if defined(__linux__)
        const auto cycles_after = counter.read();
        if (cycles_before && cycles_after) {
            counted = std::max(
                counted, static_cast<double>(*cycles_after - *cycles_before) / seconds * 1e-9);
        }
#endif
    }
    if (counted > 0.0) return {counted, "perf_event"};
    if (chained > 0.0) return {chained, "a loop of dependent additions"};
    return {};
}

double clock_cost()
{
    constexpr int kReadings = 2000;
    double best = 1.0;
    for (int look = 0; look < 5; ++look) {
        const auto begin = std::chrono::steady_clock::now();
        auto end = begin;
        for (int i = 0; i < kReadings; ++i) end = std::chrono::steady_clock::now();
        best = std::min(best, std::chrono::duration<double>(end - begin).count() / kReadings);
    }
    return best;
}

std::string processor_name()
{
#if defined(__linux__)
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
#endif
    return "unknown";
}

std::string system_name()
{
#if defined(__linux__)
    utsname name{};
    if (uname(&name) == 0) return std::string(name.sysname) + ' ' + name.machine;
#endif
    return "unknown";
}

double load_average()
{
    double load = 0.0;
#if defined(__linux__)
    std::ifstream("/proc/loadavg") >> load;
#endif
    return load;
}

bool BenchMachine::busy() const
{
    return known && std::max(others_before, others) > kBusy;
}

BenchMachine look_at_machine(double seconds)
{
    BenchMachine machine;
    machine.processor = processor_name();
    machine.system = system_name();
    machine.hardware_threads = std::thread::hardware_concurrency();
    const Frequency frequency = measure_frequency();
    machine.gigahertz = frequency.gigahertz;
    machine.frequency_from = frequency.from;
    machine.load_before = machine.load_after = load_average();
    const ProcessorTimes before = processor_times();
    const double cpu_before = cpu_seconds();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    machine.others_before = machine.others = used_by_others(before, cpu_before);
    machine.known = before.known;
    return machine;
}

}  // namespace sidestep
