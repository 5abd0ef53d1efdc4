#include "dpn/formats/schedule_text.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "dpn/semantics/describe.hpp"

namespace lockwood::dpn {
namespace {

// What else a move does, besides leading its thread on.
struct Event {
  enum class Kind { None, Spawns, Acquires, Reenters, Releases, Ends };
  Kind kind = Kind::None;
  std::optional<ThreadId> thread;  // the spawned one
  std::optional<Lock> lock;
};

struct Account {
  std::vector<Event> events;                      // by move
  std::vector<std::optional<Head>> destinations;  // by move: where its thread stands then, if it does
  Configuration reached;
};

// How often each thread holds each lock is counted per thread, in a sorted list: threads hold few locks at a time.
class Holdings {
 public:
  // Whether the thread held the lock already.
  bool enter(ThreadId thread, Lock lock) {
    if (thread.index() >= counts_.size()) counts_.resize(thread.index() + 1);
    auto& counts = counts_[thread];
    const auto at = std::ranges::lower_bound(counts, lock, {}, &Count::lock);
    if (at != counts.end() && at->lock == lock) return at->times++ > 0;
    counts.insert(at, {lock, 1});
    return false;
  }
  // Whether the thread holds the lock no more.
  bool leave(ThreadId thread, Lock lock) {
    auto& counts = counts_[thread];
    const auto at = std::ranges::lower_bound(counts, lock, {}, &Count::lock);
    if (--at->times > 0) return false;
    counts.erase(at);
    return true;
  }

 private:
  struct Count {
    Lock lock;
    std::size_t times;
  };
  IdVector<ThreadId, std::vector<Count>> counts_;
};

Account account_of(const Network& network, const Schedule& schedule, StopToken stop) {
  using Kind = Event::Kind;
  Account account{{}, {}, initial_configuration(network)};
  Holdings holdings;
  for (const Move& move : schedule.moves) {
    stop.check();
    const Effect& effect = network.rule(move.rule).effect;
    const Thread& before = account.reached.threads[move.thread];
    Event event;
    if (const auto* monitor = std::get_if<Monitor>(&effect)) {
      event.kind = holdings.enter(move.thread, monitor->lock) ? Kind::Reenters : Kind::Acquires;
      event.lock = monitor->lock;
    } else if (std::holds_alternative<Return>(effect)) {
      const std::optional<Lock> lock = before.stack.back().lock;
      if (lock && holdings.leave(move.thread, *lock)) event = {Kind::Releases, {}, lock};
      if (before.stack.size() == 1) event.kind = Kind::Ends;
    } else if (std::holds_alternative<Spawn>(effect)) {
      event = {Kind::Spawns, ThreadId{account.reached.threads.size()}, {}};
    }
    account.events.push_back(event);
    apply(network, account.reached, move);
    const Thread& after = account.reached.threads[move.thread];
    account.destinations.push_back(after.ended() ? std::nullopt : std::optional{after.head()});
  }
  return account;
}

// By parents, who come first: following each path anew would take time quadratic in the depth of spawns.
IdVector<ThreadId, std::string> thread_names(const Configuration& configuration) {
  IdVector<ThreadId, std::string> names;
  for (const Thread& thread : configuration.threads)
    names.push_back(thread.parent ? names[*thread.parent] + '.' + std::to_string(thread.ordinal) : "main");
  return names;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string event_text(const Network& network, const IdVector<ThreadId, std::string>& names, const Event& event) {
  const auto lock = [&] { return printable(network.locks().shown(*event.lock)); };
  switch (event.kind) {
    case Event::Kind::None: return "";
    case Event::Kind::Spawns: return "spawns " + names[*event.thread];
    case Event::Kind::Acquires: return "acquires " + lock();
    case Event::Kind::Reenters: return "re-enters " + lock();
    case Event::Kind::Releases: return "releases " + lock();
    case Event::Kind::Ends: return "ends";
  }
  return "";
}

// `m1 -- a --> m2`: from where to where, also for a return.
std::string step_text(const Network& network, const Rule& rule, const std::optional<Head>& destination) {
  std::string text = describe(network, rule.from) + " -- ";
  text += printable(network.actions().shown(rule.action));
  return text + " --> " + (destination ? describe(network, *destination) : "return");
}

std::string standing_text(const Network& network, const std::string& name, const Thread& thread) {
  if (thread.ended()) return name + " has ended\n";
  std::string text = name + " is at " + describe(network, thread.head());
  const char* separator = " and holds ";
  for (Lock lock : held_locks(thread)) {
    text += separator;
    text += printable(network.locks().shown(lock));
    separator = ", ";
  }
  return text + '\n';
}

// The phase of each move, from 0: how many cuts are at or before it.
std::vector<std::size_t> phases_of(const Schedule& schedule) {
  std::vector<std::size_t> phases(schedule.moves.size());
  std::size_t phase = 0;
  for (std::size_t index = 0; index < phases.size(); ++index) {
    while (phase < schedule.cuts.size() && schedule.cuts[phase] <= index) ++phase;
    phases[index] = phase;
  }
  return phases;
}

}  // namespace

std::string schedule_text(const Network& network, const Schedule& schedule, StopToken stop) {
  const Account account = account_of(network, schedule, stop);
  const auto names = thread_names(account.reached);
  std::vector<std::string> steps;
  std::size_t name_width = 0;
  std::size_t step_width = 0;
  for (std::size_t index = 0; index < schedule.moves.size(); ++index) {
    stop.check();
    const Move move = schedule.moves[index];
    steps.push_back(step_text(network, network.rule(move.rule), account.destinations[index]));
    name_width = std::max(name_width, names[move.thread].size());
    step_width = std::max(step_width, steps.back().size());
  }
  const std::size_t number_width = std::max<std::size_t>(3, std::to_string(schedule.moves.size()).size());

  std::string text;
  const std::size_t phases = schedule.cuts.size() + 1;
  std::size_t phase = 0;
  // Says which phases begin before the move; an empty phase is still announced.
  const auto announce = [&](std::size_t index) {
    for (; phases > 1 && phase < phases && (phase == 0 || schedule.cuts[phase - 1] <= index); ++phase)
      text += "phase " + std::to_string(phase + 1) + " of " + std::to_string(phases) + '\n';
  };
  for (std::size_t index = 0; index < schedule.moves.size(); ++index) {
    stop.check();
    announce(index);
    const std::string number = std::to_string(index + 1);
    text += std::string(number_width - number.size(), ' ') + number + "  ";
    text += padded(names[schedule.moves[index].thread], name_width) + "  ";
    const std::string event = event_text(network, names, account.events[index]);
    text += event.empty() ? steps[index] : padded(steps[index], step_width) + "  " + event;
    text += '\n';
  }
  announce(schedule.moves.size());
  for (ThreadId thread : account.reached.threads.keys())
    text += standing_text(network, names[thread], account.reached.threads[thread]);
  return text;
}

nlohmann::ordered_json schedule_json(const Network& network, const Schedule& schedule, StopToken stop) {
  const Account account = account_of(network, schedule, stop);
  const auto names = thread_names(account.reached);
  const std::vector<std::size_t> phases = phases_of(schedule);
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (std::size_t index = 0; index < schedule.moves.size(); ++index) {
    stop.check();
    const Move move = schedule.moves[index];
    nlohmann::ordered_json step{{"step", index + 1},
                                {"phase", phases[index] + 1},
                                {"thread", names[move.thread]},
                                {"action", network.actions().name(network.rule(move.rule).action)},
                                {"rule", describe(network, network.rule(move.rule))}};
    const Event& event = account.events[index];
    const auto lock = [&] { return network.locks().name(*event.lock); };
    switch (event.kind) {
      case Event::Kind::None: break;
      case Event::Kind::Spawns: step["spawns"] = names[*event.thread]; break;
      case Event::Kind::Acquires: step["acquires"] = lock(); break;
      case Event::Kind::Reenters: step["reenters"] = lock(); break;
      case Event::Kind::Releases: step["releases"] = lock(); break;
      case Event::Kind::Ends: step["ends"] = true; break;
    }
    steps.push_back(std::move(step));
  }
  nlohmann::ordered_json threads = nlohmann::ordered_json::array();
  for (ThreadId id : account.reached.threads.keys()) {
    const Thread& thread = account.reached.threads[id];
    std::vector<std::string_view> stack;
    for (const Frame& frame : thread.stack) stack.push_back(network.stack_symbols().name(frame.symbol));
    std::ranges::reverse(stack);
    nlohmann::ordered_json holds = nlohmann::ordered_json::array();
    for (Lock held : held_locks(thread)) holds.push_back(network.locks().name(held));
    threads.push_back({{"thread", names[id]},
                       {"ended", thread.ended()},
                       {"control", network.control_states().name(thread.control)},
                       {"stack", stack},
                       {"holds", std::move(holds)}});
  }
  return {{"phases", schedule.cuts.size() + 1}, {"steps", std::move(steps)}, {"threads", std::move(threads)}};
}

}  // namespace lockwood::dpn
