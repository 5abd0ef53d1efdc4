#include "dpn/semantics/replay.hpp"

#include <utility>

#include "dpn/semantics/describe.hpp"

namespace lockwood::dpn {
namespace {

class Replayer {
 public:
  Replayer(const Network& network, Semantics semantics)
      : network_{network},
        semantics_{semantics},
        configuration_{initial_configuration(network)},
        holdings_(network.locks().size()),
        unfinished_(1, 1) {}

  Replay run(std::span<const Move> moves, StopToken stop) && {
    for (std::size_t index = 0; index < moves.size(); ++index) {
      stop.check();
      if (auto reason = hindrance(moves[index])) {
        ReplayError found = error(index, moves[index], *std::move(reason));
        return {std::move(configuration_), std::move(found)};
      }
      make(moves[index]);
    }
    return {std::move(configuration_), std::nullopt};
  }

 private:
  struct Holding {  // of a lock; lock-sensitively there is at most one holder
    ThreadId holder = main_thread;
    std::size_t times = 0;
  };

  [[nodiscard]] std::optional<std::string> hindrance(Move move) const {
    if (!configuration_.threads.contains(move.thread)) return "there is no such thread yet";
    if (!network_.rules().contains(move.rule)) return "there is no such rule";
    const Thread& thread = configuration_.threads[move.thread];
    if (thread.ended()) return "the thread has ended";
    const Rule& rule = network_.rule(move.rule);
    if (thread.head() != rule.from) return "the thread is at " + describe(network_, thread.head());
    if (const auto* join = std::get_if<Join>(&rule.effect)) return hindrance(thread, *join);
    const auto* monitor = std::get_if<Monitor>(&rule.effect);
    if (monitor == nullptr || semantics_ == Semantics::LockInsensitive) return std::nullopt;
    const Holding& holding = holdings_[monitor->lock];
    if (holding.times == 0 || holding.holder == move.thread) return std::nullopt;
    return "lock " + std::string{network_.locks().shown(monitor->lock)} + " is held by " +
           thread_name(configuration_, holding.holder);
  }

  [[nodiscard]] std::optional<std::string> hindrance(const Thread& thread, const Join& join) const {
    for (const Group group : join.groups) {
      const OpenGroup* open = open_group(thread, group);
      if (open == nullptr) continue;
      for (const Member& member : open->members) {
        if (member.all ? unfinished_[member.thread] == 0 : configuration_.threads[member.thread].ended()) continue;
        const std::string name = thread_name(configuration_, member.thread);
        if (configuration_.threads[member.thread].ended()) return "a thread that " + name + " started has not ended";
        return name + " has not ended";
      }
    }
    return std::nullopt;
  }

  void make(Move move) {
    const Effect& effect = network_.rule(move.rule).effect;
    if (const auto* monitor = std::get_if<Monitor>(&effect)) {
      holdings_[monitor->lock].holder = move.thread;
      ++holdings_[monitor->lock].times;
    }
    if (std::holds_alternative<Return>(effect))
      if (const auto lock = configuration_.threads[move.thread].stack.back().lock) --holdings_[*lock].times;
    apply(network_, configuration_, move);
    if (std::holds_alternative<Spawn>(effect)) {
      ++unfinished_[move.thread];
      unfinished_.push_back(1);
    }
    if (configuration_.threads[move.thread].ended()) finish(move.thread);
  }
  // The thread has ended. It is finished when all that it started is finished, too; and so on upwards.
  void finish(ThreadId thread) {
    while (--unfinished_[thread] == 0) {
      const auto parent = configuration_.threads[thread].parent;
      if (!parent) return;
      thread = *parent;
    }
  }

  [[nodiscard]] ReplayError error(std::size_t index, Move move, std::string reason) const {
    return {.index = index,
            .move = move,
            .thread = configuration_.threads.contains(move.thread) ? thread_name(configuration_, move.thread)
                                                                   : "thread " + std::to_string(move.thread.index()),
            .rule = network_.rules().contains(move.rule) ? describe(network_, network_.rule(move.rule))
                                                         : "rule " + std::to_string(move.rule.index()),
            .reason = std::move(reason)};
  }

  const Network& network_;
  Semantics semantics_;
  Configuration configuration_;
  IdVector<Lock, Holding> holdings_;
  // Of each thread: itself if it has not ended, and the threads that it spawned and that are not finished. It is
  // finished, with all its offspring, when this is 0.
  IdVector<ThreadId, std::size_t> unfinished_;
};

}  // namespace

Replay replay(const Network& network, std::span<const Move> moves, Semantics semantics, StopToken stop) {
  return Replayer{network, semantics}.run(moves, stop);
}

std::string to_text(const ReplayError& error) {
  return "step " + std::to_string(error.index + 1) + ": " + error.thread + " cannot use " + error.rule + ": " +
         error.reason;
}

}  // namespace lockwood::dpn
