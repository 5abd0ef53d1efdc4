#include <doctest/doctest.h>

#include <set>

#include "explorer/search/source_sets.hpp"
#include "explorer/search/value_schedules.hpp"
#include "explorer/trace/trace.hpp"
#include "tests/explorer/tiny_machine.hpp"

namespace lockwood::explorer::tiny {
namespace {

class LastStates final : public Listener {
 public:
  explicit LastStates(const TinyMachine& machine) : machine_{machine} {}
  void visit(const Machine& machine) override {
    if (is_final(machine)) states.insert(machine_.state());
  }
  std::set<State> states;

 private:
  const TinyMachine& machine_;
};

// The first thread starts the others and ends.
Program starting(std::vector<std::vector<Instruction>> threads, std::size_t variables, std::size_t monitors) {
  Program program{.variables = variables, .monitors = monitors, .threads = {{}}};
  for (std::size_t i = 0; i < threads.size(); ++i) program.threads[0].push_back({Op::Start, i + 1});
  for (auto& thread : threads) program.threads.push_back(std::move(thread));
  return program;
}

ValueScheduleResult value_schedules_of(const Program& program) {
  TinyMachine machine{program};
  ControlOracle control{program};
  ValueScheduleOptions options{.match = false};
  options.oracles = {&control};
  return value_schedule_search(machine, options);
}

std::vector<std::vector<Instruction>> philosophers(std::size_t n) {
  std::vector<std::vector<Instruction>> threads;
  for (std::size_t i = 0; i < n; ++i)
    threads.push_back({{Op::Enter, i}, {Op::Enter, (i + 1) % n}, {Op::Exit, (i + 1) % n}, {Op::Exit, i}});
  return threads;
}

struct Compared {
  std::size_t programs = 0;
  std::size_t states = 0;
  std::size_t nodes = 0;
  std::size_t dropped = 0;
  std::size_t matched = 0;
};

// Whether value schedules find what brute force finds: how = what is known of the future, and whether states are
// matched.
bool agrees(const Program& program, const Truth& truth, int knowledge, bool match, const DependenceTable& table,
            Compared& compared) {
  TinyMachine machine{program};
  ControlOracle control{program};
  ExactOracle exact;
  LastStates ends{machine};
  ValueScheduleOptions options{.dependence = table,
                               .listener = &ends,
                               .match = match,
                               .max_states = match ? 100'000U : 20'000U,
                               .max_depth = match ? std::numeric_limits<std::size_t>::max() : 60,
                               .max_path = 7};
  if (knowledge == 1) options.oracles = {&control};
  if (knowledge == 2) options.oracles = {&exact};
  const ValueScheduleResult found = value_schedule_search(machine, options);
  if (!match && !found.search.is_complete()) return true;  // runs that do not end
  ++compared.programs;
  compared.states += truth.states;
  compared.nodes += found.search.counters.states;
  compared.dropped += found.dropped;
  compared.matched += found.search.counters.matched;
  std::set<ObservationKey> observations;
  for (const Finding& finding : found.search.findings) {
    observations.insert(key_of(finding.observation));
    TinyMachine again{program};
    if (!replay(again, finding.run)) return false;
  }
  return found.search.is_complete() && ends.states == truth.finals && observations == truth.observations;
}

void compare(std::uint64_t first, std::uint64_t last, Compared& compared) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const Program program = random_program(seed, {.instructions = 3 + seed % 7});
    const Truth truth = brute_force(program, 2000);
    if (!truth.complete) continue;
    CAPTURE(seed);
    CAPTURE(to_text(program));
    for (int knowledge = 0; knowledge < 3; ++knowledge) {
      if (knowledge == 2 && truth.states > 400) continue;
      for (bool match : {true, false}) {
        CAPTURE(knowledge);
        CAPTURE(match);
        REQUIRE(agrees(program, truth, knowledge, match, DependenceTable::complete(), compared));
      }
    }
  }
}

}  // namespace

TEST_CASE("value schedules find what brute force finds") {
  Compared compared;
  compare(0, 1500, compared);
  MESSAGE("searches ", compared.programs, ", states ", compared.states, ", nodes ", compared.nodes, ", dropped ",
          compared.dropped, ", matched ", compared.matched);
  CHECK(compared.programs > 5000);
  CHECK(compared.dropped > 1000);
  CHECK(compared.matched > 1000);
}

TEST_CASE("value schedules find what brute force finds, on many programs [full]") {
  Compared compared;
  compare(1'000'000, 1'030'000, compared);
}

TEST_CASE("n threads that write one variable have n! value schedules") {
  std::size_t factorial = 1;
  for (std::size_t n = 1; n <= 6; ++n) {
    factorial *= n;
    std::vector<std::vector<Instruction>> threads;
    for (std::size_t i = 0; i < n; ++i) threads.push_back({{Op::Write, 0, 0}});
    const ValueScheduleResult found = value_schedules_of(starting(threads, 1, 0));
    CHECK(found.schedules == factorial);
    CHECK(found.dropped == 0);
  }
}

TEST_CASE("one writer and n readers of a variable have 2^n value schedules") {
  for (std::size_t n = 1; n <= 7; ++n) {
    std::vector<std::vector<Instruction>> threads{{{Op::Write, 0, 0}}};
    for (std::size_t i = 0; i < n; ++i) threads.push_back({{Op::Read, 0, 0}});
    const ValueScheduleResult found = value_schedules_of(starting(threads, 1, 0));
    CHECK(found.schedules == std::size_t{1} << n);
    CHECK(found.dropped == 0);
  }
}

TEST_CASE("n philosophers have 2^n - 2 complete value schedules and one deadlock") {
  for (std::size_t n = 2; n <= 6; ++n) {
    const ValueScheduleResult found = value_schedules_of(starting(philosophers(n), 0, n));
    CAPTURE(n);
    CHECK(found.schedules - found.deadlocked == (std::size_t{1} << n) - 2);
    CHECK(found.deadlocked == 1);
  }
}

// The corrections of the technique: a thread that takes its monitor again competes with others that do, and any
// notification may be the one that wakes it.
TEST_CASE("waits have as many value schedules as source sets have executions") {
  const std::vector<Instruction> waiter{{Op::Enter, 0}, {Op::Wait, 0}, {Op::Exit, 0}};
  const std::vector<Instruction> notifier{{Op::Enter, 0}, {Op::Notify, 0}, {Op::Exit, 0}};
  std::vector<Instruction> twice = notifier;
  twice.insert(twice.end(), notifier.begin(), notifier.end());
  const std::vector<Instruction> guarded{{Op::Enter, 0},      {Op::Read, 0, 0}, {Op::JumpIf, 0, 0, 4},
                                         {Op::Jump, 0, 0, 6}, {Op::Wait, 0},    {Op::Jump, 0, 0, 1},
                                         {Op::Exit, 0}};
  const std::vector<Instruction> sets{
      {Op::Enter, 0}, {Op::Set, 0, 0, 1}, {Op::Write, 0, 0}, {Op::NotifyAll, 0}, {Op::Exit, 0}};
  const Program two_waiters = starting({waiter, waiter, twice}, 1, 1);
  const Program three_notifiers = starting({guarded, sets, sets, sets}, 1, 1);
  for (const Program* program : {&two_waiters, &three_notifiers}) {
    TinyMachine machine{*program};
    const std::size_t executions = source_set_search(machine, {}).executions;
    const ValueScheduleResult found = value_schedules_of(*program);
    CHECK(found.search.is_complete());
    CHECK(found.schedules == executions);
    CHECK(found.schedules - found.deadlocked == (program == &two_waiters ? 20 : 36));
  }
}

// The thread that spins is suspended before its read only if the read has led to something new: nobody ever wakes it.
TEST_CASE("a thread that spins does not hide what others do after they could have ended that") {
  const std::vector<Instruction> spins{{Op::Read, 0, 0}, {Op::JumpIf, 0, 0, 0}};
  const std::vector<Instruction> fails{{Op::Read, 1, 0},  {Op::JumpIf, 0, 0, 5}, {Op::Set, 0, 0, 1},
                                       {Op::Write, 0, 0}, {Op::Jump, 0, 0, 9},   {Op::Set, 0, 0, 1},
                                       {Op::Write, 2, 0}, {Op::Write, 2, 0},     {Op::Assert, 0, 0, 1}};
  const Program program = starting({spins, fails}, 3, 0);
  const Truth truth = brute_force(program, 1000);
  Compared compared;
  CHECK(agrees(program, truth, 1, true, DependenceTable::complete(), compared));
  CHECK(truth.observations.size() == 1);
}

TEST_CASE("value schedules notice a dependence table without one of its entries") {
  const DependenceTable complete = DependenceTable::complete();
  for (const auto& [kind, other] :
       {std::pair{ActionKind::Write, ActionKind::Write}, std::pair{ActionKind::Acquire, ActionKind::Acquire},
        std::pair{ActionKind::Reacquire, ActionKind::Reacquire}}) {
    bool noticed = false;
    Compared compared;
    for (std::uint64_t seed = 0; seed < 10'000 && !noticed; ++seed) {
      const Program program = random_program(seed, {.threads = 4, .instructions = 6, .variables = 1, .monitors = 1});
      const Truth truth = brute_force(program, 1000);
      if (truth.complete) noticed = !agrees(program, truth, 1, true, complete.without(kind, other), compared);
    }
    CHECK(noticed);
  }
}

}  // namespace lockwood::explorer::tiny
