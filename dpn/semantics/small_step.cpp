#include "dpn/semantics/small_step.hpp"

#include <cassert>

namespace lockwood::dpn {
namespace {

// The effect of a rule on the configuration, in which `thread` uses it.
class Application {
 public:
  Application(Configuration& configuration, ThreadId thread) : configuration_{configuration}, id_{thread} {}

  void operator()(const Base& base) { go_to(base.to); }
  void operator()(const Call& call) { enter(call.callee, call.return_point, std::nullopt); }
  void operator()(const Monitor& monitor) { enter(monitor.callee, monitor.return_point, monitor.lock); }
  void operator()(const Return& ret) {
    thread().control = ret.to;
    thread().stack.pop_back();
  }
  void operator()(const Spawn& spawn) {
    go_to(spawn.parent);
    const std::uint32_t ordinal = ++thread().spawned;
    configuration_.threads.push_back(Thread{
        .control = spawn.child.control, .stack = {{spawn.child.top, std::nullopt}}, .parent = id_, .ordinal = ordinal});
  }

 private:
  Thread& thread() { return configuration_.threads[id_]; }
  void go_to(Head head) {
    thread().control = head.control;
    thread().stack.back().symbol = head.top;
  }
  void enter(Head callee, StackSymbol return_point, std::optional<Lock> lock) {
    thread().control = callee.control;
    thread().stack.back().symbol = return_point;
    thread().stack.push_back({callee.top, lock});
  }

  Configuration& configuration_;
  ThreadId id_;
};

}  // namespace

std::optional<Blocked> blocked(const Network& network, const Configuration& configuration, Move move,
                               Semantics semantics) {
  using Reason = Blocked::Reason;
  if (!configuration.threads.contains(move.thread)) return Blocked{Reason::NoSuchThread, {}};
  const Thread& thread = configuration.threads[move.thread];
  if (thread.ended()) return Blocked{Reason::Ended, {}};
  const Rule& rule = network.rule(move.rule);
  if (rule.from != thread.head()) return Blocked{Reason::WrongHead, {}};
  const auto* monitor = std::get_if<Monitor>(&rule.effect);
  if (monitor == nullptr || semantics == Semantics::LockInsensitive) return std::nullopt;
  if (const auto holder = other_holder(configuration, monitor->lock, move.thread))
    return Blocked{Reason::LockHeld, holder};
  return std::nullopt;
}

std::vector<Move> enabled_moves(const Network& network, const Configuration& configuration, Semantics semantics) {
  std::vector<Move> moves;
  for (ThreadId id : configuration.threads.keys()) {
    const Thread& thread = configuration.threads[id];
    if (thread.ended()) continue;
    for (RuleId rule : network.rules_from(thread.head()))
      if (!blocked(network, configuration, {id, rule}, semantics)) moves.push_back({id, rule});
  }
  return moves;
}

void apply(const Network& network, Configuration& configuration, Move move) {
  assert(!blocked(network, configuration, move, Semantics::LockInsensitive));
  std::visit(Application{configuration, move.thread}, network.rule(move.rule).effect);
}

}  // namespace lockwood::dpn
