#include "frontend/findings/waiting_finding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dpn/semantics/configuration.hpp"
#include "frontend/findings/narrative/finding_schedule.hpp"

namespace lockwood::findings {
namespace {

// The number of the wait among those of its procedure for the same lock, from 1: lines do not matter.
std::uint32_t ordinal(const SourceTerms& terms, const WaitPlace& place) {
  std::uint32_t number = 1;
  const program::Procedure& procedure = terms.program().procedures[place.procedure];
  const auto begin = procedure.points[place.point].range.begin;
  for (const program::Node& node : procedure.points)
    if (const auto* wait = std::get_if<program::Wait>(&node.instruction))
      if (wait->lock == place.lock && node.range.begin < begin) ++number;
  return number;
}

bool stands_there(const dpn::Thread& thread, const EndlessWait& wait) {
  if (thread.stack.empty() || std::ranges::count(wait.place.waiting, thread.stack.back().symbol) == 0) return false;
  return !wait.locked_out_by || dpn::hold_count(thread, *wait.locked_out_by) > 0;
}

}  // namespace

Finding waiting_finding(const SourceTerms& terms, const EndlessWait& wait, StopToken stop) {
  const std::string inner = terms.program().locks[wait.place.lock].name;
  const SourceSpan at = terms.place(wait.place.procedure, wait.place.point);
  Finding finding;
  std::string role = "waits for " + inner;
  if (wait.locked_out_by) {
    const std::string outer{terms.lowered().network.locks().shown(*wait.locked_out_by)};
    finding.rule = Rule::Deadlock;
    finding.subject = outer + ", " + inner;
    role = "holds " + outer + ", " + role;
    finding.message = fmt::format(
        "deadlock, a nested-monitor lockout: a thread holds {} and waits for {} at {}, and "
        "every notification of {} is done holding {}",
        outer, inner, short_position(at), inner, outer);
  } else {
    finding.rule = Rule::Waiting;
    finding.subject = inner;
    finding.message =
        fmt::format("waiting for ever: a thread waits for {} at {}, and {}", inner, short_position(at),
                    wait.notified_nowhere ? "nobody notifies it" : "no notification is done while it waits");
  }
  finding.outcome = Outcome::Found;
  finding.id = finding_id(
      finding.rule, finding.subject,
      {logical_place(terms.program().procedures[wait.place.procedure].name, ordinal(terms, wait.place), role)});
  const ScheduleEnd end = end_of(terms.lowered().network, wait.schedule, stop);
  for (dpn::ThreadId thread : end.configuration.threads.keys()) {
    if (!stands_there(end.configuration.threads[thread], wait)) continue;
    finding.sites.push_back(terms.site(end, thread, role));
    finding.sites.back().at = at;
    break;
  }
  add_schedule(finding, terms, wait.schedule, stop);
  return finding;
}

}  // namespace lockwood::findings
