#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/process/text_file.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/small_step.hpp"
#include "frontend/lw/parser.hpp"
#include "frontend/lw/printer.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/mhp.hpp"
#include "tests/frontend/program/program_places.hpp"
#include "tests/oracle/program/random_program.hpp"

namespace lockwood::program {
namespace {

// All configurations of the model, by small steps; threads are told apart by who started them.
std::optional<Places> by_small_steps(const Lowered& lowered, std::size_t limit) {
  const auto look = [](const dpn::Configuration& configuration) {
    std::vector<std::tuple<dpn::ControlState, std::vector<dpn::Frame>, std::vector<dpn::OpenGroup>>> threads;
    for (const dpn::Thread& thread : configuration.threads)
      threads.emplace_back(thread.control, thread.stack, thread.groups);
    return threads;
  };
  std::vector<dpn::Configuration> found{dpn::initial_configuration(lowered.network)};
  std::set<decltype(look(found.front()))> seen{look(found.front())};
  Places places;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const dpn::Configuration from = found[i];
    std::vector<Standing> threads;
    for (const dpn::Thread& thread : from.threads) {
      if (thread.ended()) continue;
      const SymbolOrigin& origin = lowered.symbols[thread.stack.back().symbol];
      if (origin.role == SymbolRole::Before) threads.push_back({origin.procedure, origin.point});
    }
    places.add(threads);
    for (dpn::Move move : dpn::enabled_moves(lowered.network, from, dpn::Semantics::LockSensitive)) {
      dpn::Configuration to = from;
      dpn::apply(lowered.network, to, move);
      if (!seen.insert(look(to)).second) continue;
      if (found.size() == limit) return std::nullopt;
      found.push_back(std::move(to));
    }
  }
  return places;
}

std::set<std::pair<Standing, Standing>> pairs_by_engine(const Lowered& lowered) {
  const auto goal_of = [&](dpn::StackSymbol symbol) -> std::optional<Standing> {
    const SymbolOrigin& origin = lowered.symbols[symbol];
    if (origin.role != SymbolRole::Before) return std::nullopt;
    return Standing{origin.procedure, origin.point};
  };
  std::set<std::pair<Standing, Standing>> pairs;
  for (const auto& [first, second] : solver::parallel_pairs(lowered.network).pairs) {
    const auto a = goal_of(first);
    const auto b = goal_of(second);
    if (a && b) pairs.insert(std::minmax(*a, *b));
  }
  return pairs;
}

struct Tally {
  std::size_t compared = 0;
  std::size_t with_pairs = 0;
  std::size_t joining = 0;  // programs whose joins make a difference
};

void compare(std::uint64_t seed, const lw::RandomProgramShape& shape, Tally& tally) {
  const std::string text = lw::random_program(seed, shape);
  CAPTURE(seed);
  CAPTURE(text);
  const lw::ProgramText source = lw::read_program(text, "random.lw");
  check_invariants(source.program);
  const Lowered lowered = lower(source.program);
  CAPTURE(dpn::to_dpn(lowered.network, {}));
  constexpr std::size_t limit = 2500;
  const auto expected = by_interpreter(source.program, limit);
  if (!expected) return;
  const auto found = by_small_steps(lowered, 4 * limit);
  if (!found) return;
  ++tally.compared;
  if (!expected->pairs.empty()) ++tally.with_pairs;
  CHECK(expected->single == found->single);
  CHECK(expected->pairs == found->pairs);
  CHECK(expected->pairs == pairs_by_engine(lowered));
  if (!lowered.network.uses_groups()) return;
  Lowered weaker = lowered;
  IdVector<dpn::RuleId, dpn::Rule> rules = lowered.network.rules();
  for (dpn::Rule& rule : rules)
    if (const auto to = dpn::step_of(rule)) rule.effect = dpn::Base{*to};
  weaker.network = lowered.network.with_rules(std::move(rules));
  const auto without = by_small_steps(weaker, 4 * limit);
  if (without && without->pairs != found->pairs) ++tally.joining;
}

std::string error_of(const std::string& text) {
  try {
    (void)lw::read_program(text, "test.lw");
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return first.message + (first.hint.empty() ? "" : " (" + first.hint + ")");
  }
  return "accepted";
}

Lowered lowered_of(const std::string& text) { return lower(lw::read_program(text, "test.lw").program); }

// The rule texts of a model whose action has this name.
std::vector<std::string> rules_by(const Lowered& lowered, std::string_view action) {
  std::vector<std::string> found;
  for (const dpn::Rule& rule : lowered.network.rules())
    if (lowered.network.actions().name(rule.action) == action) found.push_back(dpn::to_text(lowered.network, rule));
  return found;
}

}  // namespace

TEST_CASE("the model of a program with joins reaches the places and pairs of places that the program reaches") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 800; ++seed)
    compare(seed, {.procedures = 2, .statements = 7, .spawns = 3, .bools = false, .jumps = false, .joins = true},
            tally);
  MESSAGE("compared ", tally.compared, ", in parallel ", tally.with_pairs, ", joins matter ", tally.joining);
  CHECK(tally.compared > 600);
  CHECK(tally.joining > 100);
}

TEST_CASE("joins with returns, exceptions and jumps out of finish blocks are modelled exactly") {
  Tally tally;
  for (std::uint64_t seed = 1000; seed < 1800; ++seed)
    compare(seed, {.procedures = 3, .statements = 8, .spawns = 3, .bools = false, .joins = true}, tally);
  MESSAGE("compared ", tally.compared, ", in parallel ", tally.with_pairs, ", joins matter ", tally.joining);
  CHECK(tally.compared > 600);
  CHECK(tally.joining > 100);
}

TEST_CASE("joins with bools are modelled exactly") {
  Tally tally;
  for (std::uint64_t seed = 2000; seed < 2800; ++seed)
    compare(seed, {.procedures = 3, .statements = 8, .variables = 1, .spawns = 3, .joins = true}, tally);
  MESSAGE("compared ", tally.compared, ", in parallel ", tally.with_pairs, ", joins matter ", tally.joining);
  CHECK(tally.compared > 600);
  CHECK(tally.joining > 100);
}

TEST_CASE("programs with joins are printed and read again") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string text = lw::random_program(seed, {.spawns = 4, .joins = true});
    CAPTURE(text);
    const std::string printed = lw::to_text(lw::parse(text, "random.lw"));
    CHECK(lw::to_text(lw::parse(printed, "printed.lw")) == printed);
    CHECK(dpn::to_dpn(lowered_of(printed).network, {}).size() > 0);
  }
  const std::string text =
      "proc main() {\n  thread t = spawn f(), u;\n  u = spawn f();\n  join t;\n  join;\n  finish {\n    spawn f();\n  "
      "}\n}\n"
      "\nproc f() {}\n";
  CHECK(lw::to_text(lw::parse(text, "test.lw")) == text);
}

TEST_CASE("a handle that is used in another way is an error that says what to write") {
  const auto in_main = [](const std::string& body) {
    return "var x; proc main() { thread t = spawn f(); " + body + " } proc f() { } proc g(n) { }";
  };
  constexpr const char* instead =
      " (a handle is assigned by 't = spawn f();' and waited for by 'join t;', in the procedure that declares it)";
  CHECK(error_of(in_main("x = t;")) == std::string{"'t' is a thread handle, expected a variable"} + instead);
  CHECK(error_of(in_main("t = 1;")) == std::string{"'t' is a thread handle, expected a variable"} + instead);
  CHECK(error_of(in_main("g(t);")) == std::string{"'t' is a thread handle, expected a variable"} + instead);
  CHECK(error_of(in_main("join x;")) ==
        "'x' is a shared variable, expected a thread handle (declare a handle: 'thread t = spawn f();')");
  CHECK(error_of(in_main("join tt;")) == "unknown name 'tt': expected a thread handle (did you mean 't'?)");
  CHECK(error_of(in_main("thread t;")) == "'t' is declared already in this block");
  CHECK(error_of(in_main("thread u = t;")) ==
        "expected 'spawn' after '=', found 't' (a handle is assigned by a spawn only: thread t = spawn f();)");
  CHECK(error_of(in_main("x = spawn f();")) ==
        "'x' is a shared variable, expected a thread handle (declare a handle: 'thread t = spawn f();')");
  CHECK(error_of(in_main("x = 1 + spawn f();")) ==
        "expected an expression, found 'spawn' (a handle is assigned by a statement alone: t = spawn f();)");
  CHECK(error_of("proc main() { { thread t; } join t; }") == "unknown name 't': expected a thread handle");
  CHECK(error_of("proc main() { thread join; }") ==
        "expected the name of a thread handle, found 'join' ('join' is a word of the language)");
  CHECK(error_of(in_main("join t; join; finish { t = spawn f(); }")) == "accepted");
}

TEST_CASE("what joins are in the model") {
  const Lowered handles = lowered_of(
      "proc main() { f(); }\nproc f() { thread t = spawn g(); thread unused = spawn g(); join t; join; }\nproc g() { "
      "}");
  CHECK(rules_by(handles, "call(f)").front().ends_with("opening {'f.t', 'f.spawned'}"));
  CHECK(rules_by(handles, "spawn(g)")[0].ends_with("as {'f.t'} into {'f.spawned'}"));
  CHECK(rules_by(handles, "spawn(g)")[1].ends_with("into {'f.spawned'}"));
  CHECK(rules_by(handles, "join(f.t)").front().ends_with("joining {'f.t'}"));
  CHECK(rules_by(handles, "join(f.spawned)").front().ends_with("joining {'f.spawned'}"));

  // Only spawns that may happen in a finish block become members of its threads.
  const Lowered finish =
      lowered_of("proc main() { spawn g(); finish { f(); } }\nproc f() { spawn g(); }\nproc g() { throw; }");
  CHECK(rules_by(finish, "enter(finish)").front().ends_with("opening {finish}"));
  CHECK(rules_by(finish, "join(finish)").front().ends_with("joining {finish}"));
  std::size_t members = 0;
  for (const std::string& rule : rules_by(finish, "spawn(g)")) members += rule.ends_with("into all {finish}") ? 1U : 0U;
  CHECK(members == 1);
  // An exception ends the thread.
  CHECK(rules_by(finish, "end").size() == 1);
  CHECK(rules_by(lowered_of("proc main() { spawn g(); } proc g() { throw; }"), "end").empty());
}

TEST_CASE("a thread that failed is waited for in vain, and one that threw is not") {
  const auto ends = [](const std::string& body) {
    const lw::ProgramText source = lw::read_program(
        "proc main() { thread t = spawn f(); join t; end: skip; } proc f() { " + body + " }", "test.lw");
    const auto places = by_interpreter(source.program, 1000);
    const Standing end{source.program.labels.front().procedure, source.program.labels.front().point};
    REQUIRE(places.has_value());
    CHECK(by_small_steps(lower(source.program), 1000)->single == places->single);
    return places->single.contains(end);
  };
  CHECK(ends("skip;"));
  CHECK(ends("throw;"));
  CHECK_FALSE(ends("assert(false);"));
  CHECK_FALSE(ends("while (true) { skip; }"));
}

TEST_CASE("the programs in models/joins can be read and lowered") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator{LOCKWOOD_SOURCE_DIR "/models/joins"}) {
    if (entry.path().extension() != ".lw") continue;
    CAPTURE(entry.path().filename().string());
    const lw::ProgramText source = lw::read_program(read_text_file(entry.path().string()), "model.lw");
    check_invariants(source.program);
    CHECK(lower(source.program).network.uses_groups());
    ++count;
  }
  CHECK(count >= 5);
}

}  // namespace lockwood::program
