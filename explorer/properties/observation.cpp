#include "explorer/properties/observation.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

namespace lockwood::explorer {
namespace {

ThreadAt at(std::span<const ThreadView> threads, std::size_t index) { return {ThreadId{index}, threads[index].next}; }

void add_races(std::span<const ThreadView> threads, std::vector<Observation>& found) {
  const auto accesses = [](const ThreadView& thread) {
    return thread.status == ThreadStatus::Standing && access_kinds.contains(thread.next.kind);
  };
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (!accesses(threads[i])) continue;
    for (std::size_t j = i + 1; j < threads.size(); ++j) {
      if (!accesses(threads[j]) || !is_conflict(threads[i].next, threads[j].next)) continue;
      Race race{at(threads, i), at(threads, j)};
      if (race.second.action < race.first.action) std::swap(race.first, race.second);
      found.emplace_back(race);
    }
  }
}

void add_failures(std::span<const ThreadView> threads, std::vector<Observation>& found) {
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].status == ThreadStatus::Failed)
      found.emplace_back(ThreadFailure{at(threads, i), threads[i].failure});
}

// Each thread is blocked by at most one other: a walk along these arrows ends, or comes back to where it has been.
// Marks are the walk in which a thread was met first, so that each thread is walked over once.
void add_cycles(std::span<const ThreadView> threads, std::vector<Observation>& found) {
  std::vector<std::size_t> walk(threads.size(), 0);
  for (std::size_t start = 0; start < threads.size(); ++start) {
    std::size_t current = start;
    while (walk[current] == 0 && threads[current].blocked_on) {
      walk[current] = start + 1;
      current = threads[current].blocked_on->index();
    }
    if (walk[current] != start + 1) continue;
    Deadlock deadlock{.threads = {}, .is_cycle = true};
    const std::size_t first = current;
    do {
      deadlock.threads.push_back(at(threads, current));
      current = threads[current].blocked_on->index();
    } while (current != first);
    std::ranges::sort(deadlock.threads);
    found.emplace_back(std::move(deadlock));
  }
}

void add_blocked(std::span<const ThreadView> threads, std::vector<Observation>& found) {
  Deadlock deadlock;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (threads[i].status == ThreadStatus::Failed && threads[i].failure == Failure::Assertion) return;
    if (threads[i].is_blocked()) deadlock.threads.push_back(at(threads, i));
  }
  if (!deadlock.threads.empty()) found.emplace_back(std::move(deadlock));
}

}  // namespace

bool is_final(const Machine& machine) {
  return std::ranges::none_of(machine.threads(), [](const ThreadView& thread) { return thread.enabled; });
}

std::vector<Observation> observations(const Machine& machine, const Properties& properties) {
  const auto threads = machine.threads();
  std::vector<Observation> found;
  if (properties.races) add_races(threads, found);
  if (properties.failures) add_failures(threads, found);
  if (properties.deadlocks) {
    if (std::ranges::any_of(threads, [](const ThreadView& thread) { return thread.blocked_on.has_value(); }))
      add_cycles(threads, found);
    if (is_final(machine)) add_blocked(threads, found);
  }
  return found;
}

ObservationKey key_of(const Observation& observation) {
  ObservationKey key;
  const auto add = [&](const ThreadAt& thread) { key.sites.emplace_back(thread.action.kind, thread.action.site); };
  if (const auto* race = std::get_if<Race>(&observation)) {
    add(race->first);
    add(race->second);
  } else if (const auto* deadlock = std::get_if<Deadlock>(&observation)) {
    key.property = deadlock->is_cycle ? 1 : 2;
    for (const ThreadAt& thread : deadlock->threads) add(thread);
  } else {
    const auto& failure = std::get<ThreadFailure>(observation);
    key.property = failure.failure == Failure::Assertion ? 3 : 4;
    add(failure.thread);
  }
  std::ranges::sort(key.sites);
  return key;
}

}  // namespace lockwood::explorer
