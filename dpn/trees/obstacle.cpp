#include "dpn/trees/obstacle.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/graph/range_graph.hpp"
#include "dpn/semantics/describe.hpp"
#include "dpn/semantics/thread_name.hpp"
#include "dpn/trees/tree_joins.hpp"
#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {
namespace {

Lock lock_of(const Network& network, const ExecutionTree& tree, NodeId node) {
  return std::get<Monitor>(network.rule(tree.rule(node)).effect).lock;
}

// The conditions of consistency (docs/theory.md), phase by phase, each with the nodes that violate it. Neither graph is
// built edge by edge. In both, the successors of a lock are the locks taken at nodes which are consecutive in a
// suitable order: for the acquisition graph the region of the node that keeps it, in preorder; for the release graph
// (with its edges turned round, which keeps its cycles) what its thread does in the phase up to the release.
class ObstacleSearch {
 public:
  ObstacleSearch(const Network& network, const ExecutionTree& tree, const IdVector<Lock, bool>* excluding)
      : network_{network},
        tree_{tree},
        threads_{threads_of(tree)},
        joins_{joins_of(network, tree, threads_)},
        joins_of_thread_(threads_.starts.size()),
        taking_(threads_.phases),
        taking_of_thread_(threads_.starts.size()),
        releases_(threads_.phases),
        ends_{subtree_ends(tree)},
        holder_(network.locks().size()),
        keeper_(network.locks().size()) {
    const auto excludes = [&](NodeId node) {
      return tree.takes_lock(node) && (excluding == nullptr || (*excluding)[lock(node)]);
    };
    for (NodeId node : tree.nodes()) {
      if (excludes(node)) taking_[threads_.phase[node]].push_back(node);
      const NodeId entry = threads_.entry[node];
      if (entry != node && excludes(entry) && threads_.phase[entry] < threads_.phase[node])
        releases_[threads_.phase[node]].push_back(node);
      if (excludes(node) && !joins_.joins.empty()) taking_of_thread_[threads_.thread[node]].push_back(node);
    }
    for (const TreeJoin& join : joins_.joins) joins_of_thread_[threads_.thread[join.node]].push_back(&join);
  }

  std::optional<Obstacle> run() {
    for (phase_ = 0; phase_ < threads_.phases; ++phase_) {
      if (auto found = release_cycle()) return found;
      for (NodeId release : releases_[phase_]) holder_[lock(threads_.entry[release])].reset();
      if (auto found = conflict()) return found;
      if (auto found = held_across_join()) return found;
      if (auto found = acquisition_cycle()) return found;
      for (NodeId node : taking_[phase_])
        if (keeps(node)) holder_[lock(node)] = node;
    }
    return std::nullopt;
  }

 private:
  // The order of threads, and in a thread that of execution.
  [[nodiscard]] auto by_thread() const {
    return [this](NodeId node) { return std::pair{threads_.thread[node], node}; };
  }

  static IdVector<NodeId, std::size_t> subtree_ends(const ExecutionTree& tree) {
    IdVector<NodeId, std::size_t> ends(tree.size());
    for (std::size_t index = tree.size(); index-- > 0;) {
      const NodeId node{index};
      switch (rank(tree.kind(node))) {
        case 0: ends[node] = index + 1; break;
        case 1: ends[node] = ends[tree.first_child(node)]; break;
        default: ends[node] = ends[tree.second_child(node)];
      }
    }
    return ends;
  }

  // Requires that holder_ has the locks that are held throughout the phase.
  std::optional<Obstacle> conflict() {
    std::ranges::fill(keeper_, std::nullopt);
    for (NodeId node : taking_[phase_]) {
      if (const auto holder = holder_[lock(node)]) return HeldThroughout{phase_, lock(node), *holder, node};
      if (!keeps(node)) continue;
      if (const auto first = keeper_[lock(node)]) {
        const auto order = by_thread();
        const auto [earlier, later] = order(node) < order(*first) ? std::pair{node, *first} : std::pair{*first, node};
        return KeptTwice{phase_, lock(node), earlier, later};
      }
      keeper_[lock(node)] = node;
    }
    return std::nullopt;
  }

  std::optional<Obstacle> acquisition_cycle() {
    const std::vector<NodeId>& nodes = taking_[phase_];
    std::vector<NodeId> keepers;
    std::ranges::copy_if(nodes, std::back_inserter(keepers), [this](NodeId node) { return keeps(node); });
    const auto region = [&](NodeId node) {
      const std::size_t end = tree_.kind(node) == NodeKind::Acq ? ends_[node] : tree_.second_child(node).index();
      const auto begin = std::ranges::upper_bound(nodes, node);
      return std::pair{begin, std::ranges::lower_bound(begin, nodes.end(), NodeId{end})};
    };
    if (auto edges = cycle(keepers, nodes, region)) return AcquisitionCycle{phase_, std::move(*edges)};
    return std::nullopt;
  }

  // What is taken in this phase by the threads that are awaited, and by those that they wait for in turn.
  void add_taken(const AwaitedThreads& awaited, std::vector<NodeId>& taken) const {
    std::vector<AwaitedThreads> worklist{awaited};
    while (!worklist.empty()) {
      const AwaitedThreads next = worklist.back();
      worklist.pop_back();
      for (ThreadId thread : IdRange<ThreadId>{next.first.index(), next.end.index()}) {
        for (NodeId node : taking_of_thread_[thread])
          if (threads_.phase[node] == phase_) taken.push_back(node);
        for (const TreeJoin* join : joins_of_thread_[thread])
          if (threads_.phase[join->node] == phase_)
            worklist.insert(worklist.end(), join->awaited.begin(), join->awaited.end());
      }
    }
  }

  // Condition 5 of docs/theory.md, Sect. 10.3: each passing operation around a join and a fork of a thread that it
  // waits for.
  std::optional<Obstacle> held_across_join() const {
    for (const TreeJoin& join : joins_.joins) {
      if (threads_.phase[join.node] != phase_) continue;
      const ThreadId thread = threads_.thread[join.node];
      const auto path = threads_.path(thread);
      for (const AwaitedThreads& awaited : join.awaited) {
        std::vector<NodeId> taken;
        for (NodeId holder : taking_of_thread_[thread]) {
          if (holder > path[awaited.fork] || threads_.phase[holder] != phase_ || keeps(holder)) continue;
          if (tree_.second_child(holder) <= join.node) continue;
          if (taken.empty()) add_taken(awaited, taken);
          for (NodeId taker : taken)
            if (lock(taker) == lock(holder)) return HeldAcrossJoin{phase_, lock(holder), holder, taker, join.node};
        }
      }
    }
    return std::nullopt;
  }

  // With joins, what comes before a release is not consecutive anywhere: it is listed for each.
  std::optional<Obstacle> release_cycle_with_joins() const {
    std::vector<NodeId> holders;
    std::vector<NodeId> before;                               // for one release after the other
    std::vector<std::pair<std::size_t, std::size_t>> places;  // in these
    for (NodeId release : releases_[phase_]) {
      const ThreadId thread = threads_.thread[release];
      const std::size_t begin = before.size();
      for (NodeId node : taking_of_thread_[thread])
        if (threads_.phase[node] == phase_ && node < release) before.push_back(node);
      for (const TreeJoin* join : joins_of_thread_[thread])
        if (threads_.phase[join->node] == phase_ && join->node < release)
          for (const AwaitedThreads& awaited : join->awaited) add_taken(awaited, before);
      holders.push_back(threads_.entry[release]);
      places.emplace_back(begin, before.size());
    }
    std::size_t next = 0;
    const auto until_release = [&](NodeId) {
      const auto [begin, end] = places[next++];
      return std::pair{before.begin() + static_cast<std::ptrdiff_t>(begin),
                       before.begin() + static_cast<std::ptrdiff_t>(end)};
    };
    if (auto edges = cycle(holders, before, until_release)) return ReleaseCycle{phase_, std::move(*edges)};
    return std::nullopt;
  }

  std::optional<Obstacle> release_cycle() {
    if (!joins_.joins.empty()) return release_cycle_with_joins();
    std::vector<NodeId> nodes = taking_[phase_];
    std::ranges::sort(nodes, {}, by_thread());
    std::vector<NodeId> holders;
    for (NodeId node : releases_[phase_]) holders.push_back(threads_.entry[node]);
    const auto until_release = [&](NodeId holder) {
      const ThreadId thread = threads_.thread[holder];
      const NodeId after = tree_.second_child(holder);
      const auto begin = std::ranges::lower_bound(nodes, std::pair{thread, holder}, {}, by_thread());
      return std::pair{begin, std::ranges::lower_bound(begin, nodes.end(), std::pair{thread, after}, {}, by_thread())};
    };
    if (auto edges = cycle(holders, nodes, until_release)) return ReleaseCycle{phase_, std::move(*edges)};
    return std::nullopt;
  }

  // A shortest cycle of the graph on the locks of these nodes, which are all different; from each, edges lead to the
  // locks taken by those of `takers` that `successors` gives as a pair of iterators.
  template <class Successors>
  std::optional<std::vector<LockEdge>> cycle(const std::vector<NodeId>& holders, const std::vector<NodeId>& takers,
                                             const Successors& successors) const {
    RangeGraph graph;
    IdVector<Lock, std::optional<std::uint32_t>> vertex(network_.locks().size());
    for (NodeId holder : holders) {
      const auto [begin, end] = successors(holder);
      vertex[lock(holder)] = static_cast<std::uint32_t>(graph.successors.size());
      graph.successors.push_back(
          {static_cast<std::size_t>(begin - takers.begin()), static_cast<std::size_t>(end - takers.begin())});
    }
    for (NodeId taker : takers) graph.targets.push_back(vertex[lock(taker)]);
    const auto found = shortest_cycle(graph);
    if (!found) return std::nullopt;
    std::vector<LockEdge> edges;
    for (const auto& [from, place] : *found) edges.push_back({lock(holders[from]), holders[from], takers[place]});
    const auto first =
        std::ranges::min_element(edges, {}, [this](const LockEdge& edge) { return by_thread()(edge.holder); });
    std::rotate(edges.begin(), first, edges.end());
    return edges;
  }

  // Of a node that takes a lock in this phase.
  [[nodiscard]] bool keeps(NodeId node) const {
    return tree_.kind(node) == NodeKind::Acq || threads_.phase[tree_.second_child(node)] > phase_;
  }
  [[nodiscard]] Lock lock(NodeId node) const { return lock_of(network_, tree_, node); }

  const Network& network_;
  const ExecutionTree& tree_;
  TreeThreads threads_;
  TreeJoins joins_;
  IdVector<ThreadId, std::vector<const TreeJoin*>> joins_of_thread_;
  std::vector<std::vector<NodeId>> taking_;                   // nodes that take a lock, by phase, ascending
  IdVector<ThreadId, std::vector<NodeId>> taking_of_thread_;  // the same by thread, if there are joins
  std::vector<std::vector<NodeId>> releases_;     // returns that give back a lock taken in an earlier phase, by phase
  IdVector<NodeId, std::size_t> ends_;            // of subtrees in preorder
  IdVector<Lock, std::optional<NodeId>> holder_;  // the node that took it in an earlier phase, if it is still held
  IdVector<Lock, std::optional<NodeId>> keeper_;  // the node that keeps it in this phase
  std::uint32_t phase_ = 0;
};

// Obstacles in words.
class Words {
 public:
  Words(const Network& network, const ExecutionTree& tree)
      : network_{network}, tree_{tree}, threads_{threads_of(tree)} {
    std::vector<std::uint32_t> spawned(threads_.starts.size(), 0);
    for (const TreeThreads::Start& start : threads_.starts)
      ordinals_.push_back(start.parent ? ++spawned[start.parent->index()] : 0);
  }

  std::string operator()(const KeptTwice& twice) const {
    return name(twice.first) + " takes " + lock(twice.lock) + at(twice.first) + " and " + name(twice.second) +
           " takes it too" + at(twice.second) + ", and both keep it to the end" +
           (threads_.phases > 1 ? " of phase " + std::to_string(twice.phase + 1) : "");
  }
  std::string operator()(const HeldThroughout& held) const {
    return name(held.holder) + " holds " + lock(held.lock) + taken(held.holder) + " throughout phase " +
           std::to_string(held.phase + 1) + ", in which " + name(held.taker) + " needs it" + at(held.taker);
  }
  std::string operator()(const AcquisitionCycle& cycle) const {
    return in_phase(cycle.phase) + sentence(cycle.edges, [&](const LockEdge& edge, Lock next) {
             std::string text = name(edge.holder) + " holds " + lock(edge.lock) + taken(edge.holder) + " and ";
             if (threads_.thread[edge.holder] != threads_.thread[edge.taker])
               text += name(edge.taker) + ", started after that, ";
             return text + "needs " + lock(next) + at(edge.taker);
           });
  }
  std::string operator()(const ReleaseCycle& cycle) const {
    return in_phase(cycle.phase) + sentence(cycle.edges, [&](const LockEdge& edge, Lock next) {
             if (threads_.thread[edge.holder] != threads_.thread[edge.taker])
               return name(edge.holder) + " holds " + lock(edge.lock) + taken(edge.holder) +
                      " and joins a thread, but " + name(edge.taker) + " needs " + lock(next) + at(edge.taker) +
                      " before that";
             return name(edge.holder) + " holds " + lock(edge.lock) + taken(edge.holder) + " and needs " + lock(next) +
                    at(edge.taker) + " before it gives " + lock(edge.lock) + " back";
           });
  }
  std::string operator()(const HeldAcrossJoin& held) const {
    return in_phase(held.phase) + name(held.holder) + " holds " + lock(held.lock) + taken(held.holder) + " and joins" +
           at(held.join) + " a thread that it started inside, but " + name(held.taker) + " needs " + lock(held.lock) +
           at(held.taker) + " before that";
  }

 private:
  template <class Clause>
  std::string sentence(const std::vector<LockEdge>& edges, const Clause& clause) const {
    std::string text;
    for (std::size_t i = 0; i < edges.size(); ++i)
      text += (i == 0 ? "" : "; ") + clause(edges[i], edges[(i + 1) % edges.size()].lock);
    return text;
  }
  [[nodiscard]] std::string in_phase(std::uint32_t phase) const {
    return threads_.phases > 1 ? "in phase " + std::to_string(phase + 1) + ", " : "";
  }
  // Of the thread that the node belongs to.
  [[nodiscard]] std::string name(NodeId node) const {
    std::vector<std::uint32_t> ordinals;
    for (ThreadId thread = threads_.thread[node]; threads_.starts[thread].parent;
         thread = *threads_.starts[thread].parent)
      ordinals.push_back(ordinals_[thread]);
    return thread_name(std::move(ordinals));
  }
  [[nodiscard]] std::string point(NodeId node) const {
    return describe(network_, network_.rule(tree_.rule(node)).from);
  }
  [[nodiscard]] std::string at(NodeId node) const { return " (at " + point(node) + ')'; }
  [[nodiscard]] std::string taken(NodeId node) const { return " (taken at " + point(node) + ')'; }
  [[nodiscard]] std::string lock(Lock lock) const { return std::string{network_.locks().shown(lock)}; }

  const Network& network_;
  const ExecutionTree& tree_;
  TreeThreads threads_;
  IdVector<ThreadId, std::uint32_t> ordinals_;  // it is the ordinal-th thread spawned by its parent, from 1
};

}  // namespace

std::optional<Obstacle> obstacle(const Network& network, const ExecutionTree& tree,
                                 const IdVector<Lock, bool>* excluding) {
  return ObstacleSearch{network, tree, excluding}.run();
}

std::vector<Lock> locks_of(const Obstacle& obstacle) {
  std::vector<Lock> locks;
  if (const auto* twice = std::get_if<KeptTwice>(&obstacle)) locks.push_back(twice->lock);
  if (const auto* held = std::get_if<HeldThroughout>(&obstacle)) locks.push_back(held->lock);
  const auto add = [&](const std::vector<LockEdge>& edges) {
    for (const LockEdge& edge : edges) locks.push_back(edge.lock);
  };
  if (const auto* cycle = std::get_if<AcquisitionCycle>(&obstacle)) add(cycle->edges);
  if (const auto* cycle = std::get_if<ReleaseCycle>(&obstacle)) add(cycle->edges);
  if (const auto* held = std::get_if<HeldAcrossJoin>(&obstacle)) locks.push_back(held->lock);
  return locks;
}

std::string to_text(const Network& network, const ExecutionTree& tree, const Obstacle& obstacle) {
  return std::visit(Words{network, tree}, obstacle);
}

}  // namespace lockwood::dpn
