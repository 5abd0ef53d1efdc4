# `make demo` and `make check` do everything from a fresh clone on Debian 12: packages, configuration, build, run.
# The build itself is CMake's (CMakePresets.json); this file only names the usual jobs.
.DEFAULT_GOAL := help
.PHONY: help programs demo check check-full build install package bench asan tsan coverage fuzz mutants hunt same-bytes nightly format lint clean

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=
LOCKWOOD := build/release/frontend/lockwood
SPACE := $(subst ,, )
SOURCES = $(shell git ls-files '*.cpp' '*.hpp')

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 18

build:  ## build everything, optimised, in build/release
	@.ci/setup build
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --parallel $(JOBS)

programs:  ## build lockwood and lockwood-verify only
	@.ci/setup build
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --parallel $(JOBS) --target lockwood lockwood-verify

demo: programs  ## build the programs, then answer the questions of an example model
	@.ci/demo $(LOCKWOOD)

check: build  ## build, then run the whole test suite; of random tests, as many models as take minutes
	-@.ci/setup test
	@ctest --preset release --label-exclude full --parallel $(JOBS)

check-full: build  ## the same, with the long random tests
	@ctest --preset release --parallel $(JOBS)

install: build  ## install to PREFIX (/usr/local), below DESTDIR if that is given
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)" --strip

package: build  ## make Debian packages and a tarball in build/release/packages
	@.ci/setup package
	@cd build/release && cpack

bench:  ## measure, and print one table; GROUPS="a g" chooses, see bench/run.py
	@.ci/setup build bench
	@cmake --preset release --log-level=WARNING -DLOCKWOOD_BENCH=ON
	@cmake --build --preset release --parallel $(JOBS) --target lockwood solver_bench
	@python3 bench/run.py $(LOCKWOOD) --inside build/release/bench/solver_bench --groups "$(or $(GROUPS),abcdefghi)"

SUITES ?= quick
asan: PRESET = asan  ## run the quick tests under the address and undefined-behaviour sanitizers; SUITES=all or SUITES="cli …": these
tsan: PRESET = tsan  ## the same under the thread sanitizer
coverage: PRESET = coverage  ## run the same tests, and print how much of each source they have run
ifeq ($(SUITES),quick)
  SUITE_TARGETS = quick_tests
  SUITE_TESTS = --label-regex quick
else ifeq ($(SUITES),all)
  SUITE_TARGETS = all
  SUITE_TESTS = --label-exclude full
else
  SUITE_TARGETS = $(filter test_%,$(SUITES)) $(if $(filter-out test_%,$(SUITES)),lockwood lockwood-verify)
  SUITE_TESTS = --tests-regex '^($(subst $(SPACE),|,$(strip $(SUITES))))$$'
endif
asan tsan coverage:
	@.ci/setup build $(filter coverage,$@)
	@cmake --preset $(PRESET) --log-level=WARNING
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target $(SUITE_TARGETS)
	@find build/$(PRESET) -name '*.gcda' -delete
	@ctest --preset $(PRESET) --parallel $(JOBS) $(SUITE_TESTS)
	@$(if $(filter coverage,$@),gcovr --root . --object-directory build/coverage --filter '(base|dpn|treeauto|solver|verify|explorer|jvm|frontend)/' -j $(JOBS))

FUZZ = $(patsubst tests/fuzz/%.cpp,%,$(wildcard tests/fuzz/fuzz_*.cpp))
fuzz:  ## run each fuzz target for FOR=60 seconds; TARGETS="fuzz_dpn …": only these
	@.ci/setup build fuzz
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz --parallel $(JOBS) --target $(or $(TARGETS),$(FUZZ))
	@.ci/fuzz $(or $(FOR),60) $(TARGETS)

mutants: build  ## break the engine and the verifier on purpose, and tell which tests notice
	@python3 tests/mutants.py --jobs $(JOBS)

hunt: build  ## compare VERDICTS=1000000 verdicts on random models with brute force; SEED=N: other models
	@build/release/tests/oracle/oracle_hunt --seed $(or $(SEED),$(shell date +%Y%m%d)) --verdicts $(or $(VERDICTS),1000000)

same-bytes: build  ## make a debug build, too, and compare what both print, byte by byte
	@cmake --preset debug --log-level=WARNING
	@cmake --build --preset debug --parallel $(JOBS) --target lockwood
	@LOCKWOOD_OTHER=build/debug/frontend/lockwood python3 tests/e2e/reliability_test.py $(LOCKWOOD) . Determinism

nightly: check-full same-bytes hunt fuzz mutants  ## all that takes too long for every change

format:  ## lay out all sources by .clang-format
	@.ci/setup lint
	@clang-format -i $(SOURCES)

lint:  ## check the layout, and all sources by cppcheck and clang-tidy
	@.ci/setup build lint
	@clang-format --dry-run -Werror $(SOURCES)
	@cmake --preset lint --log-level=WARNING
	@cppcheck --std=c++20 --language=c++ --enable=warning,performance,portability --inline-suppr --quiet -j $(JOBS) \
	  --error-exitcode=1 --suppressions-list=.cppcheck -I . $(filter-out tests/%,$(filter %.cpp,$(SOURCES)))
	@.ci/tidy build/lint --jobs $(JOBS)

clean:  ## remove all that was built
	@rm -rf build
