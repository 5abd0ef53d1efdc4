#include "solver/analyses/deadlock.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <set>

#include "solver/analyses/lock_graph.hpp"

namespace lockwood::solver {
namespace {

using Symbols = std::vector<dpn::StackSymbol>;

class CycleSearch {
 public:
  CycleSearch(const dpn::Network& network, const DeadlockOptions& options) : network_{network}, options_{options} {}

  Deadlocks run() && {
    try {
      graph_ = lock_graph_with_joins(network_, options_.solving.stop);
      leave_out_who_never_waits();
    } catch (const Interrupted& interrupted) {
      return {.cycles = {}, .complete = false, .stopped = interrupted.reason()};
    }
    const auto [shapes, complete] = cycle_shapes(graph_, options_.max_cycles);
    found_.complete = complete;
    assert(shapes.size() <= options_.max_cycles);
    for (std::size_t i = 0; i < shapes.size() && !found_.stopped; ++i) {
      if (options_.on_cycle) options_.on_cycle(i + 1, shapes.size());
      LockCycle cycle{.shape = shapes[i]};
      ask(cycle);
      if (options_.place_of && cycle.answer.verdict == dpn::Verdict::Reachable) {
        report_places(std::move(cycle));
      } else {
        found_.cycles.push_back(std::move(cycle));
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

  // A cycle of more threads than can be asked about stays unknown.
  void ask(LockCycle& cycle) {
    // Anywhere is too much where some wait for nothing.
    if (cycle.places.empty() && !options_.never_waits.empty()) cycle.places = places_by_goal(graph_, cycle.shape);
    cycle.answer = solve(network_, cycle_problem(cycle.shape, cycle.places), options_.solving);
    if (cycle.answer.stopped) found_.stopped = cycle.answer.stopped;
  }

  // Symbols that are one place are together.
  [[nodiscard]] std::vector<Symbols> different_places(const Symbols& symbols) const {
    std::map<std::size_t, Symbols> by_number;
    for (dpn::StackSymbol symbol : symbols) by_number[options_.place_of(symbol)].push_back(symbol);
    std::vector<Symbols> places;
    for (auto& [number, there] : by_number) places.push_back(std::move(there));
    return places;
  }

  // The cycle closes.
  void report_places(LockCycle cycle) {
    std::vector<std::vector<Symbols>> places;
    std::size_t combinations = 1;
    for (const Symbols& symbols : places_by_goal(graph_, cycle.shape)) {
      places.push_back(different_places(symbols));
      combinations = std::min(combinations, options_.max_combinations) * places.back().size();
    }
    assert(std::ranges::none_of(places, [](const auto& there) { return there.empty(); }));
    cycle.places.resize(places.size());
    if (combinations == 1) {
      for (std::size_t i = 0; i < places.size(); ++i) cycle.places[i] = places[i].front();
      found_.cycles.push_back(std::move(cycle));
    } else if (combinations <= options_.max_combinations) {
      report_combinations(cycle, places);
    } else {
      report_each(cycle, places);
    }
  }
  void report_combinations(const LockCycle& cycle, const std::vector<std::vector<Symbols>>& places) {
    std::vector<std::size_t> chosen(places.size());
    while (!found_.stopped) {
      LockCycle there{.shape = cycle.shape, .places = cycle.places};
      for (std::size_t i = 0; i < places.size(); ++i) there.places[i] = places[i][chosen[i]];
      report(std::move(there));
      std::size_t digit = places.size();
      while (digit > 0 && ++chosen[digit - 1] == places[digit - 1].size()) chosen[--digit] = 0;
      if (digit == 0) return;
    }
  }
  void report_each(const LockCycle& cycle, const std::vector<std::vector<Symbols>>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
      for (const Symbols& place : places[i]) {
        if (found_.stopped) return;
        LockCycle there{.shape = cycle.shape, .places = cycle.places};
        there.places[i] = place;
        report(std::move(there));
      }
  }
  void report(LockCycle cycle) {
    ask(cycle);
    if (cycle.answer.verdict != dpn::Verdict::Unreachable) found_.cycles.push_back(std::move(cycle));
  }

  const dpn::Network& network_;
  const DeadlockOptions& options_;
  std::vector<LockEdge> graph_;
  Deadlocks found_;
};

}  // namespace

Problem cycle_problem(const CycleShape& cycle, const std::vector<std::vector<dpn::StackSymbol>>& places) {
  assert(cycle.locks.size() == cycle.through_joins.size());
  Problem problem{.phases = {Phase{}}};
  Phase& phase = problem.phases.front();
  const auto add = [&](StandGoal goal) {
    const std::size_t number = phase.standing.size();
    if (!places.empty() && !places[number].empty()) goal.tops = places[number];
    assert(places.empty() || number < places.size());
    phase.standing.push_back(std::move(goal));
    return number;
  };
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (!cycle.through_joins[i]) {
      add({.tops = {}, .holding = cycle.locks[i], .wanting = cycle.wanted(i)});
      continue;
    }
    const std::size_t waiter = add({.tops = {}, .holding = cycle.locks[i], .wanting = {}, .joining = true});
    phase.awaiting.push_back({waiter, add({.tops = {}, .holding = {}, .wanting = cycle.wanted(i)})});
  }
  return problem;
}

CycleShapes cycle_shapes(const std::vector<LockEdge>& graph, std::size_t limit) {
  const LockCycles cycles = lock_cycles(graph, limit);
  CycleShapes found{.shapes = {}, .complete = cycles.complete};
  for (const std::vector<Lock>& locks : cycles.cycles) {
    std::vector<CycleShape> choices{{.locks = locks, .through_joins = {}}};
    for (std::size_t i = 0; i < locks.size(); ++i) {
      std::vector<CycleShape> longer;
      for (const CycleShape& choice : choices)
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
    // Each arrow of a cycle of locks has an edge, of one kind or the other.
    assert(!choices.empty() && choices.front().through_joins.size() == locks.size());
    std::ranges::move(choices, std::back_inserter(found.shapes));
  }
  return found;
}

std::vector<std::vector<dpn::StackSymbol>> places_by_goal(const std::vector<LockEdge>& graph, const CycleShape& cycle) {
  std::vector<std::vector<dpn::StackSymbol>> places;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const LockEdge* edge = edge_of(graph, cycle.locks[i], cycle.wanted(i), cycle.through_joins[i]);
    std::set<dpn::StackSymbol> tops;
    if (edge != nullptr)
      for (const dpn::Head& head : edge->places) tops.insert(head.top);
    places.emplace_back(tops.begin(), tops.end());
    if (cycle.through_joins[i]) places.push_back(edge == nullptr ? Symbols{} : edge->wanting);
  }
  return places;
}

Deadlocks find_deadlocks(const dpn::Network& network, const DeadlockOptions& options) {
  return CycleSearch{network, options}.run();
}

}  // namespace lockwood::solver
