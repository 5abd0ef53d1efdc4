#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/rule.hpp"

namespace lockwood::dpn {

using NodeId = Id<struct NodeTag>;

// The alphabet of execution trees [nordhoff.13.iterable, Sect. 2.1 and 2.3].
enum class NodeKind : std::uint8_t {
  Nil,     // ⟨p, γ⟩: the thread stands here; no child
  Ret,     // a return: the end of a call's or use's body, or of the whole thread; no child
  Base,    // what follows
  NCall,   // a call that has not returned; its body
  RCall,   // a call that has returned; its body up to the return, what follows
  Spawn,   // the new thread, the spawning one; a fork if the rule makes the new thread a member of groups
  Acq,     // a monitor that has not returned: its lock is finally acquired; its body
  Use,     // a monitor that has returned: its lock is used; its body up to the return, what follows
  Cut,     // ⟨p, γ⟩: here the thread goes on to the next phase; what follows
  Join,    // the thread has waited for the members of groups; what follows
  Forget,  // groups are emptied; what follows
};

// Whether a thread holds the lock already when it enters a monitor.
enum class Reentrance : std::uint8_t { No, Yes };

[[nodiscard]] constexpr std::size_t rank(NodeKind kind) {
  switch (kind) {
    case NodeKind::Nil:
    case NodeKind::Ret: return 0;
    case NodeKind::RCall:
    case NodeKind::Spawn:
    case NodeKind::Use: return 2;
    default: return 1;
  }
}
[[nodiscard]] constexpr bool has_head(NodeKind kind) { return kind == NodeKind::Nil || kind == NodeKind::Cut; }
[[nodiscard]] constexpr bool is_monitor(NodeKind kind) { return kind == NodeKind::Acq || kind == NodeKind::Use; }
[[nodiscard]] constexpr bool is_returning(NodeKind kind) { return kind == NodeKind::RCall || kind == NodeKind::Use; }

// What happened in an execution, without the order between threads. A flat array of nodes in preorder: the first child
// of a node is the next node, so that only second children are stored. A thread's own nodes, in the order of their ids,
// are its steps in the order of their execution, and no node of a thread precedes the spawn of that thread: the order
// of ids is itself an interleaving, if neither locks nor phases matter.
//
// The k-th cut on a thread's path, from 0, is the thread's step from phase b + k to b + k + 1, where b is the phase in
// which the thread was spawned (0 for the main thread). A thread that has ended (by its outermost return) has no more
// cuts. Made by a TreeBuilder, never empty. That it belongs to a network is not an invariant: see tree_validity.hpp.
class ExecutionTree {
 public:
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] IdRange<NodeId> nodes() const { return nodes_.keys(); }
  static constexpr NodeId root{0};

  [[nodiscard]] NodeKind kind(NodeId node) const { return nodes_[node].kind; }
  // Of every kind but Nil and Cut.
  [[nodiscard]] RuleId rule(NodeId node) const {
    assert(!has_head(kind(node)));
    return RuleId{nodes_[node].first};
  }
  // Of Nil and Cut.
  [[nodiscard]] Head head(NodeId node) const {
    assert(has_head(kind(node)));
    return {ControlState{nodes_[node].first}, StackSymbol{nodes_[node].second}};
  }
  // Of Acq and Use.
  [[nodiscard]] Reentrance reentrance(NodeId node) const {
    assert(is_monitor(kind(node)));
    return nodes_[node].reentrance;
  }
  // An Acq or Use that takes a lock which its thread does not hold yet: only these constrain schedules.
  [[nodiscard]] bool takes_lock(NodeId node) const {
    return is_monitor(kind(node)) && nodes_[node].reentrance == Reentrance::No;
  }
  // Of every kind but Nil and Ret: the only child, or the left one.
  [[nodiscard]] NodeId first_child(NodeId node) const {
    assert(rank(kind(node)) > 0);
    return NodeId{node.index() + 1};
  }
  // Of RCall, Spawn and Use: the right child.
  [[nodiscard]] NodeId second_child(NodeId node) const {
    assert(rank(kind(node)) == 2);
    return NodeId{nodes_[node].second};
  }

  friend bool operator==(const ExecutionTree&, const ExecutionTree&) = default;

 private:
  friend class TreeBuilder;
  struct Node {
    NodeKind kind;
    Reentrance reentrance;
    std::uint32_t first;   // the rule, or the control state of a head
    std::uint32_t second;  // the second child, or the top of a head
    friend bool operator==(const Node&, const Node&) = default;
  };
  IdVector<NodeId, Node> nodes_;
};

// Builds a tree from the root down, in preorder: each call appends a node at the first place that lacks one, so the
// children of a node follow it, left before right. The shape is right by construction: appending to a complete tree and
// taking an incomplete one are errors of the caller (asserted).
class TreeBuilder {
 public:
  NodeId nil(Head head) { return append_head(NodeKind::Nil, head); }
  NodeId ret(RuleId rule) { return append_rule(NodeKind::Ret, rule); }
  NodeId base(RuleId rule) { return append_rule(NodeKind::Base, rule); }
  NodeId ncall(RuleId rule) { return append_rule(NodeKind::NCall, rule); }
  NodeId rcall(RuleId rule) { return append_rule(NodeKind::RCall, rule); }
  NodeId spawn(RuleId rule) { return append_rule(NodeKind::Spawn, rule); }
  NodeId acq(RuleId rule, Reentrance reentrance) { return append_rule(NodeKind::Acq, rule, reentrance); }
  NodeId use(RuleId rule, Reentrance reentrance) { return append_rule(NodeKind::Use, rule, reentrance); }
  NodeId cut(Head head) { return append_head(NodeKind::Cut, head); }
  NodeId join(RuleId rule) { return append_rule(NodeKind::Join, rule); }
  NodeId forget(RuleId rule) { return append_rule(NodeKind::Forget, rule); }
  // A node with the label of a node of another tree.
  NodeId copy(const ExecutionTree& tree, NodeId node);

  // How many subtrees are missing; 1 at the start.
  [[nodiscard]] std::size_t missing() const { return waiting_.size() + (expects_first_ ? 1 : 0); }
  [[nodiscard]] bool complete() const { return missing() == 0; }
  // Requires that the tree is complete.
  [[nodiscard]] ExecutionTree build() &&;

  void reserve(std::size_t nodes) { tree_.nodes_.reserve(nodes); }

 private:
  NodeId append(ExecutionTree::Node node);
  NodeId append_rule(NodeKind kind, RuleId rule, Reentrance reentrance = Reentrance::No);
  NodeId append_head(NodeKind kind, Head head);

  ExecutionTree tree_;
  std::vector<NodeId> waiting_;  // binary nodes whose second child is not there yet, outermost first
  bool expects_first_ = true;    // the next node is the root or a first child, not a second one
};

}  // namespace lockwood::dpn
