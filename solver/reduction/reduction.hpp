#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/head_numbers.hpp"
#include "solver/reduction/node_budget.hpp"
#include "solver/reduction/procedure_summaries.hpp"
#include "solver/reduction/relevance.hpp"

namespace lockwood::solver {

// A network in which a problem has the same answer as in the original one, with lightest trees of the same weight, and
// which is often much smaller. It has the symbols of the original.
//
// Left out is what cannot matter (relevance.hpp). A call of an inert procedure becomes a step to its return point, for
// each control state with which it can return; a spawn of a thread that has no reason to move becomes a step; and a
// step to a place at which nothing matters and from which there is only one way on becomes a step to the end of that
// way. Cuts inside what became one step can be moved to one of its ends: its rules may all be used in the same phases.
class Reduction {
 public:
  // The network must outlive it. `weight_of_thread`: of each thread, beside its nodes. `respected`: if given, only
  // these locks exclude in the reduced network, and those that a goal asks for; the problem may then have more answers
  // than in the original. Throws Interrupted.
  Reduction(const dpn::Network& network, const BackwardFlow& flow, const Problem& problem, const Reductions& reductions,
            std::uint64_t weight_of_thread, StopToken stop = {}, const LockFlags* respected = nullptr);

  [[nodiscard]] const dpn::Network& original() const { return *original_; }
  [[nodiscard]] const dpn::Network& network() const { return *reduced_; }
  // Of the nodes that the reduced rule stands for in the original's trees.
  [[nodiscard]] std::uint64_t weight(dpn::RuleId reduced) const { return weights_[reduced]; }
  [[nodiscard]] ReductionStatistics statistics() const;

  // A tree of the original with the threads, goals and cuts of this tree of the reduced network, and as heavy. It can
  // be scheduled if all locks were respected. Throws what the room for it does.
  [[nodiscard]] dpn::ExecutionTree expanded(const dpn::ExecutionTree& tree, NodeBudget room = NodeBudget{}) const;

 private:
  using HeadNumber = Id<struct HeadNumberTag>;
  using DraftId = Id<struct DraftTag>;
  // A rule before steps are put together.
  struct Draft {
    dpn::Rule rule;
    dpn::RuleId origin;
    std::optional<SummarizedReturn> body;  // of a call that became a step
    std::uint64_t weight;
    bool limited;                  // may not be used in all phases
    std::optional<HeadNumber> to;  // of a step
  };
  struct HeadEntry {
    dpn::Head head;
    DraftId begin;  // of its rules
    DraftId end;
    bool entered = false;  // not only by steps
    // If it is passed by: the rule to take, and where that leads, by way of other places that are passed by.
    std::optional<DraftId> pass;
    HeadNumber exit;
    std::uint64_t weight = 0;  // of the way there
    bool limited = false;
  };
  struct Way {  // to a place that is not passed by
    HeadNumber to;
    std::uint64_t weight;
    bool limited;
  };
  friend class TreeExpansion;

  void request_procedure_summaries();
  void draft_rules(StopToken stop);
  HeadNumber visit(dpn::Head head, bool entered);
  void visit_return_point(dpn::StackSymbol symbol);
  void translate(dpn::RuleId id);
  void translate_entry(dpn::RuleId id, const dpn::Rule& rule, const dpn::Entry& entry);
  void draft(dpn::RuleId origin, const dpn::Rule& rule, std::uint64_t weight, bool limited);
  void draft_step(dpn::RuleId origin, dpn::Head to, bool entered, std::uint64_t weight, bool limited,
                  std::optional<SummarizedReturn> body);
  [[nodiscard]] bool becomes_step(const dpn::Rule& rule, const dpn::Entry& entry) const;
  [[nodiscard]] std::optional<dpn::Lock> lock_of(const dpn::Entry& entry) const;
  [[nodiscard]] bool passable(const HeadEntry& place) const;
  [[nodiscard]] Way way_from(HeadNumber place) const;
  [[nodiscard]] Way way_of(DraftId step) const;
  void find_passages(StopToken stop);
  void pass_by(HeadNumber number);
  void put_together(StopToken stop);

  const dpn::Network* original_;
  Reductions reductions_;
  Relevance relevance_;
  std::uint64_t spawn_weight_;  // of a spawn and its thread, which does not move
  bool several_phases_;
  IdVector<dpn::Action, bool> limited_;        // may not be done in all phases
  std::optional<dpn::Action> limited_action_;  // an ordinary one
  ProcedureSummaries inert_;
  IdVector<HeadNumber, HeadEntry> places_;
  HeadNumbers<HeadNumber> numbers_;
  IdVector<dpn::StackSymbol, bool> return_points_;
  IdVector<DraftId, Draft> drafts_;
  std::optional<dpn::Network> reduced_;
  IdVector<dpn::RuleId, DraftId> draft_of_;
  IdVector<dpn::RuleId, std::uint64_t> weights_;
};

}  // namespace lockwood::solver
