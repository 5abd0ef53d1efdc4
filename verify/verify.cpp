#include "verify/verify.hpp"

#include <algorithm>

#include "base/ids/id_vector.hpp"
#include "base/text/json_place.hpp"
#include "base/text/json_text.hpp"
#include "dpn/model/only_locks.hpp"
#include "solver/query/replay_error.hpp"
#include "solver/query/witness_json.hpp"
#include "verify/table.hpp"

namespace lockwood::verify {
namespace {

using problem::Json;

// The locks that the certificate respects, if it says which: monitors on the others are calls to it. Ignoring a lock
// allows more executions, so what is unreachable then is unreachable. But a goal that asks for a lock, or an observer,
// which sees all of them, would get another meaning.
std::optional<IdVector<dpn::Lock, bool>> respected_locks(const dpn::Network& network, const problem::Problem& problem,
                                                         const problem::Object& proof) {
  if (!proof.has("locks")) return std::nullopt;
  IdVector<dpn::Lock, bool> respected(network.locks().size());
  for (dpn::Lock lock : problem::symbols(network.locks(), proof.list("locks"))) respected[lock] = true;
  for (const problem::Phase& phase : problem.phases) {
    if (!phase.observers.empty()) problem::reject(proof["locks"], "a problem with observers needs all locks");
    for (const problem::StandGoal& goal : phase.standing)
      for (const auto& lock : {goal.holding, goal.wanting})
        if (lock && !respected[*lock])
          problem::reject(proof["locks"], "a goal asks for '" + std::string{network.locks().name(*lock)} +
                                              "', which is not among them");
  }
  return respected;
}

CheckResult judge(const dpn::Network& network, const Json& json, StopToken stop) {
  const problem::Object proof{
      json, {"schema", "claim", "problem", "structures", "contexts", "answers", "schedule", "answer", "locks"}};
  const problem::Problem problem = problem::read_problem(network, proof["problem"]);
  const std::string asked = proof["problem"].dump();
  if (says(proof["schema"], "lockwood/witness/1") && says(proof["claim"], "reachable")) {
    const dpn::Schedule schedule = read_schedule(network, problem, proof["schedule"], stop);
    const auto answer = problem::symbols(network.stack_symbols(), proof.list("answer"));
    return {"reachable", asked, std::to_string(schedule.moves.size()) + " steps",
            replay_error(network, problem, schedule, answer, stop)};
  }
  if (!says(proof["schema"], "lockwood/certificate/2") || !says(proof["claim"], "unreachable"))
    problem::reject(json, "this is not lockwood/certificate/2 (unreachable), and not lockwood/witness/1 (reachable)");
  const auto respected = respected_locks(network, problem, proof);
  const std::optional<dpn::Network> weaker =
      respected ? std::optional{dpn::with_only_locks(network, *respected)} : std::nullopt;
  Table table{network, problem, proof, stop};
  std::size_t facts = 0;
  for (const auto& [context, known] : table.contexts) facts += known.size();
  std::string extent = std::to_string(table.contexts.size()) + " contexts, " + std::to_string(facts) + " facts";
  if (!table.conceded.empty()) extent += ", " + std::to_string(table.conceded.size()) + " answers conceded";
  if (respected) {
    const auto count = std::ranges::count(*respected, true);
    extent += ", " + std::to_string(count) + " of " + std::to_string(respected->size()) + " locks";
  }
  return {"unreachable", asked, extent, flaw(weaker ? *weaker : network, problem, table)};
}

}  // namespace

CheckResult judge(const dpn::Network& network, std::string_view text, std::string_view file, StopToken stop) {
  const Json json = parse_json_text(text, file, {.stop = stop});
  try {
    return judge(network, json, stop);
  } catch (const problem::Rejected& rejected) {
    const std::string& reason = rejected.diagnostics().front().message;
    throw InputError{{diagnostic_at_path(file, text, path_of(json, rejected.value), reason)}};
  }
}

}  // namespace lockwood::verify
