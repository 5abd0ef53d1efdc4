#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/tree.hpp"
#include "treeauto/counting/count.hpp"

namespace lockwood::treeauto {

// Goes through the trees of a language one by one, smaller ones first, each once. Always in the same order.
class TreeEnumeration {
 public:
  explicit TreeEnumeration(const Automaton& automaton, StopToken stop = {});
  // Nothing after the last; if the language is infinite there is always a next.
  [[nodiscard]] std::optional<Tree> next();
  // Leaves out the trees with fewer nodes. Those already seen do not come back.
  void skip_to(std::size_t nodes);

 private:
  TreeCounter counter_;
  std::optional<std::uint64_t> largest_;  // size, if there are finitely many trees
  StopToken stop_;
  std::size_t nodes_ = 1;
  BigInteger number_ = 0;  // of the next tree of that size
};

}  // namespace lockwood::treeauto
