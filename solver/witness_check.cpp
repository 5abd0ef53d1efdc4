#include "solver/witness_check.hpp"

#include <algorithm>

#include "base/matching.hpp"
#include "dpn/configuration.hpp"
#include "dpn/replay.hpp"
#include "dpn/small_step.hpp"

namespace lockwood::solver {
namespace {

using dpn::Configuration;
using dpn::Lock;
using dpn::Network;
using dpn::Thread;

bool wants(const Network& network, const Thread& thread, Lock lock) {
  if (dpn::hold_count(thread, lock) > 0) return false;
  return std::ranges::any_of(network.rules_from(thread.head()), [&](dpn::RuleId rule) {
    const auto entry = dpn::entry_of(network.rule(rule));
    return entry && entry->lock == lock;
  });
}

bool meets(const Network& network, const Thread& thread, const StandGoal& goal) {
  if (thread.ended()) return false;
  if (goal.tops && !std::ranges::count(*goal.tops, thread.head().top)) return false;
  if (goal.holding && dpn::hold_count(thread, *goal.holding) == 0) return false;
  return !goal.wanting || wants(network, thread, *goal.wanting);
}

bool goals_met(const Network& network, const Configuration& configuration, const Phase& phase) {
  const auto& threads = configuration.threads;
  return matching(phase.standing.size(), threads.size(),
                  [&](std::size_t goal, std::size_t thread) {
                    return meets(network, threads[dpn::ThreadId{thread}], phase.standing[goal]);
                  })
      .has_value();
}

}  // namespace

std::optional<std::string> refutation(const Network& network, const Problem& problem, const dpn::Schedule& schedule) {
  if (const auto replayed = dpn::replay(network, schedule.moves, problem.semantics); replayed.error)
    return to_text(*replayed.error);
  if (schedule.cuts.size() + 1 != problem.phases.size()) return "the schedule has another number of phases";
  Configuration configuration = dpn::initial_configuration(network);
  std::size_t next = 0;
  for (std::size_t i = 0; i < problem.phases.size(); ++i) {
    const Phase& phase = problem.phases[i];
    const std::string name = "phase " + std::to_string(i + 1);
    const std::size_t end = i < schedule.cuts.size() ? schedule.cuts[i] : schedule.moves.size();
    if (end < next || end > schedule.moves.size()) return "the ends of the phases are not in order";
    std::vector<bool> fired(phase.fired.size(), false);
    for (; next < end; ++next) {
      const dpn::Action action = network.rule(schedule.moves[next].rule).action;
      if (std::ranges::count(phase.avoiding, action)) return name + " uses an action to be avoided";
      for (std::size_t set = 0; set < fired.size(); ++set)
        if (std::ranges::count(phase.fired[set], action)) fired[set] = true;
      dpn::apply(network, configuration, schedule.moves[next]);
    }
    if (!std::ranges::all_of(fired, std::identity{})) return name + " does not use a required action";
    if (!goals_met(network, configuration, phase)) return name + " ends before all its goals are met";
  }
  return std::nullopt;
}

}  // namespace lockwood::solver
