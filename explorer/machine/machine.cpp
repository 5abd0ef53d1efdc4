#include "explorer/machine/machine.hpp"

#include <stdexcept>

namespace lockwood::explorer {

const char* to_string(Bound bound) {
  switch (bound) {
    case Bound::StackDepth: return "stack depth";
    case Bound::Threads: return "threads";
    case Bound::Instructions: return "instructions";
  }
  assert(false);
  return "";
}

std::vector<ThreadId> waiting_for(const Machine& machine, Monitor monitor) {
  std::vector<ThreadId> waiting;
  const auto threads = machine.threads();
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].status == ThreadStatus::Waiting && monitor_of(threads[i].next) == monitor) waiting.emplace_back(i);
  return waiting;
}

void check_views(const Machine& machine) {
  const auto threads = machine.threads();
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::logic_error{what};
  };
  for (const ThreadView& thread : threads) {
    const bool standing = thread.status == ThreadStatus::Standing;
    require(standing || !thread.enabled, "only a standing thread is enabled");
    require(thread.outcomes > 0, "an action has an outcome");
    require(!thread.blocked_on || (standing && !thread.enabled), "only a disabled action is blocked");
    if (standing && !thread.enabled) {
      require(thread.blocked_on.has_value(), "a disabled action is blocked by a thread");
      require(thread.blocked_on->index() < threads.size(), "a thread is blocked by a thread of this machine");
      const ThreadStatus blocker = threads[thread.blocked_on->index()].status;
      require(blocker != ThreadStatus::Absent && blocker != ThreadStatus::Ended, "who has ended blocks nobody");
      require(acquiring_kinds.contains(thread.next.kind) || thread.next.kind == ActionKind::Join,
              "only monitors and joins block");
    }
    if (thread.status == ThreadStatus::Waiting)
      require(thread.next.kind == ActionKind::Reacquire, "a waiting thread takes its monitor again");
    if (standing && thread_kinds.contains(thread.next.kind))
      require(thread.next.object < threads.size(), "threads that are started or joined have names");
  }
}

}  // namespace lockwood::explorer
