#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "frontend/lw/program_text.hpp"
#include "frontend/program/interpreter/ariadne.hpp"
#include "frontend/program/interpreter/exploration.hpp"

namespace lockwood::program {
namespace {

using explorer::ActionKind;

// The points of a procedure that access a variable.
std::vector<Sites::Location> accesses(const Program& program, const std::string& procedure, const std::string& variable,
                                      ActionKind kind) {
  std::vector<Sites::Location> places;
  for (ProcedureId id : program.procedures.keys()) {
    if (program.procedures[id].name != procedure) continue;
    for (Point point : program.procedures[id].points.keys()) {
      const Instruction& instruction = program.procedures[id].points[point].instruction;
      const auto* read = std::get_if<Read>(&instruction);
      const auto* write = std::get_if<Write>(&instruction);
      const bool fits =
          (read != nullptr && kind == ActionKind::Read && program.variables[read->variable].name == variable) ||
          (write != nullptr && kind == ActionKind::Write && program.variables[write->variable].name == variable);
      if (fits) places.push_back({id, point});
    }
  }
  REQUIRE(!places.empty());
  return places;
}

lw::ProgramText program_text(const std::string& text) { return lw::read_program(text, "test.lw"); }

}  // namespace

TEST_CASE("values decide whether two accesses that may be parallel are") {
  // The flag is set under the lock before the data is written, and the reader looks at it: no race, though no lock is
  // held at the accesses. With the flag set too early, there is one.
  const auto program_with = [](const std::string& writer) {
    return program_text(
        "var flag, data; lock m;\nproc main() { spawn writer(); reader(); }\nproc writer() { " + writer +
        " }\nproc reader() { local ready; local got; sync (m) { ready = flag; } if (ready == 1) { got = data; } }\n");
  };
  const lw::ProgramText right = program_with("data = 7; sync (m) { flag = 1; }");
  const lw::ProgramText wrong = program_with("sync (m) { flag = 1; } data = 7;");
  for (const auto* source : {&right, &wrong}) {
    const Program& program = source->program;
    const Settlement settled = settle(program, {accesses(program, "writer", "data", ActionKind::Write),
                                                accesses(program, "reader", "data", ActionKind::Read)});
    if (source == &right) {
      CHECK(settled.verdict == Settled::Excluded);
      CHECK(!settled.run);
      continue;
    }
    REQUIRE(settled.verdict == Settled::Executed);
    CHECK(settled.run->preemptions == 2);  // away from main, and back
    CHECK(settled.run->steps.back().kind == ActionKind::Release);
    ProgramMachine machine{program};
    CHECK(follow(machine, settled.run->trace));
  }
}

TEST_CASE("what a bound leaves out is possible, with the nearest place") {
  const lw::ProgramText source = program_text(
      "var n, x;\nproc main() { spawn other(); n = 0; while (n != 1000000) { n = n + 1; } x = 1; }\n"
      "proc other() { x = 2; }\n");
  const Settlement settled = settle(source.program,
                                    {accesses(source.program, "main", "x", ActionKind::Write),
                                     accesses(source.program, "other", "x", ActionKind::Write)},
                                    {.max_states = 500});
  CHECK(settled.verdict == Settled::Possible);
  CHECK(settled.omissions.states);
  REQUIRE(settled.nearest);
  CHECK(*settled.nearest > 0);
  CHECK(!settled.nearest_threads.empty());
}

TEST_CASE("a deadlock is settled by the places where threads wait") {
  const lw::ProgramText source = program_text(
      "var e; lock a, b;\nproc main() { spawn f(); g(); }\nproc f() { sync (a) { sync (b) { skip; } } }\n"
      "proc g() { local k; k = e; if (k == 1) { sync (b) { sync (a) { skip; } } } }\n");
  const lw::ProgramText open = program_text(
      "var e = 1; lock a, b;\nproc main() { spawn f(); g(); }\nproc f() { sync (a) { sync (b) { skip; } } }\n"
      "proc g() { local k; k = e; if (k == 1) { sync (b) { sync (a) { skip; } } } }\n");
  for (const auto* each : {&source, &open}) {
    std::vector<std::vector<Sites::Location>> ends;
    for (ProcedureId id : each->program.procedures.keys())
      for (const MonitorRegion& region : each->program.procedures[id].regions)
        if (region.parent) ends.push_back({{id, region.enter}});
    REQUIRE(ends.size() == 2);
    const Settlement settled = settle(each->program, ends, {.condition = SiteTarget::Condition::Deadlocked});
    CHECK(settled.verdict == (each == &source ? Settled::Excluded : Settled::Executed));
    if (settled.run)
      for (const RunEnd& thread : settled.run->threads) CHECK(thread.holds.size() == 1);
  }
}

TEST_CASE("a place where nothing visible happens is reached, and its run is one of the program") {
  const lw::ProgramText source = program_text(
      "var x; lock m;\nproc main() { local k; spawn f(); k = x; if (k == 1) { k = 7; } if (k == 2) { k = 8; } }\n"
      "proc f() { sync (m) { sync (m) { x = 1; } } }\n");
  std::vector<Sites::Location> sevens;
  std::vector<Sites::Location> eights;
  const ProcedureId main = source.program.main;
  for (Point point : source.program.procedures[main].points.keys()) {
    const auto* assign = std::get_if<Assign>(&source.program.procedures[main].points[point].instruction);
    if (assign == nullptr) continue;
    const auto value = evaluate(assign->value, std::vector<Integer>(source.program.procedures[main].locals.size()));
    if (value == 7) sevens.push_back({main, point});
    if (value == 8) eights.push_back({main, point});
  }
  REQUIRE(sevens.size() == 1);
  REQUIRE(eights.size() == 1);
  const Settlement reached = settle(source.program, {sevens});
  REQUIRE(reached.verdict == Settled::Executed);
  ProgramMachine machine{source.program};
  CHECK(follow(machine, reached.run->trace));
  for (const RunStep& step : reached.run->steps)
    CHECK(step.at.point.index() < source.program.procedures[step.at.procedure].points.size());
  CHECK(settle(source.program, {eights}).verdict == Settled::Excluded);
  // Entering a lock again is invisible, too.
  std::size_t inner = 0;
  for (ProcedureId id : source.program.procedures.keys()) {
    for (const MonitorRegion& region : source.program.procedures[id].regions) {
      if (!region.parent) continue;
      ++inner;
      const std::vector<Sites::Location> enter{{id, region.enter}};
      CHECK(settle(source.program, {enter}).verdict == Settled::Executed);
    }
  }
  CHECK(inner == 1);
}

TEST_CASE("every strategy finds a race of two increments") {
  const lw::ProgramText source = program_text("var x;\nproc main() { spawn f(); f(); }\nproc f() { x = x + 1; }\n");
  for (Strategy strategy : {Strategy::DepthFirst, Strategy::BreadthFirst, Strategy::Preemptions, Strategy::Ariadne,
                            Strategy::ValueSchedules, Strategy::Random, Strategy::Priorities}) {
    const Exploration found = explore(source.program, {.strategy = strategy, .runs = 100});
    CHECK(found.findings.size() == 2);  // read and write, write and write
    CHECK(found.is_complete() == (strategy != Strategy::Random && strategy != Strategy::Priorities));
    for (const ExploredFinding& finding : found.findings) CHECK(finding.run.preemptions <= 1);
  }
}

TEST_CASE("who is far on one path to a race is kept running with who is far on the other one") {
  const lw::ProgramText source = program_text(
      "var x, y;\nproc main() { spawn left(); spawn right(); spawn apart(); }\n"
      "proc left() { f(); }\nproc right() { g(); }\nproc apart() { h(); }\n"
      "proc f() { y = 1; x = 1; }\nproc g() { y = 2; x = 2; }\nproc h() { y = 3; }\n");
  const Program& program = source.program;
  ProgramMachine machine{program};
  const auto x_left = accesses(program, "f", "x", ActionKind::Write);
  const auto x_right = accesses(program, "g", "x", ActionKind::Write);
  AriadneGuide guide{machine, {{x_left.front(), x_right.front()}}};
  for (int i = 0; i < 3; ++i) REQUIRE(!machine.step({explorer::ThreadId{0}, 0}));
  std::map<std::string, explorer::ThreadId> named;
  for (std::size_t i = 0; i < machine.threads().size(); ++i)
    if (machine.threads()[i].enabled) named.emplace(machine.name(explorer::ThreadId{i}), explorer::ThreadId{i});
  const auto priority = [&](std::size_t node, const char* name) {
    return guide.priority(machine, node, named.at(name));
  };
  // Nobody has run: all are alike.
  CHECK(priority(0, "main.3") == priority(0, "main.1"));
  const auto before = priority(0, "main.1");
  guide.reached(0, named.at("main.1"), 1);
  CHECK(priority(1, "main.3") == before);  // on none
  CHECK(priority(1, "main.1") == before);  // its own steps do not count
  // Nor if it is on both paths.
  AriadneGuide both{machine, {{x_left.front(), x_left.front()}}};
  CHECK(both.priority(machine, 0, named.at("main.1")) == before);
  both.reached(0, named.at("main.1"), 1);
  CHECK(both.priority(machine, 1, named.at("main.1")) == before);
  // On the other path: half of the one, half of the other.
  CHECK(before - priority(1, "main.2") == 250'000);
}

TEST_CASE("runs tell values, locks and who wakes whom") {
  const lw::ProgramText source = program_text(
      "var f; lock m;\nproc main() { spawn w(); sync (m) { f = 5; notify(m); } }\n"
      "proc w() { local k; sync (m) { while (f == 0) { wait(m); } k = f; } assert(k != 5); }\n");
  const Exploration found = explore(source.program);
  CHECK(found.is_complete());
  REQUIRE(found.findings.size() == 1);
  CHECK(std::holds_alternative<explorer::ThreadFailure>(found.findings[0].observation));
  const NarratedRun& run = found.findings[0].run;
  CHECK(run.preemptions == 0);
  bool wrote = false;
  for (const RunStep& step : run.steps)
    if (step.kind == ActionKind::Write) {
      wrote = true;
      CHECK(step.thread == "main");
      CHECK(step.value == 5);
    }
  CHECK(wrote);
  REQUIRE(run.threads.size() == 2);
  CHECK(run.threads[1].thread == "main.1");
  CHECK(run.threads[1].status == explorer::ThreadStatus::Failed);
}

TEST_CASE("all programs of models/ are explored, and none is called complete after a bound") {
  const std::filesystem::path models = std::filesystem::path{LOCKWOOD_SOURCE_DIR} / "models";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{models})
    if (entry.path().extension() == ".lw") paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    std::ifstream file{path};
    std::stringstream text;
    text << file.rdbuf();
    const lw::ProgramText source = lw::read_program(text.str(), path.string());
    const Exploration found = explore(source.program, {.max_states = 3'000, .shortening_states = 200});
    MESSAGE(path.filename().string(), ": states ", found.counters.states, ", findings ", found.findings.size(),
            std::string{found.is_complete() ? ", complete" : ", not complete"});
    CHECK(found.is_complete() == to_text(found.omissions).empty());
    CHECK((found.is_complete() || found.counters.states >= 3'000 || found.omissions.bounds[0] ||
           found.omissions.bounds[1]));
    for (const ExploredFinding& finding : found.findings) {
      ProgramMachine machine{source.program};
      CHECK(follow(machine, finding.run.trace));
    }
  }
}

}  // namespace lockwood::program
