#include "solver/analyses/deadlock.hpp"

#include <algorithm>
#include <map>

#include "solver/analyses/lock_graph.hpp"

namespace lockwood::solver {
namespace {

using Place = std::vector<dpn::StackSymbol>;

class RingSearch {
 public:
  RingSearch(const dpn::Network& network, const DeadlockOptions& options) : network_{network}, options_{options} {}

  Deadlocks run() && {
    try {
      graph_ = lock_graph(network_, options_.solving.stop);
    } catch (const Interrupted& interrupted) {
      return {.rings = {}, .complete = false, .stopped = interrupted.reason()};
    }
    const LockCycles cycles = lock_cycles(graph_, options_.max_cycles);
    found_.joins = network_.uses_groups();
    found_.complete = cycles.complete && !found_.joins;
    for (std::size_t i = 0; i < cycles.cycles.size() && !found_.stopped; ++i) {
      if (options_.on_ring) options_.on_ring(i + 1, cycles.cycles.size());
      LockRing ring{.locks = cycles.cycles[i]};
      ask(ring);
      if (options_.place_of && ring.answer.verdict == dpn::Verdict::Reachable) {
        tell_places(std::move(ring));
      } else {
        found_.rings.push_back(std::move(ring));
      }
    }
    if (found_.stopped) found_.complete = false;
    return std::move(found_);
  }

 private:
  // A ring of more threads than can be asked about stays unknown.
  void ask(LockRing& ring) {
    ring.answer = solve(network_, ring_problem(ring.locks, ring.places), options_.solving);
    if (ring.answer.stopped) found_.stopped = ring.answer.stopped;
  }

  // The places of an edge, with the symbols that are one place together.
  [[nodiscard]] std::vector<Place> places_between(Lock holds, Lock wants) const {
    std::map<std::size_t, Place> by_number;
    for (dpn::StackSymbol symbol : places_of(graph_, holds, wants))
      by_number[options_.place_of(symbol)].push_back(symbol);
    std::vector<Place> places;
    for (auto& [number, symbols] : by_number) places.push_back(std::move(symbols));
    return places;
  }

  // The ring closes.
  void tell_places(LockRing ring) {
    std::vector<std::vector<Place>> places;
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < ring.locks.size(); ++i) {
      places.push_back(places_between(ring.locks[i], ring.locks[(i + 1) % ring.locks.size()]));
      combinations = std::min(combinations, options_.most_combinations) * places.back().size();
    }
    ring.places.resize(ring.locks.size());
    if (combinations == 1) {
      for (std::size_t i = 0; i < places.size(); ++i) ring.places[i] = places[i].front();
      found_.rings.push_back(std::move(ring));
    } else if (combinations <= options_.most_combinations) {
      tell_combinations(ring, places);
    } else {
      tell_each(ring, places);
    }
  }
  void tell_combinations(const LockRing& ring, const std::vector<std::vector<Place>>& places) {
    std::vector<std::size_t> chosen(places.size());
    while (!found_.stopped) {
      LockRing there{.locks = ring.locks, .places = ring.places};
      for (std::size_t i = 0; i < places.size(); ++i) there.places[i] = places[i][chosen[i]];
      tell(std::move(there));
      std::size_t digit = places.size();
      while (digit > 0 && ++chosen[digit - 1] == places[digit - 1].size()) chosen[--digit] = 0;
      if (digit == 0) return;
    }
  }
  void tell_each(const LockRing& ring, const std::vector<std::vector<Place>>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
      for (const Place& place : places[i]) {
        if (found_.stopped) return;
        LockRing there{.locks = ring.locks, .places = ring.places};
        there.places[i] = place;
        tell(std::move(there));
      }
  }
  void tell(LockRing ring) {
    ask(ring);
    if (ring.answer.verdict != dpn::Verdict::Unreachable) found_.rings.push_back(std::move(ring));
  }

  const dpn::Network& network_;
  const DeadlockOptions& options_;
  std::vector<LockEdge> graph_;
  Deadlocks found_;
};

}  // namespace

Problem ring_problem(const std::vector<Lock>& ring, const std::vector<std::vector<dpn::StackSymbol>>& places) {
  Problem problem{.phases = {Phase{}}};
  for (std::size_t i = 0; i < ring.size(); ++i) {
    StandGoal goal{.tops = {}, .holding = ring[i], .wanting = ring[(i + 1) % ring.size()]};
    if (!places.empty() && !places[i].empty()) goal.tops = places[i];
    problem.phases.front().standing.push_back(std::move(goal));
  }
  return problem;
}

Deadlocks find_deadlocks(const dpn::Network& network, const DeadlockOptions& options) {
  return RingSearch{network, options}.run();
}

}  // namespace lockwood::solver
