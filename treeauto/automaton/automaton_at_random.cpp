#include "treeauto/automaton/automaton_at_random.hpp"

#include <cassert>
#include <set>
#include <utility>
#include <vector>

#include "base/ids/random.hpp"
#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::uint64_t number_limit = std::uint64_t{1} << 63U;

// The transitions with one symbol: a state for each child, and the target. Nothing if there are too many to be
// numbered.
std::optional<std::uint64_t> transitions_of_rank(std::size_t rank, std::size_t states) {
  if (states <= 1) return states;
  std::uint64_t number = 1;
  for (std::size_t place = 0; place <= rank; ++place) {
    if (number > number_limit / states) return std::nullopt;
    number *= states;
  }
  return number;
}

// So many of the numbers 0, …, bound - 1, each set of them with the same probability, by one draw for each member: the
// last numbers stand for those that are drawn again [bentley.87.pearls].
std::set<std::uint64_t> drawn(Random& random, std::uint64_t bound, std::size_t number, StopToken stop) {
  std::set<std::uint64_t> members;
  for (std::uint64_t last = bound - number; last < bound; ++last) {
    stop.check();
    if (!members.insert(random.below(last + 1)).second) members.insert(last);
  }
  return members;
}

}  // namespace

std::optional<std::uint64_t> possible_transitions(const Alphabet& alphabet, std::size_t states) {
  std::uint64_t all = 0;
  for (Symbol symbol : alphabet.symbols()) {
    const auto some = transitions_of_rank(alphabet.rank(symbol), states);
    if (!some || *some > number_limit - 1 - all) return std::nullopt;
    all += *some;
  }
  return all;
}

Automaton automaton_at_random(const Alphabet& alphabet, const AutomatonSizes& sizes, std::uint64_t seed,
                              StopToken stop) {
  const auto possible = possible_transitions(alphabet, sizes.states);
  assert(possible && sizes.transitions <= *possible && sizes.final_states <= sizes.states);
  Random random{seed};
  AutomatonBuilder builder{alphabet};
  builder.add_states(sizes.states);
  for (std::uint64_t state : drawn(random, sizes.states, sizes.final_states, stop)) builder.set_final(State{state});
  // Transitions are numbered by symbol; those of a symbol are numbers to the base of the states.
  std::vector<State> children;
  auto symbol = alphabet.symbols().begin();
  std::uint64_t first = 0;  // of the symbol
  for (std::uint64_t number : drawn(random, *possible, sizes.transitions, stop)) {
    for (std::uint64_t some = 0;; first += some, ++symbol) {
      some = *transitions_of_rank(alphabet.rank(*symbol), sizes.states);
      if (number - first < some) break;
    }
    std::uint64_t digits = number - first;
    const State target{digits % sizes.states};
    children.clear();
    for (std::size_t child = 0; child < alphabet.rank(*symbol); ++child) {
      digits /= sizes.states;
      children.emplace_back(digits % sizes.states);
    }
    builder.add(*symbol, children, target);
  }
  return std::move(builder).build();
}

}  // namespace lockwood::treeauto
