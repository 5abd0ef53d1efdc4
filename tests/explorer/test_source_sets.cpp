#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "explorer/search/source_sets.hpp"
#include "explorer/search/value_schedules.hpp"
#include "explorer/search/wakeup_trees.hpp"
#include "explorer/trace/trace.hpp"
#include "tests/explorer/tiny_machine.hpp"

namespace lockwood::explorer::tiny {
namespace {

class EndStates final : public Listener {
 public:
  explicit EndStates(const TinyMachine& machine) : machine_{machine} {}
  void visit(const Machine& machine) override {
    if (is_final(machine)) states.insert(machine_.state());
  }
  std::set<State> states;

 private:
  const TinyMachine& machine_;
};

// The first thread starts the others and ends.
Program started(std::vector<std::vector<Instruction>> threads, std::size_t variables, std::size_t monitors) {
  Program program{.variables = variables, .monitors = monitors, .threads = {{}}};
  for (std::size_t i = 0; i < threads.size(); ++i) program.threads[0].push_back({Op::Start, i + 1});
  for (auto& thread : threads) program.threads.push_back(std::move(thread));
  return program;
}

using Search = SourceSetResult (*)(Machine&, const SourceSetOptions&);

SourceSetResult executions_of(const Program& program) {
  TinyMachine machine{program};
  SourceSetResult result = source_set_search(machine, {});
  TinyMachine again{program};
  const SourceSetResult optimal = wakeup_tree_search(again, {});
  CHECK(optimal.executions == result.executions);
  CHECK(optimal.redundant == 0);
  CHECK(optimal.search.is_complete());
  return result;
}

template <class Test>
bool has(const Program& program, Test test) {
  return std::ranges::any_of(program.threads, [&](const auto& code) { return std::ranges::any_of(code, test); });
}
bool may_start_twice(const Program& program) {
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    std::size_t starts = thread == 0 ? 1 : 0;
    for (const auto& code : program.threads)
      for (const Instruction& each : code) starts += each.op == Op::Start && each.object == thread ? 1U : 0U;
    if (starts > 1) return true;
  }
  return false;
}

struct Tally {
  std::size_t compared = 0;
  std::size_t counted = 0;
  std::size_t executions = 0;
  std::size_t redundant = 0;
};

void compare(Search search, std::uint64_t first, std::uint64_t last, Tally& tally) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const Program program = random_program(seed, {.instructions = 3 + seed % 5});
    const Truth truth = brute_force(program, 1500);
    if (!truth.complete) continue;
    TinyMachine machine{program};
    EndStates ends{machine};
    const SourceSetResult found = search(machine, {.listener = &ends, .max_depth = 60, .max_executions = 3000});
    if (!found.search.is_complete()) continue;
    ++tally.compared;
    tally.executions += found.executions;
    // Where data is chosen, another outcome of a step in a tree may be one that others stand for.
    const bool chooses = has(program, [](const Instruction& each) { return each.op == Op::Choose; });
    tally.redundant += chooses && search == wakeup_tree_search ? 0 : found.redundant;
    CAPTURE(seed);
    CAPTURE(to_text(program));
    std::set<ObservationKey> observations;
    for (const Finding& finding : found.search.findings) {
      observations.insert(key_of(finding.observation));
      TinyMachine again{program};
      REQUIRE(replay(again, finding.run));
    }
    // The same classes are counted by another algorithm, which tells second starts from joins less well.
    if (search == wakeup_tree_search && !may_start_twice(program)) {
      ++tally.counted;
      REQUIRE(value_schedule_search(machine, {.match = false}).schedules == found.executions);
    }
    REQUIRE(ends.states == truth.finals);
    REQUIRE(observations == truth.observations);
  }
}

}  // namespace

TEST_CASE("source sets find what brute force finds, if all runs end") {
  Tally tally;
  compare(source_set_search, 0, 3000, tally);
  MESSAGE("programs ", tally.compared, ", executions ", tally.executions, ", given up ", tally.redundant);
  CHECK(tally.compared > 2000);
}

TEST_CASE("wakeup trees find what brute force finds, if all runs end, and give nothing up") {
  Tally tally;
  compare(wakeup_tree_search, 0, 3000, tally);
  MESSAGE("programs ", tally.compared, ", executions ", tally.executions, ", given up ", tally.redundant);
  CHECK(tally.compared > 2000);
  CHECK(tally.redundant == 0);
  CHECK(tally.counted > 1000);
}

TEST_CASE("wakeup trees find what brute force finds, on many programs [full]") {
  Tally tally;
  compare(wakeup_tree_search, 1'000'000, 1'050'000, tally);
  MESSAGE("programs ", tally.compared, ", executions ", tally.executions, ", given up ", tally.redundant);
  CHECK(tally.redundant == 0);
}

TEST_CASE("n threads that write one variable have n! executions") {
  std::size_t factorial = 1;
  for (std::size_t n = 1; n <= 5; ++n) {
    factorial *= n;
    std::vector<std::vector<Instruction>> threads;
    for (std::size_t i = 0; i < n; ++i) threads.push_back({{Op::Write, 0, 0}});
    CHECK(executions_of(started(threads, 1, 0)).executions == factorial);
  }
}

TEST_CASE("one writer and n readers of a variable have 2^n executions") {
  for (std::size_t n = 1; n <= 6; ++n) {
    std::vector<std::vector<Instruction>> threads{{{Op::Write, 0, 0}}};
    for (std::size_t i = 0; i < n; ++i) threads.push_back({{Op::Read, 0, 0}});
    CHECK(executions_of(started(threads, 1, 0)).executions == std::size_t{1} << n);
  }
}

TEST_CASE("n philosophers have 2^n - 2 complete executions and one deadlock") {
  for (std::size_t n = 2; n <= 5; ++n) {
    std::vector<std::vector<Instruction>> threads;
    for (std::size_t i = 0; i < n; ++i)
      threads.push_back({{Op::Enter, i}, {Op::Enter, (i + 1) % n}, {Op::Exit, (i + 1) % n}, {Op::Exit, i}});
    const SourceSetResult found = executions_of(started(threads, 0, n));
    std::size_t deadlocks = 0;
    for (const Finding& finding : found.search.findings)
      deadlocks += std::holds_alternative<Deadlock>(finding.observation) ? 1U : 0U;
    CAPTURE(n);
    CHECK(found.executions == (std::size_t{1} << n) - 1);
    CHECK(deadlocks == 2);  // the cycle, and the final state
  }
}

TEST_CASE("increments without and with a lock have 4 and 2 executions") {
  const std::vector<Instruction> increment{{Op::Read, 0, 0}, {Op::Add, 0, 0, 1}, {Op::Write, 0, 0}};
  std::vector<Instruction> locked = increment;
  locked.insert(locked.begin(), {Op::Enter, 0});
  locked.push_back({Op::Exit, 0});
  CHECK(executions_of(started({increment, increment}, 1, 1)).executions == 4);
  CHECK(executions_of(started({locked, locked}, 1, 1)).executions == 2);
}

}  // namespace lockwood::explorer::tiny
