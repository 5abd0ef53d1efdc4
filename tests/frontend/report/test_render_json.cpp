#include <doctest/doctest.h>

#include "base/text/json.hpp"
#include "dpn/model/network_builder.hpp"
#include "frontend/report/json/render_json.hpp"
#include "frontend/report/version.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::json;

TEST_CASE("a report names its schema, its tool and its model") {
  const Json json = Json::parse(
      to_json({.command = "show", .model = ModelIdentity{.path = "m.dpn", .sha256 = "00", .rules = 3, .symbols = 2}}));
  CHECK(json["schema"] == "lockwood/results/1");
  CHECK(json["tool"]["version"] == version());
  CHECK(json["model"]["rules"] == 3);
  CHECK_FALSE(json.contains("queries"));
  CHECK_FALSE(json.contains("timing"));
}

TEST_CASE("sections become members of the report, tables arrays of objects") {
  Report report{.command = "show"};
  report.sections.emplace_back(
      PropertyList{"model", "Model", {{"recursive", false}, {"names", std::vector<std::string>{"a"}}}});
  report.sections.emplace_back(Table{"rules", "Rules", {"kind", "number"}, {{std::string{"call"}, count(2)}}});
  report.sections.emplace_back(Listing{"trace", "", {"x", "y"}});
  const Json json = Json::parse(to_json(report));
  CHECK(json["report"]["model"] == Json::parse(R"({"recursive": false, "names": ["a"]})"));
  CHECK(json["report"]["rules"] == Json::parse(R"([{"kind": "call", "number": 2}])"));
  CHECK(json["report"]["trace"] == Json::parse(R"(["x", "y"])"));
}

TEST_CASE("answers carry verdict, place, expectation and schedule, and are summed up") {
  QueryAnswer answer{.query = "reach {4}", .at = Position{3, 1}, .verdict = dpn::Verdict::Reachable};
  answer.expected = dpn::Verdict::Unreachable;
  dpn::NetworkBuilder builder;
  const dpn::Head start{builder.control("0"), builder.stack("1")};
  builder.initial(start);
  builder.add({start, builder.action("a"), dpn::Base{start}});
  const dpn::Network network = std::move(builder).build();
  answer.schedule = Witness{&network, {.moves = {{dpn::main_thread, dpn::RuleId{0}}}, .cuts = {}}};
  QueryAnswer open{.query = "reach {5}", .semantics = dpn::Semantics::LockInsensitive, .unknown_because = "bound"};
  const Json json = Json::parse(to_json({.command = "explore", .queries = {{answer, open}}}));
  Json first = json["queries"][0];
  CHECK(first["schedule"]["steps"][0]["rule"] == "1 -- a --> 1");
  first.erase("schedule");
  CHECK(first == Json::parse(R"({"query": "reach {4}", "line": 3, "column": 1, "locks": true,
      "verdict": "reachable", "expected": "unreachable"})"));
  CHECK(json["queries"][1] ==
        Json::parse(R"({"query": "reach {5}", "locks": false, "verdict": "unknown", "because": "bound"})"));
  CHECK(json["summary"] ==
        Json::parse(R"({"queries": 2, "reachable": 1, "unreachable": 0, "unknown": 1, "unexpected": 1})"));
  CHECK(Json::parse(to_json_line(open)) == json["queries"][1]);
  CHECK(to_json_line(answer).find('\n') == to_json_line(answer).size() - 1);
}

TEST_CASE("bytes that are no UTF-8 do not break the JSON") {
  const Json json =
      Json::parse(to_json({.command = "show", .model = ModelIdentity{.path = "a\xFF.dpn", .sha256 = "0"}}));
  CHECK(json["model"]["path"] == "a\uFFFD.dpn");
}

}  // namespace
}  // namespace lockwood::frontend
