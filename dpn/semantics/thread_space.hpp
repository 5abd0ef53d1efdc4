#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/sequence_table.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

// A control state and a stack with its locks and opened groups, interned: two live threads in the same state have
// the same future, as far as no groups are concerned.
using ThreadState = Id<struct ThreadStateTag>;

// What a thread in a given state can do next, as far as it depends on that thread alone.
struct ThreadStep {
  RuleId rule;
  std::optional<ThreadState> to;       // none: the thread ends, or `too_deep`
  std::optional<ThreadState> spawned;  // the new thread
  std::optional<Lock> lock;            // enabled only if no other thread holds it
  bool too_deep = false;               // the step would leave the space
};

// The states of single threads with stacks of bounded depth, discovered on demand. Stacks are hash-consed lists that
// share their tails, and the steps of a state are computed once, however many configurations it occurs in: exploring
// configurations is then a matter of exchanging one number in a sorted list of numbers.
class ThreadSpace {
 public:
  // The network must outlive the space.
  ThreadSpace(const Network& network, std::size_t stack_depth) : network_{network}, stack_depth_{stack_depth} {}

  // A new thread: one frame, no lock. It is in the space whatever its bound.
  [[nodiscard]] ThreadState start(Head head);
  // All steps by ascending rule. The span is valid until the next call of steps or start.
  [[nodiscard]] std::span<const ThreadStep> steps(ThreadState state);

  [[nodiscard]] Head head(ThreadState state) const { return rows_[state].head; }
  [[nodiscard]] std::size_t depth(ThreadState state) const { return stacks_[rows_[state].stack].depth; }
  [[nodiscard]] bool holds(ThreadState state, Lock lock) const;
  // The frame whose group the name means: the topmost one that opens it, counted from 1, the bottom frame.
  [[nodiscard]] std::size_t frame_opening(ThreadState state, Group group) const;

 private:
  using StackNode = Id<struct StackNodeTag>;
  using LockSetId = Id<struct LockSetTag>;
  using GroupListId = Id<struct GroupListTag>;

  // What a frame keeps while its symbol changes.
  struct FrameMark {
    std::optional<Lock> lock;
    std::optional<GroupListId> opening;  // none: no group
  };

  // A stack: its top frame's lock and the rest are in stack_keys_, the rest is derived.
  struct Stack {
    std::size_t depth;
    LockSetId held;
  };
  struct Row {
    Head head;
    StackNode stack;
    bool expanded = false;
    std::uint32_t steps_begin = 0;
    std::uint32_t steps_end = 0;
  };

  [[nodiscard]] StackNode push(StackSymbol symbol, FrameMark mark, std::optional<StackNode> rest);
  [[nodiscard]] std::optional<GroupListId> group_list(std::span<const Group> groups);
  [[nodiscard]] LockSetId with(LockSetId held, Lock lock);
  [[nodiscard]] ThreadState state(ControlState control, StackNode stack);
  [[nodiscard]] ThreadStep step_by(RuleId id, StackNode stack);

  const Network& network_;
  std::size_t stack_depth_;
  SequenceTable<> lock_sets_;    // ascending lock numbers
  SequenceTable<> group_lists_;  // ascending group numbers
  SequenceTable<> stack_keys_;   // symbol, 1 + lock or 0, 1 + rest or 0, 1 + opening or 0
  IdVector<StackNode, Stack> stacks_;
  SequenceTable<> state_keys_;  // control, stack
  IdVector<ThreadState, Row> rows_;
  std::vector<ThreadStep> steps_;  // by state, in the order of expansion
};

}  // namespace lockwood::dpn
