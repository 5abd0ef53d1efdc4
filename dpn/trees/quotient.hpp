#pragma once

#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/bisimulation.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/schedule.hpp"

namespace lockwood::dpn {

// A network with one symbol for each class of a bisimulation, and one action for all actions that the bisimulation does
// not tell apart. Its executions are those of the original, as seen through the classes, and as long; so every question
// that is about classes, locks and the actions that are told apart has the same answer, with smallest witnesses of the
// same size (docs/theory.md, Sect. 11). Control states, locks and groups keep their ids.
class Quotient {
 public:
  // The network of the bisimulation must outlive it. Throws Interrupted.
  explicit Quotient(const Bisimulation& bisimulation, StopToken stop = {});

  [[nodiscard]] const Network& original() const { return *original_; }
  [[nodiscard]] const Network& network() const { return network_; }
  // What stands for it.
  [[nodiscard]] StackSymbol image(StackSymbol original) const { return symbols_[original]; }
  [[nodiscard]] Action image(Action original) const { return actions_[original]; }
  [[nodiscard]] std::vector<StackSymbol> images(std::span<const StackSymbol> originals) const;  // ascending, each once

  // A schedule of the original with the same steps. Requires one of the network; throws std::logic_error if a step
  // cannot be made.
  [[nodiscard]] Schedule lifted(const Schedule& schedule, Semantics semantics) const;

 private:
  const Network* original_;
  IdVector<StackSymbol, StackSymbol> symbols_;
  IdVector<Action, Action> actions_;
  Network network_;
};

}  // namespace lockwood::dpn
