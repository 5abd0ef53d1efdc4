#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/engine/engine_statistics.hpp"
#include "solver/engine/fact.hpp"
#include "solver/engine/observation.hpp"
#include "solver/locks/lock_domain.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

class ExecutionGrammar;
class Reduction;

// Which witness to prefer. Without a preference, facts that a later one makes superfluous are forgotten; that is
// faster, often by much, but what is found then need not be smallest.
enum class Objective { FewestNodes, FewestThreads, Any };

struct EngineOptions {
  Objective objective = Objective::FewestNodes;
  const Reduction* reduction = nullptr;  // of the network for this problem and objective: run on that instead
  bool exhaustive = false;               // do not stop at an answer: find all facts
  bool drop_unsatisfiable = false;  // facts that lack a goal which nothing else can meet; a certificate needs them all
  bool count_equal_goals = false;   // see EqualGoals; a certificate tells them apart
  // Give up when more facts of one context, outcome and observation than this are incomparable.
  std::size_t width_limit = std::numeric_limits<std::size_t>::max();
  // Give up when there are more contexts than this.
  std::size_t context_limit = std::numeric_limits<std::size_t>::max();
  std::size_t jobs = 1;               // threads for large frontiers; nothing that is found depends on it
  std::size_t large_frontier = 1024;  // facts of the same weight, from which on it pays to divide them among threads
  std::optional<PhaseIndex> distinguished;          // which of its required actions was done: see ObservationAlgebra
  const IdVector<Lock, bool>* excluding = nullptr;  // locks; if not given, all. See Exclusion
  StopToken stop;
};

// Decides a problem: the saturation of saturation.hpp with one lock structure for each fact
// (domains/explicit_locks.hpp), lightest first, so that the first accepting fact has a lightest tree.
class Engine {
 public:
  // The network, what the problem refers to and the reduction must outlive the engine.
  Engine(const dpn::Network& network, const Problem& problem, EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Runs until the question is decided, a stop is requested, or an antichain is too wide. If the problem collects,
  // until all answers are found.
  dpn::Verdict run();

  // It gave up because of an antichain.
  [[nodiscard]] bool too_wide() const;
  // It gave up because of the number of contexts.
  [[nodiscard]] bool too_many_contexts() const;

  // The accepting facts: the lightest one, or one for each collected set in the order of their discovery.
  [[nodiscard]] const std::vector<FactId>& answers() const;
  // The network on which it runs: the given one or the reduced one.
  [[nodiscard]] const dpn::Network& network() const;
  [[nodiscard]] const ExecutionGrammar& grammar() const;
  [[nodiscard]] static constexpr ContextId root() { return ContextId{0}; }
  [[nodiscard]] PhaseIndex last_phase() const;
  [[nodiscard]] const IdVector<ContextId, Context>& contexts() const;
  [[nodiscard]] const IdVector<FactId, Fact>& facts() const;
  [[nodiscard]] const LockDomain& domain() const;
  [[nodiscard]] const ObservationAlgebra& algebra() const;
  // The facts of a context that no other fact of it makes superfluous.
  [[nodiscard]] std::vector<FactId> essential_facts(ContextId context) const;
  [[nodiscard]] EngineStatistics statistics() const;

  // The contexts with facts that are derived from those of this one.
  [[nodiscard]] std::vector<ContextId> users_of(ContextId context) const;
  // What would follow in one step from one more fact, beside the facts there are. Nothing is kept of it.
  [[nodiscard]] std::vector<Fact> consequences(const Fact& fact);

 private:
  struct State;
  std::unique_ptr<State> state_;  // none after the destructor has left it behind
};

}  // namespace lockwood::solver
