#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/shared_data.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/formats/timbuk_specification.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

const char* const example =
    "Ops a:0 b:1 c:2\nAutomaton A\nStates q0 q1 q2\nFinal States q2\nTransitions\n"
    "a -> q0\nb(q0) -> q1\nc(q1, q1) -> q2\n";

// The text that is written after reading, or the first line of the error.
std::string rewritten(std::string_view text, TimbukReading reading = TimbukReading::Lenient) {
  try {
    return to_timbuk(read_timbuk(text, "f", reading));
  } catch (const InputError& error) {
    return std::string{error.what()}.substr(0, std::string{error.what()}.find('\n'));
  }
}

// The rules only.
std::string rules(std::string_view text) {
  const std::string written = rewritten(text);
  const std::size_t begin = written.find("Transitions\n");
  return begin == std::string::npos ? written : written.substr(begin + 12);
}

}  // namespace

TEST_CASE("the usual form is read and written unchanged") { CHECK(rewritten(example) == example); }

TEST_CASE("reading is free-form") {
  CHECK(rewritten(
            "Ops\na:0\nb: 1 c :2 Automaton\nA States\nq0 q1\nq2 Final\nStates q2 Transitions a->q0 b (q0)\n->\nq1\r\n"
            "c(\tq1,q1)->q2") == example);
  CHECK(rewritten("Final States q2:0\nStates q0:0 q1 q2:0\nAutomaton A\nOps a:0 b:1 c:2\nTransitions\n"
                  "a() -> q0:0\nb(q0)->q1 : 0\nc(q1 ,q1) -> q2\nc(q1 ,q1) -> q2\n") == example);
  CHECK(rewritten(
            "\xEF\xBB\xBF% made by hand\n  # again\nOps a:0 b:1 c:2\nAutomaton A\nStates q0 q1 q2\nFinal States q2\n"
            "Transitions\na -> q0\n%b\nb(q0) ->\n  % between\nq1\nc(q1, q1) -> q2\n#end") == example);
}

TEST_CASE("sections may be absent or empty, and what is used is added in the order of its use") {
  CHECK(rewritten("Transitions\na -> q\nf(q, q) -> q\nf(q) -> p\n") ==
        "Ops a:0 f:2 f:1\nAutomaton\nStates q p\nFinal States\nTransitions\na -> q\nf(q, q) -> q\nf(q) -> p\n");
  CHECK(rewritten("Ops\nAutomaton anonymous\nStates\nFinal States r\nTransitions\n") ==
        "Ops\nAutomaton anonymous\nStates r\nFinal States r\nTransitions\n");
  CHECK(rewritten("Ops f Transitions a -> q") == "Ops a:0\nAutomaton\nStates q\nFinal States\nTransitions\na -> q\n");
}

TEST_CASE("names are bytes: numbers beyond any integer, brackets, percent signs, minus signs") {
  const std::string text =
      "Ops [<x>=1|y]:0 #:1 %a-b:0 a-:0\nAutomaton a:b(c)\nStates q9223372036854775809 #q \xFF\n"
      "Final States #q\nTransitions\n[<x>=1|y] -> q9223372036854775809\n#(#q) -> \xFF\n%a-b -> #q\na- -> #q\n";
  CHECK(rewritten(text) == text);
  CHECK(rules("Transitions a--> q") == "a- -> q\n");
}

TEST_CASE("an epsilon rule is replaced by what it makes possible") {
  CHECK(
      rules("Ops a:0 f:1 States p q r s Final States Transitions\na -> p  p -> q  q -> r r -> p f(r) -> s f(s) -> q") ==
      "a -> p\na -> q\na -> r\nf(r) -> s\nf(s) -> p\nf(s) -> q\nf(s) -> r\n");
  // A constant of that name is declared, or written with parentheses: no epsilon rule.
  CHECK(rules("Ops p:0 States p q Transitions p -> q") == "p -> q\n");
  CHECK(rules("States p q Transitions p() -> q") == "p -> q\n");
}

TEST_CASE("strict reading reports what is not declared, once, with what may have been meant") {
  CHECK(rewritten(example, TimbukReading::Strict) == example);
  try {
    (void)read_timbuk(
        "Ops alpha:0 f:2\nStates state\nFinal States stat:1\nTransitions\nalpah -> state\nf(state) -> stata\n"
        "alpah -> stata\n",
        "f", TimbukReading::Strict);
    FAIL("expected errors");
  } catch (const InputError& error) {
    REQUIRE(error.diagnostics().size() == 5);
    CHECK(to_text(error.diagnostics()[0]) ==
          "f:3:14: error: the state 'stat' must have rank 0\n    Final States stat:1\n                 ^~~~\n");
    CHECK(to_text(error.diagnostics()[1]) ==
          "f:3:14: error: the state 'stat' is not declared\n    Final States stat:1\n                 ^~~~\n"
          "    did you mean 'state'?\n");
    CHECK(error.diagnostics()[2].message == "the symbol 'alpah' of rank 0 is not declared");
    CHECK(error.diagnostics()[2].hint == "did you mean 'alpha'?");
    CHECK(error.diagnostics()[3].hint == "'f' is declared with rank 2");
    CHECK(error.diagnostics()[4].message == "the state 'stata' is not declared");
  }
}

TEST_CASE("wrong files are reported with line and column") {
  CHECK(rewritten("") == "f:1:1: error: the file ends without a section 'Transitions'");
  CHECK(rewritten("Ops a:0\n") == "f:2:1: error: the file ends without a section 'Transitions'");
  CHECK(rewritten("Opps a:0") ==
        "f:1:1: error: expected 'Ops', 'Automaton', 'States', 'Final States' or 'Transitions'");
  CHECK(rewritten("Ops a:0 Ops b:0 Transitions") == "f:1:9: error: a second section 'Ops'");
  CHECK(rewritten("Final q Transitions") == "f:1:7: error: expected 'States' after 'Final'");
  CHECK(rewritten("Ops a:x Transitions") == "f:1:7: error: expected a number after ':'");
  CHECK(rewritten("Ops a: Transitions") == "f:1:8: error: expected a number after ':'");
  CHECK(rewritten("Ops a:99999999999999999999 Transitions") == "f:1:7: error: a rank can be at most 1000000");
  CHECK(rewritten("Ops a:0, b:0 Transitions") == "f:1:8: error: expected a name or the next section");
  CHECK(rewritten("States q\na -> q\nTransitions") == "f:2:3: error: a rule outside of the section 'Transitions'");
  CHECK(rewritten("Transitions\nf(q,) -> q") == "f:2:5: error: expected a state");
  CHECK(rewritten("Transitions\nf(,q) -> q") == "f:2:3: error: expected a state");
  CHECK(rewritten("Transitions\nf(q:0) -> q") == "f:2:4: error: expected ',' or ')'");
  CHECK(rewritten("Transitions\nf(q q) -> q") == "f:2:5: error: expected ',' or ')'");
  CHECK(rewritten("Transitions\nf(q) q") == "f:2:6: error: expected '->'");
  CHECK(rewritten("Transitions\na q -> q") == "f:2:3: error: expected '(' or '->'");
  CHECK(rewritten("Transitions\na -> (q)") == "f:2:6: error: expected a state after '->'");
  CHECK(rewritten("Transitions\n-> q") == "f:2:1: error: expected a rule, which begins with a symbol");
  CHECK(rewritten("Transitions\nf(q") == "f:2:4: error: the file ends within a rule");
  CHECK(rewritten("Transitions\nf(q,") == "f:2:5: error: the file ends within a rule");
  CHECK(rewritten("Transitions\nf(q) ->\n") == "f:3:1: error: the file ends within a rule");
  CHECK(rewritten("Transitions\na") == "f:2:2: error: the file ends within a rule");
  CHECK(rewritten("Transitions\na -> q\nAutomaton B") ==
        "f:3:1: error: 'Automaton' is a keyword: it cannot be a name, and sections come before 'Transitions'");
}

TEST_CASE("several errors are reported together, and not more than twenty") {
  try {
    (void)read_timbuk("Ops a:x b:y\nTransitions\nf(,) -> q\na -> q\nf( -> q\n", "f");
    FAIL("expected errors");
  } catch (const InputError& error) {
    CHECK(error.diagnostics().size() == 4);
  }
  std::string text = "Transitions\n";
  for (int i = 0; i < 1000; ++i) text += "f(,) -> q\n";
  try {
    (void)read_timbuk(text, "f");
    FAIL("expected errors");
  } catch (const InputError& error) {
    CHECK(error.diagnostics().size() == 20);
  }
}

TEST_CASE("every prefix of a file is read or refused, never worse") {
  const std::string text =
      "% x\nOps a:0 b:1\nAutomaton A\nStates q:0 p\nFinal States q\nTransitions\na -> q:0\np -> q\nb(q) -> p";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(rewritten(text.substr(0, length)).empty());
    CHECK_FALSE(rewritten(text.substr(length)).empty());
    CHECK_FALSE(rewritten(text.substr(0, length) + "->" + text.substr(length)).empty());
    CHECK_FALSE(rewritten(text.substr(0, length) + ":" + text.substr(length)).empty());
  }
}

TEST_CASE("names that the format cannot express are refused when writing") {
  for (const char* name : {"", "a b", "a(b", "a:0", "a->b", "Final", "x,y"}) {
    CAPTURE(name);
    AutomatonBuilder symbols;
    symbols.symbol(name, 0);
    CHECK_THROWS_AS((void)to_timbuk(std::move(symbols).build()), InputError);
    AutomatonBuilder states;
    states.state(name);
    CHECK_THROWS_AS((void)to_timbuk(std::move(states).build()), InputError);
  }
}

TEST_CASE("a full specification yields its automata and names the sections that are skipped") {
  const std::string text =
      "% reversal of lists\nOps app:2 cons:2\n  nil:0 a:0\nVars x y z\n\nTRS R1\napp(nil,x) -> x\n"
      "app(cons(x,y),z) -> cons(x,app(y,z))\n\nAutomaton A0\nStates q0 qa qf\nFinal States qf\nTransitions\n"
      "a -> qa\n%list\nnil -> q0\ncons(qa,q0) -> qf\nq0 -> qf\n\nAutomaton Problem1\nStates q\nFinal States q\n"
      "Transitions\na -> q\n\nEquations E\nRules\ncons(x,y) = y\n";
  const TimbukSpecification specification = read_timbuk_specification(text, "f");
  REQUIRE(specification.automata.size() == 2);
  CHECK(to_timbuk(specification.automata[0]) ==
        "Ops app:2 cons:2 nil:0 a:0\nAutomaton A0\nStates q0 qa qf\nFinal States qf\nTransitions\n"
        "cons(qa, q0) -> qf\nnil -> q0\nnil -> qf\na -> qa\n");
  CHECK(specification.automata[1].name() == "Problem1");
  CHECK(specification.automata[1].alphabet() == specification.automata[0].alphabet());
  REQUIRE(specification.skipped.size() == 4);
  CHECK(to_text(specification.skipped[1]) == "f:6:1: note: the section 'TRS' is skipped\n    TRS R1\n    ^~~\n");
  CHECK(read_timbuk_specification(example, "f").automata.front() == read_timbuk(example, "f"));
}

TEST_CASE("errors in a full specification are reported at their places") {
  const auto failure = [](std::string_view text) {
    try {
      return std::to_string(read_timbuk_specification(text, "f").automata.size());
    } catch (const InputError& error) {
      return std::string{error.what()}.substr(0, std::string{error.what()}.find('\n'));
    }
  };
  CHECK(failure("Ops a:0\nTRS R\na -> a\nAutomaton A\nTransitions\na -> q\nAutomaton B\nTransitions\n  f(,) -> q\n") ==
        "f:9:5: error: expected a state");
  CHECK(failure("Ops a:0\nOps b:0\nAutomaton A\nTransitions") == "f:2:1: error: a second section 'Ops'");
  CHECK(failure("Ops a:0\n") == "f:1:1: error: there is no section 'Automaton'");
  CHECK(failure("") == "f:1:1: error: there is no section 'Automaton'");
  CHECK(failure("Automaton A\nStates q") == "f:2:9: error: the file ends without a section 'Transitions'");
}

TEST_CASE("what is written is read back as the same automaton") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Automaton automaton =
        random_automaton(seed, {.states = seed % 9, .symbols = 1 + seed % 5, .max_rank = 3, .transitions = seed % 20});
    CHECK(read_timbuk(to_timbuk(automaton), "f", TimbukReading::Strict) == automaton);
  }
}

TEST_CASE("the shared automata are read and survive a round trip") {
  const auto files = shared_timbuk_files();
  if (files.empty()) MESSAGE("no shared Timbuk files: nothing to read");
  for (const std::string& file : files) {
    CAPTURE(file);
    const Automaton automaton = read_timbuk_file(file);
    CHECK(automaton.transition_count() > 0);
    const std::string text = to_timbuk(automaton);
    const Automaton again = read_timbuk(text, "again", TimbukReading::Strict);
    CHECK(again == automaton);
    CHECK(to_timbuk(again) == text);
  }
}
