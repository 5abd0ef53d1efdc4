#include <doctest/doctest.h>

#include <algorithm>

#include "dpn/model/network_builder.hpp"
#include "frontend/report/text/render_text.hpp"

namespace lockwood::frontend {
namespace {

QueryAnswer answered(dpn::Verdict verdict) { return QueryAnswer{.query = "reach {4}", .verdict = verdict}; }

TEST_CASE("an answer is a line that ends in its verdict") {
  CHECK(to_text(answered(dpn::Verdict::Reachable), {}) == "reach {4}: reachable\n");
  CHECK(to_text(answered(dpn::Verdict::Unreachable), {}) == "reach {4}: unreachable\n");
  QueryAnswer open = answered(dpn::Verdict::Unknown);
  open.unknown_because = "bound";
  CHECK(to_text(open, {}) == "reach {4}: unknown (bound)\n");
}

TEST_CASE("an answer that the author did not expect says so before the verdict") {
  QueryAnswer answer = answered(dpn::Verdict::Reachable);
  answer.expected = dpn::Verdict::Unreachable;
  CHECK(contradicts_expectation(answer));
  CHECK(to_text(answer, {}) == "reach {4}: expected unreachable, but is reachable\n");
  answer.expected = dpn::Verdict::Reachable;
  CHECK_FALSE(contradicts_expectation(answer));
  CHECK(to_text(answer, {}) == "reach {4}: reachable\n");
  answer.expected = dpn::Verdict::Unreachable;
  answer.verdict = dpn::Verdict::Unknown;
  CHECK_FALSE(contradicts_expectation(answer));
}

// (1) spawns (3), which then enters (4) with a lock.
dpn::Network small_network() {
  dpn::NetworkBuilder builder;
  const auto head = [&](const char* stack) { return dpn::Head{builder.control("0"), builder.stack(stack)}; };
  builder.initial(head("1"));
  builder.add({head("1"), builder.action("a"), dpn::Spawn{head("2"), head("3")}});
  builder.add({head("3"), builder.action("b"), dpn::Monitor{head("4"), builder.stack("5"), builder.lock("x")}});
  return std::move(builder).build();
}

TEST_CASE("schedules and details are shown only if asked for") {
  const dpn::Network network = small_network();
  QueryAnswer answer = answered(dpn::Verdict::Reachable);
  answer.schedule = Witness{
      &network, {.moves = {{dpn::ThreadId{0}, dpn::RuleId{0}}, {dpn::ThreadId{1}, dpn::RuleId{1}}}, .cuts = {1}}};
  answer.notes = {"found at once"};
  answer.statistics = {{"configurations_seen", count(12)}};
  CHECK(to_text(answer, {}) == "reach {4}: reachable\n");
  CHECK(to_text(answer, {.schedules = true}) ==
        "reach {4}: reachable\n"
        "  phase 1 of 2\n"
        "    1  main    1 -- a --> 2  spawns main.1\n"
        "  phase 2 of 2\n"
        "    2  main.1  3 -- b --> 4  acquires x\n"
        "  main is at 2\n"
        "  main.1 is at 4 and holds x\n");
  CHECK(to_text(answer, {.details = true}) ==
        "reach {4}: reachable\n"
        "    note: found at once\n"
        "    configurations seen  12\n");
}

TEST_CASE("tables align numbers to the right and words to the left") {
  const Table table{.key = "procedures",
                    .title = "Procedures",
                    .columns = {"name", "rules"},
                    .rows = {{std::string{"main"}, count(7)}, {std::string{"größe"}, count(112)}}};
  CHECK(to_text(Section{table}, {}) ==
        "Procedures\n"
        "  name   rules\n"
        "  main       7\n"
        "  größe    112\n");
}

TEST_CASE("a table that is too wide for the terminal loses the middle of its widest column") {
  const Table table{
      .key = "t", .title = "", .columns = {"name", "text"}, .rows = {{std::string{"a"}, std::string(100, 'x')}}};
  const std::string text = to_text(Section{table}, {.width = 40});
  CHECK(text == "  name  text\n  a     " + std::string(10, 'x') + "…" + std::string(21, 'x') + "\n");
}

TEST_CASE("a table with more columns than the terminal has room for is a list of its rows") {
  const Table table{.key = "t",
                    .title = {},
                    .columns = {"first_name", "second_name"},
                    .rows = {{std::string{"a"}, std::string{"b"}}, {std::string{"c"}, std::string{"d"}}}};
  CHECK(to_text(Section{table}, {.width = 15}) ==
        "  first name   a\n  second name  b\n\n  first name   c\n  second name  d\n");
}

TEST_CASE("a long table is cut short unless details are asked for") {
  const Table table{.key = "t", .title = "", .columns = {"number"}, .rows = {1000, {count(7)}}};
  const auto lines = [&](const TextView& view) { return std::ranges::count(to_text(Section{table}, view), '\n'); };
  CHECK(lines({}) == 42);
  CHECK(to_text(Section{table}, {}).ends_with("  … and 960 more; --verbose shows all\n"));
  CHECK(lines({.details = true}) == 1001);
}

TEST_CASE("a list of properties aligns its values") {
  const PropertyList list{.key = "model",
                          .title = "Model",
                          .properties = {{"rules", count(3)}, {"stack_symbols", count(14)}, {"recursive", true}}};
  CHECK(to_text(Section{list}, {}) ==
        "Model\n"
        "  rules          3\n"
        "  stack symbols  14\n"
        "  recursive      yes\n");
}

TEST_CASE("the summary counts what there is") {
  CHECK(summary_of({}) == "0 queries");
  CHECK(summary_of({answered(dpn::Verdict::Unknown)}) == "1 query: 1 unknown");
  QueryAnswer surprise = answered(dpn::Verdict::Reachable);
  surprise.expected = dpn::Verdict::Unreachable;
  CHECK(summary_of({answered(dpn::Verdict::Unreachable), surprise, surprise}) ==
        "3 queries: 2 reachable, 1 unreachable; 2 not as expected");
}

TEST_CASE("verdicts are coloured on request, and nothing else of the line is") {
  CHECK(to_text(answered(dpn::Verdict::Reachable), {.style = Style{true}}) == "reach {4}: \x1b[31mreachable\x1b[0m\n");
}

}  // namespace
}  // namespace lockwood::frontend
