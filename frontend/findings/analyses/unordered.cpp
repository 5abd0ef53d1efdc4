#include "frontend/findings/analyses/unordered.hpp"

#include <algorithm>

#include "solver/analyses/mhp.hpp"

namespace lockwood::findings {

std::vector<Conflict> unordered_conflicts(const program::Lowered& lowered,
                                          const std::vector<program::Variable>& variables, StopToken stop) {
  std::vector<Conflict> found;
  for (program::Variable variable : variables) {
    std::vector<AccessId> accesses;
    for (std::size_t i = 0; i < lowered.accesses.size(); ++i)
      if (lowered.accesses[i].variable == variable && !lowered.accesses[i].before.empty()) accesses.emplace_back(i);
    if (accesses.empty()) continue;
    const std::vector<Conflict> all = conflicts(lowered, access_group(lowered, std::move(accesses)), stop);
    const ConflictVerdicts verdicts = decide(lowered.network, lowered, all, dpn::Semantics::LockInsensitive, stop);
    stop.check();
    found.insert(found.end(), verdicts.racing.begin(), verdicts.racing.end());
  }
  return found;
}

std::vector<std::pair<std::size_t, std::size_t>> unordered_places(
    const program::Lowered& lowered, const std::vector<std::vector<dpn::StackSymbol>>& sets, StopToken stop) {
  std::vector<dpn::StackSymbol> all;
  for (const auto& set : sets) all.insert(all.end(), set.begin(), set.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::pair<std::size_t, std::size_t>> found;
  if (all.empty()) return found;
  const solver::MhpAnswer answer = solver::parallel_pairs(
      lowered.network,
      {.semantics = dpn::Semantics::LockInsensitive, .left = all, .right = all, .reductions = {}, .stop = stop});
  stop.check();
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::size_t j = i; j < sets.size(); ++j)
      if (solver::has_pair_between(answer.pairs, sets[i], sets[j])) found.emplace_back(i, j);
  return found;
}

}  // namespace lockwood::findings
