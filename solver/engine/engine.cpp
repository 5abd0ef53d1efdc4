#include "solver/engine/engine.hpp"

#include "base/process/destroy_in_background.hpp"
#include "solver/engine/domains/explicit_locks.hpp"
#include "solver/engine/run_log.hpp"
#include "solver/engine/saturation.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {

using dpn::Verdict;

struct Engine::State {
  State(const dpn::Network& original, const dpn::Network& network, const Problem& problem, const EngineOptions& given)
      : options{given},
        collecting{problem.collect.has_value()},
        locks{{problem.semantics, given.excluding}, problem.phases.size(), group_use(network)},
        algebra{network, problem, original, given.distinguished,
                given.count_equal_goals ? EqualGoals::Counted : EqualGoals::Distinguished},
        grammar{network, avoided_actions(original, problem), locks},
        domain{grammar, locks, algebra, agenda, options, collecting},
        saturation{grammar, domain, agenda} {}

  EngineOptions options;
  bool collecting;
  LockDomain locks;
  ObservationAlgebra algebra;
  ExecutionGrammar grammar;
  ExplicitLocks::Agenda agenda;
  ExplicitLocks domain;
  Saturation<ExplicitLocks, ExplicitLocks::Agenda> saturation;
};

Engine::Engine(const dpn::Network& network, const Problem& problem, EngineOptions options)
    : state_{std::make_unique<State>(network, options.reduction == nullptr ? network : options.reduction->network(),
                                     problem, options)} {}

// Threads are ended by who has started them; all else is memory.
Engine::~Engine() {
  if (!state_->options.stop.stop_requested()) return;
  state_->domain.division().dismiss_threads();
  destroy_in_background(std::move(state_));
}

Verdict Engine::run() {
  State& state = *state_;
  state.saturation.close();
  log_run(
      &RunTotals::one_by_one, [&] { return statistics(); },
      [&] {
        return state.options.reduction == nullptr ? std::nullopt : std::optional{state.options.reduction->statistics()};
      });
  const bool found = !state.domain.answers().empty();
  if (found && !state.collecting && !state.options.exhaustive) return Verdict::Reachable;
  if (state.domain.over()) return Verdict::Unknown;
  return found ? Verdict::Reachable : Verdict::Unreachable;
}

bool Engine::too_wide() const { return state_->domain.too_wide(); }
bool Engine::too_many_contexts() const { return state_->grammar.size() > state_->options.context_limit; }
const std::vector<FactId>& Engine::answers() const { return state_->domain.answers(); }
const dpn::Network& Engine::network() const { return state_->grammar.network(); }
const ExecutionGrammar& Engine::grammar() const { return state_->grammar; }
const IdVector<ContextId, Context>& Engine::contexts() const { return state_->grammar.contexts(); }
PhaseIndex Engine::last_phase() const { return state_->grammar.last_phase(); }
const IdVector<FactId, Fact>& Engine::facts() const { return state_->domain.facts(); }
const LockDomain& Engine::domain() const { return state_->locks; }
const ObservationAlgebra& Engine::algebra() const { return state_->algebra; }

std::vector<FactId> Engine::essential_facts(ContextId context) const { return state_->domain.essential_facts(context); }

EngineStatistics Engine::statistics() const {
  return {.contexts = state_->grammar.size(),
          .facts = state_->domain.facts().size(),
          .candidates = state_->domain.candidate_count(),
          .structures = state_->locks.structure_count(),
          .widest_antichain = state_->domain.widest_antichain()};
}

std::vector<ContextId> Engine::users_of(ContextId context) const {
  std::vector<ContextId> users;
  for (const Dependent& dependent : state_->saturation.dependents_of(context)) users.push_back(dependent.context);
  return users;
}

std::vector<Fact> Engine::consequences(const Fact& fact) {
  State& state = *state_;
  return state.domain.consequences(fact, [&](FactId id, auto& deriving) {
    for (const Dependent& dependent : state.saturation.dependents_of(fact.context))
      (void)state.saturation.combine(dependent, id, deriving);
  });
}

}  // namespace lockwood::solver
