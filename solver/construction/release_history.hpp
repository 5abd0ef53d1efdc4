#pragma once

#include <compare>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "solver/construction/lock_graph.hpp"
#include "solver/query/tree_alphabet.hpp"

namespace lockwood::solver::reference {

// T_rh: the locks held at the cut and released later can be released [nordhoff.13.iterable, Def. 10]: the release graph
// is acyclic. It has an edge y → x if x is in use at the cut and the same thread uses y before it releases x. Requires
// well-formed cuts. As with T_ah, a subtree with a cycle gets no state. Threads may end: neither the own uses nor the
// edges of a thread depend on how it ends, and the uses of spawned threads do not count.
//
// As printed, the rules for USE that treat it as a call also hold for the non-reentrant case, which would make the
// edges optional; they are meant for the reentrant one.
//
// With groups, what members use after the cut counts as well, if the thread joins them after the cut and before it
// releases x (docs/theory.md, Sect. 10.3, condition 4). Members and joins need not be in one subtree. So a subtree says
// what it leaves to joins, and what its joins wait for. Requires that members that are joined before the cut have ended
// before it: then the tree at the cut is one that JoinedThreads accepts.
class ReleaseHistory {
 public:
  // Locks that are used after the cut, and those of which that is not known yet: on the side of the own thread's cut.
  struct Uses {
    Locks after;
    Locks open;  // empty where the cut is known
    friend auto operator<=>(const Uses&, const Uses&) = default;
  };
  // What happens first to a group in a subtree: it is joined, or forgotten.
  struct First {
    bool joined;
    Locks released;  // Q: held at the cut, and released after the join; of no matter if the join is before the cut
    friend auto operator<=>(const First&, const First&) = default;
  };
  struct Value {
    bool cut = false;  // the own thread has its cut in the subtree
    Locks used;        // by the own thread, after the cut if there is one; forgotten if it lies before the cut
    LockGraph graph;   // the release graph
    // All of these stay empty in networks without groups.
    Uses anybody;                     // used by any thread; if some group has the offspring of its members
    std::map<dpn::Group, Uses> left;  // by members that were started here and are neither joined nor forgotten here
    std::map<dpn::Group, First> first;
    friend auto operator<=>(const Value&, const Value&) = default;
  };

  explicit ReleaseHistory(const dpn::Network& network);

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value&) const { return true; }
  // All conditions are such that less is better.
  [[nodiscard]] bool subsumes(const Value& a, const Value& b) const {
    return a.cut == b.cut && a.left == b.left && a.first == b.first && subset(a.used, b.used) &&
           subset(a.graph, b.graph) && subset(a.anybody.after, b.anybody.after) &&
           subset(a.anybody.open, b.anybody.open);
  }

 private:
  [[nodiscard]] std::optional<Value> with_thread(const Value& thread, const dpn::Spawn& spawn, const Value& rest) const;

  const dpn::Network& network_;
  bool offspring_;
};

}  // namespace lockwood::solver::reference
