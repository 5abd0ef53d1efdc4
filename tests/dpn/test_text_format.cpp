#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "dpn/formats/text_format.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/rule_positions.hpp"
#include "tests/oracle/dpn/odd_models.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

ModelFile parse(std::string_view text) { return parse_dpn(text, "m.dpn"); }

std::vector<Diagnostic> errors_of(std::string_view text) {
  try {
    (void)parse(text);
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

// The first error of a text, as it is shown.
std::string first_error(std::string_view text) {
  const std::vector<Diagnostic> errors = errors_of(text);
  return errors.empty() ? "no error" : to_text(errors.front());
}

std::string warnings_of(std::string_view text) {
  std::string shown;
  for (const Diagnostic& warning : parse(text).warnings) shown += to_text(warning);
  return shown;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string with_rules(std::string_view rules, std::string_view queries = "") {
  return "dpn { initial (a) rules {\n" + std::string{rules} + "\n} }\n" + std::string{queries};
}

Rule only_rule(std::string_view rule) {
  const ModelFile file = parse(with_rules(rule));
  REQUIRE(file.network.rules().size() == 1);
  return file.network.rule(RuleId{0});
}

}  // namespace

TEST_CASE("reading what was printed gives the same model, ids and order included") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    std::mt19937_64 random{seed};
    const Network network = odd_network(random);
    const std::vector<Query> queries = odd_queries(random, network);
    const std::string text = to_dpn(network, queries);
    CAPTURE(seed);
    CAPTURE(text);
    const ModelFile file = parse(text);
    CHECK(file.network == network);
    CHECK(file.queries == as_written(queries));
    CHECK(to_dpn(file.network, file.queries) == text);
  }
}

TEST_CASE("the five kinds of rules are read, with and without control states") {
  const ControlState zero{0};
  const StackSymbol a{0};
  const StackSymbol b{1};
  const StackSymbol c{2};
  const Action act{0};
  CHECK(only_rule("(a) -- x --> (b)") == Rule{{zero, a}, act, Base{{zero, b}}});
  CHECK(only_rule("(a) -- x --> (b, c)") == Rule{{zero, a}, act, Call{{zero, b}, c}});
  CHECK(only_rule("(a) -- x --> ()") == Rule{{zero, a}, act, Return{zero}});
  CHECK(only_rule("(a) -- x --> (b :> c)") == Rule{{zero, a}, act, Spawn{{zero, b}, {zero, c}}});
  CHECK(only_rule("(a) -- x - l --> (b, c)") == Rule{{zero, a}, act, Monitor{{zero, b}, c, Lock{0}}});
  const ControlState p{1};  // 0 is the state of the initial configuration (a)
  const ControlState q{2};
  CHECK(only_rule("(p, a) -- x --> (q, b)") == Rule{{p, a}, act, Base{{q, b}}});
  CHECK(only_rule("(p, a) -- x --> (q, b, c)") == Rule{{p, a}, act, Call{{q, b}, c}});
  CHECK(only_rule("(p, a) -- x --> (q)") == Rule{{p, a}, act, Return{q}});
  CHECK(only_rule("(p, a) -- x --> (q, b :> p, c)") == Rule{{p, a}, act, Spawn{{q, b}, {p, c}}});
  CHECK(only_rule("(p, a) -- x - l --> (q, b, c)") == Rule{{p, a}, act, Monitor{{q, b}, c, Lock{0}}});
}

TEST_CASE("every rule has its place in the text, and one that is there twice that of the first") {
  const std::string text =
      "dpn {\n  initial (a)\n  rules {\n    (a) -- x --> (b)  (b) -- x --> (c)\n    (a) -- x --> (b)\n"
      "    (c) -- x --> ()\n  }\n}\n";
  const Network network = parse(text).network;
  const auto positions = rule_positions(network, text);
  REQUIRE(positions.size() == 3);
  CHECK(positions[RuleId{0}] == Position{4, 5});
  CHECK(positions[RuleId{1}] == Position{4, 23});
  CHECK(positions[RuleId{2}] == Position{6, 5});
  CHECK(rule_positions(network, "{}")[RuleId{0}] == Position{0, 0});
}

TEST_CASE("negative numbers are told from locks and arrows") {
  const ModelFile file = parse(with_rules("(a)--x-1-->(-1,2)\n(-1)-- -7 - -3-->(3,2)\n(-1)---7-->(3)"));
  CHECK(to_text(file.network, file.network.rule(RuleId{0})) == "(a) -- x - 1 --> (-1, 2)");
  CHECK(to_text(file.network, file.network.rule(RuleId{1})) == "(-1) -- -7 - -3 --> (3, 2)");
  CHECK(to_text(file.network, file.network.rule(RuleId{2})) == "(-1) -- -7 --> (3)");
}

TEST_CASE("terms are symbols named by their text without blanks") {
  const ModelFile file =
      parse(with_rules("(f(1,g(x))) -- a(1) --> ((1,2), () )\n( f ( 1 , g(x) /* same */ ) ) -- b --> ('a b')"));
  CHECK(file.network.stack_symbols().find("f(1,g(x))").has_value());
  CHECK(file.network.stack_symbols().find("(1,2)").has_value());
  CHECK(file.network.stack_symbols().find("()").has_value());
  CHECK(file.network.stack_symbols().find("a b").has_value());
  CHECK(file.network.stack_symbols().size() == 5);
  CHECK(file.network.rule(RuleId{0}).from == file.network.rule(RuleId{1}).from);
}

TEST_CASE("lists are written with or without commas, comments and CRLF are blanks") {
  const ModelFile with = parse("dpn{stacks{1:\"one\",2:\"two\"}initial(1)rules{(1)--a-->(2)}}conflict{1,2}{2}");
  const ModelFile without = parse(
      "\xEF\xBB\xBF// a model\r\ndpn {\r\n stacks { 1 : \"one\" 2 : \"two\" }\r\n initial (1)\r\n rules { (1) -- a --> "
      "(2) }\r\n"
      "} /* queries\r\n */ check for conflict between { 1 2 } and { 2 }\r\n");
  CHECK(with.network == without.network);
  CHECK(with.queries == without.queries);
  CHECK(with.network.stack_symbols().shown(StackSymbol{1}) == "two");
}

TEST_CASE("all forms of queries are read") {
  const std::string rules = "(a) -- x --> (b)\n(b) -- y --> (c)";
  const auto query = [&](std::string_view text) { return parse(with_rules(rules, text)).queries.at(0); };
  const StackSymbol a{0};
  const StackSymbol b{1};
  const Action x{0};
  const Action y{1};
  CHECK(query("reach {a}") == Query{QueryForm::Reach, Semantics::LockSensitive, {{{{a}}, {}, {}}}, {}, {}});
  CHECK(query("check conflict nolocks {a} and {a b}") ==
        Query{QueryForm::Conflict, Semantics::LockInsensitive, {{{{a}, {a, b}}, {}, {}}}, {}, {}});
  CHECK(query("iterate {a} and {b} avoiding {x}, {b} {b} requiring {y, x}") ==
        Query{QueryForm::Iterate, Semantics::LockSensitive, {{{{a}, {b}}, {x}, {}}, {{{b}, {b}}, {}, {y, x}}}, {}, {}});
  CHECK(query("reach {a} avoiding {x}") == query("iterate {a} avoiding {x}"));
  CHECK(query("reach {a} and {b}").form == QueryForm::Iterate);
  CHECK(query("\n  reach {b}").at == Position{6, 3});
}

TEST_CASE("expected verdicts are comments at the end of a query's line") {
  const std::string text = with_rules("(a) -- x --> (b)",
                                      "reach {a}  // expect: reachable\n"
                                      "reach {b} // expect: unreachable: because\r\n"
                                      "reach {a}\n"
                                      "iterate {a},\n"
                                      "  {b}  //expect:reachable\n");
  const std::vector<Query> queries = parse(text).queries;
  REQUIRE(queries.size() == 4);
  CHECK(queries[0].expected == Verdict::Reachable);
  CHECK(queries[1].expected == Verdict::Unreachable);
  CHECK_FALSE(queries[2].expected.has_value());
  CHECK(queries[3].expected == Verdict::Reachable);
  CHECK(warnings_of(text).empty());
}

TEST_CASE("misspelt expectations are warned of") {
  const auto warnings = [](std::string_view query) { return warnings_of(with_rules("(a) -- x --> (b)", query)); };
  CHECK(contains(warnings("reach {a} // expect: reachabel"), "did you mean 'reachable'?"));
  CHECK(contains(warnings("reach {a} // expected: reachable"), "not read as an expected verdict"));
  CHECK(contains(warnings("reach {a} // EXPECT: reachable"), "not read as an expected verdict"));
  CHECK(contains(warnings("reach {a} // expect reachable"), "not read as an expected verdict"));
  CHECK(contains(warnings("reach {a}\n// expect: reachable"), "does not follow a query on the same line"));
  CHECK(contains(warnings("reach {a} /* */ // expect: reachable"), "does not follow a query on the same line"));
  CHECK(warnings("reach {a} // a note: fine").empty());
}

TEST_CASE("odd things are warned of") {
  CHECK(warnings_of(with_rules("(a) -- x --> (b)\n(a) -- x --> (b)")) ==
        "m.dpn:3:1: warning: the rule is there already\n    (a) -- x --> (b)\n    ^\n");
  CHECK(contains(warnings_of("dpn { stacks { n1 : \"x\" } initial (a) rules {(a) -- x --> (b)} }"),
                 "no rule uses the stack symbol 'n1'"));
  CHECK(contains(warnings_of("dpn { initial (p, a) rules {(a) -- x --> (b)} }"),
                 "no rule begins at the initial configuration"));
  CHECK(contains(warnings_of(with_rules("(a) -- x --> (b)", "conflict {} {a}")), "the set is empty"));
  std::string many;
  for (int i = 0; i < 100; ++i) many += "(a) -- x --> (b)\n";
  CHECK(parse(with_rules(many)).warnings.size() == 21);
  CHECK(contains(warnings_of(with_rules(many)), "warning: 79 more warnings"));
}

TEST_CASE("an error shows its place, what was expected and what may have been meant") {
  CHECK(first_error(with_rules("(a) -- x --> (b", "")) ==
        "m.dpn:3:1: error: expected ')', ',' or ':>', found '}'\n    } }\n    ^\n");
  CHECK(first_error(with_rules("(a) -- x --> (n3)", "reach { a n4 }")) ==
        "m.dpn:4:11: error: unknown stack symbol 'n4'\n    reach { a n4 }\n              ^~\n    did you mean 'n3'?\n");
  CHECK(
      contains(first_error(with_rules("(a) -- step --> (b)", "iterate {a} avoiding {stop}")), "did you mean 'step'?"));
  CHECK(contains(first_error("dpn { inital (a) rules { } }"), "did you mean 'initial'?"));
  CHECK(contains(first_error("dnp { initial (a) rules { } }"), "did you mean 'dpn'?"));
  CHECK(contains(first_error(with_rules("", "conflit {a} {a}")), "did you mean 'conflict'?"));
  CHECK(contains(first_error(with_rules("", "conflict nolock {a} {a}")), "did you mean 'nolocks'?"));
  CHECK(contains(first_error(with_rules("", "reach {a} avoidin {b}")), "did you mean 'avoiding'?"));
  const std::string twice =
      first_error(with_rules("(a) -- x --> (b)", "reach {a} avoiding {x} requiring {x} avoiding {x}"));
  CHECK(contains(twice, "m.dpn:4:38: error: a step has 'avoiding' only once"));
  CHECK(contains(twice, "write all actions in one set, as in: avoiding {a, b}"));
  CHECK(contains(first_error(with_rules("(a) -- x -> (b)")), "expected '-->', found '->'"));
}

TEST_CASE("a symbol that is named twice does not hide other errors, nor they it") {
  const std::vector<Diagnostic> errors = errors_of(
      "dpn { stacks { a : \"x\"\n a : \"y\"\n a : \"z\" } locks { l : \"x\" l : \"x\" }\n"
      "initial (a) rules { (a) -- --> (b)\n(a) -- x --> (a) } }\n"
      "reach {zzz}");
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& error : errors) lines.push_back(error.at.value().line);
  CHECK(lines == std::vector<std::uint32_t>{2, 3, 3, 4});
  const std::vector<Diagnostic> whole =
      errors_of("dpn { stacks { a : \"x\" a : \"y\" } initial (a) rules { (a) -- x --> (a) } }\nreach {zzz}");
  REQUIRE(whole.size() == 2);
  CHECK(whole[0].message == "stack symbol 'a' is named twice");
  CHECK(whole[1].message == "unknown stack symbol 'zzz'");
}

TEST_CASE("a rule that mixes control states and none is an error") {
  constexpr const char* mixed = "within a rule all control states are written, or none";
  CHECK(contains(first_error(with_rules("(p, a) -- x --> ()")), mixed));
  CHECK(contains(first_error(with_rules("(a) -- x --> (p, b, c)")), mixed));
  CHECK(contains(first_error(with_rules("(a) -- x --> (p, b :> p, c)")), mixed));
  CHECK(contains(first_error(with_rules("(p, a) -- x --> (b :> c)")), mixed));
  CHECK(contains(first_error(with_rules("(p, a) -- x --> (p, b :> c)")), mixed));
  CHECK(contains(first_error(with_rules("(p, a) -- x --> (p, b, c, d)")), "at most"));
  CHECK(contains(first_error(with_rules("(a) -- x - l --> (b)")), "a lock can only be taken by a rule that pushes"));
}

TEST_CASE("reading goes on after an error, at the next rule, section or query") {
  const std::vector<Diagnostic> errors = errors_of(
      "dpn {\n"
      "  stacks { 1 \"one\" 2 : two, 3 : \"three\" 3 : \"tres\" }\n"
      "  inital (1)\n"
      "  rules {\n"
      "    (1) - a --> (2)\n"
      "    (1) -- a -->\n"
      "      (2\n"
      "    (2) -- b --> (3)\n"
      "    (p, 2) -- b --> ()\n"
      "    (2) -- b -l --> (3)\n"
      "  }\n"
      "}\n"
      "conflict {1} \n"
      "reach 1}\n"
      "iterate {1}, {2\n"
      "reach {3}\n");
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& error : errors) lines.push_back(error.at.value().line);
  CHECK(lines == std::vector<std::uint32_t>{2, 2, 2, 3, 5, 8, 9, 10, 14, 14, 16});
}

TEST_CASE("what is wrong in a text in quotes does not make the rest wrong") {
  for (const char* text : {"C:\\dir", "\xFF", "\x01", "a\\", "\\u12"}) {
    const std::vector<Diagnostic> errors = errors_of("dpn { stacks { a : \"" + std::string{text} +
                                                     "z\" b : \"y\" } initial (a) rules { (a) -- x --> (b) } }");
    CAPTURE(text);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].at->column >= 21);
  }
}

TEST_CASE("a model without its parts is an error") {
  CHECK(contains(first_error(""), "the file is empty"));
  CHECK(contains(first_error(" \n\n"), "the file is empty"));
  CHECK(contains(first_error(" // nothing\n"), "the file has only comments"));
  CHECK(contains(first_error("dpn { rules {} }"), "no initial configuration"));
  CHECK(contains(first_error("dpn { initial (a) }"), "no rules"));
  CHECK(contains(first_error("dpn { initial (a) initial (b) rules {} }"), "a second initial configuration"));
  CHECK(contains(first_error("dpn { stacks { a : \"x\" a : \"y\" } initial (a) rules {} }"), "is named twice"));
  CHECK(contains(first_error("dpn { initial (a) rules {"), "not closed by '}'"));
  CHECK(contains(first_error("dpn { initial (a) rules { reach {a}"), "expected a rule or '}', found 'reach'"));
  CHECK(errors_of("dpn { initial (a) rules { reach {a}").size() == 1);
  CHECK(contains(first_error("dpn { initial (a) rules {} reach {a}"), "queries follow after the '}'"));
}

TEST_CASE("strings and comments that do not end, and what is not text, are errors") {
  CHECK(contains(first_error("dpn { stacks { a : \"x\n } initial (a) rules {} }"), "is not closed by \" on its line"));
  CHECK(contains(first_error("dpn { stacks { a : \"x"), "is not closed by \" on its line"));
  CHECK(contains(first_error("dpn { /* "), "the comment is not closed by '*/'"));
  CHECK(contains(first_error("dpn { stacks { a : \"\\q\" } initial (a) rules {} }"), "unknown escape"));
  CHECK(contains(first_error("dpn { stacks { a : \"\\uD800\" } initial (a) rules {} }"), "unknown escape"));
  CHECK(contains(first_error("dpn { stacks { a : \"\xC3\" } initial (a) rules {} }"), "not UTF-8"));
  CHECK(contains(first_error("dpn { stacks { a : \"\xED\xA0\x80\" } initial (a) rules {} }"), "not UTF-8"));
  CHECK(contains(first_error(std::string_view{"dpn { stacks { a : \"\0\" } }", 26}), "a control character"));
  CHECK(contains(first_error("\x7F\x45LF"), "found the byte 0x7F"));
  CHECK(contains(first_error("(007)"), "expected 'dpn'"));
  CHECK(contains(first_error(with_rules("(007) -- x --> (b)")), "leading zeros"));
}

TEST_CASE("random bytes are an error and nothing worse") {
  constexpr std::string_view alphabet = "dpn{}()--> ,:>\"'\\/*\n\rabz019_rulesinitial\x01\xC3\xA9\xFF";
  const std::string model =
      to_dpn(parse(with_rules("(a) -- x - l --> (b, c)\n(a) -- y --> (b :> c)", "reach {a}")).network, {});
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    std::mt19937_64 random{seed};
    std::string text = model;
    for (std::size_t i = random() % 8; i > 0; --i) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) text.erase(at, 1 + random() % 5);
      if (text.empty()) break;
      text.insert(random() % text.size(), 1, alphabet[random() % alphabet.size()]);
    }
    if (seed % 5 == 0)
      for (char& c : text) c = static_cast<char>(random());
    CAPTURE(text);
    for (const Diagnostic& error : errors_of(text)) CHECK_FALSE(to_text(error).empty());
  }
}

TEST_CASE("huge and deep inputs end in few errors or none") {
  CHECK(errors_of(std::string(100'000'000, '(')).size() == 1);
  CHECK(contains(first_error("dpn { initial " + std::string(10'000'000, '(')), "nested deeper than 1000"));
  CHECK(errors_of("dpn { initial (a) rules { " + std::string(1'000'000, '{')).size() <= 21);
  CHECK(errors_of(with_rules(std::string(100'000, ')'))).size() == 1);
  std::string deep = "x";
  for (int i = 0; i < 1000; ++i) deep = "f(" + deep + ")";
  CHECK(parse(with_rules("(" + deep + ") -- x --> (b)")).network.stack_symbols().find(deep).has_value());
  const std::string line(10'000'000, 'x');
  CHECK(parse(with_rules("(" + line + ") -- x --> (b)")).network.stack_symbols().find(line).has_value());
  CHECK(to_text(errors_of(with_rules("(a) -- x --> (b)", "reach {" + line + "}")).at(0)).size() < 1000);
  CHECK(parse("dpn { initial (a) " + std::string(10'000'000, ' ') + " rules {} }").queries.empty());
}

TEST_CASE("too many errors end the reading") {
  std::string rules;
  for (int i = 0; i < 100; ++i) rules += "(a) -- --> (b)\n";
  const std::vector<Diagnostic> errors = errors_of(with_rules(rules));
  CHECK(errors.size() == 21);
  CHECK(errors.back().message == "too many errors, the rest is not read");
}

namespace {

// Seconds of this thread on a processor: what others do meanwhile does not count.
double time_to_parse(std::string_view text, std::size_t queries) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double begin = now();
  CHECK(parse(text).queries.size() == queries);
  return now() - begin;
}

}  // namespace

TEST_CASE("many queries on one line take as long as on many lines") {
  constexpr std::size_t queries = 200'000;
  const auto text = [](char between) {
    std::string model = "dpn { initial (a) rules { } }\n";
    for (std::size_t i = 0; i < queries; ++i) model += std::string{"reach {a}"} + between;
    return model + "reach {a} // expect: reachable\n";
  };
  const ModelFile read = parse(text(' '));
  CHECK(read.queries.back().expected == Verdict::Reachable);
  CHECK(!read.queries.front().expected);
  const double many_lines = time_to_parse(text('\n'), queries + 1);
  CHECK(time_to_parse(text(' '), queries + 1) < 10 * many_lines);  // it was more than a hundred times as long
}
