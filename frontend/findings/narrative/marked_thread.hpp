#pragma once

#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/rule.hpp"
#include "frontend/findings/analyses/instrumented.hpp"

namespace lockwood::findings {

// Copies of the control states of a network, for threads that are marked. For people, they look like what they are
// copies of.
class ThreadMarks {
 public:
  ThreadMarks(dpn::NetworkBuilder& builder, const dpn::Network& network);
  [[nodiscard]] dpn::ControlState copy(dpn::ControlState control) const { return copies_[control]; }
  // The rule as a marked thread uses it; what it starts is not marked.
  [[nodiscard]] dpn::Rule marked(dpn::Rule rule) const;

 private:
  IdVector<dpn::ControlState, dpn::ControlState> copies_;
};

// The network in which a thread can be marked while it does one of some actions, and in which one can ask whether a
// thread that stands somewhere is a marked one. The mark is part of the control state, so that it stays with its thread
// through calls and returns; threads that are started are not marked. No thread is marked twice.
struct MarkedThread {
  Instrumented instrumented;
  std::vector<dpn::Action> marks;  // the marking ways of doing the actions; the ordinary ways are still there
  dpn::Action probe;               // goes from a place to one of the two below
  struct Probe {
    dpn::StackSymbol place;
    dpn::StackSymbol by_marked;
    dpn::StackSymbol by_other;
  };
  std::vector<Probe> probes;  // in the order of the places
};

// Requires that rules with one of the actions are base steps, and that the places are ascending.
[[nodiscard]] MarkedThread marked_thread(const dpn::Network& network, const std::vector<dpn::Action>& marking,
                                         const std::vector<dpn::StackSymbol>& places);

}  // namespace lockwood::findings
