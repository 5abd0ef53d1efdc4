#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/program/interpreter/interpreter.hpp"

namespace lockwood::program {

// Where threads can stand, and where two different ones can at the same time.
struct Places {
  std::set<Standing> single;
  std::set<std::pair<Standing, Standing>> pairs;

  void add(const std::vector<Standing>& threads) {
    for (std::size_t i = 0; i < threads.size(); ++i) {
      single.insert(threads[i]);
      for (std::size_t k = i + 1; k < threads.size(); ++k) pairs.insert(std::minmax(threads[i], threads[k]));
    }
  }
};

// As the interpreter runs the program. Nothing if there are more states than the limit.
inline std::optional<Places> by_interpreter(const Program& program, std::size_t limit) {
  const StateSpace space = reachable_states(program, {.states = limit, .threads = 6, .stack_depth = 20});
  if (!space.complete) return std::nullopt;
  Places places;
  for (const State& state : space.states) {
    std::vector<Standing> threads;
    for (const ThreadState& thread : state.threads)
      if (const auto at = standing(thread)) threads.push_back(*at);
    places.add(threads);
  }
  return places;
}

}  // namespace lockwood::program
