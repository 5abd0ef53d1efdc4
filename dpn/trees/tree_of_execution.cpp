#include "dpn/trees/tree_of_execution.hpp"

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {
namespace {

// A step of one thread as its node in the tree will show it.
struct Event {
  NodeKind kind;
  Reentrance reentrance = Reentrance::No;
  std::optional<RuleId> rule;     // none for a cut
  std::optional<Head> head;       // of a cut
  std::optional<ThreadId> child;  // of a spawn
};

// What one thread does, and its calls and monitors that have not returned yet, as indices into the events.
struct History {
  std::vector<Event> events;
  std::vector<std::size_t> open;
};

Event event_of(const Rule& rule, RuleId id) {
  switch (rule.kind()) {
    case RuleKind::Base: return {.kind = NodeKind::Base, .rule = id};
    case RuleKind::Call: return {.kind = NodeKind::NCall, .rule = id};
    case RuleKind::Return: return {.kind = NodeKind::Ret, .rule = id};
    case RuleKind::Spawn: return {.kind = NodeKind::Spawn, .rule = id};
    case RuleKind::Monitor: return {.kind = NodeKind::Acq, .rule = id};
    case RuleKind::Join: return {.kind = NodeKind::Join, .rule = id};
    case RuleKind::Forget: return {.kind = NodeKind::Forget, .rule = id};
  }
  assert(false);
  return {.kind = NodeKind::Nil};
}

// The events of all threads. A call is open until its return is seen, which then makes it a returning one.
class Recorder {
 public:
  explicit Recorder(const Network& network) : network_{network}, configuration_{initial_configuration(network)} {
    histories_.push_back({});
  }

  void record(Move move) {
    const Rule& rule = network_.rule(move.rule);
    History& history = histories_[move.thread];
    Event event = event_of(rule, move.rule);
    if (rule.kind() == RuleKind::Return && !history.open.empty()) {
      NodeKind& entry = history.events[history.open.back()].kind;
      entry = entry == NodeKind::NCall ? NodeKind::RCall : NodeKind::Use;
      history.open.pop_back();
    }
    if (entry_of(rule)) history.open.push_back(history.events.size());
    if (rule.kind() == RuleKind::Spawn) event.child = ThreadId{configuration_.threads.size()};
    history.events.push_back(event);
    if (event.child) histories_.push_back({});
    apply(network_, configuration_, move);
  }

  void cut() {
    for (ThreadId thread : configuration_.threads.keys())
      if (const Thread& at = configuration_.threads[thread]; !at.ended())
        histories_[thread].events.push_back({.kind = NodeKind::Cut, .head = at.head()});
  }

  [[nodiscard]] ExecutionTree tree() && {
    mark_reentrance();
    TreeBuilder builder;
    struct Position {
      ThreadId thread;
      std::size_t next;
    };
    std::vector<Position> places{{main_thread, 0}};  // the thread being written, below it those that spawned it
    while (!places.empty()) {
      Position& place = places.back();
      const std::vector<Event>& events = histories_[place.thread].events;
      if (place.next == events.size()) {
        const Thread& thread = configuration_.threads[place.thread];
        if (!thread.ended()) builder.nil(thread.head());
        places.pop_back();
        continue;
      }
      const Event& event = events[place.next++];
      append(builder, event);
      if (event.child) places.push_back({*event.child, 0});
    }
    return std::move(builder).build();
  }

 private:
  static void append(TreeBuilder& builder, const Event& event) {
    switch (event.kind) {
      case NodeKind::Nil: assert(false); return;
      case NodeKind::Ret: builder.ret(*event.rule); return;
      case NodeKind::Base: builder.base(*event.rule); return;
      case NodeKind::NCall: builder.ncall(*event.rule); return;
      case NodeKind::RCall: builder.rcall(*event.rule); return;
      case NodeKind::Spawn: builder.spawn(*event.rule); return;
      case NodeKind::Acq: builder.acq(*event.rule, event.reentrance); return;
      case NodeKind::Use: builder.use(*event.rule, event.reentrance); return;
      case NodeKind::Cut: builder.cut(*event.head); return;
      case NodeKind::Join: builder.join(*event.rule); return;
      case NodeKind::Forget: builder.forget(*event.rule); return;
    }
  }

  // Thread by thread, so that one table of counts serves all of them; looking through stacks would be quadratic.
  void mark_reentrance() {
    IdVector<Lock, std::uint32_t> count(network_.locks().size());
    for (History& history : histories_) {
      std::vector<std::optional<Lock>> frames;
      for (Event& event : history.events) {
        if (event.kind == NodeKind::Ret && !frames.empty()) {
          if (frames.back()) --count[*frames.back()];
          frames.pop_back();
        }
        if (event.kind == NodeKind::Cut) continue;
        const auto entry = entry_of(network_.rule(*event.rule));
        if (!entry) continue;
        if (entry->lock && count[*entry->lock]++ > 0) event.reentrance = Reentrance::Yes;
        frames.push_back(entry->lock);
      }
      for (const auto& lock : frames)
        if (lock) --count[*lock];
    }
  }

  const Network& network_;
  Configuration configuration_;
  IdVector<ThreadId, History> histories_;
};

}  // namespace

ExecutionTree tree_of_execution(const Network& network, std::span<const Move> moves,
                                std::span<const std::size_t> cuts) {
  Recorder recorder{network};
  std::size_t made = 0;
  for (std::size_t cut : cuts) {
    assert(made <= cut && cut <= moves.size());
    while (made < cut) recorder.record(moves[made++]);
    recorder.cut();
  }
  while (made < moves.size()) recorder.record(moves[made++]);
  return std::move(recorder).tree();
}

// The order of nodes is an interleaving, if locks do not matter, and it creates threads in the order of their paths. A
// new thread runs to its end, with all that it starts, before the spawning one goes on: joins find that members have
// ended, if they do.
Configuration reached_configuration(const Network& network, const ExecutionTree& tree) {
  const TreeThreads threads = threads_of(tree);
  Configuration configuration = initial_configuration(network);
  for (NodeId node : tree.nodes())
    if (!has_head(tree.kind(node))) apply(network, configuration, {threads.thread[node], tree.rule(node)});
  return configuration;
}

Configuration by_spawn_path(const Configuration& configuration) {
  const auto& threads = configuration.threads;
  IdVector<ThreadId, std::vector<ThreadId>> children(threads.size());  // by ordinal, which is the order of creation
  for (ThreadId thread : threads.keys())
    if (threads[thread].parent) children[*threads[thread].parent].push_back(thread);

  Configuration renumbered;
  IdVector<ThreadId, ThreadId> number(threads.size(), main_thread);
  std::vector<ThreadId> worklist{main_thread};
  while (!worklist.empty()) {
    const ThreadId thread = worklist.back();
    worklist.pop_back();
    number[thread] = renumbered.threads.push_back(threads[thread]);
    std::optional<ThreadId>& parent = renumbered.threads[number[thread]].parent;
    if (parent) parent = number[*parent];
    worklist.insert(worklist.end(), children[thread].rbegin(), children[thread].rend());
  }
  for (Thread& thread : renumbered.threads)
    for (OpenGroup& group : thread.groups)
      for (Member& member : group.members) member.thread = number[member.thread];
  return renumbered;
}

}  // namespace lockwood::dpn
