#include "frontend/findings/analyses/races.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "solver/analyses/mhp.hpp"

namespace lockwood::findings {
namespace {

constexpr std::size_t conflicts_between_looks = 10'000;
// Whoever is asked to stop still looks at so many conflicts: the races among them are known, and it takes no time.
constexpr std::size_t conflicts_after_stop = 300'000;

bool is_write(const program::Lowered& lowered, AccessId id) {
  return access(lowered, id).kind == program::AccessKind::Write;
}

// Ascending and without repetition.
std::vector<dpn::StackSymbol> ordered(std::vector<dpn::StackSymbol> symbols) {
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

// Sorts conflicts of which those with the same first access stand in order already, as those of one variable do. There
// may be millions, and this takes no longer than to copy them.
void sort_by_first(std::vector<Conflict>& conflicts, const program::Lowered& lowered) {
  std::vector<std::size_t> next(lowered.accesses.size() + 1);  // where the next conflict of an access goes
  for (const Conflict& conflict : conflicts) ++next[conflict.first.index() + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Conflict> sorted = conflicts;
  for (const Conflict& conflict : conflicts) sorted[next[conflict.first.index()]++] = conflict;
  conflicts = std::move(sorted);
}

}  // namespace

AccessGroup access_group(const program::Lowered& lowered, std::vector<AccessId> accesses) {
  const auto writes =
      static_cast<std::size_t>(std::ranges::count_if(accesses, [&](AccessId id) { return is_write(lowered, id); }));
  const std::size_t conflicts = writes * (writes + 1) / 2 + writes * (accesses.size() - writes);
  return {.by_variable = {std::move(accesses)}, .conflicts = conflicts};
}

std::vector<AccessGroup> access_groups(const program::Lowered& lowered, std::span<const program::Variable> variables,
                                       std::size_t max_places) {
  std::vector<std::vector<AccessId>> by_variable;
  for (std::size_t i = 0; i < lowered.accesses.size(); ++i) {
    const program::Access& here = lowered.accesses[i];
    if (here.before.empty() || !here.races) continue;
    if (!variables.empty() && std::ranges::find(variables, here.variable) == variables.end()) continue;
    if (here.variable.index() >= by_variable.size()) by_variable.resize(here.variable.index() + 1);
    by_variable[here.variable.index()].emplace_back(i);
  }
  std::vector<AccessGroup> groups;
  std::size_t places = max_places;  // of the last group
  for (auto& accesses : by_variable) {
    std::size_t own = 0;
    for (AccessId id : accesses) own += access(lowered, id).before.size();
    AccessGroup of_variable = access_group(lowered, std::move(accesses));
    if (of_variable.conflicts == 0) continue;
    if (places + own > max_places) {
      groups.emplace_back();
      places = 0;
    }
    places += own;
    AccessGroup& group = groups.back();
    group.conflicts += of_variable.conflicts;
    group.by_variable.push_back(std::move(of_variable.by_variable.front()));
  }
  return groups;
}

std::vector<Conflict> conflicts(const program::Lowered& lowered, const AccessGroup& group, StopToken stop) {
  std::vector<Conflict> found;
  found.reserve(group.conflicts);
  for (const auto& accesses : group.by_variable)
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      stop.check();
      for (std::size_t j = i; j < accesses.size(); ++j)
        if (is_write(lowered, accesses[i]) || is_write(lowered, accesses[j]))
          found.push_back({accesses[i], accesses[j]});
    }
  if (group.by_variable.size() > 1) sort_by_first(found, lowered);
  return found;
}

std::vector<Conflict> conflicts(const program::Lowered& lowered, StopToken stop) {
  std::vector<Conflict> all;
  for (const AccessGroup& group : access_groups(lowered))
    std::ranges::copy(conflicts(lowered, group, stop), std::back_inserter(all));
  sort_by_first(all, lowered);
  return all;
}

std::vector<std::vector<Conflict>> by_group(const program::Lowered& lowered, const std::vector<Conflict>& conflicts) {
  const std::vector<AccessGroup> groups = access_groups(lowered);
  std::vector<std::size_t> group_of(lowered.accesses.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const auto& accesses : groups[i].by_variable)
      for (AccessId id : accesses) group_of[id.index()] = i;
  std::vector<std::vector<Conflict>> found(groups.size());
  for (const Conflict& conflict : conflicts) found[group_of[conflict.first.index()]].push_back(conflict);
  std::erase_if(found, [](const auto& each) { return each.empty(); });
  return found;
}

ConflictVerdicts decide(const dpn::Network& network, const program::Lowered& lowered,
                        const std::vector<Conflict>& conflicts, dpn::Semantics semantics, StopToken stop) {
  ConflictVerdicts verdicts;
  if (conflicts.empty()) return verdicts;
  // A pair has a write on one side; which access stands on that side does not matter, because pairs have no order.
  std::vector<dpn::StackSymbol> writing;
  std::vector<dpn::StackSymbol> accessing;
  IdVector<dpn::StackSymbol, std::uint32_t> variables(
      network.stack_symbols().size());               // only accesses to one variable race
  std::vector<bool> asked(lowered.accesses.size());  // an access is in many pairs
  for (const Conflict& conflict : conflicts) asked[conflict.first.index()] = asked[conflict.second.index()] = true;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!asked[i]) continue;
    const program::Access& here = lowered.accesses[i];
    accessing.insert(accessing.end(), here.before.begin(), here.before.end());
    for (dpn::StackSymbol symbol : here.before) variables[symbol] = static_cast<std::uint32_t>(here.variable.index());
    if (here.kind == program::AccessKind::Write) writing.insert(writing.end(), here.before.begin(), here.before.end());
  }
  const solver::MhpAnswer answer = solver::parallel_pairs(network, {.semantics = semantics,
                                                                    .left = ordered(std::move(writing)),
                                                                    .right = ordered(std::move(accessing)),
                                                                    .classes = std::move(variables),
                                                                    .stop = stop});
  verdicts.stopped = answer.stopped;
  verdicts.statistics = answer.statistics;
  verdicts.reduction = answer.reduction;
  std::size_t left = conflicts_after_stop;
  for (std::size_t i = 0; i < conflicts.size() && left > 0; ++i) {
    const Conflict& conflict = conflicts[i];
    if (i % conflicts_between_looks == 0 && !verdicts.stopped) verdicts.stopped = stop.reason();
    if (verdicts.stopped && --left == 0) verdicts.unlisted = conflicts.size() - i - 1;
    if (solver::has_pair_between(answer.pairs, access(lowered, conflict.first).before,
                                 access(lowered, conflict.second).before)) {
      verdicts.racing.push_back(conflict);
    } else {
      (verdicts.stopped ? verdicts.undecided : verdicts.apart).push_back(conflict);
    }
  }
  return verdicts;
}

ConflictVerdicts decide(const program::Lowered& lowered, const std::vector<Conflict>& conflicts, StopToken stop) {
  ConflictVerdicts verdicts = decide(lowered.network, lowered, conflicts, dpn::Semantics::LockSensitive, stop);
  if (verdicts.racing.empty() || ignored_locks(lowered).empty()) return verdicts;
  try {
    const auto held = held_locks(lowered, stop);
    const auto excluded = [&](const Conflict& conflict) { return !common_locks(lowered, held, conflict).empty(); };
    std::ranges::copy_if(verdicts.racing, std::back_inserter(verdicts.by_text), excluded);
    std::erase_if(verdicts.racing, excluded);
    std::ranges::copy(verdicts.by_text, std::back_inserter(verdicts.apart));
    std::ranges::sort(verdicts.apart);
  } catch (const Interrupted& interrupted) {
    std::ranges::move(verdicts.racing, std::back_inserter(verdicts.undecided));
    verdicts.racing.clear();
    std::ranges::sort(verdicts.undecided);
    verdicts.stopped = interrupted.reason();
  }
  return verdicts;
}

std::vector<dpn::Lock> common_locks(const program::Lowered& lowered, const IdVector<dpn::StackSymbol, HeldLocks>& held,
                                    const Conflict& conflict) {
  const HeldLocks first = held_at(held, access(lowered, conflict.first).before);
  const HeldLocks second = held_at(held, access(lowered, conflict.second).before);
  std::vector<dpn::Lock> by_first;
  std::vector<dpn::Lock> by_second;
  std::ranges::set_intersection(first.always, second.reading, std::back_inserter(by_first));
  std::ranges::set_intersection(first.reading, second.always, std::back_inserter(by_second));
  std::vector<dpn::Lock> common;
  std::ranges::set_union(by_first, by_second, std::back_inserter(common));
  return common;
}

ConflictVerdicts decide_all(const program::Lowered& lowered, StopToken stop) {
  ConflictVerdicts all;
  for (const AccessGroup& group : access_groups(lowered)) {
    ConflictVerdicts some;
    try {
      some = decide(lowered, conflicts(lowered, group, stop), stop);
    } catch (const Interrupted& interrupted) {  // even to list them takes its time
      all.stopped = interrupted.reason();
      all.unlisted += group.conflicts;
      continue;
    }
    for (auto list : {&ConflictVerdicts::racing, &ConflictVerdicts::apart, &ConflictVerdicts::by_text,
                      &ConflictVerdicts::undecided})
      std::ranges::move(some.*list, std::back_inserter(all.*list));
    if (!all.stopped) all.stopped = some.stopped;
    all.unlisted += some.unlisted;
    all.statistics += some.statistics;
  }
  for (auto list :
       {&ConflictVerdicts::racing, &ConflictVerdicts::apart, &ConflictVerdicts::by_text, &ConflictVerdicts::undecided})
    sort_by_first(all.*list, lowered);
  return all;
}

solver::Problem conflict_problem(const program::Lowered& lowered, const Conflict& conflict) {
  solver::Phase phase;
  for (AccessId id : {conflict.first, conflict.second})
    phase.standing.push_back({.tops = access(lowered, id).before, .holding = {}, .wanting = {}});
  return {.semantics = dpn::Semantics::LockSensitive, .phases = {std::move(phase)}, .collect = {}};
}

std::vector<dpn::Query> claims(const program::Lowered& lowered, const ConflictVerdicts& verdicts) {
  std::vector<dpn::Query> queries;
  const auto claim = [&](const Conflict& conflict, dpn::Verdict expected) {
    dpn::QueryStep step;
    for (AccessId id : {conflict.first, conflict.second}) step.positions.push_back(access(lowered, id).before);
    queries.push_back({.form = dpn::QueryForm::Conflict, .steps = {std::move(step)}, .expected = expected, .at = {}});
  };
  for (const Conflict& race : verdicts.racing) claim(race, dpn::Verdict::Reachable);
  for (const Conflict& conflict : verdicts.apart)
    if (!std::ranges::binary_search(verdicts.by_text, conflict)) claim(conflict, dpn::Verdict::Unreachable);
  return queries;
}

}  // namespace lockwood::findings
