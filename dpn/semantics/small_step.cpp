#include "dpn/semantics/small_step.hpp"

#include <cassert>
#include <span>

namespace lockwood::dpn {
namespace {

// The effect of a rule on the configuration, in which `thread` uses it.
class Application {
 public:
  Application(Configuration& configuration, ThreadId thread) : configuration_{configuration}, id_{thread} {}

  void operator()(const Base& base) { go_to(base.to); }
  void operator()(const Call& call) { enter(call.callee, call.return_point, std::nullopt, call.opening); }
  void operator()(const Monitor& monitor) {
    enter(monitor.callee, monitor.return_point, monitor.lock, monitor.opening);
  }
  void operator()(const Return& ret) {
    thread().control = ret.to;
    thread().stack.pop_back();
    while (!thread().groups.empty() && thread().groups.back().frame == thread().stack.size())
      thread().groups.pop_back();
  }
  // All members have ended and start nothing any more: there is nothing to wait for. Forgetting them here changes no
  // later join, and keeps groups that are joined again and again small.
  void operator()(const Join& join) {
    go_to(join.to);
    for (const Group group : join.groups) empty(group);
  }
  void operator()(const Forget& forget) {
    go_to(forget.to);
    for (const Group group : forget.groups) empty(group);
  }
  void operator()(const Spawn& spawn) {
    go_to(spawn.parent);
    const std::uint32_t ordinal = ++thread().spawned;
    configuration_.threads.push_back(Thread{
        .control = spawn.child.control, .stack = {{spawn.child.top, std::nullopt}}, .parent = id_, .ordinal = ordinal});
    const ThreadId child{configuration_.threads.size() - 1};
    for (const Membership& membership : spawn.memberships) {
      if (membership.replace) empty(membership.group);
      opened(membership.group).members.push_back({child, membership.all});
    }
  }

 private:
  Thread& thread() { return configuration_.threads[id_]; }
  void go_to(Head head) {
    thread().control = head.control;
    thread().stack.back().symbol = head.top;
  }
  void enter(Head callee, StackSymbol return_point, std::optional<Lock> lock, std::span<const Group> opening) {
    thread().control = callee.control;
    thread().stack.back().symbol = return_point;
    thread().stack.push_back({callee.top, lock});
    for (const Group group : opening) thread().groups.push_back({thread().stack.size() - 1, group, {}});
  }
  // The group of the topmost frame that opens it: the bottom frame opens every group.
  OpenGroup& opened(Group group) {
    auto& groups = thread().groups;
    for (auto open = groups.rbegin(); open != groups.rend(); ++open)
      if (open->group == group) return *open;
    return *groups.insert(groups.begin(), OpenGroup{0, group, {}});
  }
  void empty(Group group) {
    if (open_group(thread(), group) != nullptr) opened(group).members.clear();
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
  if (const auto* join = std::get_if<Join>(&rule.effect))
    if (const auto member = awaited_thread(configuration, move.thread, join->groups))
      return Blocked{Reason::MemberRuns, member};
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
