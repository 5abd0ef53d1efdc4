#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "frontend/findings/analyses/parallel_sites.hpp"
#include "frontend/findings/deadlock_finding.hpp"
#include "frontend/findings/explored_finding.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/findings/settling.hpp"
#include "frontend/lw/program_text.hpp"
#include "tests/frontend/program/interpreter/random_text.hpp"

namespace lockwood::findings {
namespace {

struct Subject {
  lw::ProgramText source;
  program::Lowered lowered;
  IdVector<program::SourceFile, std::string> texts;
};

Subject subject(const std::string& text) {
  lw::ProgramText source = lw::read_program(text, "random.lw");
  program::Lowered lowered = program::lower(source.program);
  return {std::move(source), std::move(lowered), IdVector<program::SourceFile, std::string>{text}};
}

// What happens, by visiting everything without a reduction. Nothing if that is too much.
std::optional<program::Exploration> everything(const program::Program& program) {
  program::Exploration found =
      program::explore(program, {.reduction = explorer::Reduction::None, .max_states = 20'000, .shortening_states = 0});
  if (!found.is_complete()) return std::nullopt;
  return found;
}

std::set<std::string> ids(const SourceTerms& terms, const program::Exploration& found) {
  std::set<std::string> result;
  for (const program::ExploredFinding& each : found.findings) result.insert(explored_finding(terms, each).id);
  return result;
}

struct Tally {
  std::size_t executed = 0;
  std::size_t excluded = 0;
};

void check_races(const SourceTerms& terms, const std::set<std::string>& real, Tally& tally) {
  Settling settling{terms, {.states_of_one = 100'000, .states_of_all = 1'000'000}, {}};
  for (const Conflict& race : decide_all(terms.lowered()).racing) {
    const solver::Answer answer = solver::solve(terms.lowered().network, conflict_problem(terms.lowered(), race));
    REQUIRE(answer.witness);
    Finding finding = race_finding(terms, race, answer.witness->schedule);
    settling.settle_race(finding, race);
    // With joins, only what the search says: a wait inside of a finish block is told as executed too early.
    if (!finding.settled && program::has_joins(terms.program())) continue;
    CHECK((finding.outcome == Outcome::Found) == real.contains(finding.id));
    CHECK((finding.certainty == Certainty::Executed) == real.contains(finding.id));
    if (!finding.settled) continue;
    ++(finding.outcome == Outcome::Found ? tally.executed : tally.excluded);
    for (const Site& site : finding.sites) CHECK(site.thread.empty() == (finding.outcome == Outcome::Excluded));
  }
}

}  // namespace

TEST_CASE("races of random programs are settled as visiting everything does") {
  Tally tally;
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::string text = seed < 250 ? program::random_text(seed, 3) : program::random_text_with_joins(seed, 3);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    const SourceTerms terms{it.source.program, it.lowered, it.texts};
    const auto found = everything(it.source.program);
    if (!found) continue;
    ++compared;
    check_races(terms, ids(terms, *found), tally);
  }
  CHECK(compared > 150);
  CHECK(tally.executed > 10);  // not by the schedule of the model
  CHECK(tally.excluded > 50);
}

TEST_CASE("places that are never reached at the same time leave out no finding") {
  std::size_t compared = 0;
  std::size_t fewer = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    const std::string text = program::random_text(seed, 3);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    const SourceTerms terms{it.source.program, it.lowered, it.texts};
    const auto found = everything(it.source.program);
    if (!found) continue;
    const auto table = parallel_sites(it.source.program, it.lowered);
    REQUIRE(table);
    ++compared;
    for (std::size_t jobs : {1U, 3U}) {
      const program::Exploration reduced = program::explore(
          it.source.program, {.use_futures = false, .parallel = &*table, .jobs = jobs, .shortening_states = 0});
      CHECK(reduced.is_complete());
      CHECK(ids(terms, reduced) == ids(terms, *found));
      if (jobs == 1 && reduced.counters.states < found->counters.states) ++fewer;
    }
  }
  CHECK(compared > 150);
  CHECK(fewer > 100);
}

TEST_CASE("a table that is wrong is noticed while a program runs") {
  const Subject it = subject("var x; proc main() { spawn t(); x = 1; } proc t() { x = 2; }");
  const program::ParallelTable nothing{program::Sites{it.source.program}.size()};
  CHECK_THROWS_AS(static_cast<void>(program::explore(it.source.program, {.parallel = &nothing})), std::logic_error);
}

TEST_CASE("who waits for a lock of a sleeper is not in a cycle") {
  // Both locks are held for ever by main, which waits for a notification that never comes. In the second program, the
  // two others hold what the other one wants.
  const auto program_with = [](const std::string& threads) {
    return subject("lock a, b, m; var x;\n" + threads +
                   "proc take_a() { sync (a) { skip; } }\nproc take_b() { sync (b) { skip; } }\n");
  };
  const Subject asleep = program_with(
      "proc main() { spawn f(); spawn g(); sync (m) { sync (a) { sync (b) { wait(m); } } } }\n"
      "proc f() { local k = x; if (k == 1) { sync (a) { take_b(); } } else { take_b(); } }\n"
      "proc g() { local k = x; if (k == 1) { sync (b) { take_a(); } } else { take_a(); } }\n");
  const Subject cycle = program_with(
      "proc main() { spawn f(); spawn g(); }\n"
      "proc f() { local k = x; if (k == 0) { sync (a) { take_b(); } } else { take_b(); } }\n"
      "proc g() { local k = x; if (k == 0) { sync (b) { take_a(); } } else { take_a(); } }\n");
  for (const Subject* it : {&asleep, &cycle}) {
    const SourceTerms terms{it->source.program, it->lowered, it->texts};
    solver::Deadlocks found = solver::find_deadlocks(it->lowered.network, {.place_of = places(it->lowered)});
    std::size_t closed = 0;
    Settling settling{terms, {.states_of_one = 100'000, .states_of_all = 1'000'000}, {}};
    for (const solver::LockCycle& each : found.cycles) {
      if (each.answer.verdict != dpn::Verdict::Reachable) continue;
      Finding finding = deadlock_finding(terms, each);
      settling.settle_deadlock(finding, each);
      closed += finding.outcome == Outcome::Found ? 1U : 0U;
    }
    CHECK(closed == (it == &cycle ? 1 : 0));
    CHECK(settling.excluded() == (it == &cycle ? 0 : 2));  // f with g, and main with g: x is never 1
  }
}

TEST_CASE("rings through joins are settled by who waits for whom") {
  // In the first program somebody who never ends is waited for, too; in the second one the thread is waited for through
  // another one. With x being 1, main never gets there.
  const auto program_with = [](const char* value, const std::string& inside) {
    return subject(std::string{"lock a; var x = "} + value + ";\nproc main() { local k = x; if (k == 0) { sync (a) { " +
                   inside +
                   " } } }\nproc forever() { local i = 0; while (i == 0) { skip; } }\n"
                   "proc f() { local k = x; if (k == 0) { sync (a) { skip; } } }\nproc g() { spawn f(); join; }\n");
  };
  for (const char* inside : {"spawn forever(); spawn f(); join;", "finish { spawn g(); }", "spawn g(); join;"}) {
    for (const char* value : {"0", "1"}) {
      CAPTURE(inside);
      CAPTURE(value);
      const Subject it = program_with(value, inside);
      const SourceTerms terms{it.source.program, it.lowered, it.texts};
      const solver::Deadlocks found = solver::find_deadlocks(it.lowered.network, {.place_of = places(it.lowered)});
      Settling settling{terms, {.states_of_one = 100'000, .states_of_all = 1'000'000}, {}};
      std::size_t cycles = 0;
      for (const solver::LockCycle& each : found.cycles) {
        if (each.answer.verdict != dpn::Verdict::Reachable) continue;
        ++cycles;
        CHECK(each.shape.has_joins());
        Finding finding = deadlock_finding(terms, each);
        finding.certainty = Certainty::Possible;  // so that the search has to find a run of its own
        settling.settle_deadlock(finding, each);
        CHECK((finding.outcome == Outcome::Found) == (value == std::string{"0"}));
        if (finding.outcome == Outcome::Found) CHECK(finding.certainty == Certainty::Executed);
      }
      CHECK(cycles == 1);
    }
  }
}

TEST_CASE("a search for all findings together has a budget") {
  const Subject it = subject(
      "var x, y;\nproc main() { spawn t(); local k = y; if (k == 1) { x = 1; } if (k == 2) { x = 2; } }\n"
      "proc t() { x = 3; }\n");
  const SourceTerms terms{it.source.program, it.lowered, it.texts};
  Settling settling{terms, {.states_of_one = 100, .states_of_all = 1}, {}};
  std::vector<Settled::Verdict> verdicts;
  for (const Conflict& race : decide_all(it.lowered).racing) {
    const solver::Answer answer = solver::solve(it.lowered.network, conflict_problem(it.lowered, race));
    Finding finding = race_finding(terms, race, answer.witness->schedule);
    settling.settle_race(finding, race);
    REQUIRE(finding.settled);
    verdicts.push_back(finding.settled->verdict);
    CHECK(finding.settled->left_out == std::vector<std::string>{"max states"});
  }
  CHECK(verdicts == std::vector(2, Settled::Verdict::Possible));
}

}  // namespace lockwood::findings
