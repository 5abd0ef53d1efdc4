#include "treeauto/counting/count.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "treeauto/automaton/word.hpp"
#include "treeauto/operations/completion.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/trim.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::uint32_t empty_prefix = 0;

}  // namespace

// Joins children from left to right to prefixes, each made once.
class TreeCounter::PrefixTable {
 public:
  explicit PrefixTable(std::vector<Prefix>& prefixes) : prefixes_{prefixes} { prefixes_.emplace_back(); }
  std::uint32_t joined(std::uint32_t parent, std::uint32_t child_class) {
    const auto [place, is_new] =
        numbers_.try_emplace(std::uint64_t{parent} << 32U | child_class, word(prefixes_.size()));
    if (is_new) prefixes_.push_back({parent, child_class, {}, {}, {}, {}});
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
  is_final_.resize(rows_.size());
  for (State state : final_) is_final_[state] = true;
  for (std::uint32_t number = 1; number < prefixes_.size(); ++number) {
    assert(prefixes_[number].parent < number);
    prefixes_[prefixes_[number].parent].longer.push_back(number);
    classes_[prefixes_[number].child_class].prefixes.push_back(number);
  }
  prefixes_[empty_prefix].counts.add(0, 1);
  grown_ = {empty_prefix};
  accepted_.emplace_back(0);
}

std::uint32_t TreeCounter::new_class() {
  classes_.emplace_back();
  return word(classes_.size() - 1);
}

void TreeCounter::put(State state, std::uint32_t child_class) {
  classes_[child_class].members.push_back(state);
  classes_of_[state].push_back(child_class);
}

void TreeCounter::put_row(State target, Row row) {
  rows_[target].push_back(row);
  prefixes_[row.children].targets.push_back(target);
}

// Every state is a class of its own.
void TreeCounter::take(const Automaton& automaton, PrefixTable& prefixes) {
  final_.assign(automaton.final_states().begin(), automaton.final_states().end());
  rows_.resize(automaton.state_count());
  classes_of_.resize(automaton.state_count());
  for (State state : automaton.states()) put(state, new_class());
  for (TransitionId id : automaton.transitions()) {
    std::uint32_t children = empty_prefix;
    for (State child : automaton.children(id)) children = prefixes.joined(children, word(child.index()));
    put_row(automaton.target(id), {automaton.symbol(id), children});
  }
}

void TreeCounter::take(const DeterministicAutomaton& automaton, PrefixTable& prefixes) {
  assert(!automaton.final[automaton.sink]);
  rows_.resize(automaton.state_count());
  classes_of_.resize(automaton.state_count());
  for (State state : automaton.states())
    if (automaton.final[state]) final_.push_back(state);
  for (Symbol symbol : alphabet_.symbols()) {
    const auto& table = automaton.tables[symbol];
    std::vector<std::uint32_t> first_class;  // by place: the number of its class 0
    for (const auto& class_of : table.class_of) {
      first_class.push_back(word(classes_.size()));
      for (State state : automaton.states()) {
        while (classes_.size() <= first_class.back() + class_of[state]) new_class();
        put(state, first_class.back() + class_of[state]);
      }
    }
    for (std::size_t row = 0; row < table.targets.size(); ++row) {
      if (table.targets[row] == automaton.sink) continue;
      std::uint32_t children = empty_prefix;
      for (std::size_t place = 0; place < table.rows[row].size(); ++place)
        children = prefixes.joined(children, first_class[place] + table.rows[row][place]);
      put_row(table.targets[row], {symbol, children});
    }
  }
}

void TreeCounter::extend(std::size_t nodes, StopToken stop) {
  while (accepted_.size() <= nodes) count_next_size(stop);
}

// A tree of n nodes is a symbol above a sequence of trees with n - 1 nodes; a sequence is a shorter one and a last
// tree. Looks only at what has trees of this size: they make known of which sizes there are larger ones.
void TreeCounter::count_next_size(StopToken stop) {
  const std::size_t size = accepted_.size();
  std::vector<State> states;
  for (std::uint32_t number : grown_) {
    stop.check();
    const Prefix& children = prefixes_[number];
    for (State target : children.targets)
      if (counts_[target].add(size, children.counts.largest().count)) states.push_back(target);
  }
  BigInteger accepted = 0;
  for (State state : states)
    if (is_final_[state]) accepted += counts_[state].largest().count;
  accepted_.push_back(std::move(accepted));
  std::vector<std::uint32_t> classes;
  for (State state : states)
    for (std::uint32_t number : classes_of_[state])
      if (classes_[number].counts.add(size, counts_[state].largest().count)) classes.push_back(number);

  grown_.clear();
  if (const auto due = due_.extract(size)) {
    for (std::uint32_t number : due.mapped()) {
      stop.check();
      Prefix& sequence = prefixes_[number];
      assert(!sequence.due.empty() && *sequence.due.begin() == size);
      sequence.due.erase(sequence.due.begin());
      sequence.counts.add(size,
                          count_pairs(classes_[sequence.child_class].counts, prefixes_[sequence.parent].counts, size));
      grown_.push_back(number);
    }
  }
  for (std::uint32_t last : classes) {
    for (std::uint32_t number : classes_[last].prefixes) {
      stop.check();
      Prefix& sequence = prefixes_[number];
      if (sequence.parent == empty_prefix) {
        sequence.counts.add(size, classes_[last].counts.largest().count);
        grown_.push_back(number);
      } else {
        for (const auto& shorter : prefixes_[sequence.parent].counts) expect(number, shorter.size + size);
      }
    }
  }
  for (std::uint32_t shorter : grown_)
    for (std::uint32_t number : prefixes_[shorter].longer)
      for (const auto& last : classes_[prefixes_[number].child_class].counts) expect(number, size + last.size);
  counted_ += states.size() + grown_.size();
  stop.report_progress({.contexts = 0, .facts = counted_});
}

void TreeCounter::expect(std::uint32_t prefix, std::size_t size) {
  assert(size >= accepted_.size());  // sizes that are counted do not change any more
  if (prefixes_[prefix].due.insert(size).second) due_[size].push_back(prefix);
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
    for (; rest >= count_of(*next); ++next) {
      rest -= count_of(*next);
      assert(next + 1 != groups.end());  // the groups have more trees than the number says
    }
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
      const SizeCounts& shorter = prefixes_[prefix.parent].counts;
      const ChildClass& child = classes_[prefix.child_class];
      // The number falls into those with some size of the last child; there it is a pair of numbers.
      std::size_t last = below;
      if (prefix.parent != empty_prefix)
        last = group(child.counts, rest, [&](const SizeCounts::Entry& one) -> BigInteger {
                 return one.size > below ? BigInteger{} : shorter[below - one.size] * one.count;
               }).size;
      BigInteger of_last;
      divide_qr(BigInteger{rest}, child.counts[last], rest, of_last);
      assert(last <= below);
      pending.push_back(task(child.members, last, std::move(of_last)));
      below -= last;
      sequence = prefix.parent;
    }
    assert(below == 0 && rest == 0);
  }
  assert(preorder.size() == nodes);
  return Tree{alphabet_, std::move(preorder)};
}

BigInteger count_trees(const Automaton& automaton, std::size_t nodes, StopToken stop) {
  return TreeCounter{automaton, stop}.count(nodes, stop);
}

}  // namespace lockwood::treeauto
