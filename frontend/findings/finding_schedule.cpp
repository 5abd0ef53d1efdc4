#include "frontend/findings/finding_schedule.hpp"

#include <algorithm>

#include "frontend/findings/exact_run.hpp"

namespace lockwood::findings {
namespace {

// The thread that stands before the use at the end: as the reader should be, if that is possible.
std::optional<dpn::ThreadId> using_thread(const dpn::Configuration& end, const program::Access& use,
                                          dpn::ThreadId defining, std::optional<Reader> reader) {
  std::optional<dpn::ThreadId> found;
  for (dpn::ThreadId thread : end.threads.keys()) {
    const auto& stack = end.threads[thread].stack;
    if (stack.empty() || std::ranges::count(use.before, stack.back().symbol) == 0) continue;
    if (!reader || (*reader == Reader::Same) == (thread == defining)) return thread;
    found = thread;
  }
  return found;
}

// The last move of the second phase that does the definition: several threads may, and any can be the last.
std::optional<std::size_t> defining_move(const dpn::Network& network, const dpn::Schedule& schedule,
                                         const program::Access& definition) {
  const std::size_t begin = schedule.cuts.empty() ? 0 : schedule.cuts[0];
  const std::size_t end = schedule.cuts.size() < 2 ? schedule.moves.size() : schedule.cuts[1];
  for (std::size_t i = end; i-- > begin;)
    if (network.rule(schedule.moves[i].rule).action == definition.action) return i;
  return std::nullopt;
}

// Who is there, but not where: that is known more exactly.
void stand(Site& site, Site standing) {
  site.thread = std::move(standing.thread);
  site.holds = std::move(standing.holds);
  site.stack = std::move(standing.stack);
}

}  // namespace

void add_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule) {
  finding.schedule = terms.steps(schedule);
  finding.threads = terms.threads(end_of(terms.lowered().network, schedule));
  finding.certainty =
      can_execute(terms.program(), terms.lowered(), schedule) ? Certainty::Executed : Certainty::Possible;
}

void add_value_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule,
                        const program::Access& definition, const program::Access& use, std::optional<Reader> reader) {
  add_schedule(finding, terms, schedule);
  const dpn::Network& network = terms.lowered().network;
  const auto written = defining_move(network, schedule, definition);
  if (!written) return;
  dpn::Schedule before = schedule;
  before.moves.erase(before.moves.begin() + static_cast<std::ptrdiff_t>(*written), before.moves.end());
  std::erase_if(before.cuts, [&](std::size_t cut) { return cut > *written; });
  const dpn::ThreadId defining = schedule.moves[*written].thread;
  stand(finding.sites.front(), terms.site(end_of(network, before), defining, {}));
  finding.sites.front().step = terms.steps(before).size();
  const ScheduleEnd end = end_of(network, schedule);
  if (const auto thread = using_thread(end.configuration, use, defining, reader))
    stand(finding.sites.back(), terms.site(end, *thread, {}));
}

}  // namespace lockwood::findings
