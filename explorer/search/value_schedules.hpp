#pragma once

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

// A pair of dependent actions, by what they are: what an order is worth that was not tried yet, best first.
enum class PairClass : std::uint8_t {
  ReadWrite,
  WaitNotify,
  WaitMonitor,  // a monitor that one thread takes again after a wait
  WaitWait,
  MonitorMonitor,
  Other
};

struct ValueScheduleOptions {
  DependenceTable dependence = DependenceTable::complete();
  std::vector<Oracle*> oracles;  // cheapest first
  Properties properties;
  bool first_finding_only = false;
  Listener* listener = nullptr;  // sees each state that is new
  // What was visited with a plan that leaves out no more than this one is not visited again. Without it, there is one
  // run for each value schedule, and they are counted; then programs must end, or be bounded.
  bool match = true;
  std::size_t max_states = std::numeric_limits<std::size_t>::max();
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();  // steps of a run
  std::size_t max_path = 1000;                                      // steps until other paths have their turn
  StopToken stop;
};

struct ValueScheduleResult {
  SearchResult search;
  std::size_t schedules = 0;   // paths that came to a final state
  std::size_t deadlocked = 0;  // those of them where some thread has not ended
  std::size_t dropped = 0;     // paths that were left as soon as their plan could not come true any more
};

// Search by value schedules. A value schedule is what the runs have in common that order all conflicting accesses
// alike: they read the same values. Threads run one after the other; the search switches between them only to make a
// named pair of dependent actions happen in the other order, and drops the run as soon as that cannot come true.
//
// A node is a state and a plan: the threads that were suspended before an action of the pair, the latest one last. A
// suspended thread t is woken by an action that depends on its own; until then it does not move. At a node, one thread
// after the other is tried: t moves, and with it the path goes on; and a point is kept for later, the same state with t
// suspended. There the thread that can get to a partner of t's action goes first. When it has executed that, t is
// forced to go next. Nobody is suspended whom nobody can wake (FrozenSets::can_wake_all), and a path is dropped when
// one of the suspended threads cannot be woken any more. So plans are sleep sets, together with what is known of the
// future; that gives one complete run for each value schedule, and counts of them that are known: n! for n writers.
//
// Points wait by the number of orders that were turned round on the way to them, then by the class of the pair, the
// latest one first: what one turned pair can show is seen before any two of them are tried. That is one pass where
// [chen.09.guided, section 6.1.2] needs two, a priority pass without points of its own and a normal one.
//
// Complete. Let σ lead from a node to a final state or to a race, and let no suspended thread be able to begin σ. If
// the first thread that is tried can begin σ, the path goes on with a shorter rest. If it commutes with all of σ, the
// path goes on with the same rest. Else σ has an action on which the thread's depends before the thread moves: it may
// be suspended, it is woken in σ, and the kept point stands for σ. A rest that stays the same for ever is excluded: a
// thread is only suspended if its own step has led to a new node, so that nodes get newer, and there are finitely many.
// A node with another plan stands for this one if it suspends no other threads.
[[nodiscard]] ValueScheduleResult value_schedule_search(Machine& machine, const ValueScheduleOptions& options);

}  // namespace lockwood::explorer
