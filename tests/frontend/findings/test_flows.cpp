#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "dpn/semantics/replay.hpp"
#include "frontend/findings/analyses/def_use.hpp"
#include "frontend/findings/analyses/def_uses_on_demand.hpp"
#include "frontend/findings/analyses/flow_ends.hpp"
#include "frontend/findings/analyses/flows.hpp"
#include "tests/frontend/program/lowered_text.hpp"
#include "tests/oracle/program/naive_values.hpp"

namespace lockwood::findings {
namespace {

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

TEST_CASE("def-use pairs are those of the definition, with locks and without") {
  std::size_t feasible = 0;
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    const Focus focus{it.lowered, {}, 0};  // whether it pays or not
    std::vector<std::unique_ptr<DefUsesOnDemand>> on_demand;
    for (const DefUsesOnDemandOptions& options :
         {DefUsesOnDemandOptions{}, DefUsesOnDemandOptions{.focus = &focus},
          DefUsesOnDemandOptions{.random_executions = false},
          DefUsesOnDemandOptions{.random_executions = false, .focus = &focus, .locations = {.max_choices = 1}},
          DefUsesOnDemandOptions{.random_executions = false, .locations = {.max_stages = seed % 30}}})
      on_demand.push_back(std::make_unique<DefUsesOnDemand>(it.lowered, std::nullopt, options));
    for (dpn::Semantics semantics : {dpn::Semantics::LockSensitive, dpn::Semantics::LockInsensitive})
      for (program::Variable variable : it.program().variables.keys()) {
        const auto expected = reference::def_use_pairs(it.lowered, variable, semantics, 5'000);
        if (!expected) continue;
        const DefUseModel model{it.lowered, variable, seed % 2 == 0 ? &focus : nullptr};
        for (AccessId definition : definitions(it.lowered, variable)) {
          const DefinitionQuestion question{model, definition};
          const bool with_locks = semantics == dpn::Semantics::LockSensitive;
          std::vector<ReachedUses> answers{question.reached(semantics)};
          for (const auto& search : on_demand) {
            const ComparedUses demanded = search->uses_of(definition);
            answers.push_back(with_locks ? demanded.with_locks : demanded.without_locks);
          }
          for (const ReachedUses& uses : answers)
            for (const ReachedUse& reached : uses.uses) {
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

}  // namespace lockwood::findings
