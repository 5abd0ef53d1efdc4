#include "solver/analyses/lock_graph.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "solver/analyses/solve.hpp"
#include "solver/engine/engine.hpp"

namespace lockwood::solver {

namespace {

// From the contexts that it has visited.
std::vector<LockEdge> edges_of(const Engine& engine) {
  std::map<std::pair<Lock, Lock>, std::set<dpn::Head>> places;
  for (const Context& context : engine.contexts()) {
    const LockSet& held = engine.domain().lock_set(context.held);
    if (held.empty()) continue;
    for (dpn::RuleId rule : engine.network().rules_from(context.head)) {
      const auto* monitor = std::get_if<dpn::Monitor>(&engine.network().rule(rule).effect);
      if (monitor == nullptr || held.contains(monitor->lock)) continue;
      held.for_each([&](Lock lock) { places[{lock, monitor->lock}].insert(context.head); });
    }
  }
  std::vector<LockEdge> edges;
  for (const auto& [edge, heads] : places) edges.push_back({edge.first, edge.second, {heads.begin(), heads.end()}});
  return edges;
}

}  // namespace

std::vector<LockEdge> lock_graph(const dpn::Network& network, StopToken stop) {
  const Problem problem = unanswerable();
  Engine engine{
      network, problem, {.objective = Objective::Any, .width_limit = SolveOptions{}.many_structures, .stop = stop}};
  (void)engine.run();
  stop.check();
  if (!engine.too_wide()) return edges_of(engine);
  // Without locks there may be places that only executions against the locks come to.
  Problem without_locks = problem;
  without_locks.semantics = dpn::Semantics::LockInsensitive;
  Engine simpler{network, without_locks, {.objective = Objective::Any, .stop = stop}};
  (void)simpler.run();
  stop.check();
  return edges_of(simpler);
}

// Paths of growing length from each lock through larger locks only, so that each cycle is found once, from its smallest
// lock. Shorter cycles come first because paths are extended breadth first.
std::vector<dpn::StackSymbol> places_of(const std::vector<LockEdge>& graph, Lock holds, Lock wants) {
  std::set<dpn::StackSymbol> places;
  for (const LockEdge& edge : graph)
    if (edge.holds == holds && edge.wants == wants)
      for (const dpn::Head& head : edge.places) places.insert(head.top);
  return {places.begin(), places.end()};
}

LockCycles lock_cycles(const std::vector<LockEdge>& graph, std::size_t limit) {
  std::map<Lock, std::vector<Lock>> next;
  for (const LockEdge& edge : graph) next[edge.holds].push_back(edge.wants);
  // Whether a cycle through `to` can still be closed is decided by reachability, so that dead ends do not pile up.
  const auto reaches = [&](Lock from, Lock to) {
    std::set<Lock> seen{from};
    std::vector<Lock> pending{from};
    while (!pending.empty()) {
      const Lock lock = pending.back();
      pending.pop_back();
      if (lock == to) return true;
      for (Lock successor : next[lock])
        if (successor >= to && seen.insert(successor).second) pending.push_back(successor);
    }
    return false;
  };

  LockCycles found;
  std::vector<std::vector<Lock>> paths;
  for (const auto& [lock, successors] : std::map{next}) paths.push_back({lock});
  const std::size_t work_limit = 100 * limit;
  while (!paths.empty()) {
    std::vector<std::vector<Lock>> longer;
    for (const auto& path : paths)
      for (Lock successor : next[path.back()]) {
        if (successor == path.front()) {
          if (found.cycles.size() == limit) return found.complete = false, found;
          found.cycles.push_back(path);
        } else if (successor > path.front() && !std::ranges::count(path, successor) &&
                   reaches(successor, path.front())) {
          if (longer.size() == work_limit) return found.complete = false, found;
          longer.push_back(path);
          longer.back().push_back(successor);
        }
      }
    paths = std::move(longer);
  }
  return found;
}

}  // namespace lockwood::solver
