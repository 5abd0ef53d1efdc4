#include "tests/oracle/dpn/join_theorem.hpp"

#include <set>
#include <utility>
#include <vector>

#include "dpn/semantics/small_step.hpp"
#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn::reference {
namespace {

using Edges = std::set<std::pair<Lock, Lock>>;

bool cyclic(const Edges& edges) {
  Edges closed = edges;
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [a, b] : Edges{closed})
      for (const auto& [c, d] : Edges{closed})
        if (b == c && closed.insert({a, d}).second) grown = true;
  }
  for (const auto& [from, to] : closed)
    if (from == to) return true;
  return false;
}

// One operation that takes a lock.
struct Operation {
  NodeId taken;
  Lock lock;
  std::optional<NodeId> given_back;  // the return
  [[nodiscard]] ThreadId thread(const TreeThreads& threads) const { return threads.thread[taken]; }
};

class Theorem {
 public:
  Theorem(const Network& network, const ExecutionTree& tree)
      : network_{network}, tree_{tree}, threads_{threads_of(tree)}, before_(tree.size() * tree.size()) {
    for (NodeId node : tree.nodes()) {
      if (!tree.takes_lock(node)) continue;
      operations_.push_back({node, std::get<Monitor>(network.rule(tree.rule(node)).effect).lock, std::nullopt});
      for (NodeId other : tree.nodes())
        if (other != node && threads_.entry[other] == node) operations_.back().given_back = other;
    }
    relate();
  }

  [[nodiscard]] std::optional<int> violated() const {
    for (std::uint32_t phase = 0; phase < threads_.phases; ++phase) {
      if (clash(phase)) return 2;
      if (cyclic(acquisition_graph(phase))) return 3;
      if (cyclic(release_graph(phase))) return 4;
      if (held_across(phase)) return 5;
    }
    return std::nullopt;
  }

 private:
  // Program order, forks, and for each join what the small-step semantics says: running the tree in the order of its
  // nodes, the members are those of the joining thread's groups when it comes to the join.
  void relate() {
    for (ThreadId thread : threads_.starts.keys()) {
      const auto path = threads_.path(thread);
      for (std::size_t i = 1; i < path.size(); ++i) put(path[i - 1], path[i]);
    }
    Configuration configuration = initial_configuration(network_);
    for (NodeId node : tree_.nodes()) {
      if (has_head(tree_.kind(node))) continue;
      const ThreadId thread = threads_.thread[node];
      if (tree_.kind(node) == NodeKind::Spawn) put(node, tree_.first_child(node));
      if (const auto* join = std::get_if<Join>(&network_.rule(tree_.rule(node)).effect))
        for (const Group group : join->groups)
          if (const OpenGroup* open = open_group(configuration.threads[thread], group))
            for (const Member& member : open->members) wait(configuration, member, node);
      apply(network_, configuration, {thread, tree_.rule(node)});
    }
    for (NodeId k : tree_.nodes())
      for (NodeId i : tree_.nodes())
        for (NodeId j : tree_.nodes())
          if (before(i, k) && before(k, j)) put(i, j);
  }
  void wait(const Configuration& configuration, const Member& member, NodeId join) {
    for (ThreadId thread : configuration.threads.keys()) {
      std::optional<ThreadId> ancestor = thread;
      while (ancestor && *ancestor != member.thread) ancestor = configuration.threads[*ancestor].parent;
      if (thread == member.thread || (member.all && ancestor)) put(threads_.path(thread).back(), join);
    }
  }
  void put(NodeId first, NodeId second) { before_[first.index() * tree_.size() + second.index()] = true; }
  [[nodiscard]] bool before(NodeId first, NodeId second) const {
    return before_[first.index() * tree_.size() + second.index()];
  }

  [[nodiscard]] bool made_in(const Operation& operation, std::uint32_t phase) const {
    return threads_.phase[operation.taken] == phase;
  }
  [[nodiscard]] bool given_back_in(const Operation& operation, std::uint32_t phase) const {
    return operation.given_back && threads_.phase[*operation.given_back] == phase;
  }
  [[nodiscard]] bool lasts(const Operation& operation, std::uint32_t phase) const {
    return made_in(operation, phase) && !given_back_in(operation, phase);
  }
  [[nodiscard]] bool held_throughout(const Operation& operation, std::uint32_t phase) const {
    return threads_.phase[operation.taken] < phase &&
           (!operation.given_back || threads_.phase[*operation.given_back] > phase);
  }

  [[nodiscard]] bool clash(std::uint32_t phase) const {
    for (const Operation& a : operations_)
      for (const Operation& b : operations_) {
        if (a.taken == b.taken || a.lock != b.lock) continue;
        if (lasts(a, phase) && lasts(b, phase)) return true;
        if (held_throughout(a, phase) && made_in(b, phase)) return true;
      }
    return false;
  }
  [[nodiscard]] Edges acquisition_graph(std::uint32_t phase) const {
    Edges edges;
    for (const Operation& a : operations_)
      for (const Operation& b : operations_)
        if (lasts(a, phase) && made_in(b, phase) && before(a.taken, b.taken)) edges.insert({a.lock, b.lock});
    return edges;
  }
  [[nodiscard]] Edges release_graph(std::uint32_t phase) const {
    Edges edges;
    for (const Operation& a : operations_)
      for (const Operation& b : operations_)
        if (threads_.phase[a.taken] < phase && given_back_in(a, phase) && made_in(b, phase) &&
            before(b.taken, *a.given_back))
          edges.insert({b.lock, a.lock});
    return edges;
  }
  [[nodiscard]] bool held_across(std::uint32_t phase) const {
    for (const Operation& a : operations_)
      for (const Operation& b : operations_)
        if (a.lock == b.lock && a.thread(threads_) != b.thread(threads_) && made_in(a, phase) &&
            given_back_in(a, phase) && before(a.taken, b.taken) && before(b.taken, *a.given_back))
          return true;
    return false;
  }

  const Network& network_;
  const ExecutionTree& tree_;
  TreeThreads threads_;
  std::vector<bool> before_;
  std::vector<Operation> operations_;
};

}  // namespace

std::optional<int> violated_condition(const Network& network, const ExecutionTree& tree) {
  return Theorem{network, tree}.violated();
}

}  // namespace lockwood::dpn::reference
