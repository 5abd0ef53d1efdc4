#include "solver/engine/symbolic_engine.hpp"

#include "solver/engine/domains/symbolic_locks.hpp"
#include "solver/engine/run_log.hpp"
#include "solver/engine/saturation.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {

using dpn::Verdict;

struct SymbolicEngine::State {
  State(const dpn::Network& original, const dpn::Network& network, const Problem& problem, const LockGroups& groups,
        const EngineOptions& given)
      : options{given},
        held{{}, problem.phases.size(), group_use(network)},
        algebra{network, problem, original, std::nullopt,
                given.count_equal_goals ? EqualGoals::Counted : EqualGoals::Distinguished},
        grammar{network, avoided_actions(original, problem), held},
        structures{{problem.semantics, given.excluding}, problem.phases.size(), groups, given.stop},
        domain{grammar, structures, held, algebra, agenda, options},
        saturation{grammar, domain, agenda} {}

  EngineOptions options;
  LockDomain held;  // only for the sets of held locks, and for shapes of groups
  ObservationAlgebra algebra;
  ExecutionGrammar grammar;
  SymbolicStructures structures;
  SymbolicLocks::Agenda agenda;
  SymbolicLocks domain;
  Saturation<SymbolicLocks, SymbolicLocks::Agenda> saturation;
};

SymbolicEngine::SymbolicEngine(const dpn::Network& network, const Problem& problem, const LockGroups& groups,
                               const EngineOptions& options)
    : state_{std::make_unique<State>(network, options.reduction == nullptr ? network : options.reduction->network(),
                                     problem, groups, options)} {}

SymbolicEngine::~SymbolicEngine() = default;

Verdict SymbolicEngine::run() {
  const auto logged = [&](Verdict verdict) {
    log_run(
        &RunTotals::by_families, [&] { return statistics(); }, [] { return std::nullopt; });
    return verdict;
  };
  try {
    state_->saturation.close();
  } catch (const Interrupted&) {
    return logged(Verdict::Unknown);
  }
  if (state_->domain.answer()) return logged(Verdict::Reachable);
  return logged(too_many_contexts() ? Verdict::Unknown : Verdict::Unreachable);
}

bool SymbolicEngine::too_many_contexts() const { return state_->grammar.size() > state_->options.context_limit; }
dpn::ExecutionTree SymbolicEngine::witness(NodeBudget room) { return state_->domain.witness(state_->grammar, room); }
EngineStatistics SymbolicEngine::statistics() const { return state_->domain.statistics(); }

}  // namespace lockwood::solver
