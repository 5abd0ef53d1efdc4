#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "frontend/findings/analyses/guards.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/analyses/separation.hpp"
#include "solver/analyses/deadlock.hpp"
#include "tests/frontend/program/lowered_text.hpp"

namespace lockwood::findings {

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
      const GuardedStatements guarded =
          guarded_statements(it.program(), it.lowered, {{here.procedure, here.statement}}, dpn::Lock{0});
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

// Which locks are held where tells that the races are gone; the engine, asked about the changed program, must agree.
TEST_CASE("advice removes all races of its variable") {
  std::size_t advised = 0;
  std::size_t on_both_sides = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(text);
    const Subject it = subject(text);
    const ConflictVerdicts verdicts = decide_all(it.lowered);
    LockAdvice advice{it.program(), it.lowered, verdicts};
    std::size_t races = 0;
    for (const VariableAdvice& racing : advice.racing_variables()) {
      races += racing.races.size();
      const auto addition = advice.addition(racing);
      REQUIRE(addition);
      REQUIRE(!addition->around.empty());
      ++advised;
      std::vector<StatementId> statements;
      for (const LockAddition::Around& each : addition->around) statements.push_back(each.statement);
      if (statements.size() > 1) ++on_both_sides;
      const GuardedStatements guarded = guarded_statements(it.program(), it.lowered, statements, addition->lock);
      for (const Conflict& race : racing.races) {
        solver::Problem problem = conflict_problem(it.lowered, race);
        for (solver::StandGoal& goal : problem.phases.front().standing)
          for (dpn::StackSymbol& top : *goal.tops) top = guarded.inside[top];
        CHECK(solver::solve(guarded.network, problem).verdict == dpn::Verdict::Unreachable);
      }
      // A deadlock more, or not: all cycles of the changed program, one by one.
      const auto closing = [](const dpn::Network& network) {
        std::size_t closed = 0;
        for (const solver::LockCycle& cycle : solver::find_deadlocks(network).cycles)
          if (cycle.answer.verdict == dpn::Verdict::Reachable) ++closed;
        return closed;
      };
      if (closing(guarded.network) > closing(it.lowered.network)) CHECK(addition->adds_deadlock);
    }
    CHECK(races == verdicts.racing.size());
  }
  CHECK(advised > 10);
  CHECK(on_both_sides > 5);
}

}  // namespace lockwood::findings
