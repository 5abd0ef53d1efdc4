#include <doctest/doctest.h>

#include <string>

#include "frontend/findings/difference.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/findings/suppressions.hpp"

namespace lockwood::findings {

TEST_CASE("what was not executed is a warning") {
  Finding race;
  CHECK(severity_of(race) == Severity::Warning);
  race.certainty = Certainty::Possible;
  CHECK(severity_of(race) == Severity::Warning);
  race.certainty = Certainty::Executed;
  CHECK(severity_of(race) == Severity::Error);
  Finding query;
  query.rule = Rule::Query;
  query.certainty = Certainty::Exact;
  CHECK(severity_of(query) == Severity::Error);
}

TEST_CASE("ids depend on what is found, and not on the order of places") {
  const std::string id = finding_id(Rule::Race, "x", {"main#1 write", "t#2 read"});
  CHECK(id.size() == 12);
  CHECK(id == finding_id(Rule::Race, "x", {"t#2 read", "main#1 write"}));
  CHECK(id != finding_id(Rule::Race, "y", {"t#2 read", "main#1 write"}));
  CHECK(id != finding_id(Rule::Deadlock, "x", {"t#2 read", "main#1 write"}));
  CHECK(id != finding_id(Rule::Race, "x", {"t#1 read", "main#1 write"}));
}

TEST_CASE("suppressions are remarks with a rule, subjects and a reason") {
  const auto read = [](const std::string& text, bool alone) {
    return suppressions({{text, {6, 3}, 7, alone}}, "f.lw");
  };
  const Suppressions good = read(" lockwood: ignore deadlock(a, b) -- known -- really ", false);
  REQUIRE(good.all.size() == 1);
  CHECK(good.complaints.empty());
  CHECK(good.all[0].rule == Rule::Deadlock);
  CHECK(good.all[0].subjects == std::vector<std::string>{"a", "b"});
  CHECK(good.all[0].reason == "known -- really");
  CHECK(good.all[0].line == 7);
  CHECK(good.all[0].written.line == 6);
  CHECK(read("lockwood: ignore race(x) -- r", true).all[0].line == 8);
  CHECK(read("lockwood: ignore race -- r", true).all[0].subjects.empty());
  CHECK(read("lockwood is fine", false).complaints.empty());
  for (const char* bad :
       {"lockwood: ignore race(x)", "lockwood: ignore race(x) --", "lockwood: ignore race(x, ) -- r",
        "lockwood: ignore race(x -- r", "lockwood: ignore flow(x) -- r", "lockwood: forget race(x) -- r"}) {
    CAPTURE(bad);
    CHECK(read(bad, false).all.empty());
    CHECK(read(bad, false).complaints.size() == 1);
  }
}

TEST_CASE("findings of two reports are told apart by their ids") {
  const auto report = [](const std::string& findings) {
    return known_findings(R"({"schema": "lockwood/results/1", "findings": [)" + findings + "]}", "report.json");
  };
  const auto race = [](const std::string& id, const std::string& more) {
    return R"({"id": ")" + id + R"(", "rule": "race", "verdict": "race", "subject": "x", "message": "m")" + more + "}";
  };
  const KnownFindings before = report(race("1", "") + "," + race("2", ""));
  const KnownFindings after = report(race("2", "") + "," + race("2", "") + "," + race("3", "") + "," +
                                     race("4", R"(, "suppressed": {"reason": "r"})"));
  CHECK(after.suppressed == 1);
  const Difference found = difference(before, after);
  REQUIRE(found.introduced.size() == 1);
  CHECK(found.introduced[0].id == "3");
  REQUIRE(found.fixed.size() == 1);
  CHECK(found.fixed[0].id == "1");
  CHECK(found.unchanged.size() == 1);
  CHECK(found.undecided.empty());
  // What a report has not looked for, or not decided, is not fixed.
  for (const char* more : {R"("stopped": "s")", R"("subject": "y")", R"("command": "deadlock")",
                           R"("report": {"summary": {"complete": false}})"}) {
    CAPTURE(more);
    const std::string text = R"({"schema": "lockwood/results/1", "findings": [], )" + std::string{more} + "}";
    const Difference partly = difference(before, known_findings(text, "report.json"));
    CHECK(partly.fixed.empty());
    CHECK(partly.undecided.size() == 2);
  }
  const KnownFindings unknown =
      report(R"({"id": "1", "rule": "race", "verdict": "unknown", "subject": "x", "message": "m"})");
  CHECK(difference(before, unknown).undecided.size() == 1);
  CHECK(difference(before, unknown).fixed.size() == 1);
}

}  // namespace lockwood::findings
