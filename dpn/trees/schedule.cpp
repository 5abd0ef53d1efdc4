#include "dpn/trees/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dpn/trees/schedule_with_joins.hpp"
#include "dpn/trees/tree_joins.hpp"
#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {
namespace {

// Builds the schedule phase by phase. Within a phase an operation that takes a lock is of one of two kinds. It is
// *passing* if the lock is given back in the same phase; then so are the operations inside. Otherwise it is *lasting*:
// a final acquisition, as far as this phase can tell. Besides, there are locks that were taken in earlier phases: those
// given back in this phase (*open* ones; their threads do so before their lasting operations, by nesting) and the rest.
//
// A thread runs until one of these holds:
// (1) it comes to an outermost passing operation in which it needs a lock that another thread holds: it waits for the
//     release. The whole operation runs without interruption, so that nobody is left waiting inside while holding
//     locks;
// (2) it comes to a lasting operation on a lock that another thread holds: it waits for the release;
// (3) it comes to a lasting operation on a lock on which other operations of this phase are still to come.
// This works off the topological orders of the release graph (1, 2) and the acquisition graph (3) on the fly, as Kahn's
// algorithm does, so neither graph is built.
//
// Why no schedule is missed. After a lasting operation on x nobody needs x in this phase, because of (3). So the locks
// that hinder anyone were taken before the phase; they become fewer, and what can run once can always run later. Now
// suppose that threads are left waiting although there is a schedule S.
// - None waits for a release. Its lock y is given back in this phase, or S could not take it. So the holder of y is
//   stuck before that, hence before its lasting operations, hence in (1): it needs a lock z which S takes for it
//   *before* y is given back, so before our first thread takes y. The holder of z is stuck likewise, and so on: ever
//   earlier moves of S, for ever.
// - So all that are left wait in (3). Of their lasting operations take the one, on x, that is the first in S. There all
//   other operations on x come before it. One of them is left here; its thread, or the one that has not come to spawn
//   it, waits at a lasting operation that S makes still earlier: a contradiction.
class Scheduler {
 public:
  Scheduler(const Network& network, const ExecutionTree& tree, Semantics semantics, StopToken stop)
      : network_{network},
        tree_{tree},
        semantics_{semantics},
        stop_{stop},
        threads_{threads_of(tree)},
        progress_(threads_.starts.size()),
        left_(threads_.phases),
        taking_(threads_.phases),
        locks_(network.locks().size()) {
    schedule_.moves.reserve(tree.size());
    for (NodeId node : tree.nodes()) {
      ++left_[threads_.phase[node]];
      if (tree.takes_lock(node)) taking_[threads_.phase[node]].push_back(node);
    }
  }

  std::optional<Schedule> run() && {
    progress_[main_thread].number = created_++;
    std::vector<ThreadId> standing{main_thread};
    for (phase_ = 0; phase_ < threads_.phases; ++phase_) {
      if (phase_ > 0) schedule_.cuts.push_back(schedule_.moves.size());
      standing = run_phase(std::move(standing));
      if (left_[phase_] > 0) return std::nullopt;
    }
    return std::move(schedule_);
  }

 private:
  struct Progress {
    std::uint32_t number = 0;   // in the schedule
    std::uint32_t next = 0;     // its next node, as an index into its path
    std::uint32_t scanned = 0;  // no lock that it takes before this index is held by another thread
    std::uint32_t cleared = 0;  // the end of the last passing operation that was looked at as a whole
    std::uint32_t lasting = 0;  // lasting operations still to come in this phase
  };
  struct LockState {
    bool held = false;
    std::uint32_t to_come = 0;                  // operations that take it, in this phase
    std::vector<ThreadId> waiting_for_release;  // (1) and (2)
    std::vector<ThreadId> waiting_for_others;   // (3)
  };

  // The threads that stand at the end of the phase.
  std::vector<ThreadId> run_phase(std::vector<ThreadId> standing) {
    for (NodeId node : taking_[phase_]) {
      ++lock(node).to_come;
      if (lasts(node)) ++progress_[threads_.thread[node]].lasting;
    }
    cut_.clear();
    // The last one to run in the phase before goes on first. The ready threads are a stack.
    if (last_)
      std::stable_partition(standing.begin(), standing.end(), [this](ThreadId thread) { return thread != *last_; });
    for (ThreadId thread : standing) make_ready(thread);
    while (const auto thread = next_ready()) advance(*thread);
    return std::move(cut_);
  }

  // Threads with lasting operations come after the others: by then fewer operations are to come, and they wait less.
  void make_ready(ThreadId thread) { (progress_[thread].lasting > 0 ? ready_late_ : ready_).push_back(thread); }

  std::optional<ThreadId> next_ready() {
    std::vector<ThreadId>& from = ready_.empty() ? ready_late_ : ready_;
    if (from.empty()) return std::nullopt;
    const ThreadId thread = from.back();
    from.pop_back();
    return thread;
  }

  // Runs a thread until it waits, or to the end of the phase.
  void advance(ThreadId thread) {
    Progress& progress = progress_[thread];
    const auto path = threads_.path(thread);
    while (progress.next < path.size()) {
      stop_.check();
      const NodeId node = path[progress.next];
      if (tree_.takes_lock(node) && semantics_ == Semantics::LockSensitive && !may_take(thread, node)) return;
      ++progress.next;
      --left_[phase_];
      if (tree_.kind(node) == NodeKind::Cut) {
        cut_.push_back(thread);
        return;
      }
      if (tree_.kind(node) != NodeKind::Nil) execute(thread, node);
    }
  }

  void execute(ThreadId thread, NodeId node) {
    schedule_.moves.push_back({ThreadId{progress_[thread].number}, tree_.rule(node)});
    last_ = thread;
    if (tree_.kind(node) == NodeKind::Spawn) {
      const ThreadId child = threads_.thread[tree_.first_child(node)];
      progress_[child].number = created_++;
      make_ready(child);
    }
    if (tree_.takes_lock(node)) {
      if (lasts(node)) --progress_[thread].lasting;
      lock(node).held = true;
      if (--lock(node).to_come == 1) wake(lock(node).waiting_for_others);
    }
    if (const NodeId entry = threads_.entry[node]; entry != node && tree_.takes_lock(entry)) {
      lock(entry).held = false;
      wake(lock(entry).waiting_for_release);
    }
  }

  bool may_take(ThreadId thread, NodeId node) {
    if (!lasts(node)) return clear_to_return(thread, node);
    LockState& state = lock(node);
    if (!state.held && state.to_come == 1) return true;
    (state.held ? state.waiting_for_release : state.waiting_for_others).push_back(thread);
    return false;
  }

  // Whether all locks of a passing operation are free; if not, the thread waits for the first that is not.
  bool clear_to_return(ThreadId thread, NodeId operation) {
    Progress& progress = progress_[thread];
    const auto path = threads_.path(thread);
    if (progress.next < progress.cleared) return true;  // inside such an operation
    for (progress.scanned = std::max(progress.scanned, progress.next);; ++progress.scanned) {
      const NodeId node = path[progress.scanned];
      if (tree_.takes_lock(node) && lock(node).held) {
        lock(node).waiting_for_release.push_back(thread);
        return false;
      }
      if (threads_.entry[node] == operation && node != operation) {
        progress.cleared = ++progress.scanned;
        return true;
      }
    }
  }

  void wake(std::vector<ThreadId>& waiting) {
    for (ThreadId thread : std::exchange(waiting, {})) make_ready(thread);
  }

  [[nodiscard]] bool lasts(NodeId node) const {
    return tree_.kind(node) == NodeKind::Acq || threads_.phase[tree_.second_child(node)] > phase_;
  }
  [[nodiscard]] LockState& lock(NodeId node) {
    return locks_[std::get<Monitor>(network_.rule(tree_.rule(node)).effect).lock];
  }

  const Network& network_;
  const ExecutionTree& tree_;
  Semantics semantics_;
  StopToken stop_;
  TreeThreads threads_;
  IdVector<ThreadId, Progress> progress_;
  std::vector<std::size_t> left_;            // nodes not yet passed, by phase
  std::vector<std::vector<NodeId>> taking_;  // nodes that take a lock, by phase
  IdVector<Lock, LockState> locks_;
  std::uint32_t phase_ = 0;
  std::uint32_t created_ = 0;
  std::vector<ThreadId> ready_;       // can run, and have no lasting operation to come
  std::vector<ThreadId> ready_late_;  // can run
  std::vector<ThreadId> cut_;         // have reached the end of the phase and stand
  std::optional<ThreadId> last_;      // has run last
  Schedule schedule_;
};

}  // namespace

std::optional<Schedule> schedule_of(const Network& network, const ExecutionTree& tree, Semantics semantics,
                                    StopToken stop) {
  if (network.uses_groups() && has_joins(tree)) return schedule_with_joins(network, tree, semantics, stop);
  return Scheduler{network, tree, semantics, stop}.run();
}

}  // namespace lockwood::dpn
