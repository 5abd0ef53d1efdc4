#pragma once

#include <vector>

#include "dpn/rule.hpp"
#include "frontend/findings/instrumented.hpp"

namespace lockwood::findings {

// The network in which a thread can be marked while it does an action, and in which one can ask whether a thread that
// stands somewhere is the marked one. The mark is part of the control state, so that it stays with its thread through
// calls and returns; threads that are started are not marked.
struct MarkedThread {
  Instrumented instrumented;
  dpn::Action mark;   // the marking way of doing the action; the ordinary way is still there
  dpn::Action probe;  // goes from a place to one of the two below
  struct Probe {
    dpn::StackSymbol place;
    dpn::StackSymbol by_marked;
    dpn::StackSymbol by_other;
  };
  std::vector<Probe> probes;  // in the order of the places
};

// Requires that rules with the action are base steps.
[[nodiscard]] MarkedThread marked_thread(const dpn::Network& network, dpn::Action marking,
                                         const std::vector<dpn::StackSymbol>& places);

}  // namespace lockwood::findings
