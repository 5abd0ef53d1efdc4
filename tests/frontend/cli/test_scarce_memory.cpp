#include <doctest/doctest.h>

#include "base/text/json_text.hpp"
#include "dpn/formats/model_file.hpp"
#include "frontend/api/proof.hpp"
#include "frontend/cli/input/batch_query.hpp"
#include "frontend/report/json/render_json.hpp"
#include "tests/oracle/base/scarce_memory.hpp"

namespace lockwood::frontend {

// What a batch does with each of its queries besides solving it. Wherever memory runs out, the query fails, not the
// program: values in JSON that are half made are cleared away by destructors, from which no exception can come.
TEST_CASE("a query of a batch may run out of memory anywhere") {
  const dpn::ModelFile model = dpn::load_model(LOCKWOOD_SOURCE_DIR "/models/fig1.dpn");
  for (const char* text : {R"({"id": 1, "form": "conflict", "positions": [["p2"], ["s1"]], "avoiding": []})",
                           R"({"id": "two", "query": "conflict {r1} and {s1}"})"}) {
    CAPTURE(std::string{text});
    solver::BatchQuestion question;
    CHECK(failures_for_memory([&] {
            WrittenQuery written{.number = 1, .id = "1", .value = parse_json_text(text, "query"), .flaw = {}};
            question = question_of(model.network, written);
          }) > 10);
    REQUIRE(std::holds_alternative<solver::Problem>(question.problem));
    const auto& problem = std::get<solver::Problem>(question.problem);
    const solver::Answer answer = solver::solve(model.network, problem, {.certify = true});
    REQUIRE(answer.verdict != dpn::Verdict::Unknown);

    std::string proof;
    CHECK(failures_for_memory([&] { proof = api::proof_of(model.network, problem, answer, {}); }) > 5);
    bool accepted = false;
    CHECK(failures_for_memory(
              [&] { accepted = !api::rejection_reason(model.network, problem, proof, answer.verdict, {}); }) > 100);
    CHECK(accepted);

    QueryAnswer shown{.query = question.text, .semantics = problem.semantics, .verdict = answer.verdict};
    if (answer.witness) shown.schedule = Witness{&model.network, answer.witness->schedule};
    const BatchLine line{.id = question.id, .answer = shown};
    std::string written;
    CHECK(failures_for_memory([&] { written = to_json_line(line); }) > 10);
    CHECK(written == to_json_line(line));
  }
}

// Rows and properties are lists of values, which are copied to where they belong.
TEST_CASE("what a report tells may run out of memory while it is copied") {
  const std::string text(100, 'x');
  Table table{.key = "pairs", .title = "Pairs", .columns = {"first", "second"}, .rows = {}};
  CHECK(failures_for_memory([&] { table.rows.push_back({text, count(1), TextList{text, text}}); }) > 5);
  Table copy;
  CHECK(failures_for_memory([&] { copy = table; }) > 5);
  CHECK(copy.rows == table.rows);
  PropertyList list;
  CHECK(failures_for_memory([&] {
          list = {.key = "model", .title = text, .properties = {{text, text}, {"b", text}}};
        }) > 5);
  const sets::Shown shown{.type = "a text", .value = text, .details = {}};
  sets::Shown other;
  CHECK(failures_for_memory([&] { other = shown; }) > 0);
}

}  // namespace lockwood::frontend
