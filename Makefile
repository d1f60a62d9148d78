# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# The commands of everyday work. Each is safe to repeat, installs what it needs first, and says what it does.
# CMake alone works too: cmake --preset dev && cmake --build --preset dev && ctest --preset dev

.DEFAULT_GOAL := build
.PHONY: run test test-full build format lint clean help packages packages-test

CPUS := $(shell nproc 2>/dev/null || echo 2)
SOURCES = $(shell find src include apps examples tests bench -name '*.cpp' -o -name '*.hpp' 2>/dev/null)
PYTHON_SOURCES = $(wildcard tools/*.py tests/*/*.py)

help:  ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

build: packages  ## Build the release; the program is build/release/sidestep
	cmake --preset release -DSIDESTEP_BUILD_TESTS=OFF
	cmake --build --preset release --parallel $(CPUS)

run: build  ## Build the release, evacuate an office of 1,000 people, and report on it: build/evac-1k.html
	build/release/sidestep run evac-1k -o build/evac-1k.sqlite --force
	build/release/sidestep report build/evac-1k.sqlite -o build/evac-1k.html --force

test: packages-test  ## Build the release and run the quick tests (at most 15 minutes on 2 cores)
	cmake --preset release -DSIDESTEP_BUILD_TESTS=ON
	cmake --build --preset release --parallel $(CPUS)
	ctest --test-dir build/release -L quick --no-tests=error --output-on-failure --parallel $(CPUS)

test-full:  ## Sanitizers in debug builds, clang, every instruction set, long tests (at most 60 minutes)
	scripts/install_packages.sh build test test-full
	scripts/test_full.sh

format:  ## Format all C++ sources
	scripts/install_packages.sh format
	clang-format-14 -i $(SOURCES)

lint:  ## Check format, layers, Python style; clang-tidy over what the dev build compiles
	scripts/install_packages.sh build test format lint
	clang-format-14 --dry-run -Werror $(SOURCES)
	/usr/bin/python3 tools/check_layers.py .
	/usr/bin/python3 -m flake8 $(PYTHON_SOURCES)
	cmake --preset dev
	cmake --build --preset dev --target sidestep_write_version
	run-clang-tidy-14 -quiet -p build/dev -j $(CPUS) '^$(CURDIR)/(src|apps|examples)/'

clean:  ## Remove everything that was built
	rm -rf build

packages:
	scripts/install_packages.sh build

packages-test:
	scripts/install_packages.sh build test
