#include "frontend/findings/deadlock_finding.hpp"

#include <fmt/format.h>

#include <cassert>

#include "frontend/findings/finding_schedule.hpp"

namespace lockwood::findings {

Finding deadlock_finding(const SourceTerms& terms, const solver::LockRing& ring) {
  const dpn::Network& network = terms.lowered().network;
  Finding finding;
  finding.rule = Rule::Deadlock;
  finding.subject = terms.names(ring.locks);
  finding.id = finding_id(Rule::Deadlock, finding.subject, {});
  switch (ring.answer.verdict) {
    case dpn::Verdict::Reachable: finding.outcome = Outcome::Found; break;
    case dpn::Verdict::Unreachable: finding.outcome = Outcome::Excluded; break;
    case dpn::Verdict::Unknown: finding.outcome = Outcome::Unknown; break;
  }
  std::string chain;
  for (std::size_t i = 0; i < ring.locks.size(); ++i)
    chain += fmt::format("{}{} holds {} and wants {}", i == 0 ? "" : ", ", i == 0 ? "a thread" : "another",
                         network.locks().shown(ring.locks[i]),
                         network.locks().shown(ring.locks[(i + 1) % ring.locks.size()]));
  const bool unknown = finding.outcome == Outcome::Unknown;
  finding.message = fmt::format(
      "{}: {}", unknown ? "unknown whether there is a deadlock" : verdict_text(Rule::Deadlock, finding.outcome), chain);
  if (!ring.answer.witness) return finding;

  const dpn::Schedule& schedule = ring.answer.witness->schedule;
  const ScheduleEnd end = end_of(network, schedule);
  for (std::size_t i = 0; i < ring.locks.size(); ++i) {
    const dpn::Lock held = ring.locks[i];
    const dpn::Lock wanted = ring.locks[(i + 1) % ring.locks.size()];
    for (dpn::ThreadId thread : end.configuration.threads.keys())
      if (dpn::hold_count(end.configuration.threads[thread], held) > 0)
        finding.sites.push_back(
            terms.site(end, thread,
                       fmt::format("holds {}, wants {}", network.locks().shown(held), network.locks().shown(wanted))));
  }
  add_schedule(finding, terms, schedule);
  return finding;
}

}  // namespace lockwood::findings
