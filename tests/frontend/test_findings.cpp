#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/random.hpp"
#include "dpn/explore.hpp"
#include "dpn/replay.hpp"
#include "frontend/findings/def_use.hpp"
#include "frontend/findings/difference.hpp"
#include "frontend/findings/exact_run.hpp"
#include "frontend/findings/flow_ends.hpp"
#include "frontend/findings/flows.hpp"
#include "frontend/findings/guards.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/findings/races.hpp"
#include "frontend/findings/separation.hpp"
#include "frontend/findings/suppressions.hpp"
#include "frontend/lw/program_text.hpp"
#include "tests/frontend/naive_values.hpp"
#include "tests/frontend/random_program.hpp"

namespace lockwood::findings {
namespace {

struct Subject {
  lw::ProgramText source;
  program::Lowered lowered;
  [[nodiscard]] const program::Program& program() const { return source.program; }
};

Subject subject(const std::string& text) {
  lw::ProgramText source = lw::read_program(text, "test.lw");
  program::Lowered lowered = program::lower(source.program);
  return {std::move(source), std::move(lowered)};
}

constexpr lw::RandomProgramShape small{
    .procedures = 2, .statements = 5, .nesting = 2, .variables = 2, .locks = 2, .spawns = 2};

dpn::Query conflict_query(const program::Lowered& lowered, const Conflict& conflict) {
  dpn::QueryStep step;
  step.positions = {access(lowered, conflict.first).before, access(lowered, conflict.second).before};
  return {.form = dpn::QueryForm::Conflict, .steps = {step}, .expected = {}, .at = {}};
}

// Threads that pass values on from one variable to another, some of it while holding a lock.
std::string random_transfers(std::uint64_t seed) {
  Random random{seed};
  const auto variable = [&] { return "x" + std::to_string(random.below(3)); };
  const auto statements = [&] {
    std::string text;
    for (std::size_t blocks = 1 + random.below(2); blocks > 0; --blocks) {
      const bool locked = random.percent(60);
      if (locked) text += random.percent(50) ? "sync (a) { " : "sync (b) { ";
      for (std::size_t count = 1 + random.below(2); count > 0; --count)
        text += variable() + " = " + (random.percent(75) ? variable() : "0") + "; ";
      if (locked) text += "} ";
    }
    return text;
  };
  return "var x0, x1, x2; lock a, b; proc main() { spawn t(); " + statements() +
         (random.percent(50) ? "u(); } " : "spawn u(); } ") + "proc t() { " + statements() + "} proc u() { " +
         statements() + "}";
}

// Before these uses.
std::vector<Sink> sinks(const std::vector<AccessId>& uses) {
  std::vector<Sink> found;
  for (AccessId use : uses) found.push_back({use});
  return found;
}

std::vector<Source> sources(const std::vector<AccessId>& definitions) {
  std::vector<Source> found;
  for (AccessId definition : definitions) found.push_back({definition});
  return found;
}

std::vector<AccessId> accesses(const program::Lowered& lowered, program::AccessKind kind) {
  std::vector<AccessId> found;
  for (std::size_t i = 0; i < lowered.accesses.size(); ++i)
    if (lowered.accesses[i].kind == kind && !lowered.accesses[i].before.empty()) found.emplace_back(i);
  return found;
}

// How flows were answered that the reference decides, too.
struct FlowTally {
  std::size_t found = 0;
  std::size_t excluded = 0;

  // Compares an answer with the reference. Whether it has a schedule, which replays.
  bool count(const Subject& it, const FlowAnswer& answer, bool expected) {
    if (answer.verdict == dpn::Verdict::Unknown) {
      CHECK(answer.bound_reached);
      return false;
    }
    CHECK((answer.verdict == dpn::Verdict::Reachable) == expected);
    ++(expected ? found : excluded);
    if (!answer.schedule) return false;
    CHECK_FALSE(dpn::replay(it.lowered.network, answer.schedule->moves, dpn::Semantics::LockSensitive).error);
    return true;
  }
};

}  // namespace

TEST_CASE("the races of random programs are the conflicts that exploration reaches") {
  std::size_t racing = 0;
  std::size_t apart = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    const auto verdicts = decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive);
    CHECK(verdicts.undecided.empty());
    for (const auto& [list, verdict] :
         {std::pair{&verdicts.racing, dpn::Verdict::Reachable}, std::pair{&verdicts.apart, dpn::Verdict::Unreachable}})
      for (const Conflict& conflict : *list) {
        const auto answer =
            dpn::explore_query(it.lowered.network, conflict_query(it.lowered, conflict), {.configurations = 20'000});
        if (answer.verdict == dpn::Verdict::Unknown) continue;
        CHECK(answer.verdict == verdict);
        ++(verdict == dpn::Verdict::Reachable ? racing : apart);
      }
  }
  CHECK(racing > 50);
  CHECK(apart > 50);
}

namespace {

// Two threads that read and write four variables, some of them under a lock.
std::string program_with_accesses(std::uint64_t seed) {
  Random random{seed};
  std::string body;
  for (int i = 0; i < 6; ++i) {
    const std::string statement = fmt::format("x{} = x{}; ", random.below(4), random.below(4));
    body += random.below(2) == 0 ? statement : fmt::format("sync (a{}) {{ {}}} ", random.below(2), statement);
  }
  return "var x0, x1, x2, x3; lock a0, a1; proc main() { spawn t(); t(); } proc t() { " + body + "}";
}

}  // namespace

TEST_CASE("groups of variables have all conflicts, and the verdicts that all of them have together") {
  std::size_t divided = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = program_with_accesses(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    std::vector<Conflict> all;
    std::vector<Conflict> racing;
    const std::vector<AccessGroup> groups = access_groups(it.lowered, {}, 1 + seed % 8);
    if (groups.size() > 1) ++divided;
    for (const AccessGroup& group : groups) {
      const std::vector<Conflict> some = conflicts(it.lowered, group);
      CHECK(some.size() == group.conflicts);
      all.insert(all.end(), some.begin(), some.end());
      const auto verdicts = decide(it.lowered.network, it.lowered, some, dpn::Semantics::LockSensitive);
      racing.insert(racing.end(), verdicts.racing.begin(), verdicts.racing.end());
    }
    std::ranges::sort(all);
    std::ranges::sort(racing);
    CHECK(all == conflicts(it.lowered));
    const auto together = decide(it.lowered.network, it.lowered, all, dpn::Semantics::LockSensitive);
    CHECK(racing == together.racing);
    CHECK(decide_all(it.lowered).racing == racing);
    CHECK(decide_all(it.lowered).apart == together.apart);
  }
  CHECK(divided > 100);
}

TEST_CASE("every race of a program without branches on values is executed with real values") {
  std::size_t executed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(text);
    const Subject it = subject(text);
    for (const Conflict& race :
         decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive).racing) {
      const auto answer = solver::solve(it.lowered.network, conflict_problem(it.lowered, race));
      REQUIRE(answer.witness);
      CHECK(can_execute(it.program(), it.lowered, answer.witness->schedule));
      ++executed;
    }
  }
  CHECK(executed > 50);
}

TEST_CASE("values decide whether a schedule can be executed") {
  const auto certain = [](const std::string& text) {
    const Subject it = subject(text);
    const auto races =
        decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive).racing;
    REQUIRE(races.size() == 1);
    const auto answer = solver::solve(it.lowered.network, conflict_problem(it.lowered, races.front()));
    return can_execute(it.program(), it.lowered, answer.witness->schedule);
  };
  const std::string head = "var x, y = 3; proc main() { spawn t(2); x = 1; } ";
  CHECK(certain(head + "proc t(n) { if (y > n) { x = 2; } }"));
  CHECK_FALSE(certain(head + "proc t(n) { if (y < n) { x = 2; } }"));
  CHECK(certain(head + "proc t(n) { if (f(n) == 4) { x = 2; } } proc f(n) { return n * 2; }"));
  CHECK_FALSE(certain(head + "proc t(n) { if (f(n) == 5) { x = 2; } } proc f(n) { return n * 2; }"));
  CHECK(certain(head + "proc t(n) { try { n = n / (n - 2); } catch { x = 2; } }"));
  CHECK_FALSE(certain(head + "proc t(n) { try { n = n / (n - 1); } catch { x = 2; } }"));
  CHECK_FALSE(certain(head + "proc t(n) { assert(n > 2); x = 2; }"));
}

TEST_CASE("def-use pairs are those of the definition, with locks and without") {
  std::size_t feasible = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    for (dpn::Semantics semantics : {dpn::Semantics::LockSensitive, dpn::Semantics::LockInsensitive})
      for (program::Variable variable : it.program().variables.keys()) {
        const auto expected = reference::def_use_pairs(it.lowered, variable, semantics, 5'000);
        if (!expected) continue;
        for (AccessId definition : definitions(it.lowered, variable)) {
          const DefinitionQuestion question{it.lowered, definition};
          for (const ReachedUse& reached : question.reached(semantics).uses) {
            const auto known = expected->find({definition, reached.use});
            const reference::Reached wanted = known == expected->end() ? reference::Reached{} : known->second;
            CAPTURE(access(it.lowered, definition).ordinal);
            CAPTURE(access(it.lowered, reached.use).ordinal);
            CHECK(reached.by_same == wanted.by_same);
            CHECK(reached.by_other == wanted.by_other);
            ++(wanted == reference::Reached{} ? infeasible : feasible);
            if (semantics == dpn::Semantics::LockInsensitive) continue;
            for (Reader reader : {Reader::Same, Reader::Other}) {
              const auto answer = question.witness(reached.use, reader);
              CHECK((answer.verdict == dpn::Verdict::Reachable) == reached.by(reader));
              if (!answer.witness) continue;
              const auto replayed = dpn::replay(it.lowered.network, answer.witness->schedule.moves, semantics);
              CHECK_FALSE(replayed.error);
              CHECK(answer.witness->schedule.cuts.size() == 2);
            }
          }
        }
      }
  }
  CHECK(feasible > 100);
  CHECK(infeasible > 100);
}

TEST_CASE("flows are those of the definition") {
  FlowTally tally;
  std::size_t longest = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const std::string text = random_transfers(seed);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    for (AccessId source : accesses(it.lowered, program::AccessKind::Write)) {
      for (AccessId sink : accesses(it.lowered, program::AccessKind::Read)) {
        const auto expected = reference::flows(it.program(), it.lowered, {{source}}, {sink}, 3'000);
        if (!expected) continue;
        const FlowAnswer answer =
            find_flow(it.program(), it.lowered, {Source{source}}, {Sink{sink}}, {.max_transfers = 3, .max_chains = 20});
        CAPTURE(access(it.lowered, source).ordinal);
        CAPTURE(access(it.lowered, sink).ordinal);
        if (!tally.count(it, answer, *expected)) continue;
        longest = std::max(longest, answer.chain->transfers.size());
      }
    }
  }
  CHECK(tally.found > 50);
  CHECK(tally.excluded > 50);
  CHECK(longest >= 2);
}

TEST_CASE("values in locals are followed as exactly as those in variables") {
  FlowTally tally;
  std::size_t through_locals = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = lw::random_carriers(seed);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    Random random{seed};
    const auto uses = accesses(it.lowered, program::AccessKind::Read);
    if (uses.empty()) continue;
    for (std::size_t i = 0; i < 4; ++i) {
      const program::LoweredLabel& from = it.lowered.labels[random.below(it.lowered.labels.size())];
      const AccessId use = uses[random.below(uses.size())];
      const auto all_sources = flow_sources(it.program(), it.lowered, from);
      if (!all_sources) continue;
      reference::Origins origins{{}, places_of(it.program(), it.lowered, from)};
      for (const Source& source : *all_sources)
        if (source.places.empty()) origins.sources.push_back(source.definition);
      const auto expected = reference::flows(it.program(), it.lowered, origins, {use}, 20'000);
      if (!expected) continue;
      const FlowAnswer answer =
          find_flow(it.program(), it.lowered, *all_sources, sinks({use}), {.max_transfers = 3, .max_chains = 30});
      CAPTURE(from.name);
      CAPTURE(access(it.lowered, use).range.begin.line);
      CAPTURE(access(it.lowered, use).range.begin.column);
      if (!tally.count(it, answer, *expected)) continue;
      if (!answer.chain->source.places.empty()) ++through_locals;
    }
  }
  CHECK(tally.found > 40);
  CHECK(tally.excluded > 40);
  CHECK(through_locals > 5);
}

TEST_CASE("what a frame writes is what the same frame has read") {
  // The inner call of copy reads nothing of interest, and the outer one writes y only after it is printed.
  const std::string text = R"(
    var x, y;
    proc main() { x = 42; copy(true); }
    proc copy(bool outer) { y = x + inner(outer); }
    proc inner(bool outer) { if (outer) { x = 0; copy(false); print(y); } return 0; })";
  const Subject it = subject(text);
  const auto by_place = [&](const std::string& variable, program::AccessKind kind) {
    std::vector<AccessId> found;
    for (AccessId id : accesses(it.lowered, kind))
      if (it.program().variables[access(it.lowered, id).variable].name == variable) found.push_back(id);
    return found;
  };
  const auto writes = by_place("x", program::AccessKind::Write);  // x = 42, x = 0
  const auto prints = by_place("y", program::AccessKind::Read);
  REQUIRE(writes.size() == 2);
  CHECK(find_flow(it.program(), it.lowered, {Source{writes[0]}}, sinks(prints)).verdict == dpn::Verdict::Unreachable);
  CHECK(find_flow(it.program(), it.lowered, {Source{writes[1]}}, sinks(prints)).verdict == dpn::Verdict::Reachable);
}

TEST_CASE("values go through locals, parameters and results, of one thread or to one that it starts") {
  // Of the only write of x to the only read of y.
  const auto flow = [](const std::string& text) {
    const Subject it = subject("var x, y; lock a; " + text);
    std::vector<AccessId> source;
    for (AccessId id : definitions(it.lowered, program::Variable{0})) source.push_back(id);
    std::vector<AccessId> uses;
    for (AccessId id : accesses(it.lowered, program::AccessKind::Read))
      if (access(it.lowered, id).variable == program::Variable{1}) uses.push_back(id);
    REQUIRE(source.size() == 1);
    REQUIRE(uses.size() == 1);
    const FlowAnswer answer = find_flow(it.program(), it.lowered, sources(source), sinks(uses));
    if (answer.schedule)
      CHECK_FALSE(dpn::replay(it.lowered.network, answer.schedule->moves, dpn::Semantics::LockSensitive).error);
    return answer.verdict == dpn::Verdict::Reachable;
  };
  CHECK(flow("proc main() { x = 1; local i = x; y = i; print(y); }"));
  CHECK(flow("proc main() { x = 1; y = get(); print(y); } proc get() { return x; }"));
  CHECK(flow("proc main() { x = 1; put(x); print(y); } proc put(n) { local m = n + 1; y = m; }"));
  CHECK(flow("proc main() { x = 1; spawn put(x); print(y); } proc put(n) { y = n; }"));
  CHECK(flow("proc main() { x = 1; local i; sync (a) { i = x; } sync (a) { y = i; } print(y); }"));
  CHECK(flow("proc main() { x = 1; bool b = x > 0 && true; y = b; print(y); }"));
  CHECK(!flow("proc main() { x = 1; local i = x; local j; y = j; print(y); }"));
  CHECK(!flow("proc main() { x = 1; y = f(x); print(y); } proc f(n) { return 0; }"));
  CHECK(!flow("proc main() { local i = x; x = 1; y = i; print(y); }"));
  // What is overwritten is lost, also by a result; not by one that never comes.
  CHECK(!flow("proc main() { x = 1; local i = x; i = 0; y = i; print(y); }"));
  CHECK(!flow("proc main() { x = 1; local i = x; i = f(); y = i; print(y); } proc f() { return 0; }"));
  CHECK(
      flow("proc main() { x = 1; local i = x; try { i = f(); } catch { } y = i; print(y); }"
           "proc f() { if (*) { throw; } return 0; }"));
  CHECK(flow("proc main() { x = 1; local i = x; try { i = 1 / 0; } catch { } y = i; print(y); }"));
  CHECK(flow("proc main() { x = 1; local i; try { i = 1 / x; } catch { } y = i; print(y); }"));
  // Of the two calls only one is given the value, and its result goes elsewhere.
  CHECK(!flow("proc main() { x = 1; local i = id(x); local j = id(0); y = j; print(y); } proc id(n) { return n; }"));
  CHECK(flow("proc main() { x = 1; local i = id(x); local j = id(0); y = i; print(y); } proc id(n) { return n; }"));
  CHECK(flow("proc main() { x = 1; y = id(id(x)); print(y); } proc id(n) { sync (a) { sync (a) { return n; } } }"));
  // A local of each frame of its own.
  CHECK(
      !flow("proc main() { x = 1; r(true); } proc r(bool top) { local i;"
            "if (top) { i = x; r(false); } else { y = i; print(y); } }"));
  CHECK(
      flow("proc main() { x = 1; r(true); } proc r(bool top) { local i;"
           "if (top) { i = x; r(false); y = i; print(y); } }"));
  // Given up and taken again.
  CHECK(flow("proc main() { x = 1; local i; sync (a) { i = x; wait(a); y = i; } print(y); }"));
  // An operator that branches passes on what it looks at, and nothing else is done because of it.
  CHECK(flow("proc main() { x = 1; bool b = x && *; y = b; print(y); }"));
  CHECK(!flow("proc main() { x = 1; y = f(x && *) + 2; print(y); } proc f(n) { return 0; }"));
  CHECK(!flow("proc main() { x = 1; bool b; try { b = x && 1 / 0; } catch { } b = *; y = b; print(y); }"));
  // The thread that has read never writes, and gives nothing to the one that does.
  const std::string reader_or_writer =
      "proc t(bool reads) { local i; if (reads) { i = x; while (true) { skip; } } y = i; print(y); }";
  CHECK(!flow("proc main() { x = 1; spawn t(true); spawn t(false); }" + reader_or_writer));
  CHECK(
      flow("proc main() { x = 1; bool b = *; spawn t(b); }"
           "proc t(bool reads) { local i; if (reads) { i = x; } y = i; print(y); }"));
}

TEST_CASE("locks that the model ignores are held where the program holds them") {
  const Subject it = subject(R"(
    var x, y; lock a, b;
    proc main() { spawn t(); sync (a) { x = 1; pause(); y = 1; } }
    proc t() { sync (a) { x = 2; } sync (b) { y = 2; } }
    proc pause() { wait(a); })");
  CHECK(ignored_locks(it.lowered) == std::vector{dpn::Lock{0}});
  const ConflictVerdicts verdicts = decide_all(it.lowered);
  for (const Conflict& race : verdicts.racing) CHECK(access(it.lowered, race.first).variable == program::Variable{1});
  CHECK(verdicts.racing.size() == 1);
  const auto guards = variable_guards(it.program(), it.lowered, verdicts);
  CHECK(guards[0].protecting == std::vector{dpn::Lock{0}});
  for (const Separation& separation : separations(it.program(), it.lowered, verdicts.apart))
    CHECK(!std::holds_alternative<LockOrder>(separation));
}

TEST_CASE("a lock is idle only if without it there are the same races and the same deadlocks") {
  const auto idle = [](const std::string& text) {
    const Subject it = subject(text);
    const ConflictVerdicts verdicts = decide_all(it.lowered);
    return LockAdvice{it.program(), it.lowered, verdicts}.idle_locks().size();
  };
  const std::string opposite = "proc t() { sync (b) { sync (a) { skip; } } }";
  CHECK(idle("lock a, b; proc main() { spawn t(); sync (a) { sync (b) { skip; } } }" + opposite) == 0);
  CHECK(idle("lock a, b, g; proc main() { spawn t(); sync (g) { sync (a) { sync (b) { skip; } } } }"
             "proc t() { sync (g) { sync (b) { sync (a) { skip; } } } }") == 2);
  CHECK(idle("var x; lock a, b; proc main() { spawn t(); sync (a) { sync (b) { x = 1; } } }"
             "proc t() { sync (a) { sync (b) { x = 2; } } }") == 2);
}

TEST_CASE("what was not executed is a warning") {
  Finding race;
  CHECK(severity_of(race) == Severity::Warning);
  race.certainty = Certainty::Possible;
  CHECK(severity_of(race) == Severity::Warning);
  race.certainty = Certainty::Executed;
  CHECK(severity_of(race) == Severity::Error);
  Finding query;
  query.rule = Rule::Query;
  query.certainty = Certainty::Exact;
  CHECK(severity_of(query) == Severity::Error);
}

TEST_CASE("a bound on chains makes the answer unknown") {
  const Subject it = subject("var x, y; proc main() { spawn t(); x = 1; print(y); } proc t() { y = x; }");
  const auto source = definitions(it.lowered, program::Variable{0});
  std::vector<AccessId> sink;
  for (AccessId id : accesses(it.lowered, program::AccessKind::Read))
    if (access(it.lowered, id).variable == program::Variable{1}) sink.push_back(id);
  CHECK(find_flow(it.program(), it.lowered, sources(source), sinks(sink)).verdict == dpn::Verdict::Reachable);
  const FlowAnswer short_chains =
      find_flow(it.program(), it.lowered, sources(source), sinks(sink), {.max_transfers = 0});
  CHECK(short_chains.verdict == dpn::Verdict::Unknown);
  CHECK(short_chains.bound_reached);
  const FlowAnswer few_chains = find_flow(it.program(), it.lowered, sources(source), sinks(sink), {.max_chains = 0});
  CHECK(few_chains.verdict == dpn::Verdict::Unknown);
  CHECK(few_chains.bound_reached);
}

TEST_CASE("an added lock does what the program would do with that lock in its text") {
  std::size_t removed = 0;
  std::size_t kept = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::string text = lw::random_program(seed, small);
    const Subject it = subject(text);
    for (AccessId id : accesses(it.lowered, program::AccessKind::Write)) {
      const program::Access& here = access(it.lowered, id);
      // The line of the statement, which is an assignment and has the line for itself.
      std::size_t begin = 0;
      for (std::uint32_t line = 1; line < here.range.begin.line; ++line) begin = text.find('\n', begin) + 1;
      const std::size_t end = text.find('\n', begin);
      const std::string guarded_text =
          text.substr(0, begin) + "sync (a0) {" + text.substr(begin, end - begin) + "}" + text.substr(end);
      CAPTURE(guarded_text);
      const Subject in_text = subject(guarded_text);
      REQUIRE(in_text.lowered.accesses.size() == it.lowered.accesses.size());
      const GuardedStatement guarded =
          guarded_statement(it.program(), it.lowered, {here.procedure, here.statement}, dpn::Lock{0});
      for (const Conflict& conflict : conflicts(it.lowered)) {
        if (conflict.first != id && conflict.second != id) continue;
        const auto expected = solver::solve(in_text.lowered.network, conflict_problem(in_text.lowered, conflict),
                                            {.witness = solver::WitnessChoice::None});
        solver::Problem problem = conflict_problem(it.lowered, conflict);
        for (solver::StandGoal& goal : problem.phases.front().standing)
          for (dpn::StackSymbol& top : *goal.tops) top = guarded.inside[top];
        const auto answer = solver::solve(guarded.network, problem);
        CHECK(answer.verdict == expected.verdict);
        ++(expected.verdict == dpn::Verdict::Unreachable ? removed : kept);
      }
    }
  }
  CHECK(removed > 50);
  CHECK(kept > 20);
}

TEST_CASE("advice removes its race") {
  std::size_t advised = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(text);
    const Subject it = subject(text);
    const ConflictVerdicts verdicts = decide_all(it.lowered);
    LockAdvice advice{it.program(), it.lowered, verdicts};
    for (const Conflict& race : verdicts.racing) {
      const auto addition = advice.addition(race);
      if (!addition) continue;
      ++advised;
      CHECK((addition->at == race.first || addition->at == race.second));
    }
  }
  CHECK(advised > 10);
}

TEST_CASE("the reasons why accesses are apart") {
  const auto separation = [](const std::string& text) {
    const Subject it = subject(text);
    const auto verdicts = decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive);
    CHECK(verdicts.racing.empty());
    const auto found = separations(it.program(), it.lowered, verdicts.apart, AskOrder::Yes);
    REQUIRE(found.size() == verdicts.apart.size());
    // Of the conflict between the first and the last access.
    const auto last = std::ranges::find_if(verdicts.apart, [&](const Conflict& conflict) {
      return conflict.first == AccessId{0} && conflict.second.index() + 1 == it.lowered.accesses.size();
    });
    REQUIRE(last != verdicts.apart.end());
    return found[static_cast<std::size_t>(last - verdicts.apart.begin())];
  };
  CHECK(std::holds_alternative<OneThread>(separation("var x; proc main() { x = 1; x = 2; }")));
  const auto order_in = [&](const std::string& text) {
    const auto found = separation(text);
    return std::holds_alternative<NeverParallel>(found) ? std::get<NeverParallel>(found).order : Order::Unasked;
  };
  CHECK(order_in("var x; proc main() { x = 1; spawn t(); } proc t() { x = 2; }") == Order::FirstIsOver);
  CHECK(order_in("var x; proc main() { spawn t(); } proc t() { x = 1; x = 2; }") == Order::FirstIsOver);
  CHECK(order_in("var x; proc main() { spawn t(); } proc t() { while (*) { x = 1; x = 2; } }") == Order::Either);
  CHECK(order_in("var x; proc main() { choose { x = 1; } or { spawn t(); } } proc t() { x = 2; }") == Order::NeverBoth);
  const auto same = separation(
      "var x; lock a, b; proc main() { spawn t(); sync (b) { sync (a) { x = 1; } } } proc t() { sync (a) { x = 2; } }");
  REQUIRE(std::holds_alternative<SameLocks>(same));
  CHECK(std::get<SameLocks>(same).locks == std::vector{dpn::Lock{0}});
  const auto order = separation(R"(var x; lock a, b;
      proc main() { spawn t(); sync (a) { sync (b) { } x = 17; } }
      proc t() { sync (b) { sync (a) { } x = 42; } })");
  REQUIRE(std::holds_alternative<LockOrder>(order));
  CHECK(std::get<LockOrder>(order).locks == std::vector{dpn::Lock{0}, dpn::Lock{1}});
}

TEST_CASE("ids depend on what is found, and not on the order of places") {
  const std::string id = finding_id(Rule::Race, "x", {"main#1 write", "t#2 read"});
  CHECK(id.size() == 12);
  CHECK(id == finding_id(Rule::Race, "x", {"t#2 read", "main#1 write"}));
  CHECK(id != finding_id(Rule::Race, "y", {"t#2 read", "main#1 write"}));
  CHECK(id != finding_id(Rule::Deadlock, "x", {"t#2 read", "main#1 write"}));
  CHECK(id != finding_id(Rule::Race, "x", {"t#1 read", "main#1 write"}));
}

TEST_CASE("suppressions are remarks with a rule, subjects and a reason") {
  const auto read = [](const std::string& text, bool alone) {
    return suppressions({{text, {6, 3}, 7, alone}}, "f.lw");
  };
  const Suppressions good = read(" lockwood: ignore deadlock(a, b) -- known -- really ", false);
  REQUIRE(good.all.size() == 1);
  CHECK(good.complaints.empty());
  CHECK(good.all[0].rule == Rule::Deadlock);
  CHECK(good.all[0].subjects == std::vector<std::string>{"a", "b"});
  CHECK(good.all[0].reason == "known -- really");
  CHECK(good.all[0].line == 7);
  CHECK(good.all[0].written.line == 6);
  CHECK(read("lockwood: ignore race(x) -- r", true).all[0].line == 8);
  CHECK(read("lockwood: ignore race -- r", true).all[0].subjects.empty());
  CHECK(read("lockwood is fine", false).complaints.empty());
  for (const char* bad :
       {"lockwood: ignore race(x)", "lockwood: ignore race(x) --", "lockwood: ignore race(x, ) -- r",
        "lockwood: ignore race(x -- r", "lockwood: ignore flow(x) -- r", "lockwood: forget race(x) -- r"}) {
    CAPTURE(bad);
    CHECK(read(bad, false).all.empty());
    CHECK(read(bad, false).complaints.size() == 1);
  }
}

TEST_CASE("findings of two reports are told apart by their ids") {
  const auto report = [](const std::string& findings) {
    return known_findings(R"({"schema": "lockwood/results/1", "findings": [)" + findings + "]}", "report.json");
  };
  const auto race = [](const std::string& id, const std::string& more) {
    return R"({"id": ")" + id + R"(", "rule": "race", "verdict": "race", "subject": "x", "message": "m")" + more + "}";
  };
  const KnownFindings before = report(race("1", "") + "," + race("2", ""));
  const KnownFindings after = report(race("2", "") + "," + race("2", "") + "," + race("3", "") + "," +
                                     race("4", R"(, "suppressed": {"reason": "r"})"));
  CHECK(after.suppressed == 1);
  const Difference found = difference(before, after);
  REQUIRE(found.introduced.size() == 1);
  CHECK(found.introduced[0].id == "3");
  REQUIRE(found.fixed.size() == 1);
  CHECK(found.fixed[0].id == "1");
  CHECK(found.unchanged.size() == 1);
  CHECK(found.undecided.empty());
  // What a report has not looked for, or not decided, is not fixed.
  for (const char* more : {R"("stopped": "s")", R"("subject": "y")", R"("command": "deadlock")",
                           R"("report": {"summary": {"complete": false}})"}) {
    CAPTURE(more);
    const std::string text = R"({"schema": "lockwood/results/1", "findings": [], )" + std::string{more} + "}";
    const Difference partly = difference(before, known_findings(text, "report.json"));
    CHECK(partly.fixed.empty());
    CHECK(partly.undecided.size() == 2);
  }
  const KnownFindings unknown =
      report(R"({"id": "1", "rule": "race", "verdict": "unknown", "subject": "x", "message": "m"})");
  CHECK(difference(before, unknown).undecided.size() == 1);
  CHECK(difference(before, unknown).fixed.size() == 1);
}

}  // namespace lockwood::findings
