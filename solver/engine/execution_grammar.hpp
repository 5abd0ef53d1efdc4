#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/engine/context_table.hpp"
#include "solver/engine/fact.hpp"
#include "solver/locks/lock_domain.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

// A node of an execution tree: what it is, the context that it is in, and its rule, if it has one.
struct Node {
  Derivation::Step step;
  ContextId context;
  std::optional<dpn::RuleId> rule;
};

// One way in which a tree of a context may begin: its topmost node, and the contexts of the subtrees of that node.
struct Production {
  enum class Shape : std::uint8_t {
    Leaf,   // no subtree; `outcome`
    Step,   // one subtree, in `first`, with the outcome of which the tree ends: a step, a join, a cut
    Entry,  // a call or monitor: its body, in `first`; if that returns, what follows, in ExecutionGrammar::rest_of
    Spawn,  // the new thread, in `first`, and the spawning one, in `second`
  };
  Shape shape;
  Derivation::Step step;
  std::optional<dpn::RuleId> rule;
  Outcome outcome;
  Context first;
  Context second;
};

// Which actions each phase avoids: its rules are not used.
using AvoidedActions = std::vector<IdVector<dpn::Action, bool>>;  // by phase
[[nodiscard]] AvoidedActions avoided_actions(const dpn::Network& network, const Problem& problem);

// What the context of a new thread is: one of a whole thread, whose trees are seen from outside, however they end; or
// one like that of a frame, whose trees are told apart by their outcomes.
enum class ThreadContexts : std::uint8_t { Whole, LikeFrames };

// The execution trees of a network as a tree grammar, from the root down: contexts, which are numbered as they are
// requested, and the productions between them (docs/theory.md, Sect. 4, "Downwards"). It does not know whether a tree
// can be scheduled, nor what anybody wants to know of it. It is the only place in the engine that looks at the kinds of
// rules; what a domain makes of a node depends on its `Step`.
class ExecutionGrammar {
 public:
  // The network and the sets of held locks must outlive it.
  ExecutionGrammar(const dpn::Network& network, AvoidedActions avoided, LockDomain& held,
                   ThreadContexts threads = ThreadContexts::Whole);

  [[nodiscard]] const dpn::Network& network() const { return network_; }
  [[nodiscard]] PhaseIndex last_phase() const { return avoided_.size() - 1; }
  [[nodiscard]] const IdVector<ContextId, Context>& contexts() const { return contexts_.all(); }
  [[nodiscard]] const Context& operator[](ContextId id) const { return contexts_[id]; }
  [[nodiscard]] std::size_t size() const { return contexts_.size(); }
  [[nodiscard]] static constexpr ContextId root() { return ContextId{0}; }

  // Where the first thread begins. It has to be requested first.
  [[nodiscard]] Context root_context() const;
  // The number of the context, and whether it is a new one.
  [[nodiscard]] std::pair<ContextId, bool> request(const Context& context) { return contexts_.intern(context); }
  [[nodiscard]] std::optional<ContextId> find(const Context& context) const { return contexts_.find(context); }

  // Replaces `productions` by those of the context.
  void productions_of(ContextId context, std::vector<Production>& productions);
  // What follows a call or monitor of the context whose body has returned so.
  [[nodiscard]] Context rest_of(ContextId caller, dpn::RuleId rule, Outcome body) const;

  // An Enter or Complete: how observers see it, and the lock that it takes. No lock if it is a call, or if the thread
  // holds the lock already.
  struct Entering {
    NodeLabel label;
    std::optional<Lock> taken;
    bool opens = false;  // groups
  };
  [[nodiscard]] Entering entering(const Node& node) const {
    using dpn::NodeKind;
    const bool returned = node.step == Derivation::Step::Complete;
    const dpn::Entry entry = *dpn::entry_of(network_.rule(*node.rule));
    const bool opens = !entry.opening.empty();
    if (!entry.lock) return {{returned ? NodeKind::RCall : NodeKind::NCall, *node.rule}, {}, opens};
    const NodeKind kind = returned ? NodeKind::Use : NodeKind::Acq;
    if (held_locks(node.context).contains(*entry.lock)) return {{kind, *node.rule, dpn::Reentrance::Yes}, {}, opens};
    return {{kind, *node.rule, dpn::Reentrance::No}, entry.lock, opens};
  }
  // A Spawn whose new thread is a member of groups: how and when the thread ends matters to its parent.
  [[nodiscard]] bool forks(const Node& node) const {
    return !std::get<dpn::Spawn>(network_.rule(*node.rule).effect).memberships.empty();
  }
  [[nodiscard]] const LockSet& held_locks(ContextId context) const { return held_.lock_set(contexts_[context].held); }
  // As observers see the node. Of every node but Stand, Cut and Thread.
  [[nodiscard]] NodeLabel label_of(const Node& node) const;
  // Writes the node, if the tree has one for it.
  void append(dpn::TreeBuilder& builder, const Node& node) const;

 private:
  void add_rule(const Context& context, dpn::RuleId rule, std::vector<Production>& productions);

  const dpn::Network& network_;
  AvoidedActions avoided_;
  LockDomain& held_;
  ThreadContexts threads_;
  ContextTable contexts_;
};

}  // namespace lockwood::solver
