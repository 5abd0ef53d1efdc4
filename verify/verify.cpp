#include "verify/verify.hpp"

#include "base/text/json_place.hpp"
#include "base/text/json_text.hpp"
#include "solver/query/refutation.hpp"
#include "solver/query/witness_json.hpp"
#include "verify/table.hpp"

namespace lockwood::verify {
namespace {

using problem::Json;

Judgement judge(const dpn::Network& network, const Json& json, StopToken stop) {
  const problem::Object proof{
      json, {"schema", "claim", "problem", "structures", "contexts", "answers", "schedule", "answer"}};
  const problem::Problem problem = problem::read_problem(network, proof["problem"]);
  const std::string asked = proof["problem"].dump();
  if (says(proof["schema"], "lockwood/witness/1") && says(proof["claim"], "reachable")) {
    const dpn::Schedule schedule = read_schedule(network, problem, proof["schedule"], stop);
    const auto answer = problem::symbols(network.stacks(), proof.list("answer"));
    return {"reachable", asked, std::to_string(schedule.moves.size()) + " steps",
            refutation(network, problem, schedule, answer, stop)};
  }
  if (!says(proof["schema"], "lockwood/certificate/2") || !says(proof["claim"], "unreachable"))
    problem::reject(json, "this is no lockwood/certificate/2 (unreachable) and no lockwood/witness/1 (reachable)");
  Table table{network, problem, proof, stop};
  std::size_t facts = 0;
  for (const auto& [context, known] : table.contexts) facts += known.size();
  std::string extent = std::to_string(table.contexts.size()) + " contexts, " + std::to_string(facts) + " facts";
  if (!table.conceded.empty()) extent += ", " + std::to_string(table.conceded.size()) + " answers conceded";
  return {"unreachable", asked, extent, flaw(network, problem, table)};
}

}  // namespace

Judgement judge(const dpn::Network& network, std::string_view text, std::string_view file, StopToken stop) {
  const Json json = parse_json_text(text, file, {.stop = stop});
  try {
    return judge(network, json, stop);
  } catch (const problem::Rejected& rejected) {
    const std::string& reason = rejected.diagnostics().front().message;
    throw InputError{{diagnostic_at_path(file, text, path_of(json, rejected.value), reason)}};
  }
}

}  // namespace lockwood::verify
