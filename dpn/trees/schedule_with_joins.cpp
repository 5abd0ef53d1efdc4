#include "dpn/trees/schedule_with_joins.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "dpn/trees/tree_joins.hpp"
#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {
namespace {

// Before its node of this index, the thread lets the awaited threads run to their end.
struct Finishing {
  std::uint32_t index;
  AwaitedThreads awaited;
};

// Builds the schedule as docs/theory.md, Sect. 10.4 says. A thread that another one waits for runs to its end at the
// *lowest point* of the waiting thread between the fork and the join: where that one holds the fewest locks. It holds
// those all the time in between, so if the awaited thread needs one of them, there is no schedule at all.
//
// In each phase, first the locks that were taken before and are given back in it are given back, each thread running up
// to its release; what it needs on the way, or the threads that it waits for need, is given back before. Then all
// threads run to before their next lasting operation, as in schedule.cpp; and of these one is made when nobody is going
// to take its lock any more in this phase.
class JoinScheduler {
 public:
  JoinScheduler(const Network& network, const ExecutionTree& tree, StopToken stop)
      : network_{network},
        tree_{tree},
        stop_{stop},
        threads_{threads_of(tree)},
        joins_{joins_of(network, tree, threads_)},
        progress_(threads_.starts.size()),
        finishing_(threads_.starts.size()),
        lasting_(threads_.starts.size()),
        unfinished_(threads_.starts.size(), 1),
        left_(threads_.phases),
        taking_(threads_.phases),
        releases_(threads_.phases),
        locks_(network.locks().size()) {
    schedule_.moves.reserve(tree.size());
    for (NodeId node : tree.nodes()) {
      ++left_[threads_.phase[node]];
      if (tree.takes_lock(node)) taking_[threads_.phase[node]].push_back(node);
    }
    for (ThreadId thread : threads_.starts.keys()) look_at(thread);
  }

  std::optional<Schedule> run() && {
    start(main_thread);
    for (phase_ = 0; phase_ < threads_.phases; ++phase_) {
      if (phase_ > 0) schedule_.cuts.push_back(schedule_.moves.size());
      for (NodeId node : taking_[phase_]) ++lock(node).to_come;
      for (const Release& release : releases_[phase_])
        if (!close(release)) return std::nullopt;
      for (std::size_t index = started_.size(); index-- > 0;) ready_.push_back(started_[index]);
      while (!ready_.empty()) {
        const ThreadId thread = ready_.back();
        ready_.pop_back();
        if (!advance(thread)) return std::nullopt;
      }
      if (left_[phase_] > 0) return std::nullopt;
    }
    return std::move(schedule_);
  }

 private:
  struct Progress {
    std::uint32_t number = 0;          // in the schedule
    std::uint32_t next = 0;            // its next node, as an index into its path
    std::uint32_t lasting = 0;         // index into lasting_: the first that is not made
    std::uint32_t finishing = 0;       // index into finishing_: the first that is not done
    std::optional<ThreadId> finished;  // of that one: threads before this one are done
  };
  enum class Closing : std::uint8_t { No, ToDo, UnderWay };
  struct LockState {
    bool held = false;
    std::uint32_t to_come = 0;                  // operations that take it, in this phase
    std::vector<ThreadId> waiting_for_others;   // threads before a lasting operation on it
    Closing closing = Closing::No;              // taken before this phase, and given back in it
    std::optional<std::uint32_t> release = {};  // then: which of the releases of the phase
  };
  struct Release {
    ThreadId thread;
    std::uint32_t index;  // of the return, in the path
    NodeId entry;         // the node that took the lock
  };
  struct Run {
    ThreadId thread;
    std::uint32_t target;  // index in the path, before which it stops
  };
  static constexpr std::uint32_t to_the_end = std::numeric_limits<std::uint32_t>::max();

  // What is known about a thread's path beforehand: lasting operations, releases of locks taken in earlier phases, and
  // the lowest points of its joins.
  void look_at(ThreadId thread) {
    const auto path = threads_.path(thread);
    std::vector<std::uint32_t> regions;  // where locks were taken that are held here; ascending
    std::uint32_t phase_begin = 0;
    for (std::uint32_t index = 0; index < path.size(); ++index) {
      const NodeId node = path[index];
      if (tree_.kind(node) == NodeKind::Cut) phase_begin = index + 1;
      if (tree_.kind(node) == NodeKind::Join) {
        const auto join = std::ranges::lower_bound(joins_.joins, node, {}, &TreeJoin::node);
        assert(join != joins_.joins.end() && join->node == node);
        for (const AwaitedThreads& awaited : join->awaited) {
          assert(joins_.end_of(awaited).value_or(to_the_end) <= threads_.phase[node] && "an execution tree");
          if (joins_.end_of(awaited) < threads_.phase[node]) continue;
          // Of the regions around the join, the outermost one that begins after the fork, and in this phase: before it,
          // the thread holds just what it holds all the time from the fork to the join.
          const auto region = std::ranges::lower_bound(regions, std::max(awaited.fork + 1, phase_begin));
          finishing_[thread].push_back({region == regions.end() ? index : *region, awaited});
        }
      }
      if (tree_.takes_lock(node)) {
        regions.push_back(index);
        if (lasts(node)) lasting_[thread].push_back(index);
      }
      const NodeId entry = threads_.entry[node];
      if (entry == node || !tree_.takes_lock(entry)) continue;
      assert(!regions.empty() && path[regions.back()] == entry);
      regions.pop_back();
      if (threads_.phase[entry] < threads_.phase[node])
        releases_[threads_.phase[node]].push_back({thread, index, entry});
    }
    std::ranges::stable_sort(finishing_[thread], {}, &Finishing::index);
  }

  // --- giving back what was taken before the phase ---

  // Runs the thread up to the release, after all that it needs on the way is free: a topological order of the release
  // graph, found from its end.
  bool close(const Release& release) {
    if (phase_of_closing_ != phase_) {
      phase_of_closing_ = phase_;
      for (std::uint32_t i = 0; i < releases_[phase_].size(); ++i) {
        lock(releases_[phase_][i].entry).closing = Closing::ToDo;
        lock(releases_[phase_][i].entry).release = i;
      }
    }
    LockState& state = lock(release.entry);
    if (state.closing == Closing::UnderWay) return false;  // a cycle of the release graph
    if (state.closing == Closing::No) return true;
    state.closing = Closing::UnderWay;
    for (const Lock needed : needed_until(release)) {
      if (!locks_[needed].held) continue;
      if (locks_[needed].closing == Closing::No) return false;  // held throughout the phase
      if (!close(releases_[phase_][*locks_[needed].release])) return false;
    }
    if (!run_to(release.thread, release.index + 1)) return false;
    assert(!state.held && state.closing == Closing::No);
    return true;
  }

  // The locks that the thread takes before its release, and the threads that it waits for before that.
  std::vector<Lock> needed_until(const Release& release) {
    std::vector<Lock> needed;
    std::vector<Run> worklist{{release.thread, release.index}};
    while (!worklist.empty()) {
      stop_.check();
      const auto [thread, target] = worklist.back();
      worklist.pop_back();
      const Progress& progress = progress_[thread];
      const auto path = threads_.path(thread);
      const std::size_t end = std::min<std::size_t>(target, path.size());
      for (std::size_t index = progress.next; index < end; ++index)
        if (tree_.takes_lock(path[index])) needed.push_back(lock_of(path[index]));
      const auto& finishing = finishing_[thread];
      for (std::size_t i = progress.finishing; i < finishing.size() && finishing[i].index <= target; ++i)
        for (std::size_t number = finishing[i].awaited.first.index(); number < finishing[i].awaited.end.index();
             ++number)
          if (!ended(ThreadId{number})) worklist.push_back({ThreadId{number}, to_the_end});
    }
    std::ranges::sort(needed);
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    return needed;
  }

  // --- running ---

  // From one lasting operation to the next, until it has to wait for others or comes to the end of the phase.
  bool advance(ThreadId thread) {
    Progress& progress = progress_[thread];
    const auto path = threads_.path(thread);
    while (progress.next < path.size() && threads_.phase[path[progress.next]] == phase_) {
      const auto& lasting = lasting_[thread];
      const bool to_lasting =
          progress.lasting < lasting.size() && threads_.phase[path[lasting[progress.lasting]]] == phase_;
      const std::uint32_t target = to_lasting ? lasting[progress.lasting] : phase_end(thread);
      if (!run_to(thread, target)) return false;
      if (!to_lasting) continue;
      LockState& state = lock(path[target]);
      if (state.held) return false;  // throughout the phase, or taken lastingly by another thread
      if (state.to_come > 1) {
        state.waiting_for_others.push_back(thread);
        return true;
      }
      ++progress.lasting;
      if (!run_to(thread, target + 1)) return false;
    }
    return true;
  }

  // Behind the thread's last node in this phase.
  [[nodiscard]] std::uint32_t phase_end(ThreadId thread) const {
    const auto path = threads_.path(thread);
    const auto phase = [this](NodeId node) { return threads_.phase[node]; };
    return static_cast<std::uint32_t>(std::ranges::upper_bound(path, phase_, {}, phase) - path.begin());
  }

  // Runs a thread up to its node of this index, and on the way the threads that it waits for to their ends. False if a
  // lock is not free: then there is no schedule.
  bool run_to(ThreadId first, std::uint32_t target) {
    std::vector<Run> running{{first, target}};
    while (!running.empty()) {
      stop_.check();
      const auto [thread, stop_before] = running.back();
      Progress& progress = progress_[thread];
      const auto path = threads_.path(thread);
      if (progress.next >= std::min<std::size_t>(stop_before, path.size())) {
        running.pop_back();
      } else if (const auto awaited = next_to_finish(thread)) {
        running.push_back({*awaited, to_the_end});
      } else if (!step(thread)) {
        return false;
      }
    }
    return true;
  }

  // A thread that must end before this one makes its next step.
  std::optional<ThreadId> next_to_finish(ThreadId thread) {
    Progress& progress = progress_[thread];
    const auto& list = finishing_[thread];
    while (progress.finishing < list.size() && list[progress.finishing].index <= progress.next) {
      const auto& [index, awaited] = list[progress.finishing];
      ThreadId at = progress.finished.value_or(awaited.first);
      while (at < awaited.end && ended(at))
        at = unfinished_[at] == 0 ? joins_.offspring_end[at] : ThreadId{at.index() + 1};
      progress.finished = at;
      if (at < awaited.end) return at;
      ++progress.finishing;
      progress.finished.reset();
    }
    return std::nullopt;
  }

  bool step(ThreadId thread) {
    const NodeId node = threads_.path(thread)[progress_[thread].next];
    assert(threads_.phase[node] == phase_);
    if (tree_.takes_lock(node)) {
      LockState& state = lock(node);
      if (state.held) return false;
      state.held = true;
      if (--state.to_come == 1)
        for (ThreadId waiting : std::exchange(state.waiting_for_others, {})) ready_.push_back(waiting);
    }
    ++progress_[thread].next;
    --left_[phase_];
    if (has_head(tree_.kind(node))) return true;
    schedule_.moves.push_back({ThreadId{progress_[thread].number}, tree_.rule(node)});
    if (tree_.kind(node) == NodeKind::Spawn) {
      const ThreadId child = threads_.thread[tree_.first_child(node)];
      ++unfinished_[thread];
      start(child);
      ready_.push_back(child);
    }
    if (const NodeId entry = threads_.entry[node]; entry != node && tree_.takes_lock(entry)) {
      lock(entry).held = false;
      lock(entry).closing = Closing::No;
    }
    if (ended(thread)) finish(thread);
    return true;
  }

  void start(ThreadId thread) {
    progress_[thread].number = static_cast<std::uint32_t>(started_.size());
    started_.push_back(thread);
  }
  // The thread has ended. It is finished when all that it started is finished, too; and so on upwards.
  void finish(ThreadId thread) {
    while (--unfinished_[thread] == 0) {
      const auto parent = threads_.starts[thread].parent;
      if (!parent) return;
      thread = *parent;
    }
  }

  // Whether it has made its last return: a thread that stands has passed its last node, too, but is not awaited.
  [[nodiscard]] bool ended(ThreadId thread) const {
    return joins_.end[thread] && progress_[thread].next == threads_.path(thread).size();
  }
  [[nodiscard]] bool lasts(NodeId node) const {
    return tree_.kind(node) == NodeKind::Acq || threads_.phase[tree_.second_child(node)] > threads_.phase[node];
  }
  [[nodiscard]] Lock lock_of(NodeId node) const {
    return std::get<Monitor>(network_.rule(tree_.rule(node)).effect).lock;
  }
  [[nodiscard]] LockState& lock(NodeId node) { return locks_[lock_of(node)]; }

  const Network& network_;
  const ExecutionTree& tree_;
  StopToken stop_;
  TreeThreads threads_;
  TreeJoins joins_;
  IdVector<ThreadId, Progress> progress_;
  IdVector<ThreadId, std::vector<Finishing>> finishing_;    // by index
  IdVector<ThreadId, std::vector<std::uint32_t>> lasting_;  // indices of lasting operations, ascending
  // Of each thread: itself if it has not ended, and the threads that it spawned and that are not finished.
  IdVector<ThreadId, std::size_t> unfinished_;
  std::vector<std::size_t> left_;               // nodes not yet passed, by phase
  std::vector<std::vector<NodeId>> taking_;     // nodes that take a lock, by phase
  std::vector<std::vector<Release>> releases_;  // of locks taken in earlier phases, by phase
  IdVector<Lock, LockState> locks_;
  std::uint32_t phase_ = 0;
  std::optional<std::uint32_t> phase_of_closing_;
  std::vector<ThreadId> started_;  // in this order
  std::vector<ThreadId> ready_;    // can run
  Schedule schedule_;
};

// Without locks, the order of nodes will do in each phase: a new thread runs, with all that it starts, before the
// spawning one goes on.
Schedule in_tree_order(const ExecutionTree& tree) {
  const TreeThreads threads = threads_of(tree);
  std::vector<std::vector<NodeId>> phases(threads.phases);
  for (NodeId node : tree.nodes())
    if (!has_head(tree.kind(node))) phases[threads.phase[node]].push_back(node);
  Schedule schedule;
  IdVector<ThreadId, ThreadId> number(threads.starts.size(), main_thread);
  std::size_t created = 1;
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    if (phase > 0) schedule.cuts.push_back(schedule.moves.size());
    for (NodeId node : phases[phase]) {
      schedule.moves.push_back({number[threads.thread[node]], tree.rule(node)});
      if (tree.kind(node) == NodeKind::Spawn) number[threads.thread[tree.first_child(node)]] = ThreadId{created++};
    }
  }
  return schedule;
}

}  // namespace

std::optional<Schedule> schedule_with_joins(const Network& network, const ExecutionTree& tree, Semantics semantics,
                                            StopToken stop) {
  if (semantics == Semantics::LockInsensitive) return in_tree_order(tree);
  return JoinScheduler{network, tree, stop}.run();
}

}  // namespace lockwood::dpn
