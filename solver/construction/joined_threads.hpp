#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "dpn/model/query.hpp"
#include "solver/construction/lock_graph.hpp"
#include "solver/query/tree_alphabet.hpp"

namespace lockwood::solver::reference {

// Whether threads become members of some group because those that started them are.
[[nodiscard]] bool some_group_has_offspring(const dpn::Network& network);

// T_join: joins wait for threads that have ended, and locks let them end (docs/theory.md, Sect. 10.3, conditions 1 and
// 5, for the tree as a whole; cuts are ignored). Without groups every tree is accepted.
//
// A tree of several phases is schedulable as one phase, too. So it must meet these conditions as a whole, and then it
// does in its last phase. What joins mean for the locks that are held at a cut is in ReleaseHistory.
class JoinedThreads {
 public:
  // What happens first to a group in a subtree.
  enum class First : std::uint8_t { Joined, Forgotten };
  // Members of a group that the subtree has started, and neither joined nor forgotten.
  struct Members {
    bool stands;  // one of them never ends
    Locks uses;   // which the members must be able to use before a join is passed; of a member that stands, none
    friend auto operator<=>(const Members&, const Members&) = default;
  };
  struct Value {
    bool returned = false;          // the own thread's last node in the subtree is a return
    bool offspring_stands = false;  // a thread that was started here, at any depth, never ends
    Locks own_uses;                 // M: by the own thread, or by members that it started and joined here
    Locks uses;                     // U: by any thread
    std::map<dpn::Group, Members> left;
    std::map<dpn::Group, First> first;
    friend auto operator<=>(const Value&, const Value&) = default;
  };

  // `semantics`: without locks, threads wait for threads all the same.
  JoinedThreads(const dpn::Network& network, dpn::Semantics semantics);

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value&) const { return true; }
  // The order of docs/theory.md, Sect. 10.6, is finer. This one needs no look at what joins move to M.
  [[nodiscard]] bool subsumes(const Value& a, const Value& b) const {
    return a.returned == b.returned && a.left == b.left && a.first == b.first &&
           a.offspring_stands <= b.offspring_stands && subset(a.own_uses, b.own_uses) && subset(a.uses, b.uses);
  }

 private:
  [[nodiscard]] Value started(const Value& thread, const dpn::Spawn& spawn) const;
  [[nodiscard]] std::optional<Value> in_sequence(Value before, const Value& after) const;

  const dpn::Network& network_;
  bool groups_;     // else nothing is kept
  bool offspring_;  // some group has the offspring of its members
  bool locks_;
};

}  // namespace lockwood::solver::reference
