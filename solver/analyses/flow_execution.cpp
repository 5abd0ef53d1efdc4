#include "solver/analyses/flow_execution.hpp"

#include <algorithm>
#include <bit>

namespace lockwood::solver {

using dpn::StackSymbol;

FlowExecution::FlowExecution(const dpn::Network& network, const std::vector<FlowGroup>& groups)
    : network_{network}, changes_(network.actions().size()) {
  std::size_t targets = 0;
  for (const FlowGroup& group : groups) {
    const TargetRange range = ranges_.emplace_back(TargetRange{targets, group.target_count()});
    targets += range.count;
    for (dpn::Action action : group.concerned) {
      const auto at = std::ranges::lower_bound(group.generating, action);
      Change change{range, {}};
      if (at != group.generating.end() && *at == action)
        change.now = range.first + (group.distinguished ? static_cast<std::size_t>(at - group.generating.begin()) : 0);
      changes_[action].push_back(change);
    }
  }
  words_ = (targets + 63) / 64;
  holding_.resize(words_);
  shown_.resize(words_ * network.stack_symbols().size());
}

void FlowExecution::begin() {
  configuration_ = dpn::initial_configuration(network_);
  std::ranges::fill(holding_, 0);
  holds_any_ = false;
}

std::size_t FlowExecution::make(const dpn::Move& move) {
  const std::size_t threads = configuration_.threads.size();
  dpn::apply(network_, configuration_, move);
  bool now = false;
  for (const Change& change : changes_[network_.rule(move.rule).action]) {
    for (std::size_t target = change.range.first; target < change.range.first + change.range.count; ++target)
      holding_[target / 64] &= ~(std::uint64_t{1} << (target % 64));
    if (!change.now) continue;
    holding_[*change.now / 64] |= std::uint64_t{1} << (*change.now % 64);
    holds_any_ = now = true;
  }
  if (!holds_any_) return 0;
  std::size_t shown = 0;
  if (now) {  // all threads have come to where they stand before it held
    for (dpn::ThreadId thread : configuration_.threads.keys()) shown += show(thread);
    return shown;
  }
  shown = show(move.thread);
  if (configuration_.threads.size() > threads) shown += show(dpn::ThreadId{threads});
  return shown;
}

// What holds is shown where the thread stands.
std::size_t FlowExecution::show(dpn::ThreadId thread) {
  if (configuration_.threads[thread].ended()) return 0;
  const std::size_t first = configuration_.threads[thread].head().top.index() * words_;
  std::size_t added = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    added += static_cast<std::size_t>(std::popcount(holding_[i] & ~shown_[first + i]));
    shown_[first + i] |= holding_[i];
  }
  return added;
}

}  // namespace lockwood::solver
