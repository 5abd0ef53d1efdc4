#include "treeauto/operations/intersection.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/pair_table.hpp"
#include "treeauto/automaton/place_index.hpp"

namespace lockwood::treeauto {
namespace {

using Number = PairTable::Number;
using Transitions = std::span<const TransitionId>;

// Pairs of one state of each of two lists, for several such lists one after the other.
class CrossPairs {
 public:
  void add(std::vector<State> lefts, std::vector<State> rights) {
    if (!lefts.empty() && !rights.empty()) lists_.push_back({std::move(lefts), std::move(rights)});
  }
  std::optional<std::pair<State, State>> next() {
    if (list_ == lists_.size()) return std::nullopt;
    const auto& [lefts, rights] = lists_[list_];
    const std::pair result{lefts[left_], rights[right_]};
    if (++right_ == rights.size()) {
      right_ = 0;
      if (++left_ == lefts.size()) {
        left_ = 0;
        ++list_;
      }
    }
    return result;
  }

 private:
  struct Lists {
    std::vector<State> lefts;
    std::vector<State> rights;
  };
  std::vector<Lists> lists_;
  std::size_t list_ = 0;
  std::size_t left_ = 0;
  std::size_t right_ = 0;
};

// Those with that key, of transitions in the order of their keys.
template <class Key, class KeyOf>
Transitions with_key(Transitions transitions, Key key, KeyOf&& key_of) {
  const auto begin = std::ranges::lower_bound(transitions, key, {}, key_of);
  return {begin, std::ranges::upper_bound(begin, transitions.end(), key, {}, key_of)};
}
Transitions with_symbol(const Automaton& automaton, Transitions transitions, Symbol symbol) {
  return with_key(transitions, symbol, [&](TransitionId id) { return automaton.symbol(id); });
}

// The pairs that can be in a tree below a pair of final states, whether or not there is such a tree.
class DownwardPairs {
 public:
  DownwardPairs(const Automaton& first, const Automaton& second)
      : first_{first}, second_{second}, found_{first.state_count(), second.state_count()} {
    roots_.add({first.final_states().begin(), first.final_states().end()},
               {second.final_states().begin(), second.final_states().end()});
  }
  // Goes on for about so many pairs of transitions; tells whether all is found.
  bool advance(std::size_t work) {
    for (const std::size_t end = steps_ + work; steps_ < end; ++steps_) {
      if (const auto root = roots_.next()) {
        found_.add(root->first, root->second);
      } else if (next_ == found_.size()) {
        return true;
      } else {
        handle_transition();
      }
    }
    return false;
  }
  [[nodiscard]] bool contains(State left, State right) const { return found_.find(left, right) != PairTable::none; }
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  // The next transition to the left state of the next pair, with all to the right state that fit.
  void handle_transition() {
    const auto [left, right] = found_[next_];
    const Transitions lefts = first_.transitions_to(left);
    if (transition_ == lefts.size()) {
      ++next_;
      transition_ = 0;
      return;
    }
    const TransitionId l = lefts[transition_++];
    const Transitions rights = with_symbol(second_, second_.transitions_to(right), first_.symbol(l));
    assert(rights.empty() || first_.children(l).size() == second_.children(rights.front()).size());
    for (TransitionId r : rights)
      for (std::size_t i = 0; i < first_.children(l).size(); ++i)
        found_.add(first_.children(l)[i], second_.children(r)[i]);
    steps_ += rights.size();
  }

  const Automaton& first_;
  const Automaton& second_;
  CrossPairs roots_;
  PairTable found_;
  Number next_ = 0;             // pair to handle
  std::size_t transition_ = 0;  // to its left state, the next to handle
  std::size_t steps_ = 0;
};

// The pairs that some tree reaches. Pairs are handled in the order of their numbers. Two transitions make their pair of
// targets reachable when the last of their pairs of children is handled.
class UpwardPairs {
 public:
  UpwardPairs(const Automaton& first, const Automaton& second, StopToken stop)
      : first_{first},
        second_{second},
        stop_{stop},
        first_index_{first},
        second_index_{second},
        found_{first.state_count(), second.state_count()},
        first_partners_(first.state_count()),
        second_partners_(second.state_count()) {
    const auto targets = [](const Automaton& automaton, Symbol leaf) {
      std::vector<State> states;
      for (TransitionId id : automaton.transitions_of(leaf)) states.push_back(automaton.target(id));
      return states;
    };
    for (Symbol symbol : first.alphabet().symbols())
      if (first.alphabet().rank(symbol) == 0) leaves_.add(targets(first, symbol), targets(second, symbol));
  }

  // Goes on for about so many pairs of transitions, and only within the pairs of `wanted`, if given; tells whether all
  // is found.
  bool advance(std::size_t work, const DownwardPairs* wanted) {
    for (const std::size_t end = steps_ + work; steps_ < end; ++steps_) {
      if (const auto leaf = leaves_.next()) {
        if (is_wanted(wanted, leaf->first, leaf->second)) found_.add(leaf->first, leaf->second);
      } else if (next_ == found_.size()) {
        return true;
      } else {
        const auto [left, right] = found_[next_++];
        if (is_wanted(wanted, left, right)) handle(left, right, wanted);
      }
    }
    return false;
  }

  // The pairs of final states, by number. Requires that all is found, as does the next.
  [[nodiscard]] std::vector<std::pair<State, State>> final_pairs() const {
    assert(next_ == found_.size());
    std::vector<std::pair<State, State>> pairs;
    for (Number number = 0; number < found_.size(); ++number)
      if (const auto [left, right] = found_[number]; first_.is_final(left) && second_.is_final(right))
        pairs.push_back(found_[number]);
    std::ranges::sort(pairs);
    return pairs;
  }
  // Calls visit(l, r) for the transitions to both states that agree in their symbol and whose children are reachable
  // pairs, by l and r.
  template <class Visit>
  void each_pair_to(State left, State right, Visit&& visit) {
    matches_.clear();
    const Transitions lefts = first_.transitions_to(left);
    const Transitions rights = second_.transitions_to(right);
    for (auto begin = lefts.begin(); begin != lefts.end();) {
      const Symbol symbol = first_.symbol(*begin);
      const auto end =
          std::ranges::find_if(begin, lefts.end(), [&](TransitionId id) { return first_.symbol(id) != symbol; });
      join(
          std::span{begin, end}, with_symbol(second_, rights, symbol), std::nullopt,
          [](TransitionId, TransitionId) { return true; },
          [&](TransitionId l, TransitionId r) { matches_.emplace_back(l, r); });
      begin = end;
    }
    if (!std::ranges::is_sorted(matches_)) std::ranges::sort(matches_);
    for (const auto& [l, r] : matches_) visit(l, r);
  }
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  [[nodiscard]] static bool is_wanted(const DownwardPairs* wanted, State left, State right) {
    return wanted == nullptr || wanted->contains(left, right);
  }

  void handle(State left, State right, const DownwardPairs* wanted) {
    assert(is_handled(left, right));
    first_partners_[left].push_back(right);
    second_partners_[right].push_back(left);
    const auto is_new = [&](TransitionId l, TransitionId r) {
      const State to_left = first_.target(l);
      const State to_right = second_.target(r);
      return found_.find(to_left, to_right) == PairTable::none && is_wanted(wanted, to_left, to_right);
    };
    const auto add = [&](TransitionId l, TransitionId r) { found_.add(first_.target(l), second_.target(r)); };
    const auto lefts = first_index_.groups(left);
    const auto rights = second_index_.groups(right);
    auto l = lefts.begin();
    auto r = rights.begin();
    while (l != lefts.end() && r != rights.end()) {
      if (l->place < r->place) {
        ++l;
      } else if (r->place < l->place) {
        ++r;
      } else {
        const std::size_t position = l->place - first_index_.place(first_.symbol(first_index_.transitions(*l)[0]), 0);
        assert(position < first_.children(first_index_.transitions(*l)[0]).size());
        assert(first_.children(first_index_.transitions(*l)[0])[position] == left);
        join(first_index_.transitions(*l++), second_index_.transitions(*r++), position, is_new, add);
      }
    }
  }

  // Calls visit(l, r) for the pairs of both lists, which agree in their symbol, that `filter` lets through and whose
  // pairs of children are handled; those at `known` are. The shorter list is gone through, and for each of its
  // transitions the other one is searched from the first child to the last.
  template <class Filter, class Visit>
  void join(Transitions lefts, Transitions rights, std::optional<std::size_t> known, Filter&& filter, Visit&& visit) {
    if (lefts.size() <= rights.size()) {
      for (TransitionId l : lefts)
        search(
            first_, l, first_partners_, second_, rights, known, [&](TransitionId r) { return filter(l, r); },
            [&](TransitionId r) { visit(l, r); });
    } else {
      for (TransitionId r : rights)
        search(
            second_, r, second_partners_, first_, lefts, known, [&](TransitionId l) { return filter(l, r); },
            [&](TransitionId l) { visit(l, r); });
    }
  }

  // A part of a list whose transitions fit at all places before `position`, with the same children.
  struct Part {
    Transitions transitions;
    std::size_t position;
  };

  // The transitions of the other automaton's list that fit one: in the order of their children, so a child that is
  // known at all places before can be found by its partners, if these are fewer than the transitions left.
  template <class Filter, class Visit>
  void search(const Automaton& own, TransitionId id, const IdVector<State, std::vector<State>>& partners,
              const Automaton& other, Transitions list, std::optional<std::size_t> known, Filter&& filter,
              Visit&& visit) {
    const std::span<const State> children = own.children(id);
    const auto are_partners = [&](std::size_t place, State child) {
      return &own == &first_ ? is_handled(children[place], child) : is_handled(child, children[place]);
    };
    parts_.assign(1, {list, 0});
    while (!parts_.empty()) {
      stop_.check();
      const Transitions transitions = parts_.back().transitions;
      const std::size_t before = parts_.back().position;
      const std::size_t position = before == known ? before + 1 : before;
      parts_.pop_back();
      if (position < children.size() && partners[children[position]].size() < transitions.size()) {
        for (State partner : partners[children[position]]) {
          ++steps_;
          const Transitions found =
              with_key(transitions, partner, [&](TransitionId each) { return other.children(each)[position]; });
          if (!found.empty()) parts_.push_back({found, position + 1});
        }
        continue;
      }
      steps_ += transitions.size();
      for (TransitionId each : transitions) {
        if (!filter(each)) continue;
        const std::span<const State> others = other.children(each);
        bool fits = true;
        for (std::size_t place = position; place < children.size() && fits; ++place)
          fits = place == known || are_partners(place, others[place]);
        if (fits) visit(each);
      }
    }
  }
  [[nodiscard]] bool is_handled(State left, State right) const { return found_.find(left, right) < next_; }

  const Automaton& first_;
  const Automaton& second_;
  StopToken stop_;
  PlaceIndex first_index_;
  PlaceIndex second_index_;
  CrossPairs leaves_;
  PairTable found_;
  Number next_ = 0;                                      // pair to handle
  IdVector<State, std::vector<State>> first_partners_;   // the states with which it is a handled pair
  IdVector<State, std::vector<State>> second_partners_;  // likewise
  std::size_t steps_ = 0;
  std::vector<Part> parts_;
  std::vector<std::pair<TransitionId, TransitionId>> matches_;
};

// The product, from the final pairs down, through reachable pairs only.
Product trimmed_product(const Automaton& first, const Automaton& second, UpwardPairs& reachable, StopToken stop) {
  PairTable useful{first.state_count(), second.state_count()};
  for (const auto& [left, right] : reachable.final_pairs()) useful.add(left, right);
  AutomatonBuilder builder{first.alphabet()};
  std::vector<State> children;
  for (Number number = 0; number < useful.size(); ++number) {
    stop.check();
    stop.check_states(useful.size());
    const auto [left, right] = useful[number];
    reachable.each_pair_to(left, right, [&](TransitionId l, TransitionId r) {
      const auto lefts = first.children(l);
      const auto rights = second.children(r);
      children.clear();
      for (std::size_t i = 0; i < lefts.size(); ++i) children.emplace_back(useful.add(lefts[i], rights[i]));
      builder.add(first.symbol(l), children, State{number});
    });
  }
  Product result;
  builder.add_states(useful.size());
  for (Number number = 0; number < useful.size(); ++number) {
    const auto [left, right] = useful[number];
    builder.set_final(State{number}, first.is_final(left) && second.is_final(right));
    result.pairs.push_back({left, right});
  }
  result.automaton = std::move(builder).build();
  assert(result.pairs.size() == result.automaton.state_count());
  return result;
}

}  // namespace

// Either of both searches can be a thousand times the other's size (from the root down: automata over the same symbols
// that disagree in the first steps; from the leaves up: word automata from distant regions), and which one is not known
// before. So they take turns until one is through. If it is the one from the root down, the other is then confined to
// its pairs. If the other is first, there is no more need of it.
Product product(const Automaton& first_operand, const Automaton& second_operand, StopToken stop) {
  const Alphabet both = joined(first_operand.alphabet(), second_operand.alphabet()).alphabet;
  const Automaton first = with_alphabet(first_operand, both);
  const Automaton second = with_alphabet(second_operand, both);
  DownwardPairs downward{first, second};
  UpwardPairs upward{first, second, stop};
  const DownwardPairs* wanted = nullptr;
  for (std::size_t work = 16; !upward.advance(work, wanted);) {
    stop.check();
    if (wanted == nullptr && downward.advance(work)) wanted = &downward;
    work = std::min<std::size_t>(2 * work, 1U << 20U);
  }
  Product result = trimmed_product(first, second, upward, stop);
  stop.report_progress({.contexts = 0, .facts = upward.steps() + downward.steps()});
  return result;
}

Automaton intersection(const Automaton& first, const Automaton& second, StopToken stop) {
  return product(first, second, stop).automaton;
}

}  // namespace lockwood::treeauto
