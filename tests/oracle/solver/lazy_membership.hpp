#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "treeauto/automaton/tree.hpp"
#include "treeauto/lazy/lazy.hpp"

namespace lockwood::solver {

// Whether the lazy automaton accepts the tree, by running it on the tree with sets of states. The tree is over the
// automaton's alphabet.
template <treeauto::LazyAutomaton Lazy>
[[nodiscard]] bool accepts_lazily(const Lazy& lazy, const treeauto::Tree& tree) {
  using State = typename Lazy::State;
  using States = std::vector<State>;
  const auto reached = treeauto::evaluated<States>(tree, [&](treeauto::Symbol symbol, std::span<const States> below) {
    States result;
    const auto take = [&](const State& state) {
      if (std::ranges::find(result, state) == result.end()) result.push_back(state);
    };
    if (below.empty()) lazy.each_target(symbol, {}, take);
    if (below.size() == 1)
      for (const State& only : below[0]) lazy.each_target(symbol, std::span{&only, 1}, take);
    if (below.size() == 2)
      for (const State& left : below[0])
        for (const State& right : below[1]) lazy.each_target(symbol, std::vector{left, right}, take);
    return result;
  });
  return std::ranges::any_of(reached, [&](const State& state) { return lazy.is_final(state); });
}

}  // namespace lockwood::solver
