#include "treeauto/operations/emptiness.hpp"

#include <algorithm>
#include <cassert>
#include <queue>
#include <tuple>
#include <vector>

#include "treeauto/operations/trim.hpp"

namespace lockwood::treeauto {

bool is_empty(const Automaton& automaton) {
  if (automaton.final_states().empty()) return true;
  const IdVector<State, bool> accessible = accessible_states(automaton);
  return std::ranges::none_of(automaton.final_states(), [&](State state) { return accessible[state]; });
}

// Knuth's generalisation of Dijkstra's algorithm: states are settled in the order of the sizes of their smallest trees.
// A transition proposes its target when the last of its children is settled; no later proposal can be smaller than an
// earlier settled one, since a tree is larger than its subtrees.
SmallestTrees smallest_trees(const Automaton& automaton, StopToken stop) {
  SmallestTrees result;
  result.entries.resize(automaton.state_count());
  IdVector<TransitionId, std::uint32_t> missing(automaton.transition_count());
  IdVector<TransitionId, std::uint64_t> sizes(automaton.transition_count(),
                                              1);  // of the children settled so far, and 1
  using Proposal = std::pair<std::uint64_t, TransitionId>;
  std::priority_queue<Proposal, std::vector<Proposal>, std::greater<>> queue;
  for (TransitionId id : automaton.transitions()) {
    missing[id] = static_cast<std::uint32_t>(automaton.children(id).size());
    if (missing[id] == 0) queue.push({1, id});
  }
  [[maybe_unused]] std::uint64_t settled_size = 0;
  while (!queue.empty()) {
    stop.check();
    const auto [size, last] = queue.top();
    queue.pop();
    const State state = automaton.target(last);
    assert(size >= settled_size);  // in the order of sizes
    settled_size = size;
    if (result.entries[state]) continue;
    result.entries[state] = SmallestTrees::Entry{last, size};
    for (const auto& [transition, position] : automaton.occurrences(state)) {
      sizes[transition] = saturating_sum(sizes[transition], size);
      assert(missing[transition] > 0);
      if (--missing[transition] == 0 && !result.entries[automaton.target(transition)])
        queue.push({sizes[transition], transition});
    }
  }
  return result;
}

SharedTree tree_of(const Automaton& automaton, const SmallestTrees& smallest, State root) {
  assert(smallest.reaches(root));
  SharedTree tree{automaton.alphabet()};
  IdVector<State, std::optional<std::uint32_t>> node(automaton.state_count());
  std::vector<std::uint32_t> children;
  // Depth first: a state is on the stack until the nodes of all its children are there.
  std::vector<State> stack{root};
  while (!stack.empty()) {
    const State state = stack.back();
    const TransitionId last = smallest.entries[state]->last;
    const std::size_t before = stack.size();
    children.clear();
    for (State child : automaton.children(last)) {
      assert(smallest.reaches(child));
      if (node[child]) {
        children.push_back(*node[child]);
      } else {
        stack.push_back(child);
      }
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    if (!node[state]) node[state] = tree.add(automaton.symbol(last), children);
  }
  return tree;
}

std::optional<SharedTree> smallest_tree(const Automaton& automaton, StopToken stop) {
  const SmallestTrees smallest = smallest_trees(automaton, stop);
  std::optional<State> best;
  for (State state : automaton.final_states())
    if (smallest.reaches(state) && (!best || smallest.entries[state]->size < smallest.entries[*best]->size))
      best = state;
  if (!best) return std::nullopt;
  return tree_of(automaton, smallest, *best);
}

}  // namespace lockwood::treeauto
