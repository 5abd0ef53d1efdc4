#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/engine/agenda.hpp"
#include "solver/engine/domains/symbolic_structures.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/execution_grammar.hpp"
#include "solver/engine/observation.hpp"
#include "solver/engine/saturation.hpp"
#include "solver/reduction/node_budget.hpp"

namespace lockwood::solver {

using CellId = Id<struct CellTag>;

// The domain of the symbolic engine (symbolic_engine.hpp): all trees of a context with the same outcome, observation
// and shape of groups (SymbolicStructures) share a *cell*, which has the set of their lock structures as a family. What
// is announced is the *news* of a cell: structures that it did not have before, however many they are. A structure is
// superfluous if another one of its cell, or of a cell that has seen as much, is a subset of it.
class SymbolicLocks {
 public:
  using Agenda = OldestFirst<CellId>;
  // Structures of a cell: its news, or all that it has announced before.
  struct Item {
    CellId cell;
    SetFamily structures;
  };

  // All must outlive it.
  SymbolicLocks(const ExecutionGrammar& grammar, const SymbolicStructures& structures, LockDomain& shapes,
                ObservationAlgebra& algebra, Agenda& queue, const EngineOptions& options);

  [[nodiscard]] const std::optional<CellId>& answer() const { return answer_; }
  [[nodiscard]] EngineStatistics statistics() const;
  // A tree that is accepted, found again from the history of the cells (symbolic_witness.cpp). Requires an answer.
  [[nodiscard]] dpn::ExecutionTree witness(ExecutionGrammar& grammar, NodeBudget room);

  // --- what the saturation asks for (saturation.hpp) ---

  [[nodiscard]] ContextId context_of(const Item& item) const { return cells_[item.cell].context; }
  [[nodiscard]] Outcome outcome_of(const Item& item) const { return cells_[item.cell].outcome; }
  void add_context() { of_context_.push_back({}); }
  // Throws Interrupted.
  [[nodiscard]] bool over() const {
    options_.stop.check();
    return answer_ || grammar_.size() > options_.context_limit;
  }
  void report_progress() const { options_.stop.report_progress({.contexts = grammar_.size(), .facts = cells_.size()}); }

  void derive_leaf(const Node& node, Outcome outcome);
  // News are paired with what partners have announced: never with news of theirs that are still to come.
  template <class Combine>
  void derive(const Item& /*item*/, Partners /*partners*/, const Combine& combine) {
    combine(*this);
  }
  void derive(const Node& node, const Item& below);
  void derive(const Node& node, const Item& left, const Item& right);
  template <class Use>
  void with_partners(ContextId context, std::optional<Outcome> wanted, const Use& use) {
    const std::size_t cells = of_context_[context].cells.size();
    for (std::size_t i = 0; i < cells; ++i) {
      const CellId cell = of_context_[context].cells[i];
      if (!wanted || cells_[cell].outcome == *wanted) use(Item{cell, announced(cell)});
    }
  }
  template <class Show, class ShowOutcome>
  void show_announced(ContextId context, bool to_body, const Show& show, const ShowOutcome& show_outcome) const {
    const CellsOfContext here = of_context_[context];  // a copy: what is requested meanwhile makes the table grow
    if (to_body)
      for (Outcome outcome : here.announced)
        if (outcome.has_returned()) show_outcome(outcome);
    for (CellId cell : here.cells) {
      const bool body_returned = to_body && cells_[cell].outcome.has_returned();
      if (!cells_[cell].history.empty() && !body_returned) show(Item{cell, announced(cell)});
    }
  }
  void announce(const std::vector<CellId>& batch, std::vector<Announcement<Item>>& announcements);
  [[nodiscard]] static bool superfluous(const Announcement<Item>& /*announcement*/) { return false; }

 private:
  struct News {
    std::uint64_t time;
    SetFamily structures;
  };
  struct Cell {
    ContextId context;
    Outcome outcome;
    Observation observation;
    StructureId shape;  // a structure without locks
    SetFamily known;    // minimal
    SetFamily pending;  // known, unless it became superfluous, and not announced yet
    std::vector<News> history;
    bool queued = false;
  };
  struct CellsOfContext {
    std::vector<CellId> cells;
    std::vector<Outcome> announced;  // those of cells that have announced something
  };
  // A tree is wanted whose structure is within the only member of `bound`, from what the cell knew at the time.
  struct Wanted {
    CellId cell;
    std::uint64_t time;
    SetFamily bound;
  };
  struct Choice {
    Node node;
    std::vector<Wanted> children;
  };

  void derive_candidates(ContextId context, Outcome outcome, const Observation& observation, StructureId shape,
                         SetFamily structures);
  [[nodiscard]] SetFamily announced(CellId cell) const;
  [[nodiscard]] CellId cell_for(ContextId context, Outcome outcome, const Observation& observation, StructureId shape);

  // What a node makes of its subtrees: the shape, and structures of these cells. No shape if that is impossible.
  [[nodiscard]] StructureId shape_above(const Node& node, CellId below) const;
  [[nodiscard]] std::optional<StructureId> shape_above(const Node& node, CellId left, CellId right) const;
  // What the left one becomes before the right one follows.
  [[nodiscard]] StructureId shape_before(const Node& node, CellId left) const;
  [[nodiscard]] SetFamily structures_of(const Node& node, CellId cell, const SetFamily& below) const;
  [[nodiscard]] SetFamily structures_of(const Node& node, CellId left_cell, CellId right_cell, const SetFamily& left,
                                        const SetFamily& right) const;
  [[nodiscard]] const GroupStructure& groups(StructureId shape) const { return shapes_.structure(shape).groups; }
  [[nodiscard]] Observations seen(const Node& leaf) const;
  [[nodiscard]] Observations seen(const Node& node, const Observation& below) const;
  [[nodiscard]] Observations seen(const Node& node, CellId left, CellId right) const;
  [[nodiscard]] Outcome outcome_above(const Node& node, CellId below) const;

  // Witnesses (symbolic_witness.cpp).
  [[nodiscard]] Choice choice_for(const Wanted& wanted, ExecutionGrammar& grammar) const;
  [[nodiscard]] std::optional<Choice> choice_by(const Wanted& wanted, const Production& production) const;
  [[nodiscard]] std::optional<Choice> above_one(const Wanted& wanted, const Node& node, const Context& below) const;
  [[nodiscard]] std::optional<Choice> above_two(const Wanted& wanted, const Node& node, CellId left,
                                                CellId right) const;
  template <class Test>
  [[nodiscard]] SetFamily narrowed(SetFamily family, Test suffices) const;
  [[nodiscard]] std::vector<CellId> cells_of(const Context& context) const;

  const ExecutionGrammar& grammar_;
  const SymbolicStructures& structures_;
  LockDomain& shapes_;
  ObservationAlgebra& algebra_;
  Agenda& queue_;
  const EngineOptions& options_;
  std::optional<IdVector<dpn::StackSymbol, std::uint64_t>> goals_reachable_outside_;

  IdVector<ContextId, CellsOfContext> of_context_;
  IdVector<CellId, Cell> cells_;
  std::uint64_t time_ = 0;
  std::size_t candidate_count_ = 0;
  std::optional<CellId> answer_;
};

}  // namespace lockwood::solver
