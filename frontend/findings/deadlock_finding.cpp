#include "frontend/findings/deadlock_finding.hpp"

#include <fmt/format.h>

#include <cassert>

#include "frontend/findings/narrative/finding_schedule.hpp"

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

Finding deadlock_finding(const SourceTerms& terms, const solver::LockRing& ring, StopToken stop) {
  const dpn::Network& network = terms.lowered().network;
  Finding finding;
  finding.rule = Rule::Deadlock;
  finding.subject = terms.names(ring.locks);
  const auto wanted = [&](std::size_t i) { return ring.locks[(i + 1) % ring.locks.size()]; };
  const auto role = [&](std::size_t i) {
    return fmt::format("holds {}, wants {}", network.locks().shown(ring.locks[i]), network.locks().shown(wanted(i)));
  };
  std::vector<std::string> stand;
  for (std::size_t i = 0; i < ring.places.size(); ++i)
    stand.push_back(ring.places[i].empty() ? role(i) : logical(terms, ring.places[i].front(), role(i)));
  finding.id = finding_id(Rule::Deadlock, finding.subject, stand);
  switch (ring.answer.verdict) {
    case dpn::Verdict::Reachable: finding.outcome = Outcome::Found; break;
    case dpn::Verdict::Unreachable: finding.outcome = Outcome::Excluded; break;
    case dpn::Verdict::Unknown: finding.outcome = Outcome::Unknown; break;
  }
  std::string chain;
  for (std::size_t i = 0; i < ring.locks.size(); ++i)
    chain += fmt::format("{}{} holds {} and wants {}", i == 0 ? "" : ", ", i == 0 ? "a thread" : "another",
                         network.locks().shown(ring.locks[i]), network.locks().shown(wanted(i)));
  const bool unknown = finding.outcome == Outcome::Unknown;
  finding.message = fmt::format(
      "{}: {}", unknown ? "unknown whether there is a deadlock" : verdict_text(Rule::Deadlock, finding.outcome), chain);
  if (!ring.answer.witness) return finding;

  const dpn::Schedule& schedule = ring.answer.witness->schedule;
  const ScheduleEnd end = end_of(network, schedule, stop);
  for (std::size_t i = 0; i < ring.locks.size(); ++i) {
    for (dpn::ThreadId thread : end.configuration.threads.keys())
      if (dpn::hold_count(end.configuration.threads[thread], ring.locks[i]) > 0)
        finding.sites.push_back(terms.site(end, thread, role(i)));
  }
  add_schedule(finding, terms, schedule, stop);
  return finding;
}

}  // namespace lockwood::findings
