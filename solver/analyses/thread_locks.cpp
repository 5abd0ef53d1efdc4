#include "solver/analyses/thread_locks.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <utility>

namespace lockwood::solver {

using dpn::ControlState;
using dpn::Head;

// Which heads are in which frames, by summaries of how frames return; locks are ignored, as a thread never waits for
// itself. One worklist of pairs of a frame and a head.
class ThreadLocks::Frames {
 public:
  struct Entering {
    FrameId callee;
    std::optional<Lock> lock;
    friend auto operator<=>(const Entering&, const Entering&) = default;
  };
  struct Found {
    std::set<Head> heads;
    std::set<ControlState> returns;
    std::set<Entering> callees;
    std::set<std::pair<FrameId, dpn::StackSymbol>> callers;  // and where they go on
    bool thread = false;                                     // threads begin there, without locks
  };

  Frames(const dpn::Network& network, StopToken stop) : network_{network} {
    begin_thread(network.initial());
    for (std::size_t steps = 0; !worklist_.empty(); ++steps) {
      if (steps % 1024 == 0) stop.check();
      const auto [frame, head] = worklist_.back();
      worklist_.pop_back();
      for (dpn::RuleId rule : network.rules_from(head)) follow(frame, network.rule(rule));
    }
  }
  [[nodiscard]] const IdVector<FrameId, Found>& found() const { return found_; }

 private:
  FrameId frame_entered_at(Head head) {
    const auto [at, is_new] = numbers_.try_emplace(head, found_.size());
    if (is_new) {
      found_.push_back({});
      add_head(at->second, head);
    }
    return at->second;
  }
  void begin_thread(Head head) { found_[frame_entered_at(head)].thread = true; }
  void add_head(FrameId frame, Head head) {
    if (found_[frame].heads.insert(head).second) worklist_.emplace_back(frame, head);
  }
  void add_return(FrameId frame, ControlState to) {
    if (!found_[frame].returns.insert(to).second) return;
    // A caller may be the frame itself, and get heads meanwhile, but callers are added only by `follow`.
    for (const auto& [caller, return_point] : found_[frame].callers) add_head(caller, {to, return_point});
  }
  void follow(FrameId frame, const dpn::Rule& rule) {
    if (const auto to = dpn::step_of(rule)) {
      add_head(frame, *to);
    } else if (const auto* ret = std::get_if<dpn::Return>(&rule.effect)) {
      add_return(frame, ret->to);
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
      begin_thread(spawn->child);
      add_head(frame, spawn->parent);
    } else if (const auto entry = dpn::entry_of(rule)) {
      const FrameId callee = frame_entered_at(entry->callee);
      found_[frame].callees.insert({callee, entry->lock});
      if (found_[callee].callers.emplace(frame, entry->return_point).second)
        for (ControlState control : found_[callee].returns) add_head(frame, {control, entry->return_point});
    }
  }

  const dpn::Network& network_;
  IdVector<FrameId, Found> found_;
  std::map<Head, FrameId> numbers_;
  std::vector<std::pair<FrameId, Head>> worklist_;
};

namespace {

// Whether it was not all there.
bool add(LockSet& to, const LockSet& more) {
  if (more.subset_of(to)) return false;
  to.insert(more);
  return true;
}

LockSet without(const LockSet& set, std::optional<Lock> lock) {
  LockSet result;
  set.for_each([&](Lock each) {
    if (each != lock) result.insert(each);
  });
  return result;
}

}  // namespace

ThreadLocks::ThreadLocks(const dpn::Network& network, StopToken stop) {
  const Frames frames{network, stop};
  const auto& found = frames.found();
  const std::size_t locks = network.locks().size();
  LockSet all;
  for (Lock lock : network.locks().keys()) all.insert(lock);
  frames_.resize(found.size(), Frame{{}, {}, std::vector<LockSet>(locks)});

  // From callers to callees, until nothing is new. Each pair of a lock that is held and one that is not is an element
  // of its own: a way down the stack is good for all of them at once.
  std::vector<FrameId> worklist;
  IdVector<FrameId, bool> waiting(found.size(), false);
  const auto wait = [&](FrameId frame) {
    if (!waiting[frame]) worklist.push_back(frame);
    waiting[frame] = true;
  };
  for (FrameId frame : found.keys())
    if (found[frame].thread) {
      frames_[frame].lacked = all;
      wait(frame);
    }
  while (!worklist.empty()) {
    stop.check();
    const FrameId caller = worklist.back();
    worklist.pop_back();
    waiting[caller] = false;
    const Frame from = frames_[caller];  // a copy: a frame may call itself
    for (const auto& [callee, lock] : found[caller].callees) {
      Frame& to = frames_[callee];
      bool grown = add(to.held, from.held);
      if (lock) grown = add(to.held, LockSet::of(*lock)) || grown;
      grown = add(to.lacked, without(from.lacked, lock)) || grown;
      for (Lock lacking : network.locks().keys()) {
        if (lacking == lock || !from.lacked.contains(lacking)) continue;
        LockSet& held = to.held_without[lacking.index()];
        grown = add(held, from.held_without[lacking.index()]) || grown;
        if (lock) grown = add(held, LockSet::of(*lock)) || grown;
      }
      if (grown) wait(callee);
    }
  }

  std::map<Head, std::vector<FrameId>> at;
  for (FrameId frame : found.keys())
    for (const Head& head : found[frame].heads) at[head].push_back(frame);
  for (auto& [head, those] : at) {
    heads_.push_back(head);
    frames_at_.push_back(std::move(those));
  }
}

const std::vector<ThreadLocks::FrameId>& ThreadLocks::frames_at(Head head) const {
  const auto at = std::ranges::lower_bound(heads_, head);
  assert(at != heads_.end() && *at == head);
  return frames_at_[static_cast<std::size_t>(at - heads_.begin())];
}

LockSet ThreadLocks::held(Head head) const {
  LockSet found;
  for (FrameId frame : frames_at(head)) found.insert(frames_[frame].held);
  return found;
}
LockSet ThreadLocks::lacked(Head head) const {
  LockSet found;
  for (FrameId frame : frames_at(head)) found.insert(frames_[frame].lacked);
  return found;
}
LockSet ThreadLocks::held_without(Head head, Lock lacking) const {
  LockSet found;
  for (FrameId frame : frames_at(head)) found.insert(frames_[frame].held_without[lacking.index()]);
  return found;
}

}  // namespace lockwood::solver
