#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// How large an automaton is to be.
struct AutomatonSizes {
  std::size_t states = 4;
  std::size_t final_states = 1;
  std::size_t transitions = 12;
};

// How many different transitions there are over these symbols and so many states; nothing if there are 2^63 or more.
[[nodiscard]] std::optional<std::uint64_t> possible_transitions(const Alphabet& alphabet, std::size_t states);

// An automaton of exactly these sizes. All sets of so many final states, and all sets of so many transitions, are
// equally likely; nothing is done about states that are of no use. The same seed gives the same automaton, on every
// platform. Requires no more final states than states, and no more transitions than are possible.
[[nodiscard]] Automaton automaton_at_random(const Alphabet& alphabet, const AutomatonSizes& sizes, std::uint64_t seed,
                                            StopToken stop = {});

}  // namespace lockwood::treeauto
