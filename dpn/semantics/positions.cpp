#include "dpn/semantics/positions.hpp"

#include <algorithm>

#include "base/graph/matching.hpp"

namespace lockwood::dpn {
Positions::Positions(const Network& network, const QueryStep& step) {
  for (const std::vector<StackSymbol>& symbols : step.positions) {
    IdVector<StackSymbol, bool> set(network.stack_symbols().size());
    for (StackSymbol symbol : symbols) set[symbol] = true;
    sets_.push_back(std::move(set));
  }
}

bool Positions::impossible(std::span<const StackSymbol> tops) const {
  if (tops.size() < sets_.size()) return true;
  return std::ranges::any_of(sets_, [tops](const auto& set) {
    return std::ranges::none_of(tops, [&set](StackSymbol top) { return set[top]; });
  });
}

std::optional<std::vector<std::size_t>> Positions::choice(std::span<const StackSymbol> tops) const {
  if (impossible(tops)) return std::nullopt;
  return matching(sets_.size(), tops.size(), [&](std::size_t set, std::size_t top) { return sets_[set][tops[top]]; });
}

bool Positions::occupied(std::span<const StackSymbol> tops) const {
  if (impossible(tops)) return false;
  return sets_.size() <= 1 || choice(tops).has_value();
}

std::optional<std::vector<ThreadId>> threads_at(const Network& network, const Configuration& configuration,
                                                const QueryStep& step) {
  std::vector<ThreadId> live;
  std::vector<StackSymbol> tops;
  for (ThreadId thread : configuration.threads.keys()) {
    if (configuration.threads[thread].ended()) continue;
    live.push_back(thread);
    tops.push_back(configuration.threads[thread].head().top);
  }
  const auto choice = Positions{network, step}.choice(tops);
  if (!choice) return std::nullopt;
  std::vector<ThreadId> threads;
  for (std::size_t top : *choice) threads.push_back(live[top]);
  return threads;
}

}  // namespace lockwood::dpn
