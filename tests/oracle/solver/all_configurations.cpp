#include "tests/oracle/solver/all_configurations.hpp"

#include <algorithm>
#include <set>

namespace lockwood::solver::reference {

using namespace lockwood::dpn;

std::optional<std::vector<Configuration>> all_configurations(const Network& network, Semantics semantics,
                                                             std::size_t limit) {
  using LiveThread = std::pair<ControlState, std::vector<Frame>>;
  const auto live_threads = [](const Configuration& configuration) {
    std::vector<LiveThread> live;
    for (const Thread& thread : configuration.threads)
      if (!thread.ended()) live.emplace_back(thread.control, thread.stack);
    std::ranges::sort(live);
    return live;
  };
  std::vector<Configuration> found{initial_configuration(network)};
  std::set<std::vector<LiveThread>> seen{live_threads(found.front())};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Configuration from = found[i];
    for (Move move : enabled_moves(network, from, semantics)) {
      Configuration to = from;
      apply(network, to, move);
      if (!seen.insert(live_threads(to)).second) continue;
      if (found.size() == limit) return std::nullopt;
      found.push_back(std::move(to));
    }
  }
  return found;
}

}  // namespace lockwood::solver::reference
