#include <doctest/doctest.h>

#include <string>

#include "base/text/diagnostic.hpp"
#include "tests/oracle/treeauto/random_automaton.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/dot.hpp"
#include "treeauto/formats/json.hpp"
#include "treeauto/formats/timbuk.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

std::string failure(std::string_view text) {
  try {
    return to_timbuk(read_json(text, "f"));
  } catch (const InputError& error) {
    return error.what();
  }
}

const char* const small =
    "{\n  \"format\": \"lockwood/tree-automaton/1\",\n  \"name\": \"A\",\n  \"symbols\": [\n"
    "    {\"name\":\"a\",\"rank\":0},\n    {\"name\":\"f\",\"rank\":1}\n  ],\n  \"states\": [\"p\",\"q\"],\n"
    "  \"final\": [\"q\"],\n  \"transitions\": [\n    {\"symbol\":\"a\",\"children\":[],\"target\":\"p\"},\n"
    "    {\"symbol\":\"f\",\"children\":[\"p\"],\"target\":\"q\"}\n  ]\n}\n";

// Of the errors, the lines that tell what and where.
std::string headlines(const std::string& errors) {
  std::string found;
  for (std::size_t begin = 0; begin < errors.size();) {
    const std::size_t end = errors.find('\n', begin) + 1;
    if (errors[begin] != ' ') found += errors.substr(begin, end - begin);
    begin = end;
  }
  return found;
}

}  // namespace

TEST_CASE("JSON is read and written unchanged") {
  CHECK(to_json(read_json(small, "f")) == small);
  CHECK(read_json(small, "f") ==
        read_timbuk("Ops a:0 f:1 Automaton A States p q Final States q Transitions a->p f(p)->q", "f"));
}

TEST_CASE("automata survive a round trip through JSON, with names that Timbuk cannot express") {
  AutomatonBuilder builder;
  builder.add(builder.symbol("\"a b\"", 0), {}, builder.state("(p, q)"));
  const Automaton odd = std::move(builder).build();
  CHECK(read_json(to_json(odd), "f") == odd);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    const Automaton automaton = random_automaton(seed, {.states = seed % 6});
    CHECK(read_json(to_json(automaton), "f") == automaton);
  }
}

TEST_CASE("wrong JSON is reported with its place and path") {
  CHECK(failure("{\n]").starts_with("f:2:1: error: malformed JSON: "));
  CHECK(failure("").starts_with("f:1:1: error: malformed JSON: "));
  CHECK(failure("{\"states\": [], \"states\": []}").starts_with("f:1:16: error: malformed JSON: the object has"));
  CHECK(failure(std::string(100'000, '[')).find("nested deeper than 1000") != std::string::npos);
  CHECK(failure("[1]") == "f:1:1: error: expected an object\n    [1]\n    ^\n");
  CHECK(failure("{\n \"format\" : \"other\"}") ==
        "f:2:13: error: /format: expected \"lockwood/tree-automaton/1\"\n     \"format\" : \"other\"}\n                "
        "^~~~~~~\n");
  CHECK(headlines(failure("{\"a\\\"]\": [{\"x\": [1, {}]}, \"}\"], \"format\": 12}")) ==
        "f:1:43: error: /format: expected a string\nf:1:43: error: /format: expected \"lockwood/tree-automaton/1\"\n");
  const std::string head = "{\"format\": \"lockwood/tree-automaton/1\", ";
  CHECK(headlines(failure(head +
                          "\"symbols\": [{\"name\": \"a\", \"rank\": -1}, {\"name\": \"b\", \"rank\": 99999999}, 7], "
                          "\"states\": [\"p\", 3], \"final\": [\"q\"], \"transitions\": [{\"symbol\": \"a\", "
                          "\"children\": [\"p\", \"r\"], \"target\": \"p\"}, {\"symbol\": \"c\", \"children\": [], "
                          "\"target\": \"p\"}, {}, {\"symbol\": \"c\", \"children\": 1}]}")) ==
        "f:1:75: error: /symbols/0/rank: expected a number from 0 to 1000000\n"
        "f:1:102: error: /symbols/1/rank: a rank can be at most 1000000\n"
        "f:1:113: error: /symbols/2/name: expected a string\n"
        "f:1:113: error: /symbols/2/rank: expected a number from 0 to 1000000\n"
        "f:1:133: error: /states/1: expected a string\n"
        "f:1:147: error: /final/0: unknown state 'q'\n"
        "f:1:203: error: /transitions/0/children/1: unknown state 'r'\n"
        "f:1:236: error: /transitions/1/symbol: unknown symbol 'c' of rank 0\n"
        "f:1:273: error: /transitions/2/symbol: expected a string\n"
        "f:1:305: error: /transitions/3/children: expected a list\n"
        "f:1:277: error: /transitions/3/target: expected the name of a state\n");
  CHECK(failure(head + "\"states\": []}").starts_with("f:1:1: error: /symbols: expected a list\n"));
  CHECK(headlines(failure(head + R"("symbols": [{"name": "a", "rank": 0, "colour": 1}], "states": ["p"], "final": [],
    "fnal": ["p"], "transitions": [{"symbol": "a", "children": [], "target": "p", "wait": 1}]})")) ==
        "f:1:1: error: unknown member 'fnal'\n"
        "f:1:53: error: /symbols/0: unknown member 'colour'\n"
        "f:2:36: error: /transitions/0: unknown member 'wait'\n");
}

TEST_CASE("names that are not UTF-8 cannot be written as JSON") {
  AutomatonBuilder builder;
  builder.symbol("\xFF", 0);
  CHECK_THROWS_AS((void)to_json(std::move(builder).build()), InputError);
}

TEST_CASE("DOT shows states, transitions and trees") {
  CHECK(to_dot(read_timbuk("States p q\"1 Final States p Transitions a->p f(p)->q\"1 g(p,q\"1)->p", "f")) ==
        "digraph \"\" {\n  rankdir=BT;\n"
        "  q0 [label=\"p\", shape=doublecircle];\n"
        "  q1 [label=\"q\\\"1\", shape=circle];\n"
        "  t0 [label=\"a\", shape=plaintext];\n"
        "  t0 -> q0;\n"
        "  q0 -> q1 [label=\"f\"];\n"
        "  t2 [label=\"g\", shape=box];\n"
        "  q0 -> t2 [label=1, dir=none];\n"
        "  q1 -> t2 [label=2, dir=none];\n"
        "  t2 -> q0;\n"
        "}\n");
  CHECK(to_dot(read_tree("f(g(a),b)")) ==
        "digraph tree {\n  node [shape=plaintext];\n  edge [dir=none];\n  ordering=out;\n"
        "  n0 [label=\"f\"];\n  n1 [label=\"g\"];\n  n0 -> n1;\n  n2 [label=\"a\"];\n  n1 -> n2;\n"
        "  n3 [label=\"b\"];\n  n0 -> n3;\n}\n");
}
