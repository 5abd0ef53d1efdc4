#include "explorer/reduction/frozen_set.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::explorer {
namespace {

// It does nothing any more, or does not exist: whoever may start it answers for it.
bool is_inactive(const ThreadView& thread) {
  return thread.status == ThreadStatus::Absent || thread.status == ThreadStatus::Ended ||
         thread.status == ThreadStatus::Failed;
}

}  // namespace

std::span<const ThreadId> FrozenSets::choose(const Machine& machine, std::optional<ThreadId> first) {
  const auto threads = machine.threads();
  enabled_.clear();
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].enabled) enabled_.emplace_back(i);
  chosen_ = enabled_;
  if (enabled_.size() <= 1) return chosen_;
  if (first && first->index() < threads.size() && threads[first->index()].enabled)
    std::rotate(enabled_.begin(), std::ranges::find(enabled_, *first), enabled_.end());
  // A thread that pauses has had its turn: others come first, or it would run alone for ever.
  std::stable_partition(enabled_.begin(), enabled_.end(),
                        [&](ThreadId thread) { return threads[thread.index()].next.kind != ActionKind::Pause; });
  // An action on which nobody depends is enough by itself: releases and choices.
  for (ThreadId thread : enabled_) {
    const ActionKind kind = threads[thread.index()].next.kind;
    if (!table_[kind].empty() || (kind == ActionKind::Pause && thread != enabled_.front())) continue;
    chosen_.assign(1, thread);
    return chosen_;
  }
  for (ThreadId thread : enabled_) {
    if (threads[thread.index()].next.kind == ActionKind::Pause) break;
    frozen_.reset(threads.size());
    frozen_.insert(thread);
    const std::size_t size = close(machine, chosen_.size() - 1);
    if (size >= chosen_.size()) continue;
    assert(size > 0);
    chosen_.clear();
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (threads[i].enabled && frozen_.contains(ThreadId{i})) chosen_.emplace_back(i);
    assert(chosen_.size() == size);
    if (size == 1) break;
  }
  return chosen_;
}

bool FrozenSets::is_valid_alone(const Machine& machine, ThreadId thread) {
  assert(view(machine, thread).enabled);
  if (table_[view(machine, thread).next.kind].empty()) return true;
  frozen_.reset(machine.threads().size());
  frozen_.insert(thread);
  // Threads that are not enabled may join it: they do not move.
  return close(machine, 1) == 1;
}

void FrozenSets::freeze(const Machine& machine, std::span<const ThreadId> threads) {
  frozen_.reset(machine.threads().size());
  for (ThreadId thread : threads) frozen_.insert(thread);
  compute_stuck(machine);
}

bool FrozenSets::may_wake(const Machine& machine, ThreadId thread, ThreadId z) {
  if (frozen_.contains(thread) || stuck_.contains(thread)) return false;
  const Action& next = view(machine, z).next;
  return may_reach(machine, thread, {waking_kinds(table_, next.kind), next.object}, next);
}

bool FrozenSets::can_wake_all(const Machine& machine, std::span<const ThreadId> asleep) {
  freeze(machine, asleep);
  std::size_t left = asleep.size();
  bool woken = true;
  while (left > 0 && woken) {
    woken = false;
    for (ThreadId z : asleep) {
      if (!frozen_.contains(z)) continue;
      assert(view(machine, z).enabled);
      for (std::size_t i = 0; i < machine.threads().size() && frozen_.contains(z); ++i)
        if (may_wake(machine, ThreadId{i}, z)) frozen_.erase(z);
      woken = woken || !frozen_.contains(z);
      left -= frozen_.contains(z) ? 0U : 1U;
    }
    if (woken) compute_stuck(machine);
  }
  return left == 0;
}

bool FrozenSets::can_wake(const Machine& machine, ThreadId thread, ThreadId z, std::span<const ThreadId> asleep) {
  freeze(machine, asleep);
  return may_wake(machine, thread, z);
}

std::size_t FrozenSets::close(const Machine& machine, std::size_t limit) {
  const auto threads = machine.threads();
  while (true) {
    compute_stuck(machine);
    bool grown = false;
    std::size_t enabled = 0;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      if (!frozen_.contains(ThreadId{i})) continue;
      enabled += threads[i].enabled ? 1U : 0U;
      grown |= add_for(machine, ThreadId{i});
    }
    if (enabled > limit) return enabled;
    if (!grown) return enabled;
  }
}

bool FrozenSets::add_for(const Machine& machine, ThreadId thread) {
  const auto threads = machine.threads();
  const ThreadView& frozen = threads[thread.index()];
  const auto add_who_may = [&](Conflict conflict, std::optional<Action> action = {}) {
    bool grown = false;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const ThreadId other{i};
      if (frozen_.contains(other) || stuck_.contains(other) || !may_reach(machine, other, conflict, action)) continue;
      frozen_.insert(other);
      grown = true;
    }
    return grown;
  };
  if (frozen.enabled) return add_who_may({table_[frozen.next.kind], frozen.next.object}, frozen.next);
  if (frozen.status == ThreadStatus::Waiting) return add_who_may({notifying_kinds, frozen.next.object});
  assert(frozen.status == ThreadStatus::Standing && frozen.blocked_on);
  if (frozen_.contains(*frozen.blocked_on) || stuck_.contains(*frozen.blocked_on)) return false;
  frozen_.insert(*frozen.blocked_on);
  return true;
}

// The greatest set of threads that keep each other from moving: all that are blocked are in it, until one of them is
// found whose blocker is free.
void FrozenSets::compute_stuck(const Machine& machine) {
  const auto threads = machine.threads();
  stuck_.reset(threads.size());
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (!frozen_.contains(ThreadId{i}) && (is_inactive(threads[i]) || threads[i].is_blocked()))
      stuck_.insert(ThreadId{i});
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const ThreadView& thread = threads[i];
      if (!stuck_.contains(ThreadId{i}) || is_inactive(thread)) continue;
      const bool free = thread.status == ThreadStatus::Waiting
                            ? may_be_notified(machine, thread)
                            : !frozen_.contains(*thread.blocked_on) && !stuck_.contains(*thread.blocked_on);
      if (!free) continue;
      stuck_.erase(ThreadId{i});
      changed = true;
    }
  }
}

bool FrozenSets::may_be_notified(const Machine& machine, const ThreadView& waiting) {
  const std::size_t threads = machine.threads().size();
  for (std::size_t i = 0; i < threads; ++i) {
    const ThreadId other{i};
    if (!frozen_.contains(other) && !stuck_.contains(other) &&
        may_reach(machine, other, {notifying_kinds, waiting.next.object}))
      return true;
  }
  return false;
}

bool FrozenSets::may_reach(const Machine& machine, ThreadId thread, Conflict conflict,
                           const std::optional<Action>& action) {
  if (conflict.kinds.empty()) return false;
  ++questions_;
  const Question question{frozen_, stuck_, thread, conflict, action};
  return std::ranges::none_of(oracles_, [&](Oracle* oracle) { return oracle->cannot_reach(machine, question); });
}

}  // namespace lockwood::explorer
