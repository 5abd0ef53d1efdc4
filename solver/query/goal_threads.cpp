#include "solver/query/goal_threads.hpp"

#include <algorithm>
#include <cassert>

#include "base/graph/matching.hpp"

namespace lockwood::problem {
namespace {

using dpn::Network;
using dpn::ThreadId;

bool meets(const Network& network, const dpn::Thread& thread, const StandGoal& goal) {
  if (thread.ended()) return false;
  const auto held = dpn::held_locks(thread);
  return meets(network, thread.head(), {held.begin(), held.end()}, goal);
}

// Depth first: the pairs of goals first, of which one waits for the other in joins, then the other goals.
class Search {
 public:
  Search(const Network& network, const Phase& phase, const dpn::Configuration& configuration)
      : network_{network},
        phase_{phase},
        configuration_{configuration},
        taken_(configuration.threads.size(), false),
        found_{.meeting = std::vector<ThreadId>(phase.standing.size(), dpn::main_thread),
               .between = std::vector<std::vector<ThreadId>>(phase.awaiting.size())} {
    std::vector<bool> in_pair(phase.standing.size(), false);
    for (const auto& [waiter, awaited] : phase.awaiting) in_pair[waiter] = in_pair[awaited] = true;
    for (std::size_t goal = 0; goal < phase.standing.size(); ++goal)
      if (!in_pair[goal]) alone_.push_back(goal);
  }

  std::optional<GoalThreads> result() && {
    if (!pairs_from(0)) return std::nullopt;
    return std::move(found_);
  }

 private:
  template <class GoOn>
  bool with(ThreadId thread, const GoOn& go_on) {
    if (taken_[thread]) return false;
    taken_[thread] = true;
    if (go_on()) return true;
    taken_[thread] = false;
    return false;
  }

  bool pairs_from(std::size_t pair) {
    if (pair == phase_.awaiting.size()) return goals_alone();
    const std::size_t waiter = phase_.awaiting[pair].waiter;
    for (ThreadId thread : configuration_.threads.keys())
      if (meets(network_, configuration_.threads[thread], phase_.standing[waiter])) {
        found_.meeting[waiter] = thread;
        if (with(thread, [&] { return chain_from(pair, thread); })) return true;
      }
    return false;
  }

  // From a thread that waits, directly or not, for the thread that is awaited.
  bool chain_from(std::size_t pair, ThreadId waiting) {
    const std::size_t awaited = phase_.awaiting[pair].awaited;
    for (dpn::RuleId rule : network_.rules_from(configuration_.threads[waiting].head())) {
      const auto* join = std::get_if<dpn::Join>(&network_.rule(rule).effect);
      if (join == nullptr) continue;
      for (ThreadId next : awaited_threads(configuration_, waiting, join->groups)) {
        if (meets(network_, configuration_.threads[next], phase_.standing[awaited])) {
          found_.meeting[awaited] = next;
          if (with(next, [&] { return pairs_from(pair + 1); })) return true;
        }
        found_.between[pair].push_back(next);
        if (with(next, [&] { return chain_from(pair, next); })) return true;
        found_.between[pair].pop_back();
      }
    }
    return false;
  }

  bool goals_alone() {
    const auto chosen = matching(alone_.size(), configuration_.threads.size(), [&](std::size_t i, std::size_t thread) {
      const ThreadId id{thread};
      return !taken_[id] && meets(network_, configuration_.threads[id], phase_.standing[alone_[i]]);
    });
    if (!chosen) return false;
    for (std::size_t i = 0; i < alone_.size(); ++i) found_.meeting[alone_[i]] = ThreadId{(*chosen)[i]};
    return true;
  }

  const Network& network_;
  const Phase& phase_;
  const dpn::Configuration& configuration_;
  IdVector<ThreadId, bool> taken_;
  std::vector<std::size_t> alone_;  // goals that are in no pair
  GoalThreads found_;
};

}  // namespace

std::vector<ThreadId> awaited_threads(const dpn::Configuration& configuration, ThreadId thread,
                                      const std::vector<dpn::Group>& groups) {
  const auto& threads = configuration.threads;
  std::vector<ThreadId> found;
  const auto counts = [&](const dpn::Member& member, ThreadId other) {
    if (other == member.thread || !member.all) return other == member.thread;
    std::optional<ThreadId> ancestor = threads[other].parent;
    while (ancestor && *ancestor != member.thread) ancestor = threads[*ancestor].parent;
    return ancestor.has_value();
  };
  for (ThreadId other : threads.keys())
    if (!threads[other].ended() && std::ranges::any_of(groups, [&](dpn::Group group) {
          const dpn::OpenGroup* open = dpn::open_group(threads[thread], group);
          return open != nullptr &&
                 std::ranges::any_of(open->members, [&](const dpn::Member& member) { return counts(member, other); });
        }))
      found.push_back(other);
  return found;
}

std::optional<GoalThreads> threads_meeting(const Network& network, const Phase& phase,
                                           const dpn::Configuration& configuration) {
  return Search{network, phase, configuration}.result();
}

std::optional<std::size_t> unmet_goal(const Network& network, const std::vector<StandGoal>& goals,
                                      const dpn::Configuration& configuration) {
  for (std::size_t count = 1; count <= goals.size(); ++count)
    if (!matching(count, configuration.threads.size(), [&](std::size_t goal, std::size_t thread) {
          return meets(network, configuration.threads[ThreadId{thread}], goals[goal]);
        }))
      return count - 1;
  return std::nullopt;
}

}  // namespace lockwood::problem
