#include "tests/oracle/solver/waiting_rings.hpp"

#include <algorithm>
#include <vector>

#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/small_step.hpp"
#include "tests/oracle/solver/shrunk_flaw.hpp"

namespace lockwood::oracle {
namespace {

using namespace dpn;
using solver::RingShape;

// Starts, from the first thread on: the same in all interleavings.
using Path = std::vector<std::size_t>;
IdVector<ThreadId, Path> paths_of(const Configuration& configuration) {
  IdVector<ThreadId, Path> paths(configuration.threads.size());
  for (ThreadId thread : configuration.threads.keys())
    if (const auto parent = configuration.threads[thread].parent) {
      paths[thread] = paths[*parent];
      paths[thread].push_back(configuration.threads[thread].ordinal);
    }
  return paths;
}

// All that matters to the future, the same for configurations that differ in the order of starts only.
std::vector<std::size_t> key_of(const Configuration& configuration) {
  const auto paths = paths_of(configuration);
  std::vector<std::vector<std::size_t>> live;
  for (ThreadId id : configuration.threads.keys()) {
    const Thread& thread = configuration.threads[id];
    if (thread.ended()) continue;
    std::vector<std::size_t>& words = live.emplace_back();
    const auto add = [&](const std::vector<std::size_t>& list) {
      words.push_back(list.size());
      words.insert(words.end(), list.begin(), list.end());
    };
    add(paths[id]);
    words.push_back(thread.control.index());
    for (const Frame& frame : thread.stack) {
      words.push_back(frame.symbol.index());
      words.push_back(frame.lock ? frame.lock->index() + 1 : 0);
    }
    for (const OpenGroup& open : thread.groups) {
      words.push_back(open.frame);
      words.push_back(open.group.index());
      std::vector<std::vector<std::size_t>> members;
      for (const Member& member : open.members) {
        if (!member.all && configuration.threads[member.thread].ended()) continue;
        members.push_back(paths[member.thread]);
        members.back().push_back(member.all ? 1 : 0);
      }
      std::ranges::sort(members);
      for (const auto& member : members) add(member);
      words.push_back(~std::size_t{0});
    }
  }
  std::ranges::sort(live);
  std::vector<std::size_t> key;
  for (const auto& words : live) {
    key.push_back(words.size());
    key.insert(key.end(), words.begin(), words.end());
  }
  return key;
}

bool holds(const Thread& thread, Lock lock) {
  return std::ranges::any_of(thread.stack, [&](const Frame& frame) { return frame.lock == lock; });
}

bool descends(const Configuration& configuration, ThreadId thread, ThreadId ancestor) {
  for (std::optional<ThreadId> at = thread; at; at = configuration.threads[*at].parent)
    if (*at == ancestor) return true;
  return false;
}

// The live threads that the group has, as the thread sees it now.
std::vector<ThreadId> members(const Configuration& configuration, ThreadId thread, Group group) {
  const OpenGroup* topmost = nullptr;
  for (const OpenGroup& open : configuration.threads[thread].groups)
    if (open.group == group && (topmost == nullptr || open.frame > topmost->frame)) topmost = &open;
  std::vector<ThreadId> found;
  if (topmost == nullptr) return found;
  for (ThreadId other : configuration.threads.keys())
    if (!configuration.threads[other].ended() && std::ranges::any_of(topmost->members, [&](const Member& member) {
          return member.all ? descends(configuration, other, member.thread) : member.thread == other;
        }))
      found.push_back(other);
  return found;
}

// One thread waits for another one by a rule: to take the lock, or in a join.
struct Wait {
  RuleId rule;
  std::optional<Lock> lock;
  ThreadId blocker;
};

std::vector<Wait> waits_of(const Network& network, const Configuration& configuration, ThreadId id) {
  std::vector<Wait> waits;
  const Thread& thread = configuration.threads[id];
  if (thread.ended()) return waits;
  for (RuleId rule : network.rules_from(thread.head())) {
    const Effect& effect = network.rule(rule).effect;
    if (const auto* monitor = std::get_if<Monitor>(&effect); monitor != nullptr && !holds(thread, monitor->lock))
      for (ThreadId other : configuration.threads.keys())
        if (holds(configuration.threads[other], monitor->lock)) waits.push_back({rule, monitor->lock, other});
    if (const auto* join = std::get_if<Join>(&effect))
      for (Group group : join->groups)
        for (ThreadId other : members(configuration, id, group)) waits.push_back({rule, std::nullopt, other});
  }
  return waits;
}

RingShape turned(RingShape ring) {
  const auto turn = std::ranges::min_element(ring.locks) - ring.locks.begin();
  std::rotate(ring.locks.begin(), ring.locks.begin() + turn, ring.locks.end());
  std::rotate(ring.through_joins.begin(), ring.through_joins.begin() + turn, ring.through_joins.end());
  return ring;
}

class Search {
 public:
  explicit Search(const Network& network) : network_{network} {}

  std::optional<WaitingRings> run(std::size_t most) && {
    std::vector<Configuration> found{initial_configuration(network_)};
    std::set<std::vector<std::size_t>> seen{key_of(found.front())};
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Configuration from = found[i];
      look(from);
      for (const Move& move : enabled_moves(network_, from, Semantics::LockSensitive)) {
        Configuration to = from;
        apply(network_, to, move);
        if (!seen.insert(key_of(to)).second) continue;
        if (found.size() == most) return std::nullopt;
        found.push_back(std::move(to));
      }
    }
    rings_.configurations = found.size();
    return std::move(rings_);
  }

 private:
  void look(const Configuration& configuration) {
    waits_.clear();
    for (ThreadId thread : configuration.threads.keys()) waits_.push_back(waits_of(network_, configuration, thread));
    for (ThreadId thread : configuration.threads.keys())
      for (Lock lock : held_locks(configuration.threads[thread]))
        follow({thread}, {.locks = {lock}, .through_joins = {false}});
    look_for_stuck_threads(configuration);
  }

  // Along different threads, each waiting for the next one. The first one holds the first lock.
  void follow(const std::vector<ThreadId>& threads, const RingShape& ring) {
    for (const Wait& wait : waits_[threads.back()]) {
      if (wait.lock && wait.blocker == threads.front() && *wait.lock == ring.locks.front())
        rings_.closing.insert(turned(ring));
      if (std::ranges::count(threads, wait.blocker) > 0) continue;
      std::vector<ThreadId> more = threads;
      more.push_back(wait.blocker);
      RingShape longer = ring;
      if (wait.lock) {
        longer.locks.push_back(*wait.lock);
        longer.through_joins.push_back(false);
      } else {
        longer.through_joins.back() = true;
      }
      follow(more, longer);
    }
  }

  // The largest set of threads all of whose rules wait for threads of the set.
  void look_for_stuck_threads(const Configuration& configuration) {
    IdVector<ThreadId, bool> stuck(configuration.threads.size(), false);
    for (ThreadId thread : stuck.keys()) stuck[thread] = !configuration.threads[thread].ended();
    const auto waits_within = [&](ThreadId thread) {
      const auto rules = network_.rules_from(configuration.threads[thread].head());
      return !rules.empty() && std::ranges::all_of(rules, [&](RuleId rule) {
        return std::ranges::any_of(waits_[thread],
                                   [&](const Wait& wait) { return wait.rule == rule && stuck[wait.blocker]; });
      });
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (ThreadId thread : stuck.keys())
        if (stuck[thread] && !waits_within(thread)) {
          stuck[thread] = false;
          changed = true;
        }
    }
    if (std::ranges::count(stuck, true) == 0) return;
    ++rings_.stuck;
    if (rings_.watched < 3) watch(configuration, stuck);
  }

  // They never move, whatever the others do.
  void watch(const Configuration& configuration, const IdVector<ThreadId, bool>& stuck) {
    ++rings_.watched;
    std::vector<Configuration> found{configuration};
    std::set<std::vector<std::size_t>> seen{key_of(configuration)};
    for (std::size_t i = 0; i < found.size() && found.size() < 300; ++i) {
      const Configuration from = found[i];
      for (const Move& move : enabled_moves(network_, from, Semantics::LockSensitive)) {
        if (stuck.contains(move.thread) && stuck[move.thread]) rings_.moved = thread_name(from, move.thread);
        Configuration to = from;
        apply(network_, to, move);
        if (seen.insert(key_of(to)).second) found.push_back(std::move(to));
      }
    }
  }

  const Network& network_;
  IdVector<ThreadId, std::vector<Wait>> waits_;
  WaitingRings rings_;
};

constexpr std::size_t most_configurations = 1'500;

// One way to solve for each turn.
solver::DeadlockOptions options_of(std::uint64_t turn) {
  solver::DeadlockOptions options;
  switch (turn % 4) {
    case 0: break;
    case 1: options.solving.reductions = solver::Reductions::none(); break;
    case 2: options.solving.locks = solver::LockChoice::Lazy; break;
    default: options.solving.witness = solver::WitnessChoice::FewestThreads; break;
  }
  return options;
}

std::optional<std::string> flaw_of(const Network& network, const WaitingRings& expected, std::uint64_t turn,
                                   std::size_t& refuted) {
  if (expected.moved) return "the oracle is wrong: a stuck thread moves: " + *expected.moved;
  std::set<RingShape> closing;
  try {
    for (const solver::LockRing& ring : solver::find_deadlocks(network, options_of(turn)).rings) {
      if (ring.answer.verdict == Verdict::Unknown) return "no verdict on a ring";
      if (ring.answer.verdict == Verdict::Unreachable && ring.shape.has_joins()) ++refuted;
      if (ring.answer.verdict != Verdict::Reachable) continue;
      if (!ring.answer.witness) return "no witness of a ring";
      closing.insert(turned(ring.shape));
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  const auto text = [&](const RingShape& ring) {
    std::string names;
    for (std::size_t i = 0; i < ring.size(); ++i)
      names += std::string{network.locks().name(ring.locks[i])} + (ring.through_joins[i] ? " (join) " : " ");
    return names;
  };
  for (const RingShape& ring : closing)
    if (!expected.closing.contains(ring)) return "a ring is found that does not close: " + text(ring);
  for (const RingShape& ring : expected.closing)
    if (!closing.contains(ring)) return "a ring is not found: " + text(ring);
  if (expected.stuck > 0 && closing.empty()) return "threads are stuck for ever, and no ring is found";
  return std::nullopt;
}

}  // namespace

std::optional<WaitingRings> waiting_rings(const Network& network, std::size_t most) {
  return Search{network}.run(most);
}

std::optional<std::string> wrong_deadlocks(const Network& network, std::uint64_t turn, DeadlockTally& tally) {
  const auto expected = waiting_rings(network, most_configurations);
  if (!expected) {
    ++tally.too_large;
    return std::nullopt;
  }
  if (const auto flaw = flaw_of(network, *expected, turn, tally.refuted_through_joins)) {
    const auto small =
        solver::shrunk_flaw(network, solver::unanswerable(),
                            [&](const Network& candidate, const solver::Problem&) -> std::optional<std::string> {
                              const auto rings = waiting_rings(candidate, most_configurations);
                              std::size_t ignored = 0;
                              return rings ? flaw_of(candidate, *rings, turn, ignored) : std::nullopt;
                            });
    return small.value_or(*flaw + ", which is gone when it is asked again\n" + to_dpn(network, {}));
  }
  ++tally.models;
  tally.rings += expected->closing.size();
  for (const RingShape& ring : expected->closing) {
    if (!ring.has_joins()) continue;
    ++tally.through_joins;
    if (ring.size() == 1) ++tally.of_one_lock;
  }
  if (expected->stuck > 0) ++tally.stuck;
  return std::nullopt;
}

}  // namespace lockwood::oracle
