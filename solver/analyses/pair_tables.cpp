#include "solver/analyses/pair_tables.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/process/watchdog.hpp"

namespace lockwood::solver {
namespace {

constexpr std::chrono::milliseconds first_attempt{5};
constexpr int longer_next_time = 8;       // after an attempt that took too long
constexpr std::size_t max_places = 2000;  // of a table: it has up to the square of that many pairs

using Symbols = std::vector<dpn::StackSymbol>;

const Symbols& side(const Problem& problem, std::size_t number) {
  return *problem.phases.front().standing[number].tops;
}

bool are_among(const Symbols& some, const Symbols& ascending) {
  return std::ranges::all_of(some,
                             [&](dpn::StackSymbol place) { return std::ranges::binary_search(ascending, place); });
}

}  // namespace

PairTables::PairTables(const dpn::Network& network, dpn::Semantics semantics, const Reductions& reductions,
                       StopToken stop)
    : network_{network},
      semantics_{semantics},
      reductions_{reductions},
      stop_{stop},
      groups_of_(network.stack_symbols().size()) {}

bool PairTables::apply_to(const Problem& problem) {
  if (problem.phases.size() != 1 || problem.collect) return false;
  const Phase& phase = problem.phases.front();
  const auto by_place = [](const StandGoal& goal) {
    return goal.tops && !goal.tops->empty() && !goal.holding && !goal.wanting && !goal.joining;
  };
  return phase.avoiding.empty() && phase.fired.empty() && phase.observers.empty() && phase.awaiting.empty() &&
         phase.standing.size() == 2 && std::ranges::all_of(phase.standing, by_place);
}

std::optional<bool> PairTables::reachable(const Problem& problem) {
  std::shared_ptr<const Table> table;
  {
    const std::lock_guard lock{mutex_};
    if (const auto group = groups_of_[side(problem, 0).front()]) table = groups_[*group].table;
  }
  if (!table || !are_among(side(problem, 0), table->places) || !are_among(side(problem, 1), table->places))
    return std::nullopt;
  assert(std::ranges::is_sorted(table->places) && std::ranges::is_sorted(table->pairs));
  return has_pair_between(table->pairs, side(problem, 0), side(problem, 1));
}

void PairTables::took(const Problem& problem, Clock::duration time) {
  Symbols places;
  Clock::duration allowed;
  const std::unique_lock making{making_, std::try_to_lock};
  {
    const std::lock_guard lock{mutex_};
    Group& group = groups_[group_of(problem)];
    ++group.questions;
    group.spent += time;
    if (!making || group.questions < group.members.size() || group.spent < group.next_attempt) return;
    if (group.members.size() > max_places) return;
    places = group.members;
    allowed = group.spent;
  }
  make(std::move(places), allowed);
}

// The group of all places of the problem, which belong together from now on.
PairTables::GroupId PairTables::group_of(const Problem& problem) {
  std::optional<GroupId> whole;
  for (std::size_t number : {0U, 1U})
    for (dpn::StackSymbol place : side(problem, number)) {
      std::optional<GroupId>& own = groups_of_[place];
      if (!own) own = groups_.push_back({.members = {place}, .next_attempt = first_attempt, .table = {}});
      whole = whole ? merged(*whole, *own) : *own;
    }
  return *whole;
}

// The smaller one goes over to the larger one, so that a place changes its group only a few times.
PairTables::GroupId PairTables::merged(GroupId a, GroupId b) {
  if (a == b) return a;
  if (groups_[a].members.size() < groups_[b].members.size()) std::swap(a, b);
  Group& larger = groups_[a];
  Group smaller = std::exchange(groups_[b], {});
  assert(smaller.members.size() <= larger.members.size());
  for (dpn::StackSymbol place : smaller.members) {
    assert(groups_of_[place] == b);
    groups_of_[place] = a;
  }
  larger.members.insert(larger.members.end(), smaller.members.begin(), smaller.members.end());
  larger.questions += smaller.questions;
  larger.spent += smaller.spent;
  larger.next_attempt = std::max(larger.next_attempt, smaller.next_attempt);
  if (!larger.table) larger.table = std::move(smaller.table);
  return a;
}

// The group may grow meanwhile; then the table is one of a part of it.
void PairTables::make(Symbols places, Clock::duration allowed) {
  std::ranges::sort(places);
  StopSource source;
  const Watchdog watchdog{
      source, {.timeout = std::chrono::ceil<std::chrono::milliseconds>(allowed), .memory = {}}, stop_};
  const auto begin = Clock::now();
  MhpAnswer answer = parallel_pairs(
      network_,
      {.semantics = semantics_, .left = places, .right = places, .reductions = reductions_, .stop = StopToken{source}});
  const auto cost = Clock::now() - begin;
  const std::lock_guard lock{mutex_};
  Group& group = groups_[*groups_of_[places.front()]];
  if (answer.stopped) {
    group.next_attempt = longer_next_time * allowed;
    return;
  }
  group.spent = {};
  group.next_attempt = std::max<Clock::duration>(first_attempt, cost);
  group.table = std::make_shared<const Table>(Table{std::move(places), std::move(answer.pairs)});
  ++made_;
}

}  // namespace lockwood::solver
