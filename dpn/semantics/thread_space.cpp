#include "dpn/semantics/thread_space.hpp"

#include <algorithm>
#include <array>

namespace lockwood::dpn {
namespace {

template <class Tag>
std::uint32_t word(Id<Tag> id) {
  return static_cast<std::uint32_t>(id.index());
}

template <class Tag>
std::uint32_t word(std::optional<Id<Tag>> id) {
  return id ? word(*id) + 1 : 0;
}

template <class Key>
std::optional<Key> optional_id(std::uint32_t word) {
  return word == 0 ? std::nullopt : std::optional{Key{word - 1}};
}

}  // namespace

ThreadState ThreadSpace::start(Head head) { return state(head.control, push(head.top, {}, std::nullopt)); }

bool ThreadSpace::holds(ThreadState state, Lock lock) const {
  return std::ranges::binary_search(lock_sets_[stacks_[rows_[state].stack].held.index()], word(lock));
}

std::size_t ThreadSpace::frame_opening(ThreadState state, Group group) const {
  StackNode at = rows_[state].stack;
  while (true) {
    const auto key = stack_keys_[at.index()];
    const auto rest = optional_id<StackNode>(key[2]);
    const auto opening = optional_id<GroupListId>(key[3]);
    if (!rest || (opening && std::ranges::binary_search(group_lists_[opening->index()], word(group))))
      return stacks_[at].depth;
    at = *rest;
  }
}

std::span<const ThreadStep> ThreadSpace::steps(ThreadState state) {
  if (!rows_[state].expanded) {
    const auto begin = static_cast<std::uint32_t>(steps_.size());
    const Row row = rows_[state];
    for (RuleId id : network_.rules_from(row.head)) steps_.push_back(step_by(id, row.stack));
    rows_[state].steps_begin = begin;
    rows_[state].steps_end = static_cast<std::uint32_t>(steps_.size());
    rows_[state].expanded = true;
  }
  const Row& row = rows_[state];
  return std::span{steps_}.subspan(row.steps_begin, row.steps_end - row.steps_begin);
}

ThreadStep ThreadSpace::step_by(RuleId id, StackNode stack) {
  const Rule& rule = network_.rule(id);
  const auto key = stack_keys_[stack.index()];
  const FrameMark mark{optional_id<Lock>(key[1]), optional_id<GroupListId>(key[3])};
  const auto rest = optional_id<StackNode>(key[2]);
  ThreadStep step{.rule = id, .to = {}, .spawned = {}, .lock = {}};
  if (const auto to = step_of(rule)) {
    step.to = state(to->control, push(to->top, mark, rest));
  } else if (const auto* ret = std::get_if<Return>(&rule.effect)) {
    if (rest) step.to = state(ret->to, *rest);
  } else if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
    step.to = state(spawn->parent.control, push(spawn->parent.top, mark, rest));
    step.spawned = start(spawn->child);
  } else if (const auto entry = entry_of(rule)) {
    step.lock = entry->lock;
    step.too_deep = stacks_[stack].depth >= stack_depth_;
    if (!step.too_deep) {
      const StackNode below = push(entry->return_point, mark, rest);
      const FrameMark entered{entry->lock, group_list(entry->opening)};
      step.to = state(entry->callee.control, push(entry->callee.top, entered, below));
    }
  }
  return step;
}

std::optional<ThreadSpace::GroupListId> ThreadSpace::group_list(std::span<const Group> groups) {
  if (groups.empty()) return std::nullopt;
  std::vector<std::uint32_t> words;
  for (const Group group : groups) words.push_back(word(group));
  return GroupListId{group_lists_.intern(words).number};
}

ThreadSpace::StackNode ThreadSpace::push(StackSymbol symbol, FrameMark mark, std::optional<StackNode> rest) {
  const std::array<std::uint32_t, 4> key{word(symbol), word(mark.lock), word(rest), word(mark.opening)};
  const auto [number, is_new] = stack_keys_.intern(key);
  if (is_new) {
    const LockSetId below = rest ? stacks_[*rest].held : LockSetId{lock_sets_.intern({}).number};
    const std::size_t depth = rest ? stacks_[*rest].depth + 1 : 1;
    stacks_.push_back({depth, mark.lock ? with(below, *mark.lock) : below});
  }
  return StackNode{number};
}

ThreadSpace::LockSetId ThreadSpace::with(LockSetId held, Lock lock) {
  const auto old = lock_sets_[held.index()];
  std::vector<std::uint32_t> locks(old.begin(), old.end());
  const auto place = std::ranges::lower_bound(locks, word(lock));
  if (place == locks.end() || *place != word(lock)) locks.insert(place, word(lock));
  return LockSetId{lock_sets_.intern(locks).number};
}

ThreadState ThreadSpace::state(ControlState control, StackNode stack) {
  const std::array<std::uint32_t, 2> key{word(control), word(stack)};
  const auto [number, is_new] = state_keys_.intern(key);
  if (is_new) rows_.push_back({Head{control, StackSymbol{stack_keys_[stack.index()][0]}}, stack});
  return ThreadState{number};
}

}  // namespace lockwood::dpn
