#include "treeauto/intersection.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "treeauto/automaton_builder.hpp"
#include "treeauto/place_index.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Numbers of pairs of states. A full matrix is several times faster than hashing, so it is used while it is small.
class PairNumbers {
 public:
  PairNumbers(std::size_t first, std::size_t second) : second_{second} {
    if (second == 0 || first <= matrix_limit / second) matrix_.assign(first * second, none);
  }
  [[nodiscard]] std::uint32_t find(State first, State second) const {
    if (!matrix_.empty()) return matrix_[first.index() * second_ + second.index()];
    const auto found = map_.find(key(first, second));
    return found == map_.end() ? none : found->second;
  }
  void insert(State first, State second, std::uint32_t number) {
    if (!matrix_.empty()) {
      matrix_[first.index() * second_ + second.index()] = number;
    } else {
      map_.emplace(key(first, second), number);
    }
  }

 private:
  static constexpr std::size_t matrix_limit = std::size_t{1} << 24U;  // pairs, 64 MB
  struct Mix {
    std::size_t operator()(std::uint64_t key) const {
      key *= 0x9E3779B97F4A7C15ULL;
      return key ^ (key >> 32U);
    }
  };
  [[nodiscard]] static std::uint64_t key(State first, State second) {
    return std::uint64_t{first.index()} << 32U | second.index();
  }

  std::size_t second_;
  std::vector<std::uint32_t> matrix_;
  tsl::hopscotch_map<std::uint64_t, std::uint32_t, Mix> map_;
};

// Pairs are found in the order of their numbers, and handled in that order. A pair of transitions becomes a transition
// of the product when the last of its pairs of children is handled: all others have smaller numbers then. Where that
// pair stands at several places, the first of them counts, so that the transition is added once.
class ProductConstruction {
 public:
  ProductConstruction(Automaton first, Automaton second, StopToken stop)
      : first_{std::move(first)},
        second_{std::move(second)},
        stop_{stop},
        first_index_{first_},
        second_index_{second_},
        numbers_{first_.state_count(), second_.state_count()},
        builder_{first_.alphabet()} {}

  [[nodiscard]] Product result() {
    for (Symbol symbol : first_.alphabet().symbols()) {
      if (first_.alphabet().rank(symbol) != 0) continue;
      for (TransitionId left : first_.transitions_of(symbol))
        for (TransitionId right : second_.transitions_of(symbol))
          builder_.add(symbol, {}, state(first_.target(left), second_.target(right)));
    }
    for (std::uint32_t number = 0; number < pairs_.size(); ++number) {
      stop_.check();
      handle(number);
    }
    return {std::move(builder_).build(), std::move(pairs_)};
  }

 private:
  State state(State first, State second) {
    const std::uint32_t known = numbers_.find(first, second);
    if (known != none) return State{known};
    const State added = builder_.add_state();
    builder_.set_final(added, first_.is_final(first) && second_.is_final(second));
    numbers_.insert(first, second, static_cast<std::uint32_t>(added.index()));
    pairs_.push_back({first, second});
    return added;
  }

  void handle(std::uint32_t number) {
    const auto [first, second] = pairs_[State{number}];
    const auto left = first_index_.groups(first);
    const auto right = second_index_.groups(second);
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
      if (l->place < r->place) {
        ++l;
      } else if (r->place < l->place) {
        ++r;
      } else {
        combine(number, l->place, first_index_.transitions(*l), second_index_.transitions(*r));
        ++l;
        ++r;
      }
    }
  }

  // Transitions that have the pair with this number at the place.
  void combine(std::uint32_t number, std::uint32_t place, std::span<const TransitionId> left,
               std::span<const TransitionId> right) {
    const Symbol symbol = first_.symbol(left.front());
    const std::size_t position = place - first_index_.place(symbol, 0);
    children_.assign(first_.alphabet().rank(symbol), State{number});
    for (TransitionId l : left) {
      const std::span<const State> left_children = first_.children(l);
      for (TransitionId r : right)
        if (find_children(number, position, left_children, second_.children(r)))
          builder_.add(symbol, children_, state(first_.target(l), second_.target(r)));
    }
  }

  // Fills in children_, and tells whether all pairs of children have been handled and this is the first place of the
  // pair at hand.
  [[nodiscard]] bool find_children(std::uint32_t number, std::size_t position, std::span<const State> left,
                                   std::span<const State> right) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (i == position) continue;
      const std::uint32_t child = numbers_.find(left[i], right[i]);
      if (child > number || (child == number && i < position)) return false;  // `none` is larger than any number
      children_[i] = State{child};
    }
    return true;
  }

  Automaton first_;
  Automaton second_;
  StopToken stop_;
  PlaceIndex first_index_;
  PlaceIndex second_index_;
  PairNumbers numbers_;
  AutomatonBuilder builder_;
  IdVector<State, std::pair<State, State>> pairs_;
  std::vector<State> children_;
};

}  // namespace

Product product(const Automaton& first, const Automaton& second, StopToken stop) {
  const Alphabet both = joined(first.alphabet(), second.alphabet()).alphabet;
  return ProductConstruction{with_alphabet(first, both), with_alphabet(second, both), stop}.result();
}

Automaton intersection(const Automaton& first, const Automaton& second, StopToken stop) {
  return product(first, second, stop).automaton;
}

}  // namespace lockwood::treeauto
