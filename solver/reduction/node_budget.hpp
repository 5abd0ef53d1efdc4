#pragma once

#include <cstdint>
#include <exception>
#include <limits>

#include "base/process/stop.hpp"

namespace lockwood::solver {

// An execution tree has more nodes than there is room for.
class TreeTooLarge : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the execution tree is too large"; }
};

// What is left for the nodes of a tree that is being written: trees can be exponentially larger than models.
class NodeBudget {
 public:
  explicit NodeBudget(std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max(), StopToken stop = {})
      : nodes_{nodes}, stop_{stop} {}
  // One more node. Throws TreeTooLarge if there is no room for it, Interrupted if asked to stop.
  void take() {
    stop_.check();
    if (nodes_-- == 0) throw TreeTooLarge{};
  }

 private:
  std::uint64_t nodes_;
  StopToken stop_;
};

}  // namespace lockwood::solver
