#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# test_full.sh [STAGE...]
# The long half of the tests. Each stage is named by what it catches; the first that fails ends the run. With names, runs
# these stages only.
set -euo pipefail
cd "$(dirname "$0")/.."

cpus=$(nproc)
began=$SECONDS

stage() {
    echo
    echo "== $* (minute $(((SECONDS - began) / 60))) =="
}

# Of a build that fails, what the compiler said about it.
build() {  # PRESET [TARGET...]
    local preset=$1 log
    shift
    cmake --preset "$preset" -DSIDESTEP_BUILD_TESTS=ON >/dev/null
    log=build/$preset/test_full_build.log
    if cmake --build --preset "$preset" --parallel "$cpus" ${*:+--target "$@"} >"$log" 2>&1; then
        tail -n 1 "$log"
    else
        grep -A 12 -E '^FAILED|error:' "$log" | tail -n 100
        exit 1
    fi
}

# Everything but the summary goes to a log: a hundred lines of "Passed" hide the one that counts.
check() {  # PRESET CTEST-OPTION...
    local preset=$1 log
    shift
    log=build/$preset/test_full.log
    if ctest --test-dir "build/$preset" --no-tests=error --output-on-failure --parallel "$cpus" "$@" >"$log" 2>&1; then
        grep 'tests passed' "$log"
    else
        tail -n 200 "$log"
        exit 1
    fi
}

# What exercises the engine: checks of the source tree and of the installed package are the same in every build, and the largest
# samples, which take most of the time, look for wrong numbers: the optimised builds of both compilers run them.
smaller=(-E '^(tools|install)\.|1000_steps|1000_random_worlds|10000_agents|MixedCrowd')

memory() {
    stage "asan: memory errors, undefined behaviour, broken promises; goldens of a debug build"
    build asan
    check asan -L quick "${smaller[@]}|that_close_a_gap|are_refused_with_every_problem|ThreadCount"
}

races() {
    stage "tsan: data races"
    # Only what runs on several threads: the rest could find nothing, and takes the most time here.
    build tsan test_recording test_analysis golden_{cones,forces,orca,people,vehicles}_golden_test scenario_journeys_test \
        scenario_shipped_scenes_test property_{invariance,walls,bodies,edit,explain,thread_count}_test
    check tsan -L quick "${smaller[@]}" -R \
        '\.(Invariance|Walls|Bodies|Levels|Ranks|Edits|Explain|Host|ConesGolden|ForcesGolden|OrcaGolden|PeopleGolden|VehiclesGolden|ThreadCount|FrameQueue|RecorderTest|H5WriterTest|Analyze|Journeys|Events|Sources|Simulations)\.|ShippedScene'
}

clang() {
    stage "clang: another compiler gives the same bits, and no warnings"
    build clang
    # What runs whole scenes is made of the same code, and takes most of the time.
    check clang -L quick -R '^(unit|golden|property)\.' "${smaller[@]}"
}

# The test programs make their worlds with the instruction set in SIDESTEP_ISA.
instruction_sets() {
    local isa flag best
    build release
    best=$(build/release/sidestep --version | sed -n 's/.*instruction sets: \([a-z0-9]*\).*/\1/p')
    for isa in scalar:fpu sse4:sse4_2 avx2:avx2 avx3:avx512vl; do
        flag=${isa#*:}
        isa=${isa%:*}
        stage "kernels for $isa: every instruction set gives the same bits"
        if [ "$isa" = "$best" ]; then
            echo "left out: the quick tests ran with it"
        elif grep -qw "$flag" /proc/cpuinfo; then
            # Goldens compare all sets by themselves; these are the tests whose oracle is not another run.
            SIDESTEP_ISA=$isa check release -L quick \
                -R '^(golden|examples)\.|^property\.(Invariance|Walls|Bodies|ConeSteps|Crowd|ModelContract|Neighbours|.*Lanes)' \
                "${smaller[@]}"
        else
            echo "left out: this processor has no $isa"
        fi
    done
}

scalar() {
    stage "scalar: a build without wide kernels gives the same bits"
    build scalar golden_{cones,forces,orca,people,vehicles}_golden_test  # the stage before ran all tests with the scalar kernels
    check scalar -L quick -R '^golden\.'
}

long() {
    stage "long: long scenarios and large random samples"
    build release
    if ctest --test-dir build/release -N -L long | grep -q 'Total Tests: 0'; then
        echo "there are no long tests"
    else
        check release -L long
    fi
}

if [ $# -eq 0 ]; then
    set -- memory races clang instruction_sets scalar long
fi
for name in "$@"; do
    "$name"
done
echo
echo "All stages passed in $(((SECONDS - began + 59) / 60)) minutes."
