#include "frontend/findings/analyses/race_schedules.hpp"

#include <utility>

namespace lockwood::findings {

RaceSchedules::RaceSchedules(const program::Lowered& lowered, StopToken stop, std::size_t pays_from)
    : lowered_{lowered}, stop_{stop}, pays_from_{pays_from} {}

void RaceSchedules::focus_on(program::Variable variable) {
  if (focused_ && focused_->variable == variable) return;
  if (!focus_) focus_.emplace(lowered_, stop_, pays_from_);
  std::optional<dpn::Quotient> quotient = focus_->on(variable, stop_);
  // Without a quotient the network is the same for all variables, and so is its flow.
  if (focused_ && !focused_->quotient && !quotient) {
    focused_->variable = variable;
    return;
  }
  solver::BackwardFlow flow{quotient ? quotient->network() : lowered_.network};
  focused_.emplace(Focused{variable, std::move(quotient), std::move(flow)});
}

std::optional<dpn::Schedule> RaceSchedules::schedule(const Conflict& race) {
  if (stop_.stop_requested()) return std::nullopt;
  try {
    focus_on(access(lowered_, race.first).variable);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
  const auto& [variable, quotient, flow] = *focused_;
  solver::Problem problem = conflict_problem(lowered_, race);
  if (quotient)
    for (auto& standing : problem.phases.front().standing) standing.tops = quotient->images(*standing.tops);
  const solver::Answer answer =
      solver::solve(quotient ? quotient->network() : lowered_.network, problem, {.flow = &flow, .stop = stop_});
  if (!answer.witness) return std::nullopt;
  return quotient ? quotient->lifted(answer.witness->schedule, problem.semantics) : answer.witness->schedule;
}

}  // namespace lockwood::findings
