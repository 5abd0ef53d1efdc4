#include "solver/mhp.hpp"

#include <algorithm>

namespace lockwood::solver {

MhpAnswer parallel_pairs(const dpn::Network& network, const MhpOptions& options) {
  const auto keys = network.stacks().keys();
  const std::vector<dpn::StackSymbol> all(keys.begin(), keys.end());
  Problem problem{.semantics = options.semantics, .phases = {Phase{}}};
  problem.collect = Collect{{options.left.value_or(all), options.right.value_or(all)}};
  Engine engine{network, problem, {.stop = options.stop}};
  const dpn::Verdict verdict = engine.run();

  MhpAnswer answer;
  for (FactId fact : engine.answers()) {
    const auto symbols = collected_symbols(engine.facts()[fact].observation);
    answer.pairs.push_back({symbols[0], symbols[1]});
  }
  std::ranges::sort(answer.pairs);
  if (verdict == dpn::Verdict::Unknown) answer.stopped = options.stop.reason();
  answer.statistics = engine.statistics();
  return answer;
}

}  // namespace lockwood::solver
