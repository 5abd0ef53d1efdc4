#include "dpn/simulate.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>

#include "base/random.hpp"

namespace lockwood::dpn {
namespace {

// A configuration that is run. Beside it stands what makes a move cheap to draw among many threads: who holds each lock
// (which matters only if locks do, and then it is one thread) and how many moves each live thread has. These change
// only for the thread that moves, and for threads before a monitor when a lock changes hands.
class Runner {
 public:
  Runner(const Network& network, const SimulateOptions& options)
      : network_{network},
        options_{options},
        configuration_{initial_configuration(network)},
        holds_(network.locks().size()) {
    add_live(main_thread);
  }

  // One of the enabled moves; nothing if there is none.
  [[nodiscard]] std::optional<Move> draw(Random& random) const {
    std::size_t total = 0;
    for (const Live& live : live_) total += tickets(live);
    if (total == 0) return std::nullopt;
    std::size_t ticket = random.below(total);
    auto live = live_.begin();
    while (ticket >= tickets(*live)) ticket -= tickets(*live++);
    for (RuleId id : live->rules) {
      const Rule& rule = network_.rule(id);
      if (waits(live->thread, rule)) continue;
      if (ticket < tickets(rule)) return Move{live->thread, id};
      ticket -= tickets(rule);
    }
    assert(false && "the tickets of a thread are those of its moves");
    return std::nullopt;
  }

  void make(Move move) {
    const Rule& rule = network_.rule(move.rule);
    bool lock_changed_hands = false;
    if (const auto* monitor = std::get_if<Monitor>(&rule.effect)) {
      Hold& hold = holds_[monitor->lock];
      lock_changed_hands = hold.count == 0;
      hold = {move.thread, hold.count + 1};
    } else if (rule.kind() == RuleKind::Return) {
      const auto lock = configuration_.threads[move.thread].stack.back().lock;
      lock_changed_hands = lock && --holds_[*lock].count == 0;
    }
    apply(network_, configuration_, move);
    const auto mover = std::ranges::lower_bound(live_, move.thread, {}, &Live::thread);
    if (configuration_.threads[move.thread].ended())
      live_.erase(mover);
    else
      *mover = look(move.thread);
    if (rule.kind() == RuleKind::Spawn) add_live(ThreadId{configuration_.threads.size() - 1});
    if (!lock_changed_hands) return;
    for (Live& live : live_)
      if (live.before_monitor) live = look(live.thread);
  }

  // Why there is no move to draw.
  [[nodiscard]] RunEnd end_without_moves() const {
    if (live_.empty()) return RunEnd::AllEnded;
    const bool waits = std::ranges::any_of(live_, [](const Live& live) { return !live.rules.empty(); });
    return waits ? RunEnd::Deadlock : RunEnd::Stuck;
  }

  [[nodiscard]] Configuration take() && { return std::move(configuration_); }

 private:
  struct Hold {
    ThreadId thread = main_thread;
    std::size_t count = 0;
  };
  struct Live {
    ThreadId thread;
    std::span<const RuleId> rules;  // at its head
    std::size_t spawns = 0;         // enabled moves
    std::size_t others = 0;
    bool before_monitor = false;
  };

  [[nodiscard]] std::size_t tickets(const Live& live) const {
    return options_.choice == MoveChoice::Uniform ? live.spawns + live.others
                                                  : live.spawns + live.others * live_.size();
  }
  [[nodiscard]] std::size_t tickets(const Rule& rule) const {
    return options_.choice == MoveChoice::Uniform || rule.kind() == RuleKind::Spawn ? 1 : live_.size();
  }
  [[nodiscard]] bool waits(ThreadId thread, const Rule& rule) const {
    const auto* monitor = std::get_if<Monitor>(&rule.effect);
    if (monitor == nullptr || options_.semantics == Semantics::LockInsensitive) return false;
    return holds_[monitor->lock].count > 0 && holds_[monitor->lock].thread != thread;
  }
  [[nodiscard]] Live look(ThreadId thread) const {
    Live live{.thread = thread, .rules = network_.rules_from(configuration_.threads[thread].head())};
    for (RuleId id : live.rules) {
      const Rule& rule = network_.rule(id);
      if (rule.kind() == RuleKind::Monitor) live.before_monitor = true;
      if (waits(thread, rule)) continue;
      ++(rule.kind() == RuleKind::Spawn ? live.spawns : live.others);
    }
    return live;
  }
  void add_live(ThreadId thread) { live_.push_back(look(thread)); }

  const Network& network_;
  SimulateOptions options_;
  Configuration configuration_;
  IdVector<Lock, Hold> holds_;
  std::vector<Live> live_;  // by ascending thread
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
