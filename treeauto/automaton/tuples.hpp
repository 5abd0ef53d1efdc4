#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace lockwood::treeauto {

// Calls visit(tuple) for every tuple with its i-th component from the i-th set of choices, in lexicographic order. For
// no sets there is one tuple, the empty one.
template <class Element, class Visit>
void each_tuple(std::span<const std::span<const Element>> choices, Visit&& visit) {
  if (std::ranges::any_of(choices, [](const auto& set) { return set.empty(); })) return;
  std::vector<std::size_t> chosen(choices.size(), 0);
  std::vector<Element> tuple;
  tuple.reserve(choices.size());
  for (const auto& set : choices) tuple.push_back(set.front());
  while (true) {
    visit(std::span<const Element>{tuple});
    std::size_t i = choices.size();
    while (i > 0 && chosen[i - 1] + 1 == choices[i - 1].size()) {
      --i;
      chosen[i] = 0;
      tuple[i] = choices[i].front();
    }
    if (i == 0) return;
    assert(chosen[i - 1] + 1 < choices[i - 1].size());
    tuple[i - 1] = choices[i - 1][++chosen[i - 1]];
  }
}

}  // namespace lockwood::treeauto
