#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "dpn/formats/model_file.hpp"
#include "dpn/model/network_builder.hpp"
#include "frontend/sets/completion.hpp"
#include "frontend/sets/constructs.hpp"
#include "frontend/sets/scanner.hpp"
#include "frontend/sets/words.hpp"
#include "tests/frontend/sets/run_script.hpp"

// The language itself: what scripts mean, and what is said about wrong ones.

using namespace lockwood;
using namespace lockwood::sets;
using sets::testing::line_of;
using sets::testing::run_script;

namespace {

const dpn::Network& fig1() {
  static const dpn::Network network = dpn::load_model(LOCKWOOD_SOURCE_DIR "/models/fig1.dpn").network;
  return network;
}

// The lines of a script about Figure 1 that has nothing wrong.
std::vector<std::string> lines(const std::string& text, Way way = Way::Automatic) {
  const auto run = run_script(fig1(), "load \"fig1.dpn\"\n" + text, way);
  std::vector<std::string> result;
  for (const Diagnostic& problem : run.problems) result.push_back(to_text(problem));
  for (std::size_t i = 1; i < run.results.size(); ++i) result.push_back(line_of(run.results[i]));
  return result;
}
std::string line(const std::string& text) {
  const auto all = lines(text);
  return all.size() == 1 ? all.front() : "not one line";
}

// The first problem of a script about Figure 1 as `line:column: message`, or what the script gave if there is none.
std::string first_problem(const std::string& text) {
  const auto run = run_script(fig1(), text);
  if (run.problems.empty()) return "no problem";
  const Diagnostic& first = run.problems.front();
  if (!first.at) return first.message;
  return std::to_string(first.at->line) + ':' + std::to_string(first.at->column) + ": " + first.message;
}

}  // namespace

TEST_CASE("a script about Figure 1 gets the answers of the paper") {
  const std::vector<std::string> expected{
      "check empty(A & stand({r1})): holds",        "check R0 <= post*(init, nolocks): holds",
      "check R0 == post*(init, nolocks): fails",    "check ~empty(R0 & stand({p2}, {s1})): holds",
      "check empty(R0 & stand({r1}, {s1})): holds", "check empty(post*(init, nolocks) & stand({r1}, {s1})): fails",
  };
  CHECK(lines("let W = stand({p2}, {s2})\n"
              "let R0 = post*(init)\n"
              "let A = post*(R0 & W, avoiding {v0})\n"
              "check empty(A & stand({r1}))\n"
              "check R0 <= post*(init, nolocks)\n"
              "check R0 == post*(init, nolocks)\n"
              "check ~empty(R0 & stand({p2}, {s1}))\n"
              "check empty(R0 & stand({r1}, {s1}))\n"
              "check empty(post*(init, nolocks) & stand({r1}, {s1}))\n") == expected);
}

TEST_CASE("functions, loops and lists") {
  CHECK(lines("let f(S, x) = S & stand({x})\n"
              "for x in {p1, r1} { for y in {s1} { check empty(f(f(post*(init), x), y)) } }") ==
        std::vector<std::string>{"check empty(f(f(post*(init), x), y)): holds [x = p1] [y = s1]",
                                 "check empty(f(f(post*(init), x), y)): holds [x = r1] [y = s1]"});
  CHECK(line("let l = {p1 p2}; let m = {l, p3}\nm") == "m: p1 p2 p3");
  CHECK(line("locks") == "locks: x");
  CHECK(line("{a, b, c, a} - {a}") == "{a, b, c, a} - {a}: b c");
  CHECK(line("let x = \"p1\"\n{x \"x\"}") == "{x \"x\"}: p1 x");
  CHECK(line("count(post*(init), nodes = 1) == 1") == "count(post*(init), nodes = 1) == 1: true");
  // A loop's names are gone after it, and do not get into functions.
  CHECK(first_problem("for x in {a} { let y = x }\nshow y") == "2:6: unknown name 'y'");
  CHECK(first_problem("let f(a) = {a b}\nlet g(a) = b\nfor b in {c} { f(\"q\")\n g(b) }") == "2:12: unknown name 'b'");
}

TEST_CASE("operators bind as the grammar says, and lines end where expressions do") {
  CHECK(line("check init | init & stand({p2}) == init") == "check init | init & stand({p2}) == init: holds");
  CHECK(line("check (init | init) & stand({p2}) != init") == "check (init | init) & stand({p2}) != init: holds");
  CHECK(line("check init - init | init == init") == "check init - init | init == init: holds");
  CHECK(line("check ~init & init == init - init") == "check ~init & init == init - init: holds");
  CHECK(line("check // a remark\n  init\n  & stand({p1}) // another\n == init") ==
        "check init & stand({p1}) == init: holds");
  CHECK(first_problem("load \"a\"\nlet A = init B") ==
        "2:14: expected the end of the line or ';' after the statement, found 'B'");
  CHECK(lines("let A = init; A == init; states(A)") == std::vector<std::string>{"A == init: true", "states(A): 1"});
}

TEST_CASE("questions about single sets") {
  CHECK(line("show \"a \\\"  // b\"") == "show \"a \\\"  // b\": a \"  // b");
  CHECK(line("finite(init)") == "finite(init): true");
  CHECK(line("finite(post*(init))") == "finite(post*(init)): true");
  CHECK(line("count(init)") == "count(init): 1");
  CHECK(line("member(\"NIL.p1\", post*(init))") == "member(\"NIL.p1\", post*(init)): true");
  CHECK(line("member(\"NIL.p2\", post*(init))") == "member(\"NIL.p2\", post*(init)): false");
  CHECK(line("witness(init)") == "witness(init): NIL.p1");
  CHECK(line("witness(init - init)") == "witness(init - init): nothing");
  CHECK(line("show init") == "show init: 1 tree; an automaton with 1 state and 1 transition");
  CHECK(line("let S = post*(init)\nmember(sample(S, nodes = 9, seed = 7), S)") ==
        "member(sample(S, nodes = 9, seed = 7), S): true");
  CHECK(line("let S = post*(init) | stand({s1})\nstates(reduce(S)) <= states(S)") ==
        "states(reduce(S)) <= states(S): true");
  CHECK(line("let S = post*(init) | stand({s1})\nreduce(S) == S") == "reduce(S) == S: true");
}

TEST_CASE("it is said which way was taken") {
  CHECK(line("explain empty(post*(post*(init) & stand({s2}), avoiding {v0}) & stand({r1}))")
            .ends_with(": by the engine, with locks, as a problem with 2 phases | phase 1: a thread is in {s2} | "
                       "phase 2: avoiding "
                       "{v0}; a thread is in {r1}"));
  CHECK(line("explain stand({s1})")
            .ends_with("by the engine, without locks, as a problem with 1 phase | "
                       "phase 1: a thread is in {s1}"));
  CHECK(
      line("explain empty(init | init)") ==
      "explain empty(init | init): by automata: the engine cannot be asked, for a union is not part of its questions");
  CHECK(line("explain post*(post*(init), nolocks)").ends_with("this goes on with another one"));
  CHECK(line("explain post*(init) & post*(init, avoiding {v0})").ends_with("and this intersects two"));
  CHECK(line("explain empty(pre*(stand({r1}), avoiding {v0}) & stand({p2}))")
            .ends_with("by the engine, with locks, as a problem with 2 phases | phase 1: a thread is in {p2} | "
                       "phase 2: avoiding {v0}; a thread is in {r1} | the tree at the end of phase 1 is in the set"));
  CHECK(line("explain pre*(init) & pre*(stand({r1}))").ends_with("and this intersects two pre*"));
  CHECK(line("explain post*(pre*(init))").ends_with("and this goes on from where another way leads to a set"));
  CHECK(line("explain pre*(post*(init, avoiding {v0}))").ends_with("and what pre* leads to has another one"));
  CHECK(line("explain pre*(post*(init), nolocks)").ends_with("and what pre* leads to has another one"));
  CHECK(line("explain post*(init) & pre*(init, nolocks)").ends_with("and this goes on with another one"));
  CHECK(line("explain {a}") == "explain {a}: this is a list: nothing is to be decided");
}

TEST_CASE("limits are answers") {
  const auto run =
      run_script(fig1(), "load \"m\"\ncheck post*(init) == init\nstates(init)\nlet n = states(post*(init))\nn",
                 Way::Automatic, {.states = 5, .stop = {}});
  CHECK(run.problems.empty());
  REQUIRE(run.results.size() == 4);
  const auto& checked = std::get<Checked>(run.results[1].what);
  CHECK(checked.outcome == Outcome::Unknown);
  CHECK(checked.because.find("more than 5 states, which is the limit") != std::string::npos);
  CHECK(line_of(run.results[2]) == "states(init): 1");
  CHECK(std::holds_alternative<GaveUp>(run.results[3].what));
}

TEST_CASE("an interruption is reported, and ends the script") {
  StopSource source;
  source.request(StopReason::Timeout);
  CHECK_THROWS_AS(static_cast<void>(run_script(fig1(), "load \"m\"\ncheck empty(init)\ncheck empty(init)",
                                               Way::Automatic, {.states = 100, .stop = StopToken{source}})),
                  Interrupted);
}

TEST_CASE("errors point at the place") {
  CHECK(first_problem("check") == "1:6: expected an expression, found the end of the script");
  CHECK(first_problem("load \"a\"\ncheck empty(stand({s9}))") == "2:20: the model has no stack symbol 's9'");
  CHECK(first_problem("load \"a\"\npost*(init, avoiding {v0, v9})") == "2:27: the model has no action 'v9'");
  CHECK(first_problem("load \"a\"\nholding(y)") == "2:9: the model has no lock 'y'");
  CHECK(first_problem("check empty(init)") == "1:13: there is no model yet");
  CHECK(first_problem("load \"a\"\ncheck init") == "2:7: only what holds or not can be checked; this is a set");
  CHECK(first_problem("load \"a\"\nlet A = init & {p1}") == "2:9: this joins a set and a list");
  CHECK(first_problem("load \"a\"\nlet count = 1") == "2:5: 'count' is a word of the language and cannot be a name");
  CHECK(first_problem("load \"a\"\ns1") == "2:1: there is no variable 's1'; sets of symbols are written {s1}");
  CHECK(first_problem("load \"a\"\nempti(init)") == "2:1: unknown function 'empti'");
  CHECK(first_problem("load \"a\"\ncount(post*(init), node = 3)") == "2:27: 'count' has no argument 'node'");
  CHECK(first_problem("load \"a\"\nempty(init, init)") == "2:1: 'empty' takes 1 argument, not 2");
  CHECK(first_problem("load \"a\"\nstand()") == "2:1: 'stand' takes 1 argument, not 0");
  CHECK(first_problem("load \"a\"\nthreads >= 100") == "2:12: this should be a number from 1 to 64");
  CHECK(first_problem("load \"a\"\nmember(\"NIL.p1(\", init)").starts_with("2:8: this is not a tree over the symbols"));
  CHECK(first_problem("load \"a") == "1:6: the text is not closed by '\"' on its line");
  CHECK(first_problem("load \"a\"\nlet A = §") == "2:9: this character has no meaning here");
  CHECK(first_problem("let f(a) = f(a)\nf(1)") == "1:14: functions call each other too deeply");
  CHECK(first_problem("let f(a, a) = 1") == "1:10: there is already a parameter 'a'");
  CHECK(first_problem("for x in {a} {\n show x\n") == "1:14: this '{' is not closed");
  CHECK(first_problem("load \"a\"\nlet A = init\nload \"b\"\ncheck A == init") ==
        "4:7: these are sets of different models");
  CHECK(first_problem("}") == "1:1: there is no '{' that this closes");
}

TEST_CASE("several errors are found in one run, and what depends on them is passed over") {
  const auto run = run_script(
      fig1(), "load \"m\"\nlet A = stand({zz})\nlet B = A & init\ncheck empty(B)\nholding(y)\ncheck init == init");
  REQUIRE(run.problems.size() == 2);
  CHECK(run.problems[0].at->line == 2);
  CHECK(run.problems[1].at->line == 5);
  CHECK(line_of(run.results.back()) == "check init == init: holds");
  CHECK(run_script(fig1(), "let = 1\ncheck )\nload").problems.size() == 3);
}

TEST_CASE("deep scripts are refused, not followed down the stack") {
  CHECK(first_problem("show " + std::string(100'000, '(')).find("nested more than 200 deep") != std::string::npos);
  CHECK(first_problem("show " + std::string(100'000, '~') + "true").find("nested more than 200 deep") !=
        std::string::npos);
  std::string sum = "load \"a\"\nshow init";
  for (int i = 0; i < 10'000; ++i) sum += " & init";
  CHECK(first_problem(sum).find("nested more than 200 deep") != std::string::npos);
  std::string loops;
  for (int i = 0; i < 10'000; ++i) loops += "for x in {a} {\n";
  CHECK(first_problem(loops).find("nested more than 200 deep") != std::string::npos);
  std::string chain = "load \"a\"\nlet A0 = init\n";
  for (int i = 1; i < 3000; ++i) chain += "let A" + std::to_string(i) + " = ~A" + std::to_string(i - 1) + '\n';
  CHECK(first_problem(chain) == "1002:13: sets are built of each other more than 1000 deep");
}

TEST_CASE("sets are saved, drawn and read again") {
  const std::string folder = std::filesystem::temp_directory_path() / "lockwood-sets-test";
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/a.tmb";
  CHECK(lines("let A = post*(init, avoiding {v0})\nsave A \"" + file + "\"\ncheck automaton \"" + file + "\" == A\n" +
              "dot(A) \"" + folder + "/a.dot\"\ndot(witness(A)) \"" + folder + "/t.dot\"")
            .at(1) == "check automaton \"" + file + "\" == A: holds");
  for (const char* name : {"/a.dot", "/t.dot"}) {
    std::ifstream picture{folder + name};
    std::string word;
    picture >> word;
    CHECK(word == "digraph");
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("what only lacks its end is unfinished") {
  for (const char* text :
       {"check (", "let A = {a", "A &", "for x in {a} {\n show x", "let", "stand({a},", "post*(init, "})
    CHECK_MESSAGE(is_unfinished(text), text);
  for (const char* text : {"check )", "A", "", "// remark", "let A = \"open", "show }", "for x in {a} { }", "( ]"})
    CHECK_MESSAGE(!is_unfinished(text), text);
}

TEST_CASE("a word is completed by what fits where it stands") {
  Session session{{.limits = {},
                   .way = Way::Automatic,
                   .folder = {},
                   .load = [](const std::string&) { return std::make_shared<const Model>(fig1()); },
                   .report = [](const Result&) {},
                   .warn = {}}};
  session.run(parse_script("load \"m\"\nlet spare = init\nlet f(S) = S", "script"));
  const auto choices = [&](std::string_view line) { return completion(session, line).choices; };
  CHECK(choices("check sta") == std::vector<std::string>{"stand", "states"});
  CHECK(choices("check sp") == std::vector<std::string>{"spare"});
  CHECK(choices("stand({s") == std::vector<std::string>{"s1", "s2", "spare"});
  CHECK(choices("stand({p1}, {s") == std::vector<std::string>{"s1", "s2", "spare"});
  CHECK(choices("stand({p1}) & s").size() > 4);
  CHECK(choices("post*(init, avoiding {v") == std::vector<std::string>{"v0", "v42"});
  CHECK(choices("post*(init & fired({sp") == std::vector<std::string>{"spare", "spawnQ"});
  CHECK(choices("holding(x") == std::vector<std::string>{"x"});
  CHECK(choices("stand({zz").empty());
  CHECK(choices("enu") == std::vector<std::string>{"enumerate"});
  CHECK(choices("enumerate(spare, nodes = 1..3, li") == std::vector<std::string>{"limit"});
  CHECK(choices("va") == std::vector<std::string>{"vars"});
  CHECK(choices("sv") == std::vector<std::string>{"svg"});
  CHECK(choices("check pre") == std::vector<std::string>{"pre*"});
  CHECK(choices("check pre*") == std::vector<std::string>{"pre*"});
  CHECK(completion(session, "check pre*").typed == 4);
  CHECK(choices("pre*(init, avoiding {v") == std::vector<std::string>{"v0", "v42"});
  CHECK(completion(session, "check sta").typed == 3);
  CHECK(choices("load \"" LOCKWOOD_SOURCE_DIR "/models/fig1.d") ==
        std::vector<std::string>{LOCKWOOD_SOURCE_DIR "/models/fig1.dpn"});
}

TEST_CASE("names that are no words are completed in quotes") {
  dpn::NetworkBuilder builder;
  const dpn::ControlState control = builder.control("0");
  const dpn::StackSymbol first = builder.stack("worker:11 [careful]");
  builder.initial({control, first});
  builder.add({{control, first}, builder.action("write x"), dpn::Base{{control, builder.stack("worker:12")}}});
  auto model = std::make_shared<const Model>(std::move(builder).build(), Places{{"safe"}, {}});
  Session session{{.limits = {},
                   .way = Way::Automatic,
                   .folder = {},
                   .load = [&](const std::string&) { return model; },
                   .report = [](const Result&) {},
                   .warn = {}}};
  session.run(parse_script("load \"m\"\nlet saved = init", "script"));
  using Words = std::vector<std::string>;
  const auto choices = [&](std::string_view line) { return completion(session, line).choices; };
  CHECK(choices("stand({wor") == Words{"\"worker:11 [careful]\"", "\"worker:12\""});
  CHECK(choices("stand({sa") == Words{"safe", "saved"});
  CHECK(choices("stand({\"wor") == Words{"worker:11 [careful]", "worker:12"});
  CHECK(choices("stand({\"worker:11 [c") == Words{"worker:11 [careful]"});
  CHECK(completion(session, "stand({\"worker:11 [c").ending == "\"");
  CHECK(completion(session, "stand({\"worker:11 [c").typed == 12);
  CHECK(choices("stand({\"worker:12\", \"sa") == Words{"safe"});
  CHECK(choices("thread(/.* \"worker:12") == Words{"worker:12"});
  CHECK(choices("thread(/.* wor") == Words{"\"worker:11 [careful]\"", "\"worker:12\""});
  CHECK(choices("fired({\"w") == Words{"write x"});
  CHECK(choices("// \"a remark\nstand({\"worker:12") == Words{"worker:12"});
  // Statements of a loop are statements.
  CHECK(choices("for s in symbols { che") == Words{"check"});
  CHECK(choices("for s in {a} {\n  che") == Words{"check"});
  CHECK(choices("for s in {wor").size() == 2);
}

TEST_CASE("an error inside a function tells where it is called") {
  const auto run = run_script(fig1(), "load \"m\"\nlet f(S) = empty(S)\nlet g(x) = f(x)\ncheck g({a})");
  REQUIRE(run.problems.size() == 3);
  CHECK(run.problems[0].at == Position{2, 18});
  CHECK(run.problems[0].severity == Severity::Error);
  CHECK(run.problems[1].message == "'f' is called here");
  CHECK(run.problems[1].at == Position{3, 12});
  CHECK(run.problems[2].severity == Severity::Note);
  CHECK(run.problems[2].message == "'g' is called here");
  CHECK(run.problems[2].at == Position{4, 7});
  // Not a thousand times.
  CHECK(run_script(fig1(), "load \"m\"\nlet f(S) = f(S)\nf(init)").problems.size() < 8);
}

TEST_CASE("a definition in a loop that hides another one is warned of, and a union is what was meant") {
  const auto run = run_script(fig1(),
                              "load \"m\"\nlet A = init\nfor s in {s1, s2} {\n  let A = A | stand({s})\n  let A = A\n"
                              "  let B = A\n}\ncheck A == init\n"
                              "check init | union(s in {s1, s2}, stand({s})) == init | stand({s1}) | stand({s2})\n"
                              "check empty(union(s in {}, init))\ncheck union(s in {s1}, stand({s})) == stand({s1})\n"
                              "check union(s in symbols, stand({s})) == stand(symbols)");
  CHECK(run.problems.empty());
  REQUIRE(run.warnings.size() == 1);  // not in each round
  CHECK(run.warnings[0].severity == Severity::Warning);
  CHECK(run.warnings[0].at == Position{4, 3});
  CHECK(run.warnings[0].message == "'A' gets this meaning only until the round ends");
  for (std::size_t i = 1; i < run.results.size(); ++i)
    CHECK(std::get<Checked>(run.results[i].what).outcome == Outcome::Holds);
  CHECK(run.results.size() == 6);
  CHECK(first_problem("union(s in {a} init)") == "1:16: expected ',' before the set that is joined, found 'init'");
}

TEST_CASE("strict comparisons") {
  CHECK(lines("check threads > 1 == threads >= 2\ncheck depth > 0 == depth >= 1\ncheck size(init) < 2\n"
              "check ~(size(init) > 1)\ncheck init < post*(init)\ncheck ~(init < init)\ncheck post*(init) > init") ==
        std::vector<std::string>{"check threads > 1 == threads >= 2: holds", "check depth > 0 == depth >= 1: holds",
                                 "check size(init) < 2: holds", "check ~(size(init) > 1): holds",
                                 "check init < post*(init): holds", "check ~(init < init): holds",
                                 "check post*(init) > init: holds"});
  CHECK(first_problem("load \"m\"\nshow threads <= 2") == "2:14: 'threads' is only bounded from below");
}

TEST_CASE("a comparison that fails tells which of the sets has a tree that the other one has not") {
  const auto run = run_script(
      fig1(),
      "load \"m\"\nlet R = post*(init)\nlet U = post*(init, nolocks)\ncheck R == U\ncheck U == R\ncheck U <= R\n"
      "check R >= U\ncheck R == init\ncheck init & stand({p1}) == R\ncheck R < R\ncheck U < R\ncheck R != R | init\n"
      "check ~(R == R)\ncheck ~(R != U)\nlet f(S, T) = S <= T\ncheck f(R, init)\n"
      "check post*(post*(post*(post*(post*(init) | init) | init) | init) | init) == init\ncheck empty(init)\n"
      "check 1 == 2\ncheck R <= U");
  CHECK(run.problems.empty());
  std::vector<std::string> sentences;
  for (const Result& result : run.results)
    if (const auto* checked = std::get_if<Checked>(&result.what)) {
      sentences.push_back(checked->sentence);
      CAPTURE(line_of(result));
      CHECK(checked->outcome == (sentences.size() == 16 ? Outcome::Holds : Outcome::Fails));
      CHECK(checked->because.empty() == checked->details.empty());
      const bool has_tree = !checked->sentence.empty() && checked->sentence != "both are the same set";
      CHECK(checked->because.empty() == (!has_tree && sentences.size() != 14));
    }
  CHECK(sentences == std::vector<std::string>{"only in U", "only in U", "only in U", "only in U", "only in R",
                                              "only in R", "both are the same set", "only in U",
                                              "both are the same set", "both are the same set", "only in U",
                                              "only in S", "only in the left set", "", "", ""});
  const auto& unreachable = std::get<Checked>(run.results[1].what);
  CHECK(unreachable.details.front() == "no schedule respects the locks; without them:");
  const auto& empty = std::get<Checked>(run.results[14].what);
  CHECK(empty.because == "NIL.p1");
  CHECK(empty.details.size() == 1);
}

TEST_CASE("a tree with a long schedule is shown without it") {
  dpn::NetworkBuilder builder;
  const dpn::ControlState control = builder.control("0");
  builder.initial({control, builder.stack("s0")});
  for (int i = 0; i < 120; ++i)
    builder.add({{control, builder.stack("s" + std::to_string(i))},
                 builder.action("step"),
                 dpn::Base{{control, builder.stack("s" + std::to_string(i + 1))}}});
  const auto run =
      run_script(std::move(builder).build(), "load \"m\"\ncheck empty(stand({s98}))\ncheck empty(stand({s100}))");
  const auto& shorter = std::get<Checked>(run.results[1].what);
  CHECK(shorter.details.size() == 99);
  const auto& longer = std::get<Checked>(run.results[2].what);
  CHECK(longer.because.starts_with("BASE.s0.step(BASE.s1.step("));
  CHECK(longer.details.empty());
}

TEST_CASE("ranges are lists of numbers, and numbers of nodes") {
  CHECK(line("1..3") == "1..3: 1..3");
  CHECK(line("1 .. 2 == 1..2") == "1 .. 2 == 1..2: true");
  CHECK(line("1..2 != 1..3") == "1..2 != 1..3: true");
  CHECK(lines("for n in 2..3 { show n }") == std::vector<std::string>{"show n: 2 [n = 2]", "show n: 3 [n = 3]"});
  CHECK(line("count(post*(init), nodes = size(init)..3)") == "count(post*(init), nodes = size(init)..3): 2");
  CHECK(line("table for n in 1..4 : count(post*(init), nodes = n)") ==
        "table for n in 1..4 : count(post*(init), nodes = n): 1 1 | 2 0 | 3 1 | 4 2");
  CHECK(line("count(post*(init), nodes = 1..4)") == "count(post*(init), nodes = 1..4): 4");
  CHECK(line("union(n in 2..3, threads >= n) == threads >= 2") ==
        "union(n in 2..3, threads >= n) == threads >= 2: true");
  CHECK(line("let r = 2..3\nunion(n in r, threads >= n) == threads >= 3").ends_with(": false"));
  CHECK(line("empty(thread(/../))") == "empty(thread(/../)): false");  // two symbols, and no range
  CHECK(first_problem("3..2") == "1:1: there is no number from 3 to 2");
  CHECK(first_problem("1..true") == "1:4: this should be a number, and is true or false");
  CHECK(first_problem("load \"a\"\nsample(init, nodes = 1..2)") == "2:22: this should be a number, and is a range");
  CHECK(first_problem("load \"a\"\ncount(init, nodes = {a})") ==
        "2:21: this should be a number or a range such as 1..9, and is a list");
  CHECK(first_problem("load \"a\"\ncount(init, nodes = 1..100001)") ==
        "2:21: these should be numbers from 0 to 100000");
  CHECK(first_problem("for n in 1..100001 { }") == "1:10: these are more than 100000 numbers");
  CHECK(first_problem("for n in 3 { }") == "1:10: this should be a list such as {a, b} or 1..9, and is a number");
  CHECK(is_unfinished("1.."));
}

TEST_CASE("the trees of a set are a list") {
  const auto run = run_script(fig1(),
                              "load \"m\"\nlet R = post*(init)\nenumerate(R, nodes = 3..4)\nenumerate(R, limit = 1)\n"
                              "enumerate(R - R)\nfor t in enumerate(R, limit = 2) { check member(t, R) }\n"
                              "check enumerate(init) == enumerate(init | init)\ncheck enumerate(R) == enumerate(init)");
  CHECK(run.problems.empty());
  REQUIRE(run.results.size() == 8);
  const auto& some = std::get<Shown>(run.results[1].what);
  CHECK(some.type == "a list of trees");
  CHECK(std::get<std::string>(some.value) == "3 trees");
  CHECK(some.details == std::vector<std::string>{"SPAWN.p1.spawnQ(NIL.q1,NIL.p2)",
                                                 "SPAWN.p1.spawnQ(NIL.q1,BASE.p2.v0(NIL.p3))",
                                                 "SPAWN.p1.spawnQ(ACQ.q1.syncS.x(NIL.s1),NIL.p2)"});
  const auto& first = std::get<Shown>(run.results[2].what);
  CHECK(std::get<std::string>(first.value) == "1 tree");
  CHECK(first.details == std::vector<std::string>{"NIL.p1", "and more; limit = k asks for up to k trees"});
  CHECK(std::get<std::string>(std::get<Shown>(run.results[3].what).value) == "0 trees");
  CHECK(line_of(run.results[4]) == "check member(t, R): holds [t = NIL.p1]");
  CHECK(line_of(run.results[6]) == "check enumerate(init) == enumerate(init | init): holds");
  CHECK(line_of(run.results[7]) == "check enumerate(R) == enumerate(init): fails");
  CHECK(first_problem("load \"a\"\nenumerate(init, limit = 0)") == "2:25: this should be a number from 1 to 10000");
  CHECK(first_problem("load \"a\"\nenumerate(init, size = 3)") == "2:24: 'enumerate' has no argument 'size'");
  CHECK(first_problem("load \"a\"\nempty(enumerate(init))") ==
        "2:7: this should be a set of trees, and is a list of trees");
}

TEST_CASE("vars lists what names mean") {
  CHECK(line("vars") == "vars: ");
  CHECK(line("let S = init\nlet n = 7\nlet f(T, U) = T\nlet L = {a b}\nlet r = 1..2\nlet t = witness(S)\n"
             "let u = witness(S - S)\nlet p = S == S\nlet l = enumerate(S)\nlet w = \"text\"\nvars") ==
        "vars: L a list a b | S a set 1 tree; an automaton with 1 state and 1 transition | f a function f(T, U) | "
        "l a list of trees 1 tree | n a number 7 | p true or false true | r a range 1..2 | t a tree 1 node | "
        "u nothing nothing | w a text text");
  // The meaning of the innermost definition, and what is known if a limit is in the way.
  CHECK(lines("let x = 1\nfor x in {a} { let y = 2; vars }") ==
        std::vector<std::string>{"vars: x a text a | y a number 2 [x = a]"});
  const auto run = run_script(fig1(), "load \"m\"\nlet R = post*(init)\nlet S = init\nvars\ncheck true", Way::Automatic,
                              {.states = 5, .stop = {}});
  REQUIRE(run.results.size() == 3);
  CHECK(line_of(run.results[1]) ==
        "vars: R a set unknown | S a set 1 tree; an automaton with 1 state and 1 transition");
  CHECK(std::get<Tabulated>(run.results[1].what).because.find("more than 5 states") != std::string::npos);
  // What is broken is left out.
  const auto broken = run_script(fig1(), "load \"m\"\nlet A = stand({zz})\nlet B = 1\nvars");
  CHECK(broken.problems.size() == 1);
  CHECK(line_of(broken.results.back()) == "vars: B a number 1");
}

TEST_CASE("a picture is drawn by what the session was given for it") {
  std::string graph;
  const std::string file = std::filesystem::temp_directory_path() / "lockwood-sets-test.svg";
  Session session{{.limits = {},
                   .way = Way::Automatic,
                   .folder = {},
                   .load = [](const std::string&) { return std::make_shared<const Model>(fig1()); },
                   .report = [](const Result&) {},
                   .warn = {},
                   .svg =
                       [&](const std::string& drawn, StopToken) {
                         graph = drawn;
                         if (drawn.find("NIL.p1") == std::string::npos && drawn.find("p1") == std::string::npos)
                           throw InputError{"--svg", "no"};
                         return std::string{"<svg/>"};
                       }}};
  session.run(parse_script("load \"m\"\nsvg(init) \"" + file + '"', "script"));
  CHECK(graph.starts_with("digraph"));
  std::ifstream picture{file};
  std::string text;
  picture >> text;
  CHECK(text == "<svg/>");
  std::filesystem::remove(file);
  CHECK(first_problem("load \"m\"\nsvg(init) \"a.svg\"") == "2:1: nothing can be drawn here");
  CHECK(first_problem("load \"m\"\nsvg(1) \"a.svg\"") == "2:5: only sets and trees can be drawn; this is a number");
  CHECK(first_problem("svg 1") == "1:5: expected '(' after 'svg', found '1'");
}

TEST_CASE("a file that cannot be written is a problem of its statement") {
  const auto run =
      run_script(fig1(), "load \"m\"\nsave init \"/absent/a.tmb\"\n  dot(init) \"/absent/a.dot\"\ncheck true");
  REQUIRE(run.problems.size() == 2);
  CHECK(run.problems[0].at == Position{2, 1});
  CHECK(run.problems[0].message == "this cannot be written: /absent/a.tmb: No such file or directory");
  CHECK(run.problems[1].at == Position{3, 3});
  REQUIRE(run.results.size() == 2);
  CHECK(line_of(run.results[1]) == "check true: holds");
}

TEST_CASE("every word of the language has help") {
  for (std::string_view word : words) CHECK_MESSAGE(!help_on(word).empty(), word);
  CHECK(help_on("nonsense").empty());
}
