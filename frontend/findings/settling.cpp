#include "frontend/findings/settling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/process/watchdog.hpp"
#include "frontend/findings/deadlock_finding.hpp"
#include "frontend/findings/narrative/narrated_run.hpp"

namespace lockwood::findings {
namespace {

using program::Settlement;
using program::Sites;
using program::SiteTarget;

bool same_place(const Sites::Location& a, const Sites::Location& b) {
  return a.procedure == b.procedure && a.point == b.point;
}

// The points at which threads stand whose stacks have one of these on top. None if it is not only a matter of points.
std::optional<std::vector<Sites::Location>> points_of(const program::Lowered& lowered,
                                                      const std::vector<dpn::StackSymbol>& symbols) {
  std::vector<Sites::Location> places;
  for (dpn::StackSymbol symbol : symbols) {
    const program::SymbolOrigin& origin = lowered.symbols[symbol];
    if (origin.role != program::SymbolRole::Before) return std::nullopt;
    const Sites::Location place{origin.procedure, origin.point};
    if (std::ranges::none_of(places, [&](const Sites::Location& other) { return same_place(place, other); }))
      places.push_back(place);
  }
  for (dpn::StackSymbol symbol : lowered.symbols.keys()) {
    const program::SymbolOrigin& origin = lowered.symbols[symbol];
    if (origin.role != program::SymbolRole::Before || std::ranges::count(symbols, symbol) > 0) continue;
    if (std::ranges::any_of(places, [&](const Sites::Location& place) {
          return same_place(place, {origin.procedure, origin.point});
        }))
      return std::nullopt;  // only some values of bools are meant
  }
  if (places.empty()) return std::nullopt;
  return places;
}

std::string negated(const Finding& finding) {
  if (finding.rule == Rule::Race || finding.rule == Rule::Deadlock || finding.rule == Rule::Waiting)
    return "no " + finding.message;
  const std::string_view found = verdict_text(finding.rule, Outcome::Found);
  std::string message = finding.message;
  if (message.ends_with(found))
    message.replace(message.size() - found.size(), found.size(), verdict_text(finding.rule, Outcome::Excluded));
  return message;
}

}  // namespace

bool Settling::is_open(const Finding& finding) const {
  return budget_.search && terms_.program().exact && finding.outcome == Outcome::Found &&
         finding.certainty == Certainty::Possible && !finding.suppressed;
}

Settlement Settling::search(const Ends& ends, SiteTarget::Condition condition, const std::vector<bool>& through_joins) {
  program::SettleOptions options{.condition = condition, .through_joins = through_joins, .limits = {}, .stop = stop_};
  StopSource source;
  std::optional<Watchdog> watchdog;
  if (budget_.time_of_one) {
    options.max_states = std::numeric_limits<std::size_t>::max();
    options.stop = StopToken{source};
    watchdog.emplace(source, Limits{.timeout = budget_.time_of_one, .memory = {}}, stop_);
  } else {
    options.max_states = std::min(budget_.states_of_one, states_left_);
  }
  // A budget of no states would be met before the first of them.
  Settlement found;
  if (options.max_states == 0)
    found.omissions.states = true;
  else
    found = program::settle(terms_.program(), ends, options);
  states_ += found.states;
  states_left_ -= std::min(states_left_, found.states);
  return found;
}

void Settling::exclude(Finding& finding) {
  finding.outcome = Outcome::Excluded;
  finding.message = negated(finding);
  finding.certainty.reset();
  finding.schedule.clear();
  finding.threads.clear();
  for (Site& site : finding.sites) {
    site.thread.clear();
    site.holds.clear();
    site.stack.clear();
    site.step.reset();
  }
  ++excluded_;
}

// Who stands where at the end of the run: each end has a thread of its own.
void Settling::report_run(Finding& finding, const Ends& ends, const program::NarratedRun& run) const {
  finding.certainty = Certainty::Executed;
  finding.obstacle.reset();
  finding.schedule = narrated_steps(terms_, run);
  finding.threads = narrated_threads(terms_, run);
  // Who is between two threads of a cycle may be somebody else in this run.
  std::erase_if(finding.sites, [](const Site& site) { return site.role == role_between; });
  std::vector<bool> taken(run.threads.size());
  for (std::size_t i = 0; i < ends.size() && i < finding.sites.size(); ++i) {
    for (std::size_t thread = 0; thread < run.threads.size(); ++thread) {
      const program::RunEnd& end = run.threads[thread];
      if (taken[thread] || end.stack.empty()) continue;
      if (std::ranges::none_of(ends[i], [&](const auto& place) { return same_place(place, end.stack.front()); }))
        continue;
      taken[thread] = true;
      ThreadAtEnd there = narrated_thread(terms_, end);
      finding.sites[i].thread = std::move(there.thread);
      finding.sites[i].holds = std::move(there.holds);
      finding.sites[i].stack = std::move(there.stack);
      break;
    }
  }
}

void Settling::settle(Finding& finding, const Ends& ends, SiteTarget::Condition condition,
                      const std::vector<bool>& through_joins) {
  if (!is_open(finding)) return;
  const Settlement found = search(ends, condition, through_joins);
  finding.settled = Settled{.states = found.states};
  switch (found.verdict) {
    case program::Settled::Executed:
      finding.settled->verdict = Settled::Verdict::Executed;
      finding.settled->preemptions = found.run->preemptions;
      report_run(finding, ends, *found.run);
      break;
    case program::Settled::Excluded:
      finding.settled->verdict = Settled::Verdict::Excluded;
      finding.explanation.push_back(fmt::format(
          "the model allows it, but no run of the program gets there: all {} states on the way were visited",
          found.states));
      exclude(finding);
      break;
    case program::Settled::Possible:
      finding.settled->left_out = to_text(found.omissions);
      finding.explanation.push_back(fmt::format("not settled: {} states were visited, then the search ended ({})",
                                                found.states, fmt::join(finding.settled->left_out, ", ")));
      break;
  }
}

void Settling::settle_race(Finding& finding, const Conflict& conflict) {
  Ends ends;
  for (AccessId id : {conflict.first, conflict.second}) {
    const program::Access& here = access(terms_.lowered(), id);
    ends.push_back({{here.procedure, here.point}});
  }
  settle(finding, ends, SiteTarget::Condition::Standing);
}

void Settling::settle_deadlock(Finding& finding, const solver::LockCycle& cycle) {
  Ends ends;
  for (const auto& symbols : cycle.places) {
    ends.emplace_back();
    for (dpn::StackSymbol symbol : symbols) {
      const program::SymbolOrigin& origin = terms_.lowered().symbols[symbol];
      ends.back().push_back({origin.procedure, origin.point});
    }
  }
  std::vector<bool> through_joins;  // by end
  for (const bool joins : cycle.shape.through_joins) {
    through_joins.push_back(joins);
    if (joins) through_joins.push_back(false);
  }
  if (!ends.empty()) settle(finding, ends, SiteTarget::Condition::Ring, through_joins);
}

void Settling::settle_place(Finding& finding, program::ProcedureId procedure, program::Point point) {
  const std::vector<Sites::Location> there{{procedure, point}};
  settle(finding, Ends{there}, SiteTarget::Condition::Standing);
}

void Settling::settle_flow(Finding& finding, const program::LoweredLabel& from, const program::LoweredLabel& to) {
  if (!is_open(finding)) return;
  std::size_t states = 0;
  for (const program::LoweredLabel* label : {&from, &to}) {
    const std::vector<Sites::Location> there{{label->procedure, label->point}};
    const Settlement found = search(Ends{there}, SiteTarget::Condition::Standing, {});
    states += found.states;
    if (found.verdict != program::Settled::Excluded) continue;
    finding.settled = Settled{.verdict = Settled::Verdict::Excluded, .states = states};
    finding.explanation.push_back(
        fmt::format("the model allows it, but no run of the program comes to {}: all {} states on the way were visited",
                    label->name, found.states));
    return exclude(finding);
  }
  finding.settled = Settled{.states = states, .left_out = {"values are not followed"}};
}

void Settling::settle_query(Finding& finding, const std::vector<std::vector<dpn::StackSymbol>>& positions) {
  Ends ends;
  for (const auto& symbols : positions) {
    auto places = points_of(terms_.lowered(), symbols);
    if (!places) return;
    ends.push_back(*std::move(places));
  }
  if (!ends.empty()) settle(finding, ends, SiteTarget::Condition::Standing);
}

}  // namespace lockwood::findings
