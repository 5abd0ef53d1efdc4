#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/rule.hpp"

namespace lockwood::dpn {

// Rules by the top of the stack that they start from, ascending: those of top i are from begins[i] to begins[i + 1].
struct RulesByTop {
  std::vector<std::uint32_t> begins;
  std::vector<RuleId> rules;
};

// By counting, so in linear time.
[[nodiscard]] inline RulesByTop rules_by_top(const IdVector<RuleId, Rule>& rules, std::size_t tops) {
  RulesByTop sorted{.begins = std::vector<std::uint32_t>(tops + 1, 0), .rules = {}};
  for (const Rule& rule : rules) ++sorted.begins[rule.from.top.index() + 1];
  std::partial_sum(sorted.begins.begin(), sorted.begins.end(), sorted.begins.begin());
  sorted.rules.assign(rules.size(), RuleId{0});
  std::vector<std::uint32_t> next = sorted.begins;
  for (RuleId id : rules.keys()) sorted.rules[next[rules[id].from.top.index()]++] = id;
  return sorted;
}

}  // namespace lockwood::dpn
