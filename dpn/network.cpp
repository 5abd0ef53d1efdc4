#include "dpn/network.hpp"

#include <algorithm>
#include <numeric>

namespace lockwood::dpn {

Network::Network(std::shared_ptr<const Symbols> symbols, Head initial, IdVector<RuleId, Rule> rules)
    : symbols_{std::move(symbols)}, initial_{initial}, rules_{std::move(rules)} {
  // Counting sort by top of stack, then each group by control state; both stable, so ids ascend within a head.
  top_begins_.assign(stacks().size() + 1, 0);
  for (const Rule& rule : rules_) ++top_begins_[rule.from.top.index() + 1];
  std::partial_sum(top_begins_.begin(), top_begins_.end(), top_begins_.begin());
  by_head_.assign(rules_.size(), RuleId{0});
  std::vector<std::uint32_t> next = top_begins_;
  for (RuleId id : rules_.keys()) by_head_[next[rules_[id].from.top.index()]++] = id;
  for (StackSymbol top : stacks().keys()) {
    const auto begin = by_head_.begin() + top_begins_[top.index()];
    const auto end = by_head_.begin() + top_begins_[top.index() + 1];
    const auto control = [&](RuleId id) { return rules_[id].from.control; };
    if (!std::ranges::is_sorted(begin, end, {}, control)) std::ranges::stable_sort(begin, end, {}, control);
  }
}

std::span<const RuleId> Network::rules_at(StackSymbol top) const {
  const std::uint32_t begin = top_begins_[top.index()];
  return std::span{by_head_}.subspan(begin, top_begins_[top.index() + 1] - begin);
}

std::span<const RuleId> Network::rules_from(Head head) const {
  // Two searches, because clang 14 cannot compile the subrange that g++ 12's std::ranges::equal_range returns.
  const auto rules = rules_at(head.top);
  const auto control = [&](RuleId id) { return rules_[id].from.control; };
  return {std::ranges::lower_bound(rules, head.control, {}, control),
          std::ranges::upper_bound(rules, head.control, {}, control)};
}

}  // namespace lockwood::dpn
