#include "solver/analyses/hitting_set.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>

namespace lockwood::solver {
namespace {

using Chosen = std::vector<std::size_t>;

const std::vector<std::size_t>* first_missed(const std::vector<std::vector<std::size_t>>& sets, const Chosen& chosen) {
  for (const auto& set : sets)
    if (std::ranges::none_of(set, [&](std::size_t element) { return std::ranges::count(chosen, element) > 0; }))
      return &set;
  return nullptr;
}

}  // namespace

std::vector<std::size_t> smallest_hitting_set(const std::vector<std::vector<std::size_t>>& sets) {
  assert(std::ranges::none_of(sets, [](const auto& set) { return set.empty(); }));  // nothing hits an empty set
  // Breadth first over chosen sets, so the first that hits all is a smallest one.
  std::set<Chosen> level{Chosen{}};
  while (true) {
    std::set<Chosen> next;
    for (const Chosen& chosen : level) {
      const auto* missed = first_missed(sets, chosen);
      if (missed == nullptr) return chosen;
      for (std::size_t element : *missed) {
        Chosen more = chosen;
        more.insert(std::ranges::upper_bound(more, element), element);
        next.insert(std::move(more));
      }
    }
    assert(next.begin()->size() == level.begin()->size() + 1);
    level = std::move(next);
  }
}

}  // namespace lockwood::solver
