#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "explorer/search/search.hpp"
#include "explorer/trace/trace.hpp"
#include "frontend/program/interpreter/machine.hpp"
#include "frontend/program/interpreter/parallel_oracle.hpp"
#include "frontend/program/interpreter/site_target.hpp"
#include "frontend/program/interpreter/version_store.hpp"

// Questions about the real behaviour of programs, answered by search.
namespace lockwood::program {

// A visible step of a run, in terms of the program.
struct RunStep {
  std::string thread;
  Sites::Location at;
  explorer::ActionKind kind;
  std::optional<Variable> variable;  // of a read or write
  std::optional<Lock> lock;          // of everything that is done with locks
  std::optional<Integer> value;      // that was read or written
  std::vector<std::string> others;   // the thread that is started, or the threads that are woken
};

// A thread at the end of a run.
struct RunEnd {
  std::string thread;
  explorer::ThreadStatus status;
  std::vector<Sites::Location> stack;  // innermost first
  std::vector<Lock> holds;
  std::optional<std::string> blocked_by;  // a thread
};

struct NarratedRun {
  std::vector<RunStep> steps;
  std::vector<RunEnd> threads;  // that were started, by id
  std::size_t preemptions = 0;
  explorer::Trace trace;  // to be replayed by another machine
};
// The machine must be at its initial state, and goes back there. Requires that the run is possible.
[[nodiscard]] NarratedRun narrated(ProgramMachine& machine, const explorer::Run& run);

enum class Strategy {
  DepthFirst,
  BreadthFirst,
  Preemptions,
  Ariadne,  // by the heuristic of AriadneGuide, with races of `parallel`
  ValueSchedules,
  SourceSets,   // these two without a store, for programs whose runs end; `max_states` is of executions then
  WakeupTrees,  // one execution of each class
  Random,
  Priorities
};

struct ExplorationOptions {
  // Breadth first by default: programs that may start threads or count without end have findings near the beginning,
  // which depth first would come to last.
  Strategy strategy = Strategy::BreadthFirst;
  explorer::Reduction reduction = explorer::Reduction::Frozen;
  bool use_futures = true;                  // FutureOracle
  const ParallelTable* parallel = nullptr;  // for ParallelOracle; it is also watched that the table is right
  explorer::StoreOptions store;
  explorer::Properties properties;
  MachineLimits limits;
  bool first_finding_only = false;
  std::size_t max_states = std::numeric_limits<std::size_t>::max();
  std::size_t max_preemptions = std::numeric_limits<std::size_t>::max();
  // The search is split among so many threads, which share nothing: a state that several of them come to is visited by
  // each. Not for depth first nor for random runs.
  std::size_t jobs = 1;
  explorer::Shard shard;  // the same for machines
  // After a change: what the version before has settled is left out, if it is given; and what this one settles is kept
  // for the next one, if that is wanted. For breadth first with an exact store, one job and all findings.
  const VersionStore* before = nullptr;
  std::uint64_t changed = 0;  // classes of names of procedures
  bool keep_states = false;
  // After a change, a quick look at what has changed instead, which is never complete: see pairwise_search(). Then
  // nothing but the number of states, the time and the properties counts.
  std::optional<std::vector<Sites::Location>> quick = {};
  std::size_t max_level = 2;
  // Of random runs, with or without priorities.
  std::size_t seed = 1;
  std::size_t runs = 1000;
  std::size_t change_points = 2;
  std::size_t shortening_states = 20'000;  // for the run of each finding; 0: runs stay as they were found
  StopToken stop;
};

struct ExploredFinding {
  explorer::Observation observation;
  NarratedRun run;
};

struct Exploration {
  std::vector<ExploredFinding> findings;
  explorer::Omissions omissions;
  explorer::Counters counters;
  double omission_probability = 0;
  std::size_t executions = 0;  // of searches without a store: those that came to an end
  std::size_t given_up = 0;    // and those that did not, because others cover them
  std::vector<VersionStore::State> states =
      {};  // for a VersionStore, if they are to be kept and the search is complete
  [[nodiscard]] bool is_complete() const { return !omissions.any(); }
};

// Everything that is wrong with the program. Each run was replayed.
[[nodiscard]] Exploration explore(const Program& program, const ExplorationOptions& options = {});

// What is wrong with the state at the end of the trace, all with the run that it is. None if a step is not possible.
[[nodiscard]] std::optional<std::vector<ExploredFinding>> replayed(const Program& program, const explorer::Trace& trace,
                                                                   const MachineLimits& limits = {});

// What all threads share, after a step of a run.
struct RunState {
  std::vector<Integer> values;                     // by variable
  std::vector<std::optional<std::string>> owners;  // by lock: a thread
};
// After each step of the trace, which must be possible.
[[nodiscard]] std::vector<RunState> states_of(const Program& program, const explorer::Trace& trace,
                                              const MachineLimits& limits = {});

enum class Settled {
  Executed,  // here is a run
  Excluded,  // no run of this program gets there
  Possible   // not known: something was left out
};

struct SettleOptions {
  SiteTarget::Condition condition = SiteTarget::Condition::Standing;
  std::vector<bool> through_joins = {};  // of a cycle: see SiteTarget
  MachineLimits limits;
  std::size_t max_states = 200'000;
  std::size_t shortening_states = 20'000;
  StopToken stop;
};

struct Settlement {
  Settled verdict = Settled::Possible;
  std::optional<NarratedRun> run;  // Executed
  explorer::Omissions omissions;   // Possible
  // Possible: where the threads were when the target was nearest, in visible steps that values and locks ignore.
  std::optional<std::uint32_t> nearest;
  std::vector<RunEnd> nearest_threads;
  std::size_t states = 0;
};

// Whether different threads can be before these ends at the same time: a directed search. One thread before one of the
// points of each. A run was replayed on a machine of its own.
[[nodiscard]] Settlement settle(const Program& program, const std::vector<std::vector<Sites::Location>>& ends,
                                const SettleOptions& options = {});

}  // namespace lockwood::program
