#include "frontend/findings/deadlock_finding.hpp"

#include <fmt/format.h>

#include <cassert>

#include "frontend/findings/narrative/finding_schedule.hpp"
#include "solver/query/goal_threads.hpp"

namespace lockwood::findings {
namespace {

// The region that a thread is about to enter there, told such that changes elsewhere in the program do not matter.
std::string logical(const SourceTerms& terms, dpn::StackSymbol symbol, const std::string& role) {
  const program::SymbolOrigin& origin = terms.lowered().symbols[symbol];
  const program::Procedure& procedure = terms.program().procedures[origin.procedure];
  std::uint32_t ordinal = 0;
  for (const program::MonitorRegion& here : procedure.regions) {
    if (here.enter != origin.point) continue;
    for (const program::MonitorRegion& other : procedure.regions)
      if (other.lock == here.lock && !(here.range.begin < other.range.begin)) ++ordinal;
  }
  return logical_place(procedure.name, ordinal, role);
}

}  // namespace

std::function<std::size_t(dpn::StackSymbol)> places(const program::Lowered& lowered) {
  return [&lowered](dpn::StackSymbol symbol) {
    const program::SymbolOrigin& origin = lowered.symbols[symbol];
    return origin.procedure.index() << 32U | origin.point.index();
  };
}

std::string cycle_text(const dpn::Network& network, const solver::CycleShape& cycle) {
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i)
    text +=
        fmt::format("{} holds {} and {} {}", i == 0 ? "a thread" : ", another", network.locks().shown(cycle.locks[i]),
                    cycle.through_joins[i] ? "waits at a join for one that wants" : "wants",
                    network.locks().shown(cycle.wanted(i)));
  return text;
}

std::vector<std::string> cycle_roles(const dpn::Network& network, const solver::CycleShape& cycle) {
  std::vector<std::string> roles;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::string_view holds = network.locks().shown(cycle.locks[i]);
    const std::string_view wants = network.locks().shown(cycle.wanted(i));
    if (cycle.through_joins[i]) {
      roles.push_back(fmt::format("holds {}, waits at the join for a thread that wants {}", holds, wants));
      roles.push_back(fmt::format("wants {}, and is waited for", wants));
    } else {
      roles.push_back(fmt::format("holds {}, wants {}", holds, wants));
    }
  }
  return roles;
}

Finding deadlock_finding(const SourceTerms& terms, const solver::LockCycle& cycle, StopToken stop) {
  const dpn::Network& network = terms.lowered().network;
  Finding finding;
  finding.rule = Rule::Deadlock;
  finding.subject = terms.names(cycle.shape.locks);
  const std::vector<std::string> roles = cycle_roles(network, cycle.shape);
  std::vector<std::string> stand;
  for (std::size_t i = 0; i < cycle.places.size(); ++i)
    stand.push_back(cycle.places[i].empty() ? roles[i] : logical(terms, cycle.places[i].front(), roles[i]));
  finding.id = finding_id(Rule::Deadlock, finding.subject, stand);
  switch (cycle.answer.verdict) {
    case dpn::Verdict::Reachable: finding.outcome = Outcome::Found; break;
    case dpn::Verdict::Unreachable: finding.outcome = Outcome::Excluded; break;
    case dpn::Verdict::Unknown: finding.outcome = Outcome::Unknown; break;
  }
  const bool unknown = finding.outcome == Outcome::Unknown;
  finding.message = fmt::format(
      "{}: {}", unknown ? "unknown whether there is a deadlock" : verdict_text(Rule::Deadlock, finding.outcome),
      cycle_text(network, cycle.shape));
  if (!cycle.answer.witness) return finding;

  const dpn::Schedule& schedule = cycle.answer.witness->schedule;
  const ScheduleEnd end = end_of(network, schedule, stop);
  const solver::Problem problem = solver::cycle_problem(cycle.shape, cycle.places);
  const auto threads = problem::threads_meeting(network, problem.phases.front(), end.configuration);
  assert(threads);  // as the schedule was replayed
  for (std::size_t goal = 0; goal < roles.size(); ++goal) {
    finding.sites.push_back(terms.site(end, threads->meeting[goal], roles[goal]));
    for (std::size_t pair = 0; pair < threads->between.size(); ++pair)
      if (problem.phases.front().awaiting[pair].waiter == goal)
        for (dpn::ThreadId between : threads->between[pair])
          finding.sites.push_back(terms.site(end, between, role_between));
  }
  add_schedule(finding, terms, schedule, stop);
  return finding;
}

}  // namespace lockwood::findings
