#include "frontend/findings/analyses/uncovered_cycles.hpp"

#include <algorithm>

#include "base/graph/digraph.hpp"
#include "solver/analyses/lock_graph.hpp"

namespace lockwood::findings {
namespace {

// Locks as nodes of a graph in which all locks of a kind are one node.
class KindGraph {
 public:
  KindGraph(const program::Program& program, const std::vector<solver::LockEdge>& order) : program_{program} {
    std::size_t kinds = 0;
    for (const program::LockInfo& lock : program.locks)
      if (lock.kind) kinds = std::max<std::size_t>(kinds, *lock.kind + 1);
    count_ = program.locks.size() + kinds;
    nested_.resize(count_);
    std::vector<Edge> edges;
    for (const solver::LockEdge& edge : order) {
      const std::uint32_t from = node(edge.holds);
      const std::uint32_t to = node(edge.wants);
      if (from == to && edge.holds != edge.wants) nested_[from] = true;
      edges.push_back({from, to});
    }
    components_ = strongly_connected_components(Digraph{count_, edges});
  }

  [[nodiscard]] std::uint32_t component(dpn::Lock lock) const { return components_.of[node(lock)]; }

  // By component: a cycle may need three locks of one kind, or two of each of several.
  [[nodiscard]] std::vector<bool> needing_more() const {
    std::vector<std::size_t> kinds(components_.count);
    std::vector<std::size_t> others(components_.count);
    std::vector<bool> found(components_.count);
    for (std::size_t i = 0; i < count_; ++i) {
      ++(i < program_.locks.size() ? others : kinds)[components_.of[i]];
      if (nested_[i] && i >= program_.locks.size()) found[components_.of[i]] = true;
    }
    // Between three locks of a kind that are not nested stand three others.
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = found[i] || kinds[i] > 1 || (kinds[i] == 1 && others[i] > 2);
    return found;
  }

 private:
  [[nodiscard]] std::uint32_t node(dpn::Lock lock) const {
    const auto kind = program_.locks[program::Lock{lock.index()}].kind;
    return static_cast<std::uint32_t>(kind ? program_.locks.size() + *kind : lock.index());
  }

  const program::Program& program_;
  std::size_t count_ = 0;
  std::vector<bool> nested_;
  Components components_;
};

}  // namespace

std::vector<dpn::Lock> uncovered_locks(const program::Program& program, const dpn::Network& network,
                                       const solver::Deadlocks& found, StopToken stop) {
  std::vector<dpn::Lock> uncovered;
  if (std::ranges::none_of(program.locks, [](const program::LockInfo& lock) { return lock.kind.has_value(); }))
    return uncovered;
  const KindGraph graph{program, solver::lock_graph_with_joins(network, stop)};
  std::vector<bool> needing_more = graph.needing_more();
  for (const solver::LockCycle& cycle : found.cycles)
    if (cycle.answer.verdict == dpn::Verdict::Reachable)
      needing_more[graph.component(cycle.shape.locks.front())] = false;
  for (dpn::Lock lock : network.locks().keys())
    if (program.locks[program::Lock{lock.index()}].kind && needing_more[graph.component(lock)])
      uncovered.push_back(lock);
  return uncovered;
}

}  // namespace lockwood::findings
