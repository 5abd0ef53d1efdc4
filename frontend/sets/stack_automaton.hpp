#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/rule.hpp"
#include "frontend/sets/syntax.hpp"

namespace lockwood::sets {

// A deterministic automaton that reads a stack from its top down: in this order execution trees tell it, from the leaf
// of a thread to its beginning.
struct StackAutomaton {
  using State = Id<struct StackStateTag>;

  IdVector<dpn::StackSymbol, std::uint32_t> class_of;  // symbols of a class lead to the same states everywhere
  IdVector<State, std::vector<State>> next;            // by class; the first state is the one to start from
  IdVector<State, bool> accepting;

  [[nodiscard]] State after(State state, dpn::StackSymbol symbol) const { return next[state][class_of[symbol]]; }
  [[nodiscard]] State after_top(dpn::StackSymbol top) const { return after(State{0}, top); }
};

// At most so many symbols stand in a pattern.
constexpr std::size_t pattern_limit = 1000;

[[nodiscard]] std::size_t size_of(const Pattern& pattern);

// The stacks that fit the pattern, which is read from the bottom to the top and is not larger than the limit.
// `symbols_of` gives the symbols of the words. Throws Interrupted, also if there are too many states.
[[nodiscard]] StackAutomaton stack_automaton(
    const Pattern& pattern, std::size_t symbol_count,
    const std::function<std::vector<dpn::StackSymbol>(const OneSymbol&)>& symbols_of, StopToken stop);

}  // namespace lockwood::sets
