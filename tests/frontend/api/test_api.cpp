#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "dpn/formats/text_format.hpp"
#include "frontend/api/lockwood.hpp"

namespace lockwood {
namespace {

const std::string source = LOCKWOOD_SOURCE_DIR;

std::vector<std::string> files(const std::string& folder, const std::string& ending) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator{source + "/" + folder})
    if (entry.path().extension() == ending) found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

std::size_t number_found(const findings::Findings& found) {
  const auto is_found = [](const findings::Finding& each) { return each.outcome == findings::Outcome::Found; };
  return static_cast<std::size_t>(std::ranges::count_if(found.findings, is_found));
}

const Model& account() {
  static const Model model = load(source + "/docs/examples/account.lw");
  return model;
}

}  // namespace

TEST_CASE("models get the answers that their authors expect, with proofs that hold for these queries alone") {
  std::size_t asked = 0;
  for (const std::string& path : files("models", ".dpn")) {
    CAPTURE(path);
    const Model model = load(path);
    CHECK(!model.is_program());
    const std::vector<Answer> answers = check(model, {.proofs = true});
    REQUIRE(answers.size() == model.queries().size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Answer& answer = answers[i];
      CAPTURE(answer.query);
      CHECK(answer.query == dpn::to_text(model.network(), model.queries()[i]));
      if (answer.expected) CHECK(answer.verdict == *answer.expected);
      CHECK((answer.schedule.empty()) == (answer.verdict == dpn::Verdict::Unreachable));
      CHECK(rejection_reason(model, answer) == std::nullopt);
      CHECK(ask(model, answer.query).front().verdict == answer.verdict);
      // The other verdict, the proof of another query, and no proof.
      Answer wrong = answer;
      wrong.verdict = answer.verdict == dpn::Verdict::Reachable ? dpn::Verdict::Unreachable : dpn::Verdict::Reachable;
      CHECK(rejection_reason(model, wrong) != std::nullopt);
      if (const Answer& other = answers[(i + 1) % answers.size()]; other.query != answer.query) {
        wrong = answer;
        wrong.proof = other.proof;
        CHECK(rejection_reason(model, wrong) != std::nullopt);
      }
      wrong = answer;
      wrong.proof.clear();
      CHECK(rejection_reason(model, wrong) != std::nullopt);
      ++asked;
    }
  }
  CHECK(asked > 30);
}

TEST_CASE("queries about programs name labels and lines") {
  CHECK(account().is_program());
  const std::vector<Answer> answers = ask(account(), "conflict {line 12} {line 17}\nreach nolocks {line 12}");
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].verdict == dpn::Verdict::Reachable);
  CHECK(answers[0].schedule.find("acquires account") != std::string::npos);
  CHECK(answers[0].proof.empty());
  CHECK(rejection_reason(account(), answers[0]) != std::nullopt);  // nobody asked for its proof
  CHECK(answers[1].verdict == dpn::Verdict::Reachable);
  CHECK_THROWS_WITH_AS(static_cast<void>(ask(account(), "reach {line 99}")), doctest::Contains("99"), InputError);
}

TEST_CASE("the analyses of programs give findings, and say what is asked of them") {
  const findings::Findings races = find_races(account());
  REQUIRE(races.findings.size() == 1);
  CHECK(races.complete);
  CHECK(races.findings[0].subject == "balance");
  CHECK(races.findings[0].certainty == findings::Certainty::Executed);
  CHECK(!races.findings[0].schedule.empty());
  CHECK(find_races(account(), {.schedules = false}).findings.at(0).schedule.empty());
  CHECK(find_races(account(), {.explain = true}).findings.size() == 3);

  CHECK(number_found(find_deadlocks(account())) == 0);
  const Model crossed = parse(
      "lock a, b; proc main() { spawn t(); sync (a) { sync (b) { skip; } } } proc t() { sync (b) { sync (a) { skip; } "
      "} }",
      "crossed.lw");
  CHECK(number_found(find_deadlocks(crossed)) == 1);
  CHECK(!find_def_uses(account()).findings.empty());

  const Model flowing = parse("var x; proc main() { spawn t(); from: x = 1; } proc t() { to: print(x); }", "flow");
  CHECK(flowing.is_program());  // as its text tells
  CHECK(number_found(find_flows(flowing, "from", "to")) == 1);
  CHECK_THROWS_WITH_AS(static_cast<void>(find_flows(flowing, "form", "to")), doctest::Contains("from"), InputError);
  CHECK_THROWS_AS(static_cast<void>(find_races(load(source + "/models/fig1.dpn"))), InputError);
}

TEST_CASE("remarks in the text suppress findings each time") {
  const Model model = parse(
      "var x; proc main() { spawn t(); x = 1; } // lockwood: ignore race(x) -- a test\n proc t() { x = 2; }", "x.lw");
  for (int i = 0; i < 2; ++i) {
    const findings::Findings races = find_races(model);
    REQUIRE(races.findings.size() == 1);
    CHECK(!findings::is_open(races.findings[0]));
    CHECK(races.unused_suppressions.empty());
  }
}

TEST_CASE("who is stopped says so") {
  StopSource source_of_stops;
  source_of_stops.request(StopReason::Cancelled);
  const StopToken stop{source_of_stops};
  const Model model = load(source + "/models/fig1.dpn");
  for (const Limits& limits : {Limits{}, Limits{.timeout = std::chrono::hours{1}, .memory = {}}})
    for (const Answer& answer : check(model, {.proofs = true, .limits = limits, .stop = stop})) {
      CHECK(answer.verdict == dpn::Verdict::Unknown);
      CHECK(!answer.unknown_because.empty());
      CHECK(rejection_reason(model, answer) != std::nullopt);
    }
  CHECK(!find_races(account(), {.stop = stop}).complete);
  CHECK(!find_deadlocks(account(), {.stop = stop}).complete);
  CHECK(!find_def_uses(account(), {.stop = stop}).complete);
  CHECK_THROWS_AS(static_cast<void>(load(source + "/models/fig1.dpn", stop)), Interrupted);
}

TEST_CASE("inputs at fault are told as the command line tells them") {
  CHECK_THROWS_WITH_AS(static_cast<void>(parse("proc main() { x = 1; }", "p.lw")),
                       doctest::Contains("p.lw:1:15: error:"), InputError);
  CHECK_THROWS_AS(static_cast<void>(load("/no/such/file.dpn")), InputError);
  CHECK_THROWS_AS(static_cast<void>(ask(account(), "nonsense")), InputError);
}

}  // namespace lockwood
