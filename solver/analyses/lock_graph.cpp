#include "solver/analyses/lock_graph.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <set>

#include "base/graph/digraph.hpp"
#include "dpn/model/control_flow.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/analyses/thread_locks.hpp"
#include "solver/engine/engine.hpp"

namespace lockwood::solver {

namespace {

// Where threads come, with what they hold there: `visit` gets a head with the locks that are held, and with those that
// are held while a given lock is not, if that can be.

// One context of the engine after the other.
class VisitedContexts {
 public:
  explicit VisitedContexts(const Engine& engine) : engine_{engine} {}
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Context& context : engine_.contexts()) {
      const LockSet& held = engine_.domain().lock_set(context.held);
      visit(context.head, held,
            [&](Lock lacking) { return held.contains(lacking) ? std::nullopt : std::optional{held}; });
    }
  }

 private:
  const Engine& engine_;
};

// All contexts of a head together.
class VisitedHeads {
 public:
  explicit VisitedHeads(const ThreadLocks& locks) : locks_{locks} {}
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const dpn::Head& head : locks_.heads()) {
      const LockSet lacked = locks_.lacked(head);
      visit(head, locks_.held(head), [&](Lock lacking) {
        return lacked.contains(lacking) ? std::optional{locks_.held_without(head, lacking)} : std::nullopt;
      });
    }
  }

 private:
  const ThreadLocks& locks_;
};

template <class Visits>
std::vector<LockEdge> edges_of(const dpn::Network& network, const Visits& visits) {
  std::map<std::pair<Lock, Lock>, std::set<dpn::Head>> places;
  visits.for_each([&](dpn::Head head, const LockSet& held, const auto& held_without) {
    if (held.empty()) return;
    for (dpn::RuleId rule : network.rules_from(head)) {
      const auto* monitor = std::get_if<dpn::Monitor>(&network.rule(rule).effect);
      if (monitor == nullptr) continue;
      if (const std::optional<LockSet> others = held_without(monitor->lock))
        others->for_each([&](Lock lock) { places[{lock, monitor->lock}].insert(head); });
    }
  });
  std::vector<LockEdge> edges;
  for (const auto& [edge, heads] : places) edges.push_back({edge.first, edge.second, {heads.begin(), heads.end()}});
  return edges;
}

using MarkedSymbols = IdVector<dpn::StackSymbol, bool>;

void add_all(MarkedSymbols& set, const MarkedSymbols& others) {
  for (dpn::StackSymbol symbol : set.keys()) set[symbol] = set[symbol] || others[symbol];
}

// Where members of groups may stand, and members of the groups that those join, and so on. Control states, locks and
// which frames open a group are ignored, so these may be more than there are.
class MemberPlaces {
 public:
  explicit MemberPlaces(const dpn::Network& network) : network_{network} {
    const auto edges = dpn::flow_edges(network);
    const Digraph own =
        dpn::flow_graph(network, edges, [](const dpn::FlowEdge& edge) { return edge.flow != dpn::Flow::Spawning; });
    const Digraph all = dpn::flow_graph(network, edges, [](const dpn::FlowEdge&) { return true; });
    const MarkedSymbols none(network.stack_symbols().size(), false);
    places_ = IdVector<dpn::Group, MarkedSymbols>(network.groups().size(), none);
    for (const dpn::Rule& rule : network.rules())
      if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect))
        for (const dpn::Membership& membership : spawn->memberships) {
          const auto begin = static_cast<std::uint32_t>(spawn->child.top.index());
          const std::vector<bool> reached =
              reachable_from(membership.all ? all : own, std::vector<std::uint32_t>{begin});
          for (dpn::StackSymbol symbol : network.stack_symbols().keys())
            if (reached[symbol.index()]) places_[membership.group][symbol] = true;
        }
    close();
  }
  [[nodiscard]] const MarkedSymbols& operator[](dpn::Group group) const { return places_[group]; }

 private:
  void close() {
    for (dpn::Group through : network_.groups().keys())  // Warshall's algorithm, over groups that members join
      for (dpn::Group group : network_.groups().keys())
        if (joins(places_[group], through)) add_all(places_[group], places_[through]);
  }
  [[nodiscard]] bool joins(const MarkedSymbols& places, dpn::Group group) const {
    return std::ranges::any_of(network_.rules(), [&](const dpn::Rule& rule) {
      const auto* join = std::get_if<dpn::Join>(&rule.effect);
      return join != nullptr && places[rule.from.top] && std::ranges::count(join->groups, group) > 0;
    });
  }

  const dpn::Network& network_;
  IdVector<dpn::Group, MarkedSymbols> places_;
};

template <class Visits>
void add_edges_through_joins(const dpn::Network& network, const Visits& visits, std::vector<LockEdge>& edges) {
  std::map<Lock, std::set<dpn::StackSymbol>> wanting;  // where threads want a lock that they do not hold
  visits.for_each([&](dpn::Head head, const LockSet&, const auto& held_without) {
    for (dpn::RuleId rule : network.rules_from(head))
      if (const auto* monitor = std::get_if<dpn::Monitor>(&network.rule(rule).effect))
        if (held_without(monitor->lock)) wanting[monitor->lock].insert(head.top);
  });
  const MemberPlaces members{network};
  struct Ends {
    std::set<dpn::Head> waiting;
    std::set<dpn::StackSymbol> wanting;
  };
  std::map<std::pair<Lock, Lock>, Ends> found;
  visits.for_each([&](dpn::Head head, const LockSet& held, const auto&) {
    if (held.empty()) return;
    for (dpn::RuleId rule : network.rules_from(head)) {
      const auto* join = std::get_if<dpn::Join>(&network.rule(rule).effect);
      if (join == nullptr) continue;
      for (dpn::Group group : join->groups)
        for (const auto& [lock, symbols] : wanting)
          for (dpn::StackSymbol symbol : symbols)
            if (members[group][symbol])
              held.for_each([&, wanted = lock](Lock holds) {
                Ends& ends = found[{holds, wanted}];
                ends.waiting.insert(head);
                ends.wanting.insert(symbol);
              });
    }
  });
  for (const auto& [edge, ends] : found)
    edges.push_back({.holds = edge.first,
                     .wants = edge.second,
                     .places = {ends.waiting.begin(), ends.waiting.end()},
                     .through_joins = true,
                     .wanting = {ends.wanting.begin(), ends.wanting.end()}});
}

template <class Visits>
std::vector<LockEdge> edges_by(const dpn::Network& network, const Visits& visits, bool through_joins) {
  std::vector<LockEdge> edges = edges_of(network, visits);
  if (through_joins && network.uses_groups()) add_edges_through_joins(network, visits, edges);
  return edges;
}

// By an engine that visits all places to which executions come, perhaps more. If sets of held locks multiply its
// contexts, what threads hold is found without these sets.
std::vector<LockEdge> edges(const dpn::Network& network, bool through_joins, StopToken stop,
                            std::optional<std::size_t> max_contexts) {
  const Problem problem = unanswerable();
  Engine engine{network,
                problem,
                {.objective = Objective::Any,
                 .width_limit = SolveOptions{}.many_structures,
                 .context_limit = max_contexts.value_or(many_contexts(network, 1)),
                 .stop = stop}};
  (void)engine.run();
  stop.check();
  if (!engine.too_wide() && !engine.too_many_contexts())
    return edges_by(network, VisitedContexts{engine}, through_joins);
  // Without locks there may be places that only executions against the locks come to.
  return edges_by(network, VisitedHeads{ThreadLocks{network, stop}}, through_joins);
}

}  // namespace

std::vector<LockEdge> lock_graph(const dpn::Network& network, StopToken stop, std::optional<std::size_t> max_contexts) {
  return edges(network, false, stop, max_contexts);
}
std::vector<LockEdge> lock_graph_with_joins(const dpn::Network& network, StopToken stop,
                                            std::optional<std::size_t> max_contexts) {
  return edges(network, true, stop, max_contexts);
}

const LockEdge* edge_of(const std::vector<LockEdge>& graph, Lock holds, Lock wants, bool through_joins) {
  const auto at = std::ranges::find_if(graph, [&](const LockEdge& edge) {
    return edge.holds == holds && edge.wants == wants && edge.through_joins == through_joins;
  });
  return at == graph.end() ? nullptr : &*at;
}

std::vector<dpn::StackSymbol> places_of(const std::vector<LockEdge>& graph, Lock holds, Lock wants) {
  std::set<dpn::StackSymbol> places;
  if (const LockEdge* edge = edge_of(graph, holds, wants, false))
    for (const dpn::Head& head : edge->places) places.insert(head.top);
  return {places.begin(), places.end()};
}

// Paths of growing length from each lock through larger locks only, so that each cycle is found once, from its smallest
// lock. Shorter cycles come first because paths are extended breadth first.
LockCycles lock_cycles(const std::vector<LockEdge>& graph, std::size_t limit) {
  std::map<Lock, std::vector<Lock>> next;
  for (const LockEdge& edge : graph)
    if (!edge.through_joins || edge_of(graph, edge.holds, edge.wants, false) == nullptr)
      next[edge.holds].push_back(edge.wants);
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
          assert(std::ranges::min(path) == path.front());  // each cycle is found once, from its least lock
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
