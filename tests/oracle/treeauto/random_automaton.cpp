#include "tests/oracle/treeauto/random_automaton.hpp"

#include <string>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {
namespace {

// std::uniform_int_distribution is free to differ between libraries; this is not. The bias does not matter here.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_{seed * 0x9E3779B97F4A7C15ULL + 1} {}
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
  bool chance(double share) { return static_cast<double>(engine_() >> 11U) * 0x1.0p-53 < share; }

 private:
  std::mt19937_64 engine_;
};

Alphabet rolled_alphabet(Dice& dice, std::size_t symbols, std::size_t max_rank) {
  AlphabetBuilder builder;
  for (std::size_t i = 0; i < symbols; ++i) builder.add("a" + std::to_string(i), i == 0 ? 0 : dice.below(max_rank + 1));
  return std::move(builder).build();
}

Automaton rolled_automaton(Dice& dice, const Alphabet& alphabet, const RandomAutomatonOptions& options) {
  AutomatonBuilder builder{alphabet};
  for (std::size_t i = 0; i < options.states; ++i)
    builder.set_final(builder.add_state(), dice.chance(options.final_share));
  std::vector<State> children;
  for (std::size_t i = 0; i < options.transitions && options.states > 0; ++i) {
    const Symbol symbol{dice.below(alphabet.size())};
    children.clear();
    for (std::size_t child = 0; child < alphabet.rank(symbol); ++child)
      children.emplace_back(dice.below(options.states));
    builder.add(symbol, children, State{dice.below(options.states)});
  }
  return std::move(builder).build();
}

}  // namespace

Alphabet random_alphabet(std::uint64_t seed, std::size_t symbols, std::size_t max_rank) {
  Dice dice{seed};
  return rolled_alphabet(dice, symbols, max_rank);
}

Automaton random_automaton(std::uint64_t seed, RandomAutomatonOptions options) {
  Dice dice{seed};
  const Alphabet alphabet = rolled_alphabet(dice, options.symbols, options.max_rank);
  return rolled_automaton(dice, alphabet, options);
}

Automaton random_automaton(std::uint64_t seed, const Alphabet& alphabet, RandomAutomatonOptions options) {
  Dice dice{seed};
  return rolled_automaton(dice, alphabet, options);
}

Tree random_tree(std::uint64_t seed, const Alphabet& alphabet, std::size_t nodes) {
  Dice dice{seed};
  std::vector<Symbol> constants;
  for (Symbol symbol : alphabet.symbols())
    if (alphabet.rank(symbol) == 0) constants.push_back(symbol);
  std::vector<Symbol> preorder;
  for (std::size_t missing = 1; missing > 0; --missing) {
    const bool closing = preorder.size() + missing >= nodes;
    const Symbol symbol = closing ? constants[dice.below(constants.size())] : Symbol{dice.below(alphabet.size())};
    preorder.push_back(symbol);
    missing += alphabet.rank(symbol);
  }
  return Tree{alphabet, std::move(preorder)};
}

}  // namespace lockwood::treeauto
