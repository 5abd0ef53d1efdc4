#include <doctest/doctest.h>

#include "dpn/formats/model_file.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/input/file_queries.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::frontend {
namespace {

// An answer that does not stand up to its check is our fault. What comes after it is answered.
TEST_CASE("a broken answer is one of many, and makes the status that of an internal error") {
  const dpn::ModelFile model = dpn::load_model(LOCKWOOD_SOURCE_DIR "/models/fig1.dpn");
  REQUIRE(model.queries.size() > 2);
  std::vector<QueryAnswer> answers;
  for (const dpn::Query& query : model.queries)
    answers.push_back(answer_or_fault(query, model.network, [&](const dpn::Query& asked) -> QueryAnswer {
      if (asked.at == model.queries[1].at) throw solver::BrokenAnswer{"it does not replay"};
      return {.query = "a query", .verdict = dpn::Verdict::Reachable};
    }));
  REQUIRE(answers.size() == model.queries.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    CHECK(answers[i].broken == (i == 1));
    CHECK(answers[i].verdict == (i == 1 ? dpn::Verdict::Unknown : dpn::Verdict::Reachable));
  }
  CHECK(answers[1].unknown_because == "internal error: it does not replay");
  CHECK(answers[1].at == model.queries[1].at);

  const FailureOptions failures{.reachable = true, .unexpected = false, .unknown = false};
  CHECK(status_of(answers, {}, failures) == ExitStatus::Internal);
  CHECK(status_of(answers, {.exit_zero = true, .fail_on = {}}, failures) == ExitStatus::Internal);
  answers.erase(answers.begin() + 1);
  CHECK(status_of(answers, {}, failures) == ExitStatus::Finding);
  CHECK(status_of(answers, {.exit_zero = true, .fail_on = {}}, failures) == ExitStatus::Nothing);
}

TEST_CASE("what is no broken answer is thrown on") {
  const dpn::ModelFile model = dpn::load_model(LOCKWOOD_SOURCE_DIR "/models/fig1.dpn");
  CHECK_THROWS_AS((void)answer_or_fault(model.queries.front(), model.network,
                                        [](const dpn::Query&) -> QueryAnswer { throw std::bad_alloc{}; }),
                  std::bad_alloc);
}

}  // namespace
}  // namespace lockwood::frontend
