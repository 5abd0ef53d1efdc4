#include "dpn/model/network.hpp"

#include <algorithm>

#include "dpn/model/rules_by_top.hpp"

namespace lockwood::dpn {

Network::Network(std::shared_ptr<const Symbols> symbols, Head initial, IdVector<RuleId, Rule> rules)
    : symbols_{std::move(symbols)}, initial_{initial}, rules_{std::move(rules)} {
  uses_groups_ = groups().size() > 0 && std::ranges::any_of(rules_, concerns_groups);
  // By top of stack, then each group by control state; both stable, so ids ascend within a head.
  RulesByTop sorted = rules_by_top(rules_, stack_symbols().size());
  top_begins_ = std::move(sorted.begins);
  by_head_ = std::move(sorted.rules);
  for (StackSymbol top : stack_symbols().keys()) {
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
  const auto rules = rules_at(head.top);
  if (control_states().size() == 1) return rules;
  // Two searches, because clang 14 cannot compile the subrange that g++ 12's std::ranges::equal_range returns.
  const auto control = [&](RuleId id) { return rules_[id].from.control; };
  return {std::ranges::lower_bound(rules, head.control, {}, control),
          std::ranges::upper_bound(rules, head.control, {}, control)};
}

}  // namespace lockwood::dpn
