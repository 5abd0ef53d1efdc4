#include "solver/analyses/deadlock.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>

#include "solver/analyses/lock_graph.hpp"

namespace lockwood::solver {
namespace {

using Place = std::vector<dpn::StackSymbol>;

class RingSearch {
 public:
  RingSearch(const dpn::Network& network, const DeadlockOptions& options) : network_{network}, options_{options} {}

  Deadlocks run() && {
    try {
      graph_ = lock_graph_with_joins(network_, options_.solving.stop);
      leave_out_who_never_waits();
    } catch (const Interrupted& interrupted) {
      return {.rings = {}, .complete = false, .stopped = interrupted.reason()};
    }
    const auto [shapes, complete] = ring_shapes(graph_, options_.max_cycles);
    found_.complete = complete;
    for (std::size_t i = 0; i < shapes.size() && !found_.stopped; ++i) {
      if (options_.on_ring) options_.on_ring(i + 1, shapes.size());
      LockRing ring{.shape = shapes[i]};
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
  void leave_out_who_never_waits() {
    if (options_.never_waits.empty()) return;
    const auto goes_on = [&](dpn::StackSymbol symbol) {
      return std::ranges::binary_search(options_.never_waits, symbol);
    };
    for (LockEdge& edge : graph_) {
      if (!edge.through_joins) std::erase_if(edge.places, [&](const dpn::Head& head) { return goes_on(head.top); });
      std::erase_if(edge.wanting, goes_on);
    }
    std::erase_if(graph_, [](const LockEdge& edge) {
      return edge.places.empty() || (edge.through_joins && edge.wanting.empty());
    });
  }

  // A ring of more threads than can be asked about stays unknown.
  void ask(LockRing& ring) {
    // Anywhere is too much where some wait for nothing.
    if (ring.places.empty() && !options_.never_waits.empty()) ring.places = places_by_goal(graph_, ring.shape);
    ring.answer = solve(network_, ring_problem(ring.shape, ring.places), options_.solving);
    if (ring.answer.stopped) found_.stopped = ring.answer.stopped;
  }

  // Symbols that are one place are together.
  [[nodiscard]] std::vector<Place> different_places(const Place& symbols) const {
    std::map<std::size_t, Place> by_number;
    for (dpn::StackSymbol symbol : symbols) by_number[options_.place_of(symbol)].push_back(symbol);
    std::vector<Place> places;
    for (auto& [number, there] : by_number) places.push_back(std::move(there));
    return places;
  }

  // The ring closes.
  void tell_places(LockRing ring) {
    std::vector<std::vector<Place>> places;
    std::size_t combinations = 1;
    for (const Place& symbols : places_by_goal(graph_, ring.shape)) {
      places.push_back(different_places(symbols));
      combinations = std::min(combinations, options_.most_combinations) * places.back().size();
    }
    ring.places.resize(places.size());
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
      LockRing there{.shape = ring.shape, .places = ring.places};
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
        LockRing there{.shape = ring.shape, .places = ring.places};
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

Problem ring_problem(const RingShape& ring, const std::vector<std::vector<dpn::StackSymbol>>& places) {
  assert(ring.locks.size() == ring.through_joins.size());
  Problem problem{.phases = {Phase{}}};
  Phase& phase = problem.phases.front();
  const auto add = [&](StandGoal goal) {
    const std::size_t number = phase.standing.size();
    if (!places.empty() && !places[number].empty()) goal.tops = places[number];
    phase.standing.push_back(std::move(goal));
    return number;
  };
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (!ring.through_joins[i]) {
      add({.tops = {}, .holding = ring.locks[i], .wanting = ring.wanted(i)});
      continue;
    }
    const std::size_t waiter = add({.tops = {}, .holding = ring.locks[i], .wanting = {}, .joining = true});
    phase.awaiting.push_back({waiter, add({.tops = {}, .holding = {}, .wanting = ring.wanted(i)})});
  }
  return problem;
}

RingShapes ring_shapes(const std::vector<LockEdge>& graph, std::size_t limit) {
  const LockCycles cycles = lock_cycles(graph, limit);
  RingShapes found{.shapes = {}, .complete = cycles.complete};
  for (const std::vector<Lock>& locks : cycles.cycles) {
    std::vector<RingShape> choices{{.locks = locks, .through_joins = {}}};
    for (std::size_t i = 0; i < locks.size(); ++i) {
      std::vector<RingShape> longer;
      for (const RingShape& choice : choices)
        for (const bool through_joins : {false, true}) {
          if (edge_of(graph, locks[i], choice.wanted(i), through_joins) == nullptr) continue;
          longer.push_back(choice);
          longer.back().through_joins.push_back(through_joins);
        }
      choices = std::move(longer);
      if (found.shapes.size() + choices.size() <= limit) continue;
      found.complete = false;
      return found;
    }
    std::ranges::move(choices, std::back_inserter(found.shapes));
  }
  return found;
}

std::vector<std::vector<dpn::StackSymbol>> places_by_goal(const std::vector<LockEdge>& graph, const RingShape& ring) {
  std::vector<std::vector<dpn::StackSymbol>> places;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LockEdge* edge = edge_of(graph, ring.locks[i], ring.wanted(i), ring.through_joins[i]);
    std::set<dpn::StackSymbol> tops;
    if (edge != nullptr)
      for (const dpn::Head& head : edge->places) tops.insert(head.top);
    places.emplace_back(tops.begin(), tops.end());
    if (ring.through_joins[i]) places.push_back(edge == nullptr ? Place{} : edge->wanting);
  }
  return places;
}

Deadlocks find_deadlocks(const dpn::Network& network, const DeadlockOptions& options) {
  return RingSearch{network, options}.run();
}

}  // namespace lockwood::solver
