#include "solver/deadlock.hpp"

#include "solver/lock_graph.hpp"

namespace lockwood::solver {

Problem ring_problem(const std::vector<Lock>& ring) {
  Problem problem{.phases = {Phase{}}};
  for (std::size_t i = 0; i < ring.size(); ++i)
    problem.phases.front().standing.push_back({.holding = ring[i], .wanting = ring[(i + 1) % ring.size()]});
  return problem;
}

Deadlocks find_deadlocks(const dpn::Network& network, const DeadlockOptions& options) {
  Deadlocks found;
  std::vector<LockEdge> graph;
  try {
    graph = lock_graph(network, options.solving.stop);
  } catch (const Interrupted& interrupted) {
    return {.rings = {}, .complete = false, .stopped = interrupted.reason()};
  }
  LockCycles cycles = lock_cycles(graph, options.max_cycles);
  found.complete = cycles.complete;
  for (std::vector<Lock>& ring : cycles.cycles) {
    if (options.on_ring) options.on_ring(found.rings.size() + 1, cycles.cycles.size());
    Answer answer = solve(network, ring_problem(ring), options.solving);
    if (answer.stopped) found.stopped = answer.stopped;
    found.rings.push_back({std::move(ring), std::move(answer)});
    if (found.stopped) {
      found.complete = false;
      break;
    }
  }
  return found;
}

}  // namespace lockwood::solver
