#include "frontend/lsp/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace lockwood::lsp {

std::vector<Remark> limited(std::vector<Remark> remarks, std::size_t most) {
  if (most == 0 || remarks.size() <= most) return remarks;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < remarks.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return remarks[i].severity; });
  const auto is_broken = [&](std::size_t i) {
    return remarks[i].severity == Severity::Error && remarks[i].code.empty();
  };
  std::vector<std::size_t> number(remarks.size());  // in its group
  std::map<std::string, std::size_t> members;
  for (std::size_t i : order) number[i] = members[remarks[i].group.empty() ? remarks[i].code : remarks[i].group]++;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return is_broken(i) ? 0 : number[i] + 1; });
  order.resize(most - 1);  // and one that says so
  std::ranges::sort(order);
  std::vector<Remark> kept;
  kept.reserve(most);
  for (std::size_t i : order) kept.push_back(std::move(remarks[i]));
  kept.push_back({.range = {},
                  .severity = Severity::Note,
                  .code = {},
                  .message = left_out_text(remarks.size() - kept.size(), most),
                  .related = {}});
  return kept;
}

std::string left_out_text(std::size_t left_out, std::size_t most) {
  return fmt::format("{} more remarks are not shown (--max-diagnostics={})", left_out, most);
}

}  // namespace lockwood::lsp
