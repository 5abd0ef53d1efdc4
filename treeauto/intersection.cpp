#include "treeauto/intersection.hpp"

#include <algorithm>
#include <vector>

#include "treeauto/automaton_builder.hpp"
#include "treeauto/pair_table.hpp"
#include "treeauto/place_index.hpp"

namespace lockwood::treeauto {
namespace {

using Number = PairTable::Number;

// Calls visit(transition of the first, transition of the second) for those to the two states that agree in their
// symbol.
template <class Visit>
void each_pair_to(const Automaton& first, const Automaton& second, State left, State right, Visit&& visit) {
  const auto lefts = first.transitions_to(left);
  const auto rights = second.transitions_to(right);
  auto begin = rights.begin();  // of the transitions with the symbol at hand
  auto end = begin;
  for (TransitionId l : lefts) {
    const Symbol symbol = first.symbol(l);
    if (begin == end || second.symbol(*begin) != symbol) {
      begin =
          std::ranges::partition_point(end, rights.end(), [&](TransitionId id) { return second.symbol(id) < symbol; });
      end = begin;
      while (end != rights.end() && second.symbol(*end) == symbol) ++end;
    }
    for (auto r = begin; r != end; ++r) visit(l, *r);
  }
}

// The pairs that can stand in a tree below a pair of final states, whether or not there is such a tree.
class DownwardPairs {
 public:
  DownwardPairs(const Automaton& first, const Automaton& second)
      : first_{first}, second_{second}, found_{first.state_count(), second.state_count()} {
    for (State left : first.final_states())
      for (State right : second.final_states()) found_.add(left, right);
  }
  // Goes on for about so many pairs of transitions; tells whether all is found.
  bool advance(std::size_t work) {
    std::size_t done = 0;
    for (; next_ < found_.size() && done < work; ++next_, ++done) {
      const auto [left, right] = found_[next_];
      each_pair_to(first_, second_, left, right, [&](TransitionId l, TransitionId r) {
        ++done;
        for (std::size_t i = 0; i < first_.children(l).size(); ++i)
          found_.add(first_.children(l)[i], second_.children(r)[i]);
      });
    }
    return next_ == found_.size();
  }
  [[nodiscard]] bool contains(State left, State right) const { return found_.find(left, right) != PairTable::none; }

 private:
  const Automaton& first_;
  const Automaton& second_;
  PairTable found_;
  Number next_ = 0;
};

// The pairs that some tree reaches. Pairs are handled in the order of their numbers. Two transitions make their pair of
// targets reachable when the last of their pairs of children is handled: all others have smaller numbers then.
class UpwardPairs {
 public:
  UpwardPairs(const Automaton& first, const Automaton& second)
      : first_{first},
        second_{second},
        first_index_{first},
        second_index_{second},
        found_{first.state_count(), second.state_count()} {
    for (Symbol symbol : first.alphabet().symbols()) {
      if (first.alphabet().rank(symbol) != 0) continue;
      for (TransitionId left : first.transitions_of(symbol))
        for (TransitionId right : second.transitions_of(symbol)) found_.add(first.target(left), second.target(right));
    }
  }
  // Goes on for about so many pairs of transitions, and only within the pairs of `wanted`, if given; tells whether all
  // is found.
  bool advance(std::size_t work, const DownwardPairs* wanted) {
    done_ = 0;
    for (; next_ < found_.size() && done_ < work; ++next_, ++done_) {
      const auto [left, right] = found_[next_];
      if (wanted == nullptr || wanted->contains(left, right)) handle(left, right, wanted);
    }
    return next_ == found_.size();
  }
  [[nodiscard]] bool contains(State left, State right) const { return found_.find(left, right) != PairTable::none; }

 private:
  void handle(State left, State right, const DownwardPairs* wanted) {
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
        combine(first_index_.transitions(*l++), second_index_.transitions(*r++), wanted);
      }
    }
  }

  void combine(std::span<const TransitionId> lefts, std::span<const TransitionId> rights, const DownwardPairs* wanted) {
    done_ += lefts.size() * rights.size();
    for (TransitionId l : lefts)
      for (TransitionId r : rights) {
        const State left = first_.target(l);
        const State right = second_.target(r);
        if (found_.find(left, right) == PairTable::none && (wanted == nullptr || wanted->contains(left, right)) &&
            are_handled(first_.children(l), second_.children(r)))
          found_.add(left, right);
      }
  }
  [[nodiscard]] bool are_handled(std::span<const State> lefts, std::span<const State> rights) const {
    for (std::size_t i = 0; i < lefts.size(); ++i)
      if (found_.find(lefts[i], rights[i]) > next_) return false;
    return true;
  }

  const Automaton& first_;
  const Automaton& second_;
  PlaceIndex first_index_;
  PlaceIndex second_index_;
  PairTable found_;
  Number next_ = 0;
  std::size_t done_ = 0;
};

// The product, from the final pairs down, through reachable pairs only.
Product trimmed_product(const Automaton& first, const Automaton& second, const UpwardPairs& reachable, StopToken stop) {
  PairTable useful{first.state_count(), second.state_count()};
  for (State left : first.final_states())
    for (State right : second.final_states())
      if (reachable.contains(left, right)) useful.add(left, right);
  AutomatonBuilder builder{first.alphabet()};
  std::vector<State> children;
  for (Number number = 0; number < useful.size(); ++number) {
    stop.check();
    stop.check_states(useful.size());
    const auto [left, right] = useful[number];
    each_pair_to(first, second, left, right, [&](TransitionId l, TransitionId r) {
      const auto lefts = first.children(l);
      const auto rights = second.children(r);
      for (std::size_t i = 0; i < lefts.size(); ++i)
        if (!reachable.contains(lefts[i], rights[i])) return;
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
  UpwardPairs upward{first, second};
  const DownwardPairs* wanted = nullptr;
  for (std::size_t work = 16; !upward.advance(work, wanted);) {
    stop.check();
    if (wanted == nullptr && downward.advance(work)) wanted = &downward;
    work = std::min<std::size_t>(2 * work, 1U << 20U);
  }
  return trimmed_product(first, second, upward, stop);
}

Automaton intersection(const Automaton& first, const Automaton& second, StopToken stop) {
  return product(first, second, stop).automaton;
}

}  // namespace lockwood::treeauto
