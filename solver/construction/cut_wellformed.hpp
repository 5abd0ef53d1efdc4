#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/query/query_problem.hpp"

namespace lockwood::solver::reference {

// T_cwf: the cuts mark a configuration [nordhoff.13.iterable, Def. 7], here with threads that may end. A thread that
// exists at the cut has exactly one cut node, unless it has ended before: then it has none. A thread spawned after the
// cut has none.
//
// The paper assumes that threads do not end. That they may adds one fact to its states, whether the subtree's own
// thread ends with a return (which T_M knows as well), and one case to ⊥: a spawned thread that has ended, without cuts
// inside, may belong to either side of the cut, like everything in ⊥. Still at most one state per tree.
struct CutWellformed {
  enum class Cut : std::uint8_t {
    Either,  // ⊥: the subtree may lie before the cut as well as after it
    Inside,  // ⊤: its own thread has its cut there, and all is well
    Before,  // $ with a bar above: no cut of its own thread, but a spawned one's lifetime says that it lies before
    After,   // $ with a bar below: a spawned thread stands without a cut, so it lies after
  };
  struct Value {
    Cut cut;
    bool ended;  // the own thread's last node is a return
    friend auto operator<=>(const Value&, const Value&) = default;
  };

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  // The main thread has a cut, or has ended before.
  [[nodiscard]] bool is_final(const Value& value) const;
};

}  // namespace lockwood::solver::reference
