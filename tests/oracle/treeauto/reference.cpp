#include "tests/oracle/treeauto/reference.hpp"

#include <algorithm>
#include <map>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto::reference {
namespace {

// All tuples of that length with components below `bound`.
std::vector<std::vector<std::size_t>> tuples(std::size_t length, std::size_t bound) {
  std::vector<std::vector<std::size_t>> result{{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& tuple : result)
      for (std::size_t next = 0; next < bound; ++next) {
        longer.push_back(tuple);
        longer.back().push_back(next);
      }
    result = std::move(longer);
  }
  return result;
}

// The targets of the transitions of a symbol (none if the automaton lacks it) with each child in its set.
StateSet step(const Automaton& automaton, std::optional<Symbol> symbol, const std::vector<StateSet>& children) {
  StateSet targets;
  if (!symbol) return targets;
  for (TransitionId id : automaton.transitions()) {
    if (automaton.symbol(id) != *symbol) continue;
    bool fits = true;
    for (std::size_t i = 0; i < children.size(); ++i) fits = fits && children[i].contains(automaton.children(id)[i]);
    if (fits) targets.insert(automaton.target(id));
  }
  return targets;
}

}  // namespace

std::vector<Tree> all_trees(const Alphabet& alphabet, std::size_t max_nodes) {
  std::vector<std::vector<std::vector<Symbol>>> by_size(max_nodes + 1);
  std::vector<Tree> trees;
  for (std::size_t size = 1; size <= max_nodes; ++size) {
    for (Symbol symbol : alphabet.symbols()) {
      // Sequences of children of known total size, one child after the other.
      std::vector<std::vector<std::vector<Symbol>>> sequences(size);
      sequences[0].push_back({symbol});
      for (std::size_t child = 0; child < alphabet.rank(symbol); ++child) {
        std::vector<std::vector<std::vector<Symbol>>> longer(size);
        for (std::size_t before = 0; before < size; ++before)
          for (const auto& sequence : sequences[before])
            for (std::size_t next = 1; before + next < size; ++next)
              for (const auto& tree : by_size[next]) {
                longer[before + next].push_back(sequence);
                longer[before + next].back().insert(longer[before + next].back().end(), tree.begin(), tree.end());
              }
        sequences = std::move(longer);
      }
      for (const auto& sequence : sequences[size - 1]) by_size[size].push_back(sequence);
    }
    for (const auto& tree : by_size[size]) trees.emplace_back(alphabet, tree);
  }
  return trees;
}

StateSet reached_states(const Automaton& automaton, const Tree& tree) {
  return evaluated<StateSet>(tree, [&](Symbol symbol, std::span<const StateSet> children) {
    return step(automaton, automaton.alphabet().find(tree.alphabet().name(symbol), children.size()),
                {children.begin(), children.end()});
  });
}

bool has_final(const Automaton& automaton, const StateSet& states) {
  return std::ranges::any_of(states, [&](State state) { return automaton.is_final(state); });
}

bool accepts(const Automaton& automaton, const Tree& tree) {
  return has_final(automaton, reached_states(automaton, tree));
}

IdVector<State, bool> accessible_states(const Automaton& automaton) {
  IdVector<State, bool> accessible(automaton.state_count());
  for (bool changed = true; changed;) {
    changed = false;
    for (TransitionId id : automaton.transitions()) {
      const auto children = automaton.children(id);
      if (accessible[automaton.target(id)] ||
          !std::ranges::all_of(children, [&](State child) { return accessible[child]; }))
        continue;
      accessible[automaton.target(id)] = changed = true;
    }
  }
  return accessible;
}

IdVector<State, bool> coaccessible_states(const Automaton& automaton) {
  const auto accessible = reference::accessible_states(automaton);
  IdVector<State, bool> coaccessible(automaton.state_count());
  for (State state : automaton.final_states()) coaccessible[state] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (TransitionId id : automaton.transitions()) {
      const auto children = automaton.children(id);
      for (std::size_t hole = 0; hole < children.size(); ++hole) {
        bool context = coaccessible[automaton.target(id)];
        for (std::size_t i = 0; i < children.size(); ++i) context = context && (i == hole || accessible[children[i]]);
        if (!context || coaccessible[children[hole]]) continue;
        coaccessible[children[hole]] = changed = true;
      }
    }
  }
  return coaccessible;
}

IdVector<State, std::optional<std::uint64_t>> smallest_sizes(const Automaton& automaton) {
  IdVector<State, std::optional<std::uint64_t>> sizes(automaton.state_count());
  for (bool changed = true; changed;) {
    changed = false;
    for (TransitionId id : automaton.transitions()) {
      std::optional<std::uint64_t> size = 1;
      for (State child : automaton.children(id))
        size = size && sizes[child] ? std::optional{*size + *sizes[child]} : std::nullopt;
      auto& best = sizes[automaton.target(id)];
      if (!size || (best && *best <= *size)) continue;
      best = size;
      changed = true;
    }
  }
  return sizes;
}

Automaton intersection(const Automaton& first, const Automaton& second) {
  AutomatonBuilder builder{joined(first.alphabet(), second.alphabet()).alphabet};
  const auto pair = [&](State p, State q) { return State{p.index() * second.state_count() + q.index()}; };
  for (State p : first.states())
    for (State q : second.states()) builder.set_final(builder.add_state(), first.is_final(p) && second.is_final(q));
  for (TransitionId a : first.transitions())
    for (TransitionId b : second.transitions()) {
      const auto left = first.children(a);
      const auto right = second.children(b);
      if (first.alphabet().name(first.symbol(a)) != second.alphabet().name(second.symbol(b)) ||
          left.size() != right.size())
        continue;
      std::vector<State> children;
      for (std::size_t i = 0; i < left.size(); ++i) children.push_back(pair(left[i], right[i]));
      builder.add(first.symbol(a), children, pair(first.target(a), second.target(b)));
    }
  return std::move(builder).build();
}

std::set<std::pair<StateSet, StateSet>> reached_pairs(const Automaton& first, const Automaton& second) {
  const Alphabet alphabet = joined(first.alphabet(), second.alphabet()).alphabet;
  std::set<std::pair<StateSet, StateSet>> reached;
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<std::pair<StateSet, StateSet>> known(reached.begin(), reached.end());
    for (Symbol symbol : alphabet.symbols()) {
      const auto name = alphabet.name(symbol);
      const std::size_t rank = alphabet.rank(symbol);
      for (const auto& tuple : tuples(rank, known.size())) {
        std::vector<StateSet> left;
        std::vector<StateSet> right;
        for (std::size_t i : tuple) {
          left.push_back(known[i].first);
          right.push_back(known[i].second);
        }
        changed |= reached
                       .insert({step(first, first.alphabet().find(name, rank), left),
                                step(second, second.alphabet().find(name, rank), right)})
                       .second;
      }
    }
  }
  return reached;
}

bool equivalent(const Automaton& first, const Automaton& second) {
  return std::ranges::all_of(reached_pairs(first, second), [&](const auto& pair) {
    return has_final(first, pair.first) == has_final(second, pair.second);
  });
}

bool included(const Automaton& first, const Automaton& second) {
  return std::ranges::none_of(reached_pairs(first, second), [&](const auto& pair) {
    return has_final(first, pair.first) && !has_final(second, pair.second);
  });
}

Automaton determinised(const Automaton& automaton) {
  AutomatonBuilder builder{automaton.alphabet()};
  std::map<StateSet, State> number;
  std::vector<StateSet> sets;
  for (const auto& [set, same] : reached_pairs(automaton, automaton)) {
    number.emplace(set, builder.add_state());
    builder.set_final(number.at(set), has_final(automaton, set));
    sets.push_back(set);
  }
  for (Symbol symbol : automaton.alphabet().symbols())
    for (const auto& tuple : tuples(automaton.alphabet().rank(symbol), sets.size())) {
      std::vector<StateSet> children;
      std::vector<State> from;
      for (std::size_t i : tuple) {
        children.push_back(sets[i]);
        from.emplace_back(i);
      }
      builder.add(symbol, from, number.at(step(automaton, symbol, children)));
    }
  return std::move(builder).build();
}

std::size_t distinguishable_states(const Automaton& automaton) {
  std::map<std::vector<State>, std::map<Symbol, State>> target;
  for (TransitionId id : automaton.transitions()) {
    const auto children = automaton.children(id);
    target[{children.begin(), children.end()}].insert({automaton.symbol(id), automaton.target(id)});
  }
  const std::size_t count = automaton.state_count();
  std::vector<std::vector<bool>> different(count, std::vector<bool>(count));
  for (State p : automaton.states())
    for (State q : automaton.states()) different[p.index()][q.index()] = automaton.is_final(p) != automaton.is_final(q);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [children, row] : target)
      for (std::size_t i = 0; i < children.size(); ++i)
        for (State other : automaton.states()) {
          auto replaced = children;
          replaced[i] = other;
          for (const auto& [symbol, to] : row) {
            const State instead = target.at(replaced).at(symbol);
            if (!different[to.index()][instead.index()] || different[children[i].index()][other.index()]) continue;
            different[children[i].index()][other.index()] = different[other.index()][children[i].index()] = true;
            changed = true;
          }
        }
  }
  std::size_t classes = 0;
  for (std::size_t p = 0; p < count; ++p) {
    bool first = true;
    for (std::size_t q = 0; q < p; ++q) first = first && different[p][q];
    classes += first ? 1U : 0U;
  }
  return classes;
}

bool is_finite(const Automaton& automaton) {
  // The states reached by trees of height exactly h, and of height below h. An accepted tree higher than there are
  // states can be pumped; if there is one, there is one of at most twice that height.
  StateSet exact;
  StateSet below;
  for (std::size_t height = 1; height <= 2 * automaton.state_count() + 1; ++height) {
    StateSet next;
    for (TransitionId id : automaton.transitions()) {
      const auto children = automaton.children(id);
      const bool possible =
          std::ranges::all_of(children, [&](State child) { return exact.contains(child) || below.contains(child); });
      const bool high = height == 1 ? children.empty()
                                    : std::ranges::any_of(children, [&](State child) { return exact.contains(child); });
      if (possible && high) next.insert(automaton.target(id));
    }
    below.insert(exact.begin(), exact.end());
    exact = std::move(next);
    if (height > automaton.state_count() && has_final(automaton, exact)) return false;
  }
  return true;
}

}  // namespace lockwood::treeauto::reference
