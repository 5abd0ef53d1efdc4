#include "solver/solve.hpp"

#include "dpn/fewest_switches.hpp"
#include "solver/certificate.hpp"
#include "solver/witness.hpp"
#include "solver/witness_check.hpp"

namespace lockwood::solver {

namespace {

// Of the tree, and whether it is known to have the fewest switches.
std::optional<dpn::FewestSwitches> schedule_for(const dpn::Network& network, const dpn::ExecutionTree& tree,
                                                dpn::Semantics semantics, WitnessChoice choice) {
  if (choice == WitnessChoice::FewestSwitches) return dpn::fewest_switches(network, tree, semantics);
  auto schedule = dpn::schedule_of(network, tree, semantics);
  if (!schedule) return std::nullopt;
  return dpn::FewestSwitches{std::move(*schedule), false};
}

}  // namespace

Witness witness_of(const dpn::Network& network, const Problem& problem, const Engine& engine, FactId fact,
                   WitnessChoice choice) {
  dpn::ExecutionTree tree = witness_tree(network, engine, fact);
  auto scheduled = schedule_for(network, tree, problem.semantics, choice);
  if (!scheduled) throw BrokenAnswer{"the execution tree found cannot be scheduled"};
  dpn::Schedule& schedule = scheduled->schedule;
  // Phases that begin after all threads have ended leave no trace in the tree.
  schedule.cuts.resize(problem.phases.size() - 1, schedule.moves.size());
  if (const auto reason = refutation(network, problem, schedule))
    throw BrokenAnswer{"the schedule found does not replay: " + *reason};
  return {std::move(tree), std::move(schedule), scheduled->exact};
}

Answer solve(const dpn::Network& network, const Problem& problem, const SolveOptions& options) {
  const Objective objective =
      options.witness == WitnessChoice::FewestThreads ? Objective::FewestThreads : Objective::FewestNodes;
  Engine engine{network, problem, {.objective = objective, .stop = options.stop}};
  Answer answer{.verdict = engine.run()};
  answer.statistics = engine.statistics();
  switch (answer.verdict) {
    case dpn::Verdict::Reachable:
      if (options.witness != WitnessChoice::None)
        answer.witness = witness_of(network, problem, engine, engine.answers().front(), options.witness);
      break;
    case dpn::Verdict::Unreachable:
      if (options.certify) answer.certificate = certificate(network, problem, engine);
      break;
    case dpn::Verdict::Unknown: answer.stopped = options.stop.reason(); break;
  }
  return answer;
}

}  // namespace lockwood::solver
