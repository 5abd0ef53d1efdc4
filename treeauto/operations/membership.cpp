#include "treeauto/operations/membership.hpp"

#include <algorithm>
#include <cassert>

#include "treeauto/operations/macro_run.hpp"

namespace lockwood::treeauto {
namespace {

// The sets reached at all nodes of a tree, in preorder.
std::vector<MacroState> reached_sets(MacroRun& run, const Tree& tree, StopToken stop) {
  const auto match = matched(tree.alphabet(), run.automaton().alphabet());
  std::vector<MacroState> reached(tree.size(), run.empty_set());
  std::vector<MacroState> finished(tree.size(), run.empty_set());  // as in `evaluated`
  std::size_t top = tree.size();
  for (std::size_t node = tree.size(); node-- > 0;) {
    stop.check();
    const Symbol symbol = tree.preorder()[node];
    const std::size_t rank = tree.alphabet().rank(symbol);
    if (const auto known = match[symbol]) reached[node] = run.target(*known, std::span{finished}.subspan(top, rank));
    top += rank;
    assert(top <= tree.size());  // all children were finished before
    finished[--top] = reached[node];
  }
  assert(top + 1 == tree.size());  // the root is left
  return reached;
}

std::vector<State> copy(std::span<const State> states) { return {states.begin(), states.end()}; }

bool has_final(const Automaton& automaton, const std::vector<State>& states) {
  return std::ranges::any_of(states, [&](State state) { return automaton.is_final(state); });
}

// A transition of the symbol to the target whose children are in the sets. Requires that there is one.
TransitionId fitting_transition(const MacroRun& run, State target, Symbol symbol,
                                std::span<const MacroState> children) {
  const Automaton& automaton = run.automaton();
  const auto fits = [&](TransitionId id) {
    if (automaton.symbol(id) != symbol) return false;
    for (std::size_t i = 0; i < children.size(); ++i)
      if (!std::ranges::binary_search(run.states(children[i]), automaton.children(id)[i])) return false;
    return true;
  };
  const auto candidates = automaton.transitions_to(target);
  const auto first =
      std::ranges::partition_point(candidates, [&](TransitionId id) { return automaton.symbol(id) < symbol; });
  const auto found = std::find_if(first, candidates.end(), fits);
  assert(found != candidates.end());
  return *found;
}

}  // namespace

std::vector<State> reached_states(const Automaton& automaton, const Tree& tree, StopToken stop) {
  MacroRun run{automaton};
  const MacroState root = reached_sets(run, tree, stop).front();
  return copy(run.states(root));
}

std::vector<State> reached_states(const Automaton& automaton, const SharedTree& tree, StopToken stop) {
  MacroRun run{automaton};
  const auto match = matched(tree.alphabet(), automaton.alphabet());
  std::vector<MacroState> reached;
  std::vector<MacroState> children;
  for (std::uint32_t node = 0; node < tree.stored_nodes(); ++node) {
    stop.check();
    children.clear();
    for (std::uint32_t child : tree.children(node)) children.push_back(reached[child]);
    const auto known = match[tree.symbol(node)];
    reached.push_back(known ? run.target(*known, children) : run.empty_set());
  }
  return copy(run.states(reached.back()));
}

bool accepts(const Automaton& automaton, const Tree& tree, StopToken stop) {
  return has_final(automaton, reached_states(automaton, tree, stop));
}

bool accepts(const Automaton& automaton, const SharedTree& tree, StopToken stop) {
  return has_final(automaton, reached_states(automaton, tree, stop));
}

// The sets are found bottom-up; then a transition is chosen at each node, from the root down, to the state its parent
// asks for. In preorder a node's first child is next; the others wait on a stack.
std::optional<std::vector<TransitionId>> accepting_run(const Automaton& automaton, const Tree& tree, StopToken stop) {
  MacroRun run{automaton};
  const std::vector<MacroState> reached = reached_sets(run, tree, stop);
  const auto accepted = copy(run.states(reached.front()));
  const auto root = std::ranges::find_if(accepted, [&](State state) { return automaton.is_final(state); });
  if (root == accepted.end()) return std::nullopt;

  const auto match = matched(tree.alphabet(), automaton.alphabet());
  const std::vector<std::size_t> sizes = subtree_sizes(tree);
  std::vector<TransitionId> transitions;
  transitions.reserve(tree.size());
  std::vector<State> wanted{*root};
  std::vector<MacroState> children;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    stop.check();
    const Symbol symbol = tree.preorder()[node];
    children.clear();
    for (std::size_t child = node + 1; children.size() < tree.alphabet().rank(symbol); child += sizes[child])
      children.push_back(reached[child]);
    assert(!wanted.empty());
    const State target = wanted.back();
    wanted.pop_back();
    transitions.push_back(fitting_transition(run, target, *match[symbol], children));
    const auto next = automaton.children(transitions.back());
    wanted.insert(wanted.end(), next.rbegin(), next.rend());
  }
  assert(wanted.empty());
  return transitions;
}

}  // namespace lockwood::treeauto
