#include "solver/query/replay_error.hpp"

#include <algorithm>
#include <span>

#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/replay.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "solver/query/goal_threads.hpp"

namespace lockwood::problem {
namespace {

using dpn::Network;

// What is wrong with the actions done in a phase.
std::optional<std::string> action_flaw(const Network& network, const Phase& phase, std::span<const dpn::Move> moves) {
  std::set<dpn::Action> done;
  for (const dpn::Move& move : moves) done.insert(network.rule(move.rule).action);
  for (dpn::Action action : phase.avoiding)
    if (done.contains(action)) return "the avoided action " + std::string{network.actions().name(action)} + " is done";
  for (std::size_t i = 0; i < phase.fired.size(); ++i)
    if (std::ranges::none_of(phase.fired[i], [&](dpn::Action action) { return done.contains(action); }))
      return "no action of the required set number " + std::to_string(i + 1) + " is done";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> replay_error(const Network& network, const Problem& problem, const dpn::Schedule& schedule,
                                        const std::vector<dpn::StackSymbol>& answer, StopToken stop) {
  if (answer.size() != (problem.collect ? problem.collect->among.size() : 0) || !collectable(problem, answer))
    return "the answer lacks a symbol for some set that the problem collects";
  if (schedule.cuts.size() + 1 != problem.phases.size()) return "the schedule has another number of phases";
  std::size_t begin = 0;
  for (std::size_t i = 0; i < problem.phases.size(); ++i) {
    const Phase& phase = problem.phases[i];
    const bool last = i == schedule.cuts.size();
    const std::size_t end = last ? schedule.moves.size() : schedule.cuts[i];
    if (end < begin || end > schedule.moves.size()) return "the ends of the phases are not in order";
    const auto moves = std::span{schedule.moves}.first(end);
    const dpn::Replay replayed = dpn::replay(network, moves, problem.semantics, stop);
    if (replayed.error) return to_text(*replayed.error);
    const std::string where = "in phase " + std::to_string(i + 1) + " ";
    if (const auto flaw = action_flaw(network, phase, moves.subspan(begin))) return where + *flaw;
    Phase standing{.standing = phase.standing, .awaiting = phase.awaiting};
    if (last)
      for (dpn::StackSymbol top : answer)
        standing.standing.push_back({.tops = std::vector{top}, .holding = {}, .wanting = {}});
    if (const auto goal = unmet_goal(network, standing.standing, replayed.configuration))
      return where + "no separate thread is at the goal number " + std::to_string(*goal + 1);
    if (!phase.awaiting.empty() && !threads_meeting(network, standing, replayed.configuration))
      return where + "no threads that meet the goals wait in joins for each other as they should";
    for (const auto& observer : phase.observers)
      if (!observer->accepts(dpn::tree_of_execution(network, moves))) return where + "an observer does not accept";
    begin = end;
  }
  return std::nullopt;
}

}  // namespace lockwood::problem
