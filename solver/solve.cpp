#include "solver/solve.hpp"

#include <algorithm>

#include "dpn/fewest_switches.hpp"
#include "dpn/problem/refutation.hpp"
#include "solver/certificate.hpp"
#include "solver/reduction.hpp"
#include "solver/weight.hpp"
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

// The witness of an accepting fact, replayed.
Witness witness_of(const dpn::Network& network, const Problem& problem, const Engine& engine,
                   const std::optional<Reduction>& reduction, WitnessChoice choice) {
  dpn::ExecutionTree tree = witness_tree(engine, engine.answers().front());
  if (reduction) tree = reduction->expanded(tree);
  auto scheduled = schedule_for(network, tree, problem.semantics, choice);
  if (!scheduled) throw BrokenAnswer{"the execution tree found cannot be scheduled"};
  dpn::Schedule& schedule = scheduled->schedule;
  // Phases that begin after all threads have ended leave no trace in the tree.
  schedule.cuts.resize(problem.phases.size() - 1, schedule.moves.size());
  if (const auto reason = refutation(network, problem, schedule))
    throw BrokenAnswer{"the schedule found does not replay: " + *reason};
  return {std::move(tree), std::move(schedule), scheduled->exact};
}

class Solving {
 public:
  Solving(const dpn::Network& network, const Problem& problem, const SolveOptions& options)
      : network_{network}, problem_{problem}, options_{options} {}

  // The verdict is found without regard to the size of trees. Only if a witness is wanted, and there is one, a second
  // run looks for the best: it ends as soon as it has it.
  Answer answer() && {
    const auto reduction = reduced(Objective::Any);
    Engine engine{network_, problem_, engine_options(Objective::Any, reduction)};
    Answer answer{.verdict = engine.run()};
    answer.statistics = engine.statistics();
    if (reduction) answer.reduction = reduction->statistics();
    switch (answer.verdict) {
      case dpn::Verdict::Reachable:
        if (options_.witness != WitnessChoice::None) answer.witness = chosen_witness(engine, reduction);
        break;
      case dpn::Verdict::Unreachable:
        if (options_.certify) answer.certificate = certificate(network_, problem_, engine);
        break;
      case dpn::Verdict::Unknown: answer.stopped = options_.stop.reason(); break;
    }
    return answer;
  }

 private:
  // Nothing if nothing may be left out.
  [[nodiscard]] std::optional<Reduction> reduced(Objective objective) {
    const bool observed = std::ranges::any_of(problem_.phases, [](const Phase& p) { return !p.observers.empty(); });
    if (options_.certify || observed || options_.reductions == Reductions::none()) return std::nullopt;
    if (options_.flow == nullptr && !flow_) flow_.emplace(network_);
    return std::optional<Reduction>{std::in_place,
                                    network_,
                                    options_.flow == nullptr ? *flow_ : *options_.flow,
                                    problem_,
                                    options_.reductions,
                                    objective == Objective::FewestThreads ? thread_weight : 0};
  }

  [[nodiscard]] EngineOptions engine_options(Objective objective, const std::optional<Reduction>& reduction) const {
    return {.objective = objective, .reduction = reduction ? &*reduction : nullptr, .stop = options_.stop};
  }

  // The best tree for the choice; if the search for it is stopped, the one that proved the verdict.
  [[nodiscard]] Witness chosen_witness(const Engine& decided, const std::optional<Reduction>& reduction) {
    const bool few_threads = options_.witness == WitnessChoice::FewestThreads;
    const Objective objective = few_threads ? Objective::FewestThreads : Objective::FewestNodes;
    const auto other = few_threads ? reduced(objective) : std::nullopt;  // weights differ
    const auto& chosen = few_threads ? other : reduction;
    Engine best{network_, problem_, engine_options(objective, chosen)};
    if (best.run() == dpn::Verdict::Reachable) return witness_of(network_, problem_, best, chosen, options_.witness);
    return witness_of(network_, problem_, decided, reduction, options_.witness);
  }

  const dpn::Network& network_;
  const Problem& problem_;
  const SolveOptions& options_;
  std::optional<BackwardFlow> flow_;
};

}  // namespace

Answer solve(const dpn::Network& network, const Problem& problem, const SolveOptions& options) {
  return Solving{network, problem, options}.answer();
}

}  // namespace lockwood::solver
