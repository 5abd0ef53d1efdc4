#include "treeauto/count.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "treeauto/completion.hpp"
#include "treeauto/deterministic.hpp"
#include "treeauto/trim.hpp"
#include "treeauto/word.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::uint32_t empty_prefix = 0;

}  // namespace

// Joins children from left to right to prefixes, each made once.
class TreeCounter::PrefixTable {
 public:
  explicit PrefixTable(std::vector<Prefix>& prefixes) : prefixes_{prefixes} { prefixes_.push_back({0, 0, {}}); }
  std::uint32_t joined(std::uint32_t parent, std::uint32_t child_class) {
    const auto [place, is_new] =
        numbers_.try_emplace(std::uint64_t{parent} << 32U | child_class, word(prefixes_.size()));
    if (is_new) prefixes_.push_back({parent, child_class, {}});
    return place->second;
  }

 private:
  std::vector<Prefix>& prefixes_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

TreeCounter::TreeCounter(const Automaton& automaton, StopToken stop) : alphabet_{automaton.alphabet()} {
  PrefixTable prefixes{prefixes_};
  const Automaton useful = trimmed(automaton);
  if (is_deterministic(useful)) {
    take(useful, prefixes);
  } else {
    take(minimised(determinised(useful, stop), stop), prefixes);
  }
  counts_.resize(rows_.size());
  extend(0, stop);
}

// Every state is a class of its own.
void TreeCounter::take(const Automaton& automaton, PrefixTable& prefixes) {
  final_.assign(automaton.final_states().begin(), automaton.final_states().end());
  rows_.resize(automaton.state_count());
  for (State state : automaton.states()) classes_.push_back({{state}, {}, {}});
  for (TransitionId id : automaton.transitions()) {
    std::uint32_t children = empty_prefix;
    for (State child : automaton.children(id)) children = prefixes.joined(children, word(child.index()));
    rows_[automaton.target(id)].push_back({automaton.symbol(id), children});
  }
}

void TreeCounter::take(const DeterministicAutomaton& automaton, PrefixTable& prefixes) {
  assert(!automaton.final[automaton.sink]);
  rows_.resize(automaton.state_count());
  for (State state : automaton.states())
    if (automaton.final[state]) final_.push_back(state);
  for (Symbol symbol : alphabet_.symbols()) {
    const auto& table = automaton.tables[symbol];
    std::vector<std::uint32_t> first_class;  // by place: the number of its class 0
    for (const auto& class_of : table.class_of) {
      first_class.push_back(word(classes_.size()));
      for (State state : automaton.states()) {
        while (classes_.size() <= first_class.back() + class_of[state]) classes_.emplace_back();
        classes_[first_class.back() + class_of[state]].members.push_back(state);
      }
    }
    for (std::size_t row = 0; row < table.targets.size(); ++row) {
      if (table.targets[row] == automaton.sink) continue;
      std::uint32_t children = empty_prefix;
      for (std::size_t place = 0; place < table.rows[row].size(); ++place)
        children = prefixes.joined(children, first_class[place] + table.rows[row][place]);
      rows_[table.targets[row]].push_back({symbol, children});
    }
  }
}

// Size by size. A tree of n nodes is a symbol above a sequence of trees with n - 1 nodes; a sequence is a shorter one
// and a last tree.
void TreeCounter::extend(std::size_t nodes, StopToken stop) {
  for (std::size_t size = accepted_.size(); size <= nodes; ++size) {
    for (State state : counts_.keys()) {
      BigInteger sum = 0;
      if (size > 0)
        for (const Row& row : rows_[state]) sum += prefixes_[row.children].counts[size - 1];
      counts_[state].push_back(std::move(sum));
    }
    BigInteger accepted = 0;
    for (State state : final_) accepted += counts_[state][size];
    accepted_.push_back(std::move(accepted));
    for (ChildClass& child : classes_) {
      BigInteger sum = 0;
      for (State member : child.members) sum += counts_[member][size];
      if (!sum.is_zero()) child.sizes.push_back(size);
      child.counts.push_back(std::move(sum));
    }
    prefixes_[empty_prefix].counts.emplace_back(size == 0 ? 1 : 0);
    for (std::size_t number = 1; number < prefixes_.size(); ++number) {  // shorter sequences come first
      stop.check();
      Prefix& sequence = prefixes_[number];
      const Counts& shorter = prefixes_[sequence.parent].counts;
      const auto& [members, last, last_sizes] = classes_[sequence.child_class];
      BigInteger sum = 0;
      if (sequence.parent == empty_prefix) {
        sum = last[size];
      } else {
        for (std::size_t part : last_sizes)
          if (part < size && !shorter[size - part].is_zero()) sum += shorter[size - part] * last[part];
      }
      sequence.counts.push_back(std::move(sum));
    }
  }
}

const BigInteger& TreeCounter::count(std::size_t nodes, StopToken stop) {
  extend(nodes, stop);
  return accepted_[nodes];
}

Tree TreeCounter::tree(std::size_t nodes, BigInteger number, StopToken stop) {
  extend(nodes, stop);
  assert(number >= 0 && number < accepted_[nodes]);
  struct Task {
    State state;
    std::size_t size;
    BigInteger number;  // among the trees of that size that reach the state
  };
  // Takes the number down to one within the first group that it falls into; returns the group.
  const auto group = [](const auto& groups, BigInteger& rest, auto&& count_of) -> const auto& {
    auto next = groups.begin();
    for (; rest >= count_of(*next); ++next) rest -= count_of(*next);
    return *next;
  };
  const auto task = [&](const std::vector<State>& states, std::size_t size, BigInteger rest) {
    const State state = group(states, rest, [&](State one) -> const BigInteger& { return counts_[one][size]; });
    return Task{state, size, std::move(rest)};
  };

  std::vector<Symbol> preorder;
  preorder.reserve(nodes);
  std::vector<Task> pending{task(final_, nodes, std::move(number))};  // the next subtree is at the end
  while (!pending.empty()) {
    stop.check();
    const State state = pending.back().state;
    std::size_t below = pending.back().size - 1;  // nodes of the sequence of children
    BigInteger rest = std::move(pending.back().number);
    pending.pop_back();
    const Row& row = group(rows_[state], rest,
                           [&](const Row& one) -> const BigInteger& { return prefixes_[one.children].counts[below]; });
    preorder.push_back(row.symbol);
    for (std::uint32_t sequence = row.children; sequence != empty_prefix;) {
      const Prefix& prefix = prefixes_[sequence];
      const Counts& shorter = prefixes_[prefix.parent].counts;
      const ChildClass& child = classes_[prefix.child_class];
      // The number falls into those with some size of the last child; there it is a pair of numbers.
      std::size_t last = prefix.parent == empty_prefix ? below : 1;
      while (true) {
        const BigInteger pairs = shorter[below - last] * child.counts[last];
        if (rest < pairs) break;
        rest -= pairs;
        ++last;
      }
      BigInteger of_last;
      divide_qr(BigInteger{rest}, child.counts[last], rest, of_last);
      pending.push_back(task(child.members, last, std::move(of_last)));
      below -= last;
      sequence = prefix.parent;
    }
  }
  return Tree{alphabet_, std::move(preorder)};
}

BigInteger count_trees(const Automaton& automaton, std::size_t nodes, StopToken stop) {
  return TreeCounter{automaton, stop}.count(nodes, stop);
}

}  // namespace lockwood::treeauto
