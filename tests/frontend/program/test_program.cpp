#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/explore.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/interpreter/interpreter.hpp"
#include "frontend/program/lowering/liveness.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/mhp.hpp"
#include "tests/oracle/program/random_program.hpp"
#include "tests/oracle/solver/all_configurations.hpp"

namespace lockwood::program {
namespace {

Program program_of(const std::string& text) { return lw::read_program(text, "p.lw").program; }

// The stack symbols with this role at a line.
std::vector<dpn::StackSymbol> symbols_with(const Program& program, const Lowered& lowered, SymbolRole role,
                                           std::uint32_t line) {
  std::vector<dpn::StackSymbol> found;
  for (dpn::StackSymbol symbol : lowered.symbols.keys())
    if (lowered.symbols[symbol].role == role && range_of(program, lowered.symbols[symbol]).begin.line == line)
      found.push_back(symbol);
  return found;
}

bool reachable(const Lowered& lowered, const std::vector<dpn::StackSymbol>& symbols) {
  if (symbols.empty()) return false;
  const dpn::Query query{.form = dpn::QueryForm::Reach,
                         .semantics = dpn::Semantics::LockSensitive,
                         .steps = {{.positions = {symbols}, .avoiding = {}, .requiring = {}}},
                         .expected = {},
                         .at = {}};
  const dpn::ExploreAnswer answer = dpn::explore_query(lowered.network, query);
  REQUIRE(answer.verdict != dpn::Verdict::Unknown);
  return answer.verdict == dpn::Verdict::Reachable;
}

bool label_reachable(const Lowered& lowered, const std::string& name) {
  const auto found = std::ranges::find(lowered.labels, name, &LoweredLabel::name);
  REQUIRE(found != lowered.labels.end());
  return reachable(lowered, found->symbols);
}

// All that one thread prints, if it does so the same way in every run.
std::vector<std::vector<Integer>> output_of(const std::string& text) {
  Random random{1};
  const RandomRun run = random_run(program_of(text), random, 100'000);
  CHECK(run.ended);
  return run.output;
}

TEST_CASE("arithmetic wraps around, and only division can fail") {
  constexpr Integer least = std::numeric_limits<Integer>::min();
  constexpr Integer greatest = std::numeric_limits<Integer>::max();
  const auto value = [](Operator op, Integer left, Integer right) {
    return evaluate(apply(op, constant(left), constant(right)), std::span<const Integer>{});
  };
  CHECK(value(Operator::Add, greatest, 1) == least);
  CHECK(value(Operator::Subtract, least, 1) == greatest);
  CHECK(value(Operator::Multiply, greatest, 2) == -2);
  CHECK(value(Operator::Divide, -7, 2) == -3);
  CHECK(value(Operator::Remainder, -7, 2) == -1);
  CHECK(value(Operator::Divide, least, -1) == least);
  CHECK(value(Operator::Remainder, least, -1) == 0);
  CHECK(!value(Operator::Divide, 1, 0));
  CHECK(!value(Operator::Remainder, 1, 0));
  CHECK(evaluate(apply(Operator::Negate, constant(least)), std::span<const Integer>{}) == least);
}

TEST_CASE("what is known of a value with some unknown operands is right for all their values") {
  Random random{5};
  constexpr std::size_t locals = 3;
  for (std::size_t round = 0; round < 5000; ++round) {
    Expression expression;
    std::size_t depth = 0;
    while (depth != 1 || expression.postfix.size() < 5) {
      if (depth < 2 || random.percent(40)) {
        if (random.percent(60))
          expression.postfix.emplace_back(Local{random.below(locals)});
        else
          expression.postfix.emplace_back(static_cast<Integer>(random.below(3)) - 1);
        ++depth;
      } else {
        const auto op = static_cast<Operator>(random.below(16));
        expression.postfix.emplace_back(op);
        if (!is_unary(op)) --depth;
      }
    }
    std::vector<std::optional<Integer>> known(locals);
    for (auto& each : known)
      if (random.percent(50)) each = static_cast<Integer>(random.below(3)) - 1;
    const PartialValue partial = evaluate(expression, known);
    for (std::size_t code = 0; code < 27; ++code) {
      const std::vector<Integer> values{static_cast<Integer>(code % 3) - 1, static_cast<Integer>(code / 3 % 3) - 1,
                                        static_cast<Integer>(code / 9) - 1};
      bool fits = true;
      for (std::size_t i = 0; i < locals; ++i) fits = fits && (!known[i] || *known[i] == values[i]);
      if (!fits) continue;
      const auto exact = evaluate(expression, values);
      if (!exact) CHECK(partial.may_fail);
      if (partial.must_fail) CHECK(!exact);
      if (partial.value && exact) CHECK(*partial.value == *exact);
    }
  }
}

// The equations themselves, until nothing changes. A local is set on the first way out only: not where a call throws.
IdVector<Point, std::set<Local>> live_by_definition(const Procedure& procedure) {
  IdVector<Point, std::set<Local>> live(procedure.points.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (Point point : procedure.points.keys()) {
      const Instruction& instruction = procedure.points[point].instruction;
      std::set<Local> now;
      const auto next = successors(procedure, point);
      for (std::size_t i = 0; i < next.size(); ++i)
        for (Local local : live[next[i]])
          if (i > 0 || set_local(instruction) != local) now.insert(local);
      for (Local local : used_locals(instruction)) now.insert(local);
      changed = changed || now != live[point];
      live[point] = std::move(now);
    }
  }
  return live;
}

constexpr const char* throwing_call =
    "proc main() { bool b = true; try { b = f(); } catch { if (b) { kept: skip; } else { lost: skip; } } }\n"
    "proc f(): bool { if (*) { throw; } return false; }\n";

TEST_CASE("live locals are those that some path reads before it sets them") {
  std::vector<std::string> texts{throwing_call};
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    texts.push_back(lw::random_program(seed, {.statements = 10, .arithmetic = seed % 2 == 0}));
  for (const std::string& text : texts) {
    CAPTURE(text);
    const Program program = program_of(text);
    for (const Procedure& procedure : program.procedures) {
      const auto live = live_locals(procedure, IdVector<Local, bool>(procedure.locals.size(), true));
      const auto expected = live_by_definition(procedure);
      for (Point point : procedure.points.keys())
        CHECK(live[point] == std::vector<Local>(expected[point].begin(), expected[point].end()));
    }
  }
}

TEST_CASE("programs compute what they say") {
  using Output = std::vector<std::vector<Integer>>;
  CHECK(
      output_of("proc main() { print(fact(5)); } proc fact(n) { if (n == 0) { return 1; } return n * fact(n - 1); }") ==
      Output{{120}});
  CHECK(output_of("var x = 3; proc main() { x += 4; x -= x / 2; print(x, x % 3, -x); }") == Output{{4, 1, -4}});
  CHECK(output_of(
            "var x; proc main() { local i; while (i < 5) { i++; if (i % 2 == 0) { continue; } if (i > 4) { break; } "
            "x += i; } print(i, x); }") == Output{{5, 4}});
  CHECK(output_of("var x; proc main() { try { x = 1; x = 1 / (x - 1); x = 2; } catch { x += 10; } print(x); }") ==
        Output{{11}});
  CHECK(output_of(
            "lock a; proc main() { try { f(); } catch { print(2); } } proc f() { sync (a) { print(1); throw; } }") ==
        Output{{1}, {2}});
  CHECK(output_of(
            "lock a; proc main() { print(f(3)); sync (a) { print(4); } } proc f(n) { sync (a) { return n + 1; } }") ==
        Output{{4}, {4}});
  // What a conjunction need not look at is not evaluated.
  CHECK(output_of(
            "var x; proc main() { bool b = x != 0 && 1 / x > 0; print(b); if (x == 0 || 1 / x > 0) { print(7); } }") ==
        Output{{0}, {7}});
  CHECK(output_of(
            "proc main() { bool b = 5; print(b, b + b, true + 1); print(g(7)); } proc g(bool p): bool { return p; }") ==
        Output{{1, 2, 2}, {1}});
  CHECK(output_of("proc main() { local n = 0; { local n = 5; n += 1; print(n); } print(n); }") == Output{{6}, {0}});
}

TEST_CASE("a waiting thread gives the lock back, and has it again when it goes on") {
  const std::string text =
      "var ready; lock a;\n"
      "proc main() { spawn producer(); sync (a) { sync (a) { while (ready == 0) { wait(a); } inside: skip; } } }\n"
      "proc producer() { sync (a) { there: ready = 1; notify(a); after: skip; } }\n";
  const Program program = program_of(text);
  const StateSpace space = reachable_states(program);
  CHECK(space.complete);
  std::size_t ended = 0;
  for (const State& state : space.states) {
    if (state.threads.empty()) ++ended;
    std::uint32_t holders = 0;
    for (const ThreadState& thread : state.threads)
      if (thread.held[0] > 0) ++holders;
    CHECK(holders <= 1);
  }
  CHECK(ended > 0);

  // The model knows more schedules: the outer region is no monitor. The inner one is left and entered again.
  const Lowered lowered = lower(program);
  REQUIRE(lowered.acquisitions.size() == 3);
  CHECK(!lowered.acquisitions[0].monitor);
  CHECK(lowered.acquisitions[1].monitor);
  CHECK(lowered.acquisitions[2].monitor);
  CHECK(lowered.notes.size() == 1);
  CHECK(label_reachable(lowered, "inside"));
}

TEST_CASE("a region that waits is left and entered again, with the bools that are known") {
  const std::string text =
      "var ready; lock a, b;\n"
      "proc main() { spawn other(); sync (b) { sync (a) { bool was = true; waiting: wait(a); back: skip;\n"
      "  if (was) { with: skip; } else { without: skip; } } } }\n"
      "proc other() { sync (a) { inside: skip; notify(a); } sync (b) { holding: skip; } }\n";
  const Lowered lowered = lower(program_of(text));
  CHECK(lowered.notes.empty());
  CHECK(label_reachable(lowered, "with"));
  CHECK(!label_reachable(lowered, "without"));
  const auto parallel = [&](const std::string& first, const std::string& second) {
    const auto at = [&](const std::string& name) {
      return std::ranges::find(lowered.labels, name, &LoweredLabel::name)->symbols;
    };
    return solver::has_pair_between(solver::parallel_pairs(lowered.network).pairs, at(first), at(second));
  };
  CHECK(!parallel("waiting", "inside"));
  CHECK(!parallel("back", "inside"));
  CHECK(!parallel("back", "holding"));
  CHECK(symbols_with(program_of(text), lowered, SymbolRole::Waiting, 2).size() == 1);
  // A thread gets into the region of the other one while that waits.
  const auto all = solver::reference::all_configurations(lowered.network, dpn::Semantics::LockSensitive, 10'000);
  REQUIRE(all);
  CHECK(std::ranges::any_of(*all, [&](const dpn::Configuration& configuration) {
    const auto role_and_line = [&](const dpn::Thread& thread) {
      const SymbolOrigin& origin = lowered.symbols[thread.stack.back().symbol];
      return std::pair{origin.role, range_of(program_of(text), origin).begin.line};
    };
    return configuration.threads.size() == 2 && !configuration.threads[dpn::ThreadId{0}].ended() &&
           !configuration.threads[dpn::ThreadId{1}].ended() &&
           role_and_line(configuration.threads[dpn::ThreadId{0}]) == std::pair{SymbolRole::Waiting, 2U} &&
           dpn::hold_count(configuration.threads[dpn::ThreadId{1}], dpn::Lock{0}) > 0;
  }));
}

TEST_CASE("regions around waits in calls or other regions are no monitors, and code that is never run does not count") {
  const auto monitors = [](const std::string& body) {
    std::vector<bool> found;
    for (const Acquisition& each : lower(program_of("lock a, b; " + body)).acquisitions) found.push_back(each.monitor);
    return found;
  };
  CHECK(monitors("proc main() { sync (a) { sync (b) { f(); } } } proc f() { wait(a); }") == std::vector{false, true});
  CHECK(monitors("proc main() { sync (a) { spawn f(); } } proc f() { sync (a) { wait(a); } }") ==
        std::vector{true, true});
  CHECK(monitors("proc main() { sync (a) { sync (b) { wait(a); } } }") == std::vector{false, true});
  CHECK(monitors("proc main() { sync (a) { if (false) { sync (b) { wait(a); } } } }") == std::vector{true, true});
  CHECK(monitors("proc main() { sync (a) { bool no = false; if (no) { f(); } } } proc f() { wait(a); }") ==
        std::vector{true});
  CHECK(monitors("proc main() { sync (a) { f(); } } proc f() { return; wait(a); }") == std::vector{true});
}

TEST_CASE("a failed assertion and an uncaught exception are places of their own") {
  const Program program = program_of(
      "proc main() {\n"
      "  spawn t(true);\n"
      "  bool b = *;\n"
      "  assert(b || true);\n"
      "  assert(b);\n"
      "  end: skip;\n"
      "}\n"
      "proc t(bool p) {\n"
      "  if (p) { throw; }\n"
      "  never: skip;\n"
      "}\n");
  const Lowered lowered = lower(program);
  CHECK(!reachable(lowered, symbols_with(program, lowered, SymbolRole::Failed, 4)));
  CHECK(reachable(lowered, symbols_with(program, lowered, SymbolRole::Failed, 5)));
  CHECK(reachable(lowered, symbols_with(program, lowered, SymbolRole::Uncaught, 8)));
  CHECK(label_reachable(lowered, "end"));
  CHECK(!label_reachable(lowered, "never"));
}

TEST_CASE("bools are known across calls, regions, exceptions and returns, unless they are abstracted") {
  const std::string text =
      "lock a;\n"
      "proc main() { bool b = f(true); sync (a) { b = !b; } if (b) { wrong: skip; } try { b = f(false); throw; } catch "
      "{\n"
      "  if (!b) { right: skip; } else { other: skip; } } }\n"
      "proc f(bool p): bool { sync (a) { if (p) { return true; } } return p; }\n";
  const Lowered lowered = lower(program_of(text));
  CHECK(!label_reachable(lowered, "wrong"));
  CHECK(label_reachable(lowered, "right"));
  CHECK(!label_reachable(lowered, "other"));
  const Lowered abstracted = lower(program_of(text), {.abstracted = {{"main", "b"}}});
  CHECK(label_reachable(abstracted, "wrong"));
  CHECK(label_reachable(abstracted, "other"));
}

TEST_CASE("a call that throws sets nothing") {
  const Lowered lowered = lower(program_of(throwing_call));
  CHECK(label_reachable(lowered, "kept"));
  CHECK(!label_reachable(lowered, "lost"));
}

TEST_CASE("too many bools are refused with the procedure and their names") {
  std::string text = "proc main() { f(); }\nproc f() {\n  ";
  for (int i = 0; i < 6; ++i) text += "bool b" + std::to_string(i) + " = *; ";
  text += "\n  print(b0, b1, b2, b3, b4, b5);\n}\n";
  CHECK(lower(program_of(text)).network.rules().size() > 64);
  try {
    static_cast<void>(lower(program_of(text), {.abstracted = {}, .valuations_per_point = 32}));
    FAIL("not refused");
  } catch (const InputError& error) {
    const std::string why = error.what();
    CHECK(why.find("procedure 'f' has more than 32 valuations of its 6 bools here: b0, b1, b2, b3, b4, b5") !=
          std::string::npos);
    CHECK(why.find("--abstract=f.b5") != std::string::npos);
  }
  CHECK(lower(program_of(text), {.abstracted = {{"f", "b5"}}, .valuations_per_point = 32}).network.rules().size() > 32);
  CHECK_THROWS_AS(static_cast<void>(lower(program_of(text), {.abstracted = {{"f", "c"}}})), InputError);
  CHECK_THROWS_AS(static_cast<void>(lower(program_of(text), {.abstracted = {{"g", "b1"}}})), InputError);
  // Bools that are not of interest at the same time cost nothing.
  std::string many = "proc main() {\n";
  for (int i = 0; i < 200; ++i)
    many += "  bool c" + std::to_string(i) + " = *; if (c" + std::to_string(i) + ") { skip; }\n";
  CHECK(lower(program_of(many + "}\n")).network.stack_symbols().size() < 2000);
}

TEST_CASE("accesses are in the order of their evaluation, each with an action of its own") {
  const Program program =
      program_of("var x, y;\nproc main() {\n  x = x + y;\n  if (y > x) {\n    y += 1;\n  }\n  print(x);\n}\n");
  const Lowered lowered = lower(program);
  std::string order;
  for (const Access& access : lowered.accesses) {
    order += (access.kind == AccessKind::Read ? "r" : "w") + program.variables[access.variable].name +
             std::to_string(access.range.begin.line) + '/' + std::to_string(access.statement) + ' ';
    CHECK(access.before.size() == 1);
    CHECK(access.after.size() == 1);
    std::size_t uses = 0;
    for (const dpn::Rule& rule : lowered.network.rules())
      if (rule.action == access.action) ++uses;
    CHECK(uses == 1);
  }
  CHECK(order == "rx3/1 ry3/1 wx3/1 ry4/2 rx4/2 ry5/3 wy5/3 rx7/4 ");
  CHECK(lowered.network.actions().find("def(x,main,1)").has_value());
  CHECK(lowered.accesses[2].ordinal == 1);
  CHECK(lowered.accesses[3].ordinal == 2);  // of the reads of y
  CHECK(symbols_on_line(program, lowered, SourceFile{0}, 5).size() == 2);
}

TEST_CASE("a model keeps its names when it is written and read") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Lowered lowered = lower(program_of(lw::random_program(seed, {.statements = 10})));
    const auto remark = [](dpn::RuleId rule) { return "rule " + std::to_string(rule.index()); };
    const auto read = dpn::parse_dpn(dpn::to_dpn(lowered.network, {}, remark), "m.dpn");
    CHECK(read.network == lowered.network);
    CHECK(lowered.rules.size() == lowered.network.rules().size());
    CHECK(lowered.symbols.size() == lowered.network.stack_symbols().size());
  }
}

}  // namespace
}  // namespace lockwood::program
