#include "dpn/semantics/configuration.hpp"

#include <algorithm>

#include "dpn/semantics/thread_name.hpp"

namespace lockwood::dpn {

Configuration initial_configuration(const Network& network) {
  const Head head = network.initial();
  Configuration configuration;
  configuration.threads.push_back(Thread{.control = head.control, .stack = {{head.top, std::nullopt}}, .parent = {}});
  return configuration;
}

std::string thread_name(const Configuration& configuration, ThreadId thread) {
  std::vector<std::uint32_t> ordinals;
  for (ThreadId at = thread; configuration.threads[at].parent; at = *configuration.threads[at].parent)
    ordinals.push_back(configuration.threads[at].ordinal);
  return thread_name(std::move(ordinals));
}

std::size_t hold_count(const Thread& thread, Lock lock) {
  return static_cast<std::size_t>(
      std::ranges::count_if(thread.stack, [lock](const Frame& frame) { return frame.lock == lock; }));
}

std::vector<Lock> held_locks(const Thread& thread) {
  std::vector<Lock> locks;
  for (const Frame& frame : thread.stack)
    if (frame.lock) locks.push_back(*frame.lock);
  std::ranges::sort(locks);
  locks.erase(std::unique(locks.begin(), locks.end()), locks.end());
  return locks;
}

const OpenGroup* open_group(const Thread& thread, Group group) {
  for (auto open = thread.groups.rbegin(); open != thread.groups.rend(); ++open)
    if (open->group == group) return &*open;
  return nullptr;
}

std::optional<ThreadId> awaited_thread(const Configuration& configuration, ThreadId thread,
                                       std::span<const Group> groups) {
  const auto& threads = configuration.threads;
  const auto counts = [&](const Member& member, ThreadId other) {  // as one to be waited for
    if (other == member.thread) return true;
    if (!member.all) return false;
    std::optional<ThreadId> ancestor = threads[other].parent;
    while (ancestor && *ancestor != member.thread) ancestor = threads[*ancestor].parent;
    return ancestor.has_value();
  };
  for (const Group group : groups) {
    const OpenGroup* open = open_group(threads[thread], group);
    if (open == nullptr) continue;
    for (const Member& member : open->members) {
      if (!member.all && threads[member.thread].ended()) continue;
      // Threads are numbered in the order of their creation: offspring come later.
      for (ThreadId other = member.thread; other.index() < threads.size(); other = ThreadId{other.index() + 1}) {
        if (!threads[other].ended() && counts(member, other)) return other;
        if (!member.all) break;
      }
    }
  }
  return std::nullopt;
}

std::optional<ThreadId> other_holder(const Configuration& configuration, Lock lock, ThreadId except) {
  for (ThreadId thread : configuration.threads.keys())
    if (thread != except && hold_count(configuration.threads[thread], lock) > 0) return thread;
  return std::nullopt;
}

}  // namespace lockwood::dpn
