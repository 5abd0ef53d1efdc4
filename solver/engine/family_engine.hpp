#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/family_domain.hpp"
#include "solver/engine/observation.hpp"
#include "solver/locks/lock_domain.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/tree_room.hpp"

namespace lockwood::solver {

using CellId = Id<struct CellTag>;

// The engine (engine.hpp) with families of lock structures instead of single ones: all trees of a context with the same
// outcome and observation share a *cell*, and what flows between cells are families, however many structures they have.
// Semi-naive as well: a cell passes on what is new to it. It decides, and finds a witness, but not the lightest.
class FamilyEngine {
 public:
  // As for Engine, but there is no objective and no limit of width; `groups` are those of the reduced network. The
  // problem must not collect.
  FamilyEngine(const dpn::Network& network, const Problem& problem, const LockGroups& groups,
               const EngineOptions& options = {});

  // Runs until the question is decided or a stop is requested.
  dpn::Verdict run();

  // An execution tree that answers the problem, of the network on which the engine runs. Requires that one was found.
  // Throws what the room for it does.
  [[nodiscard]] dpn::ExecutionTree witness(TreeRoom room = TreeRoom{});

  // Facts are cells; structures are counted up to the largest number there is, and if the engine was asked to stop,
  // only those of its first cells.
  [[nodiscard]] EngineStatistics statistics() const;

 private:
  struct News {
    std::uint64_t time;
    SetFamily structures;
  };
  struct Cell {
    ContextId context;
    Outcome outcome;
    Observation observation;
    SetFamily known;    // minimal
    SetFamily pending;  // known, unless it became superfluous, and not passed on yet
    std::vector<News> history;
    bool queued = false;
  };
  // Who uses the structures of a context, and for what.
  struct Consumer {
    enum class Role : std::uint8_t { Cut, Base, Body, Rest, Child, Parent, Thread };
    Role role;
    ContextId context;  // of the cells to extend
    std::optional<dpn::RuleId> rule;
    std::optional<ContextId> partner;     // Rest: the body; Child, Parent: each other
    std::optional<Outcome> body_outcome;  // Rest
  };
  struct Traffic {
    std::vector<CellId> cells;
    std::vector<Outcome> announced;  // those of cells that have passed on something
    std::vector<Consumer> consumers;
  };
  // A node above one or two subtrees.
  struct Production {
    Derivation::Step step;
    ContextId context;
    std::optional<dpn::RuleId> rule;
  };
  // A tree is wanted whose structure is within the only member of `bound`, from what the cell knew at the time.
  struct Wanted {
    CellId cell;
    std::uint64_t time;
    SetFamily bound;
  };
  struct Choice {
    Production production;
    std::vector<Wanted> children;
  };

  ContextId demand(const Context& context);
  void expand(ContextId context);
  void expand(ContextId context, dpn::RuleId rule);
  void listen(ContextId to, const Consumer& consumer);
  void await_rest(const Consumer& body, ContextId body_context, Outcome outcome);
  void pass_on(CellId cell);
  void deliver(const Consumer& consumer, CellId cell, const SetFamily& news, bool first_of_its_outcome);
  void derive(const Production& production, CellId below, const SetFamily& structures);
  void derive(const Production& production, CellId left, const SetFamily& left_structures, CellId right,
              const SetFamily& right_structures);
  void propose(ContextId context, Outcome outcome, const Observation& observation, SetFamily structures);
  [[nodiscard]] SetFamily settled(CellId cell) const;
  [[nodiscard]] CellId cell_for(ContextId context, Outcome outcome, const Observation& observation);

  // What a production makes of its subtrees.
  [[nodiscard]] SetFamily structures_of(const Production& production, const SetFamily& below) const;
  [[nodiscard]] SetFamily structures_of(const Production& production, Outcome left_outcome, Outcome right_outcome,
                                        const SetFamily& left, const SetFamily& right) const;
  [[nodiscard]] Observations seen(const Production& production, const Observation& below);
  [[nodiscard]] Observations seen(const Production& production, CellId left, CellId right);
  [[nodiscard]] Outcome outcome_of(const Production& production, CellId below) const;
  [[nodiscard]] dpn::Entry entry_of(const Production& production) const;
  [[nodiscard]] bool reentrant(const Production& production) const;
  [[nodiscard]] bool is_allowed(dpn::RuleId rule, PhaseIndex phase) const;

  // Witnesses (family_witness.cpp).
  [[nodiscard]] Choice choice_for(const Wanted& wanted);
  [[nodiscard]] std::optional<Choice> choice_by(const Wanted& wanted, dpn::RuleId rule);
  [[nodiscard]] std::optional<Choice> leaf(const Wanted& wanted, const Production& production,
                                           const Observations& observations) const;
  [[nodiscard]] std::optional<Choice> above_one(const Wanted& wanted, const Production& production,
                                                const Context& below);
  [[nodiscard]] std::optional<Choice> above_two(const Wanted& wanted, const Production& production, CellId left,
                                                CellId right);
  template <class Test>
  [[nodiscard]] SetFamily narrowed(SetFamily family, Test suffices) const;
  [[nodiscard]] const std::vector<CellId>& cells_of(const Context& context) const;
  void append(dpn::TreeBuilder& builder, const Production& production) const;

  const dpn::Network& network_;
  PhaseIndex last_;
  std::vector<IdVector<dpn::Action, bool>> avoided_;  // by phase
  StopToken stop_;
  LockDomain held_;  // only for the sets of held locks
  FamilyDomain domain_;
  ObservationAlgebra algebra_;
  std::optional<IdVector<dpn::StackSymbol, std::uint64_t>> outside_goals_;  // if hopeless facts are dropped

  ContextTable contexts_;
  IdVector<ContextId, Traffic> traffic_;
  std::vector<ContextId> fresh_;  // asked for and not yet expanded
  IdVector<CellId, Cell> cells_;
  std::deque<CellId> queue_;
  std::uint64_t time_ = 0;
  std::size_t candidates_ = 0;
  std::optional<CellId> answer_;
};

}  // namespace lockwood::solver
