#include "dpn/trees/tree_validity.hpp"

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "dpn/semantics/describe.hpp"
#include "dpn/trees/tree_joins.hpp"
#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {
namespace {

constexpr RuleKind rule_kind(NodeKind kind) {
  switch (kind) {
    case NodeKind::Ret: return RuleKind::Return;
    case NodeKind::Base: return RuleKind::Base;
    case NodeKind::NCall:
    case NodeKind::RCall: return RuleKind::Call;
    case NodeKind::Spawn: return RuleKind::Spawn;
    case NodeKind::Join: return RuleKind::Join;
    case NodeKind::Forget: return RuleKind::Forget;
    default: return RuleKind::Monitor;
  }
}

// Follows each thread along its path, parents before their children.
class Check {
 public:
  Check(const Network& network, const ExecutionTree& tree)
      : network_{network},
        tree_{tree},
        threads_{threads_of(tree)},
        start_(threads_.starts.size(), network.initial()),
        holds_(network.locks().size()) {}

  std::optional<TreeProblem> run() {
    for (ThreadId thread : threads_.starts.keys())
      if (auto problem = follow(thread)) return problem;
    return join_problem();
  }

 private:
  struct Open {  // a call or monitor whose body the thread is in
    StackSymbol return_point;
    std::optional<Lock> lock;
    NodeKind kind;
  };

  // Condition 1 of docs/theory.md, Sect. 10.3.
  [[nodiscard]] std::optional<TreeProblem> join_problem() const {
    if (!network_.uses_groups()) return std::nullopt;
    const TreeJoins joins = joins_of(network_, tree_, threads_);
    for (const TreeJoin& join : joins.joins)
      for (const AwaitedThreads& awaited : join.awaited)
        if (const auto end = joins.end_of(awaited); !end || *end > threads_.phase[join.node])
          return TreeProblem{join.node, "the thread waits for another one that has not ended"};
    return std::nullopt;
  }

  std::optional<TreeProblem> follow(ThreadId thread) {
    at_ = start_[thread];
    for (NodeId node : threads_.path(thread))
      if (auto reason = step(node)) return TreeProblem{node, *std::move(reason)};
    for (; !open_.empty(); open_.pop_back())
      if (open_.back().lock) --holds_[*open_.back().lock];
    return std::nullopt;
  }

  // Makes the step of a node, or says why it cannot be made.
  std::optional<std::string> step(NodeId node) {
    const NodeKind kind = tree_.kind(node);
    if (has_head(kind)) return stand(node);
    if (!network_.rules().contains(tree_.rule(node))) return "there is no such rule";
    const Rule& rule = network_.rule(tree_.rule(node));
    if (rule.kind() != rule_kind(kind))
      return "a rule of another kind: " + describe(network_, network_.rule(tree_.rule(node)));
    if (rule.from != at_)
      return "the thread is at " + describe(network_, at_) +
             ", not where the rule begins: " + describe(network_, network_.rule(tree_.rule(node)));
    if (const auto to = step_of(rule)) at_ = *to;
    if (const auto* ret = std::get_if<Return>(&rule.effect)) return leave(*ret);
    if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
      at_ = spawn->parent;
      start_[threads_.thread[tree_.first_child(node)]] = spawn->child;
    }
    if (const auto entry = entry_of(rule)) return enter(node, *entry);
    return std::nullopt;
  }

  std::optional<std::string> stand(NodeId node) {
    if (tree_.head(node) != at_) return "the thread is at " + describe(network_, at_) + ", which the node does not say";
    if (tree_.kind(node) == NodeKind::Cut) return std::nullopt;
    for (const Open& open : open_)
      if (is_returning(open.kind)) return "the thread is in a body that is said to return";
    if (threads_.phase[node] + 1 != threads_.phases)
      return "the thread is in phase " + std::to_string(threads_.phase[node]) + ", but the last phase is " +
             std::to_string(threads_.phases - 1);
    return std::nullopt;
  }

  std::optional<std::string> leave(const Return& ret) {
    at_.control = ret.to;
    if (open_.empty()) return std::nullopt;  // the thread ends
    if (!is_returning(open_.back().kind)) return "a return from a body that is said not to return";
    at_.top = open_.back().return_point;
    if (open_.back().lock) --holds_[*open_.back().lock];
    open_.pop_back();
    return std::nullopt;
  }

  std::optional<std::string> enter(NodeId node, const Entry& entry) {
    if (entry.lock) {
      const Reentrance actual = holds_[*entry.lock] > 0 ? Reentrance::Yes : Reentrance::No;
      const std::string lock{network_.locks().shown(*entry.lock)};
      if (tree_.reentrance(node) != actual)
        return actual == Reentrance::Yes ? "the thread holds " + lock + " already, but the node is not marked reentrant"
                                         : "the node is marked reentrant, but the thread does not hold " + lock;
      ++holds_[*entry.lock];
    }
    open_.push_back({entry.return_point, entry.lock, tree_.kind(node)});
    at_ = entry.callee;
    return std::nullopt;
  }

  const Network& network_;
  const ExecutionTree& tree_;
  TreeThreads threads_;
  IdVector<ThreadId, Head> start_;
  Head at_ = network_.initial();         // of the current thread
  std::vector<Open> open_;               // of the current thread
  IdVector<Lock, std::uint32_t> holds_;  // of the current thread: how often
};

}  // namespace

std::optional<TreeProblem> tree_problem(const Network& network, const ExecutionTree& tree) {
  return Check{network, tree}.run();
}

}  // namespace lockwood::dpn
