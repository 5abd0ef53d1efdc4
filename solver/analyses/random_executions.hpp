#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ids/random.hpp"
#include "base/process/stop.hpp"
#include "dpn/semantics/small_step.hpp"

// Executions at random, in which all moves respect all locks. An Execution has a network, a configuration, `begin()`,
// which goes back to the initial configuration, and `make(move)`, which tells how much the move shows for the first
// time.
namespace lockwood::solver {

// Of this thread if it can move, or else of the next one that can.
[[nodiscard]] inline std::optional<dpn::Move> any_move(const dpn::Network& network,
                                                       const dpn::Configuration& configuration, Random& random,
                                                       dpn::ThreadId first) {
  const std::size_t threads = configuration.threads.size();
  for (std::size_t i = 0; i < threads; ++i) {
    const dpn::ThreadId thread{(first.index() + i) % threads};
    if (configuration.threads[thread].ended()) continue;
    const auto rules = network.rules_from(configuration.threads[thread].head());
    if (rules.empty()) continue;
    const std::size_t offset = random.below(rules.size());
    for (std::size_t j = 0; j < rules.size(); ++j) {
      const dpn::Move move{thread, rules[(offset + j) % rules.size()]};
      if (!dpn::blocked(network, configuration, move, dpn::Semantics::LockSensitive)) return move;
    }
  }
  return std::nullopt;
}

struct Walk {
  std::size_t moves = 0;
  std::size_t shown = 0;  // for the first time
};

// Goes on, for so many moves at most: a thread makes `burst` moves, on average, before another one goes on. Ends after
// `max_in_vain` moves that show nothing new, when there are very many threads, and when it is stopped.
template <class Execution>
Walk go_on(Execution& execution, Random& random, std::size_t max_moves, std::size_t burst, std::size_t max_in_vain,
           StopToken stop) {
  constexpr std::size_t max_threads = 256;
  constexpr std::size_t moves_between_looks = 256;
  const auto threads = [&] { return execution.configuration().threads.size(); };
  Walk walk;
  dpn::ThreadId current{random.below(threads())};
  std::size_t in_vain = 0;
  while (walk.moves < max_moves && threads() < max_threads && in_vain < max_in_vain) {
    if (walk.moves % moves_between_looks == 0 && stop.stop_requested()) break;
    if (random.below(burst) == 0) current = dpn::ThreadId{random.below(threads())};
    const auto move = any_move(execution.network(), execution.configuration(), random, current);
    if (!move) break;
    current = move->thread;
    const std::size_t shown = execution.make(*move);
    walk.shown += shown;
    ++walk.moves;
    in_vain = shown > 0 ? 0 : in_vain + 1;
  }
  return walk;
}

constexpr std::size_t moves_per_tree = 256;  // so many random moves take as long as a tree of the engine
constexpr std::size_t seldom = 1024;         // moves between switches of threads

// Executions from the beginning, as long as they show more than trees would in the same time. Threads are switched
// seldom in some of them, often in others.
template <class Execution>
void walk_from_beginning(Execution& execution, Random& random, StopToken stop) {
  constexpr std::size_t max_moves = 100'000;
  const std::size_t moves = std::min(max_moves, 64 + 4 * execution.network().rules().size());
  Walk walked;
  do {
    walked = {};
    for (std::size_t burst = 1; burst <= seldom; burst *= 4) {
      if (stop.stop_requested()) return;
      execution.begin();
      const auto [made, shown] = go_on(execution, random, moves, burst, moves, stop);
      walked.moves += made;
      walked.shown += shown;
    }
  } while (walked.moves < moves_per_tree * walked.shown);
}

}  // namespace lockwood::solver
