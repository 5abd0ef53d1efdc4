#include "solver/solve.hpp"

#include "dpn/fewest_switches.hpp"
#include "dpn/problem/refutation.hpp"
#include "solver/certificate.hpp"
#include "solver/witness.hpp"

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
  if (const auto reason = refutation(network, problem, schedule, collected_symbols(engine.facts()[fact].observation)))
    throw BrokenAnswer{"the schedule found does not replay: " + *reason};
  return {std::move(tree), std::move(schedule), scheduled->exact};
}

namespace {

// The best tree for the choice; if the search for it is stopped, the one that proved the verdict.
std::optional<Witness> chosen_witness(const dpn::Network& network, const Problem& problem, const Engine& decided,
                                      const SolveOptions& options) {
  if (options.witness == WitnessChoice::None) return std::nullopt;
  const Objective objective =
      options.witness == WitnessChoice::FewestThreads ? Objective::FewestThreads : Objective::FewestNodes;
  Engine best{network, problem, {.objective = objective, .stop = options.stop}};
  const Engine& found = best.run() == dpn::Verdict::Reachable ? best : decided;
  return witness_of(network, problem, found, found.answers().front(), options.witness);
}

}  // namespace

// The verdict is found without regard to the size of trees. Only if a witness is wanted, and there is one, a second run
// looks for the best: it ends as soon as it has it.
Answer solve(const dpn::Network& network, const Problem& problem, const SolveOptions& options) {
  Engine engine{network, problem, {.objective = Objective::Any, .stop = options.stop}};
  Answer answer{.verdict = engine.run()};
  answer.statistics = engine.statistics();
  switch (answer.verdict) {
    case dpn::Verdict::Reachable: answer.witness = chosen_witness(network, problem, engine, options); break;
    case dpn::Verdict::Unreachable:
      if (options.certify) answer.certificate = certificate(network, problem, engine);
      break;
    case dpn::Verdict::Unknown: answer.stopped = options.stop.reason(); break;
  }
  return answer;
}

}  // namespace lockwood::solver
