#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "explorer/machine/machine.hpp"
#include "explorer/properties/observation.hpp"
#include "explorer/reduction/dependence.hpp"
#include "explorer/reduction/oracle.hpp"
#include "explorer/store/state_store.hpp"

// Explicit-state search: visits the states that a machine can reach, each once.
namespace lockwood::explorer {

using Run = std::vector<Step>;  // from the initial state of the machine

// Something that is looked for, and how far it is. For a search that is directed to it.
class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;
  [[nodiscard]] virtual bool is_reached(const Machine& machine) = 0;
  // Whether frozen sets keep it. They keep what one thread is before, pairs of threads that stand before
  // conflicting accesses, and what lasts for ever. Otherwise there is no reduction.
  [[nodiscard]] virtual bool allows_reduction() const = 0;
  // A guess how many steps are missing; none only if it is certain that no run from here reaches it.
  [[nodiscard]] virtual std::optional<std::uint32_t> distance(const Machine& machine) = 0;
};

// Who wants to see the states that are visited.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;
  // The machine is at a state that was not visited before.
  virtual void visit(const Machine& machine) = 0;
  // A step, and what follows from it as the only way, has led from one stored state to another, maybe one that was
  // visited before. States are numbered as they were visited, from 0. Only of searches with an exact store that are not
  // depth first. The machine is at the latter.
  virtual void edge(std::size_t /*from*/, std::size_t /*to*/) {}
};

// Who knows that nothing new lies below a state. Not for depth first.
class Pruner {
 public:
  Pruner() = default;
  Pruner(const Pruner&) = delete;
  Pruner& operator=(const Pruner&) = delete;
  virtual ~Pruner() = default;
  // The machine is at a state that was not visited before. True only if it is certain.
  [[nodiscard]] virtual bool leaves_out(const Machine& machine) = 0;
};

// Who says which steps come first, in a search that leaves nothing out. Nodes are states by the number of their visit.
class Guide {
 public:
  Guide() = default;
  Guide(const Guide&) = delete;
  Guide& operator=(const Guide&) = delete;
  virtual ~Guide() = default;
  // The machine is at a node, where the thread may be the next one to move: the least value comes first.
  [[nodiscard]] virtual std::uint64_t priority(const Machine& machine, std::size_t node, ThreadId thread) = 0;
  // That step has led to a new node, from which the search may go on. The machine is there.
  virtual void reached(std::size_t from, ThreadId thread, std::size_t to) = 0;
};

enum class Order {
  DepthFirst,
  BreadthFirst,
  Guided,      // what the guide says; requires one
  Best,        // least distance to the target first; requires a target
  Preemptions  // fewest preemptions first: switches away from a thread that could go on
};

enum class Reduction { None, Frozen };

// One of several searches that share the work: for machines that do not share memory. Not for Order::DepthFirst.
struct Shard {
  std::size_t index = 0;
  std::size_t count = 1;
};

struct SearchOptions {
  Order order = Order::DepthFirst;
  Reduction reduction = Reduction::Frozen;
  StoreOptions store;
  DependenceTable dependence = DependenceTable::complete();
  std::vector<Oracle*> oracles;  // cheapest first
  Properties properties;
  bool first_finding_only = false;
  // If there is one, the search ends when it is reached, and leaves out states from which it cannot be reached: then
  // `complete` says only that it is not reached. Other findings are reported as they are met.
  Target* target = nullptr;
  Listener* listener = nullptr;
  Guide* guide = nullptr;
  Pruner* pruner = nullptr;  // what it leaves out counts as visited
  std::size_t max_states = std::numeric_limits<std::size_t>::max();
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();  // steps of a run
  std::size_t max_preemptions = std::numeric_limits<std::size_t>::max();
  // Steps of one thread after another that are not stored because there is only one way to go on. After so many, the
  // state is stored and all threads have their turn.
  std::size_t max_unstored = 1000;
  // With more than one: all shards search alike until there are 20 states in the queue for each of them; from there on,
  // each one goes on with its own. Everything is visited by one of them.
  Shard shard;
  StopToken stop;
};

struct Counters {
  std::size_t states = 0;           // stored
  std::size_t matched = 0;          // met again
  std::size_t steps = 0;            // visible actions that were executed
  std::size_t choices = 0;          // states with several successors that were explored
  std::size_t pruned = 0;           // that nothing new lies below
  std::size_t full_expansions = 0;  // states where a reduced set was not enough
  std::size_t max_depth = 0;        // steps
  std::size_t store_bytes = 0;
  std::size_t questions = 0;  // to oracles
};

// What a search has left out, and why.
struct Omissions {
  bool states = false;                      // max_states
  bool depth = false;                       // max_depth
  bool preemptions = false;                 // max_preemptions
  bool hashing = false;                     // a lossy store
  bool sampling = false;                    // only some runs
  bool finding = false;                     // ended at a finding or at the target
  bool shards = false;                      // what other shards visit
  std::optional<std::size_t> beyond_level;  // pairwise: schedules with more departures
  std::array<bool, 3> bounds{};             // of the machine, by Bound
  std::optional<StopReason> stopped;

  [[nodiscard]] bool any() const;
};
// Each reason in a few words: "max states", "hashing", "timeout".
[[nodiscard]] std::vector<std::string> to_text(const Omissions& omissions);

struct Finding {
  Observation observation;
  Run run;  // to a state that has it
};

struct SearchResult {
  std::vector<Finding> findings;  // one for each key, in the order of discovery
  std::optional<Run> target;      // the run that reached it
  Omissions omissions;
  Counters counters;
  double omission_probability = 0;  // of a lossy store

  // Everything was visited: what was not found is not there.
  [[nodiscard]] bool is_complete() const { return !omissions.any(); }
};

// The results of shards of one search, which had `count` of them, as one. Requires at least one. Complete if all are
// there and each has left out only what the others visit. States that several of them have visited count several times.
[[nodiscard]] SearchResult merged(const std::vector<SearchResult>& shards, std::size_t count);

// Searches from the current state of the machine, which must be its initial one if runs are to be replayed.
[[nodiscard]] SearchResult search(Machine& machine, const SearchOptions& options);

}  // namespace lockwood::explorer
