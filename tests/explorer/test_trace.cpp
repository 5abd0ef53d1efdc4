#include <doctest/doctest.h>

#include "explorer/search/sampling.hpp"
#include "explorer/trace/shorten.hpp"
#include "explorer/trace/trace.hpp"
#include "tests/explorer/tiny_machine.hpp"

namespace lockwood::explorer::tiny {
namespace {

bool leads_to(Machine& machine, const Run& run, const ObservationKey& key) {
  const std::size_t mark = machine.mark();
  bool found = false;
  if (replay(machine, run))
    for (const Observation& observation : observations(machine, {})) found = found || key_of(observation) == key;
  machine.undo(mark);
  return found;
}

// The least number of preemptions on a run to a state that has it, by trying one bound after the other.
std::size_t fewest(const Program& program, const ObservationKey& key) {
  for (std::size_t bound = 0;; ++bound) {
    TinyMachine machine{program};
    SearchOptions options{.order = Order::Preemptions, .reduction = Reduction::None, .max_preemptions = bound};
    const SearchResult result = search(machine, options);
    for (const Finding& finding : result.findings)
      if (key_of(finding.observation) == key) return bound;
    REQUIRE(bound < 20);
  }
}

}  // namespace

TEST_CASE("shortened runs lead to the same finding with fewest preemptions") {
  std::size_t findings = 0;
  std::size_t before = 0;
  std::size_t after = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed, {.instructions = 5});
    if (!brute_force(program, 800).complete) continue;
    CAPTURE(seed);
    CAPTURE(to_text(program));
    TinyMachine machine{program};
    const SearchResult result = search(machine, {.reduction = Reduction::None});
    for (const Finding& finding : result.findings) {
      const ObservationKey key = key_of(finding.observation);
      const Finding shorter = shortened(machine, finding);
      REQUIRE(leads_to(machine, shorter.run, key));
      REQUIRE(key_of(shorter.observation) == key);
      REQUIRE(preemptions(machine, shorter.run) == fewest(program, key));
      ++findings;
      before += preemptions(machine, finding.run);
      after += preemptions(machine, shorter.run);
    }
  }
  MESSAGE("findings ", findings, ", preemptions before ", before, ", after ", after);
  CHECK(findings > 300);
  CHECK(after < before);
}

TEST_CASE("random runs find only what is there, and most of it") {
  std::size_t there = 0;
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed, {.instructions = 6});
    const Truth truth = brute_force(program, 800);
    if (!truth.complete) continue;
    there += truth.observations.size();
    for (Scheduler scheduler : {Scheduler::Random, Scheduler::Priorities}) {
      TinyMachine machine{program};
      const SearchResult result =
          sample(machine, {.scheduler = scheduler, .seed = seed, .runs = 200, .max_depth = 200});
      REQUIRE(!result.is_complete());
      for (const Finding& finding : result.findings) {
        REQUIRE(truth.observations.contains(key_of(finding.observation)));
        REQUIRE(leads_to(machine, finding.run, key_of(finding.observation)));
      }
      found += result.findings.size();
    }
  }
  MESSAGE("there ", there, ", found by two samplers ", found);
  CHECK(found > there);  // of twice as many
}

TEST_CASE("traces are followed by other machines, and only possible ones") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = random_program(seed);
    TinyMachine machine{program};
    const SearchResult result = search(machine, {.max_states = 2000});
    for (const Finding& finding : result.findings) {
      Trace trace = trace_of(machine, finding.run);
      TinyMachine other{program};
      REQUIRE(follow(other, trace) == finding.run);
      trace.push_back({.thread = "nobody", .outcome = 0, .woken = {}});
      TinyMachine third{program};
      REQUIRE(!follow(third, trace));
      REQUIRE(third.mark() == 0);
    }
  }
}

}  // namespace lockwood::explorer::tiny
