#pragma once

#include <memory>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/engine/domains/symbolic_structures.hpp"
#include "solver/engine/engine.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/node_budget.hpp"

namespace lockwood::solver {

// The engine (engine.hpp) with sets of lock structures as decision diagrams instead of single structures
// (domains/symbolic_locks.hpp). It decides, and finds a witness, but not the lightest.
class SymbolicEngine {
 public:
  // As for Engine, but there is no objective and no limit of width; `groups` are those of the reduced network. The
  // problem must not collect.
  SymbolicEngine(const dpn::Network& network, const Problem& problem, const LockGroups& groups,
                 const EngineOptions& options = {});
  ~SymbolicEngine();
  SymbolicEngine(const SymbolicEngine&) = delete;
  SymbolicEngine& operator=(const SymbolicEngine&) = delete;

  // Runs until the question is decided, a stop is requested, or there are too many contexts.
  dpn::Verdict run();

  // It gave up because of the number of contexts.
  [[nodiscard]] bool too_many_contexts() const;

  // An execution tree that answers the problem, of the network on which the engine runs. Requires that one was found.
  // Throws what the room for it does.
  [[nodiscard]] dpn::ExecutionTree witness(NodeBudget room = NodeBudget{});

  // Facts are cells; structures are counted up to the largest number there is, and if the engine was asked to stop,
  // only those of its first cells.
  [[nodiscard]] EngineStatistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lockwood::solver
