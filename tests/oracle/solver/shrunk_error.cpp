#include "tests/oracle/solver/shrunk_error.hpp"

#include "base/text/diagnostic.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/shrink.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/problem_json.hpp"

namespace lockwood::solver {
namespace {

template <class Flaw, class Question>
std::optional<std::string> flaw_or_broken(const Flaw& flaw, const dpn::Network& network, const Question& question) {
  try {
    return flaw(network, question);
  } catch (const BrokenAnswer& error) {
    return std::string{error.what()};
  }
}

}  // namespace

std::optional<std::string> shrunk_error(const dpn::Network& network, const dpn::Query& query, const QueryCheck& flaw) {
  const auto flaw_of = [&](const dpn::Network& candidate, const dpn::Query& question) {
    return flaw_or_broken(flaw, candidate, question);
  };
  if (!flaw_of(network, query)) return std::nullopt;
  const dpn::Shrunk small = shrunk(network, query, [&](const dpn::Network& candidate, const dpn::Query& question) {
    return flaw_of(candidate, question).has_value();
  });
  return *flaw_of(small.network, small.query) + ", on\n" + dpn::to_dpn(small.network, {&small.query, 1});
}

// Names stay when a network is shrunk, so the problem is read anew for each candidate. One that has lost a name of the
// problem is of no interest.
std::optional<std::string> shrunk_error(const dpn::Network& network, const Problem& problem, const ProblemCheck& flaw) {
  if (!flaw_or_broken(flaw, network, problem)) return std::nullopt;
  const nlohmann::json asked = problem::problem_json(network, problem);
  const auto flaw_of = [&](const dpn::Network& candidate) -> std::optional<std::string> {
    try {
      return flaw_or_broken(flaw, candidate, problem::read_problem(candidate, asked));
    } catch (const InputError&) {
      return std::nullopt;
    }
  };
  const dpn::Query none{
      .steps = {{.positions = {{network.initial().top}}, .avoiding = {}, .requiring = {}}}, .expected = {}, .at = {}};
  const dpn::Shrunk small = shrunk(
      network, none, [&](const dpn::Network& candidate, const dpn::Query&) { return flaw_of(candidate).has_value(); });
  return *flaw_of(small.network) + ", on\n" + dpn::to_dpn(small.network, {}) + asked.dump();
}

}  // namespace lockwood::solver
