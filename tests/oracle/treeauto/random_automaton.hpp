#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto {

struct RandomAutomatonOptions {
  std::size_t states = 4;
  std::size_t symbols = 3;  // at least one of them is a constant
  std::size_t max_rank = 2;
  std::size_t transitions = 8;  // tried; equal ones are one
  double final_share = 0.4;     // of the states
};

// A random alphabet of symbols a0, a1, …; the first has rank 0, the others a random one.
[[nodiscard]] Alphabet random_alphabet(std::uint64_t seed, std::size_t symbols, std::size_t max_rank);

// The same seed and options give the same automaton, on every platform.
[[nodiscard]] Automaton random_automaton(std::uint64_t seed, RandomAutomatonOptions options = {});
[[nodiscard]] Automaton random_automaton(std::uint64_t seed, const Alphabet& alphabet, RandomAutomatonOptions options);

// A random tree of about that many nodes; requires a constant in the alphabet.
[[nodiscard]] Tree random_tree(std::uint64_t seed, const Alphabet& alphabet, std::size_t nodes);

}  // namespace lockwood::treeauto
