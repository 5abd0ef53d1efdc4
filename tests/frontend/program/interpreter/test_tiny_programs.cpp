#include <doctest/doctest.h>

#include <map>
#include <set>

#include "explorer/search/search.hpp"
#include "explorer/search/source_sets.hpp"
#include "explorer/search/value_schedules.hpp"
#include "explorer/search/wakeup_trees.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/interpreter/futures.hpp"
#include "frontend/program/interpreter/machine.hpp"

// Programs of a few lines whose verdicts are known: what each way of searching must say about them.
namespace lockwood::program {
namespace {

using Values = std::vector<Integer>;

struct TinyCase {
  const char* name;
  std::string text;
  std::set<std::string> races;  // variables
  bool deadlock = false;
  bool assertion = false;
  bool exception = false;
  std::optional<std::set<Values>> finals;  // of all variables, after a normal end; none: not told
  bool ends = true;                        // every run does
};

// main spawns one thread for each body.
std::string threads(const std::string& declarations, const std::vector<std::string>& bodies) {
  std::string text = declarations + "\nproc main() {";
  for (std::size_t i = 0; i < bodies.size(); ++i) text += " spawn t" + std::to_string(i) + "();";
  text += " }\n";
  for (std::size_t i = 0; i < bodies.size(); ++i) text += "proc t" + std::to_string(i) + "() { " + bodies[i] + " }\n";
  return text;
}

std::vector<TinyCase> cases() {
  const std::set<Values> all_four{{1, 1}, {1, 2}, {2, 1}, {2, 2}};
  const std::string x_y_d = "var x, y, d;";
  return {
      {.name = "1: increments",
       .text = threads("var x;", {"x = x + 1;", "x = x + 1;"}),
       .races = {"x"},
       .finals = {{{1}, {2}}}},
      {.name = "2: increments under a lock",
       .text = threads("var x; lock m;", {"sync (m) { x = x + 1; }", "sync (m) { x = x + 1; }"}),
       .races = {},
       .finals = {{{2}}}},
      {.name = "3: increments under two locks",
       .text = threads("var x; lock a, b;", {"sync (a) { x = x + 1; }", "sync (b) { x = x + 1; }"}),
       .races = {"x"},
       .finals = {{{1}, {2}}}},
      {.name = "4: write against write decides",
       .text =
           threads(x_y_d, {"local p; local q; y = 1; x = 1; if (d == 1) { p = x; q = y; assert(!(p == 1 && q == 2)); }",
                           "y = 2; x = 2; d = 1;"}),
       .races = {"d", "x", "y"},
       .assertion = true},
      {.name = "5: two writes each",
       .text = threads("var x, y;", {"x = 1; y = 1;", "x = 2; y = 2;"}),
       .races = {"x", "y"},
       .finals = all_four},
      {.name = "6: the notifier is started by the waiter",
       .text = "var x, y; lock m;\nproc main() { spawn h(); spawn c(); }\n"
               "proc h() { if (y == 1) { spawn n(); sync (m) { wait(m); } assert(x == 1); } }\n"
               "proc c() { y = 1; x = 1; }\nproc n() { sync (m) { notify(m); } }\n",
       .races = {"x", "y"},
       .deadlock = true,
       .assertion = true},
      {.name = "8: wait, then read",
       .text = threads("var x, y, p, q; lock m;",
                       {"sync (m) { wait(m); } p = y; q = x;", "y = 1; x = 1; sync (m) { notify(m); }"}),
       .races = {},
       .deadlock = true,
       .finals = {{{1, 1, 1, 1}}}},
      {.name = "10: a lost notification",
       .text = threads("lock m;", {"sync (m) { wait(m); }", "sync (m) { notify(m); }"}),
       .races = {},
       .deadlock = true,
       .finals = std::set<Values>{Values{}}},
      {.name = "11: wait in a loop",
       .text =
           threads("var f; lock m;", {"sync (m) { while (f == 0) { wait(m); } }", "sync (m) { f = 1; notify(m); }"}),
       .races = {},
       .finals = {{{1}}}},
      {.name = "12: the wrong thread is notified",
       .text = threads("var x, y; lock m;",
                       {"sync (m) { while (x == 0) { wait(m); } }", "sync (m) { while (y == 0) { wait(m); } }",
                        "sync (m) { x = 1; notify(m); }", "sync (m) { y = 1; notify(m); }"}),
       .races = {},
       .deadlock = true,
       .finals = {{{1, 1}}}},
      {.name = "12: all are notified",
       .text = threads("var x, y; lock m;",
                       {"sync (m) { while (x == 0) { wait(m); } }", "sync (m) { while (y == 0) { wait(m); } }",
                        "sync (m) { x = 1; notifyAll(m); }", "sync (m) { y = 1; notifyAll(m); }"}),
       .races = {},
       .finals = {{{1, 1}}}},
      {.name = "13: two locks in two orders",
       .text = threads("lock a, b;", {"sync (a) { sync (b) { skip; } }", "sync (b) { sync (a) { skip; } }"}),
       .races = {},
       .deadlock = true},
      {.name = "14: below a common lock",
       .text = threads("lock a, b, g;", {"sync (g) { sync (a) { sync (b) { skip; } } }",
                                         "sync (g) { sync (b) { sync (a) { skip; } } }"}),
       .races = {}},
      {.name = "15: three locks in a cycle",
       .text = threads("lock a, b, g;", {"sync (a) { sync (b) { skip; } }", "sync (b) { sync (g) { skip; } }",
                                         "sync (g) { sync (a) { skip; } }"}),
       .races = {},
       .deadlock = true},
      {.name = "16: two of the three below a common lock",
       .text = threads("lock a, b, g, k;",
                       {"sync (k) { sync (a) { sync (b) { skip; } } }", "sync (k) { sync (b) { sync (g) { skip; } } }",
                        "sync (g) { sync (a) { skip; } }"}),
       .races = {}},
      {.name = "17: a lock that is held already",
       .text = "var x; lock m;\nproc main() { spawn f(); spawn f(); }\nproc f() { sync (m) { g(); } }\n"
               "proc g() { sync (m) { x = x + 1; } }\n",
       .races = {},
       .finals = {{{2}}}},
      {.name = "18: a flag without a lock",
       .text = threads("var d, f;", {"d = 1; f = 1;", "while (f == 0) { skip; } assert(d == 1);"}),
       .races = {"f"},
       .finals = {{{1, 1}}},
       .ends = false},
      {.name = "23: an exception leaves the lock",
       .text = threads("var x; lock m;", {"sync (m) { throw; }", "sync (m) { x = 1; }"}),
       .races = {},
       .exception = true},
      {.name = "30: waiting while another lock is held",
       .text = threads("lock a, b;", {"sync (a) { sync (b) { wait(b); } }", "sync (a) { sync (b) { notify(b); } }"}),
       .races = {},
       .deadlock = true,
       .finals = std::set<Values>{}},
      {.name = "31: if instead of while",
       .text = "var n; lock m;\nproc main() { spawn p(); spawn c(); spawn c(); }\n"
               "proc p() { sync (m) { n = n + 1; notifyAll(m); } }\n"
               "proc c() { sync (m) { if (n == 0) { wait(m); } n = n - 1; assert(n >= 0); } }\n",
       .races = {},
       .deadlock = true,
       .assertion = true},
      {.name = "36: a choice divides",
       .text =
           "var q;\nproc main() { local k; choose { k = 0; } or { k = 1; } or { k = 2; } or { k = 3; } q = 6 / k; }\n",
       .races = {},
       .exception = true,
       .finals = {{{6}, {3}, {2}}}},
      {.name = "37: old",
       .text = threads("var f, h;", {"if (f == 1) { skip; }", "f = 1; f = 0; assert(h == 0);"}),
       .races = {"f"}},
      {.name = "37: new",
       .text = threads("var f, h;", {"if (f == 1) { h = 1; }", "f = 1; f = 0; assert(h == 0);"}),
       .races = {"f", "h"},
       .assertion = true},
      {.name = "38: old",
       .text = threads("var e; lock a, b;", {"skip;", "if (e == 1) { sync (a) { sync (b) { skip; } } }",
                                             "if (e == 1) { sync (b) { sync (a) { skip; } } }"}),
       .races = {},
       .finals = {{{0}}}},
      {.name = "38: new",
       .text = threads("var e; lock a, b;", {"e = 1;", "if (e == 1) { sync (a) { sync (b) { skip; } } }",
                                             "if (e == 1) { sync (b) { sync (a) { skip; } } }"}),
       .races = {"e"},
       .deadlock = true}};
}

// Values of the variables where all threads have ended.
class NormalEnds final : public explorer::Listener {
 public:
  explicit NormalEnds(const ProgramMachine& machine) : machine_{machine} {}
  void visit(const explorer::Machine& machine) override {
    for (const explorer::ThreadView& thread : machine.threads())
      if (thread.status != explorer::ThreadStatus::Ended && thread.status != explorer::ThreadStatus::Absent) return;
    Values values;
    for (Variable variable : machine_.program().variables.keys()) values.push_back(machine_.value(variable));
    found.insert(std::move(values));
  }
  std::set<Values> found;

 private:
  const ProgramMachine& machine_;
};

void check(const TinyCase& tiny, const ProgramMachine& machine, const explorer::SearchResult& result,
           const NormalEnds& ends) {
  CHECK(result.is_complete());
  std::set<std::string> races;
  bool deadlock = false;
  bool assertion = false;
  bool exception = false;
  for (const explorer::Finding& finding : result.findings) {
    if (const auto* race = std::get_if<explorer::Race>(&finding.observation))
      races.insert(machine.program().variables[Variable{race->first.action.object}].name);
    if (std::holds_alternative<explorer::Deadlock>(finding.observation)) deadlock = true;
    if (const auto* failed = std::get_if<explorer::ThreadFailure>(&finding.observation))
      (failed->failure == explorer::Failure::Assertion ? assertion : exception) = true;
  }
  CHECK(races == tiny.races);
  CHECK(deadlock == tiny.deadlock);
  CHECK(assertion == tiny.assertion);
  CHECK(exception == tiny.exception);
  if (tiny.finals) CHECK(ends.found == *tiny.finals);
}

}  // namespace

TEST_CASE("tiny programs have their verdicts in every complete mode") {
  using namespace explorer;
  for (const TinyCase& tiny : cases()) {
    CAPTURE(tiny.name);
    const lw::ProgramText source = lw::read_program(tiny.text, "tiny.lw");
    for (Order order : {Order::DepthFirst, Order::BreadthFirst, Order::Preemptions}) {
      for (int knowledge = 0; knowledge < 3; ++knowledge) {
        CAPTURE(static_cast<int>(order));
        CAPTURE(knowledge);
        ProgramMachine machine{source.program};
        FutureOracle futures{machine};
        NormalEnds ends{machine};
        SearchOptions options{.order = order, .listener = &ends};
        if (knowledge == 0) options.reduction = Reduction::None;
        if (knowledge == 2) options.oracles = {&futures};
        check(tiny, machine, search(machine, options), ends);
      }
    }
    for (bool knows : {false, true}) {
      CAPTURE(knows);
      ProgramMachine machine{source.program};
      FutureOracle futures{machine};
      NormalEnds ends{machine};
      ValueScheduleOptions options{.listener = &ends};
      if (knows) options.oracles = {&futures};
      check(tiny, machine, value_schedule_search(machine, options).search, ends);
    }
    if (!tiny.ends) continue;
    for (const auto executions : {source_set_search, wakeup_tree_search}) {
      ProgramMachine machine{source.program};
      NormalEnds ends{machine};
      check(tiny, machine, executions(machine, {.listener = &ends}).search, ends);
    }
  }
}

TEST_CASE("tiny programs have as many executions as they should") {
  const std::map<std::string, std::size_t> known{{"1:", 4}, {"2:", 2}, {"5:", 4}};
  for (const TinyCase& tiny : cases()) {
    const auto count = known.find(std::string{tiny.name}.substr(0, 2));
    if (count == known.end()) continue;
    const lw::ProgramText source = lw::read_program(tiny.text, "tiny.lw");
    ProgramMachine machine{source.program};
    const explorer::SourceSetResult found = wakeup_tree_search(machine, {});
    CAPTURE(tiny.name);
    CHECK(found.executions == count->second);
    CHECK(found.redundant == 0);
  }
}

TEST_CASE("a lock that is common to all leaves no choice below it") {
  for (const TinyCase& tiny : cases()) {
    if (std::string{tiny.name}.substr(0, 3) != "14:" && std::string{tiny.name}.substr(0, 2) != "2:") continue;
    const lw::ProgramText source = lw::read_program(tiny.text, "tiny.lw");
    ProgramMachine machine{source.program};
    FutureOracle futures{machine};
    explorer::SearchOptions options;
    options.oracles = {&futures};
    CAPTURE(tiny.name);
    CHECK(search(machine, options).counters.choices <= 1);  // who takes the lock first
  }
}

TEST_CASE("a thread that counts for ever does not keep others from failing") {
  const std::string text =
      "var x, z;\nproc main() { spawn counts(); spawn divides(); }\n"
      "proc counts() { local i = 0; while (true) { i = i + 1; } }\nproc divides() { z = 1 / x; }\n";
  const lw::ProgramText source = lw::read_program(text, "endless.lw");
  for (explorer::Order order : {explorer::Order::DepthFirst, explorer::Order::BreadthFirst}) {
    ProgramMachine machine{source.program, {.invisible_instructions = 1000}};
    FutureOracle futures{machine};
    explorer::SearchOptions options{.order = order, .max_states = 200};
    options.oracles = {&futures};
    const explorer::SearchResult result = search(machine, options);
    REQUIRE(result.findings.size() == 1);
    CHECK(std::get<explorer::ThreadFailure>(result.findings[0].observation).failure == explorer::Failure::Exception);
    CHECK(!result.is_complete());
    CHECK(to_text(result.omissions) == std::vector<std::string>{"max states"});
  }
}

TEST_CASE("by value schedules, too, a thread that counts for ever does not keep others from failing") {
  for (const char* counter : {"local i = 0; while (true) { i = i + 1; }", "while (true) { n = n + 1; }"}) {
    const std::string text = std::string{"var x, z, n;\nproc main() { spawn counts(); spawn divides(); }\n"} +
                             "proc counts() { " + counter + " }\nproc divides() { z = 1 / x; }\n";
    const lw::ProgramText source = lw::read_program(text, "endless.lw");
    ProgramMachine machine{source.program, {.invisible_instructions = 1000}};
    FutureOracle futures{machine};
    explorer::ValueScheduleOptions options{.max_states = 20};
    options.oracles = {&futures};
    const explorer::SearchResult result = value_schedule_search(machine, options).search;
    REQUIRE(result.findings.size() == 1);
    CHECK(std::get<explorer::ThreadFailure>(result.findings[0].observation).failure == explorer::Failure::Exception);
    CHECK(to_text(result.omissions) == std::vector<std::string>{"max states"});
  }
}

TEST_CASE("bounds of the machine are named when they are met") {
  const lw::ProgramText deep = lw::read_program("var x;\nproc main() { f(); }\nproc f() { x = 1; f(); }\n", "deep.lw");
  ProgramMachine recursion{deep.program, {.frames = 50}};
  const explorer::SearchResult first = search(recursion, {});
  CHECK(to_text(first.omissions) == std::vector<std::string>{"stack depth"});
  const lw::ProgramText wide =
      lw::read_program("proc main() { while (true) { spawn f(); } }\nproc f() { skip; }\n", "wide.lw");
  ProgramMachine spawning{wide.program, {.threads = 20}};
  const explorer::SearchResult second = search(spawning, {});
  CHECK(to_text(second.omissions) == std::vector<std::string>{"threads"});
  CHECK(!second.is_complete());
}

}  // namespace lockwood::program
