#include "tests/oracle/solver/waiting_cycles.hpp"

#include <algorithm>
#include <vector>

#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/small_step.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"

namespace lockwood::oracle {
namespace {

using namespace dpn;
using solver::CycleShape;

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

CycleShape turned(CycleShape cycle) {
  const auto turn = std::ranges::min_element(cycle.locks) - cycle.locks.begin();
  std::rotate(cycle.locks.begin(), cycle.locks.begin() + turn, cycle.locks.end());
  std::rotate(cycle.through_joins.begin(), cycle.through_joins.begin() + turn, cycle.through_joins.end());
  return cycle;
}

class Search {
 public:
  explicit Search(const Network& network) : network_{network} {}

  std::optional<WaitingCycles> run(std::size_t most) && {
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
    cycles_.configurations = found.size();
    return std::move(cycles_);
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
  void follow(const std::vector<ThreadId>& threads, const CycleShape& cycle) {
    for (const Wait& wait : waits_[threads.back()]) {
      if (wait.lock && wait.blocker == threads.front() && *wait.lock == cycle.locks.front())
        cycles_.closing.insert(turned(cycle));
      if (std::ranges::count(threads, wait.blocker) > 0) continue;
      std::vector<ThreadId> more = threads;
      more.push_back(wait.blocker);
      CycleShape longer = cycle;
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
    ++cycles_.stuck;
    if (cycles_.watched < 3) watch(configuration, stuck);
  }

  // They never move, whatever the others do.
  void watch(const Configuration& configuration, const IdVector<ThreadId, bool>& stuck) {
    ++cycles_.watched;
    std::vector<Configuration> found{configuration};
    std::set<std::vector<std::size_t>> seen{key_of(configuration)};
    for (std::size_t i = 0; i < found.size() && found.size() < 300; ++i) {
      const Configuration from = found[i];
      for (const Move& move : enabled_moves(network_, from, Semantics::LockSensitive)) {
        if (stuck.contains(move.thread) && stuck[move.thread]) cycles_.moved = thread_name(from, move.thread);
        Configuration to = from;
        apply(network_, to, move);
        if (seen.insert(key_of(to)).second) found.push_back(std::move(to));
      }
    }
  }

  const Network& network_;
  IdVector<ThreadId, std::vector<Wait>> waits_;
  WaitingCycles cycles_;
};

constexpr std::size_t max_configurations = 1'500;

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

std::optional<std::string> flaw_of(const Network& network, const WaitingCycles& expected, std::uint64_t turn,
                                   std::size_t& refuted) {
  if (expected.moved) return "the oracle is wrong: a stuck thread moves: " + *expected.moved;
  std::set<CycleShape> closing;
  try {
    for (const solver::LockCycle& cycle : solver::find_deadlocks(network, options_of(turn)).cycles) {
      if (cycle.answer.verdict == Verdict::Unknown) return "no verdict on a cycle";
      if (cycle.answer.verdict == Verdict::Unreachable && cycle.shape.has_joins()) ++refuted;
      if (cycle.answer.verdict != Verdict::Reachable) continue;
      if (!cycle.answer.witness) return "no witness of a cycle";
      closing.insert(turned(cycle.shape));
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  const auto text = [&](const CycleShape& cycle) {
    std::string names;
    for (std::size_t i = 0; i < cycle.size(); ++i)
      names += std::string{network.locks().name(cycle.locks[i])} + (cycle.through_joins[i] ? " (join) " : " ");
    return names;
  };
  for (const CycleShape& cycle : closing)
    if (!expected.closing.contains(cycle)) return "a cycle is found that does not close: " + text(cycle);
  for (const CycleShape& cycle : expected.closing)
    if (!closing.contains(cycle)) return "a cycle is not found: " + text(cycle);
  if (expected.stuck > 0 && closing.empty()) return "threads are stuck for ever, and no cycle is found";
  return std::nullopt;
}

}  // namespace

std::optional<WaitingCycles> waiting_cycles(const Network& network, std::size_t most) {
  return Search{network}.run(most);
}

std::optional<std::string> wrong_deadlocks(const Network& network, std::uint64_t turn, DeadlockTally& tally) {
  const auto expected = waiting_cycles(network, max_configurations);
  if (!expected) {
    ++tally.too_large;
    return std::nullopt;
  }
  if (const auto flaw = flaw_of(network, *expected, turn, tally.refuted_through_joins)) {
    const auto small =
        solver::shrunk_error(network, solver::unanswerable(),
                             [&](const Network& candidate, const solver::Problem&) -> std::optional<std::string> {
                               const auto cycles = waiting_cycles(candidate, max_configurations);
                               std::size_t ignored = 0;
                               return cycles ? flaw_of(candidate, *cycles, turn, ignored) : std::nullopt;
                             });
    return small.value_or(*flaw + ", which is gone when it is asked again\n" + to_dpn(network, {}));
  }
  ++tally.models;
  tally.cycles += expected->closing.size();
  for (const CycleShape& cycle : expected->closing) {
    if (!cycle.has_joins()) continue;
    ++tally.through_joins;
    if (cycle.size() == 1) ++tally.of_one_lock;
  }
  if (expected->stuck > 0) ++tally.stuck;
  return std::nullopt;
}

}  // namespace lockwood::oracle
