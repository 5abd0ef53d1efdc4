#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

Problem unanswerable() { return {.phases = {Phase{.standing = {StandGoal{.tops = std::vector<dpn::StackSymbol>{}}}}}}; }

Problem problem_of(const dpn::Query& query) {
  Problem problem{.semantics = query.semantics};
  for (const dpn::QueryStep& step : query.steps) {
    Phase& phase = problem.phases.emplace_back();
    phase.avoiding = step.avoiding;
    if (!step.requiring.empty()) phase.fired.push_back(step.requiring);
    for (const auto& tops : step.positions) phase.standing.push_back(StandGoal{.tops = tops});
  }
  return problem;
}

}  // namespace lockwood::solver
