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

std::optional<ThreadId> other_holder(const Configuration& configuration, Lock lock, ThreadId except) {
  for (ThreadId thread : configuration.threads.keys())
    if (thread != except && hold_count(configuration.threads[thread], lock) > 0) return thread;
  return std::nullopt;
}

}  // namespace lockwood::dpn
