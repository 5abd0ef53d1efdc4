#include "dpn/semantics/describe.hpp"

#include <span>
#include <vector>

#include "base/text/printable.hpp"

namespace lockwood::dpn {
namespace {

template <class Key>
std::string shown(const Vocabulary<Key>& vocabulary, Key key) {
  return printable(vocabulary.shown(key));
}

// The control state as it is shown; empty if there is nothing to tell by it.
std::string shown_control(const Network& network, ControlState control) {
  return network.control_states().size() > 1 ? shown(network.control_states(), control) : std::string{};
}

std::string arrow(const Network& network, const Rule& rule) {
  return describe(network, rule.from) + " -- " + shown(network.actions(), rule.action) + " --> ";
}

// "[a, b]" with a space before it; nothing for no remarks.
std::string in_brackets(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += (text.empty() ? " [" : ", ") + remark;
  return text.empty() ? text : text + "]";
}

// "joins h, k".
std::string group_note(const Network& network, const char* verb, std::span<const Group> groups) {
  std::string text = verb;
  for (std::size_t i = 0; i < groups.size(); ++i) text += (i == 0 ? " " : ", ") + shown(network.groups(), groups[i]);
  return text;
}

// " into h, as all k": what a new thread becomes a member of.
std::string membership_text(const Network& network, const Spawn& spawn) {
  std::string text;
  for (const Membership& membership : spawn.memberships) {
    text += text.empty() ? " " : ", ";
    text += membership.replace ? "as " : "into ";
    if (membership.all) text += "all ";
    text += shown(network.groups(), membership.group);
  }
  return text;
}

// The remarks about a call or monitor, and the groups that it opens if there are any.
std::string with_opening(const Network& network, std::vector<std::string> remarks, std::span<const Group> opening) {
  if (!opening.empty()) remarks.push_back(group_note(network, "opens", opening));
  return in_brackets(remarks);
}

std::string to_rule_text(const Network& network, const Base& base) { return describe(network, base.to); }
std::string to_rule_text(const Network& network, const Call& call) {
  return describe(network, call.callee) +
         with_opening(network, {"returns to " + shown(network.stack_symbols(), call.return_point)}, call.opening);
}
std::string to_rule_text(const Network& network, const Monitor& monitor) {
  return describe(network, monitor.callee) +
         with_opening(network,
                      {"acquires " + shown(network.locks(), monitor.lock),
                       "returns to " + shown(network.stack_symbols(), monitor.return_point)},
                      monitor.opening);
}
std::string to_rule_text(const Network& network, const Return& ret) {
  const std::string control = shown_control(network, ret.to);
  return control.empty() ? "return" : "return in " + control;
}
std::string to_rule_text(const Network& network, const Spawn& spawn) {
  return describe(network, spawn.parent) +
         in_brackets({"spawns " + describe(network, spawn.child) + membership_text(network, spawn)});
}
std::string to_rule_text(const Network& network, const Join& join) {
  return describe(network, join.to) + in_brackets({group_note(network, "joins", join.groups)});
}
std::string to_rule_text(const Network& network, const Forget& forget) {
  return describe(network, forget.to) + in_brackets({group_note(network, "forgets", forget.groups)});
}

// The effect of a rule on a thread of a configuration.
class MoveText {
 public:
  MoveText(const Network& network, const Configuration& configuration, ThreadId thread)
      : network_{network}, configuration_{configuration}, id_{thread}, thread_{configuration.threads[thread]} {}

  std::string operator()(const Base& base) const { return describe(network_, base.to); }
  std::string operator()(const Call& call) const {
    return describe(network_, call.callee) + with_opening(network_, {}, call.opening);
  }
  std::string operator()(const Join& join) const { return to_rule_text(network_, join); }
  std::string operator()(const Forget& forget) const { return to_rule_text(network_, forget); }
  std::string operator()(const Monitor& monitor) const {
    const bool again = hold_count(thread_, monitor.lock) > 0;
    return describe(network_, monitor.callee) +
           with_opening(network_, {"acquires " + shown(network_.locks(), monitor.lock) + (again ? " again" : "")},
                        monitor.opening);
  }
  std::string operator()(const Return& ret) const {
    const std::size_t depth = thread_.stack.size();
    std::vector<std::string> remarks;
    if (depth > 0 && thread_.stack.back().lock && hold_count(thread_, *thread_.stack.back().lock) == 1)
      remarks.push_back("releases " + shown(network_.locks(), *thread_.stack.back().lock));
    if (depth > 1) return describe(network_, Head{ret.to, thread_.stack[depth - 2].symbol}) + in_brackets(remarks);
    remarks.emplace_back("ends");
    return to_rule_text(network_, ret) + in_brackets(remarks);
  }
  std::string operator()(const Spawn& spawn) const {
    const std::string child = thread_name(configuration_, id_) + "." + std::to_string(thread_.spawned + 1);
    return describe(network_, spawn.parent) +
           in_brackets(
               {"spawns " + child + " at " + describe(network_, spawn.child) + membership_text(network_, spawn)});
  }

 private:
  const Network& network_;
  const Configuration& configuration_;
  ThreadId id_;
  const Thread& thread_;
};

constexpr std::size_t shown_frames = 8;  // at either end of a long stack

std::string stack_text(const Network& network, const Thread& thread) {
  std::string text = describe(network, thread.head());
  const std::size_t depth = thread.stack.size();
  for (std::size_t below = 1; below < depth; ++below) {
    if (below == shown_frames && depth > 2 * shown_frames + 1) {
      const std::size_t hidden = depth - 2 * shown_frames;
      text += ", then " + std::to_string(hidden) + " more";
      below += hidden - 1;
      continue;
    }
    text += ", then " + shown(network.stack_symbols(), thread.stack[depth - 1 - below].symbol);
  }
  return text;
}

}  // namespace

std::string describe(const Network& network, Head head) {
  const std::string top = shown(network.stack_symbols(), head.top);
  const std::string control = shown_control(network, head.control);
  return control.empty() ? top : control + " " + top;
}

std::string describe(const Network& network, const Rule& rule) {
  return arrow(network, rule) +
         std::visit([&](const auto& effect) { return to_rule_text(network, effect); }, rule.effect);
}

std::string describe(const Network& network, const Configuration& configuration, Move move) {
  const Rule& rule = network.rule(move.rule);
  return thread_name(configuration, move.thread) + ": " + arrow(network, rule) +
         std::visit(MoveText{network, configuration, move.thread}, rule.effect);
}

std::string describe(const Network& network, const Configuration& configuration, ThreadId id) {
  const Thread& thread = configuration.threads[id];
  const std::string name = thread_name(configuration, id);
  if (thread.ended()) return name + " has ended";
  std::string text = name + " at " + stack_text(network, thread);
  const std::vector<Lock> locks = held_locks(thread);
  for (std::size_t i = 0; i < locks.size(); ++i)
    text += (i == 0 ? "; holds " : ", ") + shown(network.locks(), locks[i]);
  return text;
}

std::string describe(const Network& network, const Configuration& configuration) {
  std::string text;
  for (ThreadId thread : configuration.threads.keys()) text += describe(network, configuration, thread) + "\n";
  return text;
}

std::string describe(const Network& network, const Configuration& configuration, Move move, const Blocked& blocked) {
  using Reason = Blocked::Reason;
  if (blocked.reason == Reason::NoSuchThread) return "there is no such thread";
  const std::string name = thread_name(configuration, move.thread);
  const Rule& rule = network.rule(move.rule);
  switch (blocked.reason) {
    case Reason::NoSuchThread: break;
    case Reason::Ended: return name + " has ended";
    case Reason::WrongHead: {
      const Head head = configuration.threads[move.thread].head();
      return name + " is at " + describe(network, head) + ", not at " + describe(network, rule.from);
    }
    case Reason::LockHeld: {
      const auto* monitor = std::get_if<Monitor>(&rule.effect);
      std::string text = name + " waits for lock " + (monitor ? shown(network.locks(), monitor->lock) : std::string{});
      if (blocked.holder) text += ", held by " + thread_name(configuration, *blocked.holder);
      return text;
    }
    case Reason::MemberRuns: {
      const std::string member = blocked.holder ? thread_name(configuration, *blocked.holder) : "a thread";
      return name + " waits for " + member + " to end";
    }
  }
  return name + " cannot move";
}

}  // namespace lockwood::dpn
