#include "solver/engine/goals_reachable_outside.hpp"

#include <cassert>
#include <vector>

#include "dpn/model/control_flow.hpp"

namespace lockwood::solver {
namespace {

using dpn::StackSymbol;
using GoalSets = IdVector<StackSymbol, std::uint64_t>;

// Goals that spread along edges until nothing changes.
class Spreading {
 public:
  explicit Spreading(std::size_t symbols) : goals_(symbols), queued_(symbols) {}
  void add(StackSymbol symbol, std::uint64_t goals) {
    if ((goals & ~goals_[symbol]) == 0) return;
    goals_[symbol] |= goals;
    if (queued_[symbol]) return;
    queued_[symbol] = true;
    queue_.push_back(symbol);
  }
  // Calls spread(symbol, its goals) as long as there is a symbol whose goals have grown.
  template <class F>
  void run(const F& spread) {
    while (!queue_.empty()) {
      const StackSymbol symbol = queue_.back();
      queue_.pop_back();
      assert(queued_[symbol] && goals_[symbol] != 0);
      queued_[symbol] = false;
      spread(symbol, goals_[symbol]);
    }
  }
  [[nodiscard]] GoalSets goals() && { return std::move(goals_); }

 private:
  GoalSets goals_;
  IdVector<StackSymbol, bool> queued_;
  std::vector<StackSymbol> queue_;
};

// The goals that may be met inside of a subtree that begins at a symbol.
GoalSets inside_goals(const dpn::Network& network, const ObservationAlgebra& algebra) {
  std::vector<Edge> edges;
  for (const dpn::FlowEdge& edge : dpn::flow_edges(network))
    edges.push_back({static_cast<std::uint32_t>(edge.to.index()), static_cast<std::uint32_t>(edge.from.index())});
  const Digraph backward{network.stack_symbols().size(), edges};
  Spreading spreading{network.stack_symbols().size()};
  for (StackSymbol symbol : network.stack_symbols().keys()) spreading.add(symbol, algebra.goals_at(symbol));
  for (dpn::RuleId rule : network.rules().keys()) spreading.add(network.rule(rule).from.top, algebra.goals_of(rule));
  spreading.run([&](StackSymbol symbol, std::uint64_t goals) {
    for (std::uint32_t before : backward.successors(symbol.index())) spreading.add(StackSymbol{before}, goals);
  });
  return std::move(spreading).goals();
}

// Whether a step, and the start of a thread, pass on all that can be met before them. For assertions.
[[maybe_unused]] bool is_closed(const dpn::Network& network, const GoalSets& inside, const GoalSets& of_node,
                                const GoalSets& outside) {
  for (const dpn::Rule& rule : network.rules()) {
    const std::uint64_t before = outside[rule.from.top] | of_node[rule.from.top];
    if (const auto to = dpn::step_of(rule); to && (before & ~outside[to->top]) != 0) return false;
    if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect))
      if (((before | inside[spawn->parent.top]) & ~outside[spawn->child.top]) != 0) return false;
  }
  return true;
}

}  // namespace

GoalSets goals_reachable_outside(const dpn::Network& network, const ObservationAlgebra& algebra) {
  const GoalSets inside = inside_goals(network, algebra);
  // What the node at a symbol may meet before its subtrees begin: by its rule, or at the end of a phase but the last.
  GoalSets of_node(network.stack_symbols().size());
  for (dpn::RuleId rule : network.rules().keys()) of_node[network.rule(rule).from.top] |= algebra.goals_of(rule);
  for (StackSymbol symbol : network.stack_symbols().keys()) of_node[symbol] |= algebra.early_goals_at(symbol);
  Spreading spreading{network.stack_symbols().size()};
  const auto spread = [&](StackSymbol symbol, std::uint64_t outside) {
    const std::uint64_t before = outside | of_node[symbol];
    for (dpn::RuleId id : network.rules_at(symbol)) {
      const dpn::Rule& rule = network.rule(id);
      if (const auto to = dpn::step_of(rule)) spreading.add(to->top, before);
      if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
        spreading.add(spawn->child.top, before | inside[spawn->parent.top]);
        spreading.add(spawn->parent.top, before | inside[spawn->child.top]);
      }
      if (const auto entry = dpn::entry_of(rule)) {
        spreading.add(entry->callee.top, before | inside[entry->return_point]);
        spreading.add(entry->return_point, before | inside[entry->callee.top]);
      }
    }
  };
  // All symbols once, since even nothing is to be spread; those that cannot be reached do no harm.
  for (StackSymbol symbol : network.stack_symbols().keys()) spread(symbol, 0);
  spreading.run(spread);
  GoalSets outside = std::move(spreading).goals();
  assert(is_closed(network, inside, of_node, outside));
  // The step of a thread to the next phase changes its place in no way, and may come after it has met a goal there.
  for (StackSymbol symbol : network.stack_symbols().keys()) outside[symbol] |= algebra.early_goals_at(symbol);
  return outside;
}

}  // namespace lockwood::solver
