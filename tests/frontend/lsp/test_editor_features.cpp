#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "frontend/lsp/colours.hpp"
#include "frontend/lsp/folding.hpp"
#include "frontend/lsp/limit.hpp"
#include "frontend/lsp/network_facts.hpp"
#include "frontend/lsp/program_names.hpp"
#include "frontend/lsp/reading.hpp"
#include "frontend/lsp/workspace_symbols.hpp"
#include "frontend/lw/parser.hpp"
#include "solver/analyses/mhp.hpp"
#include "tests/oracle/program/random_program.hpp"

namespace lockwood::lsp {
namespace {

using Symbols = std::vector<dpn::StackSymbol>;

// One run of the solver for these symbols only.
Symbols others_by_definition(const program::Lowered& lowered, const Symbols& symbols) {
  std::set<dpn::StackSymbol> found;
  const auto answer =
      solver::parallel_pairs(lowered.network, {.left = symbols, .right = {}, .reductions = {}, .stop = {}});
  const auto add = [&](dpn::StackSymbol at, dpn::StackSymbol other) {
    if (std::ranges::find(symbols, at) != symbols.end() && lowered.symbols[other].role == program::SymbolRole::Before)
      found.insert(other);
  };
  for (const auto& [first, second] : answer.pairs) {
    add(first, second);
    add(second, first);
  }
  return {found.begin(), found.end()};
}

std::shared_ptr<const program::Lowered> lowered_of(const std::string& text) {
  return std::make_shared<const program::Lowered>(program::lower(lw::read_program(text, "p.lw").program));
}

TEST_CASE("what is known of places is what is asked for each line by itself, whatever the blocks") {
  std::size_t asked = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = lw::random_program(seed, {.statements = 7, .joins = seed % 4 == 0});
    CAPTURE(text);
    const lw::ProgramText source = lw::read_program(text, "p.lw");
    const auto lowered = lowered_of(text);
    const auto held = findings::held_locks(*lowered);
    NetworkFacts facts = seed % 3 == 0   ? NetworkFacts{lowered}
                         : seed % 3 == 1 ? NetworkFacts{lowered, 1}
                                         : NetworkFacts{lowered, 5};
    for (std::uint32_t line = 1; line < 40; line += seed % 3 == 0 ? 1U : 2U) {
      const Symbols symbols = program::symbols_on_line(source.program, *lowered, program::SourceFile{0}, line);
      if (symbols.empty()) continue;
      ++asked;
      facts.compute(symbols, {});
      const Standing standing = facts.known(symbols);
      REQUIRE(standing.complete());
      CHECK(!standing.gave_up);
      CHECK(*standing.others == others_by_definition(*lowered, symbols));
      const findings::HeldLocks expected = findings::held_at(held, symbols);
      CHECK(standing.held->always == expected.always);
      CHECK(standing.held->sometimes == expected.sometimes);
    }
  }
  CHECK(asked > 300);
}

TEST_CASE("what a limit has stopped is said to be unknown, and what was cancelled is computed later") {
  const auto lowered = lowered_of("var x; lock a; proc main() { spawn f(); x = 1; } proc f() { sync (a) { x = 2; } }");
  Symbols all;
  for (dpn::StackSymbol symbol : lowered->symbols.keys())
    if (lowered->symbols[symbol].role == program::SymbolRole::Before) all.push_back(symbol);
  StopSource source;
  source.request(StopReason::Cancelled);
  NetworkFacts cancelled{lowered};
  cancelled.compute(all, StopToken{source});
  CHECK(!cancelled.known(all).complete());
  CHECK(!cancelled.wait(all, std::chrono::steady_clock::now(), {}).complete());
  cancelled.compute(all, {});
  CHECK(cancelled.known(all).others->size() > 2);
  CHECK(!cancelled.known(all).gave_up);
  source.reset();
  source.request(StopReason::Timeout);
  NetworkFacts stopped{lowered};
  stopped.compute(all, StopToken{source});
  CHECK(stopped.known(all).gave_up == StopReason::Timeout);
}

TEST_CASE("what is known of a network is kept as long as the program has that network") {
  const std::string first = "var x; proc main() { spawn f(); x = 1; }\nproc f() { x = 2; }\n";
  const auto reading = read(Text{first}, "p.lw", Language::Program, {});
  const auto facts = reading->program->network_facts();
  const auto after = [&](const std::string& text) {
    const auto broken = read(Text{text + "}"}, "p.lw", Language::Program, {}, reading.get());
    CHECK(!broken->program);
    return read(Text{text}, "p.lw", Language::Program, {}, reading.get())->program->network_facts();
  };
  CHECK(after("// more\n" + first) == facts);
  CHECK(after("var y; proc main() { spawn g(); y = 7; }\n\nproc g() { y = 2; }\n") == facts);
  CHECK(after("var x; proc main() { spawn f(); x = 1; x = 1; }\nproc f() { x = 2; }\n") != facts);
}

std::string folded(const std::string& text) {
  std::string shown;
  for (const Fold& fold : folds(Text{text}))
    shown += std::to_string(fold.first) + "-" + std::to_string(fold.last) + (fold.comment ? "c " : " ");
  return shown;
}

TEST_CASE("blocks and comments of several lines fold") {
  CHECK(folded("proc main() {\n  skip;\n}\n") == "0-1 ");
  CHECK(folded("proc main() { skip; }\n") == "");
  CHECK(folded("if (*) {\n  skip;\n} else {\n  skip;\n}\n") == "0-1 2-3 ");
  CHECK(folded("// a\n// b\n//c\nx = 1; // d\n// e\n\n// f\n") == "0-2c ");
  CHECK(folded("/* a\n b { */ {\n x\n y }\n") == "0-1c 1-2 ");
  CHECK(folded("{ // {\n {\n skip;\n") == "");  // nothing is closed
  CHECK(folded("}\n}\n{\n\n}") == "2-3 ");
  CHECK(folded("stacks {\n a : \"{ \\\" {\"\n '}' : \"x\"\n}\n") == "0-2 ");
  CHECK(folded("{\r\n skip;\r\n}\r\n") == "0-1 ");
}

TEST_CASE("every word of a program has the colour of what it is") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = "// first\n" + lw::random_program(seed, {.joins = seed % 2 == 0, .arithmetic = true});
    CAPTURE(text);
    const lw::ProgramText program = lw::read_program(text, "p.lw");
    const auto pieces = coloured(text, &program);
    std::size_t end = 0;
    for (const Coloured& piece : pieces) {
      CHECK(end <= piece.range.begin);
      end = piece.range.end;
    }
    const DeclaredNames declared = declared_names(program);
    for (lw::NameId name : program.tree.names.keys()) {
      const auto piece = std::ranges::find(pieces, program.tree.names[name].range.begin,
                                           [](const Coloured& each) { return each.range.begin; });
      REQUIRE(piece != pieces.end());
      const lw::Referent& meant = program.referents[name];
      const auto is = [&](Colour colour) { return piece->colour == colour; };
      CHECK(is(Colour::Lock) == std::holds_alternative<program::Lock>(meant));
      CHECK(is(Colour::Function) == std::holds_alternative<program::ProcedureId>(meant));
      CHECK(is(Colour::Label) == std::holds_alternative<lw::LabelName>(meant));
      CHECK(((piece->shades & Shared) != 0) == std::holds_alternative<program::Variable>(meant));
      CHECK(((piece->shades & Thread) != 0) == std::holds_alternative<program::Group>(meant));
      CHECK(((piece->shades & Declares) != 0) == declared.declares[name]);
      // Each thing is declared once, by its first mention unless procedures and shared names are declared behind.
      const auto all = mentions(program, name);
      CHECK(std::ranges::count_if(all, [&](lw::NameId each) { return declared.declares[each]; }) == 1);
      CHECK(occurrences(program, name).size() == all.size());
    }
    // While the text has errors, words keep their colours.
    const auto broken = coloured(text + "\n(", &program);
    CHECK(broken.size() == pieces.size());
  }
}

Remark remark(Severity severity, const std::string& group, std::uint32_t at) {
  return {.range = {at, at}, .severity = severity, .code = {}, .message = group, .related = {}, .group = group};
}

TEST_CASE("of many remarks, the worst are told, and some of each variable") {
  std::vector<Remark> all;
  for (std::uint32_t i = 0; i < 50; ++i) all.push_back(remark(Severity::Warning, "race x", i));
  all.push_back(remark(Severity::Warning, "race y", 50));
  all.push_back(remark(Severity::Error, "race x", 51));
  all.push_back(remark(Severity::Error, "", 52));
  CHECK(limited(all, 0).size() == 53);
  CHECK(limited(all, 53).size() == 53);
  const auto kept = limited(all, 5);
  REQUIRE(kept.size() == 5);
  CHECK(kept[0].range.begin == 0);
  CHECK(kept[1].message == "race y");
  CHECK(kept[2].range.begin == 51);
  CHECK(kept[3].range.begin == 52);
  CHECK(kept[4].message == "49 more remarks are not shown (--max-diagnostics=5)");
  CHECK(limited(all, 1).size() == 1);
}

TEST_CASE("symbols are found by some of their letters") {
  CHECK(matches("", "x"));
  CHECK(matches("wrk", "Worker"));
  CHECK(matches("WORKER", "worker"));
  CHECK(!matches("workers", "worker"));
  CHECK(!matches("krow", "worker"));
}

}  // namespace
}  // namespace lockwood::lsp
