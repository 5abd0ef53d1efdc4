#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "base/text/json.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/text_format.hpp"
#include "tests/oracle/dpn/odd_models.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

std::vector<Diagnostic> errors_of(std::string_view text) {
  try {
    (void)parse_json(text, "m.json");
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

std::vector<std::string> messages_of(std::string_view text) {
  std::vector<std::string> messages;
  for (const Diagnostic& error : errors_of(text)) messages.push_back(error.message);
  return messages;
}

const std::string example = to_json(parse_dpn("dpn { stacks { a : \"x = 1;\" } initial (a) rules { (a) -- x --> (b)\n"
                                              "(a) -- x - l --> (b, c) (a) -- x --> (b :> c) (a) -- x --> (b, c)\n"
                                              "(c) -- y --> () } }\n"
                                              "conflict {a} {b} // expect: reachable\n"
                                              "iterate nolocks {a} avoiding {x}, {b} requiring {y}",
                                              "m.dpn")
                                        .network,
                                    {});

}  // namespace

TEST_CASE("reading JSON that was printed gives the same model, ids and order included") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::mt19937_64 random{seed};
    const Network network = odd_network(random);
    const std::vector<Query> queries = odd_queries(random, network);
    const std::string text = to_json(network, queries);
    CAPTURE(seed);
    CAPTURE(text);
    const ModelFile file = parse_json(text, "m.json");
    CHECK(file.network == network);
    CHECK(file.queries == as_written(queries));
    CHECK(file.warnings.empty());
  }
}

TEST_CASE("the JSON of a model reads like one") {
  CHECK(
      example ==
      "{\n"
      "  \"schema\": \"lockwood/model/1\",\n"
      "  \"controls\": [\n    \"0\"\n  ],\n"
      "  \"stacks\": [\n    {\"name\":\"a\",\"label\":\"x = 1;\"},\n    \"b\",\n    \"c\"\n  ],\n"
      "  \"actions\": [\n    \"x\",\n    \"y\"\n  ],\n"
      "  \"locks\": [\n    \"l\"\n  ],\n"
      "  \"initial\": [\"0\",\"a\"],\n"
      "  \"rules\": [\n"
      "    {\"kind\":\"base\",\"from\":[\"0\",\"a\"],\"action\":\"x\",\"to\":[\"0\",\"b\"]},\n"
      "    {\"kind\":\"monitor\",\"from\":[\"0\",\"a\"],\"action\":\"x\",\"lock\":\"l\",\"enter\":[\"0\",\"b\"],"
      "\"return_to\":\"c\"},\n"
      "    {\"kind\":\"spawn\",\"from\":[\"0\",\"a\"],\"action\":\"x\",\"to\":[\"0\",\"b\"],\"spawn\":[\"0\",\"c\"]},\n"
      "    {\"kind\":\"call\",\"from\":[\"0\",\"a\"],\"action\":\"x\",\"enter\":[\"0\",\"b\"],\"return_to\":\"c\"},\n"
      "    {\"kind\":\"return\",\"from\":[\"0\",\"c\"],\"action\":\"y\",\"control\":\"0\"}\n"
      "  ],\n"
      "  \"queries\": []\n"
      "}\n");
}

TEST_CASE("malformed JSON is an error with its place") {
  const std::vector<Diagnostic> errors = errors_of("{\"schema\":\n  oops}");
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].at == Position{2, 3});
  CHECK(errors[0].message.starts_with("malformed JSON: syntax error"));
  CHECK(errors_of("").size() == 1);
  CHECK(errors_of("{\"schema\": \"\xFF\"}").at(0).message.starts_with("malformed JSON"));
  CHECK(to_text(errors_of("{\"" + std::string(10'000'000, 'x')).at(0)).size() < 1000);
}

TEST_CASE("JSON nested deeper than a model is refused before it costs memory") {
  CHECK(errors_of(std::string(10'000'000, '[')).at(0).message == "malformed JSON: nested deeper than 16");
}

TEST_CASE("a member that is there twice is refused, not forgotten") {
  std::string text = example;
  text.insert(text.rfind('}'), ", \"rules\": []");
  const std::vector<Diagnostic> errors = errors_of(text);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].message == "malformed JSON: the object has the member 'rules' already");
  CHECK(errors[0].at.has_value());
  const std::string kind = "\"kind\":\"base\"";
  text = example;
  text.insert(text.find(kind), kind + ",");
  CHECK(errors_of(text).size() == 1);
}

TEST_CASE("the members of a JSON model may come in any order") {
  const Network network = parse_json(example, "m.json").network;
  const nlohmann::json model = nlohmann::json::parse(example);
  CHECK(parse_json(model.dump(), "m.json").network == network);  // by name: rules before stacks
  nlohmann::ordered_json turned;
  const nlohmann::ordered_json written = nlohmann::ordered_json::parse(example);
  for (auto member = written.rbegin(); member != written.rend(); ++member) turned[member.key()] = member.value();
  CHECK(parse_json(turned.dump(), "m.json").network == network);
  turned["rules"][3]["action"] = "z";
  CHECK(messages_of(turned.dump()) == std::vector<std::string>{"/rules/3/action: unknown action 'z'"});
}

TEST_CASE("a query in JSON is refused if its form cannot say it") {
  nlohmann::json model = nlohmann::json::parse(example);
  const auto refusal = [&](const char* query) {
    model["queries"] = nlohmann::json::array({nlohmann::json::parse(query)});
    const std::vector<std::string> messages = messages_of(model.dump());
    return messages.empty() ? "read" : messages.front();
  };
  CHECK(refusal(R"({"form": "reach", "steps": [{"positions": [["a"]]}]})") == "read");
  CHECK(refusal(R"({"form": "reach", "steps": [{"positions": [["a"], ["b"]], "avoiding": ["x"]}]})") ==
        "/queries/0: \"reach\" has one set of positions; several threads are the matter of \"iterate\"");
  CHECK(refusal(R"({"form": "reach", "steps": [{"positions": [["a"]], "avoiding": ["x"]}]})") ==
        "/queries/0: only \"iterate\" has restrictions");
  CHECK(refusal(R"({"form": "conflict", "steps": [{"positions": [["a"], ["b"]], "requiring": ["x"]}]})") ==
        "/queries/0: only \"iterate\" has restrictions");
  CHECK(refusal(R"({"form": "iterate", "steps": [{"positions": [["a"], ["b"]], "requiring": ["x"]}]})") == "read");
  CHECK(refusal(R"({"form": "iterate", "steps": [{"positions": [["a"]], "requiring": []}]})") ==
        "/queries/0/steps/0/requiring: expected an action: of none of them, none is done");
  CHECK(refusal(R"({"form": "reach", "steps": [{"positions": [["a"]]}], "expected": "unknown"})") ==
        "/queries/0/expected: expected \"reachable\" or \"unreachable\"");
}

TEST_CASE("all problems of a JSON model are reported with their paths") {
  CHECK(messages_of("[]") == std::vector<std::string>{"expected an object"});
  CHECK(messages_of("{\"schema\": \"lockwood/model/7\"}") ==
        std::vector<std::string>{"no model: the member 'schema' is not \"lockwood/model/1\""});
  const char* text = R"({"schema": "lockwood/model/1",
    "controls": ["p"], "stacks": ["n1", "n2", {"name": "n1"}, 3, {"label": "x"}], "actions": ["a"], "locks": [],
    "initial": ["p", "n9"], "rulez": [],
    "rules": [{"kind": "base", "from": ["p", "n1"], "action": "b", "to": ["n2"]},
              {"kind": "bass", "from": ["p", "n1"], "action": "a"},
              {"kind": "monitor", "from": ["p", "n1"], "action": "a", "enter": ["p", "n2"], "return_to": "n1", "lock": "x"},
              {"kind": "return", "from": ["p", "n1"], "action": "a"}, 7],
    "queries": [{"form": "reach", "steps": []},
                {"form": "conflict", "steps": [{"positions": [["n1"]], "avoiding": ["z"]}], "expected": "maybe"}]})";
  CHECK(messages_of(text) ==
        std::vector<std::string>{"/stacks/2: the name 'n1' is there already", "/stacks/3: expected a name or an object",
                                 "/stacks/4: no member 'name'", "/rules/0/action: unknown action 'b'",
                                 "/rules/0/to: expected an array of a control state and a stack symbol",
                                 "/rules/1/kind: unknown kind of rule 'bass'", "/rules/2/lock: unknown lock 'x'",
                                 "/rules/3: no member 'control'", "/rules/4: expected an object",
                                 "unknown member 'rulez'", "/initial/1: unknown stack symbol 'n9'",
                                 "/queries/0: a query has at least one step",
                                 "/queries/1/steps/0/avoiding/0: unknown action 'z'",
                                 "/queries/1: a conflict is between two sets of positions",
                                 "/queries/1/expected: expected \"reachable\" or \"unreachable\""});
  const std::vector<Diagnostic> errors = errors_of(text);
  CHECK(errors[5].hint == "did you mean 'base'?");
  CHECK(errors[9].hint == "did you mean 'rules'?");
  CHECK(errors[10].hint == "did you mean 'n1'?");
}

TEST_CASE("wrong values anywhere in a JSON model are errors and nothing worse") {
  // Each place of a model in turn gets a value of another type.
  const nlohmann::json model = nlohmann::json::parse(to_json(parse_json(example, "m.json").network, {}));
  const nlohmann::json flat = model.flatten();
  for (const auto& [path, value] : flat.items())
    for (const nlohmann::json& other : {nlohmann::json(nullptr), nlohmann::json(7), nlohmann::json("zzz"),
                                        nlohmann::json::array({1}), nlohmann::json::object({{"a", 1}})}) {
      nlohmann::json changed = model;
      changed[nlohmann::json::json_pointer(path)] = other;
      CAPTURE(changed.dump());
      if (path.find("label") == std::string::npos && path != "/queries") CHECK_FALSE(errors_of(changed.dump()).empty());
    }
}

TEST_CASE("a rule that is there twice in JSON is warned of") {
  nlohmann::json model = nlohmann::json::parse(example);
  model["rules"].push_back(model["rules"][0]);
  const ModelFile file = parse_json(model.dump(), "m.json");
  REQUIRE(file.warnings.size() == 1);
  CHECK(file.warnings[0].message == "/rules: 1 rules are there already");
  CHECK(file.network == parse_json(example, "m.json").network);
}
