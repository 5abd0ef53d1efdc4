#pragma once

#include <cstdint>

#include "base/graph/digraph.hpp"
#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

// What may be left out of a network, or of a run on it, for the sake of one problem. Each can be switched off.
struct Reductions {
  bool rules = true;       // rules that cannot be reached, or lead to nothing that matters
  bool spawns = true;      // threads that cannot matter
  bool locks = true;       // locks that cannot constrain anything that matters
  bool procedures = true;  // calls of procedures that do nothing but return: steps
  bool chains = true;      // steps one after the other: one step
  bool goals = true;       // facts that lack a goal which nothing else can meet (goals_reachable_outside.hpp)
  [[nodiscard]] static Reductions none() { return {false, false, false, false, false, false}; }
  friend bool operator==(const Reductions&, const Reductions&) = default;
};

// Those that are right for the network. If it has groups, a lock that is only ever used may constrain: a member may
// have to use it while the thread that waits for the member holds it. So all locks are kept. If it has groups with the
// offspring of their members, any thread may have a reason to move: somebody waits for its end.
[[nodiscard]] Reductions allowed_for(const dpn::Network& network, Reductions reductions);

// What there was before, and what is left.
struct ReductionStatistics {
  std::size_t rules = 0;
  std::size_t rules_left = 0;
  std::size_t locks = 0;
  std::size_t locks_left = 0;
};

// The flow between the stack symbols of a network, backwards and with control states ignored. It does not depend on the
// problem.
class BackwardFlow {
 public:
  explicit BackwardFlow(const dpn::Network& network);
  // Symbols from which a thread comes to this one in one rule, without leaving the frame it is in.
  template <class Visit>
  void for_each_before(dpn::StackSymbol symbol, Visit visit) const {
    for (std::uint32_t before : frames_.successors(symbol.index())) visit(dpn::StackSymbol{before});
  }
  // Symbols from which a thread, or one that it spawns meanwhile, may come to one of the sources before the frame is
  // left.
  [[nodiscard]] IdVector<dpn::StackSymbol, bool> threads_leading_to(
      const IdVector<dpn::StackSymbol, bool>& sources) const;

 private:
  Digraph frames_;
  Digraph threads_;
};

// What can matter to a problem, by a coarse look: control states are ignored, so more may seem to matter than does.
//
// Why the rest does not: a thread at a place that is not active may as well stand there for ever, unless it should
// return to do something elsewhere, to give back a lock, or, as a member of a group, because somebody waits for its
// end. A thread inside the region of a lock has a reason to remain there only if the region is active, or was entered
// because that is required and cannot be left, or, when there are several phases, if what it does there cannot be moved
// to one phase. So a lock whose regions are all otherwise is never held when it counts.
struct Relevance {
  bool everything = false;               // an observer may see any node: all below are true
  IdVector<dpn::Action, bool> required;  // by a phase
  // Not required, and allowed in all phases, or in those in which most rules are allowed.
  IdVector<dpn::Action, bool> ordinary;
  IdVector<dpn::StackSymbol, bool> observed;   // standing there can meet a goal or be collected
  IdVector<dpn::StackSymbol, bool> active;     // before the frame is left, a goal can be met: a place or an action
  IdVector<dpn::StackSymbol, bool> returning;  // it matters that the frame is left
  IdVector<dpn::StackSymbol, bool> busy;       // before the frame is left, it may use a lock or an extraordinary rule
  IdVector<dpn::Lock, bool> locks;             // may constrain

  [[nodiscard]] bool wanted(dpn::StackSymbol symbol) const { return active[symbol] || returning[symbol]; }
  [[nodiscard]] bool inert(dpn::StackSymbol symbol) const { return !active[symbol] && !busy[symbol]; }
};

// A set of locks, by lock.
using LockFlags = IdVector<dpn::Lock, bool>;

// `respected`: only these locks may constrain, and those that a goal asks for; all if nothing is given.
[[nodiscard]] Relevance relevance(const dpn::Network& network, const BackwardFlow& flow, const Problem& problem,
                                  const Reductions& reductions, const LockFlags* respected = nullptr);

}  // namespace lockwood::solver
