#include "frontend/findings/narrative/finding_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/findings/narrative/exact_run.hpp"

namespace lockwood::findings {
namespace {

// The thread that is before the use at the end: as the reader should be, if that is possible.
std::optional<dpn::ThreadId> using_thread(const dpn::Configuration& end, const ValueInSchedule& value,
                                          dpn::ThreadId defining) {
  std::optional<dpn::ThreadId> found;
  for (dpn::ThreadId thread : end.threads.keys()) {
    const auto& stack = end.threads[thread].stack;
    if (stack.empty() || std::ranges::count(value.readers, stack.back().symbol) == 0) continue;
    if (!value.reader || (*value.reader == Reader::Same) == (thread == defining)) return thread;
    found = thread;
  }
  return found;
}

// The last move of the phase that does the definition: several threads may, and any can be the last.
std::optional<std::size_t> defining_move(const dpn::Network& network, const dpn::Schedule& schedule,
                                         const ValueInSchedule& value) {
  const auto cut = [&](std::size_t i) { return i < schedule.cuts.size() ? schedule.cuts[i] : schedule.moves.size(); };
  const std::size_t begin = schedule.cuts.empty() ? 0 : cut(value.defining_phase - 1);
  const std::size_t end = cut(value.defining_phase);
  for (std::size_t i = end; i-- > begin;)
    if (network.rule(schedule.moves[i].rule).action == value.definition.action) return i;
  return std::nullopt;
}

// Who is there, but not where: that is known more exactly.
void stand(Site& site, Site standing) {
  site.thread = std::move(standing.thread);
  site.holds = std::move(standing.holds);
  site.stack = std::move(standing.stack);
}

}  // namespace

namespace {

// What the schedule rests on beside the model, each once: branches that values decide, objects that may be others.
std::vector<std::string> guesses_of(const SourceTerms& terms, const dpn::Schedule& schedule) {
  std::vector<std::string> found;
  for (const dpn::Move& move : schedule.moves) {
    const program::RuleOrigin& origin = terms.lowered().rules[move.rule];
    const auto guess = terms.program().procedures[origin.procedure].points[origin.point].guess;
    if (!guess) continue;
    const std::string& text = terms.program().guesses[*guess];
    if (std::ranges::find(found, text) == found.end()) found.push_back(text);
  }
  return found;
}

// The certainty of a schedule of a program whose values nobody knows.
void add_guesses(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule) {
  const std::vector<std::string> guesses = guesses_of(terms, schedule);
  finding.certainty = guesses.empty() ? Certainty::Exact : Certainty::Possible;
  if (guesses.empty()) return;
  constexpr std::size_t max_named = 3;
  std::string text = "depends on ";
  for (std::size_t i = 0; i < std::min(guesses.size(), max_named); ++i) text += (i == 0 ? "" : ", on ") + guesses[i];
  if (guesses.size() > max_named) text += fmt::format(", and {} more", guesses.size() - max_named);
  finding.obstacle = std::move(text);
}

}  // namespace

void add_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule, StopToken stop) {
  finding.schedule = terms.steps(schedule, stop);
  finding.threads = terms.threads(end_of(terms.lowered().network, schedule, stop));
  if (!terms.program().exact) return add_guesses(finding, terms, schedule);
  const auto stopped_at = obstacle(terms.program(), terms.lowered(), schedule, stop);
  finding.certainty = stopped_at ? Certainty::Possible : Certainty::Executed;
  if (stopped_at)
    finding.obstacle =
        fmt::format("in the way: the schedule does '{}' at {}, which the program with its values does not",
                    stopped_at->what, short_position(terms.place(stopped_at->procedure, stopped_at->point)));
}

void add_value_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule,
                        const ValueInSchedule& value) {
  add_schedule(finding, terms, schedule);
  const dpn::Network& network = terms.lowered().network;
  const auto written = defining_move(network, schedule, value);
  if (!written) return;
  dpn::Schedule before = schedule;
  before.moves.erase(before.moves.begin() + static_cast<std::ptrdiff_t>(*written), before.moves.end());
  std::erase_if(before.cuts, [&](std::size_t cut) { return cut > *written; });
  const dpn::ThreadId defining = schedule.moves[*written].thread;
  stand(finding.sites.front(), terms.site(end_of(network, before), defining, {}));
  finding.sites.front().step = terms.steps(before).size();
  const ScheduleEnd end = end_of(network, schedule);
  if (const auto thread = using_thread(end.configuration, value, defining))
    stand(finding.sites.back(), terms.site(end, *thread, {}));
}

}  // namespace lockwood::findings
