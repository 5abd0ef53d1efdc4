#include "treeauto/automaton/automaton.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {

Automaton::Automaton() {
  static const auto empty = std::make_shared<const Tables>();
  tables_ = empty;
}

IdRange<TransitionId> Automaton::transitions_of(Symbol symbol, std::span<const State> wanted) const {
  assert(wanted.size() == alphabet().rank(symbol));
  const IdRange<TransitionId> all = transitions_of(symbol);
  // The first transition of `all` whose children satisfy a property that is monotone in the order of transitions.
  const auto first = [&](auto&& holds) {
    std::size_t begin = (*all.begin()).index();
    std::size_t end = (*all.end()).index();
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (holds(children(TransitionId{middle}))) {
        end = middle;
      } else {
        begin = middle + 1;
      }
    }
    return begin;
  };
  return {first([&](std::span<const State> found) { return !std::ranges::lexicographical_compare(found, wanted); }),
          first([&](std::span<const State> found) { return std::ranges::lexicographical_compare(wanted, found); })};
}

std::span<const Occurrence> Automaton::occurrences(State child) const {
  assert(child.index() < state_count());
  std::call_once(tables_->by_child_once, [this] { index_by_child(); });
  return tables_->by_child.of(child.index());
}

std::span<const TransitionId> Automaton::transitions_to(State target) const {
  assert(target.index() < state_count());
  std::call_once(tables_->by_target_once, [this] { index_by_target(); });
  return tables_->by_target.of(target.index());
}

void Automaton::index_by_child() const {
  auto& [begins, rows] = tables_->by_child;
  begins.assign(state_count() + 1, 0);
  for (State child : tables_->children) ++begins[child.index() + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  rows.assign(tables_->children.size(), Occurrence{TransitionId{0}, 0});
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (TransitionId id : transitions()) {
    std::uint32_t position = 0;
    for (State child : children(id)) rows[next[child.index()]++] = {id, position++};
  }
  assert(std::equal(next.begin(), next.end(), begins.begin() + 1));  // every row was written, and once
}

void Automaton::index_by_target() const {
  auto& [begins, rows] = tables_->by_target;
  begins.assign(state_count() + 1, 0);
  for (State target : tables_->targets) ++begins[target.index() + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  rows.assign(transition_count(), TransitionId{0});
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (TransitionId id : transitions()) rows[next[target(id).index()]++] = id;
  assert(std::equal(next.begin(), next.end(), begins.begin() + 1));  // every row was written, and once
}

void Automaton::check_invariants() const {
#ifndef NDEBUG
  const Tables& tables = *tables_;
  assert(tables.symbols.size() == transition_count() && tables.child_begins.size() == transition_count() + 1);
  assert(tables.symbol_begins.size() == alphabet().size() + 1 && tables.symbol_begins.back() == transition_count());
  assert(std::ranges::is_sorted(tables.final_states));
  for (TransitionId id : transitions()) {
    assert(children(id).size() == alphabet().rank(symbol(id)));
    assert(target(id).index() < state_count());
    assert(std::ranges::all_of(children(id), [&](State child) { return child.index() < state_count(); }));
    if (id.index() == 0) continue;
    const TransitionId before{id.index() - 1};  // smaller in symbol, children or target: a set, in order
    const auto order = std::lexicographical_compare_three_way(children(before).begin(), children(before).end(),
                                                              children(id).begin(), children(id).end());
    assert(symbol(before) < symbol(id) ||
           (symbol(before) == symbol(id) && (order < 0 || (order == 0 && target(before) < target(id)))));
  }
#endif
}

std::string Automaton::state_name(State state) const {
  if (has_state_names()) return std::string{tables_->state_names.name(state)};
  return 'q' + std::to_string(state.index());
}

bool operator==(const Automaton& a, const Automaton& b) {
  if (a.tables_ == b.tables_) return true;
  const auto& left = *a.tables_;
  const auto& right = *b.tables_;
  if (left.name != right.name || left.final != right.final || left.alphabet != right.alphabet ||
      left.symbols != right.symbols || left.targets != right.targets || left.children != right.children)
    return false;
  if (!a.has_state_names() && !b.has_state_names()) return true;
  return std::ranges::all_of(a.states(), [&](State state) { return a.state_name(state) == b.state_name(state); });
}

Automaton with_alphabet(const Automaton& automaton, const Alphabet& alphabet) {
  if (automaton.alphabet() == alphabet) return automaton;
  const auto match = matched(automaton.alphabet(), alphabet);
  AutomatonBuilder builder{alphabet};
  builder.set_name(automaton.name());
  builder.add_states_of(automaton);
  for (TransitionId id : automaton.transitions())
    if (const auto symbol = match[automaton.symbol(id)])
      builder.add(*symbol, automaton.children(id), automaton.target(id));
  return std::move(builder).build();
}

std::size_t total_size(const Automaton& automaton) {
  std::size_t size = automaton.transition_count();
  for (Symbol symbol : automaton.alphabet().symbols())
    size += automaton.transitions_of(symbol).size() * automaton.alphabet().rank(symbol);
  return size;
}

}  // namespace lockwood::treeauto
