#include "frontend/api/proof.hpp"

#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"
#include "solver/query/problem_json.hpp"
#include "solver/query/witness_json.hpp"
#include "verify/verify.hpp"

namespace lockwood::api {

std::string proof_of(const dpn::Network& network, const solver::Problem& problem, const solver::Answer& found,
                     StopToken stop) {
  if (found.verdict == dpn::Verdict::Unreachable) return dumped(*found.certificate, no_indentation, stop);
  return dumped(problem::witness_json(network, problem, found.witness->schedule, {}, stop), no_indentation, stop);
}

std::optional<std::string> rejection_reason(const dpn::Network& network, const solver::Problem& problem,
                                            std::string_view proof, dpn::Verdict verdict, StopToken stop) {
  try {
    const char* name = verdict == dpn::Verdict::Reachable ? "witness" : "certificate";
    const verify::CheckResult checked = verify::judge(network, proof, name, stop);
    if (checked.flaw) return *checked.flaw;
    if (checked.claim != to_string(verdict)) return "it claims " + checked.claim;
    // The order of members is the checker's own.
    if (nlohmann::json::parse(checked.problem) != nlohmann::json(problem::problem_json(network, problem)))
      return "it is about another problem";
    return std::nullopt;
  } catch (const InputError& error) {
    return std::string{error.what()};
  }
}

}  // namespace lockwood::api
