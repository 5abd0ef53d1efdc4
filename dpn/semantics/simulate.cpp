#include "dpn/semantics/simulate.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/ids/random.hpp"

namespace lockwood::dpn {
namespace {

// How many moves a thread has: with n live threads, spawns weigh 1 and others 1 or n.
struct MoveCount {
  std::size_t spawns = 0;
  std::size_t others = 0;
  [[nodiscard]] std::size_t tickets(std::size_t weight) const { return spawns + others * weight; }
  MoveCount& operator+=(const MoveCount& more) {
    spawns += more.spawns;
    others += more.others;
    return *this;
  }
  friend MoveCount operator-(const MoveCount& a, const MoveCount& b) {  // modulo 2^64: differences may be negative
    return {a.spawns - b.spawns, a.others - b.others};
  }
};

// The numbers of moves of all threads as a Fenwick tree: node k, from 1, has the sum over the threads before k, as many
// as the lowest bit of k says. Threads, which may be a million, are counted and found in logarithmic time.
class MoveCounts {
 public:
  void push_back(MoveCount count) {
    const std::size_t node = nodes_.size();
    for (std::size_t step = 1; step < lowest_bit(node); step *= 2) count += nodes_[node - step];
    nodes_.push_back(count);
  }
  void add(ThreadId thread, MoveCount difference) {
    for (std::size_t node = thread.index() + 1; node < nodes_.size(); node += lowest_bit(node))
      nodes_[node] += difference;
  }
  [[nodiscard]] MoveCount total() const {
    MoveCount sum;
    for (std::size_t node = nodes_.size() - 1; node > 0; node -= lowest_bit(node)) sum += nodes_[node];
    return sum;
  }
  // The thread that has the ticket, and which of its own that is. Requires that there are more tickets in all.
  [[nodiscard]] std::pair<ThreadId, std::size_t> owner(std::size_t ticket, std::size_t weight) const {
    std::size_t before = 0;  // threads
    for (std::size_t step = std::bit_floor(nodes_.size()); step > 0; step /= 2) {
      if (before + step >= nodes_.size() || nodes_[before + step].tickets(weight) > ticket) continue;
      before += step;
      ticket -= nodes_[before].tickets(weight);
    }
    return {ThreadId{before}, ticket};
  }

 private:
  static std::size_t lowest_bit(std::size_t node) { return node & (~node + 1); }
  std::vector<MoveCount> nodes_ = std::vector<MoveCount>(1);  // there is no node 0
};

// A configuration that is run. Beside it stands what makes a move cheap to draw among many threads: who holds each lock
// (which matters only if locks do, and then it is one thread) and how many moves each thread has. These change only for
// the thread that moves, for threads before a monitor when its lock changes hands, and for threads before a join when
// a thread ends.
class Runner {
 public:
  Runner(const Network& network, const SimulateOptions& options)
      : network_{network},
        options_{options},
        configuration_{initial_configuration(network)},
        holds_(network.locks().size()),
        before_monitor_(network.locks().size()) {
    add_thread(main_thread);
  }

  // One of the enabled moves, as if drawn from the list of them by thread; nothing if there is none.
  [[nodiscard]] std::optional<Move> draw(Random& random) const {
    const std::size_t total = counts_.total().tickets(weight());
    if (total == 0) return std::nullopt;
    auto [thread, ticket] = counts_.owner(random.below(total), weight());
    for (RuleId id : rules_of(thread)) {
      const Rule& rule = network_.rule(id);
      if (waits(thread, rule)) continue;
      const std::size_t tickets = rule.kind() == RuleKind::Spawn ? 1 : weight();
      if (ticket < tickets) return Move{thread, id};
      ticket -= tickets;
    }
    assert(false && "the tickets of a thread are those of its moves");
    return std::nullopt;
  }

  void make(Move move) {
    const Rule& rule = network_.rule(move.rule);
    std::optional<Lock> changed_hands;
    if (const auto* monitor = std::get_if<Monitor>(&rule.effect)) {
      Hold& hold = holds_[monitor->lock];
      if (hold.count == 0) changed_hands = monitor->lock;
      hold = {move.thread, hold.count + 1};
    } else if (rule.kind() == RuleKind::Return) {
      const auto lock = configuration_.threads[move.thread].stack.back().lock;
      if (lock && --holds_[*lock].count == 0) changed_hands = lock;
    }
    note_waits(move.thread, [](std::set<ThreadId>& threads, ThreadId thread) { threads.erase(thread); });
    apply(network_, configuration_, move);
    const bool ended = configuration_.threads[move.thread].ended();
    if (ended) --live_;
    note_waits(move.thread, [](std::set<ThreadId>& threads, ThreadId thread) { threads.insert(thread); });
    count_again(move.thread);
    if (rule.kind() == RuleKind::Spawn) add_thread(ThreadId{configuration_.threads.size() - 1});
    if (ended)
      for (ThreadId thread : before_join_) count_again(thread);
    if (!changed_hands || options_.semantics == Semantics::LockInsensitive) return;
    for (ThreadId thread : before_monitor_[*changed_hands]) count_again(thread);
  }

  // Why there is no move to draw.
  [[nodiscard]] RunEnd end_without_moves() const {
    if (live_ == 0) return RunEnd::AllEnded;
    const bool waits = std::ranges::any_of(configuration_.threads.keys(),
                                           [this](ThreadId thread) { return !rules_of(thread).empty(); });
    return waits ? RunEnd::Deadlock : RunEnd::Stuck;
  }

  [[nodiscard]] Configuration take() && { return std::move(configuration_); }

 private:
  struct Hold {
    ThreadId thread = main_thread;
    std::size_t count = 0;
  };

  [[nodiscard]] std::size_t weight() const { return options_.choice == MoveChoice::Uniform ? 1 : live_; }
  // At its head; none if it has ended.
  [[nodiscard]] std::span<const RuleId> rules_of(ThreadId thread) const {
    const Thread& state = configuration_.threads[thread];
    return state.ended() ? std::span<const RuleId>{} : network_.rules_from(state.head());
  }
  [[nodiscard]] bool waits(ThreadId thread, const Rule& rule) const {
    if (const auto* join = std::get_if<Join>(&rule.effect))
      return awaited_thread(configuration_, thread, join->groups).has_value();
    const auto* monitor = std::get_if<Monitor>(&rule.effect);
    if (monitor == nullptr || options_.semantics == Semantics::LockInsensitive) return false;
    return holds_[monitor->lock].count > 0 && holds_[monitor->lock].thread != thread;
  }
  [[nodiscard]] MoveCount moves_of(ThreadId thread) const {
    MoveCount count;
    for (RuleId id : rules_of(thread)) {
      const Rule& rule = network_.rule(id);
      if (!waits(thread, rule)) ++(rule.kind() == RuleKind::Spawn ? count.spawns : count.others);
    }
    return count;
  }
  void count_again(ThreadId thread) {
    const MoveCount now = moves_of(thread);
    counts_.add(thread, now - counted_[thread]);
    counted_[thread] = now;
  }
  void add_thread(ThreadId thread) {
    ++live_;
    counted_.push_back(moves_of(thread));
    counts_.push_back(counted_[thread]);
    note_waits(thread, [](std::set<ThreadId>& threads, ThreadId added) { threads.insert(added); });
  }
  template <class Note>
  void note_waits(ThreadId thread, const Note& note) {
    for (RuleId id : rules_of(thread)) {
      const Rule& rule = network_.rule(id);
      if (const auto* monitor = std::get_if<Monitor>(&rule.effect)) note(before_monitor_[monitor->lock], thread);
      if (rule.kind() == RuleKind::Join) note(before_join_, thread);
    }
  }

  const Network& network_;
  SimulateOptions options_;
  Configuration configuration_;
  IdVector<Lock, Hold> holds_;
  IdVector<Lock, std::set<ThreadId>> before_monitor_;  // threads that stand before a monitor of the lock
  std::set<ThreadId> before_join_;                     // threads that stand before a join
  std::size_t live_ = 0;                               // threads that have not ended
  IdVector<ThreadId, MoveCount> counted_;
  MoveCounts counts_;  // of the same
};

}  // namespace

Run random_run(const Network& network, std::uint64_t seed, const SimulateOptions& options, StopToken stop) {
  Random random{seed};
  Runner runner{network, options};
  Run run;
  while (run.moves.size() < options.moves) {
    if (stop.stop_requested()) {
      run.end = RunEnd::Stopped;
      break;
    }
    const std::optional<Move> move = runner.draw(random);
    if (!move) {
      run.end = runner.end_without_moves();
      break;
    }
    runner.make(*move);
    run.moves.push_back(*move);
  }
  run.reached = std::move(runner).take();
  return run;
}

std::vector<Configuration> configurations_along(const Network& network, const std::vector<Move>& moves) {
  std::vector<Configuration> configurations{initial_configuration(network)};
  for (Move move : moves) {
    Configuration next = configurations.back();
    apply(network, next, move);
    configurations.push_back(std::move(next));
  }
  return configurations;
}

}  // namespace lockwood::dpn
